"""Playing in other processes, which bots written as Python objects need: each process finds game and bots by name.

Nothing but plain data travels there, and the errors that come back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rogsim.bots import compile_bot
from rogsim.errors import RogsimError
from rogsim.game import Bot, GameSpec
from rogsim.registry import register, registered
from rogsim.scenario import Experiment, load

Ready = tuple[Experiment, Mapping[str, Bot]]


@dataclass(frozen=True)
class Recipe:
    """All that it takes to make an experiment once more: the scenario as JSON, the folder of its bots, their hashes."""

    scenario: str
    folder: str
    mirrored: bool
    hashes: tuple[tuple[str, str], ...]


_latest: dict[Recipe, Ready] = {}  # in a worker: the one experiment that it plays


def recipe_of(experiment: Experiment) -> tuple[Recipe, GameSpec | None]:
    """Return the recipe of an experiment, and its game if other processes cannot find that by name."""
    recipe = Recipe(
        json.dumps(experiment.scenario.model_dump(mode="json")),
        str(experiment.folder.resolve()),
        experiment.mirrored,
        _hashes_of(experiment),
    )
    return recipe, registered(experiment.spec.id)


def made_from(recipe: Recipe, game: GameSpec | None) -> Ready:
    """Return the experiment of a recipe with its bots, made once in this process; RogsimError if a file has changed."""
    if recipe not in _latest:
        if game is not None:
            register(game)
        experiment = load(json.loads(recipe.scenario), folder=Path(recipe.folder))
        if _hashes_of(experiment) != recipe.hashes:
            raise RogsimError("a bot's file was changed while its games were played: play them again")
        bots = {name: compile_bot(experiment.spec, source) for name, source in experiment.sources.items()}
        experiment.spec.warm()
        _latest.clear()
        _latest[recipe] = replace(experiment, mirrored=recipe.mirrored), bots
    return _latest[recipe]


def _hashes_of(experiment: Experiment) -> tuple[tuple[str, str], ...]:
    return tuple((source.source_hash, source.weights_hash) for source in experiment.sources.values())
