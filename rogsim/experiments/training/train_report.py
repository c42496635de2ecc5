"""The result of a training: printed, and stored as the origin in its file of weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from rogsim.base.version import __version__
from rogsim.experiments.training.train_request import TrainingRequest, scenario_of
from rogsim.experiments.training.train_state import TrainingGeneration
from rogsim.experiments.tuning.tune_report import today
from rogsim.game import compiler
from rogsim.scenario.reconstructed import reconstructed_in
from rogsim.stats.estimates import Estimate


@dataclass(frozen=True)
class TrainingCheck:
    """The held-out check for one player count: the trained bot among its rivals, or bots with the weights of the start.

    win_share: of the trained bot. gain: how far that is above fair.
    """

    games: int
    win_share: Estimate
    gain: Estimate


def print_result(request: TrainingRequest, checks: Mapping[int, TrainingCheck]) -> None:
    """Print what the games rest on, and how strong the trained bot is."""
    scenarios = [experiment.scenario.model_dump(mode="json") for experiment in request.experiments]
    if rests_on := reconstructed_in(request.spec, scenarios).text():
        print(f"{rests_on}\n")
    start = f"bots with the weights of the start ({request.bot.name})"
    print(f"One trained {request.bot_name} among {request.rival.name if request.rival else start}:")
    print(f"\n{'players':>7}  {'games':>7}  {'win share (95%)':>22}  {'fair':>6}  {'diff pp':>8}  verdict")
    for players, check in checks.items():
        won = check.win_share
        text = f"{won.value:.1%} ({100 * won.low:.1f} to {100 * won.high:.1f})"
        line = f"{players:>7}  {check.games:>7,}  {text:>22}  {1 / players:>6.1%}  {100 * check.gain.value:>+8.1f}"
        print(f"{line}  {verdict(check, request.rival is not None)}")
    print(f"\nWeights: {request.out}, for use as {request.bot_name}@{request.out}")


def verdict(check: TrainingCheck, has_rival: bool = False) -> str:
    """Return in a few words whether the trained bot is stronger than the bots it met."""
    if check.gain.low > 0:
        return "stronger"
    if check.gain.high >= 0:
        return "not distinguishable"
    return "weaker" if has_rival else "weaker: keep the start"


def origin(
    request: TrainingRequest, generations: Sequence[TrainingGeneration], checks: Mapping[int, TrainingCheck]
) -> dict[str, Any]:
    """Return how the weights were made, for their file."""
    last = generations[-1].fits if generations else {}
    return {
        "made_by": f"rogsim {__version__}, rogsim train",
        "method": "least squares on the chances to win of lines that were played on in the same worlds",
        "date": today(),
        "game": request.spec.id,
        "rules_version": request.spec.version,
        "sources": compiler.source_hash(),
        "versions": {name: version(name) for name in ("numpy", "scipy")},
        "started_from": request.bot.name,
        "start_hash": f"{request.bot.source_hash}-{request.bot.weights_hash}",
        "scenarios": [experiment.name for experiment in request.experiments],
        "played": {experiment.name: scenario_of(experiment) for experiment in request.experiments},
        "generations": len(generations),
        "games_a_generation": request.games,
        "seed": request.seed,
        "sampling": vars(request.sampling),
        "held_out_turns": {
            f"{players}-players": {
                "turns": after.turns,
                "explained_within_turns": round(after.explained, 4),
                "lost_per_turn": round(after.lost, 5),
                "lost_per_turn_before": round(before.lost, 5),
            }
            for players, (before, after) in last.items()
        },
        "trained_against": request.rival.name if request.rival else None,
        "check": {
            f"{players}-players": {
                "games": check.games,
                "win_share": [round(value, 4) for value in _three(check.win_share)],
                "above_fair": [round(value, 6) for value in _three(check.gain)],
            }
            for players, check in checks.items()
        },
    }


def _three(found: Estimate) -> tuple[float, float, float]:
    return found.value, found.low, found.high
