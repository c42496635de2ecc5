"""Options shared by several commands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rogsim.base.errors import RogsimError
from rogsim.base.output_paths import REPORTS, check_writable
from rogsim.base.plain_text import safe
from rogsim.cli import completion

if TYPE_CHECKING:
    from rogsim.experiments.design_points import Resources

STORE = REPORTS / "games"  # games of comparisons, sweeps, searches and tournaments, in a folder for each design point

ScenarioArgument = Annotated[
    Path,
    typer.Argument(
        help="Scenario file (TOML), or a name that rogsim scenario list shows.",
        metavar="SCENARIO",
        autocompletion=completion.scenarios,
    ),
]
GamesOption = Annotated[
    int | None, typer.Option(help="Games per player count.  [default: the scenario's]", metavar="NUMBER")
]
SeedOption = Annotated[int | None, typer.Option(help="Random seed.  [default: the scenario's]", metavar="NUMBER")]
JobsOption = Annotated[
    int | None, typer.Option(help="Number of workers.  [default: one per processor]", metavar="NUMBER")
]
ChunkOption = Annotated[
    int | None,
    typer.Option(help="Games per batch of a worker.  [default: about two seconds of play]", metavar="NUMBER"),
]
BackendOption = Annotated[
    str | None, typer.Option(help="threads, processes, dask or ray.  [default: depends on the bots]", metavar="NAME")
]
SchedulerOption = Annotated[str | None, typer.Option(help="Address of a running Dask cluster.", metavar="ADDRESS")]
AddressOption = Annotated[str | None, typer.Option(help="Address of a running Ray cluster.", metavar="ADDRESS")]
PlayersOption = Annotated[
    str | None, typer.Option("--players", help="Player counts: 2,3,4.  [default: the scenario's]", metavar="NUMBERS")
]
BotsOption = Annotated[
    str | None,
    typer.Option(
        "--bots", help="Bots: a,b,c.  [default: the scenario's]", metavar="BOTS", autocompletion=completion.bots
    ),
]
StoreOption = Annotated[
    Path, typer.Option("--store", help="Folder of stored games, shared by several commands.", metavar="FOLDER")
]
FoldersArgument = Annotated[list[Path], typer.Argument(help="Results folders, all of the same game.", metavar="FOLDER")]
ReportFoldersArgument = Annotated[
    list[Path],
    typer.Argument(help="Results folders, all of the same game, or two reports or runs to compare.", metavar="FOLDER"),
]
CsvOption = Annotated[
    str | None,
    typer.Option("--csv", help="Write the first table as CSV to a file; - is the terminal.", metavar="FILE"),
]
AllOption = Annotated[bool, typer.Option("--all", help="Print all findings and tables.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
ChangeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--change",
        help="Change a parameter of the game. Repeatable.",
        metavar='"NAME = VALUE"',
        autocompletion=completion.parameter,
    ),
]
OverOption = Annotated[
    list[str] | None,
    typer.Option(help='Values to try: "NAME = { from = 5, to = 12 }". Repeatable.', metavar="VALUES"),
]
ComponentsOption = Annotated[
    str | None, typer.Option("--components", help="File with components that you own (TOML).", metavar="FILE")
]
RetrainOption = Annotated[
    float | None,
    typer.Option(
        "--retrain", help="Train bots for each set of rules for this long, and play with them, too.", metavar="MINUTES"
    ),
]
RetrainGenerationsOption = Annotated[
    int | None, typer.Option("--retrain-generations", help="The same, with at most this many generations.", metavar="N")
]
RetrainGamesOption = Annotated[
    int | None,
    typer.Option("--retrain-games", help="Games of a generation, per player count.  [default: 1000]", metavar="N"),
]
GameOption = Annotated[
    str | None,
    typer.Option(
        "--game", help="Id of the game, as rogsim games lists it.", metavar="GAME", autocompletion=completion.games
    ),
]


def typed_changes(words: list[str] | None) -> dict[str, Any]:
    """Return the changes of --change by name, and print a line for each repeated one; RogsimError if two conflict."""
    from rogsim.base.progress import say
    from rogsim.scenario.arguments import read_changes, repeated_changes

    changes = read_changes(words or [])
    for line in repeated_changes(words or []):
        say(line)
    return changes


def given_options(options: Mapping[str, Any], change: list[str] | None, over: list[str] | None = None) -> list[str]:
    """Return the options that were given as words for a command line; None: not given."""
    given = [f"--{name}={value}" for name, value in options.items() if value is not None]
    repeated = (("--change", change), ("--over", over))
    return [*given, *(word for option, texts in repeated for text in texts or [] for word in (option, text))]


def make_resources(
    store: Path, jobs: int | None, chunk: int | None, backend: str | None, scheduler: str | None, address: str | None
) -> Resources:
    """Return the folder and workers for the games of a command; RogsimError if an option is wrong."""
    from rogsim.experiments.design_points import Resources
    from rogsim.simulation.batch import check_positive, check_workers
    from rogsim.simulation.executors.backends import choose_backend

    check_workers("--jobs", jobs)
    check_positive("--chunk", chunk)
    check_store(store)
    return Resources(store, jobs, chunk, choose_backend(backend, scheduler, address, option_prefix="--"))


def check_store(store: Path) -> None:
    """Raise RogsimError if games cannot be stored in this folder."""
    from rogsim.results.manifest import MANIFEST

    if store.exists() and not store.is_dir():
        raise RogsimError(f"--store: {store} is a file; name a folder")
    if (store / MANIFEST).exists():
        raise RogsimError(f"--store: {store} holds the results of a run; name another folder")
    check_writable(store, inside=True)


def print_json(data: Any) -> None:
    """Print one JSON object."""
    import json

    print(safe(json.dumps(data, indent=1, ensure_ascii=False)))


def names_of(text: str) -> list[str]:
    """Split a list such as a,b,c."""
    return [name.strip() for name in text.split(",") if name.strip()]


def scenario_and_options(words: list[str]) -> tuple[str | None, list[str]]:
    """Split off the name of a scenario, which is the first word that is neither an option of the game nor its value."""
    place = 0
    while place < len(words) and words[place].startswith("--"):
        place += 1 if "=" in words[place] else 2
    if place >= len(words):
        return None, words
    return words[place], [*words[:place], *words[place + 1 :]]


def game_options(words: list[str]) -> dict[str, str]:
    """Read the rest of a command line as `--name value` or `--name=value` pairs."""
    options: dict[str, str] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        if not word.startswith("--") or word == "--":
            raise RogsimError(f'"{word}" is not expected here: write an option of the game as --name VALUE')
        name, equals, value = word[2:].partition("=")
        if not equals:
            if not left:
                raise RogsimError(f"--{name}: needs a value")
            value = left.pop(0)
        key = name.replace("-", "_")
        if key in options:
            raise RogsimError(f"--{name}: is listed twice")
        options[key] = value
    return options
