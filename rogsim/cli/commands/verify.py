"""`rogsim verify`: replays some of the stored games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.cli.outcome import FOUND


def verify(
    folder: Annotated[Path, typer.Argument(help="Results folder.", metavar="FOLDER")],
    games: Annotated[int, typer.Option(help="Games to replay per player count.", metavar="NUMBER")] = 200,
    seed: Annotated[int, typer.Option(help="Random seed of the sample.", metavar="NUMBER")] = 1,
    bots_from: Annotated[
        Path | None,
        typer.Option(help="Folder that bot paths are relative to; without it no bot file is run.", metavar="FOLDER"),
    ] = None,
) -> int:
    """Replay a sample of the stored games and compare every row.

    Exit code 1 if any row differs.
    """
    from rogsim.base.prose import write
    from rogsim.results.verify import verify as replay_sample
    from rogsim.results.verify import verify_lines

    found = replay_sample(folder, games, seed, bots_from)
    write("\n".join(verify_lines(folder, found)))
    return FOUND if found.differing else 0
