"""The dice race in processes of their own, which tests may kill: the command line, or players that a nursery forks.

`python -m tests.dice_process ARGUMENTS` is `rogsim ARGUMENTS`. `python -m tests.dice_process nursery` compiles the game
once; when it reads the keywords of `rogsim.run` as a line of JSON it forks a player and tells its process id; at the
next line it waits for that player and tells how it ended.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from rogsim.__main__ import command
from rogsim.game.registry import register
from tests.dice_game import GAME
from tests.dice_game.bots import moody, runner
from tests.sketches import sketch_figures

ROOT = Path(__file__).parents[1]
PROGRAM = [sys.executable, "-m", "tests.dice_process"]
NURSERY = "nursery"
SLOW_DISK = "ROGSIM_TEST_SLOW_DISK"  # set: bringing a file to the disk takes SECONDS more, so that kills fall into it
SECONDS = 0.002
WITH_PAGES = ("sweep", "compare", "balance", "tournament")  # commands that write one; their figures are not drawn
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


@contextmanager
def start_command(*arguments: str, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """A command line on its way, leader of a process group of its own. Uncompiled, as that starts faster."""
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT), SLOW_DISK: "1"}
    process = subprocess.Popen(
        [*PROGRAM, *arguments],
        cwd=cwd,
        env=env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


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
    import rogsim.experiments.run  # noqa: F401

    GAME.warm()
    for bot in (runner, moody):
        GAME.compile_bot(bot.choose)
    before = threads()
    for order in sys.stdin:
        assert threads() == before
        player = os.fork()
        if player == 0:
            play(**json.loads(order))
        print(player, flush=True)
        sys.stdin.readline()
        print(os.waitstatus_to_exitcode(os.waitpid(player, 0)[1]), flush=True)


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
    else:
        if sys.argv[1] in WITH_PAGES:
            sketch_figures()
        command()
