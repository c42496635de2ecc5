"""A report as data: sections with findings, figures and tables. HTML, Markdown and JSON are ways to write it down.

All numbers stand once, in the frames of the tables and the data of the findings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl
from matplotlib.figure import Figure

from rogsim.report import words

MOST_TOLD = 80  # lines of a screen in a page; its data has all
DIGITS = 6  # of a number in JSON, which is more than anybody knows

Verdict = Literal["imbalanced", "depends", "open", "fair", "fact", "changed", "within", "reached", "missed"]
Kind = Literal["text", "long", "count", "number", "gain", "share", "p", "chance"]

TITLES: Mapping[Verdict, str] = {
    "imbalanced": "Imbalanced",
    "depends": "Depends",
    "open": "Open",
    "fair": "Fair",
    "fact": "As measured",
    "changed": "Changed",
    "within": "Within margin",
    "reached": "Goal reached",
    "missed": "Goal missed",
}


@dataclass(frozen=True)
class TableColumn:
    """One column of a table: where its values stand in the frame, and how they are told.

    long: text that may be set on several lines. share: from 0 to 1, told in per cent. number and gain: any number, the
    second with its sign. chance: a probability that is never told as 0 or 100%; "too few" where there is none.
    interval: whether the frame has `<key>_low` and `<key>_high`, too; without them a difference is "too few".
    few: whether what is not there at all is so for want of rows, and is "too few" likewise.
    """

    key: str
    head: str
    kind: Kind = "text"
    interval: bool = False
    digits: int = 1
    few: bool = False

    @property
    def is_figure(self) -> bool:
        """Return whether the column holds numbers."""
        return self.kind not in ("text", "long")

    def value(self, row: Mapping[str, Any]) -> Any:
        """Return what the column sorts by."""
        return row[self.key]

    def text(self, row: Mapping[str, Any]) -> str:
        """Return a cell as a person reads it."""
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
        reach = words.interval(row[f"{self.key}_low"], row[f"{self.key}_high"], scale, self.digits, sign)
        # A difference from too few rows is noise; a share or a mean of them is at least what was seen.
        return f"{text} ({reach or words.TOO_FEW})" if reach or not sign else words.TOO_FEW


@dataclass(frozen=True)
class Grid:
    """A table: its columns say which values of the frame are told, and how; the first one names the rows.

    first_told: of a long table a page tells the first lines, and not those with the smallest q.
    """

    name: str
    caption: str
    columns: tuple[TableColumn, ...]
    frame: pl.DataFrame
    notes: tuple[str, ...] = ()
    first_told: bool = False

    def rows(self) -> list[list[tuple[str, Any]]]:
        """Return the cells of each row that is told: as text, and as the value that it sorts by."""
        return [
            [(column.text(row), column.value(row)) for column in self.columns]
            for row in self.told.iter_rows(named=True)
        ]

    @property
    def told(self) -> pl.DataFrame:
        """Return the rows that a page tells: of a long screen those with the smallest q."""
        if self.first_told:
            return self.frame.head(MOST_TOLD)
        if self.frame.height <= MOST_TOLD or "q" not in self.frame.columns:
            return self.frame
        smallest = self.frame["q"].arg_sort(nulls_last=True).head(MOST_TOLD).sort()
        return self.frame[smallest]

    @property
    def all_notes(self) -> tuple[str, ...]:
        """Return the notes, with one on rows that are not told."""
        if self.told.height == self.frame.height:
            return self.notes
        which = f"first {MOST_TOLD} lines" if self.first_told else f"{MOST_TOLD} lines with the smallest q"
        missing = f"These are the {which}; all {self.frame.height:,} are in report.json."
        return (missing, *self.notes)


@dataclass(frozen=True)
class Picture:
    """A figure: what it is called, what it shows in words, and how it is drawn."""

    name: str
    caption: str
    alt: str  # states the finding
    draw: Callable[[], Figure]


@dataclass(frozen=True)
class Finding:
    """One plain sentence with its numbers, and what is the verdict in it."""

    verdict: Verdict
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    short: str = ""  # the same for the findings on top; without, it stands only in its section
    folded: bool = False  # whether it is one of many that another finding puts together


@dataclass(frozen=True)
class Section:
    """One question: findings first, then figures and tables, and how all of it was computed."""

    name: str
    title: str
    question: str
    n: str  # how much it rests on: "20,000 games with 4 players, ..."
    findings: tuple[Finding, ...]
    pictures: tuple[Picture, ...]
    grids: tuple[Grid, ...]
    method: tuple[str, ...]  # paragraphs


@dataclass(frozen=True)
class Report:
    """A whole report.

    family: how all verdicts of the page are kept honest together. provenance: tables of what was played, with what.
    scenarios: the name and the text of each.
    """

    title: str
    lead: str
    units: str  # what the numbers in the findings are
    next_steps: tuple[str, ...]
    sections: tuple[Section, ...]
    family: str
    provenance: tuple[Grid, ...]
    scenarios: tuple[tuple[str, str], ...]
    command: str

    @property
    def on_top(self) -> list[tuple[Section, list[Finding]]]:
        """Return the sections whose findings stand on top, with these findings."""
        found = [(section, [one for one in section.findings if one.short]) for section in self.sections]
        return [(section, findings) for section, findings in found if findings]


def plain(value: Any) -> Any:
    """Return a value as JSON knows it: no nan, and no digits that mean nothing."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value
