"""The example games of the documentation, imported from their folders as an installed package would be."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
NAMES = ("pig", "kuhn", "harbour")
sys.path += [str(EXAMPLES / name) for name in NAMES]
pig, kuhn, harbour = (import_module(name) for name in NAMES)
