"""Progress without a terminal: a line now and then on standard error."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from rogsim.base import progress

pytestmark = pytest.mark.once_uncompiled


def wait_for_lines(capsys: pytest.CaptureFixture[str], count: int) -> list[str]:
    """Return the lines on standard error, once there are so many."""
    text = ""
    for _ in range(2000):
        text += capsys.readouterr().err
        if text.count("\n") >= count:
            return text.splitlines()
        time.sleep(0.005)
    raise AssertionError(text)


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[str]]:
    """Print lines often, and return those printed so far."""
    monkeypatch.setattr(progress, "SECONDS", 0.01)
    return lambda count: wait_for_lines(capsys, count)


def test_games_are_counted_also_before_the_first_is_played(lines: Callable[[int], list[str]]) -> None:
    """The line has the games so far, and what is left as soon as there is a speed."""
    with progress.progress_bar(60_000) as advance:
        assert lines(2)[0] == "0 of 60,000 games"
        advance(1000)
        time.sleep(0.02)
        advance(11_000)
        line, count = "", 2
        while not line.startswith("12,000 "):  # a slow machine prints a line between the two steps
            line, count = lines(count)[-1], count + 1
        assert line.startswith("12,000 of 60,000 games, ")
        assert line.endswith(" left")


def test_only_what_was_begun_last_prints(lines: Callable[[int], list[str]]) -> None:
    """Games played within a longer activity are not told twice; then the activity is told again."""
    with progress.doing() as notify:
        notify("comparing")
        said = lines(1)
        assert said == ["comparing…"] * len(said)
        with progress.progress_bar(10):
            lines(2)
            assert set(lines(3)) == {"0 of 10 games"}
        lines(2)
        assert set(lines(3)) == {"comparing…"}


def test_short_work_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """The first line comes after half a minute."""
    with progress.doing() as notify, progress.progress_bar(10) as advance:
        notify("comparing")
        advance(10)
    assert capsys.readouterr().err == ""
