"""All questions on a base and its variants: estimated run by run, compared on the same deals, and judged together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rogsim.base.progress import Notify
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Topic
from rogsim.results.interim_looks import look_of
from rogsim.results.results import Results
from rogsim.stats.effects import Effects, Question
from rogsim.stats.estimates import Estimate
from rogsim.stats.judgement import Judgement, judge
from rogsim.stats.paired.common_random_numbers import Estimand, Estimates, measure, over_seats
from rogsim.stats.paired.differences import differences
from rogsim.stats.paired.fairness import fairer, farthest

POINTS_MARGIN, TURNS_MARGIN = 1.0, 1.0  # differences of means up to these do not matter
FAIRNESS, SEATS, BOTS, LENGTH = "fairness", "seats", "bots", "length"
SEAT = "seat"  # the factor that every game has, and the noun for one of its levels
SCREENED = ("count", "parts")  # kinds of topics with numeric columns: their means are compared, but nothing is claimed


@dataclass(frozen=True)
class MeasuredRun:
    """One run in a comparison: its name, its rows, and its bots.

    bot_names: names by which bots are compared, for those that have other names in the rows.
    """

    label: str
    results: Results
    bots: tuple[str, ...]
    bot_names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Fairness:
    """How far one run is from fair: the seat farthest from its fair share, and its distance in percentage points."""

    players: int
    label: str
    seat: str
    distance: Estimate


@dataclass(frozen=True)
class Compared:
    """The comparison of a base with its variants.

    Attributes
    ----------
    games
        Games of the base, by player count.
    margin
        Margin of equivalence for win shares, in percentage points.
    standings
        How far each run is from fair with each player count.
    verdicts
        Verdicts on all questions that have a margin.
    screens
        Effectss to those without.
    """

    spec: GameSpec
    games: Mapping[int, int]
    base: str
    variants: tuple[str, ...]
    margin: float
    standings: tuple[Fairness, ...]
    verdicts: tuple[Judgement, ...]
    screens: tuple[Effects, ...]


def compared(
    base: MeasuredRun, variants: Sequence[MeasuredRun], spec: GameSpec, margin: float, notify: Notify = lambda _: None
) -> Compared:
    """Compare a base with its variants, all of them on the same deals.

    Parameters
    ----------
    margin
        Margin of equivalence for win shares, in percentage points.
    notify
        Receives status lines.
    """
    found = measure_runs(base, variants, spec, margin, notify)
    return found.compared(judge(found.claims))


@dataclass(frozen=True)
class Measured:
    """A comparison before its verdicts.

    Attributes
    ----------
    claims
        Effectss to all questions that get a verdict.
    estimates
        What they compare, by player count and label of the run.
    """

    spec: GameSpec
    games: Mapping[int, int]
    base: str
    variants: tuple[str, ...]
    margin: float
    standings: tuple[Fairness, ...]
    claims: tuple[Effects, ...]
    screens: tuple[Effects, ...]
    estimates: Mapping[tuple[int, str], Mapping[Question, Estimates]]

    def compared(self, verdicts: Sequence[Judgement]) -> Compared:
        """Return the comparison with the verdicts on its claims."""
        known = (self.spec, self.games, self.base, self.variants, self.margin, self.standings)
        return Compared(*known, tuple(verdicts), self.screens)


def measure_runs(
    base: MeasuredRun, variants: Sequence[MeasuredRun], spec: GameSpec, margin: float, notify: Notify = lambda _: None
) -> Measured:
    """Estimate everything that a comparison judges; the parameters are those of `compared`."""
    games = {int(players): int(count) for players, count in base.results.manifest["games"].items()}
    standings: list[Fairness] = []
    claims: list[Effects] = []
    screens: list[Effects] = []
    estimates: dict[tuple[int, str], Mapping[Question, Estimates]] = {}
    for players in games:
        notify(f"comparing with {players} players")
        measured_base = estimates[players, base.label] = _measured(base, spec, players, margin)
        standings.append(_standing(base, measured_base, players))
        for variant in variants:
            measured = estimates[players, variant.label] = _measured(variant, spec, players, margin)
            standings.append(_standing(variant, measured, players))
            look = look_at(base.results, variant.results, players)
            claims += _claims(measured_base, measured, players, variant, margin, look)
        for topic in spec.topics:
            if topic.kind in SCREENED:
                screens += _screens(topic, base, variants, players)
    names = tuple(variant.label for variant in variants)
    return Measured(spec, games, base.label, names, margin, tuple(standings), tuple(claims), tuple(screens), estimates)


def look_at(base: Results, variant: Results, players: int) -> int:
    """Return the number of this look at two runs together, from 1.

    They cannot have been seen together more often than the one seen less often, such as a new variant of an old base.
    """
    return min(look_of(run.manifest, players) for run in (base, variant))


def _measured(run: MeasuredRun, spec: GameSpec, players: int, margin: float) -> dict[Question, Estimates]:
    estimands = dict(_questions(run, spec, margin))
    found = measure(run.results, players, list(estimands.values()))
    labels = {column: topic.labels for topic in spec.topics for column in topic.columns} | {"bot": run.bot_names}
    return {question: named(estimates, labels) for question, estimates in zip(estimands, found, strict=True)}


def named(estimates: Estimates, labels: Mapping[str, Mapping[str, str]]) -> Estimates:
    """Return estimates whose levels have the names that readers see: "seat 1", or the label in the column's labels."""
    factor = estimates.estimand.factor
    if factor == SEAT:
        return replace(estimates, levels=tuple(f"seat {name}" for name in estimates.levels))
    known = labels.get(factor, {})
    return replace(estimates, levels=tuple(known.get(name, name) for name in estimates.levels))


