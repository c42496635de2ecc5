"""Describing a position by features: what each seat has and may expect, for a linear evaluation.

All features are computed from what the viewing seat can see; some depend on its hand and are filled in only for it.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined, kernel, part
from rogsim.game.kit.bits import BYTE_BITS, lowest, places_above, size
from rogsim.game.kit.menus import at
from rogsim.games.river_of_gold.bots.best_actions import ALL_REGIONS, spaces_to_build_on
from rogsim.games.river_of_gold.bots.features import (
    ALL_GOODS,
    BEHIND,
    CHANCE_TO_SET_OFF,
    CUSTOMER_POINTS,
    FAVOR,
    FAVOR_LIMIT,
    FAVOR_SQUARED,
    FIRST_PATRON,
    FIRST_TYPE,
    GOODS_SQUARED,
    INFLUENCE,
    JOURNEY,
    KOKU,
    KOKU_SQUARED,
    LATE_SHIPS,
    LOOKS,
    MASTERY,
    NEARLY,
    NEXT_CUSTOMER,
    NOBLE_POINTS,
    ONE_SHORT,
    OPEN_REGIONS,
    OWN_NEAR,
    OWNER_FAVOR,
    OWNER_GOODS,
    OWNER_INFLUENCE,
    OWNER_KOKU,
    OWNER_POINTS,
    POINTS,
    POINTS_FOR_GOODS,
    POINTS_FOR_KOKU,
    REACH,
    READY,
    REGION_POINTS,
    REGIONS_READY,
    ROYAL,
    SAILING,
    SETS_OFF,
    SHARE_OF_FACES,
    SHARE_OF_RIVER,
    SHARE_OF_ROUND,
    SHIPS,
    TURNS,
    TURNS_TO_COME,
    WAITING,
)
from rogsim.games.river_of_gold.bots.next_turn import note_next_turn
from rogsim.games.river_of_gold.bots.worth import influence_in, rivals_of, shared_place, shortage, visits_of_touch
from rogsim.games.river_of_gold.components.names import (
    ARTISAN,
    ELDER,
    EMPTY,
    FACES,
    MASTERIES,
    MAX_SEATS,
    MERCHANT,
    NONE,
    PATRONS,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
    SHORES_PER_RIVER_SPACE,
)
from rogsim.games.river_of_gold.components.rewards_for_bots import (
    FAVOR_WORTH,
    GOOD_WORTH,
    JOURNEY_WORTH,
    KOKU_WORTH,
    OWNER,
    STEP_WORTH,
    VISITOR,
)
from rogsim.games.river_of_gold.components.tables import TRACK_REWARDS
from rogsim.games.river_of_gold.rules.journey import (
    MERCHANT_FAVOR,
    MERCHANT_GOOD,
    MERCHANT_INFLUENCE,
    MERCHANT_KOKU,
    MERCHANT_POINTS,
    MERCHANT_SALE,
    merchant_amount,
    regions_built_in,
)
from rogsim.games.river_of_gold.rules.masteries import mastery_progress
from rogsim.games.river_of_gold.rules.rewards import koku_for_each
from rogsim.games.river_of_gold.rules.sail import sail_target
from rogsim.games.river_of_gold.rules.scoring import customer_points, noble_points
from rogsim.games.river_of_gold.rules.supply import customers_delivered, goods_in_store, has


@kernel
def describe(tables: Any, game: Any, viewer: int, position: Any) -> None:
    """Fill a POSITION with the features of a game as the viewer sees it between two turns."""
    describe_shore(tables, game, viewer, position)
    describe_regions(tables, game, position)
    for seat in range(game.seats):
        describe_player(tables, game, seat, position.seats[seat])
        for i in (READY, NEARLY, REGIONS_READY, SAILING, LOOKS):
            position.seats[seat, i] = 0.0
    describe_own(tables, game, viewer, position)


@part
def describe_shore(tables: Any, game: Any, viewer: int, position: Any) -> None:
    """Add up the expected owner rewards, and count the regions where a seat can pay for a space."""
    visits = visits_of_touch(tables, game)
    of_emperor = 1.0 if game.era_left[0] > 0 else 0.0
    for seat in range(game.seats):
        for i in (
            OWNER_POINTS,
            OWNER_KOKU,
            OWNER_GOODS,
            OWNER_FAVOR,
            OWNER_INFLUENCE,
            OWN_NEAR,
        ):
            position.seats[seat, i] = 0.0
    for space in range(SHORE_SPACES):
        position.touch[space] = KOKU_WORTH * float(tables.empty_space_koku)
    built = places_above(game.shore, EMPTY)
    while built != 0:
        space = at(lowest(built))
        built &= built - 1
        position.touch[space] = tables.rough_rewards[VISITOR, at(game.shore[space])]
    markers = places_above(game.markers, NONE)  # two to a space
    while markers != 0:
        marker = lowest(markers)
        markers &= markers - 1
        space = at(marker >> 1)
        tile, owner = at(game.shore[space]), at(game.markers[space, at(marker & 1)])
        player, out, worth = game.players[owner], position.seats[owner], tables.rough_rewards[OWNER, tile]
        add_owner_reward(tables, tile, player, visits * float(tables.shore_touches[space]) + of_emperor, out)
        position.touch[space] += worth * float(int(owner == viewer))
        for ship in range(2):
            out[OWN_NEAR] += worth * float(tables.shore_reach[space, at(player.ships[ship])])
    for seat in range(game.seats):
        spaces, regions = spaces_to_build_on(tables, game, game.players[at(seat)], ALL_REGIONS), 0
        for region in range(REGIONS):
            regions += int(spaces & int(tables.spaces_of[1 << region]) != 0)
        position.seats[at(seat), OPEN_REGIONS] = float(regions)


@part
def add_owner_reward(tables: Any, tile: int, player: Any, visits: float, out: Any) -> None:
    """Add the owner reward of a tile times the expected number of visits."""
    reward, parts, number = tables.tiles[at(tile)].owner, tables.reward_parts, at(TRACK_REWARDS + int(tile))
    koku = parts[2, number]
    if reward.koku_per_any > 0:
        koku += float(koku_for_each(player, reward))
    out[OWNER_POINTS] += visits * parts[0, number]
    out[OWNER_KOKU] += visits * koku
    out[OWNER_GOODS] += visits * parts[3, number]
    out[OWNER_FAVOR] += visits * parts[1, number]
    out[OWNER_INFLUENCE] += visits * parts[4, number]


@part
def describe_regions(tables: Any, game: Any, position: Any) -> None:
    """Add up the points for places in the regions, with the current influence and with REACH less."""
    for region in range(REGIONS):
        note_places(tables, game, region, position.places[region])
    for seat in range(game.seats):
        player, out = game.players[at(seat)], position.seats[at(seat)]
        points, behind, influence = 0.0, 0.0, 0
        for region in range(REGIONS):
            places = position.places[region]
            factor = 1.0 + float(int(has(player.delivered, ELDER * REGIONS + region)))
            points += factor * places.points[at(seat)]
            behind += factor * places.behind[at(seat)]
            influence += int(player.influence[region])
        out[REGION_POINTS], out[BEHIND], out[INFLUENCE] = points, behind, float(influence)


@part
def note_places(tables: Any, game: Any, region: int, places: Any) -> None:
    """Note the points for the places in a region, unless they are there already: most positions differ elsewhere."""
    influence = influence_in(game, region)
    situation = influence | int(game.region_tiles[region]) << BYTE_BITS * MAX_SEATS
    if places.situation == situation:
        return
    places.situation = situation
    for seat in range(game.seats):
        rivals, own = rivals_of(seat, influence), int(game.players[at(seat)].influence[region])
        places.points[at(seat)] = shared_place(tables, game, rivals, region, own)
        places.behind[at(seat)] = shared_place(tables, game, rivals, region, max(own - REACH, 0))


@part
def describe_player(tables: Any, game: Any, seat: int, out: Any) -> None:
    """Fill in the features of a player that everybody can see."""
    player, delivered = game.players[seat], customers_delivered(game.players[seat])
    for kind in range(len(player.delivered_by_type)):
        out[FIRST_TYPE + kind] = float(player.delivered_by_type[kind])
    out[POINTS] = float(player.points)
    out[CUSTOMER_POINTS] = float(customer_points(tables, player))
    last = len(tables.customer_points) - 1
    out[NEXT_CUSTOMER] = float(tables.customer_points[min(delivered + 1, last)]) - out[CUSTOMER_POINTS]
    out[NOBLE_POINTS] = float(noble_points(tables, game, seat))
    goods = goods_in_store(player)
    merchants, artisans = int(player.delivered_by_type[MERCHANT]), int(player.delivered_by_type[ARTISAN])
    out[POINTS_FOR_KOKU] = float(merchants * int(tables.points_for_koku[at(player.koku)]))
    out[POINTS_FOR_GOODS] = float(artisans * int(tables.points_for_goods[at(goods)]))
    out[KOKU] = float(player.koku)
    out[KOKU_SQUARED] = tables.koku_squares[at(player.koku)]
    out[ALL_GOODS] = float(goods)
    squares = 0.0
    for good in range(len(player.goods)):
        squares += tables.good_squares[at(player.goods[good])]
    out[GOODS_SQUARED] = squares
    out[FAVOR] = float(player.favor)
    out[FAVOR_SQUARED] = tables.favor_squares[at(player.favor)]
    out[FAVOR_LIMIT] = float(player.favor_limit)
    out[ROYAL] = 1.0 if player.royal != NONE else 0.0
    sailed, late = 0.0, 0.0
    for ship in range(2):
        sailed += SHARE_OF_RIVER[at(player.ships[ship])]
        late += 1.0 if int(player.ships[ship]) + FACES >= RIVER_SPACES else 0.0
    out[SHIPS], out[LATE_SHIPS] = sailed, late
    out[JOURNEY] = journey(tables, game, seat, delivered)
    for patron in range(len(PATRONS)):
        out[FIRST_PATRON + patron] = float(int(player.patron == patron))
    describe_masteries(tables, game, player, out)
    describe_end(game, seat, out)


@part
def describe_masteries(tables: Any, game: Any, player: Any, out: Any) -> None:
    """Add up the progress toward the masteries that the player can still claim."""
    progress, one_short = 0.0, 0.0
    for mastery in range(len(MASTERIES)):
        claims = int(game.claims[mastery])
        if claims < 0 or claims >= tables.mastery_rewards or player.claimed[mastery] > 0:
            continue
        points, need = float(tables.mastery_points[at(claims)]), int(tables.mastery_needs[mastery])
        made = min(int(mastery_progress(tables, player, mastery)), need)
        progress += points * float(made * made) / float(need * need)
        one_short += points if made == need - 1 else 0.0
    out[MASTERY], out[ONE_SHORT] = progress, one_short


@part
def describe_end(game: Any, seat: int, out: Any) -> None:
    """Fill in how much of the game is left for a player."""
    seats = int(game.seats)
    waiting = seat - int(game.active)
    waiting += seats * int(waiting < 0)
    out[WAITING] = SHARE_OF_ROUND[at(seats), at(waiting)]
    if game.last_turns != NONE:
        out[TURNS] = 1.0 if waiting <= game.last_turns else 0.0
        out[SETS_OFF] = 0.0
        return
    left = int(game.era_left[0]) + int(game.era_left[1])
    out[TURNS] = TURNS_TO_COME[seats, left, waiting]
    out[SETS_OFF] = CHANCE_TO_SET_OFF[seats, left, waiting]


@part
def journey(tables: Any, game: Any, seat: int, delivered: int) -> float:
    """Return the rough worth of the journeys that the next sail may complete, merchants included."""
    player = game.players[seat]
    chance = 0.0
    for ship in range(2):
        chance += SHARE_OF_FACES[at(max(0, int(player.ships[ship]) + FACES + 1 - RIVER_SPACES))]
    if chance == 0.0:
        return 0.0
    worth = JOURNEY_WORTH
    if player.delivered_by_type[MERCHANT] > 0:
        if has(player.delivered, MERCHANT_INFLUENCE):
            regions = size(regions_built_in(tables, game, seat))
            worth += STEP_WORTH * float(merchant_amount(tables, MERCHANT_INFLUENCE) * regions)
        if has(player.delivered, MERCHANT_POINTS):
            worth += float(merchant_amount(tables, MERCHANT_POINTS) * delivered)
        worth += GOOD_WORTH * given_by(tables, player, MERCHANT_GOOD)
        worth += KOKU_WORTH * given_by(tables, player, MERCHANT_SALE)
        worth += FAVOR_WORTH * given_by(tables, player, MERCHANT_FAVOR)
        worth += KOKU_WORTH * given_by(tables, player, MERCHANT_KOKU)
    return chance * worth


@inlined
def given_by(tables: Any, player: Any, merchant: int) -> float:
    """Return what a merchant gives a player for a journey: nothing to one who did not deliver to it."""
    return float(merchant_amount(tables, merchant)) * float(int(has(player.delivered, merchant)))


@part
def describe_own(tables: Any, game: Any, viewer: int, position: Any) -> None:
    """Fill in the features that depend on the viewer's hand, and those too costly to compute for every seat."""
    out = position.seats[viewer]
    player = game.players[viewer]
    out[LOOKS] = 1.0
    regions = 0
    rest = int(player.hand)
    while rest != 0:
        customer = lowest(rest)
        rest &= rest - 1
        missing = shortage(tables, player, customer)
        if missing == 0:
            out[READY] += 1.0
            regions |= 1 << (customer % REGIONS)
        elif missing == 1:
            out[NEARLY] += 1.0
    for region in range(REGIONS):
        out[REGIONS_READY] += 1.0 if has(regions, region) else 0.0
    out[SAILING] = sailing(tables, player, position)
    note_next_turn(tables, game, viewer, position)


@part
def sailing(tables: Any, player: Any, position: Any) -> float:
    """Return the worth of the next sail with the better ship, averaged over the faces of the die."""
    total = 0.0
    for face in range(1, FACES + 1):
        best = 0.0
        for ship in range(2):
            to = sail_target(player.ships[ship], face)
            worth = JOURNEY_WORTH if to < player.ships[ship] else 0.0
            for i in range(SHORES_PER_RIVER_SPACE):
                worth += position.touch[at(tables.river_shore[at(to), i])]
            best = max(best, worth)
        total += best
    return total / float(FACES)
