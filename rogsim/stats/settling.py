"""Settling: does an effect stay where it is as the bots get stronger?

An effect is estimated on each rung of a ladder of strength, the weakest first. The verdict compares the last three
rungs:

- *settled*: the change over the last step and the change over the last two steps are both within the margin, and both
  are steps to a stronger bot (`rising_strength`). That a change is within the margin is shown by two one-sided tests
  (Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15). Both must pass, so their number needs no
  adjustment (an intersection-union test: Berger 1982, Technometrics 24).
- *still moving*: not settled, and a test that the last three effects are equal rejects (Hotelling's T-squared).
- *not known yet*: neither.

Why two steps: a slow drift may hide in one. Let every step change the effect in the same direction, by at most r times
the change of the step before. Then what is still to come is at most r^2 / (1 - r^2) times the change over the last two
steps, which is less than that change if r is at most 0.7. So a settled effect stays within the margin of its last
value, *if* the changes keep shrinking at least that fast. No finite ladder can show that they do: an effect that
drifts for ever by less than half the margin a step is settled by this definition.

The claims of a family share their error rates by Holm's method: the probability that any of them is called settled
although a change is not within the margin is at most 5%, and so is the probability that any is called moving although
it does not move. Both rates are divided equally among LOOKS planned looks, so they hold for all looks together, and a
verdict once found may stay, while its p-values, as its effects, are those of all games. An effect may move by less than
the margin; more games then show that it is settled.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import FEWEST_BLOCKS, holm
from rogsim.stats.estimates import ALPHA, Estimate, student
from rogsim.stats.paired.common_random_numbers import Estimates
from rogsim.stats.prospects import POWER, games_for, games_for_fair
from rogsim.stats.special_functions import fdtrc, stdtr

Word = Literal["settled", "still moving", "not known yet"]

LOOKS = 8  # planned looks; each has an equal share of the error rates
RUNGS = 3  # the last rungs, which the verdict compares
LEAST_GROWTH = 1.1  # where the games so far seem to be enough: advise a few more
CHANGES = np.array([[0.0, -1.0, 1.0], [-1.0, 0.0, 1.0]])  # the last step; the last two steps


@dataclass(frozen=True)
class EffectSeries:
    """One effect on each rung of a ladder, in percentage points.

    Attributes
    ----------
    name
        What the effect is of, such as a seat.
    values : float64[rungs]
        The weakest rung first; nan where the level did not occur.
    covariance : float64[rungs, rungs]
        Covariance of the values. Rungs on the same deals are correlated.
    blocks : float64[rungs]
        Blocks behind each value.
    """

    name: str
    values: Floats
    covariance: Floats
    blocks: Floats

    def estimate(self, rung: int) -> Estimate:
        """Return the effect on a rung with its 95% interval."""
        return _estimate(float(self.values[rung]), self.covariance[rung, rung], float(self.blocks[rung]))


@dataclass(frozen=True)
class SettlingTests:
    """Tests of one series or of many, before any adjustment; the leading dimensions are those of the series.

    Attributes
    ----------
    changes : float64[..., 2]
        The change over the last step, and over the last two steps, in pp.
    errors : float64[..., 2]
        Their standard errors.
    p_settled : float64[...]
        p-value of the claim that both changes are within the margin.
    p_moving : float64[...]
        p-value of equal effects on the last three rungs.
    """

    changes: Floats
    errors: Floats
    p_settled: Floats
    p_moving: Floats


@dataclass(frozen=True)
class Settling:
    """The verdict on one series.

    Attributes
    ----------
    within
        Whether both changes are shown to be within the margin, at this look or an earlier one. Then it is settled,
        unless one of the last two steps is not shown to be a step to a stronger bot.
    last_step, last_two
        The changes over the last step and over the last two steps, in pp, with 95% intervals.
    p_settled, p_moving
        p-values of all games, adjusted by Holm's method and for the looks.
    look
        The look at which the verdict was found, from 1.
    growth
        About how many times as many games would decide, if the effects are as estimated; nan if that is unknown or if
        it is decided.
    """

    series: EffectSeries
    verdict: Word
    within: bool
    last_step: Estimate
    last_two: Estimate
    p_settled: float
    p_moving: float
    look: int
    growth: float

    @property
    def is_decided(self) -> bool:
        """Return whether more games of the rungs are not expected to change the verdict."""
        return self.within or (self.verdict == "still moving" and math.isnan(self.growth))


def settle(
    family: Sequence[EffectSeries],
    margin: float,
    look: int = 1,
    earlier: Mapping[str, Settling] | None = None,
    rising: bool = True,
) -> tuple[Settling, ...]:
    """Return a verdict on each series of a family.

    Parameters
    ----------
    family
        Series with the same rungs, at least RUNGS of them.
    margin
        The largest change that does not matter, in pp.
    look
        The number of this look, from 1 to LOOKS.
    earlier
        The verdicts of the look before, by the name of the series. Settled stays settled, and moving stays until it is
        settled.
    rising
        Whether both of the last two steps are shown to be steps to a stronger bot.

    Raises
    ------
    ValueError
        If there are too few rungs, or if the look is not a planned one.
    """
    if not 1 <= look <= LOOKS:
        raise ValueError(f"look {look} is not planned: there are {LOOKS}")
    if any(len(series.values) < RUNGS for series in family):
        raise ValueError(f"a ladder needs at least {RUNGS} rungs")
    found = [_tests(series, margin) for series in family]
    settled = _adjusted([float(tests.p_settled) for tests in found])
    moving = _adjusted([float(tests.p_moving) for tests in found])
    alpha = ALPHA / LOOKS / max(1, len(family))
    made = []
    for series, tests, p_settled, p_moving in zip(family, found, settled, moving, strict=True):
        old = (earlier or {}).get(series.name)
        within = bool(p_settled < ALPHA) or (old is not None and old.within)
        moves = bool(p_moving < ALPHA) or (old is not None and old.verdict == "still moving")
        verdict: Word = "not known yet"
        if within and rising:
            verdict = "settled"
        elif moves and not within:
            verdict = "still moving"
        kept = old.look if old is not None and old.verdict == verdict != "not known yet" else look
        growth = math.nan if within else _growth(tests, verdict, margin, alpha)
        p_values = float(p_settled), float(p_moving)
        made.append(Settling(series, verdict, within, *_changes(series, tests), *p_values, kept, growth))
    return tuple(made)


def stored_settling(
    series: EffectSeries, verdict: Word, within: bool, p_settled: float, p_moving: float, look: int, growth: float
) -> Settling:
    """Return a verdict that was found before, with its changes from the effects; the parameters are its attributes."""
    tests = _tests(series, math.inf)
    return Settling(series, verdict, within, *_changes(series, tests), p_settled, p_moving, look, growth)


def settling_tests(
    values: Floats, covariance: Floats, blocks: NDArray[np.float64] | float, margin: float
) -> SettlingTests:
    """Test the last three effects of one series or of many at once.

    Parameters
    ----------
    values : float64[..., 3]
    covariance : float64[..., 3, 3]
    blocks
        Number of blocks behind the scarcest value, of all series or float64[...].
    margin
        The largest change that does not matter, in pp.
    """
    changes = values @ CHANGES.T
    spread = CHANGES @ covariance @ CHANGES.T
    with np.errstate(invalid="ignore"):  # what was read from a file need not be a covariance
        errors = np.sqrt(np.diagonal(spread, axis1=-2, axis2=-1))
    blocks = np.asarray(blocks, dtype=np.float64)
    enough = (blocks >= FEWEST_BLOCKS) & (errors > 0).all(axis=-1)
    freedom = np.maximum(blocks - 1, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        one_sided = stdtr(freedom[..., None], (np.abs(changes) - margin) / errors)
        first, second, both = spread[..., 0, 0], spread[..., 1, 1], spread[..., 0, 1]
        a, b = changes[..., 0], changes[..., 1]
        squares = (a**2 * second - 2 * a * b * both + b**2 * first) / (first * second - both**2)
        scaled = squares * (blocks - 2) / (2 * freedom)
        p_moving = fdtrc(2, np.maximum(blocks - 2, 1.0), scaled)
    p_settled = one_sided.max(axis=-1)
    return SettlingTests(changes, errors, np.where(enough, p_settled, np.nan), np.where(enough, p_moving, np.nan))


def _tests(series: EffectSeries, margin: float) -> SettlingTests:
    top = slice(-RUNGS, None)
    return settling_tests(series.values[top], series.covariance[top, top], float(series.blocks[top].min()), margin)


def _adjusted(p: Sequence[float]) -> Floats:
    """Return p-values adjusted by Holm's method and for the looks, to be compared with ALPHA."""
    return np.minimum(holm(p) * LOOKS, 1.0)


