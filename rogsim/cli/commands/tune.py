"""`rogsim tune`: tunes the weights of a bot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.output_paths import REPORTS
from rogsim.cli import completion
from rogsim.cli.next_command import propose
from rogsim.cli.options import (
    GameOption,
    JobsOption,
    game_options,
    names_of,
)


def tune(
    context: typer.Context,
    bot: Annotated[str, typer.Argument(help="Bot to tune.", metavar="BOT", autocompletion=completion.bot)],
    against: Annotated[str, typer.Option(help="Opponents: a,b,c.", metavar="BOTS", autocompletion=completion.bots)],
    players: Annotated[
        str | None, typer.Option(help="Player counts: 2,3,4.  [default: the largest]", metavar="NUMBERS")
    ] = None,
    games: Annotated[int, typer.Option(help="Games per candidate and player count.", metavar="NUMBER")] = 400,
    generations: Annotated[int, typer.Option(help="Number of generations.", metavar="NUMBER")] = 50,
    held_out: Annotated[
        int, typer.Option(help="Games of the final check, per player count.", metavar="NUMBER")
    ] = 4_000,
    keep: Annotated[str | None, typer.Option(help="Weights to leave unchanged: a,b,c.", metavar="NAMES")] = None,
    seed: Annotated[int, typer.Option(help="Random seed.", metavar="NUMBER")] = 1,
    jobs: JobsOption = None,
    out: Annotated[
        Path | None, typer.Option(help="File to write.  [default: reports/<bot>-tuned.toml]", metavar="FILE")
    ] = None,
    game: GameOption = None,
) -> None:
    """Tune a bot's weights against other bots.

    Any other --name VALUE is an option of the game.
    """
    from rogsim.experiments.tune import request_tuning
    from rogsim.experiments.tune import tune as tune_bot
    from rogsim.report.console.weights_tables import print_tuned

    request = request_tuning(
        bot,
        names_of(against),
        game=game,
        players=players,
        words=game_options(context.args),
        keep=names_of(keep or ""),
        games=games,
        generations=generations,
        held_out=held_out,
        seed=seed,
        out=out or REPORTS / f"{re.sub(r'[^A-Za-z0-9]+', '-', Path(bot).name)}-tuned.toml",
    )
    print_tuned(request, *tune_bot(request, jobs))
    named = [] if game is None else ["--game", game]
    propose("tournament", *named, "--bots", f"{bot},{request.bot_name}@{request.out}")
