"""A regression that holds everything else equal: the effect of a level, whoever else plays and wherever they sit.

The model is linear, with a constant for each game (fixed effects). It regresses the win share (and the points) of a
seat minus the mean of its game on what the seat is and has, also minus its mean over the seats of the game. So whatever
the seats of a game have in common cancels, and a level is compared only with levels in the same games. Standard errors
are robust, with the blocks as clusters (Cameron and Miller 2015, "A Practitioner's Guide to Cluster-Robust Inference",
Journal of Human Resources 50(2); with the correction for the number of clusters that statsmodels uses). The degrees of
freedom of an effect come from the effective number of blocks that determine it: one over the sum of the squares of
their shares in it (Carter, Schnepel and Steigerwald 2017, "Asymptotic behavior of a t-test robust to cluster
heterogeneity", Review of Economics and Statistics 99). With fewer than `contrasts.FEWEST_BLOCKS` there is no interval.
For a share this is the linear probability model: its effects are differences in percentage points.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import polars as pl

from rogsim.stats.balance.design_matrix import TINY, DesignMatrix, Factor
from rogsim.stats.blocks import BlockRows, Floats, Ints
from rogsim.stats.contrasts import Means, columns, table

GAMES_AT_ONCE = 20_000
VALUES = 2  # win share in pp, points
UNIDENTIFIED = 1e-6  # a weight on unidentified coefficients that is more than rounding


@dataclass(frozen=True)
class Model:
    """A fitted regression with one number of players.

    Attributes
    ----------
    words
        The model in words.
    terms
        Terms of the model.
    dropped
        Columns that another one determines.
    r2_share
        Share of the variance of win shares within games that the model explains, 0 to 1.
    r2_points
        The same for points.
    outside
        Share of the predicted win shares that are below 0 or above 1, where the model cannot be right.
    effects
        The rows of `frame`.
    """

    players: int
    words: str
    games: int
    rows: int
    blocks: int
    terms: tuple[str, ...]
    dropped: tuple[str, ...]
    r2_share: float
    r2_points: float
    outside: float
    effects: tuple[dict[str, Any], ...]

    def frame(self) -> pl.DataFrame:
        """Return one row for each term and level.

        share (in pp) and points: the effect of the level compared with the other levels, weighted by their frequency,
        everything else in the model being equal. raw_share (in pp) and raw_points: the same without a model, that is
        win share minus the fair share and points minus the mean of the game. A term "a x b" is the additional effect of
        a with b; it has no raw effect. If every game has as many members of a draw, the effect of one by seat is
        compared with that of the average member. Effects that the games do not identify are null, and left out if they
        have no raw effect: if bots always follow each other in one order, for example, the games cannot separate every
        bot in every seat from what these games have in common.
        """
        return table(self.effects)


class ModelRows:
    """Collects the rows that `Model` needs.

    Parameters
    ----------
    factors
        Factors of seats.
    draws
        Factors of games; each of their members may change the effect of a seat.
    interactions
        Pairs of columns of factors.
    """

    def __init__(
        self,
        factors: Sequence[Factor],
        draws: Sequence[Factor] = (),
        interactions: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.factors, self.draws, self.interactions = tuple(factors), tuple(draws), tuple(interactions)
        self.codes: dict[str, list[Any]] = {factor.column: [] for factor in (*factors, *draws)}
        self.values: list[Any] = []
        self.sizes: list[Any] = []

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        for factor in (*self.factors, *self.draws):
            codes = part.codes(factor.column, factor.levels)
            self.codes[factor.column].append(codes.astype(np.int16))
        self.values.append(np.stack([part.wins * 100, part.points], axis=2).astype(np.float32))
        self.sizes.append(np.bincount(part.block))

    def result(self, players: int) -> Model | None:
        """Fit the model; None if there is nothing to compare."""
        codes = {column: np.concatenate(found).astype(np.int64) for column, found in self.codes.items()}
        dropped = _aliases(self.factors, codes)
        factors = tuple(factor for factor in self.factors if factor.column not in dropped and len(factor.levels) > 1)
        if not factors:
            return None
        pairs = tuple(pair for pair in self.interactions if {*pair} <= {factor.column for factor in factors})
        values, sizes = np.concatenate(self.values).astype(np.float64), np.concatenate(self.sizes)
        design = DesignMatrix(players, factors, self.draws, pairs, codes)
        return _model(design, values, sizes, dropped)


class Regressors(Protocol):
    """The columns of a regression."""

    @property
    def size(self) -> int:
        """Return the number of columns."""

    def rows(self, start: int, stop: int) -> Floats:
        """Return the rows of some games, minus their mean over the game: float64[games, players, size]."""


@dataclass(frozen=True)
class Fit:
    """A least-squares fit.

    Attributes
    ----------
    coefficients : float64[size, values]
    known : float64[size, size]
        The projection on the identified combinations of coefficients; one that it changes is not identified.
    covariance : float64[values, size, size]
    r2 : float64[values]
    outside
        Share of the predicted win shares below 0 or above 1.
    blocks
        Number of clusters.
    carried : float64[effects]
        The effective number of blocks that determine each effect.
    """

    coefficients: Floats
    known: Floats
    covariance: Floats
    r2: Floats
    outside: float
    blocks: int
    carried: Floats


def fit(design: Regressors, values: Floats, sizes: Ints, effects: Floats) -> Fit:
    """Fit by least squares, with the blocks as clusters.

    If columns are collinear, the coefficients are those of the smallest norm; effects within a factor do not depend on
    this choice.

    Parameters
    ----------
    values : float64[games, players, values]
        Win shares in pp first.
    sizes : int64[blocks]
        Games of each.
    effects : float64[effects, size]
        Combinations of coefficients.

    References
    ----------
    Cameron and Miller 2015, "A Practitioner's Guide to Cluster-Robust Inference", Journal of Human Resources 50(2).
    """
    centred = values - values.mean(axis=1, keepdims=True)
    cross, moments, squares = np.zeros((design.size, design.size)), 0.0, (centred**2).sum(axis=(0, 1))
    stretches = list(_stretches(sizes))
    for start, stop, _ in stretches:
        x = design.rows(start, stop).reshape(-1, design.size)
        cross += x.T @ x
        moments = moments + x.T @ centred[start:stop].reshape(-1, values.shape[2])
    bread = np.linalg.pinv(cross, rcond=TINY, hermitian=True)
    coefficients = bread @ moments
    meat, left, outside = np.zeros((values.shape[2], *cross.shape)), 0.0, 0
    weights, shares = bread @ effects.T, np.zeros((2, len(effects)))
    for start, stop, blocks in stretches:
        rows = design.rows(start, stop)
        expected = rows @ coefficients
        rest = centred[start:stop] - expected
        left = left + (rest**2).sum(axis=(0, 1))
        chance = expected[:, :, 0] / 100 + 1 / values.shape[1]
        outside += int(((chance < 0) | (chance > 1)).sum())
        for place in range(values.shape[2]):
            scores = _by_block(np.einsum("gps,gp->gs", rows, rest[:, :, place]), blocks)
            meat[place] += scores.T @ scores
        squared = _by_block(((rows @ weights) ** 2).sum(axis=1), blocks)
        shares += squared.sum(axis=0), (squared**2).sum(axis=0)
    count, n = len(sizes), values.shape[0] * values.shape[1]
    rank = int(np.linalg.matrix_rank(cross, tol=TINY * float(np.linalg.norm(cross, 2)), hermitian=True))
    correction = count / (count - 1) * (n - 1) / (n - rank) if count > 1 else math.nan
    covariance = correction * (bread @ meat @ bread)
    carried = np.divide(shares[0] ** 2, shares[1], out=np.zeros(len(effects)), where=shares[1] > 0)
    return Fit(coefficients, bread @ cross, covariance, 1 - left / squares, outside / n, count, carried)


def _by_block(values: Floats, blocks: Ints) -> Floats:
    return np.add.reduceat(values, np.r_[0, np.cumsum(blocks)[:-1]], axis=0)


def _model(design: DesignMatrix, values: Floats, sizes: Ints, dropped: Sequence[str]) -> Model:
    effects = list(design.effects())
    matrix = np.array([row for *_, row in effects])
    found = fit(design, values, sizes, matrix)
    raw = {factor.column: _raw(design, factor, values) for factor in design.factors}
    more = np.sqrt(found.carried / np.maximum(found.carried - 1, 1.0))
    games = values.shape[0]
    identified = np.abs(matrix @ found.known - matrix).max(axis=1) < UNIDENTIFIED
    share, points = (
        Means(
            np.where(identified, matrix @ found.coefficients[:, place], np.nan),
            (matrix @ found.covariance[place] @ matrix.T) * np.outer(more, more),
            np.full(len(effects), float(games * design.players)),
            found.carried,
        )
        for place in range(VALUES)
    )
    rows = []
    for place, (term, level, column, _) in enumerate(effects):
        if column is None and not identified[place]:  # there is no number to show
            continue
        names = [str(name) for name in design.by_name[column].levels] if column else []
        n, raw_share, raw_points = raw[column][names.index(level)] if column else (None, None, None)
        rows.append(
            {"term": term, "level": level, "n": n}
            | columns("share", share.known(place))
            | columns("points", points.known(place))
            | {"raw_share": raw_share, "raw_points": raw_points}
        )
    terms = tuple(dict.fromkeys(str(row["term"]) for row in rows))
    r2_share, r2_points = found.r2.tolist()
    return Model(
        players=design.players,
        words=_words(design, dropped),
        games=games,
        rows=games * design.players,
        blocks=found.blocks,
        terms=terms,
        dropped=tuple(dropped),
        r2_share=r2_share,
        r2_points=r2_points,
        outside=found.outside,
        effects=tuple(rows),
    )


def _words(design: DesignMatrix, dropped: Sequence[str]) -> str:
    names = [factor.column.replace("_", " ") for factor in design.factors]
    names += [f"each of the {draw.column.replace('_', ' ')} x seat" for draw in design.draws]
    names += [f"{a} x {b}".replace("_", " ") for a, b in design.pairs]
    also = f" Left out because another term is equivalent: {', '.join(dropped)}." if dropped else ""
    return (
        f"Linear model of win share and of points on {' + '.join(names)}, with a constant for each game; least "
        f"squares, standard errors robust with blocks as clusters.{also}"
    )


def _raw(design: DesignMatrix, factor: Factor, values: Floats) -> list[tuple[int, float, float]]:
    """Return for each level its rows, win share minus fair in pp, and points minus the mean of the game."""
    codes = design.codes[factor.column].ravel()
    kept, count = codes >= 0, len(factor.levels)
    centred = (values - values.mean(axis=1, keepdims=True)).reshape(-1, VALUES)[kept]
    rows = np.bincount(codes[kept], minlength=count)
    sums = [np.bincount(codes[kept], centred[:, place], count) / np.maximum(rows, 1) for place in range(VALUES)]
    return [(int(n), float(share), float(points)) for n, share, points in zip(rows, *sums, strict=True)]


def _aliases(factors: Sequence[Factor], codes: Mapping[str, Ints]) -> list[str]:
    """Return the columns whose levels are sets of levels of an earlier or a finer column."""
    dropped: list[str] = []
    for factor in factors:
        for other in factors:
            finer = len(other.levels) > len(factor.levels) or factors.index(other) < factors.index(factor)
            if other is factor or other.column in dropped or not finer:
                continue
            pairs = codes[other.column] * len(factor.levels) + codes[factor.column]
            seen = np.unique(pairs[(codes[other.column] >= 0) & (codes[factor.column] >= 0)])
            if len(seen) == len(np.unique(seen // len(factor.levels))):
                dropped.append(factor.column)
                break
    return dropped


def _stretches(sizes: Ints) -> Iterator[tuple[int, int, Ints]]:
    """Yield stretches of whole blocks: first game, the game after the last, sizes of the blocks."""
    ends = np.cumsum(sizes)
    first = 0
    while first < len(sizes):
        start = int(ends[first] - sizes[first])
        last = max(first + 1, int(np.searchsorted(ends, start + GAMES_AT_ONCE, side="right")))
        yield start, int(ends[last - 1]), sizes[first:last]
        first = last
