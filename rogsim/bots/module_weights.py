"""Where the module of a bot takes its weights from: a list of numbers, or a file, with settings of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from rogsim.bots.weights import read_weights
from rogsim.game.registry import RegistryError

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
