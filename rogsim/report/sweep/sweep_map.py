"""A map of two parameters: how far from fair each pair of their values is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
import seaborn
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rogsim.report import words
from rogsim.report.style import GRID, INK, SEQUENTIAL, new_figure, styled, text_on

MOST_NUMBERED = 16  # values across a map; with more, the fields have no room for a number


def distance_map(frame: pl.DataFrame, across: str, down: str) -> Figure:
    """Draw distances from fair as coloured fields with numbers.

    Parameters
    ----------
    frame
        Columns panel, row, column, value (pp), as_it_is and best. Rows and columns keep the order of the frame. A
        field with `as_it_is` is framed; the number of a field with `best` is bold.
    across, down
        Labels of the axes.
    """
    panels = frame["panel"].unique(maintain_order=True).to_list()
    rows, columns = (frame[name].unique(maintain_order=True).to_list() for name in ("row", "column"))
    side = 1 if len(columns) > MOST_NUMBERED / 2 else min(2, len(panels))
    norm = Normalize(0, max(2.0, float(frame["value"].max() or 0.0)))  # type: ignore[arg-type]
    with styled():
        lines = -(-len(panels) // side)
        figure = new_figure(max(2.2, 1.2 + lines * (0.5 + 0.28 * len(rows))))
        grid = list(figure.subplots(lines, side, squeeze=False).ravel())
        for axes, panel in zip(grid, panels, strict=False):
            image = _fields(axes, frame.filter(panel=panel), rows, columns, norm)
            axes.set_title(panel)
            axes.set_xlabel(across)
            axes.set_ylabel(down)
        for spare in grid[len(panels) :]:
            spare.set_visible(False)
        bar = figure.colorbar(image, ax=grid, location="bottom", aspect=45, shrink=0.5, pad=0.02)
        bar.set_label("distance from fair, pp", fontsize=9)
        bar.outline.set_visible(False)
    return figure


def _fields(axes: Any, part: pl.DataFrame, rows: Sequence[str], columns: Sequence[str], norm: Normalize) -> Any:
    values = np.full((len(rows), len(columns)), np.nan)
    for line in part.iter_rows(named=True):
        values[rows.index(line["row"]), columns.index(line["column"])] = line["value"]
    colours = mpl.colormaps[SEQUENTIAL].reversed()
    seaborn.heatmap(values, ax=axes, cmap=colours, norm=norm, cbar=False, linewidths=0.8, linecolor=GRID)
    image = axes.collections[0]
    for line in part.iter_rows(named=True):
        x, y = columns.index(line["column"]), rows.index(line["row"])
        if len(columns) <= MOST_NUMBERED:
            ground, weight = text_on(colours(norm(line["value"]))), "bold" if line["best"] else "normal"
            text = words.number(line["value"], 1)
            axes.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=8.5, color=ground, fontweight=weight)
        if line["as_it_is"]:
            axes.add_patch(Rectangle((x, y), 1, 1, fill=False, edgecolor=INK, linewidth=2.2, clip_on=False, zorder=3))
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns)
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows, rotation=0)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return image
