"""`rogsim check-bot`: plays a bot in every way there is."""

from __future__ import annotations

from typing import Annotated

import typer

from rogsim.base.plain_text import safe
from rogsim.cli.options import (
    GameOption,
)
from rogsim.cli.outcome import FOUND


def check_bot(
    bot: Annotated[str, typer.Argument(help="Bot to check: path/to/file.py:name, or any other.")],
    games: Annotated[int, typer.Option(help="Games at each table.")] = 4,
    limit: Annotated[float, typer.Option(help="Seconds that one choice may take.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Root of all chance.")] = 1,
    game: GameOption = None,
) -> int:
    """Play a bot in every way there is, and tell what it does wrong: exit code 1 if anything."""
    from rogsim.experiments.bot_check.bot_check import check_bot as check
    from rogsim.experiments.bot_check.bot_check import report_lines

    report = check(bot, game, games, seed, limit)
    print(safe("\n".join(report_lines(report))))
    return FOUND if report.findings else 0
