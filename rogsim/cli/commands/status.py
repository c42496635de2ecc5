"""`rogsim status`: shows what a results folder contains."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.cli.options import (
    print_json,
)
from rogsim.cli.outcome import FOUND


def status(
    folder: Annotated[Path, typer.Argument(help="Results folder.", metavar="FOLDER")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
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
