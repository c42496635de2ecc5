"""The worth of things to a seat, in points: goods, rewards, influence, masteries.

All functions read a view, so they use no more than a player at the table can see.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.kit.bits import ALL_BITS, BYTE_BITS, ONES, at_least, lowest, size
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.components.names import (
    COURTS,
    ELDER,
    GOODS,
    MAX_SEATS,
    NOBLE,
    REGIONS,
    RIVER_SPACES,
    VOID,
)
from rogsim.games.river_of_gold.components.tables import NUMBERED_REWARDS, TRACK_REWARDS
from rogsim.games.river_of_gold.rules.rewards import destination
from rogsim.games.river_of_gold.rules.scoring import COUNTED_BY_NOBLE, mastery_progress
from rogsim.games.river_of_gold.rules.supply import customers_delivered, has

NOBLE_COUNTING = np.array([NOBLE * REGIONS + COUNTED_BY_NOBLE.index(kind) for kind in range(len(COUNTED_BY_NOBLE))])
VISITS_PER_TILE = 1.0  # sails while one tile leaves the row, as observed in play
EACH_SEAT, MOST_PACKED = ONES[MAX_SEATS], 127  # for comparing the influence of all seats at once


def tiles_left(tables: Any, view: Any) -> float:
    """Return the number of tiles in the stacks, which measures the time left."""
    return view.era_left[0] + view.era_left[1]


def time_left(tables: Any, view: Any) -> float:
    """Return the share of the game that is left, from 1 at its start to 0."""
    return tiles_left(tables, view) / (tables.era_tiles[0] + tables.era_tiles[1] - tables.row_size)


def visits_of_touch(tables: Any, view: Any) -> float:
    """Return the expected number of ships that stop at a river space in the rest of the game."""
    return tiles_left(tables, view) * VISITS_PER_TILE / RIVER_SPACES


def visits_to_come(tables: Any, view: Any, space: int, memory: Any) -> float:
    """Return the expected number of visits to a shore space, the Emperor's Visit included."""
    visits = memory.notes[w.VISITS] * tables.shore_touches[space]
    return visits + 1.0 if view.era_left[0] > 0 else visits


def shortage(tables: Any, player: Any, customer: int) -> int:
    """Return how many goods the player lacks for a customer's order."""
    missing = 0
    for good in range(len(GOODS)):
        missing += max(0, tables.orders[customer, good] - player.goods[good])
    return missing


def need_of(tables: Any, player: Any, good: int) -> float:
    """Return how much the hand needs one more of a good: 1 if it completes an order, less if more goods are missing."""
    need = 0.0
    rest = player.hand
    while rest != 0:
        customer = lowest(rest)
        if player.goods[good] < tables.orders[customer, good]:
            need = max(need, 1.0 / shortage(tables, player, customer))
        rest &= rest - 1
    return need


def good_worth(tables: Any, player: Any, good: int, memory: Any) -> float:
    """Return the worth of one more of a good: 0 at the limit of goods."""
    if player.goods[good] >= tables.good_limit:
        return 0.0
    return memory.notes[w.GOOD] + memory.notes[w.NEED] * need_of(tables, player, good)


def koku_worth(tables: Any, player: Any, amount: float, memory: Any) -> float:
    """Return the worth of koku, as far as the limit allows them."""
    gained = max(0.0, min(amount, tables.koku_limit - player.koku))
    return memory.notes[w.KOKU] * gained * scarcity(player.koku + 0.5 * gained, memory)


def scarcity(koku: float, memory: Any) -> float:
    """Return the share of its worth that a koku keeps when the player already has some."""
    return 1.0 - memory.notes[w.FADING] * koku


def favor_worth(player: Any, amount: float, memory: Any) -> float:
    """Return the worth of favor, as far as the favor limit allows it."""
    return memory.notes[w.FAVOR] * max(0.0, min(amount, player.favor_limit - player.favor))


def rough_worth(tables: Any, reward: Any, player: Any, memory: Any) -> float:
    """Return the average worth of a future reward, whatever the player holds now."""
    worth = reward.points + memory.notes[w.FAVOR] * reward.favor
    koku = float(reward.koku)
    if reward.koku_per_any > 0:
        for kind in range(len(player.owned)):
            koku += reward.koku_per[kind] * (player.owned[kind] + 1.0)
        koku += reward.koku_per_customer * (customers_delivered(player) + 1.0)
    goods = float(reward.goods_in_all)
    steps = memory.notes[w.STEP] * 2.0 * reward.influence
    return worth + memory.notes[w.KOKU] * koku + (memory.notes[w.GOOD] + 0.3 * memory.notes[w.NEED]) * goods + steps


def note_rough_worths(tables: Any, memory: Any) -> None:
    """Note the same as `rough_worth` for each numbered reward; those that depend on the player are not read."""
    notes, parts = memory.notes, tables.reward_parts
    favor, koku, good = notes[w.FAVOR], notes[w.KOKU], notes[w.GOOD] + 0.3 * notes[w.NEED]
    step = notes[w.STEP] * 2.0
    for number in range(NUMBERED_REWARDS):
        worth = parts[0, number] + favor * parts[1, number]
        notes[w.ROUGH + number] = worth + koku * parts[2, number] + good * parts[3, number] + step * parts[4, number]


