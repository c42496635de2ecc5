"""Lines by source of points, with a small panel for each level."""

from __future__ import annotations

from typing import Any

import polars as pl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from rogsim.report.figures.panels import (
    axis_labels,
    fair_line,
    legend_of,
    names_of,
    panels_of,
    rows_of,
    signed,
)
from rogsim.report.style import BAND, COLOURS, INK, colour, marker, new_figure, styled

ACROSS = 4  # panels side by side
SMALL = 3.5  # size of a marker
LEAST = 1.0  # the vertical axes reach at least so far from 0: differences of less than a point look small


def source_lines(frame: pl.DataFrame, total: str, axis: str, value_axis: str) -> Figure:
    """Draw a line for each series over time, a small panel for each level; all panels have the same axes.

    Parameters
    ----------
    frame
        Columns panel, series, x and value.
    total
        The series that is the sum of all others, drawn thick and grey.
    axis, value_axis
        Labels of the horizontal and the vertical axis.
    """
    panels = names_of(frame, "panel")
    series = [name for name in names_of(frame, "series") if name != total]
    with styled():
        figure = new_figure(1.25 + 1.55 * rows_of(panels, ACROSS))
        axes = panels_of(figure, panels, sharex=True, sharey=True, most=ACROSS)
        for ax, panel in zip(axes, panels, strict=True):
            fair_line(ax, None, across=True)
            lines = frame.filter(panel=panel)
            whole = lines.filter(series=total).sort("x")
            ax.plot(whole["x"], whole["value"], color=BAND, linewidth=4, alpha=0.6, solid_capstyle="round")
            for place, name in enumerate(series):
                line = lines.filter(series=name).sort("x")
                ax.plot(line["x"], line["value"], markevery=[-1], **_look(place))  # more marks need much room in pages
            ax.set_title(panel)
            ax.grid(axis="y")
            ax.yaxis.set_major_formatter(FuncFormatter(signed))
            ax.yaxis.set_major_locator(MaxNLocator(5))
            ax.set_xticks([20, 60, 100])
        low, high = axes[0].get_ylim()  # shared by all
        axes[0].set_ylim(min(low, -LEAST), max(high, LEAST))
        axis_labels(figure, axis, value_axis)
        handles = [Line2D([], [], label=name, **_look(place)) for place, name in enumerate(series)]
        whole_handle = Line2D([], [], color=BAND, linewidth=4, alpha=0.6, label=total)
        legend_of(figure, [whole_handle, *handles])
    return figure


def _look(place: int) -> dict[str, Any]:
    """Return the look of the n-th line; one more than there are colours is drawn in ink."""
    own = colour(place) if place < len(COLOURS) else INK
    return {"color": own, "marker": marker(place), "markersize": SMALL, "linewidth": 1.3}
