"""Plays a ladder of strength, look by look, until every claim is decided or the games or the time are used up.

Every rung first plays equally many games. From then on only the last three rungs play, because the verdicts compare
them. Their games together double from one look to the next. So do the games in which neighbouring bots play each other,
a tenth as many, which go on alone if only the strength of the bots is still unknown. Verdicts are found only at these
planned looks: a time limit decides how many looks there are, and nothing else.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from rogsim.base.progress import Notify
from rogsim.bots.names import read_bot_name
from rogsim.experiments.design_points import DesignPoint, Resources, games_of, play_design_points
from rogsim.experiments.ladder import (
    FIRST_LOOK,
    MOST_RUNGS,
    ClaimFamily,
    LadderVerdicts,
    PlayedGame,
    Rung,
    RungStep,
    SettledClaim,
    families_of,
    games_of_look,
)
from rogsim.experiments.requests import check_distinct, check_range, check_rivals
from rogsim.experiments.standings import block_scores
from rogsim.experiments.tournament import rank_rows, seats_of
from rogsim.results.results import Results
from rogsim.scenario.arguments import ArgumentError
from rogsim.scenario.axes import MOST_GAMES
from rogsim.scenario.fingerprint import identity_of
from rogsim.scenario.model import AnyScenario, Experiment, load
from rogsim.simulation.batch import plans
from rogsim.stats.blocks import Floats
from rogsim.stats.paired.common_random_numbers import Estimand, measure
from rogsim.stats.prospects import two_figures
from rogsim.stats.sequential import judge_steps
from rogsim.stats.settling import LOOKS, RUNGS, EffectSeries, series_of, settle

FEWEST_FIRST = 30  # fewer blocks allow no test
SHARES = 16  # equal parts into which the games of a look are divided
# How often each of the last three rungs is in one of the two changes that are tested.
IN_CHANGES = np.array([1.0, 1.0, 2.0])
SLICES = 4  # in which a rung's games of one look are played; between them the time is checked


@dataclass(frozen=True)
class SettleRequest:
    """A scenario on a ladder of strength, checked and ready to be played.

    Attributes
    ----------
    rungs
        One design point for each bot, the weakest first; all have the same deals.
    families
        What is judged.
    margin
        The largest change that does not matter, in pp.
    first_look
        Games of each rung and player count before the first verdict.
    most_games
        Most games for each player count, all rungs together; None for no limit but the last look.
    """

    experiment: Experiment
    rungs: tuple[DesignPoint, ...]
    families: tuple[ClaimFamily, ...]
    margin: float
    first_look: int
    most_games: int | None

    @property
    def bots(self) -> tuple[str, ...]:
        """Return the names of the bots, the weakest first."""
        return tuple(rung.label for rung in self.rungs)

    @property
    def bots_as_rungs(self) -> tuple[Rung, ...]:
        """Return the bots with their hashes, and which of them share an evaluation."""
        found = []
        first: dict[str, str] = {}  # file -> the evaluation of the first bot that has it
        for point in self.rungs:
            (source,) = point.experiment.sources.values()
            evaluation = next((first[file] for file in source.files if file in first), point.label)
            first = {**dict.fromkeys(source.files, evaluation), **first}
            hashes = {"source_hash": source.source_hash, "weights_hash": source.weights_hash}
            found.append(Rung(bot=point.label, evaluation=evaluation, **hashes))
        return tuple(found)

    @property
    def played(self) -> PlayedGame:
        """Return what every rung plays."""
        identity = identity_of(self.experiment)
        return PlayedGame(**{name: identity[name] for name in ("game", "rules", "options", "change", "seed")})

    @property
    def step(self) -> str:
        """Return what one of the last steps is called: a doubling, if it doubles one setting of the same bot."""
        top = self.bots[-RUNGS:]
        return "doubling" if all(map(_doubles, top, top[1:])) else "step"

    def games_at(self, look: int) -> int:
        """Return how many games of the last three rungs together there are at a look with one player count."""
        return games_of_look(look, self.first_look)

    def matches_at(self, look: int) -> tuple[int, ...]:
        """Return about how many games the bots of each step play each other up to a look: a tenth of all others."""
        lower = [self.first_look // 10] * (len(self.rungs) - RUNGS)
        return (*lower, *[self.games_at(look) // 10 // (RUNGS - 1)] * (RUNGS - 1))

    def looks(self) -> int:
        """Return the number of looks that the most games allow."""
        if self.most_games is None:
            return LOOKS
        below = self.first_look * (len(self.rungs) - RUNGS)
        return sum(self.games_at(look) + below <= self.most_games for look in range(1, LOOKS + 1))


def arrange_ladder(
    scenario: AnyScenario,
    *,
    bots: Sequence[str] | None = None,
    claims: Sequence[str] | None = None,
    margin: float | None = None,
    first_look: int = FIRST_LOOK,
    most_games: int | None = None,
    replaced: Mapping[str, Any] | None = None,
) -> SettleRequest:
    """Read a scenario and return what to play.

    Parameters
    ----------
    scenario
        A path to a TOML file, or the same keys as a mapping.
    bots
        The ladder, the weakest bot first; by default the game's.
    claims
        Names of families of claims; by default the seats, and everything that chance deals to the seats.
    margin
        The largest change that does not matter, in pp; by default the scenario's margin.
    first_look, most_games
        As in `SettleRequest`.
    replaced
        Values that replace other keys of the scenario, such as `seed` and `players`.

    Raises
    ------
    RogsimError
        If the scenario or a bot cannot be played, or if an argument is not allowed.
    """
    keys = {**(replaced or {}), "margin": margin}
    names = list(bots) if bots is not None else list(load(scenario, keys, "--").spec.ladder)
    _check_names(names, bots is not None)
    loaded = [load(scenario, {**keys, "bots": [name]}, "--") for name in names]
    rungs = tuple(_design_point(made, name) for made, name in zip(loaded, names, strict=True))
    first = rungs[0].experiment
    check_rivals(first.spec, first.scenario.players, "settle")
    families = _chosen(first, claims)
    check_range("--first-look", first_look, FEWEST_FIRST, MOST_GAMES // games_of_look(LOOKS, 1))
    check_range("--games", most_games, 1, MOST_GAMES)
    request = SettleRequest(loaded[-1], rungs, families, first.scenario.margin, first_look, most_games)
    if request.looks() < 1:
        fewest = first_look * len(names)
        raise ArgumentError(f"--games: {most_games} is not allowed: the first look needs {fewest:,} games")
    return request


def _chosen(experiment: Experiment, claims: Sequence[str] | None) -> tuple[ClaimFamily, ...]:
    known = {family.name: family for family in families_of(experiment.spec, experiment.scenario.options)}
    if claims is None:
        return tuple(known.values())
    for name in claims:
        if name not in known:
            topics = {topic.name for topic in experiment.spec.topics if topic.kind == "level"}
            why = "they are not dealt at random in this scenario; " if name in topics else ""
            raise ArgumentError(f'--claims: "{name}" is not allowed: {why}choose from {", ".join(known)}')
    return tuple(known[name] for name in dict.fromkeys(claims))


def _check_names(names: Sequence[str], given: bool) -> None:
    if not names:
        raise ArgumentError("--bots: this game has no ladder of its own: name its bots, the weakest first")
    check_distinct("--bots", names)
    if not RUNGS <= len(names) <= MOST_RUNGS:
        rule = f"a ladder has {RUNGS} to {MOST_RUNGS} bots, the weakest first"
        raise ArgumentError(f"--bots: {len(names)} given, and {rule}" if given else rule)


def _design_point(experiment: Experiment, name: str) -> DesignPoint:
    scenario = experiment.scenario.model_copy(update={"sweep": None, "balance": None})
    return DesignPoint(name, {}, replace(experiment, name=name, scenario=scenario))


def _doubles(first: str, second: str) -> bool:
    """Return whether two names are the same bot, with one number twice as large in the second."""
    (base, before), (other, after) = map(_base_and_numbers, (first, second))
    if base != other or before.keys() != after.keys():
        return False
    differing = [key for key in before if before[key] != after[key]]
    return len(differing) == 1 and math.isclose(after[differing[0]], 2 * before[differing[0]])


def _base_and_numbers(name: str) -> tuple[str, dict[str, float]]:
    parts = read_bot_name(name)
    changes = (change.split("=", 1) for change in parts.changes.split("+") if change)
    return parts.base, {key: float(value) for key, value in changes}


def allocate(games: Sequence[int], more: int, spreads: Floats) -> tuple[int, ...]:
    """Return the games of the last rungs after `more` games have been dealt out among them.

    Each share goes to the rung where it lowers the variance of the two tested changes most. How long a game takes does
    not count, because it differs between machines and the plan must not. The covariance of rungs on the same deals is
    ignored: it is small for bots that play differently.

    Parameters
    ----------
    games
        Games of each of the last rungs so far.
    more
        Further games, all rungs together.
    spreads : float64[rungs]
        Variance of a claim's effect for one game of each rung.
    """
    counts, left = list(games), more
    share = max(1, more // SHARES)
    while left > 0:
        size = min(share, left)
        gains = [
            IN_CHANGES[place] * spreads[place] * (1 / count - 1 / (count + size)) for place, count in enumerate(counts)
        ]
        best = int(np.argmax(gains))
        counts[best] += size
        left -= size
    return tuple(counts)


def spreads_of(undecided: Sequence[EffectSeries], games: Sequence[int]) -> Floats:
    """Return the mean variance for one game over the undecided claims, of each of the last rungs, float64[rungs]."""
    places = range(-RUNGS, 0)
    found = [[series.covariance[place, place] * games[place] for place in places] for series in undecided]
    means = np.array([np.mean([row[place] for row in found if row[place] > 0] or [1.0]) for place in range(RUNGS)])
    return np.asarray(means, dtype=np.float64)


def rounded_down(match: DesignPoint, games: int) -> int:
    """Return the games of a match in whole cycles of line-ups, at least one."""
    cycle = games_of(match)
    return max(1, games // cycle) * cycle


def steps_of(request: SettleRequest, matches: Sequence[DesignPoint], played: Sequence[Results]) -> Iterator[RungStep]:
    """Yield how far each bot leads the one below it, from the matches of one player count and their results."""
    pairs = list(pairwise(request.bots))
    scores = [_scores(*one) for one in zip(matches, played, pairs, strict=True)]
    tests = judge_steps(scores, games_of(matches[0]), len(request.experiment.scenario.players))
    for (below, bot), results, test in zip(pairs, played, tests, strict=True):
        ((players, games),) = results.manifest["games"].items()
        low, high = (None if math.isnan(end) else end for end in (test.low, test.high))
        p = {"p_stronger": test.p_stronger, "p_weaker": test.p_weaker}
        yield RungStep(players=int(players), bot=bot, below=below, lead=test.lead, low=low, high=high, games=games, **p)


def match_of(request: SettleRequest, players: int, pair: tuple[str, str]) -> DesignPoint:
    """Return the design point of a step of a ladder: the games of the two bots, one cycle of line-ups."""
    experiment = request.experiment
    keys = {
        **experiment.scenario.model_dump(mode="json", exclude={"sweep", "balance", "until"}),
        "players": [players],
        "games": 1,
        "bots": seats_of(pair, players),
    }
    made = load(keys, None, "", experiment.folder, experiment.runs_programs)
    label = f"{pair[1]} against {pair[0]}"
    return DesignPoint(label, {}, replace(made, name=experiment.name, mirrored=True))


def _scores(match: DesignPoint, results: Results, pair: tuple[str, str]) -> Floats:
    """Return a score for each cycle: two bots that are equally strong need not be so in every line-up."""
    below, bot = pair
    (plan,) = plans(match.experiment).values()
    return block_scores(rank_rows(results), bot, below).reshape(-1, len(plan.line_ups)).mean(axis=1)


@dataclass(frozen=True, kw_only=True)
class LadderOutcome(LadderVerdicts):
    """The verdicts on all claims, and how they were found.

    Attributes
    ----------
    stopped_by
        Why play stopped: "decided", "games" or "time".
    """

    request: SettleRequest
    stopped_by: str


@dataclass
class _Table:
    """One player count: its games on each rung and between rungs, and the verdicts of the last look."""

    request: SettleRequest
    resources: Resources
    notify: Notify
    is_late: Callable[[], bool]
    players: int
    look: int = 0
    games: tuple[int, ...] = ()
    claims: tuple[SettledClaim, ...] = ()
    steps: tuple[RungStep, ...] = ()
    played: dict[str, Results] = field(default_factory=dict)  # of each rung and match, by its label

    @cached_property
    def matches(self) -> list[DesignPoint]:
        """Return one design point for each step of the ladder."""
        return [match_of(self.request, self.players, pair) for pair in pairwise(self.request.bots)]

    @property
    def undecided(self) -> list[SettledClaim]:
        return [claim for claim in self.claims if not claim.found.is_decided]

    @property
    def is_rising(self) -> bool:
        return all(step.is_stronger for step in self.steps[1 - RUNGS :])

    @property
    def is_falling(self) -> bool:
        return any(step.is_weaker for step in self.steps[1 - RUNGS :])

    @property
    def is_done(self) -> bool:
        """Return whether all is decided, also that the bots get stronger if that matters, or that one is weaker."""
        matters = any(claim.found.within for claim in self.claims)
        return self.look > 0 and (self.is_falling or (not self.undecided and (self.is_rising or not matters)))

    def advance(self, look: int) -> bool:
        """Play up to a look and judge; return False, without a new verdict, if the time is up before."""
        wanted, before = self._wanted(look), self.games or (0,) * len(self.request.rungs)
        slices = 1 if look == 1 else SLICES
        plan = [
            (rung, low + (high - low) * part // slices)
            for rung, low, high in zip(self.request.rungs, before, wanted, strict=True)
            for part in range(1, slices + 1)
            if high > low
        ]
        matches = zip(self.matches, self.request.matches_at(look), strict=True)
        plan += [(match, rounded_down(match, games)) for match, games in matches]
        for point, games in plan:
            if look > 1 and self.is_late():
                return False
            self.notify(f"{self.players} players, look {look}: {games:,} games of {point.label}")
            self._play(point, games)
        self.games, self.look = wanted, look
        self.steps = tuple(steps_of(self.request, self.matches, [self.played[match.label] for match in self.matches]))
        self.claims = tuple(self._judge())
        return True

    def _play(self, point: DesignPoint, games: int) -> None:
        """Play a design point up to a number of games, and keep the results."""
        known = self.played.get(point.label)
        found = known.first_games(self.players, games) if known else None
        if found is None:  # otherwise all are stored, and their files were checked when they were opened
            point = point.with_games(games).with_players(self.players)
            (found,) = play_design_points([point], self.resources, show=False)
        self.played[point.label] = found

    def _wanted(self, look: int) -> tuple[int, ...]:
        """Return the games of each rung at a look."""
        if look == 1:
            return (self.request.first_look,) * len(self.request.rungs)
        if not self.undecided:
            return self.games
        below, top = self.games[:-RUNGS], self.games[-RUNGS:]
        spreads = spreads_of([claim.found.series for claim in self.undecided], self.games)
        return below + allocate(top, max(0, self.request.games_at(look) - sum(top)), spreads)

    def _judge(self) -> Iterator[SettledClaim]:
        families, top = self.request.families, sum(self.games[-RUNGS:])
        estimands = [Estimand("win_share", family.column) for family in families]
        measured = [measure(self.played[bot], self.players, estimands) for bot in self.request.bots]
        for family, rungs in zip(families, zip(*measured, strict=True), strict=True):
            series = series_of(rungs)
            if family.column == "seat" and len(series) == 2:
                series = series[:1]  # the other side has the same effect with the opposite sign
            earlier = {claim.found.series.name: claim.found for claim in self.claims if claim.family == family}
            for found in settle(series, self.request.margin, self.look, earlier, self.is_rising):
                helps = math.isfinite(found.growth) and not self.is_falling
                more = two_figures(top * (found.growth - 1)) if helps else None
                yield SettledClaim(family, self.players, found, self.games, more)


def play_ladder(
    request: SettleRequest,
    resources: Resources,
    minutes: float | None = None,
    notify: Notify = lambda _: None,
    clock: Callable[[], float] = time.monotonic,
) -> LadderOutcome:
    """Play the missing games of a ladder and return the verdicts.

    Parameters
    ----------
    minutes
        After this time no further games are begun; the first look is always completed.
    notify
        Receives lines on progress.
    clock
        Returns the time in seconds.
    """
    end = math.inf if minutes is None else clock() + 60 * minutes
    tables = [
        _Table(request, resources, notify, lambda: clock() > end, players)
        for players in request.experiment.scenario.players
    ]
    return LadderOutcome(
        stopped_by=_play_looks(request, tables),
        played=request.played,
        rungs=request.bots_as_rungs,
        step=request.step,
        margin=request.margin,
        first_look=request.first_look,
        families=request.families,
        claims=tuple(claim for table in tables for claim in table.claims),
        games={table.players: table.games for table in tables},
        steps=tuple(step for table in tables for step in table.steps),
        request=request,
    )


def _play_looks(request: SettleRequest, tables: Sequence[_Table]) -> str:
    """Play look by look, and return why play stopped."""
    for look in range(1, request.looks() + 1):
        for table in tables:
            if not table.is_done and not table.advance(look):
                return "time"
        if all(table.is_done for table in tables):
            return "decided"
    return "games"
