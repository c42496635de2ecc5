"""Scoring: the masteries during the game, and at its end all points; then the winner.

Of six masteries three are in play; each player can claim each one once while rewards are left. At the end, regions,
customers delivered, merchants, artisans and nobles count.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.bits import BYTE_BITS, ONES, SPARE, at_least, lowest, packed, size
from rogsim.game.kit.state_fields import note
from rogsim.game.records import record
from rogsim.games.river_of_gold.components import names
from rogsim.games.river_of_gold.rules.agenda import CLAIMED
from rogsim.games.river_of_gold.rules.sail import regions_built_in
from rogsim.games.river_of_gold.rules.supply import customers_delivered, goods_in_store, has, score

FOUR, FIVE, SIX = ONES[4:7]  # kinds of building, types of customer, regions or masteries


def claim_masteries(tables: Any, game: Any) -> None:
    """Claim every mastery in play that the active player has reached and not yet claimed, while rewards are left."""
    player = game.players[game.active]
    claimed = masteries_left(tables, game, player) & masteries_reached(tables, player)
    while claimed != 0:
        mastery = lowest(claimed) // BYTE_BITS
        score(player, names.FROM_MASTERY, tables.mastery_points[game.claims[mastery]])
        game.claims[mastery] += 1
        player.claimed[mastery] = game.claims[mastery]
        note(game.secret, CLAIMED, game.active, mastery)
        claimed &= claimed - 1


# The six masteries are compared at once, as bytes of one number, because nearly every turn claims none.


def masteries_left(tables: Any, game: Any, player: Any) -> int:
    """Return the masteries that the player can still claim (in play, a reward left, not claimed), as spare bits."""
    gone = at_least(packed(game.claims), SIX, tables.mastery_rewards)  # NONE is more than all numbers
    return (gone | at_least(packed(player.claimed), SIX, 1)) ^ SIX << SPARE


def masteries_reached(tables: Any, player: Any) -> int:
    """Return the masteries that the player has reached, as spare bits."""
    needs, flower = tables.mastery_needs, tables.imperial_flower
    delivered, owned, influence = packed(player.delivered_by_type), packed(player.owned), packed(player.influence)
    return (
        (int(size(at_least(delivered, FIVE, 1)) >= needs[names.AIR]) << BYTE_BITS * names.AIR)
        | (int(size(at_least(influence, SIX, flower)) >= needs[names.COURTS]) << BYTE_BITS * names.COURTS)
        | (int(at_least(owned, FOUR, needs[names.EARTH]) != 0) << BYTE_BITS * names.EARTH)
        | (int(at_least(delivered, FIVE, needs[names.FIRE]) != 0) << BYTE_BITS * names.FIRE)
        | (int(size(at_least(influence, SIX, 1)) >= needs[names.VOID]) << BYTE_BITS * names.VOID)
        | (int(size(at_least(owned, FOUR, 1)) >= needs[names.WATER]) << BYTE_BITS * names.WATER)
    ) << SPARE


def mastery_progress(tables: Any, player: Any, mastery: int) -> int:
    """Return a player's progress toward a mastery, in the unit of what it needs."""
    if mastery == names.AIR:
        return count_at_least(player.delivered_by_type, 1)
    elif mastery == names.COURTS:
        return count_at_least(player.influence, tables.imperial_flower)
    elif mastery == names.EARTH:
        return largest(player.owned)
    elif mastery == names.FIRE:
        return largest(player.delivered_by_type)
    elif mastery == names.VOID:
        return count_at_least(player.influence, 1)
    return count_at_least(player.owned, 1)


def count_at_least(values: Any, least: int) -> int:
    """Count the values that are at least a given one."""
    count = 0
    for i in range(len(values)):
        count += int(values[i] >= least)
    return count


def largest(values: Any) -> int:
    """Return the largest of some counts."""
    most = 0
    for i in range(len(values)):
        most = max(most, int(values[i]))
    return most


PLACES = 3

