"""Prose is wrapped at words in a terminal and unchanged elsewhere."""

from __future__ import annotations

import io
from itertools import pairwise

import pytest

from rogsim.base.text import fold, terminal_width, write, write_pairs

TEXT = "Seat 1 wins 6.9 pp more than its fair share (simultaneous 95% interval +6.1 to +7.8)."


class Terminal(io.StringIO):
    """A stream that calls itself a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [20, 33, 60, 80])
def test_lines_are_as_wide_as_asked_and_no_word_is_broken(width: int) -> None:
    """All words are there, in order, and each line would not take the next word."""
    lines = fold(TEXT, width).split("\n")
    assert " ".join(lines) == TEXT
    assert all(len(line) <= width for line in lines)
    assert all(len(line) + 1 + len(after.split()[0]) > width for line, after in pairwise(lines))


def test_the_ends_of_an_interval_stay_together() -> None:
    """A number is not parted from the other end of its interval."""
    assert fold("n 50.0% (47.8 to 52.2)", 16) == "n 50.0%\n(47.8 to 52.2)"


def test_a_word_that_is_too_long_has_a_line_of_its_own() -> None:
    """A path is never cut, so that it can be copied."""
    assert fold("Page: reports/a-very-long-name/index.html here", 20).split("\n") == [
        "Page:",
        "reports/a-very-long-name/index.html",
        "here",
    ]


def test_indents_and_columns_stay() -> None:
    """A continued line keeps its indent, and spaces between columns remain."""
    assert fold("  a      b c\n  d", 8, hanging=1) == "  a\n   b c\n  d"
    assert fold("  a      b c d", 13, hanging=2) == "  a      b c\n    d"


def test_only_a_terminal_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe gets the line as it is; a terminal gets lines of its width."""
    monkeypatch.setenv("COLUMNS", "40")
    pipe, terminal = io.StringIO(), Terminal()
    for stream in (pipe, terminal):
        write(TEXT, stream)
    assert pipe.getvalue() == TEXT + "\n"
    assert terminal.getvalue() == fold(TEXT, 40) + "\n"
    assert (terminal_width(pipe), terminal_width(terminal)) == (None, 40)


@pytest.mark.parametrize("columns", ["9" * 5_000, "0", "wide", "-1"])
def test_a_width_that_is_none_is_not_used(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`COLUMNS` may hold anything; the width is then that of a terminal which does not tell its own."""
    monkeypatch.setenv("COLUMNS", columns)
    assert terminal_width(Terminal()) == 80


def test_texts_are_beside_their_names_or_below_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside where there is room for reading."""
    for columns, first in (("60", "name  one two three"), ("30", "name")):
        terminal = Terminal()
        monkeypatch.setattr("sys.stdout", terminal)
        monkeypatch.setenv("COLUMNS", columns)
        write_pairs([("name", "one two three")])
        assert terminal.getvalue().split("\n")[0] == first
        assert all(len(line) <= int(columns) for line in terminal.getvalue().split("\n"))
