"""The result of a training: how strong the trained bot is, and the origin that its file of weights holds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from rogsim.base.version import __version__
from rogsim.experiments.training.train_request import TrainingRequest, scenario_of
from rogsim.experiments.training.train_state import TrainingGeneration
from rogsim.experiments.tuning.tune_report import today
from rogsim.game import compiler
from rogsim.scenario.fingerprint import engine_hash
from rogsim.stats.alpha_spending import ALPHA
from rogsim.stats.contrasts import FEWEST_BLOCKS, holm
from rogsim.stats.estimates import CONFIDENCE, Estimate
from rogsim.stats.special_functions import stdtr, stdtrit

NOT_CLEAR = "not distinguishable"


@dataclass(frozen=True)
class TrainingCheck:
    """The held-out check for one player count: the trained bot among its rivals, or bots with the weights of the start.

    win_share: of the trained bot. gain: how far that is above fair. is_kept: whether the file has the trained weights
    for this player count; otherwise those of the start, because the trained bot was clearly weaker.
    """

    games: int
    win_share: Estimate
    gain: Estimate
    is_kept: bool = True

    @property
    def is_weaker(self) -> bool:
        """Return whether the trained bot is clearly weaker than the bots it met."""
        return self.gain.high < 0


def verdict(check: TrainingCheck) -> str:
    """Return in a few words whether the trained bot is stronger than the bots it met, by the interval of one check."""
    if check.gain.low > 0:
        return "stronger"
    if not check.is_weaker:
        return NOT_CLEAR
    return "weaker" if check.is_kept else "weaker: the start is kept"


def verdicts(checks: Mapping[int, TrainingCheck]) -> dict[int, str]:
    """Return the verdicts of all player counts, judged together by Holm's method.

    Whether the start is kept is not judged anew: the interval of the check has decided that.
    """
    adjusted = holm([p_of(check, players) for players, check in checks.items()])
    return {
        players: verdict(check) if p < ALPHA or not check.is_kept else NOT_CLEAR
        for (players, check), p in zip(checks.items(), adjusted, strict=True)
    }


def p_of(check: TrainingCheck, players: int) -> float:
    """Return the two-sided p of a check's gain being 0, by Student's t from its interval; nan with too few blocks."""
    df = check.games // players - 1
    if df + 1 < FEWEST_BLOCKS:
        return math.nan
    error = check.gain.half_width / float(stdtrit(df, (1 + CONFIDENCE) / 2))
    if not error > 0:
        return 1.0 if check.gain.value == 0 else 0.0
    return 2 * float(stdtr(df, -abs(check.gain.value) / error))


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
                "kept": check.is_kept,
            }
            for players, check in checks.items()
        },
    }


def _three(found: Estimate) -> tuple[float, float, float]:
    return found.value, found.low, found.high
