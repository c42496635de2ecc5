"""The section on how many games the same deals saved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any

import polars as pl

from rogsim.report import words
from rogsim.report.balance.pieces import known
from rogsim.report.compare.compare_pieces import PAIRED, in_order, panel, rests_on
from rogsim.report.document import Finding, Grid, Picture, Section, TableColumn
from rogsim.report.figures import forest_plots
from rogsim.stats.contrasts import table
from rogsim.stats.paired.compared import SEATS, Compared
from rogsim.stats.paired.differences import Answer

SAVING = "saving"


def saving_section(found: Compared) -> Section | None:
    """Return the section: the median, least and most saved by the levels of each question; None if nothing differed."""
    rows = list(_rows(in_order(found, (*(verdict.answer for verdict in found.verdicts), *found.screens))))
    if not rows:
        return None
    frame = table(rows).sort("players", maintain_order=True)
    shares = [row for row in rows if row["topic"] == SEATS and row["share"]]
    return Section(
        SAVING,
        "What the same deals saved",
        "How many more games would separate deals have needed?",
        rests_on(found),
        tuple(_findings(shares)),
        (_picture(found, frame, shares),),
        (_grid(frame),),
        (PAIRED, "Where every game came out the same, there is nothing to save, so there is no row."),
    )


def _rows(answers: Iterable[Answer]) -> Iterable[dict[str, Any]]:
    for answer in answers:
        saved = sorted(change.saving for change in answer.changes if known(change.saving))
        if saved:
            yield {
                "question": answer.question.title,
                "players": answer.players,
                "variant": answer.variant,
                "games": answer.games,
                "saving": median(saved),
                "least": saved[0],
                "most": saved[-1],
                "separate": round(median(saved) * answer.games),
                "topic": answer.question.topic,
                "share": answer.question.share,
                "claim": answer.question.margin is not None,
            }


def _findings(rows: Sequence[Mapping[str, Any]]) -> Iterable[Finding]:
    for variant in dict.fromkeys(row["variant"] for row in rows):
        rows_of_variant = [row for row in rows if row["variant"] == variant]
        factors = [
            f"{row['saving']:.1f} times as many games with {words.players(row['players'])}" for row in rows_of_variant
        ]
        text = f"{variant}: for win shares by seat two runs on separate deals would need {words.listed(factors)}."
        yield Finding(
            "fact", text, {"saving": {str(row["players"]): row["saving"] for row in rows_of_variant}}, short=text
        )


def _picture(found: Compared, frame: pl.DataFrame, shares: Sequence[Mapping[str, Any]]) -> Picture:
    drawn = (frame.filter("claim") if frame["claim"].any() else frame).select(
        panel(found),
        pl.col("question").alias("level"),
        pl.col("variant").alias("series"),
        pl.col("saving").alias("value"),
    )
    factors = [f"{row['variant']}, {words.players(row['players'])}: {row['saving']:.1f} times" for row in shares]
    return Picture(
        SAVING,
        "How many times as many games two runs on separate deals would need: the median of each question's levels.",
        f"Dot plot of the saving. Win shares by seat: {'; '.join(factors) or 'nothing differs'}.",
        partial(forest_plots.factors, drawn, "times as many games on separate deals", "nothing saved"),
    )


def _grid(frame: pl.DataFrame) -> Grid:
    return Grid(
        SAVING,
        "How many times as many games two runs on separate deals would need",
        (
            TableColumn("question", "question"),
            TableColumn("variant", "variant"),
            TableColumn("players", "players", "count"),
            TableColumn("games", "games", "count"),
            TableColumn("saving", "times", "number"),
            TableColumn("least", "least of any level", "number"),
            TableColumn("most", "most of any level", "number"),
            TableColumn("separate", "games on separate deals", "count"),
        ),
        frame,
    )
