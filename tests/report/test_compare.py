"""`rogsim compare`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rogsim.experiments.comparison import arrange, play
from rogsim.experiments.design_points import Resources
from rogsim.game.registry import register, unregister
from rogsim.game.spec import GameSpec
from rogsim.report.document import TITLES
from rogsim.report.render.pages import SIGNS
from rogsim.report.render.write import FILES
from rogsim.report.sentences import sentence
from rogsim.stats.paired.compared import MeasuredRun as Played
from rogsim.stats.paired.compared import compared
from tests.command_line import Run
from tests.dice_game import GAME
from tests.report.test_page import Reader

pytestmark = pytest.mark.once_compiled

BASE = """# Is the race fair?
game = "dice-race"
players = [2, 3]
games = 200
seed = 5
bots = ["runner"]
"""
CHANGE = "head_start.2 = 1"


@pytest.fixture
def files(race: GameSpec, tmp_path: Path) -> Path:
    """A base and some variants of it, in a folder."""
    written = {
        "base": BASE,
        "ahead": BASE.replace("fair", "fairer with a start") + "[change]\nhead_start = [0, 1, 1, 0]\n",
        "nobody": BASE + "[change]\nhead_start.4 = 3\n",  # there is no seat 4
        "again": BASE,
        "other-seed": BASE.replace("seed = 5", 'seed = 6\nuntil = "seat_share ± 1 pp"').replace("200", "900"),
        "two": BASE.replace("[2, 3]", "[2]"),
        "four": BASE.replace("[2, 3]", "[4]"),
        "walker": BASE.replace("runner", "walker"),
        "mixed": BASE.replace('["runner"]', '["runner", "walker", "moody"]'),
        "twins/ahead": BASE + "[change]\nhead_start = [0, 2, 2, 0]\n",
        "broken": BASE + "[change]\nhead_strat.2 = 1\n",
    }
    (tmp_path / "twins").mkdir()
    for name, text in written.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def other_game(files: Path) -> Iterator[None]:
    """A second game, and a scenario of it."""
    register(replace(GAME, id="slow-race"))
    (files / "slow.toml").write_text(BASE.replace("dice-race", "slow-race"), encoding="utf-8")
    yield
    unregister("slow-race")


def data_of(folder: str = "reports/compare") -> dict[str, Any]:
    return json.loads((Path(folder) / "report.json").read_text(encoding="utf-8"))


def section(data: dict[str, Any], name: str) -> dict[str, Any]:
    return next(part for part in data["sections"] if part["name"] == name)


def rows(data: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [
        row for part in data["sections"] for table in part["tables"] if table["name"] == name for row in table["rows"]
    ]


def test_the_page_has_all_parts(files: Path, command: Run) -> None:
    """Page, Markdown, JSON and figures; a section for each question; verdicts in words and signs; nothing left open."""
    code, out, err = command("compare", "base.toml", "ahead.toml", "--change", CHANGE)
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "Page: reports/compare/index.html"
    folder = Path("reports/compare")
    assert {path.name for path in folder.iterdir()} == set(FILES)
    data = data_of()
    names = [part["name"] for part in data["sections"]]
    assert names == ["seats", "fairness", "rolls", "length", "play"]
    drawn = {figure["name"] for part in data["sections"] for figure in part["figures"]}
    assert {"rolls"} <= drawn
    assert all((folder / "figures" / f"{name}.{kind}").is_file() for name in drawn for kind in ("png", "svg"))
    html = (folder / "index.html").read_text(encoding="utf-8")
    page = Reader(html)
    assert page.open == []
    kinds = {finding["verdict"] for part in data["sections"] for finding in part["findings"]}
    assert kinds <= {"changed", "shifted", "same", "open"}
    assert all(TITLES[kind] in page.text and SIGNS[kind] in page.text for kind in kinds)
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert "fairer with a start?" in text
    assert "rogsim compare base.toml ahead.toml --change 'head_start.2 = 1' --games 200 --seed 5" in data["command"]
    assert data["provenance"][0]["rows"][2]["differs"] == "Head starts 0 / 1 / 0"


@pytest.mark.usefixtures("sketched")
def test_what_is_printed(files: Path, command: Run) -> None:
    """The answer with its numbers, and the table, in at most 12 lines; with --all the findings and tables, too."""
    _, out, _ = command("compare", "base.toml", "ahead.toml", "--games", "600")
    _, first, context, *_ = out.splitlines()
    number = r"\d+\.\d"
    assert re.match(
        rf"(Changed|Slight change): With [23] players, seat \d wins {number} pp (more|less) than before \(", first
    )
    assert re.search(rf"; the farthest seat is now {number} pp from fair instead of {number} \(change ", first)
    assert "600 games each of base and ahead with 2 and 3 players by runner, on the same deals (seed 5)." in context
    assert "Separate deals would have needed" in context
    assert len(out.split("\nPage:")[0].strip().splitlines()) <= 12
    _, out, _ = command("compare", "base.toml", "ahead.toml", "--games", "600", "--all")
    assert re.search(r"^(Changed|Slight change): Win share by seat, ahead, 2 players: ", out, re.MULTILINE)
    head = "seat players n before (95%) after (95%) difference, pp (95%) p (Holm) saving"
    assert head in [" ".join(line.split()) for line in out.splitlines()]


@pytest.mark.usefixtures("sketched")
def test_numbers_are_those_of_the_two_runs(files: Path, command: Run) -> None:
    """A row's difference is variant minus base, its interval holds it, and n is the number of games."""
    command("compare", "base.toml", "ahead.toml")
    for row in rows(data_of(), "seats"):
        assert row["n"] == 200
        assert 100 * (row["after"] - row["before"]) == pytest.approx(row["effect"], abs=1e-3)
        assert row["effect_low"] < row["effect"] < row["effect_high"]
        assert row["saving"] > 0