def noted_rough(tables: Any, reward: Any, number: int, player: Any, memory: Any) -> float:
    """Return the rough worth of a numbered reward to a player."""
    if reward.koku_per_any > 0:
        return rough_worth(tables, reward, player, memory)
    return memory.notes[w.ROUGH + number]


def track_worth(number: int, memory: Any) -> float:
    """Return the rough worth of a reward of the tracks: none depends on the player."""
    return memory.notes[w.ROUGH + number]


def owner_worth(tables: Any, tile: int, player: Any, memory: Any) -> float:
    """Return the rough worth of the owner reward of a tile."""
    return noted_rough(tables, tables.tiles[tile].owner, TRACK_REWARDS + tile, player, memory)


def influence_worth(tables: Any, view: Any, seat: int, region: int, amount: int, memory: Any) -> float:
    """Return the worth of influence in a region: the track's rewards, a better place, masteries, and each step."""
    start = view.players[seat].influence[region]
    goal = destination(tables, view, seat, region, amount)
    if goal == start:
        return 0.0
    rivals = rivals_in(view, seat, region)
    here, first = shared_place(tables, view, rivals, region, start), first_step_worth(tables, view, seat, start, memory)
    return move_worth(tables, view, seat, region, start, goal, rivals, here, first, memory)


def first_step_worth(tables: Any, view: Any, seat: int, start: int, memory: Any) -> float:
    """Return what the first influence in a region is worth for a mastery."""
    return mastery_worth(tables, view, seat, VOID, 1, memory) if start == 0 else 0.0


def move_worth(
    tables: Any,
    view: Any,
    seat: int,
    region: int,
    start: int,
    goal: int,
    rivals: int,
    here: float,
    first: float,
    memory: Any,
) -> float:
    """Return the worth of a move on a track, given the influence of the rivals and what all moves from there share.

    `here` is the points for the place that the seat has now, `first` what `first_step_worth` returns.
    """
    player = view.players[seat]
    worth = memory.notes[w.STEP] * (goal - start)
    space = tables.next_reward[region, start]
    while space <= goal:
        worth += track_worth(tables.track[region, space], memory)
        space = tables.next_reward[region, space]
    gained = shared_place(tables, view, rivals, region, goal) - here
    if has(player.delivered, ELDER * REGIONS + region):
        gained *= 2.0
    certainty = 1.0 - (1.0 - memory.notes[w.PLACE]) * memory.notes[w.LEFT]
    worth += certainty * gained
    worth += first
    if start < tables.imperial_flower <= goal:
        worth += mastery_worth(tables, view, seat, COURTS, 1, memory)
    return worth


def place_points(tables: Any, view: Any, seat: int, region: int, influence: int) -> float:
    """Return the points of a seat's place in a region if it had some influence and the others keep theirs."""
    return shared_place(tables, view, rivals_in(view, seat, region), region, influence)


def rivals_in(view: Any, seat: int, region: int) -> int:
    """Return the influence of all others in a region as one number, to be compared all at once."""
    return rivals_of(seat, influence_in(view, region))


def influence_in(view: Any, region: int) -> int:
    """Return the influence of all seats in a region as one number, a byte for each."""
    found = 0
    for seat in range(len(view.players)):  # an empty seat has no influence
        found |= view.players[seat].influence[region] << BYTE_BITS * seat
    return found


def rivals_of(seat: int, influence: int) -> int:
    """Return what is left of the influence of all seats without that of one."""
    return influence & ~(ALL_BITS << BYTE_BITS * seat)


def shared_place(tables: Any, view: Any, rivals: int, region: int, influence: int) -> float:
    """Return the points of the place that some influence in a region has among that of the rivals."""
    ahead = size(at_least(rivals, EACH_SEAT, influence + 1))
    sharing = (size(at_least(rivals, EACH_SEAT, max(influence, 1))) - ahead + 1) * int(influence > 0)
    within = tables.second_place_within
    if within > 0 and at_least(rivals, EACH_SEAT, min(influence + within + 1, MOST_PACKED)) != 0:
        sharing = 0  # too far behind for any points
    return tables.shared_points[view.region_tiles[region], ahead, sharing]


def mastery_worth(tables: Any, view: Any, seat: int, mastery: int, steps: int, memory: Any) -> float:
    """Return the worth of steps toward a mastery: its points if they reach it, a growing share before that."""
    claims = view.claims[mastery]
    player = view.players[seat]
    if claims < 0 or claims >= tables.mastery_rewards or player.claimed[mastery] > 0:
        return 0.0
    need = float(tables.mastery_needs[mastery])
    before = min(mastery_progress(tables, player, mastery), need)
    after = min(before + steps, need)
    share = (after * after - before * before) / (need * need)
    if after < need:
        share *= 1.0 - memory.notes[w.FINAL]
    return memory.notes[w.MASTERY] * tables.mastery_points[claims] * share


def noble_share(tables: Any, player: Any, kind: int) -> float:
    """Return the points at the end that a building of a type scores through nobles 1 to 4."""
    return float(tables.noble_points * has(player.delivered, NOBLE_COUNTING[kind]))
