"""The design matrix of the regression: what a seat is and has, minus its mean over the seats of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rogsim.stats.blocks import Floats, Ints

TINY = 1e-9  # relative to the largest, a singular value or a weight this small is 0


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
    """The columns of the regression: one for each level of each factor, then members by seat, then interactions.

    Parameters
    ----------
    factors
        Factors of seats.
    draws
        Factors of games.
    pairs
        Columns of factors that interact.
    codes
        Index of each row's level by column, int64[games, players] for factors and int64[games] for draws,
        negative for none.
    """

    def __init__(
        self,
        players: int,
        factors: Sequence[Factor],
        draws: Sequence[Factor],
        pairs: Sequence[tuple[str, str]],
        codes: Mapping[str, Ints],
    ) -> None:
        self.players, self.codes = players, codes
        self.factors, self.draws, self.pairs = tuple(factors), tuple(draws), tuple(pairs)
        self.by_name = {factor.column: factor for factor in factors}
        self.weights = {factor.column: _weights(codes[factor.column], len(factor.levels)) for factor in factors}
        self.weights_of_draws = {draw.column: _weights(codes[draw.column], len(draw.levels)) for draw in draws}
        self.inside = {draw.column: self.weights_of_draws[draw.column] @ np.asarray(draw.inside) for draw in draws}
        sizes = [len(factor.levels) for factor in factors]
        sizes += [len(draw.members) * players for draw in draws]
        sizes += [len(self.by_name[a].levels) * len(self.by_name[b].levels) for a, b in pairs]
        self.starts = np.r_[0, np.cumsum(sizes)]

    @property
    def size(self) -> int:
        """Return the number of columns."""
        return int(self.starts[-1])

    def rows(self, start: int, stop: int) -> Floats:
        """Return the rows of the games start..stop-1, minus their mean over the game: float64[games, players, size]."""
        found = np.zeros((stop - start, self.players, self.size))
        place = iter(self.starts.tolist())
        for factor in self.factors:
            _put_ones(found, self.codes[factor.column][start:stop], next(place))
        for draw in self.draws:
            self._put_draw(found, draw, start, stop, next(place))
        for a, b in self.pairs:
            first, second = (self._centred(name, start, stop) for name in (a, b))
            size = first.shape[2] * second.shape[2]
            at = next(place)
            found[:, :, at : at + size] = np.einsum("gpi,gpj->gpij", first, second).reshape(*found.shape[:2], size)
        found -= found.mean(axis=1, keepdims=True)
        return found

    def _put_draw(self, found: Floats, draw: Factor, start: int, stop: int, at: int) -> None:
        assert draw.inside is not None
        padded = np.vstack([draw.inside, self.inside[draw.column]])  # a game without a draw (-1) counts as the mean
        inside = padded[self.codes[draw.column][start:stop]] - self.inside[draw.column]
        for seat in range(self.players):
            found[:, seat, at + seat : at + inside.shape[1] * self.players : self.players] = inside

    def _centred(self, name: str, start: int, stop: int) -> Floats:
        codes = self.codes[name][start:stop]
        ones = np.zeros((*codes.shape, len(self.weights[name])))
        _put_ones(ones, codes, 0)
        return ones - self.weights[name]

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
        for a, b in self.pairs:
            start, _ = next(place)
            levels = self.by_name[a].levels, self.by_name[b].levels
            for i, level in enumerate(levels[0]):
                for j, other in enumerate(levels[1]):
                    row = np.zeros(self.size)
                    first = np.eye(len(levels[0]))[i] - self.weights[a]
                    second = np.eye(len(levels[1]))[j] - self.weights[b]
                    row[start : start + first.size * second.size] = np.outer(first, second).ravel()
                    yield f"{a} x {b}", f"{level}, {other}", None, row

    def _contrasts(self, draw: Factor) -> Floats:
        """Return what games can show of each member of a draw, as weights of all members: float64[members, members].

        Usually that is its effect. If every game has the same number of some members, one more of them is one less of
        the others: then it is the effect compared with the mean over these members. Anything else stays unidentified.
        """
        assert draw.inside is not None
        met = draw.inside[self.weights_of_draws[draw.column] > 0]
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


def _put_ones(found: Floats, codes: Ints, at: int) -> None:
    """Put a 1 into the column of each row's level; codes: int64[games, players], negative for none."""
    game, seat = np.nonzero(codes >= 0)
    found[game, seat, at + codes[game, seat]] = 1.0
