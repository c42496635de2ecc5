"""`rogsim tournament`: plays bots against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.plain_text import safe
from rogsim.cli.options import (
    REPORTS,
    STORE,
    ChunkOption,
    GameOption,
    StoreOption,
    check_store,
    game_options,
)


def tournament(
    context: typer.Context,
    bots: Annotated[
        str, typer.Option(help="Two or more bots: a,b,c. Two bots at a table of four play abbb, aabb and aaab.")
    ],
    games: Annotated[int, typer.Option(help="Games per player count.")] = 2_000,
    players: Annotated[str | None, typer.Option(help="Player counts: 2,3 [default: the largest].")] = None,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 1,
    jobs: Annotated[int | None, typer.Option(help="Number of workers [default: one per processor].")] = None,
    chunk: ChunkOption = None,
    store: StoreOption = STORE,
    out: Annotated[Path | None, typer.Option(help="Folder to write [default: reports/tournament].")] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            help="With two bots: stop as soon as the test accepts one of the two Elo leads.", metavar="ELO0,ELO1"
        ),
    ] = None,
    game: GameOption = None,
) -> None:
    """Play bots against each other and rate them. Any other --name VALUE is an option of the game.

    Games that are already stored are not played again: an interrupted tournament continues.
    """
    from rogsim.experiments.tournament.tournament_request import arrange
    from rogsim.report.console.text_table import show_tables
    from rogsim.report.tournament.standings_tables import build_tables
    from rogsim.report.tournament.tournament_folder import heading, hold

    words = game_options(context.args)
    arranged = arrange(bots, games=games, players=players, seed=seed, game=game, words=words, sprt=sprt)
    folder = out or REPORTS / "tournament"
    check_store(store)
    outcome = hold(arranged, folder, jobs, chunk, store)
    show_tables(heading(arranged, outcome), build_tables(outcome.standings))
    print(safe(f"\nTables and plots: {folder}"))
