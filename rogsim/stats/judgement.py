"""Judgement: is an effect beyond the margin, are all within it, or is that not known yet?

- *beyond*: at least one level is shown to be beyond the margin.
- *within*: every level is shown to be within it.
- *slight*: the levels differ, but none is shown to be beyond the margin.
- *open*: none of these is shown yet.

All questions of a page form one family, with each number of players and each set of bots or variant. Three claims can
be made about each: that an effect is beyond the margin, that all are within it, and that any differs from 0. Each kind
of claim is a Holm family of its own, so each is wrongly made anywhere on a page in at most 5% of cases. The first is
the maximum test of the simultaneous intervals. The second needs two one-sided tests for every level (Schuirmann 1987,
Journal of Pharmacokinetics and Biopharmaceutics 15); since all levels must pass, their number needs no adjustment
(Berger 1982, "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24). The third is the joint
test of the question. It shares its family with the tests of whether several sets of bots show the same effects. Which
levels are named is decided by simultaneous intervals, which hold for all levels of a question.

All of these error rates are divided among the looks that the folders record (`sequential`).

Whether a question has the same effects in several folders, that is with all sets of bots, is tested by their joint
agreement. Folders are independent samples, so this is a test of equal mean vectors with unequal covariances. The
statistic is Cochran's Q for vectors, each weighted by its precision. Its F distribution is Johansen's (1980, "The
Welch-James approximation to the distribution of the residual sum of squares in a weighted linear regression",
Biometrika 67), which is Welch's for one level and two folders. If anything, folders on the same deals agree more
closely than independent ones; the test is then conservative.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from rogsim.results.interim_looks import joint_look
from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import ALONE, FEWEST_BLOCKS, JointTest, holm
from rogsim.stats.effects import Contrast, Effects, beyond
from rogsim.stats.estimates import ALPHA, Estimate
from rogsim.stats.prospects import Prospect, prospects
from rogsim.stats.sequential import adjusted, weight
from rogsim.stats.special_functions import fdtrc, ndtri

MARGIN = 2.0  # percentage points
ROUNDING = 1e-12  # a variance this small is that of a share of 0 or 1

Kind = Literal["beyond", "within", "slight", "open"]


@dataclass(frozen=True)
class Agreement:
    """Whether several claims on one question have the same effects.

    Attributes
    ----------
    places
        Indices of the claims in the family.
    overall
        The test that all effects are equal.
    names
        The levels that all claims have.
    alone
        For each of these levels the p of equal effects.
    look
        Number of the look at all folders together.
    p
        p-value of `overall`, adjusted by Holm's method over the family and for the looks.
    """

    places: tuple[int, ...]
    overall: JointTest
    names: tuple[str, ...]
    alone: tuple[float, ...]
    look: int = 1
    p: float = math.nan

    @property
    def by_level(self) -> Floats:
        """Return `alone`, adjusted by Holm's method over the levels."""
        return holm(self.alone)

    @property
    def depends(self) -> bool:
        """Return whether the effects clearly differ."""
        return self.p < ALPHA

    @property
    def differing(self) -> tuple[str, ...]:
        """Return the levels whose effects clearly differ, the clearest first."""
        limit = ALPHA * weight(self.look) if self.depends else 0.0
        order = np.argsort(self.by_level, kind="stable").tolist()
        return tuple(self.names[place] for place in order if self.by_level[place] < limit)