# The points of a player in final scoring, in addition to those of the game.
SCORE = record(
    [
        ("regions", "i2", (names.REGIONS,)),  # by place, before any doubling
        ("elders", "i2", (names.REGIONS,)),  # added by elders' doubling
        ("points_customers", "i2"),
        ("points_merchants", "i2"),
        ("points_artisans", "i2"),
        ("points_nobles", "i2"),
        ("points", "i2"),  # including the points of the game
        ("rank", "i2"),  # 1 = first; tied players share a rank
        ("win_share", "f8"),
    ]
)

# Nobles 1 to 4 each count one type of building.
COUNTED_BY_NOBLE = (names.MARKET, names.PORT, names.MANOR, names.SHRINE)


def score_game(tables: Any, game: Any, scores: Any) -> None:
    """Fill the SCORE record of every seat of a finished game."""
    for seat in range(game.seats):
        score_player(tables, game, seat, scores[seat])
    winners = 0
    for seat in range(game.seats):
        ahead = 0
        for other in range(game.seats):
            if is_ahead(tables, game, scores, other, seat):
                ahead += 1
        scores[seat].rank = 1 + ahead
        winners += ahead == 0
    for seat in range(game.seats):
        scores[seat].win_share = 1.0 / winners if scores[seat].rank == 1 else 0.0


def is_ahead(tables: Any, game: Any, scores: Any, seat: int, other: int) -> bool:
    """Return whether a seat beats another: by points, or with equal points by favor left."""
    if scores[seat].points != scores[other].points:
        return scores[seat].points > scores[other].points
    return tables.favor_breaks_ties == 1 and game.players[seat].favor > game.players[other].favor


def score_player(tables: Any, game: Any, seat: int, score: Any) -> None:
    """Fill one seat's score, except its rank."""
    player = game.players[seat]
    total = player.points
    for region in range(names.REGIONS):
        points = region_points(tables, game, seat, region)
        score.regions[region] = points
        score.elders[region] = points if has(player.delivered, names.ELDER * names.REGIONS + region) else 0
        total += points + score.elders[region]
    score.points_customers = customer_points(tables, player)
    merchants = player.delivered_by_type[names.MERCHANT]
    artisans = player.delivered_by_type[names.ARTISAN]
    score.points_merchants = merchants * (player.koku // tables.merchant_koku_per_point)
    score.points_artisans = artisans * (goods_in_store(player) // tables.artisan_goods_per_point)
    score.points_nobles = noble_points(tables, game, seat)
    total += score.points_customers + score.points_merchants
    score.points = total + score.points_artisans + score.points_nobles


def region_points(tables: Any, game: Any, seat: int, region: int) -> int:
    """Return the points of a seat's place in a region; tied seats share their places' points, rounded down."""
    influence = game.players[seat].influence[region]
    if influence == 0:
        return 0
    ahead, tied, best = 0, 0, influence
    for other in range(game.seats):
        reached = game.players[other].influence[region]
        ahead += reached > influence
        tied += reached == influence
        best = max(best, reached)
    if tables.second_place_within > 0 and ahead > 0 and best - influence > tables.second_place_within:
        return 0
    points = 0
    tile = game.region_tiles[region]
    for place in range(ahead, min(ahead + tied, PLACES)):
        points += tables.region_points[tile, place]
    return points // tied


def customer_points(tables: Any, player: Any) -> int:
    """Return the points for the number of customers delivered to."""
    return tables.customer_points[min(customers_delivered(player), len(tables.customer_points) - 1)]


def noble_points(tables: Any, game: Any, seat: int) -> int:
    """Return the points of a seat's nobles: 1 to 4 count a building type, 5 the types, 6 the regions built in."""
    player = game.players[seat]
    if player.delivered_by_type[names.NOBLE] == 0:
        return 0
    points = 0
    for i in range(len(COUNTED_BY_NOBLE)):
        if has(player.delivered, names.NOBLE * names.REGIONS + i):
            points += player.owned[COUNTED_BY_NOBLE[i]]
    if has(player.delivered, names.NOBLE * names.REGIONS + 4):
        points += count_at_least(player.owned, 1)
    if has(player.delivered, names.NOBLE * names.REGIONS + 5):
        points += size(regions_built_in(tables, game, seat))
    return points * tables.noble_points
