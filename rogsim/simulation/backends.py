"""Where games are played: in threads, in processes, or by the workers of a Dask or Ray cluster."""

from __future__ import annotations

import importlib.util
import os
import secrets
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from rogsim.base.child_process import check_not_forked
from rogsim.base.errors import RogsimError
from rogsim.base.process_settings import safe_path
from rogsim.base.validation import not_allowed
from rogsim.simulation.pool import Pool, thread_count

NAMES = ("threads", "processes", "dask", "ray")
LIBRARIES = {"dask": "distributed", "ray": "ray"}  # optional dependencies, by backend
TITLES = {"dask": "Dask scheduler", "ray": "Ray"}
ANSWER_SECONDS = 3.0


@dataclass(frozen=True)
class Backend:
    """The kind of workers that play.

    Attributes
    ----------
    name
        One of NAMES.
    address
        Address of a running cluster; without one, Dask and Ray start a cluster on this machine.
    """

    name: str
    address: str | None = None


def choose_backend(
    name: str | None, scheduler: str | None = None, address: str | None = None, option_prefix: str = ""
) -> Backend | None:
    """Return the chosen backend, None if none was chosen.

    Parameters
    ----------
    name
        One of NAMES.
    scheduler
        Address of a Dask scheduler, implies "dask".
    address
        Address of a Ray cluster, implies "ray".
    option_prefix
        What precedes the names of options in messages, such as "--".

    Raises
    ------
    RogsimError
        If the options contradict each other, an address is malformed, or a library is not installed.
    """
    if name is not None and name not in NAMES:
        rule = f"choose from {', '.join(NAMES)}"
        raise RogsimError(f"{option_prefix}backend: {not_allowed(name, rule)}")
    if scheduler is not None and address is not None:
        raise RogsimError(f"{option_prefix}scheduler is for Dask and {option_prefix}address for Ray: use only one")
    for option, place, owner in (("scheduler", scheduler, "dask"), ("address", address, "ray")):
        if place is None:
            continue
        if name not in (None, owner):
            raise RogsimError(f"{option_prefix}{option}: can only be used with {option_prefix}backend {owner}")
        if _host_and_port(place) is None and place != "auto":
            raise RogsimError(f"{option_prefix}{option}: {not_allowed(place, 'must end in HOST:PORT')}")
        name = owner
    if name is None:
        return None
    if name in LIBRARIES and importlib.util.find_spec(LIBRARIES[name]) is None:
        extra = f"rogsim[{name}]"
        raise RogsimError(f'{option_prefix}backend {name}: needs the extra {extra}: pip install "{extra}"')
    return Backend(name, scheduler or address)


@contextmanager
def open_pool(backend: Backend, jobs: int | None) -> Iterator[Pool]:
    """Provide workers, and stop at the end whatever was started for them. A running cluster is only disconnected.

    Parameters
    ----------
    jobs
        Number of workers, by default one for each core; with a running cluster, the most of its workers that are
        used.

    Raises
    ------
    RogsimError
        If a cluster does not answer.
    """
    check_not_forked()
    if backend.address is not None:
        _check_reachable(backend)
    if backend.name == "dask":
        with safe_path():
            from rogsim.simulation.dask_cluster import open_dask

            with open_dask(backend.address, jobs) as pool:
                yield pool
    elif backend.name == "ray":
        with safe_path():
            if backend.address is None:
                _give_ray_a_token()
            from rogsim.simulation.ray_cluster import open_ray

            with open_ray(backend.address, jobs) as pool:
                yield pool
    else:
        yield Pool(thread_count(jobs), apart=backend.name == "processes")


def run_all(
    backend: Backend, jobs: int | None, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
) -> Iterator[Any]:
    """Open a pool, make all calls and yield the results as they are finished: `open_pool` and `Pool.run_all` in one."""
    with open_pool(backend, jobs) as pool:
        yield from pool.run_all(function, calls)


def _give_ray_a_token() -> None:
    """Let only this run use the Ray cluster that is started for it. Ray reads these variables when it is imported."""
    if "ray" not in sys.modules and "RAY_AUTH_MODE" not in os.environ:
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}


def _host_and_port(address: str) -> tuple[str, int] | None:
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        return (parts.hostname, parts.port) if parts.hostname and parts.port else None
    except ValueError:  # the port is not a number
        return None


def _check_reachable(backend: Backend) -> None:
    """Refuse an address where nothing listens; the libraries would keep trying, with long messages."""
    place = _host_and_port(backend.address or "")
    if place is None:
        return
    try:
        socket.create_connection(place, timeout=ANSWER_SECONDS).close()
    except OSError:
        raise RogsimError(f"{backend.address}: no {TITLES[backend.name]} answers at this address") from None
