"""Describing a position by features: what each seat has and may expect, for a linear evaluation.

All features are computed from what the viewing seat can see; some depend on its hand and are filled in only for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.game.kit.bits import BYTE_BITS, lowest, places_above, size
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.actions_worth import (
    ALL_FACES,
    ALL_REGIONS,
    note_faces,
    note_outlook,
    spaces_to_build_on,
)
from rogsim.games.river_of_gold.bots.worth import (
    FACE_WORTH,
    POLICIES,
    influence_in,
    policy_for,
    rivals_of,
    shared_place,
    shortage,
    take_notes,
    visits_of_touch,
    weigh_moment,
)
from rogsim.games.river_of_gold.components import names
from rogsim.games.river_of_gold.components.tables import (
    FAVOR_WORTH,
    GOOD_WORTH,
    JOURNEY_WORTH,
    KOKU_WORTH,
    OWNER,
    STEP_WORTH,
    VISITOR,
)
from rogsim.games.river_of_gold.rules.rewards import koku_for_each
from rogsim.games.river_of_gold.rules.sail import (
    MERCHANT_FAVOR,
    MERCHANT_GOOD,
    MERCHANT_INFLUENCE,
    MERCHANT_KOKU,
    MERCHANT_POINTS,
    MERCHANT_SALE,
    merchant_amount,
    regions_built_in,
    sail_target,
)
from rogsim.games.river_of_gold.rules.scoring import customer_points, mastery_progress, noble_points
from rogsim.games.river_of_gold.rules.supply import customers_delivered, favor_needed, goods_in_store, has

FEATURES = (
    # points so far
    "points",
    "regions",  # points for the current places, elders included
    "behind",  # the same with REACH less influence
    "customers",  # points for customers delivered to
    "next-customer",  # points that one more would add
    "noble-points",
    "merchant-points",
    "artisan-points",
    "mastery",  # for each mastery in play, its points times the square of the progress
    "one-short",  # points of masteries that need one more step
    # resources
    "koku",
    "koku-squared",
    "goods",
    "goods-squared",
    "favor",
    "favor-squared",
    "favor-limit",
    # expected income
    "owner-points",
    "owner-koku",
    "owner-goods",
    "owner-favor",
    "owner-influence",
    "own-near",  # rough worth of the owner rewards that the seat's ships can reach with one sail
    "influence",
    "artisans",
    "elders",
    "merchants",
    "monks",
    "nobles",
    "royal",
    "ships",  # how far both have sailed on their journeys
    "late-ships",  # those that can complete theirs with one sail
    "journey",  # worth of completing one, times the chance that the next sail does
    "open-regions",  # with a space that the seat can pay for
    # of the viewing seat only
    "ready",  # orders that can be filled
    "nearly",  # orders that lack one good
    "regions-ready",  # regions with an order that can be filled
    "sailing",  # worth of the next sail, averaged over all faces
    "looks",  # 1 for the viewing seat
    # the end
    "turns",  # turns of the seat to come
    "sets-off",  # the chance to trigger the end of the game
    "waiting",  # turns of others before the seat's next one
    # the patron: 1 for the seat's own
    *names.PATRONS,
    # the next turn of the viewing seat, as the policy sees it
    "next-turn",  # worth of its best action, averaged over the faces of the die
    "best-face",  # worth with the best face
)
FEATURE_COUNT = len(FEATURES)
POINTS, REGION_POINTS, BEHIND, CUSTOMER_POINTS, NEXT_CUSTOMER, NOBLE_POINTS, POINTS_FOR_KOKU = range(7)
POINTS_FOR_GOODS, MASTERY, ONE_SHORT, KOKU, KOKU_SQUARED, ALL_GOODS, GOODS_SQUARED = range(7, 14)
FAVOR, FAVOR_SQUARED, FAVOR_LIMIT = range(14, 17)
OWNER_POINTS, OWNER_KOKU, OWNER_GOODS, OWNER_FAVOR, OWNER_INFLUENCE, OWN_NEAR, INFLUENCE, FIRST_TYPE = range(17, 25)
ROYAL, SHIPS, LATE_SHIPS, JOURNEY, OPEN_REGIONS = range(29, 34)
READY, NEARLY, REGIONS_READY, SAILING, LOOKS, TURNS, SETS_OFF, WAITING, FIRST_PATRON = range(34, 43)
NEXT_TURN = FIRST_PATRON + len(names.PATRONS)
BEST_FACE = NEXT_TURN + 1

REACH = 3  # influence
TILES_PER_TURN = 0.45  # tiles that a turn takes from the row, as observed in play
MOST_TILES = sum(names.TILES_PER_ERA)


def _end_tables() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a seat's turns to come, and its chance to trigger the end, by players, tiles left and turns to wait.

    Each turn takes a tile with probability TILES_PER_TURN, so the number of the turn that takes the last one has a
    negative binomial distribution.

    Returns
    -------
    turns, sets_off : float64[MAX_SEATS + 1, MOST_TILES + 1, MAX_SEATS]
        Expected turns, and probabilities.
    """
    # by turns before it, and tiles left: the chance that a turn takes the last tile
    chances = np.zeros((12 * MOST_TILES, MOST_TILES + 1))
    chances[0, 1] = TILES_PER_TURN
    for before in range(1, len(chances)):
        earlier = chances[before - 1]
        chances[before, 1:] = (1.0 - TILES_PER_TURN) * earlier[1:] + TILES_PER_TURN * earlier[:-1]
    turns = np.zeros((names.MAX_SEATS + 1, MOST_TILES + 1, names.MAX_SEATS))
    sets_off = np.zeros_like(turns)
    number = np.arange(len(chances))
    for seats in range(2, names.MAX_SEATS + 1):
        for waiting in range(seats):
            last = number % seats == waiting
            taken = np.maximum((number - waiting) // seats + 1, 0)
            # added up in order, so that the sums do not depend on the machine
            sets_off[seats, :, waiting] = np.cumsum(chances * last[:, None], axis=0)[-1]
            turns[seats, :, waiting] = np.cumsum(chances * (taken + ~last)[:, None], axis=0)[-1]
    return turns, sets_off


TURNS_TO_COME, CHANCE_TO_SET_OFF = _end_tables()

# Points for the places in a region, by seat.
PLACE_POINTS = np.dtype(
    [
        ("situation", "i8"),  # the influence of all seats and the scoring tile that they are noted for, or UNKNOWN
        ("points", "f8", (names.MAX_SEATS,)),
        ("behind", "f8", (names.MAX_SEATS,)),  # with REACH less influence
    ],
    align=True,
)
UNKNOWN = -1

# The features of a position, by seat.
POSITION = np.dtype(
    [
        ("seats", "f8", (names.MAX_SEATS, FEATURE_COUNT)),
        ("places", PLACE_POINTS, (names.REGIONS,)),  # kept from position to position
        ("touch", "f8", (names.SHORE_SPACES,)),  # rough worth of a visit to the viewing seat
        ("policies", POLICIES),  # the policy that plays on and values the next turn, by moment
        ("knows_patrons", "?"),  # whether patrons have weights
        ("looks_ahead", "?"),  # whether the next turn has
        ("worths", "f8", (names.FACES + 1,)),  # of the best action with each face of the die
    ],
    align=True,
)


def note_next_turn(tables: Any, game: Any, viewer: int, position: Any) -> None:
    """Fill in what the viewer's next turn is worth, if it has one and the evaluation asks for it."""
    for seat in range(game.seats):
        position.seats[seat, NEXT_TURN] = 0.0
        position.seats[seat, BEST_FACE] = 0.0
    out, worths = position.seats[viewer], position.worths
    if not position.looks_ahead or out[TURNS] == 0.0:
        return
    policy = policy_for(tables, game, position.policies)
    weigh_moment(tables, game, policy)
    take_notes(tables, game, viewer, True, policy)
    note_outlook(tables, game, viewer, policy)
    note_faces(tables, game, viewer, ALL_FACES, policy)
    for face in range(1, names.FACES + 1):
        worths[face] = policy.notes[FACE_WORTH + face]
        out[BEST_FACE] = max(out[BEST_FACE], worths[face])
    favor = policy.notes[w.FAVOR]
    for die in range(1, names.FACES + 1):
        best = 0.0
        for face in range(1, names.FACES + 1):
            price = favor_needed(die, face)
            if price <= game.players[viewer].favor:
                best = max(best, worths[face] - favor * price)
        out[NEXT_TURN] += best / names.FACES


def describe(tables: Any, game: Any, viewer: int, position: Any) -> None:
    """Fill a POSITION with the features of a game as the viewer sees it between two turns."""
    describe_shore(tables, game, viewer, position)
    describe_regions(tables, game, position)
    for seat in range(game.seats):
        describe_player(tables, game, seat, position.seats[seat])
        for i in (READY, NEARLY, REGIONS_READY, SAILING, LOOKS):
            position.seats[seat, i] = 0.0
    describe_own(tables, game, viewer, position)


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
    for space in range(names.SHORE_SPACES):
        position.touch[space] = KOKU_WORTH * tables.empty_space_koku
    built = places_above(game.shore, names.EMPTY)
    while built != 0:
        space = lowest(built)
        built &= built - 1
        position.touch[space] = tables.rough_rewards[VISITOR, game.shore[space]]
    markers = places_above(game.markers, names.NONE)  # two to a space
    while markers != 0:
        marker = lowest(markers)
        markers &= markers - 1
        space = marker >> 1
        tile, owner = game.shore[space], game.markers[space, marker & 1]
        player, out, worth = game.players[owner], position.seats[owner], tables.rough_rewards[OWNER, tile]
        add_owner_reward(tables, tile, player, visits * tables.shore_touches[space] + of_emperor, out)
        position.touch[space] += worth * int(owner == viewer)
        for ship in range(2):
            out[OWN_NEAR] += worth * tables.shore_reach[space, player.ships[ship]]
    for seat in range(game.seats):
        spaces, regions = spaces_to_build_on(tables, game, game.players[seat], ALL_REGIONS), 0
        for region in range(names.REGIONS):
            regions += int(spaces & tables.spaces_of[1 << region] != 0)
        position.seats[seat, OPEN_REGIONS] = regions


def add_owner_reward(tables: Any, tile: int, player: Any, visits: float, out: Any) -> None:
    """Add the owner reward of a tile times the expected number of visits."""
    reward = tables.tiles[tile].owner
    out[OWNER_POINTS] += visits * reward.points
    out[OWNER_KOKU] += visits * (reward.koku + koku_for_each(player, reward))
    out[OWNER_GOODS] += visits * reward.goods_in_all
    out[OWNER_FAVOR] += visits * reward.favor
    out[OWNER_INFLUENCE] += visits * reward.influence


def describe_regions(tables: Any, game: Any, position: Any) -> None:
    """Add up the points for places in the regions, with the current influence and with REACH less."""
    for region in range(names.REGIONS):
        note_places(tables, game, region, position.places[region])
    for seat in range(game.seats):
        player, out = game.players[seat], position.seats[seat]
        points, behind, influence = 0.0, 0.0, 0
        for region in range(names.REGIONS):
            places = position.places[region]
            factor = 1.0 + has(player.delivered, names.ELDER * names.REGIONS + region)
            points += factor * places.points[seat]
            behind += factor * places.behind[seat]
            influence += player.influence[region]
        out[REGION_POINTS], out[BEHIND], out[INFLUENCE] = points, behind, float(influence)


def note_places(tables: Any, game: Any, region: int, places: Any) -> None:
    """Note the points for the places in a region, unless they are there already: most positions differ elsewhere."""
    influence = influence_in(game, region)
    situation = influence | game.region_tiles[region] << BYTE_BITS * names.MAX_SEATS
    if places.situation == situation:
        return
    places.situation = situation
    for seat in range(game.seats):
        rivals, own = rivals_of(seat, influence), game.players[seat].influence[region]
        places.points[seat] = shared_place(tables, game, rivals, region, own)
        places.behind[seat] = shared_place(tables, game, rivals, region, max(own - REACH, 0))


def describe_player(tables: Any, game: Any, seat: int, out: Any) -> None:
    """Fill in the features of a player that everybody can see."""
    player, delivered = game.players[seat], customers_delivered(game.players[seat])
    for kind in range(len(player.delivered_by_type)):
        out[FIRST_TYPE + kind] = player.delivered_by_type[kind]
    out[POINTS] = player.points
    out[CUSTOMER_POINTS] = customer_points(tables, player)
    last = len(tables.customer_points) - 1
    out[NEXT_CUSTOMER] = tables.customer_points[min(delivered + 1, last)] - out[CUSTOMER_POINTS]
    out[NOBLE_POINTS] = noble_points(tables, game, seat)
    goods = goods_in_store(player)
    merchants, artisans = player.delivered_by_type[names.MERCHANT], player.delivered_by_type[names.ARTISAN]
    out[POINTS_FOR_KOKU] = merchants * (player.koku // tables.merchant_koku_per_point)
    out[POINTS_FOR_GOODS] = artisans * (goods // tables.artisan_goods_per_point)
    out[KOKU] = player.koku
    out[KOKU_SQUARED] = square_by_limit(player.koku, tables.koku_limit)
    out[ALL_GOODS] = goods
    squares = 0.0
    for good in range(len(player.goods)):
        squares += square_by_limit(player.goods[good], tables.good_limit)
    out[GOODS_SQUARED] = squares
    out[FAVOR] = player.favor
    out[FAVOR_SQUARED] = square_by_limit(player.favor, tables.favor_limit_end)
    out[FAVOR_LIMIT] = player.favor_limit
    out[ROYAL] = 1.0 if player.royal != names.NONE else 0.0
    sailed, late = 0.0, 0.0
    for ship in range(2):
        sailed += player.ships[ship] / names.RIVER_SPACES
        late += 1.0 if player.ships[ship] + names.FACES >= names.RIVER_SPACES else 0.0
    out[SHIPS], out[LATE_SHIPS] = sailed, late
    out[JOURNEY] = journey(tables, game, seat, delivered)
    for patron in range(len(names.PATRONS)):
        out[FIRST_PATRON + patron] = int(player.patron == patron)
    describe_masteries(tables, game, player, out)
    describe_end(game, seat, out)


def square_by_limit(number: int, limit: int) -> float:
    """Return the square of a number divided by its limit; nobody has any if that is 0."""
    return float(number * number) / max(float(limit), 1.0)


def describe_masteries(tables: Any, game: Any, player: Any, out: Any) -> None:
    """Add up the progress toward the masteries that the player can still claim."""
    progress, one_short = 0.0, 0.0
    for mastery in range(len(names.MASTERIES)):
        claims = game.claims[mastery]
        if claims < 0 or claims >= tables.mastery_rewards or player.claimed[mastery] > 0:
            continue
        points, need = float(tables.mastery_points[claims]), tables.mastery_needs[mastery]
        made = min(mastery_progress(tables, player, mastery), need)
        progress += points * (made * made) / (need * need)
        one_short += points if made == need - 1 else 0.0
    out[MASTERY], out[ONE_SHORT] = progress, one_short


def describe_end(game: Any, seat: int, out: Any) -> None:
    """Fill in how much of the game is left for a player."""
    seats = game.seats
    waiting = seat - game.active
    waiting += seats * int(waiting < 0)
    out[WAITING] = waiting / seats
    if game.last_turns != names.NONE:
        out[TURNS] = 1.0 if waiting <= game.last_turns else 0.0
        out[SETS_OFF] = 0.0
        return
    left = int(game.era_left[0]) + int(game.era_left[1])
    out[TURNS] = TURNS_TO_COME[seats, left, waiting]
    out[SETS_OFF] = CHANCE_TO_SET_OFF[seats, left, waiting]


def journey(tables: Any, game: Any, seat: int, delivered: int) -> float:
    """Return the rough worth of the journeys that the next sail may complete, merchants included."""
    player = game.players[seat]
    chance = 0.0
    for ship in range(2):
        chance += max(0, player.ships[ship] + names.FACES + 1 - names.RIVER_SPACES) / names.FACES
    if chance == 0.0:
        return 0.0
    worth = JOURNEY_WORTH
    if player.delivered_by_type[names.MERCHANT] > 0:
        if has(player.delivered, MERCHANT_INFLUENCE):
            regions = size(regions_built_in(tables, game, seat))
            worth += STEP_WORTH * (merchant_amount(tables, MERCHANT_INFLUENCE) * regions)
        if has(player.delivered, MERCHANT_POINTS):
            worth += merchant_amount(tables, MERCHANT_POINTS) * delivered
        worth += GOOD_WORTH * given_by(tables, player, MERCHANT_GOOD)
        worth += KOKU_WORTH * given_by(tables, player, MERCHANT_SALE)
        worth += FAVOR_WORTH * given_by(tables, player, MERCHANT_FAVOR)
        worth += KOKU_WORTH * given_by(tables, player, MERCHANT_KOKU)
    return chance * worth


def given_by(tables: Any, player: Any, merchant: int) -> float:
    """Return what a merchant gives a player for a journey: nothing to one who did not deliver to it."""
    return merchant_amount(tables, merchant) * has(player.delivered, merchant)


def describe_own(tables: Any, game: Any, viewer: int, position: Any) -> None:
    """Fill in the features that depend on the viewer's hand, and those too costly to compute for every seat."""
    out = position.seats[viewer]
    player = game.players[viewer]
    out[LOOKS] = 1.0
    regions = 0
    rest = player.hand
    while rest != 0:
        customer = lowest(rest)
        rest &= rest - 1
        missing = shortage(tables, player, customer)
        if missing == 0:
            out[READY] += 1.0
            regions |= 1 << (customer % names.REGIONS)
        elif missing == 1:
            out[NEARLY] += 1.0
    for region in range(names.REGIONS):
        out[REGIONS_READY] += 1.0 if has(regions, region) else 0.0
    out[SAILING] = sailing(tables, player, position)
    note_next_turn(tables, game, viewer, position)


def sailing(tables: Any, player: Any, position: Any) -> float:
    """Return the worth of the next sail with the better ship, averaged over the faces of the die."""
    total = 0.0
    for face in range(1, names.FACES + 1):
        best = 0.0
        for ship in range(2):
            to = sail_target(player.ships[ship], face)
            worth = JOURNEY_WORTH if to < player.ships[ship] else 0.0
            for i in range(names.SHORES_PER_RIVER_SPACE):
                worth += position.touch[tables.river_shore[to, i]]
            best = max(best, worth)
        total += best
    return total / names.FACES
