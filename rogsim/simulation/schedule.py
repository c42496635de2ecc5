"""The plan of games: blocks that share a deal, with the bots of each block rotated over the seats.

The plan repeats in cycles. A cycle plays every line-up of bots once, each in all its different seat rotations. So a
plan of any length is a short table, and any range of its games can be computed directly.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Games:
    """Several planned games.

    Attributes
    ----------
    game : int64[n]
        Their indices in the plan.
    block : int64[n]
        Games of one block are rotations of one line-up and share a deal.
    deals : int64[n]
        Number of the deal.
    line_up : int64[n]
        Index into the plan's line-ups.
    seating : int8[n, players]
        For each seat the index of its bot in the line-up.
    """

    game: NDArray[np.int64]
    block: NDArray[np.int64]
    deals: NDArray[np.int64]
    line_up: NDArray[np.int64]
    seating: NDArray[np.int8]


@dataclass(frozen=True)
class Plan:
    """All games for one player count.

    Attributes
    ----------
    games
        The requested number, rounded up to whole cycles.
    line_ups
        Names of the bots of each line-up.
    cycle_line_up : int64[cycle]
        The line-up of each game of a cycle.
    cycle_seating : int8[cycle, players]
        For each seat the index of its bot in the line-up.
    """

    players: int
    games: int
    line_ups: tuple[tuple[str, ...], ...]
    cycle_line_up: NDArray[np.int64]
    cycle_seating: NDArray[np.int8]

    @property
    def cycle(self) -> int:
        """Return the number of games in a cycle."""
        return len(self.cycle_line_up)

    def slice(self, start: int, stop: int) -> Games:
        """Return the games start..stop-1 of the plan."""
        return self.pick(np.arange(start, stop, dtype=np.int64))

    def pick(self, game: NDArray[np.int64]) -> Games:
        """Return the games with these indices in the plan, int64[n]."""
        cycle, within = np.divmod(game, self.cycle)
        line_up = self.cycle_line_up[within]
        block = cycle * len(self.line_ups) + line_up
        return Games(game=game, block=block, deals=block, line_up=line_up, seating=self.cycle_seating[within])


def plan(bots: Sequence[str], players: int, games: int, mirrored: bool = False) -> Plan:
    """Plan at least `games` games: one bot takes every seat, several are combined into line-ups of `players`.

    Parameters
    ----------
    mirrored
        Also rotate each line-up in the opposite order, on the same deals. Each of two bots then sits before the
        other equally often, at every distance.

    Raises
    ------
    ValueError
        If there are several bots, but fewer than players.
    """
    line_ups = line_ups_of(bots, players)
    seatings = [rotations(line_up, mirrored) for line_up in line_ups]
    cycle_line_up = np.repeat(np.arange(len(line_ups)), [len(seating) for seating in seatings])
    cycle = len(cycle_line_up)
    return Plan(players, -(-games // cycle) * cycle, line_ups, cycle_line_up, np.concatenate(seatings))


def line_ups_of(bots: Sequence[str], players: int) -> tuple[tuple[str, ...], ...]:
    """Return the line-ups of one cycle: each combination of the bots, repeated as often as repeated bots require.

    ValueError if there are several bots, but fewer than players.
    """
    if len(bots) == 1:
        return ((bots[0],) * players,)
    if len(bots) < players:
        raise ValueError(f"{len(bots)} bots are too few for {players} players")
    together = sorted(bots, key=list(bots).index)  # so that equal line-ups list their bots in the same order
    counts = Counter(combinations(together, players))
    shared = reduce(math.gcd, counts.values())
    return tuple(line_up for line_up, count in counts.items() for _ in range(count // shared))


def rotations(line_up: Sequence[str], mirrored: bool = False) -> NDArray[np.int8]:
    """Return the distinct seat rotations, int8[rotations, players]: for each seat the index of its bot."""
    players = len(line_up)
    different: dict[tuple[str, ...], list[int]] = {}
    for direction in (1, -1) if mirrored else (1,):
        for first in range(players):
            places = [(first + direction * seat) % players for seat in range(players)]
            different.setdefault(tuple(line_up[place] for place in places), places)
    return np.array(list(different.values()), dtype=np.int8)
