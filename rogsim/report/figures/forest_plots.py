"""Forest plots: each function takes a frame of estimates and returns a matplotlib Figure; no files, no global style.

Frames are tidy: `panel` names the panel, `series` is distinguished by colour and marker, and `value` comes with the
ends `low` and `high` of its 95% interval (null if there is none). Differences of shares are in percentage points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from rogsim.report import words
from rogsim.report.figures.style import (
    BEYOND,
    INK,
    LETTER,
    OPEN,
    SOFT,
    WIDTH,
    WITHIN,
    across_of,
    axis_labels,
    colour,
    fair_handles,
    fair_line,
    is_left,
    legend,
    marker,
    names_of,
    new_figure,
    panels_of,
    rows_of,
    signed,
    styled,
)

Window = tuple[float | None, float | None]  # the ends of an axis; None: up to the last value drawn

ROW = 0.25  # height of a row of a plot, in inches
TITLE_LINE = 0.2  # height of a line of a title, in inches
PLOT = 2.4  # width of a panel without the names of its rows, in inches
SMALL_TYPE, NUMBER_TYPE = 7.5, 8.5
MOST_BEYOND = 0.05  # share of the ends of intervals that may lie beyond an axis that they would make too long
FAR = 0.5  # share of an axis: ends farther out than that are cut off
EMPTY: Window = (-1.0, 1.0)  # the axis if there is nothing to show, not even a margin


def forest(
    frame: pl.DataFrame,
    margin: float | None,
    axis: str,
    fair: str = "fair",
    unit: str = "pp",
    window: Window | None = None,
    band: str = "margin",
    ranked: bool = True,
) -> Figure:
    """Draw differences of shares with their intervals: a panel for each `panel`, with a row for each of its levels.

    The value is at the right edge of its row. A single series has the colours of verdicts: its interval is beyond the
    margin, within it, or neither.

    Parameters
    ----------
    frame
        Columns panel, level, series, value, low and high; and n, if rows without an interval have too few games to show
        a value.
    margin
        Half the width of the band around the line at 0, in the unit of the differences; None for no band.
    axis
        Label of the axis.
    fair
        Label of the line at 0.
    unit
        Unit of the differences, for the label of the band.
    window
        Ends of the axis, the same for figures to be compared (`common_window`); by default those that suit this frame.
        An interval that extends beyond them ends in an arrow.
    band
        What the page calls the margin.
    ranked
        Whether the rows of a panel are sorted by the size of their largest effect; otherwise they keep their order.
    """
    panels, series = (names_of(frame, name) for name in ("panel", "series"))
    levels = {panel: _levels(frame.filter(pl.col("panel") == panel), ranked) for panel in panels}
    longest = max(map(len, levels.values()))
    lines = max(1.0, 0.62 * len(series))
    window = window_of(frame) if window is None else window
    if margin is None and _shows_nothing(frame):
        window = EMPTY
    with styled():
        height = 1.1 + (0.35 + ROW * lines * longest + TITLE_LINE * _more_lines(panels)) * rows_of(panels)
        names = [level for panel in panels for level in levels[panel]]
        panel_width = LETTER * max(map(len, names)) + PLOT
        figure = new_figure(height, max(WIDTH, panel_width * across_of(panels)), names)
        figure.set_layout_engine("constrained", wspace=0.05)
        axes = panels_of(figure, panels, sharex=True)
        cut = False
        for ax, panel in zip(axes, panels, strict=False):
            fair_line(ax, margin)
            drawn = frame.filter(pl.col("panel") == panel)
            present = names_of(drawn, "series")
            for name in present:
                part = drawn.filter(pl.col("series") == name)
                shift = _dodge(present.index(name), len(present))
                cut |= _intervals(
                    ax, part, levels[panel], shift, series.index(name), window, _colours(part, margin, series)
                )
            ax.set_title(panel)
            _levels_axis(ax, levels[panel], longest)
            ax.xaxis.set_major_formatter(FuncFormatter(signed))
            ax.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
        axes[0].set_xlim(*window)
        axis_labels(figure, axis)
        arrow = Line2D([], [], color=SOFT, marker=">", markersize=5, linewidth=0, label="extends beyond the axis")
        judged = _judged_handles(frame, margin) if len(series) == 1 else []
        legend(figure, series, [*fair_handles(margin, fair, unit, band), *judged, *([arrow] if cut else [])])
    return figure


def _levels(part: pl.DataFrame, ranked: bool) -> list[str]:
    """Return the levels of a panel: those with the largest effect first, and those without an effect last."""
    levels = names_of(part, "level")
    if not ranked:
        return levels
    known = part.with_columns(pl.col("value").cast(pl.Float64).fill_nan(None).abs(), pl.col("level").cast(pl.String))
    sizes = dict(known.group_by("level").agg(pl.col("value").max().round_sig_figs(9)).iter_rows())
    return sorted(levels, key=lambda level: -(sizes[level] or 0.0))


def _colours(part: pl.DataFrame, margin: float | None, series: Sequence[str]) -> list[str]:
    """Return the colour of each row: that of its series, or if there is only one, of what its interval says."""
    if len(series) > 1:
        return [colour(series.index(str(part["series"][0])))] * part.height
    reach = margin or 0.0
    found = []
    for low, high in part.select(pl.col("low", "high").cast(pl.Float64).fill_nan(None)).iter_rows():
        known = low is not None and high is not None
        beyond = known and (low > reach or high < -reach)
        within = known and margin is not None and low >= -reach and high <= reach
        found.append(BEYOND if beyond else WITHIN if within else OPEN)
    return found


def _judged_handles(frame: pl.DataFrame, margin: float | None) -> list[Any]:
    """Return the legend entries of the colours that intervals have."""
    drawn = _colours(frame.drop_nulls("low"), margin, [""])
    beyond = {BEYOND: "interval beyond it", WITHIN: "within it", OPEN: "neither"}
    names = {BEYOND: "interval excludes it", OPEN: "contains it"} if margin is None else beyond
    return [Line2D([], [], color=shade, linewidth=2, label=name) for shade, name in names.items() if shade in drawn]


def window_of(frame: pl.DataFrame) -> Window:
    """Return the ends of an axis so that a few wide intervals do not make all others too short to read.

    All values lie inside, and all but the few longest intervals; an end is None if no interval extends far beyond it.
    frame: value, low, high.
    """
    known = frame.select(pl.col("value", "low", "high").cast(pl.Float64).fill_nan(None))
    values, lows, highs = (known[name].drop_nulls() for name in known.columns)
    if lows.is_empty() or highs.is_empty():
        return None, None
    ends = [0.0, *values.to_list(), lows.quantile(MOST_BEYOND, "linear"), highs.quantile(1 - MOST_BEYOND, "linear")]
    low, high = min(ends), max(ends)
    far, room = FAR * (high - low), 0.08 * (high - low)
    longest = min(lows.to_list()), max(highs.to_list())
    return low - room if longest[0] < low - far else None, high + room if longest[1] > high + far else None


def common_window(frame: pl.DataFrame, margin: float) -> Window:
    """Return the common ends of the axes of figures drawn from parts of one frame, including the margin."""
    low, high = window_of(frame)
    known = frame.select(pl.col("value", "low", "high").cast(pl.Float64).fill_nan(None))
    ends = [-margin, margin, *(value for name in known.columns for value in known[name].drop_nulls().to_list())]
    room = 0.04 * (max(ends) - min(ends))
    return min(ends) - room if low is None else low, max(ends) + room if high is None else high


def factors(frame: pl.DataFrame, axis: str, line: str) -> Figure:
    """Draw factors on a logarithmic axis: a row for each `level`, a panel for each `panel`, and a line at 1.

    frame: panel, level, series, value. axis: label of the axis. line: label of the line at 1.
    """
    panels, levels, series = (names_of(frame, name) for name in ("panel", "level", "series"))
    with styled():
        figure = new_figure(1.35 + ROW * max(1.0, 0.55 * len(series)) * len(levels) * rows_of(panels), names=levels)
        axes = panels_of(figure, panels, sharex=True)
        for ax, panel in zip(axes, panels, strict=False):
            ax.axvline(1, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
            for place, name in enumerate(series):
                part = frame.filter(pl.col("panel") == panel, pl.col("series") == name)
                lines = np.array([levels.index(str(level)) for level in part["level"]]) + _dodge(place, len(series))
                ax.plot(part["value"], lines, marker(place), color=colour(place), markersize=6)
            ax.set_title(panel)
            _levels_axis(ax, levels if is_left(ax) else [""] * len(levels))
            ax.set_xscale("log")
            ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=8))
            ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            ax.xaxis.set_minor_formatter(NullFormatter())
        values = frame["value"]
        axes[0].set_xlim(min(0.8, float(values.min()) / 1.3), max(2.5, float(values.max()) * 1.3))  # type: ignore[arg-type]
        axis_labels(figure, axis)
        mark = Line2D([], [], color=INK, linewidth=0.9, linestyle=(0, (4, 3)), label=line)
        legend(figure, series, [mark])
    return figure


def _shows_nothing(frame: pl.DataFrame) -> bool:
    """Return whether every row has too few games to show a value."""
    return "n" in frame.columns and frame["low"].cast(pl.Float64).fill_nan(None).null_count() == len(frame)


def _more_lines(panels: Sequence[str]) -> int:
    """Return how many lines the longest title has beyond the two that most have."""
    return max(0, *(title.count("\n") - 1 for title in panels))


def _dodge(place: int, count: int) -> float:
    """Return the offset of the n-th of several series from the middle of its row."""
    return 0.0 if count == 1 else (place / (count - 1) - 0.5) * min(0.62, 0.2 * count)


def _intervals(
    axes: Any,
    part: pl.DataFrame,
    levels: Sequence[str],
    shift: float,
    series: int,
    window: Window,
    colours: Sequence[str],
) -> bool:
    """Draw one series; return whether any of its intervals extends beyond the window."""
    places = np.array([levels.index(str(level)) for level in part["level"]]) + shift
    value, low, high = (part[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in ("value", "low", "high"))
    few = np.isnan(low) & ("n" in part.columns)
    shades = np.array(colours)
    axes.hlines(places[~few], low[~few], high[~few], colors=shades[~few], linewidth=1.2)
    for ends in (low, high):  # caps stay visible where a dot hides a short interval
        axes.scatter(ends[~few], places[~few], s=36, marker="|", c=shades[~few], linewidths=1.2)
    axes.scatter(value[~few], places[~few], s=11, marker=marker(series), c=shades[~few], linewidths=0, zorder=3)
    counts = part["n"].to_list() if "n" in part.columns else [None] * part.height
    edge = axes.get_yaxis_transform()
    for place, number, n, is_few in zip(places, value, counts, few, strict=True):
        if is_few:
            text, look = "too few" if n is None else f"n = {words.count(n)}", {"fontsize": SMALL_TYPE, "color": SOFT}
        elif not np.isnan(number):
            text, look = words.number(float(number), 1, sign=True), {"fontsize": NUMBER_TYPE, "color": INK}
        else:
            continue
        axes.text(1.17, place, text, transform=edge, ha="right", va="center", **look)
    cut = False
    for end, beyond, sign in ((window[0], low, "<"), (window[1], high, ">")):
        if end is not None:
            gone = ~few & ((beyond < end) if sign == "<" else (beyond > end))
            at_end = np.full(int(gone.sum()), end)
            axes.scatter(at_end, places[gone], s=22, marker=sign, c=shades[gone], clip_on=False).set_in_layout(False)
            cut |= bool(gone.any())
    return cut


def _levels_axis(axes: Any, levels: Sequence[str], longest: int | None = None) -> None:
    """Name the rows. longest: the rows of the longest panel, so that rows of all panels have one height."""
    axes.set_yticks(range(len(levels)), levels)
    axes.set_ylim((longest or len(levels)) - 0.5, -0.5)
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
