"""Sailing: move, visitor rewards, owner rewards, the royal ship, the patron; then the completed journey, if any."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined, kernel, part
from rogsim.game.kit.agenda import push
from rogsim.games.river_of_gold.components.names import (
    DAIDOJI,
    EMPTY,
    FROM_OTHER,
    FROM_OWNER,
    FROM_PATRON,
    FROM_VISIT,
    MARKET,
    NOBLE,
    NONE,
    REGIONS,
    RIVER_SPACES,
    SHORES_PER_RIVER_SPACE,
)
from rogsim.games.river_of_gold.rules.agenda import (
    INFLUENCE,
    JOURNEY_REWARD,
    OWNER_REWARDS,
    PATRON_SAILS,
    ROYAL_SHIP,
    VISITOR_REWARDS,
)
from rogsim.games.river_of_gold.rules.rewards import collect, collect_goods_of_choice
from rogsim.games.river_of_gold.rules.supply import gain_koku, has, is_owner, is_rival_owner, score

# The nobles, named after what they add to the royal ship, as numbers of customers.
FIRST_NOBLE = NOBLE * REGIONS
NOBLE_ANY_GOOD, NOBLE_KOKU, NOBLE_INFLUENCE, NOBLE_RIVAL, NOBLE_DIE, NOBLE_OWN = range(FIRST_NOBLE, FIRST_NOBLE + 6)


@inlined
def sail(game: Any, ship: int, to: int) -> None:
    """Move a ship and put everything that follows on the agenda, in reverse order."""
    seat = int(game.active)
    player = game.players[seat]
    game.ship = ship
    game.journey = to < player.ships[ship]
    player.ships[ship] = to
    player.ledger.sails += 1
    if game.journey:
        player.ledger.journeys += 1
        push(game, JOURNEY_REWARD, seat, 0, 0)
    if player.patron == DAIDOJI:
        push(game, PATRON_SAILS, seat, 0, 0)
    if player.royal == ship:
        push(game, ROYAL_SHIP, seat, 0, 0)
    push(game, OWNER_REWARDS, seat, 0, 0)
    push(game, VISITOR_REWARDS, seat, 0, 0)


@inlined
def river_space(game: Any) -> int:
    """Return the river space of the ship that sails this turn."""
    return int(game.players[game.active].ships[game.ship])


@inlined
def visitor_rewards(tables: Any, game: Any, first: int) -> None:
    """Collect the visitor rewards of the shore spaces, from the given one, until a choice must be made."""
    seat = int(game.active)
    player = game.players[seat]
    at = river_space(game)
    free_choice = player.royal == game.ship and has(player.delivered, NOBLE_ANY_GOOD)
    for i in range(first, SHORES_PER_RIVER_SPACE):
        space = tables.river_shore[at, i]
        tile = game.shore[space]
        if tile == EMPTY:
            gain_koku(tables, player, tables.empty_space_koku)
            continue
        # The rest waits below the choice on the agenda.
        push(game, VISITOR_REWARDS, seat, i + 1, 0)
        waiting = game.agenda_size
        reward, region = tables.tiles[tile].visitor, int(tables.shore_region[space])
        if free_choice and tables.tiles[tile].kind == MARKET:
            collect_goods_of_choice(tables, game, seat, reward, region, FROM_VISIT)
        else:
            collect(tables, game, seat, reward, region, FROM_VISIT)
        if game.agenda_size > waiting:
            return
        game.agenda_size -= 1


@inlined
def owner_rewards(tables: Any, game: Any, first: int, first_marker: int) -> None:
    """Pay each marker's owner along the shore spaces, from the given place, until a choice must be made."""
    at = river_space(game)
    for i in range(first, SHORES_PER_RIVER_SPACE):
        space = tables.river_shore[at, i]
        for marker in range(first_marker if i == first else 0, 2):
            if game.markers[space, marker] == NONE:
                break
            push(game, OWNER_REWARDS, int(game.active), i, marker + 1)
            waiting = game.agenda_size
            pay_owner(tables, game, space, marker)
            if game.agenda_size > waiting:
                return
            game.agenda_size -= 1


@kernel
def pay_owner(tables: Any, game: Any, space: int, marker: int) -> None:
    """Give the owner reward of a building to the seat of one of its markers."""
    seat, region = int(game.markers[space, marker]), int(tables.shore_region[space])
    collect(tables, game, seat, tables.tiles[game.shore[space]].owner, region, FROM_OWNER)


@kernel
def visited_own_building(tables: Any, game: Any) -> bool:
    """Return whether the ship of this turn touches a building of the active player."""
    at = river_space(game)
    for i in range(SHORES_PER_RIVER_SPACE):
        if is_owner(game, game.active, tables.river_shore[at, i]):
            return True
    return False


@kernel
def visited_rival_building(tables: Any, game: Any) -> bool:
    """Return whether the ship of this turn touches a building of an opponent."""
    at = river_space(game)
    for i in range(SHORES_PER_RIVER_SPACE):
        if is_rival_owner(game, game.active, tables.river_shore[at, i]):
            return True
    return False


@kernel
def royal_ship(tables: Any, game: Any) -> None:
    """Apply the nobles' abilities after a sail of the royal ship, in the order of their numbers (2, 3, 4, 6)."""
    seat = int(game.active)
    player = game.players[seat]
    delivered = player.delivered
    at = river_space(game)
    if has(delivered, NOBLE_KOKU):
        for i in range(SHORES_PER_RIVER_SPACE):
            if game.shore[tables.river_shore[at, i]] == EMPTY:
                gain_koku(tables, player, tables.noble_amount[NOBLE_KOKU - FIRST_NOBLE])
    # Nobles 4 and 6 score points, which no choice within noble 3's influence can change.
    if has(delivered, NOBLE_RIVAL) and visited_rival_building(tables, game):
        score(player, FROM_OTHER, tables.noble_amount[NOBLE_RIVAL - FIRST_NOBLE])
    if has(delivered, NOBLE_OWN) and visited_own_building(tables, game):
        score(player, FROM_OTHER, tables.noble_amount[NOBLE_OWN - FIRST_NOBLE])
    if has(delivered, NOBLE_INFLUENCE):
        amount = int(tables.noble_amount[NOBLE_INFLUENCE - FIRST_NOBLE])
        for i in range(int(tables.river_region_count[at]) - 1, -1, -1):
            push(game, INFLUENCE, seat, int(tables.river_regions[at, i]), amount)


@part
def patron_sails(tables: Any, game: Any) -> None:
    """Score Daidoji Uji's visit to an opponent's building."""
    if visited_rival_building(tables, game):
        score(game.players[game.active], FROM_PATRON, tables.daidoji_points)


@inlined
def sail_target(at: int, steps: int) -> int:
    """Return the river space some spaces downriver; after the last one comes the first."""
    to = int(at) + int(steps)
    return to - RIVER_SPACES if to >= RIVER_SPACES else to