@pytest.mark.usefixtures("sketched")
def test_nothing_is_played_twice_and_the_page_is_the_same(
    files: Path, command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all games there from before, and another number of workers, the files are the same bit for bit."""
    command("compare", "base.toml", "ahead.toml", "--jobs", "1", "--chunk", "50")
    first = {path.name: path.read_bytes() for path in Path("reports/compare").rglob("*.*")}
    monkeypatch.setattr("rogsim.experiments.run.play_chunks", None)
    command("compare", "base.toml", "ahead.toml", "--jobs", "2")
    assert {path.name: path.read_bytes() for path in Path("reports/compare").rglob("*.*")} == first
    assert len(list(Path("reports/games").iterdir())) == 2


@pytest.mark.usefixtures("sketched")
def test_going_on_as_advised_is_a_second_look(files: Path, tmp_path: Path) -> None:
    """Findings say which look they are; an old base with a new variant is a first look at the two of them."""

    def measured(variant: str, games: int) -> tuple[set[int], str]:
        comparison = arrange(files / "base.toml", [files / variant], {}, games)
        runs = [
            Played(cell.label, results, cell.experiment.scenario.bots)
            for cell, results in zip(
                comparison.design_points, play(comparison, Resources(tmp_path / "games")), strict=True
            )
        ]
        found = compared(runs[0], runs[1:], comparison.base.experiment.spec, 2.0).judged
        return {each.effects.look for each in found}, " ".join(map(sentence, found))

    looks, text = measured("ahead.toml", 60)
    assert looks == {1}
    assert "more games would decide it with a chance of " in text
    assert "This is look" not in text
    looks, text = measured("ahead.toml", 120)
    assert looks == {2}
    assert "This is look 2 at these games, with 0.75% of the 5% error rate." in text
    assert measured("walker.toml", 120)[0] == {1}
    assert measured("ahead.toml", 60)[0] == {1}


@pytest.mark.usefixtures("outlined")
def test_a_change_of_one_level_is_answered_for_that_level(tmp_path: Path, command: Run) -> None:
    """The question's topic comes first; the holder of the changed patron is named in the answer and has its own row."""
    keys = 'players = [2]\ngames = 40\nseed = 1\nbots = ["random"]\noptions = { patrons = "dealt" }\n'
    (tmp_path / "river.toml").write_text(f"# Is a patron favoured?\n{keys}")
    code, out, _ = command("compare", "river.toml", "--change", "patron.kakita-ryoku.cost_favor = 0")
    assert code == 0
    assert "Kakita Ryoku" in data_of()["answer"]
    assert re.search(r"^Kakita Ryoku \(changed\) ", out, re.MULTILINE)
    names = [part["name"] for part in data_of()["sections"]]
    assert names[:3] == ["patrons", "seats", "fairness"]
    assert {finding["title"] for finding in section(data_of(), "fairness")["findings"]} == {
        "Farthest patron from fair",
        "Farthest seat from fair",
    }


@pytest.mark.usefixtures("outlined")
def test_a_variant_that_changes_nothing_is_said_to_be_the_same(files: Path, command: Run) -> None:
    """The same key: a line, a finding, and no numbers that say nothing; alone and beside another."""
    code, out, err = command("compare", "base.toml", "again.toml", "--all")
    assert code == 0
    assert err == "again: changes nothing, so its games are the same as those of base.\n"
    assert "again changes nothing: its games are those of base." in out
    assert data_of()["sections"] == []
    code, _, _ = command("compare", "base.toml", "again.toml", "ahead.toml")
    assert code == 0
    assert {row["run"] for row in rows(data_of(), "seats")} == {"ahead"}


@pytest.mark.usefixtures("outlined")
def test_a_change_without_effect_is_within_the_margin(files: Path, command: Run) -> None:
    """Another key and the same games: nothing changed for sure, and no saving, which would be 0 by 0."""
    code, out, err = command("compare", "base.toml", "nobody.toml", "--games", "500", "--all")
    assert (code, err) == (0, "nobody: head_start.4 = 3 changes nothing: there is no player 4.\n")
    assert "No change that matters: Win share by seat, nobody, 2 players: Every game came out the same." in out
    assert all(row["saving"] is None and row["effect"] == 0 for row in rows(data_of(), "seats"))
    assert "Separate deals" not in out


@pytest.mark.usefixtures("outlined")
@pytest.mark.parametrize("games", ["1", "20"])
def test_few_games_are_no_reason_to_fail(files: Path, command: Run, games: str) -> None:
    """With too few games for a test that is what is said, and there is a page all the same."""
    code, out, err = command("compare", "base.toml", "ahead.toml", "--games", games, "--all")
    assert (code, err) == (0, "")
    assert "Not known yet: Win share by seat, ahead, 2 players: " in out
    assert Path("reports/compare/index.html").is_file()


@pytest.mark.usefixtures("sketched")
def test_what_is_not_as_the_file_says_is_told(files: Path, command: Run) -> None:
    """Games, seed and player counts are the base's or common ones; until is not used. A line says so."""
    _, out, err = command("compare", "base.toml", "other-seed.toml", "two.toml", "ahead.toml", "--all")
    assert err.splitlines() == [
        "base: played with 2 players only, so that all runs can be compared.",
        "other-seed: played with 200 games instead of 900; seed 5 instead of 6; 2 players only; all games, ignoring "
        "`until`, so that all runs can be compared.",
        "ahead: played with 2 players only, so that all runs can be compared.",
        "other-seed: changes nothing, so its games are the same as those of base.",
        "two: changes nothing, so its games are the same as those of base.",
    ]
    assert {row["players"] for row in rows(data_of(), "seats")} == {2}
    assert "200 games each of base and ahead with 2 players" in out


def test_variants_of_one_name_are_told_apart(files: Path, race: GameSpec) -> None:
    """By their folders, else by numbers; changes are named after themselves."""
    first, second = files / "ahead.toml", files / "twins" / "ahead.toml"
    labels = [
        cell.label for cell in arrange(files / "base.toml", [first, second], {"head_start": [1, 0, 0, 0]}).design_points
    ]
    assert labels == ["base", f"{files.name}/ahead", "twins/ahead", "Head starts 1 / 0 / 0"]
    labels = [cell.label for cell in arrange(files / "base.toml", [first, first], {}).design_points]
    assert len(set(labels)) == 3


@pytest.mark.usefixtures("outlined")
def test_bots_may_differ(files: Path, command: Run) -> None:
    """One bot against another, and one against a mixture: seats are compared all the same, bots are not."""
    assert command("compare", "base.toml", "walker.toml", "mixed.toml")[0] == 0
    data = data_of()
    assert {row["run"] for row in rows(data, "seats")} == {"walker", "mixed"}
    assert "bots" not in [part["name"] for part in data["sections"]]
    assert data["provenance"][0]["rows"][1]["differs"] == "bots = walker"
    command("compare", "mixed.toml", "--change", CHANGE)
    assert {row["level"] for row in rows(data_of(), "bots")} == {"runner", "walker", "moody"}  # as they are typed


@pytest.mark.usefixtures("sketched")
def test_json_is_the_page_as_one_object(files: Path, command: Run) -> None:
    """With --json the same data as in the file is printed, with the place of the page."""
    code, out, _ = command("compare", "base.toml", "ahead.toml", "--json", "--out", "pages/one")
    assert code == 0
    printed = json.loads(out)
    assert printed.pop("page") == "pages/one/index.html"
    assert printed == data_of("pages/one")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["base.toml"], "name a variant to compare with: a scenario file, or --change NAME=VALUE"),
        (["base.toml", "none.toml"], "none.toml: there is no such file"),
        (["none.toml", "ahead.toml"], "none.toml: there is no such file"),
        (
            ["base.toml", "slow.toml"],
            'slow.toml: key "game": "slow-race" is not allowed: base is dice-race, and only scenarios of the same game '
            "can be compared",
        ),
        (
            ["base.toml", "four.toml"],
            'key "players": the scenarios have no player count in common: base has 2, 3; four has 4',
        ),
        (
            ["base.toml", "--change", "head_strat.2 = 1"],
            '--change: head_strat.2: unknown, did you mean "head_start.2"?',
        ),
        (["base.toml", "--change", "head_start"], '--change: "head_start" is not allowed: write NAME = VALUE'),
        (["base.toml", "broken.toml"], 'broken.toml: key "change.head_strat.2": unknown, did you mean "head_start.2"?'),
        (["base.toml", "ahead.toml", "--games", "0"], "--games: 0"),
        (["base.toml", "ahead.toml", "--jobs", "0"], "--jobs"),
        (["base.toml", "ahead.toml", "--out", "twins"], 'twins: holds "ahead.toml", which does not belong to a report'),
    ],
)
@pytest.mark.usefixtures("other_game")
def test_what_is_wrong_is_one_line(files: Path, command: Run, arguments: list[str], line: str) -> None:
    """Exit code 2, one line, and nothing is played or written."""
    before = sorted(files.rglob("*"))
    code, out, err = command("compare", *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith(f"rogsim: error: {line}")
    assert sorted(files.rglob("*")) == before
