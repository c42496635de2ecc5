"""A question about what seats did is one file, which every page, the console and the workbook answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from openpyxl import load_workbook

import rogsim
from rogsim.base.errors import RogsimError
from rogsim.game.questions import questions_of
from rogsim.game.registry import register, unregister
from rogsim.results.results import Results
from tests.command_line import Run
from tests.dice_game import GAME
from tests.report.conftest import KEYS, TOPICS

QUESTION = '''"""Whether a good start is enough."""

TITLE = "Starts"
QUESTION = "Does a six at the start win?"
COLUMNS = ["first_roll"]
SEATS_THAT = {
    "rolled a six first": "first_roll = '6'",
    "rolled the most first": "first_roll = MAX(first_roll) OVER (PARTITION BY players, game)",
}
'''
ONE = QUESTION.replace('    "rolled the most', '    # "rolled the most')
SCENARIO = """# Is the race fair?
game = "dice-race"
players = [2]
games = 400
seed = 5
bots = ["runner"]
"""

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("sketched")]


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The dice race with a package of questions that has one file, in a folder with its games."""
    package = tmp_path / "fresh_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "starts.py").write_text(QUESTION)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    Path("race.toml").write_text(SCENARIO)
    register(replace(GAME, topics=(*TOPICS, *questions_of("fresh_package", GAME.seat_columns))))
    yield
    unregister(GAME.id)
    for name in ("fresh_package", "fresh_package.starts"):
        del sys.modules[name]


def section(folder: str, name: str) -> dict[str, Any]:
    """A section of a page, as data."""
    data = json.loads(Path(folder, "report.json").read_text(encoding="utf-8"))
    (found,) = (part for part in data["sections"] if part["name"] == name)
    return found


def known(folder: str) -> dict[str, float]:
    """How often seats of each kind won, and the others, computed from the rows by themselves."""
    rows = Results.open(folder).seats().with_columns(pl.col("first_roll").cast(pl.String).cast(pl.Int8)).collect()
    six, most = pl.col("first_roll") == 6, pl.col("first_roll") == pl.col("first_roll").max().over("players", "game")
    shares = {}
    for name, kind in (("six", six), ("most", most)):
        shares[name] = rows.filter(kind)["win_share"].mean()
        shares[f"no {name}"] = rows.filter(~kind)["win_share"].mean()
    return shares  # type: ignore[return-value]


def test_a_file_in_a_fresh_place_is_answered_everywhere(fresh: None, command: Run) -> None:
    """In report (HTML, Markdown, console, workbook, CSV), in compare and in sweep; nothing else names the question."""
    assert command("run", "race.toml", "--jobs", "1", "--out", "race").code == 0
    ended = command("report", "race", "--out", "page")
    assert ended.code == 0, ended.err
    shares = known("race")
    (line,) = (line for line in ended.out.splitlines() if line.startswith("Starts: "))
    six, most = (
        f"seats that rolled {words} won {100 * shares[name]:.1f}%, others {100 * shares[f'no {name}']:.1f}%"
        for name, words in (("six", "a six first"), ("most", "the most first"))
    )
    assert six in line or most in line
    assert "not shown to be a cause" in line or "that may be chance" in line
    sentence = line.removeprefix("Starts: ")
    for file in ("index.html", "report.md"):
        text = Path("page", file).read_text(encoding="utf-8").replace("\\", "")
        assert sentence in text
        assert "Does a six at the start win?" in text
    (table,) = section("page", "starts")["tables"]
    found = {row["member"]: row for row in table["rows"]}
    for name, row in (("six", "Seats that rolled a six first"), ("most", "Seats that rolled the most first")):
        assert found[row]["share_with"] == pytest.approx(shares[name], abs=1e-5)
        assert found[row]["share_without"] == pytest.approx(shares[f"no {name}"], abs=1e-5)
        assert (
            found[row]["difference_low"] < 100 * (shares[name] - shares[f"no {name}"]) < found[row]["difference_high"]
        )
    assert pl.read_csv("page/tables/starts.csv").height == 2
    sheet = load_workbook("page/report.xlsx")["starts"]
    assert "Seats that rolled a six first" in {cell.value for row in sheet.rows for cell in row}

    assert command("compare", "race.toml", "--change", "head_start.2 = 2", "--jobs", "1", "--out", "changed").code == 0
    rows = {row["level"]: row for row in section("changed", "play")["tables"][0]["rows"] if row["topic"] == "Starts"}
    row = rows["Win share of seats that rolled a six first, %"]
    assert row["before"] == pytest.approx(100 * shares["six"], abs=1e-3)
    assert row["effect"] == pytest.approx(row["after"] - row["before"], abs=1e-3)
    assert row["effect_low"] < row["effect"] < row["effect_high"]

    over = ("--over", "head_start.2 = { from = 0, to = 2 }")
    assert command("sweep", "race.toml", *over, "--jobs", "1", "--out", "swept").code == 0
    swept = [row for row in section("swept", "play")["tables"][0]["rows"] if row["topic"] == "Starts"]
    assert [row["run"] for row in swept] == ["head_start.2 = 1"] * 2 + ["head_start.2 = 2"] * 2
    (last,) = (each for each in swept if each["run"].endswith("2") and each["level"] == row["level"])
    assert {key: last[key] for key in row if key != "run"} == {key: row[key] for key in row if key != "run"}
    assert section("swept", "play")["figures"]


