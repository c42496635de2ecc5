"""The only place that configures numba: `kernel`, `records`, and the cache of machine code.

numba's own cache does not notice a change in a function that is called from another file. So the name of
the cache folder contains a hash of every compiled source and of the versions that shape machine code: any change
gives a new, empty folder, and stale code never runs. Where machine code of the kit contains functions of a game from
elsewhere, a hash of their sources is part of its key in the cache (`note_sources`).
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import platform
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numba.extending
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.ir import Assign, Return

from rogsim.base.files import is_by_system, locked
from rogsim.game import lean_compiling
from rogsim.game.code_cache import LOCK, find_folder, sources_beside
from rogsim.game.records import ENABLED as ENABLED
from rogsim.game.records import Record, as_records

PACKAGE = Path(__file__).resolve().parents[1]
# Files and folders whose functions and constants become machine code.
COMPILED_SOURCES = (
    "game/compiler.py",
    "game/lean_compiling.py",
    "game/lean_pipelines.py",
    "game/functions.py",
    "game/rng.py",
    "game/rules.py",
    "game/kit",
    "game/plain",
    "games",
)

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F, prepare: Callable[[], None] = lambda: None, piece: bool = False) -> F:
    """Compile a function of the game when it is first called; it runs without Python's global lock.

    Machine code of this package's own functions is cached on disk. Functions from elsewhere (a user's bot, a
    test) are compiled in each process, because the files that they may call are not hashed.
    """
    # Otherwise numba takes the setting from the first caller that it meets, and may copy large kernels everywhere.
    return _kernel(function, prepare, forceinline=piece)


def inlined(function: F) -> F:
    """Compile a kernel into each of its callers: for small functions, and for those with one busy caller."""
    return _kernel(function, lambda: None, forceinline=True)


def part(function: F) -> F:
    """Compile a kernel only as a piece of its callers: for code that was split off for readability."""
    if lean_compiling.callee():
        return inlined(function)
    # In numba's own way each kernel costs another pass of optimisation, and copying its code into its callers less.
    return cast(F, numba.njit(inline="always", no_cfunc_wrapper=True, **_options(function))(function))


def wraps_around(function: F) -> F:
    """Let the whole numbers of a function exceed 64 bits as intended: uncompiled, numpy would warn of it."""
    return function if ENABLED else np.errstate(over="ignore")(function)


def _kernel(function: Any, prepare: Callable[[], None], **more: Any) -> Any:
    """Compile a function for Python and for pieces of its callers.

    Kernels pass every whole number to each other as 64 bits. Otherwise numba would compile a version for each literal
    and each width of an argument: five times as many.
    """
    if not ENABLED:
        return function

    def make_dispatcher() -> Any:
        prepare()
        options = {"no_cfunc_wrapper": True, **_options(function), **more}
        cached = options["cache"]
        compiled = _noticing(numba.njit(**options, **lean_compiling.entry(cached))(function))
        lean_compiling.let_callers_choose(compiled, cached, {**options, "cache": False}, _widest)
        return compiled

    return LazyKernel(function, make_dispatcher)


def _widest(kind: Any) -> Any:
    kind = numba.types.unliteral(kind)
    return numba.types.int64 if isinstance(kind, numba.types.Integer) and kind.signed else kind


def _options(function: Callable[..., Any]) -> dict[str, Any]:
    return {"nogil": True, "error_model": "numpy", "cache": is_own(function) and cache_folder() is not None}


class _NoticingCache(FunctionCache):  # type: ignore[misc] # numba is partly typed
    """Machine code on disk whose keys contain the sources that `note_sources` noted."""

    _impl_class = lean_compiling.PIPELINES.StoredCode if lean_compiling.PIPELINES else CompileResultCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load machine code; numba would first make its tables of all types and functions, which compiling needs."""
        if lean_compiling.PIPELINES is None:
            return super().load_overload(sig, target_context)
        lean_compiling.PIPELINES.prepare_loading()
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        sources = {_SOURCES.get(record, "") for kind in getattr(sig, "args", sig) for record in _records_in(kind)}
        return (*super()._index_key(sig, codegen), tuple(sorted(sources)))


