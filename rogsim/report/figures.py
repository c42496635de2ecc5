"""Figures: each function takes a frame of estimates and gives a matplotlib Figure; no files, no global style.

Frames are tidy: `panel` names the panel, `series` what is told apart by colour and marker, `value` stands with the ends
`low` and `high` of its 95% interval (null where there is none). Differences of shares are in percentage points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from rogsim.report import words
from rogsim.report.look import (
    BAND,
    COLOURS,
    DIVERGING,
    INK,
    MORE_COLOURS,
    PAPER,
    colour,
    marker,
    new_figure,
    styled,
    text_on,
)

ROW = 0.3  # inches for a line of a plot
ACROSS = 3  # panels side by side
CELL_TYPE = 8.5
LINE = 90  # characters of a legend on one line
MANY = 12  # lines of a plot that are drawn closer


def forest(frame: pl.DataFrame, margin: float | None, axis: str, fair: str = "fair", unit: str = "pp") -> Figure:
    """Draw differences of shares with their intervals: a line for each `level`, a panel for each `panel`.

    frame: panel, level, series, value, low, high. margin: half the width of the band around the fair line, if any, in
    the unit of the differences.
    """
    panels, levels, series = (_names(frame, name) for name in ("panel", "level", "series"))
    lines = max(1.0, (0.55 if len(levels) < MANY else 0.42) * len(series))
    with styled():
        height = 1.35 + ROW * lines * len(levels) * _rows_of(panels)
        figure = new_figure(height)
        axes = _panels(figure, panels, sharex=True)
        for one, panel in zip(axes, panels, strict=False):
            _fair_line(one, margin)
            drawn = frame.filter(pl.col("panel") == panel)
            here = _names(drawn, "series")
            for name in here:
                part = drawn.filter(pl.col("series") == name)
                _intervals(one, part, levels, _dodge(here.index(name), len(here)), series.index(name))
            one.set_title(panel)
            _levels_axis(one, levels, named=_is_left(axes, one))
            one.xaxis.set_major_formatter(FuncFormatter(_signed))
            one.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        figure.supxlabel(axis, fontsize=9)
        _legend(figure, series, _fair_handles(margin, fair, unit))
    return figure


def factors(frame: pl.DataFrame, axis: str, line: str) -> Figure:
    """Draw factors on a logarithmic axis: a line for each `level`, a panel for each `panel`; 1 is marked.

    frame: panel, level, series, value. line: what the mark at 1 stands for.
    """
    panels, levels, series = (_names(frame, name) for name in ("panel", "level", "series"))
    with styled():
        figure = new_figure(1.35 + ROW * max(1.0, 0.55 * len(series)) * len(levels) * _rows_of(panels))
        axes = _panels(figure, panels, sharex=True)
        for one, panel in zip(axes, panels, strict=False):
            one.axvline(1, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
            for place, name in enumerate(series):
                part = frame.filter(pl.col("panel") == panel, pl.col("series") == name)
                lines = np.array([levels.index(str(level)) for level in part["level"]]) + _dodge(place, len(series))
                one.plot(part["value"], lines, marker(place), color=colour(place), markersize=6)
            one.set_title(panel)
            _levels_axis(one, levels, named=_is_left(axes, one))
            one.set_xscale("log")
            one.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=8))
            one.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            one.xaxis.set_minor_formatter(NullFormatter())
        values = frame["value"]
        axes[0].set_xlim(min(0.8, float(values.min()) / 1.3), max(2.5, float(values.max()) * 1.3))  # type: ignore[arg-type]
        figure.supxlabel(axis, fontsize=9)
        mark = Line2D([], [], color=INK, linewidth=0.9, linestyle=(0, (4, 3)), label=line)
        _legend(figure, series, [mark])
    return figure


def heat_map(frame: pl.DataFrame, bar: str, corner: str = "") -> Figure:
    """Draw differences of shares as coloured fields with their figures in percentage points; centre 0.

    frame: panel, row, column, value, low, high. Fields whose interval holds 0 have pale type; the others are bold.
    """
    panels = _names(frame, "panel")
    values = frame["value"].drop_nulls().abs()
    reach = max(2.0, float(values.max())) if len(values) else 2.0  # type: ignore[arg-type]
    with styled():
        rows = max(frame.filter(panel=panel)["row"].n_unique() for panel in panels)
        across = _across(panels)
        widths = [frame.filter(panel=panel)["column"].n_unique() for panel in panels]
        size = 1.2 + 0.28 * rows * _rows_of(panels) + 0.35 * _rows_of(panels)
        figure = new_figure(max(2.2, size))
        ratios = widths[:across] if len(panels) <= across else None
        axes = _panels(figure, panels, width_ratios=ratios)
        norm = TwoSlopeNorm(0, -reach * 1.15, reach * 1.15)  # the darkest ends stay unused
        for one, panel in zip(axes, panels, strict=False):
            image = _fields(one, frame.filter(panel=panel), norm)
            one.set_title(panel)
        _bar(figure, image, axes, bar)
        if corner:
            axes[0].set_ylabel(corner)
    return figure


def bars_of_parts(frame: pl.DataFrame, axis: str) -> Figure:
    """Draw two means for each part, joined by a line: winners and others.

    frame: panel, part, winners, others.
    """
    panels, parts = _names(frame, "panel"), _names(frame, "part")
    with styled():
        figure = new_figure(1.3 + _rows_of(panels) * (0.35 + 0.26 * len(parts)))
        axes = _panels(figure, panels, sharex=True)
        places = np.arange(len(parts))
        ends = frame.select("winners", "others").to_numpy()
        for one, panel in zip(axes, panels, strict=False):
            part = frame.filter(panel=panel)
            order = [parts.index(name) for name in part["part"]]
            winners, others = part["winners"].to_numpy(), part["others"].to_numpy()
            one.hlines(order, others, winners, color=BAND, linewidth=2.5)
            one.plot(others, order, marker(1), color=colour(1), markersize=5.5)
            one.plot(winners, order, marker(0), color=colour(0), markersize=6)
            one.set_title(panel)
            one.set_yticks(places, parts if _is_left(axes, one) else [])
            one.set_ylim(len(parts) - 0.5, -0.5)
            one.grid(axis="both")
            one.tick_params(axis="y", length=0)
            one.set_xlim(min(0.0, float(ends.min())), 1.06 * float(ends.max()))
            one.xaxis.set_major_locator(MaxNLocator(5))
        figure.supxlabel(axis, fontsize=9)
        handles = [_handle(0, "winners"), _handle(1, "others")]
        _legend_of(figure, handles)
    return figure


def histogram(frame: pl.DataFrame, axis: str, share_axis: str = "share") -> Figure:
    """Draw distributions as outlines, a panel for each `panel` and a line for each `series`.

    frame: panel, series, x (the lower end of a bin), width (of the bin), share (of all, 0 to 1).
    """
    panels, series = _names(frame, "panel"), _names(frame, "series")
    with styled():
        figure = new_figure(0.9 + 1.9 * _rows_of(panels))
        axes = _panels(figure, panels, sharex=False)
        for one, panel in zip(axes, panels, strict=False):
            for place, name in enumerate(series):
                part = frame.filter(pl.col("panel") == panel, pl.col("series") == name).sort("x")
                if part.is_empty():
                    continue
                edges = np.append(part["x"].to_numpy(), part["x"][-1] + part["width"][-1])
                tops = 100 * part["share"].to_numpy()
                if len(series) == 1:
                    one.stairs(tops, edges, color=colour(place), fill=True, alpha=0.25)
                one.stairs(tops, edges, color=colour(place), linewidth=1.6, linestyle=_dash(place))
            one.set_title(panel)
            one.set_ylim(bottom=0)
            one.grid(axis="y")
            one.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))
            one.yaxis.set_major_locator(MaxNLocator(4))
            one.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        figure.supxlabel(axis, fontsize=9)
        figure.supylabel(share_axis, fontsize=9)
        if len(series) > 1:
            _legend_of(figure, [_line_handle(place, name) for place, name in enumerate(series)])
    return figure


def fan(frame: pl.DataFrame, axis: str, value_axis: str) -> Figure:
    """Draw how a figure spreads over time: the median, and the bands of the middle 50% and 90%.

    frame: panel, x, q05, q25, q50, q75, q95.
    """
    panels = _names(frame, "panel")
    with styled():
        figure = new_figure(0.9 + 2.1 * _rows_of(panels))
        axes = _panels(figure, panels, sharex=True, sharey=True)
        for one, panel in zip(axes, panels, strict=False):
            part = frame.filter(panel=panel).sort("x")
            x = part["x"].to_numpy()
            one.fill_between(x, part["q05"], part["q95"], color=colour(0), alpha=0.18, linewidth=0)
            one.fill_between(x, part["q25"], part["q75"], color=colour(0), alpha=0.35, linewidth=0)
            one.plot(x, part["q50"], color=colour(0), linewidth=2)
            one.axhline(0, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
            one.set_title(panel)
            one.grid(axis="y")
            one.set_xlim(x.min(), x.max())
            one.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))
        figure.supxlabel(axis, fontsize=9)
        figure.supylabel(value_axis, fontsize=9)
        handles = [
            Line2D([], [], color=colour(0), linewidth=2, label="median"),
            Patch(facecolor=colour(0), alpha=0.45, label="middle 50% of games"),
            Patch(facecolor=colour(0), alpha=0.18, label="middle 90%"),
        ]
        _legend_of(figure, handles)
    return figure


def trend(
    frame: pl.DataFrame,
    axis: str,
    value_axis: str,
    margin: float | None = None,
    log: bool = False,
    points: bool = False,
) -> Figure:
    """Draw differences of shares along x with their intervals as ribbons, around the fair line.

    frame: panel, series, x, value, low, high. points: x has few values, so each is marked and nothing is cut off.
    """
    panels, series = _names(frame, "panel"), _names(frame, "series")
    with styled():
        figure = new_figure(1.1 + 2.1 * _rows_of(panels))
        axes = _panels(figure, panels, sharex=False, sharey=True)
        for one, panel in zip(axes, panels, strict=False):
            _fair_line(one, margin, across=True)
            for place, name in enumerate(series):
                part = frame.filter(pl.col("panel") == panel, pl.col("series") == name).sort("x")
                x = part["x"].to_numpy()
                low, high = (part[end].cast(pl.Float64).fill_null(np.nan).to_numpy() for end in ("low", "high"))
                one.fill_between(x, low, high, color=colour(place), alpha=0.15, linewidth=0)
                one.plot(
                    x,
                    part["value"].to_numpy(),
                    color=colour(place),
                    marker=marker(place),
                    markersize=4,
                    markevery=1 if points else 0.25,
                    linewidth=1.5,
                )
            one.set_title(panel)
            one.grid(axis="y")
            one.yaxis.set_major_formatter(FuncFormatter(_signed))
            if log:
                one.set_xscale("log")
                one.xaxis.set_major_locator(LogLocator(subs=(1, 3), numticks=5))
                one.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _thousands(value)))
                one.xaxis.set_minor_formatter(NullFormatter())
            else:
                one.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        if not points:
            _limit(axes, frame)
        figure.supxlabel(axis, fontsize=9)
        figure.supylabel(value_axis, fontsize=9)
        _legend(figure, series, _fair_handles(margin, "fair"))
    return figure


def stacked(frame: pl.DataFrame, order: Sequence[str], axis: str) -> Figure:
    """Draw shares of a whole as stacked bars, named where there is room: a bar for each `level`.

    frame: level, series, share (0 to 1). order: all series there may be, so that each keeps its colour.
    """
    levels = _names(frame, "level")
    series = [name for name in order if name in _names(frame, "series")]
    palette = {
        name: (*COLOURS, *MORE_COLOURS)[place % len((*COLOURS, *MORE_COLOURS))] for place, name in enumerate(order)
    }
    with styled():
        figure = new_figure(1.3 + 0.42 * len(levels))
        axes = figure.subplots()
        left = np.zeros(len(levels))
        for name in series:
            part = dict(frame.filter(series=name).select("level", "share").iter_rows())
            shares = 100 * np.array([part.get(level, 0.0) for level in levels])
            axes.barh(range(len(levels)), shares, left=left, color=palette[name], edgecolor=PAPER, height=0.66)
            for line, (start, width) in enumerate(zip(left, shares, strict=True)):
                told = f"{name}\n{width:.0f}%" if width > 1.6 * len(name) else f"{width:.0f}%" if width >= 4 else ""
                ground = text_on(mpl.colors.to_rgb(palette[name]))
                axes.text(
                    start + width / 2, line, told, ha="center", va="center", fontsize=8, color=ground, linespacing=1
                )
            left += shares
        axes.set_yticks(range(len(levels)), levels)
        axes.set_ylim(len(levels) - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(axis)
        _legend_of(figure, [Patch(facecolor=palette[name], label=name) for name in series])
    return figure


def _names(frame: pl.DataFrame, column: str) -> list[str]:
    """Return the names in a column: in the order of an enumeration, else as they come."""
    found = frame[column].unique(maintain_order=True)
    return [str(name) for name in (found.sort() if isinstance(found.dtype, pl.Enum) else found).to_list()]


def _across(panels: Sequence[str]) -> int:
    return min(ACROSS, len(panels)) if len(panels) != 4 else 2


def _rows_of(panels: Sequence[str]) -> int:
    return -(-len(panels) // _across(panels))


def _panels(
    figure: Figure, panels: Sequence[str], sharex: bool = False, sharey: bool = False, width_ratios: Any = None
) -> list[Any]:
    """Return as many axes as there are panels; what is left of the last row stays empty."""
    across = _across(panels)
    grid = figure.subplots(
        _rows_of(panels), across, squeeze=False, sharex=sharex, sharey=sharey, width_ratios=width_ratios
    )
    axes = list(grid.ravel())
    for spare in axes[len(panels) :]:
        spare.set_visible(False)
    if sharex:  # the last of each column is labelled, also above an empty place
        for place, one in enumerate(axes[: len(panels)]):
            one.tick_params(labelbottom=place + across >= len(panels))
    return axes[: len(panels)]


def _is_left(axes: Sequence[Any], one: Any) -> bool:
    return bool(one.get_subplotspec().is_first_col())


def _dodge(place: int, count: int) -> float:
    """Return how far the n-th of several series lies off the middle of its line."""
    return 0.0 if count == 1 else (place / (count - 1) - 0.5) * min(0.62, 0.2 * count)


def _fair_line(axes: Any, margin: float | None, across: bool = False) -> None:
    line, band = (axes.axhline, axes.axhspan) if across else (axes.axvline, axes.axvspan)
    if margin is not None:
        band(-margin, margin, color=BAND, alpha=0.2, linewidth=0)
    line(0, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))


def _fair_handles(margin: float | None, fair: str, unit: str = "pp") -> list[Any]:
    handles: list[Any] = [Line2D([], [], color=INK, linewidth=0.9, linestyle=(0, (4, 3)), label=fair)]
    if margin is not None:
        handles.append(Patch(facecolor=BAND, alpha=0.3, label=f"margin of ±{margin:g} {unit}"))
    return handles


def _intervals(axes: Any, part: pl.DataFrame, levels: Sequence[str], shift: float, series: int) -> None:
    places = np.array([levels.index(str(level)) for level in part["level"]]) + shift
    value, low, high = (part[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in ("value", "low", "high"))
    axes.hlines(places, low, high, color=colour(series), linewidth=2)
    axes.plot(
        value, places, marker(series), color=colour(series), markersize=5.5, markeredgecolor=PAPER, markeredgewidth=0.5
    )


def _levels_axis(axes: Any, levels: Sequence[str], named: bool) -> None:
    axes.set_yticks(range(len(levels)), levels if named else [""] * len(levels))
    axes.set_ylim(len(levels) - 0.5, -0.5)
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _fields(axes: Any, part: pl.DataFrame, norm: Any) -> Any:
    rows, columns = _names(part, "row"), _names(part, "column")
    values = np.full((len(rows), len(columns)), np.nan)
    for row in part.iter_rows(named=True):
        if row["value"] is not None:
            values[rows.index(str(row["row"])), columns.index(str(row["column"]))] = row["value"]
    image = axes.pcolormesh(values, cmap=mpl.colormaps[DIVERGING], norm=norm, edgecolors=PAPER, linewidth=1.2)
    for row in part.iter_rows(named=True):
        if row["value"] is None:
            continue
        clear = row["low"] is not None and (row["low"] > 0 or row["high"] < 0)
        place = rows.index(str(row["row"])), columns.index(str(row["column"]))
        axes.text(
            place[1] + 0.5,
            place[0] + 0.5,
            words.number(row["value"], 1, sign=True),
            ha="center",
            va="center",
            fontsize=CELL_TYPE,
            fontweight="bold" if clear else "normal",
            color=text_on(image.cmap(norm(row["value"]))),
        )
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns)
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows if axes.get_subplotspec().is_first_col() else [])
    axes.invert_yaxis()
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return image


def _bar(figure: Figure, image: Any, axes: Sequence[Any], label: str) -> None:
    bar = figure.colorbar(image, ax=list(axes), location="bottom", aspect=45, shrink=0.5, pad=0.02)
    bar.set_label(label, fontsize=9)
    bar.ax.xaxis.set_major_formatter(FuncFormatter(_signed))
    bar.ax.xaxis.set_major_locator(MaxNLocator(5))
    bar.outline.set_visible(False)


def _limit(axes: Sequence[Any], frame: pl.DataFrame) -> None:
    """Keep one wide interval from making all else flat: the axis ends at the widest but a few."""
    ends = frame.select(pl.max_horizontal(pl.col("low").abs(), pl.col("high").abs(), pl.col("value").abs())).to_series()
    if ends.drop_nulls().is_empty():
        return
    reach = max(3.0, float(ends.drop_nulls().quantile(0.95) or 0.0) * 1.1)
    for one in axes:
        one.set_ylim(-reach, reach)


def _signed(value: float, _: Any = None) -> str:
    return "0" if abs(value) < 1e-9 else f"{value:+g}".replace("-", words.MINUS)


def _thousands(value: float) -> str:
    return f"{value / 1000:g}k" if value >= 10_000 else f"{value:,.0f}"


def _dash(place: int) -> Any:
    return ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))[place % 4]


def _handle(place: int, label: str) -> Line2D:
    return Line2D([], [], color=colour(place), marker=marker(place), markersize=6, linewidth=0, label=label)


def _line_handle(place: int, label: str) -> Line2D:
    return Line2D([], [], color=colour(place), linewidth=1.6, linestyle=_dash(place), label=label)


def _legend(figure: Figure, series: Sequence[str], more: Sequence[Any]) -> None:
    told = [_handle(place, name) for place, name in enumerate(series)] if len(series) > 1 else []
    _legend_of(figure, [*told, *more])


def _legend_of(figure: Figure, handles: Sequence[Any]) -> None:
    length = sum(len(handle.get_label()) + 6 for handle in handles)
    columns = len(handles) if length <= LINE else 4
    figure.legend(handles=list(handles), loc="outside upper left", ncols=columns, borderaxespad=0.2)
