"""Playing a possible game on."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel
from rogsim.game.kit import calls
from rogsim.game.kit.search.hooks import evaluate, move
from rogsim.game.kit.search.lines import NO_STEP


@kernel
def carry_out(tables: Any, state: Any, action: int) -> None:
    """Apply an action to a copy of the game."""
    calls.apply(tables, state, action)


@kernel
def list_legal(tables: Any, state: Any, menu: Any) -> None:
    """List the legal actions in a copy of the game."""
    calls.legal(tables, state, menu)


@kernel
def start_line(tables: Any, choice: int, scratch: Any) -> None:
    """Carry out a kept line in the world."""
    search = scratch.search
    search.chance.count = 0
    search.line = search.world.game
    for i in range(len(search.steps)):
        step = int(search.lines[choice, i])
        if step == NO_STEP:
            break
        carry_out(tables, search.line, step)


@kernel
def play_on(tables: Any, seat: int, choice: int, turns: int, scratch: Any) -> float:
    """Carry out a kept line in the world, let all seats play on, and evaluate the position for a seat.

    Returns
    -------
    float
        Its worth once `turns` more turns have been played, or at the end of the game.
    """
    search = scratch.search
    start_line(tables, choice, scratch)
    last = calls.turn(search.world.game) + turns
    while not calls.is_over(search.line) and calls.turn(search.line) <= last:
        move(tables, search.line, scratch)
    return evaluate(tables, search.line, seat, scratch)
