"""Figures that are not drawn, which takes most of the time of a page: for tests of everything else."""

from __future__ import annotations

from importlib import import_module
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it takes long to load
    from rogsim.report.document import Picture

DRAWING = "rogsim.report.render.write.write_picture"  # what `sketch` stands in for
MANY = "rogsim.report.render.write.MANY"  # so many figures would be drawn with the help of another process
SKETCH = '<svg viewBox="0 0 1 1"></svg>'


def sketch_figures() -> None:
    """Draw no figure in this process."""
    for place, instead in ((DRAWING, sketch), (MANY, inf)):
        module, _, name = place.rpartition(".")
        setattr(import_module(module), name, instead)


def sketch(picture: Picture, folder: Path, image: bool = True) -> dict[str, str]:
    """Write the files of a figure without making it, and return the drawing for a page."""
    for kind in ("png", "svg") if image else ("svg",):
        (folder / f"{picture.name}.{kind}").write_text(SKETCH)
    return {picture.name: SKETCH}


def outline(picture: Picture, folder: Path, image: bool = True) -> dict[str, str]:
    """Make a figure, with all that is on it, but files without it."""
    picture.draw()
    return sketch(picture, folder, image)


def draw(picture: Picture, folder: Path, image: bool = True) -> dict[str, str]:
    """Draw a figure as a page does."""
    from rogsim.report.render.pages import write_files  # its libraries take long to load

    return {picture.name: write_files(picture.draw(), folder, picture.name, image)}
