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

from rogsim.game.topics import BoardMap, Spaces
from rogsim.stats.balance.association import CountSums, MemberSums, slopes
from rogsim.stats.blocks import BlockRows, Floats, Ints, Sums, put_ones, stretches, sums_of_blocks
from rogsim.stats.contrasts import Means, benjamini_hochberg, columns, per_game, table

TINY = 1e-9  # relative to the largest, a singular value or a weight this small is 0
GAMES_AT_ONCE = 20_000
VALUES = 2  # win share in pp, points
UNIDENTIFIED = 1e-6  # a weight on unidentified coefficients that is more than rounding


@dataclass(frozen=True)
class Model:
    """A fitted regression with one number of players; rows: those of `frame`."""

    rows: tuple[dict[str, Any], ...]

    def frame(self) -> pl.DataFrame:
        """Return one row for each term and level.

        share (in pp) and points: the effect of the level compared with the other levels, weighted by their frequency,
        everything else in the model being equal. raw_share (in pp) and raw_points: the same without a model, that is
        win share minus the fair share and points minus the mean of the game. A term "a x seat" is the additional effect
        of a in that seat; it has no raw effect. If every game has as many members of a draw, the effect of one by seat
        is compared with that of the average member. Effects that the games do not identify are null, and left out if
        they have no raw effect: if bots always follow each other in one order, for example, the games cannot separate
        every bot in every seat from what these games have in common.
        """
        return table(self.rows)


@dataclass(frozen=True)
class Factor:
    """A column with its levels.

    Attributes
    ----------
    members
        Names of what the levels of a draw contain, empty for a plain factor.
    inside : float64[levels, members]
        1 for the members that a level contains, else 0; None for a plain factor.
    """

    column: str
    levels: tuple[Any, ...]
    members: tuple[str, ...] = ()
    inside: Floats | None = None


class DesignMatrix:
    """What a seat is and has: a column for each level of each factor, then one for each member by seat.

    Parameters
    ----------
    factors
        Factors of seats.
    draws
        Factors of games.
    codes
        Index of each row's level by column, int64[games, players] for factors and int64[games] for draws,
        negative for none.
    """

    def __init__(
        self, players: int, factors: Sequence[Factor], draws: Sequence[Factor], codes: Mapping[str, Ints]
    ) -> None:
        self.players, self.codes = players, codes
        self.factors, self.draws = tuple(factors), tuple(draws)
        self.by_name = {factor.column: factor for factor in factors}
        self.weights = {each.column: _weights(codes[each.column], len(each.levels)) for each in (*factors, *draws)}
        self.inside = {draw.column: self.weights[draw.column] @ np.asarray(draw.inside) for draw in draws}
        sizes = [*(len(factor.levels) for factor in factors), *(len(draw.members) * players for draw in draws)]
        self.starts = np.r_[0, np.cumsum(sizes)]
        self.size = int(self.starts[-1])

    def rows(self, start: int, stop: int) -> Floats:
        """Return the rows of the games start..stop-1, minus their mean over the game: float64[games, players, size]."""
        found = np.zeros((stop - start, self.players, self.size))
        place = iter(self.starts.tolist())
        for factor in self.factors:
            put_ones(found, self.codes[factor.column][start:stop], next(place))
        for draw in self.draws:
            self._put_draw(found, draw, start, stop, next(place))
        found -= found.mean(axis=1, keepdims=True)
        return found

    def _put_draw(self, found: Floats, draw: Factor, start: int, stop: int, at: int) -> None:
        assert draw.inside is not None
        padded = np.vstack([draw.inside, self.inside[draw.column]])  # a game without a draw (-1) counts as the mean
        inside = padded[self.codes[draw.column][start:stop]] - self.inside[draw.column]
        for seat in range(self.players):
            found[:, seat, at + seat : at + inside.shape[1] * self.players : self.players] = inside

    def effects(self) -> Iterator[tuple[str, str, str | None, Floats]]:
        """Yield for each effect its term, level, column if it has a raw effect, and weights of the coefficients."""
        place = iter(zip(self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True))
        share = (self.players - 1) / self.players
        for factor in self.factors:
            start, stop = next(place)
            weights = self.weights[factor.column]
            for level, name in enumerate(factor.levels):
                row = np.zeros(self.size)
                others = np.where(np.arange(stop - start) == level, 0.0, weights)
                row[start:stop] = -others / others.sum()
                row[start + level] = 1.0
                yield factor.column, str(name), factor.column, row * share
        for draw in self.draws:
            start, stop = next(place)
            seats = np.eye(self.players) - 1 / self.players
            for name, contrast in zip(draw.members, self._contrasts(draw), strict=True):
                for seat in range(self.players):
                    row = np.zeros(self.size)
                    row[start:stop] = np.outer(contrast, seats[seat]).ravel()
                    yield f"{name} x seat", f"seat {seat + 1}", None, row

    def _contrasts(self, draw: Factor) -> Floats:
        """Return what games can show of each member of a draw, as weights of all members: float64[members, members].

        Usually that is its effect. If every game has the same number of some members, one more of them is one less of
        the others: then it is the effect compared with the mean over these members. Anything else stays unidentified.
        """
        assert draw.inside is not None
        met = draw.inside[self.weights[draw.column] > 0]
        varied = met - met.mean(axis=0)
        contrasts = np.eye(len(draw.members))
        for member, shown in enumerate(np.linalg.pinv(varied, rcond=TINY) @ varied):
            others = np.abs(shown) > TINY
            others[member] = True
            among = np.where(others, -1 / others.sum(), 0.0) + contrasts[member]
            if others.sum() > 1 and np.allclose(shown, among):
                contrasts[member] = among
        return contrasts


