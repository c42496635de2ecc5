"""The worth of things to a seat, in points: goods, rewards, influence, masteries.

All functions read a view, so they use no more than a player at the table can see. A bot's notes hold a run of numbers
for each kind of worth that occurs with several faces and ships. A worth that is noted when it is needed is nan until
then.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.kit.bits import ALL_BITS, BYTE_BITS, ONES, at_least, lowest, size
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.components import names
from rogsim.games.river_of_gold.components.tables import NUMBERED_REWARDS, TRACK_REWARDS
from rogsim.games.river_of_gold.rules.rewards import destination, koku_for_each
from rogsim.games.river_of_gold.rules.scoring import COUNTED_BY_NOBLE, largest, mastery_progress
from rogsim.games.river_of_gold.rules.supply import customers_delivered, has

NOBLE_COUNTING = names.NOBLE * names.REGIONS + np.argsort(COUNTED_BY_NOBLE)  # by type of building
VISITS_PER_TILE = 1.0  # sails while one tile leaves the row, as observed in play
EACH_SEAT, MOST_PACKED = ONES[names.MAX_SEATS], 127  # for comparing the influence of all seats at once

ANY_GOOD = names.KINDS
AMOUNTS = 6  # larger amounts of influence are not noted

# Where each run begins, and what to add to it. The notes begin with the weights of the moment, in their order.
SHORE = w.MOMENT_COUNT  # + shore space: touching it
ROYAL_SHORE = SHORE + names.SHORE_SPACES  # + shore space: touching it with the royal ship
INFLUENCE = ROYAL_SHORE + names.SHORE_SPACES  # + region * AMOUNTS + amount
TILE = INFLUENCE + names.REGIONS * AMOUNTS  # + place in the row: taking the tile, wherever it is built
OWNER = TILE + names.MAX_ROW  # + place in the row: the owner reward of that tile
GOOD = OWNER + names.MAX_ROW  # + good: one more of it; + ANY_GOOD: one more of the most valuable good
OUTLOOK = GOOD + len(names.GOODS) + 1  # + river space: the average worth of the next sail from there
TOUCHED = OUTLOOK + names.RIVER_SPACES  # + river space: what a ship touches there
STEPS = TOUCHED + names.RIVER_SPACES  # + region * MAX_ROW + place in the row: the influence for building it there
JOURNEY = STEPS + names.REGIONS * names.MAX_ROW  # a completed journey
END_KOKU = JOURNEY + 1  # a koku in final scoring
BUILD_ACTION = END_KOKU + 1  # + region: the best building there
BUILD_WORTH = BUILD_ACTION + names.REGIONS  # + region: its worth
DELIVERY_ACTION = BUILD_WORTH + names.REGIONS  # + region: the best delivery there, after exchanges if it needs any
DELIVERY_WORTH = DELIVERY_ACTION + names.REGIONS  # + region: its worth
FACE_ACTION = DELIVERY_WORTH + names.REGIONS  # + face: the best action with the die on it
FACE_WORTH = FACE_ACTION + names.FACES + 1  # + face: its worth
PLANNED = FACE_WORTH + names.FACES + 1  # the action of the turn, once its first step was taken
PLANNED_TURN = PLANNED + 1  # the turn that was planned, counted from 1
LENGTH = PLANNED_TURN + 1

# The memory of a policy that plays on: rollouts come back to the same few moments, and the weights of each stay mixed.
MOMENTS_KEPT = 4
POLICY_MEMORY = np.dtype([("weights", "f8", (len(w.NAMES),)), ("notes", "f8", (LENGTH,))], align=True)
POLICIES = np.dtype((POLICY_MEMORY, (MOMENTS_KEPT,)))


def policy_for(tables: Any, game: Any, policies: Any) -> Any:
    """Return the memory of the policy for the moment of a game."""
    return policies[int(tiles_left(tables, game)) % MOMENTS_KEPT]


def weigh_moment(tables: Any, view: Any, memory: Any) -> None:
    """Store the current weights: those of the beginning and of the end, mixed by the time left."""
    moment = tiles_left(tables, view) + 1.0
    is_open = view.last_turns == names.NONE
    if is_open and memory.notes[w.MOMENT] == moment:
        return
    mixed = is_open & (memory.notes[w.MOMENT] != 0.0) & (memory.notes[w.CONSTANT] != 0.0)
    memory.notes[w.MOMENT] = moment if is_open else 0.0
    memory.notes[w.LEFT] = time_left(tables, view)
    memory.notes[w.VISITS] = visits_of_touch(tables, view)
    if not mixed:
        mix_weights(tables, view, is_open, memory)


def mix_weights(tables: Any, view: Any, is_open: bool, memory: Any) -> None:
    """Mix the weights of the beginning and of the end, and note what depends on nothing else."""
    left, constant = memory.notes[w.LEFT], True
    early, late = w.first_weight(view.seats, 0), w.first_weight(view.seats, 1)
    curve = memory.weights[early + w.CURVE]
    if curve != 0.0:
        left = left ** np.exp(curve)
    for i in range(w.WEIGHT_COUNT):
        first, last = memory.weights[early + i], memory.weights[late + i]
        memory.notes[i] = last + left * (first - last)
        constant &= first == last
    memory.notes[w.CONSTANT] = constant
    if is_open:
        memory.notes[w.FINAL] = 0.0
    elif memory.notes[w.FINAL] > 0.0:
        weigh_last_turn(tables, view.players[view.actor], memory)
    memory.notes[w.FADING] = memory.notes[w.PLENTY] / tables.koku_limit
    note_rough_worths(tables, memory)


def weigh_last_turn(tables: Any, player: Any, memory: Any) -> None:
    """Shift the weights toward final scoring, because this turn is the seat's last."""
    share = memory.notes[w.FINAL]
    for i in range(w.WEIGHT_COUNT):
        if i not in (w.RIVAL, w.FINAL):
            memory.notes[i] *= 1.0 - share
    merchants = float(player.delivered_by_type[names.MERCHANT])
    artisans = float(player.delivered_by_type[names.ARTISAN])
    memory.notes[w.KOKU] += share * merchants / tables.merchant_koku_per_point
    memory.notes[w.GOOD] += share * artisans / tables.artisan_goods_per_point
    for i in (w.PLACE, w.MASTERY, w.ABILITY, w.BUILD, w.SAIL, w.DELIVER, w.SPEND):
        memory.notes[i] += share


