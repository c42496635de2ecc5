"""Sections on what is set up before the first turn: topics of the kinds `draw` and `setup`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import polars as pl

from rogsim.game.topics import Topic
from rogsim.report import words
from rogsim.report.balance import pooled_estimates
from rogsim.report.balance.maps import maps
from rogsim.report.balance.pieces import (
    BLOCKS,
    SCREEN,
    THIN,
    adjustment,
    extremes,
    findings_of,
    labelled,
    rests_on,
    sortable,
    win_share,
    with_source,
)
from rogsim.report.balance.sources import Material
from rogsim.report.document import Grid, Picture, Section, TableColumn
from rogsim.report.figures import forest_plots
from rogsim.stats.balance.draws import BETWEEN, Draws
from rogsim.stats.balance.pooled_levels import pooled_draws

AGAINST_ALL = "percentage points against the seat's share over all games"
OVERALL = (
    "First, one test asks whether the seats' win shares depend on the draw at all: Pearson's test of draw by seat, "
    "with the variance between blocks pooled over all draws. Only if it rejects are single cells considered."
)
DRAWN = 16  # rows of a large screen that the figure shows
LENGTH = (
    TableColumn("points", "points per seat (95%)", "number", interval=True),
    TableColumn("turns", "turns (95%)", "number", interval=True),
    TableColumn("margin", "margin of victory (95%)", "number", interval=True),
)


def draw_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of a topic of the kind `draw`; None if nothing was drawn."""
    (column,) = topic.columns
    seats = _stack(material, column, Draws.seats)
    if seats.is_empty():
        return None
    found = pooled_draws([source.balance for source in material.sources], column, material.margin)
    names = seats.select("level").unique(maintain_order=True)
    labels = names.with_columns(_with_labels(names, topic.labels)["level"].alias("name"))
    seats = _with_labels(pooled_estimates.beside(material, seats, found), topic.labels)
    overall = pooled_estimates.overall_grid(material, topic, found, labels)
    games = _with_labels(_stack(material, column, Draws.games), topic.labels)
    stacked = (_stack(material, column, frame_of) for frame_of in (Draws.by_member, Draws.member_games))
    members, effects = (found if found.is_empty() else labelled(found, "member", topic.labels) for found in stacked)
    return Section(
        topic.name,
        topic.title,
        topic.question,
        rests_on(material),
        findings_of(material, topic.name),
        (
            *_draw_maps(material, topic, seats),
            *pooled_estimates.pictures(material, topic, seats, "beyond", overall),
            *_member_maps(material, topic, members),
        ),
        (
            *_member_grids(material, topic, members, effects),
            _seat_grid(material, topic, seats, pooled_estimates.columns(material.margin)),
            *overall,
            Grid(
                f"{topic.name}-length",
                f"Points, length and margin of victory with each draw of {topic.title.lower()}",
                with_source(material, TableColumn("level", "draw"), TableColumn("n", "n", "count"), *LENGTH),
                games,
            ),
        ),
        (
            BLOCKS,
            OVERALL,
            SCREEN,
            pooled_estimates.method(
                material, "every seat with every draw, and every set of bots, with the same number of players"
            ),
            *adjustment(material, "Turn order"),
        ),
    )


def _member_grids(material: Material, topic: Topic, members: pl.DataFrame, effects: pl.DataFrame) -> tuple[Grid, ...]:
    """Return the tables of each member's effect on the seats and on the game; empty if draws have no members."""
    if members.is_empty():
        return ()
    return (
        Grid(
            f"{topic.name}-members",
            f"Effect of each {topic.noun}: win share of each seat in games with it minus games without it",
            with_source(
                material,
                TableColumn("member", topic.noun),
                TableColumn("seat", "seat", "count"),
                TableColumn("n", "n", "count"),
                TableColumn("with", "with (95%)", "share", interval=True),
                TableColumn("without", "without (95%)", "share", interval=True),
                TableColumn("difference", "difference, pp (95%)", "gain", interval=True, few=True),
                TableColumn("q", "q", "p", few=True),
            ),
            members,
        ),
        Grid(
            f"{topic.name}-games",
            f"Effect of each {topic.noun} on the game: with it minus without it",
            with_source(
                material,
                TableColumn("member", topic.noun),
                TableColumn("n", "n", "count"),
                *(TableColumn(column.key, column.head, "gain", interval=True) for column in LENGTH),
            ),
            effects,
        ),
    )


