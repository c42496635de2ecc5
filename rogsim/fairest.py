"""Searches the values that make a goal true with as little change as possible, such as the fairest starting resources.

Everything is played on common luck. First a few candidates, few games each: a response surface tells which ones to
play next. Then the best race: more and more games, and whoever is surely worse drops out. What is found is played
once more on fresh luck, which neither search nor race has seen, so that nothing looks better than it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rogsim.axes import OWN, setting_words
from rogsim.batch import plans
from rogsim.cells import Cell, Workshop, make_cell, play_cells
from rogsim.fairest_request import Request
from rogsim.scenario import MOST_SEEDS, ScenarioError
from rogsim.stats.deviations import Deviations, closer, deviations
from rogsim.stats.surface import Point, first_points, proposals

PILOT = 400  # games that tell how noisy the goals are
FEWEST = 1_000
ROUGH, FINE = 0.7, 0.25  # standard errors of a deviation, in units of what is allowed: in the search, after the race
LOOKS = 100  # times the games of a first look that search and race may take
SEARCH_PART = 0.4  # of the games, at most, go into the search
AT_ONCE = 4  # candidates proposed at a time
LATE = 2  # proposed after a round of the race
MOST_PLAYED = 60  # candidates
MOST_RACING = 10
SURE, LIKELY = 0.99, 0.8  # that one candidate is closer than another
MOST_LISTED = 6  # candidates confirmed besides the scenario itself

Tell = Callable[[str], None]


@dataclass
class Candidate:
    """Values that may be the answer: where they lie among all (None: the scenario as it is), and what they gave."""

    point: Point | None
    cell: Cell
    change: float
    found: Deviations
    first: Deviations  # after the first look

    @property
    def distance(self) -> float:
        """Return how far it is from the goals."""
        return self.found.distance


@dataclass(frozen=True)
class Confirmed:
    """A candidate as fresh luck shows it."""

    candidate: Candidate
    found: Deviations


@dataclass(frozen=True)
class Outcome:
    """What a search came to.

    base: the scenario as it is, on the luck of the search. played: all candidates, in the order of playing. chosen and
    listed: on fresh luck; listed has the scenario itself first, then the list of Pareto by change. refused: points
    that the game does not allow. seed: of the fresh luck. games: played for each player count, search and race.
    ran_out: whether the search ended because its games were used up.
    """

    request: Request
    base: Candidate
    played: tuple[Candidate, ...]
    chosen: Confirmed
    listed: tuple[Confirmed, ...]
    refused: int
    seed: int
    games: int
    ran_out: bool = False


def find_fairest(request: Request, workshop: Workshop, tell: Tell = lambda line: None) -> Outcome:
    """Search, race and confirm; the same request gives the same outcome, whoever plays. tell: what is being done."""
    search = _Search(request, workshop, tell)
    search.explore()
    entrants = search.race()
    as_it_is = [search.base] if search.base.found.verdict().kind == "true" else []
    chosen = choose([*as_it_is, *entrants])  # what reaches the goals already needs no change
    return search.confirm(chosen)


def choose(entrants: Sequence[Candidate]) -> Candidate:
    """Return the one with the least change that surely reaches the goals; else that seems to.

    If none does, that with the least change of those that are hardly farther than the closest.
    """
    surely = [one for one in entrants if one.found.verdict().kind == "true"]
    seemingly = [one for one in entrants if one.distance <= 1.0]
    for reaching in (surely, seemingly):
        if reaching:
            return min(reaching, key=lambda one: (one.change, one.distance))
    closest = min(entrants, key=lambda one: (one.distance, one.change))
    near = [one for one in entrants if one is closest or closer(closest.found, one.found) < LIKELY]
    return min(near, key=lambda one: (one.change, one.distance))


def pareto(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return those than which no other is closer to the goals with no more change, by change."""
    front: list[Candidate] = []
    for one in sorted(candidates, key=lambda one: (one.change, one.distance)):
        if not front or one.distance < front[-1].distance:
            front.append(one)
    return front


