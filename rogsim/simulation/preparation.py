"""Getting ready to play an experiment: compiling its game and bots, here and in the processes that play.

One process of a machine compiles for all others, and in two halves at once: numba compiles in one thread at a time, so
the second half needs a second process. The cache joins them: each process writes its machine code there, where the
other loads it. A process that plays loads game and bots by name. Only plain data are sent there, and only rows and
errors come back.
"""

from __future__ import annotations

import gc
import json
import platform
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rogsim.base.child_process import end_with
from rogsim.base.errors import RogsimError
from rogsim.base.process_settings import same_modules
from rogsim.base.text import listing
from rogsim.bots.loading import BotSource, compile_bot, find_bot, must_compile
from rogsim.bots.names import read_bot_name
from rogsim.game import compiler
from rogsim.game.bot import Bot
from rogsim.game.code_cache import take_notes
from rogsim.game.registry import get_game, received, registered, sent
from rogsim.game.spec import GameSpec
from rogsim.scenario.fingerprint import differences, hash_of_files, identity_of
from rogsim.scenario.model import Experiment, load
from rogsim.simulation.play import game_seconds, limit_games
from rogsim.simulation.pool import cpu_count

RULES = "the rules"  # among what is compiled
HELPER = "import sys; from rogsim.simulation.preparation import help_parent; help_parent(*sys.argv[1:])"


def announce_compiler(spec: GameSpec, sources: Iterable[BotSource], say: Callable[[str], None]) -> None:
    """Say what has to be compiled of the game and these bots, and about how long that takes; nothing if all is."""
    waiting = [source.name for source in sources if must_compile(spec, source)]
    for note in take_notes():
        say(note)
    if spec.is_cold():
        waiting.insert(0, RULES)
    if waiting:
        say(compiling_line(spec, waiting))


def compiling_line(spec: GameSpec, names: Sequence[str]) -> str:
    """Return the line about what is compiled: RULES, and bots by name."""
    slow = {info.name for info in spec.bots if info.quick_games is not None}
    time = "up to two minutes" if any(read_bot_name(name).base in slow for name in names) else "up to a minute"
    return f"Compiling {listing(names)} (once after each change, {time})…"


def compile_bots(experiment: Experiment) -> dict[str, Bot]:
    """Compile the bots and the game of an experiment; one process of a machine compiles for all others."""
    spec, sources = experiment.spec, experiment.sources
    with compiler.compiling_alone(lambda: spec.is_cold() or bool(_waiting(experiment))):
        apart = _waiting(experiment) if _has_helper(spec) else []
        with _compiled_meanwhile(spec, apart):
            bots = {name: compile_bot(spec, source) for name, source in sources.items() if name not in apart}
            spec.warm()
        bots |= {name: compile_bot(spec, sources[name]) for name in apart}
    return {name: bots[name] for name in sources}


def _waiting(experiment: Experiment) -> list[str]:
    """Return the bots that have to be compiled."""
    return [name for name, source in experiment.sources.items() if must_compile(experiment.spec, source)]


def _has_helper(spec: GameSpec) -> bool:
    """Return whether another process can compile bots while this one compiles the rules."""
    can_share = compiler.cache_folder() is not None and registered(spec.id) is None
    return can_share and spec.is_cold() and cpu_count() > 1 and bool(sys.executable)


@contextmanager
def _compiled_meanwhile(spec: GameSpec, names: Sequence[str]) -> Iterator[None]:
    """Compile bots that come with a game in another process; at the end wait for it.

    It prints nothing: if it fails, this process compiles the same bots afterwards and reports what is wrong with them.
    """
    bases = list(dict.fromkeys(read_bot_name(name).base for name in names))
    if not bases:
        yield
        return
    command = [sys.executable, "-c", HELPER, spec.id, *bases]
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL  # the pipe is the helper's lifeline
    with subprocess.Popen(
        command, env=same_modules(), stdin=pipe, stdout=quiet, stderr=quiet, process_group=0
    ) as helper:
        try:
            yield
            helper.wait()  # before its lifeline is closed
        except BaseException:
            helper.kill()
            raise


def help_parent(game: str, *names: str) -> None:
    """Compile bots of a game into the cache, as the whole work of a process that ends with its parent.

    Parameters
    ----------
    game
        The id of the game.
    names
        The bots, without weights.
    """
    end_with(sys.stdin.fileno())
    gc.disable()  # compiling makes many objects, and this process ends soon
    spec = get_game(game)
    for name in names:
        compile_bot(spec, find_bot(spec, name, Path()))


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
