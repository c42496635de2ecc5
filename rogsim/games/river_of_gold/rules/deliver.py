"""Delivering: pay the order, the patron's effect, the reward, then draw 2 customers and discard 1; and their deck."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.state_fields import note, push, push_choice
from rogsim.game.rng import number, shuffle, stream_key
from rogsim.games.river_of_gold.components import names
from rogsim.games.river_of_gold.rules.agenda import DELIVERY_REWARD, DRAW, DRAWN, INFLUENCE, RESHUFFLED, SECOND_MARKER
from rogsim.games.river_of_gold.rules.state import DISCARD, MARKER, RESHUFFLE, ROYAL
from rogsim.games.river_of_gold.rules.supply import bit, gain_favor, has, is_owner, score

IN_REGION = sum(1 << kind * names.REGIONS for kind in range(len(names.CUSTOMER_TYPES)))  # those of the first region
CARDS_DRAWN = 2  # after a delivery


def can_fill_order(tables: Any, player: Any, customer: int) -> bool:
    """Return whether the player has the goods that a customer orders."""
    return has(orders_filled(tables, player), customer)


def orders_filled(tables: Any, player: Any) -> int:
    """Return the mask of all customers whose order the player can fill: one look-up for each good."""
    filled = tables.fillable[0, player.goods[0]]
    for good in range(1, names.KINDS):
        filled &= tables.fillable[good, player.goods[good]]
    return filled


def deliver(tables: Any, game: Any, customer: int) -> None:
    """Deliver to a customer of the active player's hand, and put what follows on the agenda."""
    seat = game.active
    player = game.players[seat]
    region = customer % names.REGIONS
    for good in range(names.KINDS):
        player.goods[good] -= tables.orders[customer, good]
    if player.patron == names.KUDAKA and not has_customer_of(player, region):
        score(player, names.FROM_PATRON, tables.kudaka_points)
    player.hand &= ~bit(customer)
    player.hand_size -= 1
    player.delivered |= bit(customer)
    player.delivered_by_type[customer // names.REGIONS] += 1
    player.ledger.deliveries += 1
    push(game, DRAW, seat, CARDS_DRAWN, 0)
    push(game, DELIVERY_REWARD, seat, customer, 0)


def has_customer_of(player: Any, region: int) -> bool:
    """Return whether the player has delivered to a customer of a region."""
    for kind in range(len(player.delivered_by_type)):
        if has(player.delivered, kind * names.REGIONS + region):
            return True
    return False


def delivery_reward(tables: Any, game: Any, customer: int) -> None:
    """Give the reward of a delivery: royal ship, influence, or favor and a second marker."""
    seat = game.active
    player = game.players[seat]
    kind, region = customer // names.REGIONS, customer % names.REGIONS
    raised = player.favor_limit + tables.delivery_favor_limit[kind]
    player.favor_limit = min(raised, tables.favor_limit_end)
    gain_favor(player, tables.delivery_favor[kind])
    if kind == names.MONK:
        push(game, SECOND_MARKER, seat, region, 0)
    if tables.delivery_influence[kind] > 0:
        push(game, INFLUENCE, seat, region, tables.delivery_influence[kind])
    if kind == names.NOBLE and player.royal == names.NONE:
        push_choice(game, ROYAL, seat)


def can_mark(tables: Any, game: Any, seat: int, space: int, monk_region: int) -> bool:
    """Return whether the monk of a region lets the seat put a second marker on the building at a space."""
    if game.shore[space] == names.EMPTY or game.markers[space, 0] == names.NONE or game.markers[space, 1] != names.NONE:
        return False
    return is_owner(game, seat, space) == (tables.monk_marks_own[monk_region] == 1)


def second_marker(tables: Any, game: Any, monk_region: int) -> None:
    """Ask for the building of a monk's second marker, if any building can take it."""
    seat = game.active
    game.monk_region = monk_region
    for space in range(names.SHORE_SPACES):
        if can_mark(tables, game, seat, space, monk_region):
            push_choice(game, MARKER, seat)
            return


def place_marker(tables: Any, game: Any, space: int) -> None:
    """Put the active player's marker on a building that has one; a new owner has one more of its type."""
    seat = game.active
    if not is_owner(game, seat, space):
        game.players[seat].owned[tables.tiles[game.shore[space]].kind] += 1
    game.markers[space, 1] = seat
    game.players[seat].ledger.spaces |= bit(space)


def draw_then_discard(game: Any, seat: int, count: int) -> None:
    """Draw some customers, then ask which one of the hand to discard; nothing is discarded if too few were left."""
    drawn = 0
    while drawn < count and draw_customer(game, seat):
        drawn += 1
    if drawn == count:
        push_choice(game, DISCARD, seat)


def draw_customer(game: Any, seat: int) -> bool:
    """Draw one customer into a hand; False if deck and discards are both used up."""
    if game.deck_left == 0:
        _reshuffle(game)
    if game.deck_left == 0:
        return False
    secret = game.secret
    customer = int(secret.deck[secret.deck_size - int(game.deck_left)])
    game.deck_left -= 1
    player = game.players[seat]
    player.hand |= bit(customer)
    player.hand_size += 1
    note(secret, DRAWN, seat, customer)
    return True


def discard_customer(game: Any, seat: int, customer: int) -> None:
    """Put a customer of the hand on the discard pile, face up."""
    player = game.players[seat]
    player.hand &= ~bit(customer)
    player.hand_size -= 1
    game.discards |= bit(customer)


def _reshuffle(game: Any) -> None:
    """Make the discard pile into a new deck."""
    secret = game.secret
    size = 0
    for customer in range(len(names.CUSTOMERS)):
        if has(game.discards, customer):
            secret.deck[size] = customer
            size += 1
    if size == 0:
        return
    stream = number(stream_key(secret.key, RESHUFFLE), secret.reshuffles)
    shuffle(stream, secret.deck, size)
    secret.deck_size = size
    secret.reshuffles += 1
    game.deck_left = size
    game.deck_cards = game.discards
    game.discards = 0
    note(secret, RESHUFFLED, 0, 0)
