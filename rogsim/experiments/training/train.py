"""Trains the evaluation of a bot: generations of play, each with a fit and a match against the one before."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base.progress import progress_bar, say
from rogsim.bots.loading import compile_bot
from rogsim.bots.weights import weights_text
from rogsim.experiments.training.fitting import Lines, Quality, best_step, fit, quality
from rogsim.experiments.training.lessons import Course, Learner, collect
from rogsim.experiments.training.train_report import TrainingCheck, origin
from rogsim.experiments.training.train_request import TrainingRequest, identity
from rogsim.experiments.training.train_state import TrainingGeneration, load_state, save_state
from rogsim.experiments.tuning.evaluations import EvaluationDeals, EvaluationSetup, clusters_of, evaluate
from rogsim.experiments.tuning.evolution import write_text
from rogsim.game import compiler
from rogsim.game.kit.learning.compared_lines import record_lines
from rogsim.game.kit.learning.sampling import weights_of
from rogsim.game.spec import GameSpec
from rogsim.results.drafts import alone_at
from rogsim.simulation.batch import check_workers
from rogsim.simulation.compiling import announce_compiler, compiling_line
from rogsim.stats.estimates import mean, share

LEARNING = "the play to learn from"  # among what is compiled
DIGITS = 6  # of a weight
EXACT = 6  # digits of a win share: rows hold no more (`f4`), so any after them are rounding errors
FEWEST_LINES = 50  # lines to fit to: with fewer the weights stay as they are


@dataclass(frozen=True)
class Trained:
    """The result: the weights in the file, the generations, and by player count the check against the start."""

    weights: NDArray[np.float64]
    generations: list[TrainingGeneration]
    checks: Mapping[int, TrainingCheck]


def train(request: TrainingRequest, jobs: int | None) -> Trained:
    """Train a bot, check the result on held-out deals, and write the file of weights.

    The state is stored after each generation; the same request continues from there. With the same number of
    generations the weights are the same, whatever the number of workers and however often it was interrupted.
    """
    check_workers("--jobs", jobs)
    with alone_at(request.out, (request.state, request.out)):
        return _train(request, jobs)


def _train(request: TrainingRequest, jobs: int | None) -> Trained:
    command = identity(request)
    done = load_state(request.state, command, len(request.bot.weights))
    save_state(request.state, command, done)  # so that a file that cannot be written fails before anything is played
    if done:
        say(f"Continuing after generation {len(done)} ({request.state}).")
    announce_compiler(request.spec, [request.bot] if request.rival is None else [request.bot, request.rival], say)
    bot = compile_bot(request.spec, request.bot)
    rival = None if request.rival is None else compile_bot(request.spec, request.rival)
    request.spec.warm()
    is_done = request.generations is not None and len(done) >= request.generations
    if not is_done and _is_cold(request.spec):
        say(compiling_line(request.spec, [LEARNING]))
    learner = Learner(request.spec, bot, request.search, request.evaluation, rival)
    try:
        _learn(request, learner, done, command, jobs)
        weights = done[-1].weights if done else request.bot.weights
        weights, checks = gated(request, weights, _check(request, learner, weights, jobs))
    except KeyboardInterrupt:
        say(f"\nInterrupted. The same command continues from {request.state}.")
        raise
    text = weights_text(request.bot_name, weights.tolist(), request.bot.weight_names, origin(request, done, checks))
    write_text(request.out, text)
    request.state.unlink()
    return Trained(weights, done, checks)


def _learn(
    request: TrainingRequest,
    learner: Learner,
    done: list[TrainingGeneration],
    command: Mapping[str, Any],
    jobs: int | None,
) -> None:
    """Play and fit generation by generation, until their number or the time is reached."""
    of_all = f" of {request.generations}" if request.generations else ""
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
        weights, fits = fitted(request, current, lessons)
        done.append(TrainingGeneration(weights, fits, round(time.monotonic() - start, 3)))
        save_state(request.state, command, done)
        say(f"generation {number + 1}{of_all}: {summary(fits)}")


def _is_cold(spec: GameSpec) -> bool:
    """Return whether the play that is learned from has to be compiled."""
    return compiler.is_cold(record_lines, spec.id, spec.rules.state)


def courses_of(request: TrainingRequest, number: int) -> list[Course]:
    """Return the games of a generation: for each scenario and player count, on deals that no other one plays."""
    return [
        Course(setup, players, request.seed_for(f"training {place}"), number * request.games, request.games)
        for place, experiment in enumerate(request.experiments)
        for players, setup in experiment.setups.items()
    ]


def fitted(
    request: TrainingRequest, current: NDArray[np.float64], lessons: Mapping[int, Lines]
) -> tuple[NDArray[np.float64], dict[int, tuple[Quality, Quality]]]:
    """Return the weights after a generation, and for each player count how good they were before and are now.

    The weights move toward the fit as far as held-out lines say.
    """
    weights, found = current.copy(), {}
    for players, lines in lessons.items():
        seen, held_out = lines.split()
        mine = weights_of(request.evaluation, weights, players)
        before = mine.copy()
        if len(seen.seat) >= FEWEST_LINES and len(held_out.seat):
            end = fit(seen, before)
            mine[:] = np.round(before + best_step(held_out, before, end) * (end - before), DIGITS)
            found[players] = (quality(held_out, before), quality(held_out, mine))
    return weights, found


def summary(fits: Mapping[int, tuple[Quality, Quality]]) -> str:
    """Return a line about the held-out lines of a generation."""
    parts = [
        f"{players} players: a turn loses {100 * after.lost:.2f} pp (before {100 * before.lost:.2f}), "
        f"{after.turns:,} turns held out"
        for players, (before, after) in fits.items()
    ]
    return "; ".join(parts) if parts else "too few turns to learn from"


def _check(
    request: TrainingRequest, learner: Learner, weights: NDArray[np.float64], jobs: int | None
) -> dict[int, TrainingCheck]:
    """Let the trained bot play on deals that were not learned from.

    The others are the bots that it was trained against, or have the weights of the start.
    """
    checks: dict[int, list[NDArray[np.float64]]] = {}
    others = learner.rival or replace(learner.bot, weights=request.bot.weights)
    plays = [(experiment, players) for experiment in request.experiments for players in experiment.setups]
    blocks = {players: -(-request.held_out // players) for players in request.players}
    with progress_bar(sum(players * blocks[players] for _, players in plays)) as advance:
        for number, (experiment, players) in enumerate(plays):
            seed = request.seed_for(f"held-out {number}")
            setup = EvaluationSetup(request.spec, experiment.setups, learner.bot, (others,), seed)
            deals = EvaluationDeals(0, {players: blocks[players]})
            (result,) = evaluate(setup, [weights], deals, jobs, advance)
            checks.setdefault(players, []).append(result[players].win_share)
    return {players: check_of(shares, players) for players, shares in sorted(checks.items())}


def gated(
    request: TrainingRequest, weights: NDArray[np.float64], checks: Mapping[int, TrainingCheck]
) -> tuple[NDArray[np.float64], dict[int, TrainingCheck]]:
    """Return the weights, those of the start where the trained ones are clearly weaker, and the checks, which say so.

    A bot that was trained against another one keeps what it learned: it did not meet itself.
    """
    weights, judged = weights.copy(), dict(checks)
    for players, check in checks.items():
        if check.is_weaker and request.rival is None:
            weights_of(request.evaluation, weights, players)[:] = weights_of(
                request.evaluation, request.bot.weights, players
            )
            judged[players] = replace(check, is_kept=False)
    return weights, judged


def check_of(shares: Sequence[NDArray[np.float64]], players: int) -> TrainingCheck:
    """Return the check for a player count, from the win share in each block of all its scenarios."""
    every = np.concatenate(shares)
    gains = np.round(every - 1.0 / players, EXACT)  # bots that play alike gain nothing
    return TrainingCheck(
        games=len(every) * players,
        win_share=share(clusters_of(every, players)),
        gain=mean(clusters_of(gains, players)),
    )
