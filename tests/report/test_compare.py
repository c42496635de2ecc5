"""`rogsim compare`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rogsim.stats.paired.difference_verdicts import Judged

from rogsim.experiments.comparison import arrange, play
from rogsim.experiments.design_points import Resources
from rogsim.game.registry import register, unregister
from rogsim.game.spec import GameSpec
from rogsim.report.compare.compare_words import WITHIN, finding_of
from rogsim.report.console.compare_tables import MAY_BE_CHANCE, print_comparison
from rogsim.report.document import Report, Section
from rogsim.report.render.html import SIGNS
from rogsim.report.render.write import FILES
from rogsim.report.verdict_titles import TITLES
from rogsim.stats.contrasts import JointTest
from rogsim.stats.estimates import Estimate
from rogsim.stats.paired.compared import FAIRNESS, SEAT, SEATS, compared
from rogsim.stats.paired.compared import MeasuredRun as Played
from rogsim.stats.paired.differences import Answer, Change, Question
from tests.command_line import Run
from tests.dice_game import GAME
from tests.report.conftest import TOPICS
from tests.report.test_rendering import Reader

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
    assert names == ["fairness", "seats", "rolls", "length", "steps", "parts", "saving"]
    drawn = {figure["name"] for part in data["sections"] for figure in part["figures"]}
    assert {"fairness", "seats", "seats-points", "rolls", "length", "saving"} <= drawn
    assert {path.name for path in (folder / "figures").iterdir()} == {f"{n}.{k}" for n in drawn for k in ("png", "svg")}
    html = (folder / "index.html").read_text(encoding="utf-8")
    page = Reader(html)
    assert page.open == []
    kinds = {finding["verdict"] for part in data["sections"] for finding in part["findings"]}
    assert kinds <= {"changed", "within", "open", "fact"}
    assert all(TITLES[kind] in page.text and SIGNS[kind] in page.text for kind in kinds)
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert "fairer with a start?" in text
    assert "rogsim compare base.toml ahead.toml --change 'head_start.2 = 1' --games 200 --seed 5" in data["command"]
    assert data["provenance"][0]["rows"][2]["differs"] == "Head starts 0 / 1 / 0"


@pytest.mark.usefixtures("sketched")
def test_what_is_printed(files: Path, command: Run) -> None:
    """With --all: the findings, then tables with both numbers, their difference, its p and what the pairing saved."""
    _, out, _ = command("compare", "base.toml", "ahead.toml", "--games", "600", "--all")
    assert "ahead against base: 600 games each with 2 and 3 players, all on the same deals (seed 5)" in out
    assert re.search(r"^Changed: Win share by seat, ahead, 2 players: Seat 2 \+\d+\.\d pp \(\+", out, re.MULTILINE)
    assert re.search(
        r"^Changed: ahead, 2 players: fairer: the largest deviation of a seat from its fair share is", out, re.MULTILINE
    )
    head = "seat players n base (95%) variant (95%) difference, pp (95%) p (Holm) saving"
    assert head in [" ".join(line.split()) for line in out.splitlines()]
    assert "two runs on separate deals would need" in out
    assert "Length of a game" in out


@pytest.mark.usefixtures("sketched", "files")
def test_levels_have_the_same_names_in_the_terminal_as_on_the_page(command: Run) -> None:
    """Those that the game gives them."""
    labels = dict(zip("123456", ("One", "Two", "Three", "Four", "Five", "Six"), strict=True))
    topics = tuple(replace(topic, labels=labels) if topic.name == "rolls" else topic for topic in TOPICS)
    unregister(GAME.id)
    register(replace(GAME, topics=topics))
    _, out, _ = command("compare", "base.toml", "ahead.toml")
    found = [line for line in out.splitlines() if line.startswith("Win share by first roll")]
    assert found
    assert all(re.search(rf" ({'|'.join(labels.values())}) [+−]?\d", line) for line in found)  # noqa: RUF001


@pytest.mark.usefixtures("sketched")
def test_numbers_are_those_of_the_two_runs(files: Path, command: Run) -> None:
    """A row's difference is variant minus base, its interval holds it, and n is the number of games."""
    command("compare", "base.toml", "ahead.toml")
    for row in rows(data_of(), "seats"):
        assert row["n"] == 200
        assert 100 * (row["other"] - row["base"]) == pytest.approx(row["effect"], abs=1e-3)
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
        found = compared(runs[0], runs[1:], comparison.base.experiment.spec, 2.0).verdicts
        return {verdict.answer.look for verdict in found}, " ".join(finding_of(verdict, {}).text for verdict in found)

    looks, text = measured("ahead.toml", 60)
    assert looks == {1}
    assert "more games would decide it with a chance of " in text
    assert "This is look" not in text
    looks, text = measured("ahead.toml", 120)
    assert looks == {2}
    assert "This is look 2 at a growing number of games. It uses 0.75% of the 5% error rate" in text
    assert measured("walker.toml", 120)[0] == {1}
    assert measured("ahead.toml", 60)[0] == {1}


