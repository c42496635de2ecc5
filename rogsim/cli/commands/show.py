"""`rogsim show`: prints recorded or stored games, turn by turn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.errors import RogsimError
from rogsim.cli import completion


def show(
    file: Annotated[
        Path, typer.Argument(help="File of traces (JSON Lines), or with --best a results folder.", metavar="FILE")
    ],
    deal: Annotated[
        int | None, typer.Option(help="Number of the deal in the file.  [default: 0]", metavar="NUMBER")
    ] = None,
    best: Annotated[
        str | None,
        typer.Option(
            help="Find stored games: closest, comeback, lead-changes, longest, or several: a,b.",
            metavar="KINDS",
            autocompletion=completion.best,
        ),
    ] = None,
    bots_from: Annotated[
        Path | None,
        typer.Option(help="Folder that bot paths are relative to; without it no bot file is run.", metavar="FOLDER"),
    ] = None,
) -> None:
    """Print a recorded game, or the most exciting of the stored games, turn by turn."""
    from rogsim.base.prose import write
    from rogsim.simulation.traces import find_trace, narrated

    if best is None:
        if bots_from is not None:
            raise RogsimError("--bots-from: needs --best")
        write(narrated(find_trace(file, deal or 0), file), hanging=4)
        return
    if deal is not None:
        raise RogsimError("--deal: cannot be combined with --best")
    from rogsim.results.best_games import best_games
    from rogsim.scenario.arguments import read_names

    found = best_games(file, read_names(best) or [], bots_from)
    write("\n\n".join(f"{game.line}\n\n{game.text}" for game in found), hanging=4)
