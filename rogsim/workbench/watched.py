"""A game that is watched: what a page shows of each step, and what is known by now of chances and choices."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, repeat

from rogsim.game.kit.drawing import Panel
from rogsim.workbench.judge import Judge, Known, Sample
from rogsim.workbench.played import Played
from rogsim.workbench.position import Shown, outcome, shown

MOST_MOMENTS = 120  # positions of a game whose chances are charted
# Games for each chance, and worlds in which the choices of a step are tried, at each look.
LOOKS = (25, 40), (100, 400), (400, 2_000)
MORE_NOW = 4  # times as many games for the chances of the step that is shown
MOST_TRIED = 60_000  # games for all choices of a step
AT_ONCE = 0.1  # seconds of games that are played without a look at the clock
MOST_POSITIONS = 64  # drawings that are kept
SHOWN = 12  # choices that are listed at once
STEPS_OF_GAME = 2**24  # more than any game that can be watched has
WIDE, HIGH = 1000, 100  # of a chart, before it is stretched


@dataclass(frozen=True)
class SeatShown:
    """A seat at a step: who plays, what it has, and its chance to win."""

    seat: int
    name: str
    points: int
    panel: Panel
    chance: Known | None
    acts: bool


@dataclass(frozen=True)
class ChoiceShown:
    """What a seat could do, and what that would win more than what it does; None as long as that is not known."""

    words: str
    gain: Known | None


@dataclass(frozen=True)
class Frame:
    """What a page shows of a step.

    Attributes
    ----------
    heading
        What happens now.
    story
        What the seat does, in sentences.
    taken
        The same as a choice; empty at the end.
    value
        What it is worth for the seat, and from how many games.
    """

    step: int
    heading: str
    position: Shown
    seats: tuple[SeatShown, ...]
    games: int
    story: tuple[str, ...] = ()
    actor: int = 0
    taken: str = ""
    value: Known | None = None
    worlds: int = 0
    choices: tuple[ChoiceShown, ...] = ()


@dataclass(frozen=True)
class Band:
    """A seat, or a side, in a chart: the points of its shape, and where its name goes in percent; -1 for nowhere."""

    seat: int
    name: str
    points: str
    label: tuple[float, float]


@dataclass
class Watched:
    """A game that is watched, and what was found by playing on from its positions."""

    played: Played
    chances: dict[int, Sample] = field(default_factory=dict)
    tried: dict[int, Sample] = field(default_factory=dict)
    _positions: dict[int, Shown] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _pace: float = 0.0  # seconds for a game that is played on, once it is known

    @cached_property
    def judge(self) -> Judge:
        """Return who plays on; its bots may have to be compiled."""
        played = self.played
        return Judge(played.spec, played.setup, played.session.players, played.bots)

    @cached_property
    def moments(self) -> list[int]:
        """Return the steps whose chances are charted: the beginnings of turns, or some of them, and the end."""
        turns = self.played.turns
        return [*turns[:: -(-len(turns) // MOST_MOMENTS)], self.played.last]

    def think(self, step: int, seconds: float) -> bool:
        """Play on for some time, what concerns a step first; return False if there is nothing left to do."""
        self.position(min(step + 1, self.played.last))  # which is probably asked for next
        with self._lock:
            begin = time.monotonic()
            for sample, wanted in self._wanted(step):
                while sample.n < wanted:
                    games = int(AT_ONCE / self._pace / sample.games) if self._pace else 1
                    worlds = max(1, min(wanted - sample.n, games))
                    before = time.monotonic()
                    self.judge.play(sample, worlds)
                    now = time.monotonic()
                    if sample.n > worlds or self._pace:  # in the first game, the rules were compiled
                        self._pace = max((now - before) / worlds / sample.games, 1e-6)
                    if now - begin > seconds:
                        return True
            return False

    def think_through(self) -> None:
        """Play on until the chances of all turns are as well known as they will be, and those of all steps roughly."""
        while self.think(self.played.last, 1.0):
            pass
        for step in range(self.played.last):
            with self._lock:
                sample = self._chance(step)
                self.judge.play(sample, max(LOOKS[1][0] - sample.n, 0))

    def _wanted(self, step: int) -> Iterator[tuple[Sample, int]]:
        for games, worlds in LOOKS:
            if step < self.played.last:
                yield self._chance(step), MORE_NOW * games
                if len(legal := self.played.choices[step].legal) > 1:
                    yield self._try(step), min(worlds, MOST_TRIED // len(legal))
            for moment in self.moments[:-1]:
                yield self._chance(moment), games

    def _number(self, step: int, kind: int) -> int:
        return self.played.session.deal % 2**36 * STEPS_OF_GAME + 2 * step + kind

    def _chance(self, step: int) -> Sample:
        if step not in self.chances:
            session = self.played.session
            self.chances[step] = self.judge.chances(self.played.state(step), session.seed, self._number(step, 0))
        return self.chances[step]

    def _try(self, step: int) -> Sample:
        if step not in self.tried:
            choice, seed = self.played.choices[step], self.played.session.seed
            self.tried[step] = self.judge.choices(choice.state, choice.seat, choice.legal, seed, self._number(step, 1))
        return self.tried[step]

    def known(self, step: int) -> tuple[Known, ...] | None:
        """Return the chances of all seats at a step, if they are known: at the end, they are the result."""
        if step == self.played.last:
            return tuple(Known(standing.win_share, 0.0) for standing in self.played.standing)
        sample = self.chances.get(step)
        return sample.chances if sample and sample.n else None

    @property
    def games(self) -> int:
        """Return the fewest games from a charted position."""
        return min((sample.n if (sample := self.chances.get(step)) else 0 for step in self.moments[:-1]), default=0)

    @property
    def is_scaled(self) -> bool:
        """Return whether seats see different things, so that their chances may add up to something else."""
        return any(len(sample.viewers) > 1 for sample in self.chances.values())

    @property
    def reach(self) -> float:
        """Return how far the widest interval of the chart reaches."""
        known = [self.known(step) or () for step in self.moments]
        return max((chance.reach for chances in known for chance in chances), default=1.0)

    def position(self, step: int) -> Shown:
        """Return the position at a step as pages show it."""
        if step not in self._positions:
            if len(self._positions) >= MOST_POSITIONS:
                self._positions.clear()
            self._positions[step] = shown(self.played.spec, self.played.setup, self.played.state(step))
        return self._positions[step]

    def frame(self, step: int) -> Frame:
        """Return what a page shows of a step."""
        played = self.played
        position = self.position(step)
        at_end, chances = step == played.last, self.known(step)
        actor = -1 if at_end else played.choices[step].seat
        own = zip(played.names, played.points[step], position.seats, chances or repeat(None), strict=False)
        seats = tuple(SeatShown(seat, *has, seat == actor) for seat, has in enumerate(own))
        games = sample.n if (sample := self.chances.get(step)) else 0
        if at_end:
            names = [f"seat {seat + 1} ({name})" for seat, name in enumerate(played.names)]
            return Frame(step, outcome(played.standing, names), position, seats, games)
        choice, tried = played.choices[step], self.tried.get(step)
        heading = f"Turn {choice.turn} of {played.choices[-1].turn}: seat {actor + 1} ({played.names[actor]}) chooses"
        taken, story = played.words(step, choice.taken), choice.told
        others = [action for action in choice.legal if action != choice.taken]
        about = step, heading, position, seats, games, story or (f"{taken}.",), actor, taken
        if tried is None or not tried.n:
            return Frame(*about, choices=tuple(ChoiceShown(played.words(step, action), None) for action in others))
        others.sort(key=lambda action: -tried.value(action).value)
        gains = (ChoiceShown(played.words(step, action), tried.gain(action, choice.taken)) for action in others)
        return Frame(*about, tried.value(choice.taken), tried.n, tuple(gains))

    @property
    def bands(self) -> list[Band]:
        """Return the chances of all sides as bands, one above the other, over the moments that are known."""
        known = [(step, chances) for step in self.moments if (chances := self.known(step))]
        sides = self.played.spec.sides(self.played.session.players).of_seats
        seats = [sides.index(side) for side in dict.fromkeys(sides)]
        levels = [_levels([chances[seat].value for seat in seats]) for _, chances in known]
        found = []
        for number, seat in enumerate(seats):
            across = [self._across(step) for step, _ in known]
            upper = [f"{x:.1f},{HIGH * level[number]:.2f}" for x, level in zip(across, levels, strict=True)]
            lower = [f"{x:.1f},{HIGH * level[number + 1]:.2f}" for x, level in zip(across, levels, strict=True)]
            thick = [level[number + 1] - level[number] for level in levels]
            place = max(range(len(thick)), key=lambda at: thick[at] if 0.03 < across[at] / WIDE < 0.97 else 0.0)
            middle = 50 * (levels[place][number] + levels[place][number + 1])
            at = (across[place] / WIDE * 100, middle) if thick[place] > 0.15 else (-1.0, -1.0)
            together = [str(other + 1) for other, side in enumerate(sides) if side == sides[seat]]
            found.append(Band(seat, "+".join(together), " ".join([*upper, *reversed(lower)]), at))
        return found

    def _across(self, step: int) -> float:
        return WIDE * step / max(self.played.last, 1)

    @property
    def most_points(self) -> int:
        """Return the most points that a seat has at any step."""
        return max(max(each) for each in self.played.points)

    @cached_property
    def race(self) -> list[str]:
        """Return the points of each seat over the steps, as the points of a line."""
        points, most = self.played.points, self.most_points
        least = min(0, *(min(each) for each in points))
        return [
            " ".join(
                f"{self._across(step):.1f},{HIGH * (1 - (each[seat] - least) / max(most - least, 1)):.1f}"
                for step, each in enumerate(points)
            )
            for seat in range(self.played.session.players)
        ]


def _levels(values: list[float]) -> list[float]:
    """Return the sums of the first values, scaled if all are more than 1; of the chances of all sides, that is why.

    What each seat expects adds up to something else, where each sees something else; and everyone may lose.
    """
    whole = sum(values) if len(values) > 1 else 1.0
    return [0.0, *(value / (whole or 1.0) for value in accumulate(values))]
