"""CMA-ES over weights, generation by generation, with all scores stored as plain data.

The library's state could only be pickled. So an interrupted search restarts from the same seed and gets the stored
scores again. This is exact, because its candidates depend on nothing but the seed and the scores.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cma
import numpy as np
from numpy.typing import NDArray

from rogsim.base.errors import RogsimError
from rogsim.base.files import write_whole
from rogsim.experiments.continued import check_same_settings, read_state

FORMAT = "rogsim-tuning/1"
FIRST_STEP = 0.3  # of a weight's scale: the standard deviation of the first candidates around the start


class TuningError(RogsimError):
    """A tuning that cannot start, or cannot continue from its stored state."""


@dataclass(frozen=True)
class Generation:
    """One generation: a hash of its candidates, and the score and win share of each."""

    asked: str
    scores: list[float]
    win_shares: list[float]


class Evolution:
    """The search: `ask` for candidates, `tell` their scores (more is better), and take `favorite` at the end."""

    def __init__(self, start: NDArray[np.float64], free: Sequence[int], seed: int) -> None:
        """Start the search at `start`, float64[n]; only the weights at the indices `free` change."""
        self.start, self.free = start, list(free)
        # A separate generator, because cma would seed that of the whole process. Verbosity below -9 also reads no file.
        generator = np.random.RandomState([seed & 0xFFFFFFFF, seed >> 32])
        settings = {"seed": np.nan, "randn": generator.randn, "verbose": -10, "verb_log": 0, "verb_disp": 0}
        settings["CMA_stds"] = scales(start)[self.free]
        self._search = cma.CMAEvolutionStrategy(start[self.free], FIRST_STEP, settings)
        self._asked: list[NDArray[np.float64]] = []

    @property
    def size(self) -> int:
        """Return how many candidates a generation has."""
        return int(self._search.popsize)

    def ask(self) -> list[NDArray[np.float64]]:
        """Return the candidates of the next generation, each a complete set of weights, float64[n]."""
        self._asked = self._search.ask()
        return [self._whole(values) for values in self._asked]

    def tell(self, scores: Sequence[float]) -> None:
        """Take the scores of the last candidates that `ask` returned."""
        self._search.tell(self._asked, [-score for score in scores])

    def replay(self, generations: Sequence[Generation], path: Path) -> None:
        """Repeat the generations stored in the file `path`; TuningError if they do not match."""
        for number, generation in enumerate(generations, start=1):
            if fingerprint(self.ask()) != generation.asked or len(generation.scores) != self.size:
                raise TuningError(f"{path}: generation {number} cannot be reproduced here; remove the file")
            self.tell(generation.scores)

    def favorite(self) -> NDArray[np.float64]:
        """Return the centre of the search, to six digits. Luck affects it less than the best candidate."""
        middle = self._whole(self._search.result.xfavorite)
        middle[self.free] = [float(f"{value:.6g}") for value in middle[self.free]]
        return middle

    def _whole(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        weights = self.start.copy()
        weights[self.free] = values
        return weights


def scales(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scale of each weight: its absolute value, and for a zero the median of the others (or 1)."""
    sizes = np.abs(weights)
    usual = float(np.median(sizes[sizes > 0])) if (sizes > 0).any() else 1.0
    return np.where(sizes > 0, sizes, usual)


def fingerprint(candidates: Sequence[NDArray[np.float64]]) -> str:
    """Hash candidates: 16 hex digits."""
    return hashlib.sha256(b"".join(candidate.tobytes() for candidate in candidates)).hexdigest()[:16]


def save_state(path: Path, command: Mapping[str, Any], generations: Sequence[Generation]) -> None:
    """Write the state that a tuning needs to continue; the file is never left half-written."""
    state = {"format": FORMAT, "command": command, "generations": [asdict(generation) for generation in generations]}
    write_text(path, json.dumps(state, indent=1, ensure_ascii=False) + "\n")


def load_state(path: Path, command: Mapping[str, Any]) -> list[Generation]:
    """Read the finished generations; TuningError if the file holds no state, or that of another command."""
    state = read_state(path, FORMAT, TuningError)
    if state is None:
        return []
    check_same_settings(path, state.get("command"), command, TuningError)
    try:
        return [_generation(**generation) for generation in state["generations"]]
    except (KeyError, TypeError, ValueError, OverflowError) as fault:
        raise TuningError(f'{path}: its "generations" are incomplete; remove it to start again') from fault


def write_text(path: Path, text: str) -> None:
    """Write a file in full or not at all; TuningError if it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    except OSError as fault:
        raise TuningError(f"{path}: cannot be written: {fault.strerror}") from fault


def _generation(asked: str, scores: list[float], win_shares: list[float]) -> Generation:
    """Return one stored generation; ValueError or TypeError unless all scores are numbers."""
    if not np.isfinite(np.array(scores, dtype=np.float64)).all():
        raise ValueError("a score is not finite")
    return Generation(asked, scores, win_shares)