def _changes(series: EffectSeries, tests: SettlingTests) -> tuple[Estimate, Estimate]:
    """Return the changes over the last step and over the last two steps."""
    blocks = float(series.blocks[-RUNGS:].min())
    last, both = (_estimate(float(tests.changes[i]), float(tests.errors[i]) ** 2, blocks) for i in range(2))
    return last, both


def _growth(tests: SettlingTests, verdict: Word, margin: float, alpha: float) -> float:
    """Return by what factor the games must grow until a verdict is likely, each test with POWER; nan if unknown."""
    pairs = [(float(change), float(error)) for change, error in zip(tests.changes, tests.errors, strict=True)]
    if math.isnan(tests.p_settled):
        return math.nan
    growth = max(games_for_fair(margin, error, change, POWER, alpha) for change, error in pairs)
    if verdict == "not known yet":
        growth = min([growth, *(games_for(change, error, POWER, alpha) for change, error in pairs if change)])
    return max(growth, LEAST_GROWTH) if math.isfinite(growth) else math.nan


def _estimate(value: float, variance: float, blocks: float) -> Estimate:
    """Return an estimate with Student's 95% interval; no interval from fewer than FEWEST_BLOCKS blocks."""
    if not blocks >= FEWEST_BLOCKS or not variance >= 0:
        return Estimate(value, math.nan, math.nan, 0, blocks)
    reach = student(blocks) * math.sqrt(variance)
    return Estimate(value, value - reach, value + reach, int(blocks), blocks)


