"""Worths that are computed once for a decision, because the same space or good occurs with several faces and ships.

A bot's notes hold a run of numbers for each kind of worth. A worth that is computed only when needed is nan until then.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.kit.bits import lowest
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.worth import (
    favor_worth,
    first_step_worth,
    influence_worth,
    koku_worth,
    mastery_worth,
    move_worth,
    noble_share,
    note_rough_worths,
    owner_worth,
    rivals_in,
    shared_place,
    shortage,
    tiles_left,
    time_left,
    visits_of_touch,
)
from rogsim.games.river_of_gold.components.names import (
    ARTISAN,
    EARTH,
    EMPTY,
    FACES,
    GOODS,
    KINDS,
    MAX_ROW,
    MERCHANT,
    NONE,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
    WATER,
)
from rogsim.games.river_of_gold.rules.rewards import destination, koku_for_each
from rogsim.games.river_of_gold.rules.scoring import largest

ANY_GOOD = KINDS
AMOUNTS = 6  # larger amounts of influence are not stored

# Where each run begins, and what to add to it. The notes begin with the weights of the moment, in their order.
SHORE = w.MOMENT_COUNT  # + shore space: touching it
ROYAL_SHORE = SHORE + SHORE_SPACES  # + shore space: touching it with the royal ship
INFLUENCE = ROYAL_SHORE + SHORE_SPACES  # + region * AMOUNTS + amount
TILE = INFLUENCE + REGIONS * AMOUNTS  # + place in the row: taking the tile, wherever it is built
OWNER = TILE + MAX_ROW  # + place in the row: the owner reward of that tile
GOOD = OWNER + MAX_ROW  # + good: one more of it; + ANY_GOOD: one more of the most valuable good
OUTLOOK = GOOD + len(GOODS) + 1  # + river space: the average worth of the next sail from there
TOUCHED = OUTLOOK + RIVER_SPACES  # + river space: the worth of what a ship touches there
STEPS = TOUCHED + RIVER_SPACES  # + region * MAX_ROW + place in the row: the influence for building that tile there
JOURNEY = STEPS + REGIONS * MAX_ROW  # a completed journey
END_KOKU = JOURNEY + 1  # a koku in final scoring
BUILD_ACTION = END_KOKU + 1  # + region: the best building there
BUILD_WORTH = BUILD_ACTION + REGIONS  # + region: its worth
DELIVERY_ACTION = BUILD_WORTH + REGIONS  # + region: the best delivery there, after exchanges if it needs any
DELIVERY_WORTH = DELIVERY_ACTION + REGIONS  # + region: its worth
FACE_ACTION = DELIVERY_WORTH + REGIONS  # + face: the best action with the die on it
FACE_WORTH = FACE_ACTION + FACES + 1  # + face: its worth
PLANNED = FACE_WORTH + FACES + 1  # the action of the turn, once its first step was taken
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
    is_open = view.last_turns == NONE
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
    merchants = float(player.delivered_by_type[MERCHANT])
    artisans = float(player.delivered_by_type[ARTISAN])
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
    player = view.players[seat]
    note_shore(tables, view, player, koku_stays, memory)
    for note in range(ROYAL_SHORE, TILE):
        memory.notes[note] = np.nan
    for note in range(TOUCHED, TOUCHED + RIVER_SPACES):
        memory.notes[note] = np.nan
    for region in range(REGIONS):
        memory.notes[INFLUENCE + region * AMOUNTS] = 0.0
    memory.notes[JOURNEY] = np.nan
    memory.notes[END_KOKU] = player.delivered_by_type[MERCHANT] / tables.merchant_koku_per_point
    note_goods(tables, player, memory)
    note_row(tables, view, seat, memory)


def note_shore(tables: Any, view: Any, player: Any, koku_stays: bool, memory: Any) -> None:
    """Note the worth of touching each empty shore space; that of a building is computed when it is needed."""
    known = koku_stays or memory.notes[w.OUTLOOK] != 0.0  # the outlook asks for every space before koku are paid
    koku = koku_worth(tables, player, tables.empty_space_koku, memory) if known else np.nan
    for space in range(SHORE_SPACES):
        memory.notes[SHORE + space] = koku if view.shore[space] == EMPTY else np.nan


def note_goods(tables: Any, player: Any, memory: Any) -> None:
    """Store the worth of one more of each good, as `good_worth`, in one pass through the hand."""
    notes = memory.notes
    for good in range(KINDS):
        notes[GOOD + good] = 0.0
    rest = player.hand
    while rest != 0:
        customer = lowest(rest)
        rest &= rest - 1
        share = 1.0 / max(shortage(tables, player, customer), 1)
        for good in range(KINDS):  # without a branch: which goods a customer lacks, no processor can guess
            lacks = float(int(player.goods[good] < tables.orders[customer, good]))
            notes[GOOD + good] = max(notes[GOOD + good], lacks * share)
    best = 0.0
    for good in range(KINDS):
        worth = notes[w.GOOD] + notes[w.NEED] * notes[GOOD + good]
        notes[GOOD + good] = worth if player.goods[good] < tables.good_limit else 0.0
        best = max(best, notes[GOOD + good])
    notes[GOOD + ANY_GOOD] = best


def note_row(tables: Any, view: Any, seat: int, memory: Any) -> None:
    """Store for each tile of the row the worth of taking it, wherever it is built, and of its owner reward."""
    notes, player = memory.notes, view.players[seat]
    most = largest(player.owned)
    earth = mastery_worth(tables, view, seat, EARTH, 1, memory)
    water = mastery_worth(tables, view, seat, WATER, 1, memory)
    row_end = favor_worth(player, tables.row_end_favor, memory)
    for place in range(view.row_length):
        tile = tables.tiles[view.row[place]]
        kind = tile.kind
        worth = noble_share(tables, player, tile.kind)
        worth += earth * int(player.owned[kind] == most)
        worth += water * int(player.owned[kind] == 0)
        notes[TILE + place] = worth + row_end * int(place == 0)
        notes[OWNER + place] = owner_worth(tables, view.row[place], player, memory)


def noted_influence(tables: Any, view: Any, seat: int, region: int, amount: int, memory: Any) -> float:
    """Return the worth of influence in a region."""
    if amount >= AMOUNTS:
        return influence_worth(tables, view, seat, region, amount, memory)
    note = INFLUENCE + region * AMOUNTS + amount
    if np.isnan(memory.notes[note]):
        memory.notes[note] = influence_worth(tables, view, seat, region, amount, memory)
    return memory.notes[note]


def note_influences(tables: Any, view: Any, seat: int, region: int, amounts: int, memory: Any) -> None:
    """Note the worth of each of a mask of amounts of influence in a region, unless it is noted."""
    start, rivals = view.players[seat].influence[region], rivals_in(view, seat, region)
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


def reward_worth(tables: Any, view: Any, seat: int, reward: Any, region: int, memory: Any) -> float:
    """Return the worth of a visitor or owner reward to a seat."""
    player = view.players[seat]
    worth = float(reward.points)
    koku = float(reward.koku)
    if reward.koku_per_any > 0:
        koku += koku_for_each(player, reward)
    worth += koku_worth(tables, player, koku, memory)
    for good in range(len(GOODS)):
        worth += reward.goods[good] * memory.notes[GOOD + good]
    worth += favor_worth(player, reward.favor, memory)
    worth += reward.any_good * memory.notes[GOOD + ANY_GOOD]
    if reward.influence > 0:
        worth += noted_influence(tables, view, seat, region, reward.influence, memory)
    return worth + memory.notes[w.CARD] * reward.draw
