"""Options and arguments that several commands share: each is declared once, and `options` adds it to a command."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from rogsim.base.errors import RogsimError
from rogsim.base.files import REPORTS
from rogsim.base.text import safe
from rogsim.cli import completion

STORE = REPORTS / "games"  # games of comparisons, sweeps, searches and tournaments, in a folder for each design point
A_SCENARIO = "Scenario file (TOML), or a name that rogsim scenario list shows."

Command = TypeVar("Command", bound=Callable[..., Any])
ScenarioArgument = Annotated[
    Path, typer.Argument(help=A_SCENARIO, metavar="SCENARIO", autocompletion=completion.scenarios)
]
FolderArgument = Annotated[Path, typer.Argument(help="Results folder.", metavar="FOLDER")]
FoldersArgument = Annotated[list[Path], typer.Argument(help="Results folders, all of the same game.", metavar="FOLDER")]


@dataclass(frozen=True)
class Option:
    """An option: the type and the name of its value, its help, and its default.

    usual: a text describes what happens without the option; anything else is the value without it.
    """

    kind: Any
    metavar: str | None
    help: str
    usual: Any = None
    complete: Callable[[str], list[str]] | None = None
    flag: str = ""  # its name on the command line, if it is not that of the parameter

    def parameter(self, name: str) -> inspect.Parameter:
        """Return the parameter of a command."""
        described = f"{self.help}  [default: {self.usual}]" if isinstance(self.usual, str) else self.help
        flags = (self.flag or f"--{name.replace('_', '-')}",)
        shown = typer.Option(*flags, help=described, metavar=self.metavar, autocompletion=self.complete)
        default = None if isinstance(self.usual, str) else self.usual
        kind = self.kind | None if default is None else self.kind
        return inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, shown]
        )


SHARED: Mapping[str, Option] = {
    "games": Option(int, "NUMBER", "Games per player count.", "the scenario's"),
    "seed": Option(int, "NUMBER", "Random seed.", "the scenario's"),
    "players": Option(str, "NUMBERS", "Player counts: 2,3,4.", "the scenario's"),
    "bots": Option(str, "BOTS", "Bots: a,b,c.", "the scenario's", completion.bots),
    "change": Option(
        list[str], '"NAME = VALUE"', "Change a parameter of the game. Repeatable.", complete=completion.parameter
    ),
    "over": Option(list[str], "VALUES", 'Values to try: "NAME = { from = 5, to = 12 }". Repeatable.'),
    "components": Option(str, "FILE", "File with components that you own (TOML)."),
    "retrain": Option(float, "MINUTES", "Train bots for each set of rules for this long, and play with them, too."),
    "retrain_generations": Option(int, "N", "The same, with at most this many generations."),
    "retrain_games": Option(int, "N", "Games of a generation, per player count.", "1000"),
    "minutes": Option(float, "MINUTES", "Start no more games after this many minutes.", "no limit"),
    "jobs": Option(int, "NUMBER", "Number of workers.", "one per processor"),
    "chunk": Option(int, "NUMBER", "Games per batch of a worker.", "about two seconds of play"),
    "backend": Option(str, "NAME", "threads, processes, dask or ray.", "depends on the bots"),
    "scheduler": Option(str, "ADDRESS", "Address of a running Dask cluster."),
    "address": Option(str, "ADDRESS", "Address of a running Ray cluster."),
    "store": Option(Path, "FOLDER", "Folder of stored games, shared by several commands.", STORE),
    "out": Option(Path, "FOLDER", "Folder to write."),
    "bots_from": Option(Path, "FOLDER", "Folder that bot paths are relative to; without it no bot file is run."),
    "game": Option(str, "GAME", "Id of the game, as rogsim games lists it.", complete=completion.games),
    "everything": Option(bool, None, "Print all findings and tables.", False, flag="--all"),
    "json": Option(bool, None, "Print one JSON object instead of tables.", False),
}
WORKERS = "jobs chunk backend scheduler address store"  # who plays, and where the games stay


def options(names: str, **usual: Any) -> Callable[[Command], Command]:
    """Give a command its options, in the order of its help: its own, and shared ones, which it takes as `Any`.

    Parameters
    ----------
    names
        The names of all options, those of the command's own parameters among them.
    usual
        What differs from a shared option: its default, or an `Option` for all of it.
    """

    def add(command: Command) -> Command:
        taken = inspect.signature(command, eval_str=True).parameters
        own = {name: one for name, one in taken.items() if one.annotation is not Any}
        listed = []
        for name in names.split():
            if name in own:
                listed.append(own.pop(name).replace(kind=inspect.Parameter.KEYWORD_ONLY))
                continue
            shared = usual.get(name, SHARED[name])
            option = shared if isinstance(shared, Option) else replace(SHARED[name], usual=shared)
            listed.append(option.parameter(name))
        scenarios = [name for name, one in taken.items() if getattr(one.annotation, "__origin__", None) is Path]
        if scenarios and "change" in names.split():
            command = _refusing_wrong_changes(command, scenarios[0])
        command.__signature__ = inspect.Signature([*own.values(), *listed])  # type: ignore[attr-defined] # typer reads it
        return command

    return add


def _refusing_wrong_changes(command: Command, scenario: str) -> Command:
    """Let a command refuse wrong changes of its scenario at once: what it loads then takes seconds."""

    @wraps(command)
    def checked(**asked: Any) -> Any:
        from rogsim.scenario.arguments import read_changes
        from rogsim.scenario.model import check_changes

        if not asked["components"]:
            check_changes(asked[scenario], read_changes(asked["change"] or []), "--")
        return command(**asked)

    return checked  # type: ignore[return-value] # with the same arguments


def print_json(data: Any) -> None:
    """Print one JSON object."""
    print(safe(json.dumps(data, indent=1, ensure_ascii=False)))


def scenario_keys(players: str | None, bots: str | None, change: list[str] | None, **others: Any) -> dict[str, Any]:
    """Return the keys of a scenario that options replace; RogsimError if one cannot be read.

    Prints a line for each change that is given twice.
    """
    from rogsim.base.progress import say
    from rogsim.scenario.arguments import read_changes, read_names, read_numbers, repeated_changes

    changes = read_changes(change or [])
    for line in repeated_changes(change or []):
        say(line)
    read = {"players": read_numbers(players, "--players"), "bots": read_names(bots), "change": changes or None}
    return {**read, **others}


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
