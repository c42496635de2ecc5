"""Starting Python again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # the folder that the package is in


def same_modules() -> dict[str, str]:
    """Return an environment in which a new Python finds the modules that this one finds."""
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
