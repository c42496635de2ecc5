"""The one step that uses numba's private parts: what only kernels call gets no machine code of its own.

numba optimises each function, writes machine code for it, and links that into each caller, which is optimised again.
Here only what Python or a pointer calls is optimised, once, with all its pieces. Without, it takes 2.7 times as long.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc, int64, njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment
from numba.types import Integer, unliteral

_entries: list[bool] = []  # of what is becoming machine code: whether the cache takes it


class Code(JITCodeLibrary):  # type: ignore[misc] # numba is partly typed
    """The code of a function; as machine code, with all pieces that it calls."""

    def add_linking_library(self, library: Any) -> None:  # noqa: D102
        if not isinstance(library, Code):  # otherwise it waits
            library._ensure_finalized()
        self._linking_libraries.append(library)

    def finalize(self) -> None:
        """Link all pieces, optimise, write machine code."""
        pieces, others = list[Any]([self]), list[Any]()
        for piece in pieces:  # grows meanwhile
            for library in piece._linking_libraries:
                known = pieces if isinstance(library, Code) and not library._finalized else others
                if library not in known:
                    known.append(library)
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        for piece in pieces[1:]:
            self._reload_init.update(piece._reload_init)
            self._final_module.link_in(piece._final_module.clone())
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in own:
                function.linkage, function.name = "internal", f"{function.name}.in.{min(own)}"  # it may vanish
        self._linking_libraries: list[Any] = others
        super().finalize()
        for variable in self._final_module.global_variables:
            if constants := lookup_environment(variable.name):  # for Python, by which it raises errors
                self._codegen.set_env(variable.name, constants)


class Entry(Compiler):  # type: ignore[misc] # numba is partly typed
    """Compiles what Python or a pointer calls."""

    def compile_extra(self, function: Any) -> Any:  # noqa: D102
        self.state.library = Code(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        _entries.append(isinstance(self, CachedEntry))
        try:
            return super().compile_extra(function)
        finally:
            _entries.pop()


class CachedEntry(Entry):
    """Compiles it for the cache."""


class Piece(Compiler):  # type: ignore[misc] # numba is partly typed
    """Compiles what only kernels call, which find it by an object without an address."""

    def compile_extra(self, function: Any) -> Any:  # noqa: D102
        flags, context = self.state.flags, self.state.targetctx
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        code = self.state.library = Code(context.codegen(), function.__qualname__)
        made = super().compile_extra(function)
        known_as = _dynfunc.make_function(function, function.__name__, "", 0, made.environment, (code,))
        context.insert_user_function(known_as, made.fndesc, [code])
        made.reload_init.extend(code._reload_init)
        return made._replace(entry_point=known_as)


class Called:
    """What compiled code calls in place of a kernel: a piece, or cached machine code if its own is not cached."""

    def __init__(self, kernel: Any, cache: bool, **options: Any) -> None:
        self.kernel, self.cached = kernel, cache
        self.piece = njit(**options, pipeline_class=Piece)(kernel.py_func)

    def __getattr__(self, name: str) -> Any:  # noqa: D105
        return getattr(self.piece, name)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Pass whole numbers as 64 bits: numba would compile a version for each literal and each width."""
        wide = [int64 if isinstance(kind, Integer) and kind.signed else kind for kind in map(unliteral, args)]
        return self._chosen(args).get_call_template(wide, kws)

    def get_overload(self, args: Any) -> Any:  # noqa: D102
        return self._chosen(args).get_overload(args)

    def _chosen(self, args: Any) -> Any:
        return self.piece if _entries and (_entries[-1] or not self.cached) else self.kernel.dispatcher_for(args)
