"""Rows written by field name, on made-up records; compiled and uncompiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from rogsim.game import compiler
from rogsim.game.columns import Column, row_dtype
from rogsim.game.kit import rows
from rogsim.game.kit.rows import column_names, copy_items, copy_named, count, total

INNER = np.dtype([("plums", "i2"), ("bees", "i1")])
PLAYER = np.dtype(
    [
        ("plums", "i1"),
        ("hidden", "i8"),  # no column
        ("share", "f8"),
        ("jars", "i2", (3,)),  # a column of this name holds one number
        ("trees", "i1", (2,)),
        ("bees", INNER),
    ],
    align=True,
)
COLUMNS = (
    count("plums", "plums left"),
    Column("share", "f4", "share of the harvest"),
    count("jars", "all jars"),
    Column("bees", "i4", "bees"),
    *(Column(f"trees_{kind}", "i1", "trees") for kind in ("old", "new")),
    count("untouched", "of no field"),
)
TREES = column_names("trees_{}", ("old", "new"))
SOURCES = (count("fruit", "points from fruit", "points"), count("wood", "points from wood", "points"))
BY_SOURCE = column_names("{}", (column.name for column in rows.progress_by_source(SOURCES)))
THREE = column_names("{}", ("plums", "jars", "bees"))


@compiler.kernel
def write(players: Any, out: Any) -> None:
    copy_named(players[0], out[0])
    copy_items(players[0].trees, out[0], TREES)


@compiler.kernel
def write_too_few(players: Any, out: Any) -> None:
    copy_items(players[0].trees, out[0], THREE)


@compiler.kernel
def write_end(scores: Any, histories: Any, turns: int, out: Any) -> None:
    rows.write_game(scores, histories[0], turns, 3, out[0])
    for seat in range(3):
        rows.write_progress(histories[0], turns, seat, out[seat])


@compiler.kernel
def write_sources(histories: Any, turns: int, out: Any) -> None:
    for seat in range(3):
        rows.write_progress_by_source(histories[0], turns, seat, out[seat], BY_SOURCE)


@compiler.kernel
def write_sources_of_two(histories: Any, out: Any) -> None:
    rows.copy_sources(histories[0], 11, 0, out[0], TREES)


@compiler.kernel
def write_total(players: Any, out: Any) -> None:
    out[0].untouched = total(players[0].jars)


def history_with(points: list[list[int]], sources: list[list[int]] | None = None) -> Any:
    """The history of a game of three seats, given the points after each turn, and those of the second source."""
    both = list(zip(points, sources or points, strict=True))
    changed = [turn for turn, after in enumerate(both) if turn == 0 or after != both[turn - 1]]
    kept = [("decisions", "i8"), ("changes", "i8"), ("changed", "i4", (12,)), ("place", "i4", (12,))]
    history = compiler.records(np.dtype([*kept, ("points", "i4", (12, 3)), ("sources", "i2", (12, 3, 1))]), 1)
    history["changes"], history["changed"][0, : len(changed)] = len(changed), changed
    history["place"][0, : len(both)] = [sum(turn <= now for turn in changed) - 1 for now in range(len(both))]
    for place, turn in enumerate(changed):
        history["points"][0, place], history["sources"][0, place, :, 0] = both[turn]
    return history


def test_the_total_of_an_array_is_that_of_all_its_items() -> None:
    """Also of those below 0."""
    players, out = compiler.records(PLAYER, 1), compiler.records(row_dtype(COLUMNS), 1)
    players[0].jars = [100, 30000, -1]
    write_total(players, out)
    assert out[0].untouched == 30099


def test_numbers_with_the_name_of_a_column_are_copied() -> None:
    """Fields that hold one number and share a column's name arrive as numbers of the column; nothing else changes."""
    players, out = compiler.records(PLAYER, 1), compiler.records(row_dtype(COLUMNS), 1)
    players[0].plums, players[0].hidden, players[0].share = -7, 5, 1 / 3
    players[0].jars = [1, 2, 3]
    players[0].trees = [4, 9]
    out[0].untouched = 8
    write(players, out)
    assert out[0].item() == (-7, float(np.float32(1 / 3)), 0, 0, 4, 9, 8)


def test_the_last_record_copied_counts() -> None:
    """Where two records have a field of the same column, the row holds that of the one copied last."""
    row, first, second = (compiler.records(dtype, 1)[0] for dtype in (row_dtype(COLUMNS), PLAYER, INNER))
    first.plums, second.plums, second.bees = 3, 300, 2
    copy_named(first, row)
    copy_named(second, row)
    assert (row.plums, row.bees) == (300, 2)


