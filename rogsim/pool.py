"""Workers that stand ready, wherever they are: joblib hands them calls, and results come back as they are finished."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import joblib

from rogsim.errors import RogsimError
from rogsim.lifeline import deaf_children, end_with_parent

IN_FLIGHT = 2  # calls for each worker: one is done, the next lies ready
MOST_WAITING = 8  # calls for each worker that are under way, or done and not taken
DIED = "a worker process died: out of memory, or a bot ended it"


@dataclass(frozen=True)
class Pool:
    """Workers that can be given calls as long as their pool is open.

    losses: what is raised when workers are gone, and how to tell it. strict: with few workers of many in use, no more
    calls than `count` are handed out at a time.
    """

    count: int
    backend: Any  # joblib's name for it, or the object
    losses: Mapping[type[Exception], str] = field(default_factory=dict)
    strict: bool = False

    @property
    def is_here(self) -> bool:
        """Say whether calls are done in this process, and need not travel."""
        return self.backend == "threading" or (self.backend == "loky" and self.count == 1)

    def _settings(self) -> dict[str, Any]:
        """Return what joblib is told besides: its own processes must not outlive this one."""
        if self.backend != "loky" or self.count == 1:
            return {}
        return {"initializer": end_with_parent, "initargs": (os.getpid(),)}

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
            n_jobs=self.count,
            backend=self.backend,
            batch_size=1,
            pre_dispatch=self.count * (1 if self.strict else IN_FLIGHT),
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
            raise RogsimError(next(text for kind, text in self.losses.items() if isinstance(fault, kind))) from None
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # joblib's: that nobody waits for the rest
                results.close()


def _call(function: Callable[..., Any], call: tuple[Any, ...]) -> Any:
    """Do one call; its arguments are one tuple, as joblib would place large ones on a Dask worker that may die."""
    return function(*call)
