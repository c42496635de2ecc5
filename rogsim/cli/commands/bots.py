"""`rogsim bots`: lists the bots, or profiles them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rogsim.base.errors import RogsimError
from rogsim.base.output_paths import REPORTS
from rogsim.cli import completion
from rogsim.cli.next_command import propose
from rogsim.cli.options import (
    AllOption,
    GameOption,
    JobsOption,
    game_options,
)


def list_bots(
    context: typer.Context,
    profile: Annotated[bool, typer.Option("--profile", help="Play games and show what each bot does in them.")] = False,
    bots: Annotated[
        str | None,
        typer.Option(
            help="Bots: a,b,c.  [default: all that come with the game]", metavar="BOTS", autocompletion=completion.bots
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(help="Games per bot and player count.  [default: 1000, fewer for slow bots]", metavar="NUMBER"),
    ] = None,
    players: Annotated[
        str | None, typer.Option(help="Player counts: 2,3,4.  [default: the largest]", metavar="NUMBERS")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            help="Bot in the other seats.  [default: copies of the bot]", metavar="BOT", autocompletion=completion.bot
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Random seed.", metavar="NUMBER")] = None,
    jobs: JobsOption = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder to write with --profile.  [default: reports/profile]", metavar="FOLDER")
    ] = None,
    everything: AllOption = False,
    game: GameOption = None,
) -> None:
    """List the bots of a game, or show how they play.

    The list says what each bot tries to do: first the bots that come with the game, then those of installed packages.
    With --profile, the bots play, and a page shows how they differ; any other --name VALUE is an option of the game.
    """
    words = game_options(context.args)
    if profile:
        _profile_bots(
            jobs,
            out,
            everything,
            bots=bots,
            games=games,
            players=players,
            seed=seed,
            against=against,
            game=game,
            words=words,
        )
        return
    from rogsim.base.prose import write_pairs
    from rogsim.bots.loading import listed_bots
    from rogsim.game.registry import get_game

    given = {
        "bots": bots,
        "games": games,
        "players": players,
        "against": against,
        "seed": seed,
        "jobs": jobs,
        "out": out,
        "all": everything or None,
    }
    for name in [name for name, value in given.items() if value is not None] + list(words):
        raise RogsimError(f"--{name}: needs --profile")
    known = listed_bots(get_game(game))
    write_pairs(known)


def _profile_bots(jobs: int | None, out: Path | None, everything: bool, **asked: Any) -> None:
    from rogsim.base.prose import write
    from rogsim.experiments.profile import request_profile
    from rogsim.report.console.page_lines import print_page
    from rogsim.report.profile_page import write_profile
    from rogsim.report.render.write import PAGE

    request = request_profile(**asked)
    folder = out or REPORTS / "profile"
    print_page(write_profile(request, folder, jobs), everything)
    write(f"\nPage: {folder / PAGE}")
    named = [] if asked["game"] is None else ["--game", asked["game"]]
    if len(request.bots) > 1:
        propose("tournament", *named, "--bots", ",".join(request.bots))
