"""`rogsim run`: plays a scenario, or the rest of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rogsim.base.output_paths import REPORTS
from rogsim.cli.next_command import propose
from rogsim.cli.options import (
    AddressOption,
    BackendOption,
    BotsOption,
    ChangeOption,
    ChunkOption,
    ComponentsOption,
    GamesOption,
    JobsOption,
    JsonOption,
    PlayersOption,
    ScenarioArgument,
    SchedulerOption,
    SeedOption,
    print_json,
    typed_changes,
)


def run(
    scenario: ScenarioArgument,
    games: GamesOption = None,
    seed: SeedOption = None,
    players: PlayersOption = None,
    bots: BotsOption = None,
    change: ChangeOption = None,
    components: ComponentsOption = None,
    until: Annotated[
        list[str] | None,
        typer.Option(help='Stop when intervals are this narrow: "seat_share ± 0.5 pp". Repeatable.', metavar="TARGET"),
    ] = None,
    jobs: JobsOption = None,
    chunk: ChunkOption = None,
    out: Annotated[
        Path | None, typer.Option(help="Results folder.  [default: reports/<scenario>]", metavar="FOLDER")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Delete another run in the results folder.")] = False,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    address: AddressOption = None,
    game_seconds: Annotated[
        str | None,
        typer.Option(help="Time limit for one game with your own bots, in seconds.  [default: 600]", metavar="SECONDS"),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Play a scenario, save the results and print its tables.

    Games that are already in the results folder are kept: an interrupted run continues, and more --games extend it.
    """
    from rogsim.base.progress import say
    from rogsim.base.prose import write
    from rogsim.experiments.run import play
    from rogsim.report.console.run_report import print_run, run_as_data
    from rogsim.scenario.arguments import read_names, read_numbers
    from rogsim.scenario.model import load
    from rogsim.simulation.batch import check_positive, check_workers
    from rogsim.simulation.executors.backends import choose_backend
    from rogsim.simulation.executors.foreign_bots import limit_games

    check_workers("--jobs", jobs)
    check_positive("--chunk", chunk)
    limit_games(game_seconds)
    chosen = choose_backend(backend, scheduler, address, option_prefix="--")
    asked: dict[str, Any] = {
        "games": games,
        "seed": seed,
        "players": read_numbers(players, "--players"),
        "bots": read_names(bots),
        "until": until or None,
        "change": typed_changes(change) or None,
        "components": components,
    }
    experiment = load(scenario, asked, option_prefix="--")
    if experiment.scenario.sweep is not None:
        say(f"This plays the scenario itself; rogsim sweep {scenario} plays its [sweep].")
    if experiment.scenario.balance is not None:
        say(f"This plays the scenario itself; rogsim optimize {scenario} runs the search of its [balance].")
    folder = out or REPORTS / experiment.name
    done = play(experiment, jobs=jobs, chunk=chunk, out=folder, replace=replace, backend=chosen)
    if json:
        print_json(run_as_data(done))
        return
    print_run(done)
    write(f"\nRows and manifest: {folder}")
    propose("report", folder)
