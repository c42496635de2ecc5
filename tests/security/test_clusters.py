"""Clusters that a run starts on this machine are closed to everybody else."""

from __future__ import annotations

import asyncio
import os

import psutil
import pytest
from distributed import Client

from rogsim.game import compiler
from rogsim.simulation.backends import Backend, open_pool

pytestmark = pytest.mark.skipif(compiler.ENABLED, reason="what listens does not depend on compiling")


def test_a_local_dask_cluster_takes_nobody_without_its_certificate() -> None:
    """It listens on loopback only, a client without the certificate is refused, and its web pages are gone."""
    with open_pool(Backend("dask"), 2) as pool:
        assert sorted(pool.run_all(abs, [(-1,), (-2,)])) == [1, 2]
        places = listening()
        assert places
        assert {host for host, _ in places} == {"127.0.0.1"}
        for _, port in places:
            answer = asyncio.run(ask(port))
            assert not answer or b" 404 " in answer.splitlines()[0]
        address = pool.cluster.client.scheduler.address
        with pytest.raises(OSError, match=r"(?i)closed|reset|timed out"):
            Client(address.replace("tls", "tcp"), timeout=2, set_as_default=False)


def test_a_local_ray_gets_a_token_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray would write one into the home folder for everybody to read; one that the user chose is kept."""
    import sys

    from rogsim.simulation import backends

    monkeypatch.delitem(sys.modules, "ray", raising=False)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_AUTH")}
    monkeypatch.setattr(os, "environ", environment)  # nothing of this may reach the tests of Ray itself
    backends._give_ray_a_token()
    assert os.environ["RAY_AUTH_MODE"] == "token"
    first = os.environ["RAY_AUTH_TOKEN"]
    assert len(first) == 64
    backends._give_ray_a_token()
    assert os.environ["RAY_AUTH_TOKEN"] == first
    environment["RAY_AUTH_MODE"] = "disabled"
    del environment["RAY_AUTH_TOKEN"]
    backends._give_ray_a_token()
    assert "RAY_AUTH_TOKEN" not in os.environ


def listening() -> set[tuple[str, int]]:
    """Where this process and its children listen."""
    own = psutil.Process()
    return {
        (socket.laddr.ip, socket.laddr.port)
        for process in (own, *own.children(recursive=True))
        for socket in process.net_connections("inet")
        if socket.status == psutil.CONN_LISTEN
    }


async def ask(port: int) -> bytes:
    """What a stranger gets who asks for a web page."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(b"GET /info/main/workers.html HTTP/1.0\r\n\r\n")
        return await asyncio.wait_for(reader.read(100), 3)
    except (ConnectionError, TimeoutError):
        return b""
    finally:
        writer.close()
