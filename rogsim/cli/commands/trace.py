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
    scenario_and_options,
)


def trace(
    context: typer.Context,
    scenario: Annotated[
        str | None,
        typer.Argument(
            help="Scenario file (TOML), or a name that rogsim scenario list shows.  [default: none]",
            metavar="SCENARIO",
            autocompletion=completion.scenarios,
        ),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(help="Number of players.  [default: the scenario's first]", metavar="NUMBER"),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            help="One bot for all seats, or one per seat: a,b,c.  [default: the scenario's]",
            metavar="BOTS",
            autocompletion=completion.bots,
        ),
    ] = None,
    games: Annotated[int, typer.Option(help="Number of games.", metavar="NUMBER")] = 1,
    seed: Annotated[
        int | None, typer.Option(help="Random seed.  [default: the scenario's, or 1]", metavar="NUMBER")
    ] = None,
    change: ChangeOption = None,
    components: ComponentsOption = None,
    out: Annotated[Path | None, typer.Option(help="File to write.  [default: standard output]", metavar="FILE")] = None,
    game: GameOption = None,
) -> None:
    """Write complete games as JSON Lines.

    Without a scenario, --players and --bots are needed. Any other --name VALUE is an option of the game.
    """
    from rogsim.base.output_paths import check_file
    from rogsim.base.progress import progress_bar, say
    from rogsim.scenario.arguments import read_names
    from rogsim.simulation.traces import request_traces, to_line, write_lines

    if out is not None:
        check_file(out)
    left = [] if scenario is None else [scenario, *context.args]  # it may be the name of an option of the game
    named, words = scenario_and_options(left)
    request = request_traces(
        game, players, read_names(bots), games, seed, game_options(words), change or [], components, named
    )
    for note in request.notes:
        say(note)
    if out is not None:
        with progress_bar(games) as advance:
            write_lines(request.traces(advance), out)
        return
    for line in map(to_line, request.traces()):
        sys.stdout.write(line)
