"""Playing in other processes, which bots written as Python objects need: each process finds game and bots by name.

Nothing but plain data travels there, and the errors that come back.
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
from rogsim.bots.loading import compile_bot, must_compile
from rogsim.game import compiler
from rogsim.game.bot import Bot
from rogsim.game.registry import register, registered
from rogsim.game.spec import GameSpec
from rogsim.scenario.fingerprint import differences, hash_of_files, identity_of
from rogsim.scenario.model import Experiment, load

Ready = tuple[Experiment, Mapping[str, Bot]]


@dataclass(frozen=True)
class Recipe:
    """All that it takes to make an experiment once more: the scenario as JSON, the folder of its bots.

    program: hash of all sources. identity: what the rows must follow from, as JSON. A worker with others may not play.
    """

    program: str
    scenario: str
    folder: str
    mirrored: bool
    identity: str


_latest: dict[Recipe, Ready] = {}  # in a worker: the one experiment that it plays
_making = threading.Lock()  # a Dask worker may play in several threads


def recipe_of(experiment: Experiment) -> tuple[Recipe, GameSpec | None]:
    """Return the recipe of an experiment, and its game if other processes cannot find that by name."""
    recipe = Recipe(
        program_hash(),
        json.dumps(experiment.scenario.model_dump(mode="json")),
        str(experiment.folder.resolve()),
        experiment.mirrored,
        json.dumps(identity_of(experiment)),
    )
    return recipe, registered(experiment.spec.id)


def made_from(recipe: Recipe, game: GameSpec | None) -> Ready:
    """Return the experiment of a recipe with its bots, made once in this process.

    RogsimError if rules or bots here are not those of the run: a file was changed, or this is another machine.
    """
    with _making:
        if recipe not in _latest:
            ready = _make(recipe, game)
            _latest.clear()
            _latest[recipe] = ready
        return _latest[recipe]


def compile_bots(experiment: Experiment) -> dict[str, Bot]:
    """Make the bots of an experiment and its game ready to play; one process of a machine compiles for all."""
    spec, sources = experiment.spec, experiment.sources
    with compiler.compiling_alone(lambda: spec.is_cold() or any(map(must_compile, sources.values()))):
        bots = {name: compile_bot(spec, source) for name, source in sources.items()}
        spec.warm()
    return bots


@cache
def program_hash() -> str:
    """Hash all sources and figures of this package: 16 hex digits."""
    return hash_of_files(compiler.PACKAGE, compiler.PACKAGE.rglob("*"))


def _make(recipe: Recipe, game: GameSpec | None) -> Ready:
    if program_hash() != recipe.program:
        raise RogsimError(f"the worker on {platform.node()} has another version of rogsim: install the same one there")
    if game is not None:
        register(game)
    loaded = load(json.loads(recipe.scenario), folder=Path(recipe.folder))
    experiment = replace(loaded, mirrored=recipe.mirrored)
    if lines := differences(json.loads(recipe.identity), identity_of(experiment)):
        raise RogsimError("\n".join([f"the worker on {platform.node()} would play other games than this run:", *lines]))
    return experiment, compile_bots(experiment)