def test_an_array_needs_as_many_columns_as_items() -> None:
    """Two items for three columns are an error, when the kernel is compiled or when it runs."""
    players, out = compiler.records(PLAYER, 1), compiler.records(row_dtype(COLUMNS), 1)
    with pytest.raises((TypingError, ValueError), match=r"3 columns|shorter"):
        write_too_few(players, out)


def test_the_standard_columns_hold_what_they_mean() -> None:
    """Points after every tenth of eleven turns, and the result and course of a game that the last seat wins."""
    columns = (rows.TURNS, rows.DECISIONS, *rows.RESULT, *rows.COURSE, *rows.PROGRESS)
    out = compiler.records(row_dtype(columns), 3)
    scores = compiler.records(np.dtype([("points", "i2"), ("rank", "i2")]), 3)
    scores["points"], scores["rank"] = [20, 20, 31], [2, 2, 1]
    # Seat 0 leads until turn 5, seat 1 until turn 8, then seat 2; it was 6 behind at most.
    points = [*([2, 1, 1],) * 4, [8, 3, 2], *([8, 9, 8],) * 3, [9, 10, 10], *([20, 20, 25],) * 2]
    history = history_with(points)
    history["decisions"] = 44
    write_end(scores, history, 11, out)
    (turns, decisions, winners, winning_points, margin, changes, since, behind), *_ = [out[0].item()[:8]]
    assert (turns, decisions, winners, winning_points, margin) == (11, 44, 1, 31, 11)
    assert (changes, since, behind) == (2, 9, 6)
    # Tenths of eleven turns are over after turns 2, 3, 4, 5, 6, 7, 8, 9 and 10.
    course = [[int(row[name]) for name in rows.LEAD.progress] for row in out]
    assert course == [[after[seat] for after in points[1:10]] for seat in range(3)]


def test_points_by_source_are_those_after_every_fifth() -> None:
    """Of eleven turns, by hand: the columns go from fifth to fifth, and together are the points at that moment."""
    columns = (*rows.PROGRESS, *rows.progress_by_source(SOURCES))
    assert [column.name for column in columns[9:13]] == ["fruit_at_20", "wood_at_20", "fruit_at_40", "wood_at_40"]
    assert columns[12].meaning == "points from wood, after 40% of the turns"
    out = compiler.records(row_dtype(columns), 3)
    fruit = [[0, 0, 9], [1, 0, 9], [1, 2, 9], [1, 2, 9], [4, 2, 9], [4, 3, 9], *([4, 3, 9],) * 4, [30_000, 3, 9]]
    wood = [[0, 0, 0], *([0, 5, 1],) * 5, *([0, 6, 2],) * 3, [0, 7, 2], [0, 8, 2]]
    history = history_with(np.add(fruit, wood).tolist(), wood)  # the rest is fruit
    write_sources(history, 11, out)
    # The fifths are over after turns 3, 5, 7 and 9.
    fruit_at = rows.lead_by_source(SOURCES).by_source["fruit"]
    assert [int(out[0][name]) for name in fruit_at] == [1, 4, 4, 4]
    assert [int(out[1][f"fruit_at_{percent}"]) for percent in rows.FIFTHS] == [2, 2, 3, 3]
    assert [int(out[1][f"wood_at_{percent}"]) for percent in rows.FIFTHS] == [5, 5, 6, 6]
    for row in out:
        parts = [row[f"fruit_at_{percent}"] + row[f"wood_at_{percent}"] for percent in rows.FIFTHS]
        assert parts == [row[f"points_at_{percent}"] for percent in rows.FIFTHS]


def test_sources_need_a_column_for_each_moment() -> None:
    """Two columns for two sources at four moments are an error."""
    out = compiler.records(row_dtype(COLUMNS), 1)
    history = history_with([[0, 0, 0]])
    with pytest.raises((TypingError, ValueError), match=r"2 columns for 2 sources|longer"):
        write_sources_of_two(history, out)


def test_a_shared_win_has_no_margin() -> None:
    """Two winners with equal points: the margin is 0."""
    out = compiler.records(row_dtype(rows.RESULT), 1)[0]
    scores = compiler.records(np.dtype([("points", "i2"), ("rank", "i2")]), 3)
    scores["points"], scores["rank"] = [7, 4, 7], [1, 3, 1]
    rows.write_result(scores, 3, out)
    assert out.item() == (2, 7, 0)
