"""Tables fitted to a width: every cell is there in full."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from rogsim.report.console.text_table import fit, stack, write

HEADER = ("bot", "n", "win share (95%)", "largest deviation", "verdict")
ROWS = (
    ("balanced", "20,000", "34.0% (33.3 to 34.6)", "+6.9 (+6.1 to +7.8)", "not known yet: more games would decide"),
    ("a bot of many words", "400", "4.0% (3.3 to 4.6)", "too few", "settled"),
)


@pytest.mark.parametrize("width", [30, 40, 60, 80, 120, 200])
def test_blocks_hold_every_cell_within_the_width(width: int) -> None:
    """All words of all columns are in the blocks, no line is too wide, and every block begins with the names."""
    blocks = fit(HEADER, ROWS, width)
    assert blocks
    for block in blocks:
        assert block.width <= width
        assert block.header[0] == "bot"
        for cells in (block.header, *block.rows):
            parts = [(line, size) for cell, size in zip(cells, block.widths, strict=True) for line in cell.split("\n")]
            assert all(len(line) <= size for line, size in parts)
    heads = [head.replace("\n", " ") for block in blocks for head in block.header[1:]]
    assert heads == list(HEADER[1:])
    for place, row in enumerate(ROWS):
        shown = [cell.replace("\n", " ") for block in blocks for cell in block.rows[place][1:]]
        assert shown == list(row[1:])


def test_a_wide_terminal_folds_nothing() -> None:
    """One block, and the cells as they are."""
    (block,) = fit(HEADER, ROWS, 200) or []
    assert (block.header, block.rows) == (HEADER, ROWS)


def test_headings_are_folded_before_numbers() -> None:
    """If folding headings is enough, each row keeps its one line."""
    (block,) = fit(("seat", "a long heading"), (("1", "5.0"),), 14) or []
    assert block.header == ("seat", "a long\nheading")
    assert block.rows == (("1", "5.0"),)


def test_an_interval_stays_in_one_piece() -> None:
    """A number is folded before its interval and nowhere else."""
    blocks = fit(("seat", "share"), (("1", "34.0% (33.3 to 34.6)"),), 21) or []
    assert blocks[0].rows == (("1", "34.0%\n(33.3 to 34.6)"),)


def test_a_word_that_is_too_long_leaves_no_columns() -> None:
    """Such a table is stacked, and the word is whole."""
    rows = (("a/very/long/path/to/a/bot.py:name", "1"),)
    assert fit(("bot", "n"), rows, 20) is None
    assert stack(("bot", "n"), rows, 20) == ["bot:\na/very/long/path/to/a/bot.py:name", "  n: 1"]


def test_text_that_would_be_too_narrow_leaves_no_columns() -> None:
    """On request: columns of text that are a word or two wide cannot be read."""
    rows = (("name", "a text of quite a few words that says something"),)
    assert fit(("name", "meaning"), rows, 20) is not None
    assert fit(("name", "meaning"), rows, 20, comfortable=True) is None


def test_verdicts_are_coloured_in_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The word that begins a line and is followed by a colon or a comma; NO_COLOR and pipes get plain text."""
    text = "Out of balance, settled: seat 1.\n  Fair: all.\nFair shares: 50%."

    def printed(**how: bool) -> str:
        out = io.StringIO()
        system = "standard" if how else "auto"  # what a pipe gets is not to be forced
        write(text, Console(file=out, width=80, highlight=False, markup=False, color_system=system, **how))
        return out.getvalue().rstrip("\n")

    yellow, green, end = "\x1b[1;33m", "\x1b[1;32m", "\x1b[0m"
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert printed() == text
    assert printed(force_terminal=True) == (
        f"{yellow}Out of balance{end}, settled: seat 1.\n  {green}Fair{end}: all.\nFair shares: 50%."
    )
    assert "\x1b[1;3" not in printed(force_terminal=True, no_color=True)
