"""`rogsim sweep`: plays all settings of a scenario's [sweep], and writes a report on them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rogsim.base.output_paths import REPORTS
from rogsim.cli.next_command import propose, stronger_bot
from rogsim.cli.options import (
    STORE,
    AddressOption,
    AllOption,
    BackendOption,
    BotsOption,
    ChangeOption,
    ChunkOption,
    ComponentsOption,
    GamesOption,
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

OutOption = Annotated[
    Path | None, typer.Option(help="Folder to write.  [default: reports/sweep-<scenario>]", metavar="FOLDER")
]


def sweep(
    scenario: ScenarioArgument,
    over: OverOption = None,
    games: GamesOption = None,
    seed: SeedOption = None,
    players: PlayersOption = None,
    bots: BotsOption = None,
    change: ChangeOption = None,
    components: ComponentsOption = None,
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
    everything: AllOption = False,
    json: JsonOption = False,
) -> None:
    """Play every setting of a [sweep] and show which is fairest.

    All settings are played on the same deals. The page also shows which parameters matter. --over plays other values:
    of a single number, the page shows which ones are fair. Games that are already stored are not played again: an
    interrupted sweep continues. With --retrain, the fairest setting is also played by bots that are trained for it.
    """
    from rogsim.base.progress import doing, say
    from rogsim.base.prose import write
    from rogsim.experiments.retraining import check_learners, request_retraining
    from rogsim.experiments.sweep import play_sweep, retrain_fairest
    from rogsim.experiments.sweep_design import idle_axes, make_design
    from rogsim.report import words
    from rogsim.report.console.page_lines import print_page
    from rogsim.report.render.json_data import as_data, to_text
    from rogsim.report.render.write import PAGE, check_place, write_report
    from rogsim.report.sweep_page import build_sweep
    from rogsim.scenario.arguments import read_changes, read_names, read_numbers
    from rogsim.scenario.model import load
    from rogsim.scenario.no_effect import change_notes

    resources = make_resources(store, jobs, chunk, backend, scheduler, address)
    retraining = request_retraining(retrain, retrain_generations, retrain_games, option_prefix="--")
    given: dict[str, Any] = {
        "games": games,
        "seed": seed,
        "players": read_numbers(players, "--players"),
        "bots": read_names(bots),
        "change": typed_changes(change) or None,
        "components": components,
        "sweep": {"over": read_changes(over, "--over")} if over else None,
    }
    file = words.portable_path(Path(components)) if components else None
    options = {"seed": seed, "players": players, "bots": bots, "components": file}
    with doing() as notify:
        notify("checking all settings")
        design = make_design(load(scenario, given, option_prefix="--"), "--over" if over else str(scenario))
    if retraining:
        check_learners((point.experiment for point in design.design_points), "--")
    folder = out or REPORTS / f"sweep-{design.experiment.name}"
    check_place(folder)
    for note in (*design.notes, *change_notes(design.experiment), *idle_axes(design)):
        say(note)
    outcome = play_sweep(design, resources)
    retrained = retrain_fairest(outcome, retraining, resources) if retraining else None
    with doing() as notify:
        notify("comparing")
        asked = [*given_options(options, change, over), *(retraining.words if retraining else ())]
        report = build_sweep(outcome, scenario, games, asked, folder, retrained)
        write_report(report, folder, notify)
    page = folder / PAGE
    if json:
        print(to_text({"page": str(page), **as_data(report)}), end="")
        return
    print_page(report, everything)
    write(f"\nPage: {page}")
    if stronger := stronger_bot(design.experiment.spec, design.experiment.scenario.bots):
        propose("sweep", scenario, *given_options(options | {"bots": stronger, "components": components}, change, over))
