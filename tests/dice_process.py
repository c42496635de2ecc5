"""The dice race in processes of their own, which tests may kill, forked by a nursery where everything is loaded.

`python -m tests.dice_process ARGUMENTS` is `rogsim ARGUMENTS`.

`python -m tests.dice_process nursery` compiles the game once; when it reads the keywords of `rogsim.run` as a line of
JSON it forks a player and tells its process id; at the next line it waits for that player and tells how it ended.

`python -m tests.dice_process commands SOCKET` forks a command line for each message with its words, folder and
environment as JSON and where its output goes, and tells its process id. Asked about a process id, it tells how that
process ended, or null while it runs.
"""

from __future__ import annotations

import atexit
import gc
import json
import math
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from rogsim.__main__ import command
from rogsim.game.registry import register
from tests.dice_game import GAME
from tests.dice_game.bots import moody, runner
from tests.sketches import sketch_figures

ROOT = Path(__file__).parents[1]
PROGRAM = [sys.executable, "-m", "tests.dice_process"]
NURSERY, COMMANDS = "nursery", "commands"
MESSAGE = 1 << 16  # bytes, at most
LOADED = (  # what commands load when they need it
    "rogsim.cli.results",
    "rogsim.experiments.run",
    "rogsim.report.render.write",
    "rogsim.report.changes_page",
    "rogsim.report.optimize_page",
    "rogsim.report.questions",
    "rogsim.report.sweep_page",
    "rogsim.report.tournament_page",
)
# What every player needs; the last ones for two workers, and for files.
LOADED_BY_PLAYERS = ("scipy.special", "rogsim.experiments.run", "joblib", "polars._utils.parquet", "email.parser")
SLOW_DISK = "ROGSIM_TEST_SLOW_DISK"  # set: bringing a file to the disk takes SECONDS more, so that kills fall into it
SECONDS = 0.002
WITH_PAGES = ("sweep", "compare", "optimize", "tournament")  # commands that write one; their figures are not drawn
SCENARIO = """# Is any seat favoured?
game = "dice-race"
players = [2]
games = {games}
seed = 1
bots = ["runner"]

[sweep.over]
"head_start.2" = [0, 1, 2]

[balance]
goal = "seat_share equal ± 20 pp"
games = 1_000
over = {{ "head_start.2" = [0, 1, 2] }}
"""


def scenario_text(games: int) -> str:
    """A scenario that can be played, compared, swept and searched."""
    return SCENARIO.format(games=games)


class Command:
    """A command line on its way, with what tests use of `subprocess.Popen`."""

    def __init__(self, words: tuple[str, ...], cwd: Path) -> None:
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT), SLOW_DISK: "1"}
        ends = [os.pipe() for _ in ("output", "error output")]
        self.stdout, self.stderr = (os.fdopen(end, encoding="utf-8") for end, _ in ends)
        self.pid: int = ask({"words": words, "cwd": str(cwd), "environment": environment}, [end for _, end in ends])
        for _, end in ends:
            os.close(end)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return how it ended: its exit code, or minus the signal that killed it; None while it runs."""
        if self.returncode is None:
            self.returncode = ask(self.pid)
        return self.returncode

    def wait(self, timeout: float = math.inf) -> int:
        until = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired(PROGRAM, timeout)
            time.sleep(0.005)
        return code

    def communicate(self, timeout: float = math.inf) -> tuple[str, str]:
        """Return what it printed, once nobody holds its output any more and it has ended."""
        until = time.monotonic() + timeout
        found = {self.stdout.fileno(): b"", self.stderr.fileno(): b""}
        left = set(found)
        while left:
            patience = until - time.monotonic()
            ready = select.select(left, [], [], min(max(patience, 0), 1))[0]
            if not ready and patience < 0:
                raise subprocess.TimeoutExpired(PROGRAM, timeout)
            for end in ready:
                more = os.read(end, MESSAGE)
                found[end] += more
                if not more:
                    left.remove(end)
        self.wait(max(until - time.monotonic(), 1))
        out, err = (text.decode() for text in found.values())
        return out, err

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@contextmanager
def start_command(*arguments: str, cwd: Path) -> Iterator[Command]:
    """A command line on its way, leader of a process group of its own. Uncompiled, as that starts faster."""
    process = Command(arguments, cwd)
    with process.stdout, process.stderr:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def ask(order: Any, ends: list[int] | None = None) -> Any:
    """What the nursery of commands answers; `ends` is where the output of a new one goes."""
    orders = commands()
    socket.send_fds(orders, [json.dumps(order).encode()], ends or [])
    return json.loads(orders.recv(MESSAGE))


@cache
def commands() -> socket.socket:
    """The way to a nursery of commands, which lasts as long as this process."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    nursery = subprocess.Popen(
        [*PROGRAM, COMMANDS, str(its.fileno())],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "OPENBLAS_NUM_THREADS": "1", SLOW_DISK: "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[its.fileno()],
    )
    its.close()

    def close() -> None:
        ours.close()
        nursery.wait()

    atexit.register(close)
    return ours


