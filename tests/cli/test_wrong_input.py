"""Wrong input to any command: one line on the error output, exit code 2, nothing written, compiled or played."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import rogsim
from rogsim.base.streams import BROKEN_PIPE
from rogsim.game.registry import register, unregister
from rogsim.game.spec import GameSpec
from tests.command_line import Run
from tests.dice_game import GAME

pytestmark = pytest.mark.once_uncompiled

SCENARIO = """# Is any seat favoured?
game = "dice-race"
players = [2, 3]
games = 40
seed = 1
bots = ["runner"]
"""
SWEEP = SCENARIO + '\n[sweep]\nover = { "head_start.2" = [0, 1] }\n'
BALANCE = SCENARIO + '\n[balance]\ngoal = "seat_share equal ± 2 pp"\nover = { "head_start.2" = [0, 1, 2] }\n'
WEIGHTS = 'format = "rogsim-weights/1"\nbot = "moody"\nweights = [2.0]\n'

DICE = ["--game", "dice-race"]
TRACE = ["trace", *DICE, "--players", "2", "--bots", "runner"]
TOURNAMENT = ["tournament", *DICE, "--bots", "runner,walker"]
PROFILE = ["bots", *DICE, "--profile"]
TUNE = ["tune", "moody", "--against", "walker", *DICE]
CHECK = ["check-bot", *DICE]
PLAYING = {  # each command that plays, ready to run
    "run": ["run", "x.toml"],
    "compare": ["compare", "x.toml", "--change", "head_start.2 = 1"],
    "sweep": ["sweep", "sweep.toml"],
    "optimize": ["optimize", "balance.toml"],
    "settle": ["settle", "x.toml", "--bots", "moody,walker,runner"],
    "tournament": TOURNAMENT,
    "profile": PROFILE,
    "tune": TUNE,
    "trace": TRACE,
}
TO_FOLDER = ("run", "compare", "sweep", "optimize", "settle", "tournament", "profile")


def _refuse(*_: Any) -> Any:
    raise AssertionError("this must not be reached")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder of the dice race."""
    folder = tmp_path_factory.mktemp("results") / "done"
    register(GAME)
    rogsim.run({"game": "dice-race", "players": [2], "games": 40, "seed": 1, "bots": ["runner"]}, out=folder, jobs=1)
    unregister(GAME.id)
    return folder


class IdleRace(GameSpec):
    """The dice race, which can be neither compiled nor played."""

    compile_bot = warm = play = record = _refuse


@pytest.fixture
def idle_race() -> Iterator[GameSpec]:
    """The dice race, which can be neither compiled nor played."""
    yield register(IdleRace(**{field.name: getattr(GAME, field.name) for field in fields(GAME)}))
    unregister(GAME.id)


@pytest.fixture
def command(command: Run, idle_race: GameSpec, results: Path) -> Run:
    """Run a command line in a folder with scenarios, results and other files; return exit code, output and errors."""
    for name, text in {"x": SCENARIO, "sweep": SWEEP, "balance": BALANCE, "w": WEIGHTS, "empty": ""}.items():
        Path(f"{name}.toml").write_text(text, encoding="utf-8")
    Path("binary.toml").write_bytes(bytes(range(256)) * 8)
    Path("latin.toml").write_text(SCENARIO.replace("favoured", "bevorzügt"), encoding="latin-1")
    Path("latin.jsonl").write_text('{"format": "dice-race-trace/1", "game": 0, "x": "ü"}\n', encoding="latin-1")
    Path("folder").mkdir()
    Path("folder/thesis.txt").write_text("years")
    os.mkfifo("pipe")
    Path("nowhere").symlink_to("none/at/all")
    shutil.copytree(results, "done")
    shutil.copytree(results, "cut")
    Path("cut/manifest.json").write_bytes(b'{"\xff')
    return command


