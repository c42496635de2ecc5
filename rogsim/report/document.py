"""A report as data: sections with findings, figures and tables, to be written as HTML, Markdown and JSON.

Each number is stored once, in the frame of a table or the data of a finding.
"""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import polars as pl

from rogsim.base.errors import RogsimError
from rogsim.base.files import as_path
from rogsim.base.text import html_table
from rogsim.base.validation import show, unknown_key
from rogsim.report import words
from rogsim.stats.judgement import Judgement, Kind

if TYPE_CHECKING:  # `rogsim run` draws nothing
    from matplotlib.figure import Figure

Badge = Literal[
    "out",
    "slight",
    "fair",
    "changed",
    "shifted",
    "same",
    "open",
    "fact",
    "reached",
    "missed",
    "settled",
    "moving",
]
TITLES: Mapping[Badge, str] = {
    "out": "Out of balance",
    "slight": "Slight",
    "fair": "Fair",
    "changed": "Changed",
    "shifted": "Slight change",
    "same": "No change that matters",
    "open": "Not known yet",
    "fact": "As measured",
    "reached": "Goal reached",
    "missed": "Goal missed",
    "settled": "Settled",
    "moving": "Still moving",
}
AGAINST_FAIR: Mapping[Kind, Badge] = {"beyond": "out", "slight": "slight", "within": "fair", "open": "open"}
OF_DIFFERENCES: Mapping[Kind, Badge] = {"beyond": "changed", "slight": "shifted", "within": "same", "open": "open"}


def badge_of(judgement: Judgement) -> Badge:
    """Return the badge of a judgement: on fairness, or on the difference between two runs."""
    return (AGAINST_FAIR if judgement.effects.question.against else OF_DIFFERENCES)[judgement.kind]


MOST_SHOWN = 15  # rows of a table that a page shows; the workbook, the CSV files and report.json have all of them
DIGITS = 6  # significant digits of a number in JSON: more than any estimate supports

Found = TypeVar("Found")
ColumnKind = Literal["text", "long", "count", "number", "gain", "share", "p", "chance"]

LONGEST = 31  # characters of the name of a table, which is also that of a sheet and of a file
TAKEN = {"overview", "history"}  # the first sheet, and a name that spreadsheets keep for themselves
NUMBERED = 4  # characters kept for a number that makes a name unique

STRENGTH = "strength"  # name of the section that shows whether findings hold as the bots get stronger


@dataclass(frozen=True)
class TableColumn:
    """One column of a table: its key in the frame, and how its values are formatted.

    Kinds: long is text that may wrap. share is from 0 to 1, shown as a percentage. number and gain are any number, gain
    with its sign. chance is a probability that is never shown as 0 or 100%; a missing one is "too few".
    interval: whether the frame also has `<key>_low` and `<key>_high`; a difference without them is "too few".
    few: whether a missing value means too few rows, and is shown as "too few".
    narrow: whether the interval is shown in short, "1.2 ±0.3".
    """

    key: str
    head: str
    kind: ColumnKind = "text"
    interval: bool = False
    digits: int = 1
    few: bool = False
    narrow: bool = False

    @property
    def is_numeric(self) -> bool:
        """Return whether the column holds numbers."""
        return self.kind not in ("text", "long")

    def value(self, row: Mapping[str, Any]) -> Any:
        """Return the value that the column sorts by."""
        return row[self.key]

    def text(self, row: Mapping[str, Any]) -> str:
        """Return the formatted text of the column's value in a row."""
        value = row[self.key]
        if self.kind in ("text", "long"):
            return words.NOTHING if value is None else str(value)
        if self.kind == "count":
            return words.count(value)
        if self.few and value is None:
            return words.TOO_FEW
        if self.kind == "p":
            return words.probability(value)
        if self.kind == "chance":
            return words.chance(value)
        scale = 100.0 if self.kind == "share" else 1.0
        sign = self.kind == "gain"
        text = words.NOTHING if value is None else words.number(scale * value, self.digits, sign)
        text += "%" * (self.kind == "share" and value is not None)
        if not self.interval or value is None:
            return text
        low, high = row[f"{self.key}_low"], row[f"{self.key}_high"]
        reach = words.interval(low, high, scale, self.digits, sign)
        if self.narrow and reach:
            return words.give_or_take(value, low, high, scale, self.digits, sign)
        # A difference from too few rows is noise; a share or a mean at least describes the games played.
        return f"{text} ({reach or words.TOO_FEW})" if reach or not sign else words.TOO_FEW