@pytest.mark.parametrize(
    ("low", "p", "said"),
    [
        (-0.5, 0.001, "That may be chance, and it may be beyond ±2 pp."),
        (0.5, 0.001, "On its own, this question would show a difference; among all questions on the page, that may be"),
        (0.5, 0.2, "Its interval excludes 0, but the test of all levels together shows no difference, so that may be"),
    ],
    ids=["across-0", "clear-alone", "levels-together"],
)
def test_an_open_question_says_why_a_clear_interval_may_be_chance(low: float, p: float, said: str) -> None:
    """The words follow the interval, of levels and of how far a game is from fair."""
    effect = Estimate(3.0, low, 5.5, 90, 90)
    share = Estimate(0.5, 0.4, 0.6, 90, 90)
    change = Change("2", share, share, effect, effect, p)
    for topic in (SEATS, FAIRNESS):
        question = Question(topic, "Win share by seat", "pp", SEAT, margin=2.0)
        overall = JointTest(9.0, 1, 100, p)
        answer = Answer(question, 2, "ahead", (change,), overall, 100, 100, together=(effect,), one_sided=(effect,))
        text = finding_of(Judged("open", answer, 0.3, (p,), change, (), None, None), {}).text
        assert (said in text) == (topic == SEATS or low > 0), text


@pytest.mark.usefixtures("outlined")
def test_levels_have_the_words_of_the_game(tmp_path: Path, command: Run) -> None:
    """The table of verdicts calls a level what the page calls it; the data has its id as well."""
    keys = 'players = [2]\ngames = 40\nseed = 1\nbots = ["random"]\noptions = { patrons = "dealt" }\n'
    (tmp_path / "river.toml").write_text(f"# Is a patron favoured?\n{keys}")
    code, out, _ = command("compare", "river.toml", "--change", "setup.koku_by_turn_order.2 = 12")
    assert code == 0
    (line,) = [line for line in out.splitlines() if line.startswith("Points by clan")]
    (data,) = [finding for finding in section(data_of(), "clans")["findings"] if finding["unit"] == "points"]
    assert data["level_name"] == data["level"].capitalize()
    assert f" {data['level_name']} " in line


@pytest.mark.usefixtures("outlined")
def test_a_variant_that_changes_nothing_is_said_to_be_the_same(files: Path, command: Run) -> None:
    """The same key: a line, a finding, and no numbers that say nothing; alone and beside another."""
    code, out, err = command("compare", "base.toml", "again.toml", "--all")
    assert code == 0
    assert err == "again: changes nothing, so its games are the same as those of base.\n"
    assert "As measured: again changes nothing: its games are those of base." in out
    assert [part["name"] for part in data_of()["sections"]] == ["fairness"]
    code, _, _ = command("compare", "base.toml", "again.toml", "ahead.toml")
    assert code == 0
    assert {row["variant"] for row in rows(data_of(), "seats")} == {"ahead"}


@pytest.mark.usefixtures("outlined")
def test_a_change_without_effect_is_within_the_margin(files: Path, command: Run) -> None:
    """Another key and the same games: nothing changed for sure, and no saving, which would be 0 by 0."""
    code, out, err = command("compare", "base.toml", "nobody.toml", "--games", "500", "--all")
    assert (code, err) == (0, "nobody: head_start.4 = 3 changes nothing: there is no player 4.\n")
    assert "Within margin: Win share by seat, nobody, 2 players: every game came out the same." in out
    assert all(row["saving"] is None and row["effect"] == 0 for row in rows(data_of(), "seats"))
    assert "saving" not in [part["name"] for part in data_of()["sections"]]


@pytest.mark.parametrize(("low", "is_noted"), [(0.5, True), (-0.5, False)])
def test_an_undecided_difference_beside_0_is_explained_below_the_table(low: float, is_noted: bool) -> None:
    """Its interval excludes 0, but among all questions of the page it may be chance."""
    found = Estimate(3.0, low, 5.5, 90, 90)
    change = Change("2", Estimate(0.5, 0.4, 0.6, 90, 90), Estimate(0.5, 0.4, 0.6, 90, 90), found, found, 0.001)
    question = Question(SEATS, "Win share by seat", "pp", SEAT, margin=2.0)
    overall = JointTest(9.0, 1, 100, 0.001)
    answer = Answer(question, 2, "ahead", (change,), overall, 100, 100, together=(found,), one_sided=(found,))
    finding = finding_of(Judged("open", answer, 0.3, (0.001,), change, (), None, None), {})
    section = Section(SEATS, "Turn order", "Who?", "100 games", (finding,), (), (), ())
    page = Report("Race", "", "", (), (section,), "", (), (), "")
    stream = io.StringIO()
    console = Console(file=stream, width=300)
    print_comparison(page, "base", ["runner"], everything=False, console=console)
    assert (MAY_BE_CHANCE in stream.getvalue()) == is_noted


