"""Bots by name: those that come with a game, a user's `path/to/file.py:name`, and those of installed packages.

A name stands for a plain function, which is compiled, or for a Python object with a method `choose`, an agent.
"""

from __future__ import annotations

import copy
import difflib
import hashlib
import importlib
import importlib.util
import inspect
import math
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from importlib.machinery import SourceFileLoader
from importlib.metadata import EntryPoint
from pathlib import Path
from traceback import walk_tb
from types import CodeType, ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base.child_process import call_apart, doing, faults, in_child
from rogsim.base.files import MEGABYTE, read_bytes
from rogsim.base.numbers import read_number
from rogsim.bots.names import BotName, near_names, read_bot_name
from rogsim.bots.printing import Speaker, spoken_by
from rogsim.bots.weights import WEIGHT_NAMES, WEIGHTS, ModuleWeights, weights_of
from rogsim.game.bot import AgentFault, Bot, in_a_line, make_agent
from rogsim.game.kit.faults import compiler_reason
from rogsim.game.kit.search.lines import setting_rule
from rogsim.game.registry import RegistryError, get_game, offered, package_of, received, sent
from rogsim.game.spec import GameSpec


def one_line(fault: BaseException) -> str:
    """Return an error in one line."""
    return f"line {fault.lineno}: {fault.msg}" if isinstance(fault, SyntaxError) else in_a_line(fault)


_modules: dict[Path, tuple[bytes, ModuleType]] = {}  # in a child: files that it has run, with their content


def bot_file(name: str, path: Path) -> Path:
    """Return the path of a bot's file; RegistryError if it does not exist, or cannot be looked for."""
    try:
        exists = path.is_file()
    except OSError as fault:  # such as a name that is too long
        raise RegistryError(f'bot "{name}": {path} cannot be read: {fault.strerror}') from fault
    if not exists:
        raise RegistryError(f'bot "{name}": the file {path} does not exist')
    return path


def module_of(name: str, path: Path) -> ModuleType:
    """Run the file of a bot and return its module; a child runs it only once.

    Parameters
    ----------
    name
        The bot, for messages.

    Raises
    ------
    RegistryError
        Whatever the file raises.
    """
    if not in_child():
        return run_file(path, f'bot "{name}"', name)
    place, content = path.resolve(), path.read_bytes()
    if place not in _modules or _modules[place][0] != content:
        _modules[place] = content, run_file(path, f'bot "{name}"', name)
    return _modules[place][1]


