"""The command line: what it prints, and one line and exit code 2 for anything wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rogsim
from rogsim.game import compiler
from rogsim.results.results import Results
from tests.command_line import Run

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race", "sketched")]

SCENARIO = """# Is any seat favoured?
game = "dice-race"
players = [2, 3]
games = 200
seed = 1
bots = ["runner"]
"""


@pytest.fixture
def command(command: Run) -> Run:
    """Run a command line in an empty folder; return exit code, output and error output."""
    Path("x.toml").write_text(SCENARIO)
    return command


def trace(*arguments: str) -> list[str]:
    return ["trace", "--game", "dice-race", *arguments]


def test_run_prints_the_tables_and_writes_the_results(command: Run) -> None:
    """The question, the answer, a seat table for each player count, and the folder, which holds the rows."""
    code, out, err = command("run", "x.toml")
    assert (code, err) == (0, "")
    question, answer, *_ = out.splitlines()
    assert question == "Is any seat favoured?"
    assert answer.startswith("Yes. With three players, seat 1 wins ")
    assert "\n\n2 players: by seat\nseat" in out
    assert "\n3 players: by seat\n" in out
    assert out.endswith("Rows and manifest: reports/x\n")
    assert Results.open("reports/x").games().collect().height == 400


def test_options_of_run_replace_the_scenarios_keys(command: Run) -> None:
    """Games, seed, workers, chunk and folder can be given on the command line."""
    options = ["--games", "30", "--seed", "8", "--jobs", "2", "--chunk", "7", "--out", "there"]
    assert command("run", "x.toml", *options)[0] == 0
    manifest = Results.open("there").manifest
    assert (manifest["identity"]["seed"], manifest["games"]) == (8, {"2": 30, "3": 30})
    assert len(manifest["chunks"]) == 10


def test_run_says_when_it_plays_more_games_than_asked(command: Run) -> None:
    """A line on the error output says that games are rounded up to whole cycles."""
    Path("x.toml").write_text(SCENARIO.replace('"runner"', '"runner", "walker", "moody"'))
    code, _, err = command("run", "x.toml", "--games", "100")
    assert code == 0
    assert err.splitlines() == [
        "2 players: 102 games instead of 100, to complete whole cycles of 6.",
        "3 players: 102 games instead of 100, to complete whole cycles of 3.",
    ]


def test_run_in_python_is_the_same_run(command: Run) -> None:
    """The command and the function give the same rows."""
    command("run", "x.toml", "--games", "50")
    found = Results.open("reports/x").seats().collect()
    assert rogsim.run("x.toml", games=50).seats().collect().equals(found)


TOO_FEW = "2 are too few for 3 players: name one bot, which takes every seat, or at least 3"
KEYS = "game, players, games, until, seed, bots, tables, about, margin, options, change, components, sweep, balance"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("seed = 1", "seed = 1\ncolour = 1", f'x.toml: key "colour": unknown: choose from {KEYS}'),
        ("200", '"200"', 'x.toml: key "games": "200" is not allowed: must be a whole number'),
        ("[2, 3]", "[2, 5]", 'x.toml: key "players": 5 is not allowed: choose from 2, 3, 4'),
        ('"runner"', '"runner", "walker"', f'x.toml: key "bots": {TOO_FEW}'),
        (
            '"runner"',
            '"jumper"',
            'x.toml: key "bots": no bot "jumper": choose from runner, walker, moody, random, planner, search, learned, '
            "or name your own as path/to/file.py:name",
        ),
    ],
)
def test_a_wrong_scenario_is_one_line(command: Run, old: str, new: str, line: str) -> None:
    """A mistake in a scenario gives exit code 2, one line and no results folder."""
    Path("x.toml").write_text(SCENARIO.replace(old, new))
    assert command("run", "x.toml") == (2, "", f"rogsim: error: {line}\n")
    assert not Path("reports").exists()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["run", "none.toml"], "none.toml: there is no such file"),
        (["run", "x.toml", "--games", "0"], "--games: 0 is not allowed: must be 1 or more"),
        (["run", "x.toml", "--seed", "-1"], "--seed: -1 is not allowed: must be 0 or more"),
        (["run", "x.toml", "--jobs", "0"], "--jobs: 0 is not allowed: must be 1 or more"),
        (["run", "x.toml", "--jobs", "100000"], "--jobs: 100000 is not allowed: must be at most 1,024"),
        (["run", "x.toml", "--chunk", "0"], "--chunk: 0 is not allowed: must be 1 or more"),
        (["run", "x.toml", "--out", "x.toml"], "x.toml: is a file; results need a folder"),
        (["bots", "--game", "chess"], 'no game "chess": choose from '),
        (trace("--players", "5", "--bots", "runner"), "--players: 5 is not allowed: choose from 2, 3, 4"),
        (
            trace("--players", "3", "--bots", "runner,walker"),
            "--bots: 2 bots for 3 players: name one bot, or 3 bots in turn order",
        ),
        (trace("--players", "2", "--bots", "x"), '--bots: no bot "x": choose from runner, walker, moody'),
        (
            trace("--players", "2", "--bots", "runner", "--games", "0"),
            "--games: 0 is not allowed: must be 1 or more",
        ),
        (
            trace("--players", "2", "--bots", "runner", "--seed", "-4"),
            "--seed: -4 is not allowed: must be 0 or more",
        ),
        (
            trace("--players", "2", "--bots", "runner", "--lnog", "4"),
            '--lnog: unknown, did you mean "--long"?',
        ),
        (
            trace("--players", "2", "--bots", "runner", "--long", "400"),
            '--long: "400" is not allowed: must be 100 or less',
        ),
        (
            trace("--players", "2", "--bots", "runner", "--end", "never"),
            '--end: "never" is not allowed: choose from sudden, fair',
        ),
        (
            trace("--players", "2", "--bots", "runner", "--handicap", "1,2,3"),
            "2 players: handicap has 3 entries, and needs one for each seat",
        ),
        (
            trace("--players", "2", "--bots", "runner", "--handicap", "1,x"),
            '--handicap: "x" is not allowed: must be a whole number',
        ),
        (trace("--players", "2", "--bots", "runner", "--long"), "--long: needs a value"),
        (
            trace("--players", "2", "--bots", "runner", "x.toml", "short"),
            '"short" is not expected here: write an option of the game as --name VALUE',
        ),
        (trace("--players", "2", "--bots", "runner", "--out", "."), ".: is a folder; name a file"),
        (["show", "none.jsonl"], "none.jsonl: No such file or directory"),
        (["show", "x.toml"], "x.toml: line 1 is not JSON"),
    ],
)
def test_a_wrong_command_line_is_one_line(command: Run, arguments: list[str], line: str) -> None:
    """A wrong value gives exit code 2 and one line that says what is allowed."""
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"rogsim: error: {line}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["scenario"], ["Missing command", "see rogsim scenario --help"]),
        (["fly"], ["No such command", "fly"]),
        (["run"], ["Missing argument", "see rogsim run --help"]),
        (["run", "x.toml", "--fast"], ["No such option", "--fast"]),
        (["run", "x.toml", "--games", "many"], ["--games", "whole number"]),
        (["trace", "--bots", "runner"], ["--players: is needed", "see rogsim trace --help"]),
    ],
)
def test_a_command_line_that_is_not_understood_is_one_line(
    command: Run, arguments: list[str], words: list[str]
) -> None:
    """A command line that cannot be parsed gives exit code 2 and one line that says where to find help."""
    code, out, err = command(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert all(word in err for word in ["rogsim: error: ", *words])


def test_an_output_folder_that_cannot_be_written_is_one_line(command: Run) -> None:
    """A folder below a regular file cannot be created, not even by root."""
    code, out, err = command("run", "x.toml", "--out", "x.toml/out")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("rogsim: error: ")
    assert "x.toml" in err
    code, _, err = command(*trace("--players", "2", "--bots", "runner", "--out", "x.toml/t.jsonl"))
    assert (code, err.count("\n")) == (2, 1)
    assert Path("x.toml").read_text() == SCENARIO


def test_a_folder_with_other_files_is_refused(command: Run) -> None:
    """The folder stays as it is."""
    Path("mine").mkdir()
    Path("mine/thesis.txt").write_text("years")
    code, _, err = command("run", "x.toml", "--out", "mine")
    assert (code, err) == (
        2,
        'rogsim: error: mine: holds "thesis.txt", which does not belong to results; name another folder\n',
    )
    assert [path.name for path in Path("mine").iterdir()] == ["thesis.txt"]


def test_a_bot_that_breaks_the_rules_is_one_line(command: Run) -> None:
    """The line names the bot and the game, and no folder is left behind."""
    Path("cheat.py").write_text("def cheat(setup, race, menu, memory):\n    return 7\n")
    Path("x.toml").write_text(SCENARIO.replace('"runner"', '"cheat.py:cheat"'))
    code, out, err = command("run", "x.toml")
    assert (code, out) == (2, "")
    assert err.startswith('rogsim: error: bot "cheat.py:cheat" answered place 7 of a menu of 2 in deal ')
    assert list(Path("reports").iterdir()) == []


def test_ctrl_c_ends_with_code_130(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted run prints one line, no traceback, and leaves nothing half-written."""

    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rogsim.experiments.run.play_chunks", interrupt)
    code, out, err = command("run", "x.toml")
    assert (code, out, err) == (130, "", "Interrupted; nothing was stored.\n")
    assert list(Path("reports").iterdir()) == []


