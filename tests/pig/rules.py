"""The rules of Pig for two."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game import compiler
from rogsim.game.rng import below, fresh_key, game_key, one_way, stream_key
from rogsim.game.rules import menu_of

TARGET = 100
FACES = 6
ROLL, HOLD = range(2)

PIG = np.dtype(
    [
        ("score", "i8", (2,)),
        ("total", "i8"),  # of the turn so far
        ("rolled", "i8"),  # how often in the turn so far
        ("dice", "u8", (2,)),  # keys of the seats' streams of chance
        ("key", "u8"),
        ("actor", "i8"),
        ("turn", "i8"),
        ("seats", "i8"),
        ("over", "i8"),
    ],
    align=True,
)
SETUP = np.dtype([("nothing", "i8")])
MENU = menu_of(2)
SCORE = np.dtype([("points", "i8"), ("rank", "i8"), ("win_share", "f8")], align=True)
BOT_CHANCE, DICE_CHANCE = 0, 2  # purposes of chance, one for each seat


@compiler.part
def begin(setup: Any, state: Any, seed: int, deal: int) -> None:
    state.key = game_key(seed, deal)
    state.seats = 2
    key_dice(state)


@compiler.part
def key_dice(state: Any) -> None:
    for seat in range(2):
        state.dice[seat] = stream_key(state.key, DICE_CHANCE + seat)


@compiler.part
def legal(setup: Any, state: Any, menu: Any) -> None:
    """A turn begins with a roll."""
    menu.actions[0], menu.actions[1] = ROLL, HOLD
    menu.count = 0 if state.over else 1 if state.total == 0 else 2


@compiler.part
def apply(setup: Any, state: Any, action: int) -> None:
    seat = state.actor
    face = 0
    if action == ROLL:
        # Each turn has its own dice: what one more roll would have shown says nothing about the turns to come.
        face = below(stream_key(state.dice[seat], state.turn), state.rolled, FACES) + 1
        state.rolled += 1
        state.total = 0 if face == 1 else state.total + face
    if face == 1 or action == HOLD or state.score[seat] + state.total >= TARGET:
        state.score[seat] += state.total
        state.total = state.rolled = 0
        state.over = state.score[seat] >= TARGET
        state.actor = 1 - seat
        state.turn += 1


@compiler.part
def is_over(state: Any) -> bool:
    return state.over == 1


@compiler.part
def points(state: Any, seat: int) -> int:
    return state.score[seat]


@compiler.part
def hide(view: Any, seat: int) -> None:
    view.key = 0
    for other in range(2):
        view.dice[other] = 0


@compiler.part
def deal_world(setup: Any, view: Any, seat: int, stream: Any, holder: Any) -> None:
    holder.game = view
    holder.game.key = fresh_key(stream)
    key_dice(holder.game)


@compiler.part
def bot_key(state: Any, seat: int) -> Any:
    return one_way(stream_key(state.key, BOT_CHANCE + seat))


@compiler.part
def score(setup: Any, state: Any, scores: Any) -> None:
    for seat in range(2):
        lead = state.score[seat] - state.score[1 - seat]
        scores[seat].points = state.score[seat]
        scores[seat].rank = 1 + (lead < 0)
        scores[seat].win_share = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0


@compiler.part
def write_rows(setup: Any, state: Any, scores: Any, history: Any, seat_rows: Any, game_rows: Any, row: int) -> None:
    game_rows[row].turns, game_rows[row].decisions = state.turn, history.decisions
    for seat in range(2):
        seat_rows[2 * row + seat].points = scores[seat].points
        seat_rows[2 * row + seat].win_share = scores[seat].win_share
