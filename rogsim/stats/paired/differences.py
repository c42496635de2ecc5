"""What a variant changes: for each question, the differences of all its levels between two runs.

On the deals that both runs played, one test asks whether anything differs at all, by the signs that the differences of
the blocks could have had (`contrasts.flip_test`). Each level then has its difference, with an individual interval and
one that holds for all levels of the question together.

If few games come out differently, the spread of the differences is unreliable. So the variance is that with one more
block that differs by one win (one point, one turn), in either direction with equal probability. For shares this is the
interval of Agresti and Min 2005, "Simple improved confidence intervals for comparing matched proportions", Statistics
in Medicine 24. If the few games all change in one direction, as when a change gives a few more games to one seat and
takes none away, their number is a count: its spread grows with its true value, and the spread of those found says too
little about larger values. So the end away from 0 is at least that of Wilson's interval, as if each block differed by
one size in one direction, or not at all (`outward`).

With fewer than `contrasts.LEAST_BLOCKS` blocks there is no test and no interval. The interval of a difference of shares
ends at what is possible: at 100 percentage points.

Where the runs played separately, each interval comes from the two intervals that it joins (MOVER; Zou and Donner 2008,
"Construction of confidence limits about effect measures", Statistics in Medicine 27). The test of all levels is that of
`judgement.agreement`. Where the covariance of the effects is not known, as on a page, it is the smallest p-value of a
level, adjusted by Holm's method, and the simultaneous intervals treat the levels as independent; both are conservative
(Sidak 1967, Journal of the American Statistical Association 62).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import EQUIVALENCE, LEAST_BLOCKS, JointTest, Means, difference_of, flip_test, scaled
from rogsim.stats.effects import Contrast, Effects, Question, possible
from rogsim.stats.estimates import CONFIDENCE, Estimate, wilson
from rogsim.stats.judgement import Agreement, agreement
from rogsim.stats.paired.common_random_numbers import (
    Estimates,
    by_block,
    difference,
    on_same_deals,
    with_common_levels,
)

SAME = 1e-12  # a difference, or a variance relative to another one, this small is rounding


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
    first, second = with_common_levels(on_same_deals([base, other]))
    change = difference(first, second)
    if not change.levels:
        return None
    blocks, moved, untouched = len(change.deals), by_block(first, second), len(change.deals) > 1 and change.is_nothing
    paired, apart = np.diag(change.covariance), np.diag(first.covariance) + np.diag(second.covariance)
    with np.errstate(divide="ignore", invalid="ignore"):  # where every block differs by the same, no games would do
        saving = np.where(paired > SAME * apart, apart / paired, np.nan)
    rows = np.minimum(first.n, second.n).astype(np.float64)
    steady = Means(change.value, change.spread, rows, change.held.astype(np.float64))
    wide, narrow = (
        [
            possible(scaled(found, question.scale), question.most)
            for found in _intervals(steady, moved, np.sqrt(apart), confidence)
        ]
        for confidence in (CONFIDENCE, EQUIVALENCE)
    )
    p, before, after = steady.p_values(), _by_level(first, question), _by_level(second, question)
    contrasts = tuple(
        Contrast(
            level,
            wide[place],
            narrow[place],
            float(p[place]),
            blocks=float(steady.blocks[place]),
            before=before[place],
            after=after[place],
            saving=math.nan if math.isnan(wide[place].low) else float(saving[place]),
        )
        for place, level in enumerate(change.levels)
    )
    return Effects(
        question,
        players,
        variant,
        contrasts,
        JointTest(0.0, 0, blocks, 1.0) if untouched else flip_test(moved),
        games,
        look=look,
        most=question.most,
        blocks=blocks,
        covariance=question.scale**2 * steady.covariance,
        untouched=untouched,
    )


def _intervals(steady: Means, moved: Floats, apart: Floats, confidence: float) -> list[Estimate]:
    """Return the differences with their intervals, in their own unit; nan ends from fewer than LEAST_BLOCKS blocks.

    Parameters
    ----------
    moved : float64[blocks, k]
        What each block adds to each difference.
    apart : float64[k]
        The standard errors that two runs on different deals would have.
    """
    held = np.maximum(steady.blocks, 1)
    spread = apart * np.sqrt(held / 2)  # of one run's blocks: a game that differs may do so by as much
    sizes = sizes_of(moved * (held / max(len(moved), 1)), np.fmax(spread, 1.0))
    return [
        outward(_known(steady, place, confidence), size, blocks, steady.quantile(place, confidence))
        for place, (size, blocks) in enumerate(zip(sizes.tolist(), held.tolist(), strict=True))
    ]


def _known(means: Means, place: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return one of the means with Student's interval; nan ends from fewer than LEAST_BLOCKS blocks."""
    found = means.estimate(place, confidence=confidence)
    return found if means.blocks[place] >= LEAST_BLOCKS else replace(found, low=math.nan, high=math.nan)


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
    return possible(outward(_known(found, 0), size, blocks, found.quantile(0)), 1.0)


