"""How the effects of a question differ between two runs that played separately: after minus before, level by level.

Each interval comes from the two intervals that it joins (MOVER; Zou and Donner 2008, "Construction of confidence limits
about effect measures", Statistics in Medicine 27). The test of all levels is that of `agreement`. Where the covariance
of the effects is not known, as on a page, it is the smallest p-value of a level, adjusted by Holm's method, and the
simultaneous intervals treat the levels as independent; both are conservative (Sidak 1967, Journal of the American
Statistical Association 62).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rogsim.results.interim_looks import joint_look
from rogsim.stats.agreement import Agreement, agreement
from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import JointTest, joined, scaled
from rogsim.stats.effects import Contrast, Effects, Question
from rogsim.stats.estimates import Estimate
from rogsim.stats.paired.fairness import distance_of, farthest_effect
from rogsim.stats.paired.largest import bounds


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
    effect, effect90 = _minus(after.effect, before.effect), _minus(after.effect90, before.effect90)
    return Contrast(after.name, effect, effect90, p, blocks=blocks, before=_side(before), after=_side(after))


def _side(contrast: Contrast) -> Estimate:
    """Return an effect as what it is an effect on: a share, 0 to 1, if its fair share is known."""
    if math.isnan(contrast.fair):
        return contrast.effect
    effect, fair = scaled(contrast.effect, 0.01), contrast.fair
    return replace(effect, value=fair + effect.value, low=fair + effect.low, high=fair + effect.high)


def independent_distance(question: Question, variant: str, before: Effects, after: Effects) -> Effects | None:
    """Return how much farther from fair the later run is; None if that is not known.

    Parameters
    ----------
    question
        The question on the distance, with its margin in percentage points.
    variant
        Label of the later run.
    before, after
        The effects on win shares in both runs, against a fair share.
    """
    runs = []
    for run in (after, before):
        values = np.array([contrast.effect.value for contrast in run.contrasts]) / 100
        if run.covariance is None or np.isnan(values).any() or np.isnan(run.covariance).any():
            return None
        runs.append((values, run.covariance / 100**2, int(run.overall.blocks), run.games))
    (now, spread, blocks, games), (was, spread_before, blocks_before, games_before) = runs
    both = np.zeros((len(now) + len(was),) * 2)
    both[: len(now), : len(now)], both[len(now) :, len(now) :] = spread, spread_before
    ends = bounds(now, was, both, min(blocks, blocks_before))
    standing = distance_of(was, spread_before, blocks_before, games_before), distance_of(now, spread, blocks, games)
    found = float(np.abs(now).max() - np.abs(was).max())
    look = joint_look([before.look, after.look])
    return farthest_effect(question, before.players, variant, standing, found, ends, 0.0, games, look, False)


def _minus(after: Estimate, before: Estimate) -> Estimate:
    value = after.value - before.value
    low = value - joined(after.value - after.low, before.high - before.value, 0.0)
    high = value + joined(after.high - after.value, before.value - before.low, 0.0)
    return Estimate(value, low, high, min(after.n, before.n), min(after.effective, before.effective))


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