def _noticing(compiled: Any) -> Any:
    """Let the cache of a kernel notice changes in the games from elsewhere for which it is compiled."""
    if ENABLED and isinstance(compiled._cache, FunctionCache):
        compiled._cache = _NoticingCache(compiled.py_func)
    return compiled


_SOURCES: dict[np.dtype[Any], str] = {}


def note_sources(record: np.dtype[Any], functions: Iterable[Any]) -> None:
    """Note what machine code for a record depends on, if the kit calls functions from elsewhere for it.

    These are all files of their packages, because one may call another, or be read by it.
    """
    plain = [as_python(function) for function in functions]
    files = {Path(function.__code__.co_filename) for function in plain if hasattr(function, "__code__")}
    files = {path for path in files if path.is_file() and not path.resolve().is_relative_to(PACKAGE)}
    if not files or not ENABLED:
        return
    digest = hashlib.sha256()
    for path in sorted(files.union(*(sources_beside(path) for path in files))):
        digest.update(path.read_bytes())
    _SOURCES[record] = digest.hexdigest()[:16]


def _records_in(kind: Any) -> set[np.dtype[Any]]:
    """Return the dtypes of all records in a type of an argument."""
    while isinstance(kind, numba.types.Type):
        kind = getattr(kind, "dtype", None)
    return _nested(kind) if isinstance(kind, np.dtype) else set()


@cache
def _nested(record: np.dtype[Any]) -> set[np.dtype[Any]]:
    fields = (record.base.fields or {}).values()
    return {record.base}.union(*(_nested(field[0]) for field in fields))


def as_python(function: Any) -> Any:
    """Return a function, compiled or not, as plain Python: for a few calls, such as those that make a table."""
    return getattr(function, "py_func", function)


def is_own(function: Any) -> bool:
    """Return whether a function, compiled or not, belongs to this package; only then is its machine code cached."""
    plain = as_python(function)
    return not hasattr(plain, "made_of_others") and _is_inside(plain.__code__.co_filename)


@cache  # asked for each bot of each batch
def _is_inside(file: str) -> bool:
    """Return whether a file belongs to this package."""
    return Path(file).resolve().is_relative_to(PACKAGE)


def records(dtype: np.dtype[Any], count: int) -> Any:
    """Return `count` zeroed records whose fields read as attributes, compiled or not."""
    return as_records(np.zeros(count, dtype))


@cache
def record_type(dtype: np.dtype[Any]) -> Any:
    """Return numba's type of a record; numba itself makes it anew each time, which takes milliseconds."""
    return numba.from_dtype(dtype)


@numba.extending.typeof_impl.register(Record)  # type: ignore[untyped-decorator] # numba is partly typed
def _typeof_record(record: Record, _: Any) -> Any:
    return record_type(record.dtype)


class Functions(tuple[Any, ...]):
    """Functions that `compile_for` or `callback_for` made for one signature, as compiled code takes them."""

    __slots__ = ()


@numba.extending.typeof_impl.register(Functions)  # type: ignore[untyped-decorator] # numba is partly typed
def _typeof_functions(functions: Functions, _: Any) -> Any:
    """Return the type of functions; for a plain tuple, numba would warn that this feature is experimental."""
    kind = numba.typeof(functions[0])
    single = kind.dispatcher.get_function_type() if isinstance(kind, numba.types.Dispatcher) else kind
    return numba.types.UniTuple(single, len(functions))


def _records(dtype: Any, count: Any) -> Any:
    """Let compiled functions create records. Pass on the whole array: a single record does not keep it alive."""
    return lambda dtype, count: np.zeros(count, dtype)


numba.extending.overload(records, strict=False)(_records)


