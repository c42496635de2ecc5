"""Plays a ladder of strength, look by look, until every claim is decided or the games or the time are used up.

Every rung first plays equally many games. From then on only the last three rungs play, because the verdicts compare
them. Their games together double from one look to the next. So do the games in which neighbouring bots play each other,
a tenth as many, which go on alone if only the strength of the bots is still unknown. Verdicts are found only at these
planned looks: a time limit decides how many looks there are, and nothing else.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rogsim.base.progress import Notify
from rogsim.experiments.design_points import DesignPoint, Resources, play_design_points
from rogsim.experiments.settle.allocation import allocate, spreads_of
from rogsim.experiments.settle.ladder_verdicts import ClaimFamily, LadderVerdicts, RungStep, SettledClaim
from rogsim.experiments.settle.rung_steps import matches_of, rounded_down, steps_of
from rogsim.experiments.settle.strength_ladder import SettleRequest
from rogsim.results.results import Results
from rogsim.stats.paired.common_random_numbers import Estimand, Estimates, measure
from rogsim.stats.prospects import two_figures
from rogsim.stats.settling import RUNGS, series_of, settle

SLICES = 4  # in which a rung's games of one look are played; between them the time is checked


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

    players: int
    matches: tuple[DesignPoint, ...]
    look: int = 0
    games: tuple[int, ...] = ()
    claims: tuple[SettledClaim, ...] = ()
    steps: tuple[RungStep, ...] = ()
    results: list[Results] = field(default_factory=list)
    matched: list[Results] = field(default_factory=list)

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
    end = None if minutes is None else clock() + 60 * minutes
    tables = [_Table(players, matches_of(request, players)) for players in request.experiment.scenario.players]
    for look in range(1, request.looks() + 1):
        for table in tables:
            if table.is_done:
                continue
            if not _advance(request, table, look, resources, notify, lambda: end is not None and clock() > end):
                return _outcome(request, tables, "time")
        if all(table.is_done for table in tables):
            return _outcome(request, tables, "decided")
    return _outcome(request, tables, "games")


def _advance(
    request: SettleRequest,
    table: _Table,
    look: int,
    resources: Resources,
    notify: Notify,
    is_late: Callable[[], bool],
) -> bool:
    """Play up to a look and judge; return False, without a new verdict, if the time is up before."""
    wanted = _wanted(request, table, look)
    before = table.games or (0,) * len(wanted)
    for place, (low, high) in enumerate(zip(before, wanted, strict=True)):
        slices = 1 if look == 1 else SLICES
        for part in range(1, slices + 1):
            if look > 1 and high > low and is_late():
                return False
            games = low + (high - low) * part // slices
            if games > low:
                notify(f"{table.players} players, look {look}: {games:,} games of {request.bots[place]}")
                _play(request.rungs[place], table.players, table.results, place, games, resources)
    for place, (match, about) in enumerate(zip(table.matches, request.matches_at(look), strict=True)):
        if look > 1 and is_late():
            return False
        games = rounded_down(match, about)
        notify(f"{table.players} players, look {look}: {games:,} games of {match.label}")
        _play(match, table.players, table.matched, place, games, resources)
    table.games, table.look = wanted, look
    table.steps = tuple(steps_of(request, table.matches, table.matched))
    table.claims = _judge(request, table)
    return True


def _play(
    point: DesignPoint, players: int, results: list[Results], place: int, games: int, resources: Resources
) -> None:
    """Play a design point up to a number of games, and keep the results at its place."""
    found = results[place].first_games(players, games) if place < len(results) else None
    if found is None:  # otherwise all are stored, and their files were checked when they were opened
        (found,) = play_design_points([point.with_games(games).with_players(players)], resources, show=False)
    results[place : place + 1] = [found]


def _wanted(request: SettleRequest, table: _Table, look: int) -> tuple[int, ...]:
    """Return the games of each rung at a look."""
    if look == 1:
        return (request.first_look,) * len(request.rungs)
    if not table.undecided:
        return table.games
    below, top = table.games[:-RUNGS], table.games[-RUNGS:]
    spreads = spreads_of([claim.found.series for claim in table.undecided], table.games)
    more = max(0, request.games_at(look) - sum(top))
    return below + allocate(top, more, spreads)


def _judge(request: SettleRequest, table: _Table) -> tuple[SettledClaim, ...]:
    estimands = [Estimand("win_share", family.column) for family in request.families]
    measured = [measure(results, table.players, estimands) for results in table.results]
    found: list[SettledClaim] = []
    for place, family in enumerate(request.families):
        found += _claims(request, table, family, [estimates[place] for estimates in measured])
    return tuple(found)


def _claims(
    request: SettleRequest, table: _Table, family: ClaimFamily, rungs: Sequence[Estimates]
) -> Sequence[SettledClaim]:
    series = series_of(rungs, 1 / table.players)
    if family.column == "seat" and table.players == 2:
        series = series[:1]  # the other seat has the same effect with the opposite sign
    top = sum(table.games[-RUNGS:])
    earlier = {claim.found.series.name: claim.found for claim in table.claims if claim.family == family}
    made = []
    for found in settle(series, request.margin, table.look, earlier, table.is_rising):
        helps = math.isfinite(found.growth) and not table.is_falling
        more = two_figures(top * (found.growth - 1)) if helps else None
        made.append(SettledClaim(family, table.players, found, table.games, more))
    return made


def _outcome(request: SettleRequest, tables: Sequence[_Table], why: str) -> LadderOutcome:
    return LadderOutcome(
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
        stopped_by=why,
    )
