"""Bins of histograms: one width for all lines and panels of a figure, so that heights are comparable."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

SHOWN = 0.995  # of each series; values beyond this for all of them are in the tables but not in the figure
FEWEST, MOST = 12, 120  # bins: in the narrowest series, and in the widest


def binned(frame: pl.DataFrame) -> pl.DataFrame:
    """Return histograms on common bins, which start at multiples of their width.

    Parameters
    ----------
    frame
        Columns bots, players, value (whole numbers) and count.

    Returns
    -------
    DataFrame
        Columns bots, players, x (lower end of a bin), width (of the bin) and share (of all values, from 0 to 1).
    """
    by = ["bots", "players"]
    counted = frame.group_by(*by, "value", maintain_order=True).agg(pl.col("count").sum()).sort(*by, "value")
    width = common_width([part for _, part in counted.group_by(by, maintain_order=True)])
    below = pl.col("count").cum_sum().over(by) - pl.col("count")
    last = pl.col("value").filter(below < SHOWN * pl.col("count").sum().over(by)).max().over("players")
    x = pl.col("value") // width * width
    filled = (
        counted.with_columns((pl.col("count") / pl.col("count").sum().over(by)).alias("share"), last.alias("last"))
        .filter(pl.col("value") // width <= pl.col("last") // width)
        .group_by(*by, x.alias("x"), maintain_order=True)
        .agg(pl.col("share").sum())
    )
    every = (
        filled.group_by(by, maintain_order=True)
        .agg(pl.int_ranges(pl.col("x").min(), pl.col("x").max() + width, width).explode().alias("x"))
        .explode("x")
    )
    return every.join(filled, on=[*by, "x"], how="left", maintain_order="left").select(
        *by, "x", pl.lit(width).alias("width"), pl.col("share").fill_null(0.0)
    )


def common_width(parts: list[pl.DataFrame]) -> int:
    """Return the width of bins that suits several series, each of value and count sorted by value.

    It is the largest width that the rule of Freedman and Diaconis, 2 IQR / n^(1/3), gives for any of them, as few games
    need wide bins. It is limited so that the narrowest series still has FEWEST bins and the widest at most MOST.

    References
    ----------
    Freedman and Diaconis (1981), "On the histogram as a density estimator: L2 theory", Zeitschrift für
    Wahrscheinlichkeitstheorie und verwandte Gebiete 57.
    """
    wanted, ranges = [], []
    for part in parts:
        values, counts = part["value"].to_numpy(), part["count"].to_numpy()
        first, low, high, last = np.quantile(
            values, [0, 0.25, 0.75, SHOWN], weights=counts.astype(float), method="inverted_cdf"
        ).tolist()
        wanted.append(2 * (high - low) / float(counts.sum()) ** (1 / 3))
        ranges.append(last - first + 1)
    width = min(max(wanted), min(ranges) / FEWEST)
    return max(1, round(width), math.ceil(max(ranges) / MOST))
