"""Sweeps, comparisons, searches, tournaments and tunings that are killed while they work: nobody can tell afterwards.

ROGSIM_TEST_KILLS says how many kills there are in all, over the five commands. By default there are two, of commands
that tests/test_kills.py does not kill.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

import pytest

from rogsim.game import compiler
from tests.command_line import rogsim_command
from tests.dice_process import scenario_text, start_command
from tests.faults.test_workers_end import is_running, members

pytestmark = [
    pytest.mark.skipif(compiler.ENABLED, reason="a command is killed the same way, compiled or not"),
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs Linux"),
]

PATIENCE = 300  # seconds
BOTS = ["--game", "dice-race", "--bots", "runner,walker,moody", "--players", "2,3", "--games", "60"]
TUNED = ["--game", "dice-race", "--against", "walker", "--players", "2", "--generations", "6", "--games", "10"]
ROWS = ["--chunk", "10", "--jobs", "2"]
COMMANDS = {
    "sweep": ["sweep", "x.toml", *ROWS, "--out", "page"],
    "compare": ["compare", "x.toml", "--change", "head_start.2 = 1", *ROWS, "--out", "page"],
    "optimize": ["optimize", "x.toml", "--confirm", "100", *ROWS, "--out", "page"],
    "tournament": ["tournament", *BOTS, *ROWS, "--out", "page"],
    "tune": ["tune", "moody", *TUNED, "--held-out", "100", "--out", "moody.toml", "--jobs", "2"],
}
QUICK = ("tournament", "tune")
ASKED = int(os.environ.get("ROGSIM_TEST_KILLS", "0"))
KILLS = -(-ASKED // len(COMMANDS)) or 1  # of each command
TIMED = ("manifest.json", "tournament.json")  # they say when they were made


@dataclass(frozen=True)
class Calm:
    """What a command that nobody disturbed left: what it said, its files, and how many names appeared on the way."""

    said: str
    files: dict[str, bytes]
    appeared: int


@pytest.fixture(params=COMMANDS if ASKED else QUICK)
def command(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """The name of a command; files that it leaves in the system's folder for such are seen, too."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    yield request.param
    assert not left_in(tmp_path / "temporary")


@pytest.mark.usefixtures("dice_race", "sketched")
def test_what_is_killed_goes_on_and_ends_as_if_nothing_had_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Killed at any moment: the same words, the same files byte for byte, none besides them, and no process left."""
    calm = undisturbed(tmp_path / "calm", command)
    chance, kills, turn = random.Random(list(COMMANDS).index(command)), 0, 0
    while kills < KILLS:
        folder, turn = begin(tmp_path / f"turn-{turn}"), turn + 1
        for _ in range(min(3, KILLS - kills)):  # some are killed again while they go on
            if not killed(folder, command, calm.appeared, chance):
                break
            kills += 1
        monkeypatch.chdir(folder)
        code, out, err = rogsim_command(*COMMANDS[command])
        assert (code, out) == (0, calm.said), err
        assert contents(folder) == calm.files


def undisturbed(folder: Path, command: str) -> Calm:
    with start_command(*COMMANDS[command], cwd=begin(folder)) as process:
        appeared = watch(folder, process, most=10**9)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    return Calm(out, contents(folder), appeared)


def begin(folder: Path) -> Path:
    folder.mkdir()
    (folder / "x.toml").write_text(scenario_text(games=60))
    return folder


def killed(folder: Path, command: str, appeared: int, chance: random.Random) -> bool:
    """Let a command work in a folder, and kill it at a random moment; False if it was done before that."""
    with start_command(*COMMANDS[command], cwd=folder) as process:
        watch(folder, process, most=chance.randint(1, appeared))
        time.sleep(chance.uniform(0, 0.02))
        family = members(process.pid)
        number = chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
        process.send_signal(number)  # does nothing where it is done
        _, err = process.communicate(timeout=PATIENCE)
    if process.returncode == 0:
        return False
    assert process.returncode == -number, err
    print(f"\n{command}: {number.name} in stage {stage(folder)}")
    until = time.monotonic() + 10
    while left := [pid for pid in family if is_running(pid)]:
        assert time.monotonic() < until, left
        time.sleep(0.05)
    return True


def watch(folder: Path, process: Popen[str], most: int) -> int:
    """Wait until so many names appeared below a folder that were not there, or the command is done; how many did."""
    before = {str(path) for path in folder.rglob("*")}
    seen: set[str] = set()
    while process.poll() is None and len(seen) < most:
        seen |= listed(folder) - before
        time.sleep(0.001)
    return len(seen)


def listed(folder: Path) -> set[str]:
    """All paths below a folder in which files come and go."""
    return {f"{where}/{name}" for where, inside, files in os.walk(folder) for name in (*inside, *files)}


def stage(folder: Path) -> str:
    """What a killed command was at."""
    names = [path.name for path in folder.rglob("*")]
    if any(name.endswith((".new", ".old")) for name in names):
        return "writing the page"
    if (folder / "page").exists() or (folder / "moody.toml").exists():
        return "at the end"
    if any(name.endswith(".tmp") for name in names):
        return "writing rows or state"
    rows = sum(name.endswith(".parquet") for name in names) // 2
    generations = sum(path.read_text().count('"asked"') for path in folder.glob("*.state.json"))
    return "between rows or generations" if rows or generations else "before the first rows"


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder; of those that say when they were made only the names, and no locks."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != ".lock"]
    return {
        path.relative_to(folder).as_posix(): b"" if path.name in TIMED else path.read_bytes() for path in sorted(files)
    }


def left_in(folder: Path) -> list[str]:
    """What commands left in the folder for temporary files, but for the caches that libraries keep for all to come."""
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith(("matplotlib", "joblib")))
