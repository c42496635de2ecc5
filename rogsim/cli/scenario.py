"""`rogsim scenario`: lists, writes, checks and explains scenario files, and writes their schema."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from rogsim.cli import completion
from rogsim.cli.help import CommandHelp, example
from rogsim.cli.options import Option, ScenarioArgument, options, print_json, scenario_keys
from rogsim.cli.outcome import propose

BAD_INPUT = 2  # exit code

scenario_app = typer.Typer(
    name="scenario",
    help="List, write, check and explain scenarios.",
    epilog=example("scenario"),
    rich_markup_mode=None,
)
scenario_command = partial(scenario_app.command, cls=CommandHelp)


@scenario_command("list", epilog=example("scenario list"))
@options("game", game=Option(str, "GAME", "List only those of this game.", complete=completion.games))
def list_scenarios(game: Any) -> None:
    """List the scenarios that come with rogsim, with their questions.

    Their names can be used in place of files: rogsim run seat-order
    """
    from itertools import groupby

    from rogsim.base.text import safe, write_pairs
    from rogsim.game.registry import get_game
    from rogsim.scenario.scenario_files import shipped_scenarios

    wanted = None if game is None else get_game(game).id
    known = [scenario for scenario in shipped_scenarios() if wanted in (None, scenario.game)]
    longest = max((len(scenario.name) for scenario in known), default=0)
    for number, (name, group) in enumerate(groupby(sorted(known, key=lambda one: one.game), lambda one: one.game)):
        print(safe(f"{chr(10) * (number > 0)}{name}"))
        write_pairs([(scenario.name, scenario.question) for scenario in group], 2, longest)


@scenario_command(epilog=example("scenario new"))
@options("game")
def new(
    name: Annotated[str, typer.Argument(help="Name of a file in scenarios/, or a path.", metavar="NAME|PATH")],
    game: Any,
) -> None:
    """Write a commented scenario to start from.

    No file is ever overwritten.
    """
    from rogsim.base.text import write
    from rogsim.game.registry import get_game
    from rogsim.scenario.template import path_for, write_start

    made = path_for(name)
    for path in write_start(made, get_game(game)):
        write(f"Wrote {path}")
    propose("run", made)


@scenario_command(epilog=example("scenario check"))
def check(
    files: Annotated[list[Path], typer.Argument(help="Scenario files (TOML).", metavar="FILE")],
) -> int:
    """Check scenario files without playing them.

    Bot files are not loaded. Exit code 2 if anything is wrong.
    """
    from rogsim.base.progress import say
    from rogsim.base.text import write
    from rogsim.experiments.preview import check_file, notes_of, verdict_of

    found = {path: check_file(path) for path in files}
    for path, lines in found.items():
        write("\n".join(lines) if lines else verdict_of(path))
        for note in [] if lines else notes_of(path):
            say(note)
    return BAD_INPUT if any(found.values()) else 0


@scenario_command(epilog=example("scenario explain"))
@options("games seed players bots change components json")
def explain(file: ScenarioArgument, json: Any, **keys: Any) -> None:
    """Explain in words what a scenario would play.

    Bot files are not loaded.
    """
    from rogsim.base.errors import RogsimError
    from rogsim.base.progress import say
    from rogsim.base.text import write
    from rogsim.experiments.preview import explain_data, explain_lines, problems_of
    from rogsim.scenario.changes import change_notes
    from rogsim.scenario.model import load

    experiment = load(file, scenario_keys(**keys), option_prefix="--", run_programs=False)
    if wrong := problems_of(file, experiment):
        raise RogsimError("\n".join(wrong))
    for note in change_notes(experiment):
        say(note)
    if json:
        print_json(explain_data(experiment))
        return
    write("\n".join(explain_lines(experiment)))


@scenario_command(epilog=example("scenario schema"))
@options("out game", out=Option(Path, "FILE", "File to write.", "standard output"))
def schema(out: Any, game: Any) -> None:
    """Write the JSON Schema of scenario files.

    Editors use it to check and complete scenario files.
    """
    from rogsim.base.files import check_file
    from rogsim.game.registry import get_game
    from rogsim.scenario.schema import schema_text, write_schema

    if out is not None:
        check_file(out)
    text = schema_text(get_game(game))
    if out is None:
        print(text, end="")
        return
    write_schema(out, text)
