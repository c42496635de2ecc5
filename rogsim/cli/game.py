"""`rogsim game`: writes a game to start from, and checks one."""

from __future__ import annotations

import os
from functools import partial
from typing import Annotated

import typer

from rogsim.cli.help import CommandHelp, example
from rogsim.cli.outcome import FOUND, propose

GAMES, SECONDS = 300, 10.0  # of which the speed is measured, and at most for how long

game_app = typer.Typer(
    name="game",
    help="Write a game of your own, and check it.",
    epilog=example("game"),
    rich_markup_mode=None,
)
game_command = partial(game_app.command, cls=CommandHelp)


@game_command("new", epilog=example("game new"))
def new(name: Annotated[str, typer.Argument(help="Name of the game, and of its folder.", metavar="NAME")]) -> None:
    """Write a small, complete game to start from, into a new folder.

    Nothing is ever overwritten. The commands that come next are printed.
    """
    from rogsim.base.text import write
    from rogsim.cli.new_game import next_commands, write_game

    for path in write_game(name):
        write(f"Wrote {path}")
    write("\nNext:")
    for line in next_commands(name):
        write(f"  {line}")


@game_command("check", epilog=example("game check"))
def check(
    where: Annotated[
        str, typer.Argument(help="Path of a game's file, id of a game, or package.module:NAME.", metavar="GAME")
    ],
    plain: Annotated[bool, typer.Option("--plain", help="Play it uncompiled only, which starts at once.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Print a game of its first bot, too.")] = False,
) -> int:
    """Check a game by playing it at random, and list its problems.

    It is first played uncompiled: so errors name the line of its code, and it starts at once. Then it is compiled, and
    the same games must be played. Exit code 1 if there are problems.
    """
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # before anything imports numba
    from rogsim.base.errors import RogsimError
    from rogsim.base.progress import say
    from rogsim.base.text import counted, write
    from rogsim.game.kit.conformance import game_at, in_one_line, problems_of, speed_of, told

    try:
        spec = game_at(where)
        problems = problems_of(where, games=1 if plain else 3, other_side=not plain, tell=say)
    except RogsimError as fault:
        raise RogsimError(in_one_line(fault)) from fault
    if problems:
        write("\n".join(problems))
        return FOUND
    players = max(spec.players)
    if show:
        write(told(spec, players))
    bot, games, rate, rows = speed_of(spec, players, GAMES, SECONDS)
    turns, decisions = (rows[name].mean() for name in ("turns", "decisions"))
    write(f"{spec.title}: no problems found")
    write(
        f"{games} games of {bot} with {counted(players, 'player')}, uncompiled: {rate:.3g} a second, "
        f"{turns:.1f} turns and {decisions:.1f} decisions each"
    )
    if plain:
        propose("game", "check", where)
    return 0
