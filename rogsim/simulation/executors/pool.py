"""Workers that stand ready, wherever they are: joblib hands them calls, and results come back as they are finished."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import joblib

from rogsim.base.errors import RogsimError
from rogsim.simulation.executors.foreign_bots import last_words, start_worker
from rogsim.simulation.executors.worker_lifetime import deaf_children

IN_FLIGHT = 2  # calls for each worker: one is done, the next lies ready
MOST_WAITING = 8  # calls for each worker that are under way, or done and not taken
DIED = "a worker process died: out of memory, or a bot ended it"


@dataclass(frozen=True)
class Pool:
    """Workers that can be given calls as long as their pool is open.

    losses: what is raised when workers are gone, and how to tell it. strict: with few workers of many in use, no more
    calls than `count` are handed out at a time. apart: nothing is done in this process, not even for a single worker.
    """

    count: int
    backend: Any  # joblib's name for it, or the object
    losses: Mapping[type[Exception], str] = field(default_factory=dict)
    strict: bool = False
    apart: bool = False

    @property
    def is_here(self) -> bool:
        """Say whether calls are done in this process, and need not travel."""
        return self.backend == "threading" or (self.backend == "loky" and self.count == 1 and not self.apart)

    def _settings(self) -> dict[str, Any]:
        """Return what joblib is told besides: its own processes must not outlive this one."""
        if self.backend != "loky" or self.is_here:
            return {}
        return {"initializer": start_worker, "initargs": (os.getpid(), _notes())}

    def run_all(self, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]) -> Generator[Any, None, None]:
        """Call a function with each of these tuples of arguments and give the results, in the order of their finishing.

        `calls` is read a few calls ahead of the results, by a thread of joblib's: how large later ones are may depend
        on how long earlier ones took. What the function raises ends it all and comes out as it is; a worker that died
        is a RogsimError. Function and arguments travel by pickle. A generator that is closed early drops what is
        still under way.
        """
        left = iter(calls)
        for first in left:  # more than once only if results are taken slower than they come
            yield from self._run_some(function, chain([first], left))

    def _run_some(self, function: Callable[..., Any], calls: Iterator[tuple[Any, ...]]) -> Generator[Any, None, None]:
        """Do calls until there are no more, or too many results wait to be taken."""
        workers = joblib.Parallel(
            n_jobs=max(2, self.count) if self.apart else self.count,  # for a single one joblib starts no process
            backend=self.backend,
            batch_size=1,
            pre_dispatch=self.count * (1 if self.strict or (self.apart and self.count == 1) else IN_FLIGHT),
            return_as="generator_unordered",
            **self._settings(),
        )
        work, handed, taken = joblib.delayed(_call), 0, 0

        def hand_out() -> Iterator[Any]:
            nonlocal handed
            for call in calls:
                handed += 1
                yield work(function, call)
                if handed - taken >= MOST_WAITING * self.count:
                    return  # joblib itself would go on, and fill the memory

        with deaf_children():  # joblib starts its processes here
            results = workers(hand_out())
        try:
            for result in results:
                taken += 1
                yield result
        except tuple(self.losses) as fault:
            told = next(text for kind, text in self.losses.items() if isinstance(fault, kind))
            raise RogsimError(_read_notes() or told) from None
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # joblib's: that nobody waits for the rest
                results.close()


@cache
def _notes() -> str:
    """Return the folder where workers of this process leave their notes; it goes when this process ends."""
    folder = tempfile.mkdtemp(prefix="rogsim-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _read_notes() -> str | None:
    """Return what ended a worker, and forget it: the next ones are other processes."""
    folder = Path(_notes())
    told = last_words(folder)
    for path in folder.iterdir():
        path.unlink()
    return told


def _call(function: Callable[..., Any], call: tuple[Any, ...]) -> Any:
    """Do one call; its arguments are one tuple, as joblib would place large ones on a Dask worker that may die."""
    return function(*call)
