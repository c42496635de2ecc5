"""Sections on how games unfold: points and margins, length, and who led."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import polars as pl

from rogsim.report import words
from rogsim.report.balance.pieces import BLOCKS, one_line, rests_on, with_source
from rogsim.report.balance.sources import Material
from rogsim.report.document import Grid, Picture, Section, TableColumn
from rogsim.report.figures import distributions
from rogsim.report.figures.bins import binned
from rogsim.stats.balance.shape import Shape


def points_section(material: Material) -> Section | None:
    """Return the section on points, margins of victory, ties and closeness."""
    summary = _summary(material)
    if summary.is_empty():
        return None
    points, margins = (_histogram(material, pick) for pick in (lambda shape: shape.points, lambda shape: shape.margin))
    pictures = (
        Picture(
            "points",
            "Points of all seats.",
            _spread("points", points),
            partial(distributions.histogram, points, "points", _share_axis("seats", points)),
        ),
        Picture(
            "margins",
            "Margin of victory: points between first and second place.",
            _spread("margins of victory", margins),
            partial(
                distributions.histogram, margins, "points between first and second place", _share_axis("games", margins)
            ),
        ),
    )
    close = material.stacked(lambda balance: balance.shape.close if balance.shape else None)
    grids = [
        Grid(
            "figures",
            "Summary of the games (95% interval)",
            with_source(
                material,
                TableColumn("name", "measure"),
                TableColumn("value", "value", "number", interval=True, digits=2),
                TableColumn("unit", "unit"),
            ),
            summary,
        )
    ]
    if not close.is_empty():
        columns = (
            TableColumn("within", "decided by at most (points)", "count"),
            TableColumn("share", "share of games (95%)", "share", interval=True),
        )
        frame = close.rename({"low": "share_low", "high": "share_high"})
        grids.append(Grid("close", "Close games", with_source(material, *columns), frame))
    method = (
        BLOCKS,
        "The margin is the difference in points between first and second place; it is 0 for a shared victory.",
    )
    return Section(
        "points", "Points and margins", "How close are games?", rests_on(material), (), pictures, tuple(grids), method
    )


def length_section(material: Material) -> Section | None:
    """Return the section on the length of games."""
    turns = _histogram(material, lambda shape: shape.turns)
    if turns.is_empty():
        return None
    frame = material.stacked(lambda balance: _quantiles(balance.shape.turns) if balance.shape else None)
    picture = Picture(
        "length",
        "Length of games: number of turns, all seats together.",
        _spread("lengths of games", turns, "turns"),
        partial(distributions.histogram, turns, "turns of all seats together", _share_axis("games", turns, "turns")),
    )
    columns = with_source(
        material,
        TableColumn("measure", "measure"),
        *(
            TableColumn(name, head, "number")
            for name, head in (("mean", "mean"), ("q05", "5%"), ("q50", "median"), ("q95", "95%"))
        ),
    )
    return Section(
        "length",
        "Length of games",
        "How long do games take?",
        rests_on(material),
        (),
        (picture,),
        (Grid("length", "Turns of all seats together", columns, frame),),
        (
            "Each game counts once. About 5% of games are shorter than the number under 5%, and about 5% are longer "
            "than the number under 95%.",
        ),
    )


def lead_section(material: Material) -> Section | None:
    """Return the section on who led during the games; None if the game does not record it."""
    lead = material.stacked(lambda balance: balance.shape.lead if balance.shape else None)
    if lead.is_empty():
        return None
    pictures = []
    ends = _ends(lead)
    for name, who, part in material.by_source(lead, "lead"):
        drawn = part.with_columns((100 * pl.col("progress")).alias("x"))
        pictures.append(
            Picture(
                name,
                f"Lead of the eventual winner over the best other seat during the game, without final scoring{who}.",
                f"Fan chart of the winner's lead{who}. {_ahead_words(drawn)}",
                partial(
                    distributions.fan,
                    drawn,
                    "share of the game's turns played",
                    "points ahead of the best other seat",
                    ends,
                ),
            )
        )
    columns = with_source(
        material,
        TableColumn("progress", "share of turns played", "share", digits=0),
        TableColumn("q05", "5%", "gain", digits=0),
        TableColumn("q25", "25%", "gain", digits=0),
        TableColumn("q50", "median lead", "gain", digits=0),
        TableColumn("q75", "75%", "gain", digits=0),
        TableColumn("q95", "95%", "gain", digits=0),
        TableColumn("ahead", "eventual winner leads or ties for the lead", "share"),
    )
    since = material.stacked(
        lambda balance: (
            balance.shape.since.with_columns(pl.lit(balance.games).alias("games")) if balance.shape else None
        )
    )
    grids = [Grid("lead", "Lead of the eventual winner, in points", columns, lead)]
    if not since.is_empty():
        grids.append(_since_grid(material, since))
    return Section(
        "lead",
        "Who led",
        "When is a game decided?",
        rests_on(material),
        (),
        tuple(pictures),
        tuple(grids),
        (
            "Points scored during play, without final scoring. The lead is that of the seat that won in the end (if "
            "several won, the first in turn order) over the best other seat; below 0, it was behind.",
        ),
    )


def _since_grid(material: Material, since: pl.DataFrame) -> Grid:
    """Return the table of when the winner was behind for the last time, by tenths of the game."""
    tenth = (pl.col("since") * 10).floor().clip(0, 9) / 10 + 0.1
    frame = (
        since.with_columns(tenth.alias("by"), (pl.col("count") / pl.col("games")).alias("share"))
        .group_by("bots", "players", "by", maintain_order=True)
        .agg(pl.col("share").sum())
        .with_columns(pl.col("share").cum_sum().over("bots", "players").alias("so_far"))
    )
    columns = (
        TableColumn("by", "share of turns played", "share", digits=0),
        TableColumn("share", "games", "share"),
        TableColumn("so_far", "cumulative", "share"),
    )
    note = (
        "A tie for the lead is not behind, and before anybody has points, all are tied. "
        "In the remaining games, up to 100%, the winner was behind until the final scoring."
    )
    return Grid("since", "From when on the winner was never behind", with_source(material, *columns), frame, (note,))


def _summary(material: Material) -> pl.DataFrame:
    """Return the statistics of `Shape.figures`, with shares of games as percentages."""
    frame = material.stacked(lambda balance: balance.shape.figures() if balance.shape else None)
    if frame.is_empty():
        return frame
    scale = pl.when(pl.col("unit") == "").then(100.0).otherwise(1.0)
    unit = pl.when(pl.col("unit") == "").then(pl.lit("% of games")).otherwise(pl.col("unit"))
    ends = {"value": "value", "low": "value_low", "high": "value_high"}
    return frame.select(
        "bots", "players", "name", unit.alias("unit"), *((pl.col(a) * scale).alias(b) for a, b in ends.items())
    )


def _histogram(material: Material, pick: Callable[[Shape], pl.DataFrame]) -> pl.DataFrame:
    """Return histograms of each player count and folder on common bins, as input for `distributions.histogram`."""
    frame = material.stacked(lambda balance: pick(balance.shape) if balance.shape else None)
    return frame if frame.is_empty() else material.panels(binned(frame))


def _share_axis(of: str, frame: pl.DataFrame, unit: str = "points") -> str:
    """Return the label of a histogram's height; all bins have the same width."""
    width = frame["width"][0]
    return f"share of {of}" if width == 1 else f"share of {of} per {width} {unit}"


