"""`rogsim settle` from the command line: answers first, the page, CSV and JSON."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import polars as pl
import pytest

from tests.command_line import Run

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("dice_race", "sketched")]

SCENARIO = """# Is any seat favoured?
game = "dice-race"
players = [2, 3]
games = 40
seed = 1
bots = ["runner"]
"""
WORDS = ["settle", "x.toml", "--bots", "walker,moody,runner", "--first-look", "60", "--jobs", "1"]


@pytest.fixture
def command(command: Run) -> Run:
    """Run a command line in a folder with a scenario."""
    Path("x.toml").write_text(SCENARIO, encoding="utf-8")
    return command


def test_the_answer_comes_first_and_then_the_table(command: Run) -> None:
    """The answer, who played and the verdicts in at most 15 lines; with --all each claim and each bot."""
    code, out, _ = command(*WORDS, "--games", "200")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "Does it hold as the bots get stronger? Is any seat favoured?"
    assert re.match(
        r"(\w[\w ]*: )?As the bots get stronger, [1-4] of 4 effects (stays?|still moves?|(is|are) not known yet).*; "
        r"the largest with runner: Seat \d",
        lines[1],
    )
    assert "bot is shown to be stronger than the one before" in lines[2]
    (head,) = [line for line in lines if line.startswith("seat ")]
    assert "change over the last two steps (95%)" in head
    assert len(lines) <= 15
    everything = command(*WORDS, "--games", "200", "--all").out.splitlines()
    assert everything[:3] == lines[:3]
    assert sum(bool(re.match(r"Seat \d +[23] ", line)) for line in everything) == 4
    assert any(line.startswith("seat ") and "walker" in line and "runner" in line for line in everything)
    assert lines[-1] == f"Page: reports{os.sep}settle-x{os.sep}index.html"
    assert {path.name for path in Path("reports/settle-x/figures").glob("*.png")} == {"seats.png"}


def test_effects_are_printed_with_their_intervals(command: Run) -> None:
    """Each row has the change that the verdict is about, and the effect with each bot, the strongest first."""
    out = command(*WORDS, "--games", "200").out
    pattern = r"^Seat \d +\d +\w[\w ]*?\w +\S+ \(.* to .*\) +\S+ \(.* to .*\)"
    assert len(re.findall(pattern, out, re.MULTILINE)) == 4


def test_json_has_the_verdicts(command: Run) -> None:
    """One object: for each claim its verdict, and the command that repeats the page."""
    code, out, _ = command(*WORDS, "--games", "200", "--margin", "3", "--json")
    data = json.loads(out)
    assert code == 0
    found = data["sections"][0]["tables"][0]["rows"]
    assert [(row["level"], row["players"]) for row in found] == [("1", 2), ("1", 3), ("2", 3), ("3", 3)]
    assert {row["verdict"] for row in found} <= {"settled", "still moving", "not known yet"}
    assert "--margin=3.0" in data["command"]


def test_a_table_has_every_rung(command: Run) -> None:
    """A row for each claim, with the effect, its interval and the games of each bot."""
    assert command(*WORDS, "--games", "200").code == 0
    frame = pl.read_csv("reports/settle-x/tables/seats.csv")
    assert frame["rung_3_bot"].unique().to_list() == ["runner"]
    assert (frame["rung_1_low"] <= frame["rung_1"]).all()
    assert frame.height == 4


def test_each_bot_plays_the_one_before(command: Run) -> None:
    """The page has a table of the leads; both are in the data, with the games."""
    assert command(*WORDS, "--games", "200").code == 0
    page = Path("reports/settle-x/report.md").read_text(encoding="utf-8")
    assert "Lead over the bot before, in Elo points (95%)" in page
    data = json.loads(Path("reports/settle-x/report.json").read_text(encoding="utf-8"))
    steps = [tuple(row[key] for key in ("players", "below", "bot", "games")) for row in data["settle"]["steps"]]
    assert steps == [  # a tenth of 180 games, in whole cycles of line-ups
        (2, "walker", "moody", 8),
        (2, "moody", "runner", 8),
        (3, "walker", "moody", 6),
        (3, "moody", "runner", 6),
    ]


def test_a_second_call_plays_nothing_and_says_the_same(command: Run) -> None:
    """All games are stored, so the same command gives the same page."""
    first, second = (command(*WORDS, "--games", "200").out for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--bots", "walker,runner"], "--bots: 2 given, and a ladder has 3 to 30 bots, the weakest first"),
        (["--claims", "colours"], '--claims: "colours" is not allowed: choose from seats'),
        (["--minutes", "-1"], "--minutes: -1.0 is not allowed: must be 0 or more"),
    ],
)
def test_wrong_words_give_one_line(command: Run, words: list[str], line: str) -> None:
    """Exit code 2 and what is allowed; nothing is played."""
    code, out, err = command(*WORDS, *words)
    assert (code, out, err) == (2, "", f"rogsim: error: {line}\n")
    assert not Path("reports").exists()
