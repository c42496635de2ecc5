"""Main effects of several varied parameters, from many cells on the same deals.

All cells play the same deals, so for each block the response of every cell is known. Whatever is linear in the
responses (a difference to one cell, a slope by least squares) can be formed block by block, and its mean over blocks
has a standard error with all the the same deals in it. Least squares are linear: coefficients are pinv(X) times the
responses (the pulls of cells are put together with the same weights).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np
from scipy.special import stdtr

from rogsim.results.results import Results
from rogsim.scenario.axes import Axis, value_words
from rogsim.stats.blocks import Floats, Ints
from rogsim.stats.contrasts import FEWEST_BLOCKS, JointTest, Means, benjamini_hochberg, joined, scaled, wald
from rogsim.stats.estimates import Estimate
from rogsim.stats.paired.common_random_numbers import Estimand, Estimates, covariance, interval, measure, narrowed
from rogsim.stats.paired.distance import direction, distance

ESTIMANDS = (Estimand("win_share", "seat"), Estimand("points", "seat"), Estimand("turns"))
MORE = ("distance", "points", "turns")  # responses beside the seats' shares
TOLD_APART = 1e-8  # of a design: how far least squares may be off before an axis counts as mixed up with others
ROUNDING = 1e-9  # what is that much smaller than what it is made of is nothing

Setting = Mapping[str, Any]


@dataclass(frozen=True)
class Response:
    """The responses of one cell, or of a combination of cells, with one player count.

    value: float64[players + 3]: the seats' win shares in per cent, the distance from fair in percentage points (root
    mean square, with what noise adds), points of a seat, turns. pulls: float64[m, players + 3], by block. games: behind
    it.
    """

    value: Floats
    influence: Floats
    games: int

    @property
    def players(self) -> int:
        """Return the number of players."""
        return len(self.value) - len(MORE)

    @property
    def blocks(self) -> int:
        """Return how many blocks are behind it."""
        return len(self.influence)

    def covariance(self) -> Floats:
        """Return the covariance of the seats' shares, float64[players, players]."""
        shares = self.influence[:, : self.players]
        return covariance(shares, shares)

    def share(self, seat: int) -> Estimate:
        """Return a seat's win share in a cell, in per cent, with Wilson's interval; seats count from 1."""
        return scaled(self._shares(0.01).share(seat - 1), 100.0)

    def gain(self, seat: int) -> Estimate:
        """Return what an effect is on a seat's win share, in percentage points."""
        return self._estimate(seat - 1)

    def error(self, seat: int) -> float:
        """Return the standard error of a seat's share, in percentage points."""
        return self._error(seat - 1)

    def more(self, name: str) -> Estimate:
        """Return one of `MORE`."""
        return self._estimate(self.players + MORE.index(name))

    def distance(self) -> Estimate:
        """Return how far the shares are from fair, corrected for noise, in percentage points."""
        return self._distance

    @cached_property
    def _distance(self) -> Estimate:
        return distance(self.value[: self.players] - 100 / self.players, self.covariance(), self.blocks, self.games)

    def move(self) -> Estimate:
        """Return how far an effect moves shares: the root mean square over the seats, corrected for noise."""
        return distance(self.value[: self.players], self.covariance(), self.blocks, self.games)

    def joint(self) -> JointTest:
        """Test that an effect moves no seat's share."""
        return wald(self._shares(), self.blocks)

    def p(self, name: str) -> float:
        """Return the two-sided p of one of `MORE` being 0; nan if nothing moved at all, or if there are few blocks."""
        place = self.players + MORE.index(name)
        error = self._error(place)
        if not error > 0 or not self.is_enough:
            return math.nan
        return 2 * float(stdtr(self.blocks - 1, -abs(float(self.value[place])) / error))

    @property
    def is_enough(self) -> bool:
        """Return whether there are enough blocks for tests."""
        return self.blocks >= FEWEST_BLOCKS + 2 * (self.players - 1)

    @property
    def is_nothing(self) -> bool:
        """Return whether no response differs in any game."""
        return not self.value.any() and not self.influence.any()

    def _shares(self, scale: float = 1.0) -> Means:
        rows, blocks = (np.full(self.players, float(number)) for number in (self.games, self.blocks))
        return Means(scale * self.value[: self.players], scale**2 * self.covariance(), rows, blocks)

    def _error(self, place: int) -> float:
        influence = self.influence[:, place : place + 1]
        return math.sqrt(float(covariance(influence, influence)[0, 0])) if self.blocks > 1 else math.nan

    def _estimate(self, place: int) -> Estimate:
        return interval(float(self.value[place]), self._error(place), self.blocks, self.games)


@dataclass(frozen=True)
class Effect:
    """The main effect of one parameter: of one step of a number, or of one value against the scenario's own.

    value: of an axis that is not a number, in words; "" for a step. q_seats: whether any seat's share moves at all,
    q_fair: whether the distance from fair changes; both by Benjamini and Hochberg over all effects of one player count.
    """

    axis: Axis
    value: str
    change: Response
    q_seats: float
    q_fair: float


def respond(results: Sequence[Results], players: int) -> list[Response]:
    """Return the responses of cells with one player count, all on the deals they share."""
    measured = [measure(one, players, ESTIMANDS) for one in results]
    deals = reduce(_common, [estimates[0].deals for estimates in measured])
    return [response_of([narrowed(one, deals) for one in estimates], players) for estimates in measured]


