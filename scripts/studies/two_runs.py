"""How often what changed between two separate runs is right, where nothing differs or the difference is known.

python -m scripts.studies.two_runs [REPEATS] measures rates of docs/data/coverage.csv.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from rogsim.stats.balance.measure import balance, claims
from rogsim.stats.contrasts import JointTest
from rogsim.stats.effects import Effects, Question
from rogsim.stats.judgement import Judgement, judge
from rogsim.stats.paired.differences import independent_differences
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


def study(repeats: int) -> None:
    """Print how often a page finds a change where there is none, how often intervals hold, and the power."""
    print("| games | from | any change claimed | intervals hold | +1 point for seat 1 found |")
    print("|---|---|---|---|---|")
    for sizes in SIZES:
        counts = {"results": [0, 0, 0, 0], "pages": [0, 0, 0, 0]}
        for seed in range(repeats):
            generator = np.random.default_rng([seed, *sizes])
            for kind, place in (((), 0), ((1.0,), 3)):
                before, after = found(generator, sizes, kind)
                for source, tally in counts.items():
                    sides = (
                        (before, after) if source == "results" else [[*map(as_on_a_page, x)] for x in (before, after)]
                    )
                    verdicts = judged(*sides)
                    if place == 0:
                        tally[0] += any(verdict.kind in ("beyond", "slight") for verdict in verdicts)
                        tally[1] += sum(covered(verdicts))
                        tally[2] += len(verdicts)
                    else:
                        tally[3] += verdicts[0].p < 0.05
        for source, (claimed, holding, questions, power) in counts.items():
            shares = [claimed / repeats, holding / questions, power / repeats]
            print(f"| {sizes[0]:,} and {sizes[1]:,} | {source} | " + " | ".join(f"{x:.1%}" for x in shares) + " |")


if __name__ == "__main__":
    study(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
