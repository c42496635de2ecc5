"""Plots of a tournament as PNG files, one panel for each player count; no display is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rogsim.report.figures.png import (
    ACCENT,
    DPI,
    GRID,
    INK,
    SOFT,
    STYLE,
    bot_label,
    panel_title,
    part_tiles,
    save,
    write_head,
)

PALEST, DARK = (
    (-20, 120),
    38,
)  # ends of the colours, in %, beyond 0 and 100 to keep them pale; white text where farther from 50


def plot_pairs(pairs: pl.DataFrame, order: Mapping[int, Sequence[str]], path: Path) -> None:
    """Draw how often each bot finishes ahead of each other bot, as heat maps with numbers."""
    most = max(len(names) for names in order.values())
    side = 1.5 + 0.68 * most
    with mpl.rc_context(STYLE):
        figure, panels = _panels(len(order), side + 0.2, side)
        for axes, (players, names) in zip(panels, order.items(), strict=True):
            _heat_map(axes, pairs.filter(players=players), names)
            axes.set_title(panel_title(players), loc="left")
        write_head(figure, "How often the row finishes ahead\nof the column, in % (95% interval)")
        save(figure, path)


def plot_ratings(ratings: pl.DataFrame, path: Path) -> None:
    """Draw the ratings with their 95% intervals, best on top."""
    counts = ratings["players"].unique(maintain_order=True).to_list()
    height = 1.5 + 0.42 * (len(ratings) / len(counts))
    with mpl.rc_context(STYLE):
        figure, panels = _panels(len(counts), 4.8, height, sharex=True)
        for axes, players in zip(panels, counts, strict=True):
            _dots(axes, ratings.filter(players=players))
            axes.set_title(panel_title(players), loc="left")
            axes.set_xlabel("rating (Elo points, mean 0)")
        hollow = "" if ratings["joined"].all() else "\nHollow: at least this far off; the games do not show how far"
        write_head(figure, f"Ratings with 95% intervals{hollow}")
        save(figure, path)


def _panels(count: int, width: float, height: float, sharex: bool = False) -> tuple[Figure, list[Any]]:
    figure = Figure(figsize=(width * count, height), dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots(1, count, squeeze=False, sharex=sharex)[0].tolist()


def _heat_map(axes: Any, pairs: pl.DataFrame, names: Sequence[str]) -> None:
    shares = np.full((len(names), len(names)), np.nan)
    texts = np.full(shares.shape, "", dtype=object)
    for row in pairs.iter_rows(named=True):
        place = names.index(row["bot"]), names.index(row["other"])
        shares[place] = 100 * row["ahead"]
        texts[place] = _cell(row)
    labels = [bot_label(name) for name in names]
    axes.imshow(shares, cmap=mpl.colormaps["RdBu"], vmin=PALEST[0], vmax=PALEST[1])
    for place in zip(*np.nonzero(~np.isnan(shares)), strict=True):
        color = "white" if abs(shares[place] - 50) > DARK else INK
        axes.text(place[1], place[0], texts[place], ha="center", va="center", fontsize=8.5, color=color)
    axes.set_xticks(range(len(names)), labels, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), labels)
    part_tiles(axes, len(names), len(names))


def _cell(row: Mapping[str, Any]) -> str:
    """Return a share and its interval in per cent, on two lines."""
    share = f"{100 * row['ahead']:.0f}"
    if row["ahead_low"] is None:
        return share
    return f"{share}\n{100 * row['ahead_low']:.0f} to {100 * row['ahead_high']:.0f}"


def _dots(axes: Any, ratings: pl.DataFrame) -> None:
    value, low, high = (ratings[name].fill_null(np.nan).to_numpy() for name in ("rating", "rating_low", "rating_high"))
    places = np.arange(len(ratings))
    axes.axvline(0, color=SOFT, linewidth=0.8)
    axes.hlines(places, low, high, color=ACCENT, linewidth=2)
    for place, rating, joined in zip(places, value, ratings["joined"], strict=True):
        # A hollow dot: the games do not show how far off this bot is.
        axes.plot(rating, place, "o", color=ACCENT, markerfacecolor=ACCENT if joined else "white", markersize=5)
        label = {"xytext": (0, 6), "textcoords": "offset points", "ha": "center", "fontsize": 8, "color": INK}
        ground = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
        axes.annotate(f"{rating:+.0f}".replace("-", "\N{MINUS SIGN}"), (rating, place), bbox=ground, **label)
    axes.set_yticks(places, [bot_label(name) for name in ratings["bot"].cast(pl.String)])
    axes.set_ylim(len(ratings) - 0.5, -0.6)
    axes.margins(x=0.08)
    axes.grid(axis="x", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