def _weights(codes: Ints, count: int) -> Floats:
    """Return the relative frequency of each level, float64[levels]."""
    sizes = np.bincount(codes[codes >= 0].ravel(), minlength=count)
    return sizes / max(1, sizes.sum())


class ModelRows:
    """Collects the rows that `Model` needs.

    Parameters
    ----------
    factors
        Factors of seats.
    draws
        Factors of games; each of their members may change the effect of a seat.
    """

    def __init__(self, factors: Sequence[Factor], draws: Sequence[Factor] = ()) -> None:
        self.factors, self.draws = tuple(factors), tuple(draws)
        self.codes: dict[str, list[Any]] = {factor.column: [] for factor in (*factors, *draws)}
        self.values: list[Any] = []
        self.sizes: list[Any] = []

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        for factor in (*self.factors, *self.draws):
            codes = part.codes(factor.column, factor.levels)
            self.codes[factor.column].append(codes.astype(np.int16))
        self.values.append(np.stack([part.wins * 100, part.points], axis=2).astype(np.float32))
        self.sizes.append(part.sizes)

    def result(self) -> Model | None:
        """Fit the model; None if there is nothing to compare."""
        codes = {column: np.concatenate(found).astype(np.int64) for column, found in self.codes.items()}
        dropped = _aliases(self.factors, codes)
        factors = tuple(factor for factor in self.factors if factor.column not in dropped and len(factor.levels) > 1)
        if not factors:
            return None
        values, sizes = np.concatenate(self.values).astype(np.float64), np.concatenate(self.sizes)
        design = DesignMatrix(values.shape[1], factors, self.draws, codes)
        return _model(design, values, sizes)


class Regressors(Protocol):
    """The columns of a regression; size: their number."""

    size: int

    def rows(self, start: int, stop: int) -> Floats:
        """Return the rows of some games, minus their mean over the game: float64[games, players, size]."""


