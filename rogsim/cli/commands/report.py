"""`rogsim report`: writes a report on results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.output_paths import REPORTS
from rogsim.cli.options import (
    FoldersArgument,
)


def report(
    folders: FoldersArgument,
    settled: Annotated[
        list[Path] | None,
        typer.Option(help="Folder that `rogsim settle` wrote for the same game. Repeatable.", metavar="FOLDER"),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder to write.", metavar="FOLDER")] = REPORTS / "report",
    every_finding: Annotated[bool, typer.Option("--all", help="Print every finding, not only the answers.")] = False,
) -> None:
    """Write a report: what is imbalanced, and how sure that is.

    Given the results of several sets of bots, it also says whether an answer depends on the bots. With --settled,
    each finding says whether it holds with stronger bots. The folder contains one HTML page, the same report as
    Markdown and JSON, and every figure as PNG and SVG.
    """
    from rogsim.base.progress import doing
    from rogsim.base.prose import write
    from rogsim.report.console.report_lines import print_report
    from rogsim.report.render.write import PAGE, make_report

    with doing() as notify:
        made = make_report(folders, out, notify, settled or ())
    print_report(made, every_finding)
    write(f"Report: {out / PAGE}")
