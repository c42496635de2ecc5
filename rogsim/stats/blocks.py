"""Sums over blocks, from which every estimate in a report and every covariance between estimates is computed.

Games of one block share a deal, so a block is one observation: a vector of sums (rows of each level, their wins, their
points, ...). Over all blocks only the total of these vectors and the sum of their products are kept. Any smooth
function of the totals (a share, a mean, a difference, a slope) gets its variance by linearisation, which includes every
dependence between seats and between games of a block (Särndal, Swensson and Wretman 1992, "Model Assisted Survey
Sampling", 5.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rogsim.results.results import Results

ROWS_AT_ONCE = 200_000  # of seats: limits memory, and is large enough to be fast
MANY_ROWS = 6  # in a block: with more, those of the same level are added up first

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class BlockRows:
    """The rows of several whole blocks with one player count.

    Attributes
    ----------
    seats
        Rows of seats, game by game and seat by seat.
    games
        Rows of games, in the same order.
    """

    players: int
    seats: pl.DataFrame
    games: pl.DataFrame

    @cached_property
    def starts(self) -> Ints:
        """Return the index of each block's first game, int64[blocks]."""
        block = self.games["block"].to_numpy()
        return np.flatnonzero(np.r_[True, block[1:] != block[:-1]])

    @cached_property
    def block(self) -> Ints:
        """Return the index of each game's block within this part, int64[games]."""
        return np.repeat(np.arange(len(self.starts)), np.diff(np.r_[self.starts, self.games.height]))

    @cached_property
    def points(self) -> Floats:
        """Return the points, float64[games, players]."""
        return self.of_seats("points")

    @cached_property
    def wins(self) -> Floats:
        """Return the win shares, 0 to 1, float64[games, players]."""
        return self.of_seats("win_share")

    @cached_property
    def ahead(self) -> Floats:
        """Return the points of each seat minus the mean of the other seats, float64[games, players]."""
        total = self.points.sum(axis=1, keepdims=True)
        return (self.points * self.players - total) / (self.players - 1)

    def with_wins(self, wins: Floats) -> BlockRows:
        """Return the same part with different win shares, float64[games, players]."""
        found = BlockRows(self.players, self.seats, self.games)
        found.__dict__["wins"] = wins  # where cached_property keeps it
        return found

    def of_seats(self, name: str) -> Floats:
        """Return a column of seats as numbers, float64[games, players]."""
        return self.seats[name].cast(pl.Float64).to_numpy().reshape(-1, self.players)

    def of_games(self, name: str) -> Floats:
        """Return a column of games as numbers, float64[games]."""
        return self.games[name].cast(pl.Float64).to_numpy()

    def codes(self, name: str, levels: Sequence[Any]) -> Ints:
        """Return the index of each row's level, -1 for null or a level that is not listed.

        Returns
        -------
        int64[games, players] or int64[games]
            By whether the column is one of seats or of games.
        """
        if name in self.seats.columns:
            return places(self.seats[name], levels).reshape(-1, self.players)
        return places(self.games[name], levels)

    def in_blocks(self, values: NDArray[Any], missing: Any = 0) -> NDArray[Any]:
        """Return values by block, padded with `missing`.

        Parameters
        ----------
        values
            [games, width].

        Returns
        -------
        array[blocks, largest block * width]
            The values of each block, game by game.
        """
        width = values.shape[1]
        sizes = np.diff(np.r_[self.starts, self.games.height]) * width
        most = int(sizes.max())
        if (sizes == most).all():
            return values.reshape(-1, most)
        place = np.arange(most)
        rows = np.minimum((self.starts * width)[:, None] + place, values.size - 1)
        return np.where(place < sizes[:, None], values.ravel()[rows], missing)

    def by_block(self, values: Floats) -> Floats:
        """Return sums by block, float64[blocks, ...], of values of games, float64[games, ...]."""
        return values if len(self.starts) == len(values) else np.add.reduceat(values, self.starts, axis=0)


