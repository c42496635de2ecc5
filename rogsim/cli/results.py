"""Results folders and single games: `run`, `status`, `verify`, `seats` and the like, `trace` and `show`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from rogsim.base.errors import RogsimError
from rogsim.base.files import REPORTS
from rogsim.cli import completion
from rogsim.cli.options import (
    A_SCENARIO,
    FolderArgument,
    FoldersArgument,
    Option,
    ScenarioArgument,
    game_options,
    options,
    print_json,
    scenario_and_options,
    scenario_keys,
)
from rogsim.cli.outcome import FOUND, propose


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
    from rogsim.base.text import write
    from rogsim.experiments.run import play
    from rogsim.report.console.run_results import print_run, run_as_data
    from rogsim.scenario.model import load
    from rogsim.simulation.backends import choose_backend
    from rogsim.simulation.batch import check_positive, check_workers
    from rogsim.simulation.play import limit_games

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
    from rogsim.base.text import write
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
    from rogsim.base.text import write
    from rogsim.results.verify import verify as replay_sample
    from rogsim.results.verify import verify_lines

    found = replay_sample(folder, **asked)
    write("\n".join(verify_lines(folder, found)))
    return FOUND if found.differing else 0


EVERYTHING = Option(bool, None, "Print each finding, and all tables and columns.", False, flag="--all")


def topic_command(topic: str) -> Callable[..., None]:
    """Return the command that answers the question of a topic."""

    @options("csv json everything", everything=EVERYTHING)
    def show_topic(
        folders: FoldersArgument,
        csv: Annotated[
            str | None,
            typer.Option(help="Write the first table as CSV to a file; - is the terminal.", metavar="FILE"),
        ] = None,
        **asked: Any,
    ) -> None:
        _answer(topic, folders, csv, **asked)

    return show_topic


def _answer(name: str, folders: list[Path], csv: str | None, json: bool, everything: bool) -> None:
    from rogsim.base.progress import doing, say
    from rogsim.report.console.answers import answer, answer_as_json, check_csv, print_answer, write_csv

    if csv is not None and json:
        raise RogsimError("--json: cannot be combined with --csv")
    if csv is not None:
        check_csv(csv)
    with doing() as notify:
        section = answer(folders, name, notify)
    if csv is not None:
        write_csv(section, csv)
        if section.rests_on:
            say(section.rests_on)
    elif json:
        sys.stdout.write(answer_as_json(section))
    else:
        print_answer(section, everything)


seats = topic_command("seats")
seats.__doc__ = "Show how often each seat wins and whether any is favoured."


@options(
    "players bots games seed change components out game",
    players=Option(int, "NUMBER", "Number of players.", "the scenario's first"),
    bots=Option(str, "BOTS", "One bot for all seats, or one per seat: a,b,c.", "the scenario's", completion.bots),
    games=Option(int, "NUMBER", "Number of games.", 1),
    seed="the scenario's, or 1",
    out=Option(Path, "FILE", "File to write.", "standard output"),
)
def trace(
    context: typer.Context,
    players: Any,
    bots: Any,
    games: Any,
    seed: Any,
    change: Any,
    components: Any,
    out: Any,
    game: Any,
    scenario: Annotated[
        str | None,
        typer.Argument(
            help=f"{A_SCENARIO}  [default: none]",
            metavar="SCENARIO",
            autocompletion=completion.scenarios,
        ),
    ] = None,
) -> None:
    """Write complete games as JSON Lines.

    Without a scenario, --players and --bots are needed. Any other --name VALUE is an option of the game.
    """
    from rogsim.base.files import check_file
    from rogsim.base.progress import progress_bar, say
    from rogsim.scenario.arguments import read_names
    from rogsim.simulation.traces import request_traces, to_line, write_lines

    if out is not None:
        check_file(out)
    left = [] if scenario is None else [scenario, *context.args]  # it may be the name of an option of the game
    named, words = scenario_and_options(left)
    request = request_traces(
        game, players, read_names(bots), games, seed, game_options(words), change or [], components, named
    )
    for note in request.notes:
        say(note)
    if out is not None:
        with progress_bar(games) as advance:
            write_lines(request.traces(advance), out)
        return
    for line in map(to_line, request.traces()):
        sys.stdout.write(line)


@options("deal best bots_from")
def show(
    file: Annotated[
        Path, typer.Argument(help="File of traces (JSON Lines), or with --best a results folder.", metavar="FILE")
    ],
    bots_from: Any,
    deal: Annotated[
        int | None, typer.Option(help="Number of the deal in the file.  [default: 0]", metavar="NUMBER")
    ] = None,
    best: Annotated[
        str | None,
        typer.Option(
            help="Find stored games: closest, comeback, lead-changes, longest, or several: a,b.",
            metavar="KINDS",
            autocompletion=completion.best,
        ),
    ] = None,
) -> None:
    """Print a recorded game, or the most exciting of the stored games, turn by turn."""
    from rogsim.base.text import write
    from rogsim.simulation.traces import find_trace, narrated

    if best is None:
        if bots_from is not None:
            raise RogsimError("--bots-from: needs --best")
        write(narrated(find_trace(file, deal or 0), file), hanging=4)
        return
    if deal is not None:
        raise RogsimError("--deal: cannot be combined with --best")
    from rogsim.results.best_games import best_games
    from rogsim.scenario.arguments import read_names

    found = best_games(file, read_names(best) or [], bots_from)
    write("\n\n".join(f"{game.line}\n\n{game.text}" for game in found), hanging=4)
