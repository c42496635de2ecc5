"""A report as one self-contained HTML page."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from rogsim.report.document import Picture, Report
from rogsim.report.render.drawing import inline
from rogsim.report.render.table_files import TABLES, WORKBOOK
from rogsim.report.verdict_titles import TITLES, Badge

SIGNS: Mapping[Badge, str] = {
    "out": "▲",
    "slight": "◆",
    "fair": "✓",
    "changed": "▲",
    "shifted": "◆",
    "same": "✓",
    "open": "?",
    "fact": "",
    "reached": "✓",
    "missed": "▲",
    "settled": "✓",
    "moving": "◆",
}
OPTION = re.compile(r"(?<![\w-])--[\w-]+")
UNBROKEN = r'<span class="option">\g<0></span>'


@cache
def templates() -> Environment:
    """Return the templates; whatever is inserted is escaped."""
    return Environment(
        loader=PackageLoader("rogsim.report.render"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def page(report: Report, drawings: Mapping[str, str]) -> str:
    """Return the page.

    drawings: the SVG of each figure by its name, and that for a phone by its name with "-narrow", if there is one.
    """
    files = {id(table.grid): f"{TABLES}/{table.name}.csv" for table in report.tables}

    def drawn(picture: Picture) -> Markup:
        # rogsim made the drawing; any text in it from elsewhere was escaped when the SVG was written.
        names = [name for name in (picture.name, f"{picture.name}-narrow") if name in drawings]
        return Markup("").join(Markup(inline(drawings[name], name, str(escape(picture.alt)))) for name in names)

    script = f"\n{_source('page.js')}\n"
    return (
        templates()
        .get_template("page.html")
        .render(
            report=report,
            style=Markup(_source("style.css")),
            script=Markup(script),
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            signs=SIGNS,
            titles=TITLES,
            mark=_mark,
            coded=_coded,
            unbroken=_unbroken,
            drawn=drawn,
            file_of=lambda grid: files[id(grid)],
            workbook=WORKBOOK,
            sortable=_sortable,
        )
    )


def _source(name: str) -> str:
    loader = templates().loader
    assert loader is not None
    return loader.get_source(templates(), name)[0]


def _mark(verdict: Badge) -> Markup:
    """Return the sign of a verdict, which is read aloud as its title: colour is never the only cue."""
    if not SIGNS[verdict]:
        return Markup("")
    sign = Markup('<span class="mark {}" role="img" aria-label="{}">{}</span>&nbsp;')
    return sign.format(verdict, TITLES[verdict], SIGNS[verdict])


def _coded(text: str) -> Markup:
    """Return text with anything between backticks as code."""
    parts = re.split(r"`([^`]+)`", text)
    return Markup("").join(
        Markup("<code>{}</code>").format(_unbroken(part)) if place % 2 else escape(part)
        for place, part in enumerate(parts)
    )


def _unbroken(command: str) -> Markup:
    """Return a command whose options are never broken between two lines."""
    return Markup(OPTION.sub(UNBROKEN, str(escape(command))))


def _sortable(value: float | None) -> str:
    """Return a number to sort by; more digits would make the page larger."""
    return "" if value is None else f"{value:.6g}"
