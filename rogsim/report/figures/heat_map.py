"""Heat maps, as a grid or on the board of a game: differences as colours, on a scale that maps of one question share.

A cell that is distinguishable from 0 has its full colour and a bold number; the others are pale, so that the eye is
drawn to what the games show. A cell with too few games for an interval is hatched and shows its n.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.cm import ScalarMappable
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator
from scipy.interpolate import CubicSpline

from rogsim.game.topics import BoardMap
from rogsim.report import words
from rogsim.report.figures.style import (
    ACROSS,
    BAND,
    DIVERGING,
    INK,
    LETTER,
    SOFT,
    WATER,
    across_of,
    is_left,
    is_narrow,
    names_of,
    new_figure,
    panels_of,
    rows_of,
    signed,
    styled,
    text_on,
    wrapped,
)

CELL_TYPE, SMALL_TYPE = 8.5, 7.0
PALE = 0.14  # opacity of a cell that is not distinguishable from 0
SHADES = 45  # few enough for the palette of a PNG file
MORE = 1.15  # times the reach: the darkest colours stay unused, as text is unreadable on them
LEAST_REACH = 2.0  # percentage points: on a shorter scale, noise would look like an effect
ALPHA = 0.05
AREA, CELL = 6.0, 0.42  # inches: the width of all cells, and that of a cell with its number
HATCHED = "///"
INSIDE: dict[str, Any] = {"in_layout": False}  # what lies within the axes need not be measured for the layout
SLANTED: dict[str, Any] = {"rotation": 35, "ha": "left", "rotation_mode": "anchor"}
BY_Q = "Bold, full colour: q is at most 5%. Pale: not distinguishable from 0."
BY_INTERVAL = "Bold, full colour: the interval excludes 0. Pale: it contains 0."
TOO_FEW = " Hatched: too few games."


def heat_map(
    frame: pl.DataFrame, bar: str, corner: str = "", reach: float | None = None, across: int = ACROSS
) -> Figure:
    """Draw differences as coloured cells with their numbers; the middle of the scale is 0.

    Parameters
    ----------
    frame
        Columns panel, row, column, value, low and high; q, if the cells are corrected for multiplicity; n, to be shown
        in cells without an interval; text, if cells show something else than their value.
    bar
        Label of the colour bar.
    corner
        Label of the rows.
    reach
        Where the colour scale ends on both sides of 0, the same for maps to be compared (`reach_of` them all); by
        default as suits this frame.
    across
        The most panels side by side.
    """
    panels, rows = names_of(frame, "panel"), names_of(frame, "row")
    reach = reach_of(frame) if reach is None else reach
    with styled():
        widths = [frame.filter(panel=panel)["column"].n_unique() for panel in panels]
        lines = rows_of(panels, across)
        slanted = _are_long(names_of(frame, "column"), max(widths) * across_of(panels, across))
        heads = 0.35 + (0.5 if slanted else 0.0)
        figure = new_figure(max(2.2, 1.2 + lines * (heads + 0.28 * len(rows))), names=rows, beside=CELL * max(widths))
        ratios = widths if len(panels) <= across_of(panels, across) else None
        axes = panels_of(figure, panels, width_ratios=ratios, most=across)
        colours = diverging(reach)
        for ax, panel in zip(axes, panels, strict=False):
            part = frame.filter(panel=panel)
            columns = names_of(part, "column")
            for field in judged(part).iter_rows(named=True):
                _draw(ax, field, columns.index(str(field["column"])), rows.index(str(field["row"])), colours)
            ax.set_xticks([place + 0.5 for place in range(len(columns))], columns, **(SLANTED if slanted else {}))
            ax.set_yticks([place + 0.5 for place in range(len(rows))], rows if is_left(ax) else [])
            ax.set_xlim(0, len(columns))
            ax.set_ylim(len(rows), 0)
            ax.set_title(panel)
            _bare(ax)
        colour_bar(figure, colours, axes, bar)
        if corner:
            axes[0].set_ylabel(corner)
    return figure


def reach_of(frame: pl.DataFrame) -> float:
    """Return how far the colour scale extends on both sides of 0: to the largest clear value, if there is any."""
    fields = judged(frame).filter("known")
    found = (fields.filter("clear") if fields["clear"].any() else fields)["value"].abs().max()
    return LEAST_REACH if found is None else max(LEAST_REACH, float(found))  # type: ignore[arg-type]


def judged(frame: pl.DataFrame) -> pl.DataFrame:
    """Add to cells whether they are `known` (have an interval) and `clear` (distinguishable from 0)."""
    frame = frame.with_columns(pl.col("value", "low", "high").cast(pl.Float64).fill_nan(None))
    by_interval = (pl.col("low") > 0) | (pl.col("high") < 0)
    is_clear = pl.col("q").fill_nan(None) <= ALPHA if "q" in frame.columns else by_interval
    known = pl.all_horizontal(pl.col("value", "low", "high").is_not_null())
    return frame.with_columns(known.alias("known"), (known & is_clear.fill_null(False)).alias("clear"))


def convention(frame: pl.DataFrame) -> str:
    """Return what pale, bold and hatched mean in a map of these cells."""
    few = "" if judged(frame)["known"].all() else TOO_FEW
    return (BY_Q if "q" in frame.columns else BY_INTERVAL) + few


def _draw(axes: Any, field: Mapping[str, Any], x: int, y: int, colours: ScalarMappable) -> None:
    """Draw one cell and its number."""
    value: Any = field["value"] or 0.0
    ground: Any = colours.cmap(colours.norm(value))
    look: dict[str, Any]
    if not field["known"]:
        look = {"facecolor": "none", "edgecolor": BAND, "hatch": HATCHED, "linewidth": 0, "alpha": 0.35}
    else:
        look = {"facecolor": ground, "linewidth": 0, "alpha": None if field["clear"] else PALE}
    inset = 0.02  # an uncoloured gap between cells
    axes.add_patch(Rectangle((x + inset, y + inset), 1 - 2 * inset, 1 - 2 * inset, clip_on=False, **look, **INSIDE))
    type_of: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": CELL_TYPE, "color": INK, **INSIDE}
    if not field["known"]:
        text = f"n = {words.count(field.get('n'))}" if field.get("n") is not None else "too few"
        axes.text(x + 0.5, y + 0.5, text, **(type_of | {"fontsize": SMALL_TYPE}))
        return
    if field["clear"]:
        type_of |= {"fontweight": "bold", "color": text_on(ground)}
    text = field["text"] if "text" in field else words.number(field["value"], 1, sign=True)
    axes.text(x + 0.5, y + 0.5, text, **type_of)


def _are_long(names: Sequence[str], side_by_side: int) -> bool:
    """Return whether the names do not fit above the columns."""
    return max(len(name) for name in names) * LETTER > AREA / side_by_side


def _bare(axes: Any) -> None:
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def diverging(reach: float) -> ScalarMappable:
    """Return a colour scale around 0, as far as `reach` and at least LEAST_REACH on both sides."""
    end = MORE * max(reach, LEAST_REACH)
    return ScalarMappable(TwoSlopeNorm(0, -end, end), mpl.colormaps[DIVERGING].resampled(SHADES))


def colour_bar(figure: Figure, colours: ScalarMappable, axes: list[Any], label: str, below: bool = True) -> None:
    """Draw the bar of a colour scale below the panels. below: whether it has values below 0."""
    bar = figure.colorbar(colours, ax=axes, location="bottom", aspect=45, shrink=0.9 if is_narrow() else 0.5, pad=0.02)
    bar.set_label(wrapped(label, 0.7), fontsize=9)
    if below:
        bar.ax.xaxis.set_major_formatter(FuncFormatter(signed))
    bar.ax.xaxis.set_major_locator(MaxNLocator(5))
    bar.ax.set_xlim(colours.norm.vmin / MORE if below else 0, colours.norm.vmax / MORE)  # type: ignore[operator]
    bar.outline.set_visible(False)


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
                    _draw_space(ax, found.get((kind.name, space)), label, place, kind.size, colours, changes)
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


def _draw_space(
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
    axes.add_patch(FancyBboxPatch(corner, width - 0.2, height - 0.2, boxstyle=box, clip_on=False, **look, **INSIDE))
    axes.text(x, y - 0.24, label, fontsize=SMALL_TYPE - 0.5, ha="center", va="center", color=named, **INSIDE)
    axes.text(x, y + 0.14, text, ha="center", va="center", **type_of, **INSIDE)


def _areas(axes: Any, board: BoardMap) -> None:
    """Write the name of each area along its stretch."""
    for area in board.areas:
        axes.plot([0, 0], [area.start + 0.1, area.end - 0.1], color=SOFT, linewidth=0.8, clip_on=False)
        name = "\n".join(wrap(area.name, AREA_LENGTH))
        place = (-0.12, (area.start + area.end) / 2)
        axes.text(*place, name, fontsize=SMALL_TYPE, ha="right", va="center", rotation=90, color=INK, linespacing=1)