@cache
def compile_for(signature: Any, function: Callable[..., Any]) -> Any:
    """Compile a function for exactly one signature, so that the play loop can call it through a pointer.

    Bots that share a function share its machine code. One from elsewhere must return a whole number if the signature
    does.
    """
    if isinstance(function, LazyKernel):
        function.dispatcher  # noqa: B018 # it must be prepared
    plain = as_python(function)
    whole = not is_own(plain) and isinstance(signature.return_type, numba.types.Integer)
    if not ENABLED:
        return checking_answers(function) if whole else function
    options = _options(plain)
    # A bot from elsewhere must not write outside its memory.
    compiled = _noticing(
        numba.njit(boundscheck=not is_own(plain), **options, **lean_compiling.entry(options["cache"], is_bot=True))(
            plain
        )
    )
    compiled.compile(signature)
    compiled.disable_compile()
    if whole:
        check_answers(compiled.overloads[signature.args])
    return compiled


class _Callback(numba.types.WrapperAddressProtocol):  # type: ignore[misc] # numba is partly typed
    """A plain Python function that compiled code can call as a first-class function."""

    def __init__(self, signature: Any, function: Callable[..., int]) -> None:
        self._signature = signature
        kind = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * len(signature.args))
        self._entry = kind(function)  # kept while its address is in use

    def __wrapper_address__(self) -> int:
        return ctypes.cast(self._entry, ctypes.c_void_p).value or 0

    def signature(self) -> Any:
        return self._signature


def callback_for(signature: Any, function: Callable[..., int]) -> Any:
    """Return a Python function in the form that `compile_for` returns, for a signature of records that gives an int64.

    Compiled code calls it with bare addresses; it must not raise.
    """
    if not ENABLED:
        return function
    # Otherwise numba knows the types of callbacks only after it has compiled something.
    import numba.experimental.function_type  # noqa: F401

    return _Callback(signature, function)


@cache
def source_hash() -> str:
    """Hash every compiled source and the versions of numba, llvmlite, numpy and Python: 16 hex digits."""
    digest = hashlib.sha256()
    for version in (numba.__version__, llvmlite.__version__, np.__version__, platform.python_version()):
        digest.update(version.encode())
    for path in compiled_sources():
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def compiled_sources() -> list[Path]:
    """List the Python files whose functions become machine code, in a fixed order."""
    files: list[Path] = []
    for name in COMPILED_SOURCES:
        entry = PACKAGE / name
        files += sorted(entry.rglob("*.py")) if entry.is_dir() else [entry]
    return [file for file in files if not is_by_system(file)]


@cache
def cache_folder() -> Path | None:
    """Return the folder of machine code for these sources, or None if none is safe and writable."""
    if not ENABLED:
        return None
    folder = find_folder(f"{source_hash()}-numba{numba.__version__}")
    if folder is not None:
        # Unlike the environment variable, this setting is read at each decoration.
        numba.config.CACHE_DIR = str(folder)
    return folder


def is_cold(function: Any, game: str, state: np.dtype[Any]) -> bool:
    """Return whether a function has to be compiled for a game: its machine code is not in the cache.

    Kernels of the kit are compiled for each game, and again when a game from elsewhere changes. So they count as
    missing until `mark_compiled` was called for this game with these sources.

    Parameters
    ----------
    function
        A kernel, or a function to be compiled.
    game, state
        The id of the game and the dtype of its states.
    """
    if not ENABLED:
        return False
    mark = _mark_of(function, game, state)
    if mark is None:
        return (function, game) not in _compiled
    return not mark.exists() or not any(mark.parent.glob(f"{_stem(function)}-*.nbc"))


def mark_compiled(function: Any, game: str, state: np.dtype[Any]) -> None:
    """Note that a function is compiled for a game; the arguments are those of `is_cold`."""
    if not ENABLED:
        return
    mark = _mark_of(function, game, state)
    if mark is None:
        _compiled.add((function, game))
    if mark is not None and mark.parent.is_dir():
        mark.touch()


_compiled: set[tuple[Any, str]] = set()  # in this process, if there is no cache


