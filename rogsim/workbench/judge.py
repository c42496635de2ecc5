"""Judging positions: chances to win, and what choices are worth, from games that are played on from there.

What a seat cannot see and all chance to come are dealt anew for each game. The chance of a seat is from what it sees
itself, and so is the worth of its choices: they all meet the same worlds and the same chance, so that their differences
are known far better than their values.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rogsim.base.errors import RogsimError
from rogsim.base.text import listing
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.bots.names import read_bot_name
from rogsim.game.bot import Bot
from rogsim.game.compiler import records
from rogsim.game.kit.loop import line_up_arrays, observe
from rogsim.game.kit.playing import new_workspace
from rogsim.game.kit.playing_on import play_on
from rogsim.game.rng import STREAM, game_key
from rogsim.game.rules import NO_ACTION, NOTHING, array_of
from rogsim.game.spec import GameSpec

SALT = 0x6A75646765  # worlds are dealt from streams of their own, whose keys no game has
CONFIDENCE = 0.95
Viewers = Mapping[int, Sequence[int]]


class Known(NamedTuple):
    """A share of the win, or a difference of two, from 0 to 1: its estimate, and how far its interval reaches."""

    value: float
    reach: float

    @property
    def is_clear(self) -> bool:
        """Return whether the interval leaves out 0."""
        return abs(self.value) > self.reach


@dataclass
class Sample:
    """Games that were played on from a position, once after each action in every world.

    Attributes
    ----------
    position
        The position, a record of the dtype `Rules.holder`.
    viewers
        By each seat as whose view worlds are dealt, the seats whose win shares are taken from there: those to which the
        position looks the same.
    actions
        What the actor does first; `NO_ACTION` if its bot chooses.
    seat
        The seat whose shares choices are compared by.
    key
        Determines all worlds.
    n
        The number of worlds so far.
    totals : float64[actions, seats]
        The win shares, added up.
    products : float64[actions, actions]
        Of every two actions, the products of the win shares of the seat, added up.
    """

    position: Any
    viewers: Viewers
    actions: NDArray[np.int64]
    seat: int
    key: int
    n: int
    totals: NDArray[np.float64]
    products: NDArray[np.float64]

    @property
    def games(self) -> int:
        """Return the number of games in each world."""
        return len(self.actions) * len(self.viewers)

    @property
    def chances(self) -> tuple[Known, ...]:
        """Return the share of the win of each seat, if the bots choose."""
        return tuple(_share(total / self.n, self.n) for total in self.totals[0])

    def value(self, action: int) -> Known:
        """Return the share of the win of the seat after an action."""
        return _share(self.totals[self._place(action), self.seat] / self.n, self.n)

    def gain(self, action: int, other: int) -> Known:
        """Return what an action wins more than another one; all gains of a position hold together."""
        one, two = self._place(action), self._place(other)
        if one == two:
            return Known(0.0, 0.0)
        value = (self.totals[one, self.seat] - self.totals[two, self.seat]) / self.n
        squares = self.products[one, one] + self.products[two, two] - 2 * self.products[one, two]
        # Four more worlds, two of them won and two lost by the choice: few worlds may not differ at all by luck.
        spread = (squares + 4) / (self.n + 4) - value * value
        return Known(float(value), _quantile(len(self.actions) - 1) * sqrt(max(spread, 0.0) / self.n))

    @property
    def best(self) -> int:
        """Return the action with the highest share so far."""
        return int(self.actions[int(np.argmax(self.totals[:, self.seat]))])

    def _place(self, action: int) -> int:
        return int(np.flatnonzero(self.actions == action)[0])


@cache
def _quantile(comparisons: int) -> float:
    return NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / max(comparisons, 1))


def _share(value: float, n: int) -> Known:
    """Return a share with the farther end of its interval by Wilson; a shared win varies less than it assumes."""
    z = _quantile(1)
    middle = (value + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * sqrt(max(value * (1 - value), 0.0) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Known(float(value), float(abs(middle - value) + reach))


def quick_bot(spec: GameSpec) -> Bot:
    """Return the strongest bot of a game that chooses at once."""
    names = [name for name in spec.ladder if _is_quick(spec, name)]
    return compile_bot(spec, find_bot(spec, names[-1] if names else spec.bots[0].name, Path()))


def _is_quick(spec: GameSpec, name: str) -> bool:
    base = read_bot_name(name).base
    return any(info.name == base and info.quick_games is None for info in spec.bots)


class Judge:
    """Plays games of one kind on from positions, with the same bots at the seats.

    The strongest quick bot of the game plays on for people, bots from elsewhere and bots that think for long.

    Attributes
    ----------
    words
        Who plays on, as in "as tuned plays on".
    """

    def __init__(self, spec: GameSpec, setup: Any, players: int, bots: Sequence[Bot | None]) -> None:
        """Prepare to play on.

        Parameters
        ----------
        setup
            What `spec.prepare` returned.
        bots
            The bot of each seat; None for a person.
        """
        self._rules, self._players = spec.rules, players
        self._lock = threading.Lock()
        chosen = [bot if bot and bot.choose and not bot.foreign and _is_quick(spec, bot.name) else None for bot in bots]
        stand_in = None if all(chosen) else quick_bot(spec)
        seated = [bot or stand_in for bot in chosen]
        names = list(dict.fromkeys(bot.name for bot in seated if bot))
        self.words = f"as {listing(names)} {'plays' if len(names) == 1 else 'play'} on"
        line_up = {bot.name: bot for bot in seated if bot}
        seating = np.array([names.index(bot.name) for bot in seated if bot], np.int64)
        in_place = spec.rules.hidden is not NOTHING
        compiled = line_up_arrays(tuple(line_up.values()), spec.rules.most_seats, in_place=in_place)
        self._table = spec.rules.tables_of(setup), new_workspace(spec.rules), *compiled, seating
        self._world, self._stream = records(spec.rules.holder, 1)[0], records(STREAM, 1)[0]

    def chances(self, state: Any, seed: int, number: int) -> Sample:
        """Return an empty sample of the chances in a position; the seed and the number determine its games."""
        views: dict[bytes, list[int]] = {}
        for seat in range(self._players):
            view = records(self._rules.state, 1)
            observe(array_of(state), seat, view)
            views.setdefault(view.tobytes(), []).append(seat)
        alike = {seats[0]: seats for seats in views.values()}
        return self._sample(state, alike, (NO_ACTION,), 0, seed, number)

    def choices(self, state: Any, seat: int, legal: Sequence[int], seed: int, number: int) -> Sample:
        """Return an empty sample of what the legal actions of a seat are worth, as far as it can know."""
        return self._sample(state, {seat: range(self._players)}, legal, seat, seed, number)

    def _sample(
        self, state: Any, viewers: Viewers, actions: Sequence[int], seat: int, seed: int, number: int
    ) -> Sample:
        position, count = records(self._rules.holder, 1)[0], len(actions)
        position.game = state
        totals, products = np.zeros((count, self._players)), np.zeros((count, count))
        key = int(game_key(seed ^ SALT, number))
        return Sample(position, viewers, np.array(actions, np.int64), seat, key, 0, totals, products)

    def play(self, sample: Sample, worlds: int) -> None:
        """Play a sample on in more worlds; RogsimError if the rules fail."""
        for viewer, seats in sample.viewers.items():
            shares = np.zeros((worlds, len(sample.actions), self._players))
            with self._lock:
                start = sample.position, viewer, sample.actions, np.uint64(sample.key), sample.n
                done = play_on(*self._table, *start, self._world, self._stream, shares)
            if done < worlds:
                raise RogsimError("a game that is played on from here does not end")
            sample.totals[:, list(seats)] += shares[:, :, list(seats)].sum(axis=0)
            if viewer == sample.seat:
                own = shares[:, :, sample.seat]
                sample.products += own.T @ own
        sample.n += worlds
