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
from rogsim.identity import differences, identity_of
from rogsim.registry import register, registered
from rogsim.scenario import Experiment, load

Ready = tuple[Experiment, Mapping[str, Bot]]


@dataclass(frozen=True)
class Recipe:
    """All that it takes to make an experiment once more: the scenario as JSON, the folder of its bots.

    identity: what the rows must follow from, as JSON; a worker with other sources may not play.
    """

    scenario: str
    folder: str
    mirrored: bool
    identity: str


_latest: dict[Recipe, Ready] = {}  # in a worker: the one experiment that it plays


def recipe_of(experiment: Experiment) -> tuple[Recipe, GameSpec | None]:
    """Return the recipe of an experiment, and its game if other processes cannot find that by name."""
    recipe = Recipe(
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
    if recipe not in _latest:
        if game is not None:
            register(game)
        loaded = load(json.loads(recipe.scenario), folder=Path(recipe.folder))
        experiment = replace(loaded, mirrored=recipe.mirrored)
        if lines := differences(json.loads(recipe.identity), identity_of(experiment)):
            raise RogsimError("\n".join(["a worker would play other games than this run:", *lines]))
        bots = {name: compile_bot(experiment.spec, source) for name, source in experiment.sources.items()}
        experiment.spec.warm()
        _latest.clear()
        _latest[recipe] = experiment, bots
    return _latest[recipe]
