"""Weights of bots: from a list in a bot's module or a TOML file, which is read and checked, never executed."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base.files import MEGABYTE, read_text
from rogsim.base.validation import format_fault, key_text, not_allowed, read_toml, show, unknown_key
from rogsim.game.registry import RegistryError

FORMAT = "rogsim-weights/1"
MOST_BYTES = 4 * MEGABYTE  # of a weights file


def read_weights(
    path: Path, bot: str, names: Sequence[str], count: int, shared: str = ""
) -> tuple[NDArray[np.float64], bool]:
    """Read the weights of a bot from a file.

    Parameters
    ----------
    bot
        The bot that the weights must be for.
    names
        The names of its weights, in order; empty if they have no names.
    count
        The number of its weights.
    shared
        Another bot whose weights it can use; empty if there is none.

    Returns
    -------
    float64[count], bool
        The weights, in the bot's order, and whether they are those of the other bot.

    Raises
    ------
    RegistryError
        With one line that says what is wrong with the file.
    """
    data = read_file(path)
    whose = data.get("bot")
    # A bot in a file is identified by its file name: paths start at different folders.
    own = isinstance(whose, str) and Path(whose).name == Path(bot).name
    if not own and (not shared or whose != shared):
        allowed = f"{show(bot)} or {show(shared)}" if shared else show(bot)
        raise RegistryError(f'{path}: key "bot": {not_allowed(whose, f"these must be weights of {allowed}")}')
    values = _in_order(path, data.get("weights"), names)
    if len(values) != count:
        raise RegistryError(f'{path}: key "weights": has {len(values)} weights, but {bot} needs {count}')
    for place, value in enumerate(values):
        if not _is_finite(value):
            name = names[place] if isinstance(data["weights"], dict) else str(place + 1)
            key = key_text(("weights", name))
            raise RegistryError(f'{path}: key "{key}": {not_allowed(value, "must be a finite number")}')
    return np.array(values, dtype=np.float64), not own


def read_file(path: Path) -> dict[str, Any]:
    """Read a weights file as it is; RegistryError if it is not one."""
    try:
        data = read_toml(read_text(path, MOST_BYTES))
    except FileNotFoundError:
        raise RegistryError(f"{path}: there is no such file") from None
    except OSError as fault:
        raise RegistryError(f"{path}: cannot be read: {fault.strerror}") from fault
    except UnicodeDecodeError:
        raise RegistryError(f"{path}: is not a text file in UTF-8") from None
    except ValueError as fault:
        raise RegistryError(f"{path}: broken TOML: {fault}") from fault
    if why := format_fault(data, FORMAT, "tune or train it again"):
        raise RegistryError(f"{path}: {why}")
    return data


def weights_text(bot: str, weights: Sequence[float], names: Sequence[str], origin: Mapping[str, Any]) -> str:
    """Return the text of a weights file; `origin` says where they come from: plain values, and tables of them."""
    lines = [
        f"# Weights of the bot {show(bot)}, for use as {bot}@<this file>. Data, never executed.",
        f"format = {_value(FORMAT)}",
        f"bot = {_value(bot)}",
    ]
    if not names:
        lines.append(f"weights = {_value([float(weight) for weight in weights])}")
    tables = {"origin": origin} if not names else {"weights": dict(zip(names, weights, strict=True)), "origin": origin}
    for name, table in tables.items():
        lines += _table(name, table)
    return "\n".join(lines) + "\n"


def _is_finite(value: Any) -> bool:
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # an integer larger than every float
        return False


def _in_order(path: Path, given: Any, names: Sequence[str]) -> list[Any]:
    """Return the weights as a list; the file has a list, or a table by name."""
    if isinstance(given, list):
        return given
    if not isinstance(given, dict):
        raise RegistryError(f'{path}: key "weights": must be a list of numbers or a table by name')
    if not names:
        raise RegistryError(f'{path}: key "weights": must be a list, because the bot does not name its weights')
    for name in [*given, *names]:
        if (name in given) != (name in names):
            what = "is missing" if name in names else unknown_key(name, names)
            raise RegistryError(f'{path}: key "{key_text(("weights", name))}": {what}')
    return [given[name] for name in names]


def _table(name: str, table: Mapping[str, Any]) -> list[str]:
    """Return the lines of a table and its subtables, without None, which TOML cannot express."""
    table = {key: value for key, value in table.items() if value is not None}
    plain = [f"{_key(key)} = {_value(value)}" for key, value in table.items() if not isinstance(value, Mapping)]
    inner = [_table(f"{name}.{_key(key)}", value) for key, value in table.items() if isinstance(value, Mapping)]
    head = ["", f"[{name}]", *plain] if plain or not inner else []
    return [*head, *(line for lines in inner for line in lines)]


def _key(name: str) -> str:
    bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if bare else _value(name)


def _value(value: Any) -> str:
    """Return a string, number, boolean or list of these as TOML, which reads them as JSON writes them."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


