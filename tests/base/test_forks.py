"""A process that was forked too late says so, instead of waiting for threads that it does not have."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.once_uncompiled,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system"),
]

# What a process tries that was forked after the first `rogsim.run`, each piece in a fork of its own.
PROGRAM = """
import json, os, sys
import numpy as np
import rogsim
from rogsim.environments import BatchedGames
from rogsim.game.registry import register
from rogsim.results.verify import status_of, verify
from rogsim.stats.balance import balance
from tests.dice_game import GAME

register(GAME)
keys = {"game": "dice-race", "players": [2], "games": 20, "seed": 1, "bots": ["runner"]}
results = rogsim.run(keys, out="rows")
games = BatchedGames("dice-race", 4, 2, threads=2)
repr(results)

def play_session():
    session = rogsim.Session.new("dice-race", players=2, seed=1)
    while not session.is_over:
        session.apply(session.legal[0])

def step(games):
    random = np.random.default_rng(1)
    for _ in range(10):
        games.step(games.sample(random))

REFUSED = {
    "run": lambda: rogsim.run(keys),
    "open": lambda: rogsim.Results.open("rows"),
    "repr": lambda: repr(results),
    "html": results._repr_html_,
    "seats": results.seats,
    "games": results.games,
    "to_pandas": results.to_pandas,
    "columns": results.columns,
    "status": lambda: status_of("rows"),
    "verify": lambda: verify("rows", 1, 1),
    "balance": lambda: balance(results, GAME),
}
WORKING = {
    "session": play_session,
    "games from before": lambda: step(games),
    "new games": lambda: step(BatchedGames("dice-race", 4, 2, threads=2)),
}
found = {}
for name, work in (REFUSED | WORKING).items():
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            work()
            line = "worked"
        except BaseException as fault:
            line = f"{type(fault).__name__}: {fault}"
        os.write(write, line.encode())
        os._exit(0)
    os.close(write)
    with open(read) as answer:
        found[name] = answer.read()
    os.waitpid(child, 0)
print(json.dumps([{name: found[name] for name in group} for group in (REFUSED, WORKING)]))
"""


def test_a_fork_after_a_run_is_refused_in_one_line(tmp_path: Path) -> None:
    """Whatever needs rows says which methods of starting a process work; single games go on."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", PROGRAM]
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    refused, working = json.loads(ended.stdout)
    assert len(refused) == 11
    assert set(refused.values()) == {refused["run"]}
    assert refused["run"].startswith("RogsimError: this process was forked from one that had used rogsim")
    assert '"spawn" or "forkserver"' in refused["run"]
    assert "\n" not in refused["run"]
    assert set(working.values()) == {"worked"}
