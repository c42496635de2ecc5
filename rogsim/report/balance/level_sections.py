"""Sections that are judged: seats, what was dealt to them, what was drawn, and bots that played each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import polars as pl

from rogsim.base.text import capital, listing
from rogsim.game.fair import noun_of, side_name
from rogsim.game.topics import SEATS, Topic
from rogsim.report import words
from rogsim.report.balance.sources import (
    Material,
    extremes,
    labelled,
    of_last,
    of_most_players,
    played,
    sortable,
    with_source,
)
from rogsim.report.document import Finding, Grid, Picture, Section, TableColumn, badge_of
from rogsim.report.effects_section import finding_of, forest_of
from rogsim.report.figures import charts, forest_plots
from rogsim.report.figures.heat_map import convention, heat_map, judged, reach_of
from rogsim.report.figures.style import ACROSS
from rogsim.report.sentences import answer_words, headline
from rogsim.stats.balance.association import ALL, LevelPoints
from rogsim.stats.balance.level_by_seat import BETWEEN, Draws
from rogsim.stats.balance.measure import PlayersBalance
from rogsim.stats.judgement import Judgement

AXIS = "win share against a fair share, percentage points"
AGAINST_ALL = "win share against that of the seat over all games, percentage points"
ALL_SOURCES = "All sources"
TIMES = "\N{MULTIPLICATION SIGN}"
DEALT = "Shares are adjusted for what the seats were dealt at random."
AHEAD = TableColumn("ahead", "points ahead of the others (95%)", "gain", interval=True)
SHARE = TableColumn("share", "win share (95%)", "share", interval=True)
N = TableColumn("n", "n", "count")


def seat_section(material: Material) -> Section:
    """Return the section on the turn order, on teams, or on how often all win together."""
    sides = [material.spec.sides(players) for players in material.player_counts]
    frame = material.stacked(lambda balance: None if balance.seats is None else balance.seats.frame())
    names = [capital(side_name(level)) for level in frame["level"]]
    frame = frame.with_columns(pl.Series("level", names, dtype=pl.String))
    if all(each.is_one for each in sides):
        return _together_section(material, frame)
    noun = " or ".join(dict.fromkeys(noun_of(each.levels) for each in sides if not each.is_one))
    declared = [
        f"{side_name(level)} {words.share(fair)}"
        for each in sides
        if not each.are_equal
        for level, fair in zip(each.levels, each.shares, strict=True)
        if not each.is_one
    ]
    method = f"Declared as fair: {listing(declared)}." if declared else ""
    return _judged(
        material,
        SEATS,
        "Teams" if noun == "team" else "Turn order",
        f"Is any {noun} favoured?",
        f"How often each {noun} wins.",
        (_level_grid(material, frame, SEATS, f"Win share by {noun}", noun),),
        DEALT if "plain" in frame.columns else method,
        more=_model_grid(material),
    )


def _together_section(material: Material, frame: pl.DataFrame) -> Section:
    """Return the section on how often all seats win, if they win or lose together."""
    ends = {name: name.replace("share", "value") for name in ("share", "share_low", "share_high")}
    who, won = frame["level"][-1], of_most_players(of_last(material, frame).rename(ends), "of games", True)
    columns = with_source(
        material, TableColumn("level", "who"), N, SHARE, TableColumn("points", "points (95%)", "number", interval=True)
    )
    return Section(
        SEATS,
        "Games won",
        "How often is the game won?",
        f"{who} wins {won}.",
        played(material),
        grids=(Grid(SEATS, "How often the game is won", columns, frame),),
        method="Nobody plays against anybody, so there is no question about seats, or about what they have.",
    )


def level_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of a topic of the kind `level`; None if it was not played."""
    (column,) = topic.columns
    frame = material.stacked(lambda balance: balance.levels[column].frame() if column in balance.levels else None)
    if frame.is_empty():
        return None
    frame = labelled(frame, "level", topic.labels)
    why, why_grids = _why(material, topic)
    return _judged(
        material,
        topic.name,
        topic.title,
        topic.question,
        f"How often each {topic.noun} wins.",
        (_level_grid(material, frame, topic.name, f"Win share by {topic.noun}", topic.noun),),
        "",
        why,
        (*why_grids, *_by_seat(material, topic, column)),
    )


