"""`Search`: what a game can say about how its bots think ahead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba.extending
import numpy as np

from rogsim.game.compiler import records
from rogsim.game.kit.search.defaults import (
    deal_any_world,
    list_actions,
    move_at_random,
    none_left,
    scratch_of,
    share_now,
)
from rogsim.game.kit.search.hooks import keep_search
from rogsim.game.rules import rules_of


@dataclass(frozen=True, eq=False)
class Search:
    """How a bot thinks ahead. All functions are compiled (`rogsim.game.compiler`), and have defaults for any game.

    A bot passes its memory to `search_choice` or `plan_choice`, which find these functions by its dtype.

    Attributes
    ----------
    scratch : dtype
        The memory for one choice. Its field `search` is of a dtype that `search_of` returns. The defaults also need the
        fields of `scratch_of`. No two searches share their first fields.
    list_lines(tables, view, menu, memory, scratch)
        Fills `lines`, `worths` and `kept` of `scratch.search`: the lines to compare, what each is worth at first sight,
        and their number. The default lists every legal action.
    deal_next_world(tables, view, number, memory, scratch)
        Fills `scratch.search.world` with a game that looks to the actor exactly like its view, by random numbers from
        `memory.stream`. `number` counts the worlds of a choice from 0.
    move(tables, state, scratch)
        Lets the actor of a game that is played on take one action or more, by random numbers from
        `scratch.search.chance` if it needs any. The default takes a random action.
    evaluate(tables, state, seat, scratch) -> float
        The worth of a position for a seat, best from 0 to 1. The default is its win share if the game ended now.
    time_left(tables, state, scratch) -> float
        The share of the game that is left, from 1 to 0. The default returns 0.
    """

    scratch: np.dtype[Any]
    list_lines: Callable[[Any, Any, Any, Any, Any], None] = list_actions
    deal_next_world: Callable[[Any, Any, int, Any, Any], None] = deal_any_world
    move: Callable[[Any, Any, Any], None] = move_at_random
    evaluate: Callable[[Any, Any, int, Any], float] = share_now
    time_left: Callable[[Any, Any, Any], float] = none_left

    def __post_init__(self) -> None:
        """Let the kit find these functions."""
        keep_search(self)


@cache
def default_search(state: np.dtype[Any]) -> Search:
    """Return the search with all defaults for the game that has this dtype of states."""
    return Search(scratch_of(rules_of(state)))


def scratch_for(view: Any) -> Any:
    """Return new memory for the search with all defaults, an array of one record."""
    return records(default_search(np.dtype(view.dtype)).scratch, 1)


def _scratch_for(view: Any) -> Any:
    """Let compiled functions create this memory."""
    scratch = default_search(view.dtype).scratch
    return lambda view: np.zeros(1, scratch)


numba.extending.overload(scratch_for, strict=False)(_scratch_for)
