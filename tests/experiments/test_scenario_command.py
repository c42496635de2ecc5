"""`rogsim scenario`: a first file, checking, and telling in words."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from rogsim.experiments.preview import check_file, explain_data, explain_lines
from rogsim.scenario.model import load
from rogsim.scenario.template import path_for, start_text
from tests.command_line import Run
from tests.dice_game import GAME

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race")]

HEAD = """# Who wins? And by how much?
game = "dice-race"
players = [2, 3]
games = 100
seed = 5
bots = ["runner", "walker", "moody"]
"""
SWEEP = """
[sweep]
over = { players = [2, 3], "spaces.more" = { from = 0, to = 4, step = 2 } }
"""
BALANCE = """
[balance]
goal = "seat_share equal ± 2 pp"
games = 5_000
over = { "head_start.2" = { from = 0, to = 3 } }
"""


def write(text: str, name: str = "x.toml") -> Path:
    path = Path(name)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "Missing command (see rogsim scenario --help)"),
        (["chekc"], "No such command 'chekc'. Did you mean 'check'? (see rogsim scenario --help)"),
        (["check"], "Missing argument 'FILE' (see rogsim scenario check --help)"),
        (["explain", "none.toml"], "none.toml: there is no such file"),
        (["new", "x", "--game", "chess"], 'no game "chess": choose from '),
    ],
)
def test_wrong_commands_are_one_line(command: Run, arguments: list[str], line: str) -> None:
    """Exit code 2, one line, nothing written."""
    code, out, err = command("scenario", *arguments)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith(f"rogsim: error: {line}")
    assert list(Path().iterdir()) == []


# ------------------------------------------------------------------------------------------------------------ new


def test_a_new_scenario_can_be_played_as_it_stands(command: Run) -> None:
    """The file asks a question, lists parameters, passes the check, and has its schema beside it."""
    code, out, err = command("scenario", "new", "mine", "--game", "dice-race")
    assert (code, err) == (0, "")
    assert out.splitlines() == ["Wrote scenarios/mine.toml", "Wrote scenarios/dice-race.schema.json"]
    assert command("scenario", "check", "scenarios/mine.toml")[0] == 0
    assert load("scenarios/mine.toml").question == "Is any seat favoured?"
    schema = json.loads(Path("scenarios/dice-race.schema.json").read_text())
    assert schema["properties"]["game"]["enum"] == ["dice-race"]


def test_what_a_new_scenario_has_as_comments_can_be_played_too() -> None:
    """Its commented lines are keys and tables that a scenario may have, with values that it may have."""
    lines = start_text(GAME).splitlines()[2:]
    data = tomllib.loads("\n".join(line.removeprefix("# ") for line in lines))
    assert set(data) >= {"until", "change", "sweep", "options", "tables", "margin"}
    experiment = load(data)
    assert experiment.scenario.change == {}


def test_a_new_scenario_takes_nobodys_place(command: Run) -> None:
    """Existing files are not overwritten, scenario or schema: exit code 2."""
    Path("scenarios").mkdir()
    write("mine", "scenarios/mine.toml")
    write("{}", "scenarios/dice-race.schema.json")
    line = "rogsim: error: scenarios/mine.toml: already exists; choose another name\n"
    assert command("scenario", "new", "mine", "--game", "dice-race") == (2, "", line)
    assert command("scenario", "new", "other", "--game", "dice-race")[0] == 0
    assert Path("scenarios/mine.toml").read_text() == "mine"
    assert Path("scenarios/dice-race.schema.json").read_text() == "{}"


@pytest.mark.parametrize(
    ("name", "path"),
    [("x", "scenarios/x.toml"), ("x.toml", "x.toml"), ("a/x", "a/x.toml"), ("a/x.y.toml", "a/x.y.toml")],
)
def test_a_word_is_a_file_among_the_scenarios(name: str, path: str) -> None:
    """Anything that looks like a path is one, with the ending added if it is missing."""
    assert path_for(name) == Path(path)


def test_the_line_for_editors_is_no_part_of_the_question(tmp_path: Path) -> None:
    """The question is the first comment after it."""
    path = tmp_path / "x.toml"
    path.write_text(f"#:schema scenario.schema.json\n{HEAD}")
    with_line = load(path)
    path.write_text(HEAD)
    assert with_line.question == load(path).question == "Who wins?"
    assert with_line.scenario == load(path).scenario


# ---------------------------------------------------------------------------------------------------------- check


def test_check_reports_on_each_file(command: Run) -> None:
    """A line for a valid file, the problems of the others, and exit code 2 if there are any."""
    write(HEAD + SWEEP + BALANCE, "good.toml")
    write(HEAD.replace("100", "0").replace("seed", "sede"), "bad.toml")
    assert command("scenario", "check", "good.toml") == (0, "good.toml: ok\n", "")
    code, out, err = command("scenario", "check", "good.toml", "bad.toml", "none.toml")
    assert (code, err) == (2, "")
    assert out.splitlines() == [
        "good.toml: ok",
        'bad.toml: key "games": 0 is not allowed: must be 1 or more',
        'bad.toml: key "sede": unknown, did you mean "seed" or "sweep"?',
        "none.toml: there is no such file",
    ]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"spaces.more" =', '"spcaes.more" =', 'x.toml: key "sweep.over.spcaes.more": unknown, did you mean'),
        ("to = 4", 'to = "x"', 'x.toml: key "sweep.over.spaces.more": '),
        ("players = [2, 3],", "players = [],", 'x.toml: key "sweep.over.players": has no values'),
        (", to = 3 }", " }", 'x.toml: key "balance.over.head_start.2": '),
        ("equal", "eqaul", 'x.toml: key "balance.goal": "seat_share eqaul ± 2 pp" is not allowed: write NAME'),
        (
            "seat_share",
            "seat_share of 3",
            'x.toml: key "balance.goal": "seat_share of 3 equal ± 2 pp" is not allowed: there is no seat 3',
        ),
        ("[sweep]", '[sweep]\nsample = "sobol"', 'x.toml: key "sweep.points": is missing'),
        ('"head_start.2"', '"x*"', 'x.toml: key "balance.over.x*": matches no numeric parameter'),
        (
            "to = 4",
            "to = 40",
            'x.toml: key "sweep.over.spaces.more": 22 is not allowed: must be a whole number from 0 to 20',
        ),
        ("to = 3 }", "to = 30 }", 'x.toml: key "balance.over.head_start.2": 21 is not allowed: must be'),
        ("{ players = [2, 3],", "{ players = [2, 9],", 'x.toml: key "sweep.over.players": 9 is not allowed: '),
        ("{ players = [2, 3],", '{ bots = ["jumper"],', 'x.toml: key "sweep.over.bots": no bot "jumper"'),
    ],
)
def test_check_looks_into_what_is_varied(command: Run, old: str, new: str, line: str) -> None:
    """Axes of a sweep and of a search: names, ranges and refused values, each reported once."""
    text = HEAD + SWEEP + BALANCE
    assert text.count(old) == 1
    found = check_file(write(text.replace(old, new)))
    assert found[0].startswith(line)


def test_check_reports_what_a_sweep_would_refuse(command: Run) -> None:
    """In a small sweep each refused value is reported as `rogsim sweep` would; in a large one the ends are tried."""
    path, more = write(HEAD + SWEEP.replace("to = 4", "to = 24")), 'x.toml: key "sweep.over.spaces.more": '
    assert check_file(path) == [
        f"{more}{value} is not allowed: must be a whole number from 0 to 20" for value in (22, 24)
    ]
    assert command("sweep", "x.toml")[2].splitlines() == [f"rogsim: error: {line}" for line in check_file(path)]
    many = SWEEP.replace("to = 4, step = 2", 'to = 24 }, "spaces.short" = { from = 0, to = 21')
    assert check_file(write(HEAD + many)) == [
        f'x.toml: key "sweep.over.spaces.{name}": {value} is not allowed: must be a whole number from 0 to 20'
        for name, value in (("more", 24), ("short", 21))
    ]


def test_check_takes_what_a_sweep_would_play(command: Run) -> None:
    """A pattern leaves out what the game refuses, and axes that are varied alone need not be compatible."""
    pattern = '\n[sweep.over]\n"spaces.*" = { from = 15, to = 24 }\n'
    alone = '\n[sweep]\nsample = "alone"\nover = { short = [10, 19], long = [20, 12] }\n'
    assert check_file(write(HEAD + pattern)) == []
    assert check_file(write(HEAD + "options = { long = 19 }\n" + alone)) == []


@pytest.mark.parametrize("values", ["[{ a = 1 }]", "[[[1]]]", f"[0x{'f' * 5000}]", '["a\\nb"]'])
def test_check_shows_odd_values_in_one_line(command: Run, values: str) -> None:
    """Tables, lists in lists, huge numbers and texts of several lines are values like any other wrong one."""
    for part, text in (("sweep", SWEEP), ("balance", BALANCE)):
        name = "spaces.more" if part == "sweep" else "head_start.2"
        old = next(line for line in text.splitlines() if line.startswith("over"))
        (line,) = check_file(write(HEAD + text.replace(old, f'over = {{ "{name}" = {values} }}')))
        assert line.startswith(f'x.toml: key "{part}.over.{name}": ')
        assert line.isprintable()


# -------------------------------------------------------------------------------------------------------- explain


def test_explain_says_what_would_be_played(command: Run) -> None:
    """Question, game, options, changes, who plays how often on which deals, what would be varied and searched."""
    change = "\n[options]\nlong = 20\n\n[change]\nspaces.more = 3\n"
    write(HEAD + 'until = "seat_share ± 2 pp"\n' + change + SWEEP + BALANCE)
    code, out, err = command("scenario", "explain", "x.toml")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "Who wins?",
        "",
        "Game: Dice race, rules version 1",
        "Options: short = 10, long = 20, end = sudden, handicap = none",
        "Changed:",
        "  spaces.more: 0 → 3 (added to both tracks)",
        "Bots: runner, walker, moody",
        "2 players: 102 games, in 17 whole cycles of 6: 51 blocks, "
        "in each of which the bots rotate over the seats on the same deal",
        "  line-up: runner + walker",
        "  line-up: runner + moody",
        "  line-up: walker + moody",
        "3 players: 102 games, in 34 whole cycles of 3: 34 blocks, "
        "in each of which the bots rotate over the seats on the same deal",
        "  line-up: runner + walker + moody",
        "Seed: 5; the same seed gives the same games again",
        "Ends early: at seat_share ± 2 pp; the games above are then the maximum",
        "Tables: by seat",
        "Fair: within 2 pp of the fair share",
        "Sweep: 8 settings, every combination, and the scenario as it is",
        "  players: 2, 3",
        "  spaces.more: 0, 2, 4 (now 3)",
        "Balance: searches for values that reach: seat_share equal ± 2 pp",
        "  with at most 5,000 games per player count",
        "  head_start.2: 0, 1, 2, 3 (now 0)",
    ]


def test_explain_is_brief_about_what_is_plain(tmp_path: Path) -> None:
    """One bot in every seat, nothing changed, nothing varied."""
    path = tmp_path / "x.toml"
    path.write_text(HEAD.replace('"runner", "walker", "moody"', '"runner"').replace("# Who wins? And by how much?", ""))
    lines = explain_lines(load(path))
    assert lines[0] == "x asks no question."
    assert "Changed: nothing" in lines
    assert "Bots: runner in every seat" in lines
    assert "2 players: 100 games, each on different deals" in lines
    assert not [line for line in lines if line.startswith(("Sweep", "Balance"))]


def test_explain_for_scripts(command: Run) -> None:
    """--json gives the same as one object."""
    write(HEAD + SWEEP)
    code, out, _ = command("scenario", "explain", "x.toml", "--json")
    data = json.loads(out)
    assert code == 0
    assert data == json.loads(json.dumps(explain_data(load("x.toml"))))
    assert data["players"]["2"] == {
        "games": 102,
        "cycles": 17,
        "games_in_a_cycle": 6,
        "blocks": 51,
        "line_ups": [["runner", "walker"], ["runner", "moody"], ["walker", "moody"]],
    }
    assert data["sweep"]["cells"] == 6


def test_explain_refuses_what_cannot_be_varied(command: Run) -> None:
    """Wrong axes are a line each and exit code 2."""
    write(HEAD + SWEEP.replace("players", "plaeyrs"))
    code, out, err = command("scenario", "explain", "x.toml")
    assert (code, out) == (2, "")
    assert err.startswith('rogsim: error: x.toml: key "sweep.over.plaeyrs": unknown, did you mean "players"')