@dataclass(frozen=True)
class Grid:
    """A table: its columns say which values of the frame are shown, and how; the first column names the rows.

    first_shown: whether a page shows the first rows of a long table rather than those that say most.
    """

    name: str
    caption: str
    columns: tuple[TableColumn, ...]
    frame: pl.DataFrame
    notes: tuple[str, ...] = ()
    first_shown: bool = False

    def rows(self) -> list[list[tuple[str, Any]]]:
        """Return the cells of each row shown: the text, and the value that it sorts by."""
        return [
            [(column.text(row), column.value(row)) for column in self.columns]
            for row in self.shown.iter_rows(named=True)
        ]

    def _repr_html_(self) -> str:
        """Return the table as a page shows it, for notebooks."""
        head = [column.head for column in self.columns]
        return html_table(head, [[text for text, _ in row] for row in self.rows()], self.caption)

    @property
    def shown(self) -> pl.DataFrame:
        """Return the rows that a page shows: of a long screen those with the smallest q, else the largest effects."""
        if self.frame.height <= MOST_SHOWN or not self._by:
            return self.frame.head(MOST_SHOWN)
        size = self.frame["q"] if self._by == "q" else -self.frame["effect"].fill_nan(None).abs()
        return self.frame[size.arg_sort(nulls_last=True).head(MOST_SHOWN).sort()]

    @property
    def all_notes(self) -> tuple[str, ...]:
        """Return the notes, with one more if some rows are left out."""
        if self.frame.height <= MOST_SHOWN:
            return self.notes
        by = {"q": "rows with the smallest q", "effect": "largest effects"}.get(self._by)
        which = f"the {MOST_SHOWN} {by}" if by else f"the first {MOST_SHOWN} rows"
        return (f"The table shows {which} of {self.frame.height:,}.", *self.notes)

    @property
    def _by(self) -> str:
        """Return the column that decides which rows of a long table are shown; "" for the first rows."""
        return next((name for name in ("q", "effect") if name in self.frame.columns and not self.first_shown), "")


@dataclass(frozen=True)
class Picture:
    """A figure: its name, its caption, a description in words, and the function that draws it."""

    name: str
    caption: str
    alt: str  # states the finding
    draw: Callable[[], Figure]


@dataclass(frozen=True)
class Finding:
    """One judgement: its verdict, and a sentence with its numbers."""

    verdict: Badge
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    short: str = ""  # the version for the top of the page; if empty, the finding appears only in its section

    def _repr_html_(self) -> str:
        """Return the verdict and the sentence, for notebooks."""
        return f"<p><strong>{TITLES[self.verdict]}.</strong> {escape(self.text)}</p>"


@dataclass(frozen=True)
class Section:
    """One question: its answer in one sentence, then findings, figures and tables.

    A section without an answer does not appear: the page would show numbers that say nothing.
    """

    name: str
    title: str
    question: str
    answer: str  # one sentence with its number
    n: str  # the games it is based on: "20,000 games with 4 players, ..."
    findings: tuple[Finding, ...] = ()
    pictures: tuple[Picture, ...] = ()
    grids: tuple[Grid, ...] = ()
    method: str = ""  # one line on how it was computed
    anchor: str = ""  # of the section of docs/statistics.md that describes the method
    verdict: Badge = "fact"
    rests_on: str = ""  # which reconstructed values the claims rest on; empty if there are none
    more: tuple[Grid, ...] = ()  # tables for the workbook, the CSV files and report.json only

    @property
    def all_grids(self) -> tuple[Grid, ...]:
        """Return all tables: those that the page shows, and those that only the files have."""
        return (*self.grids, *self.more)


