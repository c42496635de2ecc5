"""A trial: one or two sets of rules, played on the same deals for as long as somebody watches.

Its intervals hold at all looks at once (`rogsim.stats.sequential`), so that it may be stopped whenever one likes what
it shows. The games are those of `rogsim run` and `rogsim compare`, in the same folders: nothing is played twice.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from rogsim.base.errors import RogsimError
from rogsim.experiments.design_points import DesignPoint, Resources, play_design_points
from rogsim.game.fair import noun_of
from rogsim.game.registry import get_game
from rogsim.game.topics import SEATS, question_topic
from rogsim.results.results import Results
from rogsim.stats.paired.common_random_numbers import (
    Estimand,
    Estimates,
    difference,
    measure,
    on_same_deals,
    with_common_levels,
)
from rogsim.stats.sequential import ANYTIME_BLOCKS, boundary

FIRST, GROWTH, MOST = 200, 1.5, 200_000  # games for each number of players


class Known(NamedTuple):
    """What is known of a share, from 0 to 1: its value and how far its interval reaches; nan: no interval yet."""

    value: float
    reach: float


@dataclass(frozen=True)
class Level:
    """One level of a question: before, after, and the difference; those of a trial with one set of rules are None."""

    name: str
    fair: float
    before: Known
    after: Known | None = None
    gain: Known | None = None
    n: int = 0  # rows with this level, under each set of rules


@dataclass(frozen=True)
class Answer:
    """The levels of one question with one number of players."""

    topic: str
    title: str
    players: int
    games: int
    levels: tuple[Level, ...]


@dataclass(frozen=True)
class Look:
    """What is known after some games of each set of rules."""

    games: int
    answers: tuple[Answer, ...]


@dataclass
class Trial:
    """One or two design points that are played on, more games each time.

    Attributes
    ----------
    points
        The rules as they are, and as they are changed if they are.
    resources
        Where the games are stored, and who plays.
    most
        The most games for each number of players.
    """

    points: Sequence[DesignPoint]
    resources: Resources
    most: int = MOST
    looks: list[Look] = field(default_factory=list)
    problem: str = ""
    is_over: bool = False
    changed: threading.Condition = field(default_factory=threading.Condition)
    _stopped: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        """Play no more games after those that are being played."""
        self._stopped.set()

    def play(self) -> None:
        """Play until it is stopped or has the most games, and note what is known on the way."""
        try:
            for games in schedule(self.most):
                if self._stopped.is_set():
                    break
                wanted = [point.with_games(games) for point in self.points]
                self.looks.append(look_at(play_design_points(wanted, self.resources, show=False)))
                self._tell()
        except RogsimError as fault:
            self.problem = str(fault)
        finally:
            self.is_over = True
            self._tell()

    def _tell(self) -> None:
        with self.changed:
            self.changed.notify_all()


def schedule(most: int) -> list[int]:
    """Return the numbers of games at which there is a look."""
    found = [FIRST]
    while found[-1] < most:
        found.append(min(int(found[-1] * GROWTH), most))
    return found if all(one < other for one, other in pairwise(found)) else [most]


def look_at(results: Sequence[Results]) -> Look:
    """Return what is known from the results of one or two sets of rules."""
    manifest = results[0].manifest
    counts = [int(players) for players in manifest["games"]]
    found = [one for players in counts for one in _answers(results, players)]
    return Look(min(one.games for one in found) if found else 0, tuple(found))


def _answers(results: Sequence[Results], players: int) -> list[Answer]:
    asked = {SEATS: Estimand("win_share", "seat")}
    titles = {SEATS: "Seats"}
    spec = get_game(results[0].manifest["scenario"]["game"])
    if (name := question_topic(spec.topics, results[0].manifest)) != SEATS:
        topic = next(topic for topic in spec.topics if topic.name == name)
        if topic.kind == "level":
            asked[name], titles[name] = Estimand("win_share", topic.columns[0]), topic.title
    runs = [measure(one, players, list(asked.values())) for one in results]
    if not all(runs):
        return []
    return [
        Answer(name, titles[name], players, min(run.games for run in found), _levels(found))
        for name, found in zip(asked, zip(*runs, strict=True), strict=True)
    ]


def _levels(runs: Sequence[Estimates]) -> tuple[Level, ...]:
    """Return the levels that occur under all rules; a difference is only of deals that both have."""
    runs = with_common_levels(runs)
    if len(runs) == 1:
        known = _known(runs[0])
        rows = zip(runs[0].levels, runs[0].fair, known, runs[0].n, strict=True)
        return tuple(Level(name, float(fair), one, n=int(n)) for name, fair, one, n in rows)
    before, after = on_same_deals(runs)
    each = [_known(found) for found in (before, after, difference(before, after))]
    return tuple(
        Level(name, float(fair), *known, n=int(n))
        for name, fair, *known, n in zip(before.levels, before.fair, *each, before.n, strict=True)
    )


def _known(found: Estimates) -> list[Known]:
    wide = boundary(len(found.deals)) if len(found.deals) >= ANYTIME_BLOCKS else math.nan
    return [Known(float(value), wide * float(error)) for value, error in zip(found.value, found.errors, strict=True)]


__all__ = ["Answer", "Known", "Level", "Look", "Trial", "look_at", "noun_of", "schedule"]
