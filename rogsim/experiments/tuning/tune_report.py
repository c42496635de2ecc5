"""The result of a tuning: printed, and stored as the origin in its file of weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base.version import __version__
from rogsim.experiments.tuning.evaluations import MARGIN
from rogsim.experiments.tuning.tune_request import TuningRequest
from rogsim.scenario.reconstructed import reconstructed_in
from rogsim.stats.estimates import Estimate

LISTED = 12  # weights printed, of those that changed


@dataclass(frozen=True)
class Check:
    """The held-out check for one player count: win shares before and after, and the paired difference."""

    games: int
    before: Estimate
    after: Estimate
    difference: Estimate


def print_result(request: TuningRequest, weights: NDArray[np.float64], checks: Mapping[int, Check]) -> None:
    """Print what the games rest on, the weights that changed most, and the held-out check."""
    if rests_on := reconstructed_in(request.spec, [{}]).text():
        print(f"{rests_on}\n")
    before = request.bot.weights
    order = np.argsort(-np.abs(weights - before), kind="stable")
    moved = [place for place in order if weights[place] != before[place]]
    width = max(map(len, ["weight", *(request.names[place] for place in moved[:LISTED])]))
    print(f"{'weight':<{width}}  {'before':>10}  {'tuned':>10}")
    for place in moved[:LISTED]:
        print(f"{request.names[place]:<{width}}  {before[place]:>10.4g}  {weights[place]:>10.4g}")
    if len(moved) > LISTED:
        print(f"… and {len(moved) - LISTED} more, which changed less")
    against = ", ".join(source.name for source in request.pool)
    for players, check in checks.items():
        print(f"\n{players} players, against {against}: {check.games:,} held-out games (fair is {1 / players:.1%})")
        print(f"before      {_percent(check.before)}")
        print(f"tuned       {_percent(check.after)}")
        shown = [f"{100 * value:+.1f}" for value in (check.difference.value, check.difference.low)]
        print(f"difference  {shown[0]} pp ({shown[1]} to {100 * check.difference.high:+.1f})")
    print(f"\nWeights: {request.out}, for use as {request.bot_name}@{request.out}")


def origin(request: TuningRequest, candidates: int, checks: Mapping[int, Check]) -> dict[str, Any]:
    """Return how the weights were made, for their file."""
    blocks = request.blocks(request.games)
    games = sum(players * count for players, count in blocks.items())
    kept = [name for place, name in enumerate(request.names) if place not in request.free]
    return {
        "made_by": f"rogsim {__version__}, CMA-ES by cma {version('cma')}",
        "date": today(),
        "game": request.spec.id,
        "rules_version": request.spec.version,
        "options": dict(request.options),
        "bot_source_hash": request.bot.source_hash,
        "started_from": request.bot.name,
        "start": request.bot.weights.tolist(),
        "kept": kept,
        "against": [source.name for source in request.pool],
        "against_hashes": [f"{source.source_hash}-{source.weights_hash}" for source in request.pool],
        "players": list(request.setups),
        "generations": request.generations,
        "candidates": candidates,
        "games_a_candidate": games,
        "games_in_all": games * candidates * request.generations,
        "lead_counts": MARGIN,
        "seed": request.seed,
        "training_seed": request.seed_for("training"),
        "held_out_seed": request.seed_for("held-out"),
        "held_out": {
            f"{players}-players": {
                "games": check.games,
                "win_share": _plain(check.after),
                "win_share_before": _plain(check.before),
                "difference": _plain(check.difference),
            }
            for players, check in checks.items()
        },
    }


def today() -> str:
    """Return today's date, the only thing in the file that does not follow from the command."""
    return datetime.now(UTC).date().isoformat()


def _plain(estimate: Estimate) -> list[float]:
    """Return value, low and high, rounded to a hundredth of a percentage point."""
    return [round(value, 4) for value in (estimate.value, estimate.low, estimate.high)]


def _percent(estimate: Estimate) -> str:
    return f"{estimate.value:.1%} ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"
