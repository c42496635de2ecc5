"""Compile what only kernels call as a piece of its callers: quicker, with a small fraction of the files in the cache.

numba gives each function a wrapper for Python, optimises it, writes machine code for it, stores it, and links the
result into each caller, which is then optimised again. Here a function that a kernel calls stays plain intermediate
code. Only an entry, which Python or a pointer calls, is optimised, once, together with all that it calls.

With a version of numba whose internals are not known to be as expected, everything compiles as numba does it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import numba

KNOWN = ("0.68",)  # versions of numba


def find_pipelines(version: str) -> ModuleType | None:
    """Return the module of compilers for a version of numba, or None if numba must compile in its own way."""
    if numba.config.DISABLE_JIT or not version.startswith(tuple(f"{known}." for known in KNOWN)):
        return None
    try:
        from rogsim.game import lean_pipelines
    except (ImportError, AttributeError):
        return None
    return lean_pipelines


PIPELINES = find_pipelines(numba.__version__)


def entry(cached: bool, is_bot: bool = False) -> dict[str, Any]:
    """Return the options of `numba.njit` for a function that Python or a pointer calls."""
    if PIPELINES is None:
        return {}
    if not cached:
        return {"pipeline_class": PIPELINES.Entry}
    return {"pipeline_class": PIPELINES.CachedBot if is_bot else PIPELINES.CachedEntry}


def callee() -> dict[str, Any]:
    """Return the options of `numba.njit` for a function that only kernels call."""
    return {} if PIPELINES is None else {"pipeline_class": PIPELINES.Callee}


def let_callers_choose(compiled: Any, cached: bool, options: dict[str, Any], widened: Callable[[Any], Any]) -> None:
    """Let the callers of a compiled function take its lean version where they want it.

    Parameters
    ----------
    compiled
        What `numba.njit` returned for `options` and `entry(cached)`.
    cached
        Whether its machine code is cached.
    options
        Of `numba.njit`, for the lean version.
    widened
        The type in which callers pass a value of a given type.
    """
    pipelines, whole = PIPELINES, (compiled.get_call_template, compiled.get_overload)

    @cache  # made when it is first wanted, because a start that only loads machine code needs none
    def lean() -> Any:
        callees = numba.njit(**options, **callee())(compiled.py_func)
        callees._compiling_counter = compiled._compiling_counter  # by which numba notices recursion
        return callees.get_call_template, callees.get_overload

    def chosen() -> Any:
        return lean() if pipelines is not None and pipelines.wants_lean(cached) else whole

    def get_call_template(args: Any, kws: Any) -> Any:
        return chosen()[0](tuple(map(widened, args)), {name: widened(kind) for name, kind in kws.items()})

    def get_overload(signature: Any) -> Any:
        return chosen()[1](signature)

    compiled.get_call_template, compiled.get_overload = get_call_template, get_overload
