"""`rogsim bench`: measures the speed of play."""

from __future__ import annotations

from typing import Annotated

import typer

from rogsim.cli.options import GameOption


def bench(
    game: GameOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure the speed of play on one core."""
    from rogsim.simulation import benchmark as module

    module.bench(game, json=json)
