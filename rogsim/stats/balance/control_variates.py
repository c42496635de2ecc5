"""Control variates: win shares without the luck of the deal, with coefficients fitted on other games.

If the set-up deals each seat something at random (a hand of cards, say), part of what a seat wins is due to what it was
dealt. Over many games all seats are dealt the same, so this part is noise. A regression estimates the worth of each
dealt level. From each win share, the worth of the seat's levels is subtracted, and the mean worth over the seats of the
game is added. The adjustment has expectation 0 for every seat, whatever the coefficients, as long as these do not
depend on the game itself. So each fold of blocks is adjusted with coefficients from the other folds, and the estimates
stay exactly unbiased (Lavenberg and Welch 1981, "A perspective on the use of control variables to increase the
efficiency of Monte Carlo simulations", Management Science 27; cross-fitting as in Wager, Du, Taylor and Tibshirani
2016, "High-dimensional regression adjustments in randomized experiments", PNAS 113). The win shares of a game still add
up to 1. If seats have no effect, their results are still exchangeable, so tests that permute them stay valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from rogsim.results.results import Results
from rogsim.stats.blocks import BlockRows, Floats, Ints, parts

FOLDS = 7  # a prime, so that folds do not coincide with line-ups of bots
BLOCKS_EACH = 20  # for each level: with fewer, the coefficients would add more noise than they remove
TINY = 1e-9  # an eigenvalue this small relative to the largest is 0: levels are collinear


class Dealt:
    """The worth of dealt levels, fitted for each fold of blocks on all the others.

    The model is additive: it regresses the win share minus the seat's mean on indicators of the seat's levels minus
    their mean over the seats of the game.

    Parameters
    ----------
    columns
        Columns of seats.
    levels
        Levels of each column.
    """

    def __init__(self, columns: Sequence[str], levels: Sequence[Sequence[Any]], players: int) -> None:
        self.columns, self.levels, self.players = tuple(columns), [list(names) for names in levels], players
        self.size = sum(map(len, self.levels))
        self.blocks = 0
        self._moments = np.zeros((FOLDS, self.size, self.size))
        self._wins = np.zeros((FOLDS, self.size))
        self._counts = np.zeros((FOLDS, self.size, players))
        self._shares = np.zeros((FOLDS, players))
        self._games = np.zeros(FOLDS)

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        self.blocks += len(part.starts)
        fold, codes = _folds(part), self._codes(part)
        self._games += np.bincount(fold, minlength=FOLDS)
        for seat in range(self.players):
            self._shares[:, seat] += np.bincount(fold, part.wins[:, seat], FOLDS)
            for code in codes:
                index = fold * (self.size + 1) + code[:, seat]
                self._counts[:, :, seat] += self._by_fold(index)
                self._wins += self._by_fold(index, part.wins[:, seat])
        for code in codes:
            for other in codes:
                self._add_products(fold, code, other)

    def _add_products(self, fold: Ints, code: Ints, other: Ints) -> None:
        """Add the products of the model columns of two factors."""
        width = self.size + 1
        for first in range(self.players):
            for second in range(self.players):
                index = (fold * width + code[:, first]) * width + other[:, second]
                count = np.bincount(index, minlength=FOLDS * width**2).reshape(FOLDS, width, width)[:, :-1, :-1]
                self._moments += count * ((first == second) - 1 / self.players)

    def _by_fold(self, index: Ints, weight: Floats | None = None) -> Floats:
        width = self.size + 1
        found = np.bincount(index, weight, FOLDS * width).reshape(FOLDS, width)[:, :-1]
        return np.asarray(found, dtype=np.float64)

    def _codes(self, part: BlockRows) -> list[Ints]:
        """Return for each column the index of each row's level among those of all columns, the last one for none."""
        found, first = [], 0
        for column, levels in zip(self.columns, self.levels, strict=True):
            code = part.codes(column, levels)
            found.append(np.where(code < 0, self.size, code + first))
            first += len(levels)
        return found

    @property
    def is_known(self) -> bool:
        """Return whether there are enough blocks for an adjustment."""
        return self.blocks >= BLOCKS_EACH * self.size

    @cached_property
    def worths(self) -> Floats:
        """Return the worth of each level in win share, float64[folds, levels]; call it once all blocks are added."""
        return np.array([self._fitted(np.arange(FOLDS) != fold) for fold in range(FOLDS)])

    def _fitted(self, kept: Any) -> Floats:
        means = self._shares[kept].sum(axis=0) / max(self._games[kept].sum(), 1.0)
        # The win shares of a game minus these means add up to 0, so the mean over its seats cancels.
        moments = self._wins[kept].sum(axis=0) - self._counts[kept].sum(axis=0) @ means
        inverse = np.linalg.pinv(self._moments[kept].sum(axis=0), rcond=TINY, hermitian=True)
        return np.asarray(inverse @ moments, dtype=np.float64)

    def adjusted(self, part: BlockRows) -> BlockRows:
        """Return blocks with the luck of the deal removed from the win shares."""
        padded = np.hstack([self.worths, np.zeros((FOLDS, 1))])
        fold = _folds(part)[:, None]
        worth = np.zeros_like(part.wins)
        for code in self._codes(part):
            worth += padded[fold, code]
        return part.with_wins(part.wins - worth + worth.mean(axis=1, keepdims=True))


def fit_dealt(results: Results, columns: Sequence[str], levels: Mapping[str, Sequence[Any]], players: int) -> Dealt:
    """Fit the worth of dealt levels on all games with one number of players.

    Parameters
    ----------
    columns
        Columns of seats that were dealt.
    levels
        Levels by column.
    """
    found = Dealt(columns, [levels[column] for column in columns], players)
    for part in parts(results, players, ["win_share", *columns], []):
        found.add(part)
    return found


def _folds(part: BlockRows) -> Ints:
    return np.asarray(part.games["block"].to_numpy() % FOLDS, dtype=np.int64)
