"""The only place that configures numba: `kernel`, `records`, and the cache of machine code.

numba's own cache does not notice a change in a function that is called from another file. So the name of the cache
folder is a hash of every compiled source, of its place, and of the versions that shape machine code: any change gives
a new, empty folder, and stale code never runs. Where machine code of the kit contains functions of a game from
elsewhere, a hash of their sources is part of the name that the kernel has in the cache (`note_sources`).
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import platform
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import llvmlite
import numba
import numba.extending
import numpy as np

from rogsim.base.files import is_by_system, locked
from rogsim.game.code_cache import LOCK, find_folder, sources_beside
from rogsim.game.records import ENABLED as ENABLED
from rogsim.game.records import Record, as_records, with_places

try:
    from rogsim.game import private_numba as private
except (ImportError, AttributeError):  # this version of numba has other private parts
    private = None  # type: ignore[assignment]

PACKAGE = Path(__file__).resolve().parents[1]
# Files and folders whose functions and constants become machine code.
COMPILED_SOURCES = (
    "game/compiler.py",
    "game/functions.py",
    "game/private_numba.py",
    "game/rng.py",
    "game/rules.py",
    "game/kit",
    "game/plain",
    "games",
)

FOR_PEOPLE = ("draw.py", "drawing.py", "say.py")  # beside them, but never compiled

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F, prepare: Callable[[], None] = lambda: None, into_callers: bool = False) -> F:
    """Compile a function of the game when it is first called; it runs without Python's global lock.

    Machine code of this package's own functions is cached on disk. Functions from elsewhere (a user's bot, a
    test) are compiled in each process, because the files that they may call are not hashed.

    Parameters
    ----------
    function
        A plain function.
    prepare
        Called before it is compiled.
    into_callers
        Whether it is compiled into each of its callers.
    """
    # Otherwise numba takes the setting from the first caller that it meets, and may copy large kernels everywhere.
    return _kernel(function, prepare, forceinline=into_callers)


def part(function: F) -> F:
    """Compile a kernel into each of its callers: for small functions, and for those with one busy caller."""
    return _kernel(function, lambda: None, forceinline=True)


def wraps_around(function: F) -> F:
    """Let the whole numbers of a function exceed 64 bits as intended: uncompiled, numpy would warn of it."""
    return function if ENABLED else np.errstate(over="ignore")(function)


def _kernel(function: Any, prepare: Callable[[], None], **more: Any) -> Any:
    return LazyKernel(function, prepare, more) if ENABLED else function


def callee() -> dict[str, Any]:
    """Return options of `numba.njit` for a function that only kernels call."""
    return {"no_cfunc_wrapper": True, **({} if private is None else {"pipeline_class": private.Piece})}


def _options(function: Callable[..., Any]) -> dict[str, Any]:
    return {
        "nogil": True,
        "error_model": "numpy",
        "boundscheck": not _is_inside(function.__code__.co_filename),  # others may not reach outside their memory
        "cache": is_own(function) and cache_folder() is not None,
    }


def _entry(function: Any, sources: str = "", **options: Any) -> Any:
    """Return numba's dispatcher for a function that Python or a pointer calls; `sources` as by `_sources_of`."""
    if private is not None:
        options["pipeline_class"] = private.CachedEntry if options["cache"] else private.Entry
    if sources:
        code, closure = function.__code__, function.__closure__
        name = f"{function.__qualname__}@{sources}"  # by which numba's cache knows it
        function = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
        function.__qualname__ = name
    return numba.njit(**options)(function)


_SOURCES: dict[np.dtype[Any], str] = {}


def note_sources(record: np.dtype[Any], functions: Iterable[Any]) -> None:
    """Note what machine code for a record depends on, if the kit calls functions from elsewhere for it.

    These are all files of their packages, because one may call another, or be read by it.
    """
    plain = [_as_written(function) for function in functions]
    files = {Path(function.__code__.co_filename) for function in plain if hasattr(function, "__code__")}
    files = {path for path in files if path.is_file() and not path.resolve().is_relative_to(PACKAGE)}
    if not files or not ENABLED:
        return
    digest = hashlib.sha256()
    for path in sorted(files.union(*(sources_beside(path) for path in files))):
        digest.update(path.read_bytes())
    _SOURCES[record] = digest.hexdigest()[:16]
    _found.clear()


_found: dict[int, tuple[Any, list[str]]] = {}  # by id, which is quicker than a dtype; it is kept, with its id


def _sources_of(arguments: Iterable[Any]) -> str:
    """Return the sources from elsewhere on which machine code for these arguments, or types of arguments, depends."""
    if not _SOURCES:
        return ""
    return "-".join(sorted({source for argument in arguments for source in _sources_in(argument)}))


def _sources_in(kind: Any) -> list[str]:
    while kind is not None and not isinstance(kind, np.dtype):
        kind = getattr(kind, "dtype", None)
    if id(kind) not in _found:
        records = _nested(kind) if kind is not None else ()
        _found[id(kind)] = kind, [_SOURCES[record] for record in records if record in _SOURCES]
    return _found[id(kind)][1]


@cache
def _nested(record: np.dtype[Any]) -> set[np.dtype[Any]]:
    fields = (record.base.fields or {}).values()
    return {record.base}.union(*(_nested(field[0]) for field in fields))


def as_python(function: Any) -> Any:
    """Return a function, compiled or not, as plain Python: for a few calls, such as those that make a table."""
    return getattr(function, "py_func", function)


def _as_written(function: Any) -> Any:
    """Return a function as plain Python, not prepared for being compiled, which takes longer than loading a game."""
    return function._function if isinstance(function, LazyKernel) else as_python(function)


