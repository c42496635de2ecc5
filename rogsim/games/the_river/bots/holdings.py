"""What resources and building cards are worth to a player."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part
from rogsim.games.the_river.bots import weights as w
from rogsim.games.the_river.components.limits import MAX_COST, MAX_GIVEN
from rogsim.games.the_river.components.names import CLAY, FOOD, NONE, PRODUCED, STONE, WOOD
from rogsim.games.the_river.rules.actions import named_in
from rogsim.games.the_river.rules.construct import is_reserved, price, usable
from rogsim.games.the_river.rules.storage import stored

NOTHING = -1.0e9  # the worth of what is never done


@kernel
def holdings_worth(tables: Any, view: Any, player: Any, without: int, memory: Any) -> float:
    """Return the worth of all resources held: each by itself, and what they contribute to the best card but one."""
    notes = memory.notes
    worth = notes[w.RESOURCE] * float(stored(player)) + notes[w.FOOD_MORE] * float(player.resources[FOOD])
    return worth + best_hope(tables, view, player, without, memory)


@part
def best_hope(tables: Any, view: Any, player: Any, without: int, memory: Any) -> float:
    """Return what the most promising card, face up or reserved, brings; `without` is not considered."""
    best = 0.0
    for spot in range(tables.cards_up):
        card = int(view.cards[spot])
        if card != NONE and card != without:
            best = max(best, card_hope(tables, player, card, 0, memory.notes[w.OPEN], memory))
    for i in range(player.reserved_count):
        card = int(player.reserved[i])
        if card != without:
            discount = int(tables.reserved_discount)
            best = max(best, card_hope(tables, player, card, discount, memory.notes[w.SAFE], memory))
    return best


@kernel
def card_hope(tables: Any, player: Any, card: int, discount: int, share: float, memory: Any) -> float:
    """Return what a card is worth before it is built: less with each resource that is missing."""
    worth = share * card_gain(tables, card, memory)
    for _ in range(missing(tables, player, card, discount)):
        worth *= memory.notes[w.FAR]
    return worth


@part
def card_gain(tables: Any, card: int, memory: Any) -> float:
    """Return what building a card brings: its points, and what comes with the bonus token."""
    return float(tables.cards[card].points) + memory.notes[w.NEXT_TOKEN]


@part
def missing(tables: Any, player: Any, card: int, discount: int) -> int:
    """Return how many resources a player lacks for a card."""
    cost, held = tables.cards[card].cost, player.resources
    short = -discount - int(held[FOOD])
    for resource in range(len(PRODUCED)):
        short += max(int(cost[resource]) - int(held[resource]), 0)
    return short


@kernel
def gain_worth(tables: Any, view: Any, player: Any, resource: int, amount: int, memory: Any) -> float:
    """Return the worth of resources taken from an island; each one for which there is no room displaces another."""
    taken = min(amount, int(view.islands[resource]))
    over = max(taken + stored(player) - int(player.warehouses), 0)
    player.resources[resource] += taken
    worth = holdings_worth(tables, view, player, NONE, memory)
    player.resources[resource] -= taken
    return worth - memory.notes[w.HELD] - memory.notes[w.RESOURCE] * float(over)


@part
def food_worth(tables: Any, view: Any, player: Any, memory: Any) -> float:
    """Return the worth of the food island; without food it gives another resource."""
    if view.islands[FOOD] > 0:
        return gain_worth(tables, view, player, FOOD, int(tables.food_action), memory)
    best = NOTHING
    for resource in range(len(PRODUCED)):
        best = max(best, gain_worth(tables, view, player, resource, int(tables.food_action), memory))
    return best


@part
def discard_worth(tables: Any, view: Any, player: Any, resource: int, memory: Any) -> float:
    """Return the worth of what is left when a resource is given up."""
    player.resources[resource] -= 1
    worth = holdings_worth(tables, view, player, NONE, memory)
    player.resources[resource] += 1
    return worth


@part
def reserve_worth(tables: Any, view: Any, player: Any, card: int, memory: Any) -> float:
    """Return the worth of reserving a card: it is safe, and cheaper."""
    notes = memory.notes
    hope = card_hope(tables, player, card, int(tables.reserved_discount), notes[w.SAFE], memory)
    return notes[w.RESERVED] + max(hope - best_hope(tables, view, player, NONE, memory), 0.0)


@kernel
def construct_worth(tables: Any, view: Any, player: Any, card: int, memory: Any) -> float:
    """Return the worth of building a card, with food spent last."""
    total = price(tables, player, card)
    wood = min(usable(tables, player, card, WOOD), total)
    stone = min(usable(tables, player, card, STONE), total - wood)
    clay = min(usable(tables, player, card, CLAY), total - wood - stone)
    left = worth_after_paying(tables, view, player, card, wood, stone, clay, memory)
    return card_gain(tables, card, memory) + memory.notes[w.BUILD] + left - memory.notes[w.HELD]


@part
def payment_worth(tables: Any, view: Any, player: Any, code: int, memory: Any) -> float:
    """Return the worth of what is left after a payment."""
    wood, stone, clay = named_in(code, MAX_COST)
    return worth_after_paying(tables, view, player, int(view.card), wood, stone, clay, memory)


@kernel
def worth_after_paying(
    tables: Any, view: Any, player: Any, card: int, wood: int, stone: int, clay: int, memory: Any
) -> float:
    """Return the worth of the resources that are left after a card is paid for; food pays the rest."""
    food = price(tables, player, card) - wood - stone - clay
    move(player, -wood, -stone, -clay, -food)
    worth = holdings_worth(tables, view, player, card, memory)
    move(player, wood, stone, clay, food)
    return worth


@part
def move(player: Any, wood: int, stone: int, clay: int, food: int) -> None:
    """Change the resources of a player."""
    player.resources[WOOD] += wood
    player.resources[STONE] += stone
    player.resources[CLAY] += clay
    player.resources[FOOD] += food


@part
def trade_worth(tables: Any, view: Any, player: Any, code: int, memory: Any) -> float:
    """Return the worth of a trade: of the card that it makes possible, less its price; nothing without one."""
    card = int(memory.notes[w.TRADE_CARD])
    if card == NONE:
        return NOTHING
    wood, stone, clay = named_in(code, MAX_GIVEN)
    food = int(tables.trade_give) - wood - stone - clay - int(tables.trade_get)
    discount = int(tables.reserved_discount) if is_reserved(player, card) else 0
    worth = NOTHING
    move(player, -wood, -stone, -clay, -food)
    if missing(tables, player, card, discount) <= 0:
        worth = construct_worth(tables, view, player, card, memory) - memory.notes[w.TRADED]
    move(player, wood, stone, clay, food)
    return worth


@part
def find_trade(tables: Any, view: Any, player: Any, memory: Any) -> int:
    """Return the best card that a trade makes possible, or NONE."""
    found, best = NONE, NOTHING
    if stored(player) < tables.trade_give or view.islands[FOOD] < tables.trade_get:
        return found
    for i in range(int(tables.cards_up) + int(player.reserved_count)):
        is_open = i < tables.cards_up
        card = int(view.cards[i]) if is_open else int(player.reserved[i - int(tables.cards_up)])
        if card == NONE:
            continue
        short = missing(tables, player, card, 0 if is_open else int(tables.reserved_discount))
        spare = stored(player) - price(tables, player, card) + short
        gain = card_gain(tables, card, memory)
        if 0 < short <= tables.trade_get and spare >= tables.trade_give and gain > best:
            found, best = card, gain
    return found
