"""A profile as a picture: measures by bot, coloured by how much they differ from the other bots'."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from rogsim.report.figures.png import DPI, INK, STYLE, bot_label, panel_title, part_tiles, save, write_head
from rogsim.report.profile.profile_tables import name_text, value_text

FACTOR = 2  # the colours end at this multiple of the median bot's value, and at its inverse
MAP, REACH = "PuOr_r", 1.25  # the darkest ends of the colours stay unused
HEADING_WIDTH = 9  # characters
DIM = 0.5  # on a ground darker than this (of 1), text is white


def plot_profile(profile: pl.DataFrame, path: Path) -> None:
    """Draw a profile as heat maps: a row for each bot, a panel for each table and player count."""
    profile = profile.filter((pl.col("value") > 0).any().over("table", "figure"))  # leave out what no bot does
    tables = profile.partition_by("players", "table", maintain_order=True, as_dict=True)
    counts, titles = (list(dict.fromkeys(keys)) for keys in zip(*tables, strict=True))
    widths = [tables[counts[0], title]["figure"].n_unique() for title in titles]
    bots = profile["bot"].n_unique()
    with mpl.rc_context(STYLE):
        size = max(7.5, 1.9 + 0.72 * sum(widths)), 1.6 + len(counts) * (0.9 + 0.46 * bots)
        figure = Figure(figsize=size, dpi=DPI, layout="constrained")
        FigureCanvasAgg(figure)
        panels = figure.subplots(len(counts), len(titles), squeeze=False, width_ratios=widths)
        for row, players in zip(panels, counts, strict=True):
            for place, (axes, title) in enumerate(zip(row, titles, strict=True)):
                image = _heat_map(axes, tables[players, title], named=place == 0)
                axes.set_title(f"{panel_title(players)}: {title}" if place == 0 else title, loc="left")
        bar = figure.colorbar(image, ax=panels, location="bottom", aspect=60, shrink=0.4, pad=0.02)
        bar.ax.set_xlim(-1, 1)
        bar.set_ticks([-1, 0, 1], labels=["half or less", "as the median bot", "twice or more"])
        write_head(figure, "What bots do, per game and seat (± 95% interval)")
        save(figure, path)


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
    image = axes.imshow(distances, cmap=mpl.colormaps[MAP], vmin=-REACH, vmax=REACH, aspect="auto")
    for (y, x), text in texts.items():
        ground = image.cmap(image.norm(distances[y, x]))
        color = "white" if np.dot(ground[:3], (0.299, 0.587, 0.114)) < DIM else INK
        axes.text(x, y, text, ha="center", va="center", fontsize=8, color=color, linespacing=1.05)
    axes.set_xticks(range(len(names)), [_heading(name_text(name, shares[name])) for name in names], fontsize=8.5)
    axes.set_yticks(range(len(bots)), [bot_label(bot) for bot in bots] if named else [])
    axes.xaxis.tick_top()
    part_tiles(axes, len(names), len(bots))
    return image


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
