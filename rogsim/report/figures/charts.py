"""Charts of distributions, of estimates along a number, and of the parts that make up a whole."""

from __future__ import annotations

import math
from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from rogsim.report.figures.style import (
    BAND,
    COLOURS,
    INK,
    MORE_COLOURS,
    axis_labels,
    colour,
    dash,
    dot_handle,
    fair_handles,
    fair_line,
    is_left,
    legend,
    legend_of,
    line_handle,
    marker,
    names_of,
    new_figure,
    panels_of,
    rows_of,
    signed,
    styled,
    text_on,
    thousands,
)

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


def histogram(frame: pl.DataFrame, axis: str, share_axis: str = "share") -> Figure:
    """Draw distributions as outlines, a panel for each `panel` and a line for each `series`.

    All panels have the same axes and all lines the same bins, so that heights are comparable.

    Parameters
    ----------
    frame
        Columns panel and series, and those of `bins.binned`: x, the lower end of a bin; width, of the bin; share, of
        all values, from 0 to 1.
    axis
        Label of the values.
    share_axis
        Label of the shares.
    """
    panels, series = names_of(frame, "panel"), names_of(frame, "series")
    with styled():
        figure = new_figure(0.9 + 1.9 * rows_of(panels))
        axes = panels_of(figure, panels, sharex=True, sharey=True)
        for ax, panel in zip(axes, panels, strict=False):
            for place, name in enumerate(series):
                part = frame.filter(pl.col("panel") == panel, pl.col("series") == name).sort("x")
                if part.is_empty():
                    continue
                edges = np.append(part["x"].to_numpy(), part["x"][-1] + part["width"][-1])
                tops = 100 * part["share"].to_numpy()
                if len(series) == 1:
                    ax.stairs(tops, edges, color=colour(place), fill=True, alpha=0.25)
                ax.stairs(tops, edges, color=colour(place), linewidth=1.6, linestyle=dash(place))
            ax.set_title(panel)
            ax.grid(axis="y")
            ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))
            ax.yaxis.set_major_locator(MaxNLocator(4))
            ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes[0].set_ylim(bottom=0)
        axis_labels(figure, axis, share_axis)
        if len(series) > 1:
            legend_of(figure, [line_handle(place, name) for place, name in enumerate(series)])
    return figure


def fan(frame: pl.DataFrame, axis: str, value_axis: str, ends: tuple[float, float] | None = None) -> Figure:
    """Draw a fan chart of a quantity over time: the median, and bands for the middle 50% and 90%.

    Parameters
    ----------
    frame
        Columns panel, x (in per cent), and the quantiles q05, q25, q50, q75 and q95.
    axis, value_axis
        Labels of the horizontal and the vertical axis.
    ends
        Ends of the vertical axis, the same for figures to be compared.
    """
    panels = names_of(frame, "panel")
    with styled():
        figure = new_figure(0.9 + 2.1 * rows_of(panels))
        axes = panels_of(figure, panels, sharex=True, sharey=True)
        for ax, panel in zip(axes, panels, strict=False):
            part = frame.filter(panel=panel).sort("x")
            x = part["x"].to_numpy()
            ax.fill_between(x, part["q05"], part["q95"], color=colour(0), alpha=0.18, linewidth=0)
            ax.fill_between(x, part["q25"], part["q75"], color=colour(0), alpha=0.35, linewidth=0)
            ax.plot(x, part["q50"], color=colour(0), linewidth=2)
            ax.axhline(0, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
            ax.set_title(panel)
            ax.grid(axis="y")
            ax.set_xlim(x.min(), x.max())
            if ends:
                ax.set_ylim(*ends)
            ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))
        axis_labels(figure, axis, value_axis)
        handles = [
            Line2D([], [], color=colour(0), linewidth=2, label="median"),
            Patch(facecolor=colour(0), alpha=0.45, label="middle 50% of games"),
            Patch(facecolor=colour(0), alpha=0.18, label="middle 90%"),
        ]
        legend_of(figure, handles)
    return figure


def trend(
    frame: pl.DataFrame,
    axis: str,
    value_axis: str,
    margin: float | None = None,
    log: bool = False,
    points: bool = False,
    reach: float | None = None,
    fair: str = "fair",
) -> Figure:
    """Draw differences of shares along x around the fair line, with their intervals as ribbons.

    Parameters
    ----------
    frame
        Columns panel, series, x, value, low and high; differences in percentage points.
    axis, value_axis
        Labels of the horizontal and the vertical axis.
    margin
        Half the width of the band around the line at 0, in percentage points; None for no band.
    log
        Whether x is on a logarithmic scale.
    points
        Whether x has few values, so that each is marked and no interval is cut off.
    reach
        Where the vertical axis ends on both sides of 0, the same for figures to be compared (`reach_of` them all); by
        default as suits this frame, or with `points` as wide as everything drawn.
    fair
        What the line at 0 is, for the legend.
    """
    panels, series = names_of(frame, "panel"), names_of(frame, "series")
    with styled():
        figure = new_figure(1.1 + 2.1 * rows_of(panels))
        axes = panels_of(figure, panels, sharex=False, sharey=True)
        for ax, panel in zip(axes, panels, strict=False):
            fair_line(ax, margin, across=True)
            for place, name in enumerate(series):
                part = frame.filter(pl.col("panel") == panel, pl.col("series") == name).sort("x")
                x = part["x"].to_numpy()
                low, high = (part[end].cast(pl.Float64).fill_null(np.nan).to_numpy() for end in ("low", "high"))
                ax.fill_between(x, low, high, color=colour(place), alpha=0.15, linewidth=0)
                ax.plot(
                    x,
                    part["value"].to_numpy(),
                    color=colour(place),
                    marker=marker(place),
                    markersize=4,
                    markevery=1 if points else 0.25,
                    linewidth=1.5,
                    linestyle=dash(place // len(COLOURS)),  # another one where colours repeat
                )
            ax.set_title(panel)
            ax.grid(axis="y")
            ax.yaxis.set_major_formatter(FuncFormatter(signed))
            if log:
                ax.set_xscale("log")
                ax.xaxis.set_major_locator(LogLocator(subs=(1, 3), numticks=5))
                ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: thousands(value)))
                ax.xaxis.set_minor_formatter(NullFormatter())
            else:
                ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        if reach is None and not points:
            reach = reach_of(frame)
        if reach is not None:
            axes[0].set_ylim(-reach, reach)
        axis_labels(figure, axis, value_axis)
        legend(figure, series, fair_handles(margin, fair))
    return figure


