"""Playing games: ask the seat that must choose, apply the answer, until the game is over; and nothing else."""

from __future__ import annotations

from typing import Any

import numba

from rogsim.chance import STREAM, game_key, stream_key
from rogsim.games.river_of_gold.actions import MENU
from rogsim.games.river_of_gold.apply import apply
from rogsim.games.river_of_gold.desk import MAX_WEIGHTS, look
from rogsim.games.river_of_gold.legal import legal
from rogsim.games.river_of_gold.names import MAX_SEATS
from rogsim.games.river_of_gold.outcome import write_outcome
from rogsim.games.river_of_gold.phases import OVER
from rogsim.games.river_of_gold.purposes import BOT
from rogsim.games.river_of_gold.scoring import score_game
from rogsim.games.river_of_gold.setup import set_up
from rogsim.games.river_of_gold.state import GAME
from rogsim.games.river_of_gold.tables import TABLES
from rogsim.jit import function_type, inlined, kernel

# What every bot is: choose(tables, view, menu, stream, weights) -> place on the menu.
CHOOSE = numba.types.int64(
    numba.from_dtype(TABLES),
    numba.from_dtype(GAME),
    numba.from_dtype(MENU),
    numba.from_dtype(STREAM),
    numba.types.float64[::1],
)
FIELD = numba.types.UniTuple(function_type(CHOOSE), MAX_SEATS)

ILLEGAL = -1


@inlined
def decide(tables: Any, desk: Any, bots: Any, bot: int) -> int:
    """Return the action that the bot of `game.actor` chooses, or ILLEGAL. A choice of one is made without asking."""
    menu = desk.menu
    legal(tables, desk.game, menu)
    if menu.count == 1:
        return menu.actions[0]
    seat = int(desk.game.actor)
    look(desk, seat)
    show_menu(desk, menu)
    choice = bots[bot](desk.tables[seat], desk.seen, desk.shown, desk.streams[seat], desk.weights[seat])
    if choice < 0 or choice >= menu.count:
        return ILLEGAL
    return menu.actions[choice]


@inlined
def show_menu(desk: Any, menu: Any) -> None:
    """Copy the menu for the bot; nothing of older menus, which may be other seats', stays behind it."""
    shown = desk.shown
    for i in range(menu.count):
        shown.actions[i] = menu.actions[i]
    for i in range(menu.count, desk.shown_size):
        shown.actions[i] = 0
    shown.count = menu.count
    desk.shown_size = menu.count


@kernel
def begin(tables: Any, desk: Any, seed: int, luck: int) -> None:
    """Set up a game on the desk, and the streams of its bots."""
    desk.game = desk.blank
    set_up(tables, desk.game, seed, luck)
    key = game_key(seed, luck)
    for seat in range(desk.game.seats):
        desk.streams[seat].key = stream_key(key, BOT + seat)
        desk.streams[seat].count = 0


@kernel
def seat_bots(tables: Any, desk: Any, weights: Any, seating: Any) -> None:
    """Give each seat fresh copies of the tables and of its bot's weights: no bot can remember, or reach another."""
    for seat in range(desk.game.seats):
        desk.tables[seat] = tables
        for i in range(MAX_WEIGHTS):
            desk.weights[seat, i] = weights[seating[seat], i]


@kernel
def play_games(
    tables: Any,
    desk: Any,
    bots: Any,
    weights: Any,
    seed: int,
    luck: Any,
    seating: Any,
    seat_rows: Any,
    game_rows: Any,
    log: Any,
) -> int:
    """Play one game a row and write the outcomes; return the number played, short if a bot answered badly.

    `log` takes the choices of the last game, as many as fit into it.
    """
    game = desk.game
    for row in range(len(luck)):
        desk.row = row
        begin(tables, desk, seed, luck[row])
        seat_bots(tables, desk, weights, seating[row])
        decisions = 0
        while game.phase != OVER:
            action = decide(tables, desk, bots, int(seating[row, game.actor]))
            if action == ILLEGAL:
                return row
            if decisions < len(log):
                log[decisions] = action
            apply(tables, game, action)
            decisions += 1
        score_game(tables, game, desk.scores)
        write_outcome(game, desk.scores, decisions, seat_rows, game_rows, row)
    return len(luck)
