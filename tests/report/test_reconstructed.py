"""Results that rest on reconstructed values say so on their first screen; all others say nothing of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rogsim.game.registry import register, unregister
from rogsim.report.balance.build import all_sections
from rogsim.report.balance.sources import gather
from rogsim.report.console.answers import answer, answer_as_json, print_answer
from rogsim.scenario.reconstructed import reconstructed_in
from tests.command_line import Run
from tests.marked_race import MARKED, SCENARIO, TOPICS

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("sketched")]

TOTAL = (
    "4 of 8 component values of Marked race are reconstructed, not taken from the printed game: every claim here is "
    "about this set of values."
)
PLAY = "All claims depend on reconstructed values through play."
LANES = "The claims on First rolls (2 of 4) are directly about reconstructed values. All others depend"
OPTIMIZE = ["optimize", "race.toml", "--goal", "seat_share equal ± 20 pp", "--over", "head_start.2 = [0, 1]"]
OPTIMIZE += ["--games", "1000", "--confirm", "100"]
WORDS = ("reconstructed", "Reconstructed", "rests_on")


@pytest.fixture(scope="module", params=["marked", "plain"], autouse=True)
def marked(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether the race has reconstructed values, during the tests of one round."""
    known = tuple(replace(parameter, reconstructed="") for parameter in MARKED.facts())
    register(MARKED if request.param == "marked" else replace(MARKED, facts=lambda: known))
    yield request.param == "marked"
    unregister(MARKED.id)


@pytest.fixture(autouse=True)
def _scenario(command: Run) -> None:
    sweep = 'sweep = { over = { "spaces.more" = [0, 1], "head_start.2" = [0, 1] } }\n'
    Path("race.toml").write_text(SCENARIO + sweep)


def silent(text: str) -> bool:
    """Whether a text says nothing of reconstructed values."""
    return not any(word in text for word in WORDS)


def first_lines(text: str, count: int = 4) -> str:
    return " ".join(" ".join(text.splitlines()[:count]).split())


@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        (["run", "race.toml"], PLAY),
        (["run", "race.toml", "--change", "spaces.more = 1"], PLAY),
        (["compare", "race.toml", "--change", "head_start.2 = 1"], LANES),
        (["sweep", "race.toml", "--games", "20"], "Other values are tried for 1 of them."),
        (OPTIMIZE, PLAY),
        (["tournament", "--game", "marked-race", "--bots", "runner,walker", "--games", "12", "--players", "2"], PLAY),
        (["bots", "--profile", "--game", "marked-race", "--bots", "runner", "--games", "20", "--players", "2"], PLAY),
    ],
    ids=lambda words: " ".join(words[:2]) if isinstance(words, list) else None,
)
def test_tables_begin_with_what_they_rest_on(
    marked: bool, command: Run, sketched: None, arguments: list[str], more: str
) -> None:
    """In the terminal: how many values, and how claims rest on them; a changed value counts as changed."""
    code, out, err = command(*arguments)
    assert code == 0, err
    if not marked:
        assert silent(out)
        return
    changed = "spaces.more = 1" in arguments
    assert (TOTAL.replace("4 of", "3 of") if changed else TOTAL) in first_lines(out)
    assert more in first_lines(out)


def test_a_report_says_it_at_the_top(marked: bool, command: Run, sketched: None) -> None:
    """The page, the text and the data do, before any finding; also which topics name reconstructed values."""
    command("run", "race.toml", "--out", "games")
    assert command("report", "games", "--out", "page").code == 0
    page, text, data = (Path("page", name).read_text() for name in ("index.html", "report.md", "report.json"))
    assert silent(page + text + data) != marked
    if marked:
        for written in (page, text):
            top = " ".join(written.split("Findings")[0].replace("\\", "").split())
            assert f"{TOTAL} {LANES} on reconstructed values through play." in top
        found = json.loads(data)
        assert {**found["reconstructed"], "text": ""} == {
            "values": 4, "of": 8, "topics": ["rolls"], "varied": 0, "own_files": {}, "short": TOTAL, "text": "",
        }  # fmt: skip


