"""Sections on how games go: points and margins, length, and who led."""

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
    figures_frame = _figures(material)
    if figures_frame.is_empty():
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
            "Margin of victory: points between the first and the second.",
            _spread("margins of victory", margins),
            partial(distributions.histogram, margins, "points between first and second", _share_axis("games", margins)),
        ),
    )
    close = material.stacked(lambda one: one.shape.close if one.shape else None)
    grids = [
        Grid(
            "figures",
            "The games in figures (95% interval)",
            with_source(
                material,
                TableColumn("name", "figure"),
                TableColumn("value", "value", "number", interval=True, digits=2),
                TableColumn("unit", "unit"),
            ),
            figures_frame,
        )
    ]
    if not close.is_empty():
        columns = (
            TableColumn("within", "decided by at most (points)", "count"),
            TableColumn("share", "share of games (95%)", "share", interval=True),
        )
        frame = close.rename({"low": "share_low", "high": "share_high"})
        grids.append(Grid("close", "Close games", with_source(material, *columns), frame))
    method = (BLOCKS, "A margin is that between the first and the second in points; of winners who share it is 0.")
    return Section(
        "points", "Points and margins", "How close are games?", rests_on(material), (), pictures, tuple(grids), method
    )


def length_section(material: Material) -> Section | None:
    """Return the section on the length of games."""
    turns = _histogram(material, lambda shape: shape.turns)
    if turns.is_empty():
        return None
    frame = material.stacked(lambda one: _quantiles(one.shape.turns) if one.shape else None)
    picture = Picture(
        "length",
        "Length of games: turns of all seats together.",
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
            "Each game counts once. 5% of games are shorter than the figure under 5%, and 5% are longer than that "
            "under 95%.",
        ),
    )


def lead_section(material: Material) -> Section | None:
    """Return the section on who led while games went on, if the game tells it."""
    lead = material.stacked(lambda one: one.shape.lead if one.shape else None)
    if lead.is_empty():
        return None
    pictures = []
    ends = _ends(lead)
    for name, who, part in material.by_source(lead, "lead"):
        drawn = part.with_columns((100 * pl.col("progress")).alias("x"))
        pictures.append(
            Picture(
                name,
                f"Lead of the later winner on the best other seat, before final scoring, while the game goes on{who}.",
                f"Fan chart of the winner's lead{who}. {_ahead_words(drawn)}",
                partial(
                    distributions.fan,
                    drawn,
                    "part of the game's turns that is over",
                    "points ahead of the best other",
                    ends,
                ),
            )
        )
    columns = with_source(
        material,
        TableColumn("progress", "part of the game over", "share", digits=0),
        TableColumn("q05", "5%", "gain", digits=0),
        TableColumn("q25", "25%", "gain", digits=0),
        TableColumn("q50", "median lead", "gain", digits=0),
        TableColumn("q75", "75%", "gain", digits=0),
        TableColumn("q95", "95%", "gain", digits=0),
        TableColumn("ahead", "winner leads or shares the lead", "share"),
    )
    since = material.stacked(
        lambda one: one.shape.since.with_columns(pl.lit(one.games).alias("games")) if one.shape else None
    )
    grids = [Grid("lead", "Lead of the later winner, in points", columns, lead)]
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
            "Points scored during play, final scoring left out. The lead is that of the seat that won in the end (of "
            "several the first in turn order) on the best of the others; below 0 it was behind.",
        ),
    )


def _since_grid(material: Material, since: pl.DataFrame) -> Grid:
    """Return in how many games the winner was ahead for good by each tenth of the game."""
    tenth = (pl.col("since") * 10).floor().clip(0, 9) / 10 + 0.1
    frame = (
        since.with_columns(tenth.alias("by"), (pl.col("count") / pl.col("games")).alias("share"))
        .group_by("bots", "players", "by", maintain_order=True)
        .agg(pl.col("share").sum())
        .with_columns(pl.col("share").cum_sum().over("bots", "players").alias("so_far"))
    )
    columns = (
        TableColumn("by", "part of the game over", "share", digits=0),
        TableColumn("share", "games", "share"),
        TableColumn("so_far", "so far", "share"),
    )
    note = "What is missing to 100% are games in which the winner was behind until the final scoring."
    return Grid("since", "When the winner took the lead for good", with_source(material, *columns), frame, (note,))


def _figures(material: Material) -> pl.DataFrame:
    """Return the figures of `Shape.figures`, shares of games in per cent."""
    frame = material.stacked(lambda one: one.shape.figures() if one.shape else None)
    if frame.is_empty():
        return frame
    scale = pl.when(pl.col("unit") == "").then(100.0).otherwise(1.0)
    unit = pl.when(pl.col("unit") == "").then(pl.lit("% of games")).otherwise(pl.col("unit"))
    ends = {"value": "value", "low": "value_low", "high": "value_high"}
    return frame.select(
        "bots", "players", "name", unit.alias("unit"), *((pl.col(a) * scale).alias(b) for a, b in ends.items())
    )


def _histogram(material: Material, pick: Callable[[Shape], pl.DataFrame]) -> pl.DataFrame:
    """Return histograms of each player count and folder on common bins, as `distributions.histogram` wants them."""
    frame = material.stacked(lambda one: pick(one.shape) if one.shape else None)
    return frame if frame.is_empty() else material.panels(binned(frame))


def _share_axis(of: str, frame: pl.DataFrame, unit: str = "points") -> str:
    """Say what the height of a histogram is: of each bin, which have one width for all lines."""
    width = frame["width"][0]
    return f"share of {of}" if width == 1 else f"share of {of} per {width} {unit}"


def _spread(what: str, frame: pl.DataFrame, unit: str = "points") -> str:
    """Say in words what a histogram shows: the fullest bin of each line."""
    told = []
    many = frame["series"].n_unique() > 1
    for (panel,), of_panel in frame.group_by("panel", maintain_order=True):
        modes = []
        for (series,), part in of_panel.group_by("series", maintain_order=True):
            mode = part.sort("share", descending=True).row(0, named=True)
            end = mode["x"] + mode["width"] - 1
            span = f"{mode['x']}" if end == mode["x"] else f"{mode['x']} to {end}"
            modes.append(f"{span} {unit}{f' ({series})' * many}")
        told.append(f"{one_line(panel)}: most often {', '.join(modes)}")
    return f"Histogram of {what}. {'; '.join(told)}."


def _quantiles(counts: pl.DataFrame) -> pl.DataFrame:
    values, weights = counts["value"].to_numpy(), counts["count"].to_numpy().astype(float)
    ends = np.quantile(values, [0.05, 0.5, 0.95], weights=weights, method="inverted_cdf")
    row = {"measure": "turns", "mean": np.average(values, weights=weights)}
    return pl.DataFrame([row | dict(zip(("q05", "q50", "q95"), ends.astype(float).tolist(), strict=True))])


def _ends(lead: pl.DataFrame) -> tuple[float, float]:
    """Return the ends of an axis that all fans share."""
    low, high = float(lead["q05"].min()), float(lead["q95"].max())  # type: ignore[arg-type]
    room = 0.04 * (high - low)
    return low - room, high + room


def _ahead_words(drawn: pl.DataFrame) -> str:
    told = []
    for (panel,), part in drawn.group_by("panel", maintain_order=True):
        halfway = part.sort((pl.col("progress") - 0.5).abs()).row(0, named=True)
        told.append(
            f"{one_line(panel)}: half-way through, the later winner leads or shares the lead in "
            f"{words.share(halfway['ahead'])} of games"
        )
    return "; ".join(told) + "."
