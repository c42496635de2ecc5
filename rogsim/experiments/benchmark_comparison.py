"""Comparing the benchmark with a stored one: which times became shorter or longer."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from rogsim.base.errors import RogsimError
from rogsim.base.files import MEGABYTE, check_file, naming_path, parse_json, read_bytes, write_whole
from rogsim.stats.time_ratios import TimeRatio, unpaired_ratio

MOST_BYTES = MEGABYTE

Times = Annotated[list[Annotated[float, Field(gt=0, allow_inf_nan=False)]], Field(min_length=1, max_length=1_000)]


class StoredSpeed(BaseModel):
    """The speed of a stored benchmark with one bot and player count."""

    bot: str
    players: int
    seconds_per_decision: Times


class StoredBenchmark(BaseModel):
    """What a comparison needs of a stored benchmark."""

    game: str
    signature: str
    warm_starts: Times
    speeds: list[StoredSpeed]

    def times(self) -> dict[str, list[float]]:
        """Return what was timed, by name."""
        played = {f"{speed.bot}, {speed.players} players": speed.seconds_per_decision for speed in self.speeds}
        return {"start": self.warm_starts} | played


@dataclass(frozen=True)
class TimedTwice:
    """Something that was timed before and after a change, in CPU seconds."""

    name: str
    before: float
    after: float
    ratio: TimeRatio


def check_target(path: Path) -> None:
    """Refuse a path where no benchmark can be stored, or where it would overwrite anything but a benchmark."""
    check_file(path)
    if path.exists() or path.is_symlink():
        try:
            _read(path)
        except (OSError, ValueError):
            raise RogsimError(f"--out: {path} already exists and is not a benchmark; choose another name") from None


def write_benchmark(path: Path, results: Mapping[str, Any]) -> None:
    """Store a benchmark as JSON, for comparisons; missing folders are created."""
    with naming_path(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, f"{json.dumps(results, indent=1)}\n".encode())


def read_benchmark(path: Path, game: str) -> StoredBenchmark:
    """Read a stored benchmark of a game; RogsimError says in one line why it cannot be compared with."""
    try:
        found = _read(path)
    except ValueError as fault:
        why = str(fault)
        if isinstance(fault, ValidationError):
            first = fault.errors()[0]
            why = f"{'.'.join(map(str, first['loc'])) or 'the file'}: {first['msg']}"
        raise RogsimError(f"--against: {path} is not from rogsim bench --out: {why}") from None
    if found.game != game:
        raise RogsimError(f"--against: {path} is about {found.game}, not {game}")
    return found


def _read(path: Path) -> StoredBenchmark:
    return StoredBenchmark.model_validate(parse_json(read_bytes(path, MOST_BYTES)))


def compare_benchmarks(before: StoredBenchmark, after: StoredBenchmark) -> list[TimedTwice]:
    """Return what both benchmarks timed, with the ratio of its times."""
    old, new = before.times(), after.times()
    return [
        TimedTwice(name, min(old[name]), min(new[name]), unpaired_ratio(old[name], new[name]))
        for name in new
        if name in old
    ]


def as_data(found: Iterable[TimedTwice]) -> list[dict[str, Any]]:
    """Return the comparison for scripts: CPU seconds and ratios; an interval that is not known is null."""
    return [
        {
            "name": timed.name,
            "before": timed.before,
            "after": timed.after,
            "ratio": timed.ratio.value,
            "interval": None if math.isinf(timed.ratio.high) else [timed.ratio.low, timed.ratio.high],
            "verdict": timed.ratio.verdict,
        }
        for timed in found
    ]