def everything() -> dict[str, tuple[int, int]]:
    """Return all files and folders, each with its size and the time of its last change."""
    return {
        str(path): (path.lstat().st_size, path.lstat().st_mtime_ns) for path in Path().rglob("*") if not path.is_dir()
    } | {str(path): (0, 0) for path in Path().rglob("*") if path.is_dir()}


def refused(command: Run, arguments: list[str]) -> str:
    """Return the line with which a command is refused."""
    before = everything()
    code, out, err = command(*arguments)
    assert (code, out) == (2, ""), (arguments, code, out, err)
    assert err.startswith("rogsim: error: ")
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    assert "Error:" not in err.removeprefix("rogsim: error: ")
    assert everything() == before
    return err.removeprefix("rogsim: error: ").rstrip("\n")


FILES = ["none.toml", "folder", "binary.toml", "latin.toml", "empty.toml", "x.toml/y", "done", "a" * 300 + ".toml"]


@pytest.mark.parametrize("name", ["run", "compare", "sweep", "optimize", "explain", "variant"])
def test_a_file_that_is_not_a_scenario(command: Run, name: str) -> None:
    """Missing, empty, binary, not in UTF-8, or a folder: the line names it."""
    before = everything()
    for file in FILES:
        words = {
            "explain": ["scenario", "explain", file],
            "compare": ["compare", file, "x.toml"],
            "variant": ["compare", "x.toml", file],
        }
        code, out, err = command(*words.get(name, [name, file]))
        assert (code, out) == (2, "")
        assert all(line.startswith("rogsim: error: ") and file[:20] in line for line in err.splitlines())
        assert len(err.splitlines()) == (4 if file == "empty.toml" else 1)  # a line for each missing key
    assert everything() == before


@pytest.mark.parametrize("name", ["status", "verify", "report", "seats", "patrons"])
def test_a_folder_without_results(command: Run, name: str) -> None:
    """Missing, something else, or with a broken manifest: each command on results says so."""
    for folder in ("none", "folder", "x.toml", "cut", "pipe", "done/seats", "", "\u00fc\u2603"):
        assert refused(command, [name, folder])


@pytest.mark.parametrize("file", ["none.jsonl", "folder", "binary.toml", "latin.jsonl", "empty.toml", "x.toml"])
def test_a_file_without_traces(command: Run, file: str) -> None:
    """`show` names the file, and what is missing in it."""
    line = refused(command, ["show", file])
    assert line.startswith(f"{file}: ")
    assert file != "latin.jsonl" or line == "latin.jsonl: is not a text file in UTF-8"


UNWRITABLE = ["x.toml", "x.toml/deeper", "/dev/null/x", "/proc/x", "pipe", "nowhere", "a" * 300]


@pytest.mark.parametrize("name", TO_FOLDER)
def test_a_folder_that_cannot_be_written(command: Run, name: str) -> None:
    """A file in the way, a place that takes no files, another's folder: refused before anything is compiled."""
    for place in [*UNWRITABLE, "folder"]:
        assert place in refused(command, [*PLAYING[name], "--out", place])


@pytest.mark.parametrize("name", ["compare", "sweep", "optimize"])
def test_games_that_cannot_be_stored(command: Run, name: str) -> None:
    """The folder of `--store` is checked as well."""
    for place in UNWRITABLE:
        assert place in refused(command, [*PLAYING[name], "--store", place])


@pytest.mark.parametrize("name", ["tune", "trace", "seats", "schema"])
def test_a_file_that_cannot_be_written(command: Run, name: str) -> None:
    """A file replaces only a file: no folder, no device, no pipe."""
    for place in [*UNWRITABLE[1:], "folder", "/dev/null"]:
        commands = {
            "seats": ["seats", "done", "--csv", place],
            "schema": ["scenario", "schema", *DICE, "--out", place],
        }
        assert place in refused(command, commands.get(name, [*PLAYING.get(name, []), "--out", place]))


