"""All questions about a base and its variants: measured run by run, compared on the same deals, and judged together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rogsim.game.spec import GameSpec
from rogsim.game.topics import Topic
from rogsim.results.interim_looks import look_of
from rogsim.results.results import Results
from rogsim.stats.estimates import Estimate
from rogsim.stats.paired.common_random_numbers import Estimand, Estimates, measure, over_seats
from rogsim.stats.paired.difference_verdicts import Judged, judge_differences
from rogsim.stats.paired.differences import Answer, Question, answer
from rogsim.stats.paired.fairness import fairer, farthest

POINTS_MARGIN, TURNS_MARGIN = 1.0, 1.0  # differences of means up to this do not matter
FAIRNESS, SEATS, BOTS, LENGTH = "fairness", "seats", "bots", "length"
SEAT = "seat"  # the factor that every game has, and what one of its levels is called
SCREENED = ("count", "parts")  # kinds of topics whose columns are numbers: means are compared, and nothing is claimed

Tell = Callable[[str], None]


@dataclass(frozen=True)
class MeasuredRun:
    """One run in a comparison: its name, its rows, and its bots."""

    label: str
    results: Results
    bots: tuple[str, ...]


@dataclass(frozen=True)
class Fairness:
    """How far one run is from fair: the farthest seat, and its distance in pp."""

    players: int
    label: str
    seat: str
    distance: Estimate


@dataclass(frozen=True)
class Compared:
    """The comparison of a base with its variants.

    games: of the base, by player count. verdicts: on all questions that have a margin. screens: on those without.
    """

    spec: GameSpec
    games: Mapping[int, int]
    base: str
    variants: tuple[str, ...]
    margin: float
    standings: tuple[Fairness, ...]
    verdicts: tuple[Judged, ...]
    screens: tuple[Answer, ...]


def compared(
    base: MeasuredRun, variants: Sequence[MeasuredRun], spec: GameSpec, margin: float, tell: Tell = lambda _: None
) -> Compared:
    """Compare runs on the same deals. margin: of win shares, in percentage points. tell: receives status lines."""
    games = {int(players): int(count) for players, count in base.results.manifest["games"].items()}
    standings: list[Fairness] = []
    claims: list[Answer] = []
    screens: list[Answer] = []
    for players in games:
        tell(f"comparing with {players} players")
        of_base = _measured(base, spec, players, margin)
        standings.append(_standing(base, of_base, players))
        for variant in variants:
            own = _measured(variant, spec, players, margin)
            standings.append(_standing(variant, own, players))
            look = look_at(base.results, variant.results, players)
            claims += _claims(of_base, own, players, variant, margin, look)
        for topic in spec.topics:
            if topic.kind in SCREENED:
                screens += _screens(topic, base, variants, players)
    names = tuple(variant.label for variant in variants)
    verdicts = judge_differences(claims)
    return Compared(spec, games, base.label, names, margin, tuple(standings), verdicts, tuple(screens))


def look_at(base: Results, variant: Results, players: int) -> int:
    """Return the number of this look at two runs together, from 1.

    Two runs were seen together at most as often as the one seen less often, such as a new variant of an old base.
    """
    return min(look_of(one.manifest, players) for one in (base, variant))


def _measured(run: MeasuredRun, spec: GameSpec, players: int, margin: float) -> dict[Question, Estimates]:
    asked = dict(_asked(run, spec, margin))
    return dict(zip(asked, measure(run.results, players, list(asked.values())), strict=True))


def _asked(run: MeasuredRun, spec: GameSpec, margin: float) -> Iterator[tuple[Question, Estimand]]:
    """Yield the questions that get a verdict, with what is estimated for each."""
    levels = [(SEATS, SEAT, SEAT)]
    levels += [
        (topic.name, topic.columns[0], topic.one or topic.title.lower())
        for topic in spec.topics
        if topic.kind == "level"
    ]
    if len(set(run.bots)) > 1:
        levels.append((BOTS, "bot", "bot"))
    for name, column, one in levels:
        yield Question(name, f"Win share by {one}", "pp", one, True, margin), Estimand("win_share", column)
        yield Question(name, f"Points by {one}", "points", one, False, POINTS_MARGIN), Estimand("points", column)
    yield Question(LENGTH, "Length of a game", "turns", margin=TURNS_MARGIN), Estimand("turns")


def _claims(
    base: Mapping[Question, Estimates],
    own: Mapping[Question, Estimates],
    players: int,
    variant: MeasuredRun,
    margin: float,
    look: int,
) -> Iterator[Answer]:
    """Yield what the variant changes, question by question; for bots only those that played in both runs."""
    games = _games(variant, players)
    question = Question(FAIRNESS, "Distance from fair", "pp", share=True, margin=margin)
    seats = next(one for one in base if one.topic == SEATS and one.share)
    yield fairer(question, players, variant.label, base[seats], own[seats], games, look)
    for asked in base:
        found = answer(asked, players, variant.label, base[asked], own[asked], games, look) if asked in own else None
        if found is not None:
            yield found


def _screens(topic: Topic, base: MeasuredRun, variants: Sequence[MeasuredRun], players: int) -> Iterator[Answer]:
    """Yield how variants change the means of a topic's columns, over all seats, or by seat for a single column."""
    whether = topic.kind == "count" and topic.whether
    one = SEAT if len(topic.columns) == 1 else topic.title.lower()
    question = Question(topic.name, topic.title, "pp" if whether else "for each seat", one, whether)
    of_base = _means(topic, base, players, whether)
    for variant in variants:
        own = _means(topic, variant, players, whether)
        found = answer(question, players, variant.label, of_base, own, _games(variant, players))
        if found is not None:
            yield found


def _means(topic: Topic, run: MeasuredRun, players: int, whether: bool) -> Estimates:
    asked = [Estimand(column, "seat", whether) for column in topic.columns]
    found = measure(run.results, players, asked)
    return found[0] if len(found) == 1 else over_seats(found, topic.columns)


def _standing(run: MeasuredRun, measured: Mapping[Question, Estimates], players: int) -> Fairness:
    seats = next(one for asked, one in measured.items() if asked.topic == SEATS and asked.share)
    return Fairness(players, run.label, *farthest(seats))


def _games(run: MeasuredRun, players: int) -> int:
    return int(run.results.manifest["games"][str(players)])
