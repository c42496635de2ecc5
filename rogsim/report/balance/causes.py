"""Sections on what explains the results (luck, a regression) and on the precision of the estimates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import polars as pl

from rogsim.report import words
from rogsim.report.balance.pieces import BLOCKS, by, case, extremes, known, one_line, rests_on, with_source
from rogsim.report.balance.sources import Material
from rogsim.report.document import Finding, Grid, Picture, Section, TableColumn
from rogsim.report.figures import forest_plots, part_bars, trends
from rogsim.stats.balance.luck import WORDS
from rogsim.stats.balance.measured import PlayersBalance

TIMES = "\N{MULTIPLICATION SIGN}"


def luck_section(material: Material) -> Section | None:
    """Return the section on how much of the variance of points is luck."""
    frame = material.stacked(_luck)
    if frame.is_empty():
        return None
    first = frame["value_of"][0]
    drawn = frame.filter(pl.col("value_of") == first).select(
        pl.format("{}\n{}", case(material), "games").alias("level"),
        pl.col("name").alias("series"),
        pl.col("share").clip(0, 1),
    )
    notes = tuple(dict.fromkeys(note for _, balance in material.each() for part in balance.luck for note in part.notes))
    shares = [
        f"{one_line(row['level'])}: {row['series']} {words.share(row['share'], 0)}"
        for row in drawn.iter_rows(named=True)
    ]
    picture = Picture(
        "luck",
        f"Where differences in {first} come from: share of the variance.",
        f"Stacked bars. {'; '.join(shares)}.",
        partial(part_bars.stacked, drawn, list(WORDS), "share of the variance"),
    )
    columns = with_source(
        material,
        TableColumn("name", "source"),
        TableColumn("value_of", "variance of"),
        TableColumn("share", "share of the variance (95%)", "share", interval=True),
        TableColumn("words", "meaning", "long"),
    )
    return Section(
        "luck",
        "Luck",
        "How much of the result is luck?",
        rests_on(material, screen=True),
        (),
        (picture,),
        (Grid("luck", "Where differences come from", columns, frame, notes),),
        (
            "The variance is split by comparing rows that have something in common: seats of one game, games of "
            "one block (the same deal with the seats rotated), and all games.",
            *notes,
        ),
    )


def _luck(balance: PlayersBalance) -> pl.DataFrame | None:
    rows = [
        {
            "games": words.games(balance.screened),
            "name": component.name,
            "words": component.words,
            "value_of": part.value,
            "share": component.share.value,
            "share_low": component.share.low,
            "share_high": component.share.high,
        }
        for part in balance.luck
        for component in part.components
        if component.known
    ]
    return pl.DataFrame(rows).fill_nan(None) if rows else None


def model_section(material: Material) -> Section | None:
    """Return the section on the regression, which separates the effect of each level from those of other factors."""
    frame = material.stacked(lambda balance: balance.model.frame() if balance.model else None)
    if frame.is_empty():
        return None
    frame = _in_words(material, frame)
    columns = with_source(
        material,
        TableColumn("level", "level"),
        TableColumn("term", "factor"),
        TableColumn("n", "n", "count"),
        TableColumn("share", "all else equal, pp (95%)", "gain", interval=True),
        TableColumn("raw_share", "unadjusted, pp", "gain"),
        TableColumn("points", "all else equal, points (95%)", "gain", interval=True),
        TableColumn("raw_points", "unadjusted, points", "gain"),
    )
    fits = [
        f"{model.players} players{by(material, source.label)}: the model explains {words.share(model.r2_share)} of the "
        f"variance of win shares and {words.share(model.r2_points)} of the variance of points, based on "
        f"{words.count(model.rows)} rows in {words.count(model.blocks)} blocks."
        for source, balance in material.each()
        if (model := balance.model)
    ]
    models = dict.fromkeys(balance.model.words for _, balance in material.each() if balance.model)
    caption = "Effect of each level with all else equal, beside its unadjusted effect"
    return Section(
        "model",
        "Separate effects",
        "What is the effect of each level, all else being equal?",
        rests_on(material, screen=True),
        (),
        tuple(_effects(material, frame)),
        (Grid("model", caption, columns, frame),),
        (*models, *fits),
    )


def _in_words(material: Material, frame: pl.DataFrame) -> pl.DataFrame:
    """Replace names by the game's labels; a level that is a number is named after its factor: "Seat 1"."""
    labels = {name: label for topic in material.spec.topics for name, label in topic.labels.items()}
    terms = [f" {TIMES} ".join(words.name(part, labels) for part in term.split(" x ")) for term in frame["term"]]
    levels = [
        f"{term[:1].upper()}{term[1:]} {level}" if str(level).isdigit() else words.name(level, labels)
        for term, level in zip(terms, frame["level"], strict=True)
    ]
    return frame.with_columns(pl.Series("term", terms), pl.Series("level", levels))


