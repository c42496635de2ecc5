"""Ratings from whole finishing orders: the Plackett-Luce model, on the Elo scale, with intervals over blocks.

The model builds an order from the front: among the bots that are not placed yet, one of strength s comes next with
probability s / (sum of all their strengths). For two bots this is the Elo formula. A rating is 400 / ln 10 * ln s, and
the ratings have mean 0 (Plackett 1975, "The analysis of permutations", Applied Statistics 24).

One won and one lost game between each pair of bots are added to the games played, so that a bot that never loses has a
finite rating; after some hundred games the effect is negligible. But no game can show how far such a bot is from the
others. So the mean is taken over the largest set of *joined* bots: each of them has finished ahead of every other one,
directly or through other bots. The rating of a bot outside this set depends on the added games, and has no interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

import choix
import numpy as np
from numpy.typing import NDArray
from scipy import sparse, stats
from scipy.sparse.csgraph import connected_components

from rogsim.stats.estimates import CONFIDENCE

ELO = 400 / math.log(10)  # points of rating for a unit of log strength
DRAWS = 1_000  # bootstrap samples; the ends of an interval are then accurate to about 5% of its width
SEED = 20_240_413  # any fixed number: the same intervals each time
DRAWS_AT_ONCE = 50
MOST_AT_ONCE = 100_000  # numbers of each array while samples are fitted
STEPS, CLOSE, LONGEST_STEP = 100, 1e-10, 2.0  # of Newton's method, in units of log strength

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Ratings:
    """Ratings of several bots, in Elo points.

    Attributes
    ----------
    value : float64[bots]
        Ratings, with mean 0 over the joined bots.
    draws : float64[draws, bots]
        The same for bootstrap samples of the blocks.
    joined : bool[bots]
        Whether the games determine a bot's distance from the others; if not, it has no interval.
    blocks
        Number of blocks, or 0 if unknown; the intervals are then not widened.
    """

    value: Floats
    draws: Floats
    joined: NDArray[np.bool_]
    blocks: int = 0

    @property
    def low(self) -> Floats:
        """Return the lower ends of the 95% intervals; nan with a single block, and for a bot joined to no other."""
        return np.where(self.compared, self._end(self.value, self.draws, -1), np.nan)

    @property
    def high(self) -> Floats:
        """Return the upper ends of the 95% intervals; nan with a single block, and for a bot joined to no other."""
        return np.where(self.compared, self._end(self.value, self.draws, 1), np.nan)

    @property
    def compared(self) -> NDArray[np.bool_]:
        """Return which bots are joined to another one, bool[bots]."""
        return self.joined & (self.joined.sum() > 1)

    @property
    def widened(self) -> float:
        """Return the factor by which the ends of an interval are farther from the rating than quantiles of the draws.

        Bootstrap samples of blocks spread too little, by the square root of (blocks - 1) / blocks, and their quantiles
        are about normal where Student's are needed.

        References
        ----------
        Hesterberg 2015, "What teachers should know about the bootstrap", American Statistician 69, section 4.1.3.
        """
        if self.blocks < 2:
            return 1.0
        tail = 0.5 + CONFIDENCE / 2
        student = float(stats.t.ppf(tail, self.blocks - 1)) / float(stats.norm.ppf(tail))
        return student * math.sqrt(self.blocks / (self.blocks - 1))

    def _end(self, value: Floats, draws: Floats, side: int) -> Floats:
        return np.asarray(value + self.widened * (np.quantile(draws, 0.5 + side * CONFIDENCE / 2, axis=0) - value))

    def lead(self, bot: int, other: int) -> tuple[float, float, float]:
        """Return the rating of a bot minus that of another, and both ends of the 95% interval, in Elo points.

        The ends are nan if the games do not determine the difference.

        Parameters
        ----------
        bot, other
            Indices of the bots.
        """
        difference = float(self.value[bot] - self.value[other])
        if not (self.joined[bot] and self.joined[other]):
            return difference, math.nan, math.nan
        drawn = self.draws[:, bot] - self.draws[:, other]
        low, high = (float(self._end(np.array(difference), drawn, side)) for side in (-1, 1))
        return difference, low, high


def finishing_orders(bots: NDArray[np.int64], ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bots of each game from first to last, int64[games, seats].

    The order of tied seats is drawn at random, because the model has no ties; in the long run each gets half of the
    credit. The draws are the same every time.

    Parameters
    ----------
    bots : int64[games, seats]
        The index of the bot in each seat.
    ranks : int64[games, seats]
        The place of each seat, 1 = first.
    """
    lots = np.random.default_rng(SEED).random(bots.shape)
    return np.take_along_axis(bots, np.lexsort((lots, ranks), axis=1), axis=1)


def rate(orders: NDArray[np.int64], blocks: NDArray[np.int64], count: int, draws: int = DRAWS) -> Ratings:
    """Rate bots 0 .. count-1 by the orders in which they finished.

    Parameters
    ----------
    orders : int64[games, seats]
        Bots from first to last.
    blocks : int64[games]
        Games with the same number share a deal, so the bootstrap draws whole blocks.
    draws
        Number of bootstrap samples.
    """
    stages = _Stages(orders, blocks, count)
    start = stages.fit(stages.sums(np.ones((1, stages.blocks))), np.zeros(count))[0]
    value = _by_choix(orders, count, start)
    joined = largest_joined(orders, count)
    drawn = [np.full((draws, count), np.nan)]
    if stages.blocks > 1:
        generator = np.random.default_rng(SEED)
        sizes = [min(DRAWS_AT_ONCE, draws - first) for first in range(0, draws, DRAWS_AT_ONCE)]
        sums = (stages.sums(_draw_blocks(generator, size, stages.blocks)) for size in sizes)
        drawn = [stages.fit(part, value) for part in sums]
    return Ratings(_centred(ELO * value, joined), _centred(ELO * np.concatenate(drawn), joined), joined, stages.blocks)


