"""`python -m tests.workbench.with_examples ARGUMENTS` is `rogsim ARGUMENTS` where the example games are installed."""

from __future__ import annotations

from rogsim.__main__ import command
from rogsim.game.compiler import ENABLED
from rogsim.game.registry import register
from rogsim.workbench import watched
from tests.example_games import harbour, kuhn, pig

if __name__ == "__main__":
    for example in (pig, kuhn, harbour):
        register(example.GAME)
    if not ENABLED:  # then games are played on slowly, and an export would take minutes
        watched.LOOKS = ((2, 2), (3, 3))
    command()
