"""`rogsim sweep`: plays all settings of a scenario's [sweep], and writes a report on them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.output_paths import REPORTS
from rogsim.cli.options import (
    STORE,
    AddressOption,
    BackendOption,
    ChunkOption,
    GamesOption,
    JobsOption,
    JsonOption,
    RetrainGamesOption,
    RetrainGenerationsOption,
    RetrainOption,
    ScenarioArgument,
    SchedulerOption,
    SeedOption,
    StoreOption,
    make_resources,
)

OutOption = Annotated[
    Path | None, typer.Option(help="Folder to write.  [default: reports/sweep-<scenario>]", metavar="FOLDER")
]


def sweep(
    scenario: ScenarioArgument,
    games: GamesOption = None,
    seed: SeedOption = None,
    retrain: RetrainOption = None,
    retrain_generations: RetrainGenerationsOption = None,
    retrain_games: RetrainGamesOption = None,
    jobs: JobsOption = None,
    chunk: ChunkOption = None,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    address: AddressOption = None,
    store: StoreOption = STORE,
    out: OutOption = None,
    json: JsonOption = False,
) -> None:
    """Play every setting of a [sweep] and show which is fairest.

    All settings are played on the same deals. The page also shows which parameters matter. Games that are already
    stored are not played again: an interrupted sweep continues. With --retrain, the fairest setting is also played by
    bots that are trained for it.
    """
    from rogsim.base.progress import doing, say
    from rogsim.base.prose import write
    from rogsim.experiments.retraining.retrained_settings import retrain_fairest
    from rogsim.experiments.retraining.retraining_request import check_learners, request_retraining
    from rogsim.experiments.sweep.design import idle_axes, make_design
    from rogsim.experiments.sweep.outcome import play_sweep
    from rogsim.report import words
    from rogsim.report.console.answers import print_grids
    from rogsim.report.render.json_data import to_text
    from rogsim.report.render.write import PAGE, check_place, write_report
    from rogsim.report.sweep.sweep_page import build_sweep, compact_grids, sweep_as_data
    from rogsim.scenario.model import load
    from rogsim.scenario.no_effect import change_notes

    resources = make_resources(store, jobs, chunk, backend, scheduler, address)
    retraining = request_retraining(retrain, retrain_generations, retrain_games, option_prefix="--")
    given = {"games": games, "seed": seed}
    with doing() as notify:
        notify("checking all settings")
        design = make_design(load(scenario, given, option_prefix="--"), str(scenario))
    if retraining:
        check_learners((point.experiment for point in design.design_points), "--")
    folder = out or REPORTS / f"sweep-{design.experiment.name}"
    check_place(folder)
    for note in (*design.notes, *change_notes(design.experiment), *idle_axes(design)):
        say(note)
    outcome = play_sweep(design, resources)
    retrained = retrain_fairest(outcome, retraining, resources) if retraining else None
    asked = {"retrain": retrain, "retrain-generations": retrain_generations, "retrain-games": retrain_games}
    with doing() as notify:
        notify("comparing")
        report = build_sweep(outcome, scenario, {**given, **asked}, folder, retrained)
        write_report(report, folder, notify)
    page = folder / PAGE
    if json:
        print(to_text(sweep_as_data(outcome, report, page, retrained)), end="")
        return
    findings = [finding for _, shown in report.on_top for finding in shown]
    heading = words.joined(design.experiment.question, report.rests_on)
    print_grids(heading, findings, compact_grids(outcome))
    write(f"\nPage: {page}")
