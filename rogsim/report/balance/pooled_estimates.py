"""Pooled estimates beside the unpooled ones: table columns, a table over player counts and bots, and a figure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl

from rogsim.game.topics import Topic
from rogsim.report import words
from rogsim.report.balance.pieces import extremes, sortable
from rogsim.report.balance.sources import Material
from rogsim.report.document import Grid, Picture, TableColumn
from rogsim.report.figures import forest_plots
from rogsim.stats.balance.pooled_levels import POOLED_COLUMNS, PooledTable

PLAIN, POOLED, ALL = "unpooled", "pooled", "overall"
DRAWN = 16  # rows of a long table that the figure shows


def beside(material: Material, frame: pl.DataFrame, pooled: PooledTable) -> pl.DataFrame:
    """Return rows of `Material.stacked` with the pooled estimates of each."""
    if pooled.each.is_empty():
        return frame.with_columns(pl.lit(None, pl.Float64).alias(name) for name in POOLED_COLUMNS)
    keys = ["bots", "players", "level", *(["seat"] if "seat" in pooled.each.columns else [])]
    return frame.join(
        _labelled(material, pooled).select(*keys, *POOLED_COLUMNS), on=keys, how="left", maintain_order="left"
    )


def columns(margin: float) -> tuple[TableColumn, ...]:
    """Return the columns that pooling adds to a table."""
    return (
        TableColumn("pooled", "pooled, pp (95%)", "gain", interval=True),
        TableColumn("chance", f"chance beyond ±{margin:g} pp", "chance"),
    )


def method(material: Material, what: str) -> str:
    """Explain the pooled estimates; what: what was pooled, in words."""
    return (
        f"`pooled` estimates all effects together: {what}. An effect is shrunk more toward 0 the less is known about "
        "it, and the closer together the effects are. Its interval is a 95% credible interval. "
        f"`chance beyond ±{material.margin:g} pp` is the probability that the true effect is outside the margin, "
        "given these games and a hierarchical model. In simulations, about 80 to 90% of the levels that were given a "
        "chance of 80 to 90% were outside it. Both estimates are about games between these bots, and no verdict uses "
        "them. A level with fewer than 30 rows or blocks has too few for an estimate."
    )


def overall_grid(material: Material, topic: Topic, pooled: PooledTable, names: pl.DataFrame) -> tuple[Grid, ...]:
    """Return the effects over all player counts and bots, the largest first; empty if there is only one context.

    names: level, and `name`, its label.
    """
    if pooled.overall.is_empty():
        return ()
    frame = pooled.overall.join(names, on="level", how="left", maintain_order="left").drop("level")
    frame = frame.rename({"name": "level"}).sort(
        sortable(pl.col("pooled").abs()), descending=True, nulls_last=True, maintain_order=True
    )
    extra = [name for name in ("players", "seat") if name in frame.columns and (name == "seat" or topic.kind == "draw")]
    grid = Grid(
        f"{topic.name}-pooled",
        f"{topic.title} over {_over(material, topic)}: means of the effects above, each with the same weight",
        (
            TableColumn("level", topic.noun if topic.kind == "level" else "draw"),
            *(TableColumn(name, name, "count") for name in extra),
            TableColumn("n", "n", "count"),
            TableColumn("plain", f"{PLAIN}, pp (95%)", "gain", interval=True),
            *columns(material.margin),
        ),
        frame.select("level", *extra, "n", "plain", "plain_low", "plain_high", *POOLED_COLUMNS),
        first_shown=True,
    )
    return (grid,)


def pictures(
    material: Material, topic: Topic, frame: pl.DataFrame, plain: str, overall: Sequence[Grid]
) -> tuple[Picture, ...]:
    """Return a forest plot of pooled effects, beside the unpooled ones for a single folder; empty if there are none.

    frame: rows with `plain` (a column with its interval), the pooled estimates, and `level` in words. For draws, only
    those most likely to be beyond the margin are shown.
    """
    kept = frame.drop_nulls("chance")
    if kept.is_empty():
        return ()
    few = f"the {DRAWN} most likely to be beyond the margin" if topic.kind == "draw" else ""
    if few:
        named = kept.with_columns(pl.format("{}, seat {}", "level", "seat").alias("level"))
        largest = sortable(pl.col("chance").max())
        order = named.group_by("level").agg(largest).sort("chance", "level", descending=[True, False])
        kept = named.join(order.head(DRAWN).with_row_index("place").select("place", "level"), on="level")
        kept = kept.sort("place", "players", "bots")
    panels = material.panels(kept)
    drawn = panels.with_columns(pl.col("panel").cast(pl.String), pl.col("series").cast(pl.String))
    lines = [_line(drawn, "pooled", POOLED if material.single else None)]
    if material.single:
        lines.insert(0, _line(drawn, plain, PLAIN))
    if topic.kind == "level":
        lines += [_overall_lines(grid, material.single) for grid in overall]
    shown = pl.concat(lines, how="vertical_relaxed")
    shown = _in_order(shown, material, [*panels["panel"].unique().sort().cast(pl.String), ALL])
    caption = f"{topic.title}: effects pooled over {_over(material, topic) or 'all levels'}{', ' if few else ''}{few}."
    drawing = Picture(
        f"{topic.name}-pooled",
        f"{caption} Lines are 95% intervals.",
        f"Forest plot of pooled effects by {topic.noun}. {extremes(_only_pooled(shown, material.single))}",
        partial(forest_plots.forest, shown, material.margin, "effect in percentage points (95% interval)", "no effect"),
    )
    return (drawing,)


def _only_pooled(shown: pl.DataFrame, single: bool) -> pl.DataFrame:
    return shown.filter(pl.col("series") != PLAIN) if single else shown


def _line(drawn: pl.DataFrame, column: str, series: str | None) -> pl.DataFrame:
    who = pl.col("series") if series is None else pl.lit(series)
    ends = (pl.col(column).alias("value"), pl.col(f"{column}_low").alias("low"), pl.col(f"{column}_high").alias("high"))
    return drawn.select("panel", "level", who.alias("series"), *ends)


def _overall_lines(grid: Grid, single: bool) -> pl.DataFrame:
    frame = grid.frame.with_columns(pl.lit(ALL).alias("panel"), pl.lit(ALL).alias("series")).drop_nulls("chance")
    if not single:
        return _line(frame, "pooled", ALL)
    return pl.concat([_line(frame, "plain", PLAIN), _line(frame, "pooled", POOLED)])


def _in_order(shown: pl.DataFrame, material: Material, panels: Sequence[str]) -> pl.DataFrame:
    series = [PLAIN, POOLED] if material.single else [*(source.label for source in material.sources), ALL]
    orders = {"series": series, "panel": panels}
    return shown.with_columns(
        pl.col(column).cast(pl.Enum([name for name in names if name in shown[column]]))
        for column, names in orders.items()
    )


def _over(material: Material, topic: Topic) -> str:
    counts = [f"{players}" for players in material.player_counts]
    players = f"{words.listed(counts)} players" if len(counts) > 1 and topic.kind == "level" else ""
    bots = "" if material.single else f"{len(material.sources)} sets of bots"
    return words.listed([contexts for contexts in (players, bots) if contexts])


def _labelled(material: Material, pooled: PooledTable) -> pl.DataFrame:
    labels = [source.label for source in material.sources]
    bots = pl.Series("bots", [labels[place] for place in pooled.each["folder"]], dtype=pl.Enum(labels))
    return pooled.each.with_columns(bots)