def series_of(rungs: Sequence[Estimates]) -> tuple[EffectSeries, ...]:
    """Return one series for each level: win share minus fair share, in pp.

    The rungs play the same deals, but not all of them equally many. Only the deals that two rungs have in common make
    their estimates correlated.

    Parameters
    ----------
    rungs
        Estimates of the same estimand, the weakest rung first.
    """
    names = dict.fromkeys(name for run in rungs for name in run.levels)
    spreads = _covariances(rungs, list(names))
    made = []
    for place, name in enumerate(names):
        values = np.array([_of(run, name, run.value - run.fair) for run in rungs])
        blocks = np.array([_of(run, name, run.held.astype(np.float64), 0.0) for run in rungs])
        made.append(EffectSeries(name, 100 * values, 100**2 * spreads[place], blocks))
    return tuple(made)


def _of(run: Estimates, name: str, values: Floats, missing: float = np.nan) -> float:
    return float(values[run.levels.index(name)]) if name in run.levels else missing


def _covariances(rungs: Sequence[Estimates], names: Sequence[str]) -> Floats:
    """Return the covariance of the rungs' shares for each level, float64[levels, rungs, rungs]."""
    found = np.full((len(names), len(rungs), len(rungs)), np.nan)
    influence = [_columns(run, names) for run in rungs]
    for i, first in enumerate(rungs):
        for j, second in enumerate(rungs[: i + 1]):
            _, a, b = np.intersect1d(first.deals, second.deals, assume_unique=True, return_indices=True)
            together = np.einsum("bk,bk->k", influence[i][a], influence[j][b])
            most = max(len(first.deals), len(second.deals))
            if most > 1:
                scale = len(first.deals) * len(second.deals) * (most - 1) / most
                found[:, i, j] = found[:, j, i] = together / scale
    return found


def _columns(run: Estimates, names: Sequence[str]) -> Floats:
    """Return the influence values of some levels, float64[blocks, levels]; nan for levels that did not occur."""
    columns = [
        run.influence[:, run.levels.index(name)] if name in run.levels else np.full(len(run.deals), np.nan)
        for name in names
    ]
    return np.stack(columns, axis=1)