def reach_of(frame: pl.DataFrame) -> float:
    """Return where an axis ends: beyond all but the few widest intervals, which would flatten everything else."""
    ends = frame.select(pl.max_horizontal(pl.col("low", "high", "value").cast(pl.Float64).fill_nan(None).abs()))
    known = ends.to_series().drop_nulls()
    return 3.0 if known.is_empty() else max(3.0, float(known.quantile(0.95) or 0.0) * 1.1)


def bars_of_parts(frame: pl.DataFrame, axis: str, ends: tuple[float, float] | None = None) -> Figure:
    """Draw two means for each part, joined by a line: winners and others.

    frame: panel, part, winners, others (means). axis: label of the axis. ends: the least and the largest mean of all
    figures to be compared; by default those of this frame.
    """
    panels, parts = names_of(frame, "panel"), names_of(frame, "part")
    with styled():
        figure = new_figure(1.3 + rows_of(panels) * (0.35 + 0.26 * len(parts)), names=parts)
        axes = panels_of(figure, panels, sharex=True)
        places = np.arange(len(parts))
        least, largest = ends or ends_of_parts(frame)
        room = 0.04 * (largest - least)  # space for markers at the ends
        for ax, panel in zip(axes, panels, strict=False):
            part = frame.filter(panel=panel)
            order = [parts.index(name) for name in part["part"]]
            winners, others = part["winners"].to_numpy(), part["others"].to_numpy()
            ax.hlines(order, others, winners, color=BAND, linewidth=2.5)
            ax.plot(others, order, marker(1), color=colour(1), markersize=5.5)
            ax.plot(winners, order, marker(0), color=colour(0), markersize=6)
            ax.set_title(panel)
            ax.set_yticks(places, parts if is_left(ax) else [])
            ax.set_ylim(len(parts) - 0.5, -0.5)
            ax.grid(axis="both")
            ax.tick_params(axis="y", length=0)
            ax.set_xlim(least - room, largest + room)
            ax.xaxis.set_major_locator(MaxNLocator(5))
        axis_labels(figure, axis)
        handles = [dot_handle(0, "winners"), dot_handle(1, "others")]
        legend_of(figure, handles)
    return figure


def ends_of_parts(frame: pl.DataFrame) -> tuple[float, float]:
    """Return the least (at most 0) and the largest of the means of all parts."""
    means = frame.select(pl.col("winners", "others").cast(pl.Float64).fill_nan(None))
    ends = means.select(pl.min_horizontal(pl.all().min()).alias("low"), pl.max_horizontal(pl.all().max()).alias("high"))
    low, high = ends.row(0)
    return min(0.0, low or 0.0), max(1.0, high or 0.0)


def stacked(frame: pl.DataFrame, order: Sequence[str], axis: str) -> Figure:
    """Draw shares of a whole as stacked bars, a bar for each `level`, with labels where there is room.

    frame: level, series, share (0 to 1). order: all possible series, so that each keeps its colour. axis: label of the
    axis.
    """
    levels = names_of(frame, "level")
    series = [name for name in order if name in names_of(frame, "series")]
    palette = {
        name: (*COLOURS, *MORE_COLOURS)[place % len((*COLOURS, *MORE_COLOURS))] for place, name in enumerate(order)
    }
    with styled():
        figure = new_figure(1.3 + 0.42 * len(levels), names=levels)
        axes = figure.subplots()
        left = np.zeros(len(levels))
        for name in series:
            part = dict(frame.filter(series=name).select("level", "share").iter_rows())
            shares = 100 * np.array([part.get(level, 0.0) for level in levels])
            axes.barh(range(len(levels)), shares, left=left, color=palette[name], height=0.66)
            for line, (start, width) in enumerate(zip(left, shares, strict=True)):
                label = f"{name}\n{width:.0f}%" if width > 1.6 * len(name) else f"{width:.0f}%" if width >= 4 else ""
                ground = text_on(mpl.colors.to_rgb(palette[name]))
                axes.text(
                    start + width / 2, line, label, ha="center", va="center", fontsize=8, color=ground, linespacing=1
                )
            left += shares
        axes.set_yticks(range(len(levels)), levels)
        axes.set_ylim(len(levels) - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))
        axes.tick_params(axis="y", length=0)
        axis_labels(figure, axis)
        legend_of(figure, [Patch(facecolor=palette[name], label=name) for name in series])
    return figure
