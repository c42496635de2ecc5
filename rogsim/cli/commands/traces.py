"""Single games: `rogsim trace` writes complete games, and `rogsim show` prints one turn by turn."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from rogsim.base.errors import RogsimError
from rogsim.cli import completion
from rogsim.cli.options import A_SCENARIO, Option, game_options, options, scenario_and_options


@options(
    "players bots games seed change components out game",
    players=Option(int, "NUMBER", "Number of players.", "the scenario's first"),
    bots=Option(str, "BOTS", "One bot for all seats, or one per seat: a,b,c.", "the scenario's", completion.bots),
    games=Option(int, "NUMBER", "Number of games.", 1),
    seed="the scenario's, or 1",
    out=Option(Path, "FILE", "File to write.", "standard output"),
)
def trace(
    context: typer.Context,
    players: Any,
    bots: Any,
    games: Any,
    seed: Any,
    change: Any,
    components: Any,
    out: Any,
    game: Any,
    scenario: Annotated[
        str | None,
        typer.Argument(
            help=f"{A_SCENARIO}  [default: none]",
            metavar="SCENARIO",
            autocompletion=completion.scenarios,
        ),
    ] = None,
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


@options("deal best bots_from")
def show(
    file: Annotated[
        Path, typer.Argument(help="File of traces (JSON Lines), or with --best a results folder.", metavar="FILE")
    ],
    bots_from: Any,
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
