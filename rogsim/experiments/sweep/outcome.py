"""Playing a sweep, and its outcome: all settings, the effect of each axis, and the fairest setting.

The fairest of many settings is partly the luckiest. So it is played again on new deals, as is the scenario itself, and
statements about it rest on these games alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import stdtrit

from rogsim.experiments.design_points import DesignPoint, Resources, play_design_points
from rogsim.experiments.new_deals import fresh_seed
from rogsim.experiments.sweep.design import Design, Setting
from rogsim.results.results import Results
from rogsim.stats.contrasts import holm
from rogsim.stats.estimates import Estimate, by_size
from rogsim.stats.paired.clear_effects import judged_together
from rogsim.stats.paired.main_effects import Effect, Response, difference, distance_change, effects, respond
from rogsim.stats.prospects import Bools, Outlook, Prospect, prospect
from rogsim.stats.sample_size import ALPHA, POWER

MOST_TIMES = 50  # times the games so far: no number is given if more would be needed
SIGNIFICANT = 0.05  # an adjusted p-value below this counts as clear


@dataclass(frozen=True)
class SweepOutcome:
    """The outcome of a sweep, by player count."""

    design: Design
    tables: Mapping[int, SettingTable]

    @property
    def games(self) -> int:
        """Return the number of games in all settings together."""
        return sum(response.games for table in self.tables.values() for response in table.responses)

    @property
    def fresh_games(self) -> int:
        """Return how many further games were played on new deals."""
        return sum(
            response.games for table in self.tables.values() if table.fresh for response in table.fresh.responses
        )

    @property
    def seed(self) -> int:
        """Return the seed of the new deals."""
        return fresh_seed(self.design.experiment.scenario.seed)

    def fresh_points(self, players: int) -> list[DesignPoint]:
        """Return what is played again on new deals: the scenario as it is, and the fairest setting."""
        places = self.tables[players].judged
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
    margin
        How far a seat's win share may be from fair, in percentage points.
    responses
        Win shares, points and lengths of each setting.
    changes
        Each response minus the first, on the same deals.
    p
        p-values for an equal distance from fair, by Holm's method over the settings; nan where nothing changed.
    effects
        Main effects of the axes, the strongest first.
    left_out
        Games on deals that not all settings share, because their line-ups differ. Nothing in this table uses them.
    fresh
        The scenario as it is and the fairest setting, if that is another one, on new deals.
    """

    players: int
    margin: float
    settings: Sequence[Setting]
    responses: Sequence[Response]
    changes: Sequence[Response]
    p: Sequence[float]
    effects: Sequence[Effect]
    left_out: int = 0
    fresh: SettingTable | None = None

    @cached_property
    def order(self) -> list[int]:
        """Return the indices of the settings, the one closest to fair first; of several at 0.0 by what was measured."""
        found = [(response.distance().value, response.more("distance").value) for response in self.responses]
        return sorted(range(len(found)), key=lambda place: (*found[place], place))

    @property
    def optimum(self) -> int:
        """Return the index of the setting closest to fair."""
        return self.order[0]

    @property
    def judged(self) -> list[int]:
        """Return the indices of the settings that are judged: the scenario as it is, and the fairest one."""
        return list(dict.fromkeys([0, self.optimum]))

    @cached_property
    def may_be_as_fair(self) -> int:
        """Return how many other settings are not clearly less fair than the fairest one, by Holm's method."""
        best = self.responses[self.optimum]
        rest = [response for place, response in enumerate(self.responses) if place != self.optimum]
        gaps = [difference(best, response) for response in rest]
        p_values = holm([gap.p("distance") for gap in gaps])
        tested = zip(gaps, p_values, strict=True)
        return sum(not (gap.more("distance").value > 0 and p < SIGNIFICANT) for gap, p in tested)

    def change(self, place: int) -> Estimate:
        """Return how much farther from fair a setting is than the scenario as it is, in pp, corrected for noise."""
        return distance_change(self.responses[0], self.responses[place])

    def is_fairer(self, place: int) -> bool:
        """Return whether a setting is clearly fairer than the scenario as it is, by test and interval."""
        return bool(self.p[place] < SIGNIFICANT) and self.change(place).high < 0

    def is_less_fair(self, place: int) -> bool:
        """Return whether a setting is clearly less fair than the scenario as it is."""
        return bool(self.p[place] < SIGNIFICANT) and self.change(place).low > 0

    def farthest(self, place: int) -> int:
        """Return the seat of a setting whose win share is farthest from fair, in a tie the favoured one."""
        shares = self.responses[place].value
        return max(self.seats, key=lambda seat: by_size(float(shares[seat - 1]) - 100 / self.players))

    def is_within(self, place: int) -> bool:
        """Return whether all seats are clearly within the margin, allowing for the choice among all settings."""
        response = self.responses[place]
        if not response.is_enough:
            return False
        reach = float(stdtrit(response.blocks - 1, 1 - ALPHA / len(self.responses)))
        return all(self.off(place, seat) + reach * response.error(seat) < self.margin for seat in self.seats)

    def is_beyond(self, place: int) -> bool:
        """Return whether any seat is clearly farther from fair than the margin."""
        response = self.responses[place]
        if not response.is_enough:
            return False
        reach = float(stdtrit(response.blocks - 1, 1 - ALPHA / 2 / self.players))
        return any(self.off(place, seat) - reach * response.error(seat) > self.margin for seat in self.seats)

    @property
    def seats(self) -> range:
        """Return the seats, from 1."""
        return range(1, self.players + 1)

    def off(self, place: int, seat: int) -> float:
        """Return how far a seat's win share is from fair in a setting, in percentage points."""
        return abs(float(self.responses[place].value[seat - 1]) - 100 / self.players)

    def more_to_settle(self, place: int) -> Prospect | None:
        """Return how many more games decide whether a setting is within the margin with a chance of 80%.

        None if that is settled, or if it would take too many games because a seat is too close to the margin.
        """
        response = self.responses[place]
        if self.is_within(place) or self.is_beyond(place) or not response.is_enough:
            return None
        outlook = Outlook(response.value[: self.players] - 100 / self.players, response.covariance(), self.margin)

        def decided(growth: float) -> tuple[Bools, Bools]:
            within = outlook.within(growth, self.margin, ALPHA / len(self.responses))
            return within, outlook.beyond(growth, self.margin, ALPHA / 2 / self.players)

        return prospect(response.games, decided, POWER, MOST_TIMES)

    def more_to_compare(self, place: int) -> Prospect | None:
        """Return how many more games of each decide with a chance of 80% whether a setting is fairer than the first.

        None if that is settled, or if it would take too many games.
        """
        change, games = self.change(place), self.responses[place].games
        if self.is_fairer(place) or self.is_less_fair(place) or not change.half_width > 0:
            return None
        error = change.half_width / float(stdtrit(self.changes[place].blocks - 1, 1 - ALPHA / 2))
        outlook = Outlook(np.array([change.value]), np.array([[error**2]]), self.margin)

        def decided(growth: float) -> tuple[Bools, Bools]:
            clear = outlook.beyond(growth, 0.0, ALPHA / 2 / max(1, len(self.responses) - 1))
            closer = outlook.after(growth)[:, 0] < 0
            return clear & closer, clear

        return prospect(games, decided, POWER, MOST_TIMES)


