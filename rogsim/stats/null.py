"""Wins if nothing had an effect: covariances under the null hypothesis, and the tests based on them.

A level in few blocks has few wins to estimate a spread from, and a level that always wins has no spread at all. So
tests do not use the observed spread of the level. They use the spread that its wins have if results fall on the seats
of a block at random, which is known exactly from all blocks (score tests; for a single table of counts this is
Pearson's test).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from rogsim.stats.blocks import BlockRows, Floats, Ints
from rogsim.stats.contrasts import ALONE, JointTest
from rogsim.stats.special_functions import betainc, chdtrc

LEAST_ROWS = 30  # a level with fewer gets no test
LEAST_BLOCKS = 10  # likewise, where a block holds several games
LEAST_IN_CELL = 5  # rows of a cell that takes part in a test of many cells
AT_ONCE = 4_000_000  # numbers held at once: limits memory
FLIPS = 9_999  # random sign flips; with the observed signs they make 10,000
MOST_FLIPPED = 300  # blocks that differ; with more of them the statistic follows its chi-squared distribution
ALL_FLIPS = 13  # blocks that differ; with at most this many all sign flips are enumerated
PINELIS = 2 * math.e**3 / 9  # see `flip_test`
SEED = 20_240_229  # any fixed number: the same draws each time

Rows = Callable[[int, int], Floats]


class Exchanged:
    """The covariance of sums over rows if, in each block, whole seats exchange their results at random.

    A seat keeps its luck over the games of a block, so what is exchanged is the whole column of its results.

    Attributes
    ----------
    covariance : float64[size, size]
        Covariance of the sum over rows of x times the win share above fair, conditional on x.

    References
    ----------
    Hoeffding 1951, "A combinatorial central limit theorem", Annals of Mathematical Statistics 22.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.covariance = np.zeros((size, size))

    def add_codes(self, part: BlockRows, codes: Ints) -> None:
        """Add blocks; x indicates the level of a row.

        Parameters
        ----------
        codes : int64[games, players]
            The index of each row's level, negative for none.
        """
        levels = np.arange(self.size)
        self.add(part, lambda start, stop: np.asarray(codes[start:stop, :, None] == levels, dtype=np.float64))

    def add(self, part: BlockRows, rows: Rows) -> None:
        """Add blocks. rows: function of first and last game that returns their x, float64[games, players, size]."""
        for moves in exchanges(part, rows, self.size):
            self.covariance += moves.T @ moves


def exchanges(part: BlockRows, rows: Rows, size: int) -> Iterator[Floats]:
    """Yield matrices float64[n, size] whose cross products add up to the covariance that `Exchanged` describes.

    Parameters
    ----------
    rows
        Function as in `Exchanged.add`.
    size
        Number of columns of x.
    """
    won = part.wins - 1 / part.players
    others = max(part.players - 1, 1)
    if len(part.starts) == part.games.height:
        spread = np.sqrt((won**2).sum(axis=1) / others)
        for start, stop in _stretches(part, size * part.players):
            x = rows(start, stop)
            x = x - x.mean(axis=1, keepdims=True)
            yield (x * spread[start:stop, None, None]).reshape(-1, size)
        return
    for start, stop in _stretches(part, size * part.players**2):
        x = rows(start, stop)
        x = x - x.mean(axis=1, keepdims=True)
        pairs = x[:, :, None, :] * won[start:stop, None, :, None]
        first, last = np.searchsorted(part.starts, (start, stop))
        yield np.add.reduceat(pairs, part.starts[first:last] - start, axis=0).reshape(-1, size) / math.sqrt(others)


