"""Whether the results in rows of seats can be those of a game: ranks and win shares follow from each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rogsim.base.validation import not_allowed

CLOSE = 1e-3  # win shares are stored with seven digits

Wrong = tuple[str, NDArray[Any], str]  # a column, where it is wrong (bool for each row), and what it must be


def fault_of_results(seats: pl.DataFrame, players: int) -> str:
    """Return what is wrong with the ranks and win shares of whole games; empty if nothing is."""
    return next((fault_in(seats, *wrong) for wrong in wrong_results(seats, players) if wrong[1].any()), "")


def wrong_results(rows: pl.DataFrame, players: int) -> Iterator[Wrong]:
    """Yield where ranks do not follow from each other, and where win shares do not follow from them."""
    shares = _by_seat(rows["win_share"], players)
    first = shares > 0
    if "rank" in rows.columns and rows["rank"].dtype.is_integer():
        ranks = _by_seat(rows["rank"], players)
        behind = sum((ranks > other).astype(np.uint8) for other in ranks)
        yield "rank", (ranks != 1 + behind).T.ravel(), "must be one more than the number of seats with a lower rank"
        first = ranks == 1
    winners = first.sum(axis=0)
    fits = (np.abs(shares - first / np.maximum(winners, 1)) < CLOSE) & (winners > 0)
    yield "win_share", ~fits.T.ravel(), "the winners share 1 equally, and the others have 0"


def _by_seat(column: pl.Series, players: int) -> NDArray[Any]:
    """Return a column as an array [players, games]: adding up seats is ten times as fast then."""
    return np.ascontiguousarray(column.to_numpy().reshape(-1, players).T)


def fault_in(rows: pl.DataFrame, name: str, wrong: NDArray[Any], rule: str) -> str:
    """Return what is wrong with the first wrong value of a column: its column, its row, and what it must be."""
    place = int(np.argmax(wrong))
    row, value = rows.row(place, named=True), rows[name][place]
    seat = f", seat {row['seat']}" if name != "seat" and "seat" in row else ""
    where = f"row {place:,}" if name in ("players", "game", "seat") else f"game {row['game']}{seat}"
    return f'column "{name}", {where}: {not_allowed(value, rule)}'
