"""`rogsim seats` and the commands that games define: each answers a question about results."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.errors import RogsimError
from rogsim.cli.options import (
    CsvOption,
    FoldersArgument,
    JsonOption,
)

EveryTableOption = Annotated[bool, typer.Option("--all", help="Print each finding, and all tables and columns.")]


def seats(
    folders: FoldersArgument, csv: CsvOption = None, json: JsonOption = False, everything: EveryTableOption = False
) -> None:
    """Show how often each seat wins and whether any is favoured."""
    _answer("seats", folders, csv, json, everything)


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


def topic_command(topic: str) -> Callable[..., None]:
    """Return the command that answers the question of a topic."""

    def show_topic(
        folders: FoldersArgument, csv: CsvOption = None, json: JsonOption = False, everything: EveryTableOption = False
    ) -> None:
        _answer(topic, folders, csv, json, everything)

    return show_topic
