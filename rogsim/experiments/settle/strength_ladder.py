"""What `rogsim settle` plays: a scenario with each bot of a ladder of strength, and which claims it judges."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rogsim.bots.bot_names import read_bot_name
from rogsim.experiments.design_points import DesignPoint
from rogsim.experiments.settle.ladder_verdicts import SEATS, ClaimFamily, PlayedGame, Rung
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Topic
from rogsim.scenario.arguments import ArgumentError
from rogsim.scenario.axes import MOST_GAMES
from rogsim.scenario.fingerprint import identity_of
from rogsim.scenario.model import AnyScenario, Experiment, load
from rogsim.stats.settling import LOOKS, RUNGS

FIRST_LOOK = 400  # games of each rung and player count before the first verdict
FEWEST_FIRST = 30  # fewer blocks allow no test
MOST_RUNGS = 30


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
            found.append(Rung(point.label, source.source_hash, source.weights_hash, evaluation))
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
    _check_games(first_look, most_games)
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


def _check_games(first_look: int, most_games: int | None) -> None:
    largest = MOST_GAMES // games_of_look(LOOKS, 1)
    if not FEWEST_FIRST <= first_look <= largest:
        rule = f"must be from {FEWEST_FIRST} to {largest:,}"
        raise ArgumentError(f"--first-look: {first_look} is not allowed: {rule}")
    if most_games is not None and not 1 <= most_games <= MOST_GAMES:
        raise ArgumentError(f"--games: {most_games} is not allowed: must be from 1 to {MOST_GAMES:,}")


def _check_names(names: Sequence[str], given: bool) -> None:
    if not names:
        raise ArgumentError("--bots: this game has no ladder of its own: name its bots, the weakest first")
    for name in names:
        if names.count(name) > 1:
            raise ArgumentError(f'--bots: "{name}" is listed twice')
    if not RUNGS <= len(names) <= MOST_RUNGS:
        rule = f"a ladder has {RUNGS} to {MOST_RUNGS} bots, the weakest first"
        raise ArgumentError(f"--bots: {len(names)} given, and {rule}" if given else rule)


def _design_point(experiment: Experiment, name: str) -> DesignPoint:
    scenario = experiment.scenario.model_copy(update={"sweep": None, "balance": None})
    return DesignPoint(name, {}, replace(experiment, name=name, scenario=scenario))


def _doubles(first: str, second: str) -> bool:
    """Return whether two names are the same bot, with one number twice as large in the second."""
    names = read_bot_name(first), read_bot_name(second)
    if names[0].base != names[1].base:
        return False
    before, after = (dict(_numbers(name.changes)) for name in names)
    if before.keys() != after.keys():
        return False
    differing = [key for key in before if before[key] != after[key]]
    return len(differing) == 1 and math.isclose(after[differing[0]], 2 * before[differing[0]])


def _numbers(changes: str) -> Iterator[tuple[str, float]]:
    for part in filter(None, changes.split("+")):
        name, _, value = part.partition("=")
        yield name, float(value)
