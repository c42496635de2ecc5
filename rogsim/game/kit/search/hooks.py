"""`Search`: what a game can say about how its bots think ahead, and what they do unless it says so.

By default a search tries every action, and all seats play on at random. Compiled code finds the functions of a search
by the type of its memory, as it finds rules (`rogsim.game.kit.calls`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba.extending
import numpy as np

from rogsim.game.compiler import kernel, note_sources, part, records
from rogsim.game.kit import calls
from rogsim.game.kit.calls import found_by
from rogsim.game.kit.search.lines import NO_STEP, keep_line, lines_to_keep, search_of
from rogsim.game.rng import draw, fresh_key
from rogsim.game.rules import Rules, rules_of

_SEARCHES: dict[np.dtype[Any], Any] = {}


def keep_search(search: Any) -> None:
    """Let the hooks find a search by the dtype of its memory; ValueError if another one has the same fields or more.

    Compiled code takes a record with further fields at the end for one without them.
    """
    for known in _SEARCHES:
        if _contains(known, search.scratch) or _contains(search.scratch, known):
            raise ValueError(
                "another search has the same memory, at least at the beginning: put a field of its own first"
            )
    _SEARCHES[search.scratch] = search
    note_sources(search.scratch, vars(search).values())


def _contains(wide: np.dtype[Any], narrow: np.dtype[Any]) -> bool:
    """Return whether a record has all fields of another, at the same places."""
    return dict(narrow.fields or {}).items() <= dict(wide.fields or {}).items()


def of_scratch(scratch: np.dtype[Any]) -> Any:
    """Return the search that has this dtype of memory."""
    return _SEARCHES[scratch]


of_the_search = found_by(of_scratch, "scratch", inline=False)


@of_the_search
def list_lines(tables: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> None:
    """List the lines to compare in `scratch.search`."""


@of_the_search
def deal_next_world(tables: Any, view: Any, number: int, memory: Any, scratch: Any) -> None:
    """Deal the world with this number, from 0, to `scratch.search.world`."""


@of_the_search
def move(tables: Any, state: Any, scratch: Any) -> None:
    """Let the actor of a game that is played on take at least one action."""


@of_the_search
def evaluate(tables: Any, state: Any, seat: int, scratch: Any) -> float:
    """Return the worth of a position for a seat."""
    raise NotImplementedError


@of_the_search
def time_left(tables: Any, state: Any, scratch: Any) -> float:
    """Return the share of the game that is left."""
    raise NotImplementedError


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