class Sums:
    """Totals of block sums and of their products, added up part by part.

    Attributes
    ----------
    blocks
        Number of blocks so far.
    total : float64[k]
        Totals of the sums.
    products : float64[k, k]
        Totals of the products of two sums.
    present : float64[k]
        Number of blocks in which each sum is not 0.
    """

    def __init__(self, size: int) -> None:
        self.blocks = 0
        self.total = np.zeros(size)
        self.products = np.zeros((size, size))
        self.present = np.zeros(size)

    def add(self, sums: Floats) -> None:
        """Add the sums of more blocks, float64[blocks, k]; for small k."""
        self.blocks += len(sums)
        self.total += sums.sum(axis=0)
        self.products += sums.T @ sums
        self.present += np.count_nonzero(sums, axis=0)

    def add_levels(self, part: BlockRows, codes: Ints, values: Sequence[Floats]) -> None:
        """Add the rows and the sums of values, by level, of more blocks.

        The k sums are the rows of each level, then the first value of each level, and so on. Products of two different
        values may be left out, because nothing uses them.

        Parameters
        ----------
        codes : int64[games, width]
            The index of each row's level, negative for rows that are left out.
        values
            float64 arrays of the same shape.
        """
        count = len(self.total) // (1 + len(values))
        code = part.in_blocks(np.where(codes < 0, count, codes), count)  # the last code is for rows left out
        lines = [np.ones(code.shape), *(part.in_blocks(value) for value in values)]
        if code.shape[1] >= count:
            cell = np.arange(len(code))[:, None] * (count + 1) + code
            found = [_by_code(cell, line, len(code) * (count + 1)).reshape(-1, count + 1)[:, :count] for line in lines]
            self.add(np.concatenate(found, axis=1))
            return
        if code.shape[1] > MANY_ROWS:
            code, lines = _gathered(code, lines, count)
        self._add_pairs(code, lines, count)

    def _add_pairs(self, code: Ints, lines: Sequence[Floats], count: int) -> None:
        """Add blocks with few of many levels, for each pair of places; code and each line: [blocks, places]."""
        self.blocks += len(code)
        self.total += np.concatenate([_by_code(code, line, count + 1)[:count] for line in lines])
        held = _in_blocks(code, count)
        alone = held.sum() == (code < count).sum()  # no block has a level twice, which is quicker to count
        for place, line in enumerate(lines):
            nonzero, found = line != 0, held
            if not nonzero.all():
                in_use = np.where(nonzero, code, count)
                found = np.bincount(in_use.ravel(), minlength=count + 1)[:count] if alone else _in_blocks(in_use, count)
            self.present[place * count : (place + 1) * count] += found
        for first in range(code.shape[1]):
            for second in range(first, code.shape[1]):
                pair = code[:, first] * (count + 1) + code[:, second]
                self._add_pair(pair, first == second, [(line[:, first], line[:, second]) for line in lines], count)

    def _add_pair(self, pair: Ints, same: bool, lines: Sequence[tuple[Floats, Floats]], count: int) -> None:
        """Add the products of two places in a block, which are identical if `same`."""

        def put(row: int, column: int, weight: Floats) -> None:
            found = np.bincount(pair, weight, (count + 1) ** 2).reshape(count + 1, count + 1)[:count, :count]
            self.products[row * count : (row + 1) * count, column * count : (column + 1) * count] += found
            if not same:
                self.products[column * count : (column + 1) * count, row * count : (row + 1) * count] += found.T

        rows = lines[0]
        for place, (first, second) in enumerate(lines):
            put(place, place, first * second)
            if place:
                put(0, place, rows[0] * second)
                put(place, 0, first * rows[1])

    def plus(self, other: Sums) -> Sums:
        """Return the sums over the blocks of both."""
        both = Sums(len(self.total))
        both.blocks = self.blocks + other.blocks
        both.total = self.total + other.total
        both.products = self.products + other.products
        both.present = self.present + other.present
        return both

    @property
    def covariance(self) -> Floats:
        """Return the covariance of the totals for independent blocks, float64[k, k]; nan with a single block."""
        if self.blocks < 2:
            return np.full_like(self.products, np.nan)
        spread = self.products - np.outer(self.total, self.total) / self.blocks
        rounding = 1e-12 * np.sqrt(np.outer(np.diag(self.products), np.diag(self.products)))
        return np.where(np.abs(spread) <= rounding, 0.0, spread) * self.blocks / (self.blocks - 1)


