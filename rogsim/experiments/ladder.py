"""Ladders of strength: the verdicts of `rogsim settle`, and these as data for a file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from rogsim.base.text import capital, name_fault
from rogsim.game.fair import side_name
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Topic
from rogsim.results.manifest import Hash
from rogsim.scenario.axes import MOST_GAMES
from rogsim.scenario.model import BotText, Margin, Seed
from rogsim.stats.estimates import ALPHA as LEVEL
from rogsim.stats.settling import LOOKS, RUNGS, EffectSeries, Settling, Word, stored_settling

SEATS = "seats"
LONGEST_NAME = 200
Effect = Annotated[float, Field(ge=-100, le=100)] | None
Share = Annotated[float, Field(ge=0, le=1)]
Probability = Share | None
Positive = Annotated[float, Field(ge=1)] | None
Lead = Annotated[float, Field(ge=-1e5, le=1e5)]
Games = Annotated[int, Field(ge=0, le=MOST_GAMES)]
Players = Annotated[int, Field(ge=1, le=100)]
FIRST_LOOK = 400  # games of each rung and player count before the first verdict
FORMAT: Literal["rogsim-settle/2"] = "rogsim-settle/2"
MOST_RUNGS = 30
KEY = "settle"  # of the record in the data of a page


def _name(text: str) -> str:
    if wrong := name_fault(text):
        raise ValueError(wrong)
    return text


Name = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_name)]


class _Record(BaseModel):
    # Unknown keys are refused: a newer rogsim that adds a key changes the format.
    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False, extra="forbid")


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
        return capital(side_name(level)) if self.name == SEATS else self.labels.get(level, level)


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


class PlayedGame(_Record):
    """What the rungs played: the game, the version of its rules, its options, its changed parameters, and the seed."""

    game: Name
    rules: Name
    options: dict[str, Any]
    change: dict[str, Any]
    seed: Seed


class Rung(_Record):
    """A bot of a ladder, with the hashes of its source and of its weights.

    Attributes
    ----------
    evaluation
        The first bot of the ladder that has the same file of weights, or is from the same file of code: it may be this
        one.
    """

    bot: BotText
    source_hash: Hash
    weights_hash: Hash
    evaluation: BotText


class RungStep(_Record):
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

    players: Players
    bot: BotText
    below: BotText
    lead: Lead
    low: Lead | None
    high: Lead | None
    p_stronger: Share
    p_weaker: Share
    games: Games

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


def games_of_look(look: int, first_look: int) -> int:
    """Return the games of the last three rungs together at a look: twice as many as at the one before."""
    return RUNGS * first_look * 2 ** (look - 1)


def families_of(spec: GameSpec, options: Mapping[str, Any]) -> tuple[ClaimFamily, ...]:
    """Return the families that games with these options can answer: the seats, and what chance deals to the seats."""
    found = [ClaimFamily(SEATS, "Turn order", "seat", "seat", {})]
    for topic in spec.topics:
        if _is_dealt(topic, options):
            labels = dict(topic.labels)
            found.append(ClaimFamily(topic.name, topic.title, topic.columns[0], topic.noun or topic.title, labels))
    return tuple(found)


def _is_dealt(topic: Topic, options: Mapping[str, Any]) -> bool:
    """Return whether chance deals the levels of a topic to the seats, in games with these options."""
    if topic.kind != "level" or topic.dealt is None or not topic.claim:
        return False
    return all(options.get(name) == value for name, value in topic.dealt.items())


class _GamesRecord(_Record):
    players: Players
    games: list[Games]


class _ClaimRecord(_Record):
    claim: Name
    level: Name
    players: Players
    verdict: Word
    within: bool
    look: Annotated[int, Field(ge=1, le=LOOKS)]
    p_settled: Probability
    p_moving: Probability
    growth: Positive
    more_games: Annotated[int, Field(ge=0)] | None
    effects: list[Effect]
    covariance: list[list[Annotated[float, Field(ge=-1e6, le=1e6)] | None]]
    blocks: list[Annotated[float, Field(ge=0, le=MOST_GAMES)]]


class SettleRecord(_Record):
    """The verdicts of a ladder, as `report.json` has them."""

    format: Literal["rogsim-settle/2"]
    played: PlayedGame
    rungs: Annotated[list[Rung], Field(min_length=RUNGS, max_length=MOST_RUNGS)]
    step: Literal["doubling", "step"]
    margin: Margin
    first_look: Annotated[int, Field(ge=1, le=MOST_GAMES)]
    families: Annotated[list[Name], Field(min_length=1)]
    games: Annotated[list[_GamesRecord], Field(min_length=1)]
    claims: Annotated[list[_ClaimRecord], Field(min_length=1)]
    steps: list[RungStep]

    @model_validator(mode="after")
    def _fits_together(self) -> SettleRecord:
        size = len(self.rungs)
        lists: list[Sequence[object]] = [row.games for row in self.games]
        for claim in self.claims:
            lists += [claim.effects, claim.blocks, claim.covariance, *claim.covariance]
        if any(len(values) != size for values in lists):
            raise ValueError('"rungs", "games" and "claims" have different lengths')
        counts = {row.players for row in self.games}
        if any(claim.claim not in self.families or claim.players not in counts for claim in self.claims):
            raise ValueError('"claims" has one that "families" or "games" does not list')
        return self


def record_of(found: LadderVerdicts) -> dict[str, Any]:
    """Return verdicts as plain data, to be read by `verdicts_of`."""
    return {
        "format": FORMAT,
        "played": found.played.model_dump(),
        "rungs": [rung.model_dump() for rung in found.rungs],
        "step": found.step,
        "margin": found.margin,
        "first_look": found.first_look,
        "families": [family.name for family in found.families],
        "games": [{"players": players, "games": list(games)} for players, games in found.games.items()],
        "claims": [_claim_data(claim) for claim in found.claims],
        "steps": [step.model_dump() for step in found.steps],
    }


def verdicts_of(record: SettleRecord, spec: GameSpec) -> LadderVerdicts:
    """Return the verdicts of a checked record; ValueError if the game cannot have them.

    Parameters
    ----------
    spec
        The game that the record names.
    """
    known = {family.name: family for family in families_of(spec, record.played.options)}
    if unknown := [name for name in record.families if name not in known]:
        raise ValueError(f'"{unknown[0]}" are not dealt at random in games with these options')
    games = {row.players: tuple(row.games) for row in record.games}
    return LadderVerdicts(
        played=record.played,
        rungs=tuple(record.rungs),
        step=record.step,
        margin=record.margin,
        first_look=record.first_look,
        families=tuple(known[name] for name in dict.fromkeys(record.families)),
        claims=tuple(_claim(claim, known, games[claim.players]) for claim in record.claims),
        games=games,
        steps=tuple(record.steps),
    )


def _claim_data(claim: SettledClaim) -> dict[str, Any]:
    found, series = claim.found, claim.found.series
    what = {"claim": claim.family.name, "level": series.name, "players": claim.players}
    verdict = {name: getattr(found, name) for name in ("verdict", "within", "look", "p_settled", "p_moving", "growth")}
    effects = {"effects": series.values, "covariance": series.covariance, "blocks": series.blocks}
    numbers = {name: values.tolist() for name, values in effects.items()}
    return what | verdict | {"more_games": claim.more_games} | numbers


def _claim(record: _ClaimRecord, known: Mapping[str, ClaimFamily], games: tuple[int, ...]) -> SettledClaim:
    effects, covariance, blocks = (
        np.array(values, np.float64) for values in (record.effects, record.covariance, record.blocks)
    )
    series = EffectSeries(record.level, effects, covariance, blocks)
    p_values, growth = (_number(record.p_settled), _number(record.p_moving)), _number(record.growth)
    found = stored_settling(series, record.verdict, record.within, *p_values, record.look, growth)
    return SettledClaim(known[record.claim], record.players, found, games, record.more_games)


def _number(value: float | None) -> float:
    return math.nan if value is None else value