def fit(design: Regressors, values: Floats, sizes: Ints, effects: Floats) -> list[Means]:
    """Fit by least squares, with the blocks as clusters, and return the effects on each value.

    If columns are collinear, the coefficients are those of the smallest norm; effects within a factor do not depend on
    this choice. An effect that the games do not identify is nan. The blocks of an effect are the effective number of
    those that determine it, and its variance is corrected for their number.

    Parameters
    ----------
    values : float64[games, players, values]
    sizes : int64[blocks]
        Games of each.
    effects : float64[effects, size]
        Combinations of coefficients.

    References
    ----------
    Cameron and Miller 2015, "A Practitioner's Guide to Cluster-Robust Inference", Journal of Human Resources 50(2).
    """
    centred = values - values.mean(axis=1, keepdims=True)
    cross, moments = np.zeros((design.size, design.size)), 0.0
    parts = list(stretches(sizes, GAMES_AT_ONCE))
    for start, stop, _ in parts:
        x = design.rows(start, stop).reshape(-1, design.size)
        cross += x.T @ x
        moments = moments + x.T @ centred[start:stop].reshape(-1, values.shape[2])
    bread = np.linalg.pinv(cross, rcond=TINY, hermitian=True)
    coefficients = bread @ moments
    meat = np.zeros((values.shape[2], *cross.shape))
    weights, shares = bread @ effects.T, np.zeros((2, len(effects)))
    for start, stop, blocks in parts:
        rows = design.rows(start, stop)
        rest = centred[start:stop] - rows @ coefficients
        for place in range(values.shape[2]):
            scores = sums_of_blocks(np.einsum("gps,gp->gs", rows, rest[:, :, place]), blocks)
            meat[place] += scores.T @ scores
        squared = sums_of_blocks(((rows @ weights) ** 2).sum(axis=1), blocks)
        shares += squared.sum(axis=0), (squared**2).sum(axis=0)
    count, n = len(sizes), values.shape[0] * values.shape[1]
    rank = int(np.linalg.matrix_rank(cross, tol=TINY * float(np.linalg.norm(cross, 2)), hermitian=True))
    correction = count / (count - 1) * (n - 1) / (n - rank) if count > 1 else math.nan
    covariance = correction * (bread @ meat @ bread)
    carried = np.divide(shares[0] ** 2, shares[1], out=np.zeros(len(effects)), where=shares[1] > 0)
    more = np.sqrt(carried / np.maximum(carried - 1, 1.0))
    identified = np.abs(effects @ (bread @ cross) - effects).max(axis=1) < UNIDENTIFIED
    return [
        Means(
            np.where(identified, effects @ coefficients[:, place], np.nan),
            (effects @ covariance[place] @ effects.T) * np.outer(more, more),
            np.full(len(effects), float(n)),
            carried,
        )
        for place in range(values.shape[2])
    ]


def _model(design: DesignMatrix, values: Floats, sizes: Ints) -> Model:
    effects = list(design.effects())
    share, points = fit(design, values, sizes, np.array([row for *_, row in effects]))
    raw = {factor.column: _raw(design, factor, values) for factor in design.factors}
    rows = []
    for place, (term, level, column, _) in enumerate(effects):
        if column is None and math.isnan(share.value[place]):  # there is no number to show
            continue
        names = [str(name) for name in design.by_name[column].levels] if column else []
        n, raw_share, raw_points = raw[column][names.index(level)] if column else (None, None, None)
        rows.append(
            {"term": term, "level": level, "n": n}
            | columns("share", share.known(place))
            | columns("points", points.known(place))
            | {"raw_share": raw_share, "raw_points": raw_points}
        )
    return Model(tuple(rows))


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


@dataclass(frozen=True)
class SpaceUse:
    """How the seats used spaces of one kind, and how often they visited each; rows: those of `frame`."""

    rows: tuple[dict[str, Any], ...]

    def frame(self) -> pl.DataFrame:
        """Return one row for each space.

        n is the number of seats that used it, uses how often a seat used it on average; win is the change in win share
        for one more use in pp, and points the same in points; q (Benjamini-Hochberg) is of no change in win share.
        visits is how often all seats of a game visit it.
        """
        return table(self.rows)


