"""Workers of a Ray cluster, which either runs already or is started on this machine and stopped at the end."""

from __future__ import annotations

import logging
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

# Ray reads these when it is imported: no usage reports, and no hints.
for name in ("RAY_USAGE_STATS_ENABLED", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"):
    os.environ.setdefault(name, "0")

import joblib  # noqa: E402
import ray  # noqa: E402
from ray.exceptions import RayError  # noqa: E402
from ray.util.joblib.ray_backend import RayBackend  # noqa: E402
from ray.util.multiprocessing import Pool as RayPool  # noqa: E402
from ray.util.multiprocessing.pool import ResultThread  # noqa: E402

from rogsim.base.child_process import DIED  # noqa: E402
from rogsim.base.errors import RogsimError  # noqa: E402
from rogsim.base.progress import say  # noqa: E402
from rogsim.simulation.pool import Pool  # noqa: E402

LISTENS = "Ray listens on all network interfaces of this machine while it runs; see docs/clusters.md."
# A worker that died is restarted and its call repeated, up to three times as with Dask.
ACTORS = {"max_restarts": -1, "max_task_retries": 3, "scheduling_strategy": "SPREAD"}


@contextmanager
def open_ray(address: str | None, jobs: int | None) -> Iterator[Pool]:
    """Connect to the Ray cluster at an address, or start one on this machine; RogsimError if that fails.

    If this process is already connected to a Ray cluster, that one is used and stays connected.

    Parameters
    ----------
    address
        Address of a running cluster, None to start one.
    jobs
        Number of workers, at most those of a running cluster.
    """
    started = not ray.is_initialized()
    if started:
        _start(address, jobs)
    try:
        with _muted():
            available = int(ray.cluster_resources().get("CPU", 1))
            count = min(jobs or available, available)
            yield Pool(count, _RayBackend(count), {RayError: DIED})
    finally:
        if started:
            ray.shutdown()


def _start(address: str | None, jobs: int | None) -> None:
    local: dict[str, Any] = {}
    if address is None:
        local = {"num_cpus": jobs or joblib.cpu_count(), "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
        _say_once(LISTENS)
    try:
        # Workers search the folder in which Ray lets them work, in addition to the current one unless it is named here.
        with tempfile.TemporaryDirectory(prefix="rogsim-") as empty:
            local["runtime_env"] = {"working_dir": empty}
            ray.init(address or "local", log_to_driver=False, logging_level=logging.CRITICAL, **local)
    except Exception as fault:  # whatever answers, it is not Ray
        if address is None:
            raise RogsimError(f"Ray does not start: {fault}") from None
        raise RogsimError(f"{address}: no Ray cluster that this machine is part of answers at this address") from None


_say_once = cache(say)


@contextmanager
def _muted() -> Iterator[None]:
    """Keep Ray from printing long messages among the results when a worker died and its call is repeated."""
    module = ray._private.worker
    before = module.print_to_stdstream
    module.print_to_stdstream = lambda *_, **__: None
    try:
        yield
    finally:
        module.print_to_stdstream = before


class _RayBackend(RayBackend):  # type: ignore[misc] # joblib is not typed
    """Ray's backend for joblib, which in addition yields results as they come and never plays in this process."""

    supports_return_generator = True  # true of every backend that calls back with each result

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def effective_n_jobs(self, n_jobs: int) -> int:
        return max(2, self._count)  # with 1 joblib would not use Ray at all

    def configure(self, n_jobs: int = 1, parallel: Any = None, **_: Any) -> int:
        self._pool = RayPool(self._count, ray_remote_args=ACTORS)
        self.parallel = parallel
        return self.effective_n_jobs(n_jobs)

    def terminate(self) -> None:
        """Stop the workers, then the threads that wait for them, which would start Ray again."""
        super().terminate()
        for thread in threading.enumerate():
            if isinstance(thread, ResultThread):
                thread.join()