def draw_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of a topic of the kind `draw`; None if nothing was drawn."""
    (column,) = topic.columns
    seats = _draws(material, column, Draws.seats)
    if seats.is_empty():
        return None
    seats = _with_labels(seats, topic.labels)
    members = _draws(material, column, Draws.by_member)
    cells, row, value = (seats, "level", "beyond")
    what = f"{topic.title}: {AGAINST_ALL}"
    if not members.is_empty():
        cells, row, value = labelled(members, "member", topic.labels), "member", "difference"
        what = f"Win share of each seat in games with each {topic.noun} minus games without it, percentage points"
    ends = {value: "value", f"{value}_low": "low", f"{value}_high": "high"}
    fields = cells.with_columns(
        pl.col(row).alias("row"),
        pl.format("seat {}", "seat").alias("column"),
        *(pl.col(old).alias(new) for old, new in ends.items()),
    )
    length = _with_labels(_draws(material, column, Draws.games), topic.labels)
    return _judged(
        material,
        topic.name,
        topic.title,
        topic.question,
        "",
        (),
        "One test of draw by seat for each number of players; single seats only if it rejects.",
        (heat_map_of(material, fields, topic.name, what, "percentage points"),),
        (
            *([_member_grid(material, topic, cells)] if row == "member" else []),
            _draw_grid(material, topic, seats),
            Grid(
                f"{topic.name}-length",
                f"Points, turns and margin of victory with each draw of {topic.title.lower()}",
                with_source(
                    material,
                    TableColumn("level", "draw"),
                    N,
                    *(
                        TableColumn(key, f"{key} (95%)", "number", interval=True)
                        for key in ("points", "turns", "margin")
                    ),
                ),
                length,
            ),
        ),
    )


def setup_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of a topic of the kind `setup`: several columns, each with its levels."""
    frames = []
    for column in topic.columns:
        found = _draws(material, column, Draws.seats)
        if not found.is_empty():
            name = words.name(column, topic.labels)
            level = pl.format("{}: {}", pl.lit(name), pl.col("level").cast(pl.String))
            frames.append(found.with_columns(level.alias("level")))
    if not frames:
        return None
    seats = pl.concat(frames, how="diagonal_relaxed")
    grid = _draw_grid(material, topic, seats)
    if material.judged(topic.name):
        return _judged(material, topic.name, topic.title, topic.question, "", (), "", more=(grid,))
    last = of_last(material, seats)
    clear = last.filter(pl.col("q") < 0.05).sort(sortable(pl.col("beyond").abs()), descending=True, nulls_last=True)
    if clear.is_empty():
        least = last.select(pl.col("q").min()).item()
        smallest = "" if least is None else f" (smallest q {words.number(least, 2)} of {last.height:,} comparisons)"
        answer = f"No {topic.noun} is shown to matter to any seat{smallest}."
    else:
        row = clear.row(0, named=True)
        reach = words.interval(row["beyond_low"], row["beyond_high"], sign=True)
        answer = (
            f"{row['level']} matters most: with {words.players(row['players'])} seat {row['seat']} wins "
            f"{words.number(abs(row['beyond']))} pp {'more' if row['beyond'] > 0 else 'less'} than over all games "
            f"({reach}); q is below 0.05 in {clear.height:,} of {last.height:,} comparisons."
        )
    method = "A screen: q is corrected for all comparisons with the same number of players (Benjamini-Hochberg)."
    return Section(
        topic.name,
        topic.title,
        topic.question,
        answer,
        played(material),
        method=method,
        anchor="tests-claims-and-screens",
        more=(grid,),
    )