@dataclass(frozen=True)
class Judgement:
    """The answer to one question.

    Attributes
    ----------
    intervals
        All effects with simultaneous intervals, in the order of `effects.contrasts`.
    one_sided
        All effects between the one-sided bounds that show whether each is within the margin.
    beyond
        Levels shown to be beyond the margin, the largest effect first.
    differing
        Levels shown to differ from 0, the largest effect first.
    p
        p-value of the joint test, adjusted for the looks and over the family.
    p_beyond
        p-value of no effect being beyond the margin, adjusted likewise.
    p_within
        p-value of some effect being beyond the margin, adjusted likewise.
    prospect
        What more games would show if the kind is open; None if that is not known either, or if it is decided.
    agreement
        Whether several sets of bots show the same effects; None if there is only one.
    """

    kind: Kind
    effects: Effects
    margin: float
    intervals: tuple[Estimate, ...]
    one_sided: tuple[Estimate, ...]
    beyond: tuple[str, ...]
    differing: tuple[str, ...]
    p: float
    p_beyond: float
    p_within: float
    prospect: Prospect | None = None
    agreement: Agreement | None = None

    @property
    def largest(self) -> Contrast:
        """Return the largest effect; of several levels shown to be beyond the margin, or to differ, that of these."""
        shown = self.beyond or self.differing
        return self.effects.of(shown[0]) if shown else self.effects.contrasts[self.effects.order[0]]

    def effect_of(self, name: str) -> Estimate:
        """Return the effect of a level with its simultaneous interval."""
        return self.intervals[self._place(name)]

    def tested_effect_of(self, name: str) -> Estimate:
        """Return the effect of a level between the bounds that decide whether it is within the margin."""
        return self.one_sided[self._place(name)]

    def kind_of(self, name: str) -> Kind:
        """Return what is shown about one level: beyond, within, different from 0 ("slight"), or none of these."""
        if name in self.beyond:
            return "beyond"
        tested = self.tested_effect_of(name)
        if -self.margin < tested.low and tested.high < self.margin:
            return "within"
        return "slight" if name in self.differing else "open"

    def _place(self, name: str) -> int:
        return [contrast.name for contrast in self.effects.contrasts].index(name)


@dataclass(frozen=True)
class Curve:
    """What a level wins with each of several numbers, which are judged together.

    Attributes
    ----------
    values, judged
        The numbers, ascending, and for each the judgement against fair.
    """

    players: int
    level: str
    values: tuple[int, ...]
    judged: tuple[Judgement, ...]

    @property
    def effects(self) -> list[Estimate]:
        """Return the effect on the level with each number; the intervals hold together."""
        return [judgement.effect_of(self.level) for judgement in self.judged]

    @property
    def kinds(self) -> list[Kind]:
        """Return what is shown about the level with each number, allowing for all numbers if it is judged alone."""
        return [each.kind if len(each.effects.contrasts) == 1 else each.kind_of(self.level) for each in self.judged]

    @property
    def crossing(self) -> int | None:
        """Return the place of the last number before the level changes from beyond the margin to beyond it elsewhere.

        None if there is no such number: then one of them may be fair, or fair lies outside the numbers.
        """
        sides = [
            math.copysign(1, effect.value) if kind == "beyond" else 0.0
            for effect, kind in zip(self.effects, self.kinds, strict=True)
        ]
        return next((place for place, (before, after) in enumerate(pairwise(sides)) if before * after < 0), None)


def judge(family: Sequence[Effects], margin: float = MARGIN) -> tuple[Judgement, ...]:
    """Return a judgement on each question of a family, in the same order.

    Parameters
    ----------
    family
        All questions of a page; their tests share the error rates.
    margin
        The margin of questions that have none of their own, in their unit.
    """
    looks = [effects.look for effects in family]
    margins = [margin if effects.question.margin is None else effects.question.margin for effects in family]
    tests = agreements(family)
    both = adjusted(
        [*(effects.overall.p for effects in family), *(test.overall.p for test in tests)],
        [*looks, *(test.look for test in tests)],
    )
    p = holm(both)
    p_beyond, p_within = (
        adjusted([claim(effects, each) for effects, each in zip(family, margins, strict=True)], looks)
        for claim in (Effects.p_beyond, _p_within)
    )
    agreed: dict[int, Agreement] = {}
    for test, test_p in zip(tests, p[len(family) :], strict=True):
        agreed |= dict.fromkeys(test.places, replace(test, p=float(test_p)))
    found = [
        _judge(*parts, agreed.get(place))
        for place, parts in enumerate(zip(family, margins, p, holm(p_beyond), holm(p_within), strict=False))
    ]
    kinds = [judgement.kind == "open" for judgement in found]
    more = prospects(family, margins, kinds, both, p_within)
    return tuple(replace(judgement, prospect=prospect) for judgement, prospect in zip(found, more, strict=True))