def test_a_report_that_cannot_be_written(command: Run) -> None:
    """`report` checks the folder before it counts."""
    for place in [*UNWRITABLE, "folder", "done"]:
        assert place in refused(command, ["report", "done", "--out", place])


def test_a_folder_that_belongs_to_somebody_else(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the system allows no writing, the line gives its reason."""

    def denied(*_: Any, **given: Any) -> Any:
        raise PermissionError(13, "Permission denied", given["dir"])

    monkeypatch.setattr("rogsim.base.output_paths.tempfile.TemporaryFile", denied)
    for name in TO_FOLDER:
        line = refused(command, [*PLAYING[name], "--out", "new"])
        assert line in (
            f"new: cannot be written: no file can be created in {Path().absolute()} (Permission denied)",
            "reports/games: cannot be written: no file can be created in . (Permission denied)",
            "new: cannot be written: no file can be created in . (Permission denied)",
        )


def test_a_file_may_be_in_a_new_folder(command: Run) -> None:
    """Every command creates the folders of its output, but not before it knows that it can write it."""
    for place, words in {
        "a/b/seats.csv": ["seats", "done", "--csv"],
        "c/d/schema.json": ["scenario", "schema", *DICE, "--out"],
    }.items():
        assert command(*words, place).code == 0
        assert Path(place).is_file()
    refused(command, ["seats", "none", "--csv", "new/seats.csv"])
    assert not Path("new").exists()


def test_a_new_scenario_is_a_file(command: Run) -> None:
    """The name of a folder or of an existing file is refused, and neither a file nor a schema is written."""
    for name in ("folder", "folder/", "./folder", "..", ".", "", "/", "x.toml", "x.toml/new", "/proc/new"):
        assert refused(command, ["scenario", "new", name, *DICE])


NUMBERS = ["-1", "0", "99999999999999999999", "nan", "1e3", "", "two", "1.5"]
NUMBERED = {
    "run": ["--games", "--jobs", "--chunk"],
    "compare": ["--games", "--jobs", "--chunk", "--players"],
    "sweep": ["--games", "--jobs", "--chunk"],
    "optimize": ["--games", "--confirm", "--jobs", "--chunk", "--players"],
    "settle": ["--games", "--first-look", "--jobs", "--chunk", "--players"],
    "tournament": ["--games", "--players", "--jobs"],
    "profile": ["--games", "--players", "--jobs"],
    "tune": ["--games", "--generations", "--held-out", "--players", "--jobs"],
    "trace": ["--games", "--players"],
}


@pytest.mark.parametrize("place", range(8))
@pytest.mark.parametrize("name", NUMBERED)
def test_a_number_that_makes_no_sense(command: Run, name: str, place: int) -> None:
    """Negative, 0, huge, or not a whole number: the line names the option."""
    for shift, option in enumerate(NUMBERED[name]):
        number = NUMBERS[(place + shift) % len(NUMBERS)]
        if option in ("--jobs", "--chunk"):
            number = number.replace("999", "-999", 1)  # more workers or larger batches than needed are no mistake
        assert option in refused(command, [*PLAYING[name], f"{option}={number}"])


@pytest.mark.parametrize("name", PLAYING)
def test_a_seed_that_is_not_allowed(command: Run, name: str) -> None:
    """Seeds are whole numbers from 0 to 2^63 - 1."""
    for seed in ("-1", "9223372036854775808", "nan"):
        assert "--seed" in refused(command, [*PLAYING[name], f"--seed={seed}"])


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["verify", "done", "--games", "0"], "--games: 0 is not allowed"),
        (["verify", "done", "--games", "-5"], "--games: -5 is not allowed"),
        (["verify", "done", "--seed", "-1"], "--seed: -1 is not allowed"),
        (["verify", "done", "--seed", "99999999999999999999"], "--seed: 99999999999999999999 is not allowed"),
        (["verify", "done", "--bots-from", "none"], "--bots-from: the folder none does not exist"),
        (["check-bot", "runner", *DICE, "--games", "0"], "--games: 0 is not allowed"),
        (["check-bot", "runner", *DICE, "--games", "99999999999999"], "--games: 99999999999999 is not allowed"),
        (["check-bot", "runner", *DICE, "--limit", "nan"], "--limit: "),
        (["check-bot", "runner", *DICE, "--limit", "-1"], "--limit: -1.0 is not allowed"),
        (["check-bot", "runner", *DICE, "--seed", "-1"], "--seed: -1 is not allowed"),
        (["run", "x.toml", "--until", "seat_share"], "--until: "),
        (["run", "x.toml", "--until", "seat_share ± nan pp"], "--until: "),
        (["run", "x.toml", "--until", "seat_share ± -1 pp"], "--until: "),
        (["run", "x.toml", "--backend", "gpu"], "--backend: "),
        (["run", "x.toml", "--scheduler", "nowhere"], "--scheduler: "),
        (["run", "x.toml", "--change", "head_start"], "--change: "),
        (["run", "x.toml", "--change", "= 3"], "--change: "),
        (["run", "x.toml", "--change", "head_start = nan"], "--change: head_start: "),
        (["run", "x.toml", "--change", "head_strat = 1"], '--change: head_strat: unknown, did you mean "head_start"?'),
        (["run", "x.toml", "--change", "head_start.2 = 1e400"], "--change: head_start.2: "),
        (["run", "x.toml", "--change", "head_start.2 = 99999999999999999999999"], "--change: head_start.2: "),
        (["run", "x.toml", "--change", 'head_start = "\x07"'], "--change: head_start: "),
        ([*TRACE, "--change", "head_strat = 1"], '--change: head_strat: unknown, did you mean "head_start"?'),
        ([*TRACE, "--lnog", "20"], '--lnog: unknown, did you mean "--long"?'),
        ([*TRACE, "--long", "nan"], "--long: "),
        (["optimize", "x.toml"], "x.toml: needs a [balance]"),
        (["optimize", "x.toml", "--goal", "seat_share equal ± 2 pp"], "x.toml: needs a [balance]"),
        (["optimize", "balance.toml", "--goal", "seet_share equal ± 2 pp"], "--goal: "),
        (["optimize", "balance.toml", "--over", "head_start.2 = 1"], "--over: head_start.2: "),
        (["optimize", "balance.toml", "--bots", "jumper"], '--bots: no bot "jumper"'),
        (["sweep", "x.toml"], "x.toml: "),
        (["compare", "x.toml"], "name a variant to compare with"),
        (["compare", "x.toml", "x.toml", "--bots", "runnr"], '--bots: no bot "runnr", did you mean "runner"?'),
        ([*TOURNAMENT[:-1], "runner"], "--bots: "),
        ([*TOURNAMENT[:-1], "runner,runner"], '--bots: "runner" is listed twice'),
        ([*TOURNAMENT[:-1], "runner,wlaker"], '--bots: no bot "wlaker", did you mean "walker" or "planner"?'),
        ([*PROFILE, "--bots", "rnner"], '--bots: no bot "rnner", did you mean "runner" or "planner"?'),
        ([*PROFILE, "--against", "rnner"], '--against: no bot "rnner", did you mean "runner" or "planner"?'),
        (["bots", *DICE, "--games", "5"], "--games: needs --profile"),
        (["tune", "modoy", "--against", "walker", *DICE], 'no bot "modoy", did you mean "moody"?'),
        (
            ["tune", "moody", "--against", "wlaker", *DICE],
            '--against: no bot "wlaker", did you mean "walker" or "planner"?',
        ),
        ([*CHECK, "runnr"], 'no bot "runnr", did you mean "runner"?'),
        ([*CHECK, "none.py:Bot"], 'bot "none.py:Bot": the file none.py does not exist'),
        ([*CHECK, "x.toml"], 'no bot "x.toml": choose from runner, walker, moody'),
        ([*CHECK, "moody@none.toml"], 'bot "moody@none.toml": none.toml: there is no such file'),
        ([*CHECK, "moody@binary.toml"], 'bot "moody@binary.toml": binary.toml: is not a text file in UTF-8'),
        ([*CHECK, ""], "BOT: must not be empty"),
        (["scenario", "new", ""], "NAME|PATH: must not be empty"),
        (["scenario", "check", "x.toml", ""], "FILE: must not be empty"),
        (["status", "--json", ""], "FOLDER: must not be empty"),
        ([*TRACE, "--long="], "--long: must not be empty"),
        ([*TRACE, "--long", ""], "--long: must not be empty"),
        (["run", "x.toml", "--out", ""], "--out: must not be empty"),
        (["compare", "x.toml", "--change", "head_start.2 = 1", "--store="], "--store: must not be empty"),
        (
            ["compare", "x.toml", "--change", "head_start.2 = 1", "--store", "done"],
            "--store: done holds the results of a run",
        ),
        (["run", "x.toml", "--games", "many"], '--games: "many" is not allowed: must be a whole number'),
        (["run", "x.toml", "--games", "1_0"], '--games: "1_0" is not allowed: must be a number in plain digits'),
        (["run", "x.toml", "--players", "\u0662"], '--players: "\u0662" is not allowed: write a number, or'),
        (["run", "x.toml", "--players", "1_0"], '--players: "1_0" is not allowed: write a number, or several: 2,3'),
        (
            ["run", "x.toml", "--until", "seat_share ± 1_0 pp"],
            '--until: "seat_share ± 1_0 pp" is not allowed: "1_0" is',
        ),
        (["run", "x.toml", "--jobs", "1e9"], '--jobs: "1e9" is not allowed: must be a whole number'),
        ([*TRACE[:-1], "moody@latin.toml"], '--bots: bot "moody@latin.toml": latin.toml: is not a text file in UTF-8'),
        ([*TRACE[:-1], "\u2603"], '--bots: no bot "\u2603": choose from runner, walker, moody'),
        (["parameters", "head_strat", *DICE], 'head_strat in Dice race: unknown, did you mean "head_start"?'),
        (["parameters", "mroe", *DICE], 'mroe in Dice race: unknown, did you mean "spaces.more"?'),
        (["parameters", "spcaes.*", *DICE], 'spcaes.* in Dice race: matches no parameter, did you mean "spaces.*"?'),
        (["parameters", "zzz*", *DICE], "zzz* in Dice race: matches no parameter: choose from "),
        (["parameters", "--game", "chess"], 'no game "chess": choose from '),
        (["show", "x.toml", "--deal", "x"], '--deal: "x" is not allowed: must be a whole number'),
        (["seats", "done", "done"], "done: is listed twice"),
        (["seats", "done", "--csv", "-", "--json"], "--json: cannot be combined with --csv"),
        (["report"], "Missing argument"),
        (["run", "\udcff.toml"], "'\\udcff.toml': is not text in UTF-8"),
    ],
)
def test_a_wrong_word_is_named(command: Run, arguments: list[str], line: str) -> None:
    """Each line begins with what is wrong, and suggests similar names."""
    assert refused(command, arguments).startswith(line)


PROGRAM = """
import sys
from tests.dice_game import GAME
from rogsim.game.registry import register
from rogsim.cli.app import main
register(GAME)
main()
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["parameters", "--all", "--game", "river-of-gold"],
        ["seats", "done"],
        ["scenario", "schema", "--game", "dice-race"],
    ],
)
def test_the_reader_of_the_output_has_gone(arguments: list[str], results: Path) -> None:
    """If the reader of a pipe has gone, a command ends quietly with the exit code of other Unix programs."""
    reader, writer = os.pipe()
    os.close(reader)
    root = Path(rogsim.__file__).parents[1]
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=results.parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)},
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (process.returncode, process.stderr) == (BROKEN_PIPE, "")