def test_traces_are_json_lines_of_the_games_played(command: Run) -> None:
    """Each game is one line; the same command writes the same file; results have the same games."""
    arguments = trace("--players", "2", "--bots", "moody", "--games", "5", "--seed", "1", "--out")
    for name in ("deep/a.jsonl", "b.jsonl"):
        assert command(*arguments, name) == (0, "", "")
    text = Path("deep/a.jsonl").read_text()
    assert Path("b.jsonl").read_text() == text
    traces = [json.loads(line) for line in text.splitlines()]
    assert [one["game"] for one in traces] == [0, 1, 2, 3, 4]
    Path("x.toml").write_text(SCENARIO.replace("runner", "moody"))
    games = rogsim.run("x.toml", games=5).games().collect().filter(players=2)
    assert [len(one["turns"]) for one in traces] == games["turns"].to_list()
    assert sorted(path.name for path in Path("deep").iterdir()) == ["a.jsonl"]


def test_traces_go_to_the_standard_output_without_a_file(command: Run) -> None:
    """Bots sit in the given order, and options of the game are accepted in either form."""
    code, out, _ = command(
        *trace("--players", "2", "--bots", "walker,runner", "--short=6", "--long", "6", "--handicap", "0,3")
    )
    assert code == 0
    turns = json.loads(out)["turns"]
    assert turns[0] == {"seat": 0, "do": "walk", "to": 3}
    assert turns[1]["do"] == "roll"
    assert turns[1]["to"] > 3


