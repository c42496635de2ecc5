"""Trains the evaluation of a bot: generations of play, each with a fit and a check on held-out deals."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base import __version__
from rogsim.base.errors import RogsimError
from rogsim.base.progress import progress_bar, say
from rogsim.base.validation import not_allowed, show
from rogsim.bots.loading import BotSource, compile_bot, find_bot
from rogsim.experiments.continued import WeightsRequest, load_state, rules_of, save_state, today, versions_of
from rogsim.experiments.evaluations import EvaluationSetup, clusters_of, evaluate
from rogsim.experiments.fitting import Lines, best_step, fit
from rogsim.experiments.lessons import Course, Learner, collect, learners_rule, learning_parts
from rogsim.experiments.requests import check_range, check_rivals, check_seed, check_target
from rogsim.experiments.training_check import TrainingCheck, check_in, plain
from rogsim.game import compiler
from rogsim.game.kit.evaluation import Evaluation
from rogsim.game.kit.learning import Sampling, record_lines, weights_of
from rogsim.game.kit.search.hooks import Search
from rogsim.game.spec import GameSpec
from rogsim.scenario.axes import MOST_GAMES
from rogsim.scenario.model import Experiment, load
from rogsim.simulation.preparation import announce_compiler, compiling_line
from rogsim.stats.estimates import mean, share
from rogsim.stats.paired.differences import mean_difference

FORMAT = "rogsim-training/2"
MOST_GENERATIONS, MOST_MINUTES = 1_000, 10_000
FEWEST_GAMES = 20  # of a generation: fewer show nothing
LEARNED = "learned"
EXACT = 6  # digits of a win share: rows hold no more (`f4`), so any after them are rounding errors
Shares = dict[int, list[NDArray[np.float64]]]  # by player count, for each scenario: of each block
LEARNING = "the play to learn from"  # among what is compiled
DIGITS = 6  # of a weight
FEWEST_LINES = 50  # lines to fit to: with fewer the weights stay as they are


@dataclass(frozen=True, kw_only=True)
class TrainingRequest(WeightsRequest):
    """A checked training request. `games` and `held_out` count games for each scenario and player count.

    Attributes
    ----------
    rival
        The bot in all other seats; None if the bot plays against itself.
    generations, minutes
        At most so many generations, and none begins after these minutes; None for no limit.
    """

    experiments: tuple[Experiment, ...]
    rival: BotSource | None = None
    sampling: Sampling
    generations: int | None
    minutes: float | None

    @property
    def parts(self) -> tuple[Search, Evaluation]:
        """Return how the bot searches and evaluates."""
        parts = learning_parts(self.spec, self.bot)
        assert parts is not None
        return parts

    @property
    def spec(self) -> GameSpec:
        """Return the game."""
        return self.experiments[0].spec

    @property
    def players(self) -> list[int]:
        """Return the player counts of all scenarios."""
        return sorted({players for experiment in self.experiments for players in experiment.setups})


def request_training(
    scenarios: Sequence[str],
    *,
    bot: str = LEARNED,
    against: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    games: int = 1_000,
    generations: int = 4,
    minutes: float | None = None,
    held_out: int = 2_000,
    seed: int = 1,
    out: Path,
    sampling: Sampling | None = None,
) -> TrainingRequest:
    """Check a training as given on the command line.

    Parameters
    ----------
    scenarios
        Scenario files or names, all of one game. Their bots do not matter.
    bot
        The bot to train, with the weights to start from.
    against
        A bot for all other seats, which stays as it is; by default the bot plays against itself.
    overrides
        Keys of the scenarios to replace.
    games, held_out
        Games of a generation, and held-out games after it, for each scenario and player count.
    minutes
        No generation begins after these; None for no limit.
    out
        The file of weights to write.

    Raises
    ------
    RogsimError
        If the training cannot start.
    """
    check_range("--games", games, FEWEST_GAMES, MOST_GAMES)
    check_range("--generations", generations, 1, MOST_GENERATIONS)
    check_range("--held-out", held_out, FEWEST_GAMES, MOST_GAMES)
    check_seed(seed)
    check_minutes("--minutes", minutes)
    if not scenarios:
        raise RogsimError("name at least one scenario")
    experiments = tuple(load(name, overrides, "--", run_programs=False) for name in scenarios)
    for experiment in experiments:
        check_rivals(experiment.spec, experiment.scenario.players, "train", bots=True)
    games_named = list(dict.fromkeys(experiment.spec.id for experiment in experiments))
    if len(games_named) > 1:
        raise RogsimError(f"all scenarios must be of one game, and these are of {' and '.join(games_named)}")
    spec = experiments[0].spec
    source = find_bot(spec, bot, Path())
    if learning_parts(spec, source) is None:
        raise RogsimError(f"--bot: {not_allowed(source.name, learners_rule(spec))}")
    rival = _rival(spec, against)
    check_target(out)
    return TrainingRequest(
        experiments=experiments,
        bot=source,
        rival=rival,
        sampling=sampling or Sampling(),
        games=games,
        generations=generations,
        minutes=minutes,
        held_out=held_out,
        seed=seed,
        out=out,
    )


def check_minutes(name: str, minutes: float | None) -> None:
    """Raise RogsimError unless a limit in minutes is allowed; None is no limit."""
    if minutes is not None and not 0 < minutes <= MOST_MINUTES:
        raise RogsimError(f"{name}: {not_allowed(minutes, f'must be above 0 and at most {MOST_MINUTES:,}')}")


def _rival(spec: GameSpec, against: str | None) -> BotSource | None:
    """Find the bot to train against; RogsimError if it is a Python object, which cannot be asked in these games."""
    source = None if against is None else find_bot(spec, against, Path())
    if source is not None and source.function is None:
        raise RogsimError(f"--against: {not_allowed(against, 'must be a bot that rogsim compiles')}")
    return source


def identity(request: TrainingRequest) -> dict[str, Any]:
    """Return everything that determines the outcome. A stored state belongs to the command with the same identity."""
    return {
        "bot": request.bot.name,
        "against": None if request.rival is None else [request.rival.name, *request.rival.weights.tolist()],
        "scenarios": [scenario_of(experiment) for experiment in request.experiments],
        "games": request.games,
        "sampling": vars(request.sampling),
        "seed": request.seed,
        "start": request.bot.weights.tolist(),
        "rules": rules_of(request.spec),
        "versions": versions_of("numpy", "scipy") | {"rogsim": __version__},
    }


def scenario_of(experiment: Experiment) -> dict[str, Any]:
    """Return what a scenario says of the games to learn from."""
    chosen = experiment.scenario.model_dump(mode="json")
    return {key: chosen[key] for key in ("game", "players", "options", "change")}


@dataclass(frozen=True)
class Lessons:
    """What a generation learned from with one player count.

    choices: how many were compared. undealt: in which share of their worlds the game itself stood in, because no world
    that was dealt explained what the bots did that do not learn.
    """

    choices: int
    undealt: float


@dataclass(frozen=True)
class TrainingGeneration:
    """The weights after a generation, and by player count what it learned from and the check on held-out deals.

    seconds: how long the generation took.
    """

    weights: NDArray[np.float64]
    lessons: Mapping[int, Lessons]
    checks: Mapping[int, TrainingCheck]
    seconds: float = 0.0


def _plain(generation: TrainingGeneration) -> dict[str, Any]:
    return {
        "weights": generation.weights.tolist(),
        "lessons": {str(players): asdict(lessons) for players, lessons in generation.lessons.items()},
        "checks": {str(players): plain(check) for players, check in generation.checks.items()},
        "seconds": generation.seconds,
    }


def save_generations(request: TrainingRequest, command: Mapping[str, Any], done: Sequence[TrainingGeneration]) -> None:
    """Store the finished generations."""
    save_state(request.state, FORMAT, command, [_plain(generation) for generation in done])


def read_generation(kept: Mapping[str, Any], count: int) -> TrainingGeneration:
    """Return a stored generation with `count` weights; KeyError, ValueError or TypeError unless all of it is there."""
    weights = np.array(kept["weights"], dtype=np.float64)
    if weights.shape != (count,) or not np.isfinite(weights).all():
        raise ValueError("the weights are incomplete")
    lessons = {int(players): Lessons(**found) for players, found in kept["lessons"].items()}
    checks = {int(players): check_in(found) for players, found in kept["checks"].items()}
    if set(lessons) != set(checks):
        raise ValueError("not all player counts were checked")
    seconds = float(kept["seconds"])
    if not 0.0 <= seconds < math.inf:
        raise ValueError("the time is not known")
    return TrainingGeneration(weights, lessons, checks, seconds)


def origin(
    request: TrainingRequest, generations: Sequence[TrainingGeneration], checks: Mapping[int, TrainingCheck]
) -> dict[str, Any]:
    """Return how the weights were made, for their file."""
    rules, sources, engine = rules_of(request.spec)
    return {
        "made_by": f"rogsim {__version__}, rogsim train",
        "method": "least squares on the chances to win of lines that were played on in the same worlds",
        "date": today(),
        "game": request.spec.id,
        "rules_version": rules,
        "sources": sources,
        "engine": engine,
        "versions": versions_of("numpy", "scipy"),
        "started_from": request.bot.name,
        "start_hash": f"{request.bot.source_hash}-{request.bot.weights_hash}",
        "scenarios": [experiment.name for experiment in request.experiments],
        "played": {experiment.name: scenario_of(experiment) for experiment in request.experiments},
        "generations": len(generations),
        "games_a_generation": request.games,
        "seed": request.seed,
        "sampling": vars(request.sampling),
        "choices_compared": {
            f"{players}-players": sum(generation.lessons[players].choices for generation in generations)
            for players in request.players
        },
        "trained_against": request.rival.name if request.rival else None,
        "check": {f"{players}-players": plain(check) for players, check in checks.items()},
    }


def _held_out(request: TrainingRequest, learner: Learner, weights: NDArray[np.float64], jobs: int | None) -> Shares:
    """Play held-out deals, from which nothing is learned.

    The others are the bots that the learner is trained against, or have the weights of the start.
    """
    found: Shares = {}
    others = learner.rival or replace(learner.bot, weights=request.bot.weights)
    plays = [(experiment, players) for experiment in request.experiments for players in experiment.setups]
    blocks = {players: -(-request.held_out // players) for players in request.players}
    with progress_bar(sum(players * blocks[players] for _, players in plays)) as advance:
        for number, (experiment, players) in enumerate(plays):
            seed = request.seed_for(f"held-out {number}")
            setup = EvaluationSetup(request.spec, experiment.setups, learner.bot, (others,), seed)
            (result,) = evaluate(setup, [weights], {players: blocks[players]}, jobs, advance)
            found.setdefault(players, []).append(result[players].win_share)
    return dict(sorted(found.items()))


def check_of(
    shares: Sequence[NDArray[np.float64]], players: int, start: Sequence[NDArray[np.float64]] | None = None
) -> TrainingCheck:
    """Return the check for a player count, from the win share in each block of all its scenarios.

    Parameters
    ----------
    start
        The same for the start; by default its share is fair in each block.
    """
    every = np.concatenate(shares)
    games = len(every) * players
    gain = mean(clusters_of(np.round(every - 1.0 / players, EXACT), players))  # bots that play alike gain nothing
    over_start = gain if start is None else mean_difference(every - np.concatenate(start), games)
    if math.isnan(over_start.low):  # too few blocks: any difference is possible
        over_start = replace(over_start, low=-1.0, high=1.0)
    return TrainingCheck(games, share(clusters_of(every, players)), gain, over_start)


@dataclass(frozen=True)
class Trained:
    """The result: the weights in the file, the generations, and by player count the check against the start."""

    weights: NDArray[np.float64]
    generations: list[TrainingGeneration]
    checks: Mapping[int, TrainingCheck]


def train(request: TrainingRequest, jobs: int | None, must_learn: bool = True) -> Trained:
    """Train a bot, check it on held-out deals after each generation, and write the file of weights.

    The state is stored after each generation; the same request continues from there. With the same number of
    generations the weights are the same, whatever the number of workers and however often it was interrupted.

    Parameters
    ----------
    must_learn
        Whether a training in which nothing was learned fails; otherwise its file has the weights of the start.

    Raises
    ------
    RogsimError
        If nothing was learned; then no file is written.
    """
    with request.alone(jobs):
        command = identity(request)
        done = load_state(request.state, FORMAT, command, lambda kept: read_generation(kept, len(request.bot.weights)))
        save_generations(
            request, command, done
        )  # so that a file that cannot be written fails before anything is played
        if done:
            say(f"Continuing after generation {len(done)} ({request.state}).")
        learner = _learner(request, len(done))
        with request.keeping():
            _learn(request, learner, done, command, jobs)
        if must_learn and not any(found.choices for generation in done for found in generation.lessons.values()):
            request.state.unlink()
            raise RogsimError(nothing_learned(request, len(done)))
        weights, checks = gated(request, done[-1].weights, done[-1].checks)
        request.write(weights, origin(request, done, checks))
        return Trained(weights, done, checks)


def _learner(request: TrainingRequest, done: int) -> Learner:
    """Compile the bots, and the play to learn from unless all generations are done."""
    announce_compiler(request.spec, [request.bot] if request.rival is None else [request.bot, request.rival], say)
    bot = compile_bot(request.spec, request.bot)
    rival = None if request.rival is None else compile_bot(request.spec, request.rival)
    request.spec.warm()
    is_done = request.generations is not None and done >= request.generations
    if not is_done and compiler.is_cold(record_lines, request.spec.id, request.spec.rules.state):
        say(compiling_line(request.spec, [LEARNING]))
    return Learner(request.spec, bot, request.parts, rival)


def _learn(
    request: TrainingRequest,
    learner: Learner,
    done: list[TrainingGeneration],
    command: Mapping[str, Any],
    jobs: int | None,
) -> None:
    """Play and fit generation by generation, until their number or the time is reached."""
    of_all = f" of {request.generations}" if request.generations else ""
    start_shares: Shares = {}  # among others like it the start wins exactly its fair share
    while request.generations is None or len(done) < request.generations:
        number, start = len(done), time.monotonic()
        spent = sum(generation.seconds for generation in done)
        if request.minutes is not None and spent >= 60.0 * request.minutes and done:
            count = "1 generation" if number == 1 else f"{number} generations"
            say(f"Stopped after {count}, because {request.minutes:g} minutes are over.")
            return
        current = done[-1].weights if done else request.bot.weights
        courses = courses_of(request, number)
        with progress_bar(sum(course.games for course in courses)) as advance:
            lessons = collect(learner, current, courses, request.sampling, jobs, advance)
        compiler.mark_compiled(record_lines, request.spec.id, request.spec.rules.state)
        weights = fitted(request, current, lessons)
        learned = {players: Lessons(lines.choices, lines.share_undealt) for players, lines in lessons.items()}
        shares = _held_out(request, learner, weights, jobs)
        if learner.rival is not None and not start_shares:
            start_shares = _held_out(request, learner, request.bot.weights, jobs)
        checks = {players: check_of(found, players, start_shares.get(players)) for players, found in shares.items()}
        done.append(TrainingGeneration(weights, learned, checks, round(time.monotonic() - start, 3)))
        save_generations(request, command, done)
        say(f"generation {number + 1}{of_all}: {summary(done[-1])}")


def courses_of(request: TrainingRequest, number: int) -> list[Course]:
    """Return the games of a generation: for each scenario and player count, on deals that no other one plays."""
    return [
        Course(setup, players, request.seed_for(f"training {place}"), number * request.games, request.games)
        for place, experiment in enumerate(request.experiments)
        for players, setup in experiment.setups.items()
    ]


def fitted(request: TrainingRequest, current: NDArray[np.float64], lessons: Mapping[int, Lines]) -> NDArray[np.float64]:
    """Return the weights after a generation: they move toward the fit as far as held-out lines say."""
    weights = current.copy()
    for players, lines in lessons.items():
        seen, held_out = lines.split()
        mine = weights_of(request.parts[1], weights, players)
        if len(seen.seat) >= FEWEST_LINES and len(held_out.seat):
            before = mine.copy()
            end = fit(seen, before)
            mine[:] = np.round(before + best_step(held_out, before, end) * (end - before), DIGITS)
    return weights


def summary(generation: TrainingGeneration) -> str:
    """Return a line about the strength after a generation."""
    parts = []
    for players, check in generation.checks.items():
        lessons = generation.lessons[players]
        over = check.over_start
        undealt = f", {lessons.undealt:.0%} of their worlds not dealt" if lessons.undealt > 0 else ""
        parts.append(
            f"{players} players: wins {check.win_share.value:.1%} of {check.games:,} held-out games, "
            f"{100 * over.value:+.1f} pp over the start ({100 * over.low:+.1f} to {100 * over.high:+.1f}), "
            f"{lessons.choices:,} choices compared{undealt}"
        )
    return "; ".join(parts)


def nothing_learned(request: TrainingRequest, generations: int) -> str:
    """Return a line about a training in which no choice was compared."""
    games = generations * request.games
    return (
        f"nothing was learned, so no file is written: no choice of {show(request.bot_name)} was compared in {games:,} "
        "games of each scenario and player count; play more with --games"
    )


def gated(
    request: TrainingRequest, weights: NDArray[np.float64], checks: Mapping[int, TrainingCheck]
) -> tuple[NDArray[np.float64], dict[int, TrainingCheck]]:
    """Return the weights, those of the start where the trained ones are clearly weaker, and the checks, which say so.

    A bot that was trained against another one keeps what it learned: it did not meet itself.
    """
    weights, judged = weights.copy(), dict(checks)
    for players, check in checks.items():
        if check.is_weaker and request.rival is None:
            weights_of(request.parts[1], weights, players)[:] = weights_of(
                request.parts[1], request.bot.weights, players
            )
            judged[players] = replace(check, is_kept=False)
    return weights, judged