def _p_within(effects: Effects, margin: float) -> float:
    return effects.p_within(margin) if effects.blocks >= FEWEST_BLOCKS else math.nan


def _judge(
    effects: Effects, margin: float, p: float, p_beyond: float, p_within: float, agreement: Agreement | None
) -> Judgement:
    alpha = ALPHA * weight(effects.look)
    intervals = effects.intervals(alpha)
    names = [contrast.name for contrast in effects.contrasts]
    out, differing = (
        tuple(names[place] for place in effects.order if rejects and beyond(intervals[place], limit))
        for rejects, limit in ((p_beyond < ALPHA, margin), (p < ALPHA, 0.0))
    )
    kind: Kind = "open"
    if out:
        kind = "beyond"
    elif p_within < ALPHA:
        kind = "within"
    elif p < ALPHA:
        kind = "slight"
    p_values = float(p), float(p_beyond), float(p_within)
    one_sided = effects.one_sided(alpha)
    return Judgement(kind, effects, margin, intervals, one_sided, out, differing, *p_values, agreement=agreement)


def strongest_and_weakest(judgement: Judgement) -> Mapping[str, Contrast]:
    """Return the levels with the highest and the lowest effect that have an interval, by "strongest" and "weakest"."""
    known = [judgement.effects.contrasts[place] for place in judgement.effects.known]
    if not known:
        return {}
    values: Floats = np.array([contrast.effect.value for contrast in known])
    return {"strongest": known[int(values.argmax())], "weakest": known[int(values.argmin())]}


def agreements(family: Sequence[Effects]) -> tuple[Agreement, ...]:
    """Return a test for every question of a family that several folders answer with the same number of players.

    Differences between runs are not tested: each variant has its own.
    """
    groups: dict[tuple[str, str, int], list[int]] = {}
    for place, claim in enumerate(family):
        if claim.question.against:
            groups.setdefault((claim.question.topic, claim.question.title, claim.players), []).append(place)
    return tuple(agreement([family[place] for place in group], group) for group in groups.values() if len(group) > 1)


def agreement(claims: Sequence[Effects], places: Sequence[int]) -> Agreement:
    """Test whether two or more claims on one question have the same effects.

    Parameters
    ----------
    places
        The indices of the claims in their family, stored as `Agreement.places`.
    """
    usable = [
        {contrast.name: place for place, contrast in enumerate(claim.contrasts) if _usable(contrast)}
        for claim in claims
    ]
    names = [contrast.name for contrast in claims[0].contrasts if all(contrast.name in found for found in usable)]
    look = joint_look([claim.look for claim in claims])
    if not names:
        return Agreement(tuple(places), JointTest(math.nan, 0, 0, math.nan), (), (), look)
    # From here on one row for each claim, one column for each name that all of them can compare.
    places_of = [[found[name] for name in names] for found in usable]
    contrasts = [[claim.contrasts[place] for place in row] for claim, row in zip(claims, places_of, strict=True)]
    effects = np.array([[contrast.effect.value for contrast in row] for row in contrasts])
    spreads = np.array([_covariance(claim, row) for claim, row in zip(claims, places_of, strict=True)])
    spreads *= _levelled(contrasts)
    blocks = np.array(
        [
            [min(contrast.blocks, claim.overall.blocks) for contrast in row]
            for claim, row in zip(claims, contrasts, strict=True)
        ]
    )
    free = min((claim.overall.df for claim in claims if claim.overall.df > 0), default=len(names))
    overall = equal_means(effects, spreads, blocks.min(axis=1), free)
    single = [equal_means(effects[:, [i]], spreads[:, [i]][:, :, [i]], blocks[:, i], 1).p for i in range(len(names))]
    return Agreement(tuple(places), overall, tuple(names), tuple(map(float, single)), look)


