"""What resources and building cards are worth to a player.

Resources that change hands are tuples of what is spent of each kind; what is gained counts as less than zero.
"""

from __future__ import annotations

from typing import Any

from rogsim.games.the_river.bots import weights as w
from rogsim.games.the_river.components import names as n
from rogsim.games.the_river.rules.actions import named_in
from rogsim.games.the_river.rules.construct import price
from rogsim.games.the_river.rules.storage import stored

NOTHING = -1.0e9  # the worth of what is never done
UNSPENT = (0, 0, 0, 0)


def note_hopes(tables: Any, view: Any, player: Any, moment: Any) -> None:
    """Note the cards that the player may build, face up or reserved, and what each brings."""
    moment.count, moment.hope = 0, 0.0
    for spot in range(tables.cards_up):
        if view.cards[spot] != n.NONE:
            note_hope(tables, player, view.cards[spot], 0, moment.weights[w.OPEN], moment)
    for i in range(player.reserved_count):
        card, discount = player.reserved[i], tables.reserved_discount
        note_hope(tables, player, card, discount, moment.weights[w.SAFE], moment)


def note_hope(tables: Any, player: Any, card: int, discount: int, share: float, moment: Any) -> None:
    """Note a card: what is missing for it, and its worth before it is built, which is less with each such resource."""
    hope, cost, held = moment.hopes[moment.count], tables.cards[card].cost, player.resources
    moment.count += 1
    hope.card, hope.spare, hope.short[n.FOOD] = card, discount + held[n.FOOD], n.MAX_SUPPLY
    for resource in range(len(n.PRODUCED)):
        hope.short[resource] = cost[resource] - held[resource]
    hope.missing = missing(hope, UNSPENT)
    whole = share * card_gain(tables, card, moment)
    if hope.worths[0] != whole:  # else they are there already: moments that follow each other have the same cards
        for lacking in range(len(hope.worths)):
            hope.worths[lacking] = whole
            whole *= moment.weights[w.FAR]
    moment.hope = max(moment.hope, hope.worths[max(int(hope.missing), 0)])


def card_gain(tables: Any, card: int, moment: Any) -> float:
    """Return what building a card brings: its points, and what comes with the bonus token."""
    return tables.cards[card].points + moment.next_token


def missing(hope: Any, spent: Any) -> int:
    """Return how many resources the player lacks for a card after spending `spent`; food replaces any."""
    short = max(int(hope.short[n.WOOD]) + spent[n.WOOD], 0) + max(int(hope.short[n.STONE]) + spent[n.STONE], 0)
    return short + max(int(hope.short[n.CLAY]) + spent[n.CLAY], 0) + spent[n.FOOD] - int(hope.spare)


def best_hope(without: int, spent: Any, moment: Any) -> float:
    """Return what the most promising card brings after spending `spent`; `without` is not considered."""
    best = 0.0
    for i in range(moment.count):
        hope = moment.hopes[i]
        worth = hope.worths[max(missing(hope, spent), 0)]
        best = max(best, worth if hope.card != without else 0.0)
    return best


def best_hope_with(resource: int, amount: int, moment: Any) -> float:
    """Return the same as `best_hope` with `amount` more of a resource, but faster."""
    best = 0.0
    for i in range(moment.count):
        hope = moment.hopes[i]
        helpful = min(amount, max(int(hope.short[resource]), 0))
        best = max(best, hope.worths[max(int(hope.missing) - helpful, 0)])
    return best


def holdings_worth(player: Any, without: int, spent: Any, moment: Any) -> float:
    """Return the worth of all resources left: each by itself, and what they contribute to the best card but one."""
    given = spent[n.WOOD] + spent[n.STONE] + spent[n.CLAY] + spent[n.FOOD]
    return resources_worth(player, given, spent[n.FOOD], moment) + best_hope(without, spent, moment)


def resources_worth(player: Any, spent: int, food: int, moment: Any) -> float:
    """Return the worth of each resource by itself, after spending `spent` of them, of which `food` are food."""
    left = moment.weights[w.RESOURCE] * (stored(player) - spent)
    return left + moment.weights[w.FOOD_MORE] * (player.resources[n.FOOD] - food)


