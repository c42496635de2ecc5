"""`rogsim optimize`: searches for values that reach a goal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.output_paths import REPORTS
from rogsim.cli.options import (
    STORE,
    AddressOption,
    AllOption,
    BackendOption,
    BotsOption,
    ChangeOption,
    ChunkOption,
    ComponentsOption,
    JobsOption,
    JsonOption,
    OverOption,
    PlayersOption,
    RetrainGamesOption,
    RetrainGenerationsOption,
    RetrainOption,
    ScenarioArgument,
    SchedulerOption,
    SeedOption,
    StoreOption,
    given_options,
    make_resources,
    typed_changes,
)


def optimize(
    scenario: ScenarioArgument,
    goal: Annotated[
        list[str] | None,
        typer.Option(
            help='For example "seat_share equal ± 2 pp". Repeatable.  [default: that of the scenario, or fair]',
            metavar="GOAL",
        ),
    ] = None,
    over: OverOption = None,
    change: ChangeOption = None,
    components: ComponentsOption = None,
    games: Annotated[
        int | None,
        typer.Option(
            help="Maximum number of games of the search, per player count.  [default: what the goals need]",
            metavar="NUMBER",
        ),
    ] = None,
    confirm: Annotated[
        int | None,
        typer.Option(
            help="Games to confirm the answer on new deals.  [default: what the goals need]", metavar="NUMBER"
        ),
    ] = None,
    seed: SeedOption = None,
    players: PlayersOption = None,
    bots: BotsOption = None,
    retrain: RetrainOption = None,
    retrain_generations: RetrainGenerationsOption = None,
    retrain_games: RetrainGamesOption = None,
    jobs: JobsOption = None,
    chunk: ChunkOption = None,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    address: AddressOption = None,
    store: StoreOption = STORE,
    out: Annotated[
        Path | None, typer.Option(help="Folder to write.  [default: reports/balance-<scenario>]", metavar="FOLDER")
    ] = None,
    everything: AllOption = False,
    json: JsonOption = False,
) -> None:
    """Find the smallest change that reaches a goal.

    Goals and values to try come from the scenario's [balance] or from the options. The answer is confirmed on new
    deals and, with --retrain, also with bots that are trained for it. Games that are already stored are not played
    again.
    """
    from rogsim.base.progress import doing
    from rogsim.base.prose import write
    from rogsim.experiments.optimize import find_optimum, retrain_answer
    from rogsim.experiments.optimize_request import request_optimum
    from rogsim.experiments.retraining import check_learners, request_retraining
    from rogsim.report.console.page_lines import print_page
    from rogsim.report.optimize_page import optimize_report
    from rogsim.report.render.json_data import as_data, to_text
    from rogsim.report.render.write import PAGE, check_place, write_report
    from rogsim.report.words import portable_path
    from rogsim.scenario.arguments import read_changes, read_names, read_numbers

    resources = make_resources(store, jobs, chunk, backend, scheduler, address)
    retraining = request_retraining(retrain, retrain_generations, retrain_games, option_prefix="--")
    request = request_optimum(
        scenario,
        goal=goal or (),
        over=read_changes(over or [], "--over"),
        change=typed_changes(change) or None,
        components=components,
        games=games,
        confirm=confirm,
        seed=seed,
        players=read_numbers(players, "--players"),
        bots=read_names(bots),
        option_prefix="--",
    )
    folder = out or REPORTS / f"balance-{request.experiment.name}"
    check_place(folder)
    if retraining:
        check_learners([request.experiment], "--")
    with doing() as notify:
        outcome = find_optimum(request, resources, notify)
    retrained = retrain_answer(outcome, retraining, resources) if retraining else None
    with doing() as notify:
        options = {"seed": seed, "players": players, "bots": bots, "components": components}
        source = [str(scenario), *given_options(options, change)]
        report = optimize_report(outcome, portable_path(folder), source, retrained)
        write_report(report, folder, notify)
    if json:
        typer.echo(to_text(as_data(report)), nl=False)
        return
    print_page(report, everything)
    write(f"\nPage: {folder / PAGE}")