def equal_means(effects: Floats, spreads: Floats, blocks: Floats, free: int) -> JointTest:
    """Test that several vectors of estimates have the same mean (Johansen 1980).

    Parameters
    ----------
    effects : float64[folders, k]
    spreads : float64[folders, k, k]
        Their covariances.
    blocks : float64[folders]
        Observations behind each.
    free
        How many of the k can vary freely; the directions that vary least are left out because the others determine
        them.
    """
    count = len(effects)
    basis = _free_directions(spreads.sum(axis=0), free)
    size = basis.shape[1]
    fewest = int(min(blocks.min(), 10**9))
    if size == 0 or np.isnan(effects).any() or fewest < FEWEST_BLOCKS + 2 * size:
        return JointTest(math.nan, size, fewest, math.nan)
    found = effects @ basis
    precisions = [np.linalg.pinv(basis.T @ matrix @ basis, hermitian=True) for matrix in spreads]
    total = np.linalg.pinv(sum(precisions), hermitian=True)
    middle = total @ sum(matrix @ value for matrix, value in zip(precisions, found, strict=True))
    squares = sum(float(off @ matrix @ off) for matrix, off in zip(precisions, found - middle, strict=True))
    free_by = (count - 1) * size
    shares = [np.eye(size) - total @ matrix for matrix in precisions]
    freedom = [
        (np.trace(matrix @ matrix) + np.trace(matrix) ** 2) / (number - 1)
        for matrix, number in zip(shares, blocks, strict=True)
    ]
    amount = sum(freedom) / 2
    scale = free_by + 2 * amount - 6 * amount / (free_by + 2)
    degrees = free_by * (free_by + 2) / (3 * amount) if amount > 0 else 1e9
    return JointTest(squares / scale, free_by, fewest, float(fdtrc(free_by, degrees, squares / scale)))


def _free_directions(spread: Floats, free: int) -> Floats:
    """Return the directions in which standardised estimates vary most, float64[k, at most free]."""
    errors = np.sqrt(np.diag(spread))
    strength, axes = np.linalg.eigh(spread / np.outer(errors, errors))
    kept = [place for place in np.argsort(-strength)[:free] if strength[place] > ALONE * strength[-1]]
    return np.asarray(axes[:, kept] / errors[:, None], dtype=np.float64)


def _levelled(contrasts: Sequence[Sequence[Contrast]]) -> Floats:
    """Return factors for the covariances that give every share the variance of the folders' common share.

    If the effects are equal, so are the shares; a share that is small by chance must not appear more precise.
    """
    fair = np.array([[contrast.fair for contrast in row] for row in contrasts])
    shares = np.clip(
        np.array([[contrast.effect.value for contrast in row] for row in contrasts]) / 100 + fair, 0.0, 1.0
    )
    games = np.array([[contrast.effect.effective for contrast in row] for row in contrasts])
    common = (shares * games).sum(axis=0) / games.sum(axis=0)
    separate, pooled = shares * (1 - shares), common * (1 - common)
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = np.sqrt(pooled / separate)
    factors = np.where(np.isfinite(factors) & (separate > ROUNDING), factors, 1.0)
    return np.asarray(factors[:, :, None] * factors[:, None, :], dtype=np.float64)


def _covariance(claim: Effects, places: Sequence[int]) -> Floats:
    """Return the covariance of some effects; variances that are not known follow from the intervals."""
    found = np.zeros((len(places), len(places)))
    if claim.covariance is not None:
        found = np.nan_to_num(claim.covariance[np.ix_(places, places)])
    blank = np.flatnonzero(np.diag(found) <= 0)
    found[blank, blank] = [_error(claim.contrasts[places[place]]) ** 2 for place in blank.tolist()]
    return found


def _error(contrast: Contrast) -> float:
    return (contrast.effect.high - contrast.effect.low) / 2 / -float(ndtri(ALPHA / 2))


def _usable(contrast: Contrast) -> bool:
    return contrast.effect.high > contrast.effect.low and contrast.blocks >= FEWEST_BLOCKS
