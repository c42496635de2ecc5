"""A report as Markdown, with its figures as PNG files beside it."""

from __future__ import annotations

import re

from jinja2 import Environment, PackageLoader, StrictUndefined

from rogsim.report.model import TITLES, Finding, Grid, Report

SPECIAL = re.compile(r"([\\*_{}\[\]<>|#])")


def markdown(report: Report) -> str:
    """Return the report as Markdown."""
    environment = Environment(  # autoescape is for HTML; here `escaped` does it
        loader=PackageLoader("rogsim.report"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    text = environment.get_template("report.md").render(
        report=report, title=_title, anchor=_anchor, table=_table, escaped=escaped, code=_code
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def escaped(text: str) -> str:
    """Return text that Markdown shows as it is; what stands between backticks stays code."""
    parts = re.split(r"(`[^`]+`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") and len(part) > 1 else SPECIAL.sub(r"\\\1", part) for part in parts)


def _title(finding: Finding) -> str:
    return TITLES[finding.verdict]


def _anchor(title: str) -> str:
    """Return the anchor that a reader of Markdown gives to a heading."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _code(text: str) -> str:
    return text.replace("```", "'''")


def _table(grid: Grid) -> str:
    head = [column.head for column in grid.columns]
    rule = ["---:" if column.is_figure else "---" for column in grid.columns]
    rows = [[text for text, _ in row] for row in grid.rows()]
    cells = [[escaped(text) for text in row] for row in (head, *rows)]
    lines = [f"*{escaped(grid.caption)}*", "", *(_line(row) for row in (cells[0], rule, *cells[1:]))]
    for note in grid.all_notes:
        lines += ["", escaped(note)]
    return "\n".join(lines)


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
