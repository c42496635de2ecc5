"""The worth of touching shore spaces, and its average over the next sails."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import inlined, kernel, part
from rogsim.game.kit.bits import FIRST_OF_TWO, doubled, lowest, places_above, places_equal
from rogsim.game.kit.menus import at
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.notes import (
    ANY_GOOD,
    GOOD,
    OUTLOOK,
    ROYAL_SHORE,
    SHORE,
    TOUCHED,
    reward_worth,
)
from rogsim.games.river_of_gold.bots.worth import (
    koku_worth,
    owner_worth,
)
from rogsim.games.river_of_gold.components.names import (
    EMPTY,
    FACES,
    MARKET,
    NONE,
    RIVER_SPACES,
    SHORES_PER_RIVER_SPACE,
)
from rogsim.games.river_of_gold.rules.sail import (
    NOBLE_ANY_GOOD,
    NOBLE_KOKU,
    noble_amount,
    sail_target,
)
from rogsim.games.river_of_gold.rules.supply import has


@kernel
def note_outlook(tables: Any, view: Any, seat: int, memory: Any) -> None:
    """Store for every river space the average worth of the next sail of a ship there."""
    if memory.notes[w.OUTLOOK] == 0.0:
        return
    touched = memory.notes[TOUCHED : TOUCHED + RIVER_SPACES]
    note_all_touched(tables, view, seat, memory)
    total = 0.0  # over the spaces that the faces of the die reach
    for face in range(FACES):
        total += touched[face]
    for here in range(RIVER_SPACES):
        total += touched[at(sail_target(here, FACES))] - touched[at(here)]
        memory.notes[at(OUTLOOK + here)] = total / FACES


@part
def note_all_touched(tables: Any, view: Any, seat: int, memory: Any) -> None:
    """Note the worth of all buildings, and of what every river space touches."""
    note_touched_buildings(tables, view, seat, places_above(view.shore, EMPTY), memory)
    for to in range(RIVER_SPACES):
        memory.notes[TOUCHED + to] = sum_noted(tables, to, SHORE, memory)


@part
def note_reached(tables: Any, view: Any, seat: int, faces: int, memory: Any) -> None:
    """Note the worth of the buildings that the ships can touch with a mask of faces."""
    ships = view.players[at(seat)].ships
    shores = int(tables.reached[at(ships[0]), at(faces >> 1)]) | int(tables.reached[at(ships[1]), at(faces >> 1)])
    note_touched_buildings(tables, view, seat, shores & places_above(view.shore, EMPTY), memory)


@part
def note_touched_buildings(tables: Any, view: Any, seat: int, spaces: int, memory: Any) -> None:
    """Note the same as `shore_worth` for each of a mask of shore spaces, in passes that need no test for each space."""
    rest = spaces
    while rest != 0:
        space = lowest(rest)
        rest &= rest - 1
        tile, region = tables.tiles[at(view.shore[at(space)])], int(tables.shore_region[at(space)])
        memory.notes[at(SHORE + space)] = reward_worth(tables, view, seat, tile.visitor, region, memory)
    marked = doubled(spaces) & places_above(view.markers, NONE)
    own = marked & places_equal(view.markers, seat)
    for marker in range(2):  # in the order of the markers of a space
        add_own(tables, view, seat, own & FIRST_OF_TWO << marker, memory)
        take_rivals(tables, view, marked & ~own & FIRST_OF_TWO << marker, memory)


@inlined
def add_own(tables: Any, view: Any, seat: int, markers: int, memory: Any) -> None:
    """Add the owner rewards of a mask of the seat's markers, two to a space, to the notes of their spaces."""
    while markers != 0:
        space = lowest(markers) >> 1
        markers &= markers - 1
        tile, region = tables.tiles[at(view.shore[at(space)])], int(tables.shore_region[at(space)])
        memory.notes[at(SHORE + space)] += reward_worth(tables, view, seat, tile.owner, region, memory)


@inlined
def take_rivals(tables: Any, view: Any, markers: int, memory: Any) -> None:
    """Subtract part of the owner rewards of a mask of rivals' markers from the notes of their spaces."""
    while markers != 0:
        marker = lowest(markers)
        markers &= markers - 1
        space, owner = marker >> 1, view.markers[at(marker >> 1), at(marker & 1)]
        worth = owner_worth(tables, int(view.shore[at(space)]), view.players[at(owner)], memory)
        memory.notes[at(SHORE + space)] -= memory.notes[w.RIVAL] * worth


@inlined
def sum_noted(tables: Any, to: int, run: int, memory: Any) -> float:
    """Add up what is noted in a run of the shore spaces that a river space touches."""
    worth = 0.0
    for i in range(SHORES_PER_RIVER_SPACE):
        worth += memory.notes[at(run + int(tables.river_shore[at(to), i]))]
    return worth


@part
def touch_worth(tables: Any, view: Any, seat: int, to: int, nobles_ashore: bool, memory: Any) -> float:
    """Return the worth of all that a river space touches; it is stored, because several sails may lead there."""
    if nobles_ashore:
        return sum_shores(tables, view, seat, to, True, memory)
    note = at(TOUCHED + to)
    if np.isnan(memory.notes[note]):
        memory.notes[note] = sum_shores(tables, view, seat, to, False, memory)
    return memory.notes[note]


@inlined
def sum_shores(tables: Any, view: Any, seat: int, to: int, nobles_ashore: bool, memory: Any) -> float:
    """Add up the worth of the shore spaces that a river space touches, with what nobles give the royal ship there."""
    shores, run = tables.river_shore[at(to)], ROYAL_SHORE if nobles_ashore else SHORE
    unknown = 0
    for i in range(SHORES_PER_RIVER_SPACE):
        unknown |= int(np.isnan(memory.notes[at(run + int(shores[i]))])) << i
    while unknown != 0:
        space = int(shores[at(lowest(unknown))])
        unknown &= unknown - 1
        memory.notes[at(run + space)] = shore_worth(tables, view, seat, space, nobles_ashore, memory)
    return sum_noted(tables, to, run, memory)


@kernel
def shore_worth(tables: Any, view: Any, seat: int, space: int, royal: bool, memory: Any) -> float:
    """Return the worth of touching a shore space: visitor reward and the seat's owner rewards, less part of rivals'."""
    player = view.players[at(seat)]
    number = int(view.shore[at(space)])
    if number == EMPTY:
        koku = float(tables.empty_space_koku)
        if royal and has(player.delivered, NOBLE_KOKU):
            koku += float(noble_amount(tables, NOBLE_KOKU))
        return koku_worth(tables, player, koku, memory)
    region, tile = int(tables.shore_region[at(space)]), tables.tiles[at(number)]
    worth = reward_worth(tables, view, seat, tile.visitor, region, memory)
    if royal and tile.kind == MARKET and has(player.delivered, NOBLE_ANY_GOOD):
        worth = max(worth, memory.notes[GOOD + ANY_GOOD])
    for marker in range(2):
        owner = view.markers[at(space), marker]
        if owner == NONE:
            break
        if owner == seat:
            worth += reward_worth(tables, view, seat, tile.owner, region, memory)
        else:
            worth -= memory.notes[w.RIVAL] * owner_worth(tables, number, view.players[at(owner)], memory)
    return worth
