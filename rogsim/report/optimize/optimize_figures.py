"""Figures of a search for fair values."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rogsim.report.figures.panels import legend_of
from rogsim.report.style import INK, colour, marker, new_figure, styled


def trade(frame: pl.DataFrame, axis: str) -> Figure:
    """Draw the largest deviation against the amount of change, with intervals, and the tolerance as a line.

    Parameters
    ----------
    frame
        Columns change, distance, distance_low, distance_high, allowed, chosen.
    axis
        Label of the deviation.
    """
    with styled():
        figure = new_figure(3.1)
        axes = figure.subplots()
        for place, chosen in enumerate((False, True)):
            part = frame.filter(pl.col("chosen") == chosen)
            x, y = part["change"].to_numpy(), part["distance"].to_numpy()
            ends = np.abs(np.stack([y - part["distance_low"].to_numpy(), part["distance_high"].to_numpy() - y]))
            label = "the answer" if chosen else "other amounts of change"
            style: Any = {"color": colour(place), "markersize": 7 if chosen else 5.5, "capsize": 3, "linewidth": 1.4}
            axes.errorbar(x, y, ends, fmt=marker(place), label=label, zorder=3 + place, **style)
        axes.axhline(frame["allowed"][0], color=INK, linewidth=0.9, linestyle=(0, (4, 3)), label="tolerance")
        axes.set_xlabel("amount of change")
        axes.set_ylabel(axis)
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y")
        legend_of(figure, axes.get_legend_handles_labels()[0])
    return figure