# What the module of a bot may define.
WEIGHTS = "WEIGHTS"  # its weights, or the name of a weights file beside it
WEIGHT_NAMES = "WEIGHT_NAMES"  # the names of the weights, in order
SETTINGS = "SETTINGS"  # if the file is that of another bot: the weights in which it differs, by name


@dataclass(frozen=True)
class ModuleWeights:
    """The weights of a bot's module, and how to read others in their place.

    Attributes
    ----------
    weights
        float64, in the bot's order.
    shared
        The other bot whose file the module names; empty if there is none.
    settings
        The weights in which it differs from that bot, by name.
    file
        The file that the module names; None if it lists its weights.
    """

    weights: NDArray[np.float64]
    shared: str = ""
    settings: Mapping[str, float] = field(default_factory=dict)
    file: Path | None = None

    def read(self, path: Path, bot: str, names: Sequence[str]) -> NDArray[np.float64]:
        """Read weights for the bot from a file: its own, or those of the bot whose weights it shares.

        Raises
        ------
        RegistryError
            With one line that says what is wrong with the file.
        """
        weights, is_shared = read_weights(path, bot, names, len(self.weights), self.shared)
        if is_shared:
            for name, value in self.settings.items():
                weights[names.index(name)] = value
        return weights


def weights_of(bot: str, module: ModuleType, names: tuple[str, ...]) -> ModuleWeights:
    """Return the weights of a bot's module.

    Parameters
    ----------
    names
        The names of its weights, in order; empty if they have no names.

    Raises
    ------
    RegistryError
        With one line that says what is wrong with the module or its file.
    """
    given = getattr(module, WEIGHTS, ())
    if isinstance(given, Mapping):  # of several bots
        given = given.get(bot, ())
    if isinstance(given, str):
        return _weights_of_file(bot, module, Path(str(module.__file__)).with_name(given), names)
    try:
        weights = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        weights = np.zeros((0, 0))
    if weights.ndim != 1 or not np.isfinite(weights).all():
        raise RegistryError(f"{WEIGHTS} in {module.__file__} must be a flat list of numbers")
    return ModuleWeights(weights)


def _weights_of_file(bot: str, module: ModuleType, path: Path, names: tuple[str, ...]) -> ModuleWeights:
    if not names:
        rule = f"must be different names, one for each weight in {path.name}"
        raise RegistryError(f"{WEIGHT_NAMES} in {module.__file__} {rule}")
    settings = getattr(module, SETTINGS, {})
    if not isinstance(settings, dict) or any(
        name not in names or not isinstance(value, int | float) or not math.isfinite(value)
        for name, value in settings.items()
    ):
        raise RegistryError(f"{SETTINGS} in {module.__file__} must give finite numbers to names in {WEIGHT_NAMES}")
    unread = ModuleWeights(np.zeros(len(names)), path.stem if settings else "", settings, path)
    return replace(unread, weights=unread.read(path, bot, names))
