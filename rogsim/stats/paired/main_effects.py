"""Main effects of several varied parameters, from many design points on the same deals.

All design points play the same deals, so for each block the response at every design point is known. Whatever is linear
in the responses (a difference between two design points, a slope by least squares) can be formed block by block, and
the spread of these values over the blocks gives its standard error with common random numbers. Least squares are
linear: the coefficients are pinv(X) times the responses, and influence values are combined with the same weights.

If few games come out differently, the spread of an effect is unreliable. So its variance is that with one more block
that differs by one win as much as a single game can, in either direction with equal probability, as in `differences`.
Likewise, its interval reaches away from 0 at least as far as Wilson's (`differences.outward`).

One in twenty effects would be marked by chance alone, and an interval that is quoted because its effect is large misses
too often. So what is called clear is decided for the whole sweep at once. Both questions about each effect (does it
move any share, does it move the distance from fair) with each number of players are one family, whose p-values are
adjusted by Holm's method. The quoted intervals hold together for all effects and seats (Bonferroni).

How far a vector of differences is from 0 is the root mean square, corrected for noise. The squared length of an
estimated vector is too large by the trace of its covariance, which is subtracted. The interval contains all true
lengths that the estimate does not reject; it comes from the noncentral chi-squared distribution of the squared length
(Johnson, Kotz and Balakrishnan 1995, "Continuous Univariate Distributions", volume 2, chapter 29). The noise is assumed
to be as strong in every direction as in the estimated one, and its trace then gives the degrees of freedom. This is a
good approximation for seats, whose shares are known about equally well.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import chndtr, ndtri, stdtr, stdtrit

from rogsim.results.results import Results
from rogsim.scenario.axes import Axis, value_words
from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import EQUIVALENCE, FEWEST_BLOCKS, JointTest, Means, difference_of, holm, scaled
from rogsim.stats.effects import Contrast, Effects, Question
from rogsim.stats.estimates import ALPHA, CONFIDENCE, Estimate
from rogsim.stats.paired.common_random_numbers import (
    Estimand,
    Estimates,
    combine,
    difference,
    interval,
    measure,
    on_same_deals,
    with_common_levels,
)
from rogsim.stats.paired.differences import outward, sizes_of
from rogsim.stats.prospects import games_for, two_figures

CONFOUNDED = 1e-8  # error of pinv(X) X from which on an effect counts as confounded with others
ROUNDING = 1e-9  # effects that differ by this little are as clear

CLEAR = 1e4  # squared standard errors: from here on the distribution is nearly normal
SMALL_EFFECT = 1.0  # percentage points: an effect on a win share that is worth detecting
MOVES = Question("parameters", "Effect on win shares", share=True)

Setting = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class MainEffect(Effects):
    """The main effect of one parameter on win shares: of one step of a number, or of a value against the present one.

    Attributes
    ----------
    axis
        The parameter.
    value
        The value in words, for an axis that is not a number; "" for a step.
    change
        The effect on the win shares, 0 to 1.
    distance
        The effect on their distance from fair, not corrected for noise.
    p, p_distance
        p-values of no change in any level's share, and in the distance from fair, by Holm's method over both questions
        about all effects of a sweep; nan before `judged_together` and where there is no test.
    confidence
        The confidence of a single interval with which those of all effects hold together in 95% of sweeps.
    alpha
        The level at which a further effect of this kind is found clear.
    """

    axis: Axis
    value: str
    change: Estimates = field(compare=False, repr=False)
    distance: Contrast
    p: float = math.nan
    p_distance: float = math.nan
    confidence: float = CONFIDENCE
    alpha: float = ALPHA

    @property
    def clearest(self) -> int:
        """Return the place of the first level whose share is moved by most standard errors."""
        with np.errstate(divide="ignore", invalid="ignore"):
            moved = np.nan_to_num(np.abs(self.change.value) / self.change.errors)
        return int((moved >= moved.max() * (1 - ROUNDING)).argmax())

    @property
    def gain(self) -> Estimate:
        """Return the effect on the level for which it is clearest; such intervals hold together for all effects."""
        return _effect_on(self.change, self.clearest, self.confidence)

    @property
    def move(self) -> Estimate:
        """Return the root mean square of the effect on the levels' win shares, corrected for noise, in pp."""
        return distance(100 * self.change.value, _covariance(self.change), _fewest(self.change), self.games)

    @property
    def moves_shares(self) -> bool:
        """Return whether the effect clearly moves a level's win share."""
        return self.p < ALPHA and not self.gain.low <= 0 <= self.gain.high

    @property
    def moves_distance(self) -> bool:
        """Return whether the effect clearly moves the distance from fair."""
        return self.p_distance < ALPHA


