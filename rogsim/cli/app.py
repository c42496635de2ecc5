"""The command line. Heavy modules are imported only when a command needs them, so that help appears at once."""

from __future__ import annotations

import copy
import os
import sys
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer
from typer.main import get_command_name

from rogsim.base import __version__
from rogsim.base.files import REPORTS
from rogsim.cli import bots, games, questions, results
from rogsim.cli.game import game_app
from rogsim.cli.games import parameters
from rogsim.cli.help import CommandHelp, GroupedHelp, example
from rogsim.cli.open import open_workbench
from rogsim.cli.outcome import guarded
from rogsim.cli.scenario import scenario_app
from rogsim.game.registry import game_commands, offered_commands

# These commands read the remaining words as options of the game.
WITH_GAME_OPTIONS = ("tournament", "bots", "tune", "trace")
GAME_OPTIONS: dict[str, Any] = {
    "context_settings": {"allow_extra_args": True, "ignore_unknown_options": True},
}

HELP = ("-h", "--help")
COMPLETING = "_ROGSIM_COMPLETE"  # set by the shell that asks what completes a line

app = typer.Typer(
    name="rogsim",
    cls=GroupedHelp,
    context_settings={"help_option_names": list(HELP)},
    help="Monte Carlo balance analysis for board games.",
    epilog=example(""),
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line: errors that the user can correct give one line each and exit code 2.

    Without any words it shows the help.
    """
    words = sys.argv[1:] or ["--help"]
    sys.exit(guarded(lambda: app_for(words)(words, prog_name="rogsim", standalone_mode=False)))


def app_for(words: list[str]) -> typer.Typer:
    """Return the app with no more than the words need: typer reads the options of every command that it has.

    If a command is called, it is alone; the help of all commands shows no options. The commands of games from other
    packages are there only if the first word is no command of rogsim.
    """
    smaller = copy.copy(app)
    called = [info for info in app.registered_commands if _name_of(info) in words[:1]]
    if called:
        smaller.registered_commands, smaller.registered_groups = called, []
    elif words[:1] and words[0] in HELP and COMPLETING not in os.environ:
        smaller.registered_commands = [_without_options(info) for info in app.registered_commands]
    elif others := _of_other_packages(words):
        alone = [name for name in others if name == words[0]]
        smaller.registered_commands = [] if alone else [*app.registered_commands]
        smaller.registered_groups = [] if alone else app.registered_groups
        _add_topics(smaller, {name: others[name] for name in alone or others})
    else:
        return app
    return smaller


def _of_other_packages(words: list[str]) -> dict[str, tuple[str, str]]:
    """Return the commands that games of other packages add, if the first word could be one of them."""
    groups = [info.typer_instance.info.name for info in app.registered_groups if info.typer_instance]
    return offered_commands() if words[:1] and not words[0].startswith("-") and words[0] not in groups else {}


def _without_options(info: Any) -> Any:
    """Return a registered command with the same name and summary, but without options."""

    def command() -> None:
        pass

    command.__name__, command.__doc__ = info.callback.__name__, info.callback.__doc__
    bare = copy.copy(info)
    bare.callback = command
    return bare


def _name_of(info: Any) -> str:
    """Return the name of a registered command."""
    return info.name or get_command_name(info.callback.__name__)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"rogsim {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


def _add(name: str, command: Callable[..., Any], **settings: Any) -> None:
    """Add a command with its example."""
    app.command(name, cls=CommandHelp, epilog=example(name), **settings)(command)


def _add_topics(to: typer.Typer, commands: Mapping[str, tuple[str, str]]) -> None:
    """Add commands that games define; none replaces another command."""
    taken = {_name_of(command) for command in to.registered_commands}
    for name, (summary, scenario) in commands.items():
        if name not in taken:
            line = f"Example: rogsim {name} {REPORTS / scenario}"
            to.command(name, cls=CommandHelp, help=summary, epilog=line)(results.topic_command(name))


COMMANDS: dict[str, Callable[..., Any]] = {
    "run": results.run,
    "status": results.status,
    "verify": results.verify,
    "report": questions.report,
    "seats": results.seats,
    "compare": questions.compare,
    "sweep": questions.sweep,
    "settle": questions.settle,
    "optimize": questions.optimize,
    "open": open_workbench,
    "parameters": parameters,
    "check-bot": bots.check_bot,
    "train": bots.train,
    "show": results.show,
    "games": games.games,
    "bench": games.bench,
    "tournament": questions.tournament,
    "bots": bots.list_bots,
    "tune": bots.tune,
    "trace": results.trace,
}

for name, command in COMMANDS.items():
    _add(name, command, **(GAME_OPTIONS if name in WITH_GAME_OPTIONS else {}))
app.add_typer(scenario_app)
app.add_typer(game_app)
_add_topics(app, game_commands())
