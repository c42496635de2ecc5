"""`rogsim report`: writes a report on results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.plain_text import safe
from rogsim.cli.options import (
    REPORTS,
    FoldersArgument,
)


def report(
    folders: FoldersArgument,
    out: Annotated[Path | None, typer.Option(help="Folder to write [default: reports/report].")] = None,
) -> None:
    """Write a balance report: what is out of balance, how certain that is, and whether it holds for all bots.

    The folder contains one HTML page, the same report as Markdown and JSON, and every figure as PNG and SVG.
    """
    from rogsim.base.progress import doing
    from rogsim.report.render.write import PAGE, make_report

    target = out or REPORTS / "report"
    with doing() as notify:
        make_report(folders, target, notify)
    print(safe(f"Report: {target / PAGE}"))
