"""Compiled kernels: whoever calls them gets the same, and a restart loads what was compiled."""

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

from rogsim.game import compiler, rng

pytestmark = [
    pytest.mark.once_compiled,
    pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled"),
]


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

    @compiler.part
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


@pytest.mark.parametrize("private", [compiler.private, None], ids=["private", "public"])
def test_kernels_work_whoever_calls_them(private: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python, another kernel, or a function that numba compiles in its own way; also without numba's private parts."""
    monkeypatch.setattr(compiler, "private", private)
    found = kernels()
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


@pytest.mark.skipif(compiler.private is None, reason="numba compiles in its own way")
def test_what_only_a_kernel_calls_has_no_machine_code() -> None:
    """It gets some when Python first calls it."""
    found = kernels()
    found.both(4)
    made = [found.both, found.squares, found.twice, found.factorial]
    assert [len(kernel.dispatcher_for(()).signatures) for kernel in made] == [1, 0, 0, 0]
    found.twice(4)
    assert [len(kernel.dispatcher_for(()).signatures) for kernel in made] == [1, 0, 1, 0]


def test_a_bot_from_elsewhere_takes_machine_code_from_the_cache() -> None:
    """Its own machine code is not cached, so each process would compile the kernel again."""
    signature = numba.int64(numba.from_dtype(rng.STREAM))
    compiler.compile_for(signature, lambda stream: rng.draw(stream, 6))
    assert rng.draw.dispatcher_for(()).signatures


SHUFFLE = """
import numpy as np
from rogsim.game import rng
items = np.arange(9)
rng.shuffle(np.uint64(7), items, 9)
stats = rng.shuffle.dispatcher_for(()).stats
print(sum(stats.cache_misses.values()), sum(stats.cache_hits.values()), *items)
"""
COMPILE_AFTER_LOADING = """
import numba
from rogsim.game import compiler
@compiler.kernel
def total(items):
    rng.shuffle(np.uint64(7), items, 9)
    return np.sum(np.sort(items)[:5]) + len(set(items))
square = numba.njit(lambda values: np.dot(values, values))
print(total(items), square(np.ones(3)))
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


def test_a_restart_compiles_nothing(tmp_path: Path) -> None:
    """The second process loads what the first one compiled, callees included: one file holds it all.

    It can still compile what calls that.
    """
    items = np.arange(9)
    with np.errstate(over="ignore"):  # uncompiled, numpy warns of what wraps around
        rng.shuffle.py_func(np.uint64(7), items, 9)
    assert told_by(SHUFFLE, tmp_path) == ["1", "0", *map(str, items)]
    assert len(list(tmp_path.rglob("*.nbc"))) == 1
    assert told_by(SHUFFLE, tmp_path) == ["0", "1", *map(str, items)]
    assert told_by(SHUFFLE + COMPILE_AFTER_LOADING, tmp_path)[-2:] == ["19", "3.0"]
