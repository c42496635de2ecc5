"""The figure of a ladder: the effect on each rung, and the margin around the last one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from rogsim.report.figures.panels import axis_labels, legend_of, panels_of, rows_of, signed
from rogsim.report.style import BAND, INK, colour, new_figure, styled
from rogsim.stats.settling import EffectSeries, Settling

WORD_PLACES = {"settled": 2, "still moving": 1, "not known yet": 0}  # colours


def against_strength(
    panels: Sequence[tuple[str, Settling]], bots: Sequence[str], margin: float, axis: str = "strength"
) -> Figure:
    """Draw effects against strength, one panel for each claim, with 95% intervals.

    Parameters
    ----------
    panels
        Title and verdict of each panel.
    bots
        The rungs, the weakest first.
    margin
        Half the width of the band around the last value, in pp.
    axis
        Label of the horizontal axis.
    """
    titles = [title for title, _ in panels]
    with styled():
        figure = new_figure(1.6 + 1.9 * rows_of(titles))
        axes = panels_of(figure, titles, sharex=True, sharey=True)
        for ax, (title, found) in zip(axes, panels, strict=True):
            _draw(ax, found, margin)
            ax.set_title(f"{title}: {found.verdict}")
            ax.set_xticks(range(len(bots)), bots, rotation=45, ha="right", rotation_mode="anchor")
            ax.yaxis.set_major_formatter(FuncFormatter(signed))
            ax.grid(axis="y")
        axis_labels(figure, axis, "win share minus fair, pp (95% interval)")
        legend_of(figure, _handles([found for _, found in panels], margin))
    return figure


def _draw(ax: Any, found: Settling, margin: float) -> None:
    series = found.series
    low, high = _ends(series)
    last = float(series.values[-1])
    ax.axhspan(last - margin, last + margin, color=BAND, alpha=0.2, linewidth=0)
    ax.axhline(0, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    values = np.where(np.isnan(low), np.nan, series.values)  # from too few games for an interval
    ends = np.abs(np.stack([values - low, high - values]))
    shade = colour(WORD_PLACES[found.verdict])
    ax.errorbar(
        np.arange(len(values)),
        values,
        np.nan_to_num(ends),
        fmt="-o",
        color=shade,
        markersize=4.5,
        capsize=2.5,
        linewidth=1.3,
    )


def _ends(series: EffectSeries) -> tuple[Any, Any]:
    """Return the ends of the intervals, float64[rungs] each."""
    found = [series.estimate(rung) for rung in range(len(series.values))]
    return np.array([estimate.low for estimate in found]), np.array([estimate.high for estimate in found])


def _handles(found: Sequence[Settling], margin: float) -> list[Any]:
    verdicts = dict.fromkeys(settling.verdict for settling in found)
    handles: list[Any] = [
        Line2D([], [], color=colour(WORD_PLACES[verdict]), marker="o", markersize=5, linewidth=1.3, label=verdict)
        for verdict in verdicts
    ]
    handles.append(Patch(facecolor=BAND, alpha=0.3, label=f"last value ±{margin:g} pp"))
    handles.append(Line2D([], [], color=INK, linewidth=0.9, linestyle=(0, (4, 3)), label="fair"))
    return handles
