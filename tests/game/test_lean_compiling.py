"""Lean compiling: callees are only pieces of their callers, and everything can be called as before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.caching import FunctionCache

from rogsim.game import compiler, lean_compiling, rng

pytestmark = [
    pytest.mark.once_compiled,
    pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled"),
]
needs_lean = pytest.mark.skipif(lean_compiling.PIPELINES is None, reason="numba compiles in its own way")


def kernels() -> Any:
    """Return new kernels of every kind that call each other."""

    @compiler.kernel
    def squares(count: int) -> int:
        if count < 0:
            raise ValueError("a negative count")
        total = 0
        for number in range(count):
            total += number * number
        return total

    @compiler.inlined
    def twice(count: int) -> int:
        return 2 * squares(count)

    @compiler.part
    def factorial_of_three() -> int:
        return factorial(3)

    @compiler.kernel
    def factorial(number: int) -> int:
        if number < 2:
            return 1
        return number * factorial(number - 1)

    @compiler.kernel
    def both(count: int) -> int:
        return twice(count) + squares(count) + factorial_of_three()

    return SimpleNamespace(squares=squares, twice=twice, factorial=factorial, both=both)


def check(found: Any) -> None:
    """All kernels give the right numbers and errors, whoever calls them and in whatever order."""
    both = found.both

    @numba.njit
    def of_numba(count: int) -> int:
        return both(count) + 1

    assert both(4) == 2 * 14 + 14 + 6
    assert of_numba(4) == both(4) + 1
    assert (found.squares(4), found.twice(4), found.factorial(5)) == (14, 28, 120)
    assert both(3) == 2 * 5 + 5 + 6
    for function in (both, of_numba, found.twice, found.squares):
        with pytest.raises(ValueError, match="a negative count"):
            function(-1)


def test_kernels_work_whoever_calls_them() -> None:
    """Python, another kernel, or a function that numba compiles in its own way."""
    check(kernels())


@needs_lean
def test_what_only_a_kernel_calls_has_no_machine_code() -> None:
    """It gets some when Python first calls it."""
    found = kernels()
    found.both(4)
    assert len(found.both.signatures) == 1
    assert not (found.squares.signatures or found.twice.signatures or found.factorial.signatures)
    found.twice(4)
    assert len(found.twice.signatures) == 1
    assert not found.squares.signatures


@needs_lean
def test_only_a_bot_keeps_what_it_calls_to_itself() -> None:
    """Under names of its own: the linker would otherwise take the same kernel, called elsewhere, for one of them."""
    pipelines: Any = lean_compiling.PIPELINES

    @compiler.kernel
    def paths(steps: int) -> int:
        return steps if steps < 2 else paths(steps - 1) + paths(steps - 2)

    for kind, linkage, names in ((pipelines.CachedBot, "internal", 1), (pipelines.CachedEntry, "linkonce_odr", 0)):
        compiled = numba.njit(lambda steps: paths(steps) + 1, error_model="numpy", pipeline_class=kind)
        assert compiled(10) == 56
        [made] = compiled.overloads.values()
        functions = pipelines._defined(made.library._final_module)
        [callee] = [function for function in functions if "paths" in function.name.partition(".in.")[0]]
        assert callee.linkage.name == linkage
        assert callee.name.count(".in.") == names


@needs_lean
def test_a_bot_calls_numbas_runtime_by_its_own_names() -> None:
    """By these names numba finds the counting of references that it can drop: to rows of a record, for example."""
    pipelines: Any = lean_compiling.PIPELINES

    @compiler.kernel
    def total(numbers: Any) -> float:
        most = np.zeros(1)
        for number in numbers:
            most = most if number < most[0] else np.full(1, number)
        return float(most[0])

    compiled = numba.njit(lambda numbers: total(numbers), pipeline_class=pipelines.CachedBot)
    assert compiled(np.array([1.0, 3.0, 2.0])) == 3.0
    [made] = compiled.overloads.values()
    names = [function.name for function in made.library._final_module.functions if "NRT_" in function.name]
    assert {"NRT_incref", "NRT_decref"} <= set(names)
    assert not [name for name in names if ".in." in name]


@needs_lean
def test_a_record_type_is_described_as_numba_describes_it() -> None:
    """And only once, with all records inside."""
    pipelines: Any = lean_compiling.PIPELINES
    inner = np.dtype([("x", np.int8), ("y", np.float64, (2, 3))])
    for dtype in (inner, np.dtype([("one", inner), ("several", inner, 4)]), np.dtype([("x", np.int8)])):
        record = numba.from_dtype(dtype)
        assert repr(record) == pipelines._describe(record)
        assert repr(record) is repr(record)


@needs_lean
def test_a_bot_from_elsewhere_takes_machine_code_from_the_cache() -> None:
    """Its own machine code is not cached, so each process would compile the kernel again."""
    signature = numba.int64(numba.from_dtype(rng.STREAM))
    compiler.compile_for(signature, lambda stream: rng.draw(stream, 6))
    assert rng.draw.signatures


def test_without_numbas_internals_it_compiles_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then callees have machine code too, and all results are the same."""
    monkeypatch.setattr(lean_compiling, "PIPELINES", None)
    assert lean_compiling.entry(True) == lean_compiling.callee() == {}
    found = kernels()
    check(found)
    assert found.factorial.signatures


