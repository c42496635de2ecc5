"""The command that usually comes next, proposed below what a command printed."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rogsim.base.prose import write

if TYPE_CHECKING:
    from rogsim.game.spec import GameSpec


def propose(*words: object) -> None:
    """Print a command to go on with, if a person reads the output: a pipe gets no such line."""
    if sys.stdout.isatty():
        write(f"Next: {shlex.join(['rogsim', *map(str, words)])}")


def stronger_bot(spec: GameSpec, names: Sequence[str]) -> str | None:
    """Return the bot on the game's ladder above all that have played; None if there is none, or they are not on it."""
    places = [spec.ladder.index(name) for name in names if name in spec.ladder]
    if len(places) < len(names):
        return None
    return next(iter(spec.ladder[max(places, default=-1) + 1 :]), None)
