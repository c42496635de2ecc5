"""Playing games: ask the seat that must choose, apply the answer, until the game is over; and nothing else."""

from __future__ import annotations

from typing import Any

import numba

from rogsim.game.compiler import function_type, kernel, part
from rogsim.game.rng import one_way, stream_key
from rogsim.games.river_of_gold.components.names import MAX_SEATS
from rogsim.games.river_of_gold.components.tables import TABLES
from rogsim.games.river_of_gold.play.workspace import MAX_NOTES, MAX_WEIGHTS, OWN, look
from rogsim.games.river_of_gold.records.history import note_points
from rogsim.games.river_of_gold.records.rows import write_outcome
from rogsim.games.river_of_gold.rules.actions import MENU
from rogsim.games.river_of_gold.rules.apply import apply
from rogsim.games.river_of_gold.rules.legal import legal
from rogsim.games.river_of_gold.rules.phases import OVER
from rogsim.games.river_of_gold.rules.purposes import BOT
from rogsim.games.river_of_gold.rules.scoring import score_game
from rogsim.games.river_of_gold.rules.setup import set_up
from rogsim.games.river_of_gold.rules.state import GAME

# What every bot is: choose(tables, view, menu, own) -> place on the menu.
CHOOSE = numba.types.int64(
    numba.from_dtype(TABLES),
    numba.from_dtype(GAME),
    numba.from_dtype(MENU),
    numba.from_dtype(OWN),
)
FIELD = numba.types.UniTuple(function_type(CHOOSE), MAX_SEATS)

ILLEGAL = -1
BLOCK = 16  # divides the size of a menu


@part
def decide(tables: Any, workspace: Any, bots: Any, bot: int) -> int:
    """Return the action that the bot of `game.actor` chooses, or ILLEGAL. A choice of one is made without asking."""
    seat = int(workspace.game.actor)
    corner = workspace.corners[seat]
    legal(tables, workspace.game, corner.menu)
    if corner.menu.count == 1:
        return corner.menu.actions[0]
    menu = workspace.menu
    copy_menu(corner.menu, menu)
    look(workspace, seat)
    choice = bots[bot](corner.tables, workspace.seen, corner.menu, corner.own)
    if choice < 0 or choice >= menu.count:
        workspace.answer = choice
        return ILLEGAL
    return menu.actions[choice]


@part
def copy_menu(shown: Any, menu: Any) -> None:
    """Keep a copy of what a bot is shown, as it may do with its own what it likes; in blocks, which is faster."""
    menu.count = shown.count
    for first in range(0, shown.count, BLOCK):
        for i in range(BLOCK):
            menu.actions[first + i] = shown.actions[first + i]


@kernel
def begin(tables: Any, workspace: Any, seed: int, deal: int) -> None:
    """Set up a game on the workspace."""
    workspace.game = workspace.blank
    set_up(tables, workspace.game, seed, deal)


@part
def prepare_corners(tables: Any, workspace: Any, weights: Any) -> None:
    """Lay out for each bot of the line-up the corner that it begins every game in."""
    for bot in range(MAX_SEATS):
        fresh = workspace.fresh[bot]
        fresh.tables = tables
        for i in range(MAX_WEIGHTS):
            fresh.own.weights[i] = weights[bot, i]
    workspace.reach = 0
    for bot in range(MAX_SEATS):
        workspace.reach = max(int(workspace.reach), int(weights[bot, MAX_WEIGHTS]))


@part
def seat_bots(workspace: Any, seating: Any) -> None:
    """Give each seat a fresh corner for its bot: no bot can remember an older game."""
    for seat in range(workspace.game.seats):
        corner, fresh = workspace.corners[seat], workspace.fresh[int(seating[seat])]
        corner.tables = fresh.tables
        corner.menu = fresh.menu
        for i in range(MAX_NOTES):
            corner.own.notes[i] = 0.0
        for i in range(workspace.reach):
            corner.own.weights[i] = fresh.own.weights[i]
        corner.own.stream.count = 0
        corner.own.stream.key = one_way(stream_key(workspace.game.secret.key, BOT + seat))


@kernel
def play_games(
    tables: Any,
    workspace: Any,
    bots: Any,
    weights: Any,
    seed: int,
    deals: Any,
    seating: Any,
    seat_rows: Any,
    game_rows: Any,
    log: Any,
) -> int:
    """Play one game a row and write the outcomes; return the number played, short if a bot answered badly.

    `log` takes the choices of the last game, as many as fit into it.
    """
    game = workspace.game
    prepare_corners(tables, workspace, weights)
    for row in range(len(deals)):
        workspace.row = row
        begin(tables, workspace, seed, deals[row])
        seat_bots(workspace, seating[row])
        decisions = 0
        while game.phase != OVER:
            turn = int(game.turn)
            action = decide(tables, workspace, bots, int(seating[row, game.actor]))
            if action == ILLEGAL:
                return row
            if decisions < len(log):
                log[decisions] = action
            apply(tables, game, action)
            if game.turn > turn:
                note_points(game, workspace.history, turn)
            decisions += 1
        note_points(game, workspace.history, int(game.turn))
        score_game(tables, game, workspace.scores)
        write_outcome(game, workspace.scores, workspace.history, decisions, seat_rows, game_rows, row)
    return len(deals)
