"""The play loop: ask the bot of the seat that chooses, apply its answer, until the game is over."""

from __future__ import annotations

from typing import Any

import numba

from rogsim.game.compiler import kernel, part
from rogsim.game.rng import one_way, stream_key
from rogsim.games.river_of_gold.components.names import MAX_SEATS
from rogsim.games.river_of_gold.components.tables import TABLES
from rogsim.games.river_of_gold.play.workspace import BOT_MEMORY, MAX_NOTES, MAX_WEIGHTS, make_view
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

# The signature of every bot: choose(tables, view, menu, memory) -> place on the menu.
CHOOSE = numba.types.int64(
    numba.from_dtype(TABLES),
    numba.from_dtype(GAME),
    numba.from_dtype(MENU),
    numba.from_dtype(BOT_MEMORY),
)

ILLEGAL = -1
BLOCK = 16  # divides the size of a menu


@part
def decide(tables: Any, workspace: Any, bots: Any, bot: int) -> int:
    """Return the action that the bot of `game.actor` chooses, or ILLEGAL. A single legal action needs no asking."""
    seat = int(workspace.game.actor)
    arguments = workspace.arguments[seat]
    legal(tables, workspace.game, arguments.menu)
    if arguments.menu.count == 1:
        return arguments.menu.actions[0]
    menu = workspace.menu
    copy_menu(arguments.menu, menu)
    make_view(workspace, seat)
    choice = bots[bot](arguments.tables, workspace.bot_view, arguments.menu, arguments.memory)
    if choice < 0 or choice >= menu.count:
        workspace.answer = choice
        return ILLEGAL
    return menu.actions[choice]


@part
def copy_menu(shown: Any, menu: Any) -> None:
    """Copy the menu that a bot is shown, because the bot may overwrite its own; in blocks, which is faster."""
    menu.count = shown.count
    for first in range(0, shown.count, BLOCK):
        for i in range(BLOCK):
            menu.actions[first + i] = shown.actions[first + i]


@kernel
def begin(tables: Any, workspace: Any, seed: int, deal: int) -> None:
    """Set up a game in the workspace."""
    workspace.game = workspace.blank
    set_up(tables, workspace.game, seed, deal)


@part
def prepare_arguments(tables: Any, workspace: Any, weights: Any) -> None:
    """Prepare for each bot of the line-up what it is given at the start of every game."""
    for bot in range(MAX_SEATS):
        fresh = workspace.fresh[bot]
        fresh.tables = tables
        for i in range(MAX_WEIGHTS):
            fresh.memory.weights[i] = weights[bot, i]
    workspace.reach = 0
    for bot in range(MAX_SEATS):
        workspace.reach = max(int(workspace.reach), int(weights[bot, MAX_WEIGHTS]))


@part
def seat_bots(workspace: Any, seating: Any) -> None:
    """Reset what the bot of each seat is given, so that no bot can remember an earlier game."""
    for seat in range(workspace.game.seats):
        arguments, fresh = workspace.arguments[seat], workspace.fresh[int(seating[seat])]
        arguments.tables = fresh.tables
        arguments.menu = fresh.menu
        for i in range(MAX_NOTES):
            arguments.memory.notes[i] = 0.0
        for i in range(workspace.reach):
            arguments.memory.weights[i] = fresh.memory.weights[i]
        arguments.memory.stream.count = 0
        arguments.memory.stream.key = one_way(stream_key(workspace.game.secret.key, BOT + seat))


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
    """Play one game for each row and write the outcomes.

    Parameters
    ----------
    tables
        TABLES record.
    workspace
        WORKSPACE record.
    bots
        MAX_SEATS first-class functions of the signature CHOOSE.
    weights : float64[MAX_SEATS, MAX_WEIGHTS + 1]
        The weights of each bot; the last column holds how many of them the bot can change.
    seed
        The seed of the batch.
    deals : int64[n]
        The number of the deal of each game.
    seating : int8[n, players]
        The bot at each seat of each game.
    seat_rows, game_rows
        Records [n * players] and [n] to fill.
    log : int16[m]
        Receives the first m actions of the last game.

    Returns
    -------
    int
        The number of games played: fewer than n if a bot gave an answer that is not on the menu.
    """
    game = workspace.game
    prepare_arguments(tables, workspace, weights)
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
