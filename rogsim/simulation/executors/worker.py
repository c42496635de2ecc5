"""Playing in other processes, which bots written in Python need. Each process loads game and bots by name.

Only plain data are sent there, and only rows and errors come back.
"""

from __future__ import annotations

import json
import platform
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rogsim.base.errors import RogsimError
from rogsim.game import compiler
from rogsim.game.bot import Bot
from rogsim.game.registry import received, sent
from rogsim.scenario.fingerprint import differences, hash_of_files, identity_of
from rogsim.scenario.model import Experiment, load
from rogsim.simulation.compiling import compile_bots
from rogsim.simulation.executors.foreign_bots import game_seconds, limit_games

Ready = tuple[Experiment, Mapping[str, Bot]]


@dataclass(frozen=True)
class Recipe:
    """Everything needed to make an experiment again in another process.

    Attributes
    ----------
    program
        Hash of all sources; a worker with another one refuses to play.
    scenario
        The scenario as JSON.
    folder
        Folder to which the paths of bots are relative.
    identity
        Everything that determines the rows, as JSON; a worker with another one refuses to play.
    game_seconds
        How many seconds a single game with foreign bots may take.
    """

    program: str
    scenario: str
    folder: str
    mirrored: bool
    identity: str
    game_seconds: str


_latest: dict[Recipe, Ready] = {}  # in a worker: the experiment that it plays
_making = threading.Lock()  # a Dask worker may play in several threads


def recipe_of(experiment: Experiment) -> tuple[Recipe, bytes | None]:
    """Return the recipe of an experiment, and its game as data if other processes cannot find the game by name."""
    recipe = Recipe(
        program_hash(),
        json.dumps(experiment.scenario.model_dump(mode="json")),
        str(experiment.folder.resolve()),
        experiment.mirrored,
        json.dumps(identity_of(experiment)),
        str(game_seconds()),
    )
    return recipe, sent(experiment.spec.id)


def made_from(recipe: Recipe, game: bytes | None) -> Ready:
    """Return the experiment of a recipe and its bots, made once in this process.

    RogsimError if the rules or bots here are not those of the run, because a file was changed or on another machine.
    """
    with _making:
        if recipe not in _latest:
            ready = _make(recipe, game)
            _latest.clear()
            _latest[recipe] = ready
        return _latest[recipe]


@cache
def program_hash() -> str:
    """Return a hash of all sources and data files of this package, 16 hex digits."""
    return hash_of_files(compiler.PACKAGE, compiler.PACKAGE.rglob("*"))


def _make(recipe: Recipe, game: bytes | None) -> Ready:
    if program_hash() != recipe.program:
        raise RogsimError(f"the worker on {platform.node()} has another version of rogsim: install this version there")
    limit_games(recipe.game_seconds)
    scenario = json.loads(recipe.scenario)
    received(scenario["game"], game)
    loaded = load(scenario, folder=Path(recipe.folder))
    experiment = replace(loaded, mirrored=recipe.mirrored)
    if lines := differences(json.loads(recipe.identity), identity_of(experiment)):
        head = f"the worker on {platform.node()} would not play the games of this run:"
        raise RogsimError("\n".join([head, *lines]))
    return experiment, compile_bots(experiment)