def bot_section(material: Material) -> Section | None:
    """Return the section on bots, if several played each other; their strength is not a question of balance."""
    frame = material.stacked(lambda balance: None if balance.bots is None else balance.bots.frame())
    if frame.is_empty():
        return None
    drawn = material.panels(frame).rename({"effect": "value", "effect_low": "low", "effect_high": "high"})
    best = of_last(material, frame).sort("effect", descending=True, nulls_last=True).row(0, named=True)
    return Section(
        "bots",
        "Bots",
        "Which bot is strongest here?",
        f"{best['level']} wins most: {words.share(best['share'])} of its seats "
        f"({words.interval(best['share_low'], best['share_high'], 100)}) with {words.players(best['players'])}.",
        played(material),
        pictures=(
            Picture(
                "bots",
                "How often each bot wins.",
                f"Forest plot of win shares by bot. {extremes(drawn)}",
                partial(forest_plots.forest, drawn, None, AXIS, "fair share"),
            ),
        ),
        grids=(_level_grid(material, frame, "bots", "Win share by bot", "bot"),),
        method="Bots change seats on the same deals. Their strength says nothing about the balance of the game.",
        anchor="tests-claims-and-screens",
    )


def heat_map_of(
    material: Material,
    frame: pl.DataFrame,
    name: str,
    caption: str,
    bar: str,
    unit: str = " pp",
    screen: bool = False,
    across: int = ACROSS,
) -> Picture:
    """Return a heat map of the last set of bots, with a panel for each player count.

    Parameters
    ----------
    frame
        Columns bots, players, row, column, value, low and high; optionally q and n.
    name
        Name of the figure.
    caption
        What the cells show.
    bar
        Label of the colour bar.
    screen
        Whether the frame is based on the games of screens.
    """
    part = material.of_last_with_panel(frame, screen)
    fields = judged(part)
    shown, clear = int(fields["known"].sum()), int(fields["clear"].sum())
    named = fields.with_columns(pl.format("{}, {}", "row", "column").alias("level"), pl.lit("").alias("series"))
    return Picture(
        name,
        f"{caption}{'' if material.single else f' ({material.last.label})'}. {convention(part)}",
        f"Heat map. {clear} of {shown} cells are distinguishable from 0. {extremes(named, unit)}",
        partial(heat_map, part, bar, reach=reach_of(part), across=across),
    )


def forest_picture(material: Material, judged: Sequence[Judgement], name: str, caption: str) -> Picture:
    """Return the forest plot of judgements: a panel for each number of players, a series for each set of bots."""
    games: dict[int, list[str]] = {}
    for judgement in judged:
        games.setdefault(judgement.effects.players, []).append(f"{judgement.effects.games:,}")
    titles = {players: f"{' and '.join(dict.fromkeys(counts))} games" for players, counts in games.items()}
    against = judged[0].effects.question.against == "than a fair share"
    labels = {source.balance.folder: source.label for source in material.sources}
    return forest_of(judged, name, caption, AXIS if against else AGAINST_ALL, titles, labels)


def _judged(
    material: Material,
    name: str,
    title: str,
    question: str,
    caption: str,
    grids: tuple[Grid, ...],
    method: str,
    pictures: tuple[Picture, ...] = (),
    more: tuple[Grid, ...] = (),
) -> Section:
    """Return a section on judgements; caption: of their forest plot, empty for none."""
    judged = material.judged(name, material.last)
    every = material.judged(name)
    if not judged:  # no claim, or not with these bots
        return Section(name, title, question, "", played(material), (), pictures, grids, method, more=more)
    # With one number of players the answer is the finding; with several, each has its own.
    findings = tuple(_finding(material, judgement) for judgement in every) if len(every) > 1 else ()
    if caption:
        pictures = (forest_picture(material, every, name, caption), *pictures)
    return Section(
        name,
        title,
        question,
        f"{answer_words(judged)}{confounded_words(material, judged)}",
        played(material),
        findings or (_finding(material, judged[0]),),
        pictures,
        grids,
        method,
        "verdicts",
        badge_of(headline(judged)),
        more=more,
    )


def _finding(material: Material, judgement: Judgement) -> Finding:
    who = "" if material.single else f", {material.source_of(judgement).label}"
    return finding_of(judgement, f"{words.players(judgement.effects.players)}{who}", every=False)


