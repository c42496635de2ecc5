"""The verdicts of a ladder of strength, just played or read from a file: all that a page shows of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rogsim.stats.settling import Settling

SEATS = "seats"


@dataclass(frozen=True)
class ClaimFamily:
    """One family of claims: the levels of a column of seats, whose verdicts share their error rates.

    Attributes
    ----------
    name
        The name that `--claims` takes.
    noun
        The word for one level.
    labels
        The words for the levels.
    """

    name: str
    title: str
    column: str
    noun: str
    labels: Mapping[str, str]

    def label(self, level: str) -> str:
        """Return the words for a level."""
        return f"Seat {level}" if self.name == SEATS else self.labels.get(level, level)


@dataclass(frozen=True)
class SettledClaim:
    """The verdict on one level of a family with one player count.

    Attributes
    ----------
    games
        Games of each rung behind the estimates.
    more_games
        About how many more games of the last three rungs would decide; None if it is decided, or if it is unknown.
    """

    family: ClaimFamily
    players: int
    found: Settling
    games: tuple[int, ...]
    more_games: int | None


@dataclass(frozen=True)
class PlayedGame:
    """What the rungs played: the game, the version of its rules, its options, its changed parameters, and the seed."""

    game: str
    rules: str
    options: Mapping[str, Any]
    change: Mapping[str, Any]
    seed: int


@dataclass(frozen=True)
class Rung:
    """A bot of a ladder, with the hashes of its source and of its weights."""

    bot: str
    source_hash: str
    weights_hash: str


@dataclass(frozen=True)
class RungRating:
    """How strong a bot of a ladder is with one player count, in Elo points; low and high are None without an interval.

    Attributes
    ----------
    games
        Games in which the bots of the ladder played each other.
    """

    players: int
    bot: str
    value: float
    low: float | None
    high: float | None
    games: int


@dataclass(frozen=True, kw_only=True)
class LadderVerdicts:
    """The verdicts on all claims of a ladder.

    Attributes
    ----------
    rungs
        The bots, the weakest first.
    step
        What one of the last steps is called: "doubling" or "step".
    margin
        The largest change that does not matter, in pp.
    first_look
        Games of each rung and player count before the first verdict.
    games
        Games of each rung at the last look, by player count.
    ratings
        How strong the bots are; empty if they did not play each other.
    place
        The file or folder that they were read from; empty if they were just played.
    """

    played: PlayedGame
    rungs: tuple[Rung, ...]
    step: str
    margin: float
    first_look: int
    families: tuple[ClaimFamily, ...]
    claims: tuple[SettledClaim, ...]
    games: Mapping[int, tuple[int, ...]]
    ratings: tuple[RungRating, ...] = ()
    place: str = ""

    @property
    def bots(self) -> tuple[str, ...]:
        """Return the names of the bots, the weakest first."""
        return tuple(rung.bot for rung in self.rungs)

    def of(self, family: str, players: int | None = None) -> tuple[SettledClaim, ...]:
        """Return the claims of a family, of all player counts or of one."""
        return tuple(claim for claim in self.claims if claim.family.name == family and players in (None, claim.players))
