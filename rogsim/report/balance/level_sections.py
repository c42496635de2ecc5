"""Sections that compare levels with each other: seats, bots, and topics of the kind `level`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import polars as pl

from rogsim.game.topics import Topic
from rogsim.report import words
from rogsim.report.balance import level_causes, pooled_estimates
from rogsim.report.balance.maps import map_words, maps
from rogsim.report.balance.pieces import (
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
from rogsim.report.balance.sources import Material, Source
from rogsim.report.document import Grid, Picture, Section, TableColumn
from rogsim.report.figures import forest_plots
from rogsim.report.figures.heat_map import convention, heat_map
from rogsim.stats.balance.pooled_levels import PooledTable, pooled_levels

AGAINST_FAIR = "win share against the fair share, percentage points (95% interval)"
AHEAD = TableColumn("ahead", "points ahead of the others (95%)", "gain", interval=True)
JUDGED = (
    "First, one test asks whether the levels differ at all: a joint score test of the wins of all levels, with the "
    "covariance that they have if the seats of a block exchange their results at random. `p (Holm)` is the p-value "
    "of a single level, from the exact binomial distribution, corrected for the number of levels. Even a "
    "perfectly fair game shows a gap between best and worst. Findings give the observed gap together with the gap that "
    "a fair game would stay below in 95% of runs."
)
ADJUSTED = (
    "Where something is dealt to the seats at random before the first choice, a regression on the other games "
    "estimates what each deal is worth (control variates with cross-fitted coefficients). The worth of a seat's deal, "
    "relative to the mean of its game, is subtracted from its win share. All seats are dealt the same on average, so "
    "the estimates stay unbiased, and their intervals are usually narrower. `as played` is the win share without this "
    "adjustment. Points are not adjusted."
)


def seat_section(material: Material) -> Section:
    """Return the section on the turn order."""
    frame = labelled(
        material.stacked(lambda balance: None if balance.seats is None else balance.seats.frame()), "level", {}, "Seat "
    )
    drawn = material.panels(frame).rename({"effect": "value", "effect_low": "low", "effect_high": "high"})
    pictures = [
        Picture(
            "seats",
            f"How much more or less than its fair share each seat wins, {_per(material)}.",
            f"Forest plot of win shares by seat. {extremes(drawn)}",
            partial(forest_plots.forest, drawn, material.margin, AGAINST_FAIR, "fair share", ranked=False),
        )
    ]
    if len(material.player_counts) > 1:
        pictures.append(_by_player_count(material, drawn))
    if not material.single:
        pictures.append(_sensitivity(material, drawn))
    return Section(
        "seats",
        "Turn order",
        "Is any seat favoured?",
        rests_on(material),
        findings_of(material, "seats"),
        tuple(pictures),
        (_seat_grid(material, frame),),
        (BLOCKS, JUDGED, *([ADJUSTED] if "plain" in frame.columns else [])),
    )


def _per(material: Material) -> str:
    return "by number of players" if material.single else "by number of players and bots"


def _by_player_count(material: Material, drawn: pl.DataFrame) -> Picture:
    """Return a heat map of seat by player count, with a panel for each set of bots."""
    titles = [_with_games(source) for source in material.sources]
    names = {source.label: title for source, title in zip(material.sources, titles, strict=True)}
    frame = drawn.select(
        pl.col("bots").cast(pl.String).replace_strict(names, return_dtype=pl.Enum(titles)).alias("panel"),
        pl.lit("").alias("series"),
        "level",
        pl.col("level").alias("row"),
        pl.format("{} players", "players").alias("column"),
        "value",
        "low",
        "high",
        "n",
    ).sort("row", maintain_order=True)
    return Picture(
        "seats-by-players",
        f"Win share against the fair share by seat and number of players, percentage points. {convention(frame)}",
        f"Heat map of seat against number of players. {map_words(frame)}",
        partial(heat_map, frame, "percentage points against the fair share"),
    )


def _with_games(source: Source) -> str:
    """Return who played, and how many games with each number of players."""
    games = {players: balance.games for players, balance in source.balance.players.items()}
    if len(set(games.values())) == 1:
        each = " each" if len(games) > 1 else ""
        return f"{source.label}\n{words.games(next(iter(games.values())))}{each}"
    return f"{source.label}\n{', '.join(f'{count:,}' for count in games.values())} games"


def _sensitivity(material: Material, drawn: pl.DataFrame) -> Picture:
    """Return the same effects with a series for each seat, to show whether the sets of bots agree."""
    frame = drawn.select(
        "panel", pl.col("series").alias("level"), pl.col("level").alias("series"), "value", "low", "high"
    )
    return Picture(
        "seats-by-bots",
        "The same effects for each set of bots. An effect on the same side for all of them points to the game, not to "
        "one set of bots.",
        f"Forest plot of the seats' effects for each of {len(material.sources)} sets of bots. {extremes(drawn)}",
        partial(forest_plots.forest, frame, material.margin, AGAINST_FAIR, "fair share", ranked=False),
    )


def bot_section(material: Material) -> Section | None:
    """Return the section on bots, if several played each other; their strength is not a question of balance."""
    frame = material.stacked(lambda balance: None if balance.bots is None else balance.bots.frame())
    if frame.is_empty():
        return None
    drawn = material.panels(frame).rename({"effect": "value", "effect_low": "low", "effect_high": "high"})
    picture = Picture(
        "bots",
        "How much more or less than its fair share each bot wins.",
        f"Forest plot of win shares by bot. {extremes(drawn)}",
        partial(forest_plots.forest, drawn, None, AGAINST_FAIR, "fair share"),
    )
    return Section(
        "bots",
        "Bots",
        "Which bot is strongest here?",
        rests_on(material),
        (),
        (picture,),
        (_level_grid(material, frame, "bots", "Win share and points by bot", "bot"),),
        (
            BLOCKS,
            "Bots are rotated over the seats on the same deals. Differences between bots are not evidence about the "
            "game's balance.",
        ),
    )


def level_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of a topic of the kind `level`; None if it was not played."""
    (column,) = topic.columns
    frame = material.stacked(lambda balance: balance.levels[column].frame() if column in balance.levels else None)
    if frame.is_empty():
        return None
    found = pooled_levels([source.balance for source in material.sources], column, material.margin)
    frame = labelled(pooled_estimates.beside(material, frame, found), "level", topic.labels)
    drawn = material.panels(frame).rename({"effect": "value", "effect_low": "low", "effect_high": "high"})
    picture = Picture(
        topic.name,
        f"How much more or less than its fair share each {topic.noun} wins, {_per(material)}.",
        f"Forest plot of win shares by {topic.noun}. {extremes(drawn)}",
        partial(forest_plots.forest, drawn, material.margin, AGAINST_FAIR, "fair share"),
    )
    seat_maps, seat_grids = _by_seat(material, topic, column)
    why, why_grids = level_causes.level_causes(material, topic)
    overall = pooled_estimates.overall_grid(material, topic, found, _words_for(found, topic))
    return Section(
        topic.name,
        topic.title,
        topic.question,
        rests_on(material),
        findings_of(material, topic.name),
        (picture, *pooled_estimates.pictures(material, topic, frame, "effect", overall), *why, *seat_maps),
        (
            _level_grid(
                material,
                frame,
                topic.name,
                f"Win share and points by {topic.noun}",
                topic.noun,
                pooled_estimates.columns(material.margin),
            ),
            *overall,
            *why_grids,
            *seat_grids,
        ),
        (
            BLOCKS,
            JUDGED,
            f"Each {topic.noun} is compared with the fair share, which is one divided by the number of players. Points "
            "ahead are the difference from the mean of the other seats in the same game.",
            pooled_estimates.method(
                material, f"every {topic.noun}, every number of players and every set of bots on this page"
            ),
            *([level_causes.METHOD] if why else []),
            f"{topic.title} by seat: `beyond` is how much more a cell wins than {topic.noun} and seat together explain."
            f" {SCREEN} {THIN}",
        ),
    )