def largest_joined(orders: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    """Return which bots are in the largest set whose members each finished ahead of every other, bool[bots].

    A bot that finished ahead of a second one, which finished ahead of a third, counts as ahead of the third.

    Parameters
    ----------
    orders : int64[games, seats]
        Bots from first to last.
    """
    ahead = np.zeros((count, count))
    for first, second in combinations(range(orders.shape[1]), 2):
        np.add.at(ahead, (orders[:, first], orders[:, second]), 1)
    _, part = connected_components(sparse.csr_array(ahead), directed=True, connection="strong")
    sizes = np.bincount(part)
    largest = part[int(np.argmax(sizes[part]))]
    return np.asarray(part == largest)


def _centred(ratings: Floats, joined: NDArray[np.bool_]) -> Floats:
    return ratings - ratings[..., joined].mean(axis=-1, keepdims=True)


def _by_choix(orders: NDArray[np.int64], count: int, start: Floats) -> Floats:
    """Return the maximum likelihood log strengths, mean 0: one step of choix's iteration, which ends at `start`."""
    games = [*orders.tolist(), *map(list, permutations(range(count), 2))]
    found = np.asarray(choix.lsr_rankings(count, games, initial_params=start))
    return found - found.mean()


def _draw_blocks(generator: np.random.Generator, draws: int, blocks: int) -> Floats:
    """Return how often each block is drawn, float64[draws, blocks]."""
    return np.array(
        [np.bincount(generator.integers(blocks, size=blocks), minlength=blocks) for _ in range(draws)], dtype=np.float64
    )


class _Stages:
    """Orders as choices: which bots were still to be placed, and which one came next.

    The likelihood of any number of games depends only on how often each bot came next and how often each group was
    there to choose from. A fast bootstrap over blocks needs weights, which choix does not support; so the samples are
    fitted here, with the same likelihood.
    """

    def __init__(self, orders: NDArray[np.int64], blocks: NDArray[np.int64], count: int) -> None:
        seats = orders.shape[1]
        _, block = np.unique(blocks, return_inverse=True)
        self.count, self.blocks = count, int(block.max()) + 1
        # A group is written as the sorted numbers of its bots, as digits; 0 stands for nobody.
        digits = (count + 1) ** np.arange(seats)
        groups = [np.sort(orders[:, place:], axis=1) + 1 for place in range(seats - 1)]
        codes = np.concatenate([group @ digits[: group.shape[1]] for group in groups])
        known, group = np.unique(codes, return_inverse=True)
        members = known[:, None] // digits % (count + 1)
        self._played = np.stack([(members == bot + 1).sum(axis=1) for bot in range(count)], axis=1)
        placed = np.concatenate([orders[:, place] for place in range(seats - 1)])
        rows = np.tile(block, seats - 1)
        columns = np.concatenate([placed, count + group])
        ones = np.ones(len(columns))
        shape = (self.blocks, count + len(known))
        # [blocks, bots + groups]: how often each bot came next, or each group was there to choose from
        self._sums = sparse.coo_array((ones, (np.tile(rows, 2), columns)), shape=shape).tocsr()

    @cached_property
    def members(self) -> Floats:
        """Return how many of each bot are in each group, float64[groups, bots]; the added pairs come last."""
        pairs = [np.eye(self.count)[i] + np.eye(self.count)[j] for i, j in permutations(range(self.count), 2)]
        return np.concatenate([self._played, np.array(pairs)])

    def sums(self, weights: Floats) -> Floats:
        """Return sums over blocks, weighted by how often each was drawn: float64[draws, bots + groups]."""
        played = np.asarray((self._sums.T @ weights.T).T)
        pairs = self.count * (self.count - 1)
        played[:, : self.count] += self.count - 1
        return np.concatenate([played, np.ones((len(played), pairs))], axis=1)

    def fit(self, sums: Floats, start: Floats) -> Floats:
        """Return the log strengths that maximise the likelihood of each row of sums, mean 0, float64[draws, bots]."""
        rows = max(1, MOST_AT_ONCE // self.members.size)
        return np.concatenate([self._fit(sums[first : first + rows], start) for first in range(0, len(sums), rows)])

    def _fit(self, sums: Floats, start: Floats) -> Floats:
        """Do the same by Newton's method, for rows that are few enough for the processor's cache."""
        came_next, chances = sums[:, : self.count], sums[:, self.count :]
        strength = np.tile(start - start.mean(), (len(sums), 1))
        bots, going = np.arange(self.count), np.arange(len(sums))
        for _ in range(STEPS):
            share = self.members * np.exp(strength[going])[:, None, :]
            share /= share.sum(axis=2, keepdims=True)
            weights = chances[going]
            expected = (weights[:, None, :] @ share)[:, 0, :]
            information = -(share.transpose(0, 2, 1) @ (weights[:, :, None] * share))
            information[:, bots, bots] += expected
            # The likelihood does not determine the mean: this fixes it.
            information += (expected.mean(axis=1) / self.count)[:, None, None]
            step = np.linalg.solve(information, (came_next[going] - expected)[:, :, None])[:, :, 0]
            longest = np.abs(step).max(axis=1)
            strength[going] += step * np.minimum(1.0, LONGEST_STEP / np.maximum(longest, CLOSE))[:, None]
            going = going[longest >= CLOSE]
            if not len(going):
                break
        return strength - strength.mean(axis=1, keepdims=True)
