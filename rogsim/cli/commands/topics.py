"""`rogsim seats` and the commands that games define: each answers a question about results."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from rogsim.base.errors import RogsimError
from rogsim.cli.options import FoldersArgument, Option, options

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