def confounded_words(material: Material, judged: Sequence[Judgement]) -> str:
    """Say which other questions have the same effects, as each level always has the same level of the other."""
    same: set[str] | None = None
    for judgement in judged:
        effects = judgement.effects
        found = {
            other.effects.question.noun
            for other in material.judgements
            if (other.effects.run, other.effects.players) == (effects.run, effects.players)
            and other.effects.question.topic != effects.question.topic
            and _sizes(other) == _sizes(judgement)
        }
        same = found if same is None else same & found
    if not same:
        return ""
    noun = judged[0].effects.question.noun
    return f" Each {noun} always has the same {listing(sorted(same))}, so they cannot be told apart."


def _sizes(judgement: Judgement) -> list[tuple[float, float]]:
    """Return the effects of all levels with their numbers of rows, in ascending order."""
    return sorted((round(one.effect.value, 9), one.effect.n) for one in judgement.effects.contrasts)


def _level_grid(material: Material, frame: pl.DataFrame, name: str, caption: str, noun: str) -> Grid:
    effect = TableColumn("effect", "against fair, pp (95%)", "gain", interval=True)
    return Grid(name, caption, with_source(material, TableColumn("level", noun), N, SHARE, effect, AHEAD), frame)


def _model_grid(material: Material) -> tuple[Grid, ...]:
    """Return the table of the regression: the effect of each level with all else equal, beside its own effect."""
    frame = material.stacked(lambda balance: balance.model.frame() if balance.model else None)
    if frame.is_empty():
        return ()
    labels = {name: label for topic in material.spec.topics for name, label in topic.labels.items()}
    terms = [f" {TIMES} ".join(words.name(part, labels) for part in term.split(" x ")) for term in frame["term"]]
    levels = [
        f"{capital(term)} {level}" if str(level).isdigit() else words.name(level, labels)
        for term, level in zip(terms, frame["level"], strict=True)
    ]
    columns = with_source(
        material,
        TableColumn("level", "level"),
        TableColumn("term", "factor"),
        N,
        TableColumn("share", "all else equal, pp (95%)", "gain", interval=True),
        TableColumn("raw_share", "unadjusted, pp", "gain"),
        TableColumn("points", "all else equal, points (95%)", "gain", interval=True),
        TableColumn("raw_points", "unadjusted, points", "gain"),
    )
    named = frame.with_columns(pl.Series("term", terms), pl.Series("level", levels))
    return (Grid("model", "Effect of each level with all else equal", columns, named),)


def _by_seat(material: Material, topic: Topic, column: str) -> tuple[Grid, ...]:
    """Return the table of win shares by level and seat."""
    frame = material.stacked(lambda balance: balance.cells[column].frame() if column in balance.cells else None)
    if frame.is_empty():
        return ()
    columns = with_source(
        material,
        TableColumn("level", topic.noun),
        TableColumn("seat", "seat", "count"),
        N,
        SHARE,
        TableColumn("effect", "against fair, pp (95%)", "gain", interval=True),
        TableColumn("beyond", "beyond level and seat, pp (95%)", "gain", interval=True, few=True),
        TableColumn("q", "q", "p", few=True),
    )
    return (Grid(f"{topic.name}-by-seat", f"{topic.title} by seat", columns, labelled(frame, "level", topic.labels)),)


def _draws(material: Material, column: str, frame_of: Callable[[Draws], pl.DataFrame]) -> pl.DataFrame:
    return material.stacked(lambda balance: frame_of(balance.draws[column]) if column in balance.draws else None)


def _with_labels(frame: pl.DataFrame, labels: Mapping[str, str]) -> pl.DataFrame:
    """Replace each draw by its label in the game, or else by the labels of its members."""
    named = [
        labels.get(level) or ", ".join(words.name(member, labels) for member in BETWEEN.split(level))
        for level in frame["level"]
    ]
    return frame.with_columns(pl.Series("level", named, dtype=pl.String))


def _draw_grid(material: Material, topic: Topic, seats: pl.DataFrame) -> Grid:
    noun = topic.noun if topic.kind == "setup" else "draw"
    columns = with_source(
        material,
        TableColumn("level", noun),
        TableColumn("seat", "seat", "count"),
        N,
        SHARE,
        TableColumn("beyond", "against all games, pp (95%)", "gain", interval=True),
        TableColumn("q", "q", "p"),
    )
    return Grid(f"{topic.name}-by-seat", f"Win share of each seat with each {noun}", columns, seats)


