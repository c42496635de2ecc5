"""`rogsim settle`: does a finding hold as the bots get stronger?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.output_paths import REPORTS
from rogsim.cli import completion
from rogsim.cli.options import (
    STORE,
    AddressOption,
    AllOption,
    BackendOption,
    ChangeOption,
    ChunkOption,
    ComponentsOption,
    JobsOption,
    JsonOption,
    PlayersOption,
    ScenarioArgument,
    SchedulerOption,
    SeedOption,
    StoreOption,
    given_options,
    make_resources,
    typed_changes,
)


def settle(
    scenario: ScenarioArgument,
    bots: Annotated[
        str | None,
        typer.Option(
            help="Bots, the weakest first: a,b,c.  [default: the game's ladder]",
            metavar="BOTS",
            autocompletion=completion.bots,
        ),
    ] = None,
    claims: Annotated[
        str | None,
        typer.Option(
            help="What to judge, such as seats.  [default: seats, and all that is dealt to them]", metavar="NAMES"
        ),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(help="Largest change that does not matter, in pp.  [default: the scenario's]", metavar="NUMBER"),
    ] = None,
    first_look: Annotated[
        int, typer.Option(help="Games of each bot and player count before the first verdict.", metavar="NUMBER")
    ] = 400,
    games: Annotated[
        int | None,
        typer.Option(
            help="Maximum number of games per player count, all bots together, without those against each other.  "
            "[default: no limit]",
            metavar="NUMBER",
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(help="Start no more games after this many minutes.  [default: no limit]", metavar="MINUTES"),
    ] = None,
    seed: SeedOption = None,
    players: PlayersOption = None,
    change: ChangeOption = None,
    components: ComponentsOption = None,
    jobs: JobsOption = None,
    chunk: ChunkOption = None,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    address: AddressOption = None,
    store: StoreOption = STORE,
    out: Annotated[
        Path | None, typer.Option(help="Folder to write.  [default: reports/settle-<scenario>]", metavar="FOLDER")
    ] = None,
    everything: AllOption = False,
    json: JsonOption = False,
) -> None:
    """Show whether effects hold as the bots get stronger.

    Each bot of a ladder plays all seats, and some games against the one before. An effect is settled if the last two
    steps of the ladder lead to stronger bots and change it by less than the margin. Games that are already stored are
    not played again.
    """
    from rogsim.base.progress import doing, say
    from rogsim.base.prose import write
    from rogsim.experiments.ladder import arrange_ladder
    from rogsim.experiments.settle import play_ladder
    from rogsim.report.console.page_lines import print_page
    from rogsim.report.render.json_data import as_data, to_text
    from rogsim.report.render.write import PAGE, check_place, write_report
    from rogsim.report.settle.settle_page import settle_report
    from rogsim.report.words import portable_path
    from rogsim.scenario.arguments import ArgumentError, read_names, read_numbers
    from rogsim.scenario.no_effect import change_notes

    if minutes is not None and not minutes >= 0:
        raise ArgumentError(f"--minutes: {minutes} is not allowed: must be 0 or more")
    resources = make_resources(store, jobs, chunk, backend, scheduler, address)
    request = arrange_ladder(
        scenario,
        bots=read_names(bots),
        claims=read_names(claims),
        margin=margin,
        first_look=first_look,
        most_games=games,
        replaced={
            "seed": seed,
            "players": read_numbers(players, "--players"),
            "change": typed_changes(change) or None,
            "components": components,
        },
    )
    folder = out or REPORTS / f"settle-{request.experiment.name}"
    check_place(folder)
    for note in change_notes(request.experiment):
        say(note)
    with doing() as notify:
        outcome = play_ladder(request, resources, minutes, notify)
    given: dict[str, object] = {
        "first-look": first_look,
        "claims": claims,
        "margin": margin,
        "games": games,
        "seed": seed,
    }
    given |= {"players": players, "components": portable_path(Path(components)) if components else None}
    command = ["rogsim", "settle", portable_path(scenario), "--bots", ",".join(request.bots)]
    command += given_options(given, change)
    with doing() as notify:
        report = settle_report(outcome, [*command, "--out", portable_path(folder)])
        write_report(report, folder, notify)
    if json:
        print(to_text({"page": str(folder / PAGE), **as_data(report)}), end="")
        return
    print_page(report, everything)
    write(f"\nPage: {folder / PAGE}")
