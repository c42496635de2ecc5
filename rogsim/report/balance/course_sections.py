"""Sections on how games unfold: how close they are, who leads when, and how long they take."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from rogsim.report import words
from rogsim.report.balance.sheet import MARGIN, TURNS, figures_of, measure_of
from rogsim.report.balance.sources import Material, of_most_players, one_line, played, with_source
from rogsim.report.document import Grid, Picture, Section, TableColumn
from rogsim.report.figures import charts
from rogsim.report.figures.charts import binned
from rogsim.stats.balance.shape import LEADER_WINS

ANCHOR = "the-shape-of-games-convergence-plans"


def points_section(material: Material) -> Section | None:
    """Return the section on points and margins of victory."""
    figures = figures_of(material)
    if figures.is_empty():
        return None
    frame = material.stacked(lambda balance: balance.shape.margin if balance.shape else None)
    if frame.is_empty():
        scored = of_most_players(measure_of(material, "points"), "points")
        return Section(
            "points", "Points", "How many points does a game end with?", f"A game ends with {scored}.", played(material)
        )
    margins = material.panels(binned(frame))
    width = margins["width"][0]
    picture = Picture(
        "margins",
        "Margin of victory: points between first and second place.",
        f"Histogram of margins of victory. {_modes(margins)}",
        partial(
            charts.histogram,
            margins,
            "points between first and second place",
            "share of games" if width == 1 else f"share of games per {width} points",
        ),
    )
    scale = pl.when(pl.col("unit") == "").then(100.0).otherwise(1.0)
    unit = pl.when(pl.col("unit") == "").then(pl.lit("% of games")).otherwise(pl.col("unit")).alias("unit")
    scaled = figures.with_columns(unit, *(pl.col(name) * scale for name in ("value", "value_low", "value_high")))
    heads = (TableColumn("value", "value (95%)", "number", interval=True, digits=2), TableColumn("unit", "unit"))
    grid = Grid(
        "figures", "The games in numbers", with_source(material, TableColumn("name", "measure"), *heads), scaled
    )
    close = material.stacked(lambda balance: balance.shape.close if balance.shape else None)
    close_grid = Grid(
        "close",
        "Close games",
        with_source(
            material,
            TableColumn("within", "decided by at most (points)", "count"),
            TableColumn("share", "share of games (95%)", "share", interval=True),
        ),
        close.rename({"low": "share_low", "high": "share_high"}),
    )
    return Section(
        "points",
        "Points and margins",
        "How close are games?",
        f"The winner leads second place by {of_most_players(measure_of(material, MARGIN), 'points')}.",
        played(material),
        pictures=(picture,),
        method="A shared victory has a margin of 0.",
        anchor=ANCHOR,
        more=(grid, close_grid),
    )


def lead_section(material: Material) -> Section | None:
    """Return the section on who led during the games; None if the game does not record it."""
    lead = material.stacked(lambda balance: balance.shape.lead if balance.shape else None)
    if lead.is_empty():
        return None
    low, high = float(lead["q05"].min()), float(lead["q95"].max())  # type: ignore[arg-type]
    room = 0.04 * (high - low)
    drawn = material.of_last_with_panel(lead).with_columns((100 * pl.col("progress")).alias("x"))
    halfway = (pl.col("progress") - 0.5).abs()
    ahead = [
        f"{one_line(panel)}: {words.share(part.sort(halfway)['ahead'][0])}"
        for (panel,), part in drawn.group_by("panel", maintain_order=True)
    ]
    who = "" if material.single else f" ({material.last.label})"
    leaders = measure_of(material, LEADER_WINS)
    picture = Picture(
        "lead",
        f"Lead of the eventual winner over the best other seat, without the final scoring{who}.",
        f"Fan chart of the winner's lead. How often the winner leads or ties halfway: {'; '.join(ahead)}.",
        partial(
            charts.fan,
            drawn,
            "share of the game's turns played",
            "points ahead of the best other seat",
            (low - room, high + room),
        ),
    )
    quantiles = [("q05", "5%"), ("q25", "25%"), ("q50", "median"), ("q75", "75%"), ("q95", "95%")]
    columns = (
        TableColumn("progress", "share of turns played", "share", digits=0),
        *(TableColumn(key, head, "gain", digits=0) for key, head in quantiles),
        TableColumn("ahead", "winner leads or ties", "share"),
    )
    return Section(
        "lead",
        "Who led",
        "Does whoever leads at half-time win?",
        f"The leader at half-time wins {of_most_players(leaders, 'of games', True)}.",
        played(material),
        pictures=(picture,),
        method="If several lead at half-time, each counts in part.",
        anchor=ANCHOR,
        more=(
            Grid("lead", "Lead of the eventual winner, in points", with_source(material, *columns), lead),
            *_since(material),
        ),
    )


def _since(material: Material) -> tuple[Grid, ...]:
    """Return the table of when the winner was behind for the last time, by tenths of the game."""
    since = material.stacked(
        lambda balance: (
            balance.shape.since.with_columns(pl.lit(balance.games).alias("games")) if balance.shape else None
        )
    )
    if since.is_empty():
        return ()
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
    note = "In the remaining games the winner was behind until the final scoring."
    return (Grid("since", "From when on the winner was never behind", with_source(material, *columns), frame, (note,)),)


def length_section(material: Material) -> Section | None:
    """Return the section on the length of games."""
    turns = measure_of(material, TURNS)
    if turns.is_empty():
        return None
    frame = material.stacked(lambda balance: _quantiles(balance.shape.turns) if balance.shape else None)
    heads = (("mean", "mean"), ("q05", "5%"), ("q50", "median"), ("q95", "95%"))
    columns = with_source(material, *(TableColumn(name, head, "number") for name, head in heads))
    return Section(
        "length",
        "Length of games",
        "How long do games take?",
        f"A game takes {of_most_players(turns, 'turns')}.",
        played(material),
        method="Turns of all seats together.",
        anchor=ANCHOR,
        more=(Grid("length", "Turns of all seats together", columns, frame),),
    )


def _modes(frame: pl.DataFrame) -> str:
    """Describe a histogram in words: the fullest bin of each line."""
    found = []
    for (panel, series), part in frame.group_by("panel", "series", maintain_order=True):
        mode = part.sort("share", descending=True).row(0, named=True)
        end = mode["x"] + mode["width"] - 1
        span = f"{mode['x']}" if end == mode["x"] else f"{mode['x']} to {end}"
        found.append(f"{one_line(panel)}, {series}: most often {span} points")
    return f"{'; '.join(found)}."


def _quantiles(counts: pl.DataFrame) -> pl.DataFrame:
    values, weights = counts["value"].to_numpy(), counts["count"].to_numpy().astype(float)
    ends = np.quantile(values, [0.05, 0.5, 0.95], weights=weights, method="inverted_cdf")
    row = {"mean": np.average(values, weights=weights)}
    return pl.DataFrame([row | dict(zip(("q05", "q50", "q95"), ends.astype(float).tolist(), strict=True))])
