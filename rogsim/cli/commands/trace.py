"""`rogsim trace`: writes complete games as JSON Lines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from rogsim.cli import completion
from rogsim.cli.options import (
    ChangeOption,
    ComponentsOption,
    GameOption,
    game_options,
)


def trace(
    context: typer.Context,
    players: Annotated[int, typer.Option(help="Number of players.", metavar="NUMBER")],
    bots: Annotated[
        str,
        typer.Option(
            help="One bot for all seats, or one per seat: a,b,c.", metavar="BOTS", autocompletion=completion.bots
        ),
    ],
    games: Annotated[int, typer.Option(help="Number of games.", metavar="NUMBER")] = 1,
    seed: Annotated[int, typer.Option(help="Random seed.", metavar="NUMBER")] = 1,
    change: ChangeOption = None,
    components: ComponentsOption = None,
    out: Annotated[Path | None, typer.Option(help="File to write.  [default: standard output]", metavar="FILE")] = None,
    game: GameOption = None,
) -> None:
    """Write complete games as JSON Lines.

    Any other --name VALUE is an option of the game.
    """
    from rogsim.base.output_paths import check_file
    from rogsim.base.progress import say
    from rogsim.simulation.traces import request_traces, to_line, write_lines

    if out is not None:
        check_file(out)
    words = game_options(context.args)
    seated = [name.strip() for name in bots.split(",")]
    request = request_traces(game, players, seated, games, seed, words, change or [], components)
    for note in request.notes:
        say(note)
    if out is not None:
        write_lines(iter(request.traces()), out)
        return
    for line in map(to_line, request.traces()):
        sys.stdout.write(line)
