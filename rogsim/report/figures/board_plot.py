"""The board of a game as a map, with a number in each space."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

import matplotlib as mpl
import polars as pl
from matplotlib.cm import ScalarMappable
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rogsim.game.board_map import BoardMap
from rogsim.report import words
from rogsim.report.figures.heat_map import CELL_TYPE, MORE, PALE, SHADES, SMALL_TYPE, colour_bar
from rogsim.report.figures.panels import names_of, panels_of
from rogsim.report.style import BAND, DIVERGING, INK, SOFT, new_figure, styled, text_on

ROW = 0.5  # inches for a row of spaces
AREA_LENGTH = 18  # characters of an area's name on one line
GAP = 0.025  # uncoloured, around a space


def board_plot(frame: pl.DataFrame, board: BoardMap, bar: str, digits: int, sign: bool, reach: float) -> Figure:
    """Draw the board with a number in each space, coloured by how much it differs from the mean of its kind.

    Parameters
    ----------
    frame
        Columns panel, kind (name of the kind of spaces), space, n (seats that used it), value, away (from the mean of
        the kind), clear (whether distinguishable from it).
    bar
        Label of the colour bar.
    digits, sign
        How the numbers are written.
    reach
        Where the colour scale ends on both sides of 0.
    """
    panels = names_of(frame, "panel")
    right = max(x + kind.size[0] / 2 for kind in board.spaces for x, _ in kind.places)
    bottom = max(y + kind.size[1] / 2 for kind in board.spaces for _, y in kind.places)
    top = -0.75 if board.areas else 0.0
    with styled():
        figure = new_figure(0.75 + len(panels) * (0.35 + ROW * (bottom - top)))
        axes = panels_of(figure, panels, most=1)
        colours = ScalarMappable(
            TwoSlopeNorm(0, -MORE * reach, MORE * reach), mpl.colormaps[DIVERGING].resampled(SHADES)
        )
        for ax, panel in zip(axes, panels, strict=True):
            found = {(row["kind"], row["space"]): row for row in frame.filter(panel=panel).iter_rows(named=True)}
            for kind in board.spaces:
                for (space, label), place in zip(kind.labels.items(), kind.places, strict=True):
                    _draw(ax, found.get((kind.name, space)), label, place, kind.size, colours, digits, sign)
            _areas(ax, board)
            ax.set_xlim(0, right)
            ax.set_ylim(bottom, top)
            ax.set_title(panel.replace("\n", ", "))
            ax.set_axis_off()
        colour_bar(figure, colours, axes, bar)
    return figure


def _draw(
    axes: Any,
    row: Mapping[str, Any] | None,
    label: str,
    place: tuple[float, float],
    size: tuple[float, float],
    colours: ScalarMappable,
    digits: int,
    sign: bool,
) -> None:
    """Draw one space: its name above, its number below."""
    (x, y), (width, height) = place, (size[0] - 2 * GAP, size[1] - 2 * GAP)
    value = None if row is None else row["value"]
    look: dict[str, Any] = {"facecolor": "none", "edgecolor": BAND, "linewidth": 0.5}
    type_of: dict[str, Any] = {"ha": "center", "va": "center", "color": INK}
    named = SOFT
    if row is not None and value is not None:
        ground: Any = colours.cmap(colours.norm(row["away"]))
        look = {"facecolor": ground, "linewidth": 0, "alpha": None if row["clear"] else PALE}
        if row["clear"]:
            named = text_on(ground)
            type_of |= {"fontweight": "bold", "color": named}
    axes.add_patch(Rectangle((x - width / 2, y - height / 2), width, height, clip_on=False, **look))
    axes.text(x, y - 0.24, label, fontsize=SMALL_TYPE, ha="center", va="center", color=named)
    if value is not None:
        axes.text(x, y + 0.16, words.number(value, digits, sign=sign), fontsize=CELL_TYPE, **type_of)
    else:
        text = "few" if row is not None and row["n"] else words.NOTHING
        axes.text(x, y + 0.16, text, fontsize=SMALL_TYPE, ha="center", va="center", color=SOFT)


def _areas(axes: Any, board: BoardMap) -> None:
    """Write the name of each area above its stretch."""
    for area in board.areas:
        axes.plot([area.start + 0.1, area.end - 0.1], [-0.1, -0.1], color=SOFT, linewidth=0.8, clip_on=False)
        name = "\n".join(wrap(area.name, AREA_LENGTH))
        middle = (area.start + area.end) / 2
        axes.text(middle, -0.16, name, fontsize=SMALL_TYPE, ha="center", va="bottom", color=INK, linespacing=1)
