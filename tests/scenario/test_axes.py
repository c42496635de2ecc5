"""What a sweep may vary: each mistake in a range or a table is named, by `check` and by `explain` alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import Run
from tests.dice_process import scenario_text

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race")]

RANGE = 'key "sweep.over.head_start.1": '


def written(sweep: str) -> None:
    """Write a scenario with this sweep."""
    head = scenario_text(60).partition("\n[")[0]
    Path("race.toml").write_text(f"{head}\n[sweep]\n{sweep}\n")


@pytest.mark.parametrize(
    ("sweep", "message"),
    [
        (
            'over = { "head_start.1" = { from = 3, to = 1 } }',
            f'{RANGE}{{"from": 3, "to": 1}} is not allowed: `to` must not be',
        ),
        ('over = { "head_start.1" = { from = 1, to = 3, step = 0 } }', "`step` must be 1 or more"),
        (
            'over = { "head_start.1" = { from = 0, to = 999999 } }',
            "it has 1,000,000 values, and at most 1,000 are allowed",
        ),
        ('over = { "head_start.1" = { from = 1, to = 3, stepp = 1 } }', '"stepp" is unknown, did you mean "step"?'),
        ('smaple = "grid"\nover = { "head_start.1" = [0, 1] }', 'key "sweep.smaple": unknown, did you mean "sample"?'),
        ('foo = 1\nover = { "head_start.1" = [0, 1] }', 'key "sweep.foo": unknown: choose from sample, points, over'),
        ('over = { "head_start.1" = { by = [100] } }', f"{RANGE}100 is not allowed"),
    ],
)
def test_what_is_wrong_with_a_sweep_is_said(sweep: str, message: str, command: Run) -> None:
    """In one line, which `scenario explain` prints as well."""
    written(sweep)
    checked = command("scenario", "check", "race.toml")
    explained = command("scenario", "explain", "race.toml")
    assert (checked.code, explained.code) == (2, 2)
    assert message in checked.out
    assert checked.out.strip() == explained.err.removeprefix("rogsim: error: ").strip()


def test_a_byte_order_mark_is_no_part_of_a_scenario(command: Run) -> None:
    """Some editors write one."""
    Path("race.toml").write_text("\N{ZERO WIDTH NO-BREAK SPACE}" + scenario_text(60))
    assert command("scenario", "check", "race.toml").out == "race.toml: ok\n"


def test_a_folder_is_not_a_scenario(command: Run) -> None:
    """Whatever it is called."""
    found = command("scenario", "check", ".")
    assert (found.code, found.out) == (2, ".: is a folder; name a scenario file (results folders: `rogsim report`)\n")


def test_bots_named_on_the_command_line_are_looked_for_in_the_current_folder(command: Run) -> None:
    """Those of a scenario are looked for beside it."""
    Path("scenarios").mkdir()
    Path("scenarios/race.toml").write_text(scenario_text(60).replace('"runner"', '"mine.py:choose"'))
    Path("scenarios/mine.py").write_text("def choose(tables, view, menu, memory):\n    return 0\n")
    assert command("scenario", "check", "scenarios/race.toml").code == 0
    Path("own.py").write_text(Path("scenarios/mine.py").read_text())
    words = ("scenario", "explain", "scenarios/race.toml", "--bots")
    assert command(*words, "own.py:choose").code == 0
    missing = command(*words, "mine.py:choose")
    assert (missing.code, "the file mine.py does not exist" in missing.err) == (2, True)
