"""The origin that a file of trained weights holds: how they were made, and how strong the bot is with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from rogsim.base.version import __version__
from rogsim.experiments.training.train_check import TrainingCheck, plain
from rogsim.experiments.training.train_request import TrainingRequest, scenario_of
from rogsim.experiments.training.train_state import TrainingGeneration
from rogsim.experiments.tuning.tune_report import today
from rogsim.game import compiler
from rogsim.scenario.fingerprint import engine_hash


def origin(
    request: TrainingRequest, generations: Sequence[TrainingGeneration], checks: Mapping[int, TrainingCheck]
) -> dict[str, Any]:
    """Return how the weights were made, for their file."""
    return {
        "made_by": f"rogsim {__version__}, rogsim train",
        "method": "least squares on the chances to win of lines that were played on in the same worlds",
        "date": today(),
        "game": request.spec.id,
        "rules_version": request.spec.version,
        "sources": compiler.source_hash(),
        "engine": engine_hash(request.spec.bots_package),
        "versions": {name: version(name) for name in ("numpy", "scipy")},
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
