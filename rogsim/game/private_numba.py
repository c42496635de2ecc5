"""The one step that uses numba's private parts: what only kernels call gets no machine code of its own.

numba optimises each function, writes machine code for it, and links the result into each caller, which is then
optimised again. Here what a kernel calls is a piece of code without machine code; only what Python or a pointer calls is
optimised, once, with all its pieces. A version of numba without one of these parts compiles as it always does.
"""

from __future__ import annotations

from typing import Any

import numba
from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment

ENVIRONMENT = "_ZN08NumbaEnv"  # how the names begin under which functions find their Python constants
_entries: list[bool] = []  # of what is being compiled into machine code: whether the cache takes it


class Code(JITCodeLibrary):  # type: ignore[misc] # numba is partly typed
    """The code of a function; as machine code, with all pieces that it calls."""

    def add_linking_library(self, library: Any) -> None:
        """Note what the function calls; numba would write its machine code here."""
        if isinstance(library, Code) and not library._finalized:
            self._linking_libraries.append(library)
        else:
            super().add_linking_library(library)

    def finalize(self) -> None:
        """Link all pieces, optimise, write machine code."""
        pieces, others = [self], []
        for piece in pieces:  # grows meanwhile
            for library in piece._linking_libraries:
                known = pieces if isinstance(library, Code) and not library._finalized else others
                if library not in known:
                    known.append(library)
        for piece in pieces[1:]:
            self._reload_init.update(piece._reload_init)
            module = piece._final_module.clone()
            for function in module.functions:
                if not function.is_declaration and function.linkage.name == "external":
                    function.linkage = "linkonce_odr"  # so it may vanish where it is inlined
            self._final_module.link_in(module)
        self._linking_libraries = others
        super().finalize()
        for variable in self._final_module.global_variables:
            constants = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
            if constants is not None:
                self._codegen.set_env(variable.name, constants)


class Entry(Compiler):  # type: ignore[misc] # numba is partly typed
    """Compiles what Python or a pointer calls."""

    cached = False

    def compile_extra(self, function: Any) -> Any:
        self.state.library = Code(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        _entries.append(self.cached)
        try:
            return super().compile_extra(function)
        finally:
            _entries.pop()


class CachedEntry(Entry):
    """The same for machine code that is cached."""

    cached = True


class Piece(Compiler):  # type: ignore[misc] # numba is partly typed
    """Compiles what only kernels call."""

    def compile_extra(self, function: Any) -> Any:
        flags, context = self.state.flags, self.state.targetctx
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        code = self.state.library = Code(context.codegen(), function.__qualname__)
        made = super().compile_extra(function)
        described = made.fndesc  # Python never calls it: its address, 0, is only what callers find the code by
        known_as = _dynfunc.make_function(function, described.qualname, "", 0, made.environment, (code,))
        context.insert_user_function(known_as, described, [code])
        made.reload_init.extend(code._reload_init)
        return made._replace(entry_point=known_as)


class Called:
    """What compiled code calls in place of a kernel: a piece, or cached machine code if its own is not cached.

    Whole numbers are passed as 64 bits. Otherwise numba would compile a version for each literal and each width.
    """

    def __init__(self, kernel: Any, options: dict[str, Any]) -> None:
        self.kernel, self.piece = kernel, numba.njit(**{**options, "cache": False}, pipeline_class=Piece)(kernel.py_func)
        self.cached = options["cache"]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.piece, name)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return self._chosen(args).get_call_template(tuple(map(_widest, args)), {k: _widest(kws[k]) for k in kws})

    def get_overload(self, args: Any) -> Any:
        return self._chosen(args).get_overload(args)

    def _chosen(self, args: Any) -> Any:
        return self.piece if _entries and (_entries[-1] or not self.cached) else self.kernel.dispatcher_for(args)


def _widest(kind: Any) -> Any:
    kind = numba.types.unliteral(kind)
    return numba.types.int64 if isinstance(kind, numba.types.Integer) and kind.signed else kind
