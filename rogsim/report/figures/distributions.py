"""Figures of distributions: histograms and fan charts."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from rogsim.report.figures.panels import axis_labels, dash, legend_of, line_handle, names_of, panels_of, rows_of
from rogsim.report.style import INK, colour, new_figure, styled


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