def _stretches(part: BlockRows, width: int) -> Iterator[tuple[int, int]]:
    """Yield stretches of whole blocks, as the first game and the game after the last; width: numbers for each game."""
    ends = np.r_[part.starts[1:], part.games.height]
    start, most = 0, max(1, AT_ONCE // width)
    while start < part.games.height:
        first = int(np.searchsorted(ends, start, side="right"))
        last = max(first, int(np.searchsorted(ends, start + most, side="right")) - 1)
        yield start, int(ends[last])
        start = int(ends[last])


def score_test(value: Floats, covariance: Floats, blocks: int, nuisance: Floats | None = None) -> JointTest:
    """Test that several sums or shares are 0, by their covariance under the null hypothesis (chi-squared score test).

    Values that the others determine take no degree of freedom.

    Parameters
    ----------
    value : float64[k]
    covariance : float64[k, k]
        Covariance under the null hypothesis.
    blocks
        Number of blocks behind the test.
    nuisance : float64[k, m]
        Columns whose combinations are not tested, such as main effects in a test of interaction.
    """
    errors = np.sqrt(np.diag(covariance))
    kept = np.flatnonzero((errors > 0) & ~np.isnan(value))
    if len(kept) == 0:
        nothing = len(value) > 1 and not np.isnan(value).any() and bool((np.abs(value) < ALONE).all())
        return JointTest(0.0, 0, blocks, 1.0) if nothing else JointTest(math.nan, 0, blocks, math.nan)
    z, spread = value[kept] / errors[kept], covariance[np.ix_(kept, kept)] / np.outer(errors[kept], errors[kept])
    if nuisance is not None:
        free = _projection(nuisance[kept] / errors[kept, None])
        z, spread = free @ z, free @ spread @ free
    sizes, axes = np.linalg.eigh(spread)
    free_axes = sizes > ALONE * max(float(sizes[-1]), ALONE)
    df = int(free_axes.sum())
    if df == 0:
        return JointTest(math.nan, 0, blocks, math.nan)
    squares = float(((axes[:, free_axes].T @ z) ** 2 / sizes[free_axes]).sum())
    return JointTest(squares / df, df, blocks, float(chdtrc(df, squares)))


def flip_test(differences: Floats) -> JointTest:
    """Test that paired differences are 0, by the signs that their blocks could have had.

    Swapping the two sides of a block flips the sign of all its differences. If nothing differs, this changes neither
    the distribution of the data nor the uncentred second moments, which are the covariance under the null hypothesis.
    So p is the share of sign flips with a statistic at least as large: among all flips if there are few blocks, among
    10,000 if there are more. With more than MOST_FLIPPED blocks it is the chi-squared tail, multiplied by 2 e^3 / 9 if
    a level differs in few blocks; this is a bound for any number of blocks (Pinelis). With fewer than LEAST_BLOCKS
    blocks p is nan; blocks without any difference count only for this limit.

    Parameters
    ----------
    differences : float64[blocks, k]
        What each block adds to the sums of the levels; levels with nan are left out.

    References
    ----------
    Pinelis 1994, "Extremal probabilistic problems and Hotelling's T2 test under a symmetry condition", Annals of
    Statistics 22.
    """
    blocks = len(differences)
    differences = differences[:, ~np.isnan(differences).any(axis=0)]
    if blocks < LEAST_BLOCKS or not differences.size:
        return JointTest(math.nan, 0, blocks, math.nan)
    size = float(np.abs(differences).max(initial=0.0))
    moved = np.where(np.abs(differences) > ALONE * size, differences, 0.0)
    moved = moved[moved.any(axis=1)][:, moved.any(axis=0)]
    if not len(moved):
        return JointTest(0.0, 0, blocks, 1.0)
    moved = moved / np.sqrt((moved**2).sum(axis=0))
    sizes, axes = np.linalg.eigh(moved.T @ moved)
    free = sizes > ALONE * sizes[-1]
    moved_free = moved @ (axes[:, free] / np.sqrt(sizes[free]))
    df, squares = int(free.sum()), float((moved_free.sum(axis=0) ** 2).sum())
    tail = float(chdtrc(df, squares))
    if len(moved) <= MOST_FLIPPED:
        # Rounding must not separate flips that are as far out as the observed signs.
        flipped = np.ascontiguousarray(moved_free.T) @ _signs(len(moved))
        beyond = np.einsum("df,df->f", flipped, flipped) >= squares * (1 - ALONE)
        p = float(beyond.mean()) if len(moved) <= ALL_FLIPS else (1 + int(beyond.sum())) / (1 + FLIPS)
        p = min(p, PINELIS * tail)
    else:
        few = np.count_nonzero(moved, axis=0).min() < LEAST_ROWS
        p = min(1.0, PINELIS * tail) if few else tail
    return JointTest(squares / df, df, blocks, p)


@cache
def _signs(blocks: int) -> Floats:
    """Return sign flips, float64[blocks, flips]: for few blocks all that differ in the statistic, else random ones."""
    if blocks <= ALL_FLIPS:
        signs = np.array([(1.0, *rest) for rest in itertools.product((1.0, -1.0), repeat=blocks - 1)])
        return np.ascontiguousarray(signs.T, dtype=np.float64)
    if blocks < MOST_FLIPPED:
        return _signs(MOST_FLIPPED)[:blocks]
    heads = np.random.default_rng(SEED).integers(0, 2, (blocks, FLIPS))
    return np.asarray(2.0 * heads - 1.0, dtype=np.float64)


def _projection(columns: Floats) -> Floats:
    """Return the projection matrix that removes all combinations of these columns."""
    return np.asarray(np.eye(len(columns)) - columns @ np.linalg.pinv(columns), dtype=np.float64)


def share_p_values(z: Floats, share: Floats | float, games: Floats) -> Floats:
    """Return two-sided p-values of shares by the exact binomial distribution, float64[k].

    A p-value is twice the smaller tail, so it is never too small. With few games the number of wins is skewed, and a
    normal distribution would reject too often above the fair share.

    Parameters
    ----------
    z : float64[k]
        How many standard errors a share is above its value under the null hypothesis.
    share
        Share under the null hypothesis, 0 to 1.
    games : float64[k]
        How many independent games have that standard error; they need not be whole. Without any, p is nan.
    """
    z, share, games = np.broadcast_arrays(np.asarray(z, dtype=np.float64), share, games)
    games = np.where(games > 0, games, np.nan)
    wins = np.clip(games * share + z * np.sqrt(games * share * (1 - share)), 0.0, games)
    # Rounding must not separate a number of wins from the whole number that it equals.
    wins = np.where(np.abs(wins - np.round(wins)) < 1e-9 * (1 + games), np.round(wins), wins)
    with np.errstate(invalid="ignore"):
        above = np.where(wins > 0, betainc(np.maximum(wins, 1e-300), games - wins + 1, share), 1.0)
        left = np.maximum(games - wins, 1e-300)
        below = np.where(wins < games, betainc(left, wins + 1, 1 - share), 1.0)
    p = np.minimum(1.0, 2 * np.minimum(above, below))
    return np.where(np.isnan(z) | np.isnan(games), np.nan, p)
