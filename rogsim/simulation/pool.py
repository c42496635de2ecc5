"""A pool of workers, wherever they are: they are given calls, and results come back as they are finished."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

from rogsim.base.child_process import call_apart, end_calls_of
from rogsim.base.errors import RogsimError

MOST_WAITING = 8  # calls for each worker that are running, or finished but not yet read
IN_FLIGHT = 2  # calls for each worker of a cluster: one is running, the next is ready


@dataclass(frozen=True)
class Pool:
    """Workers that accept calls as long as their pool is open.

    Attributes
    ----------
    count
        Number of workers.
    cluster
        joblib's backend for a cluster; None for threads of this process.
    losses
        Errors that mean lost workers of a cluster, with the message for each.
    strict
        Submit at most `count` calls at a time, because the cluster has more workers than that.
    apart
        Let each thread make its calls in another process.
    """

    count: int
    cluster: Any = None
    losses: Mapping[type[Exception], str] = field(default_factory=dict)
    strict: bool = False
    apart: bool = False

    @property
    def in_process(self) -> bool:
        """Return whether calls are made in this process, so that arguments need not be pickled."""
        return self.cluster is None and not self.apart

    def run_all(self, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]) -> Generator[Any, None, None]:
        """Call a function with each of these tuples of arguments, and yield the results as they are finished.

        `calls` is read only a few calls ahead of the results, by another thread, so the size of later calls may depend
        on the time that earlier ones took. Outside this process function and arguments are pickled. Closing the
        generator early drops the calls that are still running.

        Raises
        ------
        RogsimError
            If workers are lost. Errors of the function itself are passed on as they are, and end the generator.
        """
        work = partial(call_apart, function) if self.apart else function
        if self.cluster is None and self.count == 1:  # nothing that joblib would be needed for
            yield from (work(*call) for call in calls)
            return
        left = iter(calls)
        for first in left:  # more than one pass only if results are read more slowly than they come
            yield from self._run_some(work, chain([first], left))

    def _run_some(self, function: Callable[..., Any], calls: Iterator[tuple[Any, ...]]) -> Generator[Any, None, None]:
        """Make calls until there are no more, or too many results wait to be read."""
        joblib = _joblib()
        workers = joblib.Parallel(
            n_jobs=self.count,
            backend=self.cluster or "threading",
            batch_size=1,
            pre_dispatch=self.count * (1 if self.strict or self.cluster is None else IN_FLIGHT),
            return_as="generator_unordered",
        )
        threads: set[threading.Thread] = set()  # of this process
        work, submitted, read = joblib.delayed(_call if self.cluster else partial(_call_here, threads)), 0, 0

        def submit() -> Iterator[Any]:
            nonlocal submitted
            for call in calls:
                submitted += 1
                yield work(function, call)
                if submitted - read >= MOST_WAITING * self.count:
                    return  # joblib itself would continue, and fill the memory

        results = workers(submit())
        try:
            for result in results:
                read += 1
                yield result
        except tuple(self.losses) as fault:
            message = next(text for kind, text in self.losses.items() if isinstance(fault, kind))
            raise RogsimError(message) from None
        finally:
            end_calls_of(threads)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # joblib warns that the remaining results are not used
                results.close()


def cpu_count() -> int:
    """Return the number of cores that this process may use."""
    return int(_joblib().cpu_count())


def thread_count(jobs: int | None) -> int:
    """Return how many threads joblib starts for this number of jobs, by default one for each core.

    It starts one where it has no semaphores, such as without `/dev/shm`.
    """
    joblib = _joblib()
    with joblib.parallel_config(backend="threading"):
        return int(joblib.effective_n_jobs(jobs or cpu_count()))


def _joblib() -> Any:
    """Load joblib late, because that takes long, and without its warning where it has no semaphores."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        import joblib
    return joblib


def _call_here(threads: set[threading.Thread], function: Callable[..., Any], call: tuple[Any, ...]) -> Any:
    """Make one call, and note which thread does."""
    threads.add(threading.current_thread())
    return function(*call)


def _call(function: Callable[..., Any], call: tuple[Any, ...]) -> Any:
    """Make one call; its arguments are in one tuple, as joblib would store large ones on a Dask worker that may die."""
    return function(*call)
