"""Playing the games of a generation, and collecting the lines that were compared in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.bots.loading import BotSource, find_bot
from rogsim.bots.names import read_bot_name
from rogsim.experiments.continued import play_parts
from rogsim.experiments.fitting import Lines
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.kit.evaluation.contract import Evaluation
from rogsim.game.kit.learning.sampling import Sampling, play_and_compare
from rogsim.game.kit.search.search import Search
from rogsim.game.kit.search.settings import CHOICES, ROLLOUTS, SETTINGS, WORLDS
from rogsim.game.spec import GameSpec
from rogsim.simulation.play import game_seconds, playing, where_bots_play

BLOCK = 20  # games of one line-up
NOISE = 0.1  # standard deviation of the logarithm of the factor of each weight, drawn anew for each seat of a line-up
TEACHER_CHOICES = 12  # lines compared for a choice


def learning_parts(spec: GameSpec, source: BotSource) -> tuple[Search, Evaluation] | None:
    """Return how a bot of a game searches and evaluates, None if it does not learn.

    A bot that shares the weights of another one learns as that does.
    """
    name, own = read_bot_name(source.name).base, {info.name: info for info in spec.bots}
    teacher = source.origin.shared if source.origin and source.origin.shared else name
    if not {name, teacher} <= set(own):
        return None
    module = spec.module_of(own[teacher])
    search, evaluation = getattr(module, "SEARCH", None), getattr(module, "EVALUATION", None)
    return None if search is None or evaluation is None else (search, evaluation)


def learners_rule(spec: GameSpec) -> str:
    """Return which bots of a game can be trained, for a message."""
    names = [info.name for info in spec.bots if learning_parts(spec, find_bot(spec, info.name, Path()))]
    return f"choose from {', '.join(names)}" if names else f"{spec.title} has no bot that learns"


@dataclass(frozen=True)
class Learner:
    """The bot that learns: a game's bot with an evaluation, and how it thinks ahead.

    rival: the bot in all other seats, which does not change; None if the learner plays against itself.
    """

    spec: GameSpec
    bot: Bot
    parts: tuple[Search, Evaluation]
    rival: Bot | None = None


@dataclass(frozen=True)
class Course:
    """The games of one scenario and player count in a generation: `games` of them, from the deal `first` on."""

    setup: Any
    players: int
    seed: int
    first: int
    games: int


def collect(
    learner: Learner,
    weights: NDArray[np.float64],
    courses: Sequence[Course],
    sampling: Sampling,
    jobs: int | None,
    advance: Callable[[int], None] = lambda games: None,
) -> dict[int, Lines]:
    """Play the games of all courses, and return the lines by player count; any `jobs` gives the same.

    Parameters
    ----------
    weights : float64[weights]
        The weights with which the learner plays, somewhat varied, and with which it compares lines.
    advance
        Called with the number of games that were just played.
    """
    work = [
        (number, first)
        for number, course in enumerate(courses)
        for first in range(course.first, course.first + course.games, BLOCK)
    ]

    def play(part: tuple[int, int]) -> NDArray[np.void]:
        return _play_block(learner, weights, courses[part[0]], part[1], sampling)

    by_players: dict[int, list[NDArray[np.void]]] = {course.players: [] for course in courses}
    for (number, _), lines in zip(work, play_parts(work, play, lambda _: BLOCK, jobs, advance), strict=True):
        by_players[courses[number].players].append(lines)
    return {players: lines_of(pieces, players) for players, pieces in by_players.items()}


def lines_of(parts: Sequence[NDArray[np.void]], players: int) -> Lines:
    """Return recorded lines as `Lines`."""
    numbers, before = [], 0
    for part in parts:
        numbers.append(_choices_of(part) + before)
        before = int(numbers[-1][-1]) + 1 if len(part) else before
    rows = np.concatenate(list(parts))
    kinds = {"place": np.float32, "seat": np.int64, "deal": np.int64}
    kinds |= dict.fromkeys(("ended", "won", "value", "undealt"), np.float64)
    columns: Any = {name: rows[name].astype(kind) for name, kind in kinds.items()}
    features = rows["features"][:, :players].astype(np.float32)
    return Lines(features=features, choice=np.concatenate(numbers), **columns)


def _choices_of(part: NDArray[np.void]) -> NDArray[np.int64]:
    """Return the number of the choice of each line, counted through the part."""
    changes = (np.diff(part["deal"]) != 0) | (np.diff(part["decision"]) != 0)
    return np.concatenate([[0], np.cumsum(changes)]) if len(part) else np.zeros(0, np.int64)


def _play_block(
    learner: Learner, weights: NDArray[np.float64], course: Course, first: int, sampling: Sampling
) -> NDArray[np.void]:
    """Play a block of games, and return the lines.

    The learner sits in every seat, each time with other weights, or among rivals.
    """
    deals = np.arange(first, min(first + BLOCK, course.first + course.games), dtype=np.int64)
    order = np.arange(course.players)
    line_up = varied(learner.bot, weights, course, first)
    if learner.rival is not None:
        line_up = (line_up[0], *[learner.rival] * (course.players - 1))
    batch = Batch(
        seed=course.seed,
        players=course.players,
        deals=deals,
        seating=((deals[:, None] + order) % course.players).astype(np.int8),
        line_up=line_up,
    )
    teacher = weights.copy()
    teacher[CHOICES] = TEACHER_CHOICES
    learners = course.players if learner.rival is None else 1
    is_alone = learner.rival is None or not learner.rival.foreign
    parts = learner.parts if is_alone else None  # kernels do not travel between processes
    given = (parts, teacher, sampling, learners)
    return where_bots_play(_compared, learner.spec, course.setup, batch, *given)


def _compared(
    spec: GameSpec,
    setup: Any,
    batch: Batch,
    parts: tuple[Search, Evaluation] | None,
    teacher: NDArray[np.float64],
    sampling: Sampling,
    learners: int,
) -> NDArray[np.void]:
    """Play the games of a block, and return the lines that were compared in them."""
    if parts is None:  # in another process than the one that began the training
        assert batch.line_up[0].place is not None
        name, folder, _ = batch.line_up[0].place
        parts = learning_parts(spec, find_bot(spec, name, Path(folder)))
    assert parts is not None
    with playing(batch, len(batch.deals) * game_seconds()):
        return play_and_compare(spec.rules, setup, batch, *parts, teacher, sampling, learners=learners)


def varied(bot: Bot, weights: NDArray[np.float64], course: Course, first: int) -> tuple[Bot, ...]:
    """Return a line-up of the bot with differently varied weights; it does not plan, which would be slow."""
    key = [word for number in (course.seed, first) for word in (number & 0xFFFFFFFF, number >> 32)]
    generator = np.random.RandomState([*key, course.players])  # its numbers are the same in every version of numpy
    factors = np.exp(NOISE * generator.standard_normal((course.players, len(weights))))
    factors[:, : len(SETTINGS)] = 1.0
    plain = weights.copy()
    plain[[WORLDS, ROLLOUTS]] = 0.0
    return tuple(replace(bot, weights=plain * row) for row in factors)
