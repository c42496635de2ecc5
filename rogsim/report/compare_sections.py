"""Sections of a page that compares a base with its variants."""

from __future__ import annotations

from functools import partial

import polars as pl

from rogsim.game import Topic
from rogsim.report import figures, words
from rogsim.report.compare_pieces import PAIRED, forest, grid, in_order, panel, rests_on
from rogsim.report.compare_saving import saving_section
from rogsim.report.compare_words import finding_of
from rogsim.report.model import Column, Grid, Picture, Section
from rogsim.report.pieces import BLOCKS
from rogsim.stats.compared import BOTS, FAIRNESS, LENGTH, SCREENED, SEATS, Compared
from rogsim.stats.contrasts import benjamini_hochberg, columns, table
from rogsim.stats.difference_verdicts import Judged

TESTED = (
    "First one test asks whether anything differs at all: it compares the differences of all levels together with "
    "those that come out if base and variant are swapped in some blocks at random (a sign-flip test). `p (Holm)` is "
    "that of a single level, corrected for the number of levels."
)
DISTANCE = (
    "How far a game is from fair is the largest deviation of any seat from one divided by the number of players. It is "
    "never below 0, and by chance above it even in a fair game. Its interval, and that of the difference, come from "
    "simultaneous bounds of all seats' deviations on their common luck (intersection bounds: Chernozhukov, Lee and "
    "Rosen 2013, Econometrica 81), whose reach is found from 20,000 drawn sets of win shares. Where several seats may "
    "be the farthest they are on the safe side, and wide. `p (Holm)` is corrected for all questions of the page "
    "and for earlier looks."
)
MEANS = (
    "These are means over all seats, or how often a seat has any; by seat if there is only one figure. They are a "
    "screen and no claim. `q` is the p-value after Benjamini and Hochberg's correction for the lines of one variant "
    "with one number of players."
)
TITLES = {SEATS: "Turn order", BOTS: "Bots", LENGTH: "Length of games"}
QUESTIONS = {
    SEATS: "Which seats win more, and which less?",
    BOTS: "Which bots win more, and which less?",
    LENGTH: "Do games take longer, or shorter?",
}


def all_sections(found: Compared) -> tuple[Section, ...]:
    """Return the sections of a comparison: fairness first, what the pairing saved last."""
    topics = found.spec.topics
    sections = [
        _fairness(found),
        _judged(found, SEATS),
        *(_judged(found, topic.name, topic) for topic in topics if topic.kind == "level"),
        _judged(found, BOTS),
        _judged(found, LENGTH),
        *(_screen(found, topic) for topic in topics if topic.kind in SCREENED),
        saving_section(found),
    ]
    return tuple(section for section in sections if section is not None)


def _fairness(found: Compared) -> Section:
    judged = _of(found, FAIRNESS)
    changes = {(one.answer.players, one.answer.variant): one for one in judged}
    rows = []
    for own in found.standings:
        one = changes.get((own.players, own.label))
        unknown = dict.fromkeys(("effect", "effect_low", "effect_high"))
        rows.append(
            {"label": own.label, "players": own.players, "seat": f"Seat {own.seat}", "n": own.distance.n}
            | columns("distance", own.distance)
            | (columns("effect", one.largest.effect) if one else unknown)
            | {"p": one.p if one else None}
        )
    frame = table(rows)
    return Section(
        FAIRNESS,
        "Fairness",
        "Is any variant fairer than the base?",
        rests_on(found),
        tuple(finding_of(one, {}) for one in judged),
        (_distances(found, frame),),
        (
            Grid(
                FAIRNESS,
                "Largest deviation of any seat from its fair share",
                (
                    Column("label", "scenario"),
                    Column("players", "players", "count"),
                    Column("n", "n", "count"),
                    Column("seat", "farthest"),
                    Column("distance", "from fair, pp (95%)", "number", interval=True),
                    Column("effect", "against the base, pp (95%)", "gain", interval=True),
                    Column("p", "p (Holm)", "p"),
                ),
                frame,
            ),
        ),
        (BLOCKS, PAIRED, DISTANCE),
    )


def _distances(found: Compared, frame: pl.DataFrame) -> Picture:
    drawn = frame.sort("players", maintain_order=True).select(
        panel(found),
        pl.col("label").alias("level"),
        pl.lit("").alias("series"),
        pl.col("distance").alias("value"),
        pl.col("distance_low").alias("low"),
        pl.col("distance_high").alias("high"),
    )
    told = "; ".join(
        f"{label}, {words.players(players)}: {words.number(value)} pp"
        for label, players, value in frame.select("label", "players", "distance").iter_rows()
    )
    return Picture(
        FAIRNESS,
        "How far each scenario is from fair: the largest deviation of any seat from its fair share.",
        f"Dot plot of the distance from fair. {told}.",
        partial(figures.forest, drawn, found.margin, "largest deviation of a seat, pp (95% interval)", "fair"),
    )


def _judged(found: Compared, name: str, topic: Topic | None = None) -> Section | None:
    """Return the section of questions that have a verdict; None if nothing of it was played."""
    judged = _of(found, name)
    if not judged:
        return None
    labels = topic.labels if topic else {}
    pictures, grids = [], []
    for question in dict.fromkeys(one.answer.question for one in judged):
        own = [one for one in judged if one.answer.question == question]
        answers = [one.answer for one in own]
        file = name if question.share or name == LENGTH else f"{name}-points"
        pictures.append(forest(found, answers, file, labels))
        p_holm = Column("p_holm", "p (Holm)", "p")
        grids.append(grid(found, answers, file, labels, p_holm, [one.by_level for one in own]))
    return Section(
        name,
        topic.title if topic else TITLES[name],
        f"Which {topic.one or topic.title.lower()} wins more, and which less?" if topic else QUESTIONS[name],
        rests_on(found),
        tuple(finding_of(one, labels) for one in judged),
        tuple(pictures),
        tuple(grids),
        (BLOCKS, PAIRED, TESTED),
    )


def _of(found: Compared, name: str) -> list[Judged]:
    """Return the verdicts of one section: question by question, variant by variant."""
    own = [one for one in found.verdicts if one.answer.question.topic == name]
    questions = list(dict.fromkeys(one.answer.question for one in own))
    own.sort(key=lambda one: (questions.index(one.answer.question), found.variants.index(one.answer.variant)))
    return own


def _screen(found: Compared, topic: Topic) -> Section | None:
    """Return the section of a topic whose columns are numbers: their means, which claim nothing."""
    answers = in_order(found, (one for one in found.screens if one.question.topic == topic.name))
    if not answers:
        return None
    q = [[float(own) for own in benjamini_hochberg([change.p for change in one.changes])] for one in answers]
    return Section(
        topic.name,
        topic.title,
        "What is there more of, and what less?",
        rests_on(found),
        (),
        (forest(found, answers, topic.name, topic.labels),),
        (grid(found, answers, topic.name, topic.labels, Column("q", "q", "p"), q),),
        (BLOCKS, PAIRED, MEANS),
    )
