"""Draw how often the statistics are right: `python -m scripts.studies.plot_coverage`.

docs/data/coverage.csv has a row for each rate, as `Rate` describes it; docs/data/coverage.png shows all of them.
"""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rogsim.report.figures.style import BEYOND, DPI, GRID, INK, STYLE, WITHIN
from scripts.studies.rates import COVERAGE, DATA

WIDTH, HEIGHT = 9.0, 6.4  # inches
LINE = 0.7  # of a row: how far apart its dots may be


def coverage() -> pl.DataFrame:
    """Return the measured rates minus the nominal ones, and whether each is clearly on the wrong side."""
    rates = pl.read_csv(COVERAGE, schema_overrides={"games": pl.String, "nominal": pl.Float64})
    is_error = pl.col("nominal") < 50
    wrong = pl.when(is_error).then(pl.col("low") > pl.col("nominal")).otherwise(pl.col("high") < pl.col("nominal"))
    return rates.with_columns(
        *(pl.col(name) - pl.col("nominal") for name in ("measured", "low", "high")),
        is_error.alias("is_error"),
        wrong.alias("wrong"),
    )


def panel(axes: Axes, rates: pl.DataFrame, studies: list[str], title: str) -> None:
    """Draw the rates of each study in a row, sorted by size, and their number at the right."""
    for place, study in enumerate(studies):
        found = rates.filter(study=study).sort("measured")
        if found.is_empty():
            continue
        heights = place + LINE * np.linspace(-0.5, 0.5, found.height + 2)[1:-1]
        colours = [BEYOND if wrong else WITHIN for wrong in found["wrong"]]
        axes.hlines(heights, found["low"], found["high"], colors=colours, linewidth=0.6, alpha=0.4)
        axes.scatter(found["measured"], heights, s=9, c=colours, linewidths=0)
        axes.text(1.02, place, str(found.height), transform=axes.get_yaxis_transform(), va="center", ha="left")
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_title(title)
    axes.set_xlabel("measured minus promised, percentage points")
    axes.grid(axis="x", color=GRID)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def main() -> None:
    """Draw the figure."""
    rates = coverage()
    studies = rates["study"].unique(maintain_order=True).to_list()
    with mpl.rc_context(STYLE):
        figure = Figure((WIDTH, HEIGHT), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        panel(left, rates.filter(~pl.col("is_error")), studies, "intervals and chances that hold (right of 0 is safe)")
        panel(right, rates.filter("is_error"), studies, "wrong statements (left of 0 is safe)")
        left.set_yticks(range(len(studies)), studies)
        left.set_ylim(len(studies) - 0.4, -0.6)
        left.set_xlim(-12, 6)
        right.set_xlim(-6, 6)
        figure.savefig(DATA / "coverage.png", dpi=DPI, metadata={"Software": None})


if __name__ == "__main__":
    main()
