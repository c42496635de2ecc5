"""Command lines in a real terminal of a chosen width: `python -m tests.terminal_process` runs those that it reads.

One process runs all, in terminals of several widths, because starting is slow. It reads them as JSON from a file and
prints a line before each. What a pipe would get of them, if that is wanted, it writes to another file first.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import sys
import termios
from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path

ROOT = Path(__file__).parents[1]
NEXT = "=== next ==="
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_screen(
    commands: Sequence[Sequence[str]],
    widths: Sequence[int],
    folder: Path,
    colour: bool = False,
    compiled: bool = False,
    piped: Path | None = None,
) -> list[list[str]]:
    """What a terminal of each width shows of each command line, run in a folder.

    colour: with the codes of colours. piped: the file for what a pipe gets of each.
    """
    words = folder / "commands.json"
    words.write_text(json.dumps([widths, commands, piped and str(piped)]))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    environment["NUMBA_DISABLE_JIT"] = str(int(not compiled))
    for name in ("COLUMNS", "NO_COLOR"):
        environment.pop(name, None)
    process, screen = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execve(sys.executable, [sys.executable, "-m", "tests.terminal_process", str(words)], environment)
    text = _all_of(screen).replace("\r\n", "\n")
    os.waitpid(process, 0)
    os.close(screen)
    shown = text if colour else CODES.sub("", text)
    # A line that a progress bar rewrites shows only its last state.
    parts = ["\n".join(line.split("\r")[-1] for line in part.split("\n")) for part in shown.split(f"{NEXT}\n")[1:]]
    assert len(parts) == len(widths) * len(commands)
    return [parts[start : start + len(commands)] for start in range(0, len(parts), len(commands))]


def _all_of(screen: int) -> str:
    read = b""
    while True:
        try:
            part = os.read(screen, 65536)
        except OSError:  # the other end is closed
            part = b""
        if not part:
            return read.decode()
        read += part


def run_all(widths: Sequence[int], commands: Sequence[Sequence[str]], piped: str | None) -> None:
    """Run command lines one after the other, all of them in each width."""
    from rogsim.cli import app
    from rogsim.experiments import bot_check
    from rogsim.game.registry import register
    from tests.command_line import APP, rogsim_command
    from tests.dice_game import GAME
    from tests.sketches import sketch_figures

    register(GAME)
    sketch_figures()  # what a terminal shows does not depend on figures
    bot_check.check_bot = cache(bot_check.check_bot)  # it starts processes, and finds the same in every width
    app.app_for = lambda _: APP
    if piped:
        Path(piped).write_text(json.dumps([rogsim_command(*words).out for words in commands]))
    for width, words in product(widths, commands):
        fcntl.ioctl(sys.stdout, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
        print(NEXT, flush=True)
        sys.argv = ["rogsim", *words]
        try:
            app.main()
        except SystemExit as end:
            if end.code:
                print(f"exit code {end.code}")
        sys.stdout.flush()


if __name__ == "__main__":
    run_all(*json.loads(Path(sys.argv[1]).read_text()))
