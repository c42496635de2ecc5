"""What may be chosen now: `legal` lists every choice of `game.actor` on a menu."""

from __future__ import annotations

from typing import Any

from rogsim.games.river_of_gold import actions as act
from rogsim.games.river_of_gold.build import build_cost
from rogsim.games.river_of_gold.deliver import can_fill_order, can_mark
from rogsim.games.river_of_gold.exchange import list_exchanges
from rogsim.games.river_of_gold.favor import favor_needed
from rogsim.games.river_of_gold.names import (
    CUSTOMERS,
    EMPTY,
    FACES,
    GOODS,
    KAIU,
    MAX_ROW,
    PATRONS,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
    SPACES_PER_REGION,
    YORITOMO,
)
from rogsim.games.river_of_gold.phases import DISCARD, DRAFT, GOOD, JOURNEY, MARKER, ROYAL, SELL, SET_DIE, TURN
from rogsim.games.river_of_gold.sail import FIRST_NOBLE, NOBLE_DIE, sail_target
from rogsim.games.river_of_gold.supply import goods_in_store, has
from rogsim.jit import kernel


@kernel
def legal(tables: Any, game: Any, menu: Any) -> None:
    """Fill the menu with every legal choice of `game.actor`, each once; never empty while the game goes on."""
    menu.count = 0
    player = game.players[game.actor]
    if game.phase == TURN:
        list_exchanges(tables, player, menu)
        list_faces(player, menu)
        list_builds(tables, game, player, menu)
        list_sails(tables, player, menu)
        list_deliveries(tables, player, menu)
    elif game.phase == DRAFT:
        list_mask(menu, act.TAKE_PATRON, game.offers[game.actor], len(PATRONS))
    else:
        list_choices(tables, game, player, menu)


@kernel
def add(menu: Any, action: int) -> None:
    """Put one action on the menu."""
    menu.actions[menu.count] = action
    menu.count += 1


@kernel
def add_range(menu: Any, first: int, count: int) -> None:
    """Put a run of actions on the menu."""
    for i in range(count):
        add(menu, first + i)


@kernel
def list_mask(menu: Any, first: int, mask: int, size: int) -> None:
    """Put one action for each set bit of a mask on the menu."""
    for i in range(size):
        if has(mask, i):
            add(menu, first + i)


@kernel
def list_faces(player: Any, menu: Any) -> None:
    """Add each other face that the player's favor reaches."""
    if player.favor == 0:
        return
    for face in range(1, FACES + 1):
        if face != player.die and favor_needed(player.die, face) <= player.favor:
            add(menu, act.TURN_DIE + face - 1)


@kernel
def list_builds(tables: Any, game: Any, player: Any, menu: Any) -> None:
    """Add each tile of the row on each empty space of the die's region that the player can pay for."""
    if player.patron == KAIU:
        for region in range(REGIONS):
            list_builds_in(tables, game, player, region, menu)
    else:
        list_builds_in(tables, game, player, player.die - 1, menu)


@kernel
def list_builds_in(tables: Any, game: Any, player: Any, region: int, menu: Any) -> None:
    """Add the builds in one region."""
    for i in range(SPACES_PER_REGION):
        space = int(tables.region_spaces[region, i])
        if game.shore[space] == EMPTY and build_cost(tables, player, space) <= player.koku:
            add_range(menu, act.BUILD + space * MAX_ROW, game.row_length)


@kernel
def list_sails(tables: Any, player: Any, menu: Any) -> None:
    """Add the sails of both ships by the die; noble 5 lets the royal ship go by a neighbouring face, too."""
    for ship in range(2):
        first = act.SAIL + ship * RIVER_SPACES
        at = player.ships[ship]
        add(menu, first + sail_target(at, player.die))
        if player.royal == ship and has(player.delivered, NOBLE_DIE):
            for turned in range(1, tables.noble_amount[NOBLE_DIE - FIRST_NOBLE] + 1):
                add(menu, first + sail_target(at, 1 + (player.die - 1 + turned) % FACES))
                add(menu, first + sail_target(at, 1 + (player.die - 1 - turned) % FACES))


@kernel
def list_deliveries(tables: Any, player: Any, menu: Any) -> None:
    """Add each customer of the hand in the die's region whose order the player can fill."""
    for customer in range(len(CUSTOMERS)):
        if not has(player.hand, customer):
            continue
        if player.patron == YORITOMO or customer % REGIONS == player.die - 1:
            if can_fill_order(tables, player, customer):
                add(menu, act.DELIVER + customer)


@kernel
def list_choices(tables: Any, game: Any, player: Any, menu: Any) -> None:
    """Add what may be chosen after an action; the active player may exchange as well."""
    phase = game.phase
    if phase == GOOD:
        add_range(menu, act.TAKE_GOOD, len(GOODS))
    elif phase == JOURNEY:
        add_range(menu, act.JOURNEY_KOKU, 1 + len(GOODS))
    elif phase == ROYAL:
        add_range(menu, act.MAKE_ROYAL, 2)
    elif phase == DISCARD:
        list_mask(menu, act.DISCARD_CUSTOMER, player.hand, len(CUSTOMERS))
    elif phase == MARKER:
        list_markers(tables, game, menu)
    elif phase == SELL:
        list_sales(tables, game, player, menu)
        return
    else:
        add(menu, act.PASS)
        if phase == SET_DIE and player.favor >= tables.kakita_favor:
            add_range(menu, act.SET_FACE, FACES)
    if game.actor == game.active:
        list_exchanges(tables, player, menu)


@kernel
def list_markers(tables: Any, game: Any, menu: Any) -> None:
    """Add each building that may take the monk's second marker."""
    for space in range(SHORE_SPACES):
        if can_mark(tables, game, game.active, space, game.monk_region):
            add(menu, act.PLACE_MARKER + space)


@kernel
def list_sales(tables: Any, game: Any, player: Any, menu: Any) -> None:
    """Add the goods that merchant 4 buys, or enough; an exchange amid the selling asks for one more sale."""
    if game.must_sell == 0:
        add(menu, act.PASS)
    for good in range(len(GOODS)):
        if player.goods[good] > 0:
            add(menu, act.SELL_GOOD + good)
    if goods_in_store(player) > 0:
        list_exchanges(tables, player, menu)
