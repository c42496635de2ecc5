"""Reserving and constructing buildings, their payment, and bonus tokens."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.bits import bit
from rogsim.games.the_river.components.names import CLAY, FOOD, MAX_COST, MAX_TOKEN_VALUE, NONE, STONE, WOOD
from rogsim.games.the_river.components.tables import MOST_MISSING
from rogsim.games.the_river.rules.actions import PAY, named_in
from rogsim.games.the_river.rules.display import take_card
from rogsim.games.the_river.rules.storage import give_back_all
from rogsim.games.the_river.rules.tiles import trigger_end

STEP = MAX_COST + 1  # between the numbers of payments that differ by one stone


def price(tables: Any, player: Any, card: int) -> int:
    """Return how many resources a card costs a player: one that is reserved costs less."""
    cost = tables.cards[card].cost
    total = cost[WOOD] + cost[STONE] + cost[CLAY]
    return max(total - tables.reserved_discount, 0) if is_reserved(player, card) else total


def is_reserved(player: Any, card: int) -> bool:
    """Return whether the player reserved a card."""
    found = False
    for i in range(player.reserved_count):
        found |= player.reserved[i] == card
    return found


def usable(tables: Any, player: Any, card: int, resource: int) -> int:
    """Return how many resources of a kind, food aside, the player could pay for a card."""
    return min(tables.cards[card].cost[resource], player.resources[resource])


def payable(tables: Any, holding: int, missing: int) -> int:
    """Return the mask of the cards for which a holding lacks at most `missing` resources.

    Food and a discount can replace them. The mask is looked up, because `legal` asks in every turn.
    """
    return tables.payable[holding, min(missing, MOST_MISSING)]


def list_payments(tables: Any, player: Any, card: int, menu: Any) -> None:
    """Fill the menu with every set of resources that pays for a card (J29)."""
    total, food = price(tables, player, card), player.resources[FOOD]
    count = 0
    for wood in range(usable(tables, player, card, WOOD) + 1):
        for stone in range(usable(tables, player, card, STONE) + 1):
            for clay in range(usable(tables, player, card, CLAY) + 1):
                if 0 <= total - wood - stone - clay <= food:
                    menu.actions[count] = PAY + (wood * STEP + stone) * STEP + clay
                    count += 1
    menu.count = count


def only_payment(tables: Any, player: Any, card: int) -> int:
    """Return the one way to pay for a card that can be paid, as an action, or NONE if there are several (J24)."""
    total, food = price(tables, player, card), player.resources[FOOD]
    wood = usable(tables, player, card, WOOD)
    stone = usable(tables, player, card, STONE)
    clay = usable(tables, player, card, CLAY)
    kinds = (wood > 0) + (stone > 0) + (clay > 0) + (food > 0)
    if kinds > 1 and total > 0 and wood + stone + clay + food > total:
        return NONE
    wood = min(wood, total)  # of one kind, nothing to pay, or exactly enough
    stone, clay = min(stone, total - wood), min(clay, total - wood)
    return PAY + (wood * STEP + stone) * STEP + clay


def reserve(game: Any, player: Any, card: int) -> None:
    """Take a face-up card to build it later."""
    take_card(game, card)
    player.reserved[player.reserved_count] = card
    player.reserved_count += 1
    player.ledger.reserved += 1


def pay(tables: Any, game: Any, player: Any, action: int) -> None:
    """Pay for the card that is being built, and take it with the next bonus token."""
    wood, stone, clay = named_in(action - PAY, MAX_COST)
    card, total = game.card, price(tables, player, game.card)
    game.card = NONE
    give_back_all(game, player, wood, stone, clay, total - wood - stone - clay)
    player.ledger.paid += total
    if not take_card(game, card):
        take_reserved(player, card)
    player.built |= bit(card)
    player.built_count += 1
    game.constructed += 1
    player.points += tables.cards[card].points
    take_token(tables, game, player)


def take_reserved(player: Any, card: int) -> None:
    """Take a card out of those reserved; the others stay in order."""
    place = 0
    while player.reserved[place] != card:
        place += 1
    player.reserved_count -= 1
    for i in range(place, player.reserved_count):
        player.reserved[i] = player.reserved[i + 1]
    player.reserved[player.reserved_count] = NONE
    player.ledger.from_reserve += 1


def take_token(tables: Any, game: Any, player: Any) -> None:
    """Take the next bonus token if there is one and a spot for it; the second frees the fifth pioneer."""
    if player.token_count >= tables.token_spots[player.board] or game.tokens_taken >= tables.token_count:
        return
    value = tables.token_values[game.tokens_taken]
    game.tokens_taken += 1
    player.tokens[player.token_count] = value
    player.token_count += 1
    player.ledger.token_values |= bit(min(value, MAX_TOKEN_VALUE))
    player.points += value
    player.token_points += value
    if player.token_count == tables.extra_pioneer_on_token and player.fifth == 1:
        player.fifth = 0
        player.boat += 1
    if player.token_count == tables.end_tokens:
        trigger_end(game, player)
