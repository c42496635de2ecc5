"""How often differences hold if a change gives a few games to one seat.

Nothing is drawn: the number of games that go to seat 1 is binomial, and what a page says is computed for each number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.stats import binom

from rogsim.scenario.axes import Axis
from rogsim.stats.effects import Question
from rogsim.stats.estimates import Estimate
from rogsim.stats.judgement import Judgement, judge
from rogsim.stats.paired.differences import differences
from rogsim.stats.paired.fairness import fairer
from rogsim.stats.paired.main_effects import effects
from scripts.studies.effects import shares_of
from scripts.studies.rates import Rate

MARGIN = 2.0
SHARES = Question("seats", "Win share by seat", "pp", "seat", share=True, margin=MARGIN)
SEATS = (0.4, 0.2, 0.2, 0.2)  # win shares of the base: seat 1 is the farthest from fair


@dataclass(frozen=True)
class Told:
    """What is said if some games go to seat 1: the gain of seat 1 in a comparison, in a sweep, and of the distance."""

    gain: Judgement
    swept: Estimate
    distance: Judgement


@dataclass(frozen=True)
class Rates:
    """How often, in percent, intervals hold and differences are called within the margin."""

    gain: float
    too_low: float
    swept: float
    distance: float
    within: float
    distance_within: float


@cache
def told(games: int, moved: int) -> Told:
    """What is said if so many of the games go from seat 2 to seat 1."""
    base = np.repeat(np.arange(len(SEATS)), np.round(games * np.array(SEATS)).astype(int))
    other = base.copy()
    other[np.flatnonzero(base == 1)[:moved]] = 0
    runs = [shares_of(each, len(SEATS)) for each in (base, other)]
    found = differences(SHARES, len(SEATS), "variant", *runs, games)
    assert found is not None
    gain, distance = judge([found, fairer(SHARES, len(SEATS), "variant", *runs, games)])
    axis = Axis("a", "parameter", (1,), 0)
    (effect,) = effects([axis], [{}, {"a": 1}], runs, len(SEATS))
    return Told(gain, effect.contrasts[0].effect, distance)


def rates(games: int, expected: float) -> Rates:
    """How often what is said is right if so many games are expected to go to seat 1."""
    part = expected / games
    most = int(binom.isf(1e-6, games, part)) + 1
    moved = [(float(binom.pmf(count, games, part)), told(games, count)) for count in range(most + 1)]
    true = 100 * part

    def often(hits: Sequence[bool]) -> float:
        return 100 * sum(chance for (chance, _), hit in zip(moved, hits, strict=True) if hit)

    gains = [found.gain.effects.contrasts[0].effect for _, found in moved]
    return Rates(
        often([_holds(gain, true) for gain in gains]),
        often([gain.high < true - 1e-9 for gain in gains]),
        often([_holds(found.swept, true) for _, found in moved]),
        often([_holds(found.distance.effects.contrasts[0].effect, true) for _, found in moved]),
        often([found.gain.kind == "within" for _, found in moved]),
        often([found.distance.kind == "within" for _, found in moved]),
    )


def _holds(found: Estimate, true: float) -> bool:
    return found.low - 1e-9 <= true <= found.high + 1e-9


def exact(_: int = 1) -> Iterator[Rate]:
    """A change gives a few games to seat 1; computed exactly, so without repeats."""
    for expected in (1, 2, 3, 4, 5, 7, 10, 20):
        found, case = rates(1_000, expected), f"{expected} of 1000 games: "
        yield Rate(case + "gain of seat 1", 1_000, 95, found.gain / 100, None)
        yield Rate(case + "gain of seat 1 in a sweep", 1_000, 95, found.swept / 100, None)
        yield Rate(case + "change of the distance", 1_000, 95, found.distance / 100, None)
    for games in (100, 150, 200, 250, 300, 400, 600, 1_000):
        found = rates(games, games * MARGIN / 100)
        yield Rate("exactly 2 pp: gain called within the margin", games, 5, found.within / 100, None)
        case = "exactly 2 pp: change of the distance called within the margin"
        yield Rate(case, games, 5, found.distance_within / 100, None)
