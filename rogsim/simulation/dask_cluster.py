"""Workers of a Dask cluster, which either runs already or is started on this machine and stopped at the end."""

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

from rogsim.base.child_process import DIED
from rogsim.base.errors import RogsimError
from rogsim.simulation.pool import Pool

SILENT = logging.CRITICAL + 1
CONNECT_SECONDS = 5
WORKER_SECONDS = 10  # to wait for the first worker of a cluster
NO_PAGES: dict[str, list[str]] = {
    f"distributed.{part}.http.routes": [] for part in ("scheduler", "worker", "nanny")
}  # neither web pages nor metrics


@contextmanager
def open_dask(address: str | None, jobs: int | None) -> Iterator[Pool]:
    """Connect to the scheduler at an address, or start worker processes on this machine; RogsimError if that fails.

    A cluster started here listens only on 127.0.0.1, and only to holders of its certificate, which is made for this run
    and kept in memory.

    Parameters
    ----------
    address
        Address of a running scheduler, None to start one.
    jobs
        Number of workers, at most those of a running cluster.
    """
    with ExitStack() as stack:
        stack.enter_context(silence_logging_cmgr(SILENT))
        security = None
        if address is None:
            stack.enter_context(dask.config.set(NO_PAGES))
            security = Security.temporary()
            address = stack.enter_context(_local_cluster(jobs or joblib.cpu_count(), security)).scheduler_address
        client = stack.enter_context(_connected(address, security))
        available = _count(client, address)
        if security is not None:
            client.run(_ignore_interrupts)
        count = min(jobs or available, available)
        losses = {KilledWorker: DIED, FutureCancelledError: f"{address}: the connection to the scheduler was lost"}
        yield Pool(count, _DaskBackend(client, count), losses, strict=count < available)


def _local_cluster(jobs: int, security: Security) -> LocalCluster:
    return LocalCluster(
        n_workers=jobs,
        threads_per_worker=1,
        host="127.0.0.1",
        protocol="tls",
        security=security,
        scheduler_kwargs={"dashboard": False},
        dashboard_address="127.0.0.1:0",  # what remains of it uses any free port, without a warning about a busy one
        silence_logs=SILENT,
    )


def _connected(address: str, security: Security | None) -> Client:
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False, security=security)
    except Exception:  # whatever answers, it is not a scheduler
        raise RogsimError(f"{address}: no Dask scheduler answers at this address") from None


def _count(client: Client, address: str) -> int:
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except TimeoutError:
        raise RogsimError(f"{address}: this Dask scheduler has no workers") from None
    return sum(client.ncores().values())


def _ignore_interrupts() -> None:
    """Leave Ctrl-C, which reaches all processes of a terminal, to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class _DaskBackend(DaskDistributedBackend):  # type: ignore[misc] # joblib is not typed
    """joblib's backend for Dask, which in addition reports failures and never plays in this process instead."""

    def __init__(self, client: Client, count: int) -> None:
        super().__init__(client=client)
        self._count = count

    def effective_n_jobs(self, n_jobs: int) -> int:
        return max(2, self._count)  # with 1 joblib would not use the cluster at all

    def submit(self, func: Any, callback: Callable[[Any], Any] | None = None) -> Future[Any]:
        """Submit calls; joblib alone would wait forever for one that Dask has given up."""

        def report(done: Future[Any]) -> None:
            if callback is not None and done.exception() is not None:
                callback(done.exception())

        future: Future[Any] = super().submit(func, callback)
        future.add_done_callback(report)
        return future
