"""Changed figures in the harness: scenario files, --change, identity, manifest, and runs that go on."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import rogsim
from rogsim.base.errors import ResultsError
from rogsim.game.parameters import Parameter, change_lines
from rogsim.results.results import Results
from rogsim.scenario.arguments import ArgumentError, read_changes, repeated_changes
from rogsim.scenario.axes import setting_words
from rogsim.scenario.fingerprint import identity_of, key_of
from rogsim.scenario.model import ScenarioError, load
from tests.command_line import Run
from tests.dice_game import GAME

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race")]

KEYS: dict[str, Any] = {"game": "dice-race", "players": [2], "games": 60, "seed": 3, "bots": ["moody"]}
AHEAD = {"head_start": [0, 9, 0, 0]}
FILE = """# Does a head start help?
game = "dice-race"
players = [2]
games = 60
seed = 3
bots = ["moody"]

[change]
head_start.2 = 9
spaces = { more = 4 }
"""


@pytest.fixture
def command(command: Run) -> Run:
    """Run a command line in a folder with one scenario: exit code, output, error output."""
    Path("x.toml").write_text(FILE)
    return command


def key(change: dict[str, Any]) -> str:
    return key_of(identity_of(load(KEYS | {"change": change})))


# ------------------------------------------------------------------------------------------------ scenario files


def test_a_file_changes_parameters_by_name(tmp_path: Path) -> None:
    """Tables, dotted names and places of lists are stored as the parameters that differ; the setups have them."""
    path = tmp_path / "x.toml"
    path.write_text(FILE)
    experiment = load(path)
    assert experiment.scenario.change == {"head_start": [0, 9, 0, 0], "spaces.more": 4}
    assert experiment.setups[2].handicap.tolist() == [0, 9, 0, 0]
    assert experiment.setups[2].goals.tolist() == [14, 14]


ONE_VALUE = "needs one value; a range, or steps such as { by = [-1, 1] }, belong in [sweep.over] or [balance.over]"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"head_strat": 1}, 'key "change.head_strat": unknown, did you mean "head_start"?'),
        ({"spaces.more": 21}, 'key "change.spaces.more": 21 is not allowed: must be a whole number from 0 to 20'),
        (
            {"spaces": {"short": True}},
            'key "change.spaces.short": true is not allowed: must be a whole number from 0 to 20',
        ),
        ({"spaces.more": {"by": [-1, 1]}}, f'key "change.spaces.more": {ONE_VALUE}'),
        ({"head_start.2": {"from": 1, "to": 3}}, f'key "change.head_start.2": {ONE_VALUE}'),
        (
            {"spaces.mor": {"by": [1]}},
            'key "change.spaces.mor.by": "mor" in "spaces" is unknown, did you mean "more"?',
        ),
        ({"played_out": 1}, 'key "change.played_out": 1 is not allowed: must be true or false'),
    ],
)
def test_a_change_that_is_wrong_has_its_line(change: dict[str, Any], line: str) -> None:
    """An unknown name lists similar ones, a wrong value says what is allowed; the key is its place in the file."""
    with pytest.raises(ScenarioError) as caught:
        load(KEYS | {"change": change})
    assert str(caught.value) == f"scenario: {line}"


def test_changes_given_later_replace_those_of_the_file(tmp_path: Path) -> None:
    """A parameter, a list and a place of it may each replace the file's change of it; the rest stays."""
    path = tmp_path / "x.toml"
    path.write_text(FILE)

    def merged(change: dict[str, Any]) -> dict[str, Any]:
        return dict(load(path, {"change": change}).scenario.change)

    assert merged({"spaces.more": 0}) == AHEAD
    assert merged({"head_start.1": 2})["head_start"] == [2, 9, 0, 0]
    assert merged({"head_start": [1, 1, 1, 1]})["head_start"] == [1, 1, 1, 1]


# ---------------------------------------------------------------------------------------- identity and manifest