def take_notes(tables: Any, view: Any, seat: int, koku_stays: bool, memory: Any) -> None:
    """Start the notes for a decision of a seat.

    Parameters
    ----------
    koku_stays
        Whether the seat keeps the koku that it has now for as long as the notes are used.
    """
    notes, player = memory.notes, view.players[seat]
    known = koku_stays or notes[w.OUTLOOK] != 0.0  # the outlook asks for every space before koku are paid
    koku = koku_worth(tables, player, tables.empty_space_koku, memory) if known else np.nan
    for space in range(names.SHORE_SPACES):
        notes[SHORE + space] = koku if view.shore[space] == names.EMPTY else np.nan
    for note in range(ROYAL_SHORE, TILE):
        notes[note] = np.nan
    for region in range(names.REGIONS):
        notes[INFLUENCE + region * AMOUNTS] = 0.0
    notes[JOURNEY] = np.nan
    notes[END_KOKU] = player.delivered_by_type[names.MERCHANT] / tables.merchant_koku_per_point
    note_goods(tables, player, memory)
    note_row(tables, view, seat, memory)


def note_goods(tables: Any, player: Any, memory: Any) -> None:
    """Note the worth of one more of each good: 0 at the limit, more if it completes or helps to fill an order."""
    notes = memory.notes
    for good in range(names.KINDS):
        notes[GOOD + good] = 0.0
    rest = player.hand
    while rest != 0:
        customer = lowest(rest)
        rest &= rest - 1
        share = 1.0 / max(shortage(tables, player, customer), 1)
        for good in range(names.KINDS):  # without a branch: which goods a customer lacks, no processor can guess
            lacks = float(int(player.goods[good] < tables.orders[customer, good]))
            notes[GOOD + good] = max(notes[GOOD + good], lacks * share)
    best = 0.0
    for good in range(names.KINDS):
        worth = notes[w.GOOD] + notes[w.NEED] * notes[GOOD + good]
        notes[GOOD + good] = worth if player.goods[good] < tables.good_limit else 0.0
        best = max(best, notes[GOOD + good])
    notes[GOOD + ANY_GOOD] = best


