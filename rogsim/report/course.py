"""Sections on how games go: points and margins, length, and who led."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import polars as pl

from rogsim.report import figures, words
from rogsim.report.model import Column, Grid, Picture, Section
from rogsim.report.pieces import BLOCKS, one_line, rests_on, with_source
from rogsim.report.sources import Material
from rogsim.stats.shape import Shape

BINS = 40  # at most, in a histogram
SHOWN_TURN = 0.995  # what lies beyond this quantile is in the tables, not in the figure


def points_section(material: Material) -> Section | None:
    """Return the section on points, margins of victory, ties and closeness."""
    figures_frame = _figures(material)
    if figures_frame.is_empty():
        return None
    points, margins = (_histogram(material, pick) for pick in (lambda shape: shape.points, lambda shape: shape.margin))
    pictures = (
        Picture(
            "points", "Points of all seats.", _spread("points", points), partial(figures.histogram, points, "points")
        ),
        Picture(
            "margins",
            "Margin of victory: points between the first and the second.",
            _spread("margins of victory", margins),
            partial(figures.histogram, margins, "points between first and second", "share of games"),
        ),
    )
    close = material.stacked(lambda one: one.shape.close if one.shape else None)
    grids = [
        Grid(
            "figures",
            "The games in figures (95% interval)",
            with_source(
                material,
                Column("name", "figure"),
                Column("value", "value", "number", interval=True, digits=2),
                Column("unit", "unit"),
            ),
            figures_frame,
        )
    ]
    if not close.is_empty():
        columns = (
            Column("within", "decided by at most (points)", "count"),
            Column("share", "share of games (95%)", "share", interval=True),
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
        partial(figures.histogram, turns, "turns of all seats together", "share of games"),
    )
    columns = with_source(
        material,
        Column("measure", "measure"),
        *(
            Column(name, head, "number")
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
    for name, who, part in material.by_source(lead, "lead"):
        drawn = part.with_columns((100 * pl.col("progress")).alias("x"))
        pictures.append(
            Picture(
                name,
                f"Lead of the later winner on the best other seat, before final scoring, while the game goes on{who}.",
                f"Fan chart of the winner's lead{who}. {_ahead_words(drawn)}",
                partial(figures.fan, drawn, "part of the game's turns that is over", "points ahead of the best other"),
            )
        )
    columns = with_source(
        material,
        Column("progress", "part of the game over", "share", digits=0),
        Column("q05", "5%", "gain", digits=0),
        Column("q25", "25%", "gain", digits=0),
        Column("q50", "median lead", "gain", digits=0),
        Column("q75", "75%", "gain", digits=0),
        Column("q95", "95%", "gain", digits=0),
        Column("ahead", "winner leads or shares the lead", "share"),
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
        Column("by", "part of the game over", "share", digits=0),
        Column("share", "games", "share"),
        Column("so_far", "so far", "share"),
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
    """Return a histogram for each player count and folder, of columns as `figures.histogram` wants them."""
    frame = material.stacked(lambda one: _binned(pick(one.shape)) if one.shape else None)
    return frame if frame.is_empty() else material.panels(frame)


def _binned(counts: pl.DataFrame) -> pl.DataFrame:
    """Put single values into bins of whole numbers; the longest tails are cut off. counts: value, count."""
    counts = counts.sort("value")
    part = pl.col("count").cum_sum() / pl.col("count").sum()
    total = counts["count"].sum()
    kept = counts.filter(part <= SHOWN_TURN) if counts.height > BINS else counts
    if kept.is_empty():
        return kept
    low, high = int(kept["value"].min()), int(kept["value"].max())  # type: ignore[arg-type]
    width = max(1, -(-(high - low + 1) // BINS))
    bins = pl.DataFrame({"x": range(low, high + 1, width)}, schema={"x": pl.Int64})
    x = (pl.col("value").cast(pl.Int64) - low) // width * width + low
    filled = kept.group_by(x.alias("x")).agg(pl.col("count").sum())
    return (
        bins.join(filled, on="x", how="left")
        .sort("x")
        .select("x", pl.lit(width).alias("width"), (pl.col("count").fill_null(0) / total).alias("share"))
    )


def _spread(what: str, frame: pl.DataFrame, unit: str = "points") -> str:
    """Say in words what a histogram shows: the fullest bin of each line."""
    told = []
    for (panel, series), part in frame.group_by("panel", "series", maintain_order=True):
        mode = part.sort("share", descending=True).row(0, named=True)
        end = mode["x"] + mode["width"] - 1
        span = f"{mode['x']}" if end == mode["x"] else f"{mode['x']} to {end}"
        told.append(f"{one_line(panel)} ({series}): most often {span} {unit}")
    return f"Histogram of {what}. {'; '.join(told)}."


def _quantiles(counts: pl.DataFrame) -> pl.DataFrame:
    counts = counts.sort("value")
    part = (counts["count"].cum_sum() / counts["count"].sum()).to_list()
    values = counts["value"].to_list()

    def at(share: float) -> float:
        return float(next(value for value, so_far in zip(values, part, strict=True) if so_far >= share - 1e-12))

    mean = float(counts.select(pl.col("value").dot("count") / pl.col("count").sum()).item())
    return pl.DataFrame({"measure": ["turns"], "mean": [mean], "q05": [at(0.05)], "q50": [at(0.5)], "q95": [at(0.95)]})


def _ahead_words(drawn: pl.DataFrame) -> str:
    told = []
    for (panel,), part in drawn.group_by("panel", maintain_order=True):
        halfway = part.sort((pl.col("progress") - 0.5).abs()).row(0, named=True)
        told.append(
            f"{one_line(panel)}: half-way through, the later winner leads or shares the lead in "
            f"{words.share(halfway['ahead'])} of games"
        )
    return "; ".join(told) + "."