def test_equal_changes_have_one_key() -> None:
    """However a change is written, and whatever it leaves unchanged, the same games have the same key."""
    assert key(AHEAD) == key({"head_start.2": 9}) == key({"head_start": {"2": 9}}) == key({**AHEAD, "spaces.more": 0})
    assert key({}) == key({"head_start": [0, 0, 0, 0]}) == key_of(identity_of(load(KEYS)))
    assert len({key({}), key(AHEAD), key({"head_start.1": 9}), key({"played_out": True})}) == 4


def test_the_manifest_has_the_change() -> None:
    """Scenario and identity in the manifest have the parameters that differ, and no others."""
    manifest = rogsim.run(KEYS | {"change": {"head_start.2": 9, "spaces.more": 0}}, jobs=1).manifest
    assert manifest["scenario"]["change"] == manifest["identity"]["change"] == AHEAD


def test_a_changed_game_is_another_game() -> None:
    """Nine spaces ahead of ten, the second seat wins every game that the first does not end with its first turn."""
    seats = rogsim.run(KEYS | {"change": AHEAD, "bots": ["walker"]}, jobs=1).seats().collect()
    shares = {row["seat"]: row["win_share"] for row in seats.to_dicts()}
    assert shares == {1: 0.0, 2: 1.0}


def test_rows_of_another_change_are_refused(tmp_path: Path) -> None:
    """A run continues with the same change however it is written, and not with another one."""
    rogsim.run(KEYS | {"change": AHEAD}, jobs=1, out=tmp_path / "there")
    more = rogsim.run(KEYS | {"change": {"head_start.2": 9}}, games=90, jobs=1, out=tmp_path / "there")
    assert more.games().collect().height == 90
    with pytest.raises(ResultsError) as caught:
        rogsim.run(KEYS | {"change": {"head_start.2": 8}}, jobs=1, out=tmp_path / "there")
    assert "change.head_start is [0, 9, 0, 0] in the stored run and [0, 8, 0, 0] in this one" in str(caught.value)
    with pytest.raises(ResultsError, match="change"):
        rogsim.run(KEYS, jobs=1, out=tmp_path / "there")


def test_workers_in_processes_play_the_same_change() -> None:
    """A change reaches workers in other processes: the rows are those of threads."""
    keys = KEYS | {"change": {"head_start.2": 5, "played_out": True}}
    in_threads = rogsim.run(keys, jobs=1).seats().collect()
    in_processes = rogsim.run(keys, jobs=2, chunk=20, backend="processes").seats().collect()
    assert in_threads.equals(in_processes)
    assert not in_threads.equals(rogsim.run(KEYS, jobs=1).seats().collect())


# --------------------------------------------------------------------------------------------------- --change


def test_typed_changes_are_toml() -> None:
    """NAME = VALUE with a number, a list, true, a text in quotes or without."""
    words = ["a.b = 3", "a.c=[1, 2]", "d = true", 'e = "x y"', "f = x y", "g.1 = 2", "a.b=3"]
    assert read_changes(words) == {"a.b": 3, "a.c": [1, 2], "d": True, "e": "x y", "f": "x y", "g.1": 2}
    assert repeated_changes(words) == ["--change: a.b = 3 is given twice; once is enough."]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["a.b = 3", "a.b = 4"], "--change: a.b is given twice, as 3 and as 4"),
        (["a.b = 1", "a.b = true"], "--change: a.b is given twice, as 1 and as true"),
        (["g = [5]", "g.1 = 5"], "--change: g is given as a whole, and so is its part g.1; give only one of them"),
        (["g.x.1 = 5", "g = 2"], "--change: g is given as a whole, and so is its part g.x.1; give only one of them"),
    ],
)
def test_typed_changes_that_contradict_are_refused(words: list[str], line: str) -> None:
    """One parameter with two values, and a list beside one of its places."""
    with pytest.raises(ArgumentError) as caught:
        read_changes(words)
    assert str(caught.value) == line