def note_row(tables: Any, view: Any, seat: int, memory: Any) -> None:
    """Note for each tile of the row the worth of taking it, wherever it is built, and of its owner reward."""
    notes, player = memory.notes, view.players[seat]
    most = largest(player.owned)
    earth = mastery_worth(tables, view, seat, names.EARTH, 1, memory)
    water = mastery_worth(tables, view, seat, names.WATER, 1, memory)
    row_end = favor_worth(player, tables.row_end_favor, memory)
    for place in range(view.row_length):
        tile = tables.tiles[view.row[place]]
        worth = float(tables.noble_points * has(player.delivered, NOBLE_COUNTING[tile.kind]))
        worth += earth * int(player.owned[tile.kind] == most)
        worth += water * int(player.owned[tile.kind] == 0)
        notes[TILE + place] = worth + row_end * int(place == 0)
        notes[OWNER + place] = owner_worth(tables, view.row[place], player, memory)


def tiles_left(tables: Any, view: Any) -> float:
    """Return the number of tiles in the stacks, which measures the time left."""
    return view.era_left[0] + view.era_left[1]


def time_left(tables: Any, view: Any) -> float:
    """Return the share of the game that is left, from 1 at its start to 0."""
    return tiles_left(tables, view) / (tables.era_tiles[0] + tables.era_tiles[1] - tables.row_size)


def visits_of_touch(tables: Any, view: Any) -> float:
    """Return the expected number of ships that stop at a river space in the rest of the game."""
    return tiles_left(tables, view) * VISITS_PER_TILE / names.RIVER_SPACES


def visits_to_come(tables: Any, view: Any, space: int, memory: Any) -> float:
    """Return the expected number of visits to a shore space, the Emperor's Visit included."""
    visits = memory.notes[w.VISITS] * tables.shore_touches[space]
    return visits + 1.0 if view.era_left[0] > 0 else visits


def shortage(tables: Any, player: Any, customer: int) -> int:
    """Return how many goods the player lacks for a customer's order."""
    missing = 0
    for good in range(len(names.GOODS)):
        missing += max(0, tables.orders[customer, good] - player.goods[good])
    return missing


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


def reward_worth(tables: Any, view: Any, seat: int, reward: Any, region: int, memory: Any) -> float:
    """Return the worth of a visitor or owner reward that a seat gets now."""
    player = view.players[seat]
    worth = float(reward.points)
    koku = float(reward.koku)
    if reward.koku_per_any > 0:
        koku += koku_for_each(player, reward)
    worth += koku_worth(tables, player, koku, memory)
    for good in range(len(names.GOODS)):
        worth += reward.goods[good] * memory.notes[GOOD + good]
    worth += favor_worth(player, reward.favor, memory)
    worth += reward.any_good * memory.notes[GOOD + ANY_GOOD]
    if reward.influence > 0:
        worth += noted_influence(tables, view, seat, region, reward.influence, memory)
    return worth + memory.notes[w.CARD] * reward.draw


def owner_worth(tables: Any, tile: int, player: Any, memory: Any) -> float:
    """Return the average worth of an owner reward that comes later, whatever the player holds now."""
    if tables.tiles[tile].owner.koku_per_any > 0:
        return rough_worth(tables.tiles[tile].owner, player, memory)
    return memory.notes[w.ROUGH + TRACK_REWARDS + tile]


def rough_worth(reward: Any, player: Any, memory: Any) -> float:
    """Return the average worth of a later reward that depends on what the player has, with one more of that."""
    notes, koku = memory.notes, float(reward.koku)
    for kind in range(len(player.owned)):
        koku += reward.koku_per[kind] * (player.owned[kind] + 1.0)
    koku += reward.koku_per_customer * (customers_delivered(player) + 1.0)
    worth = reward.points + notes[w.FAVOR] * reward.favor + notes[w.KOKU] * koku
    goods, steps = notes[w.GOOD] + 0.3 * notes[w.NEED], notes[w.STEP] * 2.0
    return worth + goods * reward.goods_in_all + steps * reward.influence