def _by_level(run: Estimates, question: Question) -> list[Estimate]:
    """Return the estimates of one run: shares with Wilson's interval, others with Student's."""
    blocks = np.minimum(run.n, len(run.deals)).astype(np.float64)
    if not question.share:
        blocks = np.minimum(blocks, run.told)
    means = Means(run.value, run.covariance, run.n.astype(np.float64), blocks)
    return [means.share(place) if question.share else _known(means, place) for place in range(len(run.levels))]


def sizes_of(by_block: Floats, unit: Floats | float) -> Floats:
    """Return by how much a block that differs does so, float64[k]: large differences count for more.

    Parameters
    ----------
    by_block : float64[blocks, k]
        What each block adds to each difference.
    unit : float64[k]
        Difference of one more block, which stands for those that are still to be seen.
    """
    return np.asarray((unit**2 + np.square(by_block).sum(axis=0)) / (unit + np.abs(by_block).sum(axis=0)))


def outward(found: Estimate, size: float, blocks: float, quantile: float) -> Estimate:
    """Return a difference whose interval reaches away from 0 at least as far as Wilson's.

    Parameters
    ----------
    found
        The difference with its usual interval.
    size
        By how much a block that differs does so, in the unit of the difference.
    blocks
        Number of blocks behind it.
    quantile
        Half width of the interval in standard errors.
    """
    if math.isnan(found.low) or not size > 0 or not blocks > 0:
        return found
    end = size * wilson(min(abs(found.value) / size, 1.0), blocks, quantile)[1]
    low = min(found.low, -end) if found.value <= 0 else found.low
    high = max(found.high, end) if found.value >= 0 else found.high
    return replace(found, low=low, high=high)


def independent_differences(question: Question, variant: str, before: Effects, after: Effects) -> Effects | None:
    """Return how the effects on a question changed between two independent runs; None if they share no level.

    Parameters
    ----------
    question
        The question, with its margin in percentage points. Where effects are those of shares, the differences are
        between shares.
    variant
        Label of the later run.
    before, after
        The effects in both runs. If they played the same deals they agree more closely than independent ones, and
        everything is conservative.
    """
    earlier = {contrast.name: place for place, contrast in enumerate(before.contrasts)}
    later = {contrast.name: place for place, contrast in enumerate(after.contrasts)}
    names = [name for name in earlier if name in later]
    if not names:
        return None
    places = [earlier[name] for name in names], [later[name] for name in names]
    test = agreement([before, after], (0, 1))
    p = dict(zip(test.names, test.alone, strict=True))
    pairs = zip(*places, strict=True)
    share = not any(math.isnan(contrast.fair) for contrast in (*before.contrasts, *after.contrasts))
    return Effects(
        replace(question, share=share),
        before.players,
        variant,
        tuple(
            _difference(before.contrasts[first], after.contrasts[second], p.get(name, math.nan))
            for name, (first, second) in zip(names, pairs, strict=True)
        ),
        _overall(test, before, after),
        after.games,
        most=replace(question, share=share).most,
        blocks=min(before.overall.blocks, after.overall.blocks),
        covariance=_covariance(before, after, *places),
        look=test.look,
    )


def _difference(before: Contrast, after: Contrast, p: float) -> Contrast:
    """Return after minus before."""
    blocks = min(before.blocks, after.blocks)
    effect, effect90 = difference_of(after.effect, before.effect), difference_of(after.effect90, before.effect90)
    return Contrast(after.name, effect, effect90, p, blocks=blocks, before=_side(before), after=_side(after))


def _side(contrast: Contrast) -> Estimate:
    """Return an effect as what it is an effect on: a share, 0 to 1, if its fair share is known."""
    if math.isnan(contrast.fair):
        return contrast.effect
    effect, fair = scaled(contrast.effect, 0.01), contrast.fair
    return replace(effect, value=fair + effect.value, low=fair + effect.low, high=fair + effect.high)


def _covariance(before: Effects, after: Effects, earlier: Sequence[int], later: Sequence[int]) -> Floats | None:
    """Return the covariance of the differences, which is the sum of both; None if it is not known."""
    if before.covariance is None or after.covariance is None:
        return None
    return np.asarray(before.covariance[np.ix_(earlier, earlier)] + after.covariance[np.ix_(later, later)])


def _overall(test: Agreement, before: Effects, after: Effects) -> JointTest:
    """Return the test that no level differs."""
    if before.covariance is not None and after.covariance is not None:
        return test.overall
    known = [p for p in test.by_level if not math.isnan(p)]
    return replace(test.overall, statistic=math.nan, p=min(known, default=math.nan))
