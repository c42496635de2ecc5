"""`rogsim report` and the commands that answer one question: what they write and print, and what they refuse."""

from __future__ import annotations

import io
import json
from pathlib import Path

import polars as pl
import pytest

import rogsim
from rogsim.base.errors import RogsimError
from rogsim.report.console.answers import answer, print_answer, short_grid
from rogsim.report.render.write import FILES
from tests.command_line import Run
from tests.report.conftest import RIVER, Play
from tests.sketches import DRAWING

pytestmark = pytest.mark.once_compiled


def test_report_writes_page_text_data_and_figures(play: Play, command: Run) -> None:
    """All of them in one folder; a second report replaces it with the same files, bit for bit."""
    play("one", players=[2]), play("two", players=[2], bots=["moody"])
    folder, written = Path("pages/mine"), []
    for _ in range(2):
        code, out, err = command("report", "one", "two", "--out", "pages/mine")
        assert (code, err) == (0, "")
        assert out.splitlines()[0] == "Is any seat favoured?"
        assert out.splitlines()[-1] == "Page: pages/mine/index.html"
        written.append({path.name: path.read_bytes() for path in folder.rglob("*.*")})
    assert written[0] == written[1]
    assert {path.name for path in folder.iterdir()} == set(FILES)
    assert sorted(path.name for path in Path("pages").iterdir()) == ["mine"]
    data = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert set(data["files"]) == {"report.xlsx", *(f"tables/{path.name}" for path in (folder / "tables").iterdir())}
    drawn = {figure["name"] for part in (data, *data["sections"]) for figure in part["figures"]}
    files = {path.name for path in (folder / "figures").iterdir()}
    assert files == {f"{name}.{kind}" for name in drawn for kind in ("png", "svg")}
    assert data["command"].splitlines()[1:] == [
        "rogsim run scenario.toml --out one",
        "rogsim run scenario-2.toml --out two",
        "rogsim report one two --out pages/mine",
    ]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["report", "none"], "none: there is no such folder"),
        (["report", "one", "one"], "one: is listed twice"),
        (
            ["report", "one", "--out", "one"],
            'one: holds ".lock", which does not belong to a report; name another folder',
        ),
        (["report", "one", "--out", "file"], "file: is a file; a report needs a folder"),
        (["seats", "none"], "none: there is no such folder"),
        (["seats", "file"], "file: is a file; results need a folder"),
        (["seats", "."], ".: not a results folder: it has no manifest.json"),
        (["seats", "one", "--csv", "."], ".: is a folder; name a file"),
        (["seats", "one", "--csv", "-", "--json"], "--json: cannot be combined with --csv"),
        (["patrons", "one"], 'Dice race has no topic "patrons": choose from rolls, tracks, steps, parts'),
    ],
)
def test_wrong_input_gives_one_line(play: Play, command: Run, arguments: list[str], line: str) -> None:
    """Exit code 2, one line, and nothing is written."""
    play("one")
    Path("file").write_text("")
    assert command(*arguments) == (2, "", f"rogsim: error: {line}\n")
    assert sorted(path.name for path in Path().iterdir()) == ["file", "one"]


def test_the_name_of_a_scenario_leads_to_its_results(play: Play, command: Run) -> None:
    """A command that takes results says where those of a scenario are."""
    play("reports/race")
    hint = f"did you mean {Path('reports', 'race')}?"
    for named in ("race", "scenarios/race.toml"):
        error = f"rogsim: error: {named}: there is no such folder; {hint}\n"
        assert command("seats", named) == (2, "", error)


def test_folders_of_different_games_do_not_go_together(play: Play, command: Run) -> None:
    """A report covers only one game."""
    play("one")
    rogsim.run(RIVER | {"games": 2, "players": [2]}, out="two", jobs=1)
    code, out, err = command("report", "one", "two")
    assert (code, out) == (2, "")
    line = err.splitlines()[-1]  # a line about compiling may come before
    assert line.startswith("rogsim: error: the folders hold different games, dice-race and river-of-gold")


