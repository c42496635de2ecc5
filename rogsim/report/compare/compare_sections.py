"""Sections of a page that compares a base with its variants."""

from __future__ import annotations

from functools import partial

import polars as pl

from rogsim.game.topics import Topic
from rogsim.report import words
from rogsim.report.balance.pieces import BLOCKS, known
from rogsim.report.compare.compare_pieces import PAIRED, forest, grid, in_order, panel, rests_on
from rogsim.report.compare.compare_saving import saving_section
from rogsim.report.compare.compare_words import finding_of
from rogsim.report.document import Grid, Picture, Section, TableColumn
from rogsim.report.figures import forest_plots
from rogsim.stats.contrasts import benjamini_hochberg, columns, table
from rogsim.stats.paired.compared import BOTS, FAIRNESS, LENGTH, SCREENED, SEATS, Compared
from rogsim.stats.paired.difference_verdicts import Judged

TESTED = (
    "First, one test asks whether anything differs at all: it compares the differences of all levels together with "
    "those that result from swapping base and variant in randomly chosen blocks (a sign-flip test). `p (Holm)` is "
    "the p-value of a single level, corrected for the number of levels."
)
DISTANCE = (
    "The distance from fair is the largest deviation of any seat's win share from one divided by the number of "
    "players. It is never below 0, and even in a fair game chance puts it above 0. Its interval, and that of the "
    "difference, come from simultaneous bounds on all seats' deviations on the same deals (intersection bounds: "
    "Chernozhukov, Lee and Rosen 2013, Econometrica 81), whose width is found from 20,000 simulated sets of win "
    "shares. If several seats may have the largest deviation, the intervals are conservative, and wide. `p (Holm)` is "
    "corrected for all questions on the page and for earlier looks."
)
MEANS = (
    "These are means over all seats, or how often a seat has any; they are given by seat if there is only one number. "
    "They are a screen, not a claim. `q` is the p-value after Benjamini and Hochberg's correction for the rows of one "
    "variant with one number of players."
)
TITLES = {SEATS: "Turn order", BOTS: "Bots", LENGTH: "Length of games"}
QUESTIONS = {
    SEATS: "Which seats win more, and which less?",
    BOTS: "Which bots win more, and which less?",
    LENGTH: "Do games get longer or shorter?",
}


def all_sections(found: Compared) -> tuple[Section, ...]:
    """Return the sections of a comparison: fairness first, the games saved by the same deals last."""
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
    changes = {(verdict.answer.players, verdict.answer.variant): verdict for verdict in judged}
    rows = []
    for standing in found.standings:
        verdict = changes.get((standing.players, standing.label))
        unknown = dict.fromkeys(("effect", "effect_low", "effect_high"))
        rows.append(
            {
                "label": standing.label,
                "players": standing.players,
                "seat": f"Seat {standing.seat}",
                "n": standing.distance.n,
            }
            | columns("distance", standing.distance)
            | (columns("effect", verdict.largest.effect) if verdict else unknown)
            | {"p": verdict.p if verdict else None}
        )
    frame = table(rows)
    return Section(
        FAIRNESS,
        "Fairness",
        "Is any variant fairer than the base?",
        rests_on(found),
        tuple(finding_of(verdict, {}) for verdict in judged),
        (_distances(found, frame),),
        (
            Grid(
                FAIRNESS,
                "Largest deviation of any seat from its fair share",
                (
                    TableColumn("label", "scenario"),
                    TableColumn("players", "players", "count"),
                    TableColumn("n", "n", "count"),
                    TableColumn("seat", "largest deviation"),
                    TableColumn("distance", "from fair, pp (95%)", "number", interval=True),
                    TableColumn("effect", "against the base, pp (95%)", "gain", interval=True),
                    TableColumn("p", "p (Holm)", "p"),
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
        "n",
    )
    listed = "; ".join(
        f"{label}, {words.players(players)}: {words.number(value)} pp"
        for label, players, value, low in frame.select("label", "players", "distance", "distance_low").iter_rows()
        if known(low)
    )
    return Picture(
        FAIRNESS,
        "How far each scenario is from fair: the largest deviation of any seat from its fair share.",
        f"Dot plot of the distance from fair. {listed}." if listed else "Too few games to show how far from fair.",
        partial(forest_plots.forest, drawn, found.margin, "largest deviation of a seat, pp (95% interval)", "fair"),
    )


def _judged(found: Compared, name: str, topic: Topic | None = None) -> Section | None:
    """Return a section of questions that have a verdict; None if there are none."""
    judged = _of(found, name)
    if not judged:
        return None
    labels = topic.labels if topic else {}
    pictures, grids = [], []
    for question in dict.fromkeys(verdict.answer.question for verdict in judged):
        on_question = [verdict for verdict in judged if verdict.answer.question == question]
        answers = [verdict.answer for verdict in on_question]
        file = name if question.share or name == LENGTH else f"{name}-points"
        pictures.append(forest(found, answers, file, labels))
        p_holm = TableColumn("p_holm", "p (Holm)", "p")
        grids.append(grid(found, answers, file, labels, p_holm, [verdict.by_level for verdict in on_question]))
    return Section(
        name,
        topic.title if topic else TITLES[name],
        f"Which {topic.noun or topic.title.lower()} wins more, and which less?" if topic else QUESTIONS[name],
        rests_on(found),
        tuple(finding_of(verdict, labels) for verdict in judged),
        tuple(pictures),
        tuple(grids),
        (BLOCKS, PAIRED, TESTED),
    )


def _of(found: Compared, name: str) -> list[Judged]:
    """Return the verdicts of one section, sorted by question and variant."""
    verdicts = [verdict for verdict in found.verdicts if verdict.answer.question.topic == name]
    questions = list(dict.fromkeys(verdict.answer.question for verdict in verdicts))
    verdicts.sort(
        key=lambda verdict: (questions.index(verdict.answer.question), found.variants.index(verdict.answer.variant))
    )
    return verdicts


def _screen(found: Compared, topic: Topic) -> Section | None:
    """Return the section of a topic with numeric columns: a screen of their means."""
    answers = in_order(found, (answer for answer in found.screens if answer.question.topic == topic.name))
    if not answers:
        return None
    q = [[float(value) for value in benjamini_hochberg([change.p for change in answer.changes])] for answer in answers]
    return Section(
        topic.name,
        topic.title,
        "What increases, and what decreases?",
        rests_on(found),
        (),
        (forest(found, answers, topic.name, topic.labels),),
        (grid(found, answers, topic.name, topic.labels, TableColumn("q", "q", "p"), q),),
        (BLOCKS, PAIRED, MEANS),
    )