@dataclass(frozen=True)
class Step:
    """Something to try next: a sentence, and a command that runs as printed; empty if there is none."""

    text: str
    command: str = ""


@dataclass(frozen=True)
class SheetCell:
    """One number of the balance sheet: the number, its interval, and its verdict."""

    text: str  # a number, after the name of the level if it has one
    reach: str = ""  # "+4.3 to +5.3"
    verdict: Badge = "fact"

    def __str__(self) -> str:
        """Return the number, its interval and its verdict in a line."""
        return f"{self.text} ({self.reach}) {TITLES[self.verdict].lower()}" if self.reach else self.text


@dataclass(frozen=True)
class SheetRow:
    """One measure of the balance sheet, with a cell for each column; None where there is no number.

    section: name of the section that shows it in detail; empty if there is none.
    """

    measure: str
    cells: tuple[SheetCell | None, ...]
    note: str = ""
    section: str = ""


@dataclass(frozen=True)
class Sheet:
    """The balance sheet: a row for each measure, a column for each number of players."""

    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    title: str = "Balance sheet"

    def _repr_html_(self) -> str:
        """Return the balance sheet, for notebooks."""
        rows = [
            [row.measure, *(words.NOTHING if cell is None else str(cell) for cell in row.cells)] for row in self.rows
        ]
        return html_table(("", *self.columns), rows)


@dataclass(frozen=True)
class NamedTable:
    """A table of a report with its section, None for provenance, and a name that is unique in the report."""

    name: str
    section: Section | None
    grid: Grid


