"""`rogsim report A B`: what changed between two reports, or between runs that cannot be one report."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rogsim.base.errors import RogsimError
from rogsim.report.balance.sources import gather
from rogsim.report.changes.changes_page import two_sides
from rogsim.report.changes.page_sides import read_page
from rogsim.report.changes.sides import side_of
from rogsim.report.changes.what_changed import WhatChanged, compare_sides, differing
from rogsim.report.words import undecided
from tests.command_line import Run
from tests.report.conftest import Play

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("race", "sketched")]

AHEAD: dict[str, Any] = {"seed": 6, "change": {"head_start.2": 4}}  # seat 2 starts four spaces ahead
HERE = Path("before"), Path("after")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in the folder that the runs go to."""
    monkeypatch.chdir(tmp_path)


def between(before: Path, after: Path) -> WhatChanged:
    return compare_sides(*(side_of(gather([folder]), str(folder)) for folder in (before, after)))


def seats(data: dict[str, Any]) -> list[dict[str, Any]]:
    (section,) = [section for section in data["sections"] if section["name"] == "seats"]
    return list(section["findings"])


def test_changed_parameters_are_named_as_on_the_command_line(play: Play) -> None:
    """By their whole names, also where they are written as a table inside the table of changes."""
    play("before")
    play("after", change={"spaces": {"more": 1}})
    found = between(*HERE)
    assert ("change.spaces.more", "\N{EN DASH}", "1") in differing(found.before, found.after)


def test_components_are_named_by_their_file(play: Play) -> None:
    """Not by the record of their values, which are listed as changes."""
    play("before")
    play("after", **AHEAD)
    found = between(*HERE)
    own = 'components = { file = "box.toml", sourced = ["spaces.more"] }'
    after = replace(found.after, scenarios=tuple((name, f"{own}\n{text}") for name, text in found.after.scenarios))
    assert ("components", "\N{EN DASH}", "box.toml") in differing(found.before, after)


@pytest.mark.parametrize(
    ("count", "total", "text"),
    [
        (1, 1, "the only question is undecided"),
        (1, 2, "1 of 2 questions is undecided"),
        (2, 2, "both questions are undecided"),
        (2, 3, "2 of 3 questions are undecided"),
        (3, 3, "all 3 questions are undecided"),
    ],
)
def test_undecided_questions_are_counted_in_good_english(count: int, total: int, text: str) -> None:
    """Of one, of some and of all."""
    assert undecided(count, total) == text


@pytest.mark.usefixtures("outlined")
def test_a_changed_rule_is_compared(play: Play, command: Run) -> None:
    """Two folders under different rules: the answer first, then both verdicts; the page says what differs."""
    play("before")
    play("after", **AHEAD)
    done = command("report", "before", "after")
    assert (done.code, done.err) == (0, "")
    first, *_ = done.out.splitlines()
    assert first.startswith("Changed: With runner, ")
    assert "seat 2 +" in first
    assert "verdict before" in done.out
    assert done.out.splitlines()[-1] == "Report: reports/changes/index.html"
    data = json.loads(Path("reports/changes/report.json").read_text())
    assert data["title"] == "Dice race: what changed"
    assert "change.head_start.2" in data["lead"] or "change.head_start" in data["lead"]
    for finding in seats(data):
        assert finding["verdict"] == "changed"
        assert finding["difference"]["value"] == pytest.approx(
            finding["after"]["value"] - finding["before"]["value"], abs=1e-3
        )
        assert finding["difference"]["low"] > 0


def test_pages_say_what_their_results_say(play: Play, command: Run) -> None:
    """Two pages, and a page with results: the same differences and, as the effects are clear, the same answers."""
    play("before")
    play("after", **AHEAD)
    assert command("report", "before", "--out", "one").code == command("report", "after", "--out", "two").code == 0
    found = []
    for number, folders in enumerate((("before", "after"), ("one", "two"), ("one", "after"), ("before", "two"))):
        assert command("report", *folders, "--out", f"changed-{number}").code == 0
        data = json.loads(Path(f"changed-{number}/report.json").read_text())
        found.append(
            [(f["level"], f["verdict"], round(f["difference"]["value"], 2), f["verdict_before"]) for f in seats(data)]
        )
    assert found[0]
    assert found == [found[0]] * 4


@pytest.mark.usefixtures("outlined")
def test_every_question_of_a_page_is_read(play: Play, command: Run) -> None:
    """Levels and draws of a page on two sets of bots have the effects and verdicts of the results behind it."""
    play("before")
    play("weaker", seed=6, bots=["walker"])
    command("report", "before", "weaker", "--out", "one")
    side = side_of(gather([Path("before"), Path("weaker")]), "before")
    by_question = [
        {(found.bots, found.claim.topic, found.claim.players): found for found in one.found}
        for one in (read_page(Path("one")), side)
    ]
    assert {bots for bots, *_ in by_question[0]} == {"runner", "walker"}
    assert {topic for _, topic, _ in by_question[0]} == {"seats", "rolls", "tracks"}
    assert by_question[0].keys() == by_question[1].keys()
    for key, found in by_question[0].items():
        other = by_question[1][key]
        assert found.verdict == other.verdict
        effects, others = ({c.name: c.effect.value for c in one.claim.contrasts} for one in (found, other))
        assert effects == pytest.approx(others, rel=1e-4, nan_ok=True)


def test_the_same_rules_change_nothing(play: Play) -> None:
    """Another seed: no seat changed beyond the margin by more than chance, and a different verdict is no change."""
    play("before", players=[2], games=2_000)
    play("after", players=[2], games=2_000, seed=6)
    found = between(*HERE)
    assert {finding.judged.kind for finding in found.findings} <= {"open", "within"}
    assert [name for name, *_ in differing(found.before, found.after)] == ["seed"]
    assert not found.share_deals


