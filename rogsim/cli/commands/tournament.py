"""`rogsim tournament`: bots against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.plain_text import safe
from rogsim.cli.options import (
    CELLS,
    REPORTS,
    CellsOption,
    ChunkOption,
    GameOption,
    check_cells,
    game_options,
)


def tournament(
    context: typer.Context,
    bots: Annotated[
        str, typer.Option(help="Two bots or more: a,b,c. Two at a table of four play abbb, aabb and aaab.")
    ],
    games: Annotated[int, typer.Option(help="Games for each player count.")] = 2_000,
    players: Annotated[
        str | None, typer.Option(help="Number of players, or several: 2,3 [default: the most there may be].")
    ] = None,
    seed: Annotated[int, typer.Option(help="Root of all chance.")] = 1,
    jobs: Annotated[int | None, typer.Option(help="Workers [default: one a processor].")] = None,
    chunk: ChunkOption = None,
    cells: CellsOption = CELLS,
    out: Annotated[Path | None, typer.Option(help="Folder to write [default: reports/tournament].")] = None,
    sprt: Annotated[
        str | None, typer.Option(help="Of two bots: stop as soon as one Elo lead is likelier.", metavar="ELO0,ELO1")
    ] = None,
    game: GameOption = None,
) -> None:
    """Play bots against each other and rate them. Any further --name VALUE is an option of the game.

    Games that were played before are not played again: a tournament that was stopped goes on.
    """
    from rogsim.experiments.tournament.tournament_request import arrange
    from rogsim.report.console.text_table import show_tables
    from rogsim.report.tournament.standings_tables import build_tables
    from rogsim.report.tournament.tournament_folder import heading, hold

    words = game_options(context.args)
    arranged = arrange(bots, games=games, players=players, seed=seed, game=game, words=words, sprt=sprt)
    folder = out or REPORTS / "tournament"
    check_cells(cells)
    outcome = hold(arranged, folder, jobs, chunk, cells)
    show_tables(heading(arranged, outcome), build_tables(outcome.standings))
    print(safe(f"\nTables and plots: {folder}"))
