"""Which bots are stronger: how often a test on scores is wrong, with few games and at many looks, and what it finds."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from rogsim.stats.blocks import Floats
from rogsim.stats.estimates import ALPHA as LEVEL
from rogsim.stats.sequential import judge_steps, lead_of, p_above_half

pytestmark = pytest.mark.once_uncompiled

LADDERS = 500
ALLOWED = LEVEL + 2 * math.sqrt(LEVEL * (1 - LEVEL) / LADDERS)
Draw = Callable[[np.random.Generator, int], Floats]

EQUAL: dict[str, Draw] = {  # scores with mean 1/2
    "coins": lambda chance, count: chance.integers(0, 2, count).astype(np.float64),
    "pairs": lambda chance, count: chance.integers(0, 3, count) / 2,
    "rarely lost": lambda chance, count: np.where(chance.random(count) < 1 / 6, 0.0, 0.6),
    "rarely won": lambda chance, count: np.where(chance.random(count) < 1 / 11, 1.0, 0.45),
}


@pytest.mark.parametrize("games", [3, 30, 200])
@pytest.mark.parametrize("kind", EQUAL)
def test_a_ladder_of_equal_bots_rarely_rises(kind: str, games: int) -> None:
    """Of four steps between equal bots, looked at after every game, any is called a rise in at most 5% of ladders."""
    chance = np.random.default_rng(games)
    wrong = [
        any(test.p_stronger < LEVEL for test in judge_steps([EQUAL[kind](chance, games) for _ in range(4)], 1, 1))
        for _ in range(LADDERS)
    ]
    assert np.mean(wrong) <= ALLOWED


def test_p_holds_at_all_looks() -> None:
    """It never grows with more scores: what was shown once stays shown."""
    scores = np.random.default_rng(1).integers(0, 2, 80).astype(np.float64)
    found = [p_above_half(scores[:count]) for count in range(1, 81)]
    assert found == sorted(found, reverse=True)
    assert p_above_half(np.zeros(9)) == 1.0


@pytest.mark.parametrize(("score", "pairs"), [(1.0, 15), (0.74, 100), (0.594, 500)])
def test_a_stronger_bot_is_found(score: float, pairs: int) -> None:
    """One that always wins after 15 pairs of games, and others as far apart as those of the ladder in 80% of cases."""
    chance = np.random.default_rng(2)
    played = chance.binomial(2, score, (200, pairs)) / 2
    assert np.mean([p_above_half(one) < LEVEL / 6 for one in played]) >= 0.8


def test_steps_share_their_error_rate() -> None:
    """With three player counts a step needs three times the evidence; of two steps, the clearer one twice."""
    good, better = np.tile([1.0, 1.0, 0.0], 20), np.ones(20)
    (alone,) = judge_steps([good], 2, 1)
    (third,) = judge_steps([good], 2, 3)
    first, second = judge_steps([good, better], 2, 1)
    assert third.p_stronger == pytest.approx(3 * alone.p_stronger)
    assert first.p_stronger == pytest.approx(alone.p_stronger)
    assert second.p_stronger == pytest.approx(2 * p_above_half(better))
    (turned,) = judge_steps([1 - good], 2, 1)
    assert turned.p_weaker == pytest.approx(alone.p_stronger)


def test_the_lead_is_on_the_elo_scale() -> None:
    """A bot with the score of 100 points leads by about 100, within its interval; one that always wins has no ends."""
    scores = np.random.default_rng(3).binomial(2, 1 / (1 + 10 ** (-100 / 400)), 4_000) / 2
    lead, low, high = lead_of(scores, 2)
    assert low < lead < high
    assert lead == pytest.approx(100.0, abs=12)
    lead, low, high = lead_of(np.ones(10), 2)
    assert (math.isfinite(lead), lead > 400, math.isnan(low), math.isnan(high)) == (True, True, True, True)