def _effects(material: Material, frame: pl.DataFrame) -> Iterator[Picture]:
    """Yield a figure for each set of bots: effects of levels with all else equal, beside the unadjusted ones."""
    alone = frame.drop_nulls("raw_share")
    levels = (
        alone.group_by("term", maintain_order=True).agg(pl.col("level").unique(maintain_order=True)).explode("level")
    )
    alone = alone.with_columns(pl.col("level").cast(pl.Enum(levels["level"].unique(maintain_order=True))))
    ends = {"share": "value", "share_low": "low", "share_high": "high"}
    raw = alone.select(value="raw_share")
    every = pl.concat([alone.select(value="share", low="share_low", high="share_high"), raw], how="diagonal")
    window = forest_plots.common_window(every, material.margin)
    for name, who, part in material.by_source(alone, "model", screen=True):
        effects = [pl.col(key).alias(end) for key, end in ends.items()]
        itself = part.select("panel", "level", pl.lit("all else equal").alias("series"), *effects)
        raw = part.select("panel", "level", pl.lit("unadjusted").alias("series"), pl.col("raw_share").alias("value"))
        drawn = pl.concat([itself, raw], how="diagonal")
        yield Picture(
            name,
            f"Effect of each level on the win share, with all else equal and unadjusted{who}.",
            f"Forest plot of the regression{who}. With all else equal: {extremes(itself)}",
            partial(
                forest_plots.forest,
                drawn,
                material.margin,
                "win share, percentage points (95% interval)",
                "no effect",
                window=window,
            ),
        )


def precision_section(material: Material) -> Section | None:
    """Return the section on how the estimates changed with the number of games played."""
    frame = material.stacked(lambda balance: balance.convergence)
    if frame.is_empty():
        return None
    fair = 100 / pl.col("players")
    settled = frame.with_columns(
        pl.format("Seat {}", "seat").alias("level"),
        pl.col("games").alias("x"),
        (100 * pl.col("share") - fair).alias("value"),
        (100 * pl.col("low") - fair).alias("low"),
        (100 * pl.col("high") - fair).alias("high"),
    )
    last = frame.filter(pl.col("games") == pl.col("games").max().over("bots", "players"))
    pictures, reach = [], trends.reach_of(settled)
    for name, who, part in material.by_source(settled, "convergence"):
        drawn = part.with_columns(pl.col("level").alias("series"))
        pictures.append(
            Picture(
                name,
                f"Win share of each seat against its fair share, by number of games played, with 95% intervals{who}.",
                f"Line chart of estimates by games played{who}. At the end: {extremes(part.filter(_at_the_end()))}",
                partial(
                    trends.trend,
                    drawn,
                    "games (log scale)",
                    "percentage points",
                    material.margin,
                    True,
                    reach=reach,
                ),
            )
        )
    columns = with_source(
        material,
        TableColumn("seat", "seat", "count"),
        TableColumn("games", "games", "count"),
        TableColumn("share", "win share (95%)", "share", interval=True),
        TableColumn("anytime", "interval valid at any time"),
    )
    shown = last.with_columns(
        pl.Series(
            "anytime",
            [words.interval(low, high, 100) for low, high in last.select("anytime_low", "anytime_high").iter_rows()],
        )
    ).rename({"low": "share_low", "high": "share_high"})
    return Section(
        "convergence",
        "Precision",
        "How precise are the estimates?",
        rests_on(material),
        _widths(material, last),
        tuple(pictures),
        (Grid("convergence", "After all games", columns, shown),),
        (
            BLOCKS,
            "The ribbon is a 95% interval for a single look. If you look repeatedly and stop when you like the result, "
            "use the wider intervals in the last column: a confidence sequence, which holds at all looks together.",
        ),
    )


def _at_the_end() -> pl.Expr:
    return pl.col("games") == pl.col("games").max().over("players")


def _widths(material: Material, last: pl.DataFrame) -> tuple[Finding, ...]:
    found = []
    for (label, players), part in last.group_by("bots", "players", maintain_order=True):
        reach = part.select((50 * (pl.col("high") - pl.col("low"))).max()).item()
        if not known(reach):
            continue
        who = f"{players} players{by(material, str(label))}"
        text = f"{who}: after {words.games(part['games'][0])} a seat's win share is known to ±{reach:.1f} pp."
        found.append(Finding("fact", text, {"players": players, "bots": label, "half_width": reach}))
    return tuple(found)
