"""Calling functions of the tests in a process of their own that has no compiler."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROGRAM = """
import json, sys
from importlib import import_module
from rogsim.game import compiler
assert not compiler.ENABLED
function = getattr(import_module(sys.argv[1]), sys.argv[2])
print(json.dumps([function(*given) for given in json.load(sys.stdin)]))
"""


def uncompiled(function: Callable[..., Any], calls: list[Any]) -> list[Any]:
    """What a function of a test module returns for each list of arguments, as JSON brings it over."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, function.__module__, function.__name__],
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[1],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return list(json.loads(done.stdout))
