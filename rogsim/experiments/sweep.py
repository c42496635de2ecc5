"""Sweeps: how fair each setting is, which is the fairest on new deals, and which parameters matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import numpy as np
from scipy.special import stdtrit

from rogsim.experiments.design_points import DesignPoint, Resources, fresh_seed, play_design_points
from rogsim.experiments.sweep_design import Design, Setting
from rogsim.game.fair import noun_of, side_name
from rogsim.game.topics import Topic, dealt_columns, question_topic
from rogsim.results.results import Results
from rogsim.scenario.axes import Axis
from rogsim.stats.balance.levels import levels_in
from rogsim.stats.balance.measure import claim_on_levels
from rogsim.stats.contrasts import holm
from rogsim.stats.effects import Contrast, Effects
from rogsim.stats.estimates import ALPHA, Estimate, by_size
from rogsim.stats.judgement import MARGIN, Curve, Judgement, judge
from rogsim.stats.paired.common_random_numbers import Estimates
from rogsim.stats.paired.compared import MeasuredRun, screens_of
from rogsim.stats.paired.main_effects import (
    MainEffect,
    distance_change,
    distance_from_fair,
    effect_on_distance,
    effects,
    from_fair,
    judged_together,
    win_shares,
)
from rogsim.stats.prospects import POWER, Bools, Outlook, Prospect, prospect

MOST_TIMES = 50  # times the games so far: no number is given if more would be needed
SIGNIFICANT = 0.05  # an adjusted p-value below this counts as clear


@dataclass(frozen=True)
class SweepOutcome:
    """The outcome of a sweep, by player count."""

    design: Design
    tables: Mapping[int, SettingTable]
    screens: tuple[Effects, ...] = ()  # how settings change who wins, by what seats did: against the scenario as it is

    @property
    def games(self) -> int:
        """Return the number of games in all settings together."""
        return sum(shares.games for table in self.tables.values() for shares in table.shares)

    @property
    def fresh_games(self) -> int:
        """Return how many further games were played on new deals."""
        return sum(shares.games for table in self.tables.values() if table.fresh for shares in table.fresh.shares)

    @property
    def seed(self) -> int:
        """Return the seed of the new deals."""
        return fresh_seed(self.design.experiment.scenario.seed)

    def fresh_points(self, players: int) -> list[DesignPoint]:
        """Return what is played again on new deals: the scenario as it is, and the fairest setting."""
        places = self.tables[players].again
        return [self.design_point(players, place).with_players(players).with_seed(self.seed) for place in places]

    def design_point(self, players: int, place: int) -> DesignPoint:
        """Return the design point of a setting with one player count."""
        counts = self.design.counts
        return self.design.design_points[place + (counts.index(players) * len(self.design.settings) if counts else 0)]


@dataclass(frozen=True)
class SettingTable:
    """All settings with one player count; the first one is the scenario as it is.

    Attributes
    ----------
    topic
        The topic whose levels are to be fair; None for the seats.
    shares
        Win shares of these levels in each setting.
    seats
        The same of the seats.
    p
        p-values for an equal distance from fair, by Holm's method over the settings; nan where nothing changed.
    effects
        Main effects of the axes, the strongest first.
    left_out
        Games on deals that not all settings share, because their line-ups differ. Nothing in this table uses them.
    fresh
        The scenario as it is and the fairest setting, if that is another one, on new deals.
    judged
        On new deals: for each setting, the judgement against fair of the levels; then those of the seats if they are
        not the levels.
    curve
        With a single axis of numbers, what a level wins with each value.
    """

    players: int
    topic: Topic | None
    settings: Sequence[Setting]
    shares: Sequence[Estimates]
    seats: Sequence[Estimates]
    p: Sequence[float]
    effects: Sequence[MainEffect]
    left_out: int = 0
    fresh: SettingTable | None = None
    judged: tuple[Judgement, ...] = ()
    curve: Curve | None = None

    @property
    def noun(self) -> str:
        """Return the word for one level."""
        return noun_of(self.shares[0].levels) if self.topic is None else (self.topic.noun or self.topic.title.lower())

    @property
    def names(self) -> list[str]:
        """Return the words for the levels, in their order."""
        if self.topic is None:
            return [side_name(level) for level in self.shares[0].levels]
        return [self.topic.labels.get(level, level) for level in self.shares[0].levels]

    @cached_property
    def farthest(self) -> list[int]:
        """Return for each setting the place of the level whose win share is farthest from fair."""
        off = [shares.value - shares.fair for shares in self.shares]
        return [max(range(len(each)), key=lambda level: by_size(float(each[level]))) for each in off]

    @cached_property
    def distances(self) -> list[Estimate]:
        """Return how far from fair each setting is, in percentage points, corrected for noise."""
        return [distance_from_fair(shares) for shares in self.shares]

    @cached_property
    def order(self) -> list[int]:
        """Return the indices of the settings, the one closest to fair first; of several at 0.0 by what was measured."""
        seen = [float(from_fair(shares).value[0]) for shares in self.shares]
        return sorted(range(len(seen)), key=lambda place: (self.distances[place].value, seen[place], place))

    @property
    def optimum(self) -> int:
        """Return the index of the setting closest to fair."""
        return self.order[0]

    @property
    def again(self) -> list[int]:
        """Return the indices of the settings that are played again: the scenario as it is, and the fairest one."""
        return list(dict.fromkeys([0, self.optimum]))

    @cached_property
    def may_be_as_fair(self) -> int:
        """Return how many other settings are not clearly less fair than the fairest one, by Holm's method."""
        rest = [shares for place, shares in enumerate(self.shares) if place != self.optimum]
        gaps = _farther(self.shares[self.optimum], rest)
        tested = zip(gaps, holm([gap.p for gap in gaps]), strict=True)
        return sum(not (gap.effect.value > 0 and p < SIGNIFICANT) for gap, p in tested)

    def change(self, place: int) -> Estimate:
        """Return how much farther from fair a setting is than the scenario as it is, in pp, corrected for noise."""
        return distance_change(self.shares[0], self.shares[place])

    def is_fairer(self, place: int) -> bool:
        """Return whether a setting is clearly fairer than the scenario as it is, by test and interval."""
        return bool(self.p[place] < SIGNIFICANT) and self.change(place).high < 0

    def is_less_fair(self, place: int) -> bool:
        """Return whether a setting is clearly less fair than the scenario as it is, by test and interval."""
        return bool(self.p[place] < SIGNIFICANT) and self.change(place).low > 0

    def more_to_compare(self, place: int) -> Prospect | None:
        """Return how many more games of each decide with a chance of 80% whether a setting is fairer than the first.

        None if that is known, or if it would take too many games.
        """
        change, games = self.change(place), self.shares[place].games
        if self.is_fairer(place) or self.is_less_fair(place) or not change.half_width > 0:
            return None
        error = change.half_width / float(stdtrit(len(self.shares[place].deals) - 1, 1 - ALPHA / 2))
        outlook = Outlook(np.array([change.value]), np.array([[error**2]]), MARGIN)

        def decided(growth: float) -> tuple[Bools, Bools]:
            clear = outlook.beyond(growth, 0.0, ALPHA / 2 / max(1, len(self.shares) - 1))
            closer = outlook.after(growth)[:, 0] < 0
            return clear & closer, clear

        return prospect(games, decided, POWER, MOST_TIMES)


