"""`rogsim optimize`: what it prints and writes, on the dice race."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rogsim.game import compiler
from rogsim.report.render.write import FILES
from tests.command_line import Ended, rogsim_command

pytestmark = [
    pytest.mark.usefixtures("dice_race"),
    pytest.mark.skipif(not compiler.ENABLED, reason="a search plays too many games to do so uncompiled"),
]

SCENARIO = """# How many spaces ahead must the second begin?
game = "dice-race"
players = [2]
games = 500
seed = 5
bots = ["runner"]

[options]
short = 12
long = 12

[balance]
goal = "seat_share equal ± 5 pp"

[balance.over]
head_start.2 = { from = 0, to = 5 }
"""


def balance(*words: str) -> Ended:
    return rogsim_command("optimize", *words)


@pytest.fixture
def scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "spaces.toml"
    path.write_text(SCENARIO, encoding="utf-8")
    return path


def test_the_answer_is_printed_and_written(scenario: Path) -> None:
    """The terminal, the page, the Markdown and the JSON give the same answer; every line has an interval and its n."""
    code, printed, _ = balance(str(scenario))
    assert code == 0
    assert "How many spaces ahead must the second begin?" in printed
    assert "Goal: seat_share equal ± 5 pp. " in printed
    assert len(printed.splitlines()) <= 16
    folder = Path("reports/balance-spaces")
    assert {path.name for path in folder.iterdir()} == set(FILES)
    data = json.loads((folder / "report.json").read_text())
    assert data["answer"] in printed
    assert data["verdict"] == "reached"
    number = r"\d+\.\d pp off \(\d+\.\d to \d+\.\d\)"
    assert re.fullmatch(rf"Fair with Head starts 0 / 2 \(was 0 / 0\): the farthest seat is {number}\.", data["answer"])
    found = data["sections"][0]["findings"][0]
    assert found["setting"] == {"head_start.2": 2}
    assert found["goal"] == "reached"
    assert found["deviation"]["low"] < found["deviation"]["value"] < found["deviation"]["high"]
    assert found["games"] > 0
    (played,) = data["provenance"]
    assert {row["what"]: row["value"] for row in played["rows"]}["scenario"] == "spaces"
    for name in ("index.html", "report.md"):
        text = (folder / name).read_text()
        assert "Goal reached" in text
        assert "Goal missed" in text  # as it is
    figures = {"change", "seat-win-share", "curve-head-start-2-2"}
    assert {path.stem for path in (folder / "figures").iterdir()} == figures
    assert "tolerance of ±5 pp" in (folder / "figures" / "seat-win-share.svg").read_text()
    assert any(step["command"].startswith("rogsim compare ") for step in data["steps"])


def test_between_two_numbers_nothing_is_wider(scenario: Path) -> None:
    """If one number is too little and the next too much, the page says so, and does not ask for more of the same."""
    code, printed, _ = balance(
        str(scenario), "--goal", "seat_share equal ± 0.5 pp", "--games", "2000", "--confirm", "40000"
    )
    assert code == 0
    between = r"Fair would be between 1 and 2, so no whole number is fair: with 1, seat 1 wins .*; with 2, seat 1 wins "
    assert re.search(between, printed)
    data = json.loads((Path("reports/balance-spaces") / "report.json").read_text())
    assert data["verdict"] == "missed"
    assert data["steps"][0]["text"].startswith("Seat ")
    assert "has no other number that brings it closer" in data["steps"][0]["text"]
    assert "widen" not in json.dumps(data)


def test_without_a_goal_what_the_question_is_about_is_to_be_fair(scenario: Path) -> None:
    """Only --over is needed: no topic is dealt in the dice race, so the seats are to be fair within the margin."""
    scenario.write_text(SCENARIO[: SCENARIO.index("[balance]")], encoding="utf-8")
    code, printed, _ = balance(str(scenario), "--over", "head_start.2 = [0, 2]", "--games", "1000", "--confirm", "200")
    assert code == 0
    assert "Goal: seat_share equal ± 2 pp. " in printed


def test_deviations_of_turns_have_a_unit(scenario: Path) -> None:
    """A goal on the length of games: the answer, every row and the figure give deviations in turns."""
    code, printed, _ = balance(str(scenario), "--goal", "turns = 10 ± 1", "--over", "spaces.more = [0, 3]")
    assert code == 0
    assert re.search(r"the mean of turns is \d+\.\d turns (above|below) the goal \(\d+\.\d to \d+\.\d\)\.", printed)
    assert len([line for line in printed.splitlines() if "the mean of turns, too" in line]) == 2
    sections = {
        part["name"] for part in json.loads((Path("reports/balance-spaces") / "report.json").read_text())["sections"]
    }
    assert "seats" in sections  # no goal is about them
    figure = (Path("reports/balance-spaces") / "figures" / "all-turns.svg").read_text()
    assert "tolerance of ±1 turn<" in figure


@pytest.mark.usefixtures("sketched")
def test_the_command_on_the_page_makes_it_again(scenario: Path) -> None:
    """The scenario and the command that a page shows lead to the same JSON, with nothing played again."""
    import shlex

    assert balance(str(scenario), "--change", "head_start.1 = 1").code == 0
    page = Path("reports/balance-spaces/report.json")
    first = json.loads(page.read_text())
    scenario.write_text(first["scenarios"][0]["text"], encoding="utf-8")
    words = shlex.split(first["command"].splitlines()[-1])
    before = sorted(Path("reports/games").rglob("*.parquet"))
    assert balance(*words[2:]).code == 0
    assert sorted(Path("reports/games").rglob("*.parquet")) == before
    again = json.loads(page.read_text())
    assert again | {"steps": []} == first | {"steps": []}  # what to try next names the scenario, which has moved


@pytest.mark.usefixtures("sketched")
def test_json_is_the_report(scenario: Path) -> None:
    """With --json one object is printed, the same as in the folder."""
    code, out, _ = balance(str(scenario), "--json")
    assert code == 0
    printed: dict[str, Any] = json.loads(out)
    assert printed.pop("page") == "reports/balance-spaces/index.html"
    assert printed == json.loads(Path("reports/balance-spaces/report.json").read_text())


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["none.toml"], "none.toml: there is no such file"),
        (["spaces.toml", "--goal", "fair"], '--goal: "fair" is not allowed: write NAME equal'),
        (["spaces.toml", "--over", "head_start.1"], '--over: "head_start.1" is not allowed: write NAME = VALUE'),
        (["spaces.toml", "--over", "x = [1]"], "--over: x: unknown"),
        (["spaces.toml", "--change", "x = 1"], "--change: x: unknown"),
        (["spaces.toml", "--players", "two"], '--players: "two" is not allowed'),
        (["spaces.toml", "--bots", "nobody"], "--bots: "),
        (["spaces.toml", "--games", "0"], "--games: 0 is not allowed: must be from 1,000"),
        (["spaces.toml", "--out", "spaces.toml"], "spaces.toml: is a file"),
    ],
)
def test_bad_input_is_a_line(
    scenario: Path,
    words: list[str],
    line: str,
) -> None:
    """What cannot be searched ends with exit code 2 and a line, and nothing is written."""
    code, _, err = balance(*words)
    assert code == 2
    assert err.startswith(f"rogsim: error: {line}")
    assert "Traceback" not in err
    assert sorted(path.name for path in scenario.parent.iterdir()) == ["spaces.toml"]