def test_a_report_that_fails_leaves_the_old_one(play: Play, command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens while a report is written, the folder stays complete."""
    play("one", players=[2])
    Path("a").mkdir()
    Path("a/index.html").write_text("old")
    Path("a/report.json").write_text('{"format": "rogsim-report/2", "sections": []}')

    def fail(*_: object) -> str:
        raise OSError(28, "No space left on device", "seats.png")

    monkeypatch.setattr(DRAWING, fail)
    expected = "rogsim: error: a: cannot be written: No space left on device\n"
    assert command("report", "one", "--out", "a") == (2, "", expected)
    assert Path("a/index.html").read_text() == "old"
    assert sorted(path.name for path in Path().iterdir()) == ["a", "one"]


def test_seats_are_printed_as_tables(play: Play, command: Run) -> None:
    """The question, the answer and a short table; with --all the findings and all columns."""
    play("one")
    code, out, err = command("seats", "one")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Is any seat favoured?"
    assert lines[1].startswith("Out of balance: With three players, seat 1 wins ")
    assert [line.split()[:2] for line in lines if line.startswith("Seat ")] == [["Seat", seat] for seat in "12123"]
    assert "points" not in out
    assert lines[-1] == "With --all: each finding, all columns of this table."
    _, out, _ = command("seats", "one", "--all")
    assert out.splitlines()[:2] == lines[:2]
    assert out.splitlines()[2].startswith("Out of balance: 2 players: ")
    assert "points" in out


def test_a_question_without_a_verdict_is_a_short_table(play: Play, capsys: pytest.CaptureFixture[str]) -> None:
    """After its answer; its other tables, which may have hundreds of rows, are left to --all."""
    section = answer([play("one")], "steps")
    captions = [grid.caption for grid in section.all_grids[1:]]
    assert section.answer.startswith("Largest clear difference: ")
    assert captions
    print_answer(section, everything=False)
    out = capsys.readouterr().out
    assert not any(caption in out for caption in captions)
    more = f"{len(captions)} more table{'s' * (len(captions) > 1)}"
    assert out.splitlines()[-1] == f"With --all: all columns of this table, and {more}."
    print_answer(section)
    out = capsys.readouterr().out
    assert all(caption in out for caption in captions)


def test_levels_are_printed_with_the_strongest_first(play: Play, command: Run) -> None:
    """For each number of players by itself; the page and the data keep the order of the game."""
    play("one", games=900)
    section = answer([Path("one")], "rolls")
    frame = short_grid(section).frame
    for players in (2, 3):
        effects = frame.filter(players=players)["effect"].to_list()
        assert effects == sorted(effects, reverse=True)
        assert sorted(effects) == sorted(section.grids[0].frame.filter(players=players)["effect"].to_list())
    assert frame["players"].to_list() == sorted(frame["players"].to_list())


def test_seats_as_csv_and_as_json_are_the_same_numbers(play: Play, command: Run) -> None:
    """The CSV has all digits, on standard output or in a file; the JSON has six."""
    play("one")
    _, text, _ = command("seats", "one", "--csv", "-")
    assert command("seats", "one", "--csv", "x.csv") == (0, "", "")
    assert Path("x.csv").read_text(encoding="utf-8") == text
    frame = pl.read_csv(io.StringIO(text))
    assert frame["level"].to_list() == ["Seat 1", "Seat 2", "Seat 1", "Seat 2", "Seat 3"]
    data = json.loads(command("seats", "one", "--json")[1])
    assert data["name"] == "seats"
    for row, other in zip(frame.to_dicts(), data["tables"][0]["rows"], strict=True):
        numbers = {key: value for key, value in row.items() if isinstance(value, float)}
        assert {key: other[key] for key in numbers} == pytest.approx(numbers, rel=1e-5)


def test_topics_of_a_game_can_be_commands(command: Run) -> None:
    """The commands listed in the game's folder exist, and say so if their topic was not in play."""
    rogsim.run(RIVER | {"games": 6, "players": [2]}, out="dealt", jobs=1)
    rogsim.run(RIVER | {"games": 6, "players": [2], "options": {}}, out="none", jobs=1)
    code, out, _ = command("patrons", "dealt")
    assert code == 0
    assert out.startswith("Is any patron too strong or too weak?\n")
    assert command("masteries", "dealt")[0] == 0
    assert command("patrons", "none") == (2, "", "rogsim: error: none: no data on patrons: none was in play\n")


def test_no_report_is_written_into_results(play: Play, command: Run) -> None:
    """No command would go on with results that hold anything else."""
    play("one")
    before = sorted(Path("one").rglob("*"))
    rule = f"is inside {Path('one').absolute()}, which holds results; name another folder"
    for folder in ("one/page", "one/pages/page"):
        assert command("report", "one", "--out", folder) == (2, "", f"rogsim: error: {folder}: {rule}\n")
    with pytest.raises(RogsimError, match="which holds results"):
        rogsim.run(RIVER, out="one/games/run")
    assert sorted(Path("one").rglob("*")) == before
