"""`rogsim trace` of a scenario: its rules, its bots, its first games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rogsim
from tests.command_line import Run

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race")]

SCENARIO = """game = "dice-race"
players = [2, 3]
games = 200
seed = 7
bots = ["moody"]
[options]
short = 6
[change]
head_start.2 = 3
"""


@pytest.fixture
def command(command: Run) -> Run:
    """Run a command line in a folder with a scenario."""
    Path("x.toml").write_text(SCENARIO)
    return command


def traced(command: Run, *words: str) -> list[dict[str, Any]]:
    """Return the traces that a command prints."""
    code, out, err = command("trace", *words)
    assert (code, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


def test_traces_of_a_scenario_are_its_first_games(command: Run) -> None:
    """With its first player count, its bot, seed, options and changes: the games that a run plays."""
    traces = traced(command, "x.toml", "--games", "5")
    games = rogsim.run("x.toml", games=5).games().collect().filter(players=2)
    assert [len(one["turns"]) for one in traces] == games["turns"].to_list()
    assert len(set(games["turns"])) > 1
    said = ["--game", "dice-race", "--players", "2", "--bots", "moody", "--seed", "7", "--short", "6", "--games", "5"]
    assert traced(command, *said, "--change", "head_start.2 = 3") == traces
    assert traced(command, *said) != traces


def test_what_is_typed_replaces_what_the_scenario_says(command: Run) -> None:
    """Whether the scenario or the options come first; other options of the scenario stay."""
    typed = ["--players", "3", "--bots", "runner,walker,moody", "--seed", "2", "--long", "9"]
    changed = ["--change", "head_start.3 = 1"]
    traces = traced(command, "x.toml", *typed, *changed)
    assert traced(command, *typed, *changed, "x.toml") == traces
    said = ["--game", "dice-race", "--short", "6", "--change", "head_start.2 = 3"]
    assert traced(command, *said, *typed, *changed) == traces
    assert traced(command, "x.toml", *typed) != traces


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([], "--players: is needed, unless a scenario is named (see rogsim trace --help)"),
        (["--players", "2"], "--bots: is needed, unless a scenario is named (see rogsim trace --help)"),
        (
            ["many.toml"],
            "--bots: is needed, because many.toml has 3 bots for 2 players: name one bot, or 2 bots in turn order",
        ),
        (["x.toml", "--players", "5"], "--players: 5 is not allowed: choose from 2, 3, 4"),
        (["x.toml", "--game", "river-of-gold"], "--game: x.toml is a scenario of dice-race"),
        (["none.toml"], "none.toml: there is no such file"),
        (["x.toml", "y.toml"], '"y.toml" is not expected here: write an option of the game as --name VALUE'),
        (["x.toml", "--lnog", "4"], '--lnog: unknown, did you mean "--long"?'),
        (["--short", "x.toml"], "--players: is needed, unless a scenario is named (see rogsim trace --help)"),
    ],
)
def test_what_cannot_be_traced_is_one_line(command: Run, words: list[str], line: str) -> None:
    """What is missing, wrong or too much, and nothing is printed."""
    Path("many.toml").write_text(SCENARIO.replace('"moody"', '"moody", "walker", "runner"'))
    code, out, err = command("trace", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"rogsim: error: {line}")