def _spread(what: str, frame: pl.DataFrame, unit: str = "points") -> str:
    """Describe a histogram in words: the fullest bin of each line."""
    panels = []
    many = frame["series"].n_unique() > 1
    for (panel,), of_panel in frame.group_by("panel", maintain_order=True):
        modes = []
        for (series,), part in of_panel.group_by("series", maintain_order=True):
            mode = part.sort("share", descending=True).row(0, named=True)
            end = mode["x"] + mode["width"] - 1
            span = f"{mode['x']}" if end == mode["x"] else f"{mode['x']} to {end}"
            modes.append(f"{span} {unit.removesuffix('s') if span == '1' else unit}{f' ({series})' * many}")
        panels.append(f"{one_line(panel)}: most often {', '.join(modes)}")
    return f"Histogram of {what}. {'; '.join(panels)}."


def _quantiles(counts: pl.DataFrame) -> pl.DataFrame:
    values, weights = counts["value"].to_numpy(), counts["count"].to_numpy().astype(float)
    ends = np.quantile(values, [0.05, 0.5, 0.95], weights=weights, method="inverted_cdf")
    row = {"measure": "turns", "mean": np.average(values, weights=weights)}
    return pl.DataFrame([row | dict(zip(("q05", "q50", "q95"), ends.astype(float).tolist(), strict=True))])


def _ends(lead: pl.DataFrame) -> tuple[float, float]:
    """Return the ends of the axis that all fan charts share."""
    low, high = float(lead["q05"].min()), float(lead["q95"].max())  # type: ignore[arg-type]
    room = 0.04 * (high - low)
    return low - room, high + room


def _ahead_words(drawn: pl.DataFrame) -> str:
    panels = []
    for (panel,), part in drawn.group_by("panel", maintain_order=True):
        halfway = part.sort((pl.col("progress") - 0.5).abs()).row(0, named=True)
        panels.append(
            f"{one_line(panel)}: halfway through, the eventual winner leads or ties for the lead in "
            f"{words.share(halfway['ahead'])} of games"
        )
    return "; ".join(panels) + "."