@dataclass(frozen=True, repr=False)
class Report:
    """A whole page. Its first screen is question, answer, context, figure, steps and balance sheet.

    question: what the scenario asks. answer: one sentence with its number. context: who played how many games, and what
    limits the answer; two sentences. verdict: that of the answer. picture: the figure that shows the answer.
    family: how the error rate of all verdicts together is controlled, in one or two sentences.
    provenance: tables of what was played, and with which versions. scenarios: the name and the text of each.
    reconstructed: which reconstructed values the claims rest on (`Reconstructed.data`); empty if there are none.
    more: further data for JSON only, by its key.
    """

    title: str
    question: str
    answer: str
    context: str
    sections: tuple[Section, ...]
    family: str
    provenance: tuple[Grid, ...]
    scenarios: tuple[tuple[str, str], ...]
    command: str
    verdict: Badge = "fact"
    picture: Picture | None = None
    steps: tuple[Step, ...] = ()
    sheet: Sheet | None = None
    reconstructed: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Return all figures, each once: that of the first screen may also be in a section."""
        found = [self.picture, *(picture for section in self.sections for picture in section.pictures)]
        return tuple({picture.name: picture for picture in found if picture}.values())

    @property
    def rests_on(self) -> str:
        """Return the sentence on reconstructed values for the top of the page; empty if there is none."""
        return str(self.reconstructed.get("text", ""))

    @property
    def tables(self) -> list[NamedTable]:
        """Return all tables, with names that suit both a sheet and a file, whatever the letters' case."""
        names, found = set(TAKEN), []
        for section, grid in self._grids():
            name = _unique(re.sub(r"[^A-Za-z0-9_-]+", "-", grid.name).strip("-")[:LONGEST] or "table", names)
            names.add(name.lower())
            found.append(NamedTable(name, section, grid))
        return found

    def _grids(self) -> Iterator[tuple[Section | None, Grid]]:
        for section in self.sections:
            yield from ((section, grid) for grid in section.all_grids)
        yield from ((None, grid) for grid in self.provenance)

    @property
    def frames(self) -> dict[str, pl.DataFrame]:
        """Return every table as a polars frame with all its rows and columns, by the name of its CSV file."""
        return {table.name: table.grid.frame for table in self.tables}

    def table(self, name: str) -> Grid:
        """Return a table, which a notebook shows as the page does.

        Parameters
        ----------
        name
            One of the names in `frames`.

        Raises
        ------
        RogsimError
            If there is no table of that name.
        """
        return _named(name, {table.name: table.grid for table in self.tables}, "table")

    def plot(self, name: str | None = None) -> Figure:
        """Draw a figure.

        Parameters
        ----------
        name
            The name of a figure; by default that of the first screen.

        Returns
        -------
        matplotlib.figure.Figure
            The figure, which can be changed and saved.

        Raises
        ------
        RogsimError
            If there is no figure of that name.
        """
        known = {picture.name: picture for picture in self.pictures}
        if name is None and self.picture is None:
            raise RogsimError(f"the first screen has no figure: choose from {', '.join(known) or 'none'}")
        return (self.picture if name is None and self.picture else _named(name, known, "figure")).draw()

    def write(self, folder: str | Path) -> Path:
        """Write the page, the same report as Markdown and JSON, and all tables and figures.

        Parameters
        ----------
        folder
            A new folder, or that of an older report, which is replaced.

        Returns
        -------
        pathlib.Path
            The page.

        Raises
        ------
        ResultsError
            If the folder cannot be written, or holds anything else.
        """
        writer = import_module("rogsim.report.render.write")  # which is made for reports, and imports this module
        place = as_path("folder", folder)
        writer.write_report(self, place)
        return place / str(writer.PAGE)

    def __repr__(self) -> str:
        """Return question, answer and context, and what there is to see."""
        figures, tables = (", ".join(names) or words.NOTHING for names in self._names())
        return words.joined(self.question, self.answer, self.context, f"figures: {figures}", f"tables: {tables}")

    def _repr_html_(self) -> str:
        """Return the first screen without its steps, for notebooks; it loads nothing and runs nothing."""
        parts = [
            f"<p>{escape(self.question)}</p><p><strong>{escape(self.answer)}</strong></p><p>{escape(self.context)}</p>"
        ]
        if self.picture:
            image = _png(self.picture)
            parts.append(f'<img alt="{escape(self.picture.alt)}" src="data:image/png;base64,{image}">')
        first = self.sheet or next((grid for section in self.sections for grid in section.grids), None)
        figures, tables = (escape(", ".join(names)) for names in self._names())
        seen = [f"figures for <code>.plot(name)</code>: {figures}"] if figures else []
        seen += [f"tables for <code>.table(name)</code>: {tables}"] if tables else []
        return "".join([*parts, first._repr_html_() if first else "", f"<p><small>{'; '.join(seen)}</small></p>"])

    def _names(self) -> tuple[list[str], list[str]]:
        return [picture.name for picture in self.pictures], [table.name for table in self.tables]


def _png(picture: Picture) -> str:
    """Return a figure as an image in text."""
    from rogsim.report.figures.style import styled

    image = BytesIO()
    with styled():
        picture.draw().savefig(image, format="png")
    return b64encode(image.getvalue()).decode()


def _named(name: object, known: Mapping[str, Found], what: str) -> Found:
    """Return what has a name; RogsimError lists names like it."""
    if name in known:
        return known[str(name)]
    raise RogsimError(f"{what} {show(name)}: {unknown_key(str(name), list(known))}")


def _unique(name: str, names: set[str]) -> str:
    found, number = name, 1
    while found.lower() in names:
        number += 1
        found = f"{name[: LONGEST - NUMBERED]}-{number}"
    return found


def plain(value: Any) -> Any:
    """Return a value that JSON can hold: null for nan, and numbers rounded to DIGITS significant digits."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value
