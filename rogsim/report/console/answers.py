"""The answers of a report, or to one question, as lines and tables in the terminal, as CSV or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl
from rich.console import Console

from rogsim.base.errors import RogsimError
from rogsim.base.files import check_file, is_plain_file, naming_path, opened, write_whole
from rogsim.base.progress import Notify
from rogsim.game.topics import SEATS
from rogsim.report import words
from rogsim.report.balance.build import section_named
from rogsim.report.balance.sources import gather, topic_named
from rogsim.report.console.text_table import chance_note, judged_line, show_tables, table_of, write
from rogsim.report.document import TITLES, Grid, Report, Section
from rogsim.report.render.data_files import section_data, to_text

STDOUT = "-"


def answer(folders: Sequence[Path], name: str, notify: Notify = lambda _: None) -> Section:
    """Return the section of a report that answers one question: `seats`, or a topic of the game."""
    material = gather(folders, (name, "why"), notify)
    section = section_named(material, name)
    if section is None:
        title = topic_named(material.spec, name).title.lower()
        raise RogsimError(f"{', '.join(map(str, folders))}: no data on {title}: none was in play")
    return section


def print_report(report: Report, every_finding: bool) -> None:
    """Print the question and its answer, and the answer of each section; with `every_finding` also their findings."""
    write(words.joined(report.question, judged_line(report.verdict, report.answer), report.context))
    print()
    for section in report.sections:
        write(f"{section.title}: {section.answer}")
        for finding in section.findings if every_finding else ():
            write(f"  {TITLES[finding.verdict]}: {finding.text}")
    print()


def print_answer(section: Section, everything: bool = True, console: Console | None = None) -> None:
    """Print the question and the answer, then the findings and all tables, or only a short form of the first table."""
    judged = f"{TITLES[section.verdict]}: " if section.findings else ""
    question = words.joined(section.question, section.rests_on, f"{judged}{section.answer}")
    grids = section.all_grids
    show_tables(question, [], console)
    if everything:
        for finding in section.findings:
            write(f"{TITLES[finding.verdict]}: {finding.text}", console)
        show_tables("", map(table_of, grids), console)
    elif grids:
        show_tables("", [table_of(short_grid(section), whole=True)], console)
    if everything or not grids:
        return
    more = len(grids) - 1
    findings = "each finding, " if section.findings else ""
    tables = f", and {more} more table{'s' * (more != 1)}" if more else ""
    write(f"With --all: {findings}all columns of this table{tables}.", console)


def short_grid(section: Section) -> Grid:
    """Return the first table up to its first effect; levels that are not seats with the strongest first."""
    grid = section.all_grids[0]
    effects = [place for place, column in enumerate(grid.columns) if column.kind == "gain"]
    if not effects:
        return grid
    effect, frame = grid.columns[effects[0]].key, grid.frame
    if section.name != SEATS:
        cases = [name for name in ("players", "bots") if name in frame.columns]
        parts = frame.partition_by(cases, maintain_order=True) if cases else [frame]
        frame = pl.concat([part.sort(effect, descending=True, nulls_last=True) for part in parts])
    columns = grid.columns[: effects[0] + 1]
    notes = (*grid.notes, *chance_note(frame.height))  # the columns that allow for many levels come later
    return replace(grid, caption=section.title, columns=columns, frame=frame, notes=notes)


def answer_as_json(section: Section) -> str:
    """Return the answer as JSON: the same data as in the report."""
    return to_text(section_data(section))


def write_csv(section: Section, target: str) -> None:
    """Write the first table as CSV, with all columns at full precision, to a file, or to standard output for "-"."""
    text = section.all_grids[0].frame.write_csv()
    if target == STDOUT:
        sys.stdout.write(text)
        return
    check_csv(target)
    _check_older(Path(target), text)
    with naming_path(Path(target)):
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        write_whole(Path(target), text.encode())


def check_csv(target: str) -> None:
    """Refuse a path where a table cannot be written."""
    if target != STDOUT:
        check_file(Path(target))


def _check_older(path: Path, text: str) -> None:
    """Refuse to overwrite a file that does not hold such a table."""
    if not path.exists() and not path.is_symlink():
        return
    head = text.splitlines()[0].encode()
    try:
        with opened(path) as file:
            start = file.read(len(head)) if is_plain_file(path) else b"?"
    except OSError as fault:
        raise RogsimError(f"{path}: {fault.strerror}; name another file") from fault
    if start and start != head:
        raise RogsimError(f"{path}: exists and does not hold such a table; name another file")
