"""Win shares and means with 95% intervals, from blocks of games.

The unit is the block: games of one block share a deal, so their rows are not independent and count as one
cluster. An estimate is the ratio of two sums over clusters (a value, and the number of rows), with the ratio
estimator's variance (Cochran 1977, "Sampling Techniques", 6.3), which also holds for blocks of unequal size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from rogsim.stats.special_functions import stdtrit

CONFIDENCE = 0.95
ALPHA = 1 - CONFIDENCE
FEWEST_TOLD = 30  # blocks in which what is averaged is not 0; with fewer, a mean of what is mostly 0 is too skewed
BLOCKS_AT_ONCE = 200_000  # there is a group for each block and seat: this limits memory
FEW_WINS, ENOUGH_WINS = 10, 30  # sum of squared differences between blocks, in wins: how well their spread is known


@dataclass(frozen=True)
class Estimate:
    """An estimate with its interval, 95% unless stated otherwise.

    Attributes
    ----------
    low
        End of the interval; nan with a single block, which gives no interval.
    high
        The other end.
    n
        Number of rows behind it.
    effective
        The number of independent games with the same information; more than `n` where rotation of seats removed
        noise.
    """

    value: float
    low: float
    high: float
    n: int
    effective: float

    def minus(self, reference: float) -> Estimate:
        """Return the difference from a number that is known exactly."""
        shifted = (self.value - reference, self.low - reference, self.high - reference)
        return Estimate(*shifted, self.n, self.effective)

    @property
    def half_width(self) -> float:
        """Return the distance from the value to the farther end of the interval."""
        return max(self.high - self.value, self.value - self.low)


@dataclass(frozen=True)
class Clusters:
    """Sums over blocks from which an estimate is computed; y is a block's sum of the value, m its number of rows."""

    blocks: int
    rows: int  # or the sum of their sizes
    total: float  # sum of y
    squares: float  # sum of y * y
    cross: float  # sum of y * m
    sizes: float  # sum of m * m
    told: float = math.inf  # blocks in which y is not 0

    @property
    def value(self) -> float:
        """Return the mean over rows."""
        return self.total / self.rows

    @property
    def variance(self) -> float:
        """Return the variance of the mean; nan with a single block."""
        if self.blocks < 2:
            return math.nan
        residuals = self.squares - 2 * self.value * self.cross + self.value**2 * self.sizes
        if residuals <= 1e-12 * max(self.squares, 1.0):
            return 0.0  # no more than rounding
        return residuals * self.blocks / (self.blocks - 1) / self.rows**2


def by_size(value: float) -> tuple[float, float]:
    """Return a key that orders effects by size; of two that are as large but for rounding, the positive one is larger.

    A tie is usual: both seats of a game with two players are equally far from fair. nan is smaller than any number.
    """
    return (-1.0, 0.0) if math.isnan(value) else (round(abs(value), 9), value)


def clusters(
    rows: pl.LazyFrame, values: Sequence[str], by: Sequence[str], size: str | None = None
) -> dict[tuple[Any, ...], dict[str, Clusters]]:
    """Sum columns of seats or games by block. The rows need not fit in memory.

    Parameters
    ----------
    rows
        Rows of seats or games; they must have the columns `players` and `block`.
    values
        Columns to sum.
    by
        Columns that define the groups.
    size
        A column of whole numbers, by default 1 for each row. The mean is the ratio of two sums, value by size.

    Returns
    -------
    dict[tuple, dict[str, Clusters]]
        For each group, in ascending order, the clusters of each value.
    """
    last = rows.select(pl.col("block").max()).collect().item()
    starts = range(0, last + 1, BLOCKS_AT_ONCE)
    ranges = (rows.filter(pl.col("block").is_between(start, start + BLOCKS_AT_ONCE - 1)) for start in starts)
    table = pl.concat([_sums(part, values, by, size) for part in ranges])
    table = table.group_by(list(by)).agg(pl.exclude(by).sum()).sort(list(by))
    return {
        tuple(row[name] for name in by): {value: _from_sums(row, value) for value in values}
        for row in table.iter_rows(named=True)
    }


