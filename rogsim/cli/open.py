"""`rogsim open`: the workbench, in a browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer

from rogsim.cli import completion
from rogsim.cli.options import options

WHAT = "A scenario, a results folder, a report or a file of traces; without it, all that the current folder has."


@options("port no_browser jobs bots_from")
def open_workbench(
    what: Annotated[
        Path | None, typer.Argument(help=WHAT, metavar="SCENARIO|FOLDER|TRACES", autocompletion=completion.scenarios)
    ] = None,
    *,
    port: Annotated[
        int | None, typer.Option(help="Port of this machine.  [default: any that is free]", metavar="NUMBER")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
    jobs: Any,
    bots_from: Any,
) -> None:
    """Change rules and watch what that does, watch games and play them, in a browser on this machine."""
    from rogsim.base.text import write
    from rogsim.workbench.home import opened
    from rogsim.workbench.server import serve
    from rogsim.workbench.site import Desk

    named = None if what is None else opened(what)
    desk = Desk(opened=named, jobs=jobs, bots_from=bots_from)

    def tell(address: str) -> None:
        write(f"rogsim is at {address}\nCtrl-C stops it.")
        sys.stdout.flush()  # a server goes on, so a pipe would wait

    serve(desk, "/" if named is None else f"/{named.kind}/{quote(named.name)}", port or 0, not no_browser, tell)
    write("Stopped. All games are kept.")
