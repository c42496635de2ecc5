"""What `rogsim tune` and `rogsim train` share: new weights for a bot, in generations, from a state that is stored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rogsim.base.errors import RogsimError
from rogsim.base.files import MEGABYTE, parse_json, read_bytes, write_whole
from rogsim.base.progress import Advance
from rogsim.base.signals_and_streams import keeping
from rogsim.base.validation import LONGEST_VALUE, format_fault, show
from rogsim.bots.loading import BotSource
from rogsim.bots.names import read_bot_name
from rogsim.bots.weights import weights_text
from rogsim.game import compiler
from rogsim.game.spec import GameSpec
from rogsim.results.output_folders import alone_at
from rogsim.scenario.fingerprint import engine_hash
from rogsim.scenario.model import MOST_SEEDS
from rogsim.simulation.backends import Backend, run_all
from rogsim.simulation.batch import check_workers

MOST_BYTES = 64 * MEGABYTE  # of a stored state
SHOWN = 5  # settings that differ; of the rest only the number is given
AGAIN = "remove it to start again"
MISSING = object()

T = TypeVar("T")
Part = TypeVar("Part")


@dataclass(frozen=True, kw_only=True)
class WeightsRequest:
    """A checked request for new weights of a bot.

    Attributes
    ----------
    games, held_out
        Games of a generation and of the check, for each player count.
    out
        The file of weights to write.
    """

    bot: BotSource
    games: int
    held_out: int
    seed: int
    out: Path

    @property
    def bot_name(self) -> str:
        """Return the name of the bot without its file of weights."""
        return read_bot_name(self.bot.name).base

    @property
    def state(self) -> Path:
        """Return the file with the state needed to continue."""
        return self.out.with_name(f"{self.out.name}.state.json")

    def seed_for(self, purpose: str) -> int:
        """Return the seed for a purpose; no two purposes share games with each other or with a run of that seed."""
        digest = hashlib.sha256(f"{purpose} {self.seed}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % MOST_SEEDS

    @contextmanager
    def alone(self, jobs: int | None) -> Iterator[None]:
        """Keep other processes from the same weights; RogsimError if one makes them already, or if `jobs` is wrong."""
        check_workers("--jobs", jobs)
        with alone_at(self.out, (self.state, self.out)):
            yield

    def keeping(self) -> AbstractContextManager[None]:
        """Say on Ctrl-C from where the command continues, or where the weights are once it has written them."""
        return keeping(self.state, self._kept)

    def _kept(self) -> str:
        if self.state.exists():
            return f"The same command continues from {self.state}."
        return f"The weights are in {self.out}."

    def write(self, weights: NDArray[np.float64], origin: Mapping[str, Any]) -> None:
        """Write the weights and where they come from, and remove the state."""
        write_text(self.out, weights_text(self.bot_name, weights.tolist(), self.bot.weight_names, origin))
        self.state.unlink()


def play_parts(
    parts: Sequence[Part], play: Callable[[Part], T], games: Callable[[Part], int], jobs: int | None, advance: Advance
) -> list[T]:
    """Play the parts of some work at the same time, and return the results in the order of the parts.

    games: how many games a part has; `advance` is called with these when it is finished.
    """
    found: dict[int, T] = {}

    def played(number: int, part: Part) -> tuple[int, T]:
        return number, play(part)

    for number, result in run_all(Backend("threads"), jobs, played, enumerate(parts)):
        found[number] = result
        advance(games(parts[number]))
    return [found[number] for number in range(len(parts))]


def rules_of(spec: GameSpec) -> list[str]:
    """Return what the results of games depend on besides the request: the rules, and the code."""
    return [spec.version, compiler.source_hash(), engine_hash(spec.bots_package)]


def versions_of(*libraries: str) -> dict[str, str]:
    """Return the versions of libraries."""
    return {name: version(name) for name in libraries}


def today() -> str:
    """Return today's date, the only thing in a file of weights that does not follow from the command."""
    return datetime.now(UTC).date().isoformat()


def write_text(path: Path, text: str) -> None:
    """Write a file in full or not at all; RogsimError if it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    except OSError as fault:
        raise RogsimError(f"{path}: cannot be written: {fault.strerror}") from fault


def save_state(path: Path, form: str, command: Mapping[str, Any], generations: Sequence[Mapping[str, Any]]) -> None:
    """Write the state that a command needs to continue; the file is never left half-written."""
    state = {"format": form, "command": command, "generations": generations}
    write_text(path, json.dumps(state, indent=1, ensure_ascii=False) + "\n")


def load_state(path: Path, form: str, command: Mapping[str, Any], read: Callable[[Any], T]) -> list[T]:
    """Return the finished generations of a stored state; none if there is no file.

    Parameters
    ----------
    form
        The format.
    command
        What determines the outcome: the state must be of the same.
    read
        Returns a generation; KeyError, TypeError, ValueError or OverflowError if it is incomplete.

    Raises
    ------
    RogsimError
        If the file holds no state, or that of another command.
    """
    try:
        state = parse_json(read_bytes(path, MOST_BYTES))
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as fault:
        what = fault.strerror if isinstance(fault, OSError) else " ".join(str(fault).split())
        raise RogsimError(f"{path}: cannot be read: {what}; {AGAIN}") from fault
    if why := format_fault(state, form, AGAIN):
        raise RogsimError(f"{path}: {why if why.endswith(AGAIN) else f'{why}; {AGAIN}'}")
    _check_same_settings(path, state.get("command"), json.loads(json.dumps(command)))
    try:
        return [read(kept) for kept in state["generations"]]
    except (KeyError, TypeError, ValueError, OverflowError) as fault:
        raise RogsimError(f'{path}: its "generations" are incomplete; {AGAIN}') from fault


def _check_same_settings(path: Path, kept: Any, now: Mapping[str, Any]) -> None:
    """Raise RogsimError, which says what differs, unless a stored state has the settings of this command."""
    changed = list(_changed("", kept if isinstance(kept, dict) else {}, now))
    if changed:
        more = [f"and {len(changed) - SHOWN} more"] if len(changed) > SHOWN else []
        listed = ", ".join([*changed[:SHOWN], *more])
        raise RogsimError(
            f"{path}: was started with other settings ({listed}): repeat that command, or remove the file"
        )


def _changed(name: str, kept: Any, now: Any) -> Iterator[str]:
    """Yield how two settings differ; of tables, and of lists too long to show, only the entries that differ."""
    if kept == now:
        return
    if isinstance(kept, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*now, *kept]):
            yield from _changed(f"{name}.{key}" if name else key, kept.get(key, MISSING), now.get(key, MISSING))
    elif _is_long_list(kept) and _is_long_list(now) and len(kept) == len(now):
        for place, (before, after) in enumerate(zip(kept, now, strict=True), start=1):
            yield from _changed(f"{name}.{place}", before, after)
    else:
        yield f"{name} was {_shown(kept)} and is {_shown(now)}"


def _is_long_list(value: Any) -> bool:
    return isinstance(value, list) and len(json.dumps(value)) > LONGEST_VALUE


def _shown(value: Any) -> str:
    return "missing" if value is MISSING else "none" if value is None else show(value)
