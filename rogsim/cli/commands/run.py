"""`rogsim run`: plays a scenario, or the rest of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.plain_text import safe
from rogsim.cli.options import (
    REPORTS,
    ChangeOption,
    print_json,
    typed_changes,
)


def run(
    scenario: Annotated[Path, typer.Argument(help="Scenario file (TOML).")],
    games: Annotated[int | None, typer.Option(help="Games per player count.")] = None,
    seed: Annotated[int | None, typer.Option(help="Random seed.")] = None,
    change: ChangeOption = None,
    until: Annotated[
        list[str] | None,
        typer.Option(help='Stop when intervals are this narrow: "seat_share ± 0.5 pp". Repeatable.'),
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Number of workers [default: one per processor].")] = None,
    chunk: Annotated[
        int | None, typer.Option(help="Games per batch of a worker [default: about two seconds of play].")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Results folder [default: reports/<scenario>].")] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Delete the rows of another run in the results folder.")
    ] = False,
    backend: Annotated[
        str | None, typer.Option(help="threads, processes, dask or ray [default: depends on the bots].")
    ] = None,
    scheduler: Annotated[str | None, typer.Option(help="Address of a running Dask cluster.")] = None,
    address: Annotated[str | None, typer.Option(help="Address of a running Ray cluster.")] = None,
    game_seconds: Annotated[
        str | None, typer.Option(help="Stop if a single game with your own bots takes longer [default: 600].")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """Play a scenario, save the results and print its tables.

    Games that are already in the results folder are kept: an interrupted run continues, and more --games extend it.
    """
    from rogsim.base.progress import say
    from rogsim.experiments.run import play
    from rogsim.report.console.run_report import print_run, run_as_data
    from rogsim.scenario.model import load
    from rogsim.simulation.batch import check_positive
    from rogsim.simulation.executors.backends import choose_backend
    from rogsim.simulation.executors.foreign_bots import limit_games

    check_positive("--jobs", jobs)
    check_positive("--chunk", chunk)
    limit_games(game_seconds)
    chosen = choose_backend(backend, scheduler, address, option_prefix="--")
    asked = {"games": games, "seed": seed, "until": until or None, "change": typed_changes(change) or None}
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
    print(safe(f"\nRows and manifest: {folder}"))
