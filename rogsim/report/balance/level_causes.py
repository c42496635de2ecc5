"""Figures and tables that show why a level is strong or weak: its points by source and over time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import polars as pl

from rogsim.game.topics import Topic
from rogsim.report import words
from rogsim.report.balance.level_turns import level_turns
from rogsim.report.balance.maps import ONE_SCALE, map_words
from rogsim.report.balance.pieces import labelled, one_line, with_source
from rogsim.report.balance.sources import Material
from rogsim.report.document import Grid, Picture, TableColumn
from rogsim.report.figures import trends
from rogsim.report.figures.heat_map import convention, heat_map, reach_of
from rogsim.stats.balance.level_points import ALL, LevelPoints
from rogsim.stats.balance.measured import PlayersBalance

ALL_SOURCES = "All sources"
DIFFERENCE = TableColumn("difference", "against all, points (95%)", "gain", interval=True, few=True)
SCORED = TableColumn("scored", "blocks that score", "count")
Parts = tuple[tuple[Picture, ...], tuple[Grid, ...]]
METHOD = (
    "Points by source and over time: the mean of the seats with a level minus the mean of all seats. The levels "
    "are dealt at random, so such a difference is an effect of the level with these bots. Points by source over time "
    "are those so far after every fifth of the game: where a line rises, a level gets its points. `too few`: seats "
    "with the level have such points in fewer than 30 blocks of games."
)


def level_causes(material: Material, topic: Topic) -> Parts:
    """Return figures and tables on why levels of a topic are strong or weak; none if they were not measured."""
    (column,) = topic.columns
    sources = material.stacked(partial(_points_of, column=column, frame=LevelPoints.by_source))
    if sources.is_empty():
        return (), ()
    course = material.stacked(partial(_points_of, column=column, frame=LevelPoints.over_time))
    topics = [other for other in material.spec.topics if other.kind == "parts"]
    parts = {ALL: ALL_SOURCES} | {name: label for other in topics for name, label in other.labels.items()}
    sources = labelled(labelled(sources, "level", topic.labels), "part", parts)
    found = (
        _by_source(material, topic, sources),
        _over_time(material, topic, course),
        level_turns(material, topic, parts),
    )
    return tuple(p for pictures, _ in found for p in pictures), tuple(g for _, grids in found for g in grids)


def _points_of(
    balance: PlayersBalance, column: str, frame: Callable[[LevelPoints], pl.DataFrame]
) -> pl.DataFrame | None:
    return frame(balance.level_points[column]) if column in balance.level_points else None


def _by_source(material: Material, topic: Topic, frame: pl.DataFrame) -> Parts:
    """Return a heat map of source by level for each set of bots, and one table."""
    cells = frame.with_columns(
        pl.col("part").alias("row"),
        pl.col("level").str.replace_all(" ", "\n").alias("column"),
        value="difference",
        low="difference_low",
        high="difference_high",
        n="scored",
    )
    reach, scale = reach_of(cells), "" if material.single else ONE_SCALE
    pictures = tuple(
        Picture(
            name,
            f"Why is a {topic.noun} strong or weak? Points by source, against the mean of all seats{who}. "
            f"{convention(part)}{scale}",
            f"Heat map of points by source and {topic.noun}, against the mean of all seats{who}. "
            f"{_reasons(part)} {map_words(part.with_columns(row='part', column='level'), ' points')}",
            partial(heat_map, part, "points against the mean of all seats", reach=reach, across=1),
        )
        for name, who, part in material.by_source(cells, f"{topic.name}-by-source", screen=True)
    )
    columns = with_source(
        material,
        TableColumn("level", topic.noun),
        TableColumn("part", "source"),
        TableColumn("n", "n", "count"),
        SCORED,
        TableColumn("mean", "points (95%)", "number", interval=True),
        DIFFERENCE,
        TableColumn("q", "q", "p", few=True),
    )
    caption = f"Points by source and {topic.noun}, against the mean of all seats"
    return pictures, (Grid(f"{topic.name}-by-source", caption, columns, frame),)


def _reasons(part: pl.DataFrame) -> str:
    """Say for each panel which level is farthest ahead and behind, and which source adds most to that."""
    found = []
    for (panel,), cells in part.group_by("panel", maintain_order=True):
        ends = cells.filter(part=ALL_SOURCES).sort("difference", descending=True)
        ahead, behind = (_reason(cells, row) for row in (ends.row(0, named=True), ends.row(-1, named=True)))
        found.append(f"{one_line(panel)}: {ahead}; {behind}")
    return ". ".join(found) + "."


def _reason(cells: pl.DataFrame, total: Mapping[str, object]) -> str:
    sign = 1.0 if float(total["difference"]) >= 0 else -1.0  # type: ignore[arg-type]
    own = cells.filter(pl.col("level") == total["level"], pl.col("part") != ALL_SOURCES)
    main = own.sort(sign * pl.col("difference"), descending=True).row(0, named=True)
    amount = words.number(total["difference"], 1, sign=True)
    return f"{total['level']} {amount} points, of which {main['part']} {words.number(main['difference'], 1, sign=True)}"


def _over_time(material: Material, topic: Topic, frame: pl.DataFrame) -> Parts:
    """Return a line chart for each set of bots, and one table."""
    if frame.is_empty():
        return (), ()
    frame = labelled(frame, "level", topic.labels)
    drawn = frame.with_columns(
        (100 * pl.col("progress")).alias("x"), value="difference", low="difference_low", high="difference_high"
    )
    reach = drawn.select(1.05 * pl.max_horizontal(pl.col("value", "low", "high").abs()).max()).item() or 1.0
    pictures = tuple(
        Picture(
            name,
            f"When does a {topic.noun} get ahead or fall behind? Points against the mean of all seats{who}, with 95% "
            "intervals, after every tenth of the game and after the final scoring (100%).",
            f"Line chart of points by {topic.noun} over the game, against the mean of all seats{who}. {_turns(part)}",
            partial(
                trends.trend,
                part.with_columns(series="level"),
                "share of the game's turns played, % (100: with the final scoring)",
                "points against the mean",
                points=True,
                reach=reach,
                fair="mean of all seats",
            ),
        )
        for name, who, part in material.by_source(drawn, f"{topic.name}-over-time", screen=True)
    )
    columns = with_source(
        material,
        TableColumn("level", topic.noun),
        TableColumn("progress", "share of turns played", "share", digits=0),
        TableColumn("n", "n", "count"),
        SCORED,
        TableColumn("mean", "points (95%)", "number", interval=True),
        DIFFERENCE,
        TableColumn("q", "q", "p", few=True),
    )
    caption = f"Points over time by {topic.noun}"
    note = "100% is the result, with the final scoring; the other rows are without it."
    return pictures, (Grid(f"{topic.name}-over-time", caption, columns, frame, (note,), first_shown=True),)


def _turns(part: pl.DataFrame) -> str:
    """Say for each panel where the levels that end first and last were halfway through."""
    found = []
    for (panel,), lines in part.group_by("panel", maintain_order=True):
        ends = lines.filter(pl.col("progress") == 1).sort("value", descending=True)
        first, last = (_turn(lines, ends.row(place, named=True)) for place in (0, -1))
        found.append(f"{one_line(panel)}: {first}; {last}")
    return ". ".join(found) + "."


def _turn(lines: pl.DataFrame, end: Mapping[str, object]) -> str:
    own = lines.filter(level=end["level"])
    half = own.sort((pl.col("progress") - 0.5).abs()).row(0, named=True)
    amounts = (words.number(row["value"], 1, sign=True) for row in (half, end))
    return f"{end['level']} {' points halfway through, '.join(amounts)} at the end"
