"""Results folders: `rogsim run` fills one, `rogsim status` shows what is in it, and `rogsim verify` replays games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rogsim.base.output_paths import REPORTS
from rogsim.cli.options import FolderArgument, Option, ScenarioArgument, options, print_json, scenario_keys
from rogsim.cli.outcome import FOUND
from rogsim.cli.pages import propose


@options(
    "games seed players bots change components until jobs chunk out replace backend scheduler address game_seconds "
    "json",
    out=Option(Path, "FOLDER", "Results folder.", "reports/<scenario>"),
)
def run(
    scenario: ScenarioArgument,
    jobs: Any,
    chunk: Any,
    out: Any,
    backend: Any,
    scheduler: Any,
    address: Any,
    json: Any,
    until: Annotated[
        list[str] | None,
        typer.Option(help='Stop when intervals are this narrow: "seat_share ± 0.5 pp". Repeatable.', metavar="TARGET"),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Delete another run in the results folder.")] = False,
    game_seconds: Annotated[
        str | None,
        typer.Option(help="Time limit for one game with your own bots, in seconds.  [default: 600]", metavar="SECONDS"),
    ] = None,
    **keys: Any,
) -> None:
    """Play a scenario, save the results, and print the answer with a balance sheet.

    Games that are already in the results folder are kept: an interrupted run continues, and more --games extend it.
    """
    from rogsim.base.progress import say
    from rogsim.base.prose import write
    from rogsim.experiments.run import play
    from rogsim.report.console.run_report import print_run, run_as_data
    from rogsim.scenario.model import load
    from rogsim.simulation.batch import check_positive, check_workers
    from rogsim.simulation.executors.backends import choose_backend
    from rogsim.simulation.executors.foreign_bots import limit_games

    check_workers("--jobs", jobs)
    check_positive("--chunk", chunk)
    limit_games(game_seconds)
    chosen = choose_backend(backend, scheduler, address, option_prefix="--")
    experiment = load(scenario, scenario_keys(**keys, until=until or None), option_prefix="--")
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


@options("json", json=Option(bool, None, "Print one JSON object.", False))
def status(folder: FolderArgument, json: Any) -> int:
    """Show which games of a results folder are missing or broken.

    Exit code 1 if the folder is not complete.
    """
    from rogsim.base.prose import write
    from rogsim.results.verify import status_as_data, status_lines, status_of

    found = status_of(folder)
    if json:
        print_json(status_as_data(found))
    else:
        write("\n".join(status_lines(found)))
    return 0 if found.is_complete else FOUND


@options(
    "games seed bots_from",
    games=Option(int, "NUMBER", "Games to replay per player count.", 200),
    seed=Option(int, "NUMBER", "Random seed of the sample.", 1),
)
def verify(folder: FolderArgument, **asked: Any) -> int:
    """Replay a sample of the stored games and compare every row.

    Exit code 1 if any row differs.
    """
    from rogsim.base.prose import write
    from rogsim.results.verify import verify as replay_sample
    from rogsim.results.verify import verify_lines

    found = replay_sample(folder, **asked)
    write("\n".join(verify_lines(folder, found)))
    return FOUND if found.differing else 0
