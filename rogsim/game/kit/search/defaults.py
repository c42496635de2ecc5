"""What a search does unless its game knows better: it tries every action, and all seats play on at random."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from rogsim.game.compiler import part
from rogsim.game.kit import calls
from rogsim.game.kit.search.hooks import evaluate
from rogsim.game.kit.search.lines import keep_line, search_of
from rogsim.game.kit.search.playouts import carry_out, list_legal
from rogsim.game.kit.search.settings import lines_to_keep
from rogsim.game.rng import draw, fresh_key
from rogsim.game.rules import Rules


@cache
def scratch_of(rules: Rules, *fields: Any) -> np.dtype[Any]:
    """Return the dtype of the memory that these functions need, behind fields of a game."""
    return np.dtype(
        [
            *fields,
            ("search", search_of(rules.state, rules.largest_menu, 1)),
            ("menu", rules.menu),
            ("scores", rules.scores, (rules.most_seats,)),
        ],
        align=True,
    )


@part
def list_actions(tables: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> None:
    """List every legal action as a line of one step; if they are too many, those that look best right after it."""
    search, seat = scratch.search, calls.actor(view)
    calls.deal_world(tables, view, seat, memory.stream, search.world)
    search.wanted = lines_to_keep(memory, search)
    search.kept = 0
    for i in range(menu.count):
        search.steps[0] = menu.actions[i]
        search.line = search.world.game
        carry_out(tables, search.line, int(menu.actions[i]))
        keep_line(search, evaluate(tables, search.line, seat, scratch))


@part
def deal_any_world(tables: Any, view: Any, number: int, memory: Any, scratch: Any) -> None:
    """Deal a world, and new random numbers for those who play on."""
    search = scratch.search
    calls.deal_world(tables, view, calls.actor(view), memory.stream, search.world)
    search.chance.key = fresh_key(memory.stream)


@part
def move_at_random(tables: Any, state: Any, scratch: Any) -> None:
    """Take a uniformly random legal action."""
    list_legal(tables, state, scratch.menu)
    place = draw(scratch.search.chance, int(scratch.menu.count))
    carry_out(tables, state, int(scratch.menu.actions[place]))


@part
def share_now(tables: Any, state: Any, seat: int, scratch: Any) -> float:
    """Return a seat's win share as if the game ended now."""
    calls.score(tables, state, scratch.scores)
    return float(scratch.scores[seat].win_share)


@part
def none_left(tables: Any, state: Any, scratch: Any) -> float:
    """Return 0, so that lines are always played on."""
    return 0.0
