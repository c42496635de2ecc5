"""Ladders of strength: what `rogsim settle` plays, its verdicts, and these as data for a file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from rogsim.base.text import name_fault
from rogsim.bots.names import read_bot_name
from rogsim.experiments.design_points import DesignPoint
from rogsim.experiments.requests import check_distinct, check_range
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Topic
from rogsim.results.manifest import Hash
from rogsim.scenario.arguments import ArgumentError
from rogsim.scenario.axes import MOST_GAMES
from rogsim.scenario.fingerprint import identity_of
from rogsim.scenario.model import AnyScenario, BotText, Experiment, Margin, Seed, load
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
FEWEST_FIRST = 30  # fewer blocks allow no test
MOST_RUNGS = 30
FORMAT: Literal["rogsim-settle/2"] = "rogsim-settle/2"
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


@dataclass(frozen=True)
class SettleRequest:
    """A scenario on a ladder of strength, checked and ready to be played.

    Attributes
    ----------
    rungs
        One design point for each bot, the weakest first; all have the same deals.
    families
        What is judged.
    margin
        The largest change that does not matter, in pp.
    first_look
        Games of each rung and player count before the first verdict.
    most_games
        Most games for each player count, all rungs together; None for no limit but the last look.
    """

    experiment: Experiment
    rungs: tuple[DesignPoint, ...]
    families: tuple[ClaimFamily, ...]
    margin: float
    first_look: int
    most_games: int | None

    @property
    def bots(self) -> tuple[str, ...]:
        """Return the names of the bots, the weakest first."""
        return tuple(rung.label for rung in self.rungs)

    @property
    def bots_as_rungs(self) -> tuple[Rung, ...]:
        """Return the bots with their hashes, and which of them share an evaluation."""
        found = []
        first: dict[str, str] = {}  # file -> the evaluation of the first bot that has it
        for point in self.rungs:
            (source,) = point.experiment.sources.values()
            evaluation = next((first[file] for file in source.files if file in first), point.label)
            first = {**dict.fromkeys(source.files, evaluation), **first}
            hashes = {"source_hash": source.source_hash, "weights_hash": source.weights_hash}
            found.append(Rung(bot=point.label, evaluation=evaluation, **hashes))
        return tuple(found)

    @property
    def played(self) -> PlayedGame:
        """Return what every rung plays."""
        identity = identity_of(self.experiment)
        return PlayedGame(**{name: identity[name] for name in ("game", "rules", "options", "change", "seed")})

    @property
    def step(self) -> str:
        """Return what one of the last steps is called: a doubling, if it doubles one setting of the same bot."""
        top = self.bots[-RUNGS:]
        return "doubling" if all(map(_doubles, top, top[1:])) else "step"

    def games_at(self, look: int) -> int:
        """Return how many games of the last three rungs together there are at a look with one player count."""
        return games_of_look(look, self.first_look)

    def matches_at(self, look: int) -> tuple[int, ...]:
        """Return about how many games the bots of each step play each other up to a look: a tenth of all others."""
        lower = [self.first_look // 10] * (len(self.rungs) - RUNGS)
        return (*lower, *[self.games_at(look) // 10 // (RUNGS - 1)] * (RUNGS - 1))

    def looks(self) -> int:
        """Return the number of looks that the most games allow."""
        if self.most_games is None:
            return LOOKS
        below = self.first_look * (len(self.rungs) - RUNGS)
        return sum(self.games_at(look) + below <= self.most_games for look in range(1, LOOKS + 1))


def games_of_look(look: int, first_look: int) -> int:
    """Return the games of the last three rungs together at a look: twice as many as at the one before."""
    return RUNGS * first_look * 2 ** (look - 1)


def arrange_ladder(
    scenario: AnyScenario,
    *,
    bots: Sequence[str] | None = None,
    claims: Sequence[str] | None = None,
    margin: float | None = None,
    first_look: int = FIRST_LOOK,
    most_games: int | None = None,
    replaced: Mapping[str, Any] | None = None,
) -> SettleRequest:
    """Read a scenario and return what to play.

    Parameters
    ----------
    scenario
        A path to a TOML file, or the same keys as a mapping.
    bots
        The ladder, the weakest bot first; by default the game's.
    claims
        Names of families of claims; by default the seats, and everything that chance deals to the seats.
    margin
        The largest change that does not matter, in pp; by default the scenario's margin.
    first_look, most_games
        As in `SettleRequest`.
    replaced
        Values that replace other keys of the scenario, such as `seed` and `players`.

    Raises
    ------
    RogsimError
        If the scenario or a bot cannot be played, or if an argument is not allowed.
    """
    keys = {**(replaced or {}), "margin": margin}
    names = list(bots) if bots is not None else list(load(scenario, keys, "--").spec.ladder)
    _check_names(names, bots is not None)
    loaded = [load(scenario, {**keys, "bots": [name]}, "--") for name in names]
    rungs = tuple(_design_point(made, name) for made, name in zip(loaded, names, strict=True))
    first = rungs[0].experiment
    families = _chosen(first, claims)
    check_range("--first-look", first_look, FEWEST_FIRST, MOST_GAMES // games_of_look(LOOKS, 1))
    check_range("--games", most_games, 1, MOST_GAMES)
    request = SettleRequest(loaded[-1], rungs, families, first.scenario.margin, first_look, most_games)
    if request.looks() < 1:
        fewest = first_look * len(names)
        raise ArgumentError(f"--games: {most_games} is not allowed: the first look needs {fewest:,} games")
    return request


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


def _chosen(experiment: Experiment, claims: Sequence[str] | None) -> tuple[ClaimFamily, ...]:
    known = {family.name: family for family in families_of(experiment.spec, experiment.scenario.options)}
    if claims is None:
        return tuple(known.values())
    for name in claims:
        if name not in known:
            topics = {topic.name for topic in experiment.spec.topics if topic.kind == "level"}
            why = "they are not dealt at random in this scenario; " if name in topics else ""
            raise ArgumentError(f'--claims: "{name}" is not allowed: {why}choose from {", ".join(known)}')
    return tuple(known[name] for name in dict.fromkeys(claims))


def _check_names(names: Sequence[str], given: bool) -> None:
    if not names:
        raise ArgumentError("--bots: this game has no ladder of its own: name its bots, the weakest first")
    check_distinct("--bots", names)
    if not RUNGS <= len(names) <= MOST_RUNGS:
        rule = f"a ladder has {RUNGS} to {MOST_RUNGS} bots, the weakest first"
        raise ArgumentError(f"--bots: {len(names)} given, and {rule}" if given else rule)


def _design_point(experiment: Experiment, name: str) -> DesignPoint:
    scenario = experiment.scenario.model_copy(update={"sweep": None, "balance": None})
    return DesignPoint(name, {}, replace(experiment, name=name, scenario=scenario))


def _doubles(first: str, second: str) -> bool:
    """Return whether two names are the same bot, with one number twice as large in the second."""
    (base, before), (other, after) = map(_base_and_numbers, (first, second))
    if base != other or before.keys() != after.keys():
        return False
    differing = [key for key in before if before[key] != after[key]]
    return len(differing) == 1 and math.isclose(after[differing[0]], 2 * before[differing[0]])


def _base_and_numbers(name: str) -> tuple[str, dict[str, float]]:
    parts = read_bot_name(name)
    changes = (change.split("=", 1) for change in parts.changes.split("+") if change)
    return parts.base, {key: float(value) for key, value in changes}


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