def win_shares(results: Sequence[Results], players: int, factor: str = "seat") -> list[Estimates]:
    """Return the win shares at several design points, on the deals that all of them played.

    Parameters
    ----------
    players
        The number of players.
    factor
        The column of seats whose levels are compared; levels that do not occur everywhere are left out.
    """
    asked = [Estimand("win_share", factor)]
    return with_common_levels(on_same_deals([measure(run, players, asked)[0] for run in results]))


def share(shares: Estimates, place: int) -> Estimate:
    """Return a level's win share at a design point, in percent, with Wilson's interval."""
    rows = shares.games * shares.held / max(len(shares.deals), 1)
    return scaled(Means(shares.value, shares.covariance, rows, shares.held.astype(np.float64)).share(place), 100.0)


def is_enough(shares: Estimates) -> bool:
    """Return whether there are enough blocks for tests."""
    return _fewest(shares) >= FEWEST_BLOCKS + 2 * (len(shares.levels) - 1)


def from_fair(shares: Estimates) -> Estimates:
    """Return the distance of win shares from fair as a single level: the root mean square, not corrected for noise."""
    off = shares.value - shares.fair
    value, influence = np.array([np.sqrt(np.mean(off**2))]), shares.influence @ direction(off)
    games = shares.games
    return Estimates(("distance",), value, np.array([games]), shares.deals, influence[:, None], games=games)


def distance_from_fair(shares: Estimates) -> Estimate:
    """Return the distance of win shares from fair, corrected for noise, in percentage points."""
    off = 100 * (shares.value - shares.fair)
    return distance(off, _covariance(shares), _fewest(shares), shares.games)


def distance_change(base: Estimates, other: Estimates) -> Estimate:
    """Return the distance from fair of `other` minus that of `base`, in percentage points, corrected for noise.

    Each end of the interval is computed from the ends of the two distances' intervals that determine it (MOVER, as in
    `Means.difference`), with the correlation of the two distances, which is due to the same deals.
    """
    before, after = (distance_from_fair(each) for each in (base, other))
    if difference(base, other).is_nothing:
        return Estimate(0.0, 0.0, 0.0, after.n, after.effective)
    first, second = (from_fair(each).influence[:, 0] for each in (other, base))
    spread = math.sqrt(float(first @ first) * float(second @ second))
    return difference_of(after, before, float(first @ second) / spread if spread > 0 else 0.0)


def effect_on_distance(settings: Sequence[Estimates], weights: Sequence[float] | Floats) -> Contrast:
    """Return the weighted sum of the settings' distances from fair, not corrected for noise, as an effect."""
    change = combine(settings, weights)
    least = change.least.mean() * math.sqrt(2 / len(change.levels))
    moved = combine([from_fair(each) for each in settings], weights)
    return _contrast(replace(moved, least=least), 0, is_enough(change))


def effects(
    axes: Sequence[Axis], settings: Sequence[Setting], shares: Sequence[Estimates], players: int
) -> list[MainEffect]:
    """Return the main effect of each axis, in descending order of its effect on win shares.

    Effects that the design confounds with others are left out.

    Parameters
    ----------
    settings
        How each design point differs from the scenario, by name of the axis.
    shares
        Win shares in the same order, with this number of players.
    """
    found: list[MainEffect] = []
    for axis, value, weights in contrasts(axes, settings):
        kept = np.where(np.abs(weights) > 1e-9 * np.abs(weights).max(), weights, 0.0)
        found.append(_main_effect(axis, value, shares, kept, players))
    return sorted(found, key=_rank)


def _main_effect(axis: Axis, value: str, shares: Sequence[Estimates], weights: Floats, players: int) -> MainEffect:
    change = combine(shares, weights)
    size, blocks, enough = len(change.levels), _fewest(change), is_enough(change)
    free = (
        1 if size == players == 2 and (change.held == len(change.deals)).all() else size
    )  # one of two gives the other
    levels = tuple(_contrast(change, place, enough) for place in range(size))
    effect = MainEffect(
        MOVES,
        players,
        f"{axis.name} = {value}" if value else f"{axis.name} + 1",
        levels,
        JointTest(math.nan, free, blocks, math.nan),
        change.games,
        blocks=blocks,
        covariance=_covariance(change),
        untouched=change.is_nothing,
        axis=axis,
        value=value,
        change=change,
        distance=effect_on_distance(shares, weights),
        alpha=ALPHA / max(free, 1),
    )
    p = float(np.minimum(1.0, free * levels[effect.clearest].p))
    return replace(effect, overall=replace(effect.overall, p=p))