def test_a_file_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    """A list and one of its places, and a parameter given both by its dotted name and in its table."""
    path = tmp_path / "x.toml"
    path.write_text(FILE + '"head_start" = [1, 1, 1, 1]\n'.replace("head_start", "head_start.2"))
    with pytest.raises(ScenarioError, match=r'key "change\.head_start\.2": is given twice'):
        load(path)
    path.write_text(FILE.replace("head_start.2 = 9", '"head_start.2" = 9\nhead_start = [1, 1, 1, 1]'))
    with pytest.raises(
        ScenarioError, match=r'key "change\.head_start": is given as a whole, and so is its part head_start\.2'
    ):
        load(path)


IDLE = "head_start.4 = 5 changes nothing: there is no player 4."
SAME = "spaces.short = 0 changes nothing: that is its value without the change."
REPLACED = "--change: spaces.more = 5 replaces spaces.more = 4 of x.toml."


def test_changes_without_effect_are_reported(command: Run) -> None:
    """Each command names changes without effect, and why; a sweep refuses to vary them; run says what it replaces."""
    typed = ["--change", "head_start.4 = 5", "--change", "spaces.short = 0", "--change", "spaces.more = 5"]
    code, _, err = command("run", "x.toml", *typed)
    assert (code, err.splitlines()) == (0, [REPLACED, SAME, IDLE])
    code, _, err = command("compare", "x.toml", *typed, "--games", "60")
    label = "Head starts 0 / 9 / 0 / 5 and 1 more: "
    assert (code, err.splitlines()) == (0, [label + line for line in (REPLACED, SAME, IDLE)])
    trace = ["trace", "--game", "dice-race", "--players", "2", "--bots", "walker"]
    code, _, err = command(*trace, *typed, *typed[:2])
    doubles = "--change: head_start.4 = 5 is given twice; once is enough."
    assert (code, err.splitlines()) == (0, [doubles, SAME, IDLE])
    Path("y.toml").write_text(FILE + "head_start.4 = 5\n")
    for name in ("check", "explain"):
        code, _, err = command("scenario", name, "y.toml")
        assert (code, err.removeprefix("y.toml: ")) == (0, f"{IDLE}\n")
    Path("z.toml").write_text(FILE.split("[change]")[0] + '[sweep]\nover = { "head_start.4" = [0, 1] }\n')
    code, _, err = command("sweep", "z.toml", "--games", "60")
    message = 'z.toml: key "sweep.over.head_start.4": changes nothing in this scenario: there is no player 4'
    assert (code, err) == (2, f"rogsim: error: {message}\n")


def test_a_change_back_to_the_printed_value_has_an_effect(command: Run) -> None:
    """It replaces the file's own change, and is not called one without effect."""
    code, _, err = command("run", "x.toml", "--change", "spaces.more = 0")
    assert (code, err) == (0, "--change: spaces.more = 0 replaces spaces.more = 4 of x.toml.\n")


@pytest.mark.parametrize("word", ["a.b", "= 3", "a =", ""])
def test_a_typed_change_needs_name_and_value(word: str) -> None:
    """Anything but NAME = VALUE is refused in a line that names --change."""
    with pytest.raises(ArgumentError, match=r"^--change: .* is not allowed: write NAME = VALUE$"):
        read_changes([word])


def test_a_typed_change_is_checked_by_the_game() -> None:
    """What the game refuses is reported with --change and the name of the parameter."""

    def typed(*words: str) -> Any:
        return load(KEYS, {"change": read_changes(words)}, option_prefix="--").scenario.change

    assert typed("head_start.2 = 9", "spaces.more = 0") == AHEAD
    with pytest.raises(
        ScenarioError, match=r"^--change: spaces\.more: 99 is not allowed: must be a whole number from 0 to 20$"
    ):
        typed("spaces.more = 99")


