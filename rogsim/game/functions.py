"""Compiling the plain functions of a game: written without decorators, they call one another as in any module.

numba compiles a function that calls others only if those are compiled functions as well. So each function gets
global variables of its own, in which the functions of the same game are compiled ones. Uncompiled, everything stays
as it is.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from rogsim.game.compiler import ENABLED, is_own, kernel, part

OWN = __name__.partition(".")[0]
SHORT = 120  # bytes of code for Python: such a function is compiled into its callers
PLACE = "place from the front"  # no name in a program

_compiled: dict[FunctionType, Any] = {}
_packages: set[str] = set()  # of games and bots: their functions are compiled


def callable_by_rules(function: Callable[..., Any]) -> Any:
    """Return a plain function of a game or a bot as compiled code can call it."""
    if not ENABLED or not isinstance(function, FunctionType) or _package_of(function.__module__) == OWN:
        return function
    _packages.add(_package_of(function.__module__))
    return _helper(function)


def piece(function: Callable[..., Any]) -> Any:
    """Compile a function that is made of others, as a piece of its callers; its machine code is stored with theirs."""
    function.made_of_others = True  # type: ignore[attr-defined] # a hash of its own source would not notice a change
    return part(function)


def _package_of(module: str) -> str:
    """Return the package of a game, or of the bots of another package, to which a module belongs."""
    top, *rest = module.split(".")
    return ".".join([top, *rest[:2]]) if module.startswith(f"{OWN}.games.") else top


def _helper(function: FunctionType) -> Any:
    """Return a compiled copy of a function of the game."""
    if function not in _compiled:
        place: dict[str, Any] = {}
        copy = FunctionType(function.__code__, place, function.__name__, function.__defaults__, function.__closure__)
        copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
        copy.__annotations__ = {}

        def prepare() -> None:
            place.update(_compiled_names(function))
            if is_own(function) and not function.__closure__:
                copy.__code__ = _with_places(function)
                place[PLACE] = np.uint64

        _compiled[function] = kernel(copy, prepare, is_piece(function))  # it may call itself
    return _compiled[function]


def is_piece(function: FunctionType) -> bool:
    """Return whether a function is compiled into those that call it: it is short, or has one caller."""
    callers = _callers(function.__module__.rpartition(".")[0]).get(function, 0)
    return len(function.__code__.co_code) <= SHORT or callers == 1


@cache
def _callers(folder: str) -> dict[FunctionType, int]:
    """Return how many functions of a package name each of its functions."""
    modules = [module for name, module in sys.modules.items() if name.rpartition(".")[0] == folder]
    found = {one for module in modules for one in vars(module).values() if isinstance(one, FunctionType)}
    own = {one for one in found if one.__module__.rpartition(".")[0] == folder}
    count = dict.fromkeys(own, 0)
    for caller in own:
        for name in _names_in(caller.__code__):
            named = caller.__globals__.get(name)
            if isinstance(named, FunctionType) and named in count:
                count[named] += 1
    return count


def _compiled_names(function: FunctionType) -> dict[str, Any]:
    """Return the global variables that a function uses, with compiled functions in place of plain ones."""
    found = {"__builtins__": function.__globals__["__builtins__"], "__name__": function.__module__}
    for name in _names_in(function.__code__):
        if name in function.__globals__:
            found[name] = _as_compiled(function.__globals__[name])
    return found


def _as_compiled(value: Any) -> Any:
    if isinstance(value, FunctionType) and _package_of(value.__module__) in _packages:
        return _helper(value)
    if isinstance(value, ModuleType) and _package_of(value.__name__) in _packages:
        module = ModuleType(value.__name__)
        for name, inside in vars(value).items():
            setattr(module, name, _as_compiled(inside) if isinstance(inside, FunctionType) else inside)
        return module
    return value


def _names_in(code: CodeType) -> set[str]:
    """Return all names that a function uses, also inside comprehensions."""
    return set(code.co_names).union(*(_names_in(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


# Compiled code asks of each place in an array whether it counts from the end, which takes time. In the games of this
# package none does, as uncompiled play checks (`rogsim.game.records.Items`), so there places are unsigned.


def _with_places(function: FunctionType) -> CodeType:
    """Return the code of a function in which the places in arrays are unsigned."""
    code = function.__code__
    found = _functions_in(code.co_filename)[code.co_firstlineno]
    found.body = [_Places(frozenset(code.co_varnames)).visit(statement) for statement in found.body]
    module = compile(ast.fix_missing_locations(ast.Module([found], [])), code.co_filename, "exec")
    return next(made for made in module.co_consts if isinstance(made, CodeType) and made.co_name == found.name)


@cache
def _functions_in(file: str) -> dict[int, ast.FunctionDef]:
    """Return the functions at the top of a file by their first line."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return {found.lineno: found for found in tree.body if isinstance(found, ast.FunctionDef)}


class _Places(ast.NodeTransformer):
    """Makes the places in arrays unsigned, but for those that are known beforehand."""

    def __init__(self, local: frozenset[str]) -> None:
        self.local = local

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Change the place of an item, or each of several."""
        self.generic_visit(node)
        if isinstance(node.slice, ast.Tuple):
            node.slice.elts = [self._place(item) for item in node.slice.elts]
        else:
            node.slice = self._place(node.slice)
        return node

    def _place(self, item: ast.expr) -> ast.expr:
        names = {inner.id for inner in ast.walk(item) if isinstance(inner, ast.Name)}
        if isinstance(item, ast.Slice) or not names & self.local:
            return item
        return ast.Call(ast.Name(PLACE, ast.Load()), [item], [])
