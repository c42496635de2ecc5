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
from functools import cached_property
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import chndtr, ndtri, stdtr, stdtrit

from rogsim.results.results import Results
from rogsim.scenario.axes import Axis, value_words
from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import FEWEST_BLOCKS, Means, difference_of, holm, scaled
from rogsim.stats.estimates import ALPHA, CONFIDENCE, Estimate
from rogsim.stats.paired.common_random_numbers import (
    Estimand,
    Estimates,
    covariance,
    held,
    interval,
    measure,
    on_same_deals,
)
from rogsim.stats.paired.differences import outward, sizes_of
from rogsim.stats.prospects import games_for, two_figures

CONFOUNDED = 1e-8  # error of pinv(X) X from which on an effect counts as confounded with others
ROUNDING = 1e-9  # a sum this much smaller than its terms is 0

CLEAR = 1e4  # squared standard errors: from here on the distribution is nearly normal
SMALL_EFFECT = 1.0  # percentage points: an effect on a win share that is worth detecting

Setting = Mapping[str, Any]


@dataclass(frozen=True)
class EffectFamily:
    """All effects of a sweep, which are judged together.

    Attributes
    ----------
    undecided
        Number of hypotheses that were tested and not rejected, of both questions and all numbers of players.
    intervals
        Number of intervals that hold together: for each effect one for each level.
    """

    undecided: int = 1
    intervals: int = 1

    @property
    def confidence(self) -> float:
        """Return the confidence of a single interval with which all hold together in 95% of sweeps."""
        return 1 - ALPHA / max(1, self.intervals)

    def level(self, levels: int) -> float:
        """Return the level at which a further effect is found clear; levels: how many are judged separately."""
        return ALPHA / max(self.undecided * levels, self.intervals, 1)


BY_ITSELF = EffectFamily()  # of a single effect