def test_a_failing_trace_leaves_no_file(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """If writing fails halfway, neither the file nor a draft is left behind."""

    def fail(_: Any) -> str:
        raise OSError(28, "No space left on device", "t.jsonl")

    monkeypatch.setattr("rogsim.simulation.traces.to_line", fail)
    code, _, err = command(*trace("--players", "2", "--bots", "runner", "--out", "t.jsonl"))
    assert (code, err) == (2, "rogsim: error: t.jsonl: cannot be written: No space left on device\n")
    assert [path.name for path in Path().iterdir()] == ["x.toml"]


def test_show_prints_the_requested_game(command: Run) -> None:
    """The number is that of the deal in the trace; a wrong number gives a list of those in the file."""
    command(*trace("--players", "2", "--bots", "walker", "--games", "3", "--out", "t.jsonl"))
    lines = Path("t.jsonl").read_text().splitlines()
    Path("t.jsonl").write_text("\n".join(lines[1:]) + "\n")
    code, out, _ = command("show", "t.jsonl", "--deal", "2")
    assert code == 0
    assert out.startswith("seat 1: walk to 3\nseat 2: walk to 3\n")
    code, _, err = command("show", "t.jsonl", "--deal", "0")
    assert (code, err) == (2, "rogsim: error: t.jsonl: has no deal 0: choose from 1, 2\n")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "has no deal 0: choose from none; the file is empty"),
        ("[1]\n", 'line 1 is not a trace: "format" must be "<game>-trace/1"'),
        ('{"format": "chess-trace/1", "game": 0}\n', 'no game "chess"'),
        (
            '{"format": "dice-race-trace/1", "game": 0}\n',
            'deal 0 is not a complete trace: "turns" is missing or unknown',
        ),
        (
            '{"format": "river-of-gold-trace/1", "game": 0, "players": 1000000000000000}\n',
            "deal 0: 1000000000000000 is not allowed: players must be one of 2, 3, 4",
        ),
        (
            '{"format": "dice-race-trace/1", "game": 0, "turns": 5}\n',
            'deal 0 is not a complete trace: a value in it is missing or of the wrong type, at or after "turns"',
        ),
        (
            '{"format": "dice-race-trace/1", "game": 0, "change": {"pace": 5}, "turns": 5}\n',
            'deal 0: key "change.pace": unknown',
        ),
        (
            '{"format": "dice-race-trace/1", "game": 0, "change": {"spaces.more": "x"}, "turns": 5}\n',
            'deal 0: key "change.spaces.more": "x" is not allowed: must be ',
        ),
        (
            '{"format": "dice-race-trace/1", "game": 0, "change": [1]}\n',
            'key "change": [1] is not allowed: must be a table',
        ),
    ],
)
def test_a_file_that_holds_no_trace_is_one_line(command: Run, text: str, what: str) -> None:
    """The line distinguishes files without traces, of unknown games, and cut short."""
    Path("t.jsonl").write_text(text)
    code, out, err = command("show", "t.jsonl")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert what in err


