"""Monte Carlo balance analysis for board games: `rogsim.run(scenario)` plays games and gives results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rogsim.base.numba_settings import load_numba_apart
from rogsim.base.version import __version__

if TYPE_CHECKING:
    from rogsim.base.errors import RogsimError as RogsimError
    from rogsim.experiments.run import run as run
    from rogsim.results.results import Results as Results
    from rogsim.scenario.model import Scenario as Scenario
    from rogsim.simulation.session import Session as Session

__all__ = ["Results", "RogsimError", "Scenario", "Session", "__version__", "run"]

load_numba_apart()  # here, because every process that works for rogsim comes by

# Imported only when used: the command line must be able to show its help at once.
_HOMES = {
    "run": "rogsim.experiments.run",
    "Results": "rogsim.results.results",
    "RogsimError": "rogsim.base.errors",
    "Scenario": "rogsim.scenario.model",
    "Session": "rogsim.simulation.session",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """Return all names, also those that are not imported yet, so that Tab completes them."""
    return sorted({*globals(), *__all__})