def difference(base: Response, other: Response) -> Response:
    """Return how much higher the responses of another cell are than those of the first, on the same deals."""
    return combine([base, other], np.array([-1.0, 1.0]))


def distance_change(base: Response, other: Response) -> Estimate:
    """Return how much farther from fair another cell is than the first, in percentage points, corrected for noise.

    Each end is as far off as those ends of the two distances' intervals that make it (MOVER, as in `Means.apart`), with
    the correlation that the cells have by their the same deals.
    """
    one, far = base.distance(), other.distance()
    if difference(base, other).is_nothing:
        return Estimate(0.0, 0.0, 0.0, far.n, far.effective)
    influence = [response.influence[:, response.players] for response in (base, other)]
    spread = math.sqrt(float(influence[0] @ influence[0]) * float(influence[1] @ influence[1]))
    correlation = float(influence[0] @ influence[1]) / spread if spread > 0 else 0.0
    down = joined(far.value - far.low, one.high - one.value, correlation)
    up = joined(far.high - far.value, one.value - one.low, correlation)
    value = far.value - one.value
    return Estimate(value, value - down, value + up, far.n, far.effective)


def combine(responses: Sequence[Response], weights: Floats) -> Response:
    """Return a weighted sum of responses; cells of weight 0 are ignored."""
    used = [(one, float(weight)) for one, weight in zip(responses, weights, strict=True) if weight]
    value, influence = np.zeros_like(responses[0].value), np.zeros_like(responses[0].influence)
    for one, weight in used:
        value += weight * one.value
        influence += weight * one.influence
    size = sum(abs(weight) * np.abs(one.value) for one, weight in used)
    reach = sum(abs(weight) * np.abs(one.influence).max(axis=0, initial=0.0) for one, weight in used)
    value[np.abs(value) < ROUNDING * size] = 0.0
    influence[np.abs(influence) < ROUNDING * reach] = 0.0
    return Response(value, influence, sum(one.games for one, _ in used))


def effects(axes: Sequence[Axis], settings: Sequence[Setting], responses: Sequence[Response]) -> list[Effect]:
    """Return the main effect of each axis, the one that moves win shares most first.

    settings: how each cell differs from the scenario. Axes that the cells do not separate are left out.
    """
    changes: list[tuple[Axis, str, Response]] = []
    for axis, value, weights in contrasts(axes, settings):
        scale = np.abs(weights).max()
        kept = np.where(np.abs(weights) > 1e-9 * scale, weights, 0.0)
        changes.append((axis, value, combine(responses, kept)))
    seats = benjamini_hochberg([change.joint().p for _, _, change in changes])
    fair = benjamini_hochberg([change.p("distance") for _, _, change in changes])
    found = [Effect(*one, float(a), float(b)) for one, a, b in zip(changes, seats, fair, strict=True)]
    return sorted(found, key=_rank)


def contrasts(axes: Sequence[Axis], settings: Sequence[Setting]) -> list[tuple[Axis, str, Floats]]:
    """Return for each effect its axis, its value in words ("" for a step), and its weights on cells, float64[cells].

    Numbers have a slope; of other axes each value is compared with the scenario's own. If cells differ from the
    scenario in one axis only, an axis is judged by its own cells.
    """
    alone = all(len(setting) <= 1 for setting in settings)
    found: list[tuple[Axis, str, Floats]] = []
    for group in [[axis] for axis in axes] if alone else [list(axes)]:
        names = {axis.name for axis in group}
        inside = np.array([not setting or bool(names & set(setting)) for setting in settings])
        terms = [term for axis in group for term in _terms(axis, settings)]
        columns = np.array([[1.0] * len(settings), *(column for _, _, column in terms)])[:, inside].T
        inverse = np.linalg.pinv(columns)
        apart = np.abs(inverse @ columns - np.eye(columns.shape[1])).max(axis=1) < TOLD_APART
        for place, (axis, value, _) in enumerate(terms, 1):
            if apart[place]:
                weights = np.zeros(len(settings))
                weights[inside] = inverse[place]
                found.append((axis, value, weights))
    return found


def _terms(axis: Axis, settings: Sequence[Setting]) -> list[tuple[Axis, str, Floats]]:
    """Return the columns that an axis has in a design: its number, from its own; or one for each other value."""
    values = [setting.get(axis.name, axis.current) for setting in settings]
    if axis.is_number:
        return [(axis, "", np.array(values, dtype=np.float64) - axis.current)]
    others = {value_words(value): value for value in axis.values if value != axis.current}
    return [(axis, words, np.array([float(one == value) for one in values])) for words, value in others.items()]


def _rank(effect: Effect) -> tuple[bool, float, float]:
    p = effect.change.joint().p
    return (effect.change.is_nothing, -effect.change.move().value, 1.0 if math.isnan(p) else p)


def _common(first: Ints, second: Ints) -> Ints:
    return first if np.array_equal(first, second) else np.intersect1d(first, second, assume_unique=True)


def response_of(estimates: Sequence[Estimates], players: int) -> Response:
    """Return the response of one cell from its estimates: shares and points by seat, and turns."""
    shares, points, turns = estimates
    off = 100 * (shares.value - 1 / players)
    toward = 100 * direction(off)
    value = np.array([*(100 * shares.value), np.sqrt(np.mean(off**2)), points.value.mean(), turns.value[0]])
    influence = np.column_stack(
        [
            100 * shares.influence,
            shares.influence @ toward,
            points.influence.mean(axis=1, keepdims=True),
            turns.influence,
        ]
    )
    return Response(value, influence, int(turns.n[0]))