def _member_grid(material: Material, topic: Topic, members: pl.DataFrame) -> Grid:
    columns = with_source(
        material,
        TableColumn("member", topic.noun),
        TableColumn("seat", "seat", "count"),
        N,
        TableColumn("with", "with (95%)", "share", interval=True),
        TableColumn("without", "without (95%)", "share", interval=True),
        TableColumn("difference", "difference, pp (95%)", "gain", interval=True, few=True),
        TableColumn("q", "q", "p", few=True),
    )
    return Grid(f"{topic.name}-members", f"Win share of each seat with and without each {topic.noun}", columns, members)


def _why(material: Material, topic: Topic) -> tuple[tuple[Picture, ...], tuple[Grid, ...]]:
    """Return why levels are strong or weak: points by source and over time, as figures and tables."""
    (column,) = topic.columns
    sources, course, both = (
        material.stacked(partial(_points_of, column=column, frame=frame))
        for frame in (LevelPoints.by_source, LevelPoints.over_time, LevelPoints.by_source_over_time)
    )
    if sources.is_empty():
        return (), ()
    parts = {ALL: ALL_SOURCES, "final": "Final scoring"}
    parts |= {name: label for one in material.spec.topics if one.kind == "parts" for name, label in one.labels.items()}
    ends = {"difference": "value", "difference_low": "low", "difference_high": "high"}
    renamed = [pl.col(old).alias(new) for old, new in ends.items()]
    sources = labelled(labelled(sources, "level", topic.labels), "part", parts)
    cells = sources.with_columns(
        pl.col("part").alias("row"),
        pl.col("level").str.replace_all(" ", "\n").alias("column"),
        pl.col("scored").alias("n"),
        *renamed,
    )
    pictures = [
        heat_map_of(
            material,
            cells,
            f"{topic.name}-by-source",
            f"Where each {topic.noun} gains and loses points, against the mean of all seats",
            "points against the mean of all seats",
            " points",
            screen=True,
            across=1,
        )
    ]
    head, tail = (
        TableColumn("level", topic.noun),
        (
            N,
            TableColumn("mean", "points (95%)", "number", interval=True),
            TableColumn("difference", "against all, points (95%)", "gain", interval=True, few=True),
            TableColumn("q", "q", "p", few=True),
        ),
    )
    part, progress = TableColumn("part", "source"), TableColumn("progress", "share of turns played", "share", digits=0)
    grids = [
        Grid(
            f"{topic.name}-by-source",
            f"Points by source and {topic.noun}",
            with_source(material, head, part, *tail),
            sources,
        )
    ]
    if not course.is_empty():
        course = labelled(course, "level", topic.labels)
        drawn = material.of_last_with_panel(course, screen=True).with_columns(
            (100 * pl.col("progress")).alias("x"), pl.col("level").alias("series"), *renamed
        )
        reach = drawn.select(1.05 * pl.max_horizontal(pl.col("value", "low", "high").abs()).max()).item() or 1.0
        pictures.append(
            Picture(
                f"{topic.name}-over-time",
                f"Points of each {topic.noun} against the mean of all seats over the game; 100% has the final scoring.",
                f"Line chart of points over the game. {extremes(drawn.filter(pl.col('x') == 100), ' points')}",
                partial(
                    charts.trend,
                    drawn,
                    "share of the game's turns played, %",
                    "points against the mean",
                    points=True,
                    reach=reach,
                    fair="mean of all seats",
                ),
            )
        )
        grids.append(
            Grid(
                f"{topic.name}-over-time",
                f"Points over time by {topic.noun}",
                with_source(material, head, progress, *tail),
                course,
            )
        )
    if not both.is_empty():
        both = labelled(labelled(both, "level", topic.labels), "part", parts)
        caption = f"Points by source over time and {topic.noun}"
        columns = with_source(material, head, part, progress, *tail)
        grids.append(Grid(f"{topic.name}-by-turn", caption, columns, both))
    return tuple(pictures), tuple(grids)


def _points_of(
    balance: PlayersBalance, column: str, frame: Callable[[LevelPoints], pl.DataFrame]
) -> pl.DataFrame | None:
    return frame(balance.level_points[column]) if column in balance.level_points else None
