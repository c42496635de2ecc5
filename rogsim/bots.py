"""Bots by name: those that come with a game, a user's own `path/to/file.py:function`, and either with other weights."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.game import Bot, GameSpec
from rogsim.registry import RegistryError
from rogsim.weights import read_weights

FUNCTION = "choose"  # what a built-in bot's module must define
WEIGHTS = "WEIGHTS"  # what it may define: the numbers that it weighs things with
WEIGHT_NAMES = "WEIGHT_NAMES"  # and what it calls them, in order
SHARED_NAMES = ("weights", "NAMES")  # a module of the bots' package that names the weights of all that have as many
# BOT@path/to/file.toml; a folder of a user's own file may have an @ in its name.
WITH_FILE = re.compile(r"(?!.*\.py:\w+$)(.*\.py:\w+|[^@/]+)@(.*)")


@dataclass(frozen=True)
class BotSource:
    """A bot as written: name, plain function, weights with their names if any, hash of its file (16 hex digits)."""

    name: str
    function: Callable[..., Any]
    weights: NDArray[np.float64]
    source_hash: str
    weight_names: tuple[str, ...] = ()

    @property
    def weights_hash(self) -> str:
        """Return the hash of the weights, 16 hex digits."""
        return hashlib.sha256(self.weights.tobytes()).hexdigest()[:16]


def find_bot(spec: GameSpec, name: str, folder: Path) -> BotSource:
    """Find a bot by name, uncompiled; a path starts at `folder`. RegistryError says what is wrong.

    `BOT@path/to/file.toml` is BOT with the weights of that file.
    """
    if with_file := WITH_FILE.fullmatch(name):
        return _bot_with_file(spec, name, with_file[1], with_file[2], folder)
    if _is_file_name(name):
        path, _, function = name.rpartition(":")
        return _bot_from_file(name, folder / path, function)
    known = [info.name for info in spec.bots]
    if name not in known:
        raise RegistryError(
            f'no bot "{name}": choose from {", ".join(known)}, or name your own as path/to/file.py:function'
        )
    module = importlib.import_module(f"{spec.bots_package}.{name}")
    source = _bot_from_module(name, module, FUNCTION)
    return source if source.weight_names else replace(source, weight_names=_shared_names(spec, len(source.weights)))


def compile_bot(spec: GameSpec, source: BotSource) -> Bot:
    """Make a bot ready to play; RegistryError if its function cannot be compiled."""
    try:
        compiled = spec.compile_bot(source.function)
    except Exception as fault:  # whatever the compiler finds is a fault of the bot's file
        raise RegistryError(f'bot "{source.name}" does not compile: {_one_line(fault)}') from fault
    return Bot(source.name, compiled, source.weights)


def _bot_with_file(spec: GameSpec, name: str, bot: str, path: str, folder: Path) -> BotSource:
    source = find_bot(spec, bot, folder)
    if not path:
        raise RegistryError(f'bot "{name}": write it as BOT@path/to/file.toml')
    if not len(source.weights):
        raise RegistryError(f'bot "{name}": {bot} has no weights')
    try:
        weights = read_weights(folder / path, bot, source.weight_names, len(source.weights))
    except RegistryError as fault:
        raise RegistryError(f'bot "{name}": {fault}') from fault
    return replace(source, name=name, weights=weights)


def _shared_names(spec: GameSpec, count: int) -> tuple[str, ...]:
    """Return the names that the game's bots share, if they fit so many weights."""
    module, attribute = SHARED_NAMES
    if not count or importlib.util.find_spec(f"{spec.bots_package}.{module}") is None:
        return ()
    names = tuple(getattr(importlib.import_module(f"{spec.bots_package}.{module}"), attribute, ()))
    return names if len(names) == count else ()


def _is_file_name(name: str) -> bool:
    return ".py:" in name or "/" in name or name.endswith(".py")


def _bot_from_file(name: str, path: Path, function: str) -> BotSource:
    if not function or path.suffix != ".py":
        raise RegistryError(f'bot "{name}": write it as path/to/file.py:function')
    if not path.is_file():
        raise RegistryError(f'bot "{name}": there is no file {path}')
    identity = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    spec = importlib.util.spec_from_file_location(f"rogsim_user_bot_{identity}", path)
    if spec is None or spec.loader is None:
        raise RegistryError(f'bot "{name}": {path} cannot be imported')
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # as an import would: dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as fault:  # a user's file may fail in any way
        raise RegistryError(f'bot "{name}": {path} cannot be imported: {_one_line(fault)}') from fault
    return _bot_from_module(name, module, function)


def _bot_from_module(name: str, module: ModuleType, function: str) -> BotSource:
    if not hasattr(module, function):
        raise RegistryError(f'bot "{name}": {module.__file__} has no function "{function}"')
    choose = getattr(module, function)
    if not callable(choose):
        raise RegistryError(f'bot "{name}": "{function}" in {module.__file__} is not a function')
    try:
        weights = np.array(getattr(module, WEIGHTS, ()), dtype=np.float64)
    except (TypeError, ValueError):
        weights = np.zeros((0, 0))
    if weights.ndim != 1 or not np.isfinite(weights).all():
        raise RegistryError(f'bot "{name}": {WEIGHTS} in {module.__file__} must be a flat list of numbers')
    names = getattr(module, WEIGHT_NAMES, ())
    texts = isinstance(names, list | tuple) and all(isinstance(one, str) for one in names)
    if not texts or len(names) not in (0, len(weights)) or len(set(names)) != len(names):
        rule = f"must be {len(weights)} different names, one for each of {WEIGHTS}"
        raise RegistryError(f'bot "{name}": {WEIGHT_NAMES} in {module.__file__} {rule}')
    source = Path(str(module.__file__)).read_bytes()
    return BotSource(name, choose, weights, hashlib.sha256(source).hexdigest()[:16], tuple(names))


def _one_line(fault: BaseException) -> str:
    """Return the telling part of an error of Python or of the compiler as one line without colours."""
    if isinstance(fault, SyntaxError):
        return f"line {fault.lineno}: {fault.msg}"
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(fault))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During:"))]
    shown = " ".join(telling[:4])
    return f"{type(fault).__name__}: {shown[:240]}" if shown else type(fault).__name__
