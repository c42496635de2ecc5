"""Sections about what lies there before the first turn: topics of the kinds `draw` and `setup`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import polars as pl

from rogsim.game import Topic
from rogsim.report import figures, pooled, words
from rogsim.report.maps import maps
from rogsim.report.model import Column, Grid, Picture, Section
from rogsim.report.pieces import (
    BLOCKS,
    SCREEN,
    THIN,
    adjustment,
    extremes,
    findings_of,
    labelled,
    rests_on,
    win_share,
    with_source,
)
from rogsim.report.sources import Material
from rogsim.stats.draws import BETWEEN, Draws
from rogsim.stats.pooled import pooled_draws

AGAINST_ALL = "percentage points against the seat's share over all games"
OVERALL = (
    "One test asks whether the seats' win shares depend on the draw at all: Pearson's test of draw by seat, with the "
    "spread between blocks of all draws together. Only then are single cells looked at."
)
DRAWN = 16  # fields of a large screen that the figure shows
LENGTH = (
    Column("points", "points of a seat (95%)", "number", interval=True),
    Column("turns", "turns (95%)", "number", interval=True),
    Column("margin", "margin of victory (95%)", "number", interval=True),
)


def draw_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of a topic of the kind `draw`; None if nothing was drawn."""
    (column,) = topic.columns
    seats = _stack(material, column, Draws.seats)
    if seats.is_empty():
        return None
    found = pooled_draws([source.balance for source in material.sources], column, material.margin)
    names = seats.select("level").unique(maintain_order=True)
    told_names = names.with_columns(_drawn_words(names, topic.labels)["level"].alias("name"))
    seats = _drawn_words(pooled.beside(material, seats, found), topic.labels)
    overall = pooled.overall_grid(material, topic, found, told_names)
    games = _drawn_words(_stack(material, column, Draws.games), topic.labels)
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
            *pooled.pictures(material, topic, seats, "beyond", overall),
            *_member_maps(material, topic, members),
        ),
        (
            *_member_grids(material, topic, members, effects),
            _seat_grid(material, topic, seats, pooled.columns(material.margin)),
            *overall,
            Grid(
                f"{topic.name}-length",
                f"Points, length and margin of victory with each draw of {topic.title.lower()}",
                with_source(material, Column("level", "draw"), Column("n", "n", "count"), *LENGTH),
                games,
            ),
        ),
        (
            BLOCKS,
            OVERALL,
            SCREEN,
            pooled.method(
                material, "every seat with every draw, and every set of bots, with the same number of players"
            ),
            *adjustment(material, "Turn order"),
        ),
    )


def _member_grids(material: Material, topic: Topic, members: pl.DataFrame, effects: pl.DataFrame) -> tuple[Grid, ...]:
    """Return what each member changes, for the seats and for the game; nothing if draws have no members."""
    if members.is_empty():
        return ()
    return (
        Grid(
            f"{topic.name}-members",
            f"What each {topic.one} changes: win share of each seat in games with it, less that without it",
            with_source(
                material,
                Column("member", topic.one),
                Column("seat", "seat", "count"),
                Column("n", "n", "count"),
                Column("with", "with (95%)", "share", interval=True),
                Column("without", "without (95%)", "share", interval=True),
                Column("difference", "difference, pp (95%)", "gain", interval=True, few=True),
                Column("q", "q", "p", few=True),
            ),
            members,
        ),
        Grid(
            f"{topic.name}-games",
            f"What each {topic.one} does to a game: with it, less without it",
            with_source(
                material,
                Column("member", topic.one),
                Column("n", "n", "count"),
                *(Column(one.key, one.head, "gain", interval=True) for one in LENGTH),
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
        (_most_telling(material, topic, seats),),
        (_seat_grid(material, topic, seats),),
        (BLOCKS, OVERALL, SCREEN, THIN, *adjustment(material, "Turn order")),
    )


def _stack(material: Material, column: str, frame_of: Callable[[Draws], pl.DataFrame]) -> pl.DataFrame:
    return material.stacked(lambda one: frame_of(one.draws[column]) if column in one.draws else None)


def _drawn_words(frame: pl.DataFrame, labels: Mapping[str, str]) -> pl.DataFrame:
    """Tell each draw in the game's words: by a name of its own, else member by member."""
    told = [
        labels.get(level) or ", ".join(words.name(one, labels) for one in BETWEEN.split(level))
        for level in frame["level"]
    ]
    return frame.with_columns(pl.Series("level", told, dtype=pl.String))


def _seat_grid(material: Material, topic: Topic, seats: pl.DataFrame, more: tuple[Column, ...] = ()) -> Grid:
    columns = with_source(
        material,
        Column("level", topic.one if topic.kind == "setup" else "draw"),
        Column("seat", "seat", "count"),
        *win_share("beyond", "against all games"),
        *more,
        Column("q", "q", "p"),
    )
    caption = f"Win share of each seat with each {topic.one if topic.kind == 'setup' else 'draw'}"
    return Grid(f"{topic.name}-by-seat", caption, columns, seats)


def _draw_maps(material: Material, topic: Topic, seats: pl.DataFrame) -> tuple[Picture, ...]:
    """Return a heat map of draw by seat for each folder, with a panel for each player count."""
    return maps(
        material,
        _fields(seats, "level", "beyond"),
        f"{topic.name}-by-seat",
        f"{topic.title}{{who}}: win share of each seat, {AGAINST_ALL}.",
        f"{topic.title.lower()} by seat",
        AGAINST_ALL,
    )


def _member_maps(material: Material, topic: Topic, members: pl.DataFrame) -> tuple[Picture, ...]:
    """Return heat maps of member by seat: games with it against games without it; nothing if draws have no members."""
    if members.is_empty():
        return ()
    return maps(
        material,
        _fields(members, "member", "difference"),
        f"{topic.name}-members",
        f"What each {topic.one} does to each seat{{who}}: win share with it less that without it, percentage points.",
        f"{topic.one} by seat",
        "percentage points, games with it less games without it",
    )


def _fields(frame: pl.DataFrame, row: str, value: str) -> pl.DataFrame:
    """Name what a heat map of seats needs."""
    ends = {value: "value", f"{value}_low": "low", f"{value}_high": "high"}
    seat = pl.format("seat {}", "seat").alias("column")
    return frame.with_columns(pl.col(row).alias("row"), seat, *(pl.col(a).alias(b) for a, b in ends.items()))


def _most_telling(material: Material, topic: Topic, seats: pl.DataFrame) -> Picture:
    """Return the fields of a large screen that stand out most, as a forest plot."""
    named = seats.with_columns(pl.format("{}, seat {}", "level", "seat").alias("level"))
    order = named.group_by("level").agg(pl.col("q").min(), pl.col("beyond").abs().max())
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
        f"{topic.title}: the {len(kept)} fields that stand out most of {order.height}, {AGAINST_ALL}.",
        f"Forest plot of the fields that stand out most. {extremes(drawn)}",
        partial(figures.forest, drawn, material.margin, f"{AGAINST_ALL} (95% interval)", "no difference"),
    )
