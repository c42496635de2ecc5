"""How `planner`, `search` and `learned` evaluate positions: what they look at, and when which weights count."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.kit.bots import names_of
from rogsim.game.kit.evaluation import Evaluation, sheet_of
from rogsim.game.kit.search.lines import SETTINGS
from rogsim.games.the_river.bots import weights as w
from rogsim.games.the_river.bots.holdings import note_hopes
from rogsim.games.the_river.bots.policy import note_weights, time_left, token_waits
from rogsim.games.the_river.components.names import FOOD, MAX_SEATS, PLAYER_COUNTS, PRODUCED
from rogsim.games.the_river.rules.scoring import SCORE, open_pairs, points_now
from rogsim.games.the_river.rules.storage import stored

FEATURES = (
    "points",  # if the game ended now
    "hope",  # what the most promising card brings, as the policy sees it
    "resource",  # resources in warehouses
    "food",  # food among them
    "symbol",  # production symbols
    "lacking",  # resources without a symbol
    "warehouse",
    "pioneer",  # pioneers for the rounds to come
    "waiting",  # pioneers still on the boat
    "token",  # bonus tokens
    "tile",
    "pawn",
    "pair",  # matching pairs whose third tile can still come
    "reserved",  # reserved cards
)
POINTS, HOPE, RESOURCES, FOODS, SYMBOLS, LACKING, WAREHOUSES = range(7)
PIONEERS, WAITING, TOKENS, TILES, PAWNS, PAIRS, CARDS = range(7, len(FEATURES))
FEATURE_COUNT = len(FEATURES)
MOMENTS = ("early", "late")
SET = FEATURE_COUNT * len(MOMENTS)

# The weights of a bot, in order: its settings, how much a line counts for what the policy thinks of it and for the
# position at the end of the turn, the weights of the evaluation, those of the policy.
LIKING, JUDGING = range(len(SETTINGS), len(SETTINGS) + 2)
FIRST = JUDGING + 1
POLICY = FIRST + SET * len(PLAYER_COUNTS)
POLICY_COUNT = len(w.NAMES)
NAMES = (
    *SETTINGS,
    "liking",
    "judging",
    *(f"value-{name}" for name in names_of(PLAYER_COUNTS, MOMENTS, FEATURES)),
    *(f"play-{name}" for name in w.NAMES),
)

# Of all seats; the weights of the policy; what the policy notes.
SEATS = ("seats", "f8", (MAX_SEATS, FEATURE_COUNT))
POSITION = np.dtype([SEATS, ("policy", "f8", (POLICY_COUNT,)), ("moment", w.MOMENT)], align=True)


def first_weight(seats: int, position: Any) -> int:
    """Return the place of the first weight for a number of seats."""
    return FIRST + (seats - PLAYER_COUNTS[0]) * SET


def copy_weights(weights: Any, seats: int, position: Any) -> None:
    """Copy the weights of the policy."""
    for i in range(POLICY_COUNT):  # compiles faster than a slice, whose length numba would check
        position.policy[i] = weights[POLICY + i]


def place(tables: Any, game: Any, position: Any) -> float:
    """Return where a position is between the moments."""
    return 1.0 - time_left(tables, game)


def describe(tables: Any, game: Any, viewer: int, position: Any) -> None:
    """Fill in the features of all seats; nothing of a position is hidden that they depend on."""
    note_weights(tables, game, position.policy, position.moment)
    for seat in range(game.seats):
        describe_player(tables, game, game.players[seat], position.moment, position.seats[seat])
        position.seats[seat, PAWNS] = 1.0 if game.pawn == seat else 0.0


def describe_player(tables: Any, game: Any, player: Any, moment: Any, features: Any) -> None:
    """Fill in most features of a player."""
    features[POINTS] = points_now(tables, player)
    features[HOPE] = 0.0
    if game.end == 0 or player.boat > 0:
        waits = token_waits(tables, game, player)
        moment.next_token = tables.token_values[game.tokens_taken] if waits else 0.0
        note_hopes(tables, game, player, moment)
        features[HOPE] = moment.hope
    features[RESOURCES] = stored(player)
    features[FOODS] = player.resources[FOOD]
    features[SYMBOLS], features[LACKING] = 0.0, 0.0
    for resource in range(len(PRODUCED)):
        features[SYMBOLS] += player.production[resource]
        features[LACKING] += player.production[resource] == 0
    features[WAREHOUSES] = player.warehouses
    features[PIONEERS] = player.boat + player.placed - player.framed
    features[WAITING] = player.boat
    features[TOKENS] = player.token_count
    features[TILES] = player.tile_count
    features[PAIRS] = open_pairs(tables, player)
    features[CARDS] = player.reserved_count


EVALUATION = Evaluation(POSITION, PLAYER_COUNTS, MOMENTS, FEATURES, first_weight, describe, place, copy_weights)
SHEET = sheet_of(EVALUATION, SCORE, MAX_SEATS)
