"""`rogsim report A B`: what changed between two reports, or between runs that cannot be one report."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rogsim.base.errors import RogsimError
from rogsim.report.changes_page import Side, compare_sides, differing, read_side, two_sides
from tests.command_line import Run
from tests.report.conftest import Play

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("race", "sketched")]

AHEAD: dict[str, Any] = {"seed": 6, "change": {"head_start.2": 4}}  # seat 2 starts four spaces ahead
HERE = Path("before"), Path("after")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in the folder that the runs go to."""
    monkeypatch.chdir(tmp_path)


def side(folder: Path) -> Side:
    return read_side([folder])


def seats(data: dict[str, Any]) -> list[dict[str, Any]]:
    (section,) = [section for section in data["sections"] if section["name"] == "seats"]
    return list(section["findings"])


def test_changed_parameters_are_named_as_on_the_command_line(play: Play) -> None:
    """By their whole names, also where they are written as a table inside the table of changes."""
    play("before")
    play("after", change={"spaces": {"more": 1}})
    assert ("change.spaces.more", "\N{EN DASH}", "1") in differing(*map(side, HERE))


@pytest.mark.usefixtures("outlined")
def test_a_changed_rule_is_compared(play: Play, command: Run) -> None:
    """Two folders under different rules: the answer first, then both verdicts; the page says what differs."""
    play("before")
    play("after", **AHEAD)
    done = command("report", "before", "after")
    assert (done.code, done.err) == (0, "")
    _, first, *_ = done.out.splitlines()
    assert first.startswith("Changed: With ")
    assert "players, seat 2 wins " in first
    assert "the farthest seat is now " in first
    assert done.out.splitlines()[-1] == "Page: reports/changes/index.html"
    data = json.loads(Path("reports/changes/report.json").read_text())
    assert data["title"] == "Dice race: what changed"
    assert "change.head_start.2" in data["context"] or "change.head_start" in data["context"]
    shares = [
        row
        for section in data["sections"]
        for table in section["tables"]
        if table["name"] == "seats"
        for row in table["rows"]
    ]
    for row in shares:
        assert 100 * (row["after"] - row["before"]) == pytest.approx(row["effect"], abs=1e-3)
    assert {finding["verdict"] for finding in seats(data)} == {"changed"}


def test_the_same_rules_change_nothing(play: Play) -> None:
    """Another seed: no seat changed beyond the margin by more than chance, and a different verdict is no change."""
    play("before", players=[2], games=2_000)
    play("after", players=[2], games=2_000, seed=6)
    before, after = map(side, HERE)
    assert {judgement.kind for judgement in compare_sides(before, after).judged} <= {"open", "within"}
    assert [name for name, *_ in differing(before, after)] == ["seed"]


def test_other_bots_stay_one_report(play: Play, command: Run) -> None:
    """Folders of other bots, and of other seeds, are one report as before; --against compares them."""
    play("before")
    play("after", seed=6, bots=["walker"])
    play("more", seed=7)
    for other in ("after", "more"):
        assert two_sides([Path("before"), Path(other)], ()) is None
    done = command("report", "after", "--against", "before")
    assert "\nChanged: " in done.out
    assert "bots: runner, now walker" in done.out
    assert command("report", "before", "after").out.splitlines()[-1] == "Page: reports/report/index.html"


def test_a_side_may_be_several_folders(play: Play, command: Run) -> None:
    """Folders of one side are pooled: --against may be repeated."""
    play("before")
    play("more", seed=7)
    play("after", **AHEAD)
    assert command("report", "after", "--against", "before", "--against", "more").code == 0
    data = json.loads(Path("reports/changes/report.json").read_text())
    assert "600 and 300 games with 2 players" in data["context"]
    assert data["command"].splitlines()[-1] == (
        "rogsim report after --against before --against more --out reports/changes"
    )


def test_a_question_of_one_side_is_named(play: Play, command: Run) -> None:
    """Only shared numbers of players are compared; the page says which side alone has the others."""
    play("before", players=[2])
    play("after", **AHEAD)
    done = command("report", "before", "after")
    assert "Only after has " in done.out
    assert " with 3 players" in done.out
    assert {judgement.effects.players for judgement in compare_sides(*map(side, HERE)).judged} == {2}


def test_the_same_deals_are_stated(play: Play, command: Run) -> None:
    """Under a changed parameter with the same seed, the page says that the deals are the same, and names compare."""
    play("before")
    play("after", change={"head_start.2": 4})
    assert command("report", "before", "after").code == 0
    data = json.loads(Path("reports/changes/report.json").read_text())
    assert "play the same deals" in data["context"]
    assert "rogsim compare BEFORE.toml AFTER.toml" in json.dumps(data)


def test_all_prints_every_level(play: Play, command: Run) -> None:
    """With --all: each finding, what differs, and the levels."""
    play("before")
    play("after", **AHEAD)
    done = command("report", "before", "after", "--all")
    assert "Changed: Win share by seat, runner, 2 players: " in done.out
    assert "What differs between the games" in done.out
    assert "First rolls" in done.out


WRONG = [
    (("one",), "one: is a page; name the results folders that it was written from"),
    (("before", "--against", "one"), "one: is a page; name the results folders"),
    (("before", "--against", "before"), "before: holds games of before (same bots, settings and seed)"),
    (("before", "--against", "lone"), "lone and before: have no question in common"),
    (("before", "after", "--settled", "one"), "--settled: cannot be combined with"),
    (("before", "--against", "nowhere"), "nowhere: there is no such folder"),
]


def test_wrong_input_gives_one_line(play: Play, command: Run) -> None:
    """What cannot be compared: one line, exit code 2, and no page."""
    play("before")
    play("after", **AHEAD)
    play("lone", players=[4])
    assert command("report", "before", "--out", "one").code == 0
    for words, message in WRONG:
        done = command("report", *words)
        assert (done.code, done.out) == (2, ""), words
        assert message in done.err, words
        assert len(done.err.splitlines()) == 1, words
    assert not Path("reports").exists()


def test_other_games_are_not_compared(play: Play) -> None:
    """Sides of two games are refused."""
    play("before")
    one = side(Path("before"))
    other = replace(one, spec=replace(one.spec, id="another-game", title="Another game"), place="after")
    with pytest.raises(RogsimError, match="only runs of one game are compared"):
        compare_sides(one, other)
