"""All questions on a base and its variants: estimated run by run, compared on the same deals, and judged together.

The topic that the scenario asks about comes first, then the seats. What a variant changes is looked at by itself: the
levels and members (a character, a card) whose parameters differ.

With players retrained for the changed rules, base and variants are played and compared twice, with stale and with
retrained players. All of these differences are judged as one family.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rogsim.base.progress import Notify
from rogsim.game.fair import Sides, noun_of, side_name
from rogsim.game.parameters import leaves
from rogsim.game.spec import GameSpec
from rogsim.game.topics import SEATS, Topic, computed_columns, dealt_columns, question_topic
from rogsim.results.results import Results, look_of
from rogsim.stats.effects import Effects, Question
from rogsim.stats.judgement import Judgement, judge
from rogsim.stats.paired.common_random_numbers import (
    Estimand,
    Estimates,
    measure,
    over_seats,
)
from rogsim.stats.paired.differences import differences
from rogsim.stats.paired.fairness import fairer

POINTS_MARGIN, TURNS_MARGIN = 1.0, 1.0  # differences of means up to these do not matter
FAIRNESS, BOTS, LENGTH = "fairness", "bots", "length"
SEAT = "seat"  # the factor that every game has, and the noun for one of its levels
SCREENED = ("count", "parts")  # kinds of topics with numeric columns: their means are compared, but nothing is claimed
RETRAINED = ", retrained players"  # ends the label of a variant that they played

Changed = Mapping[str, frozenset[str]]  # by topic, the names in the data of what was changed


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
class Compared:
    """What differs between a base and its variants, or between two sets of runs.

    Attributes
    ----------
    about
        Name of the topic that is asked about.
    changed
        By topic, the names of the levels and members whose parameters were changed.
    games
        Games of the variants, by player count.
    games_before
        Those of the base, if it has others.
    base
        Label of the base.
    variants
        Labels of what is compared with it; those with retrained players come after those with stale ones.
    margin
        Margin for win shares, in percentage points.
    judged
        Judgements on all questions that have a margin.
    screens
        Effects on those without.
    """

    spec: GameSpec
    about: str
    changed: Mapping[str, tuple[str, ...]]
    games: Mapping[int, int]
    base: str
    variants: tuple[str, ...]
    margin: float
    judged: tuple[Judgement, ...]
    screens: tuple[Effects, ...] = ()
    games_before: Mapping[int, int] = field(default_factory=dict)

    @property
    def is_retrained(self) -> bool:
        """Return whether players trained for the changed rules played, too."""
        return any(variant.endswith(RETRAINED) for variant in self.variants)

    def on(self, topic: str, share: bool = True) -> tuple[Judgement, ...]:
        """Return the judgements on win shares of a topic, or those on its other questions."""
        return tuple(
            found
            for found in self.judged
            if found.effects.question.topic == topic and (found.effects.question.unit == "pp") == share
        )

    def noun(self, topic: str) -> str:
        """Return what one level of a topic is called."""
        return next((found.effects.question.noun for found in self.on(topic)), SEAT)


def compared(
    base: MeasuredRun,
    variants: Sequence[MeasuredRun],
    spec: GameSpec,
    margin: float,
    notify: Notify = lambda _: None,
    retrained: Sequence[MeasuredRun] = (),
) -> Compared:
    """Compare a base with its variants, all of them on the same deals.

    Parameters
    ----------
    margin
        Margin for win shares, in percentage points.
    notify
        Receives status lines.
    retrained
        The base and its variants with players trained for their rules, with the same labels; empty for none.
    """
    measured = _Measured.of(base, variants, spec, margin, notify)
    families = [measured.claims]
    screens, labels = measured.screens, [variant.label for variant in variants]
    if retrained:
        again = _Measured.of(retrained[0], retrained[1:], spec, margin, notify)
        families.append([replace(found, run=f"{found.run}{RETRAINED}") for found in again.claims])
        screens = [*screens, *(replace(found, run=f"{found.run}{RETRAINED}") for found in again.screens)]
        labels += [f"{label}{RETRAINED}" for label in labels]
    games = {int(players): int(number) for players, number in base.results.manifest["games"].items()}
    return Compared(
        spec,
        measured.about,
        as_read(spec, measured.changed),
        games,
        base.label,
        tuple(labels),
        margin,
        judge([effects for family in families for effects in family]),
        tuple(screens),
    )


def changed_by(spec: GameSpec, base: Mapping[str, Any], variants: Sequence[Mapping[str, Any]]) -> Changed:
    """Return the levels and members whose parameters differ between manifests, by topic, as the data name them.

    A parameter belongs to a level if a part of its name is that of the level: `character.ann.cost` is about ann.
    """
    before = _parameters(base)
    names = {name for after in map(_parameters, variants) for name in _differing(before, after)}
    found: dict[str, frozenset[str]] = {}
    members = {column.name: column.members for column in spec.seat_columns}
    for topic in spec.topics:
        if topic.kind not in ("level", "member"):
            continue
        known = {name for column in topic.columns for name in (*topic.labels, *(members.get(column) or ()))}
        inside = [
            name for name in names if not topic.about or name.startswith(tuple(f"{part}." for part in topic.about))
        ]
        if meant := known & {part for name in inside for part in name.split(".") if not part.isdigit()}:
            found[topic.name] = frozenset(meant)
    return found


def as_read(spec: GameSpec, changed: Changed) -> dict[str, tuple[str, ...]]:
    """Return what was changed, by the names that readers see."""
    labels = {topic.name: topic.labels for topic in spec.topics}
    return {topic: tuple(sorted(labels[topic].get(name, name) for name in names)) for topic, names in changed.items()}


def _parameters(manifest: Mapping[str, Any]) -> dict[str, Any]:
    return {".".join(path): value for path, value in leaves(manifest.get("scenario", {}).get("change") or {})}


def _differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def look_at(base: Results, variant: Results, players: int) -> int:
    """Return the number of this look at two runs together, from 1.

    They cannot have been seen together more often than the one seen less often, such as a new variant of an old base.
    """
    return min(look_of(run.manifest, players) for run in (base, variant))


@dataclass(frozen=True)
class _Measured:
    """A comparison before it is judged."""

    spec: GameSpec
    about: str
    changed: Changed
    claims: list[Effects]
    screens: list[Effects]

    @classmethod
    def of(
        cls, base: MeasuredRun, variants: Sequence[MeasuredRun], spec: GameSpec, margin: float, notify: Notify
    ) -> _Measured:
        manifests = [run.results.manifest for run in (base, *variants)]
        about, changed = question_topic(spec.topics, manifests[0]), changed_by(spec, manifests[0], manifests[1:])
        found = cls(spec, about, changed, [], [])
        for players in map(int, manifests[0]["games"]):
            notify(f"comparing with {players} players")
            before = found._measured(base, players, margin)
            for variant in variants:
                look = look_at(base.results, variant.results, players)
                games = int(variant.results.manifest["games"][str(players)])
                after = found._measured(variant, players, margin)
                found.claims.extend(_claims(before, after, players, variant, games, look))
            for topic in () if spec.sides(players).is_one else spec.topics:
                if topic.kind in SCREENED or (topic.seats_that and topic.name != about):
                    found.screens.extend(screens_of(topic, base, variants, players))
        return found

    def _measured(self, run: MeasuredRun, players: int, margin: float) -> dict[Question, Estimates]:
        estimands = dict(self._questions(run, self.spec.sides(players), margin))
        found = measure(run.results, players, list(estimands.values()), computed_columns(self.spec.topics))
        labels = {column: topic.labels for topic in self.spec.topics for column in topic.columns}
        labels["bot"] = run.bot_names
        pairs = zip(estimands.items(), found, strict=True)
        named = {question: _named(each, estimand.factor, labels) for (question, estimand), each in pairs}
        return {distance_question(question, margin): named[question] for question in self._far(run, named)} | named

    def _far(self, run: MeasuredRun, questions: Iterable[Question]) -> list[Question]:
        """Return the questions whose levels are compared with a fair share: the seats, and what is asked about."""
        dealt = dealt_columns(self.spec.topics, run.results.manifest)
        columns = {topic.name: topic.columns for topic in self.spec.topics}
        fair = {SEATS, self.about} if set(columns.get(self.about, ())) & set(dealt) else {SEATS}
        return [question for question in questions if question.topic in fair and question.share and question.noun]

    def _questions(self, run: MeasuredRun, sides: Sides, margin: float) -> Iterator[tuple[Question, Estimand]]:
        """Yield the questions that are judged, each with its estimand: first what is asked about, then the seats."""
        if sides.is_one:  # nothing compares seats
            yield Question(SEATS, "Games won", "pp", "", True, margin), Estimand("win_share", SEAT)
            yield Question(SEATS, "Mean points", "points", "", False, POINTS_MARGIN), Estimand("points", SEAT)
            yield Question(LENGTH, "Length of a game", "turns", margin=TURNS_MARGIN), Estimand("turns")
            return
        levels = [(SEATS, SEAT, noun_of(sides.levels))]
        levels += [
            (topic.name, topic.columns[0], topic.noun or topic.title.lower())
            for topic in self.spec.topics
            if topic.kind == "level"
        ]
        if len(set(run.bots)) > 1:
            levels.append((BOTS, "bot", "bot"))
        levels.sort(key=lambda level: level[0] != self.about)
        for name, column, noun in levels:
            yield Question(name, f"Win share by {noun}", "pp", noun, True, margin), Estimand("win_share", column)
            yield Question(name, f"Points by {noun}", "points", noun, False, POINTS_MARGIN), Estimand("points", column)
        for topic in self.spec.topics:
            if topic.kind == "member" and (members := self._members(topic)):
                noun = topic.noun or topic.title.lower()
                question = Question(
                    topic.name, f"Win share {'by' if topic.seats_that else 'with a'} {noun}", "pp", noun, True, margin
                )
                yield question, Estimand("win_share", topic.columns[0], members=members)
        yield Question(LENGTH, "Length of a game", "turns", margin=TURNS_MARGIN), Estimand("turns")

    def _members(self, topic: Topic) -> tuple[tuple[str, int], ...]:
        """Return the members that are compared, with their bits: all if they are asked about, else what was changed."""
        recorded = next((each.members for each in self.spec.seat_columns if each.name == topic.columns[0]), ())
        wanted = self.changed.get(topic.name, frozenset())
        return tuple(
            (name, bit)
            for bit, name in enumerate(topic.seats_that or recorded or ())
            if topic.name == self.about or name in wanted
        )


def _named(estimates: Estimates, factor: str, labels: Mapping[str, Mapping[str, str]]) -> Estimates:
    """Return estimates whose levels have the names that readers see: "seat 1", or the label in the column's labels."""
    if factor == SEAT:
        return replace(estimates, levels=tuple(map(side_name, estimates.levels)))
    known = labels.get(factor, {})
    return replace(estimates, levels=tuple(known.get(name, name) for name in estimates.levels))


