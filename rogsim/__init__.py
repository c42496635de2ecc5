"""Monte Carlo balance analysis for board games: `rogsim.run` plays games, and other functions answer questions."""

from __future__ import annotations

import os
import sys
import warnings
from typing import TYPE_CHECKING, Any

from rogsim.base import __version__

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


def _load_numba_apart() -> None:
    """Load numba now if there are settings for it in the current folder; it then never reads them.

    The folder may be a stranger's. numba would read them whenever it compiles, if it found PyYAML when it was loaded;
    no variable prevents that.
    """
    if not os.path.lexists(".numba_config.yaml") or "numba" in sys.modules:
        return
    warnings.filterwarnings("ignore", "A Numba config file is found", UserWarning)  # but not PyYAML to read it
    before = sys.modules.get("yaml")
    sys.modules["yaml"] = None  # type: ignore[assignment] # Python then says that there is no such module
    try:
        import numba  # noqa: F401
    finally:
        del sys.modules["yaml"]
        if before is not None:
            sys.modules["yaml"] = before


_load_numba_apart()  # here, because every process that works for rogsim comes by

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