def _contrast(change: Estimates, place: int, enough: bool) -> Contrast:
    """Return one effect with its p-value, nan if it never varied or with too few blocks."""
    error, blocks = float(change.errors[place]), int(change.held[place])
    varied = bool(change.value[place]) or bool(change.influence[:, place].any())
    tested = varied and error > 0 and enough
    p = 2 * float(stdtr(blocks - 1, -abs(float(change.value[place])) / error)) if tested else math.nan
    wide, narrow = (_effect_on(change, place, confidence) for confidence in (CONFIDENCE, EQUIVALENCE))
    return Contrast(change.levels[place], wide, narrow, p, blocks=blocks)


def _effect_on(change: Estimates, place: int, confidence: float) -> Estimate:
    """Return the effect on a level, or on the distance, in percentage points."""
    value, blocks = float(change.value[place]), int(change.held[place])
    found = interval(value, float(change.errors[place]), blocks, change.games, confidence)
    one_win = float(change.least[place]) * len(change.deals)
    if one_win > 0 and blocks > 1:
        size = float(sizes_of(change.influence[:, place] + value, one_win))
        found = outward(found, size, len(change.deals), float(stdtrit(blocks - 1, 0.5 + confidence / 2)))
    return scaled(found, 100.0)


def _covariance(shares: Estimates) -> Floats:
    """Return the covariance of the levels' shares, float64[k, k], in squared percentage points.

    That of an effect includes one more block, in which a win moves between two levels.
    """
    size = len(shares.levels)
    moved = (size * np.eye(size) - 1) / max(size - 1, 1)  # 1 for each level, and none wins without another
    return np.asarray(100**2 * (shares.covariance + np.outer(shares.least, shares.least) * moved))


def _fewest(shares: Estimates) -> int:
    """Return the number of blocks with the rarest level."""
    return int(shares.held.min(initial=len(shares.deals)))


def contrasts(axes: Sequence[Axis], settings: Sequence[Setting]) -> list[tuple[Axis, str, Floats]]:
    """Return for each effect its axis, its value in words ("" for a step), and its weights, float64[design points].

    Numbers have a slope; for other axes each value is compared with the scenario's own value. If every design point
    differs from the scenario in one axis only, an axis is judged by the design points that vary it.

    Parameters
    ----------
    settings
        How each design point differs from the scenario, by name of the axis.
    """
    alone = all(len(setting) <= 1 for setting in settings)
    found: list[tuple[Axis, str, Floats]] = []
    for group in [[axis] for axis in axes] if alone else [list(axes)]:
        names = {axis.name for axis in group}
        inside = np.array([not setting or bool(names & set(setting)) for setting in settings])
        terms = [term for axis in group for term in _terms(axis, settings)]
        columns = np.array([[1.0] * len(settings), *(column for _, _, column in terms)])[:, inside].T
        inverse = np.linalg.pinv(columns)
        separate = np.abs(inverse @ columns - np.eye(columns.shape[1])).max(axis=1) < CONFOUNDED
        for place, (axis, value, _) in enumerate(terms, 1):
            if separate[place]:
                weights = np.zeros(len(settings))
                weights[inside] = inverse[place]
                found.append((axis, value, weights))
    return found


def _terms(axis: Axis, settings: Sequence[Setting]) -> list[tuple[Axis, str, Floats]]:
    """Return the columns of an axis: its number minus the current one, or an indicator for each other value."""
    values = [setting.get(axis.name, axis.current) for setting in settings]
    if axis.is_number:
        return [(axis, "", np.array(values, dtype=np.float64) - axis.current)]
    others = {value_words(value): value for value in axis.values if value != axis.current}
    return [(axis, words, np.array([float(value == other) for value in values])) for words, other in others.items()]


def _rank(effect: MainEffect) -> tuple[bool, float, float]:
    """Return the order of an effect; rounding does not decide between two that are as large."""
    p = effect.overall.p
    return (effect.untouched, -round(effect.move.value, 9), 1.0 if math.isnan(p) else round(p, 9))


