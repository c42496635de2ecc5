"""A pool of workers, wherever they are: joblib gives them calls, and results come back as they are finished."""

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

from rogsim.base.errors import RogsimError
from rogsim.simulation.executors.foreign_bots import last_words, start_worker
from rogsim.simulation.executors.worker_lifetime import without_interrupts

IN_FLIGHT = 2  # calls for each worker: one is running, the next is ready
MOST_WAITING = 8  # calls for each worker that are running, or finished but not yet read
DIED = "a worker process died: out of memory, or a bot ended it"


@dataclass(frozen=True)
class Pool:
    """Workers that accept calls as long as their pool is open.

    Attributes
    ----------
    count
        Number of workers.
    backend
        joblib's name of the backend, or its object.
    losses
        Errors that mean lost workers, with the message for each.
    strict
        Submit at most `count` calls at a time, because the cluster has more workers than that.
    isolated
        Make no call in this process, not even with a single worker.
    """

    count: int
    backend: Any
    losses: Mapping[type[Exception], str] = field(default_factory=dict)
    strict: bool = False
    isolated: bool = False

    @property
    def in_process(self) -> bool:
        """Return whether calls are made in this process, so that arguments need not be pickled."""
        return self.backend == "threading" or (self.backend == "loky" and self.count == 1 and not self.isolated)

    @property
    def _in_flight(self) -> int:
        """Return how many calls are submitted for each worker; threads of this process need not wait for the next."""
        one = self.in_process or self.strict or (self.isolated and self.count == 1)
        return 1 if one else IN_FLIGHT

    def _settings(self) -> dict[str, Any]:
        """Return more arguments for joblib: processes that it starts must not outlive this one."""
        if self.backend != "loky" or self.in_process:
            return {}
        return {"initializer": start_worker, "initargs": (os.getpid(), _notes())}

    def run_all(self, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]) -> Generator[Any, None, None]:
        """Call a function with each of these tuples of arguments, and yield the results as they are finished.

        `calls` is read only a few calls ahead of the results, by a thread of joblib's, so the size of later calls may
        depend on the time that earlier ones took. Function and arguments are pickled. Closing the generator early drops
        the calls that are still running.

        Raises
        ------
        RogsimError
            If workers are lost. Errors of the function itself are passed on as they are, and end the generator.
        """
        if self.in_process and self.count == 1:  # nothing that joblib would be needed for, and it takes time to load
            yield from (function(*call) for call in calls)
            return
        left = iter(calls)
        for first in left:  # more than one pass only if results are read more slowly than they come
            yield from self._run_some(function, chain([first], left))

    def _run_some(self, function: Callable[..., Any], calls: Iterator[tuple[Any, ...]]) -> Generator[Any, None, None]:
        """Make calls until there are no more, or too many results wait to be read."""
        import joblib

        workers = joblib.Parallel(
            n_jobs=max(2, self.count) if self.isolated else self.count,  # for a single job joblib starts no process
            backend=self.backend,
            batch_size=1,
            pre_dispatch=self.count * self._in_flight,
            return_as="generator_unordered",
            **self._settings(),
        )
        work, submitted, read = joblib.delayed(_call), 0, 0

        def submit() -> Iterator[Any]:
            nonlocal submitted
            for call in calls:
                submitted += 1
                yield work(function, call)
                if submitted - read >= MOST_WAITING * self.count:
                    return  # joblib itself would continue, and fill the memory

        with without_interrupts():  # joblib starts its processes here
            results = workers(submit())
        try:
            for result in results:
                read += 1
                yield result
        except tuple(self.losses) as fault:
            message = next(text for kind, text in self.losses.items() if isinstance(fault, kind))
            raise RogsimError(_read_notes() or message) from None
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # joblib warns that the remaining results are not used
                results.close()


def cpu_count() -> int:
    """Return the number of cores that this process may use."""
    import joblib

    return int(joblib.cpu_count())


@cache
def _notes() -> str:
    """Return the folder for the notes of this process's workers; it is removed when this process ends."""
    folder = tempfile.mkdtemp(prefix="rogsim-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _read_notes() -> str | None:
    """Return what ended a worker, and remove the notes: the next workers are new processes."""
    folder = Path(_notes())
    words = last_words(folder)
    for path in folder.iterdir():
        path.unlink()
    return words


def _call(function: Callable[..., Any], call: tuple[Any, ...]) -> Any:
    """Make one call; its arguments are in one tuple, as joblib would store large ones on a Dask worker that may die."""
    return function(*call)
