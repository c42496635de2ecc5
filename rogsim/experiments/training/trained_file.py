"""What a file of trained weights says about its training."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rogsim.base.validation import show
from rogsim.bots.weights import read_file
from rogsim.experiments.training.train_report import TrainingCheck
from rogsim.experiments.training.train_request import TrainingError
from rogsim.stats.estimates import Estimate


@dataclass(frozen=True)
class TrainedFile:
    """How the weights in a file were trained.

    Attributes
    ----------
    generations, games
        Number of generations, and of games of each for each player count.
    checks
        The trained bot among bots with the weights of the start, by player count.
    """

    generations: int
    games: int
    checks: Mapping[int, TrainingCheck]


def read_trained(path: Path) -> TrainedFile:
    """Return what the origin in a file of weights says; TrainingError unless `rogsim train` wrote all of it."""
    origin: Any = read_file(path).get("origin")
    try:
        found: Mapping[str, Any] = origin["check"]
        checks = {int(name.removesuffix("-players")): _check(check) for name, check in found.items()}
        return TrainedFile(int(origin["generations"]), int(origin["games_a_generation"]), checks)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as fault:
        key = show("origin")
        raise TrainingError(f"{path}: key {key}: is not that of a training; remove the file to train again") from fault


def _check(found: Mapping[str, Any]) -> TrainingCheck:
    games = int(found["games"])
    is_kept = found.get("kept", True) is True
    return TrainingCheck(games, _estimate(found["win_share"], games), _estimate(found["above_fair"], games), is_kept)


def _estimate(numbers: Sequence[float], games: int) -> Estimate:
    value, low, high = (float(number) for number in numbers)
    if not (math.isfinite(low) and math.isfinite(high) and low <= value <= high):
        raise ValueError("not an estimate with its interval")
    return Estimate(value, low, high, games, float(games))