class _FromSource(SourceFileLoader):
    """Runs the text of a file: bytecode beside it may come from an older text of the same size and second."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def run_file(path: Path, whose: str, speaker: str) -> ModuleType:
    """Run a user's file and return its module.

    Parameters
    ----------
    whose
        What the file is, for messages.
    speaker
        Who prints what the file prints.

    Raises
    ------
    RegistryError
        Whatever the file raises.
    """
    identity = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    spec = importlib.util.spec_from_file_location(f"rogsim_user_file_{identity}", path)
    if spec is None or spec.loader is None:
        raise RegistryError(f"{whose}: {path} cannot be imported: it is no Python file (.py)")
    spec.loader = _FromSource(spec.name, str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # as an import does, because dataclasses look up their module
    try:
        with spoken_by(speaker):
            spec.loader.exec_module(module)
    except faults() as fault:  # a user's file may fail in any way
        lines = [line for frame, line in walk_tb(fault.__traceback__) if frame.f_code.co_filename == str(path)]
        where = f" (line {lines[-1]})" if lines else ""  # a SyntaxError says where it is
        raise RegistryError(f"{whose}: {path} cannot be imported: {one_line(fault)}{where}") from fault
    return module


FUNCTION = "choose"  # what a built-in bot's module must define, and the method of an agent
ENTRY_POINTS = "rogsim.bots"  # an installed package may offer bots under this group
SHARED_NAMES = ("weights", "NAMES")  # a module of the bots' package that names the weights of all bots with that many
MOST_BYTES = 16 * MEGABYTE  # of a bot's file
_compiled: dict[Any, Any] = {}  # in a child: foreign bots, by game and function
LOAD_SECONDS = 900.0  # at most, to load and compile a foreign bot


@dataclass(frozen=True)
class OfferedBot:
    """A bot that an installed package offers, not yet loaded: its name, and the package with its version."""

    name: str
    package: str
    entry: EntryPoint


@dataclass(frozen=True)
class BotSource:
    """A bot before compilation.

    Attributes
    ----------
    function
        Its plain function; None for an agent.
    weights, weight_names
        Its weights, and their names if they have any.
    source_hash
        The hash of its file, 16 hex digits.
    agent
        Creates the bot if it is a Python object. A bot without function and agent was not loaded.
    foreign
        Whether it comes from a user's file or another package. If it was loaded in another process, `function` and
        `agent` cannot be called here.
    origin
        Where its module takes its weights from; None for an agent and a bot that was not loaded.
    folder
        Folder to which the path in its name is relative.
    """

    name: str
    function: Callable[..., Any] | None
    weights: NDArray[np.float64]
    source_hash: str
    weight_names: tuple[str, ...] = ()
    agent: Callable[[], Any] | None = None
    foreign: bool = False
    origin: ModuleWeights | None = None
    folder: Path = Path()

    @property
    def weights_hash(self) -> str:
        """Return the hash of the weights, 16 hex digits."""
        return hashlib.sha256(self.weights.tobytes()).hexdigest()[:16]

    @property
    def files(self) -> tuple[str, ...]:
        """Return what bots that judge alike share: the hash of their code, and the file of their weights, if any."""
        weights = self.origin.file if self.origin is not None else None
        return (self.source_hash,) if weights is None else (self.source_hash, str(weights))


def find_bot(spec: GameSpec, name: str, folder: Path, load: bool = True, here: bool = False) -> BotSource:
    """Find a bot by name, without compiling it. A foreign bot is loaded by another process.

    The game's own bots take precedence over bots of packages with the same name.

    Parameters
    ----------
    name
        A bot, or `BOT@path/to/file.toml` for BOT with the weights of that file, or `BOT@name=value+name=value` for BOT
        with some of its weights changed.
    folder
        Where paths start.
    load
        Whether a bot that is a Python file may be loaded, which runs the file. If not, the file only has to exist, its
        weights are unknown, and the bot cannot play.
    here
        Load a foreign bot into this process, where it can crash it.

    Raises
    ------
    RegistryError
        If there is no such bot, or if it cannot be loaded.
    """
    wanted = read_bot_name(name)
    source = replace(_plain_bot(spec, wanted, folder, load, here), folder=folder)
    if wanted.is_program and not load:
        return source
    if wanted.changes:
        return _with_changes(source, wanted)
    if wanted.weights:
        return _with_file(source, wanted, folder)
    return source


def _plain_bot(spec: GameSpec, wanted: BotName, folder: Path, load: bool, here: bool) -> BotSource:
    """Find a bot without applying the weights in its name. Programs are loaded only here."""
    name = wanted.base
    if wanted.is_program:
        path = bot_file(name, folder / wanted.path)
        return _loaded(here, _bot_from_file, name, path, wanted.attribute) if load else _unloaded(wanted, path)
    known = {info.name: info for info in spec.bots}
    if name not in known:
        _offer(name, [*known])
        return _loaded(here, _bot_from_package, name, [*known])
    info = known[name]
    module = spec.module_of(info)
    if info.choose is not None:
        return BotSource(name, info.choose, np.zeros(0), _hash_of(module))
    source = _bot_from_module(name, module, FUNCTION)
    return source if source.weight_names else replace(source, weight_names=_shared_names(spec, len(source.weights)))


def _loaded(here: bool, load: Callable[..., BotSource], name: str, *arguments: Any) -> BotSource:
    """Load a foreign bot, in this process or in another one."""
    if here or in_child():
        with _loading(name):
            return load(name, *arguments)
    source: BotSource = call_apart(_described, load, name, *arguments)
    return source


def _described(load: Callable[..., BotSource], name: str, *arguments: Any) -> BotSource:
    """Load a bot, and return what other processes may know of it."""
    source = _loaded(True, load, name, *arguments)
    return replace(source, function=source.function and elsewhere, agent=source.agent and elsewhere)


def elsewhere(*_: Any) -> Any:
    """Stand for a foreign bot in a process that did not load it."""
    raise RuntimeError("a foreign bot plays in another process")


def _loading(name: str) -> AbstractContextManager[None]:
    """Tell what a child does while it loads a bot."""
    words = f'bot "{name}", while it was loaded'
    return doing(words, LOAD_SECONDS, f"{words}: not finished after {LOAD_SECONDS:g} s")


def check_name(spec: GameSpec, name: str, folder: Path) -> None:
    """Raise RegistryError for a name that no bot has, or a missing file. No program is run."""
    wanted, known = read_bot_name(name), [info.name for info in spec.bots]
    if wanted.is_program or wanted.base in known:
        find_bot(spec, name, folder, load=False)
    else:
        _offer(wanted.base, known)


def offered_bots() -> list[OfferedBot]:
    """List the bots that installed packages offer, sorted by name, without loading any."""
    found = [OfferedBot(entry.name, package_of(entry), entry) for entry in offered(ENTRY_POINTS)]
    return sorted(found, key=lambda bot: (bot.name, bot.package))


def listed_bots(spec: GameSpec) -> list[tuple[str, str]]:
    """Return the names of all bots with a description: the game's own first, then those of packages."""
    lines = [(info.name, info.plan) for info in spec.bots]
    built_in, offers = [info.name for info in spec.bots], offered_bots()
    names = [bot.name for bot in offers]
    for bot in offers:
        hidden = " (hidden: the game has a bot of this name)" if bot.name in built_in else ""
        doubled = " (unavailable: two packages offer this name)" if names.count(bot.name) > 1 else ""
        lines.append((bot.name, f"from the package {bot.package}{hidden or doubled}"))
    return lines


