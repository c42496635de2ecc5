"""`rogsim check-bot`: tests a bot in every kind of game."""

from __future__ import annotations

from typing import Annotated

import typer

from rogsim.cli import completion
from rogsim.cli.options import (
    GameOption,
)
from rogsim.cli.outcome import FOUND


def check_bot(
    bot: Annotated[
        str,
        typer.Argument(
            help="Bot to check, such as path/to/file.py:name.", metavar="BOT", autocompletion=completion.bot
        ),
    ],
    games: Annotated[int, typer.Option(help="Games per test.", metavar="NUMBER")] = 4,
    limit: Annotated[float, typer.Option(help="Time limit for one choice, in seconds.", metavar="SECONDS")] = 1.0,
    seed: Annotated[int, typer.Option(help="Random seed.", metavar="NUMBER")] = 1,
    game: GameOption = None,
) -> int:
    """Test a bot in every kind of game and list its faults.

    Exit code 1 if there are any.
    """
    from rogsim.base.prose import write
    from rogsim.experiments.bot_check import check_bot as check
    from rogsim.experiments.bot_check import report_lines

    report = check(bot, game, games, seed, limit)
    write("\n".join(report_lines(report)))
    return FOUND if report.findings else 0