def note_rough_worths(tables: Any, memory: Any) -> None:
    """Note the average worth of each numbered reward; of owner rewards that depend on the player no note is read."""
    notes, parts = memory.notes, tables.reward_parts
    favor, koku, goods = notes[w.FAVOR], notes[w.KOKU], notes[w.GOOD] + 0.3 * notes[w.NEED]
    steps = notes[w.STEP] * 2.0
    for number in range(NUMBERED_REWARDS):
        worth = parts[0, number] + favor * parts[1, number] + koku * parts[2, number]
        notes[w.ROUGH + number] = worth + goods * parts[3, number] + steps * parts[4, number]


def noted_influence(tables: Any, view: Any, seat: int, region: int, amount: int, memory: Any) -> float:
    """Return the worth of influence in a region, which is noted unless the amount is large."""
    if amount >= AMOUNTS:
        return influence_worth(tables, view, seat, region, amount, memory)
    note = INFLUENCE + region * AMOUNTS + amount
    if np.isnan(memory.notes[note]):
        memory.notes[note] = influence_worth(tables, view, seat, region, amount, memory)
    return memory.notes[note]


def note_influences(tables: Any, view: Any, seat: int, region: int, amounts: int, memory: Any) -> None:
    """Note the worth of each of a mask of amounts of influence in a region, unless it is noted."""
    start, rivals = view.players[seat].influence[region], rivals_of(seat, influence_in(view, region))
    here, first = shared_place(tables, view, rivals, region, start), first_step_worth(tables, view, seat, start, memory)
    while amounts != 0:
        amount = lowest(amounts)
        amounts &= amounts - 1
        note = INFLUENCE + region * AMOUNTS + amount
        goal = destination(tables, view, seat, region, amount)
        if np.isnan(memory.notes[note]):
            memory.notes[note] = 0.0
            if goal != start:
                worth = move_worth(tables, view, seat, region, start, goal, rivals, here, first, memory)
                memory.notes[note] = worth


def influence_worth(tables: Any, view: Any, seat: int, region: int, amount: int, memory: Any) -> float:
    """Return the worth of influence in a region: the track's rewards, a better place, masteries, and each step."""
    start = view.players[seat].influence[region]
    goal = destination(tables, view, seat, region, amount)
    if goal == start:
        return 0.0
    rivals = rivals_of(seat, influence_in(view, region))
    here, first = shared_place(tables, view, rivals, region, start), first_step_worth(tables, view, seat, start, memory)
    return move_worth(tables, view, seat, region, start, goal, rivals, here, first, memory)


def first_step_worth(tables: Any, view: Any, seat: int, start: int, memory: Any) -> float:
    """Return what the first influence in a region is worth for a mastery."""
    return mastery_worth(tables, view, seat, names.VOID, 1, memory) if start == 0 else 0.0


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
        worth += memory.notes[w.ROUGH + tables.track[region, space]]
        space = tables.next_reward[region, space]
    gained = shared_place(tables, view, rivals, region, goal) - here
    if has(player.delivered, names.ELDER * names.REGIONS + region):
        gained *= 2.0
    certainty = 1.0 - (1.0 - memory.notes[w.PLACE]) * memory.notes[w.LEFT]
    worth += certainty * gained
    worth += first
    if start < tables.imperial_flower <= goal:
        worth += mastery_worth(tables, view, seat, names.COURTS, 1, memory)
    return worth


def place_points(tables: Any, view: Any, seat: int, region: int) -> float:
    """Return the points of a seat's place in a region."""
    rivals = rivals_of(seat, influence_in(view, region))
    return shared_place(tables, view, rivals, region, view.players[seat].influence[region])


def influence_in(view: Any, region: int) -> int:
    """Return the influence of all seats in a region as one number, a byte for each, to be compared all at once."""
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
