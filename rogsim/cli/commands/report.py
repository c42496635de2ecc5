"""`rogsim report`: writes a report on results, or on what changed between two of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.base.output_paths import REPORTS
from rogsim.cli.options import ReportFoldersArgument


def report(
    folders: ReportFoldersArgument,
    against: Annotated[
        list[Path] | None,
        typer.Option(help="Say what changed since this results folder. Repeatable.", metavar="FOLDER"),
    ] = None,
    settled: Annotated[
        list[Path] | None,
        typer.Option(help="Folder that `rogsim settle` wrote for the same game. Repeatable.", metavar="FOLDER"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder to write.  [default: reports/report, or reports/changes]", metavar="FOLDER"),
    ] = None,
    every_finding: Annotated[bool, typer.Option("--all", help="Print every finding, not only the answers.")] = False,
) -> None:
    """Write a report: what is imbalanced, and how sure that is.

    Given the results of several sets of bots, it also says whether an answer depends on the bots. With --settled,
    each finding says whether it holds with stronger bots. The folder contains one HTML page, the same report as
    Markdown, JSON, workbook and tables, and every figure as PNG and SVG.

    Given two runs under different rules or in different versions, it says what changed from the first to the second.
    With --against, it says what changed since that run, however the two differ.
    """
    from threadpoolctl import threadpool_limits

    from rogsim.base.progress import doing
    from rogsim.base.prose import write
    from rogsim.report.balance.build import build_report
    from rogsim.report.balance.sources import gather
    from rogsim.report.changes_page import make_changes, two_sides
    from rogsim.report.console.answers import print_report
    from rogsim.report.console.page_lines import print_page
    from rogsim.report.render.write import PAGE, check_place, write_report

    sides = two_sides(folders, against or (), settled or ())
    folder = out or REPORTS / ("changes" if sides else "report")
    with doing() as notify:
        if sides:
            made = make_changes(sides, folder, notify)
        else:
            check_place(folder)
            with threadpool_limits(limits=1, user_api="blas"):  # for many small matrices threads cost more
                made = build_report(gather(folders, notify=notify, settled=settled or ()), folder)
            write_report(made, folder, notify)
    if sides:
        print_page(made, every_finding)
        write("")
    else:
        print_report(made, every_finding)
    write(f"Report: {folder / PAGE}")