def of_one(kind: int, amount: int) -> Any:
    """Return `amount` of one resource."""
    return (amount * (kind == n.WOOD), amount * (kind == n.STONE), amount * (kind == n.CLAY), amount * (kind == n.FOOD))


def gain_worth(view: Any, player: Any, resource: int, amount: int, moment: Any) -> float:
    """Return the worth of resources taken from an island; each one for which there is no room displaces another."""
    taken = min(amount, view.islands[resource])
    over = max(taken + stored(player) - player.warehouses, 0)
    worth = resources_worth(player, -taken, -taken * (resource == n.FOOD), moment)
    return worth + best_hope_with(resource, taken, moment) - moment.held - moment.weights[w.RESOURCE] * over


def food_worth(tables: Any, view: Any, player: Any, moment: Any) -> float:
    """Return the worth of the food island; without food it gives another resource."""
    if view.islands[n.FOOD] > 0:
        return gain_worth(view, player, n.FOOD, tables.food_action, moment)
    best = NOTHING
    for resource in range(len(n.PRODUCED)):
        best = max(best, gain_worth(view, player, resource, tables.food_action, moment))
    return best


def reserve_worth(tables: Any, player: Any, card: int, moment: Any) -> float:
    """Return the worth of reserving a card: it is safe, and cheaper."""
    hope = moment.weights[w.SAFE] * card_gain(tables, card, moment)
    for _ in range(int(hope_of(card, moment).missing) - tables.reserved_discount):
        hope *= moment.weights[w.FAR]
    return moment.weights[w.RESERVED] + max(hope - moment.hope, 0.0)


def hope_of(card: int, moment: Any) -> Any:
    """Return what was noted on a card that the player may build."""
    place = 0
    while place + 1 < moment.count and moment.hopes[place].card != card:
        place += 1
    return moment.hopes[place]


def construct_worth(tables: Any, player: Any, card: int, given: Any, moment: Any) -> float:
    """Return the worth of building a card once so much was given away, with food spent last."""
    cost, held, rest = tables.cards[card].cost, player.resources, price(tables, player, card)
    wood = min(cost[n.WOOD], held[n.WOOD] - given[n.WOOD], rest)
    stone = min(cost[n.STONE], held[n.STONE] - given[n.STONE], rest - wood)
    clay = min(cost[n.CLAY], held[n.CLAY] - given[n.CLAY], rest - wood - stone)
    food = rest - wood - stone - clay
    spent = (given[n.WOOD] + wood, given[n.STONE] + stone, given[n.CLAY] + clay, given[n.FOOD] + food)
    left = holdings_worth(player, card, spent, moment)
    return card_gain(tables, card, moment) + moment.weights[w.BUILD] + left - moment.held


def payment_worth(tables: Any, view: Any, player: Any, code: int, moment: Any) -> float:
    """Return the worth of what is left after a payment."""
    card, (wood, stone, clay) = view.card, named_in(code, n.MAX_COST)
    food = price(tables, player, card) - wood - stone - clay
    return holdings_worth(player, card, (wood, stone, clay, food), moment)


def trade_worth(tables: Any, player: Any, code: int, moment: Any) -> float:
    """Return the worth of a trade: of the card that it makes possible, less its price; nothing without one."""
    card = moment.trade_card
    if card == n.NONE:
        return NOTHING
    wood, stone, clay = named_in(code, n.MAX_GIVEN)
    given = (wood, stone, clay, tables.trade_give - wood - stone - clay - tables.trade_get)
    if missing(hope_of(card, moment), given) > 0:
        return NOTHING
    return construct_worth(tables, player, card, given, moment) - moment.weights[w.TRADED]


def find_trade(tables: Any, view: Any, player: Any, moment: Any) -> int:
    """Return the best card that a trade makes possible, or NONE."""
    found, best = n.NONE, NOTHING
    if stored(player) < tables.trade_give or view.islands[n.FOOD] < tables.trade_get:
        return found
    for i in range(moment.count):
        card, short = int(moment.hopes[i].card), int(moment.hopes[i].missing)
        if not 0 < short <= tables.trade_get:
            continue
        spare = stored(player) - price(tables, player, card) + short
        gain = card_gain(tables, card, moment)
        if spare >= tables.trade_give and gain > best:
            found, best = card, gain
    return found
