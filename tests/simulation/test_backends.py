"""Where calls are done: on every backend the same, whatever dies."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import dask
import polars as pl
import pytest
import ray
from distributed import LocalCluster

import rogsim
from rogsim.base.child_process import DIED
from rogsim.base.errors import RogsimError
from rogsim.game import compiler
from rogsim.game.bot import BotFault
from rogsim.scenario.model import load
from rogsim.simulation.backends import Backend, choose_backend, open_pool, run_all
from rogsim.simulation.play import VARIABLE
from rogsim.simulation.pool import MOST_WAITING
from rogsim.simulation.preparation import made_from, recipe_of
from tests.simulation.calls import deadly, deadly_once, double, faulty, where

# What is tested here does not depend on compiling, and each new worker would wait for the compiler.
pytestmark = pytest.mark.skipif(compiler.ENABLED, reason="the uncompiled run of the tests has them")

NAMES = ("threads", "processes", "dask", "ray")
APART = ("processes", "dask", "ray")
KEYS: dict[str, Any] = {
    "game": "dice-race",
    "players": [2, 3],
    "games": 60,
    "seed": 3,
    "bots": ["runner", "moody", "walker"],
    "options": {"long": 20},
}


@pytest.fixture(scope="module")
def backends() -> Iterator[dict[str, Backend]]:
    """Every backend, with two workers each: the clusters are started once, and reached by their addresses."""
    once_more = {"distributed.scheduler.allowed-failures": 1}  # how often Dask repeats a call that killed its worker
    with dask.config.set(once_more):
        cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=100)
    with pytest.MonkeyPatch.context() as patch, open_pool(Backend("ray"), 2), cluster:
        from rogsim.simulation import ray_cluster  # not before its cluster is started

        patch.setitem(ray_cluster.ACTORS, "max_task_retries", 1)  # the same for Ray
        # This process is connected to its Ray already, which `open_pool` then uses.
        yield {
            "threads": Backend("threads"),
            "processes": Backend("processes"),
            "dask": Backend("dask", cluster.scheduler_address),
            "ray": Backend("ray", ray.get_runtime_context().gcs_address),
        }


def workers(name: str) -> int:
    """How many workers a test takes: only one of Ray, which starts each of them anew for every list of calls."""
    return 1 if name == "ray" else 2


def numbers(stop: int, *further: Any) -> list[tuple[Any, ...]]:
    return [(number, *further) for number in range(stop)]


@pytest.mark.parametrize("name", NAMES)
def test_every_call_gives_one_result(backends: dict[str, Backend], name: str) -> None:
    """In whatever order they come."""
    assert sorted(run_all(backends[name], workers(name), double, numbers(20))) == list(range(0, 40, 2))
    assert list(run_all(backends[name], 2, double, [])) == []


@pytest.mark.parametrize("name", ["dask", "ray"])
def test_a_cluster_does_all_the_work_itself(backends: dict[str, Backend], name: str) -> None:
    """Also where one worker is allowed nothing is done in this process."""
    with open_pool(backends[name], 1) as pool:
        assert pool.count == 1
        assert os.getpid() not in set(pool.run_all(where, numbers(20)))


@pytest.mark.parametrize("name", NAMES)
def test_calls_are_read_as_they_are_needed(backends: dict[str, Backend], name: str) -> None:
    """At most three for each worker are read ahead of the results, and none once nobody wants more."""
    read: list[int] = []

    def calls() -> Iterator[tuple[int, float]]:
        for number in range(1000):
            read.append(number)
            yield number, 0.02

    with open_pool(backends[name], workers(name)) as pool, closing(pool.run_all(double, calls())) as results:
        for _ in range(5):
            next(results)
        assert len(read) <= 5 + 3 * pool.count + 2  # a result or two may have come since
    stopped = len(read)
    time.sleep(0.1)
    assert len(read) == stopped


@pytest.mark.parametrize("name", ["threads", "processes"])
def test_results_that_nobody_takes_do_not_pile_up(backends: dict[str, Backend], name: str) -> None:
    """While the first result is looked at, only a few calls are done; all are in the end, each once."""
    handed: list[int] = []

    def calls() -> Iterator[tuple[int]]:
        for number in range(200):
            handed.append(number)
            yield (number,)

    results = run_all(backends[name], 2, abs, calls())
    found = [next(results)]
    time.sleep(0.5)
    assert len(handed) <= 2 * MOST_WAITING + 4
    found += results
    assert sorted(found) == list(range(200))


@pytest.mark.parametrize("name", NAMES)
def test_what_a_call_raises_comes_out_as_it_is(backends: dict[str, Backend], name: str) -> None:
    """With all of its parts, from any worker; what the list of calls itself raises does so, too."""
    with pytest.raises(BotFault, match=r'^bot "late" raised in deal 7 with 2 players, turn 4$') as caught:
        list(run_all(backends[name], workers(name), faulty, numbers(20)))
    assert caught.value.deal == 7

    def calls() -> Iterator[tuple[int]]:
        yield (1,)
        raise RogsimError("no more calls")

    with pytest.raises(RogsimError, match=r"^no more calls$"):
        list(run_all(backends[name], workers(name), double, calls()))


@pytest.mark.parametrize("name", APART)
def test_a_call_that_kills_every_worker_ends_the_run(backends: dict[str, Backend], name: str) -> None:
    """A plain error in the end, however often the call is tried again, and nobody waits for ever."""
    with pytest.raises(RogsimError, match=f"^{DIED}$"):
        list(run_all(backends[name], workers(name), deadly, numbers(20)))


@pytest.mark.parametrize("name", ["dask", "ray"])
def test_a_cluster_outlives_a_worker(backends: dict[str, Backend], name: str, tmp_path: Path) -> None:
    """What a killed worker had in hand is done by another, and no result is missing or twice there."""
    assert sorted(run_all(backends[name], 2, deadly_once, numbers(20, tmp_path / "mark"))) == list(range(20))
    assert (tmp_path / "mark").exists()


def test_processes_are_there_again_after_one_has_died(backends: dict[str, Backend], tmp_path: Path) -> None:
    """What was lost with it is told, and the same calls can be made again."""
    calls = numbers(20, tmp_path / "mark")
    with pytest.raises(RogsimError, match=f"^{DIED}$"):
        list(run_all(backends["processes"], 2, deadly_once, calls))
    assert sorted(run_all(backends["processes"], 2, deadly_once, calls)) == list(range(20))


def test_a_local_dask_cluster_is_stopped_at_the_end() -> None:
    """Without an address one is started, also if something goes wrong, and its scheduler listens no more."""
    with pytest.raises(KeyError), open_pool(Backend("dask"), 1) as pool:
        address = pool.cluster.client.scheduler.address
        assert len(set(pool.run_all(where, numbers(4)))) == 1
        raise KeyError
    with pytest.raises(RogsimError, match=r"^tls://127.0.0.1:[0-9]+: no Dask scheduler answers at this address$"):
        list(run_all(Backend("dask", address), None, double, []))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ({}, None),
        ({"name": "threads"}, Backend("threads")),
        ({"name": "dask"}, Backend("dask")),
        ({"scheduler": "tcp://here:8786"}, Backend("dask", "tcp://here:8786")),
        ({"name": "dask", "scheduler": "here:8786"}, Backend("dask", "here:8786")),
        ({"address": "here:6379"}, Backend("ray", "here:6379")),
        ({"name": "ray", "address": "auto"}, Backend("ray", "auto")),
    ],
)
def test_an_address_implies_its_backend(words: dict[str, str], found: Backend | None) -> None:
    """A scheduler is one of Dask, an address one of Ray, and nothing at all leaves the choice to the caller."""
    assert choose_backend(**{"name": None, **words}) == found


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"name": "mpi"}, '--backend: "mpi" is not allowed: choose from threads, processes, dask, ray'),
        ({"scheduler": "a:1", "address": "b:2"}, "--scheduler is for Dask and --address for Ray: use only one"),
        ({"name": "ray", "scheduler": "a:1"}, "--scheduler: can only be used with --backend dask"),
        ({"name": "threads", "address": "a:1"}, "--address: can only be used with --backend ray"),
        ({"scheduler": "tcp://here"}, '--scheduler: "tcp://here" is not allowed: must end in HOST:PORT'),
        ({"address": "here:port"}, '--address: "here:port" is not allowed: must end in HOST:PORT'),
    ],
)
def test_words_that_do_not_fit_together_are_refused(words: dict[str, str], message: str) -> None:
    """One plain line names the option."""
    with pytest.raises(RogsimError) as caught:
        choose_backend(**{"name": None, **words}, option_prefix="--")
    assert str(caught.value) == message


@pytest.mark.parametrize("name", ["dask", "ray"])
def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """And with the command that installs it."""
    monkeypatch.setattr("importlib.util.find_spec", lambda library: None)
    with pytest.raises(RogsimError) as caught:
        choose_backend(name, option_prefix="--")
    assert str(caught.value) == f'--backend {name}: needs the extra rogsim[{name}]: pip install "rogsim[{name}]"'


@pytest.mark.parametrize(("name", "title"), [("dask", "Dask scheduler"), ("ray", "Ray")])
def test_an_address_where_nobody_listens_is_told_at_once(name: str, title: str, free_port: int) -> None:
    """One line and no word of the library's own."""
    with pytest.raises(RogsimError, match=f"^127.0.0.1:{free_port}: no {title} answers at this address$"):
        list(run_all(Backend(name, f"127.0.0.1:{free_port}"), None, double, numbers(1)))


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_workers_with_other_sources_are_refused() -> None:
    """They might play other games: the error names the machine."""
    recipe, game = recipe_of(load(KEYS | {"game": "river-of-gold", "bots": ["random"], "options": {}}))
    with pytest.raises(RogsimError, match=r"^the worker on .+ has another version of rogsim"):
        made_from(replace(recipe, program="0123456789abcdef"), game)