def compile_bot(spec: GameSpec, source: BotSource) -> Bot:
    """Make a bot ready to play; RegistryError if its function does not compile, or its agent cannot be created."""
    folder = str(source.folder.resolve()) if source.foreign else ""
    place = (read_bot_name(source.name).base, folder, source.source_hash)
    bot = Bot(source.name, None, source.weights, source.agent, source.foreign, place)
    if elsewhere in (source.function, source.agent):
        call_apart(_make_ready, spec.id, sent(spec.id), place)
        return bot
    with _loading(source.name):
        return _ready(spec, source, bot)


def _ready(spec: GameSpec, source: BotSource, bot: Bot) -> Bot:
    if source.agent is not None:
        return _ready_agent(bot, source.agent)
    if source.function is None:
        raise RegistryError(f'bot "{source.name}" was not loaded')
    key = spec.id, source.function
    try:
        compiled = _compiled.get(key) or spec.compile_bot(source.function)
    except Warning:  # nobody's fault
        raise
    except Exception as fault:  # whatever the compiler reports is an error in the bot's file
        raise RegistryError(f'bot "{source.name}" does not compile: {compiler_reason(fault)}') from fault
    if source.foreign and in_child():
        _compiled[key] = compiled
    return replace(bot, choose=compiled)


@lru_cache(16)
def bot_at(game: str, place: tuple[str, str, str]) -> Bot:
    """Return the bot of a game at a place (see `Bot`), ready to play here; RegistryError if it has changed."""
    spec, (name, folder, source_hash) = get_game(game), place
    source = find_bot(spec, name, Path(folder), here=True)
    if source.source_hash != source_hash:
        raise RegistryError(f'bot "{name}": its file was changed meanwhile')
    return compile_bot(spec, source)


def _make_ready(game: str, data: bytes | None, place: tuple[str, str, str]) -> None:
    bot_at(received(game, data).id, place)


def must_compile(spec: GameSpec, source: BotSource) -> bool:
    """Return whether a bot that comes with the game still has to be compiled."""
    return source.function is not None and not source.foreign and spec.must_compile(source.function)


def _ready_agent(bot: Bot, make: Callable[[], Any]) -> Bot:
    try:
        with spoken_by(bot.name):
            agent = make_agent(make)
    except AgentFault as fault:
        raise RegistryError(f'bot "{bot.name}" {fault}') from fault
    if not callable(getattr(agent, FUNCTION, None)):
        raise RegistryError(f'bot "{bot.name}" has no method "{FUNCTION}" after it is created')
    return replace(bot, agent=_labelled(bot.name, make))


def _labelled(name: str, make: Callable[[], Any]) -> Callable[[], Any]:
    """Return a function that creates an agent whose output is labelled with its name."""

    def made() -> Speaker:
        with spoken_by(name):
            return Speaker(name, make())

    return made


def _with_file(source: BotSource, wanted: BotName, folder: Path) -> BotSource:
    name, bot = wanted.text, wanted.base
    if source.origin is None or not len(source.weights):
        raise RegistryError(f'bot "{name}": {bot} has no weights')
    try:
        path = folder / wanted.weights
        weights = source.origin.read(path, bot, source.weight_names)
    except RegistryError as fault:
        raise RegistryError(f'bot "{name}": {fault}') from fault
    for weight, value in zip(source.weight_names, weights.tolist(), strict=False):
        if rule := setting_rule(weight, value, source.weight_names):
            raise RegistryError(f'bot "{name}": {path}: "{weight}" {rule}, not {value:g}')
    return replace(source, name=name, weights=weights)


