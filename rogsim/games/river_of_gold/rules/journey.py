"""Completing a journey: 3 koku or a good, then the player's merchants, then the row's end tile is discarded."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined, kernel, part
from rogsim.game.kit.bits import bit, lowest, places_equal
from rogsim.game.kit.menus import at
from rogsim.game.kit.state_fields import push, push_below, push_choice
from rogsim.games.river_of_gold.components.names import FROM_OTHER, MERCHANT, REGIONS
from rogsim.games.river_of_gold.rules.actions import JOURNEY_GOOD, JOURNEY_KOKU
from rogsim.games.river_of_gold.rules.agenda import INFLUENCE, MERCHANTS, ROW_END
from rogsim.games.river_of_gold.rules.influence import ask_goods
from rogsim.games.river_of_gold.rules.phases import JOURNEY, SELL
from rogsim.games.river_of_gold.rules.supply import (
    customers_delivered,
    gain_favor,
    gain_good,
    gain_koku,
    goods_in_store,
    has,
    score,
)

# The merchants, named after what they give, as numbers of customers.
(
    MERCHANT_INFLUENCE,
    MERCHANT_POINTS,
    MERCHANT_GOOD,
    MERCHANT_SALE,
    MERCHANT_FAVOR,
    MERCHANT_KOKU,
) = range(MERCHANT * REGIONS, MERCHANT * REGIONS + 6)
FIRST_MERCHANT = MERCHANT_INFLUENCE


@kernel
def journey_reward(game: Any) -> None:
    """Let the active player choose the reward; merchants and the row's end follow."""
    seat = int(game.active)
    push(game, ROW_END, seat, 0, 0)
    if game.players[at(seat)].delivered_by_type[MERCHANT] > 0:
        push(game, MERCHANTS, seat, 0, 0)
    push_choice(game, JOURNEY, seat)


@part
def take_journey_reward(tables: Any, game: Any, action: int) -> None:
    """Take the koku or the good that was chosen."""
    player = game.players[at(game.active)]
    if action == JOURNEY_KOKU:
        gain_koku(tables, player, tables.journey_koku)
    else:
        gain_good(tables, player, action - JOURNEY_GOOD, 1)


@kernel
def merchants(tables: Any, game: Any, first: int) -> None:
    """Apply the merchants' abilities, starting with the given one, until a choice must be made."""
    seat = int(game.active)
    player = game.players[at(seat)]
    waiting = int(game.agenda_size)
    for i in range(first, REGIONS):
        merchant = FIRST_MERCHANT + i
        if not has(player.delivered, merchant):
            continue
        _apply_merchant(tables, game, merchant)
        if game.agenda_size > waiting:
            push_below(game, waiting, MERCHANTS, seat, i + 1, 0)
            return


@part
def _apply_merchant(tables: Any, game: Any, merchant: int) -> None:
    """Apply one merchant's ability."""
    seat = int(game.active)
    amount = merchant_amount(tables, merchant)
    player = game.players[at(seat)]
    if merchant == MERCHANT_INFLUENCE:
        regions = regions_built_in(tables, game, seat)
        for region in range(REGIONS - 1, -1, -1):
            if has(regions, region):
                push(game, INFLUENCE, seat, region, amount)
    elif merchant == MERCHANT_POINTS:
        score(player, FROM_OTHER, amount * customers_delivered(player))
    elif merchant == MERCHANT_GOOD:
        ask_goods(game, seat, amount)
    elif merchant == MERCHANT_SALE:
        if goods_in_store(player) > 0:
            push_choice(game, SELL, seat)
    elif merchant == MERCHANT_FAVOR:
        gain_favor(player, amount)
    elif merchant == MERCHANT_KOKU:
        gain_koku(tables, player, amount)


@inlined
def merchant_amount(tables: Any, merchant: int) -> int:
    """Return the number in a merchant's ability: influence, points, goods, favor or koku."""
    return int(tables.merchant_amount[at(merchant - FIRST_MERCHANT)])


@part
def sell(tables: Any, game: Any, good: int) -> None:
    """Sell one good for koku; koku over the limit is lost."""
    player = game.players[at(game.active)]
    player.goods[good] -= 1
    gain_koku(tables, player, merchant_amount(tables, MERCHANT_SALE))
    game.must_sell = 0
    if goods_in_store(player) > 0:
        push_choice(game, SELL, game.active)


@part
def regions_built_in(tables: Any, game: Any, seat: int) -> int:
    """Return the mask of the regions in which a seat owns a building."""
    regions = 0
    markers = places_equal(game.markers, seat)  # two places to a shore space
    while markers != 0:
        regions |= bit(tables.shore_region[at(lowest(markers) >> 1)])
        markers &= markers - 1
    return regions
