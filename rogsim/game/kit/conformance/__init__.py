"""Checks that any game can run on itself: whether its `Rules` and its `GameSpec` keep what the harness relies on.

`scripts/check-game GAME` checks a game, and lists the problems. GAME is an id, or `package.module:NAME`.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rogsim.base.errors import RogsimError
from rogsim.base.process_settings import same_modules
from rogsim.base.validation import explain, show, unknown_key
from rogsim.game.bot import shortened
from rogsim.game.compiler import ENABLED
from rogsim.game.kit.conformance.played_games import (
    EndlessError,
    FaultyError,
    attempt,
    check_bot,
    check_many,
    check_replay,
    expect,
    in_one_line,
    packed,
    played,
    speed_of,
    told,
)
from rogsim.game.kit.conformance.random_walk import RandomWalk
from rogsim.game.kit.faults import GameFault
from rogsim.game.registry import RegistryError, check_spec, get_game, why_not_imported
from rogsim.game.spec import GameSpec

__all__ = [
    "as_module",
    "check_game",
    "digest",
    "digest_elsewhere",
    "game_at",
    "in_one_line",
    "problems_of",
    "speed_of",
    "told",
]


def what_prevents_play(spec: GameSpec) -> Iterator[str]:
    """Yield what must be right before any game can be played: player counts, columns, options, samples, bots."""
    if not spec.players:
        yield "players is empty: it must list the player counts"
    elif max(spec.players) > spec.rules.most_seats:
        yield f"players goes up to {max(spec.players)}, and most_seats of the rules is only {spec.rules.most_seats}"
    try:
        check_spec(spec)
    except RegistryError as fault:
        yield str(fault)
    else:  # otherwise every sample may lack an option that has no default
        yield from _wrong_options(spec)
    if not spec.bots:
        yield "bots is empty: the play loop needs one to play with"
    for bot in spec.bots:
        try:
            module = attempt(f'bot "{bot.name}"', spec.module_of, bot)
            found = callable(bot.choose or getattr(module, "choose", None))
            expect(found, f'bot "{bot.name}": its module has no function "choose"')
        except FaultyError as fault:
            yield str(fault)


def lost_names(spec: GameSpec) -> Iterator[str]:
    """Yield the bots that the game does not have, and the topics about parameters that it does not have."""
    bots = [bot.name for bot in spec.bots]
    for listed, names in (("ladder", spec.ladder), ("bench_bots", spec.bench_bots)):
        for name in names:
            base = name.partition("@")[0]  # the rest are weights
            if base not in bots:
                yield f'{listed}: bot "{base}" is {unknown_key(base, bots)}'
    parameters = [f"{parameter.name}." for parameter in spec.facts()]
    for topic in spec.topics:
        for group in topic.about:
            if not any(name.startswith(f"{group}.") for name in parameters):
                yield f'topic {topic.name} is about "{group}", and no parameter has a name that begins so'


def _wrong_options(spec: GameSpec) -> Iterator[str]:
    """Yield the options that the game refuses, of its own defaults and its samples."""
    missing = list(_refused(spec, "default options", {}))
    yield from missing
    if not missing:  # pydantic does not validate defaults, until a scenario names them
        yield from _refused(spec, "default options", spec.options().model_dump(by_alias=True))
    if not spec.samples:
        yield "samples is empty: it must list options, or {} for the default ones"
    for place, sample in enumerate(spec.samples):
        if isinstance(sample, Mapping):
            yield from _refused(spec, f"samples[{place}]", sample)
        else:
            yield f"samples[{place}] is {show(sample)}: it must be a table of options"


def _refused(spec: GameSpec, name: str, options: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the game refuses about some options."""
    try:
        spec.read_options(options)
    except GameFault as fault:
        yield f"{name}: {fault.what}"
    except ValidationError as fault:
        for problem in explain(fault, dict(options), spec.options):
            yield ": ".join([name, *filter(None, [problem.name]), problem.text])


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


MORE = 10  # times as many games are played by the play loop only
VARIABLE = "GAME"  # of a file
HOW_TO_NAME = f"name a game by its id, as package.module:NAME, or as path/to/file.py with a variable {VARIABLE}"
Tell = Callable[[str], None]  # receives a line on what is being done


def problems_of(where: str, games: int = 3, other_side: bool = True, tell: Tell = lambda line: None) -> list[str]:
    """Check a game, and return its problems; an empty list if there are none.

    First its declarations: player counts, columns, options, samples, the names of bots, what topics are about. Then
    random games are played, with every player count and every entry of `GameSpec.samples`. In each of them: the same
    deal gives the same game, and the bots of all seats have keys of their own; there is always a legal action, the menu
    holds all of them, each is listed once and in other words than the rest, and what is legal depends only on what the
    actor sees; an action always leads to the same state; nobody's view changes when everything hidden from it is dealt
    anew, and worlds that are dealt differ; every view can be described, and its vector is within its bounds; the game
    ends, within `Rules.most_turns`; ranks and win shares fit together. At last games are played by the play loop: the
    rows fit the columns, a replay of their actions gives the same rows, and they are the same compiled and uncompiled.
    Bots that are functions of the game's own module play, too.

    Of each player count and sample the first fault is listed, unless it was the same with another one.

    Parameters
    ----------
    where
        As for `game_at`.
    games
        Games for each player count and sample that are checked decision by decision. The play loop plays ten times as
        many, in which ties and other rare events come up.
    other_side
        Whether to play the games uncompiled as well, or compiled if this process is uncompiled, in a second process.
    tell
        Receives a line on what is being done.
    """
    spec, where = game_at(where), as_module(where)
    found = [*what_prevents_play(spec)]
    if found:
        return found
    found += [*lost_names(spec), *_faulty_games(spec, games, tell)]
    if not found:
        found += _faulty_bots(spec, games)
    if other_side and not found:
        tell(f"Playing the same games {OTHER_SIDE}…")
        try:
            check_both_sides(spec, where, games)
        except FaultyError as fault:
            found.append(str(fault))
    return found


