"""A profile as figures: measures by bot, coloured by how much they differ from those of the median bot."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.figure import Figure
from numpy.typing import NDArray

from rogsim.report import words
from rogsim.report.figures.style import DIVERGING, GRID, WIDTH, new_figure, styled, text_on
from rogsim.report.words import bot_label

FACTOR = 2  # the colours end at this multiple of the median bot's value, and at its inverse
REACH = 1.25  # the darkest ends of the colours stay unused
HEADING_WIDTH = 9  # characters
LABELS, CELL = 1.9, 0.68  # inches: the names of the bots, and the least width of a measure
NARROW_REACH = 0.05  # half an interval: a narrower one gets one more digit
LEAST = 6  # measures side by side; fewer leave the rest of the figure empty


def name_text(name: str, is_share: bool) -> str:
    """Return the heading of a measure."""
    return f"{name} %" if is_share else name


def value_text(row: Mapping[str, Any]) -> str:
    """Return the value of a row with its interval, if it has one; a narrow interval gets one more digit."""
    value, low, high = (row[name] for name in ("value", "value_low", "value_high"))
    scale = 100 if row["share"] else 1
    reach = 0.0 if low is None else max(high - value, value - low) * scale
    return words.give_or_take(value, low, high, scale, digits=2 if 0 < reach < NARROW_REACH else 1)


def played_measures(profile: pl.DataFrame) -> pl.DataFrame:
    """Return a profile without the measures that are 0 for all bots."""
    return profile.filter((pl.col("value") > 0).any().over("table", "figure"))


def draw_profile(profile: pl.DataFrame) -> Figure:
    """Draw a profile as heat maps: a row for each bot, a panel for each table and player count."""
    tables = profile.partition_by("players", "table", maintain_order=True, as_dict=True)
    counts, titles = (list(dict.fromkeys(keys)) for keys in zip(*tables, strict=True))
    widths = [tables[counts[0], title]["figure"].n_unique() for title in titles]
    bots = profile["bot"].n_unique()
    with styled():
        figure = new_figure(
            0.95 + len(counts) * (0.75 + 0.42 * bots), max(WIDTH, LABELS + CELL * sum(widths) + 0.1 * len(widths))
        )
        spare = [LEAST - sum(widths)] if sum(widths) < LEAST else []  # a few measures are no wider than many
        panels = figure.subplots(len(counts), len(titles) + len(spare), squeeze=False, width_ratios=[*widths, *spare])
        for row, players in zip(panels, counts, strict=True):
            for axes in row[len(titles) :]:
                axes.set_visible(False)
            for place, (axes, title) in enumerate(zip(row, titles, strict=False)):
                image = _heat_map(axes, tables[players, title], named=place == 0)
                heading = [words.players(players)] * (place == 0) + [str(title)] * (len(titles) > 1)
                axes.set_title(": ".join(heading))
        bar = figure.colorbar(image, ax=panels, location="bottom", aspect=60, shrink=0.5, pad=0.02)
        bar.ax.set_xlim(-1, 1)
        bar.set_ticks([-1, 0, 1], labels=["half or less", "as the median bot", "twice or more"])
        bar.outline.set_visible(False)
    return figure


def _heat_map(axes: Any, rows: pl.DataFrame, named: bool) -> Any:
    bots, names = (rows[column].unique(maintain_order=True).to_list() for column in ("bot", "figure"))
    shares = dict(rows.select("figure", "share").iter_rows())
    values = np.full((len(bots), len(names)), np.nan)
    texts: dict[tuple[int, int], str] = {}
    for row in rows.iter_rows(named=True):
        place = bots.index(row["bot"]), names.index(row["figure"])
        if row["value"] is not None:
            values[place], texts[place] = row["value"], value_text(row).replace(" ", "\n")
    distances = _distances(values)
    image = axes.imshow(distances, cmap=mpl.colormaps[DIVERGING].resampled(256), vmin=-REACH, vmax=REACH, aspect="auto")
    for (y, x), text in texts.items():
        color = text_on(image.cmap(image.norm(distances[y, x])))
        axes.text(x, y, text, ha="center", va="center", fontsize=7.5, color=color, linespacing=1.05)
    axes.set_xticks(range(len(names)), [_heading(name_text(name, shares[name])) for name in names], fontsize=8)
    axes.set_yticks(range(len(bots)), [bot_label(bot) for bot in bots] if named else [])
    axes.xaxis.tick_top()
    _part_cells(axes, len(names), len(bots))
    return image


def _part_cells(axes: Any, columns: int, rows: int) -> None:
    """Separate the cells by lines."""
    axes.set_xticks(np.arange(columns - 1) + 0.5, minor=True)
    axes.set_yticks(np.arange(rows - 1) + 0.5, minor=True)
    axes.grid(which="minor", color=GRID, linewidth=1)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)


def _distances(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far each value is from its column's median: 1 is FACTOR times the median, -1 is 1/FACTOR of it."""
    distances = np.full(values.shape, np.nan)
    for column, column_values in enumerate(values.T):
        known = column_values[~np.isnan(column_values)]
        median = np.median(known) if len(known) else 0.0
        if median > 0:
            ratios = np.clip(column_values / median, 1 / FACTOR, FACTOR)
        else:
            ratios = np.where(column_values > 0, float(FACTOR), 1.0)
        distances[:, column] = np.where(np.isnan(column_values), np.nan, np.log(ratios) / np.log(FACTOR))
    return distances


def _heading(text: str) -> str:
    """Return a heading on two lines, so that all panels have the same height."""
    return "\n".join(["", *textwrap.wrap(text, HEADING_WIDTH)][-2:])