def test_each_answer_says_what_it_rests_on(marked: bool, command: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """A topic about reconstructed values names them; others, and the turn order, depend on them through play."""
    command("run", "race.toml", "--out", "games")
    said = {other.rests_on for other in all_sections(gather([Path("games")]))}
    for topic in ("seats", "rolls", "tracks"):
        section = answer([Path("games")], topic)
        direct = topic == "rolls"
        how = (
            "are directly about reconstructed values (2 of 4)"
            if direct
            else "depend on reconstructed values through play"
        )
        assert section.rests_on == (f"{TOTAL} These claims {how}." if marked else "")
        assert ("rests_on" in json.loads(answer_as_json(section))) == marked
        assert section.rests_on in said
        capsys.readouterr()
        print_answer(section)
        lines = capsys.readouterr().out.splitlines()
        assert lines[:2] == [section.question, section.rests_on] if marked else silent("".join(lines))


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "race.toml", "--json"],
        ["compare", "race.toml", "--change", "head_start.2 = 1", "--json"],
        ["sweep", "race.toml", "--json", "--games", "20"],
        ["scenario", "explain", "race.toml", "--json"],
    ],
    ids=lambda words: words[0],
)
def test_data_for_scripts_says_it(marked: bool, command: Run, sketched: None, arguments: list[str]) -> None:
    """Objects for scripts have the numbers and the text; without reconstructed values they lack the key."""
    data = json.loads(command(*arguments).out)
    assert ("reconstructed" in data) == marked
    if marked:
        assert data["reconstructed"]["values"] == 4
        assert data["reconstructed"]["text"].startswith(TOTAL)


def test_a_table_for_other_programs_is_only_a_table(marked: bool, command: Run) -> None:
    """With --csv the sentence goes to standard error, and the rows are as they are in any game."""
    command("run", "race.toml", "--out", "games")
    ended = command("seats", "games", "--csv", "-")
    assert silent(ended.out)
    assert (TOTAL in ended.err) == marked


def test_a_preview_says_how_many(marked: bool, command: Run) -> None:
    """`scenario explain` has a line with the number of reconstructed values that would be played."""
    lines = command("scenario", "explain", "race.toml").out.splitlines()
    line = "Reconstructed: 4 of 8 component values are not from a source"
    assert (line in lines) == marked != silent("".join(lines))


def test_parameters_are_marked_in_the_list(marked: bool, command: Run) -> None:
    """The list marks each and gives the total; NAME gives the reason; scripts get it as a field."""
    everything, one = (
        command("parameters", "--game", MARKED.id).out,
        command("parameters", "spaces", "--game", MARKED.id),
    )
    data = json.loads(command("parameters", "--game", "marked-race", "--json").out)["facts"]
    assert {row["name"]: row["reconstructed"] for row in data}["lane.a.steps"] == ("as lane b" if marked else "")
    assert silent(everything + one.out) != marked
    if marked:
        assert "4 of 8 values are reconstructed, not from a source (*)" in everything.splitlines()[1]
        assert [line.split()[0] for line in everything.splitlines() if " * " in line] == [
            "spaces.more", "spaces.short", "lane.a.steps", "lane.a.bends",
        ]  # fmt: skip
        assert one.out.splitlines()[1].endswith("the box is lost")
        assert one.out.splitlines()[-1].startswith("2 of 2 values are reconstructed")


def test_a_single_value_is_said_in_the_singular(marked: bool, command: Run) -> None:
    """In the list of parameters and in the preview."""
    shown = command("parameters", "lane.a.steps", "--game", "marked-race").out
    changes = ["--change", "lane.a.steps = 1", "--change", "spaces.more = 2", "--change", "spaces.short = 3"]
    preview = command("scenario", "explain", "race.toml", *changes).out
    assert ("1 of 1 value is reconstructed, not from a source" in shown) == marked
    assert ("Reconstructed: 1 of 8 component values is not from a source" in preview) == marked


def test_folders_with_different_changes_give_the_range(marked: bool, command: Run) -> None:
    """A report on two folders says how many values are reconstructed in each, from the fewest to the most."""
    runs = [{"change": {"lane.a.steps": 1, "spaces.more": 2}}, {"change": {}}]
    text = reconstructed_in(MARKED, runs).text(TOPICS)
    assert text.startswith("2 to 4 of 8 component values")
    assert "First rolls (1 to 2 of 4)" in text
    one = reconstructed_in(MARKED, [{"change": {"lane.a.steps": 1, "spaces.more": 2, "spaces.short": 3}}] * 2)
    assert one.text().startswith(
        "1 of 8 component values of Marked race is reconstructed, not taken from the printed game"
    )
    assert one.text().endswith(" All claims depend on reconstructed values through play.")
    assert one.text_on(None).endswith(" These claims depend on reconstructed values through play.")
    own = {"components": {"file": "box.toml", "sourced": ["spaces.more"]}}
    assert reconstructed_in(MARKED, [own]).text().startswith("1 component value has a source in box.toml. 3 of 8")
    every = dict.fromkeys(("spaces.more", "spaces.short", "lane.a.steps", "lane.a.bends"), 1)
    assert reconstructed_in(MARKED, [{"change": every}]).text() == ""