def test_changes_are_printed_as_they_are_typed(command: Run) -> None:
    """What a run prints can be typed again: switches are true or false, lists have brackets."""
    out = command("run", "x.toml", "--change", "played_out = true")[1]
    line = out.splitlines()[2].partition(" Changed: ")[2]
    assert line == "head_start = [0, 9, 0, 0], spaces.more = 4, played_out = true"
    assert tomllib.loads(line.rpartition(", ")[2]) == {"played_out": True}
    assert setting_words({"played_out": False, "bots": "runner"}) == "played_out = false, bots = runner"


def test_run_adds_typed_changes_to_those_of_the_file(command: Run) -> None:
    """Rows are those of the same change in a file, and the folder keeps that of the scenario."""
    code, out, _ = command("run", "x.toml", "--change", "spaces.more = 0", "--change", "head_start.1 = 3")
    assert code == 0
    assert out.splitlines()[2].endswith(" Changed: head_start = [3, 9, 0, 0]")
    found = Results.open("reports/x")
    assert found.manifest["identity"]["change"] == {"head_start": [3, 9, 0, 0]}
    expected = rogsim.run(KEYS | {"change": {"head_start": [3, 9, 0, 0]}}, jobs=1)
    assert found.seats().collect().equals(expected.seats().collect())


def test_run_refuses_rows_of_another_typed_change(command: Run) -> None:
    """A results folder holds the games of one change: exit code 2, and the rows stay."""
    assert command("run", "x.toml")[0] == 0
    code, out, err = command("run", "x.toml", "--change", "spaces.more = 5")
    assert (code, out) == (2, "")
    assert "change.spaces.more is 4 in the stored run and 5 in this one" in err
    assert Results.open("reports/x").manifest["identity"]["change"]["spaces.more"] == 4


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["--change", "spaces.more = 21"],
            "--change: spaces.more: 21 is not allowed: must be a whole number from 0 to 20",
        ),
        (
            ["--change", "spcaes.more = 2"],
            '--change: spcaes.more: unknown, did you mean "spaces.more"?',
        ),
        (["--change", "more"], '--change: "more" is not allowed: write NAME = VALUE'),
    ],
)
def test_errors_name_the_option(command: Run, arguments: list[str], line: str) -> None:
    """A typed change that is wrong is a line that names --change, in run as in trace; nothing is written."""
    assert command("run", "x.toml", *arguments) == (2, "", f"rogsim: error: {line}\n")
    trace = ["trace", "--game", "dice-race", "--players", "2", "--bots", "walker", *arguments]
    code, out, err = command(*trace)
    assert (code, out) == (2, "")
    assert err.startswith("rogsim: error: --change: ")
    assert not Path("reports").exists()


def test_a_mistake_of_the_file_is_reported_as_such(command: Run) -> None:
    """With --change given, a wrong change of the file is still reported under its key."""
    Path("x.toml").write_text(FILE.replace("more = 4", "more = 40"))
    line = 'rogsim: error: x.toml: key "change.spaces.more": 40 is not allowed: must be a whole number from 0 to 20\n'
    assert command("run", "x.toml", "--change", "played_out = true") == (2, "", line)


def test_a_recorded_game_has_the_change(command: Run) -> None:
    """A trace is of the changed game: the second seat begins nine spaces ahead."""
    arguments = ["trace", "--game", "dice-race", "--players", "2", "--bots", "walker", "--change", "head_start.2 = 9"]
    code, out, err = command(*arguments)
    assert (code, err) == (0, "")
    second = next(turn for turn in json.loads(out)["turns"] if turn["seat"] == 1)
    assert second["to"] > 9


