"""The judge, against chances that are known exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.bot import Bot
from rogsim.game.rules import copy_of
from rogsim.game.spec import GameSpec
from rogsim.simulation.session import Session
from rogsim.workbench.judge import Judge
from tests.dice_game import GAME, exact, rules
from tests.kuhn import GAME as KUHN
from tests.kuhn.rules import BET, KING, PASS

pytestmark = pytest.mark.usefixtures("dice_race")

GOAL = 10
# The chance to win a sudden race of two who always roll, by each first step, by (spaces to go, the other's).
TRUE = exact.values_of(GOAL, lambda pair, found: found["roll"])


def bot(spec: GameSpec, name: str) -> Bot:
    return compile_bot(spec, find_bot(spec, name, Path()))


def race(*bots: str) -> tuple[Session, Judge]:
    spec, ready = GAME, [bot(GAME, name) for name in bots]
    setup = spec.set_up(spec.read_options({"short": GOAL, "long": GOAL}), len(bots))
    return Session(spec, setup, len(bots), 1, 0, ready), Judge(spec, setup, len(bots), ready)


def at(session: Session, mine: int, other: int) -> Any:
    """The position in which the actor has so many spaces to go, and the other seat so many."""
    state = session.state
    state.position[:2] = GOAL - mine, GOAL - other
    return state


PLACES = [(mine, other) for mine in range(1, GOAL + 1) for other in (1, 4, 7, 10)]
LEAST = 0.9  # of 95% intervals that hold the truth


def test_intervals_of_chances_hold_the_truth() -> None:
    """About 95 of 100 intervals of a chance to win hold the exact chance, also where it is close to 0 or 1."""
    session, judge = race("runner", "runner")
    held = []
    for number, place in enumerate(PLACES):
        sample = judge.chances(at(session, *place), 3, number)
        judge.play(sample, 40)
        true = TRUE[place]["roll"]
        for known, share in zip(sample.chances, (true, 1 - true), strict=True):
            held.append(abs(known.value - share) <= known.reach)
    assert np.mean(held) >= LEAST
    assert all(known.reach < 0.2 for known in sample.chances)


def test_intervals_of_gains_hold_the_truth() -> None:
    """About 95 of 100 intervals of what walking wins more than rolling hold the exact difference."""
    session, judge = race("runner", "runner")
    held = []
    for number, place in enumerate(PLACES):
        sample = judge.choices(at(session, *place), 0, (rules.ROLL, rules.WALK), 3, number)
        judge.play(sample, 40)
        known, true = sample.gain(rules.WALK, rules.ROLL), TRUE[place]["walk"] - TRUE[place]["roll"]
        assert sample.gain(rules.ROLL, rules.WALK) == (-known.value, known.reach)
        held.append(abs(known.value - true) <= known.reach)
    assert LEAST <= np.mean(held) <= 1


def test_choices_meet_the_same_chance() -> None:
    """A choice that changes nothing for anyone gains exactly 0, though the games that follow are won by chance."""
    session, judge = race("runner", "runner")
    sample = judge.choices(at(session, 5, 5), 0, (rules.WALK, rules.WALK), 3, 0)
    judge.play(sample, 20)
    assert sample.totals[0].tolist() == sample.totals[1].tolist()
    assert 0 < sample.totals[0, 0] < 20
    wins = judge.choices(at(session, 3, 1), 0, (rules.WALK, rules.ROLL), 3, 0)
    judge.play(wins, 20)
    assert wins.value(rules.WALK).value == 1.0 > wins.value(rules.ROLL).value
    assert wins.best == rules.WALK


def test_shares_add_up_and_the_end_is_certain() -> None:
    """The chances of all seats add up to 1; at the end they are the result."""
    session, judge = race("moody", "runner", "walker")
    sample = judge.chances(session.state, 3, 0)
    judge.play(sample, 30)
    assert sum(known.value for known in sample.chances) == pytest.approx(1)
    session.play_bots()
    end = judge.chances(session.state, 3, 0)
    judge.play(end, 10)
    assert [known.value for known in end.chances] == [standing.win_share for standing in session.score()]


def test_same_numbers_for_the_same_games() -> None:
    """The same position, seed and number of games give the same numbers, played at once or bit by bit."""
    (session, judge), (_, other) = race("moody", "runner"), race("moody", "runner")
    at_once, bit_by_bit = judge.chances(session.state, 3, 7), other.chances(session.state, 3, 7)
    judge.play(at_once, 30)
    for worlds in (10, 5, 15):
        other.play(bit_by_bit, worlds)
    assert at_once.chances == bit_by_bit.chances
    elsewhere = judge.chances(session.state, 3, 8)
    judge.play(elsewhere, 30)
    assert elsewhere.chances != at_once.chances


def test_what_the_seat_cannot_know_does_not_matter() -> None:
    """Choices are judged by what their seat sees: cards that it does not see change nothing, its own card does."""
    honest = bot(KUHN, "honest")
    session = Session(KUHN, KUHN.set_up(KUHN.read_options({}), 2), 2, 1, 0, [honest, honest])
    judge = Judge(KUHN, session._setup, 2, [honest, honest])
    found = {}
    for cards in ((KING, 1), (KING, 2), (1, KING)):
        state = copy_of(session.state)
        state.cards[0, :] = cards
        sample = judge.choices(state, 0, (PASS, BET), 3, 0)
        judge.play(sample, 60)
        found[cards] = sample.totals.tolist()
    assert found[KING, 1] == found[KING, 2]
    assert found[KING, 1] != found[1, KING]


def test_others_play_on_for_people_and_slow_bots() -> None:
    """The page says who plays on: quick bots themselves, and for people and slow bots the quick bot of the game."""
    spec = GAME
    setup = spec.set_up(spec.read_options({}), 2)
    moody, slow = bot(spec, "moody"), bot(spec, "search")
    assert Judge(spec, setup, 2, [moody, moody]).words == "as moody plays on"
    assert Judge(spec, setup, 2, [moody, None]).words == "as moody and runner play on"
    assert Judge(spec, setup, 2, [slow, None]).words == "as runner plays on"
