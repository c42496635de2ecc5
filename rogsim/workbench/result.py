"""What a page shows of a look: the answer, how it was got, and figures, with places in per cent of their width."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from rogsim.base.text import counted
from rogsim.workbench import keep
from rogsim.workbench.trial import Answer, Level, Look, Trial
from rogsim.workbench.verdict import Verdict, change_verdict, fair_verdict, kind_of, sweep_verdict
from rogsim.workbench.wish import MOST_GAMES, Wish, parameter

TICK = 5.0  # games of 100
FARTHEST = 12.0  # games of 100 that an axis reaches beyond the values: first intervals are wide
INSET = 3.0  # per cent of an axis on both sides: the numbers at its ends need room
EDGE = 6.0  # per cent of the width of a figure, on both sides of its numbers


@dataclass(frozen=True)
class Axis:
    """An axis from one number to another, in per cent of its length."""

    low: float
    high: float

    @classmethod
    def of(cls, answers: tuple[Answer, ...]) -> Axis:
        """Return an axis for the shares of some answers: their intervals, unless these are very wide."""
        ends = []
        for level in (level for answer in answers for level in answer.levels):
            for known in (level.before, level.after):
                if known is not None and not math.isnan(known.value):
                    ends += [known.value, max(_or(known.low, known.value), known.value - FARTHEST)]
                    ends += [min(_or(known.high, known.value), known.value + FARTHEST)]
            ends += [] if math.isnan(level.fair) else [level.fair]
        low, high = math.floor(min(ends, default=0) / TICK), math.ceil(max(ends, default=1) / TICK)
        return cls(max(0.0, TICK * low), min(100.0, TICK * max(high, low + 1)))

    def __call__(self, value: float) -> str:
        """Return the place of a number, "12.5%"."""
        part = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return f"{INSET + (100 - 2 * INSET) * part:.2f}%"

    def down(self, value: float) -> str:
        """Return its place from the top."""
        return self(self.low + self.high - value)

    @property
    def ticks(self) -> list[float]:
        """Return the numbers that are named, at most seven."""
        step = TICK
        while (self.high - self.low) / step > 6:
            step *= 2
        return [step * place for place in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


class Result:
    """What a page shows of a look.

    Attributes
    ----------
    look
        None as long as nothing is known.
    """

    def __init__(self, wish: Wish, look: Look | None, running: Trial | None) -> None:
        """Take what is known, and the trial, if there is one, that finds out more."""
        self.wish, self.look, self.running = wish, look, running

    @property
    def is_playing(self) -> bool:
        """Return whether games are being played."""
        return self.running is not None and not self.running.is_over

    @property
    def problem(self) -> str:
        """Return why no more can be played; usually empty."""
        return "" if self.running is None else self.running.problem

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Return the answers that are shown."""
        return () if self.look is None else self.look.answers

    @property
    def is_paired(self) -> bool:
        """Return whether two sets of rules are compared."""
        return bool(self.answers) and self.answers[0].levels[0].gain is not None

    @cached_property
    def verdict(self) -> Verdict:
        """Return the answer to the question."""
        if not self.answers:
            return Verdict("few", "Playing the first games…")
        if self.wish.sweep:
            return sweep_verdict(self.wish.values, self.answers)
        return self.verdict_of(self.answers[0])

    def verdict_of(self, answer: Answer) -> Verdict:
        """Return the answer to one question."""
        return change_verdict(answer) if self.is_paired else fair_verdict(answer)

    def fairness(self, answer: Answer) -> Iterator[tuple[str, Verdict]]:
        """Yield whether anything is favoured as it is, and with the change."""
        if self.is_paired:
            yield "As it is", fair_verdict(answer)
            yield "Changed", fair_verdict(answer, changed=True)

    @property
    def how(self) -> str:
        """Return how the answer was got."""
        if self.look is None:
            return ""
        sets = f"each of {len(self.answers)} numbers" if self.wish.sweep else "both sets of rules"
        together = f" with {sets}, on the same deals" if self.wish.sweep or self.is_paired else ""
        games = counted(self.look.games, "game") + together
        bots = self.wish.bots or self.wish.usual_bots
        who = f"{bots}, in changing seats" if "," in bots else f"{bots} in every seat"
        return f"{games}; {counted(self.look.players, 'player')}, {who}."

    @property
    def more(self) -> int:
        """Return up to how many games would be played next; 0 if there can be no more."""
        if self.look is None or self.look.games < self.wish.most:
            return self.wish.most
        return min(2 * self.look.games, MOST_GAMES) if self.look.games < MOST_GAMES else 0

    @property
    def command(self) -> str:
        """Return the command that plays the same; empty if there is none."""
        return keep.command_of(self.wish, self.look.games) if self.look else ""

    def address(self, action: str) -> str:
        """Return the address of an action on this page."""
        return f"/change/{quote(self.wish.scenario.name)}/{action}{self.wish.query and '?'}{self.wish.query}"

    def axis(self, answer: Answer) -> Axis:
        """Return the axis of the shares of an answer."""
        return Axis.of((answer,))

    @cached_property
    def curve(self) -> Curve:
        """Return the figure of a sweep."""
        return Curve(self)


class Curve:
    """The figure of a sweep: the share of each level with each number."""

    def __init__(self, result: Result) -> None:
        """Place the numbers of a sweep that has been looked at."""
        self.values, self.answers = result.wish.values, result.answers
        self.shares = Axis.of(self.answers)
        found = parameter(result.wish.spec, result.wish.sweep)
        self.printed = found.value if found is not None and found.value in self.values else None

    def across(self, value: int) -> str:
        """Return the place of a number from the left."""
        low, high = self.values[0], self.values[-1]
        return f"{EDGE + (100 - 2 * EDGE) * (value - low) / (high - low):.2f}%"

    @property
    def lines(self) -> list[tuple[str, dict[int, Level]]]:
        """Return the levels by name, each with its share by number; a level may not occur with every number."""
        pairs = list(zip(self.values, self.answers, strict=True))
        names = dict.fromkeys(level.name for answer in self.answers for level in answer.levels)
        return [
            (name, {value: level for value, answer in pairs for level in answer.levels if level.name == name})
            for name in names
        ]

    @property
    def bands(self) -> list[tuple[float, str, float]]:
        """Return each fair share, how high the band around it is, and where that begins."""
        margin, shares = self.answers[0].margin, self.shares
        fair = {level.fair for level in self.answers[0].levels if not math.isnan(level.fair)}
        ends = [(one, max(one - margin, shares.low), min(one + margin, shares.high)) for one in sorted(fair)]
        return [
            (one, f"{(100 - 2 * INSET) * (high - low) / (shares.high - shares.low):.2f}%", high)
            for one, low, high in ends
        ]

    @property
    def kinds(self) -> list[str]:
        """Return what is shown of each number."""
        return [kind_of(answer) for answer in self.answers]


def _or(value: float, instead: float) -> float:
    return instead if math.isnan(value) else value
