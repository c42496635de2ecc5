"""`rogsim train`: trains the evaluation of a bot by play."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.output_paths import REPORTS
from rogsim.cli import completion
from rogsim.cli.next_command import propose
from rogsim.cli.options import ChangeOption, ComponentsOption, JobsOption, PlayersOption, typed_changes


def train(
    scenarios: Annotated[
        list[str],
        typer.Argument(
            help="Scenario files or names: the games to learn from.",
            metavar="SCENARIO",
            autocompletion=completion.scenarios,
        ),
    ],
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
    minutes: Annotated[
        float | None,
        typer.Option(help="Start no generation after this many minutes.  [default: no limit]", metavar="MINUTES"),
    ] = None,
    generations: Annotated[int, typer.Option(help="Number of generations.", metavar="NUMBER")] = 4,
    games: Annotated[
        int, typer.Option(help="Games of a generation, per scenario and player count.", metavar="NUMBER")
    ] = 1_000,
    held_out: Annotated[
        int, typer.Option(help="Held-out games after each generation, per scenario and player count.", metavar="NUMBER")
    ] = 2_000,
    change: ChangeOption = None,
    components: ComponentsOption = None,
    players: PlayersOption = None,
    seed: Annotated[int, typer.Option(help="Random seed.", metavar="NUMBER")] = 1,
    jobs: JobsOption = None,
    out: Annotated[
        Path | None, typer.Option(help="File to write.  [default: reports/<bot>-trained.toml]", metavar="FILE")
    ] = None,
) -> None:
    """Train a bot for the rules that scenarios describe.

    The bot plays against itself. Before some choices it plays on from every line that it considers, in many possible
    worlds, and learns which lines turn out better. With --against it learns to beat another bot, which chooses for the
    other seats in these worlds, too: its win share above a fair share is a lower bound on how much better than that bot
    it is possible to play. The same command continues an
    interrupted training.
    """
    from rogsim.experiments.train import request_training
    from rogsim.experiments.train import train as train_bot
    from rogsim.report.console.weights_tables import print_trained
    from rogsim.scenario.arguments import read_numbers

    request = request_training(
        scenarios,
        bot=bot,
        against=against,
        overrides={
            "players": read_numbers(players, "--players"),
            "change": typed_changes(change) or None,
            "components": components,
        },
        games=games,
        generations=generations,
        minutes=minutes,
        held_out=held_out,
        seed=seed,
        out=out or REPORTS / f"{re.sub(r'[^A-Za-z0-9]+', '-', Path(bot).name)}-trained.toml",
    )
    trained = train_bot(request, jobs)
    print_trained(request, trained.checks)
    new = f"{request.bot_name}@{request.out}"
    propose("run", scenarios[0], "--bots", new, "--out", REPORTS / f"{request.experiments[0].name}-trained")
