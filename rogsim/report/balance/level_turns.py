"""The figure and the table of points by source over time: when and from where a level gets ahead or falls behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import polars as pl

from rogsim.game.topics import Topic
from rogsim.report import words
from rogsim.report.balance.pieces import labelled, with_source
from rogsim.report.balance.sources import Material
from rogsim.report.document import Grid, Picture, TableColumn
from rogsim.report.figures.panels import names_of
from rogsim.report.figures.source_lines import source_lines
from rogsim.stats.balance.level_points import FINAL, LevelPoints
from rogsim.stats.balance.measured import PlayersBalance

ALL_SOURCES, FINAL_SCORING = "All sources", "Final scoring"


def level_turns(
    material: Material, topic: Topic, parts: Mapping[str, str]
) -> tuple[tuple[Picture, ...], tuple[Grid, ...]]:
    """Return a figure for each player count, of the last set of bots, and one table; none if rows lack the columns.

    Parameters
    ----------
    parts
        The words for sources of points by column.
    """
    (column,) = topic.columns
    frame = material.stacked(partial(_frame_of, column=column))
    if frame.is_empty():
        return (), ()
    frame = labelled(labelled(frame, "level", topic.labels), "part", {**parts, FINAL: FINAL_SCORING})
    columns = with_source(
        material,
        TableColumn("level", topic.noun),
        TableColumn("part", "source"),
        TableColumn("progress", "share of turns played", "share", digits=0),
        TableColumn("n", "n", "count"),
        TableColumn("scored", "blocks that score", "count"),
        TableColumn("mean", "points so far (95%)", "number", interval=True),
        TableColumn("difference", "against all, points (95%)", "gain", interval=True, few=True),
        TableColumn("q", "q", "p", few=True),
    )
    note = "Points so far from each source; 100% is the end of the game, where the final scoring is added."
    caption = f"Points by source over time and {topic.noun}, against the mean of all seats"
    return tuple(_pictures(material, topic, frame)), (Grid(f"{topic.name}-by-turn", caption, columns, frame, (note,)),)


def _frame_of(balance: PlayersBalance, column: str) -> pl.DataFrame | None:
    found: LevelPoints | None = balance.level_points.get(column)
    return found.by_source_over_time() if found else None


def _pictures(material: Material, topic: Topic, frame: pl.DataFrame) -> Iterator[Picture]:
    source = material.sources[-1]
    own = frame.filter(pl.col("bots").cast(pl.String) == source.label)
    who = "" if material.single else f" ({source.label}; the other sets of bots are in the table)"
    for (players,), part in own.group_by("players", maintain_order=True):
        count = words.games(source.balance.players[int(str(players))].screened)
        drawn = _drawn(part)
        yield Picture(
            f"{topic.name}-by-turn-{players}",
            f"When and from where does a {topic.noun} get ahead? Points so far by source against the mean of all "
            f"seats, after every fifth of the game, with {players} players{who}, {count}; the strongest first. At 100% "
            "the final scoring is added. The table has the intervals.",
            f"Line charts of points by source over the game, one for each {topic.noun}, with {players} players. "
            f"{_in_words(drawn)}",
            partial(
                source_lines,
                drawn,
                ALL_SOURCES,
                "share of the game's turns played, %",
                "points against the mean of all seats",
            ),
        )


def _drawn(part: pl.DataFrame) -> pl.DataFrame:
    """Return the lines of one player count: each source, nothing so far from the final scoring, and the sum."""
    lines = part.select("level", "part", "progress", pl.col("difference").alias("value"))
    before = lines.filter(pl.col("part") == FINAL_SCORING).select("level", "part")
    last = lines.filter(pl.col("progress") < 1)["progress"].max()
    before = before.with_columns(pl.lit(last).alias("progress"), pl.lit(0.0).alias("value"))
    whole = lines.group_by("level", "progress", maintain_order=True).agg(pl.col("value").sum())
    ends = whole.filter(pl.col("progress") == 1).sort("value", descending=True)
    titles = {
        row["level"]: f"{row['level']} {words.number(row['value'], 1, sign=True)}" for row in ends.iter_rows(named=True)
    }
    whole = whole.select("level", pl.lit(ALL_SOURCES).alias("part"), "progress", "value")
    return pl.concat([whole, lines, before]).select(
        pl.col("level").replace_strict(titles, return_dtype=pl.Enum(list(titles.values()))).alias("panel"),
        pl.col("part").alias("series"),
        (100 * pl.col("progress")).alias("x"),
        "value",
    )


def _in_words(drawn: pl.DataFrame) -> str:
    """Say of the strongest and the weakest level where most of the difference came from, and when."""
    first, *_, last = names_of(drawn, "panel")
    return " ".join(_reason(drawn.filter(pl.col("panel").cast(pl.String) == name), name) for name in (first, last))


def _reason(lines: pl.DataFrame, name: str) -> str:
    end = lines.filter(pl.col("x") == 100)
    total = end.filter(series=ALL_SOURCES)["value"].item()
    sign = 1.0 if total >= 0 else -1.0
    main = end.filter(pl.col("series") != ALL_SOURCES).sort(sign * pl.col("value"), descending=True)["series"][0]
    middle, last = (lines.filter(series=main).sort((pl.col("x") - x).abs()).row(0, named=True) for x in (50, 100))
    amounts = [words.number(row["value"], 1, sign=True) for row in (middle, last)]
    return (
        f"{name} points at the end, most of it from {main}: {amounts[0]} after {middle['x']:.0f}% of the turns, "
        f"{amounts[1]} at the end."
    )
