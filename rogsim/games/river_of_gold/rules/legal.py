"""`legal` lists every legal action of `game.actor` on a menu."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import as_python
from rogsim.game.kit.bits import lowest
from rogsim.game.kit.menus import list_row
from rogsim.games.river_of_gold.components import names
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.build import build_discount
from rogsim.games.river_of_gold.rules.deliver import IN_REGION, can_mark, orders_filled
from rogsim.games.river_of_gold.rules.sail import NOBLE_DIE, noble_amount, sail_target
from rogsim.games.river_of_gold.rules.state import (
    DISCARD,
    DRAFT,
    GOOD,
    JOURNEY,
    MARKER,
    PAUSE,
    ROYAL,
    SELL,
    SET_DIE,
    TURN,
)
from rogsim.games.river_of_gold.rules.supply import favor_needed, goods_in_store, has, list_exchanges

MOST_STEPS = names.FACES // 2  # from one face to another


def legal(tables: Any, game: Any, menu: Any) -> None:
    """Fill the menu with every legal action of `game.actor`, each once; it is never empty before the game ends."""
    player = game.players[game.actor]
    if game.phase == TURN:
        count = list_exchanges(tables, player, menu, 0)
        count = list_faces(player, menu, count)
        count = list_builds(tables, game, player, menu, count)
        count = list_sails(tables, player, menu, count)
        menu.count = list_deliveries(tables, player, menu, count)
    elif game.phase == PAUSE:  # before the other choices, because it is as frequent as a turn
        count = list_range(menu, 0, act.PASS, 1)
        menu.count = list_exchanges(tables, player, menu, count)
    elif game.phase == DRAFT:
        menu.count = list_mask(menu, 0, act.TAKE_PATRON, game.offers[game.actor])
    else:
        menu.count = list_choices(tables, game, player, menu)


def list_range(menu: Any, count: int, first: int, size: int) -> int:
    """Add consecutive actions to the menu; return the new count, as all these functions do."""
    for i in range(size):
        menu.actions[count + i] = first + i
    return count + size


def list_mask(menu: Any, count: int, first: int, mask: int) -> int:
    """Add one action for each set bit of a mask to the menu."""
    rest = mask
    while rest != 0:
        menu.actions[count] = first + lowest(rest)
        rest &= rest - 1
        count += 1
    return count


def list_faces(player: Any, menu: Any, count: int) -> int:
    """Add each other face that the player can turn the die to with its favor."""
    return list_row(menu, count, FACE_ROWS, face_row(player.die, player.favor))


def face_row(die: int, favor: int) -> int:
    """Return the row of FACE_ROWS for a die and some favor."""
    return die * (MOST_STEPS + 1) + min(favor, MOST_STEPS)


def _face_rows() -> Any:
    """Return for each face shown and each amount of favor the actions that turn the die, and their number."""
    needed, place = as_python(favor_needed), as_python(face_row)  # compiled, they would add to the time of every start
    rows = np.zeros(((names.FACES + 1) * (MOST_STEPS + 1), names.FACES + 2), np.int16)  # eight places are one block
    for die in range(1, names.FACES + 1):
        for favor in range(MOST_STEPS + 1):
            faces = [face for face in range(1, names.FACES + 1) if 0 < needed(die, face) <= favor]
            row = rows[place(die, favor)]
            row[: len(faces)], row[-1] = [act.TURN_DIE + face - 1 for face in faces], len(faces)
    return rows


FACE_ROWS = _face_rows()


def _build_rows() -> Any:
    """Return for each shore space the actions that build the tiles of the longest row."""
    rows = np.zeros((names.SHORE_SPACES, names.MAX_ROW + 2), np.int16)  # eight places are one block
    for space, row in enumerate(rows):
        row[: names.MAX_ROW] = [act.BUILD + space * names.MAX_ROW + place for place in range(names.MAX_ROW)]
    return rows


BUILD_ROWS = _build_rows()


def list_builds(tables: Any, game: Any, player: Any, menu: Any, count: int) -> int:
    """Add each tile of the row on each empty space of the die's region that the player can pay for."""
    if player.patron != names.KAIU:
        return list_builds_in(tables, game, player, player.die - 1, menu, count)
    for region in range(names.REGIONS):
        count = list_builds_in(tables, game, player, region, menu, count)
    return count