def _faulty_games(spec: GameSpec, games: int, tell: Tell) -> Iterator[str]:
    """Yield the first fault with each player count and sample, but only once if no more than its numbers differ."""
    seen: set[str] = set()
    for players in spec.players:
        for sample in spec.samples:
            tell(f"Checking games with {players} players{f' and {dict(sample)}' if sample else ''}…")
            try:
                for deal in range(games):
                    check_game(spec, players, sample, deal)
                attempt("the game", check_many, spec, players, sample, games * MORE)
            except FaultyError as fault:
                kind = re.sub(r"\d+", "", str(fault))
                if kind not in seen:
                    yield f"{players} players, {dict(sample)}{fault.place}: {fault}"
                seen.add(kind)
                if isinstance(fault, EndlessError):
                    return  # the others would take as long


def _faulty_bots(spec: GameSpec, games: int) -> Iterator[str]:
    """Yield what is wrong with the answers of bots that are functions of the game's own module."""
    for info in spec.bots:
        if info.choose is not None:
            try:
                for players in spec.players:
                    attempt(f"the bot {info.name}", check_bot, spec, info, players, games)
            except FaultyError as fault:
                yield str(fault)


def as_module(where: str) -> str:
    """Return the place of a game as other processes find it: for a file, its module and the variable GAME.

    The folder of the file becomes one that modules are imported from. RogsimError if there is no such file.
    """
    if not where.endswith(".py"):
        return where
    file = Path(where).resolve()
    if not file.is_file():
        raise RogsimError(f"{where}: there is no such file")
    names, folder = [file.stem], file.parent
    while (folder / "__init__.py").is_file():
        names, folder = [folder.name, *names], folder.parent
    if not all(name.isidentifier() for name in names):
        raise RogsimError(f"{where}: cannot be imported; name the file with letters, digits and underscores")
    if str(folder) not in sys.path:
        sys.path.append(str(folder))  # not before the others, where its files could stand in for modules of Python
    return f"{'.'.join(names)}:{VARIABLE}"


def game_at(where: str) -> GameSpec:
    """Return a game; RogsimError if there is none, or if it cannot be imported.

    Parameters
    ----------
    where
        Its id, the module and the variable that hold its `GameSpec`, as `package.module:NAME`, or the path of a file
        whose variable `GAME` it is.
    """
    module, colon, name = as_module(where).partition(":")
    if not colon:
        if "." in where:
            raise RogsimError(f"{where}: the variable is missing; {HOW_TO_NAME}")
        return get_game(where)
    try:
        found = import_module(module)
    except (Exception, SystemExit) as fault:  # the code of a game may fail in any way
        if isinstance(fault, ModuleNotFoundError) and f"{module}.".startswith(f"{fault.name}."):
            raise RogsimError(f"{where}: {fault}; {HOW_TO_NAME}") from fault
        raise RogsimError(f"{where}: {why_not_imported(fault)}") from fault
    file = getattr(found, "__file__", None)
    if where.endswith(".py") and (file is None or Path(file).resolve() != Path(where).resolve()):
        raise RogsimError(f"{where}: another module has the name {module}; rename the file")
    spec = getattr(found, name, None)
    if spec is None:
        raise RogsimError(f'{where}: there is no variable "{name}"; {HOW_TO_NAME}')
    if not isinstance(spec, GameSpec):
        raise RogsimError(f"{where}: {name} is no game, but {shortened(spec)}")
    return spec


def check_game(spec: GameSpec, players: int, sample: Mapping[str, Any], deal: int) -> None:
    """Play a game at random decision by decision, then by the play loop; FaultyError if something is wrong."""
    setup = _setup_for(spec, players, sample)
    try:
        RandomWalk(spec, setup, players, deal).play()
        attempt("the game", check_replay, spec, setup, players, sample, deal)
    except FaultyError as fault:
        fault.place = f", deal {deal}{fault.place}"
        raise


def _setup_for(spec: GameSpec, players: int, sample: Mapping[str, Any]) -> Any:
    """Return what `prepare` returns; FaultyError if it refuses the options, or fails."""
    try:
        return spec.set_up(spec.options(**sample), players)
    except GameFault as fault:
        raise FaultyError(fault.what) from fault
    except (RogsimError, ValueError) as refused:  # in plain words
        raise FaultyError(" ".join(str(refused).split())) from refused
