"""The verdicts of a ladder of strength, just played or read from a file: all that a page shows of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rogsim.stats.estimates import ALPHA as LEVEL
from rogsim.stats.settling import RUNGS, Settling

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
    """A bot of a ladder, with the hashes of its source and of its weights.

    Attributes
    ----------
    evaluation
        The first bot of the ladder that has the same file of weights, or is from the same file of code: it may be this
        one.
    """

    bot: str
    source_hash: str
    weights_hash: str
    evaluation: str


@dataclass(frozen=True)
class RungStep:
    """How far a bot leads the one below it with one player count, in Elo points.

    Attributes
    ----------
    low, high
        The 95% interval; None where the games do not determine it.
    p_stronger, p_weaker
        p-values of the claims that it is stronger and that it is weaker, adjusted for all steps of the ladder and all
        looks.
    games
        Games in which the two played each other.
    """

    players: int
    bot: str
    below: str
    lead: float
    low: float | None
    high: float | None
    p_stronger: float
    p_weaker: float
    games: int

    @property
    def is_stronger(self) -> bool:
        """Return whether the bot is shown to be stronger than the one below it."""
        return self.p_stronger < LEVEL

    @property
    def is_weaker(self) -> bool:
        """Return whether the bot is shown to be weaker than the one below it."""
        return self.p_weaker < LEVEL


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
    steps
        How far each bot leads the one below it, with each player count.
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
    steps: tuple[RungStep, ...]
    place: str = ""

    @property
    def bots(self) -> tuple[str, ...]:
        """Return the names of the bots, the weakest first."""
        return tuple(rung.bot for rung in self.rungs)

    def of(self, family: str, players: int | None = None) -> tuple[SettledClaim, ...]:
        """Return the claims of a family, of all player counts or of one."""
        return tuple(claim for claim in self.claims if claim.family.name == family and players in (None, claim.players))

    def doubtful(self, players: int) -> tuple[RungStep, ...]:
        """Return those of the last two steps that are not shown to be steps to a stronger bot."""
        top = [step for step in self.steps if step.players == players and step.bot in self.bots[1 - RUNGS :]]
        return tuple(step for step in top if not step.is_stronger)

    def falls(self, players: int) -> bool:
        """Return whether one of the last two steps is shown to lead to a weaker bot: then nothing can settle."""
        return any(step.is_weaker for step in self.doubtful(players))

    def sharing(self) -> tuple[tuple[str, ...], ...]:
        """Return the groups of bots that share an evaluation, if two of the last three rungs are in one."""
        groups = dict.fromkeys(rung.evaluation for rung in self.rungs)
        top = [rung.evaluation for rung in self.rungs[-RUNGS:]]
        return tuple(
            tuple(rung.bot for rung in self.rungs if rung.evaluation == group)
            for group in groups
            if top.count(group) > 1
        )
