"""Sections on what is associated with winning: topics of the kinds `member` and `count`, and points by source."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import polars as pl

from rogsim.game.topics import Topic
from rogsim.report import words
from rogsim.report.balance.pieces import BLOCKS, SCREEN, THIN, extremes, labelled, rests_on, with_source
from rogsim.report.balance.sources import Material
from rogsim.report.document import Grid, Picture, Section, TableColumn
from rogsim.report.figures import forest_plots, part_bars
from rogsim.stats.balance.association import ASSOCIATION, slopes
from rogsim.stats.balance.measured import PlayersBalance

DRAWN = 12  # members at each end of a screen that the figure shows
SLOPE = "The change for each additional one is the slope of a linear fit to the win shares, with blocks as clusters."
COMPARED = "Seats that have at least one are compared with seats that have none, with blocks as clusters."


def member_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of a topic of the kind `member`: who had it, and how much more often they won."""
    (column,) = topic.columns
    frame = material.stacked(lambda balance: balance.members[column].frame() if column in balance.members else None)
    if frame.is_empty():
        return None
    frame = labelled(frame, "member", topic.labels).sort(
        "players", "bots", "difference", descending=[False, False, True]
    )
    with_interval = frame.drop_nulls("difference_low")
    drawn = material.panels(_both_ends(with_interval), screen=True).rename(
        {"member": "level", "difference": "value", "difference_low": "low", "difference_high": "high"}
    )
    caption = f"Win share with each {topic.noun} minus that without it"
    few = drawn["level"].n_unique() < with_interval["member"].n_unique()
    picture = Picture(
        topic.name,
        f"{caption}, percentage points{' (the highest and the lowest)' if few else ''}.",
        f"Forest plot by {topic.noun}. {extremes(drawn)}",
        partial(forest_plots.forest, drawn, None, f"{caption}, percentage points (95% interval)", "no difference"),
    )
    columns = with_source(
        material,
        TableColumn("member", topic.noun),
        TableColumn("n", "n", "count"),
        TableColumn("had", "had it", "share"),
        TableColumn("share_with", "win share with", "share"),
        TableColumn("share_without", "without", "share"),
        TableColumn("difference", "difference, pp (95%)", "gain", interval=True, few=True),
        TableColumn("points", "points, difference (95%)", "gain", interval=True, few=True),
        TableColumn("q", "q", "p", few=True),
    )
    return Section(
        topic.name,
        topic.title,
        topic.question,
        rests_on(material, screen=True),
        (),
        (picture,) if drawn.height else (),
        (Grid(topic.name, caption, columns, frame, (ASSOCIATION,)),),
        (BLOCKS, ASSOCIATION, SCREEN, THIN),
    )


def _both_ends(frame: pl.DataFrame) -> pl.DataFrame:
    """Keep the members at both ends of the ranking over all player counts, best first."""
    order = (
        frame.group_by("member").agg(pl.col("difference").mean()).sort("difference", "member", descending=[True, False])
    )
    names = order["member"].to_list()
    kept = names if len(names) <= 2 * DRAWN else [*names[:DRAWN], *names[-DRAWN:]]
    place = pl.col("member").replace_strict({name: i for i, name in enumerate(kept)}, default=None)
    return frame.filter(pl.col("member").is_in(kept)).sort(place, "players", "bots")


