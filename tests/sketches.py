"""Figures that are not drawn, which takes most of the time of a page: for tests of everything else."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

DRAWING = "rogsim.report.render.write.write_files"  # what `sketch` stands in for
SKETCH = '<svg viewBox="0 0 1 1"></svg>'


def sketch_figures() -> None:
    """Draw no figure in this process."""
    module, _, name = DRAWING.rpartition(".")
    setattr(import_module(module), name, sketch)


def sketch(_: Any, folder: Path, name: str) -> str:
    """Write the files of a figure without drawing it, and return the one for a page."""
    for kind in ("png", "svg"):
        (folder / f"{name}.{kind}").write_text(SKETCH)
    return SKETCH
