"""Trains the evaluation of a bot: generations of play, each with a fit and a check on held-out deals."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base.interrupts import keeping
from rogsim.base.progress import progress_bar, say
from rogsim.base.validation import show
from rogsim.bots.loading import compile_bot
from rogsim.bots.weights import weights_text
from rogsim.experiments.continued import kept_in
from rogsim.experiments.training.fitting import Lines, best_step, fit
from rogsim.experiments.training.held_out import HeldOut
from rogsim.experiments.training.lessons import Course, Learner, collect
from rogsim.experiments.training.train_check import TrainingCheck
from rogsim.experiments.training.train_report import origin
from rogsim.experiments.training.train_request import TrainingError, TrainingRequest, identity
from rogsim.experiments.training.train_state import Lessons, TrainingGeneration, load_state, save_state
from rogsim.experiments.tuning.evolution import write_text
from rogsim.game import compiler
from rogsim.game.kit.learning.compared_lines import record_lines
from rogsim.game.kit.learning.sampling import weights_of
from rogsim.game.spec import GameSpec
from rogsim.results.drafts import alone_at
from rogsim.simulation.batch import check_workers
from rogsim.simulation.compiling import announce_compiler, compiling_line

LEARNING = "the play to learn from"  # among what is compiled
DIGITS = 6  # of a weight
FEWEST_LINES = 50  # lines to fit to: with fewer the weights stay as they are


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
    TrainingError
        If nothing was learned; then no file is written.
    """
    check_workers("--jobs", jobs)
    with alone_at(request.out, (request.state, request.out)):
        return _train(request, jobs, must_learn)


def _train(request: TrainingRequest, jobs: int | None, must_learn: bool) -> Trained:
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
    with keeping(request.state, partial(kept_in, request.state, request.out)):
        _learn(request, learner, done, command, jobs)
    if must_learn and not any(found.choices for generation in done for found in generation.lessons.values()):
        request.state.unlink()
        raise TrainingError(nothing_learned(request, len(done)))
    weights, checks = gated(request, done[-1].weights, done[-1].checks)
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
    held_out = HeldOut(request, learner, jobs)
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
        checks = held_out.check(weights)
        done.append(TrainingGeneration(weights, learned, checks, round(time.monotonic() - start, 3)))
        save_state(request.state, command, done)
        say(f"generation {number + 1}{of_all}: {summary(done[-1])}")


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


def fitted(request: TrainingRequest, current: NDArray[np.float64], lessons: Mapping[int, Lines]) -> NDArray[np.float64]:
    """Return the weights after a generation: they move toward the fit as far as held-out lines say."""
    weights = current.copy()
    for players, lines in lessons.items():
        seen, held_out = lines.split()
        mine = weights_of(request.evaluation, weights, players)
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
            weights_of(request.evaluation, weights, players)[:] = weights_of(
                request.evaluation, request.bot.weights, players
            )
            judged[players] = replace(check, is_kept=False)
    return weights, judged
