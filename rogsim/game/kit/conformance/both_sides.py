"""Whether games are the same compiled and uncompiled: a second process plays them the other way."""

from __future__ import annotations

import hashlib
import subprocess
import sys

from rogsim.base.process_settings import same_modules
from rogsim.game.compiler import ENABLED
from rogsim.game.kit.conformance.faults import FaultyError
from rogsim.game.kit.conformance.packing import packed
from rogsim.game.kit.conformance.played_games import played
from rogsim.game.spec import GameSpec

OTHER_SIDE = "uncompiled" if ENABLED else "compiled"


def digest(spec: GameSpec, games: int) -> str:
    """Return a hash of the rows of the games that `problems_of` checks decision by decision."""
    hashed = hashlib.sha256()
    for players in spec.players:
        for sample in spec.samples:
            for rows in played(spec, players, sample, range(games)):
                hashed.update(packed(rows))
    return hashed.hexdigest()


def digest_elsewhere(where: str, games: int) -> str:
    """Return `digest` from a process that compiles if this one does not, and does not if this one does.

    Parameters
    ----------
    where, games
        As for `problems_of`.

    Raises
    ------
    FaultyError
        If that process fails, with the last line of what it says.
    """
    env = same_modules() | {"NUMBA_DISABLE_JIT": "1" if ENABLED else "0"}
    command = [sys.executable, "-m", "rogsim.game.kit.conformance", where, str(games)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"the process ended with exit code {done.returncode}"]
        raise FaultyError(f"the games cannot be played {OTHER_SIDE}: {lines[-1]}")
    return done.stdout.strip()


def check_both_sides(spec: GameSpec, where: str, games: int) -> None:
    """Play the games here and in another process; FaultyError if they differ, or cannot be played there."""
    if digest_elsewhere(where, games) != digest(spec, games):
        raise FaultyError("compiled and uncompiled games differ")
