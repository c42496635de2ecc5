"""The end of a turn: masteries, the roll, the Emperor's Visit, the end trigger, and passing the turn."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.state_fields import note, push, push_below
from rogsim.game.rng import below, stream_key
from rogsim.games.river_of_gold.components.names import (
    EMPTY,
    FACES,
    FROM_OTHER,
    KAKITA,
    NONE,
    SHORE_SPACES,
)
from rogsim.games.river_of_gold.rules.agenda import (
    EMPERORS_VISIT,
    END_TRIGGERED,
    END_TURN,
    ROLLED,
    TURN_OVER,
    VISIT_BEGUN,
)
from rogsim.games.river_of_gold.rules.sail import pay_owner
from rogsim.games.river_of_gold.rules.scoring import claim_masteries
from rogsim.games.river_of_gold.rules.state import AUTOMATIC, DICE, OVER, PAUSE, SET_DIE, TURN
from rogsim.games.river_of_gold.rules.supply import can_exchange

SHIP_ROLLS = 2  # a seat's first two rolls place its ships, the third is for its first turn


# The steps of the end of a turn before which something may have to wait.
CLAIM, VISIT, TRIGGER, NEXT_TURN = range(4)


def end_turn(tables: Any, game: Any, first: int) -> None:
    """Carry out the end of the turn from the given step, until something must happen before the next step."""
    if first == CLAIM:
        claim_masteries(tables, game)
        step_roll(tables, game)
        if game.phase != AUTOMATIC:
            push(game, END_TURN, game.active, VISIT, 0)
            return
    if first <= VISIT and game.visit_due == 1:
        push(game, END_TURN, game.active, TRIGGER, 0)
        begin_visit(tables, game)
        return
    if first <= TRIGGER:
        step_trigger(tables, game)
        offer_exchange(tables, game)
        if game.phase != AUTOMATIC:
            push(game, END_TURN, game.active, NEXT_TURN, 0)
            return
    step_next_turn(game)


def roll_of(key: int, seat: int, count: int) -> int:
    """Return the face that a seat's die shows on its roll number `count`."""
    return 1 + below(stream_key(key, DICE + seat), count, FACES)


def roll_number(game: Any, turn: int) -> int:
    """Return the number of the roll that a seat makes at the end of its turn."""
    return SHIP_ROLLS + 1 + int(turn // game.seats)


def is_ending(game: Any) -> bool:
    """Return whether the end was triggered, in this turn or before: then nobody rolls any more."""
    return game.trigger_due == 1 or game.last_turns != NONE


def step_roll(tables: Any, game: Any) -> None:
    """Roll the die for the next turn; Kakita Ryoku may set it instead."""
    if is_ending(game):
        return
    player = game.players[game.active]
    if player.patron == KAKITA and (player.favor >= tables.kakita_favor or can_exchange(tables, player)):
        game.phase = SET_DIE
        game.actor = game.active
    else:
        roll_die(game)


def roll_die(game: Any) -> None:
    """Roll the active player's die; the number of the roll depends on the turn only."""
    face = roll_of(game.secret.key, game.active, roll_number(game, game.turn))
    game.players[game.active].die = face
    note(game.secret, ROLLED, game.active, face)


def begin_visit(tables: Any, game: Any) -> None:
    """Begin the Emperor's Visit; the active player may exchange before it."""
    game.visit_due = 0
    push(game, EMPERORS_VISIT, game.active, 0, 0)
    offer_exchange(tables, game)


def emperors_visit(tables: Any, game: Any, first: int, first_marker: int) -> None:
    """Pay every marker's owner reward on the board, from the given place, until a choice must be made."""
    if first == 0 and first_marker == 0:
        note(game.secret, VISIT_BEGUN, game.active, 0)
    waiting = game.agenda_size
    for space in range(first, SHORE_SPACES):
        if game.shore[space] == EMPTY:
            continue
        for marker in range(first_marker if space == first else 0, 2):
            if game.markers[space, marker] == NONE:
                break
            pay_owner(tables, game, space, marker)
            if game.agenda_size > waiting:
                push_below(game, waiting, EMPERORS_VISIT, game.active, space, marker + 1)
                return


def step_trigger(tables: Any, game: Any) -> None:
    """Score the end trigger if the last era 2 tile was taken this turn; every other player has one more turn."""
    if game.trigger_due == 0:
        return
    game.trigger_due = 0
    game.ended_by = game.active
    game.last_turns = game.seats - 1 if tables.last_turns == 1 else 0
    player = game.players[game.active]
    player.points += tables.end_trigger
    player.ledger.points[FROM_OTHER] += tables.end_trigger
    note(game.secret, END_TRIGGERED, game.active, 0)


def offer_exchange(tables: Any, game: Any) -> None:
    """Let the active player exchange before play continues, if an exchange is possible."""
    if can_exchange(tables, game.players[game.active]):
        game.phase = PAUSE
        game.actor = game.active


def step_next_turn(game: Any) -> None:
    """Pass the turn to the left, or end the game after the last turns."""
    note(game.secret, TURN_OVER, game.active, 0)
    if game.last_turns == 0:
        game.phase = OVER
        return
    if game.last_turns > 0:
        game.last_turns -= 1
    game.turn += 1
    following = game.active + 1
    game.active = following if following < game.seats else 0
    game.actor = game.active
    game.phase = TURN