def list_builds_in(tables: Any, game: Any, player: Any, region: int, menu: Any, count: int) -> int:
    """Add the builds in one region."""
    means, tiles = player.koku + build_discount(tables, player, region), game.row_length
    for i in range(names.SPACES_PER_REGION):
        space = tables.region_spaces[region, i]
        can = (game.shore[space] == names.EMPTY) & (tables.shore_cost[space] <= means)
        list_row(menu, count, BUILD_ROWS, space)  # written in any case
        count += tiles if can else 0
    return count


def list_sails(tables: Any, player: Any, menu: Any, count: int) -> int:
    """Add the sails of both ships by the die."""
    if player.royal != names.NONE and has(player.delivered, NOBLE_DIE):
        return list_sails_with_noble(tables, player, menu, count)
    die = player.die
    menu.actions[count] = act.SAIL + sail_target(player.ships[0], die)
    menu.actions[count + 1] = act.SAIL + names.RIVER_SPACES + sail_target(player.ships[1], die)
    return count + 2


def list_sails_with_noble(tables: Any, player: Any, menu: Any, count: int) -> int:
    """Add the sails of a player with noble 5, which lets the royal ship use neighbouring faces, too."""
    die = player.die
    for ship in range(2):
        first = act.SAIL + ship * names.RIVER_SPACES
        here = player.ships[ship]
        menu.actions[count] = first + sail_target(here, die)
        count += 1
        if player.royal == ship:
            for turned in range(1, noble_amount(tables, NOBLE_DIE) + 1):
                menu.actions[count] = first + sail_target(here, 1 + (die - 1 + turned) % names.FACES)
                count += 1
                if 2 * turned < names.FACES:  # three up and three down are the same face
                    menu.actions[count] = first + sail_target(here, 1 + (die - 1 - turned) % names.FACES)
                    count += 1
    return count


def list_deliveries(tables: Any, player: Any, menu: Any, count: int) -> int:
    """Add each customer of the hand in the die's region whose order the player can fill."""
    can = player.hand & orders_filled(tables, player)
    if player.patron != names.YORITOMO:
        return list_mask(menu, count, act.DELIVER, can & IN_REGION << player.die - 1)
    for region in range(names.REGIONS):
        count = list_mask(menu, count, act.DELIVER, can & IN_REGION << region)
    return count


def list_choices(tables: Any, game: Any, player: Any, menu: Any) -> int:
    """Add the legal actions of a choice that follows an action; the active player may also exchange."""
    phase = game.phase
    if phase == GOOD:
        count = list_range(menu, 0, act.TAKE_GOOD, len(names.GOODS))
    elif phase == JOURNEY:
        count = list_range(menu, 0, act.JOURNEY_KOKU, 1 + len(names.GOODS))
    elif phase == ROYAL:
        count = list_range(menu, 0, act.MAKE_ROYAL, 2)
    elif phase == DISCARD:
        count = list_mask(menu, 0, act.DISCARD_CUSTOMER, player.hand)
    elif phase == MARKER:
        count = list_markers(tables, game, menu)
    elif phase == SELL:
        return list_sales(tables, game, player, menu)
    else:
        count = list_range(menu, 0, act.PASS, 1)
        if phase == SET_DIE and player.favor >= tables.kakita_favor:
            count = list_range(menu, count, act.SET_FACE, names.FACES)
    if game.actor == game.active:
        count = list_exchanges(tables, player, menu, count)
    return count


def list_markers(tables: Any, game: Any, menu: Any) -> int:
    """Add each building that may take the monk's second marker."""
    count = 0
    for space in range(names.SHORE_SPACES):
        if can_mark(tables, game, game.active, space, game.monk_region):
            menu.actions[count] = act.PLACE_MARKER + space
            count += 1
    return count


def list_sales(tables: Any, game: Any, player: Any, menu: Any) -> int:
    """Add the goods that merchant 4 buys, and stopping, which must wait for a sale after an exchange."""
    count = 0
    if game.must_sell == 0:
        count = list_range(menu, 0, act.PASS, 1)
    for good in range(len(names.GOODS)):
        if player.goods[good] > 0:
            menu.actions[count] = act.SELL_GOOD + good
            count += 1
    if goods_in_store(player) > 0:
        count = list_exchanges(tables, player, menu, count)
    return count
