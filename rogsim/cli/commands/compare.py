"""`rogsim compare`: plays a base and its variants on the same deals."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated, Any

import typer

from rogsim.base.output_paths import REPORTS
from rogsim.cli import completion
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
    PlayersOption,
    RetrainGamesOption,
    RetrainGenerationsOption,
    RetrainOption,
    SchedulerOption,
    SeedOption,
    StoreOption,
    given_options,
    make_resources,
    typed_changes,
)


def compare(
    base: Annotated[
        Path,
        typer.Argument(
            help="Base: a scenario file (TOML) or a name that rogsim scenario list shows.",
            metavar="BASE",
            autocompletion=completion.scenarios,
        ),
    ],
    variants: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Scenario files to compare with the base.", metavar="VARIANT", autocompletion=completion.scenarios
        ),
    ] = None,
    change: ChangeOption = None,
    components: ComponentsOption = None,
    games: GamesOption = None,
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
    out: Annotated[Path, typer.Option(help="Folder to write.", metavar="FOLDER")] = REPORTS / "compare",
    everything: AllOption = False,
    json: JsonOption = False,
) -> None:
    """Compare a scenario with its variants on the same deals.

    The page shows what a change does to the question of the scenario. All --change options together make one more
    variant. Games that are already stored are not played again. With --retrain, it also shows every difference with
    players that were trained for the changed rules.
    """
    from rogsim.base.plain_text import safe
    from rogsim.base.progress import doing, say
    from rogsim.base.prose import write
    from rogsim.experiments.comparison import arrange
    from rogsim.experiments.retraining import check_learners, request_retraining
    from rogsim.experiments.retraining import retrain as retrain_players
    from rogsim.report.compare_page import command_of, make_comparison
    from rogsim.report.console.page_lines import print_page
    from rogsim.report.document import plain
    from rogsim.report.render.json_data import as_data
    from rogsim.report.render.write import PAGE, check_place
    from rogsim.report.words import portable_path
    from rogsim.scenario.arguments import read_names, read_numbers

    resources = make_resources(store, jobs, chunk, backend, scheduler, address)
    replaced: dict[str, Any] = {
        "players": read_numbers(players, "--players"),
        "bots": read_names(bots),
        "components": components,
    }
    retraining = request_retraining(retrain, retrain_generations, retrain_games, option_prefix="--")
    comparison = arrange(base, variants or [], typed_changes(change), games, seed, replaced)
    check_place(out)
    if retraining:
        check_learners((point.experiment for point in comparison.design_points), "--")
    for note in comparison.notes:
        say(note)
    file = portable_path(Path(components)) if components else None
    asked = given_options({"components": file, "players": players, "bots": bots}, change)
    asked += retraining.words if retraining else []
    command = command_of(base, variants or [], asked, comparison, out)
    first = comparison.base.experiment.scenario.seed
    asked_for = retraining if comparison.variants else None  # without a variant there is no verdict to move
    trained = retrain_players(comparison.design_points, asked_for, resources, first) if asked_for else ()
    with doing() as notify:
        report = make_comparison(comparison, resources, out, command, notify, trained)
    if json:
        data = {"page": str(out / PAGE), **plain(as_data(report))}
        print(safe(json_module.dumps(data, indent=1, ensure_ascii=False)))
        return
    print_page(report, everything)
    write(f"\nPage: {out / PAGE}")
    made = comparison.base.experiment
    if stronger := stronger_bot(made.spec, made.scenario.bots):
        others = given_options({"components": components, "players": players}, change)
        propose("compare", base, *variants or [], *others, "--bots", stronger)
