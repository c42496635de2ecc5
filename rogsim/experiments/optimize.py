"""Searches: which values reach the goals with the least change."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import norm

from rogsim.base.progress import Notify
from rogsim.base.validation import show
from rogsim.experiments.design_points import DesignPoint, Resources, fresh_seed, make_design_point, play_design_points
from rogsim.experiments.optimize_request import SearchRequest
from rogsim.game.fair import side_name
from rogsim.results.results import Results
from rogsim.scenario.axes import AS_IT_IS, setting_words
from rogsim.scenario.goals import MOST_PLANNED
from rogsim.scenario.model import ScenarioError
from rogsim.simulation.batch import plans
from rogsim.stats.balance.levels import levels_in
from rogsim.stats.balance.measure import claim_on_levels
from rogsim.stats.effects import Effects
from rogsim.stats.estimates import ALPHA, CONFIDENCE
from rogsim.stats.judgement import Curve, judge
from rogsim.stats.paired.deviations import ROUNDING, Deviations, closer, deviations, surely_closer
from rogsim.stats.paired.response_surface import Point, first_points, proposals
from rogsim.stats.prospects import POWER

SURE, LIKELY = 0.99, 0.8  # confidence that one candidate is closer than another: to drop it, to prefer the closer one
PILOT = 400  # games to estimate how noisy the goals are
FEWEST = 1_000
ROUGH, FINE = 0.7, 0.25  # standard errors of a deviation, in units of the tolerance: in the search, after the race
LOOKS = 100  # search and race may take this many times the games of a first look
EXAMPLE = 20_000  # games for which a message shows the feasible tolerance
SEARCH_PART = 0.4  # of the games, at most, go into the search
AT_ONCE = 4  # candidates proposed at a time
LATE = 2  # candidates proposed after a round of the race
MOST_PLAYED = 60  # candidates
MOST_RACING = 10
MOST_LISTED = 6  # candidates confirmed in addition to the scenario itself
CURVE = 5  # numbers of a curve: those nearest to the answer


@dataclass
class Candidate:
    """Values that may be the answer.

    Attributes
    ----------
    point
        The indices of the values on their axes; None for the scenario as it is.
    change
        The amount of change: the sum of steps for whole numbers, 1 for any other changed value.
    found, first
        The deviations from the goals, now and at the first look.
    """

    point: Point | None
    design_point: DesignPoint
    change: float
    found: Deviations
    first: Deviations  # at the first look

    @property
    def distance(self) -> float:
        """Return the largest deviation from the goals, as a multiple of the tolerance."""
        return self.found.distance


def answer(confirmed: Sequence[Candidate], unchanged_allowed: bool) -> Candidate:
    """Return the answer among the candidates on new deals.

    A candidate that changes no game is never the answer.

    Parameters
    ----------
    confirmed
        The scenario as it is, then the candidates.
    unchanged_allowed
        Whether changing nothing may be the answer even if it does not reach the goals.
    """
    base, *rest = confirmed
    moving = [candidate for candidate in rest if not same(candidate.found, base.found)]
    if base.found.kind == "within" or not moving:
        return base
    return choose([base, *moving] if unchanged_allowed else moving)


def choose(entrants: Sequence[Candidate]) -> Candidate:
    """Return the entrant with the least change that clearly reaches the goals.

    If none does, return the entrant with the least change among those nearly as close as the closest one (which is not
    closer with 80% confidence), leaving out any that another one beats with no more change and an interval that does
    not overlap.
    """
    surely = [entrant for entrant in entrants if entrant.found.kind == "within"]
    if surely:
        return min(surely, key=lambda entrant: (entrant.change, entrant.distance))
    closest = min(entrants, key=lambda entrant: (entrant.distance, entrant.change))
    near = [entrant for entrant in entrants if entrant is closest or closer(closest.found, entrant.found) < LIKELY]
    unbeaten = [entrant for entrant in near if not any(beaten(entrant, other) for other in entrants)]
    return min(unbeaten or near, key=lambda entrant: (entrant.change, entrant.distance))


def beaten(candidate: Candidate, other: Candidate) -> bool:
    """Return whether another candidate is closer to the goals with no more change, and the intervals do not overlap.

    These are the individual intervals: wider ones, which hold for all candidates together, overlap more often.
    """
    if other.change > candidate.change or other.distance >= candidate.distance:
        return False
    return other.found.distance_interval(CONFIDENCE)[1] < candidate.found.distance_interval(CONFIDENCE)[0]


def same(first: Deviations, second: Deviations) -> bool:
    """Return whether two candidates have the same games, as far as the goals depend on them."""
    if first.levels != second.levels or not np.array_equal(first.deals, second.deals):
        return False
    alike = np.allclose(first.influence, second.influence, atol=ROUNDING)
    return bool(alike and np.allclose(first.value, second.value, rtol=0, atol=ROUNDING))


def pareto(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the Pareto front by amount of change: no other candidate is closer to the goals with no more change."""
    front: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda candidate: (candidate.change, candidate.distance)):
        if not front or candidate.distance < front[-1].distance:
            front.append(candidate)
    return front


