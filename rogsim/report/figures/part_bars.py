"""Figures of the parts that make up a whole."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from rogsim.report.figures.panels import (
    axis_labels,
    dot_handle,
    is_left,
    legend_of,
    names_of,
    panels_of,
    rows_of,
)
from rogsim.report.style import (
    BAND,
    COLOURS,
    MORE_COLOURS,
    colour,
    marker,
    new_figure,
    styled,
    text_on,
)


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