class SpaceSums:
    """Accumulates what `SpaceUse` needs.

    Parameters
    ----------
    spaces
        The spaces.
    members
        The members of the column, if it is a set.
    """

    def __init__(self, spaces: Spaces, members: Sequence[str], players: int) -> None:
        self.spaces, self.members, self.players = spaces, list(members), players
        self.sets = MemberSums(spaces.columns[0], members, players) if members else None
        self.counts = [] if members else [CountSums(column, players) for column in spaces.columns]
        self.visits = Sums(1 + len(spaces.visits))

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        for sums in [self.sets] if self.sets else self.counts:
            sums.add(part)
        whole = [np.ones(part.games.height)]
        whole += [sum(part.of_seats(name).sum(axis=1) for name in names) for names in self.spaces.visits]
        self.visits.add(part.by_block(np.stack(whole, axis=1)))

    def result(self) -> SpaceUse:
        """Return the spaces, with the intervals and tests of all blocks so far."""
        names, visits = self.members or list(self.spaces.columns), per_game(self.visits)
        rows = [
            {"space": name} | use | (columns("visits", visits.known(place)) if self.spaces.visits else {})
            for place, (name, use) in enumerate(zip(names, self._wins(), strict=True))
        ]
        return SpaceUse(tuple(rows))

    def _wins(self) -> list[dict[str, Any]]:
        if self.sets is not None:
            named = {"n": "n", "had": "uses", "q": "q"} | _ends("difference", "win") | _ends("points", "points")
            found = self.sets.result().frame()
        else:
            named = {"having": "n", "mean": "uses", "q": "q"} | _ends("share", "win") | _ends("points", "points")
            found = slopes([sums.result() for sums in self.counts])
        return found.select(pl.col(old).alias(new) for old, new in named.items()).to_dicts()


def _ends(old: str, new: str) -> dict[str, str]:
    return {f"{old}{end}": f"{new}{end}" for end in ("", "_low", "_high")}


@dataclass(frozen=True)
class SpaceIncome:
    """How income changes with one more use of each space; rows: those of `frame`."""

    rows: tuple[dict[str, Any], ...]

    def frame(self, kind: str) -> pl.DataFrame:
        """Return one row for each space of a kind.

        income is the change in a seat's income for one more use, with the same uses of all other spaces, with its 95%
        interval; income_q (Benjamini-Hochberg, over all spaces of all kinds) is of no change. A space with too few uses
        has no interval, and one whose uses follow from those of the others has no income.
        """
        own = [{key: value for key, value in row.items() if key != "kind"} for row in self.rows if row["kind"] == kind]
        return table(own)


class UseMatrix:
    """The columns of the regression: uses of each space, then the seat. uses: int8[games, players, spaces]."""

    def __init__(self, uses: Any) -> None:
        self.uses, self.players = uses, uses.shape[1]
        self.size = uses.shape[2] + self.players

    def rows(self, start: int, stop: int) -> Floats:
        """Return the rows of some games, minus their mean over the game: float64[games, players, size]."""
        seats = np.broadcast_to(np.eye(self.players), (stop - start, self.players, self.players))
        found = np.concatenate([self.uses[start:stop].astype(np.float64), seats], axis=2)
        return np.asarray(found - found.mean(axis=1, keepdims=True))


class SpaceIncomeRows:
    """Collects what `SpaceIncome` needs, a byte for each seat and space.

    Parameters
    ----------
    board
        The board, with its income.
    members
        The members of columns that are sets, by column.
    """

    def __init__(self, board: BoardMap, members: Mapping[str, Sequence[str]]) -> None:
        self.board, self.members = board, members
        self.uses: list[Any] = []
        self.income: list[Floats] = []
        self.sizes: list[Any] = []

    @property
    def spaces(self) -> list[tuple[str, str]]:
        """Return the kind and the name of each space."""
        return [(kind.name, space) for kind in self.board.spaces for space in kind.labels]

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        found = []
        for kind in self.board.spaces:
            if members := self.members.get(kind.columns[0]):
                found.append(part.members(kind.columns[0], len(members)))
            else:
                found += [part.of_seats(name)[:, :, None] for name in kind.columns]
        self.uses.append(np.concatenate(found, axis=2).astype(np.int8))
        self.income.append(sum(part.of_seats(name) for name in self.board.income))  # type: ignore[arg-type]
        self.sizes.append(part.sizes)

    def result(self) -> SpaceIncome:
        """Fit the regression."""
        design = UseMatrix(np.concatenate(self.uses))
        values, sizes = np.concatenate(self.income)[:, :, None], np.concatenate(self.sizes)
        means = fit(design, values, sizes, np.eye(design.size)[: len(self.spaces)])[0]
        q = benjamini_hochberg(means.p_values()).tolist()
        return SpaceIncome(
            tuple(
                {"kind": kind, "space": space} | columns("income", means.known(place)) | {"income_q": q[place]}
                for place, (kind, space) in enumerate(self.spaces)
            )
        )
