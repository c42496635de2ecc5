"""Worker processes end with the run that started them, whatever ends it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from subprocess import Popen

import pytest

from rogsim.game import compiler
from tests.dice_process import start_command

pytestmark = [
    pytest.mark.skipif(compiler.ENABLED, reason="workers end the same way, compiled or not"),
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs Linux"),
]

PATIENCE = 60  # seconds
SLEEPY = """
import time


class Sleepy:
    def choose(self, observation, actions):
        time.sleep(0.002)
        return 0
"""
SCENARIO = """# Is any seat favoured?
game = "dice-race"
players = [2]
games = 100_000
seed = 1
bots = ["sleepy.py:Sleepy"]
"""


@pytest.mark.parametrize(
    ("backend", "number"),
    [("processes", signal.SIGTERM), ("processes", signal.SIGKILL), ("dask", signal.SIGKILL)],
)
def test_no_worker_outlives_its_run(tmp_path: Path, backend: str, number: signal.Signals) -> None:
    """Within seconds of the signal no process of the run is left, and its output is closed.

    No process that a run starts is in its process group, which a terminal sends Ctrl-C to.
    """
    (tmp_path / "sleepy.py").write_text(SLEEPY)
    (tmp_path / "x.toml").write_text(SCENARIO)
    arguments = ["run", "x.toml", "--out", "out", "--backend", backend, "--jobs", "2", "--chunk", "2"]
    with start_command(*arguments, cwd=tmp_path) as process:
        wait_for_rows(tmp_path / "out", process)
        family = members(process.pid)
        assert len(family) >= 3
        if backend == "processes":
            assert [pid for pid in family if pid != process.pid and os.getpgid(pid) == process.pid] == []
        os.kill(process.pid, number)
        process.communicate(timeout=10)  # comes back only when nobody holds the output any more
        assert process.returncode == -number
        until = time.monotonic() + 10
        while left := [pid for pid in family if is_running(pid)]:
            assert time.monotonic() < until, left
            time.sleep(0.05)


def test_ctrl_c_after_the_last_word_is_no_error(tmp_path: Path) -> None:
    """Pressed while the worker processes are put away, it leaves no traceback behind the results."""
    (tmp_path / "x.toml").write_text(SCENARIO.replace("100_000", "40").replace("sleepy.py:Sleepy", "runner"))
    arguments = ["run", "x.toml", "--out", "out", "--backend", "processes", "--jobs", "2", "--chunk", "10"]
    with start_command(*arguments, cwd=tmp_path) as process:
        assert process.stdout is not None
        while process.stdout.readline() != "Rows and manifest: out\n":
            assert process.poll() is None
        time.sleep(0.05)  # of half a second that it takes to end
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the run and to all of its workers
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode in (0, 130), out, err) == (True, "", "")


def wait_for_rows(folder: Path, process: Popen[str]) -> None:
    until = time.monotonic() + PATIENCE
    while not list(folder.glob("seats/*.parquet")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)


def members(leader: int) -> list[int]:
    """The processes of the session that a process leads."""
    return [int(path.name) for path in Path("/proc").glob("[0-9]*") if session_of(path) == leader]


def session_of(path: Path) -> int | None:
    try:
        return int((path / "stat").read_text().rpartition(")")[2].split()[3])
    except (OSError, IndexError):
        return None


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