def play_sweep(design: Design, resources: Resources) -> SweepOutcome:
    """Play the missing games of a sweep, then the fairest setting on new deals, and return the outcome."""
    outcome = outcome_of(design, play_design_points(design.design_points, resources))
    fresh = _play_again(outcome, resources)
    tables = {players: replace(table, fresh=fresh[players]) for players, table in outcome.tables.items()}
    return replace(outcome, tables=tables)


def _play_again(outcome: SweepOutcome, resources: Resources) -> dict[int, SettingTable]:
    """Play the fairest settings on new deals, and return their tables, whose judgements are one family."""
    results = {players: play_design_points(outcome.fresh_points(players), resources) for players in outcome.tables}
    asked = [
        against_fair(result, players, topic, outcome.design_point(players, place).label)
        for players, played in results.items()
        for topic in ([outcome.tables[players].topic] if outcome.tables[players].topic else []) + [None]
        for place, result in zip(outcome.tables[players].again, played, strict=True)
    ]
    judged = judge(asked, outcome.design.experiment.scenario.margin)
    made = {}
    for players, played in results.items():
        table, mine = outcome.tables[players], [each for each in judged if each.effects.players == players]
        settings = [table.settings[place] for place in table.again]
        made[players] = table_of(outcome.design, players, table.topic, played, settings)
        made[players] = replace(made[players], judged=tuple(mine))
    return made


