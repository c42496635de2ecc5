"""Rows written by field name, and the columns that mean the same in every game.

A game gives fields of its records the names of columns; `copy_named` then copies all of them. What the game computes
for a row, it writes itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numba
import numba.extending
import numpy as np
from numba.core.errors import TypingError

from rogsim.game.columns import Column
from rogsim.game.compiler import part
from rogsim.game.kit.menus import at
from rogsim.game.kit.workspace import lead_of, place_at, points_at
from rogsim.game.topics import Lead


def count(name: str, meaning: str, unit: str = "") -> Column:
    """Return a column of small whole numbers."""
    return Column(name, "i2", meaning, unit)


# Of seats.
POINTS = count("points", "all points, final scoring included", "points")
RANK = Column("rank", "i1", "place in the finishing order, 1 = first; tied seats share a place")
WIN_SHARE = Column("win_share", "f4", "1 for the winner, 1/k for each of k winners who share, else 0")
STANDING = (POINTS, RANK, WIN_SHARE)
TENTHS = tuple(range(10, 100, 10))  # of a game, in percent
FIFTHS = TENTHS[1::2]  # for points by source: tenths would make files of seats a third larger
PROGRESS = tuple(
    count(f"points_at_{percent}", f"points when {percent}% of the game's turns were over", "points")
    for percent in TENTHS
)

# Of games.
TURNS = count("turns", "turns of all seats together", "turns")
DECISIONS = count("decisions", "choices made, including those with a single option")
LENGTH = (TURNS, DECISIONS)
WINNERS = Column("winners", "i1", "number of seats that share the victory")
WINNING_POINTS = count("winning_points", "the winner's points", "points")
MARGIN = count("margin", "points between the first and the second in the finishing order", "points")
LEAD_CHANGES = count("lead_changes", "how often the sole lead passed to another seat during play")
LEAD_FROM = count(
    "lead_from",
    "turns after which the winner was never behind again; 0 = from the start, -1 = behind when play ended",
    "turns",
)
COMEBACK = count("comeback", "the largest number of points that the winner was behind after a turn", "points")
RESULT, COURSE = (WINNERS, WINNING_POINTS, MARGIN), (LEAD_CHANGES, LEAD_FROM, COMEBACK)

LEAD = Lead(
    progress=tuple(column.name for column in PROGRESS),
    changes=LEAD_CHANGES.name,
    since=LEAD_FROM.name,
    behind=COMEBACK.name,
)


def progress_by_source(sources: Sequence[Column]) -> tuple[Column, ...]:
    """Return the columns of points by source after every fifth of a game, fifth by fifth.

    Parameters
    ----------
    sources
        The columns of points by source at the end, of the sources during play that `Rules.keep_sources` keeps, in the
        same order.
    """
    return tuple(
        replace(
            source,
            name=_name_at(source, percent),
            meaning=f"{source.meaning}, after {percent}% of the turns",
        )
        for percent in FIFTHS
        for source in sources
    )


def lead_by_source(sources: Sequence[Column]) -> Lead:
    """Return the columns on who led, with those of `progress_by_source`."""
    names = {source.name: tuple(_name_at(source, percent) for percent in FIFTHS) for source in sources}
    return replace(LEAD, by_source=names)


def _name_at(source: Column, percent: int) -> str:
    return f"{source.name}_at_{percent}"


def column_names(pattern: str, names: Iterable[object]) -> np.dtype[Any]:
    """Return the names of columns as `copy_items` takes them: as the fields of a record.

    Parameters
    ----------
    pattern
        The name of a column with `{}` for what differs, such as `"points_{}"`.
    names
        What differs, in order.
    """
    return np.dtype([(pattern.format(name), "i1") for name in names])


def copy_named(record: Any, row: Any) -> None:
    """Copy every number of a record whose name is also a column of the row."""
    for name in _shared(record.dtype, row.dtype):
        row[name] = record[name]


def copy_items(items: Any, row: Any, names: np.dtype[Any]) -> None:
    """Copy the items of an array, in order, into columns with these names."""
    for name, item in zip(names.names or (), items, strict=True):
        row[name] = item


def copy_sources(history: Any, turns: int, seat: int, row: Any, names: np.dtype[Any]) -> None:
    """Copy a seat's points by source after every fifth of the game into columns with these names."""
    columns, count = names.names or (), history.sources.shape[2] + 1
    for place, percent in enumerate(FIFTHS):
        here = place_at(history, turns, percent)
        kept = history.sources[here, seat]
        first = history.points[here, seat] - kept.sum()
        copy_items([first, *kept], row, column_names("{}", columns[place * count : (place + 1) * count]))


@part
def total(items: Any) -> int:
    """Return the sum of the whole numbers in an array."""
    found = 0
    for i in range(len(items)):
        found += int(items[i])
    return found


