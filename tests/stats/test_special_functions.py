"""scipy's special functions, loaded without the rest of their package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rogsim
from rogsim.stats import special_functions

pytestmark = pytest.mark.once_uncompiled


def told(code: str) -> list[str]:
    """Run code in a new process, and return the words that it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(rogsim.__file__).parents[1]
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


USED_LATER = """
import sys
from rogsim.stats import special_functions as ours
print("scipy.special._basic" in sys.modules)
from concurrent.futures import ThreadPoolExecutor
import scipy.special
with ThreadPoolExecutor(4) as pool:
    found = list(pool.map(lambda name: getattr(scipy.special, name), ["gamma", "comb", "lambertw", "logsumexp"]))
print(all(map(callable, found)), all(getattr(scipy.special, name) is getattr(ours, name) for name in ours.NAMES))
print("scipy.special._basic" in sys.modules, type(scipy.special).__name__)
import scipy.stats
print(scipy.special._ufuncs.__name__, round(float(scipy.stats.invgauss.entropy(0.5)), 4))
"""


def test_the_rest_of_the_package_is_loaded_when_it_is_used() -> None:
    """By whichever thread first asks for something else; then scipy.special is complete and has the same functions."""
    assert told(USED_LATER) == ["False", "True", "True", "True", "module", "scipy.special._ufuncs", "0.0697"]


@pytest.mark.parametrize("fault", ["NAMES = ('nosuch',)", "COMPILED = 'scipy.special.nosuch'"])
def test_if_scipy_is_not_as_expected_the_whole_package_is_loaded(fault: str) -> None:
    """Whether a function is not where it should be, or the compiled module is missing."""
    name, _, value = fault.partition(" = ")
    code = (
        "import sys\n"
        "from rogsim.stats import special_functions as ours\n"
        "for name in [name for name in sys.modules if name == ours.PACKAGE]: del sys.modules[name]\n"
        f"ours.{name} = {value}\n"
        "print(ours.find_functions().__name__, ours.find_functions() is sys.modules['scipy.special'])\n"
        "import scipy.stats\n"
    )
    assert told(code) == ["scipy.special", "True"]


def test_a_package_that_is_already_there_is_used() -> None:
    """Nothing is loaded twice."""
    assert told(
        "import scipy.special, sys\nfrom rogsim.stats import special_functions as ours\n"
        "print(ours.find_functions() is scipy.special, ours.stdtr is scipy.special.stdtr)\n"
    ) == ["True", "True"]


def test_quantiles_are_right() -> None:
    """Student's quantile of the 95% interval with 10 degrees of freedom, from a table."""
    assert special_functions.stdtrit(10, 0.975) == pytest.approx(2.228, abs=5e-4)