def distance_question(question: Question, margin: float) -> Question:
    """Return the question how far the farthest level of another question is from fair."""
    return Question(FAIRNESS, f"Farthest {question.noun} from fair", "pp", margin=margin)


def _claims(
    base: Mapping[Question, Estimates],
    variant: Mapping[Question, Estimates],
    players: int,
    run: MeasuredRun,
    games: int,
    look: int,
) -> Iterator[Effects]:
    """Yield what the variant changes, question by question; bots are compared only if they played in both runs."""
    for question, estimates in base.items():
        if question in variant:
            compare_them = fairer if question.topic == FAIRNESS else differences
            found = compare_them(question, players, run.label, estimates, variant[question], games, look)
            if found is not None:
                yield found


def screens_of(topic: Topic, base: MeasuredRun, variants: Sequence[MeasuredRun], players: int) -> Iterator[Effects]:
    """Yield how variants change the means of a topic's columns: over all seats, or by seat if it has one column.

    Of a question about what seats did, they are the win shares of those that did it.
    """
    whether = topic.kind == "count" and topic.whether
    noun = SEAT if len(topic.columns) == 1 else topic.title.lower()
    share = whether or bool(topic.seats_that)
    question = Question(topic.name, topic.title, "pp" if share else "for each seat", noun, share)
    base_means = _means(topic, base, players, whether)
    for variant in variants:
        games = int(variant.results.manifest["games"][str(players)])
        found = differences(
            question, players, variant.label, base_means, _means(topic, variant, players, whether), games
        )
        if found is not None:
            yield found


def _means(topic: Topic, run: MeasuredRun, players: int, whether: bool) -> Estimates:
    if topic.seats_that:
        members = tuple((words, bit) for bit, words in enumerate(topic.seats_that))
        asked = Estimand("win_share", topic.columns[0], members=members)
        (won,) = measure(run.results, players, [asked], computed_columns([topic]))
        return replace(won, levels=tuple(f"win share of {topic.labels[words]}" for words in won.levels))
    found = measure(run.results, players, [Estimand(column, SEAT, whether) for column in topic.columns])
    if len(found) == 1:
        return _named(found[0], SEAT, {})
    return over_seats(found, [topic.labels.get(column, column) for column in topic.columns])
