"""A report as one self-contained HTML page."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from rogsim.report import words
from rogsim.report.document import Finding, Grid, Picture, Report, TopAnswer
from rogsim.report.render.drawing import inline
from rogsim.report.verdict_titles import TITLES

SIGNS = {
    "imbalanced": "▲",
    "fair": "✓",
    "depends": "◆",
    "open": "?",
    "fact": "•",
    "changed": "▲",
    "within": "✓",
    "reached": "✓",
    "missed": "▲",
    "settled": "✓",
    "moving": "◆",
}

# An interval in brackets, as `words.interval` writes it; a reader may hide it at the top of the page.
SIGNED = rf"[+{words.MINUS}]?[\d.,]+"
REACH = re.compile(rf" \(({SIGNED} to {SIGNED})\)")

OPTION = re.compile(r"(?<![\w-])--[\w-]+")
UNBROKEN = r'<span class="option">\g<0></span>'

FOLD = 30  # rows; a longer table is collapsed


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

    def drawn(picture: Picture) -> Markup:
        # rogsim made the drawing; any text in it from elsewhere was escaped when the SVG was written.
        names = [name for name in (picture.name, f"{picture.name}-narrow") if name in drawings]
        return Markup("").join(Markup(inline(drawings[name], name, str(escape(picture.alt)))) for name in names)

    environment, script = templates(), f"\n{_source('sort.js')}\n"
    return environment.get_template("page.html").render(
        report=report,
        style=Markup(_source("style.css")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        badge=_badge,
        coded=_coded,
        drawn=drawn,
        reached=_reached,
        counted=_counted,
        table=_table,
    )


def _source(name: str) -> str:
    loader = templates().loader
    assert loader is not None
    return loader.get_source(templates(), name)[0]


def _badge(finding: Finding | TopAnswer) -> Markup:
    """Return a verdict as a sign and a word, so that colour is never the only cue."""
    sign = Markup('<span aria-hidden="true">{}</span>').format(SIGNS[finding.verdict])
    return Markup("<b>{} {}</b>").format(sign, TITLES[finding.verdict])


def _coded(text: str) -> Markup:
    """Return text with anything between backticks as code, whose options are never broken between two lines."""
    parts = re.split(r"`([^`]+)`", str(escape(text)))
    parts[1::2] = [f"<code>{OPTION.sub(UNBROKEN, code)}</code>" for code in parts[1::2]]
    return Markup("".join(parts))


def _reached(text: str) -> Markup:
    """Return text with every interval marked, so that it can be shown on demand."""
    return Markup(REACH.sub(r'<span class="reach"> (\1)</span>', str(escape(text))))


def _counted(pictures: int, tables: int) -> str:
    """Return how many figures and tables are folded."""
    parts = [(pictures, "more figure"), (tables, "table")]
    named = [f"{count} {noun}{'s' * (count != 1)}" for count, noun in parts if count]
    return words.listed(named)


def _table(grid: Grid) -> Markup:
    table = templates().get_template("table.html")
    return Markup(table.render(grid=grid, rows=grid.rows(), fold=FOLD, sortable=_sortable))


def _sortable(value: float | None) -> str:
    """Return a number to sort by; more digits would make the page larger."""
    return "" if value is None else f"{value:.6g}"
