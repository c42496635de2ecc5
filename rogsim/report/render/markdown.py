"""A report as Markdown, with its figures as PNG files beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from jinja2 import Environment, PackageLoader, StrictUndefined

from rogsim.base.text import safe
from rogsim.report import words
from rogsim.report.document import Grid, Report, Sheet, SheetCell
from rogsim.report.render.table_files import TABLES, WORKBOOK
from rogsim.report.verdict_titles import TITLES

CODE = re.compile(r"(?<!`)`[^`]+`(?!`)")
# Only these spans stay code: their content would do no harm even if a Markdown reader did not treat them as code.
HARMLESS = re.compile(r"`[^<>&|\\\[\]~]+`")
SPECIAL = re.compile(r"([\\*_{}\[\]<>|#~])")
STARTS = re.compile(r"^([-+=]|\d+(?=[.)]))")  # of a list, or of a line that turns the line before it into a heading


def markdown(report: Report) -> str:
    """Return the report as Markdown."""
    environment = Environment(  # autoescape is for HTML; here `escaped` does it
        loader=PackageLoader("rogsim.report.render"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    text = environment.get_template("report.md").render(
        report=report,
        titles=TITLES,
        table=partial(_table, {id(table.grid): table.name for table in report.tables}),
        sheet=_sheet,
        escaped=escaped,
        fenced=_fenced,
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def images_of(report: Report) -> set[str]:
    """Return the names of the figures that the Markdown shows: that of the first screen, and one of each section."""
    found = [report.picture, *(section.pictures[0] for section in report.sections if section.pictures)]
    return {picture.name for picture in found if picture}


def escaped(text: str) -> str:
    """Return text that Markdown shows verbatim, without HTML; harmless text between single backticks stays code."""
    parts, at = [], 0
    text = " ".join(safe(text).split())
    for code in CODE.finditer(text):
        parts += [_plain(text[at : code.start()]), code[0] if HARMLESS.fullmatch(code[0]) else _plain(code[0])]
        at = code.end()
    return STARTS.sub(_no_start, "".join([*parts, _plain(text[at:])]))


def _plain(text: str) -> str:
    text = text.replace("&", "&amp;")
    return SPECIAL.sub(r"\\\1", text).replace("`", "&#96;")


def _no_start(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def _fenced(text: str, language: str) -> str:
    """Return text as a block of code, with a fence longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{safe(text)}\n{fence}"


def _sheet(sheet: Sheet) -> str:
    """Return the balance sheet; a verdict is a word, since Markdown has no colours."""
    cells = [
        [row.measure, *(_cell(cell) if cell else words.NOTHING for cell in row.cells), row.note] for row in sheet.rows
    ]
    return _rows([sheet.title, *sheet.columns, ""], ["---", *["---:"] * len(sheet.columns), "---"], cells)


def _cell(cell: SheetCell) -> str:
    reach = f" ({cell.reach})" if cell.reach else ""
    return f"{cell.text}{reach}" if cell.verdict == "fact" else f"{cell.text}{reach}: {TITLES[cell.verdict].lower()}"


def _table(names: Mapping[int, str], grid: Grid) -> str:
    rule = ["---:" if column.is_numeric else "---" for column in grid.columns]
    rows = _rows([column.head for column in grid.columns], rule, [[text for text, _ in row] for row in grid.rows()])
    files = f"All rows: [CSV]({TABLES}/{names[id(grid)]}.csv), [workbook]({WORKBOOK})"
    return "\n\n".join([f"*{escaped(grid.caption)}*", rows, *map(escaped, grid.all_notes), files])


def _rows(head: list[str], rule: list[str], rows: list[list[str]]) -> str:
    lines = [[escaped(text) for text in row] for row in (head, *rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (lines[0], rule, *lines[1:]))
