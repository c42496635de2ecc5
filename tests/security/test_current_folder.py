"""Nothing that somebody put into the current folder decides what runs or what is drawn."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from rogsim.base.process_settings import same_modules
from tests.dice_process import scenario_text, start_command

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
# A trap has the name of a module of Python or of an installed package, rogsim among them.
NAMES = {*sys.stdlib_module_names, *packages_distributions(), "rogsim", "tests"}
TRAPS = sorted(name for name in NAMES if name.isidentifier())
TRAP = """import os
with open({fired!r}, "a") as fired:
    fired.write({name!r} + " ")
os._exit(77)
"""
BOT = """class Mine:
    def choose(self, observation, actions):
        return 0
"""
PAIR = ("--game", "dice-race", "--players", "2")
SHORT = ("--generations", "1", "--games", "20", "--jobs", "2")
# Most of these play in two processes that they start, because of the bot.
COMMANDS = [
    ["run", "race.toml", "--games", "20", "--jobs", "2", "--out", "rows"],
    ["status", "rows"],
    ["verify", "rows", "--bots-from", ".", "--games", "4"],
    ["seats", "rows"],
    ["report", "rows", "--out", "page"],
    ["sweep", "race.toml", "--games", "4", "--jobs", "2"],
    ["compare", "race.toml", "--games", "4", "--change", "head_start.2=1", "--jobs", "2"],
    ["optimize", "race.toml", "--games", "1000", "--bots", "runner", "--confirm", "100", "--jobs", "2"],
    ["settle", "race.toml", "--bots", "walker,runner,mine.py:Mine", "--games", "90", "--first-look", "30"],
    ["tournament", *PAIR, "--bots", "mine.py:Mine,runner", "--games", "4", "--jobs", "2"],
    ["tune", "moody", *PAIR, *SHORT, "--against", "walker", "--held-out", "100", "--out", "moody.toml"],
    ["train", "short.toml", *SHORT, "--games", "100", "--held-out", "20", "--out", "learned.toml"],
    ["bots", "--profile", *PAIR, "--bots", "mine.py:Mine,runner", "--games", "4", "--jobs", "2", "--out", "profile"],
    ["check-bot", "mine.py:Mine", "--game", "dice-race", "--games", "1"],
    ["trace", *PAIR, "--bots", "mine.py:Mine,runner", "--out", "trace.jsonl"],
    ["show", "trace.jsonl"],
    ["scenario", "check", "race.toml"],
    ["scenario", "explain", "race.toml"],
    ["scenario", "new", "new", "--game", "dice-race"],
    ["scenario", "schema"],
    ["parameters", "--game", "dice-race"],
    ["games"],
    ["bots", "--game", "dice-race"],
]
# In notebooks, the search for modules begins in the current folder.
PROGRAM = """
import os, sys
from importlib import import_module
import rogsim
from rogsim.game.registry import register
from tests.dice_game import GAME

register(GAME)
keys = {"game": "dice-race", "players": [2], "games": 4, "seed": 1, "bots": ["runner"]}
# Everything that this process itself needs is loaded before it comes into the folder.
if BACKEND != "processes":
    import_module(f"rogsim.simulation.{BACKEND}_cluster")
rogsim.run(keys, backend="threads", jobs=2)
os.chdir(sys.argv[1])
place = sys.path.index("")
assert len(rogsim.run(keys, backend=BACKEND, jobs=2).games().collect()) == 4
assert (sys.path.index(""), os.environ.get("PYTHONSAFEPATH")) == (place, None)
"""


def trap(folder: Path, names: list[str]) -> None:
    for name in names:
        (folder / f"{name}.py").write_text(TRAP.format(fired=str(folder / "fired"), name=name))


# Settings of matplotlib that it would draw with, warn about, or fail with.
RC = b"lines.linewidth: 12\ntext.usetex: True\nimage.lut: 3\nnonsense: 3\nfont.family: \xff\n"
WRONG = {"MPLBACKEND": "nonsense", "SOURCE_DATE_EPOCH": "abc", "POLARS_ENGINE_AFFINITY": "gpu"}


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a trap of each name, which would leave its name in a file, and with scenarios and a bot."""
    folder = tmp_path_factory.mktemp("trapped")
    trap(folder, TRAPS)
    (folder / "mine.py").write_text(BOT)
    (folder / "race.toml").write_text(scenario_text(20).replace('["runner"]', '["runner", "mine.py:Mine"]'))
    (folder / "short.toml").write_text(
        'game = "dice-race"\nplayers = [2]\ngames = 4\nseed = 1\nbots = ["runner"]\noptions = { short = 3, long = 3 }\n'
    )
    return folder


