"""A command tells its libraries only what rogsim documents, and a value that is not allowed ends it in one line."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rogsim.base import process_settings
from rogsim.base.errors import RogsimError
from rogsim.base.process_settings import KEPT, SET, choose_settings

pytestmark = pytest.mark.once_uncompiled

# Each of these ended a command in a traceback, or in a warning of a library.
WRONG = {
    "SOURCE_DATE_EPOCH": "abc",
    "POLARS_ENGINE_AFFINITY": "gpu",
    "POLARS_TABLE_WIDTH": "wide",
    "POLARS_IDEAL_MORSEL_SIZE": "0",
    "NUMBA_OPT": "much",
    "NUMBA_NUM_THREADS": "0",
    "MPLBACKEND": "nonsense",
    "JOBLIB_MULTIPROCESSING": "0",
    "LOKY_PICKLER": "nonsense",
    "SCIPY_ARRAY_API": "nonsense",
}


def chosen(monkeypatch: pytest.MonkeyPatch, given: dict[str, str]) -> dict[str, str]:
    """What is left of an environment."""
    monkeypatch.setattr(os, "environ", dict(given))
    choose_settings()
    return dict(os.environ)


def test_only_documented_variables_reach_the_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """All others of their names are removed, and so is one that is empty; what is nobody's stays."""
    kept = {"NUMBA_DISABLE_JIT": "1", "NUMBA_CACHE_DIR": "/x", "POLARS_MAX_THREADS": "02", "OPENBLAS_NUM_THREADS": "4"}
    given = {**WRONG, **kept, "LOKY_MAX_CPU_COUNT": "", "HOME": "/home/me", "PYTHONSAFEPATH": "", "MATPLOTLIBRC": "/x"}
    assert chosen(monkeypatch, given) == {**kept, **SET, "HOME": "/home/me"}
    assert SET["PYTHONSAFEPATH"] == "1"
    assert chosen(monkeypatch, {})["OPENBLAS_NUM_THREADS"] == "1"


@pytest.mark.parametrize("value", ["0", "-1", "two", "٣", "1.5", " "])
@pytest.mark.parametrize("name", [name for name, (rule, _) in KEPT.items() if not rule.fullmatch("x")])
def test_a_wrong_value_is_told(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """The libraries that read these variables would fail with a traceback, or panic."""
    if KEPT[name][0].fullmatch(value):  # 0 for a switch
        assert chosen(monkeypatch, {name: value})[name] == value
        return
    with pytest.raises(RogsimError) as caught:
        chosen(monkeypatch, {name: value})
    assert str(caught.value) == f"{name}: {value!a} is not allowed: must be {KEPT[name][1]}"


def test_a_wrong_value_ends_a_command_in_one_line() -> None:
    """With exit code 2, before any library is loaded."""
    command, given = [sys.executable, "-m", "rogsim", "games"], os.environ | {"POLARS_MAX_THREADS": "two"}
    ended = subprocess.run(command, env=given, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    rule = "must be a whole number from 1 on"
    assert ended.stderr == f"rogsim: error: POLARS_MAX_THREADS: 'two' is not allowed: {rule}\n"
    assert process_settings.KEPT["POLARS_MAX_THREADS"][1] in rule
