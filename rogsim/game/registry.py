"""The registry of games, by name, and what installed packages offer; a game is imported only when it is needed."""

from __future__ import annotations

import importlib.util
import pickle
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rogsim.base.errors import RogsimError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from rogsim.game.spec import GameSpec


def offered(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group, in the order of their packages; nothing is imported.

    Reading the metadata of all packages takes longer than many commands, so it is read again only after a change.
    """
    return _read(group, tuple((folder, _changed(folder)) for folder in sys.path))


def package_of(entry: EntryPoint) -> str:
    """Return the package that an entry point comes from, with its version."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown package"


@lru_cache(maxsize=8)
def _read(group: str, state: tuple[tuple[str, int], ...]) -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points  # takes a fifth of the time of `rogsim --help`, which needs none

    return tuple(entry_points(group=group))


def _changed(folder: str) -> int:
    """Return when something was last added to a folder or removed from it; 0 if it does not exist."""
    try:
        return Path(folder or ".").stat().st_mtime_ns
    except OSError:
        return 0


GAMES = Path(__file__).parents[1] / "games"
ENTRY_POINTS = "rogsim.games"  # other packages may offer a game under this group
COMMANDS = "commands.toml"  # in the folder of a game: the topics that are commands
HARNESS_COLUMNS = ("players", "game", "block", "seat", "bot")  # written by the harness for every game
NUMBERS = "biuf"  # how numpy calls the kinds of dtypes that columns may have

_registered: dict[str, GameSpec] = {}
_sent: dict[str, tuple[GameSpec, bytes]] = {}
_received: dict[str, bytes] = {}


class RegistryError(RogsimError, ValueError):
    """A game or bot that does not exist or cannot be loaded."""


def register(spec: GameSpec) -> GameSpec:
    """Offer a game to the harness in this process, under its id; for tests and notebooks."""
    check_spec(spec)
    _registered[spec.id] = spec
    return spec


def unregister(name: str) -> None:
    """Remove a game that was registered in this process."""
    del _registered[name]


def registered(name: str) -> GameSpec | None:
    """Return the game with that id if it was registered in this process; other processes cannot find it by name."""
    return _registered.get(name)


def sent(name: str) -> bytes | None:
    """Return a game that was registered in this process as data for others; None if they can find it by name."""
    spec = _registered.get(name)
    if spec is None:
        return None
    if name not in _sent or _sent[name][0] is not spec:
        import cloudpickle

        _sent[name] = spec, cloudpickle.dumps(spec)
    return _sent[name][1]


def received(name: str, data: bytes | None) -> GameSpec:
    """Return the game with that id in a process that plays for another one, which has `sent` it."""
    if data is not None and _received.get(name) != data:
        register(pickle.loads(data))
        _received[name] = data
    return get_game(name)


def game_names() -> list[str]:
    """Return the ids of all known games, sorted; nothing heavy is imported."""
    return sorted({*_registered, *_offered(), *_built_in()})


def get_game(name: str | None = None) -> GameSpec:
    """Return the game with that id; without one, the only game or the default one; RegistryError otherwise."""
    name = _known(name)
    if name in _registered:
        return _registered[name]
    spec = _load(name)
    check_spec(spec)
    return spec


def book_of(name: str | None) -> Any:
    """Return what knows the parameters of a game, as `get_game` finds it, without its rules; None if only they do.

    That is `BOOK`, a `rogsim.game.kit.components.Book`, of the module that `book` names in the file `commands.toml` of
    a built-in game.
    """
    name = _known(name)
    listed = dict(_commands()).get(name, {}) if name not in _registered else {}
    if "book" not in listed:
        return _registered.get(name)
    return importlib.import_module(f"{_package(name)}.{listed['book']}").BOOK


def _known(name: str | None) -> str:
    """Return the id of a game, without one that of the only game or the default one; RegistryError otherwise."""
    names = game_names()
    if name is None:
        chosen = names if len(names) == 1 else [default for default in default_games() if default in names]
        if len(chosen) != 1:
            raise RegistryError(f"name a game: {', '.join(names) or 'none is installed'}")
        return chosen[0]
    if name not in names:
        from rogsim.base.validation import show  # loads pydantic, which help does not need

        known = ", ".join(names) or "none is installed"
        raise RegistryError(f"no game {show(name)}: choose from {known}, or install the package that has it")
    return name


def game_commands() -> dict[str, tuple[str, str]]:
    """Return the commands that the built-in games add to the command line; no game is imported.

    They are tables in the file `commands.toml` of the game's folder. A command shows the topic of the same name. With
    each come its help, and a scenario whose results have data on the topic, for its example.
    """
    found: dict[str, tuple[str, str]] = {}
    for _, listed in _commands():
        for name, command in _topics_in(listed):
            found.setdefault(name, command)
    return found


def offered_commands() -> dict[str, tuple[str, str]]:
    """Return the same for the games of other packages, from the `commands.toml` beside the module of each game.

    No game is imported, but the metadata of all packages are read, which takes half as long as the help. RegistryError
    for a file that cannot be read.
    """
    found: dict[str, tuple[str, str]] = {}
    for entry in offered(ENTRY_POINTS):
        try:
            listed = [_topics_in(tomllib.loads(path.read_text(encoding="utf-8"))) for path in _commands_of(entry)]
        except (OSError, ValueError) as fault:
            raise RegistryError(f'game "{entry.name}" of {package_of(entry)}: {COMMANDS}: {fault}') from fault
        for name, command in (pair for topics in listed for pair in topics):
            found.setdefault(name, command)
    return found


def default_games() -> list[str]:
    """List the built-in games whose `commands.toml` has `default = true`: there should be one."""
    return [game for game, listed in _commands() if listed.get("default") is True]


def _commands() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the built-in games that have a file `commands.toml`, with its content."""
    for path in sorted(GAMES.glob(f"*/{COMMANDS}")):
        yield _id_of(path), tomllib.loads(path.read_text(encoding="utf-8"))


def _topics_in(listed: dict[str, Any]) -> list[tuple[str, tuple[str, str]]]:
    """Return the commands that a file lists, with their help and their scenarios; ValueError if one is missing."""
    tables = {name: table for name, table in listed.items() if isinstance(table, dict)}
    for name, table in tables.items():
        for key in ("help", "scenario"):
            if not isinstance(table.get(key), str):
                raise ValueError(f'key "{name}.{key}": must be text in quotes')
    return [(name, (table["help"], table["scenario"])) for name, table in tables.items()]


def _commands_of(entry: EntryPoint) -> list[Path]:
    """Return the file `commands.toml` beside the module of a package's game, if there is one; nothing is imported."""
    package, *inner = entry.value.partition(":")[0].strip().split(".")
    try:
        found = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        found = None
    modules = [Path(folder, *inner) for folder in (found and found.submodule_search_locations) or ()]
    beside = [(module if module.is_dir() else module.parent) / COMMANDS for module in modules]
    return [path for path in beside if path.is_file()][:1]


def _built_in() -> list[str]:
    """List the folders of built-in games: those with a spec."""
    return [_id_of(spec) for spec in GAMES.glob("*/spec.py")]


def _id_of(path: Path) -> str:
    """Return the id of the game in whose folder a file is."""
    return path.parent.name.replace("_", "-")


def _package(name: str) -> str:
    return f"rogsim.games.{name.replace('-', '_')}"


def _offered() -> list[str]:
    return [entry.name for entry in offered(ENTRY_POINTS)]


def _load(name: str) -> GameSpec:
    """Import a game's spec; no package can replace a built-in game."""
    if name in _built_in():
        try:
            spec: GameSpec = importlib.import_module(f"{_package(name)}.spec").GAME
        except ValueError as fault:  # an error in the game's own data
            raise RegistryError(f'game "{name}": {why_not_imported(fault)}') from fault
        return spec
    return _from_package(name, next(entry for entry in offered(ENTRY_POINTS) if entry.name == name))


def _from_package(name: str, entry: EntryPoint) -> GameSpec:
    """Import the spec of a package's game; whatever its code raises becomes one line."""
    from rogsim.game.spec import GameSpec

    whose = f'game "{name}" of {package_of(entry)}'
    try:
        spec = entry.load()
    except (Exception, SystemExit) as fault:  # a package may fail in any way
        raise RegistryError(f"{whose}: {why_not_imported(fault)}") from fault
    if not isinstance(spec, GameSpec):
        raise RegistryError(f'{whose}: its entry point "{entry.value}" is not a GameSpec')
    if spec.id != name:
        raise RegistryError(f'{whose}: its id is "{spec.id}", and must be the name of its entry point, "{name}"')
    return spec


def why_not_imported(fault: BaseException) -> str:
    """Return in one line why a game cannot be imported, with the file and the line of its code that failed."""
    from rogsim.game.bot import in_a_line
    from rogsim.game.kit.faults import is_refusal, place_in_game

    if is_refusal(fault):  # it says what is wrong with the game's own data
        return str(fault)
    place = "" if isinstance(fault, SyntaxError) else place_in_game(fault)  # a SyntaxError says where it is
    return f"cannot be imported: {in_a_line(fault)}{f' at {place}' if place else ''}"


def check_spec(spec: GameSpec) -> None:
    """Raise RegistryError for a game that the harness cannot use: its bots, options, recorder or columns are wrong."""
    _check_players(spec)
    _check_bots_package(spec)
    _check_options(spec)
    _check_recorder(spec)
    _check_dtypes(spec)
    seat = [column.name for column in spec.seat_columns]
    game = [column.name for column in spec.game_columns]
    _check_columns(spec.id, "seat", seat, ("points", "win_share"))
    _check_columns(spec.id, "game", game, ("turns", "decisions"))
    for factors, names in ((spec.seat_factors, seat), (spec.game_factors, game)):
        unknown = [name for name in factors if name not in names]
        if unknown:
            raise RegistryError(f'game "{spec.id}": no column for the factor {", ".join(unknown)}')
    _check_sets(spec)
    _check_lead(spec, seat, game)
    _check_topics(spec, seat, game)
    for measure in (measure for table in spec.profile for measure in table.measures):
        unknown = [name for name in (*measure.columns, *measure.of) if name not in seat]
        if unknown:
            raise RegistryError(f'game "{spec.id}": no seat column {", ".join(unknown)} for the measure {measure.name}')


def _check_players(spec: GameSpec) -> None:
    """Refuse numbers of players below 1, and what cannot say what fair means."""
    if spec.players and min(spec.players) < 1:
        raise RegistryError(f'game "{spec.id}": players has {min(spec.players)}: every count must be 1 or more')
    try:
        together = [spec.sides(players).is_one for players in spec.players]
    except (ValueError, TypeError) as fault:
        raise RegistryError(f'game "{spec.id}": {fault}') from fault
    if spec.topics and all(together):
        raise RegistryError(f'game "{spec.id}": topics compare seats, and here all of them win or lose together')


def _check_bots_package(spec: GameSpec) -> None:
    """Refuse bots that are not in a package inside that of the rules: its files are part of a run's identity."""
    name, module = spec.bots_package, spec.rules.begin.__module__
    rules = module.partition(".")[0]
    whose = f'game "{spec.id}": bots_package "{name}"'
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # also if what it is in is not a package
        found = None
    if found is None:
        raise RegistryError(f"{whose} does not exist: give the dotted name of the package with the game's bots")
    if name == module and all(info.module for info in spec.bots):  # a game in one file, which says where its bots are
        return
    if found.submodule_search_locations is None:
        raise RegistryError(f"{whose} is a module: give a package, with a module for each bot")
    if rules == "__main__":
        raise RegistryError(f"{whose} is not inside the package of the rules: move them out of the script or notebook")
    if not name.startswith(f"{rules}."):
        raise RegistryError(f'{whose} is not inside the package of the rules: move it into "{rules}"')


def _check_options(spec: GameSpec) -> None:
    """Refuse options without a default, which must always be known."""
    required = [field.alias or name for name, field in spec.options.model_fields.items() if field.is_required()]
    if required:
        raise RegistryError(f'game "{spec.id}": option "{required[0]}" has no default: give it one in the model')


def _check_recorder(spec: GameSpec) -> None:
    """Refuse a class of recorders that lacks a method or its format."""
    recorder = spec.rules.recorder
    if not isinstance(recorder, type):
        return
    lacking = [f'method "{name}"' for name in sorted(getattr(recorder, "__abstractmethods__", ()))]
    lacking += [f'attribute "{name}"' for name in ("format",) if not hasattr(recorder, name)]
    if lacking:
        raise RegistryError(f'game "{spec.id}": its recorder (class {recorder.__name__}) has no {lacking[0]}')


def _check_dtypes(spec: GameSpec) -> None:
    """Refuse columns of a dtype that numpy does not know, or whose values are no numbers."""
    import numpy as np  # takes time, and help does not need it

    from rogsim.base.validation import show

    for column in (*spec.seat_columns, *spec.game_columns):
        try:
            dtype = np.dtype(column.dtype)
            fits = dtype.kind in NUMBERS and dtype.itemsize <= 8
        except (TypeError, ValueError):
            fits = False
        if not fits:
            rule = "is not allowed: name a kind of number, such as i1, i2, i4, u1, u2, u4 or f4"
            raise RegistryError(f'game "{spec.id}": column {column.name}: dtype {show(column.dtype)} {rule}')


def _check_columns(game: str, table: str, names: list[str], needed: tuple[str, ...]) -> None:
    """Refuse columns of a table if one is missing, listed twice, or has a name that the harness gives."""
    missing = [name for name in needed if name not in names]
    reserved = [name for name in HARNESS_COLUMNS if name in names]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if missing:
        what = f"lack {', '.join(missing)}"
    elif reserved:
        what = f"may not be named {' or '.join(reserved)}: rogsim adds {', '.join(HARNESS_COLUMNS)} itself"
    elif doubled:
        what = f"list {', '.join(doubled)} twice"
    else:
        return
    raise RegistryError(f'game "{game}": its {table} columns {what}')


def _check_sets(spec: GameSpec) -> None:
    """Refuse sets that are not an unsigned number with a bit for each member, or whose members share a name."""
    for column in (*spec.seat_columns, *spec.game_columns):
        if column.members is None:
            continue
        bits = 8 * int(column.dtype[1:]) if column.dtype in ("u1", "u2", "u4", "u8") else 0
        if column.labels or len(column.members) > bits or len({*column.members}) < len(column.members):
            raise RegistryError(f'game "{spec.id}": column {column.name} cannot be a set of its members')


def _check_lead(spec: GameSpec, seat: list[str], game: list[str]) -> None:
    """Refuse a lead with columns that do not exist."""
    if spec.lead is None:
        return
    lead = spec.lead
    unknown = [name for name in lead.progress if name not in seat]
    unknown += [name for name in (lead.changes, lead.since, lead.behind) if name not in game]
    if unknown or not lead.progress:
        raise RegistryError(f'game "{spec.id}": no column {", ".join(unknown) or "of progress"} for the lead')


def _check_topics(spec: GameSpec, seat: list[str], game: list[str]) -> None:
    """Refuse topics that share a name, and topics with columns that do not exist."""
    names = [topic.name for topic in spec.topics]
    for topic in spec.topics:
        known, columns = game if topic.kind in ("draw", "setup") else seat, topic.columns
        if topic.seats_that:
            known, columns = [*seat, *HARNESS_COLUMNS], topic.reads
        unknown = [name for name in columns if name not in known]
        if unknown or not columns:
            raise RegistryError(
                f'game "{spec.id}": no column {", ".join(unknown) or "at all"} for the topic {topic.name}'
            )
        if names.count(topic.name) > 1 or not re.fullmatch(r"[a-z][a-z0-9-]*", topic.name):
            raise RegistryError(f'game "{spec.id}": "{topic.name}" cannot be the name of a topic, or is listed twice')