def against_fair(results: Results, players: int, topic: Topic | None, run: str) -> Effects:
    """Return how far the levels of a topic, or the seats, are from their fair share; run: what the games are called."""
    levels = levels_in(results, players, "seat" if topic is None else topic.columns[0])
    return claim_on_levels(levels, topic, run)


def outcome_of(design: Design, results: Sequence[Results]) -> SweepOutcome:
    """Return the outcome of a design, given the results of its design points in order."""
    size = len(design.settings)
    counts = design.counts or design.experiment.scenario.players
    starts = [place * size if design.counts else 0 for place in range(len(counts))]
    topic = topic_of(design, results)
    tables = [
        table_of(design, players, topic, results[start : start + size])
        for players, start in zip(counts, starts, strict=True)
    ]
    families = judged_together(table.effects for table in tables)
    tables = [replace(table, effects=together) for table, together in zip(tables, families, strict=True)]
    asked = [
        _only_level(table, axis, against_fair(results[start + place], table.players, topic, f"{axis.name} = {value}"))
        for table, start in zip(tables, starts, strict=True)
        for axis in design.axes[:1]
        for value, place in design.curve.items()
    ]
    judged = iter(judge(asked, design.experiment.scenario.margin) if asked else ())
    tables = [_with_curve(table, tuple(design.curve), tuple(islice(judged, len(design.curve)))) for table in tables]
    screens = [
        effects
        for players, start in zip(counts, starts, strict=True)
        for effects in _screens(design, players, results[start : start + size])
    ]
    return SweepOutcome(design, {table.players: table for table in tables}, tuple(screens))


def _screens(design: Design, players: int, results: Sequence[Results]) -> Iterator[Effects]:
    """Yield how each setting changes the win shares of seats that did something, question by question."""
    labels = [point.label for point in design.design_points[: len(design.settings)]]
    base, *others = (MeasuredRun(label, played, ()) for label, played in zip(labels, results, strict=True))
    for topic in design.experiment.spec.topics:
        if topic.seats_that:
            yield from screens_of(topic, base, others, players)


def topic_of(design: Design, results: Sequence[Results]) -> Topic | None:
    """Return the topic whose levels are to be fair, if every setting deals them to the seats; None for the seats."""
    topics = design.experiment.spec.topics
    about = question_topic(topics, results[0].manifest)
    found = next((topic for topic in topics if topic.name == about and topic.kind == "level"), None)
    if found and all(found.columns[0] in dealt_columns([found], result.manifest) for result in results):
        return found
    return None


def _only_level(table: SettingTable, axis: Axis, effects: Effects) -> Effects:
    """Return the effect of the level that a curve is about if that is known before the games, or else of all levels.

    It is the level that the parameter names, as in `character.ann.cost`, or the first seat.
    """
    if table.topic is None:
        return effects.only(effects.contrasts[0].name)
    levels = zip(table.shares[0].levels, table.names, strict=True)
    named = [name for level, name in levels if level in axis.name.split(".")]
    return effects.only(named[0]) if named else effects


def _with_curve(table: SettingTable, values: tuple[int, ...], judged: tuple[Judgement, ...]) -> SettingTable:
    """Return a table with its curve, if it has one: of the only level, or that farthest from fair as the game is."""
    if not judged:
        return table
    contrasts = judged[0].effects.contrasts
    level = contrasts[0].name if len(contrasts) == 1 else table.names[table.farthest[0]]
    return replace(table, curve=Curve(table.players, level, values, judged))


def table_of(
    design: Design,
    players: int,
    topic: Topic | None,
    results: Sequence[Results],
    settings: Sequence[Setting] | None = None,
) -> SettingTable:
    """Return the table of the settings with one player count.

    Parameters
    ----------
    topic
        The topic whose levels are to be fair; None for the seats.
    results
        Those of the settings, in order.
    settings
        None for all of the design.
    """
    seats = win_shares(results, players)
    shares = seats if topic is None else win_shares(results, players, topic.columns[0])
    p = holm([gap.p for gap in _farther(shares[0], shares)])
    found = effects(design.axes, design.settings, shares, players) if settings is None else []
    played = sum(int(result.manifest["games"][str(players)]) for result in results)
    left_out = played - sum(each.games for each in shares)
    kept = design.settings if settings is None else settings
    return SettingTable(players, topic, kept, shares, seats, [float(value) for value in p], found, left_out)


def _farther(base: Estimates, others: Sequence[Estimates]) -> list[Contrast]:
    """Return how much farther from fair each of some settings is than another one, not corrected for noise."""
    return [effect_on_distance([base, other], [-1.0, 1.0]) for other in others]
