"""`rogsim tune`: finds weights for a bot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from rogsim.cli.options import (
    REPORTS,
    GameOption,
    game_options,
    names_of,
)


def tune(
    context: typer.Context,
    bot: Annotated[str, typer.Argument(help="Whose weights to tune.")],
    against: Annotated[str, typer.Option(help="The pool of opponents: a,b,c.")],
    players: Annotated[str | None, typer.Option(help="Player counts: 2,3,4 [default: the most].")] = None,
    games: Annotated[int, typer.Option(help="Games of a candidate, for each player count.")] = 400,
    generations: Annotated[int, typer.Option(help="Generations.")] = 50,
    held_out: Annotated[int, typer.Option(help="Games of the check at the end, for each player count.")] = 4_000,
    keep: Annotated[str | None, typer.Option(help="Weights that stay as they are: a,b,c.")] = None,
    seed: Annotated[int, typer.Option(help="Root of all chance.")] = 1,
    jobs: Annotated[int | None, typer.Option(help="Workers [default: one a processor].")] = None,
    out: Annotated[Path | None, typer.Option(help="File to write [default: reports/<bot>-tuned.toml].")] = None,
    game: GameOption = None,
) -> None:
    """Tune a bot's weights against others. Any further --name VALUE is an option of the game."""
    from rogsim.experiments.tuning.tune import tune as tune_bot
    from rogsim.experiments.tuning.tune_report import print_result
    from rogsim.experiments.tuning.tune_request import request_tuning

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
    print_result(request, *tune_bot(request, jobs))