def _with_changes(source: BotSource, wanted: BotName) -> BotSource:
    """Return a bot with some weights changed by name; RegistryError for an unknown name or an invalid value."""
    name, bot = wanted.text, wanted.base
    weights, changed = source.weights.copy(), set()
    for change in wanted.changes.split("+"):
        weight, _, text = change.partition("=")
        if weight not in source.weight_names:
            near = ", ".join(near_names(weight, source.weight_names))
            known = f"its weights include {near}" if near else "its weights have no names"
            raise RegistryError(f'bot "{name}": {bot} has no weight "{weight}": {known}')
        try:
            value = read_number(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise RegistryError(f'bot "{name}": "{weight}" must be a finite number, not "{text}"')
        if rule := setting_rule(weight, value, source.weight_names):
            raise RegistryError(f'bot "{name}": "{weight}" {rule}, not "{text}"')
        if weight in changed:
            raise RegistryError(f'bot "{name}": "{weight}" is given twice; once is enough')
        changed.add(weight)
        weights[source.weight_names.index(weight)] = value
    return replace(source, name=name, weights=weights)


def _shared_names(spec: GameSpec, count: int) -> tuple[str, ...]:
    """Return the weight names that the game's bots share, if there are `count` of them."""
    module, attribute = SHARED_NAMES
    if not count or importlib.util.find_spec(f"{spec.bots_package}.{module}") is None:
        return ()
    names = tuple(getattr(importlib.import_module(f"{spec.bots_package}.{module}"), attribute, ()))
    return names if len(names) == count else ()


def _bot_from_package(name: str, known: list[str]) -> BotSource:
    """Load a bot from an installed package; whatever its code raises becomes a RegistryError."""
    offer = _offer(name, known)
    try:
        with spoken_by(name):
            module = importlib.import_module(offer.entry.module)
    except faults() as fault:  # a package may fail in any way
        raise RegistryError(f'bot "{name}" of {offer.package} cannot be imported: {one_line(fault)}') from fault
    if not offer.entry.attr:
        raise RegistryError(f'bot "{name}" of {offer.package}: its entry point "{offer.entry.value}" is not a bot')
    return replace(_bot_from_module(name, module, offer.entry.attr), foreign=True)


def _offer(name: str, known: list[str]) -> OfferedBot:
    """Return the only bot of that name in any package; RegistryError lists the existing names."""
    everyone = offered_bots()
    offers = [bot for bot in everyone if bot.name == name]
    if not offers:
        names = [*known, *sorted({bot.name for bot in everyone} - set(known))]
        if near := difflib.get_close_matches(name, names):
            meant = " or ".join(f'"{close}"' for close in near)
            raise RegistryError(f'no bot "{name}", did you mean {meant}?')
        raise RegistryError(
            f'no bot "{name}": choose from {", ".join(names)}, or name your own as path/to/file.py:name'
        )
    if len(offers) > 1:
        packages = " and ".join(bot.package for bot in offers)
        raise RegistryError(f'bot "{name}": offered by {packages}, so the name is ambiguous; uninstall all but one')
    return offers[0]


def _unloaded(wanted: BotName, path: Path) -> BotSource:
    """Return what is known about a bot's file without running it."""
    try:
        content = read_bytes(path, MOST_BYTES)
    except OSError as fault:
        raise RegistryError(f'bot "{wanted.base}": {path} cannot be read: {fault.strerror}') from fault
    return BotSource(wanted.text, None, np.zeros(0), hashlib.sha256(content).hexdigest()[:16])


def _bot_from_file(name: str, path: Path, attribute: str) -> BotSource:
    return replace(_bot_from_module(name, module_of(name, path), attribute), foreign=True)


def _bot_from_module(name: str, module: ModuleType, attribute: str) -> BotSource:
    file = module.__file__
    if file is None:
        raise RegistryError(f'bot "{name}": {module.__name__} is a folder, not a Python file')
    found: Any = module
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise RegistryError(f'bot "{name}": {file} has no function, class or object "{attribute}"')
        found = getattr(found, part)
    source_hash = _hash_of(module)
    if callable(getattr(found, FUNCTION, None)):
        agent = found if inspect.isclass(found) else partial(copy.deepcopy, found)  # as it was when its file was loaded
        return BotSource(name, None, np.zeros(0), source_hash, agent=agent)
    if inspect.isclass(found) or not callable(found):
        raise RegistryError(f'bot "{name}": "{attribute}" in {file} is not a function and has no method "{FUNCTION}"')
    return _function_from_module(name, module, found, source_hash)


def _hash_of(module: ModuleType) -> str:
    """Return the hash of the file of a module, 16 hex digits."""
    return hashlib.sha256(Path(str(module.__file__)).read_bytes()).hexdigest()[:16]


def _function_from_module(name: str, module: ModuleType, choose: Callable[..., Any], source_hash: str) -> BotSource:
    names = getattr(module, WEIGHT_NAMES, ())
    texts = isinstance(names, list | tuple) and all(isinstance(text, str) for text in names)
    differ = texts and len(set(names)) == len(names)
    try:
        found = weights_of(name, module, tuple(names) if differ else ())
    except RegistryError as fault:
        raise RegistryError(f'bot "{name}": {fault}') from fault
    if not differ or len(names) not in (0, len(found.weights)):
        rule = f"must be {len(found.weights)} different names, one for each of {WEIGHTS}"
        raise RegistryError(f'bot "{name}": {WEIGHT_NAMES} in {module.__file__} {rule}')
    return BotSource(name, choose, found.weights, source_hash, tuple(names), origin=found)
