"""Runs of known truth, looked at again and again: how often an interval misses, at any look and where it stops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rogsim.experiments.run import look_schedule
from rogsim.stats.estimates import ENOUGH_WINS, FEW_WINS
from rogsim.stats.sequential import ANYTIME_BLOCKS as FEWEST_BLOCKS
from rogsim.stats.sequential import boundary
from scripts.studies.rates import Rate
from tests.dice_game.exact import RUNNER, sudden

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, int]], tuple[Floats, Floats]]

BLOCKS = 6_000  # of each run
AT_ONCE = 100  # runs
PLAIN = 1.959964  # what an interval for a single look reaches, in standard errors
DICE = sudden([RUNNER] * 3, 20)[2]


@dataclass(frozen=True)
class Case:
    """Runs of blocks with a known truth; draw gives each block's sum and size; target: a half width to stop at."""

    name: str
    truth: float
    target: float
    is_share: bool
    draw: Draw


@dataclass(frozen=True)
class Misses:
    """Shares of runs: missed at any block, at any of the looks, and where the run stopped; blocks played till then."""

    any_block: float
    any_look: float
    stop: float
    blocks: float


def _single(chance: float) -> Draw:
    return lambda generator, shape: ((generator.random(shape) < chance).astype(float), np.ones(shape))


def _shared(generator: np.random.Generator, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """A seat of four wins alone, with one other, with two others, or not."""
    return generator.choice([1.0, 0.5, 1 / 3, 0.0], p=[0.18, 0.1, 0.06, 0.66], size=shape), np.ones(shape)


def _rotated(generator: np.random.Generator, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """A bot in blocks of four games, whose the same deals favours it more or less: 0.3 on the whole."""
    return generator.binomial(4, generator.beta(1.5, 3.5, shape)).astype(float), np.full(shape, 4.0)


def _uneven(generator: np.random.Generator, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """A level that one to four seats of a block have, and that wins less often where more have it."""
    sizes = 1 + generator.binomial(3, 0.3, shape)
    return generator.binomial(sizes, 0.5 / sizes).astype(float), sizes.astype(float)


def _points(generator: np.random.Generator, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """Points with a long tail: an exponential distribution, of skewness 2."""
    return 40 + generator.exponential(10, shape), np.ones(shape)


def _long_tail(generator: np.random.Generator, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """Points with a very long tail: a log-normal distribution, of skewness 6.2."""
    return generator.lognormal(0, 1, shape), np.ones(shape)


CASES = (
    Case("a fair seat of four", 0.25, 0.025, True, _single(0.25)),
    Case("a seat that wins 2%", 0.02, 0.008, True, _single(0.02)),
    Case("third seat of the dice race", DICE, 0.025, True, _single(DICE)),
    Case("a seat with shared wins", 0.18 + 0.05 + 0.02, 0.025, True, _shared),
    Case("a bot, rotations with the same deals", 0.3, 0.018, True, _rotated),
    Case("a level in blocks of several sizes", 0.5 / 1.9, 0.017, True, _uneven),
    Case("points, exponential", 50.0, 0.6, False, _points),
    Case("points, log-normal", float(np.exp(0.5)), 0.13, False, _long_tail),
)


def follow(case: Case, runs: int, plain: bool = False, seed: int = 1) -> Misses:
    """Look at every block of many runs; plain: with the interval that is meant for one look."""
    stops = np.array(look_schedule(BLOCKS, 1)) - FEWEST_BLOCKS  # a block counts as a game here
    found = [_follow(*limits, case, stops) for limits in _batches(case, runs, plain, seed)]
    return Misses(*(float(figure) for figure in np.mean(np.concatenate(found), axis=0)))


def limits_of(sums: Floats, sizes: Floats, is_share: bool, plain: bool = False) -> tuple[Floats, Floats, Floats]:
    """Value, low and high of each run (row) after each block (column) from FEWEST_BLOCKS on."""
    first = FEWEST_BLOCKS - 1
    blocks = np.arange(1, sums.shape[1] + 1)
    parts = (sums, sizes, sums * sums, sums * sizes, sizes * sizes)
    total, rows, squares, cross, square_sizes = (np.cumsum(part, axis=1)[:, first:] for part in parts)
    blocks = blocks[first:]
    value = total / rows
    variance = (squares - 2 * value * cross + value**2 * square_sizes) * blocks / (blocks - 1) / rows**2
    reach = np.full(len(blocks), PLAIN) if plain else np.array([boundary(count) for count in blocks])
    if not is_share:
        return value, value - reach * np.sqrt(variance), value + reach * np.sqrt(variance)
    spread = value * (1 - value)
    flat = (variance <= 0) | (spread <= 0)
    games = spread / np.where(flat, 1, variance)
    trust = np.clip((variance * rows**2 - FEW_WINS) / (ENOUGH_WINS - FEW_WINS), 0, 1)
    n = np.where(flat, blocks, np.minimum(games, rows * (games / rows) ** trust))
    middle = (value + reach**2 / (2 * n)) / (1 + reach**2 / n)
    half = reach / (1 + reach**2 / n) * np.sqrt(spread / n + reach**2 / (4 * n * n))
    return value, middle - half, middle + half


def _batches(case: Case, runs: int, plain: bool, seed: int) -> Iterator[tuple[Floats, Floats, Floats]]:
    generator = np.random.default_rng(seed)
    for start in range(0, runs, AT_ONCE):
        yield limits_of(*case.draw(generator, (min(AT_ONCE, runs - start), BLOCKS)), case.is_share, plain)


def _follow(value: Floats, low: Floats, high: Floats, case: Case, stops: NDArray[np.int64]) -> Floats:
    """For each run: missed at any block, at any look, at the stop, and blocks at the stop."""
    missed = (low > case.truth) | (high < case.truth)
    narrow = np.maximum(high - value, value - low)[:, stops] <= case.target
    narrow[:, -1] = True  # the cap
    stop = stops[narrow.argmax(axis=1)]
    at_stop = missed[np.arange(len(missed)), stop]
    return np.column_stack([missed.any(axis=1), missed[:, stops].any(axis=1), at_stop, stop + FEWEST_BLOCKS])


def rates(runs: int = 10_000) -> Iterator[Rate | str]:
    """Seats, bots and points with known means, looked at after every block."""
    for case in CASES:
        found, plain = follow(case, runs), follow(case, runs, plain=True)
        yield Rate(f"{case.name}: the interval misses at any block", BLOCKS, 5, found.any_block * runs, runs)
        yield (
            f"{case.name}: a plain interval misses at any block in {plain.any_block:.1%}, "
            f"where it is narrow enough in {plain.stop:.1%}"
        )
