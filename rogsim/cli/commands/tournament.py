"""`rogsim tournament`: plays bots against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.output_paths import REPORTS
from rogsim.cli import completion
from rogsim.cli.next_command import propose
from rogsim.cli.options import (
    STORE,
    AllOption,
    ChunkOption,
    GameOption,
    JobsOption,
    StoreOption,
    check_store,
    game_options,
)


def tournament(
    context: typer.Context,
    bots: Annotated[
        str,
        typer.Option(
            help="Two or more bots: a,b,c. Two bots with four players play abbb, aabb and aaab.",
            metavar="BOTS",
            autocompletion=completion.bots,
        ),
    ],
    games: Annotated[int, typer.Option(help="Games per player count.", metavar="NUMBER")] = 2_000,
    players: Annotated[
        str | None, typer.Option(help="Player counts: 2,3,4.  [default: the largest]", metavar="NUMBERS")
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed.", metavar="NUMBER")] = 1,
    jobs: JobsOption = None,
    chunk: ChunkOption = None,
    store: StoreOption = STORE,
    out: Annotated[Path, typer.Option(help="Folder to write.", metavar="FOLDER")] = REPORTS / "tournament",
    sprt: Annotated[
        str | None,
        typer.Option(
            help="With two bots: stop as soon as a sequential test accepts one of these Elo leads.", metavar="LOW,HIGH"
        ),
    ] = None,
    everything: AllOption = False,
    game: GameOption = None,
) -> None:
    """Play bots against each other and rate them.

    The page shows which bot is strongest, by how much, and which are not distinguishable. Games that are already stored
    are not played again: an interrupted tournament continues. Any other --name VALUE is an option of the game.
    """
    from rogsim.base.prose import write
    from rogsim.experiments.tournament import arrange
    from rogsim.report.console.page_lines import print_page
    from rogsim.report.render.write import PAGE
    from rogsim.report.tournament_page import play_and_write

    words = game_options(context.args)
    arranged = arrange(bots, games=games, players=players, seed=seed, game=game, words=words, sprt=sprt)
    check_store(store)
    print_page(play_and_write(arranged, out, jobs, chunk, store), everything)
    write(f"\nPage: {out / PAGE}")
    named = [] if game is None else ["--game", game]
    propose("bots", "--profile", *named, "--bots", bots)