def _shared(record: np.dtype[Any], row: np.dtype[Any]) -> list[str]:
    """Return the names that are columns and fields that hold one number."""
    return [name for name in record.names or () if name in (row.names or ()) and record[name].kind in "biuf"]


def _compiled_copy_named(record: Any, row: Any) -> Any:
    return _function("record, row", [f"row.{name} = record.{name}" for name in _shared(record.dtype, row.dtype)])


def _compiled_copy_items(items: Any, row: Any, names: Any) -> Any:
    columns = names.dtype.dtype.names
    shape = getattr(items, "shape", None)  # known for an array in a record
    if shape != (len(columns),):
        raise TypingError(f"{len(columns)} columns for an array of shape {shape}")
    return _function("items, row, names", [f"row.{name} = items[{i}]" for i, name in enumerate(columns)])


def _compiled_copy_sources(history: Any, turns: Any, seat: Any, row: Any, names: Any) -> Any:
    columns, others = names.dtype.dtype.names, history.dtype["sources"].shape[2]
    count = others + 1
    if len(columns) != count * len(FIFTHS):
        raise TypingError(f"{len(columns)} columns for {count} sources at {len(FIFTHS)} moments")
    lines = []
    for place, percent in enumerate(FIFTHS):
        lines.append(f"here = place_at(history, turns, {percent})")
        lines.append("kept = history.sources[at(here), at(seat)]")
        lines += [f"item{i + 1} = kept[{i}]" for i in range(others)]
        later = [f"item{i}" for i in range(1, count)]
        lines.append(" - ".join(["item0 = history.points[at(here), at(seat)]", *later]))
        lines += [f"row.{columns[place * count + i]} = item{i}" for i in range(count)]
    return _function("history, turns, seat, row, names", lines)


def _function(parameters: str, lines: list[str]) -> Callable[..., None]:
    """Return a function of these lines: compiled code cannot loop over names."""
    found: dict[str, Any] = {"at": at, "place_at": place_at}
    exec("\n    ".join([f"def assign({parameters}):", *lines, "pass"]), found)  # names of fields are plain identifiers
    assign: Callable[..., None] = found["assign"]
    return assign


numba.extending.overload(copy_named, strict=False)(_compiled_copy_named)
numba.extending.overload(copy_items, strict=False)(_compiled_copy_items)
numba.extending.overload(copy_sources, strict=False)(_compiled_copy_sources)


@part
def write_progress(history: Any, turns: int, seat: int, row: Any) -> None:
    """Write a seat's points after every tenth of the game into its row.

    Parameters
    ----------
    history
        What `Rules.write_rows` is given.
    """
    row.points_at_10 = points_at(history, turns, seat, 10)
    row.points_at_20 = points_at(history, turns, seat, 20)
    row.points_at_30 = points_at(history, turns, seat, 30)
    row.points_at_40 = points_at(history, turns, seat, 40)
    row.points_at_50 = points_at(history, turns, seat, 50)
    row.points_at_60 = points_at(history, turns, seat, 60)
    row.points_at_70 = points_at(history, turns, seat, 70)
    row.points_at_80 = points_at(history, turns, seat, 80)
    row.points_at_90 = points_at(history, turns, seat, 90)


@part
def write_progress_by_source(history: Any, turns: int, seat: int, row: Any, names: Any) -> None:
    """Write a seat's points after every tenth of the game into its row, and by source after every fifth.

    Parameters
    ----------
    history
        What `Rules.write_rows` is given.
    names
        The names of the columns by source: `column_names` of those that `progress_by_source` returns.
    """
    write_progress(history, turns, seat, row)
    copy_sources(history, turns, seat, row, names)


@part
def write_game(scores: Any, history: Any, turns: int, seats: int, row: Any) -> None:
    """Write turns, decisions, the result and the course of a game into its row.

    Parameters
    ----------
    scores
        Records of all seats with `points` and `rank`.
    history
        What `Rules.write_rows` is given.
    """
    row.turns = turns
    row.decisions = history.decisions
    write_result(scores, seats, row)
    write_lead(scores, history, turns, seats, row)


@part
def write_result(scores: Any, seats: int, row: Any) -> None:
    """Write the number of winners, the winner's points and the margin into the row of a game."""
    winners, best, second = 0, 0, 0
    for seat in range(seats):
        points = int(scores[seat].points)
        winners += scores[seat].rank == 1
        if points >= best:
            second = best
            best = points
        elif points > second:
            second = points
    row.winners = winners
    row.winning_points = best
    row.margin = best - second if seats > 1 else 0


@part
def write_lead(scores: Any, history: Any, turns: int, seats: int, row: Any) -> None:
    """Write how the lead changed and how far the winner was behind; of tied winners, the first in turn order counts."""
    winner = 0
    while scores[winner].rank != 1:
        winner += 1
    lead = lead_of(history.points, history.changed, int(history.changes), turns, seats, winner)
    row.lead_changes, row.lead_from, row.comeback = lead
