"""Reports: `rogsim.report(results)` says what is out of balance, and the modules here write pages.

Python gives this package the name of that function as soon as a module of it is imported, so it can be called.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rogsim.report.document import Report


class _Package(ModuleType):
    def __call__(self, *results: Any, **arguments: Any) -> Report:
        """Say what is out of balance in results, or what changed between two: see `rogsim.report.questions.report`."""
        from rogsim.report.questions import report

        return report(*results, **arguments)


sys.modules[__name__].__class__ = _Package
