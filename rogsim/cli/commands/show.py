"""`rogsim show`: prints one recorded game, turn by turn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.prose import write


def show(
    file: Annotated[Path, typer.Argument(help="File of traces (JSON Lines).", metavar="FILE")],
    game: Annotated[int, typer.Option(help="Number of the game in the file, from 0.", metavar="NUMBER")] = 0,
) -> None:
    """Print one recorded game, turn by turn."""
    from rogsim.simulation.traces import find_trace, narrated

    write(narrated(find_trace(file, game), file), hanging=4)
