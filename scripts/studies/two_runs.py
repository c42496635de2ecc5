"""How often what changed between two separate runs is right, where nothing differs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from rogsim.stats.balance.measure import balance, claims
from rogsim.stats.contrasts import JointTest
from rogsim.stats.effects import Effects, Question
from rogsim.stats.judgement import Judgement, judge
from rogsim.stats.paired.differences import independent_differences
from scripts.studies.rates import Rate
from tests.series import SPEC, series

SIZES = ((300, 1_000), (1_000, 4_000))
MARGIN = 2.0
ASKED = ("seats", "hands", "draws")


def found(generator: np.random.Generator, sizes: Sequence[int], seats: Sequence[float] = ()) -> list[list[Effects]]:
    """The claims on two runs with so many games; seats: points that seats get in the second run only."""
    runs = [series(generator, size, seats=bonus) for size, bonus in zip(sizes, ((), seats), strict=True)]
    return [list(claims([balance(run, SPEC, MARGIN, only=ASKED)], SPEC.topics)) for run in runs]


def as_on_a_page(claim: Effects) -> Effects:
    """A claim as it is read from a page: without the covariance, and without the joint test."""
    contrasts = tuple(replace(contrast, p=float("nan"), blocks=contrast.effect.n) for contrast in claim.contrasts)
    nothing = JointTest(float("nan"), 0, claim.overall.blocks, float("nan"))
    return replace(claim, covariance=None, overall=nothing, contrasts=contrasts)


def judged(before: Sequence[Effects], after: Sequence[Effects]) -> tuple[Judgement, ...]:
    """The verdicts on what changed."""
    answers = [
        independent_differences(
            Question(one.question.topic, one.question.title, "pp", "level", margin=MARGIN), "after", one, other
        )
        for one, other in zip(before, after, strict=True)
    ]
    return judge([answer for answer in answers if answer is not None])


def covered(verdicts: Sequence[Judgement]) -> Iterator[bool]:
    """For each question whether all simultaneous intervals contain 0."""
    for verdict in verdicts:
        known = [effect for effect in verdict.intervals if not math.isnan(effect.low)]
        yield all(effect.low <= 0 <= effect.high for effect in known)


def rates(repeats: int = 150) -> Iterator[Rate]:
    """Pairs of runs of the same rules."""
    for sizes in SIZES:
        games = " and ".join(map(str, sizes))
        runs = [found(np.random.default_rng([seed, *sizes]), sizes) for seed in range(repeats)]
        on_pages = [[[*map(as_on_a_page, side)] for side in both] for both in runs]
        for source, pairs in (("results", runs), ("pages", on_pages)):
            pages = [judged(*both) for both in pairs]
            claimed = [any(verdict.kind in ("beyond", "slight") for verdict in page) for page in pages]
            yield Rate.of(f"from {source}: called changed where nothing is", games, 3.5, claimed)
            held = [float(np.mean(list(covered(page)))) for page in pages]
            yield Rate.of(f"from {source}: intervals of a question hold", games, 96.5, held)
