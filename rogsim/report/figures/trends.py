"""Line charts of estimates along a number, such as the games played."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from rogsim.report.figures.panels import (
    axis_labels,
    dash,
    fair_handles,
    fair_line,
    legend,
    names_of,
    panels_of,
    rows_of,
    signed,
    thousands,
)
from rogsim.report.style import (
    COLOURS,
    colour,
    marker,
    new_figure,
    styled,
)


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
