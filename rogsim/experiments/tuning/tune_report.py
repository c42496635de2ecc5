"""The result of a tuning: the held-out check, and the origin that its file of weights holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from rogsim.base.version import __version__
from rogsim.experiments.tuning.evaluations import MARGIN
from rogsim.experiments.tuning.tune_request import TuningRequest
from rogsim.stats.estimates import Estimate


@dataclass(frozen=True)
class Check:
    """The held-out check for one player count: win shares before and after, and the paired difference.

    deals: number of deals. differing: of these, the deals on which the two win shares differ.
    """

    games: int
    before: Estimate
    after: Estimate
    difference: Estimate
    deals: int
    differing: int


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