@pytest.mark.usefixtures("outlined")
def test_within_the_margin_is_shown_with_the_interval_that_decided(files: Path, command: Run) -> None:
    """The 90% interval lies within the margin, in the table and the data; notes and page say which interval it is."""
    code, out, _ = command("compare", "base.toml", "nobody.toml", "--games", "500")
    assert code == 0
    found = [finding for part in data_of()["sections"] for finding in part["findings"] if "margin_test" in finding]
    decided = [finding for finding in found if finding["verdict"] == "within"]
    assert decided
    for finding in decided:
        tested = finding["margin_test"]
        assert -finding["margin"] < tested["low"] <= tested["high"] < finding["margin"]
    shown = [line for line in out.splitlines() if "Within margin  " in line]
    assert shown
    assert all(re.search(r" 500 +Within margin .*0\.0+ (pp|points|turns) \(90%: .* to .*\)$", line) for line in shown)
    assert WITHIN in out
    assert WITHIN in data_of()["units"]
    _, out, _ = command("compare", "base.toml", "nobody.toml", "--games", "500", "--all")
    assert WITHIN in out


@pytest.mark.usefixtures("outlined")
@pytest.mark.parametrize("games", ["1", "20"])
def test_few_games_are_no_reason_to_fail(files: Path, command: Run, games: str) -> None:
    """With too few games for a test that is what is said, and there is a page all the same."""
    code, out, err = command("compare", "base.toml", "ahead.toml", "--games", games, "--all")
    assert (code, err) == (0, "")
    assert "Undecided: ahead, 2 players: too few games for a test." in out
    assert Path("reports/compare/index.html").is_file()


@pytest.mark.usefixtures("sketched")
def test_two_games_give_no_interval(files: Path, command: Run) -> None:
    """Differences and means say "too few", and nothing lies beyond 100 percentage points."""
    arguments = ("compare", "base.toml", "ahead.toml", "--games", "2", "--players", "2")
    _, short, _ = command(*arguments)
    assert len(re.findall(r" Undecided +too few$", short, re.MULTILINE)) == short.count(" Undecided ") > 3
    _, out, _ = command(*arguments, "--all")
    for title, interval in (("Win share by seat", r"\(\d+\.\d to \d+\.\d\)"), ("Points by seat", r"\(too few\)")):
        rows = re.search(rf"^{title}\n.*\n((?:Seat .*\n)+)", out, re.MULTILINE)
        assert rows is not None
        for row in rows[1].splitlines():
            assert re.fullmatch(rf"Seat \d +2 +2 +\S+ {interval} +\S+ {interval} +too few .*", row)


@pytest.mark.usefixtures("sketched")
def test_a_page_of_two_games_claims_nothing(files: Path, command: Run) -> None:
    """No figure shows or describes a difference, nothing is said to be saved, and there is no difference to trust."""
    command("compare", "base.toml", "ahead.toml", "--games", "2")
    page = Path("reports/compare/report.md").read_text(encoding="utf-8")
    assert "Too few games to show how far from fair." in page
    assert not re.search("Largest difference with|What the same deals saved|Before you trust", page)
    command("compare", "base.toml", "ahead.toml", "--games", "200")
    page = Path("reports/compare/report.md").read_text(encoding="utf-8")
    assert re.search("Largest difference with(.|\n)*What the same deals saved", page)
    assert "Before you trust" in page


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
    assert "200 games each with 2 players" in out


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
    assert {row["variant"] for row in rows(data, "seats")} == {"walker", "mixed"}
    assert "bots" not in [part["name"] for part in data["sections"]]
    assert data["provenance"][0]["rows"][1]["differs"] == "bots = walker"
    command("compare", "mixed.toml", "--change", CHANGE)
    assert {row["level"] for row in rows(data_of(), "bots")} == {"runner", "walker", "moody"}


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
            '--change: head_strat.2: unknown, did you mean "head_start"?',
        ),
        (["base.toml", "--change", "head_start"], '--change: "head_start" is not allowed: write NAME = VALUE'),
        (["base.toml", "broken.toml"], 'broken.toml: key "change.head_strat.2": unknown, did you mean "head_start"?'),
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