@dataclass(frozen=True)
class Nursery:
    """The end of a nursery that a test holds."""

    orders: IO[str]
    answers: IO[str]

    def start(self, **keywords: Any) -> int:
        """Let a player start, and return its process id, which stays its own until `wait` is called."""
        return self._ask(keywords)

    def wait(self) -> int:
        """Return how the player ended: its exit code, or minus the signal that killed it."""
        return self._ask("wait")

    def _ask(self, order: Any) -> int:
        self.orders.write(json.dumps(order) + "\n")
        self.orders.flush()
        return int(self.answers.readline())


@contextmanager
def open_nursery() -> Iterator[Nursery]:
    """A nursery that is ready."""
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1", SLOW_DISK: "1"}
    with subprocess.Popen(
        [*PROGRAM, NURSERY], cwd=ROOT, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Nursery(process.stdin, process.stdout)
        finally:
            process.stdin.close()


def nurse() -> None:
    """Fork a player for each line. Everything is loaded, so that players begin at once.

    Nothing is played here, because a fork would lose the threads in which polars works.
    """
    for name in LOADED_BY_PLAYERS:
        import_module(name)

    GAME.warm()
    for bot in (runner, moody):
        GAME.compile_bot(bot.choose)
    gc.freeze()  # or else each player would copy what is loaded when it looks for garbage
    before = threads()
    for order in sys.stdin:
        assert threads() == before
        player = os.fork()
        if player == 0:
            play(**json.loads(order))
        print(player, flush=True)
        sys.stdin.readline()
        print(os.waitstatus_to_exitcode(os.waitpid(player, 0)[1]), flush=True)


def nurse_commands(orders: socket.socket) -> bool:
    """Fork a command for each order. Returns True in the process of a command, which then begins."""
    for name in ("rogsim.cli.app", *LOADED):
        import_module(name)
    before = threads()
    while True:
        message, ends, *_ = socket.recv_fds(orders, MESSAGE, 2)
        if not message:
            return False
        order = json.loads(message)
        if isinstance(order, int):
            ended, status = os.waitpid(order, os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if ended else None
        else:
            assert threads() == before
            ready, begun = os.pipe()
            answer = os.fork()
            if answer == 0:
                orders.close()
                prepare(**order, ends=ends)
                os.close(ready)
                os.close(begun)
                return True
            for end in (begun, *ends):
                os.close(end)
            os.read(ready, 1)  # until the new process leads its own group
            os.close(ready)
        orders.send(json.dumps(answer).encode())


def prepare(words: list[str], cwd: str, environment: dict[str, str], ends: list[int]) -> None:
    """Make a process that was just forked like one that was started with these words."""
    os.setsid()
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # with `nohup` the tests and what they start would ignore it
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # found anew
    for number, end in enumerate(ends, start=1):
        os.dup2(end, number)
        os.close(end)
    sys.argv[1:] = words


def threads() -> list[str]:
    """The names of the threads of this process."""
    return [path.read_text() for path in Path("/proc/self/task").glob("*/comm")]


def play(**keywords: Any) -> None:
    """Play as a process that was just forked, and end it."""
    try:
        from rogsim.experiments.run import run

        run(**keywords)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    os._exit(0)


def slow_disk() -> None:
    """Make every fsync of this process take a little longer."""
    fsync: Callable[[int], None] = os.fsync

    def slowly(file: int) -> None:
        time.sleep(SECONDS)
        fsync(file)

    os.fsync = slowly  # type: ignore[assignment]


if __name__ == "__main__":
    register(GAME)
    if os.environ.get(SLOW_DISK):
        slow_disk()
    if sys.argv[1:] == [NURSERY]:
        nurse()
    elif sys.argv[1] != COMMANDS or nurse_commands(socket.socket(fileno=int(sys.argv[2]))):
        if sys.argv[1] in WITH_PAGES:
            sketch_figures()
        command()
