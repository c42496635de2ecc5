"""Monte Carlo balance analysis for board games: `rogsim.run` plays games, and other functions answer questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rogsim.base.numba_settings import load_numba_apart
from rogsim.base.version import __version__

if TYPE_CHECKING:
    from rogsim.base.errors import RogsimError as RogsimError
    from rogsim.experiments.run import run as run
    from rogsim.report.document import Report as Report
    from rogsim.report.questions import compare as compare
    from rogsim.report.questions import optimize as optimize
    from rogsim.report.questions import report as report
    from rogsim.report.questions import settle as settle
    from rogsim.report.questions import sweep as sweep
    from rogsim.report.questions import tournament as tournament
    from rogsim.results.results import Results as Results
    from rogsim.scenario.model import Scenario as Scenario
    from rogsim.simulation.session import Session as Session

load_numba_apart()  # here, because every process that works for rogsim comes by

# Imported only when used: the command line must be able to show its help at once.
_HOMES = {
    "Report": "rogsim.report.document",
    "Results": "rogsim.results.results",
    "RogsimError": "rogsim.base.errors",
    "Scenario": "rogsim.scenario.model",
    "Session": "rogsim.simulation.session",
    "run": "rogsim.experiments.run",
    **dict.fromkeys(("compare", "optimize", "settle", "sweep", "tournament"), "rogsim.report.questions"),
}
__all__ = ["Report", "Results", "RogsimError", "Scenario", "Session", "__version__", "run"]
__all__ += ["compare", "optimize", "report", "settle", "sweep", "tournament"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "report":
        return import_module("rogsim.report")  # a package that can be called: an import gives it this name
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """Return what users use, also what is not imported yet, so that Tab completes it."""
    return sorted(__all__)
