"""What fair means in a game: who wins together, and how often each side should win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

# "equal", "everyone", or by number of players: a letter for the team of each seat, or the percentage of each seat.
Fair = str | Mapping[int, str | Sequence[float]]
EQUAL, EVERYONE = "equal", "everyone"
FORM = '"equal", "everyone", teams such as {4: "ABAB"}, or percentages such as {2: (60, 40)}'
CLOSE = 1e-3  # win shares are stored with seven digits


@dataclass(frozen=True)
class Sides:
    """Who wins together with one number of players, and how often each side should win.

    Attributes
    ----------
    of_seats
        The side of each seat, from 0, in the order of their first seats.
    levels
        What sides are called in the results: seats by number, teams by letter, or "everyone".
    shares
        The part of the games that each side should win; nan for everyone, who only win or lose together.
    """

    of_seats: tuple[int, ...]
    levels: tuple[str, ...]
    shares: tuple[float, ...]

    @property
    def count(self) -> int:
        """Return the number of sides."""
        return len(self.levels)

    @property
    def is_one(self) -> bool:
        """Return whether all win or lose together, so that no seats can be compared."""
        return self.count == 1

    @property
    def are_seats(self) -> bool:
        """Return whether each seat is a side."""
        return self.count == len(self.of_seats)

    @property
    def are_equal(self) -> bool:
        """Return whether all sides should win equally often."""
        return len(set(self.shares)) == 1

    @property
    def fair(self) -> float:
        """Return the share of the games that a side should win in the mean over all sides."""
        return nan if self.is_one else 1 / self.count

    @property
    def firsts(self) -> list[int]:
        """Return the first seat of each side, from 0."""
        return [self.of_seats.index(side) for side in range(self.count)]

    @property
    def members(self) -> NDArray[np.float64]:
        """Return which seats are in which side, float64[seats, sides] of 0 and 1."""
        return np.eye(self.count)[list(self.of_seats)]

    @property
    def alone(self) -> Sides:
        """Return the same sides, each with a single seat."""
        return replace(self, of_seats=tuple(range(self.count)))

    def fit(self, first: NDArray[Any], shares: NDArray[Any]) -> NDArray[np.bool_]:
        """Return where win shares follow from who is first, bool[seats, games]: the winning sides share 1 equally.

        Parameters
        ----------
        first : bool[seats, games]
        shares : float[seats, games]
        """
        if self.is_one:
            return np.asarray((shares == shares[0]) & ((shares == 0) | (shares == 1)))
        won, of = first[self.firsts], list(self.of_seats)
        count = won.sum(axis=0)
        return np.asarray((np.abs(shares - won[of] / np.maximum(count, 1)) < CLOSE) & (first == won[of]) & (count > 0))


def sides_of(fair: Fair, players: int) -> Sides:
    """Return the sides with one number of players; ValueError, with what is allowed, if `fair` does not say it."""
    if fair == EVERYONE or players == 1:
        return Sides((0,) * players, (EVERYONE if players > 1 else "the player",), (nan,))
    declared = fair.get(players) if isinstance(fair, Mapping) else None
    if declared is None and (fair == EQUAL or isinstance(fair, Mapping)):
        return Sides(tuple(range(players)), tuple(str(seat + 1) for seat in range(players)), (1 / players,) * players)
    if declared is None or len(declared) != players:
        raise ValueError(f"fair={fair!r}: write {FORM}, with an entry for each of {players} seats")
    if isinstance(declared, str):
        teams = tuple(dict.fromkeys(declared))
        if len(teams) < 2 or not declared.isalpha():
            raise ValueError(f"fair={fair!r}: name at least two teams by letters, or write fair={EVERYONE!r}")
        return Sides(tuple(map(teams.index, declared)), teams, (1 / len(teams),) * len(teams))
    if min(declared) <= 0 or abs(sum(declared) - 100) > CLOSE:
        raise ValueError(f"fair={fair!r}: the percentages of {players} players must be more than 0 and add up to 100")
    return replace(sides_of(EQUAL, players), shares=tuple(share / 100 for share in declared))


def noun_of(levels: Sequence[str]) -> str:
    """Return the word for one of several sides, by what they are called in the results; "" for a single one."""
    return "" if len(levels) == 1 else "seat" if levels[0].isdigit() else "team"


def side_name(level: str) -> str:
    """Return the name of a side: "seat 1", "team A", "everyone"."""
    return f"seat {level}" if level.isdigit() else f"team {level}" if len(level) == 1 else level