def _words_for(found: PooledTable, topic: Topic) -> pl.DataFrame:
    levels = found.overall["level"].unique().to_list() if found.overall.height else []
    return pl.DataFrame(
        {"level": levels, "name": [words.name(level, topic.labels) for level in levels]},
        {"level": pl.String, "name": pl.String},
    )


def _seat_grid(material: Material, frame: pl.DataFrame) -> Grid:
    """Return the table of seats; if shares are adjusted, also the unadjusted shares and the games that this saves."""
    grid = _level_grid(material, frame, "seats", "Win share and points by seat", "seat")
    if "plain" not in frame.columns:
        return grid
    place = [column.key for column in grid.columns].index("effect")
    plain = TableColumn("plain", "as played (95%)", "share", interval=True)
    columns = (*grid.columns[:place], plain, *grid.columns[place:])
    return replace(grid, columns=columns, notes=adjustment(material))


def _level_grid(
    material: Material, frame: pl.DataFrame, name: str, caption: str, noun: str, more: tuple[TableColumn, ...] = ()
) -> Grid:
    columns = with_source(
        material,
        TableColumn("level", noun),
        *win_share("effect", "against fair"),
        *more,
        TableColumn("p_holm", "p (Holm)", "p"),
        TableColumn("points", "points (95%)", "number", interval=True),
        AHEAD,
    )
    return Grid(name, caption, columns, frame)


def _by_seat(material: Material, topic: Topic, column: str) -> tuple[tuple[Picture, ...], tuple[Grid, ...]]:
    """Return win shares by level and seat: a heat map for each set of bots, and one table."""
    frame = material.stacked(lambda balance: balance.cells[column].frame() if column in balance.cells else None)
    if frame.is_empty():
        return (), ()
    frame = labelled(frame, "level", topic.labels)
    drawn = frame.with_columns(
        pl.col("level").alias("row"),
        pl.format("seat {}", "seat").alias("column"),
        pl.col("effect").alias("value"),
        pl.col("effect_low").alias("low"),
        pl.col("effect_high").alias("high"),
        pl.col("effect_q").alias("q"),
    )
    pictures = maps(
        material,
        drawn,
        f"{topic.name}-by-seat",
        f"{topic.title} by seat{{who}}, percentage points against the fair share.",
        f"{topic.noun} by seat",
        "percentage points against the fair share",
    )
    columns = with_source(
        material,
        TableColumn("level", topic.noun),
        TableColumn("seat", "seat", "count"),
        *win_share("effect", "against fair"),
        TableColumn("beyond", "beyond, pp (95%)", "gain", interval=True, few=True),
        TableColumn("q", "q", "p", few=True),
    )
    return pictures, (Grid(f"{topic.name}-by-seat", f"{topic.title} by seat", columns, frame),)
