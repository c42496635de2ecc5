"""The state of a training, as plain data: the weights after each generation, and how strong they were."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.experiments.continued import check_same_settings, read_state
from rogsim.experiments.training.train_check import TrainingCheck, check_in, plain
from rogsim.experiments.training.train_request import TrainingError
from rogsim.experiments.tuning.evolution import write_text

FORMAT = "rogsim-training/2"


@dataclass(frozen=True)
class Lessons:
    """What a generation learned from with one player count.

    choices: how many were compared. undealt: in which share of their worlds the game itself stood in, because no world
    that was dealt explained what the bots did that do not learn.
    """

    choices: int
    undealt: float


@dataclass(frozen=True)
class TrainingGeneration:
    """The weights after a generation, and by player count what it learned from and the check on held-out deals.

    seconds: how long the generation took.
    """

    weights: NDArray[np.float64]
    lessons: Mapping[int, Lessons]
    checks: Mapping[int, TrainingCheck]
    seconds: float = 0.0


def save_state(path: Path, command: Mapping[str, Any], done: Sequence[TrainingGeneration]) -> None:
    """Write the state that a training needs to continue; the file is never left half-written."""
    state = {"format": FORMAT, "command": command, "generations": [_plain(generation) for generation in done]}
    write_text(path, json.dumps(state, indent=1, ensure_ascii=False) + "\n")


def load_state(path: Path, command: Mapping[str, Any], count: int) -> list[TrainingGeneration]:
    """Read the finished generations, each with `count` weights.

    Raises
    ------
    TrainingError
        If the file holds no state, or that of another command.
    """
    state = read_state(path, FORMAT, TrainingError)
    if state is None:
        return []
    check_same_settings(path, state.get("command"), command, TrainingError)
    try:
        return [_generation(kept, count) for kept in state["generations"]]
    except (KeyError, TypeError, ValueError, OverflowError) as fault:
        raise TrainingError(f'{path}: its "generations" are incomplete; remove it to start again') from fault


def _plain(generation: TrainingGeneration) -> dict[str, Any]:
    return {
        "weights": generation.weights.tolist(),
        "lessons": {str(players): asdict(lessons) for players, lessons in generation.lessons.items()},
        "checks": {str(players): plain(check) for players, check in generation.checks.items()},
        "seconds": generation.seconds,
    }


def _generation(kept: Mapping[str, Any], count: int) -> TrainingGeneration:
    """Return one stored generation; KeyError, ValueError or TypeError unless all of it is there."""
    weights = np.array(kept["weights"], dtype=np.float64)
    if weights.shape != (count,) or not np.isfinite(weights).all():
        raise ValueError("the weights are incomplete")
    lessons = {int(players): Lessons(**found) for players, found in kept["lessons"].items()}
    checks = {int(players): check_in(found) for players, found in kept["checks"].items()}
    if set(lessons) != set(checks):
        raise ValueError("not all player counts were checked")
    seconds = float(kept["seconds"])
    if not 0.0 <= seconds < math.inf:
        raise ValueError("the time is not known")
    return TrainingGeneration(weights, lessons, checks, seconds)
