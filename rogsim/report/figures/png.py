"""PNG files of standalone figures: their style, headings and panels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

DPI = 150
INK, SOFT, ACCENT, GRID, EMPTY = "#222222", "#8a8a8a", "#1f5a92", "#e4e4e4", "#f0f0f0"
STYLE: dict[Any, Any] = {"font.size": 10.0, "axes.titlesize": 11.0, "axes.titleweight": "bold", "text.color": INK}
STYLE["text.parse_math"] = False  # a name with dollar signs is not a formula
LONGEST_LABEL = 24  # characters of a bot's name on an axis


def part_tiles(axes: Any, columns: int, rows: int) -> None:
    """Separate the cells of a heat map by white lines."""
    axes.set_xticks(np.arange(columns - 1) + 0.5, minor=True)
    axes.set_yticks(np.arange(rows - 1) + 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.set_facecolor(EMPTY)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)


def write_head(figure: Figure, text: str) -> None:
    """Write the heading of a figure."""
    figure.suptitle(text, x=0.01, ha="left", fontsize=11)


def panel_title(players: int) -> str:
    """Return the title of the panel for a number of players."""
    return f"{players} players"


def bot_label(name: str) -> str:
    """Return a bot's name without its folders; of a long name only the end."""
    last = name.rsplit("/", 1)[-1]
    return last if len(last) <= LONGEST_LABEL else "…" + last[1 - LONGEST_LABEL :]


def save(figure: Figure, path: Path) -> None:
    """Write a figure to a file."""
    # No date and no version inside, so that the same figure gives the same file.
    figure.savefig(path, format="png", metadata={"Software": None})