@dataclass(frozen=True)
class Response:
    """The responses at one design point, or a combination of those at several, with one player count.

    The shares are those of the levels of one factor: the seats, or something that is dealt to them.

    Attributes
    ----------
    value : float64[levels + 1]
        The levels' win shares in percent, and their distance from fair in percentage points (root mean square, not
        corrected for noise).
    influence : float64[blocks, levels + 1]
        Influence values.
    games
        Number of games behind the responses.
    unit
        The largest part of a win by which a single game can move an effect; 0 at a design point.
    levels
        Names of the levels; by default the seats.
    fair
        The fair win share in percent; by default that of as many seats.
    held : float64[levels]
        Number of blocks with each level; by default all.
    """

    value: Floats
    influence: Floats
    games: int
    unit: float = 0.0
    levels: tuple[str, ...] = ()
    fair: float = math.nan
    held: Floats = field(default_factory=lambda: np.array(np.inf))

    def __post_init__(self) -> None:
        """Fill in what is not given."""
        size = len(self.value) - 1
        object.__setattr__(self, "levels", self.levels or tuple(str(seat) for seat in range(1, size + 1)))
        object.__setattr__(self, "fair", 100 / size if math.isnan(self.fair) else self.fair)
        object.__setattr__(self, "held", np.minimum(self.held, float(self.blocks)) + np.zeros(size))

    @property
    def size(self) -> int:
        """Return the number of levels."""
        return len(self.levels)

    @property
    def blocks(self) -> int:
        """Return the number of blocks behind the responses."""
        return len(self.influence)

    @property
    def _more(self) -> Floats:
        """Return how much more a win counts for a level that is not in every block, float64[levels]."""
        return self.blocks / np.maximum(self.held, 1.0)

    def covariance(self) -> Floats:
        """Return the covariance of the levels' shares, float64[levels, levels], in squared percentage points.

        That of an effect includes one more block, in which a win moves between two levels.
        """
        shares = self.influence[:, : self.size]
        others = max(self.size - 1, 1)
        moved = (self.size * np.eye(self.size) - 1) / others  # 1 for each level, and none wins without another
        one_more = (100 * self.unit / self.blocks) ** 2 * np.outer(self._more, self._more) * moved
        return np.asarray(covariance(shares, shares) + one_more)

    def share(self, level: int) -> Estimate:
        """Return a level's win share at a design point, in percent, with Wilson's interval; levels count from 1."""
        return scaled(self._shares(0.01).share(level - 1), 100.0)

    def gain(self, level: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return an effect on a level's win share, in percentage points; levels count from 1."""
        return self._estimate(level - 1, confidence)

    def clearest(self) -> int:
        """Return the first level whose share an effect moves by most standard errors; levels count from 1."""
        errors = [self.error(place) for place in range(self.size)]
        with np.errstate(divide="ignore", invalid="ignore"):
            moved = np.nan_to_num(np.abs(self.value[: self.size]) / errors)
        return int((moved >= moved.max() * (1 - ROUNDING)).argmax()) + 1

    @property
    def free_levels(self) -> int:
        """Return how many levels are judged separately: of two seats, one determines the other."""
        two_seats = self.size == 2 and self.fair == 50 and bool((self.held == self.blocks).all())
        return 1 if two_seats else self.size

    def plain_distance(self) -> Estimate:
        """Return the distance of the shares from fair, or an effect on it, not corrected for noise."""
        return self._estimate(self.size)

    def distance(self) -> Estimate:
        """Return the distance of the shares from fair, corrected for noise, in percentage points."""
        return self._distance

    @cached_property
    def _distance(self) -> Estimate:
        return distance(self.value[: self.size] - self.fair, self.covariance(), self._fewest, self.games)

    def move(self) -> Estimate:
        """Return the root mean square of an effect on the levels' win shares, corrected for noise, in pp."""
        return distance(self.value[: self.size], self.covariance(), self._fewest, self.games)

    def p_shares(self) -> float:
        """Return the p-value of no level's share being moved: that of the clearest one times the number of levels.

        nan if no share ever varied or with too few blocks.
        """
        return float(np.minimum(1.0, self.free_levels * self._p(self.clearest() - 1)))

    def p_distance(self) -> float:
        """Return the two-sided p of no change of the distance; nan if it never varied or with too few blocks."""
        return self._p(self.size)

    @property
    def is_enough(self) -> bool:
        """Return whether there are enough blocks for tests."""
        return self._fewest >= FEWEST_BLOCKS + 2 * (self.size - 1)

    @property
    def is_nothing(self) -> bool:
        """Return whether no response differs in any game."""
        return not self.value.any() and not self.influence.any()

    @property
    def _fewest(self) -> int:
        """Return the number of blocks with the rarest level."""
        return int(self.held.min(initial=self.blocks))

    def _blocks(self, place: int) -> int:
        return int(self.held[place]) if place < self.size else self.blocks

    def _shares(self, scale: float = 1.0) -> Means:
        rows = self.games * self.held / max(self.blocks, 1)
        return Means(scale * self.value[: self.size], scale**2 * self.covariance(), rows, self.held)

    def _p(self, place: int) -> float:
        error = self.error(place)
        varied = bool(self.value[place]) or bool(self.influence[:, place].any())
        if not varied or not error > 0 or not self.is_enough:
            return math.nan
        return 2 * float(stdtr(self._blocks(place) - 1, -abs(float(self.value[place])) / error))

    def error(self, place: int) -> float:
        """Return the standard error of the response at this place of `value`; nan with a single block."""
        if self.blocks < 2:
            return math.nan
        influence = self.influence[:, place : place + 1]
        least = self.unit * self._sizes[place] / self.blocks
        return math.sqrt(float(covariance(influence, influence)[0, 0]) + least**2)

    @property
    def _sizes(self) -> list[float]:
        """Return how far one win in every game would move each response."""
        return [*(100.0 * self._more), 100 * float(self._more.mean()) * math.sqrt(2 / self.size)]

    def _estimate(self, place: int, confidence: float = CONFIDENCE) -> Estimate:
        blocks = self._blocks(place)
        found = interval(float(self.value[place]), self.error(place), blocks, self.games, confidence)
        least = self.unit * self._sizes[place]
        if not least > 0 or blocks < 2:
            return found
        size = float(sizes_of(self.influence[:, place] + self.value[place], least))
        return outward(found, size, self.blocks, float(stdtrit(blocks - 1, 0.5 + confidence / 2)))


@dataclass(frozen=True)
class Effect:
    """The main effect of one parameter: of one step of a number, or of one value against the scenario's own value.

    Attributes
    ----------
    value
        The value in words, for an axis that is not a number; "" for a step.
    change
        Effect on all responses.
    p_seats, p_fair
        p-values of no change in any seat's share, and in the distance from fair, by Holm's method over both questions
        about all effects of a sweep; nan before `judged_together` and where there is no test.
    family
        All effects that these p-values allow for.
    """

    axis: Axis
    value: str
    change: Response
    p_seats: float = math.nan
    p_fair: float = math.nan
    family: EffectFamily = BY_ITSELF

    @property
    def gain(self) -> Estimate:
        """Return the effect on the seat for which it is clearest; such intervals hold together for all effects."""
        return self.change.gain(self.change.clearest(), self.family.confidence)

    @property
    def moves_shares(self) -> bool:
        """Return whether the effect clearly moves a seat's win share."""
        return self.p_seats < ALPHA and not self.gain.low <= 0 <= self.gain.high

    @property
    def moves_distance(self) -> bool:
        """Return whether the effect clearly moves the distance from fair."""
        return self.p_fair < ALPHA


def respond(results: Sequence[Results], players: int, factor: str = "seat") -> list[Response]:
    """Return the responses at several design points, on the deals that all of them played.

    Parameters
    ----------
    players
        The number of players.
    factor
        The column of seats whose levels are compared; levels that do not occur everywhere are left out.
    """
    asked = (Estimand("win_share", factor), Estimand("turns"))
    measured = [measure(run, players, asked) for run in results]
    runs, games = (on_same_deals(each) for each in zip(*measured, strict=True))
    kept = [level for level in runs[0].levels if all(_occurs(shares, level) for shares in runs)]
    return [
        response_of(shares.picked([shares.levels.index(level) for level in kept]), players, int(each.n[0]))
        for shares, each in zip(runs, games, strict=True)
    ]


def _occurs(shares: Estimates, level: str) -> bool:
    return level in shares.levels and not math.isnan(shares.value[shares.levels.index(level)])


def difference(base: Response, other: Response) -> Response:
    """Return the responses of `other` minus those of `base`, on the same deals."""
    return combine([base, other], np.array([-1.0, 1.0]))


def distance_change(base: Response, other: Response) -> Estimate:
    """Return the distance from fair of `other` minus that of `base`, in percentage points, corrected for noise.

    Each end of the interval is computed from the ends of the two distances' intervals that determine it (MOVER, as in
    `Means.difference`), with the correlation of the two distances, which is due to the same deals.
    """
    before, after = base.distance(), other.distance()
    if difference(base, other).is_nothing:
        return Estimate(0.0, 0.0, 0.0, after.n, after.effective)
    return _minus(after, before, _toward(other), _toward(base))


def _toward(response: Response) -> Floats:
    """Return the influence values of the distance from fair, float64[blocks]."""
    return response.influence[:, response.size]


def _minus(first: Estimate, second: Estimate, influence: Floats, other: Floats) -> Estimate:
    """Return the difference of two estimates, by their intervals and the correlation of their influence values."""
    spread = math.sqrt(float(influence @ influence) * float(other @ other))
    return difference_of(first, second, float(influence @ other) / spread if spread > 0 else 0.0)


def combine(responses: Sequence[Response], weights: Floats) -> Response:
    """Return a weighted sum of responses. weights: float64[responses]; those of weight 0 are ignored."""
    used = [(response, float(weight)) for response, weight in zip(responses, weights, strict=True) if weight]
    value, influence = np.zeros_like(responses[0].value), np.zeros_like(responses[0].influence)
    for response, weight in used:
        value += weight * response.value
        influence += weight * response.influence
    size = sum(abs(weight) * np.abs(response.value) for response, weight in used)
    reach = sum(abs(weight) * np.abs(response.influence).max(axis=0, initial=0.0) for response, weight in used)
    value[np.abs(value) < ROUNDING * size] = 0.0
    influence[np.abs(influence) < ROUNDING * reach] = 0.0
    up, down = (sum(max(sign * weight, 0.0) for _, weight in used) for sign in (1, -1))
    games, held = sum(response.games for response, _ in used), np.min([response.held for response, _ in used], axis=0)
    return replace(responses[0], value=value, influence=influence, games=games, unit=max(up, down), held=held)


def effects(axes: Sequence[Axis], settings: Sequence[Setting], responses: Sequence[Response]) -> list[Effect]:
    """Return the main effect of each axis, in descending order of its effect on win shares.

    Effects that the design confounds with others are left out.

    Parameters
    ----------
    settings
        How each design point differs from the scenario, by name of the axis.
    responses
        Responses in the same order.
    """
    found: list[Effect] = []
    for axis, value, weights in contrasts(axes, settings):
        scale = np.abs(weights).max()
        kept = np.where(np.abs(weights) > 1e-9 * scale, weights, 0.0)
        found.append(Effect(axis, value, combine(responses, kept)))
    return sorted(found, key=_rank)


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


def _rank(effect: Effect) -> tuple[bool, float, float]:
    p = effect.change.p_shares()
    return (effect.change.is_nothing, -effect.change.move().value, 1.0 if math.isnan(p) else p)


def response_of(shares: Estimates, players: int, games: int) -> Response:
    """Return the responses at one design point from the win shares by level in so many games."""
    fair = 1 / players
    off = 100 * (shares.value - fair)
    toward = 100 * direction(off)
    value = np.array([*(100 * shares.value), np.sqrt(np.mean(off**2))])
    influence = np.column_stack([100 * shares.influence, shares.influence @ toward])
    blocks = held(shares).astype(np.float64)
    return Response(value, influence, games, levels=shares.levels, fair=100 * fair, held=blocks)


def judged_together(tables: Iterable[Sequence[Effect]]) -> list[list[Effect]]:
    """Return the effects of a sweep with p-values that are adjusted for all of them.

    Parameters
    ----------
    tables
        The effects with each number of players.
    """
    found = [list(effects) for effects in tables]
    effects = [effect for table in found for effect in table]
    p_values = holm(
        [effect.change.p_shares() for effect in effects] + [effect.change.p_distance() for effect in effects]
    )
    shares, fair = p_values[: len(effects)], p_values[len(effects) :]
    changing = [effect.change for effect in effects if not effect.change.is_nothing]
    family = EffectFamily(int((p_values >= ALPHA).sum()), sum(change.free_levels for change in changing))
    judged = iter(
        [
            replace(effect, p_seats=float(p_seats), p_fair=float(p_fair), family=family)
            for effect, p_seats, p_fair in zip(effects, shares, fair, strict=True)
        ]
    )
    return [[next(judged) for _ in table] for table in found]


def games_to_find(effects: Sequence[Effect], games: int, size: float = SMALL_EFFECT) -> int | None:
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
    known = [effect for effect in effects if effect.change.is_enough]
    if not known:
        return None
    variances = np.array([np.diag(effect.change.covariance()) for effect in known])
    levels = variances.mean(axis=0)  # over all effects: the largest of all variances would mostly be an unlucky one
    least_precise = levels.max() / levels.mean() * variances.mean(axis=1)
    one_way = [max(0.0, size * (100 * effect.change.unit - size)) for effect in known]
    spread = math.sqrt(float((games * least_precise + one_way).max()))
    return two_figures(games_for(size, spread, alpha=known[0].family.level(known[0].change.free_levels)))


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
