"""Sailing: move, visitor rewards, owner rewards, the royal ship, the patron; then the completed journey, if any.

A completed journey gives 3 koku or a good, then the player's merchants act, then the row's end tile is discarded.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.bits import bit, lowest, places_equal
from rogsim.game.kit.state_fields import push, push_below, push_choice
from rogsim.games.river_of_gold.components import names
from rogsim.games.river_of_gold.components.tables import MORE_SHIFT, NO_TILE
from rogsim.games.river_of_gold.rules.actions import JOURNEY_GOOD, JOURNEY_KOKU
from rogsim.games.river_of_gold.rules.agenda import (
    INFLUENCE,
    JOURNEY_REWARD,
    MERCHANTS,
    OWNER_REWARDS,
    PATRON_SAILS,
    ROW_END,
    ROYAL_SHIP,
    VISITOR_REWARDS,
)
from rogsim.games.river_of_gold.rules.rewards import ask_goods, collect, collect_goods_of_choice
from rogsim.games.river_of_gold.rules.state import JOURNEY, SELL
from rogsim.games.river_of_gold.rules.supply import (
    customers_delivered,
    gain_favor,
    gain_good,
    gain_koku,
    gain_sum,
    goods_in_store,
    has,
    is_owner,
    is_rival_owner,
    score,
)

# The nobles, named after what they add to the royal ship, as numbers of customers.
FIRST_NOBLE = names.NOBLE * names.REGIONS
MARKERS = 2  # at most on a building
NOBLE_ANY_GOOD, NOBLE_KOKU, NOBLE_INFLUENCE, NOBLE_RIVAL, NOBLE_DIE, NOBLE_OWN = range(FIRST_NOBLE, FIRST_NOBLE + 6)


def sail(tables: Any, game: Any, ship: int, to: int) -> None:
    """Move a ship and collect rewards; what follows these is on the agenda before, in reverse order."""
    seat = game.active
    player = game.players[seat]
    game.ship = ship
    game.journey = to < player.ships[ship]
    player.ships[ship] = to
    player.ledger.sails += 1
    player.ledger.stops[to] += 1
    if game.journey:
        player.ledger.journeys += 1
        push(game, JOURNEY_REWARD, seat, 0, 0)
    if player.patron == names.DAIDOJI:
        push(game, PATRON_SAILS, seat, 0, 0)
    if player.royal == ship:
        push(game, ROYAL_SHIP, seat, 0, 0)
    waiting = game.agenda_size
    rewards = sum_of_visits(tables, game, to)
    if rewards >> MORE_SHIFT == 0 and not has_free_choice(game, player):
        gain_sum(tables, player, rewards, names.FROM_VISIT)
    else:
        visitor_rewards(tables, game, 0)
    if game.agenda_size > waiting:
        push_below(game, waiting, OWNER_REWARDS, seat, 0, 0)
    else:
        owner_rewards(tables, game, 0, 0)


def river_space(game: Any) -> int:
    """Return the river space of the ship that sails this turn."""
    return game.players[game.active].ships[game.ship]


def has_free_choice(game: Any, player: Any) -> bool:
    """Return whether noble 1 makes the goods of markets goods of choice on this sail."""
    return player.royal == game.ship and has(player.delivered, NOBLE_ANY_GOOD)


def sum_of_visits(tables: Any, game: Any, here: int) -> int:
    """Return the visitor rewards at a river space as one number: most ask for nothing and are gained together."""
    rewards = 0
    for i in range(names.SHORES_PER_RIVER_SPACE):
        rewards += tables.visits[game.shore[tables.river_shore[here, i]] + 1]
    return rewards


def visitor_rewards(tables: Any, game: Any, first: int) -> None:
    """Collect the visitor rewards of the shore spaces, from the given one, until a choice must be made."""
    seat = game.active
    player = game.players[seat]
    here = river_space(game)
    free_choice = has_free_choice(game, player)
    waiting = game.agenda_size
    for i in range(first, names.SHORES_PER_RIVER_SPACE):
        space = tables.river_shore[here, i]
        tile, region = tile_on(tables, game, space), tables.shore_region[space]
        if free_choice and tile.kind == names.MARKET:
            collect_goods_of_choice(tables, game, seat, tile.visitor, region, names.FROM_VISIT)
        else:
            collect(tables, game, seat, tile.visitor, region, names.FROM_VISIT)
        if game.agenda_size > waiting:  # the rest waits below the choice
            push_below(game, waiting, VISITOR_REWARDS, seat, i + 1, 0)
            return


def tile_on(tables: Any, game: Any, space: int) -> Any:
    """Return the tile on a shore space, or what stands for none."""
    tile = game.shore[space]
    return tables.tiles[tile if tile != names.EMPTY else NO_TILE]


def owner_rewards(tables: Any, game: Any, first: int, first_marker: int) -> None:
    """Pay each marker's owner along the shore spaces, from the given place, until a choice must be made."""
    here = river_space(game)
    markers = 0  # a bit for each: what follows is a step for each marker, not for each place
    for i in range(names.SHORES_PER_RIVER_SPACE):
        space = tables.river_shore[here, i]
        for marker in range(MARKERS):
            markers |= int(game.markers[space, marker] != names.NONE) << (MARKERS * i + marker)
    markers &= -bit(MARKERS * first + first_marker)
    waiting = game.agenda_size
    while markers != 0:
        place = lowest(markers)
        i, marker = place >> 1, place & 1
        pay_owner(tables, game, tables.river_shore[here, i], marker)
        if game.agenda_size > waiting:  # the rest waits below the choice
            push_below(game, waiting, OWNER_REWARDS, game.active, i, marker + 1)
            return
        markers &= markers - 1


