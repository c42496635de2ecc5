"""Comparing lines in possible worlds: what planning and rollouts have in common."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import part
from rogsim.game.kit import calls
from rogsim.game.kit.search import hooks
from rogsim.game.kit.search.following import note_line, place_on_menu
from rogsim.game.kit.search.lines import add_values, sort_lines, start_totals
from rogsim.game.kit.search.playouts import play_on
from rogsim.game.kit.search.settings import TRUST


@part
def list_choices(tables: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> int:
    """List the lines to compare, and return their number."""
    hooks.list_lines(tables, view, menu, memory, scratch)
    start_totals(scratch.search, memory.weights[TRUST])
    sort_lines(scratch.search, int(scratch.search.kept))
    return int(scratch.search.kept)


@part
def try_in_next_world(tables: Any, view: Any, number: int, left: int, turns: int, memory: Any, scratch: Any) -> None:
    """Deal the next world, and play each line that is left on in it."""
    search, seat = scratch.search, calls.actor(view)
    hooks.deal_next_world(tables, view, number, memory, scratch)
    for i in range(left):
        choice = int(search.order[i])
        search.values[choice] = play_on(tables, seat, choice, turns, scratch)
    add_values(search, left)


@part
def take_best(view: Any, menu: Any, memory: Any, search: Any) -> int:
    """Note the best line, and return the place of its first step on the menu."""
    best = int(search.order[0])
    note_line(view, memory, search.lines[best])
    return max(place_on_menu(menu, int(search.lines[best, 0])), 0)
