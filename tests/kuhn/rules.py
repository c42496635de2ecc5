"""The rules of the match. Both ante a chip; a bet is one more. The seats take turns in beginning a hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game import compiler
from rogsim.game.rng import below, fresh_key, game_key, one_way, stream_key
from rogsim.game.rules import menu_of

HANDS = 3
CARDS = JACK, QUEEN, KING = 1, 2, 3  # 0 is a card that is hidden
PASS, BET, SHOW = range(3)  # pass is check or fold, bet is bet or call; once all is said, cards are shown

# What was said in a hand so far: c a check, b a bet or a call, f a fold.
SAID = ("", "c", "b", "cb", "cc", "cbf", "cbb", "bf", "bb")
DONE = SAID.index("cc")  # from here on
AFTER = np.array([[1, 2], [4, 3], [7, 8], [5, 6]])  # what is said after a pass or a bet

KUHN = np.dtype(
    [
        ("cards", "i8", (HANDS, 2)),
        ("lead", "i8"),  # the chips that seat 1 has won from seat 2
        ("said", "i8"),
        ("hand", "i8"),
        ("key", "u8"),
        ("actor", "i8"),
        ("turn", "i8"),
        ("seats", "i8"),
    ],
    align=True,
)
SETUP = np.dtype([("nothing", "i8")])
MENU = menu_of(2)
SCORE = np.dtype([("points", "i8"), ("rank", "i8"), ("win_share", "f8")], align=True)
BOT_CHANCE, CARD_CHANCE = 0, 2  # purposes of chance, one for each seat, and for each hand


@compiler.part
def begin(setup: Any, state: Any, seed: int, deal: int) -> None:
    state.key = game_key(seed, deal)
    state.seats = 2
    for hand in range(HANDS):
        deal_hand(state, hand, 0)


@compiler.part
def deal_hand(state: Any, hand: int, seat: int) -> None:
    """Deal a hand; a seat that has its card keeps it."""
    chance = stream_key(state.key, CARD_CHANCE + hand)
    if state.cards[hand, seat] == 0:
        state.cards[hand, seat] = below(chance, 0, 3) + 1
    state.cards[hand, 1 - seat] = (state.cards[hand, seat] + below(chance, 1, 2)) % 3 + 1


@compiler.part
def legal(setup: Any, state: Any, menu: Any) -> None:
    menu.actions[0], menu.actions[1] = PASS, BET
    menu.count = 2
    if state.said >= DONE:
        menu.actions[0], menu.count = SHOW, 1


@compiler.part
def apply(setup: Any, state: Any, action: int) -> None:
    state.turn += 1
    if action != SHOW:
        state.said = AFTER[state.said, action]
        state.actor = 1 - state.actor
        return
    state.lead += won(state)
    state.said = 0
    state.hand += 1
    state.actor = state.hand % 2


@compiler.part
def won(state: Any) -> int:
    """Return the chips that seat 1 wins from seat 2 in a hand in which all is said."""
    first = state.hand % 2
    stake = 2 if state.said == 6 or state.said == 8 else 1
    winner = 0 if state.cards[state.hand, 0] > state.cards[state.hand, 1] else 1
    if state.said == 5:  # who began has folded
        winner = 1 - first
    if state.said == 7:
        winner = first
    return stake if winner == 0 else -stake


@compiler.part
def is_over(state: Any) -> bool:
    return state.hand == HANDS


@compiler.part
def points(state: Any, seat: int) -> int:
    return state.lead if seat == 0 else -state.lead


@compiler.part
def hide(view: Any, seat: int) -> None:
    """Hide the other card of this hand, and all cards to come; those of hands that are over are in plain sight."""
    view.key = 0
    for hand in range(view.hand, HANDS):
        view.cards[hand, 1 - seat] = 0
        if hand > view.hand:
            view.cards[hand, seat] = 0


@compiler.part
def deal_world(setup: Any, view: Any, seat: int, stream: Any, holder: Any) -> None:
    holder.game = view
    state = holder.game
    state.key = fresh_key(stream)
    for hand in range(view.hand, HANDS):
        deal_hand(state, hand, seat)


@compiler.part
def bot_key(state: Any, seat: int) -> Any:
    return one_way(stream_key(state.key, BOT_CHANCE + seat))


@compiler.part
def score(setup: Any, state: Any, scores: Any) -> None:
    for seat in range(2):
        scores[seat].points = points(state, seat)
        scores[seat].rank = 1 + (scores[seat].points < 0)
        scores[seat].win_share = 1.0 if scores[seat].points > 0 else 0.5 if state.lead == 0 else 0.0


@compiler.part
def write_rows(setup: Any, state: Any, scores: Any, history: Any, seat_rows: Any, game_rows: Any, row: int) -> None:
    game_rows[row].turns, game_rows[row].decisions = state.turn, history.decisions
    for seat in range(2):
        seat_rows[2 * row + seat].points = scores[seat].points
        seat_rows[2 * row + seat].win_share = scores[seat].win_share