def pay_owner(tables: Any, game: Any, space: int, marker: int) -> None:
    """Give the owner reward of a building to the seat of one of its markers."""
    seat, region = game.markers[space, marker], tables.shore_region[space]
    collect(tables, game, seat, tables.tiles[game.shore[space]].owner, region, names.FROM_OWNER)


def touches(tables: Any, game: Any, seat: int, here: int, mine: bool) -> bool:
    """Return whether a river space touches a building of the seat, or of a rival."""
    for i in range(names.SHORES_PER_RIVER_SPACE):
        space = tables.river_shore[here, i]
        if is_owner(game, seat, space) if mine else is_rival_owner(game, seat, space):
            return True
    return False


def royal_ship(tables: Any, game: Any) -> None:
    """Apply the nobles' abilities after a sail of the royal ship, in the order of their numbers (2, 3, 4, 6)."""
    seat = game.active
    player = game.players[seat]
    delivered = player.delivered
    here = river_space(game)
    if has(delivered, NOBLE_KOKU):
        for i in range(names.SHORES_PER_RIVER_SPACE):
            if game.shore[tables.river_shore[here, i]] == names.EMPTY:
                gain_koku(tables, player, noble_amount(tables, NOBLE_KOKU))
    # Nobles 4 and 6 score points, which no choice within noble 3's influence can change.
    if has(delivered, NOBLE_RIVAL) and touches(tables, game, seat, here, False):
        score(player, names.FROM_OTHER, noble_amount(tables, NOBLE_RIVAL))
    if has(delivered, NOBLE_OWN) and touches(tables, game, seat, here, True):
        score(player, names.FROM_OTHER, noble_amount(tables, NOBLE_OWN))
    if has(delivered, NOBLE_INFLUENCE):
        amount = noble_amount(tables, NOBLE_INFLUENCE)
        for i in range(tables.river_region_count[here] - 1, -1, -1):
            push(game, INFLUENCE, seat, tables.river_regions[here, i], amount)


def noble_amount(tables: Any, noble: int) -> int:
    """Return the number in a noble's ability: koku, influence, points or faces of the die."""
    return tables.noble_amount[noble - FIRST_NOBLE]