def is_own(function: Any) -> bool:
    """Return whether a function, compiled or not, belongs to this package; only then is its machine code cached."""
    plain = _as_written(function)
    return not hasattr(plain, "made_of_others") and _is_inside(plain.__code__.co_filename)


@cache  # asked for each bot of each batch
def _is_inside(file: str) -> bool:
    """Return whether a file belongs to this package."""
    return Path(file).resolve().is_relative_to(PACKAGE)


def records(dtype: np.dtype[Any], count: int) -> Any:
    """Return `count` zeroed records whose fields read as attributes, compiled or not."""
    array = as_records(np.zeros(count, dtype))
    return array if ENABLED else with_places(array, "records")


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
    plain = as_python(function)
    whole = not is_own(plain) and isinstance(signature.return_type, numba.types.Integer)
    if not ENABLED:
        return checking_answers(function) if whole else function
    options = _options(plain)
    compiled = _entry(plain, _sources_of(signature.args), **options)
    compiled.compile(signature.args if whole else signature)
    answer = compiled.nopython_signatures[0].return_type
    if answer != signature.return_type:
        compiled = _entry(plain, **options)
        compiled.compile(signature)  # if there is no way from one type to the other, it says where
        check_answers(answer, plain)
    compiled.disable_compile()
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
    return [file for file in files if file.name not in FOR_PEOPLE and not is_by_system(file)]


@cache
def cache_folder() -> Path | None:
    """Return the folder of machine code for these sources at this place, or None if none is safe and writable."""
    if not ENABLED:
        return None
    key = hashlib.sha256(f"{source_hash()} {PACKAGE}".encode()).hexdigest()[:16]
    folder = find_folder(f"{key}-numba{numba.__version__}")
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
    return mark not in _compiled and not (isinstance(mark, Path) and mark.exists())


def mark_compiled(function: Any, game: str, state: np.dtype[Any]) -> None:
    """Note that a function is compiled for a game; the arguments are those of `is_cold`."""
    if ENABLED:
        mark = _mark_of(function, game, state)
        if isinstance(mark, Path):
            mark.touch()
        else:
            _compiled.add(mark)


_compiled: set[Any] = set()  # in this process, if there is no cache


def _mark_of(function: Any, game: str, state: np.dtype[Any]) -> Any:
    """Return the empty file that says that a function is compiled for a game; without a cache, what stands for it."""
    plain, folder = as_python(function), cache_folder()
    name = f"{game}@{_SOURCES.get(state, '')}.{plain.__module__}.{plain.__qualname__}.nbc"
    return folder / name if folder is not None else name


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


WHOLE = (int, np.integer, np.bool_)
NOT_WHOLE = "it may return a {}, and must return a whole number"


def checking_answers(function: Callable[..., Any]) -> Callable[..., int]:
    """Return a function that is not compiled, and checks what it returns as `check_answers` does."""

    def checked(*arguments: Any) -> int:
        answer = function(*arguments)
        if not isinstance(answer, WHOLE):
            raise TypeError(NOT_WHOLE.format(type(answer).__name__))
        return int(answer)

    vars(checked)["py_func"] = function  # by which it counts as a function from elsewhere
    return checked


def check_answers(kind: Any, function: Callable[..., Any]) -> None:
    """Refuse the type of what a compiled function returns if it is no whole number: numba would cut off fractions.

    Raises
    ------
    TypeError
        With what it returns instead, and where the function is.
    """
    if not isinstance(kind, numba.types.Integer | numba.types.Boolean):
        code = function.__code__
        raise TypeError(f"{NOT_WHOLE.format(kind)}, at {Path(code.co_filename).name}, line {code.co_firstlineno}")


# A dispatcher must be made once: two would be two functions to numba. Making one may need another.
_making = threading.RLock()


class LazyKernel:
    """A function with its dispatchers, which are made when the function is first called or compiled."""

    def __init__(self, function: Callable[..., Any], prepare: Callable[[], None], more: dict[str, Any]) -> None:
        """Put off preparing the function, and making dispatchers; `more` are options of `numba.njit`."""
        functools.update_wrapper(self, function)
        self._function, self._prepare, self._more = function, prepare, more
        self._dispatchers: dict[str, Any] = {}  # by what `_sources_of` returns

    @cached_property
    def py_func(self) -> Callable[..., Any]:
        """Return the plain function that is compiled."""
        self._prepare()
        return self._function

    @cached_property
    def _options(self) -> dict[str, Any]:
        return {"no_cfunc_wrapper": True, **_options(self.py_func), **self._more}

    def dispatcher_for(self, arguments: Iterable[Any]) -> Any:
        """Return the dispatcher that compiles or loads machine code for arguments, or types of arguments."""
        sources = _sources_of(arguments)
        if sources not in self._dispatchers:
            with _making:
                if sources not in self._dispatchers:
                    self._dispatchers[sources] = _entry(self.py_func, sources, **self._options)
        return self._dispatchers[sources]

    @cached_property
    def called(self) -> Any:
        """Return the dispatcher that compiled code calls."""
        if private is not None:
            return private.Called(self, **self._options)
        return numba.njit(**{**self._options, "cache": False})(self.py_func)  # it is stored with its callers

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        return self.dispatcher_for(arguments)(*arguments)

    def __reduce__(self) -> Any:
        """Pickle as a dispatcher."""
        return self.dispatcher_for(()).__reduce__()


@numba.extending.typeof_impl.register(LazyKernel)  # type: ignore[untyped-decorator] # numba is partly typed
def _typeof_kernel(kernel: LazyKernel, _: Any) -> Any:
    with _making:
        return numba.types.Dispatcher(kernel.called)
