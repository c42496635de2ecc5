"""The board of a game as a map, with a number in each space."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

import numpy as np
import polars as pl
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from scipy.interpolate import CubicSpline

from rogsim.game.board_map import BoardMap
from rogsim.report import words
from rogsim.report.figures.heat_map import CELL_TYPE, HATCHED, PALE, SMALL_TYPE, colour_bar, diverging
from rogsim.report.figures.panels import names_of, panels_of, rows_of
from rogsim.report.style import BAND, INK, SOFT, WATER, new_figure, styled, text_on

ROW = 0.42  # inches for a unit of the map
AREA_LENGTH = 16  # characters of an area's name on one line
EDGE = 0.9  # units of the map for the names of areas


def board_plot(frame: pl.DataFrame, board: BoardMap, bar: str, changes: bool) -> Figure:
    """Draw the board with a number in each space, which also gives its colour.

    Parameters
    ----------
    frame
        Columns panel, kind (name of the kind of spaces), space, n (seats that used it), value, clear (whether
        distinguishable from 0).
    bar
        Label of the colour bar.
    changes
        Whether the numbers are changes, with a sign; others begin at 0, and all of them have their full colour.
    """
    panels = names_of(frame, "panel")
    right = max(x + kind.size[0] / 2 for kind in board.spaces for x, _ in kind.places)
    bottom = max(y + kind.size[1] / 2 for kind in board.spaces for _, y in kind.places)
    shown = frame.filter("clear") if changes and frame["clear"].any() else frame
    colours = diverging(float(shown["value"].abs().max() or 0.0))  # type: ignore[arg-type]
    with styled():
        figure = new_figure(0.9 + rows_of(panels) * (0.5 + ROW * bottom))
        axes = panels_of(figure, panels)
        for ax, panel in zip(axes, panels, strict=True):
            _course(ax, board)
            found = {(row["kind"], row["space"]): row for row in frame.filter(panel=panel).iter_rows(named=True)}
            for kind in board.spaces:
                for (space, label), place in zip(kind.labels.items(), kind.places, strict=True):
                    _draw(ax, found.get((kind.name, space)), label, place, kind.size, colours, changes)
            _areas(ax, board)
            ax.set_xlim(-EDGE if board.areas else 0, right)
            ax.set_ylim(bottom, 0)
            ax.set_title(panel)
            ax.set_axis_off()
        colour_bar(figure, colours, axes, bar, changes)
    return figure


def _course(axes: Any, board: BoardMap) -> None:
    """Draw the course of the board as a broad smooth band."""
    if board.course:
        points = np.array(board.course)
        along = np.linspace(0, len(points) - 1, 12 * len(points))
        x, y = CubicSpline(range(len(points)), points)(along).T
        axes.fill_betweenx(y, x - board.width / 2, x + board.width / 2, color=WATER, alpha=0.3, linewidth=0)


def _draw(
    axes: Any,
    row: Mapping[str, Any] | None,
    label: str,
    place: tuple[float, float],
    size: tuple[float, float],
    colours: ScalarMappable,
    changes: bool,
) -> None:
    """Draw one space: its name at the left, its number in the middle."""
    (x, y), (width, height) = place, size
    text = f"n = {words.count(row['n'] if row else 0)}"
    look: dict[str, Any] = {"facecolor": "none", "edgecolor": BAND, "hatch": HATCHED, "linewidth": 0.6, "alpha": 0.45}
    type_of: dict[str, Any] = {"fontsize": SMALL_TYPE, "color": SOFT}
    named = SOFT
    if row is not None and row["value"] is not None:
        ground: Any = colours.cmap(colours.norm(row["value"]))
        full = row["clear"] or not changes
        look = {"facecolor": ground, "linewidth": 0, "alpha": None if full else PALE}
        named = text_on(ground) if full else INK
        text = words.number(row["value"], 1, sign=changes)
        type_of = {"fontsize": CELL_TYPE, "color": named, "fontweight": "bold" if changes and full else "normal"}
    corner = (x - width / 2 + 0.1, y - height / 2 + 0.1)
    box = "round,pad=0.05,rounding_size=0.12"
    axes.add_patch(FancyBboxPatch(corner, width - 0.2, height - 0.2, boxstyle=box, clip_on=False, **look))
    axes.text(x, y - 0.24, label, fontsize=SMALL_TYPE - 0.5, ha="center", va="center", color=named)
    axes.text(x, y + 0.14, text, ha="center", va="center", **type_of)


def _areas(axes: Any, board: BoardMap) -> None:
    """Write the name of each area along its stretch."""
    for area in board.areas:
        axes.plot([0, 0], [area.start + 0.1, area.end - 0.1], color=SOFT, linewidth=0.8, clip_on=False)
        name = "\n".join(wrap(area.name, AREA_LENGTH))
        place = (-0.12, (area.start + area.end) / 2)
        axes.text(*place, name, fontsize=SMALL_TYPE, ha="right", va="center", rotation=90, color=INK, linespacing=1)
