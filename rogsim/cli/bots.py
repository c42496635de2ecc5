"""The commands on bots: `rogsim bots` lists or profiles them, others check, tune and train one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from rogsim.base.errors import RogsimError
from rogsim.base.files import REPORTS
from rogsim.cli import completion
from rogsim.cli.options import Option, game_options, options, scenario_keys
from rogsim.cli.outcome import FOUND, propose


@options(
    "profile bots games players against seed jobs out everything game",
    bots="all that come with the game",
    games=Option(int, "NUMBER", "Games per bot and player count.", "1000, fewer for slow bots"),
    players="the largest",
    seed=None,
    out=Option(Path, "FOLDER", "Folder to write with --profile.", "reports/profile"),
)
def list_bots(
    context: typer.Context,
    jobs: Any,
    out: Any,
    everything: Any,
    game: Any,
    profile: Annotated[bool, typer.Option("--profile", help="Play games and show what each bot does in them.")] = False,
    against: Annotated[
        str | None,
        typer.Option(
            help="Bot in the other seats.  [default: copies of the bot]", metavar="BOT", autocompletion=completion.bot
        ),
    ] = None,
    **asked: Any,
) -> None:
    """List the bots of a game, or show how they play.

    The list says what each bot tries to do: first the bots that come with the game, then those of installed packages.
    With --profile, the bots play, and a page shows how they differ; any other --name VALUE is an option of the game.
    """
    words = game_options(context.args)
    if profile:
        _profile(jobs, out or REPORTS / "profile", everything, **asked, against=against, game=game, words=words)
        return
    from rogsim.base.text import write_pairs
    from rogsim.bots.loading import listed_bots
    from rogsim.game.registry import get_game

    given = {**asked, "against": against, "jobs": jobs, "out": out, "all": everything or None}
    for name in [name for name, value in given.items() if value is not None] + list(words):
        raise RogsimError(f"--{name}: needs --profile")
    write_pairs(listed_bots(get_game(game)))


def _profile(jobs: int | None, folder: Path, everything: bool, **asked: Any) -> None:
    from rogsim.base.text import write
    from rogsim.experiments.profile import request_profile
    from rogsim.report.console.page_lines import print_page
    from rogsim.report.profile_page import write_profile
    from rogsim.report.render.write import PAGE

    request = request_profile(**asked)
    print_page(write_profile(request, folder, jobs), everything)
    write(f"\nPage: {folder / PAGE}")
    if len(request.bots) > 1:
        propose("tournament", *_of(asked["game"]), "--bots", ",".join(request.bots))


@options("games limit seed game", games=Option(int, "NUMBER", "Games per test.", 4), seed=1)
def check_bot(
    bot: Annotated[
        str,
        typer.Argument(
            help="Bot to check, such as path/to/file.py:name.", metavar="BOT", autocompletion=completion.bot
        ),
    ],
    game: Any,
    games: Any,
    seed: Any,
    limit: Annotated[float, typer.Option(help="Time limit for one choice, in seconds.", metavar="SECONDS")] = 1.0,
) -> int:
    """Test a bot in every kind of game and list its faults.

    Exit code 1 if there are any.
    """
    from rogsim.base.text import write
    from rogsim.experiments.bot_check import check_bot as check
    from rogsim.experiments.bot_check import report_lines

    report = check(bot, game, games, seed, limit)
    write("\n".join(report_lines(report)))
    return FOUND if report.findings else 0


@options(
    "against players games generations held_out keep seed jobs out game",
    players="the largest",
    games=Option(int, "NUMBER", "Games per candidate and player count.", 400),
    seed=1,
    out=Option(Path, "FILE", "File to write.", "reports/<bot>-tuned.toml"),
)
def tune(
    context: typer.Context,
    bot: Annotated[str, typer.Argument(help="Bot to tune.", metavar="BOT", autocompletion=completion.bot)],
    against: Annotated[str, typer.Option(help="Opponents: a,b,c.", metavar="BOTS", autocompletion=completion.bots)],
    jobs: Any,
    out: Any,
    game: Any,
    generations: Annotated[int, typer.Option(help="Number of generations.", metavar="NUMBER")] = 50,
    held_out: Annotated[
        int, typer.Option(help="Games of the final check, per player count.", metavar="NUMBER")
    ] = 4_000,
    keep: Annotated[str, typer.Option(help="Weights to leave unchanged: a,b,c.", metavar="NAMES")] = "",
    **asked: Any,
) -> None:
    """Tune a bot's weights against other bots.

    Any other --name VALUE is an option of the game.
    """
    from rogsim.experiments.tune import request_tuning
    from rogsim.experiments.tune import tune as tune_bot
    from rogsim.report.console.weights_tables import print_tuned

    request = request_tuning(
        bot,
        _names(against),
        game=game,
        words=game_options(context.args),
        keep=_names(keep),
        generations=generations,
        held_out=held_out,
        out=out or _weights(bot, "tuned"),
        **asked,
    )
    print_tuned(request, *tune_bot(request, jobs))
    propose("tournament", *_of(game), "--bots", f"{bot},{request.bot_name}@{request.out}")


@options(
    "bot against minutes generations games held_out change components players seed jobs out",
    minutes=Option(float, "MINUTES", "Start no generation after this many minutes.", "no limit"),
    games=Option(int, "NUMBER", "Games of a generation, per scenario and player count.", 1_000),
    seed=1,
    out=Option(Path, "FILE", "File to write.", "reports/<bot>-trained.toml"),
)
def train(
    scenarios: Annotated[
        list[str],
        typer.Argument(
            help="Scenario files or names: the games to learn from.",
            metavar="SCENARIO",
            autocompletion=completion.scenarios,
        ),
    ],
    change: Any,
    components: Any,
    players: Any,
    jobs: Any,
    out: Any,
    bot: Annotated[
        str,
        typer.Option(
            help="Bot to train, with the weights to start from.", metavar="BOT", autocompletion=completion.bot
        ),
    ] = "learned",
    against: Annotated[
        str | None,
        typer.Option(
            help="Bot in all other seats, which stays as it is.  [default: the bot itself]",
            metavar="BOT",
            autocompletion=completion.bot,
        ),
    ] = None,
    generations: Annotated[int, typer.Option(help="Number of generations.", metavar="NUMBER")] = 4,
    held_out: Annotated[
        int, typer.Option(help="Held-out games after each generation, per scenario and player count.", metavar="NUMBER")
    ] = 2_000,
    **asked: Any,
) -> None:
    """Train a bot for the rules that scenarios describe.

    The bot plays against itself. Before some choices it plays on from every line that it considers, in many possible
    worlds, and learns which lines turn out better. With --against it learns to beat another bot, which chooses for the
    other seats in these worlds, too: its win share above a fair share is a lower bound on how much better than that bot
    it is possible to play. The same command continues an interrupted training.
    """
    from rogsim.experiments.train import request_training
    from rogsim.experiments.train import train as train_bot
    from rogsim.report.console.weights_tables import print_trained

    keys = scenario_keys(players, None, change, components=components)
    request = request_training(
        scenarios,
        bot=bot,
        against=against,
        overrides={name: value for name, value in keys.items() if name != "bots"},
        generations=generations,
        held_out=held_out,
        out=out or _weights(bot, "trained"),
        **asked,
    )
    trained = train_bot(request, jobs)
    print_trained(request, trained.checks)
    new = f"{request.bot_name}@{request.out}"
    propose("run", scenarios[0], "--bots", new, "--out", REPORTS / f"{request.experiments[0].name}-trained")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _of(game: str | None) -> list[str]:
    return [] if game is None else ["--game", game]


def _weights(bot: str, how: str) -> Path:
    """Return the file of weights that are written for a bot."""
    return REPORTS / f"{re.sub(r'[^A-Za-z0-9]+', '-', Path(bot).name)}-{how}.toml"
