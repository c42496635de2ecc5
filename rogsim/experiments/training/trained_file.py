"""What a file of trained weights says about its training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rogsim.base.validation import show
from rogsim.bots.weights import read_file
from rogsim.experiments.training.train_check import TrainingCheck, check_in
from rogsim.experiments.training.train_request import TrainingError


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
        checks = {int(name.removesuffix("-players")): check_in(check) for name, check in found.items()}
        return TrainedFile(int(origin["generations"]), int(origin["games_a_generation"]), checks)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as fault:
        key = show("origin")
        raise TrainingError(f"{path}: key {key}: is not that of a training; remove the file to train again") from fault
