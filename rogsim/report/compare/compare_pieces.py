"""Parts shared by the sections of a comparison: tables and forest plots of differences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from rogsim.report import words
from rogsim.report.balance.pieces import known
from rogsim.report.compare.compare_words import amount, level_name, margin_unit, margin_words
from rogsim.report.document import Grid, Kind, Picture, TableColumn
from rogsim.report.figures import forest_plots
from rogsim.stats.contrasts import columns, table
from rogsim.stats.estimates import by_size
from rogsim.stats.paired.compared import Compared
from rogsim.stats.paired.differences import Answer, Question

Labels = Mapping[str, str]

PAIRED = (
    "Base and variant play on the same deals. Their difference is taken block by block, so luck that helps both "
    "equally cancels out (common random numbers; Law 2015, Simulation Modeling and Analysis, 11.2). `saving` is how "
    "many times as many games two runs on separate deals would need for an equally narrow interval. The intervals of "
    "base and variant describe each one separately; whether they overlap says nothing about the difference."
)


def in_order(found: Compared, answers: Iterable[Answer]) -> list[Answer]:
    """Return answers grouped by variant, in the order of the variants."""
    return sorted(answers, key=lambda answer: found.variants.index(answer.variant))


def forest(found: Compared, answers: Sequence[Answer], name: str, labels: Labels) -> Picture:
    """Return the forest plot of one question: a panel for each player count, a series for each variant."""
    question = answers[0].question
    alone = all(not change.level for answer in answers for change in answer.changes)  # then each variant is a row
    rows = [
        {
            "players": answer.players,
            "level": answer.variant if alone else level_name(question, change.level, labels),
            "series": "" if alone else answer.variant,
            **columns("value", change.effect),
            "n": change.variant.n,
        }
        for answer in answers
        for change in answer.changes
    ]
    # Sorted by player count, so that levels that only some player counts have come last.
    frame = table(rows).rename({"value_low": "low", "value_high": "high"}).sort("players", maintain_order=True)
    frame = frame.with_columns(panel(found))
    who = list(dict.fromkeys(answer.variant for answer in answers))
    within = "" if question.margin is None else f" The band is {margin_words(question)}."
    if len(who) == 1 < len(found.variants):
        within += f" Shows only {who[0]}: the other variants share no level with the base."
    return Picture(
        name,
        f"{question.title}: difference from the base, by number of players.{within}",
        f"Forest plot of differences. {_largest(frame, question)}",
        partial(
            forest_plots.forest,
            frame,
            question.margin,
            f"{question.title.lower()}: variant minus base, {question.unit} (95% interval)",
            "no difference",
            margin_unit(question),
        ),
    )


def grid(
    found: Compared,
    answers: Sequence[Answer],
    name: str,
    labels: Labels,
    last: TableColumn,
    p: Sequence[Sequence[float]],
) -> Grid:
    """Return the table of one question.

    Parameters
    ----------
    answers
        Answers to the same question.
    labels
        Labels of the levels.
    last
        The column of corrected p-values.
    p
        These values, for each answer and level.
    """
    question = answers[0].question
    rows = [
        row | {last.key: value}
        for answer, corrected in zip(answers, p, strict=True)
        for row, value in zip(_rows(answer, labels), corrected, strict=True)
    ]
    frame = table(rows).sort("players", maintain_order=True)
    return Grid(name, question.title, _columns(found, question, last), frame)


def panel(found: Compared) -> pl.Expr:
    """Return the title of the panel for each player count, as an ordered enumeration."""
    names = {count: f"{words.players(count)}\n{words.games(games)} each" for count, games in found.games.items()}
    order = [names[count] for count in sorted(names)]
    return pl.col("players").replace_strict(names, return_dtype=pl.Enum(order)).alias("panel")


def rests_on(found: Compared) -> str:
    """Return how many games a section is based on."""
    counts = [f"{words.games(games)} with {words.players(players)}" for players, games in found.games.items()]
    return f"{words.listed(counts)} of the base, and as many of each variant"


def _largest(frame: pl.DataFrame, question: Question) -> str:
    """Describe a forest plot in words: the largest difference of each panel."""
    parts = []
    for (name,), part in frame.group_by("panel", maintain_order=True):
        rows = [row for row in part.iter_rows(named=True) if known(row["low"])]
        if rows:
            row = max(rows, key=lambda row: by_size(row["value"]))
            who = f" ({row['series']})" if row["series"] else ""
            parts.append(f"{str(name).splitlines()[0]}: {row['level']} {amount(row['value'], question.unit)}{who}")
    return f"Largest difference with {'; '.join(parts)}." if parts else "There is nothing to show."


def _columns(found: Compared, question: Question, last: TableColumn) -> tuple[TableColumn, ...]:
    """Return the columns of a table of differences; the first names the rows."""
    kind: Kind = "share" if question.share else "number"
    digits = 1 if question.share else 2
    level = (TableColumn("level", question.noun),) if question.noun else ()
    variant = (TableColumn("variant", "variant"),) if len(found.variants) > 1 or not level else ()
    return (
        *level,
        *variant,
        TableColumn("players", "players", "count"),
        TableColumn("n", "n", "count"),
        TableColumn("base", "base (95%)", kind, interval=True, digits=digits),
        TableColumn("other", "variant (95%)", kind, interval=True, digits=digits),
        TableColumn("effect", f"difference, {question.unit} (95%)", "gain", interval=True, digits=digits),
        last,
        TableColumn("saving", "saving", "number"),
    )


def _rows(answer: Answer, labels: Labels) -> list[dict[str, Any]]:
    return [
        {
            "level": level_name(answer.question, change.level, labels),
            "players": answer.players,
            "variant": answer.variant,
            "n": change.variant.n,
            **columns("base", change.base),
            **columns("other", change.variant),
            **columns("effect", change.effect),
            "p": change.p,
            "saving": change.saving,
        }
        for change in answer.changes
    ]