def count_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of a topic of the kind `count`: win share by value, and its change for each additional one."""
    frame = material.stacked(lambda balance: _slopes(balance, topic))
    if frame.is_empty():
        return None
    frame = labelled(frame, "column", topic.labels)
    values = [_values(material, topic, column) for column in topic.columns]
    by_value = pl.concat([frame for frame in values if not frame.is_empty()], how="diagonal_relaxed")
    if topic.whether:
        share, points, having, q = "difference", "points_difference", "having", "q_difference"
        change, each = "with it minus without it", "with and without it"
        shown = "win share of seats that have it minus that of seats that do not"
    else:
        share, points, having, q = "share", "points", "n", "q"
        change, each = "for each additional one", "by number"
        shown = f"how much the win share changes {change}"
    ends = {share: "value", f"{share}_low": "low", f"{share}_high": "high"}
    drawn = material.panels(frame.drop_nulls(f"{share}_low"), screen=True).select(
        "panel", "series", pl.col("column").alias("level"), pl.lit(None, pl.Int64).alias("n"), *_renamed(ends)
    )
    picture = Picture(
        topic.name,
        f"{topic.title}: {shown}, percentage points.",
        f"Forest plot. {extremes(drawn)}",
        partial(
            forest_plots.forest, drawn, None, f"win share {change}, percentage points (95% interval)", "no difference"
        ),
    )
    slope_columns = with_source(
        material,
        TableColumn("column", topic.title.lower()),
        TableColumn(having, "n", "count"),
        *(() if topic.whether else (TableColumn("mean", "mean", "number", digits=2),)),
        TableColumn(share, f"win share {change}, pp (95%)", "gain", interval=True, few=True),
        TableColumn(points, f"points {change} (95%)", "gain", interval=True, few=True),
        TableColumn(q, "q", "p", few=True),
    )
    value_columns = with_source(
        material,
        TableColumn("column", topic.title.lower()),
        TableColumn("value", topic.noun),
        TableColumn("n", "n", "count"),
        TableColumn("share", "win share (95%)", "share", interval=True),
        TableColumn("points", "points (95%)", "number", interval=True),
    )
    return Section(
        topic.name,
        topic.title,
        topic.question,
        rests_on(material, screen=True),
        (),
        (picture,) if drawn.height else (),
        (
            Grid(topic.name, f"{topic.title}: association with the win share", slope_columns, frame, (ASSOCIATION,)),
            Grid(f"{topic.name}-by-value", f"{topic.title}: win share {each}", value_columns, by_value),
            *_by_seat(material, topic),
        ),
        (BLOCKS, COMPARED if topic.whether else SLOPE, ASSOCIATION, SCREEN, THIN),
    )


def _renamed(names: Mapping[str, str]) -> list[pl.Expr]:
    return [pl.col(old).alias(new) for old, new in names.items()]


def _slopes(balance: PlayersBalance, topic: Topic) -> pl.DataFrame | None:
    counted = [balance.counts[column] for column in topic.columns if column in balance.counts]
    return slopes(counted) if counted else None


def _values(material: Material, topic: Topic, column: str) -> pl.DataFrame:
    frame = material.stacked(lambda balance: balance.counts[column].frame() if column in balance.counts else None)
    if frame.is_empty():
        return frame
    name = pl.lit(words.name(column, topic.labels)).alias("column")
    return frame.with_columns(name, pl.col("value").cast(pl.String))


def _by_seat(material: Material, topic: Topic) -> tuple[Grid, ...]:
    """Return the table of the mean by seat."""
    frames = []
    for column in topic.columns:
        found = material.stacked(partial(_means_by_seat, column=column))
        if not found.is_empty():
            frames.append(found.with_columns(pl.lit(words.name(column, topic.labels)).alias("column")))
    frame = pl.concat(frames, how="diagonal_relaxed")
    columns = with_source(
        material,
        TableColumn("column", topic.title.lower()),
        TableColumn("seat", "seat", "count"),
        TableColumn("mean", "mean (95%)", "number", interval=True, digits=2),
    )
    return (Grid(f"{topic.name}-by-seat", f"{topic.title}: means by seat", columns, frame),)


def _means_by_seat(balance: PlayersBalance, column: str) -> pl.DataFrame | None:
    return balance.counts[column].by_seat() if column in balance.counts else None


def parts_section(material: Material, topic: Topic) -> Section | None:
    """Return the section on points by source: those of winners and of others."""
    frame = material.stacked(lambda balance: balance.parts[topic.name].frame() if topic.name in balance.parts else None)
    if frame.is_empty():
        return None
    frame = labelled(frame, "part", topic.labels)
    pictures, ends = [], part_bars.ends_of_parts(frame)
    for name, who, drawn in material.by_source(frame, topic.name):
        differences = drawn.select(
            "panel", "series", pl.col("part").alias("level"), pl.col("difference").alias("value")
        )
        pictures.append(
            Picture(
                name,
                f"Mean points by source{who}, of winners and of the others.",
                f"Dot plot of points by source{who}. Winners minus others: {extremes(differences, ' points')}",
                partial(part_bars.bars_of_parts, drawn, "points", ends),
            )
        )
    columns = with_source(
        material,
        TableColumn("part", topic.noun),
        TableColumn("scored", "blocks that score", "count"),
        TableColumn("mean", "mean of all", "number"),
        TableColumn("winners", "winners (95%)", "number", interval=True),
        TableColumn("others", "others (95%)", "number", interval=True),
        TableColumn("difference", "difference (95%)", "gain", interval=True),
        TableColumn("of_gap", "of the winners' lead", "share"),
    )
    grid = Grid(topic.name, f"{topic.title}: winners and others", columns, frame)
    more = (
        "Winners who share a victory count in part. The last column is the share of the winners' lead that comes from "
        "each source. `too few`: winners or the others have points from a source in fewer than 30 blocks of games."
    )
    method = (BLOCKS, more, ASSOCIATION)
    return Section(topic.name, topic.title, topic.question, rests_on(material), (), tuple(pictures), (grid,), method)
