"""A report as Markdown, with its figures as PNG files beside it."""

from __future__ import annotations

import re
from functools import partial

from jinja2 import Environment, PackageLoader, StrictUndefined

from rogsim.base.plain_text import safe
from rogsim.report.document import STRENGTH, Finding, Grid, Report
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
        title=_title,
        word=partial(_word, report),
        anchor=_anchor,
        table=_table,
        escaped=escaped,
        fenced=_fenced,
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


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


def _title(finding: Finding) -> str:
    return TITLES[finding.verdict]


def _word(report: Report, finding: Finding) -> str:
    """Return whether a finding holds as the bots get stronger, as a link to the section that shows it."""
    if finding.strength is None:
        return ""
    (title,) = [section.title for section in report.sections if section.name == STRENGTH] or [""]
    return f", [{finding.strength.word}](#{_anchor(title)})" if title else f", {finding.strength.word}"


def _anchor(title: str) -> str:
    """Return the anchor that Markdown readers give a heading."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _fenced(text: str, language: str) -> str:
    """Return text as a block of code, with a fence longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{safe(text)}\n{fence}"


def _table(grid: Grid) -> str:
    head = [column.head for column in grid.columns]
    rule = ["---:" if column.is_numeric else "---" for column in grid.columns]
    rows = [[text for text, _ in row] for row in grid.rows()]
    cells = [[escaped(text) for text in row] for row in (head, *rows)]
    lines = [f"*{escaped(grid.caption)}*", "", *(_line(row) for row in (cells[0], rule, *cells[1:]))]
    for note in grid.all_notes:
        lines += ["", escaped(note)]
    return "\n".join(lines)


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