def patron_sails(tables: Any, game: Any) -> None:
    """Score Daidoji Uji's visit to an opponent's building."""
    if touches(tables, game, game.active, river_space(game), False):
        score(game.players[game.active], names.FROM_PATRON, tables.daidoji_points)


def sail_target(space: int, steps: int) -> int:
    """Return the river space some spaces downriver; after the last one comes the first."""
    to = space + steps
    return to - names.RIVER_SPACES if to >= names.RIVER_SPACES else to


# The merchants, named after what they give, as numbers of customers.
(
    MERCHANT_INFLUENCE,
    MERCHANT_POINTS,
    MERCHANT_GOOD,
    MERCHANT_SALE,
    MERCHANT_FAVOR,
    MERCHANT_KOKU,
) = range(names.MERCHANT * names.REGIONS, names.MERCHANT * names.REGIONS + 6)
FIRST_MERCHANT = MERCHANT_INFLUENCE


def journey_reward(game: Any) -> None:
    """Let the active player choose the reward; merchants and the row's end follow."""
    seat = game.active
    push(game, ROW_END, seat, 0, 0)
    if game.players[seat].delivered_by_type[names.MERCHANT] > 0:
        push(game, MERCHANTS, seat, 0, 0)
    push_choice(game, JOURNEY, seat)


def take_journey_reward(tables: Any, game: Any, action: int) -> None:
    """Take the koku or the good that was chosen."""
    player = game.players[game.active]
    if action == JOURNEY_KOKU:
        gain_koku(tables, player, tables.journey_koku)
    else:
        gain_good(tables, player, action - JOURNEY_GOOD, 1)


def merchants(tables: Any, game: Any, first: int) -> None:
    """Apply the merchants' abilities, starting with the given one, until a choice must be made."""
    seat = game.active
    player = game.players[seat]
    waiting = game.agenda_size
    for i in range(first, names.REGIONS):
        merchant = FIRST_MERCHANT + i
        if not has(player.delivered, merchant):
            continue
        _apply_merchant(tables, game, merchant)
        if game.agenda_size > waiting:
            push_below(game, waiting, MERCHANTS, seat, i + 1, 0)
            return


def _apply_merchant(tables: Any, game: Any, merchant: int) -> None:
    """Apply one merchant's ability."""
    seat = game.active
    amount = merchant_amount(tables, merchant)
    player = game.players[seat]
    if merchant == MERCHANT_INFLUENCE:
        regions = regions_built_in(tables, game, seat)
        for region in range(names.REGIONS - 1, -1, -1):
            if has(regions, region):
                push(game, INFLUENCE, seat, region, amount)
    elif merchant == MERCHANT_POINTS:
        score(player, names.FROM_OTHER, amount * customers_delivered(player))
    elif merchant == MERCHANT_GOOD:
        ask_goods(game, seat, amount)
    elif merchant == MERCHANT_SALE:
        if goods_in_store(player) > 0:
            push_choice(game, SELL, seat)
    elif merchant == MERCHANT_FAVOR:
        gain_favor(player, amount)
    elif merchant == MERCHANT_KOKU:
        gain_koku(tables, player, amount)


def merchant_amount(tables: Any, merchant: int) -> int:
    """Return the number in a merchant's ability: influence, points, goods, favor or koku."""
    return tables.merchant_amount[merchant - FIRST_MERCHANT]


def sell(tables: Any, game: Any, good: int) -> None:
    """Sell one good for koku; koku over the limit is lost."""
    player = game.players[game.active]
    player.goods[good] -= 1
    gain_koku(tables, player, merchant_amount(tables, MERCHANT_SALE))
    game.must_sell = 0
    if goods_in_store(player) > 0:
        push_choice(game, SELL, game.active)


def regions_built_in(tables: Any, game: Any, seat: int) -> int:
    """Return the mask of the regions in which a seat owns a building."""
    regions = 0
    markers = places_equal(game.markers, seat)  # two places to a shore space
    while markers != 0:
        regions |= bit(tables.shore_region[lowest(markers) >> 1])
        markers &= markers - 1
    return regions