def fired(folder: Path) -> str:
    """What has fired since this was last asked."""
    marks = folder / "fired"
    found = marks.read_text() if marks.exists() else ""
    marks.unlink(missing_ok=True)
    return found


def test_no_command_runs_what_is_named_like_a_module(trapped: Path) -> None:
    """Nor does any Python that it starts, itself or through a library; a Python that searches the folder does."""
    for words in COMMANDS:
        with start_command(*words, cwd=trapped) as command:
            out, err = command.communicate(timeout=120)
        assert (fired(trapped), words, command.returncode) == ("", words, 0), out + err
    subprocess.run([sys.executable, "-c", "import argparse"], cwd=trapped, check=False)
    assert fired(trapped) == "argparse "


def test_the_program_runs_nothing_from_the_folder(trapped: Path) -> None:
    """The installed one, from its first import on."""
    program = Path(sysconfig.get_path("scripts")) / "rogsim"
    words = ["run", "seat-order", "--players", "2", "--games", "2", "--bots", "random", "--jobs", "2"]
    done = subprocess.run([program, *words], cwd=trapped, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (fired(trapped), done.returncode) == ("", 0), done.stderr


def test_started_with_m_it_searches_the_folder_no_more(tmp_path: Path) -> None:
    """Python itself puts the folder first; all that is not loaded by then comes from where it belongs."""
    code = "import runpy, sys, rogsim.__main__; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    trap(tmp_path, sorted(set(TRAPS) - set(loaded.stdout.split())))
    assert {"joblib", "multiprocessing", "numpy", "typer"} <= {path.stem for path in tmp_path.iterdir()}
    words = ["run", "seat-order", "--players", "2", "--games", "2", "--bots", "random", "--jobs", "2"]
    command = [sys.executable, "-m", "rogsim", *words]
    done = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (fired(tmp_path), done.returncode) == ("", 0), done.stderr


@pytest.mark.parametrize("name", ["processes", "dask", "ray"])
def test_a_notebook_starts_nothing_from_the_folder(trapped: Path, tmp_path: Path, name: str) -> None:
    """The search begins there in the notebook itself, but in none of its workers; afterwards all is as before."""
    command = [sys.executable, "-c", f"BACKEND = {name!r}{PROGRAM}", str(trapped)]
    done = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (fired(trapped), done.returncode) == ("", 0), done.stderr


def test_a_page_is_the_same_whatever_lies_in_the_folder(tmp_path: Path) -> None:
    """Settings of libraries in files there or of the user, or in variables, change no byte and print no word."""
    plain, hostile = tmp_path / "plain", tmp_path / "hostile"
    (hostile / "config" / "stylelib").mkdir(parents=True)
    plain.mkdir()
    (tmp_path / "机器人.py").write_text(BOT)
    (tmp_path / "race.toml").write_text(scenario_text(20).replace('["runner"]', '["runner", "机器人.py:Mine"]'))
    with start_command("run", "race.toml", "--out", "rows", cwd=tmp_path) as command:
        assert command.wait(timeout=120) == 0
    for name in ("matplotlibrc", "config/matplotlibrc"):
        (hostile / name).write_bytes(RC)
    (hostile / "config" / "stylelib" / "default.mplstyle").write_text("lines.linewidth: 9\nnonsense: 1\n")
    (hostile / ".numba_config.yaml").write_text("opt: [")
    given = WRONG | {"MATPLOTLIBRC": str(hostile / "config"), "MPLCONFIGDIR": str(hostile / "config")}
    told = []
    for folder, more in ((plain, {}), (hostile, given)):
        words = [ROOT / "tests" / "dice_process.py", "report", "../rows", "--out", "page"]
        environment = ENVIRONMENT | more
        done = subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)
        told.append((done.returncode, done.stdout, done.stderr))
    assert told[0] == told[1]
    assert told[0][0] == 0
    found = [sorted(folder.rglob("page/**/*.*")) for folder in (plain, hostile)]
    pages = [{path.name: path.read_bytes() for path in paths} for paths in found]
    assert {"index.html", "seats.svg", "seats.png"} <= pages[0].keys()
    assert [name for name in pages[0] if pages[0][name] != pages[1][name]] == []


def test_every_python_that_is_started_is_told_where_to_search(trapped: Path) -> None:
    """The environment for it names all folders that are searched here, and keeps it from the current one."""
    code = "import argparse, joblib, rogsim, tests.dice_game"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=trapped, env=same_modules(), capture_output=True, check=False)
    assert (fired(trapped), done.returncode) == ("", 0), done.stderr
    starting = [path for path in (ROOT / "rogsim").rglob("*.py") if "[sys.executable" in path.read_text()]
    assert len(starting) >= 3
    assert [path for path in starting if "same_modules()" not in path.read_text()] == []
