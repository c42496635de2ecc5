"""What a variant changes: for each question, the differences of all its levels on the deals that both runs played.

One test asks whether anything differs at all, by the signs that the differences of the blocks could have had
(`null.flip_test`). Each level then has its difference, with an individual interval and one that holds for all levels of
the question together.

If few games come out differently, the spread of the differences is unreliable. So the variance is that with one more
block that differs by one win (one point, one turn), in either direction with equal probability. For shares this is the
interval of Agresti and Min 2005, "Simple improved confidence intervals for comparing matched proportions", Statistics
in Medicine 24. If the few games all change in one direction, the interval reaches as far as Wilson's (`one_way`).

With fewer than `null.LEAST_BLOCKS` blocks there is no test and no interval. The interval of a difference of shares ends
at what is possible: at 100 percentage points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import EQUIVALENCE, JointTest, Means, scaled
from rogsim.stats.effects import Contrast, Effects, Question
from rogsim.stats.estimates import CONFIDENCE, Estimate
from rogsim.stats.null import LEAST_BLOCKS, flip_test
from rogsim.stats.paired.common_random_numbers import Difference, Estimates, compare, narrowed
from rogsim.stats.paired.one_way import outward, sizes_of

SAME = 1e-12  # a difference this small is rounding


def differences(
    question: Question, players: int, variant: str, base: Estimates, other: Estimates, games: int, look: int = 1
) -> Effects | None:
    """Return how the variant differs from the base on the deals that both played; None if they share no level.

    Parameters
    ----------
    question
        The question; only one with a margin is judged.
    variant
        Label of the variant.
    games
        Number of games of the variant.
    look
        Number of this look at both runs, from 1.
    """
    raw = compare(base, other)
    if not raw.levels:
        return None
    deals = np.intersect1d(base.deals, other.deals, assume_unique=True)
    before, after = (_by_level(narrowed(run, deals), question) for run in (base, other))
    return effects_of(question, players, variant, raw, before, after, games, look, most=question.most)


def effects_of(
    question: Question,
    players: int,
    variant: str,
    raw: Difference,
    before: Mapping[str, Estimate],
    after: Mapping[str, Estimate],
    games: int,
    look: int = 1,
    *,
    most: float,
) -> Effects:
    """Return the effects of a question, given the differences of all levels; see `differences`.

    Parameters
    ----------
    raw
        The differences.
    before, after
        What they are differences of, by level.
    most
        The largest difference that is possible, in the question's unit.
    """
    steady = means_of(raw)
    p = steady.p_values()
    wide, narrow = (
        [_possible(scaled(found, question.scale), most) for found in intervals_of(raw, confidence)]
        for confidence in (CONFIDENCE, EQUIVALENCE)
    )
    contrasts = tuple(
        Contrast(
            level,
            wide[place],
            narrow[place],
            float(p[place]),
            blocks=float(steady.blocks[place]),
            before=before[level],
            after=after[level],
            saving=math.nan if math.isnan(wide[place].low) else float(raw.saving[place]),
        )
        for place, level in enumerate(raw.levels)
    )
    return Effects(
        question,
        players,
        variant,
        contrasts,
        joint_test(raw),
        games,
        look=look,
        most=most,
        blocks=raw.blocks,
        covariance=question.scale**2 * steady.covariance,
        untouched=untouched(raw),
    )


def untouched(found: Difference) -> bool:
    """Return whether every block came out the same."""
    return found.blocks > 1 and not found.covariance.any() and bool((np.abs(found.value) < SAME).all())


def joint_test(found: Difference) -> JointTest:
    """Test that no level differs; p is 1 if every block came out the same."""
    return JointTest(0.0, 0, found.blocks, 1.0) if untouched(found) else flip_test(found.by_block)


def means_of(found: Difference) -> Means:
    """Return the differences; each variance includes one more block that differs by one unit, up or down."""
    least = np.where(found.held > 0, 1.0 / np.maximum(found.held, 1) ** 2, np.nan)
    covariance = found.covariance + np.diag(least)
    return Means(found.value, covariance, found.n.astype(np.float64), found.held.astype(np.float64))


def intervals_of(found: Difference, confidence: float = CONFIDENCE) -> list[Estimate]:
    """Return the differences with their intervals, in their own unit; nan ends from fewer than LEAST_BLOCKS blocks."""
    steady, held = means_of(found), np.maximum(found.held, 1)
    spread = found.unpaired * np.sqrt(held / 2)  # of one run's blocks: a game that differs may do so by as much
    sizes = sizes_of(found.by_block * (held / max(found.blocks, 1)), np.fmax(spread, 1.0))
    return [
        outward(_known(steady, place, confidence), size, blocks, steady.quantile(place, confidence))
        for place, (size, blocks) in enumerate(zip(sizes.tolist(), held.tolist(), strict=True))
    ]


def _known(means: Means, place: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return one of the means with Student's interval; nan ends from fewer than LEAST_BLOCKS blocks."""
    found = means.estimate(place, confidence=confidence)
    return found if means.blocks[place] >= LEAST_BLOCKS else replace(found, low=math.nan, high=math.nan)


def _possible(found: Estimate, most: float) -> Estimate:
    """Return a difference whose interval ends at the largest possible difference, in both directions."""
    return replace(found, low=float(np.maximum(found.low, -most)), high=float(np.minimum(found.high, most)))


def mean_difference(by_block: Floats, rows: int) -> Estimate:
    """Return the mean difference of two win shares on the same deals, with the same interval as one level has.

    Parameters
    ----------
    by_block : float64[blocks]
        The difference on each deal, -1 to 1.
    rows
        Number of games behind it.
    """
    blocks = len(by_block)
    spread = float(by_block.var(ddof=1)) / blocks if blocks > 1 else math.nan
    variance = np.array([[spread + 1.0 / blocks**2]])
    counts = np.array([rows], dtype=np.float64), np.array([blocks], dtype=np.float64)
    found = Means(np.array([by_block.mean()]), variance, *counts)
    size = float(sizes_of(by_block[:, None], 1.0)[0])
    return _possible(outward(_known(found, 0), size, blocks, found.quantile(0)), 1.0)


def _by_level(run: Estimates, question: Question) -> dict[str, Estimate]:
    """Return the estimates of one run by level: shares with Wilson's interval, others with Student's."""
    blocks = np.minimum(run.n, len(run.deals)).astype(np.float64)
    if not question.share:
        blocks = np.minimum(blocks, run.told)
    means = Means(run.value, run.covariance, run.n.astype(np.float64), blocks)
    return {
        level: means.share(place) if question.share else _known(means, place) for place, level in enumerate(run.levels)
    }