def test_a_scenario_can_be_about_it(fresh: None, command: Run) -> None:
    """`run` prints its answer first, and `compare` judges it."""
    Path("race.toml").write_text(SCENARIO.replace("Is the race fair?", "Does a six win?") + 'about = "starts"\n')
    ended = command("run", "race.toml", "--jobs", "1", "--out", "race")
    assert ended.code == 0, ended.err
    assert ended.out.splitlines()[0] == "Does a six win?"
    assert "seats that rolled" in ended.out.splitlines()[1]
    asked = command("compare", "race.toml", "--change", "head_start.2 = 1", "--jobs", "1", "--out", "changed")
    assert asked.code == 0, asked.err
    assert section("changed", "starts")["findings"][0]["title"] == "Win share by kind of seat"


@pytest.mark.usefixtures("race")
def test_a_reader_asks_with_a_file(command: Run, tmp_path: Path) -> None:
    """Its answer comes after that of the report, with a command that asks again; Python takes the file, too."""
    results = rogsim.run(KEYS | {"games": 200}, out=tmp_path / "race", jobs=1)
    (tmp_path / "starts.py").write_text(f"print('hello')\n{ONE}")
    ended = command("report", "race", "--question", "starts.py", "--out", "page")
    assert ended.code == 0, ended.err
    assert "hello" not in ended.out
    data = json.loads(Path("page/report.json").read_text(encoding="utf-8"))
    assert [part["name"] for part in data["sections"]][1] == "starts"
    assert "rogsim report race --question starts.py --out page" in Path("page/report.md").read_text(encoding="utf-8")
    made = rogsim.report(results, question=tmp_path / "starts.py")
    assert made.sections[1].answer == data["sections"][1]["answer"]


@pytest.mark.usefixtures("race")
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (None, "there is no such file"),
        ("TITLE = ", "cannot be imported: line 1: invalid syntax"),
        ("\nTITLE = 1 / 0", "cannot be imported: ZeroDivisionError: division by zero (line 2)"),
        (ONE.replace("TITLE", "NAME"), "TITLE must be a text"),
        (ONE.replace("first_roll", "first_rol"), 'COLUMNS: "first_rol" is unknown, did you mean "first_roll"?'),
        (
            ONE.replace("first_roll =", "turn_roll ="),
            'SEATS_THAT "rolled a six first": unable to find column "turn_roll"',
        ),
        (ONE.replace("= '6'", "= "), 'SEATS_THAT "rolled a six first": unable to parse'),
        (ONE.replace("first_roll = '6'", "points"), "points is Int16, and must be true or false, like points > 0"),
        (ONE.replace("= '6'", "= NULL"), "every condition holds for all seats or for none, so there is nothing to"),
        (ONE.replace("= '6'", "IN ('1', '2', '3', '4', '5', '6')"), "every condition holds for all seats or for none"),
        (
            f"{ONE}SEATS_THAT = {{f'had {{n}}': f'points = {{n}}' for n in range(1_000)}}\n",
            "SEATS_THAT has 1,000 entries",
        ),
    ],
    ids=["missing", "syntax", "raises", "part", "column", "undeclared", "sql", "number", "null", "all", "thousand"],
)
def test_a_file_that_cannot_be_answered_is_refused(text: str | None, fault: str, command: Run, tmp_path: Path) -> None:
    """In one line that names the file, with exit code 2; nothing is written."""
    rogsim.run(KEYS | {"games": 20, "players": [2]}, out=tmp_path / "race", jobs=1)
    if text is not None:
        (tmp_path / "starts.py").write_text(text)
    ended = command("report", "race", "--question", "starts.py", "--out", "page")
    assert ended.code == 2
    (line,) = (line for line in ended.err.splitlines() if "error" in line)
    assert line.startswith("rogsim: error: --question")
    assert "starts.py" in line
    assert fault in line
    assert not Path("page").exists()


@pytest.mark.usefixtures("race")
def test_a_question_needs_a_name_of_its_own_and_one_run(tmp_path: Path, command: Run) -> None:
    """Names of sections are taken, and what changed between two runs is another page."""
    results = rogsim.run(KEYS | {"games": 20, "players": [2]}, out=tmp_path / "race", jobs=1)
    (tmp_path / "rolls.py").write_text(ONE)
    with pytest.raises(RogsimError, match=r'^question .*rolls\.py: a question is called "rolls" already'):
        rogsim.report(results, question=tmp_path / "rolls.py")
    ended = command("report", "race", "--against", "race", "--question", "rolls.py")
    assert (ended.code, ended.err.count("cannot be combined with --against")) == (2, 1)