def rows(**how: Any) -> tuple[pl.DataFrame, pl.DataFrame]:
    results = rogsim.run(KEYS, **how)
    return results.seats().collect(), results.games().collect()


@cache
def expected_rows() -> tuple[pl.DataFrame, pl.DataFrame]:
    return rows(jobs=1, chunk=1000)


@pytest.mark.usefixtures("dice_race")
@pytest.mark.parametrize(("name", "jobs"), [*product(NAMES[:-1], (1, 2)), ("ray", 2)])
def test_rows_do_not_depend_on_the_backend(backends: dict[str, Backend], name: str, jobs: int) -> None:
    """Chunks of any size on one or two workers of any kind give the same rows, in the same order."""
    option = {"dask": "scheduler", "ray": "address"}.get(name)
    cluster = {option: backends[name].address} if option else {}
    for chunk in (40,) if name == "ray" else (7, 40, 1000):  # Ray starts its workers anew each time, which takes long
        for found, table in zip(rows(backend=name, jobs=jobs, chunk=chunk, **cluster), expected_rows(), strict=True):
            assert found.equals(table)
            assert found.schema == table.schema


FOREIGN = """
class Mine:
    def choose(self, observation, actions):
        {does}
"""


@pytest.mark.usefixtures("dice_race")
@pytest.mark.parametrize(
    ("name", "does", "told"),
    [
        ("dask", "sum(range(10**13))", "not finished after 0.5 s"),
        ("dask", "__import__('os')._exit(0)", "its process ended with exit code 0"),
        ("ray", "sum(range(10**13))", "not finished after 0.5 s"),
    ],
)
def test_a_cluster_plays_foreign_bots_apart(
    backends: dict[str, Backend], name: str, does: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot takes no worker with it, and the limit of the command holds on all of them."""
    monkeypatch.setenv(VARIABLE, "0.5")
    (tmp_path / "mine.py").write_text(FOREIGN.format(does=does))
    keys = KEYS | {"bots": [f"{tmp_path}/mine.py:Mine"], "players": [2]}
    place = {"dask": "scheduler", "ray": "address"}[name]
    with pytest.raises(RogsimError, match=rf'^bot ".*mine.py:Mine", deal \d+ with 2 players: .*{told}'):
        rogsim.run(keys, jobs=1, **{place: backends[name].address})
