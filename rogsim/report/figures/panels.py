"""How figures are laid out: panels side by side, ticks, the line at 0, and the legend above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from rogsim.report import words
from rogsim.report.style import BAND, INK, colour, marker

ACROSS = 3  # panels side by side
LINE = 90  # characters of a legend on one line


def names_of(frame: pl.DataFrame, column: str) -> list[str]:
    """Return the names in a column: in the order of an enumeration, else as they come."""
    found = frame[column].unique(maintain_order=True)
    return [str(name) for name in (found.sort() if isinstance(found.dtype, pl.Enum) else found).to_list()]


def across_of(panels: Sequence[str]) -> int:
    """Return how many panels lie side by side."""
    return min(ACROSS, len(panels)) if len(panels) != 4 else 2


def rows_of(panels: Sequence[str]) -> int:
    """Return how many rows of panels there are."""
    return -(-len(panels) // across_of(panels))


def panels_of(
    figure: Figure, panels: Sequence[str], sharex: bool = False, sharey: bool = False, width_ratios: Any = None
) -> list[Any]:
    """Return as many axes as there are panels; what is left of the last row stays empty."""
    across = across_of(panels)
    grid = figure.subplots(
        rows_of(panels), across, squeeze=False, sharex=sharex, sharey=sharey, width_ratios=width_ratios
    )
    axes = list(grid.ravel())
    for spare in axes[len(panels) :]:
        spare.set_visible(False)
    if sharex:  # the last of each column is labelled, also above an empty place
        for place, one in enumerate(axes[: len(panels)]):
            one.tick_params(labelbottom=place + across >= len(panels))
    return axes[: len(panels)]


def is_left(axes: Sequence[Any], one: Any) -> bool:
    """Say whether a panel is the first of its row, and so names its lines."""
    return bool(one.get_subplotspec().is_first_col())


def fair_line(axes: Any, margin: float | None, across: bool = False) -> None:
    """Draw the line at 0, and the band of the margin around it if there is one; across: from left to right."""
    line, band = (axes.axhline, axes.axhspan) if across else (axes.axvline, axes.axvspan)
    if margin is not None:
        band(-margin, margin, color=BAND, alpha=0.2, linewidth=0)
    line(0, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))


def fair_handles(margin: float | None, fair: str, unit: str = "pp") -> list[Any]:
    """Return what explains the line at 0 and the band of the margin in a legend."""
    handles: list[Any] = [Line2D([], [], color=INK, linewidth=0.9, linestyle=(0, (4, 3)), label=fair)]
    if margin is not None:
        handles.append(Patch(facecolor=BAND, alpha=0.3, label=f"margin of ±{margin:g} {unit}"))
    return handles


def signed(value: float, _: Any = None) -> str:
    """Return the text of a tick with its sign."""
    return "0" if abs(value) < 1e-9 else f"{value:+g}".replace("-", words.MINUS)


def thousands(value: float) -> str:
    """Return a number of games as the text of a tick."""
    return f"{value / 1000:g}k" if value >= 10_000 else f"{value:,.0f}"


def dash(place: int) -> Any:
    """Return the dashes of the n-th line."""
    return ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))[place % 4]


def dot_handle(place: int, label: str) -> Line2D:
    """Return what explains the n-th marker in a legend."""
    return Line2D([], [], color=colour(place), marker=marker(place), markersize=6, linewidth=0, label=label)


def line_handle(place: int, label: str) -> Line2D:
    """Return what explains the n-th line in a legend."""
    return Line2D([], [], color=colour(place), linewidth=1.6, linestyle=dash(place), label=label)


def legend(figure: Figure, series: Sequence[str], more: Sequence[Any]) -> None:
    """Write the legend of several series (of one alone it names none) and of what else is drawn."""
    told = [dot_handle(place, name) for place, name in enumerate(series)] if len(series) > 1 else []
    legend_of(figure, [*told, *more])


def legend_of(figure: Figure, handles: Sequence[Any]) -> None:
    """Write a legend above the panels, on as many lines as it takes."""
    length = sum(len(handle.get_label()) + 6 for handle in handles)
    columns = len(handles) if length <= LINE else 4
    figure.legend(handles=list(handles), loc="outside upper left", ncols=columns, borderaxespad=0.2)
