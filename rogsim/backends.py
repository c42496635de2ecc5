"""Provisional."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import joblib
from joblib.externals.loky.process_executor import TerminatedWorkerError

from rogsim.errors import RogsimError


@dataclass(frozen=True)
class Backend:
    name: str
    address: str | None


def count_workers(backend: Backend, jobs: int | None) -> int:
    return jobs or joblib.cpu_count()


def choose_backend(name, scheduler, address, option_prefix=""):
    return Backend(name, None) if name else None


def run_all(
    backend: Backend, jobs: int | None, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
) -> Iterator[Any]:
    workers = joblib.Parallel(
        n_jobs=jobs or joblib.cpu_count(),
        backend={"threads": "threading", "processes": "loky"}[backend.name],
        batch_size=1,
        return_as="generator_unordered",
    )
    one = joblib.delayed(function)
    try:
        yield from workers(one(*call) for call in calls)
    except TerminatedWorkerError:
        raise RogsimError("a worker process died: out of memory, or a bot ended it") from None