def _mark_of(function: Any, game: str, state: np.dtype[Any]) -> Path | None:
    """Return the empty file that says that a function is compiled for a game; None without a cache."""
    folder = _folder_of(function)
    return folder and folder / f"{game}@{_SOURCES.get(state, '')}.{_stem(function)}.nbc"


def _stem(function: Any) -> str:
    """Return how the names of the files with the machine code of a function begin."""
    plain = as_python(function)
    return f"{plain.__module__.rpartition('.')[2]}.{plain.__qualname__}"


def _folder_of(function: Any) -> Path | None:
    """Return the folder with the machine code of a function.

    Each source folder has its own in the cache: machine code of another checkout cannot be used.
    """
    folder = cache_folder()
    plain = as_python(function)
    return folder and folder / Path(FunctionCache(plain).cache_path).name


@contextmanager
def compiling_alone(cold: Callable[[], bool]) -> Iterator[None]:
    """Let one process of this machine compile while others wait to load the result; must not be nested.

    `cold` returns whether there is anything to compile. It is called again after waiting, because processes that only
    load may do so together. If a process is killed meanwhile, the others continue.
    """
    folder = cache_folder()
    if folder is None or not cold():
        yield
        return
    with ExitStack() as held:
        with suppress(OSError):  # where files cannot be locked, several processes may compile the same
            held.enter_context(locked(folder / LOCK))
        if not cold():
            held.close()
        yield


NOT_WHOLE = "it may return a {}, and must return a whole number"


def checking_answers(function: Callable[..., Any]) -> Callable[..., int]:
    """Return a function that is not compiled, and checks what it returns as `check_answers` does."""

    def checked(*arguments: Any) -> int:
        answer = function(*arguments)
        if not isinstance(answer, int | np.integer | np.bool_):
            raise TypeError(NOT_WHOLE.format(type(answer).__name__))
        return int(answer)

    vars(checked)["py_func"] = function  # by which it counts as a function from elsewhere
    return checked


def check_answers(compiled: Any) -> None:
    """Refuse a compiled function that returns nothing, or may return fractions: numba would cut them off.

    Raises
    ------
    TypeError
        With what it returns instead of a whole number.
    """
    if not isinstance(compiled.signature.return_type, numba.types.Integer):
        raise TypeError("it returns nothing, and must return a whole number")
    typed = compiled.type_annotation
    statements = [inst for block in typed.blocks.values() for inst in block.body]
    returned = {inst.value.name for inst in statements if isinstance(inst, Return)}
    for inst in statements:
        if isinstance(inst, Assign) and inst.target.name in returned and getattr(inst.value, "op", "") == "cast":
            kind = numba.types.unliteral(typed.typemap[inst.value.value.name])
            if not isinstance(kind, numba.types.Integer | numba.types.Boolean):
                raise TypeError(NOT_WHOLE.format(kind))


# A dispatcher must be made once: two would be two functions to numba. Making one may need another.
_making = threading.RLock()


class LazyKernel:
    """A function with its dispatcher, which is made when the function is first called, compiled or asked for details.

    numba takes it for the dispatcher wherever compiled code names it, by the attribute `_numba_type_`.

    Parameters
    ----------
    function
        The plain function.
    make
        Makes its dispatcher.
    """

    def __init__(self, function: Callable[..., Any], make: Callable[[], Any]) -> None:
        """Put off making the dispatcher."""
        functools.update_wrapper(self, function)
        self.py_func = function
        self._make = make
        self._dispatcher: Any = None

    @property
    def dispatcher(self) -> Any:
        """Return numba's dispatcher."""
        if self._dispatcher is None:
            with _making:
                if self._dispatcher is None:
                    self._dispatcher = self._make()
        return self._dispatcher

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the compiled function."""
        return self.dispatcher(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the dispatcher."""
        if name.startswith("__"):
            raise AttributeError(name)  # copying and pickling look for these before the kernel is complete
        return getattr(self.dispatcher, name)

    def __reduce__(self) -> Any:
        """Pickle as the dispatcher."""
        return self.dispatcher.__reduce__()