def parts(
    results: Results, players: int, seat_columns: Sequence[str], game_columns: Sequence[str]
) -> Iterator[BlockRows]:
    """Yield the rows of one player count, several whole blocks at a time.

    Parameters
    ----------
    seat_columns, game_columns
        Only these columns and those that identify a row are read.
    """
    seats = results.seats().filter(pl.col("players") == players).select(_named("seat", seat_columns))
    games = results.games().filter(pl.col("players") == players).select(_named("", game_columns))
    size = games.select(pl.len().alias("games"), pl.col("block").max().alias("last")).collect().row(0, named=True)
    if not size["games"]:
        return
    step = max(1, ROWS_AT_ONCE * (size["last"] + 1) // (size["games"] * players))
    for start in range(0, size["last"] + 1, step):
        wanted = pl.col("block").is_between(start, start + step - 1)
        part = BlockRows(players, *pl.collect_all([seats.filter(wanted), games.filter(wanted)]))
        if part.games.height:
            yield _in_order(part)


def places(series: pl.Series, levels: Sequence[Any]) -> Ints:
    """Return the index of each entry in `levels`, int64[n]; -1 for null and for entries that are not listed."""
    if isinstance(series.dtype, pl.Enum):
        names = series.dtype.categories.to_list()
        known = np.full(len(names) + 1, -1)  # the last entry is for null
        for place, level in enumerate(levels):
            if level in names:
                known[names.index(level)] = place
        return known[series.to_physical().cast(pl.Int64).fill_null(len(names)).to_numpy()]
    found = series.replace_strict(list(levels), list(range(len(levels))), default=-1, return_dtype=pl.Int64)
    return found.fill_null(-1).to_numpy()


class Bundle:
    """Many sets of six sums: three specific to each set, and three that all sets have in common.

    It is like `Sums`, but only products within a set are kept.

    Parameters
    ----------
    count
        Number of sets.
    """

    def __init__(self, count: int) -> None:
        self.blocks = 0
        self.total, self.products, self.present = np.zeros((6, count)), np.zeros((6, 6, count)), np.zeros((6, count))

    def add(self, specific: Floats, common: Floats) -> None:
        """Add the sums of more blocks.

        Parameters
        ----------
        specific : float64[blocks, 3, count]
        common : float64[blocks, 3]
        """
        self.blocks += len(specific)
        self.total[:3] += specific.sum(axis=0)
        self.total[3:] += common.sum(axis=0)[:, None]
        self.present[:3] += np.count_nonzero(specific, axis=0)
        self.present[3:] += np.count_nonzero(common, axis=0)[:, None]
        for i in range(3):
            for j in range(3):
                # einsum and not a matrix product: only the diagonal is wanted
                self.products[i, j] += np.einsum("bm,bm->m", specific[:, i], specific[:, j])
                mixed = np.einsum("bm,b->m", specific[:, i], common[:, j])
                self.products[i, 3 + j] += mixed
                self.products[3 + j, i] += mixed
                self.products[3 + i, 3 + j] += common[:, i] @ common[:, j]

    def sums(self, place: int) -> Sums:
        """Return the sums of one set: its three specific ones, then the three in common."""
        found = Sums(6)
        found.blocks, found.total, found.present = self.blocks, self.total[:, place], self.present[:, place]
        found.products = self.products[:, :, place]
        return found


def levels_of(rows: pl.LazyFrame, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return the levels that occur in each column, without null: in the order of the Enum, or sorted."""
    if not names:
        return {}
    found = rows.select(pl.col(name).unique().implode() for name in names).collect(engine="streaming")
    return {name: found[name][0].drop_nulls().sort().to_list() for name in names}


def _by_code(code: Ints, weight: Floats, count: int) -> Floats:
    return np.asarray(np.bincount(code.ravel(), weight.ravel(), count), dtype=np.float64)


def _gathered(code: Ints, lines: Sequence[Floats], count: int) -> tuple[Ints, list[Floats]]:
    """Add up the rows of a block that have the same level; the result has a place for each level of a block."""
    order = np.argsort(code, axis=1)
    ordered = np.take_along_axis(code, order, axis=1)
    new = np.zeros(ordered.shape, dtype=np.int64)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    place = np.cumsum(new, axis=1)
    most = int(place[:, -1].max()) + 1
    cell = np.arange(len(code))[:, None] * most + place
    codes = np.full(len(code) * most, count)
    codes[cell.ravel()] = ordered.ravel()
    sums = [_by_code(cell, np.take_along_axis(line, order, axis=1), len(codes)).reshape(-1, most) for line in lines]
    return codes.reshape(-1, most), sums


def _in_blocks(code: Ints, count: int) -> Ints:
    """Return in how many blocks (rows of `code`) each level occurs."""
    ordered = np.sort(code, axis=1)
    new = np.ones(ordered.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    return np.bincount(ordered[new], minlength=count + 1)[:count]


def _named(extra: str, names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*(["game", "block"]), *([extra] if extra else []), *names]))


def _in_order(part: BlockRows) -> BlockRows:
    """Return a part sorted by block, game and seat; usually it is sorted already."""
    block = part.games["block"].to_numpy()
    ordered = bool((block[1:] >= block[:-1]).all())
    expected = np.repeat(part.games["game"].to_numpy(), part.players)
    same = len(expected) == part.seats.height and np.array_equal(part.seats["game"].to_numpy(), expected)
    turns = np.tile(np.arange(1, part.players + 1), part.games.height)
    if ordered and same and np.array_equal(part.seats["seat"].to_numpy(), turns):
        return part
    return BlockRows(part.players, part.seats.sort("block", "game", "seat"), part.games.sort("block", "game"))