def not_surely_worse(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Leave out each candidate that is clearly farther from the goals than another one.

    The other one must change no more, unless the candidate clearly misses the goals.
    """
    return [
        candidate
        for candidate in candidates
        if not any(_beats(other, candidate) for other in candidates if other is not candidate)
    ]


def _beats(candidate: Candidate, other: Candidate) -> bool:
    if candidate.distance >= other.distance:
        return False
    if candidate.change > other.change and other.found.kind != "beyond":
        return False
    return surely_closer(candidate.found, other.found, 1 - SURE)


def thinned(candidates: Sequence[Candidate], most: int) -> list[Candidate]:
    """Return at most this many items of a list, evenly spread and including both ends."""
    if len(candidates) <= most:
        return list(candidates)
    return [candidates[round(place)] for place in np.linspace(0, len(candidates) - 1, most)]


def games_for_error(pilot: Deviations, error: float, limited: bool = False) -> int:
    """Return how many games reduce the standard error of every deviation to a given value.

    Parameters
    ----------
    pilot
        Deviations from a few games.
    error
        The standard error, in units of the tolerance.
    limited
        Whether the user has set the numbers of games, so that there is nothing to plan.

    Raises
    ------
    ScenarioError
        If that is more than can be planned; the message names the smallest feasible tolerance.
    """
    needed = pilot.games * (pilot.error / error) ** 2
    if not needed <= MOST_PLANNED:
        if limited:
            return MOST_PLANNED
        raise ScenarioError(_too_small(pilot, needed))
    return max(FEWEST, math.ceil(needed))


def games_to_confirm(games: int, tries: int) -> int:
    """Return how many games give several candidates that are judged together the power of `games` for a single one."""
    strict, plain = (norm.isf(ALPHA / count) + norm.ppf(POWER) for count in (tries, 1))
    return math.ceil(games * (strict / plain) ** 2)


def _too_small(pilot: Deviations, needed: float) -> str:
    place = int(np.diag(pilot.covariance).argmax())
    goal, unit = pilot.goals[place], f" {pilot.goals[place].unit}".rstrip()
    least, example = (
        _rounded_up(pilot.error * pilot.unit(place) * math.sqrt(pilot.games / games) / FINE)
        for games in (MOST_PLANNED, EXAMPLE)
    )
    many = f"about {needed:,.0f} games" if needed < 1e15 else "more games than anyone can play"
    return (
        f"goal {show(goal.text)}: judging one candidate would take {many}, and {MOST_PLANNED:,} is the most "
        f"that can be planned; the smallest feasible tolerance is ± {least:g}{unit}, and ± {example:g}{unit} with "
        f"{EXAMPLE:,} games"
    )


def _rounded_up(value: float) -> float:
    """Round up to two significant digits."""
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return round(math.ceil(value / step - 1e-9) * step, 12)


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
    chosen: Candidate
    listed: tuple[Candidate, ...]
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
            found.append(replace(candidate, found=replace(self._deviations(results[-1]), tries=len(listed))))
        chosen = answer(found, self._unchanged_allowed())
        shown = dict.fromkeys([0, found.index(chosen)])
        seats = [
            claim_on_levels(levels_in(results[place], players, "seat"), run=found[place].design_point.label)
            for place in shown
            for players in request.players
            if not request.experiment.spec.sides(players).is_one
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

    def _curves(self, chosen: Candidate, seed: int, games: int) -> Iterator[Curve]:
        """Play the numbers around the answer on the new deals, if a single number is searched for a fair share."""
        (axis, *others), goal = self.axes, self.request.goals[0]
        topic = next((topic for topic in self.request.experiment.spec.topics if goal.factor in topic.columns), None)
        if others or not axis.is_number or not goal.is_fair_share or (topic is None and goal.factor != "seat"):
            return
        at = chosen.design_point.setting.get(axis.name, axis.current)
        values = sorted(sorted(axis.values, key=lambda value: abs(value - at))[:CURVE])
        played = []
        for value in values:
            self.notify(f"new deals: {axis.name} = {value}, {games:,} games")
            point = make_design_point(self.request.experiment, self.axes, {axis.name: value}, f"{axis.name} = {value}")
            played.append(self._played(point.with_seed(seed), games))
        for players in self.request.players:
            places = chosen.found.places(goal, players)
            level = chosen.found.levels[max(places, key=lambda place: abs(chosen.found.value[place]))]
            name = side_name(level) if topic is None else topic.labels.get(level, level)
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
            np.mean([candidate.found.value - candidate.first.value for candidate in raced], axis=0) if raced else 0.0
        )
        late = {candidate.point for candidate in raced}
        responses = np.array(
            [
                candidate.found.value if candidate.point in late else candidate.first.value + shift
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
        return self._deviations(self._played(design_point, games))

    def _played(self, design_point: DesignPoint, games: int) -> Results:
        (results,) = play_design_points([design_point.with_games(self._whole(games))], self.resources, show=False)
        return results

    def _deviations(self, results: Results) -> Deviations:
        return deviations(results, self.request.goals, self.request.players)
