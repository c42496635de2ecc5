"""The layout of figures: panels side by side, ticks, the line at 0, and the legend above."""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import polars as pl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from rogsim.report import words
from rogsim.report.style import BAND, INK, NARROW, WIDTH, colour, is_narrow, marker

ACROSS = 3  # panels side by side
LETTERS = 12.5  # of a legend or a label, in an inch
LINE = 0.19  # inches for a line of them


def names_of(frame: pl.DataFrame, column: str) -> list[str]:
    """Return the distinct names in a column: in the order of its enumeration, or else of first appearance."""
    found = frame[column].unique(maintain_order=True)
    return [str(name) for name in (found.sort() if isinstance(found.dtype, pl.Enum) else found).to_list()]


def across_of(panels: Sequence[str], most: int = ACROSS) -> int:
    """Return the number of panels side by side, at most `most`."""
    if is_narrow():
        return 1
    return min(most, len(panels)) if len(panels) != 4 else min(most, 2)


def rows_of(panels: Sequence[str], most: int = ACROSS) -> int:
    """Return the number of rows of panels, at most `most` in each."""
    return -(-len(panels) // across_of(panels, most))


def panels_of(
    figure: Figure,
    panels: Sequence[str],
    sharex: bool = False,
    sharey: bool = False,
    width_ratios: Any = None,
    most: int = ACROSS,
) -> list[Any]:
    """Return the axes of the panels, at most `most` side by side; the rest of the last row stays empty."""
    across = across_of(panels, most)
    grid = figure.subplots(
        rows_of(panels, most), across, squeeze=False, sharex=sharex, sharey=sharey, width_ratios=width_ratios
    )
    axes = list(grid.ravel())
    for spare in axes[len(panels) :]:
        spare.set_visible(False)
    if sharex:  # the last panel of each column gets labels, even above an empty place
        for place, ax in enumerate(axes[: len(panels)]):
            ax.tick_params(labelbottom=place + across >= len(panels))
    return axes[: len(panels)]


def is_left(ax: Any) -> bool:
    """Return whether a panel is the first of its row, which has the labels."""
    return bool(ax.get_subplotspec().is_first_col())


def fair_line(axes: Any, margin: float | None, across: bool = False) -> None:
    """Draw the line at 0, with the band of the margin if there is one; across: whether the line is horizontal."""
    line, band = (axes.axhline, axes.axhspan) if across else (axes.axvline, axes.axvspan)
    if margin is not None:
        band(-margin, margin, color=BAND, alpha=0.2, linewidth=0)
    line(0, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))


def fair_handles(margin: float | None, fair: str, unit: str = "pp", band: str = "margin") -> list[Any]:
    """Return the legend entries of the line at 0 and of the band of the margin, which may have another name."""
    handles: list[Any] = [Line2D([], [], color=INK, linewidth=0.9, linestyle=(0, (4, 3)), label=fair)]
    if margin is not None:
        handles.append(Patch(facecolor=BAND, alpha=0.3, label=f"{band} of ±{margin:g} {unit}"))
    return handles


def axis_labels(figure: Figure, axis: str, value_axis: str = "") -> None:
    """Write the labels that all panels share."""
    figure.supxlabel(wrapped(axis), fontsize=9)
    if value_axis:
        figure.supylabel(value_axis, fontsize=9)


def wrapped(label: str, share: float = 1.0) -> str:
    """Return a label on lines that are no longer than this share of a figure's width."""
    return "\n".join(wrap(label, round(share * LETTERS * (NARROW if is_narrow() else WIDTH))))


def signed(value: float, _: Any = None) -> str:
    """Return the label of a tick with its sign."""
    return "0" if abs(value) < 1e-9 else f"{value:+g}".replace("-", words.MINUS)


def thousands(value: float) -> str:
    """Return a number of games as the label of a tick."""
    return f"{value / 1000:g}k" if value >= 10_000 else f"{value:,.0f}"


def dash(place: int) -> Any:
    """Return the dashes of the n-th line."""
    return ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))[place % 4]


def dot_handle(place: int, label: str) -> Line2D:
    """Return the legend entry of the n-th marker."""
    return Line2D([], [], color=colour(place), marker=marker(place), markersize=6, linewidth=0, label=label)


def line_handle(place: int, label: str) -> Line2D:
    """Return the legend entry of the n-th line."""
    return Line2D([], [], color=colour(place), linewidth=1.6, linestyle=dash(place), label=label)


def legend(figure: Figure, series: Sequence[str], more: Sequence[Any]) -> None:
    """Draw the legend of the series (if there are several) and of whatever else is drawn."""
    handles = [dot_handle(place, name) for place, name in enumerate(series)] if len(series) > 1 else []
    legend_of(figure, [*handles, *more])


def legend_of(figure: Figure, handles: Sequence[Any]) -> None:
    """Draw a legend above the panels, on as many lines as it takes; the figure gets higher by all but the first."""
    room = LETTERS * figure.get_figwidth()
    lengths = [len(handle.get_label()) + 6 for handle in handles]
    columns = len(handles) if sum(lengths) <= room else max(1, min(4, int(room / max(lengths))))
    figure.set_figheight(figure.get_figheight() + LINE * (math.ceil(len(handles) / columns) - 1))
    figure.legend(handles=list(handles), loc="outside upper left", ncols=columns, borderaxespad=0.2)
