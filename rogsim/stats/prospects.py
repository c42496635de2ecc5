"""Prospects: the chance that more games decide a question that is undecided.

The estimates so far say which true effects are plausible. Such effects are drawn, and for each of them the estimates
after more games; the rule of the page (`judgement`) then judges these estimates. How often it decides is the chance
that is stated.

Effects that look large are often smaller, so plausible effects are shrunk. There are two kinds of them, with the same
prior weight: effects of all levels, normal around 0, and one level that differs from all others. Their scale is
unknown: its prior is uniform on a logarithmic scale from a fifth of the margin to the margin, and falls off above.
Smaller and larger effects are decided sooner, so this is cautious. Kind and scale are picked on a grid by their
posterior weights.

Where only one effect matters, the usual formulas for a normal estimate do (`games_for`, `games_for_fair`; Chow, Shao,
Wang and Lokhnygina 2017, "Sample Size Calculations in Clinical Research", 3.1). There `spread` is the standard
deviation of an effect for one game: its standard error times the square root of the number of games, in the effect's
unit.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import ALONE, FEWEST_BLOCKS, holm
from rogsim.stats.effects import SEED, Effects
from rogsim.stats.estimates import ALPHA
from rogsim.stats.sequential import weight
from rogsim.stats.special_functions import chdtrc, ndtr, ndtri

POWER = 0.8
CHANCE = 0.95  # with which the named games decide: the present games cannot tell apart effects that need 80% or 95%
LIKELY = 0.8  # share of the decided draws: below, the games so far hardly tell which answer it would be
DRAWS = 500
GROWTHS = 1.1 ** np.arange(1, 121)  # times as many games as there are, up to 90,000
SMALLEST, LARGEST = 0.2, 4.0  # margins, or for the latter standard errors: the range of the scale of the effects
SCALES = 12  # steps of its grid

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Prospect:
    """What more games would show.

    Attributes
    ----------
    games
        Number of further games.
    ends
        The chances, 0 to 1, of either answer: within the margin first.
    """

    games: int
    ends: tuple[float, float]

    @property
    def chance(self) -> float:
        """Return the chance that the question is decided, 0 to 1."""
        return sum(self.ends)

    def words(self, first: str, second: str) -> str:
        """Return the chance, never as 100%, and which of the two answers it would be if that is fairly sure."""
        end, name = max(zip(self.ends, (first, second), strict=True))
        likely = f", most likely: {name}" if end >= LIKELY * self.chance else ""
        return f"with a chance of {percent(self.chance)}{likely}"


class Outlook:
    """Plausible true effects of a question, and what more games might show of them.

    Attributes
    ----------
    errors : float64[k]
        Standard errors of the effects so far.
    """

    def __init__(self, value: Floats, covariance: Floats, margin: float, free: int = 0, seed: int = 0) -> None:
        """Draw plausible effects.

        Parameters
        ----------
        value : float64[k]
            The estimates.
        covariance : float64[k, k]
            Their covariance, which is not 0 everywhere.
        margin
            Margin of equivalence, in the unit of the effects.
        free
            How many of the effects can vary freely if that is known: the others are determined by them.
        seed
            Questions of one page have different seeds, because their draws are independent.
        """
        self.errors = np.sqrt(np.diag(covariance))
        sizes, axes = np.linalg.eigh(covariance)
        kept = sizes > ALONE * sizes[-1]
        kept[: len(sizes) - (free or len(sizes))] = False  # the largest come last
        self._sizes, self._axes, self._value = sizes[kept], axes[:, kept], value
        generator = np.random.default_rng([SEED, seed])
        self._truth = self._plausible(margin, generator)
        self._noise = self._along(generator) * np.sqrt(self._sizes) @ self._axes.T

    def after(self, growth: float) -> Floats:
        """Return estimates from all games if there are `growth` times as many, float64[draws, k]."""
        new = self._truth + self._noise / math.sqrt(growth - 1)
        return np.asarray((self._value + (growth - 1) * new) / growth)

    def within(self, growth: float, margin: float, alpha: float) -> Bools:
        """Return whether one-sided tests then show all effects to be within the margin, bool[draws]."""
        reach = -float(ndtri(alpha)) * self.errors / math.sqrt(growth)
        return np.asarray((np.abs(self.after(growth)) + reach).max(axis=1) < margin)

    def p_within(self, growth: float, margin: float) -> Floats:
        """Return the p-value that the claim of all effects being within the margin then has, float64[draws]."""
        far = (np.abs(self.after(growth)) - margin) / (self.errors / math.sqrt(growth))
        return np.asarray(ndtr(far.max(axis=1)))

    def beyond(self, growth: float, margin: float, alpha: float) -> Bools:
        """Return whether a one-sided test then shows any effect to be beyond the margin, bool[draws]."""
        reach = -float(ndtri(alpha)) * self.errors / math.sqrt(growth)
        return np.asarray((np.abs(self.after(growth)) - reach).max(axis=1) > margin)

    def p(self, growth: float) -> Floats:
        """Return the p-value that the test of all effects then has, float64[draws]."""
        squares = (self.after(growth) @ (self._axes / np.sqrt(self._sizes / growth))) ** 2
        return np.asarray(chdtrc(len(self._sizes), squares.sum(axis=1)))

    def _along(self, generator: np.random.Generator) -> Floats:
        """Return standard normal draws along the axes; which axes those are makes no difference to their sums."""
        return np.asarray(generator.standard_normal((DRAWS, len(self.errors))) @ self._axes)

    def _plausible(self, margin: float, generator: np.random.Generator) -> Floats:
        sizes, axes = self._sizes, self._axes
        most = LARGEST * max(margin, float(self.errors.max()))
        scales = np.geomspace(SMALLEST * margin, most, SCALES)[:, None] ** 2
        prior = -np.log1p(scales / margin**2)
        z = axes.T @ self._value
        shrunk = scales / (scales + sizes)  # [scales, axes]
        all_levels = 0.5 * (np.log1p(-shrunk) + shrunk * z**2 / sizes).sum(axis=1)
        # One level apart: what it wins, the others lose.
        own = (axes**2).sum(axis=1)
        apart = axes / np.maximum(own, ALONE)[:, None]  # [k, axes]
        known, found = (apart**2 / sizes).sum(axis=1), apart @ (z / sizes)
        spread = scales / (1 + scales * known)  # [scales, k]
        one_level = 0.5 * (np.log(spread / scales) + spread * found**2)
        one_level = np.where(own > ALONE, one_level, -np.inf)
        weights = np.concatenate([prior[:, 0] + all_levels, (prior + one_level - math.log(len(own))).ravel()])
        picked = generator.permutation(_quantiles(weights))
        drawn = self._along(generator)
        single = picked >= SCALES
        kept = shrunk[np.where(single, 0, picked)]
        along = kept * z + np.sqrt(kept * sizes) * drawn
        scale, level = np.divmod(picked[single] - SCALES, len(own))
        variance = spread[scale, level]
        amount = variance * found[level] + np.sqrt(variance) * generator.standard_normal(len(level))
        along[single] = amount[:, None] * apart[level]
        return np.asarray(along @ axes.T)


def outlook(effects: Effects, margin: float, seed: int) -> Outlook | None:
    """Return the outlook of a question; None if no effect has an interval, or if all are known exactly.

    An effect without an interval counts as 0, and as uncertain as its few rows make it.

    Parameters
    ----------
    margin
        Margin of equivalence, in the unit of the effects.
    seed
        Place of the question on its page.
    """
    found = [contrast.effect90 for contrast in effects.contrasts]
    known = np.array([not math.isnan(each.low) for each in found])
    rows = np.array([max(each.n, 1) for each in found], dtype=np.float64)
    errors = np.array([each.half_width for each in found]) / -float(ndtri(ALPHA))
    if effects.games < FEWEST_BLOCKS or not known.any() or not errors[known].any():
        return None
    errors[~known] = (errors * np.sqrt(rows))[known].max() / np.sqrt(rows[~known])
    joint = np.eye(len(found))
    joint[np.ix_(known, known)] = effects.correlation
    value = np.where(known, [each.value for each in found], 0.0)
    free = effects.overall.df and min(effects.overall.df + int((~known).sum()), len(found))
    return Outlook(value, errors[:, None] * joint * errors, margin, free, seed)


def prospects(
    family: Sequence[Effects], margins: Sequence[float], is_open: Sequence[bool], p: Floats, p_within: Floats
) -> list[Prospect | None]:
    """Return what more games would show about the open questions of a page; None for the others.

    A question is decided if all effects are shown to be within the margin, or if its joint test rejects, each by Holm's
    method over the page and at the error rate of the next look. The games of one run grow together.

    Parameters
    ----------
    margins
        The margin of each question.
    is_open
        Whether each question is open.
    p : float64[tests]
        The p-values of the joint tests so far, adjusted for the looks: those of the questions, then those of others.
    p_within : float64[questions]
        Those of the claims that all effects are within the margin.
    """
    open_runs = {effects.run for effects, asked in zip(family, is_open, strict=True) if asked}
    outlooks = [
        outlook(effects, margin, place) if effects.run in open_runs else None
        for place, (effects, margin) in enumerate(zip(family, margins, strict=True))
    ]

    @cache
    def then(run: str, growth: float) -> tuple[Bools, Bools]:
        """Return which claims all questions then make: within the margin, and different from 0."""
        shown, differs = (np.repeat(values[:, None], DRAWS, axis=1) for values in (p_within, p))
        for place, (effects, found) in enumerate(zip(family, outlooks, strict=True)):
            if effects.run == run and found:
                share = weight(effects.look + 1)
                enough = _scarcest(effects) * growth >= FEWEST_BLOCKS
                p_fair = found.p_within(growth, margins[place]) if enough else np.full(DRAWS, np.nan)
                shown[place] = np.minimum(p_fair / share, 1.0)
                differs[place] = np.minimum(found.p(growth) / share, 1.0)
        return np.asarray(holm(shown) < ALPHA), np.asarray(holm(differs) < ALPHA)

    def judged(place: int) -> Prospect | None:
        def decided(growth: float) -> tuple[Bools, Bools]:
            shown, differs = then(family[place].run, growth)
            return shown[place], differs[place]

        return prospect(family[place].games, decided)

    return [
        judged(place) if found and asked else None
        for place, (found, asked) in enumerate(zip(outlooks, is_open, strict=True))
    ]


def _scarcest(effects: Effects) -> float:
    """Return the smallest number of blocks, or of rows of an effect without an interval."""
    rare = (contrast.effect90.n for contrast in effects.contrasts if math.isnan(contrast.effect90.low))
    return min(rare, default=effects.blocks)


def prospect(
    games: int, decided: Callable[[float], tuple[Bools, Bools]], chance: float = CHANCE, most: float = math.inf
) -> Prospect | None:
    """Return the smallest number of further games that decide a question with a given chance.

    Parameters
    ----------
    games
        Number of games so far.
    decided
        Function of how many times as many games there are: whether the first answer is given, and whether another one,
        bool[draws] each.
    chance
        The chance, 0 to 1.
    most
        How many times as many games are considered at most.

    Returns
    -------
    Prospect or None
        None if so many games do not decide it with this chance.
    """

    def after(more: int) -> Prospect:
        first, second = decided(1 + more / games)
        return Prospect(more, (float(first.mean()), float((second & ~first).mean())))

    tried = sorted({two_figures(games * (growth - 1)) for growth in GROWTHS.tolist() if growth <= most})
    place = bisect_left(tried, chance, key=lambda more: after(more).chance)
    return after(tried[place]) if place < len(tried) else None


def percent(chance: float) -> str:
    """Return a chance in whole per cent, rounded down and never as 100%."""
    return f"{min(int(100 * chance), 99)}%"


def _quantiles(log_weights: Floats) -> NDArray[np.int64]:
    """Return DRAWS places, each as often as its weight says."""
    weights = np.exp(log_weights - log_weights.max())
    return np.searchsorted(weights.cumsum() / weights.sum(), (np.arange(DRAWS) + 0.5) / DRAWS).astype(np.int64)


def games_for(effect: float, spread: float, power: float = POWER, alpha: float = ALPHA) -> float:
    """Return the number of games with which a two-sided test detects an effect with the given power.

    Parameters
    ----------
    effect, spread
        Effect and its spread for one game, in the same unit.
    alpha
        Level of the test; divide it by the number of tests if there are several.
    """
    return float(((ndtri(power) - ndtri(alpha / 2)) * spread / effect) ** 2)


def games_for_fair(
    margin: float, spread: float, effect: float = 0.0, power: float = POWER, alpha: float = ALPHA
) -> float:
    """Return the number of games that show an effect to be within the margin, by two one-sided tests at `alpha`.

    The power is at least `power`; it is more if both ends of the margin matter.

    Parameters
    ----------
    margin, spread
        Margin and spread for one game, in the same unit.
    effect
        True value of the effect in that unit; if it is outside the margin, the number of games is infinite.
    """
    room = margin - abs(effect)
    if room <= 0:
        return math.inf
    quantile = ndtri((1 + power) / 2) if effect == 0 else ndtri(power)
    return float(((quantile - ndtri(alpha)) * spread / room) ** 2)


def two_figures(count: float) -> int:
    """Round up to two significant digits: more would be false precision."""
    whole = max(1, math.ceil(count - 1e-9))
    unit = 10 ** max(0, len(str(whole)) - 2)
    return -(-whole // unit) * unit