def test_other_bots_stay_one_report(play: Play, command: Run) -> None:
    """Folders of other bots, and of other seeds, are one report as before; --against compares them."""
    play("before")
    play("after", seed=6, bots=["walker"])
    play("more", seed=7)
    for other in ("after", "more"):
        assert two_sides([Path("before"), Path(other)], ()) is None
    done = command("report", "after", "--against", "before")
    assert done.out.startswith("Changed: With walker instead of runner, ")
    assert command("report", "before", "after").out.splitlines()[-1] == "Report: reports/report/index.html"


def test_a_side_may_be_several_folders(play: Play, command: Run) -> None:
    """Folders of one side are pooled: --against may be repeated."""
    play("before")
    play("more", seed=7)
    play("after", **AHEAD)
    assert command("report", "after", "--against", "before", "--against", "more").code == 0
    data = json.loads(Path("reports/changes/report.json").read_text())
    assert seats(data)[0]["games"] == [600, 300]
    assert data["command"].splitlines()[-1] == (
        "rogsim report after --against before --against more --out reports/changes"
    )


def test_a_question_of_one_side_is_named(play: Play) -> None:
    """Only shared numbers of players are compared; the page says which side alone has the others."""
    play("before", players=[2])
    play("after", **AHEAD)
    found = between(*HERE)
    assert {finding.after.claim.players for finding in found.findings} == {2}
    assert found.only == (
        "Not compared, because only after has it: Turn order with 3 players, First rolls with 3 players and Tracks "
        "with 3 players.",
    )


def test_the_same_deals_are_stated(play: Play, command: Run) -> None:
    """Under a changed parameter with the same seed, the page says that the deals are the same, and names compare."""
    play("before")
    play("after", change={"head_start.2": 4})
    assert command("report", "before", "after").code == 0
    data = json.loads(Path("reports/changes/report.json").read_text())
    assert "on the same deals" in data["lead"]
    assert any("rogsim compare" in step for step in data["next_steps"])


def test_all_prints_every_level(play: Play, command: Run) -> None:
    """With --all: each finding, what differs, and the levels."""
    play("before")
    play("after", **AHEAD)
    done = command("report", "before", "after", "--all")
    assert "Changed: Turn order, 2 players: seat 2 +" in done.out
    assert "What differs between the games" in done.out
    assert "First rolls: effects before and after" in done.out


WRONG = [
    (("one",), "one: is a page, not results: name two folders, or one and --against another"),
    (("before", "after", "one"), "one: is a page, not results"),
    (("before", "--against", "one"), "before: holds games of one (same bots, settings and seed)"),
    (("before", "--against", "before"), "before: holds games of before"),
    (("before", "--against", "lone"), "lone and before: have no question in common"),
    (("before", "after", "--settled", "one"), "--settled: cannot be combined with"),
    (("after", "--against", "one", "--against", "before"), "one: is a page; a side is one page"),
    (("before", "--against", "nowhere"), "nowhere: there is no such folder"),
    (("one", "compared"), 'compared: is the page "Dice race: comparison"; only pages of rogsim report'),
    (("one", "broken"), 'broken: report.json is broken: key "sections.name": 3 is not allowed: must be text in quotes'),
    (("one", "no-look"), 'no-look: report.json is broken: key "sections.findings.look": is missing'),
    (("one", "no-size"), 'no-size: report.json is broken: key "rows.n": "many" is not allowed: must be a whole number'),
    (("one", "no-rows"), 'no-rows: report.json is broken: key "sections.tables.rows": 5 is not allowed: must be'),
    (("one", "no-text"), 'no-text: report.json is broken: key "scenarios": is missing'),
    (("one", "silent"), "one and silent: have no question in common"),
    (("one", "other"), 'other: report.json is not in the format "rogsim-report/1"'),
]


def _seats(data: Any) -> Any:
    return next(section for section in data["sections"] if section["name"] == "seats")


DAMAGE: dict[str, Callable[[Any], Any]] = {
    "compared": lambda data: data.update(title="Dice race: comparison"),
    "other": lambda data: data.update(format="something"),
    "broken": lambda data: data["sections"][0].update(name=3),
    "no-look": lambda data: _seats(data)["findings"][0].pop("look"),
    "no-size": lambda data: _seats(data)["tables"][0]["rows"][1].update(n="many"),
    "no-rows": lambda data: _seats(data)["tables"][0].update(rows=5),
    "no-text": lambda data: data.pop("scenarios"),
    "silent": lambda data: [section.update(findings=[]) for section in data["sections"]],
}


def test_wrong_input_gives_one_line(play: Play, command: Run) -> None:
    """What cannot be compared: one line, exit code 2, and no page."""
    play("before")
    play("after", **AHEAD)
    play("lone", players=[4])
    assert command("report", "before", "--out", "one").code == 0
    for name, change in DAMAGE.items():
        data = json.loads(Path("one/report.json").read_text())
        change(data)
        Path(name).mkdir()
        (Path(name) / "report.json").write_text(json.dumps(data))
    for words, message in WRONG:
        done = command("report", *words)
        assert (done.code, done.out) == (2, ""), words
        assert message in done.err, words
        assert len(done.err.splitlines()) == 1, words
    assert not Path("reports").exists()


def test_other_games_are_not_compared(play: Play) -> None:
    """Sides of two games are refused."""
    play("before")
    side = side_of(gather([Path("before")]), "before")
    other = type(side)(**{**vars(side), "game": "Another game", "place": "after"})
    with pytest.raises(RogsimError, match="only runs of one game are compared"):
        compare_sides(side, other)
