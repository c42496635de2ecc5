"""`rogsim verify`: plays some stored games again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.plain_text import safe
from rogsim.cli.outcome import FOUND


def verify(
    folder: Annotated[Path, typer.Argument(help="Results folder.")],
    games: Annotated[int, typer.Option(help="Games to replay for each player count.")] = 200,
    seed: Annotated[int, typer.Option(help="Which games: another seed, another sample.")] = 1,
    bots_from: Annotated[
        Path | None, typer.Option(help="Folder where paths of bots start: needed to run bots that are files.")
    ] = None,
) -> int:
    """Play a sample of the stored games again and compare all their rows. Exit code 1 if any differs."""
    from rogsim.results.verify import verify as replay_sample
    from rogsim.results.verify import verify_lines

    found = replay_sample(folder, games, seed, bots_from)
    print(safe("\n".join(verify_lines(folder, found))))
    return FOUND if found.differing else 0
