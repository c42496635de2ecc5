"""A side of a comparison read back from the data of a page, `report.json`.

A page has every effect with its interval, but not how the effects of a question vary together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scipy.stats import norm

from rogsim.base.errors import ResultsError
from rogsim.base.files import parse_json, read_bytes
from rogsim.base.formats import format_fault
from rogsim.report.changes.page_record import check_levels, check_page
from rogsim.report.changes.sides import SEATS, Found, Side
from rogsim.report.render.json_data import DATA, FORMAT, MOST_BYTES
from rogsim.results.manifest import MANIFEST
from rogsim.stats.claims import Claim, Contrast
from rogsim.stats.contrasts import JointTest
from rogsim.stats.estimates import CONFIDENCE, Estimate

TITLE = ": balance report"  # how the title of such a page ends
LEVELS, CELLS = "effect", "beyond"  # columns with the effects of levels, and of seats with something set up
RATIO = float(norm.isf(0.05) / norm.isf((1 - CONFIDENCE) / 2))  # width of a 90% interval, relative to a 95% one

Row = Mapping[str, Any]


@dataclass(frozen=True)
class _Question:
    """The findings of a page on one question with one number of players, one for each set of bots, in order."""

    topic: str
    title: str
    players: int
    findings: tuple[Row, ...]


def is_page(folder: Path) -> bool:
    """Return whether a folder holds a page and no results."""
    return (folder / DATA).is_file() and not (folder / MANIFEST).exists()


def read_page(folder: Path) -> Side:
    """Return the side that a page is; ResultsError if it is broken, or no page of `rogsim report`."""
    try:
        data = parse_json(read_bytes(folder / DATA, MOST_BYTES))
        if why := format_fault(data, FORMAT, "make the report again"):
            raise ResultsError(f"{folder}: {DATA} {why}")
        return side_of_page(data, str(folder))
    except OSError as fault:
        raise ResultsError(f"{folder}: {DATA} cannot be read: {fault.strerror}") from fault
    except ValueError as fault:
        raise ResultsError(f"{folder}: {DATA} is broken: {' '.join(str(fault).split())[:200]}") from fault


def side_of_page(data: Row, place: str) -> Side:
    """Return the side that the data of a page describes; ValueError if it is broken. place: its folder."""
    title = str(data.get("title"))
    if not title.endswith(TITLE):
        raise ResultsError(f"{place}: is the page {_quoted(title)}; only pages of rogsim report can be compared")
    check_page(data)
    folders, bots = (tuple(table["rows"]) for table in data["provenance"][:2])
    found = [entry for section in data["sections"] for entry in _found_in(section)]
    order = list(dict.fromkeys(entry.bots for entry in found))
    return Side(
        place,
        title.removesuffix(TITLE),
        min((float(row["margin"]) for row in _judged(data)), default=math.nan),
        tuple(sorted(found, key=lambda entry: order.index(entry.bots))),
        folders,
        bots,
        tuple((str(entry["name"]), str(entry["text"])) for entry in data["scenarios"]),
        str((data.get("reconstructed") or {}).get("text", "")),
    )


def _judged(data: Row) -> Iterator[Row]:
    """Yield the findings on one set of bots."""
    for section in data["sections"]:
        yield from (finding for finding in section["findings"] if "margin" in finding)


def _found_in(section: Row) -> Iterator[Found]:
    """Yield the findings of a section with their effects; none if it has no table of these."""
    table, effect = _table(section)
    for question in _questions(section):
        rows = [row for row in table if row["players"] == question.players and _is_on(row, question, section)]
        labels = list(dict.fromkeys(str(row["bots"]) for row in rows))
        for label, finding in zip(labels, question.findings, strict=False):
            own = [row for row in rows if str(row["bots"]) == label]
            yield Found(_claim(question, finding, own, effect), finding["verdict"], label)


def _table(section: Row) -> tuple[Sequence[Row], str]:
    """Return the rows with the effects of a section, and the column that holds them."""
    wanted = {str(section["name"]): LEVELS, f"{section['name']}-by-seat": CELLS}
    for table in section["tables"]:
        effect = wanted.get(str(table["name"]), "")
        if effect and table["rows"] and {effect, "level", "players", "bots"} <= set(table["rows"][0]):
            check_levels(table["rows"])
            return table["rows"], effect
    return (), LEVELS


def _questions(section: Row) -> Iterator[_Question]:
    groups: dict[tuple[str, str, int], list[Row]] = {}
    for finding in section["findings"]:
        if "margin" in finding:
            groups.setdefault((finding["topic"], finding["title"], finding["players"]), []).append(finding)
    for (topic, title, players), findings in groups.items():
        yield _Question(str(topic), str(title), int(players), tuple(findings))


def _is_on(row: Row, question: _Question, section: Row) -> bool:
    """Return whether a row belongs to a question; a section with several of them names it before the level."""
    several = len({finding["title"] for finding in section["findings"] if "margin" in finding}) > 1
    return not several or str(row["level"]).startswith(f"{question.title}: ")


def _claim(question: _Question, finding: Row, rows: Sequence[Row], effect: str) -> Claim:
    games = int(finding["games"])
    return Claim(
        topic=question.topic,
        title=question.title,
        players=question.players,
        folder=str(finding["folder"]),
        bots=tuple(map(str, finding["bots"])),
        against="",
        overall=JointTest(math.nan, 0, games, math.nan),
        contrasts=tuple(_contrast(question, row, effect) for row in rows),
        games=games,
        noun="seat" if question.topic == SEATS else "level",
        look=int(finding["look"]),
    )


def _contrast(question: _Question, row: Row, effect: str) -> Contrast:
    value, low, high = (_number(row.get(f"{effect}{end}")) for end in ("", "_low", "_high"))
    n = int(row["n"])
    level = str(row["level"]).removeprefix(f"{question.title}: ")
    name = f"seat {row['seat']} with {level}" if effect == CELLS else level
    return Contrast(
        name[:1].lower() + name[1:] if question.topic == SEATS else name,
        Estimate(value, low, high, n, n),
        Estimate(value, value - RATIO * (value - low), value + RATIO * (high - value), n, n),
        math.nan,
        blocks=n,
    )


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def _quoted(text: object) -> str:
    return f'"{str(text)[:60]}"'
