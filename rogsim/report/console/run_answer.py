"""The answer to what a scenario asks, in one sentence: which seat is ahead or behind, by how much, with which bots."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rogsim.report import words
from rogsim.results.interim_looks import look_of
from rogsim.results.results import Results
from rogsim.stats.alpha_spending import ALPHA, adjusted, weight
from rogsim.stats.balance.levels import Levels, seats_of
from rogsim.stats.claims import claim_on_seats
from rogsim.stats.contrasts import holm
from rogsim.stats.estimates import Estimate, by_size
from rogsim.stats.simultaneous import SimultaneousIntervals

TOO_FEW = "there are too few games to show whether a seat is favoured"
NO_SEAT = "no seat differs from its fair share by more than chance"

Case = tuple[int, str, Estimate | None]  # number of players, what is found, and by how much if a seat stands out


@dataclass(frozen=True)
class JudgedSeats:
    """The seats of one player count.

    Attributes
    ----------
    levels
        The seats.
    look
        The number of the look at these results.
    stands_out
        Whether the seats differ: by the joint test of all seats, with Holm's method for the player counts of the run.
    """

    levels: Levels
    look: int
    stands_out: bool

    @property
    def is_tested(self) -> bool:
        """Return whether there were enough games for a test."""
        return not math.isnan(self.levels.overall.p)

    def farthest(self) -> tuple[str, Estimate] | None:
        """Return the seat that is farthest from its fair share, with a simultaneous interval; None if none stands out.

        The joint test comes first, so that looking at several seats does not raise the rate of false alarms.
        """
        if not self.stands_out:
            return None
        intervals = SimultaneousIntervals(claim_on_seats(self.levels, self.look)).intervals(ALPHA * weight(self.look))
        place = max(range(len(intervals)), key=lambda place: by_size(intervals[place].value))
        return self.levels.levels[place].level, intervals[place]


def judged_seats(results: Results) -> dict[int, JudgedSeats]:
    """Return the seats by number of players, and whether they differ."""
    counts = [int(players) for players, games in results.manifest["games"].items() if games]
    levels = {players: seats_of(results, players) for players in counts}
    return judge_seats(levels, {players: look_of(results.manifest, players) for players in counts})


def judge_seats(levels: Mapping[int, Levels], looks: Mapping[int, int]) -> dict[int, JudgedSeats]:
    """Return the seats by number of players, given the number of the look at each, and whether they differ."""
    p = holm(adjusted([found.overall.p for found in levels.values()], [looks[players] for players in levels]))
    return {
        players: JudgedSeats(found, looks[players], bool(one < ALPHA))
        for (players, found), one in zip(levels.items(), p, strict=True)
    }


def answer_of(results: Results, seats: Mapping[int, JudgedSeats] | None = None) -> str:
    """Return the answer of all numbers of players together; `seats`: what `judged_seats` returned, if it is known."""
    judged = judged_seats(results) if seats is None else seats
    cases = [_case(found, players) for players, found in judged.items()]
    found = [_group([case for case in cases if case[1] == what]) for what in dict.fromkeys(case[1] for case in cases)]
    return f"{words.with_bots(map(str, results.manifest['scenario']['bots']))}{'; '.join(found)}."


def _case(seats: JudgedSeats, players: int) -> Case:
    found = seats.farthest()
    if found is None:
        return players, NO_SEAT if seats.is_tested else TOO_FEW, None
    level, effect = found
    return players, f"seat {level} wins {'more' if effect.value > 0 else 'less'} than its fair share", effect


def _group(cases: Sequence[Case]) -> str:
    """Return what is found with several numbers of players as one clause."""
    what = cases[0][1]
    if any(effect is None for _, _, effect in cases):
        return f"{what} with {words.listed([str(players) for players, _, _ in cases])} players"
    parts = [
        f"{_size(effect)} with {words.players(players) if place == 0 else players}"
        for place, (players, _, effect) in enumerate(cases)
        if effect is not None
    ]
    return f"{what}, by {words.listed(parts)}"


def _size(effect: Estimate) -> str:
    """Return the size of an effect that lies clearly on one side of 0, without its sign."""
    low, high = sorted((abs(effect.low), abs(effect.high)))
    return f"{words.number(abs(effect.value))} pp ({words.interval(low, high)})"