def test_other_versions_of_numba_are_not_trusted() -> None:
    """Neither an unknown one nor one whose number begins alike."""
    assert lean_compiling.find_pipelines("0.99.0") is None
    assert lean_compiling.find_pipelines("0.680.0") is None


def test_missing_internals_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module that uses them cannot be imported then."""
    monkeypatch.setitem(sys.modules, "rogsim.game.lean_pipelines", None)
    monkeypatch.delattr("rogsim.game.lean_pipelines", raising=False)
    assert lean_compiling.find_pipelines(f"{lean_compiling.KNOWN[-1]}.1") is None


LOAD_THEN_COMPILE = """
import numba
import numpy as np
from rogsim.game import compiler, lean_compiling, rng
items = np.arange(9)
rng.shuffle(np.uint64(7), items, 9)
[loaded] = rng.shuffle.overloads.values()
def parsed():
    lean = lean_compiling.PIPELINES is not None
    return loaded.library._get_module_for_linking.cache_info().currsize if lean else "?"
before = parsed()
@compiler.kernel
def total(items):
    rng.shuffle(np.uint64(7), items, 9)
    return np.sum(np.sort(items)[:5]) + len(set(items))
square = numba.njit(lambda values: np.dot(values, values))
print(sum(rng.shuffle.stats.cache_hits.values()), total(items), square(np.ones(3)), before, parsed())
"""


SHUFFLE = """
import sys
import numpy as np
from numba.core.runtime import rtsys
from rogsim.game import rng
items = np.arange(9)
rng.shuffle(np.uint64(7), items, 9)
print("numba.np.arraymath" in sys.modules, rtsys._init)
print(sum(rng.shuffle.stats.cache_misses.values()), sum(rng.shuffle.stats.cache_hits.values()), *items)
"""


def told_by(code: str, cache: Path) -> list[str]:
    """Run code in a process of its own with a folder for machine code, and return the words that it prints."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()


@pytest.fixture(scope="module")
def shuffled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[str]]]:
    """A folder of machine code, and what the process that filled it and one that loads from it print."""
    folder = tmp_path_factory.mktemp("code")
    return folder, [told_by(SHUFFLE, folder) for _ in range(2)]


def test_a_restart_compiles_nothing(shuffled: tuple[Path, list[list[str]]]) -> None:
    """The second process loads what the first one compiled, callees included; one file holds it all.

    Numba's tables of functions are not made for that, nor is its runtime compiled.
    """
    folder, told = shuffled
    items = np.arange(9)
    with np.errstate(over="ignore"):  # uncompiled, numpy warns of what wraps around
        rng.shuffle.py_func(np.uint64(7), items, 9)
    own_way = str(lean_compiling.PIPELINES is None)
    assert told[0] == ["True", "True", "1", "0", *map(str, items)]
    assert told[1] == [own_way, own_way, "0", "1", *map(str, items)]
    assert lean_compiling.PIPELINES is None or len(list(folder.rglob("*.nbc"))) == 1


def test_compiling_after_loading(shuffled: tuple[Path, list[list[str]]]) -> None:
    """A process that has only loaded machine code can still compile everything.

    The bitcode of what it loaded is parsed when a caller is compiled.
    """
    parsed = ["?", "?"] if lean_compiling.PIPELINES is None else ["0", "1"]
    assert told_by(LOAD_THEN_COMPILE, shuffled[0]) == ["1", "19", "3.0", *parsed]


def test_without_numbas_internals_machine_code_is_loaded_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba's tables are made first, as in its own cache."""
    monkeypatch.setattr(lean_compiling, "PIPELINES", None)
    asked: list[Any] = []
    monkeypatch.setattr(FunctionCache, "load_overload", lambda *given: asked.append(given[1:]))
    compiler._NoticingCache(rng.mix.py_func).load_overload("signature", "context")
    assert asked == [("signature", "context")]


@needs_lean
def test_a_record_type_is_described_as_numba_does_it() -> None:
    """For records of two types, also when asked again; the description is written once for each."""
    for dtype in ([("a", "i8"), ("b", "f8", (3,))], [("c", "i1")]):
        record = numba.from_dtype(np.dtype(dtype, align=True))
        described = lean_compiling.PIPELINES._describe(record)
        assert repr(record) == described
        assert repr(record) is repr(record)
