"""How numba compiles kernels for `rogsim.game.lean_compiling`; all use of its internals is here.

A library is numba's name for the code of one compiled function and for what it links.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import llvmlite.binding as llvm
from numba import _dynfunc
from numba.core.caching import CompileResultCacheImpl
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.environment import lookup_environment
from numba.core.runtime import _nrt_python
from numba.core.typed_passes import NativeLowering
from numba.core.types import Record

RUNTIME = "NRT_"  # how the names of numba's runtime begin, by which numba finds the reference counting that it can drop
ENVIRONMENT = "_ZN08NumbaEnv"  # how the names begin under which functions find their Python constants

# Whether the machine code of the entry that is being compiled goes into the cache; None: no entry of ours. Only the
# thread that holds numba's compiler lock compiles.
_entries: list[bool] = []


_describe = Record.__repr__
_descriptions: dict[int, tuple[Any, str]] = {}  # by id; with the types, so that no other gets the id of one of them


def describe_once(record: Any) -> str:
    """Return numba's description of a record type; numba asks for it before every step of compiling a function."""
    if id(record) not in _descriptions:
        _descriptions[id(record)] = record, _describe(record)
    return _descriptions[id(record)][1]


Record.__repr__ = describe_once  # type: ignore[method-assign] # a tenth of the time that compiling takes


class LeanLibrary(JITCodeLibrary):  # type: ignore[misc] # numba is partly typed
    """The code of a function, which becomes machine code only if numba asks for it.

    Then the code of every callee, theirs included, is linked once, and all of it is optimised together.
    """

    is_bot = False

    def add_linking_library(self, library: Any) -> None:
        """Note a callee; numba would optimise it here and write its machine code."""
        if _is_plain(library):
            self._linking_libraries.append(library)
        else:
            super().add_linking_library(library)

    def finalize(self) -> None:
        """Link all callees, optimise, write machine code."""
        self._raise_if_finalized()
        self._own = {function.name for function in _defined(self._final_module)}
        self._linking_libraries = list(self._link_callees())
        super().finalize()
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
            if environment is not None:
                self._codegen.set_env(variable.name, environment)

    def _optimize_final_module(self) -> None:
        """Optimise everything together.

        Nothing else calls the functions of a bot, so they become internal: LLVM then drops tests for errors that cannot
        occur, and inlines functions with a single caller. The play loop is not faster that way.
        """
        if self.is_bot:
            entry = min(self._own)
            for function in _defined(self._final_module):
                if function.name not in self._own and not function.name.startswith(RUNTIME):
                    function.linkage = "internal"
                    function.name = f"{function.name}.in.{entry}"  # the linker would mix up equal names
        super()._optimize_final_module()

    def _link_callees(self) -> Iterator[Any]:
        """Link the callees that are not machine code themselves, and yield the other libraries."""
        waiting, seen = [self], {self}
        for caller in waiting:
            for library in caller._linking_libraries:
                if library in seen:
                    continue
                seen.add(library)
                if _is_plain(library):
                    waiting.append(library)
                    self._reload_init.update(library._reload_init)
                    self._final_module.link_in(library._copy())
                else:
                    yield library

    def _copy(self) -> Any:
        """Return a copy of the code; what its new owner does not call or inlines may vanish from it."""
        module = self._final_module.clone()
        for function in _defined(module):
            if function.linkage.name == "external":
                function.linkage = "linkonce_odr"
        return module


def _defined(module: Any) -> list[Any]:
    return [function for function in module.functions if not function.is_declaration]


def _is_plain(library: Any) -> bool:
    return isinstance(library, LeanLibrary) and not library._finalized


class _Lean(Compiler):  # type: ignore[misc] # numba is partly typed
    """numba's compiler, for a lean library."""

    is_bot = False

    def compile_extra(self, function: Any) -> Any:
        self.state.library = LeanLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.is_bot = self.is_bot
        self.state.library.enable_object_caching()
        return super().compile_extra(function)


class Entry(_Lean):
    """Compile a function that Python or a pointer calls; its machine code is not cached."""

    cached = False

    def compile_extra(self, function: Any) -> Any:
        """Compile it; its callees are lean meanwhile."""
        _entries.append(self.cached)
        try:
            return super().compile_extra(function)
        finally:
            _entries.pop()


class CachedEntry(Entry):
    """Compile a function that Python or a pointer calls; its machine code is cached."""

    cached = True


class CachedBot(CachedEntry):
    """Compile a bot; its machine code is cached."""

    is_bot = True


@register_pass(mutates_CFG=False, analysis_only=True)
class _Offer(AnalysisPass):  # type: ignore[misc] # numba is partly typed
    """Let callers find a function that has no machine code."""

    _name = "offer"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        lowered, library = state["cr"], state.library
        described, address = lowered.fndesc, 0  # Python never calls it: it is only what numba finds the code by
        known_as = _dynfunc.make_function(
            described.lookup_module(), described.qualname, "", address, lowered.env, (library,)
        )
        state.targetctx.insert_user_function(known_as, described, [library])
        state.reload_init.extend(library._reload_init)
        state["cr"] = lowered._replace(cfunc=known_as)
        return False


class Callee(_Lean):
    """Compile a function only for its callers: no wrapper, no optimisation, no machine code."""

    def __init__(self, *arguments: Any) -> None:
        flags = arguments[5]
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        super().__init__(*arguments)

    def define_pipelines(self) -> list[Any]:
        """Return numba's steps and one more."""
        (pipeline,) = super().define_pipelines()
        pipeline.add_pass_after(_Offer, NativeLowering)
        pipeline.finalize()
        return [pipeline]


def wants_lean(cached: bool) -> bool:
    """Return whether the entry that is being compiled takes a lean version of a callee.

    An entry that is not cached takes cached machine code, so that not every process compiles the callee again.
    """
    return bool(_entries) and (_entries[-1] or not cached)


class StoredCode(CompileResultCacheImpl):  # type: ignore[misc] # numba is partly typed
    """What the cache stores of an entry: numba's data, and the names that its code defines.

    To find these, numba parses the bitcode, which is most of the work of loading.
    """

    def reduce(self, compiled: Any) -> Any:
        """Return the names, the bitcode, and what numba stores, with an empty module as its bitcode."""
        (name, kind, (machine_code, bitcode)), *others = super().reduce(compiled)
        module = compiled.library._get_module_for_linking()
        variables = [variable for variable in module.global_variables if not variable.is_declaration]
        names = {value.name for value in (*_defined(module), *variables)}
        nothing = llvm.parse_assembly("").as_bitcode()
        return names, bitcode, ((name, kind, (machine_code, nothing)), *others)

    def rebuild(self, target_context: Any, stored: Any) -> Any:
        """Load the machine code; the bitcode is parsed once a caller links it."""
        names, bitcode, others = stored
        target_context.codegen()._engine._defined_symbols |= names
        compiled = super().rebuild(target_context, others)
        compiled.library._get_module_for_linking = cache(partial(llvm.parse_bitcode, bitcode))
        return compiled


@cache
def prepare_loading() -> None:
    """Provide the functions of numba's runtime that machine code calls; compiling needs more, and numba prepares it."""
    for name, address in _nrt_python.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
