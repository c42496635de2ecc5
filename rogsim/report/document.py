"""A report as data: sections with findings, figures and tables, to be written as HTML, Markdown and JSON.

Each number is stored once, in the frame of a table or the data of a finding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

import polars as pl
from matplotlib.figure import Figure

from rogsim.base.html_table import html_table
from rogsim.report import words
from rogsim.report.verdict_titles import TITLES, Badge

MOST_SHOWN = 80  # rows of a screen that a page shows; report.json has all of them
DIGITS = 6  # significant digits of a number in JSON: more than any estimate supports

Kind = Literal["text", "long", "count", "number", "gain", "share", "p", "chance"]

NOT_TESTED = "not tested"
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
    kind: Kind = "text"
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

    first_shown: whether a page shows the first rows of a long table rather than those with the smallest q.
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
        """Return the rows that a page shows: of a long screen, those with the smallest q."""
        if self.first_shown:
            return self.frame.head(MOST_SHOWN)
        if self.frame.height <= MOST_SHOWN or "q" not in self.frame.columns:
            return self.frame
        smallest = self.frame["q"].arg_sort(nulls_last=True).head(MOST_SHOWN).sort()
        return self.frame[smallest]

    @property
    def all_notes(self) -> tuple[str, ...]:
        """Return the notes, with one more if some rows are left out."""
        if self.shown.height == self.frame.height:
            return self.notes
        which = f"first {MOST_SHOWN} rows" if self.first_shown else f"{MOST_SHOWN} rows with the smallest q"
        missing = f"The table shows the {which}; report.json has all {self.frame.height:,}."
        return (missing, *self.notes)


@dataclass(frozen=True)
class Picture:
    """A figure: its name, its caption, a description in words, and the function that draws it."""

    name: str
    caption: str
    alt: str  # states the finding
    draw: Callable[[], Figure]


@dataclass(frozen=True)
class StrengthWord:
    """Whether a finding holds as the bots get stronger: one word, and what it is based on.

    Attributes
    ----------
    word
        A verdict of `rogsim settle`, or NOT_TESTED.
    detail
        A sentence with the effects with stronger bots, or how many more games would decide; may be empty.
    why
        Why there is no verdict; may be empty.
    holds
        Whether it holds for all bots tried, of rising strength: settled, with the same effect with the strongest bots.
    """

    word: str
    detail: str = ""
    why: str = ""
    holds: bool = False


@dataclass(frozen=True)
class Finding:
    """One plain sentence with its numbers, its verdict, and whether it holds as the bots get stronger."""

    verdict: Badge
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    short: str = ""  # the version for the top of the page; if empty, the finding appears only in its section
    folded: bool = False  # whether another finding summarizes it
    strength: StrengthWord | None = None  # None where that is not asked

    def _repr_html_(self) -> str:
        """Return the verdict and the sentence, for notebooks."""
        return f"<p><strong>{TITLES[self.verdict]}.</strong> {escape(self.text)}</p>"


@dataclass(frozen=True)
class TopAnswer:
    """The answer to a question in one sentence.

    word: whether it holds as the bots get stronger, as in `StrengthWord`; empty where that is not asked. bots: who
    played, if the page has several sets of bots. others: the label and the answer of each of the other sets.
    """

    verdict: Badge
    text: str
    word: str = ""
    bots: str = ""
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Section:
    """One question: its findings, then figures and tables, and how they were computed."""

    name: str
    title: str
    question: str
    n: str  # the games it is based on: "20,000 games with 4 players, ..."
    findings: tuple[Finding, ...]
    pictures: tuple[Picture, ...]
    grids: tuple[Grid, ...]
    method: tuple[str, ...]  # paragraphs
    rests_on: str = ""  # which reconstructed values the claims rest on; empty if there are none
    answer: TopAnswer | None = None  # for the top of the page, above the findings; None if they need no summary
    tables_shown: bool = False  # whether the page shows the tables at once; it folds those of other sections


@dataclass(frozen=True)
class Report:
    """A whole report.

    units: what the numbers in the findings mean. family: how the error rate of all verdicts together is controlled.
    provenance: tables of what was played, and with which versions. scenarios: the name and the text of each.
    reconstructed: which reconstructed values the claims rest on (`Reconstructed.data`); empty if there are none.
    more: further data for JSON only, by its key.
    """

    title: str
    lead: str
    units: str
    next_steps: tuple[str, ...]
    sections: tuple[Section, ...]
    family: str
    provenance: tuple[Grid, ...]
    scenarios: tuple[tuple[str, str], ...]
    command: str
    reconstructed: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rests_on(self) -> str:
        """Return the sentence on reconstructed values for the top of the page; empty if there is none."""
        return str(self.reconstructed.get("text", ""))

    @property
    def top_picture(self) -> Picture | None:
        """Return the figure for the first screen: the first one of a section with findings at the top."""
        return next((picture for section, _ in self.on_top for picture in section.pictures), None)

    @property
    def answered_by(self) -> list[str]:
        """Return the labels of the sets of bots that a reader can switch between, the strongest first."""
        answers = [section.answer for section, _ in self.on_top if section.answer and section.answer.others]
        labels = [label for answer in answers for label in (answer.bots, *(other for other, _ in answer.others))]
        return list(dict.fromkeys(labels))

    @property
    def on_top(self) -> list[tuple[Section, list[Finding]]]:
        """Return the sections that have findings at the top of the page, with those findings."""
        found = [(section, [finding for finding in section.findings if finding.short]) for section in self.sections]
        return [(section, findings) for section, findings in found if findings]


def plain(value: Any) -> Any:
    """Return a value that JSON can hold: null for nan, and numbers rounded to DIGITS significant digits."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value
