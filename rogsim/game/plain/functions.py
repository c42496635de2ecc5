"""Compiling the plain functions of a game: written without decorators, they call one another as in any module.

numba compiles a function that calls others only if those are compiled functions as well. So each function gets
global variables of its own, in which the functions of the same package are compiled ones. Uncompiled, everything stays
as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType, ModuleType
from typing import Any

from rogsim.game.compiler import ENABLED, kernel, part

_compiled: dict[FunctionType, Any] = {}


def callable_by_rules(function: Callable[..., Any]) -> Any:
    """Return a plain function as compiled code can call it."""
    if not ENABLED or not isinstance(function, FunctionType):
        return function
    return _helper(function, function.__module__.partition(".")[0])


def piece(function: Callable[..., Any]) -> Any:
    """Compile a function that is made of others, as a piece of its callers; its machine code is stored with theirs."""
    function.made_of_others = True  # type: ignore[attr-defined] # a hash of its own source would not notice a change
    return part(function)


def _helper(function: FunctionType, package: str) -> Any:
    """Return a compiled copy of a function of the game."""
    if function not in _compiled:
        place: dict[str, Any] = {}
        copy = FunctionType(function.__code__, place, function.__name__, function.__defaults__, function.__closure__)
        copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
        copy.__annotations__ = {}
        _compiled[function] = kernel(copy)  # before its globals are known: it may call itself
        place.update(_compiled_names(function, package))
    return _compiled[function]


def _compiled_names(function: FunctionType, package: str) -> dict[str, Any]:
    """Return the global variables that a function uses, with compiled functions in place of plain ones."""
    found = {"__builtins__": function.__globals__["__builtins__"], "__name__": function.__module__}
    for name in _names_in(function.__code__):
        if name in function.__globals__:
            found[name] = _as_compiled(function.__globals__[name], package)
    return found


def _as_compiled(value: Any, package: str) -> Any:
    if isinstance(value, FunctionType) and value.__module__.partition(".")[0] == package:
        return _helper(value, package)
    if isinstance(value, ModuleType) and value.__name__.partition(".")[0] == package:
        module = ModuleType(value.__name__)
        for name, inside in vars(value).items():
            is_function = isinstance(inside, FunctionType) and inside.__module__ == value.__name__
            setattr(module, name, _helper(inside, package) if is_function else inside)
        return module
    return value


def _names_in(code: CodeType) -> set[str]:
    """Return all names that a function uses, also inside comprehensions."""
    return set(code.co_names).union(*(_names_in(inner) for inner in code.co_consts if isinstance(inner, CodeType)))