def _questions(run: MeasuredRun, spec: GameSpec, margin: float) -> Iterator[tuple[Question, Estimand]]:
    """Yield the questions that get a verdict, each with its estimand."""
    levels = [(SEATS, SEAT, SEAT)]
    levels += [
        (topic.name, topic.columns[0], topic.noun or topic.title.lower())
        for topic in spec.topics
        if topic.kind == "level"
    ]
    if len(set(run.bots)) > 1:
        levels.append((BOTS, "bot", "bot"))
    for name, column, noun in levels:
        yield Question(name, f"Win share by {noun}", "pp", noun, True, margin), Estimand("win_share", column)
        yield Question(name, f"Points by {noun}", "points", noun, False, POINTS_MARGIN), Estimand("points", column)
    yield Question(LENGTH, "Length of a game", "turns", margin=TURNS_MARGIN), Estimand("turns")


def _claims(
    base_estimates: Mapping[Question, Estimates],
    variant_estimates: Mapping[Question, Estimates],
    players: int,
    variant: MeasuredRun,
    margin: float,
    look: int,
) -> Iterator[Effects]:
    """Yield what the variant changes, question by question; bots are compared only if they played in both runs."""
    games = _games(variant, players)
    question, seats = fairness_question(margin), win_shares(base_estimates)
    yield fairer(question, players, variant.label, base_estimates[seats], variant_estimates[seats], games, look)
    for question, estimates in base_estimates.items():
        if question not in variant_estimates:
            continue
        found = differences(question, players, variant.label, estimates, variant_estimates[question], games, look)
        if found is not None:
            yield found


def _screens(topic: Topic, base: MeasuredRun, variants: Sequence[MeasuredRun], players: int) -> Iterator[Effects]:
    """Yield how variants change the means of a topic's columns: over all seats, or by seat if it has one column."""
    whether = topic.kind == "count" and topic.whether
    noun = SEAT if len(topic.columns) == 1 else topic.title.lower()
    question = Question(topic.name, topic.title, "pp" if whether else "for each seat", noun, whether)
    base_means = _means(topic, base, players, whether)
    for variant in variants:
        means = _means(topic, variant, players, whether)
        found = differences(question, players, variant.label, base_means, means, _games(variant, players))
        if found is not None:
            yield found


def _means(topic: Topic, run: MeasuredRun, players: int, whether: bool) -> Estimates:
    estimands = [Estimand(column, "seat", whether) for column in topic.columns]
    found = measure(run.results, players, estimands)
    return found[0] if len(found) == 1 else over_seats(found, topic.columns)


def _standing(run: MeasuredRun, measured: Mapping[Question, Estimates], players: int) -> Fairness:
    return Fairness(players, run.label, *farthest(measured[win_shares(measured)]))


def fairness_question(margin: float) -> Question:
    """Return the question on the distance from fair."""
    return Question(FAIRNESS, "Distance from fair", "pp", share=True, margin=margin)


def win_shares(estimates: Mapping[Question, Estimates]) -> Question:
    """Return the question on win shares by seat."""
    return next(question for question in estimates if question.topic == SEATS and question.share)


def _games(run: MeasuredRun, players: int) -> int:
    return int(run.results.manifest["games"][str(players)])