def setup_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of a topic of the kind `setup`: several columns, each with its levels."""
    frames = []
    for column in topic.columns:
        found = _stack(material, column, Draws.seats)
        if not found.is_empty():
            name = words.name(column, topic.labels)
            frames.append(
                found.with_columns(pl.format("{}: {}", pl.lit(name), pl.col("level").cast(pl.String)).alias("level"))
            )
    if not frames:
        return None
    seats = pl.concat(frames, how="diagonal_relaxed")
    return Section(
        topic.name,
        topic.title,
        topic.question,
        rests_on(material),
        findings_of(material, topic.name),
        (_smallest_q(material, topic, seats),),
        (_seat_grid(material, topic, seats),),
        (BLOCKS, OVERALL, SCREEN, THIN, *adjustment(material, "Turn order")),
    )


def _stack(material: Material, column: str, frame_of: Callable[[Draws], pl.DataFrame]) -> pl.DataFrame:
    return material.stacked(lambda balance: frame_of(balance.draws[column]) if column in balance.draws else None)


def _with_labels(frame: pl.DataFrame, labels: Mapping[str, str]) -> pl.DataFrame:
    """Replace each draw by its label in the game, or else by the labels of its members."""
    named = [
        labels.get(level) or ", ".join(words.name(member, labels) for member in BETWEEN.split(level))
        for level in frame["level"]
    ]
    return frame.with_columns(pl.Series("level", named, dtype=pl.String))


def _seat_grid(material: Material, topic: Topic, seats: pl.DataFrame, more: tuple[TableColumn, ...] = ()) -> Grid:
    columns = with_source(
        material,
        TableColumn("level", topic.noun if topic.kind == "setup" else "draw"),
        TableColumn("seat", "seat", "count"),
        *win_share("beyond", "against all games"),
        *more,
        TableColumn("q", "q", "p"),
    )
    caption = f"Win share of each seat with each {topic.noun if topic.kind == 'setup' else 'draw'}"
    return Grid(f"{topic.name}-by-seat", caption, columns, seats)


def _draw_maps(material: Material, topic: Topic, seats: pl.DataFrame) -> tuple[Picture, ...]:
    """Return a heat map of draw by seat for each set of bots, with a panel for each player count."""
    return maps(
        material,
        _fields(seats, "level", "beyond"),
        f"{topic.name}-by-seat",
        f"{topic.title}{{who}}: win share of each seat, {AGAINST_ALL}.",
        f"{topic.title.lower()} by seat",
        AGAINST_ALL,
    )


def _member_maps(material: Material, topic: Topic, members: pl.DataFrame) -> tuple[Picture, ...]:
    """Return heat maps of member by seat: games with it minus games without it; empty if draws have no members."""
    if members.is_empty():
        return ()
    return maps(
        material,
        _fields(members, "member", "difference"),
        f"{topic.name}-members",
        f"Effect of each {topic.noun} on each seat{{who}}: win share with it minus without it, percentage points.",
        f"{topic.noun} by seat",
        "percentage points, games with it minus games without it",
    )


def _fields(frame: pl.DataFrame, row: str, value: str) -> pl.DataFrame:
    """Rename columns as a heat map of seats needs them."""
    ends = {value: "value", f"{value}_low": "low", f"{value}_high": "high"}
    seat = pl.format("seat {}", "seat").alias("column")
    return frame.with_columns(pl.col(row).alias("row"), seat, *(pl.col(a).alias(b) for a, b in ends.items()))


def _smallest_q(material: Material, topic: Topic, seats: pl.DataFrame) -> Picture:
    """Return a forest plot of the rows of a large screen with the smallest q."""
    named = seats.with_columns(pl.format("{}, seat {}", "level", "seat").alias("level"))
    order = named.group_by("level").agg(sortable(pl.col("q").min()), sortable(pl.col("beyond").abs().max()))
    kept = (
        order.sort("q", "beyond", "level", descending=[False, True, False], nulls_last=True)["level"]
        .head(DRAWN)
        .to_list()
    )
    place = pl.col("level").replace_strict({name: i for i, name in enumerate(kept)}, default=None)
    drawn = material.panels(named.filter(pl.col("level").is_in(kept)).sort(place, "players", "bots")).rename(
        {"beyond": "value", "beyond_low": "low", "beyond_high": "high"}
    )
    return Picture(
        topic.name,
        f"{topic.title}: the {len(kept)} rows with the smallest q, out of {order.height}, {AGAINST_ALL}.",
        f"Forest plot of the rows with the smallest q. {extremes(drawn)}",
        partial(forest_plots.forest, drawn, material.margin, f"{AGAINST_ALL} (95% interval)", "no difference"),
    )