def test_bots_and_games_are_listed(command: Run) -> None:
    """Each bot is listed with its plan, each game with its title, players and version."""
    code, out, _ = command("bots", "--game", "dice-race")
    assert (code, out.splitlines()[1]) == (0, "walker   walks, and never trusts a die")
    code, out, _ = command("games")
    assert code == 0
    assert "dice-race      Dice race, 2, 3, 4 players, rules 1" in out.splitlines()
    assert "river-of-gold  River of Gold, 2, 3, 4 players, rules 1" in out.splitlines()


def test_the_version_is_printed(command: Run) -> None:
    """`--version` prints name and version."""
    assert command("--version") == (0, f"rogsim {rogsim.__version__}\n", "")


def test_the_module_runs_as_a_program() -> None:
    """`python -m rogsim` is the command line, exit codes included."""
    folder = compiler.PACKAGE.parent
    command = [sys.executable, "-m", "rogsim", "run", "none.toml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "rogsim: error: none.toml: there is no such file\n"


def test_bots_players_and_changes_can_be_given_wherever_a_scenario_is(command: Run) -> None:
    """Running, explaining, sweeping and settling take them, and refuse what a scenario could not say."""
    given = ["--players", "2", "--bots", "walker", "--change", "head_start.2 = 1", "--games", "20", "--seed", "4"]
    assert command("run", "x.toml", *given, "--out", "there").code == 0
    played = Results.open("there").manifest["scenario"]
    assert (played["players"], played["bots"], played["games"], played["seed"]) == ([2], ["walker"], 20, 4)
    assert played["change"] == {"head_start": [0, 1, 0, 0]}
    explained = json.loads(command("scenario", "explain", "x.toml", *given, "--json").out)
    assert (list(explained["players"]), explained["bots"], explained["seed"]) == (["2"], ["walker"], 4)
    assert explained["change"]
    Path("s.toml").write_text(SCENARIO + '[sweep.over]\n"head_start.1" = [0, 1]\n')
    swept = command("sweep", "s.toml", *given, "--out", "swept", "--json")
    assert swept.code == 0
    assert "--players=2 --bots=walker --change 'head_start.2 = 1'" in Path("swept/report.md").read_text()
    settled = ["--players", "2", "--bots", "walker,runner,moody", "--change", "head_start.2 = 1", "--games", "900"]
    assert command("settle", "x.toml", *settled, "--first-look", "100", "--out", "settled").code == 0
    for words in (["run"], ["scenario", "explain"], ["sweep"], ["settle"]):
        file = "s.toml" if words == ["sweep"] else "x.toml"
        assert command(*words, file, "--players", "two").err.count("\n") == 1
        assert command(*words, file, "--change", "no_such = 1").code == 2