def test_show_says_what_was_changed(command: Run) -> None:
    """Above a changed game is each change with the former value and its meaning; above a printed game nothing."""
    arguments = ["trace", "--game", "dice-race", "--players", "2", "--bots", "walker", "--out", "t.jsonl"]
    assert command(*arguments)[0] == 0
    plain = command("show", "t.jsonl")[1]
    trace = json.loads(Path("t.jsonl").read_text())
    Path("t.jsonl").write_text(json.dumps(trace | {"change": AHEAD}))
    printed = command("show", "t.jsonl")[1]
    line = "  head_start: [0, 0, 0, 0] → [0, 9, 0, 0] (spaces ahead, by seat)"
    assert printed == f"Changed for this game:\n{line}\n\n{plain}"
    Path("t.jsonl").write_text(json.dumps(trace | {"change": 3}))
    code, out, err = command("show", "t.jsonl")
    assert (code, out) == (2, "")
    assert err == 'rogsim: error: t.jsonl: deal 0: key "change": 3 is not allowed: must be a table\n'


def test_verify_plays_the_changed_games_again(command: Run) -> None:
    """The sample is replayed with the change of the manifest, and is the same."""
    assert command("run", "x.toml")[0] == 0
    code, out, err = command("verify", "reports/x")
    assert (code, err) == (0, "")
    assert "60" in out


# -------------------------------------------------------------------------------------------------- rogsim parameters


def test_few_parameters_are_all_listed_at_once(command: Run) -> None:
    """Without a name: each parameter with its value, the allowed values and its meaning."""
    code, out, err = command("parameters", "--game", "dice-race")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].startswith("Dice race: 4 parameters that can be changed.")
    (line,) = (line for line in out.splitlines() if line.startswith("spaces.short"))
    assert re.split(r"\s{2,}", line) == ["spaces.short", "0", "0 to 20", "added to the short track"]
    assert all(line == line.rstrip() for line in out.splitlines())


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("spaces", ["spaces.more", "spaces.short"]),
        ("spaces.more", ["spaces.more"]),
        ("*s*", ["head_start", "spaces.more", "spaces.short"]),
        ("spaces.*", ["spaces.more", "spaces.short"]),
        ("head_start.2", ["head_start.2"]),
    ],
)
def test_parameters_are_found_by_name_beginning_and_pattern(command: Run, name: str, found: list[str]) -> None:
    """A name, the beginning of names, a pattern, or the place of a list."""
    code, out, _ = command("parameters", name, "--game", "dice-race", "--json")
    assert code == 0
    assert [fact["name"] for fact in json.loads(out)["facts"]] == found


def test_a_parameter_says_whom_it_favours(command: Run) -> None:
    """With a name, there is a column for it, if it is known of any."""
    lines = command("parameters", "patron", "--game", "river-of-gold")[1].splitlines()
    ends = {line.split()[0]: re.split(r"\s{2,}", line)[-1] for line in lines}
    assert ends["name"] == "favours"
    assert ends["patron.kakita-ryoku.cost_favor"] == "a cost to its holder"
    assert ends["patron.kudaka.points"] == "more favours its holder"
    assert "favours" not in command("parameters", "spaces", "--game", "dice-race")[1]


def test_parameters_for_scripts_have_all_fields(command: Run) -> None:
    """--json gives each field of a parameter."""
    (fact,) = json.loads(command("parameters", "head_start", "--game", "dice-race", "--json")[1])["facts"]
    assert Parameter(**{**fact, "words": tuple(fact["words"]), "places": tuple(fact["places"])}) == GAME.facts()[0]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("spcaes.more", 'spcaes.more in Dice race: unknown, did you mean "spaces.more"?'),
        ("x*", "x* in Dice race: matches no parameter: choose from head_start, spaces, played_out"),
        ("goal", "goal in Dice race: unknown: choose from head_start, spaces, played_out"),
    ],
)
def test_an_unknown_parameter_is_one_line(command: Run, name: str, line: str) -> None:
    """Exit code 2 and the names that look like it."""
    assert command("parameters", name, "--game", "dice-race") == (2, "", f"rogsim: error: {line}\n")


def test_changes_in_words() -> None:
    """Each change with the former value, the new value and the meaning."""
    assert change_lines(GAME, AHEAD | {"played_out": True}) == [
        "head_start: [0, 0, 0, 0] → [0, 9, 0, 0] (spaces ahead, by seat)",
        "played_out: false → true (the round is played out)",
    ]