def judged_together(tables: Iterable[Sequence[MainEffect]]) -> list[list[MainEffect]]:
    """Return the effects of a sweep with p-values and intervals that are adjusted for all of them.

    Parameters
    ----------
    tables
        The effects with each number of players.
    """
    found = [list(effects) for effects in tables]
    effects = [effect for table in found for effect in table]
    p = holm([*(effect.overall.p for effect in effects), *(effect.distance.p for effect in effects)])
    undecided = int((p >= ALPHA).sum())
    intervals = max(1, sum(effect.overall.df for effect in effects if not effect.untouched))
    judged = iter(
        [
            replace(
                effect,
                p=float(p_shares),
                p_distance=float(p_distance),
                confidence=1 - ALPHA / intervals,
                alpha=ALPHA / max(undecided * effect.overall.df, intervals),
            )
            for effect, p_shares, p_distance in zip(effects, p[: len(effects)], p[len(effects) :], strict=True)
        ]
    )
    return [[next(judged) for _ in table] for table in found]


def games_to_find(effects: Sequence[MainEffect], games: int, size: float = SMALL_EFFECT) -> int | None:
    """Return with how many games per setting an effect on a level would be found clear in 8 of 10 cases, or more.

    The spread is that of the least precise effect, for the level whose effects are least precise. To it is added that
    of a change of this size in one direction, which an effect that hardly changes a game does not have.

    Parameters
    ----------
    effects
        The effects that may have this size, with one number of players.
    games
        Games per setting so far.
    size
        Effect on a level's win share, in percentage points.

    Returns
    -------
    int or None
        To two significant digits; None if no spread is known.
    """
    known = [effect for effect in effects if is_enough(effect.change)]
    if not known:
        return None
    variances = np.array([np.diag(_covariance(effect.change)) for effect in known])
    levels = variances.mean(axis=0)  # over all effects: the largest of all variances would mostly be an unlucky one
    least_precise = levels.max() / levels.mean() * variances.mean(axis=1)
    one_game = [100 * float((effect.change.least * effect.change.held).max()) for effect in known]
    one_way = [max(0.0, size * (most - size)) for most in one_game]
    spread = math.sqrt(float((games * least_precise + one_way).max()))
    return two_figures(games_for(size, spread, alpha=known[0].alpha))


def distance(difference: Floats, covariance: Floats, blocks: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return the root mean square of some differences with its interval, in their unit.

    With a single block, or if a difference is nan, there is no interval. Differences without noise are not corrected.

    Parameters
    ----------
    difference : float64[k]
    covariance : float64[k, k]
        Covariance of the differences.
    blocks
        Number of blocks behind them.
    n
        Number of rows behind them.
    """
    size, squared = len(difference), float(difference @ difference)
    noise = float(np.trace(covariance))
    if blocks < 2 or not math.isfinite(noise) or not math.isfinite(squared):
        value = math.sqrt(squared / size)
        return Estimate(value, math.nan, math.nan, n, math.nan)
    value = math.sqrt(max(0.0, squared - noise) / size)
    along = float(difference @ covariance @ difference) / squared if squared > 0 else noise / size
    if along <= 1e-12 * max(squared, 1e-12):
        return Estimate(value, value, value, n, float(n))
    tail = (1 - confidence) / 2
    normal = -float(ndtri(tail))
    wider = (float(stdtrit(blocks - 1, 1 - tail)) / normal) ** 2  # few blocks: Student's t instead of normal
    scale, df = along * wider, noise / along
    if squared > CLEAR * scale:
        reach = normal * math.sqrt(scale / size)
        return Estimate(value, value - reach, value + reach, n, float(n))
    low, high = _noncentrality(squared / scale, df, 1 - tail), _noncentrality(max(squared / scale, df), df, tail)
    root = math.sqrt(scale / size)
    return Estimate(value, root * math.sqrt(low), max(value, root * math.sqrt(high)), n, float(n))


def direction(difference: Floats) -> Floats:
    """Return the gradient of the root mean square with respect to the differences, float64[k]; 0 at 0."""
    length = float(np.linalg.norm(difference))
    return difference / (length * math.sqrt(len(difference))) if length > 0 else np.zeros(len(difference))


def _noncentrality(found: float, df: float, probability: float) -> float:
    """Return the noncentrality for which a value is the quantile at this probability; 0 if there is none above 0."""

    def over(shift: float) -> float:
        return float(chndtr(found, df, shift)) - probability

    if over(0.0) <= 0:
        return 0.0
    upper = found + df + 10.0
    while over(upper) > 0:
        upper *= 2
    return float(brentq(over, 0.0, upper, rtol=1e-6))
