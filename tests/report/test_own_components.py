"""`components`: the owner of a game replaces values in one file, and what is known then is no longer reconstructed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import rogsim
from rogsim.experiments.design_points import make_design_point
from rogsim.game.registry import register, unregister
from rogsim.report.provenance import scenario_text
from rogsim.results.verify import verify
from rogsim.scenario.axes import read_axes
from rogsim.scenario.changes import change_notes, changed_label
from rogsim.scenario.fingerprint import identity_of, scenario_hash
from rogsim.scenario.model import Experiment, ScenarioError, load
from rogsim.scenario.reconstructed import reconstructed_of
from tests.command_line import Run
from tests.marked_race import BOOK, MARKED, SCENARIO

pytestmark = pytest.mark.once_compiled

BOX = """
[spaces]
sourced = true
more = 0

[[lane]]
id = "a"
colour = "red"
steps = 4
"""
GUESS = '[spaces]\nsourced = false\nreconstructed = "mine"\nmore = 0\nshort = 2'
LISTS = 'head_start = [0, 1, 0, 0]\n[[lane]]\nid = "a"\nbends = [1, 0]'
LEFT = {"spaces.more", "spaces.short", "lane.a.steps", "lane.a.bends"}


@pytest.fixture(autouse=True)
def _race(command: Run) -> Iterator[None]:
    register(MARKED)
    Path("scenarios").mkdir()
    yield
    unregister(MARKED.id)


def write(box: str, more: str = "") -> Path:
    """Write a scenario with a box beside it."""
    Path("scenarios/box.toml").write_text(box)
    path = Path("scenarios/race.toml")
    path.write_text(f'{SCENARIO}components = "box.toml"\n{more}')
    return path


def left_in(experiment: Experiment) -> set[str]:
    """The values that are still reconstructed."""
    (left,) = reconstructed_of(experiment).left
    return set(left)


@pytest.mark.parametrize(
    ("box", "change", "left"),
    [
        (BOX, {"lane.a.steps": 4}, {"lane.a.bends"}),
        ("[spaces]\nmore = 0", {}, LEFT - {"spaces.more"}),
        ("[spaces]\nsourced = true", {}, LEFT - {"spaces.more", "spaces.short"}),
        (GUESS, {"spaces.short": 2}, LEFT - {"spaces.short"}),
        ('[spaces]\nreconstructed = { more = "mine" }\nmore = 0\nshort = 0', {}, LEFT - {"spaces.short"}),
        ("sourced = true\n[spaces]\nmore = 3", {"spaces.more": 3}, LEFT - {"spaces.more"}),
        (LISTS, {"head_start": [0, 1, 0, 0]}, LEFT - {"lane.a.bends"}),
        ((BOOK.folder / "race.toml").read_text(), {}, LEFT),
    ],
    ids=["box", "equal", "row", "own guess", "part", "whole file", "list", "a copy"],
)  # fmt: skip
def test_values_of_the_owner_replace_the_others(box: str, change: dict[str, object], left: set[str]) -> None:
    """What differs is a change; what the file gives or marks has a source, unless it is marked as reconstructed."""
    experiment = load(write(box))
    assert experiment.scenario.change == change
    assert left_in(experiment) == left
    assert change_notes(experiment) == []


def test_changes_of_the_scenario_win() -> None:
    """[change] and --change replace values of the file, also a single entry of a list; the rest of the file stays."""
    box = "head_start = [0, 1, 0, 2]\n[spaces]\nmore = 2\nshort = 3"
    experiment = load(write(box, '[change]\nspaces.more = 5\n"head_start.2" = 7'), {"change": {"spaces.short": 0}})
    assert experiment.scenario.change == {"head_start": [0, 7, 0, 2], "spaces.more": 5}
    assert experiment.scenario.components.sourced == ()  # type: ignore[union-attr]
    assert left_in(experiment) == LEFT - {"spaces.more"}


@pytest.mark.parametrize(
    ("box", "lines"),
    [
        ("[spaces]\nmore = 99", ['key "spaces.more": 99 is not allowed: must be a whole number from 0 to 20']),
        ("[spaces]\nshrt = 1", ['key "spaces.shrt": unknown, did you mean "spaces.short"?']),
        ("walls = 1\n[spaces]\nshrt = 1", [
            'key "walls": unknown: choose from head_start, played_out, spaces, lane',
            'key "spaces.shrt": unknown, did you mean "spaces.short"?',
        ]),
        ('[[lane]]\nid = "a"\ncolour = "blue"', [
            'key "lane.a.colour": "blue" is not allowed: must be "red": the rules depend on it',
        ]),
        ("[[lane]]\nsteps = 1", ['key "lane.1.steps": "1" in "lane" is unknown: choose from a, b']),
        ('[[lane]]\nid = "c"\nlength = 9', ['key "lane.c.length": "c" in "lane" is unknown: choose from a, b']),
        ('[[lane]]\nid = "c"\nsourced = true', ['key "lane.c": "c" in "lane" is unknown: choose from a, b']),
        ('[[lane]]\nid = "a"\nsteps = 1\n[[lane]]\nid = "a"\nsteps = 1', ['key "lane.a.steps": is given twice']),
        ("[spaces]\nsourced = 1", ['key "spaces.sourced": 1 is not allowed: must be true or false']),
        ("[spaces]\nmore =", ["broken"]),
        ("", ["has no component of this game"]),
    ],
)  # fmt: skip
def test_each_problem_of_the_file_is_one_line(box: str, lines: list[str]) -> None:
    """It names the file, the key, the value and what is allowed."""
    with pytest.raises(ScenarioError) as caught:
        load(write(box))
    found = str(caught.value).splitlines()
    assert len(found) == len(lines)
    for line, text in zip(found, lines, strict=True):
        start = "scenarios/box.toml: " if text[:3] == "key" else 'scenarios/race.toml: key "components": scenarios/'
        assert line.startswith(start)
        assert text in line


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("3", 'key "components": 3 is not allowed: must be text in quotes'),
        ('{ file = "x" }', 'key "components.sourced": is missing'),
        ('{ file = "x", sourced = ["more"] }', 'key "components.sourced": "more" is not a parameter of this game'),
    ],
)
def test_a_wrong_key_is_one_line(value: str, line: str) -> None:
    """The key is a path, or the table that a checked scenario has."""
    Path("x.toml").write_text(f"{SCENARIO}components = {value}\n")
    with pytest.raises(ScenarioError) as caught:
        load("x.toml")
    assert str(caught.value) == f"x.toml: {line}"


def test_a_wrong_change_is_not_blamed_on_the_file() -> None:
    """A problem with a change that the scenario makes names the scenario."""
    with pytest.raises(ScenarioError) as caught:
        load(write(BOX, "[change]\nlane.a.steps = 99"))
    assert str(caught.value).startswith('scenarios/race.toml: key "change.lane.a.steps": 99 is not allowed')


def test_results_need_no_file_later(command: Run) -> None:
    """After the file is gone, results can be verified and say the same above tables; another file is another run."""
    path = write(BOX)
    first = command("run", str(path), "--out", "games", "--games", "20")
    assert "3 component values have a source in box.toml. 1 of 8 component values of Marked race is still" in first.out
    assert "Changed" not in first.out
    assert "20 of 40 games" in command("run", str(path), "--out", "games").err
    Path("scenarios/box.toml").unlink()
    manifest = json.loads(Path("games/manifest.json").read_text())
    assert manifest["identity"]["change"] == {"lane.a.steps": 4}
    assert manifest["scenario"]["components"] == {
        "file": "box.toml", "sourced": ["spaces.more", "spaces.short", "lane.a.steps"],
    }  # fmt: skip
    assert verify(Path("games"), 5, 1).differing == ()
    assert "1 of 8 component values of Marked race is still reconstructed" in command("seats", "games").out
    write(BOX.replace("steps = 4", "steps = 5"))
    assert "change.lane.a.steps is 4 in the stored run and 5" in command("run", str(path), "--out", "games").err


def test_a_manifest_names_no_file_to_read(command: Run) -> None:
    """A results folder from somebody else cannot make a command read a file: such a manifest is broken."""
    command("run", str(write(BOX)), "--out", "games", "--games", "2")
    path = Path("games/manifest.json")
    data = json.loads(path.read_text())
    data["scenario"]["components"] = "scenarios/box.toml"
    data["scenario_hash"] = scenario_hash(data["scenario"])
    path.write_text(json.dumps(data))
    assert command("seats", "games").err == (
        'rogsim: error: games: manifest.json is broken: key "scenario.components": must be a table\n'
    )


def test_the_printed_scenario_plays_the_same(command: Run, sketched: None) -> None:
    """The scenario on a report, which needs no file of components, has the same identity and the same notice."""
    first = load(write(BOX))
    Path("again.toml").write_text(scenario_text(dict(rogsim.run(write(BOX)).manifest)))
    again = load("again.toml")
    assert identity_of(again) == identity_of(first)
    assert reconstructed_of(again) == reconstructed_of(first)


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "race.toml"],
        ["compare", "race.toml", "--change", "head_start.2 = 1"],
        ["optimize", "race.toml", "--goal", "seat_share equal ± 20 pp", "--over", "spaces.more = [0, 1]"],
    ],
    ids=lambda words: words[0],
)
def test_the_command_line_takes_a_file(command: Run, sketched: None, arguments: list[str]) -> None:
    """`--components FILE`, relative to the current folder, works like the key, in every run of the command."""
    Path("race.toml").write_text(SCENARIO)
    Path("mine.toml").write_text(BOX)
    ended = command(*arguments, "--components", "mine.toml")
    assert ended.code == 0, ended.err
    assert "3 component values have a source in mine.toml. 1 of 8 component values" in " ".join(ended.out.split())
    assert command(*arguments, "--components", "none.toml") == (
        2, "", "rogsim: error: --components: none.toml: there is no such file\n",
    )  # fmt: skip


def test_a_trace_has_the_values_as_changes(command: Run) -> None:
    """A recorded game is one with the components of the file."""
    Path("mine.toml").write_text("[spaces]\nmore = 20")
    words = ["trace", "--game", "marked-race", "--players", "2", "--bots", "walker"]
    plain, longer = (json.loads(command(*words, *more).out) for more in ([], ["--components", "mine.toml"]))
    assert len(longer["turns"]) > len(plain["turns"])


def test_a_varied_value_is_no_longer_that_of_the_file() -> None:
    """A setting of a sweep changes a parameter, so it is not from the file there."""
    base = load(write(BOX))
    axes, _ = read_axes({"lane.a.steps": [5]}, base.spec, base.scenario.model_dump(mode="json"))
    point = make_design_point(base, axes, {"lane.a.steps": 5})
    assert point.experiment.scenario.components.sourced == ("spaces.more", "spaces.short")  # type: ignore[union-attr]
    assert changed_label(base, point.experiment) == "lane.a.steps = 5"
    assert changed_label(load({**base.scenario.model_dump(), "components": None, "change": {}}), base) == (
        "components of box.toml"
    )


def test_scenarios_without_components_are_stored_as_before() -> None:
    """Their manifests have no such key, so their hashes stay the same."""
    Path("race.toml").write_text(SCENARIO)
    assert "components" not in load("race.toml").scenario.model_dump(mode="json")