def share(group: Clusters, quantile: float | None = None) -> Estimate:
    """Estimate a win share, 0 to 1, with Wilson's interval on the effective number of independent games.

    If the blocks do not differ at all (nobody ever won, or each block came out the same) a block counts as one game.

    Parameters
    ----------
    quantile
        Half width of the interval in standard errors, by default Student's, which is larger if there are few blocks.
    """
    value, variance, z = group.value, group.variance, quantile or student(group.blocks)
    if math.isnan(variance) or math.isnan(z):
        return Estimate(value, math.nan, math.nan, group.rows, math.nan)
    effective = effective_games(value, variance, group.rows, group.blocks)
    low, high = wilson(value, effective, z)
    return Estimate(value, low, high, group.rows, effective)


def effective_games(value: float, variance: float, rows: float, blocks: float) -> float:
    """Return the number of independent games with the same information about a share as its rows.

    Rotation may make rows worth more than the same number of games, but this counts only if the spread is known. If the
    squared differences of the blocks add up to at most FEW_WINS wins, a row counts as one game at most; from
    ENOUGH_WINS on the spread is trusted.

    Parameters
    ----------
    value
        The share, 0 to 1.
    variance
        Variance of the share, between blocks.
    rows, blocks
        Numbers of rows and blocks behind it.
    """
    spread = value * (1 - value)
    if not (variance > 0 and spread > 0):
        return float(blocks)
    games = spread / variance
    trust = (variance * rows**2 - FEW_WINS) / (ENOUGH_WINS - FEW_WINS)
    return min(games, rows * (games / rows) ** min(max(trust, 0.0), 1.0))


def mean(group: Clusters, quantile: float | None = None) -> Estimate:
    """Estimate a mean, in its own unit, with an interval, the blocks as clusters.

    Parameters
    ----------
    quantile
        Half width of the interval in standard errors. By default Student's, but there is no interval if the value is 0
        in most blocks and not 0 in fewer than FEWEST_TOLD.
    """
    if quantile is None:
        quantile = student(group.blocks) if group.told >= min(FEWEST_TOLD, group.blocks / 2) else math.nan
    reach = quantile * math.sqrt(group.variance)
    return Estimate(group.value, group.value - reach, group.value + reach, group.rows, float(group.blocks))


def wilson(value: float, n: float, z: float) -> tuple[float, float]:
    """Return Wilson's score interval for a share.

    Parameters
    ----------
    value
        The share, 0 to 1.
    n
        Number of independent games, which need not be whole.
    z
        Quantile, in standard errors.

    References
    ----------
    Wilson 1927, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22.
    """
    value = min(max(value, 0.0), 1.0)  # an adjusted share may lie slightly outside
    middle = (value + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(value * (1 - value) / n + z * z / (4 * n * n))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def student(blocks: float, confidence: float = CONFIDENCE) -> float:
    """Return the two-sided quantile of Student's t for a number of blocks; nan with a single block."""
    return float(stdtrit(blocks - 1, 0.5 + confidence / 2)) if blocks > 1 else math.nan


def _sums(rows: pl.LazyFrame, values: Sequence[str], by: Sequence[str], size: str | None) -> pl.DataFrame:
    """Return the sums of `Clusters` for each group; those of several sets of blocks can be added."""
    block = list(dict.fromkeys([*by, "players", "block"]))
    totals = [pl.col(value).cast(pl.Float64).sum().alias(f"y:{value}") for value in values]
    sizes = pl.len() if size is None else pl.col(size).cast(pl.Float64).sum()
    by_block = rows.group_by(block).agg(sizes.cast(pl.Float64).alias("m"), *totals)
    m = pl.col("m")
    parts = [pl.len().alias("blocks"), m.sum().alias("rows"), (m**2).sum().alias("sizes")]
    for value in values:
        y = pl.col(f"y:{value}")
        parts += [
            y.sum().alias(f"total:{value}"),
            (y**2).sum().alias(f"squares:{value}"),
            (y * m).sum().alias(f"cross:{value}"),
            (y != 0).sum().alias(f"told:{value}"),
        ]
    # The streaming engine needs half the memory.
    return by_block.group_by(list(by)).agg(parts).collect(engine="streaming")


def _from_sums(row: dict[str, Any], value: str) -> Clusters:
    sums = {kind: row[f"{kind}:{value}"] for kind in ("total", "squares", "cross", "told")}
    return Clusters(row["blocks"], int(row["rows"]), sizes=row["sizes"], **sums)
