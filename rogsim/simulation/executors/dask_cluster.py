"""Workers of a Dask cluster: of one that runs already, or of one that is started here and stopped at the end."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from typing import Any

import dask
import joblib
from distributed import Client, KilledWorker, LocalCluster, Security
from distributed.client import FutureCancelledError
from distributed.utils import silence_logging_cmgr
from joblib._dask import DaskDistributedBackend

from rogsim.base.errors import RogsimError
from rogsim.simulation.executors.pool import DIED, Pool

SILENT = logging.CRITICAL + 1
CONNECT_SECONDS = 5
WORKER_SECONDS = 10  # that a cluster without workers is given to get one
NO_PAGES: dict[str, list[str]] = {
    f"distributed.{part}.http.routes": [] for part in ("scheduler", "worker", "nanny")
}  # nor metrics


@contextmanager
def open_dask(address: str | None, jobs: int | None) -> Iterator[Pool]:
    """Connect to the scheduler at that address, or start `jobs` worker processes here; RogsimError if that fails.

    A cluster started here listens on 127.0.0.1 only, and only to who has its certificate, made for this run and kept in
    memory.
    """
    with ExitStack() as stack:
        stack.enter_context(silence_logging_cmgr(SILENT))
        security = None
        if address is None:
            stack.enter_context(dask.config.set(NO_PAGES))
            security = Security.temporary()
            address = stack.enter_context(_local_cluster(jobs or joblib.cpu_count(), security)).scheduler_address
        client = stack.enter_context(_connected(address, security))
        there = _count(client, address)
        if security is not None:
            client.run(_ignore_interrupts)
        count = min(jobs or there, there)
        losses = {KilledWorker: DIED, FutureCancelledError: f"{address}: the connection to the scheduler was lost"}
        yield Pool(count, _DaskBackend(client, count), losses, strict=count < there)


def _local_cluster(jobs: int, security: Security) -> LocalCluster:
    return LocalCluster(
        n_workers=jobs,
        threads_per_worker=1,
        host="127.0.0.1",
        protocol="tls",
        security=security,
        scheduler_kwargs={"dashboard": False},
        dashboard_address="127.0.0.1:0",  # of what is left of it: any free port, without a word about a taken one
        silence_logs=SILENT,
    )


def _connected(address: str, security: Security | None) -> Client:
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False, security=security)
    except Exception:  # whatever speaks there, it is no scheduler
        raise RogsimError(f"{address}: no Dask scheduler answers there") from None


def _count(client: Client, address: str) -> int:
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except TimeoutError:
        raise RogsimError(f"{address}: this Dask scheduler has no workers") from None
    return sum(client.ncores().values())


def _ignore_interrupts() -> None:
    """Leave Ctrl-C, which reaches all processes of a terminal, to the one that has started this."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class _DaskBackend(DaskDistributedBackend):  # type: ignore[misc] # joblib is not typed
    """joblib's backend for Dask, which also tells of failures and never plays in this process instead."""

    def __init__(self, client: Client, count: int) -> None:
        super().__init__(client=client)
        self._count = count

    def effective_n_jobs(self, n_jobs: int) -> int:
        return max(2, self._count)  # with 1 joblib would not use the cluster at all

    def submit(self, func: Any, callback: Callable[[Any], Any] | None = None) -> Future[Any]:
        """Hand out calls; joblib itself would wait for ever for one that Dask has given up."""

        def tell(done: Future[Any]) -> None:
            if callback is not None and done.exception() is not None:
                callback(done.exception())

        future: Future[Any] = super().submit(func, callback)
        future.add_done_callback(tell)
        return future
