"""Functions of scipy.special, without the rest of that package: it takes ten times as long to load as these.

What takes long are its Python modules. Here only the compiled one is loaded; scipy.special itself follows when
something else of it is used. The functions are the same objects. If scipy is not built as expected, everything is
loaded at once.
"""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

import scipy

PACKAGE, COMPILED = "scipy.special", "scipy.special._ufuncs"
NAMES = ("betainc", "chdtrc", "fdtrc", "log_ndtr", "ndtr", "ndtri", "ndtri_exp", "stdtr", "stdtrit")

_loading = RLock()


class _Waiting(ModuleType):
    """A package that is loaded when something is first read from it that it does not have yet."""

    _busy = False  # loading, by the thread that holds the lock

    def __getattr__(self, name: str) -> Any:
        """Load the package, and return what was asked for."""
        with _loading:
            if not self._busy and self.__spec__ and self.__spec__.loader:
                self._busy = True
                self.__spec__.loader.exec_module(self)
                self.__class__ = ModuleType  # type: ignore[assignment] # from now on it is like any other
        return self.__getattribute__(name)


def find_functions() -> ModuleType:
    """Return a module that has the functions named in NAMES."""
    spec = None if PACKAGE in sys.modules else find_spec(PACKAGE)
    if spec is None:
        return importlib.import_module(PACKAGE)
    sys.modules[PACKAGE] = waiting = module_from_spec(spec)
    waiting.__class__ = _Waiting
    try:
        with _loading:
            vars(waiting)["_busy"] = True
            found = importlib.import_module(COMPILED)
            del vars(waiting)["_busy"]
        if all(hasattr(found, name) for name in NAMES):
            scipy.special = waiting
            return found
    except Exception:  # whatever it was, the whole package can say it better
        pass
    del sys.modules[PACKAGE]
    return importlib.import_module(PACKAGE)


if TYPE_CHECKING:
    from scipy.special import betainc, chdtrc, fdtrc, log_ndtr, ndtr, ndtri, ndtri_exp, stdtr, stdtrit
else:
    found = find_functions()
    globals().update({name: getattr(found, name) for name in NAMES})

__all__ = ["betainc", "chdtrc", "fdtrc", "log_ndtr", "ndtr", "ndtri", "ndtri_exp", "stdtr", "stdtrit"]