class _Search:
    def __init__(self, request: Request, workshop: Workshop, tell: Tell) -> None:
        self.request, self.workshop, self.tell = request, workshop, tell
        self.space, self.axes = request.space, request.space.axes
        self.refused: set[Point] = set()
        self.spent, self.ran_out = 0, False
        self.played: dict[Point, Candidate] = {}
        own = make_cell(request.experiment, self.axes, {}, OWN)
        self._cycle = math.lcm(*(plan.cycle for plan in plans(own.experiment).values()))
        pilot = self._look(own, PILOT)
        self.first = self._games_for(pilot, ROUGH)
        self.last = self._games_for(pilot, FINE)
        self.budget = request.games or LOOKS * self.first
        self.first = self._whole(min(self.first, self.budget // 10))
        look = self._look(own, self.first)
        self.base = Candidate(None, own, 0.0, look, look)

    def explore(self) -> None:
        """Play first looks at candidates, until the surface proposes none that was not played."""
        waiting = first_points(self.space)
        while waiting and len(self.played) < MOST_PLAYED:
            for point in waiting:
                if self.played and self.spent + self.first > SEARCH_PART * self.budget:
                    self.ran_out = True
                    return
                self._add(point)
            waiting = self._proposed(AT_ONCE)
        if not self.played:
            raise ScenarioError(f"{self.request.experiment.name}: the game refuses all values that could be searched")

    def race(self) -> list[Candidate]:
        """Play more and more games of the best candidates, and drop those that are surely worse; return the rest.

        The surface learns from every round, too, and may send in a few more.
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
            for one in racing:
                self.tell(f"race of {len(racing)}, {more:,} games: {one.cell.label}")
                one.found = self._look(one.cell, more, games)
            added = (self._add(point, more) for point in late)
            racing += [one for one in added if one is not None]
            racing = self._entrants(racing)
            games = more
        return racing

    def confirm(self, chosen: Candidate) -> Outcome:
        """Play the chosen candidate, the scenario itself and the list of Pareto on fresh luck."""
        request = self.request
        seed = (request.experiment.scenario.seed + 1) % MOST_SEEDS
        games = request.confirm or self.last
        front = pareto([*self.played.values(), *([self.base] if self._own_allowed() else [])])
        rest = [one for one in front if one is not chosen and one.cell.key != self.base.cell.key]
        listed = sorted([*_thinned(rest, MOST_LISTED - 1), chosen], key=lambda one: one.change)
        first = chosen if chosen.cell.key == self.base.cell.key else self.base  # to change nothing stands there once
        listed = [first, *(one for one in listed if one is not first)]
        found = []
        for number, one in enumerate(listed):
            self.tell(f"fresh luck: {number + 1} of {len(listed)}, {games:,} games each")
            found.append(Confirmed(one, self._measured(one.cell.with_seed(seed), games)))
        answer = next(one for one in found if one.candidate is chosen)
        played = tuple(self.played.values())
        refused = len(self.refused)
        return Outcome(request, self.base, played, answer, tuple(found), refused, seed, self.spent, self.ran_out)

    def _own_allowed(self) -> bool:
        """Say whether the scenario's own values are among those to choose from."""
        return all(axis.own in axis.values for axis in self.axes)

    def _proposed(self, most: int) -> list[Point]:
        """Return what the surface takes for worth playing, at most so many points."""
        candidates = list(self.played.values())
        longest = max(one.found.games for one in candidates)
        raced = [one for one in candidates if one.found.games == longest > one.first.games]
        # Common luck errs alike for all: what more games showed of some holds for the others.
        shift = np.mean([one.found.vector - one.first.vector for one in raced], axis=0) if raced else 0.0
        late = {one.point for one in raced}
        responses = np.array(
            [one.found.vector if one.point in late else one.first.vector + shift for one in candidates]
        )
        seed = self.request.experiment.scenario.seed
        return proposals(self.space, list(self.played), responses, seed, most, self.refused)

    def _add(self, point: Point, games: int = 0) -> Candidate | None:
        """Play a first look at a point, and more if so many games are asked for; None if the game refuses it."""
        axes = list(zip(self.axes, point, strict=True))
        setting = {axis.name: axis.values[place] for axis, place in axes}
        told = {axis.name: axis.values[place] for axis, place in axes if axis.values[place] != axis.own}
        try:
            cell = make_cell(self.request.experiment, self.axes, setting, setting_words(told))
        except ScenarioError:
            if len(self.axes) == 1:
                raise
            self.refused.add(point)
            return None
        self.tell(f"candidate {len(self.played) + 1}, {max(games, self.first):,} games: {cell.label}")
        change = float(self.space.changes(np.array([point]))[0])
        first = self._look(cell, self.first)
        found = self._look(cell, games, self.first) if games > self.first else first
        self.played[point] = Candidate(point, cell, change, found, first)
        return self.played[point]

    def _entrants(self, candidates: list[Candidate]) -> list[Candidate]:
        """Return who races: not surely worse than another already, and no more than a field."""
        left = _not_surely_worse(candidates)
        return sorted(left, key=lambda one: (one.distance, one.change))[:MOST_RACING]

    def _games_for(self, pilot: Deviations, error: float) -> int:
        """Return how many games, in whole cycles, bring the standard error of every deviation down to this."""
        return self._whole(max(FEWEST, math.ceil(pilot.games * (pilot.error / error) ** 2)))

    def _whole(self, games: int) -> int:
        """Return so many games in whole cycles."""
        return -(-games // self._cycle) * self._cycle

    def _look(self, cell: Cell, games: int, before: int = 0) -> Deviations:
        self.spent += self._whole(games) - before
        return self._measured(cell, games)

    def _measured(self, cell: Cell, games: int) -> Deviations:
        games = self._whole(games)
        (results,) = play_cells([cell.with_games(games)], self.workshop, show=False)
        return deviations(results, self.request.goals, self.request.players, games)


def _not_surely_worse(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Leave out who is surely farther from the goals than another that changes no more, or that may reach them."""
    return [one for one in candidates if not any(_beats(other, one) for other in candidates if other is not one)]


def _beats(one: Candidate, other: Candidate) -> bool:
    if one.distance >= other.distance:
        return False
    if one.change > other.change and other.found.verdict().kind != "false":
        return False
    return closer(one.found, other.found) >= SURE


def _thinned(candidates: Sequence[Candidate], most: int) -> list[Candidate]:
    """Return some of a list, evenly spread, its ends among them."""
    if len(candidates) <= most:
        return list(candidates)
    return [candidates[round(place)] for place in np.linspace(0, len(candidates) - 1, most)]
