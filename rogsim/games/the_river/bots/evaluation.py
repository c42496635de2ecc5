"""The evaluation of positions by `planner` and `search`: a seat's chance to win.

The value of a seat is the sum of its features times their weights, which depend on how much of the game is left. It
wins with a probability proportional to the exponential of its value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, part
from rogsim.game.kit.weight_names import names_of
from rogsim.games.the_river.bots import weights as w
from rogsim.games.the_river.bots.holdings import UNSPENT, best_hope, note_hopes
from rogsim.games.the_river.bots.policy import note_weights, token_waits
from rogsim.games.the_river.bots.terrain import open_pairs, points_now
from rogsim.games.the_river.components.names import FOOD, NONE, PRODUCED
from rogsim.games.the_river.rules.phases import OVER
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
NAMES = names_of(w.PLAYER_COUNTS, MOMENTS, FEATURES)


@kernel
def chance_to_win(tables: Any, game: Any, seat: int, weights: Any, policy: Any, moment: Any, sheet: Any) -> float:
    """Return a seat's chance to win; at the end of the game, by the points alone.

    Parameters
    ----------
    tables, game
        TABLES and GAME records.
    seat
        The seat that evaluates.
    weights, policy
        The weights of `NAMES`, and those of the policy.
    moment
        MOMENT record: memory for what the policy notes.
    sheet
        float64[2, features]: memory for the weights of the moment, and the features of a seat.
    """
    note_weights(tables, game, policy, moment)
    first = w.first_weight(game.seats) // w.WEIGHT_COUNT * SET
    for i in range(FEATURE_COUNT):
        early, late = weights[first + i], weights[first + FEATURE_COUNT + i]
        sheet[0, i] = late + moment.left * (early - late)
    mine = seat_value(tables, game, seat, moment, sheet)
    total = 0.0
    for other in range(game.seats):
        total += np.exp(seat_value(tables, game, other, moment, sheet) - mine)
    return 1.0 / total


@kernel
def seat_value(tables: Any, game: Any, seat: int, moment: Any, sheet: Any) -> float:
    """Return the value of a seat, in log odds."""
    player = game.players[seat]
    points = float(points_now(tables, player))
    if game.phase == OVER:
        return sheet[0, POINTS] * points
    for i in range(FEATURE_COUNT):
        sheet[1, i] = 0.0
    sheet[1, POINTS] = points
    describe(tables, game, player, moment, sheet[1])
    sheet[1, PAWNS] = 1.0 if game.pawn == seat else 0.0
    value = 0.0
    for i in range(FEATURE_COUNT):
        value += sheet[0, i] * sheet[1, i]
    return value


@part
def describe(tables: Any, game: Any, player: Any, moment: Any, features: Any) -> None:
    """Fill most features of a player."""
    if game.end == 0 or player.boat > 0:
        waits = token_waits(tables, game, player)
        moment.next_token = float(tables.token_values[game.tokens_taken]) if waits else 0.0
        note_hopes(tables, game, player, moment)
        features[HOPE] = best_hope(NONE, UNSPENT, moment)
    features[RESOURCES] = float(stored(player))
    features[FOODS] = float(player.resources[FOOD])
    for resource in range(len(PRODUCED)):
        features[SYMBOLS] += float(player.production[resource])
        features[LACKING] += player.production[resource] == 0
    features[WAREHOUSES] = float(player.warehouses)
    features[PIONEERS] = float(player.boat) + float(player.placed) - float(player.framed)
    features[WAITING] = float(player.boat)
    features[TOKENS] = float(player.token_count)
    features[TILES] = float(player.tile_count)
    features[PAIRS] = float(open_pairs(tables, player))
    features[CARDS] = float(player.reserved_count)
