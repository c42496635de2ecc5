"""Searches for values that reach a goal with as little change as possible, such as the fairest starting resources.

Everything is played on the same deals. First come a few candidates with few games each; a response surface proposes
which to play next. Then the best ones race: they play more and more games, and those that are clearly worse drop out.
The best for each amount of change are played again on new deals, which neither search nor race has used. The answer is
chosen by these games alone, and all listed candidates are judged together, to allow for choosing among them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rogsim.base.progress import Notify
from rogsim.experiments.design_points import DesignPoint, Resources, make_design_point, play_design_points
from rogsim.experiments.new_deals import fresh_seed
from rogsim.experiments.optimize.candidates import (
    Candidate,
    Confirmed,
    answer,
    choose,
    not_surely_worse,
    pareto,
    thinned,
)
from rogsim.experiments.optimize.search_plan import FINE, LOOKS, PILOT, ROUGH, games_for_error, games_to_confirm
from rogsim.experiments.optimize.search_request import SearchRequest
from rogsim.results.results import Results
from rogsim.scenario.axes import AS_IT_IS, setting_words
from rogsim.scenario.model import ScenarioError
from rogsim.simulation.batch import plans
from rogsim.stats.balance.levels import levels_in
from rogsim.stats.balance.measure import claim_on_levels
from rogsim.stats.effects import Effects
from rogsim.stats.judgement import Judgement, judge
from rogsim.stats.paired.deviations import Deviations, deviations
from rogsim.stats.paired.response_surface import Point, first_points, proposals

__all__ = ["Candidate", "Confirmed", "SearchOutcome", "choose", "find_optimum", "pareto"]

SEARCH_PART = 0.4  # of the games, at most, go into the search
AT_ONCE = 4  # candidates proposed at a time
LATE = 2  # candidates proposed after a round of the race
MOST_PLAYED = 60  # candidates
MOST_RACING = 10
MOST_LISTED = 6  # candidates confirmed in addition to the scenario itself
CURVE = 5  # numbers of a curve: those nearest to the answer


@dataclass(frozen=True)
class Curve:
    """What a level wins with each of several numbers, on the new deals: where a single number is searched.

    Attributes
    ----------
    level
        What the curve is about: the level of the goal, or of several the one that was farthest off with the answer.
    values, judged
        The numbers, ascending, and for each the judgement against fair; the margin is the goal's tolerance.
    """

    players: int
    level: str
    values: tuple[int, ...]
    judged: tuple[Judgement, ...]


@dataclass(frozen=True)
class SearchOutcome:
    """The outcome of a search.

    Attributes
    ----------
    base
        The scenario as it is, on the deals of the search.
    played
        All candidates, in playing order.
    chosen, listed
        On new deals: the answer; and the scenario as it is, followed by the Pareto front by amount of change.
    refused
        Number of points that the game does not allow.
    seed
        Of the new deals.
    games
        Played in search and race, for each player count.
    seats
        On new deals: how far each seat is from fair as the scenario is, and with the answer, for each player count.
    ran_out
        Whether the search ended because it ran out of games.
    curves
        For each player count; empty unless a single number was searched for a fair share.
    """

    request: SearchRequest
    base: Candidate
    played: tuple[Candidate, ...]
    chosen: Confirmed
    listed: tuple[Confirmed, ...]
    refused: int
    seed: int
    games: int
    seats: tuple[Effects, ...] = ()
    ran_out: bool = False
    curves: tuple[Curve, ...] = ()


def find_optimum(request: SearchRequest, resources: Resources, notify: Notify = lambda line: None) -> SearchOutcome:
    """Search, race and confirm. The same request gives the same outcome with any resources.

    Parameters
    ----------
    request
        What to search for; see `request_optimum`.
    resources
        Where games are stored, and which workers play them.
    notify
        Receives lines on progress.

    Raises
    ------
    ScenarioError
        If the game refuses all candidates, or if a tolerance is too small to be judged.
    """
    search = _Search(request, resources, notify)
    search.explore()
    return search.confirm(search.race())


class _Search:
    def __init__(self, request: SearchRequest, resources: Resources, notify: Notify) -> None:
        self.request, self.resources, self.notify = request, resources, notify
        self.space, self.axes = request.space, request.space.axes
        self.refused: set[Point] = set()
        self.spent, self.ran_out = 0, False
        self.played: dict[Point, Candidate] = {}
        unchanged = make_design_point(request.experiment, self.axes, {}, AS_IT_IS)
        self._cycle = math.lcm(*(plan.cycle for plan in plans(unchanged.experiment).values()))
        pilot = self._look(unchanged, PILOT)
        self.first = self._games_for(pilot, ROUGH)
        self.last = self._games_for(pilot, FINE)
        self.budget = request.games or LOOKS * self.first
        self.first = self._whole(min(self.first, self.budget // 10))
        look = self._look(unchanged, self.first)
        self.base = Candidate(None, unchanged, 0.0, look, look)

    def explore(self) -> None:
        """Play first looks at candidates until the response surface proposes no new one."""
        waiting = first_points(self.space)
        while waiting and len(self.played) < MOST_PLAYED:
            for point in waiting:
                if self.played and self.spent + self.first > SEARCH_PART * self.budget:
                    self.ran_out = True
                    return
                self._add(point)
            waiting = self._proposed(AT_ONCE)
        if not self.played:
            raise ScenarioError(f"{self.request.experiment.name}: the game refuses all candidates of the search")

    def race(self) -> list[Candidate]:
        """Play more games of the best candidates in every round, drop the clearly worse ones, and return the rest.

        The response surface is refitted after every round and may add a few candidates.
        """
        racing = self._entrants(list(self.played.values()))
        games = self.first
        while games < self.last:
            more = min(2 * games, self.last)
            late = self._proposed(LATE)
            cost = (more - games) * len(racing) + more * len(late)
            if len(racing) == 1 and not late:
                break
            if self.spent + cost > self.budget:
                self.ran_out = True
                break
            for candidate in racing:
                self.notify(f"race of {len(racing)}, {more:,} games: {candidate.design_point.label}")
                candidate.found = self._look(candidate.design_point, more, games)
            added = (self._add(point, more) for point in late)
            racing += [candidate for candidate in added if candidate is not None]
            racing = self._entrants(racing)
            games = more
        return racing

    def confirm(self, entrants: list[Candidate]) -> SearchOutcome:
        """Play the scenario as it is, the Pareto front and the favourite on new deals, and choose the answer there."""
        request = self.request
        seed = fresh_seed(request.experiment.scenario.seed)
        listed = [self.base, *self._to_confirm(choose(entrants))]
        games = request.confirm or games_to_confirm(self.last, len(listed))
        found, results = [], []
        for number, candidate in enumerate(listed):
            self.notify(f"new deals: {number + 1} of {len(listed)}, {games:,} games each")
            results.append(self._played(candidate.design_point.with_seed(seed), games))
            measured = self._deviations(results[-1], games)
            found.append(Confirmed(candidate, measured.judged_among(len(listed))))
        chosen = answer(found, self._unchanged_allowed())
        shown = dict.fromkeys([0, found.index(chosen)])
        seats = [
            claim_on_levels(levels_in(results[place], players, "seat"), run=found[place].candidate.design_point.label)
            for place in shown
            for players in request.players
        ]
        return SearchOutcome(
            request,
            self.base,
            tuple(self.played.values()),
            chosen,
            tuple(found),
            len(self.refused),
            seed,
            self.spent,
            tuple(seats),
            self.ran_out,
            tuple(self._curves(chosen, seed, games)),
        )

    def _curves(self, chosen: Confirmed, seed: int, games: int) -> Iterator[Curve]:
        """Play the numbers around the answer on the new deals, if a single number is searched for a fair share."""
        (axis, *others), goal = self.axes, self.request.goals[0]
        topic = next((topic for topic in self.request.experiment.spec.topics if goal.factor in topic.columns), None)
        if others or not axis.is_number or not goal.is_fair_share or (topic is None and goal.factor != "seat"):
            return
        at = chosen.candidate.design_point.setting.get(axis.name, axis.current)
        values = sorted(sorted(axis.values, key=lambda value: abs(value - at))[:CURVE])
        played = []
        for value in values:
            self.notify(f"new deals: {axis.name} = {value}, {games:,} games")
            point = make_design_point(self.request.experiment, self.axes, {axis.name: value}, f"{axis.name} = {value}")
            played.append(self._played(point.with_seed(seed), games))
        for players in self.request.players:
            piece = next(piece for piece in chosen.found.pieces if (piece.goal, piece.players) == (goal, players))
            level = piece.levels[int(np.nanargmax(np.abs(piece.value)))]
            name = f"seat {level}" if topic is None else topic.labels.get(level, level)
            effects = [claim_on_levels(levels_in(results, players, goal.factor), topic) for results in played]
            if goal.level or (players == 2 and goal.factor == "seat"):
                effects = [each.only(name) for each in effects]
            yield Curve(players, name, tuple(values), judge(effects, goal.within * goal.scale))

    def _to_confirm(self, favourite: Candidate) -> list[Candidate]:
        """Return the few candidates to play on new deals in addition to the scenario itself, by change."""
        front = pareto([*self.played.values(), *([self.base] if self._unchanged_allowed() else [])])
        base_key = self.base.design_point.key
        rest = [
            candidate for candidate in front if candidate is not favourite and candidate.design_point.key != base_key
        ]
        kept = [*thinned(rest, MOST_LISTED - 1), *([favourite] if favourite.design_point.key != base_key else [])]
        return sorted(kept, key=lambda candidate: candidate.change)

    def _unchanged_allowed(self) -> bool:
        """Return whether the scenario's own values are among those to choose from."""
        return all(axis.current in axis.values for axis in self.axes)

    def _proposed(self, most: int) -> list[Point]:
        """Return the points that the response surface proposes to play, at most this many."""
        candidates = list(self.played.values())
        longest = max(candidate.found.games for candidate in candidates)
        raced = [candidate for candidate in candidates if candidate.found.games == longest > candidate.first.games]
        # Shared deals shift all candidates alike, so the shift that more games showed for some applies to the others.
        shift = (
            np.mean([candidate.found.vector - candidate.first.vector for candidate in raced], axis=0) if raced else 0.0
        )
        late = {candidate.point for candidate in raced}
        responses = np.array(
            [
                candidate.found.vector if candidate.point in late else candidate.first.vector + shift
                for candidate in candidates
            ]
        )
        seed = self.request.experiment.scenario.seed
        return proposals(self.space, list(self.played), responses, seed, most, self.refused)

    def _add(self, point: Point, games: int = 0) -> Candidate | None:
        """Play a first look at a point, and more games if asked for; return None if the game refuses it."""
        axes = list(zip(self.axes, point, strict=True))
        setting = {axis.name: axis.values[place] for axis, place in axes}
        changed = {axis.name: axis.values[place] for axis, place in axes if axis.values[place] != axis.current}
        try:
            design_point = make_design_point(self.request.experiment, self.axes, setting, setting_words(changed))
        except ScenarioError:
            if len(self.axes) == 1:
                raise
            self.refused.add(point)
            return None
        self.notify(f"candidate {len(self.played) + 1}, {max(games, self.first):,} games: {design_point.label}")
        change = float(self.space.changes(np.array([point]))[0])
        first = self._look(design_point, self.first)
        found = self._look(design_point, games, self.first) if games > self.first else first
        self.played[point] = Candidate(point, design_point, change, found, first)
        return self.played[point]

    def _entrants(self, candidates: list[Candidate]) -> list[Candidate]:
        """Return the candidates that race: the best of those that are not clearly worse than another one."""
        left = not_surely_worse(candidates)
        return sorted(left, key=lambda candidate: (candidate.distance, candidate.change))[:MOST_RACING]

    def _games_for(self, pilot: Deviations, error: float) -> int:
        """Return how many games, in whole cycles, reduce the standard error of every deviation to this."""
        return self._whole(games_for_error(pilot, error, bool(self.request.games and self.request.confirm)))

    def _whole(self, games: int) -> int:
        """Return this number of games, rounded up to whole cycles."""
        return -(-games // self._cycle) * self._cycle

    def _look(self, design_point: DesignPoint, games: int, before: int = 0) -> Deviations:
        self.spent += self._whole(games) - before
        return self._measured(design_point, games)

    def _measured(self, design_point: DesignPoint, games: int) -> Deviations:
        return self._deviations(self._played(design_point, games), games)

    def _played(self, design_point: DesignPoint, games: int) -> Results:
        (results,) = play_design_points([design_point.with_games(self._whole(games))], self.resources, show=False)
        return results

    def _deviations(self, results: Results, games: int) -> Deviations:
        return deviations(results, self.request.goals, self.request.players, self._whole(games))