def play_sweep(design: Design, resources: Resources) -> SweepOutcome:
    """Play the missing games of a sweep, then the fairest setting on new deals, and return the outcome."""
    return confirmed(outcome_of(design, play_design_points(design.design_points, resources)), resources)


def confirmed(outcome: SweepOutcome, resources: Resources) -> SweepOutcome:
    """Play the fairest settings and the scenario as it is on new deals, and return the outcome with these games."""
    tables = {}
    for players, table in outcome.tables.items():
        design_points = outcome.fresh_points(players)
        settings = [table.settings[place] for place in table.judged]
        fresh = table_of(outcome.design, players, play_design_points(design_points, resources), settings)
        tables[players] = replace(table, fresh=fresh)
    return replace(outcome, tables=tables)


def outcome_of(design: Design, results: Sequence[Results]) -> SweepOutcome:
    """Return the outcome of a design, given the results of its design points in order."""
    size = len(design.settings)
    counts = design.counts or design.experiment.scenario.players
    starts = [place * size if design.counts else 0 for place in range(len(counts))]
    tables = [
        table_of(design, players, results[start : start + size]) for players, start in zip(counts, starts, strict=True)
    ]
    judged = judged_together(table.effects for table in tables)
    return SweepOutcome(
        design,
        {table.players: replace(table, effects=together) for table, together in zip(tables, judged, strict=True)},
    )


def table_of(
    design: Design, players: int, results: Sequence[Results], settings: Sequence[Setting] | None = None
) -> SettingTable:
    """Return the table of the settings with one player count.

    Parameters
    ----------
    results
        Those of the settings, in order.
    settings
        None for all of the design.
    """
    responses = respond(results, players)
    changes = [difference(responses[0], response) for response in responses]
    p = holm([change.p("distance") for change in changes])
    found = effects(design.axes, design.settings, responses) if settings is None else []
    margin = design.experiment.scenario.margin
    played = sum(int(result.manifest["games"][str(players)]) for result in results)
    left_out = played - sum(response.games for response in responses)
    kept = design.settings if settings is None else settings
    return SettingTable(players, margin, kept, responses, changes, [float(value) for value in p], found, left_out)
