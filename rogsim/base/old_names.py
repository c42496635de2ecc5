"""Imports under the names that modules had before they moved into packages, so that older bots and notebooks work."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


# The base classes in importlib.abc would add nothing but the time that this module takes to load.
class _OldName:
    """Fills a module with the names of the modules that replaced it: an `importlib.abc.Loader`."""

    def __init__(self, new: Sequence[str]) -> None:
        self._new = new

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave making the module to Python."""

    def exec_module(self, module: ModuleType) -> None:
        warnings.warn(f"{module.__name__} is now {', '.join(self._new)}", DeprecationWarning, stacklevel=2)
        for new in self._new:
            names = vars(import_module(new))
            vars(module).update({name: value for name, value in names.items() if not name.startswith("__")})


class _OldNames:
    """Finds modules by their old names if every other finder has failed: an `importlib.abc.MetaPathFinder`."""

    def __init__(self) -> None:
        self.moved: dict[str, list[str]] = {}

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        if name not in self.moved:
            return None
        loader: Any = _OldName(self.moved[name])
        return ModuleSpec(name, loader)


_finder = _OldNames()
sys.meta_path.append(_finder)


def keep_old_names(package: str, moved: Mapping[str, str]) -> None:
    """Let modules of a package be imported by their old names.

    `moved` maps old to new names within the package: several, with spaces between, for a module that was split.
    """
    _finder.moved |= {f"{package}.{old}": [f"{package}.{part}" for part in new.split()] for old, new in moved.items()}
