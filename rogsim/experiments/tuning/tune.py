"""Tunes the weights of a bot: CMA-ES on training deals, a check on held-out deals, a file of weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base.interrupts import keeping
from rogsim.base.progress import progress_bar, say
from rogsim.bots.loading import compile_bot
from rogsim.bots.weights import weights_text
from rogsim.experiments.continued import kept_in
from rogsim.experiments.tuning.evaluations import EvaluationDeals, EvaluationSetup, clusters_of, evaluate, scores_of
from rogsim.experiments.tuning.evolution import (
    Evolution,
    Generation,
    fingerprint,
    load_state,
    save_state,
    write_text,
)
from rogsim.experiments.tuning.tune_report import Check, origin
from rogsim.experiments.tuning.tune_request import TuningRequest, identity
from rogsim.results.drafts import alone_at
from rogsim.simulation.batch import check_workers
from rogsim.simulation.compiling import announce_compiler
from rogsim.stats.estimates import share
from rogsim.stats.paired.differences import SAME, mean_difference


def tune(request: TuningRequest, jobs: int | None) -> tuple[NDArray[np.float64], dict[int, Check]]:
    """Tune a bot, check the result on held-out deals, and write the file of weights.

    The state is stored after each generation; the same request continues from there.

    Returns
    -------
    float64[weights]
        The tuned weights.
    dict
        The check by player count.
    """
    check_workers("--jobs", jobs)
    with alone_at(request.out, (request.state, request.out)):
        return _tune(request, jobs)


def _tune(request: TuningRequest, jobs: int | None) -> tuple[NDArray[np.float64], dict[int, Check]]:
    command = identity(request)
    kept = load_state(request.state, command)
    search = Evolution(request.bot.weights, request.free, request.seed_for("tuning"))
    search.replay(kept, request.state)
    save_state(request.state, command, kept)  # so that a file that cannot be written fails before anything is played
    if kept:
        say(f"Continuing after generation {len(kept)} of {request.generations} ({request.state}).")
    setup = _evaluation_setup(request)
    with keeping(request.state, partial(kept_in, request.state, request.out)):
        _evolve(request, search, setup, list(kept), command, jobs)
        weights = search.favorite()
        checks = _check(request, setup, weights, jobs)
    text = weights_text(
        request.bot_name, weights.tolist(), request.bot.weight_names, origin(request, search.size, checks)
    )
    write_text(request.out, text)
    request.state.unlink()
    return weights, checks


def _evolve(
    request: TuningRequest,
    search: Evolution,
    setup: EvaluationSetup,
    done: list[Generation],
    command: Mapping[str, Any],
    jobs: int | None,
) -> None:
    blocks = request.blocks(request.games)
    games = sum(players * count for players, count in blocks.items())
    for number in range(len(done), request.generations):
        deals = EvaluationDeals(start=number * max(blocks.values()), blocks=blocks)
        candidates = search.ask()
        with progress_bar(games * search.size) as advance:
            evaluations = evaluate(setup, candidates, deals, jobs, advance)
        scores = scores_of(evaluations)
        shares = [float(np.mean([result.win_share.mean() for result in found.values()])) for found in evaluations]
        search.tell(scores)
        done.append(Generation(fingerprint(candidates), scores, shares))
        save_state(request.state, command, done)
        best, middle = shares[int(np.argmax(scores))], float(np.mean(shares))
        say(f"generation {number + 1} of {request.generations}: best win share {best:.1%}, mean {middle:.1%}")


def _check(
    request: TuningRequest, setup: EvaluationSetup, weights: NDArray[np.float64], jobs: int | None
) -> dict[int, Check]:
    """Play the weights before and after on the same deals, which the search has not used."""
    blocks = request.blocks(request.held_out)
    held_out = replace(setup, seed=request.seed_for("held-out"))
    with progress_bar(2 * sum(players * count for players, count in blocks.items())) as advance:
        before, after = evaluate(held_out, [request.bot.weights, weights], EvaluationDeals(0, blocks), jobs, advance)
    checks = {}
    for players, count in blocks.items():
        shares = [found[players].win_share for found in (before, after)]
        differences = shares[1] - shares[0]
        checks[players] = Check(
            games=count * players,
            before=share(clusters_of(shares[0], players)),
            after=share(clusters_of(shares[1], players)),
            difference=mean_difference(differences, count * players),
            deals=count,
            differing=int((np.abs(differences) > SAME).sum()),
        )
    return checks


def _evaluation_setup(request: TuningRequest) -> EvaluationSetup:
    announce_compiler(request.spec, (request.bot, *request.pool), say)
    bot = compile_bot(request.spec, request.bot)
    pool = tuple(compile_bot(request.spec, source) for source in request.pool)
    request.spec.warm()
    return EvaluationSetup(request.spec, request.setups, bot, pool, request.seed_for("training"))
