"""Sums over blocks, from which every estimate in a report and every covariance between estimates is computed.

Games of one block share a deal, so a block is one observation: a vector of sums (rows of each level, their wins, their
points, ...). Over all blocks only the total of these vectors and the sum of their products are kept. Any smooth
function of the totals (a share, a mean, a difference, a slope) gets its variance by linearisation, which includes every
dependence between seats and between games of a block (Särndal, Swensson and Wretman 1992, "Model Assisted Survey
Sampling", 5.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from polars import selectors

from rogsim.game.fair import EQUAL, Sides, sides_of
from rogsim.results.results import Results

ROWS_AT_ONCE = 200_000  # of seats: limits memory, and is large enough to be fast
KEYS = ("game", "block", "seat", "win_share")  # which are not added up over the seats of a side
FEW_SUMS = 100  # with more of them the sums of a block are mostly 0

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
    sides
        Who wins together; by default each seat alone.
    """

    players: int
    seats: pl.DataFrame
    games: pl.DataFrame
    sides: Sides = None  # type: ignore[assignment] # filled in

    def __post_init__(self) -> None:
        """Fill in what is not given."""
        object.__setattr__(self, "sides", self.sides or sides_of(EQUAL, self.players))

    @cached_property
    def starts(self) -> Ints:
        """Return the index of each block's first game, int64[blocks]."""
        block = self.games["block"].to_numpy()
        return np.flatnonzero(np.r_[True, block[1:] != block[:-1]])

    @cached_property
    def sizes(self) -> Ints:
        """Return the number of games of each block, int64[blocks]."""
        return np.diff(np.r_[self.starts, self.games.height])

    @cached_property
    def block(self) -> Ints:
        """Return the index of each game's block within this part, int64[games]."""
        return np.repeat(np.arange(len(self.starts)), self.sizes)

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
        return (self.points * self.players - total) / max(self.players - 1, 1)

    def with_wins(self, wins: Floats) -> BlockRows:
        """Return the same part with different win shares, float64[games, players]."""
        found = BlockRows(self.players, self.seats, self.games, self.sides)
        found.__dict__["wins"] = wins  # where cached_property keeps it
        return found

    def by_side(self) -> BlockRows:
        """Return the same games with a row for each side: its win share, and the numbers of its seats added up."""
        if self.sides.are_seats:
            return self
        count, rows = self.sides.count, self.seats.filter(pl.col("seat").is_in([at + 1 for at in self.sides.firsts]))
        added = [name for name in rows.select(selectors.numeric()).columns if name not in KEYS]
        sums = {name: (self.of_seats(name) @ self.sides.members).ravel() for name in added}
        seats = rows.with_columns(seat=np.tile(np.arange(1, count + 1), self.games.height), **sums)
        return BlockRows(count, seats, self.games, self.sides.alone).with_wins(self.wins[:, self.sides.firsts])

    def evened(self) -> BlockRows:
        """Return the same games with win shares as if all sides should win equally often: all else can be compared."""
        if self.sides.are_equal:
            return self
        return self.with_wins(self.wins - np.array(self.sides.shares)[list(self.sides.of_seats)] + self.sides.fair)

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

    def by_block(self, values: Floats) -> Floats:
        """Return sums by block, float64[blocks, ...], of values of games, float64[games, ...]."""
        return sums_of_blocks(values, self.sizes)

    def members(self, name: str, count: int) -> Floats:
        """Return which of `count` members each seat has, 0 or 1: float64[games, players, count], from a bit mask."""
        bits = self.seats[name].cast(pl.UInt64).to_numpy().reshape(-1, self.players, 1)
        return np.asarray(bits >> np.arange(count, dtype=np.uint64) & np.uint64(1), dtype=np.float64)


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

        The k sums are the rows of each level, then the first value of each level, and so on.

        Parameters
        ----------
        codes : int64[games, width]
            The index of each row's level, negative for rows that are left out.
        values
            float64 arrays of the same shape.
        """
        count, blocks, known = len(self.total) // (1 + len(values)), len(part.starts), codes >= 0
        met = np.flatnonzero(np.bincount(codes[known], minlength=count))
        at = np.concatenate([met + place * count for place in range(1 + len(values))])
        level, size = np.searchsorted(met, codes[known]), len(at)
        start = np.broadcast_to(part.block[:, None] * size, codes.shape)[known]
        cells = np.concatenate([start + level + place * len(met) for place in range(1 + len(values))])
        lines = np.concatenate([np.ones(len(start)), *(value[known] for value in values)])
        self.blocks += blocks
        if size <= FEW_SUMS:
            sums = np.bincount(cells, lines, blocks * size).reshape(blocks, size)
            products, present = sums.T @ sums, np.count_nonzero(sums, axis=0)
        else:
            from scipy.sparse import coo_array  # `run` has few levels

            sums = coo_array((lines, np.divmod(cells, size)), shape=(blocks, size)).tocsr()
            sums.eliminate_zeros()
            products, present = (sums.T @ sums).toarray(), np.bincount(sums.indices, minlength=size)
        self.total[at] += sums.sum(axis=0)
        self.products[np.ix_(at, at)] += products
        self.present[at] += present

    @property
    def covariance(self) -> Floats:
        """Return the covariance of the totals for independent blocks, float64[k, k]; nan with a single block."""
        if self.blocks < 2:
            return np.full_like(self.products, np.nan)
        spread = self.products - np.outer(self.total, self.total) / self.blocks
        rounding = 1e-12 * np.sqrt(np.outer(np.diag(self.products), np.diag(self.products)))
        return np.where(np.abs(spread) <= rounding, 0.0, spread) * self.blocks / (self.blocks - 1)


def parts(
    results: Results,
    players: int,
    seat_columns: Sequence[str],
    game_columns: Sequence[str],
    computed: Mapping[str, pl.Expr] | None = None,
) -> Iterator[BlockRows]:
    """Yield the rows of one player count, several whole blocks at a time.

    Parameters
    ----------
    seat_columns, game_columns
        Only these columns and those that identify a row are read.
    computed
        How columns of seats are computed that the rows do not have.
    """
    seats = results.seats().filter(pl.col("players") == players)
    named = [(computed or {}).get(name, pl.col(name)).alias(name) for name in _named("seat", seat_columns)]
    games = results.games().filter(pl.col("players") == players).select(_named("", game_columns))
    size = games.select(pl.len().alias("games"), pl.col("block").max().alias("last")).collect().row(0, named=True)
    if not size["games"]:
        return
    sides = results.sides(players)
    step = max(1, ROWS_AT_ONCE * (size["last"] + 1) // (size["games"] * players))
    for start in range(0, size["last"] + 1, step):
        wanted = pl.col("block").is_between(start, start + step - 1)
        rows, played = pl.collect_all([seats.filter(wanted).select(named), games.filter(wanted)])
        part = BlockRows(players, rows, played, sides)
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


def sums_of_blocks(values: Floats, sizes: Ints) -> Floats:
    """Return sums by block, float64[blocks, ...], of values of games; sizes: number of games of each block."""
    return values if len(sizes) == len(values) else np.add.reduceat(values, np.cumsum(sizes) - sizes, axis=0)


def stretches(sizes: Ints, most: int) -> Iterator[tuple[int, int, Ints]]:
    """Yield stretches of whole blocks of at most so many games: first game, game after the last, sizes of the blocks.

    A block with more games is a stretch by itself.
    """
    ends, first = np.cumsum(sizes), 0
    while first < len(sizes):
        start = int(ends[first] - sizes[first])
        last = max(first + 1, int(np.searchsorted(ends, start + most, side="right")))
        yield start, int(ends[last - 1]), sizes[first:last]
        first = last


def put_ones(found: Floats, codes: Ints, at: int) -> None:
    """Put a 1 into the column of each row's level.

    Parameters
    ----------
    found : float64[games, players, columns]
    codes : int64[games, players]
        The index of each row's level, negative for none.
    at
        The column of the first level.
    """
    game, seat = np.nonzero(codes >= 0)
    found[game, seat, at + codes[game, seat]] = 1.0


class Bundle:
    """Many sets of sums: some specific to each set, and as many that all sets have in common.

    It is like `Sums`, but only products within a set are kept.

    Parameters
    ----------
    count
        Number of sets.
    kinds
        Number of sums specific to a set.
    """

    def __init__(self, count: int, kinds: int = 3) -> None:
        self.blocks, self.kinds, self.size = 0, kinds, 2 * kinds
        self.total, self.present = np.zeros((self.size, count)), np.zeros((self.size, count))
        self.products = np.zeros((self.size, self.size, count))

    def add(self, specific: Floats, common: Floats) -> None:
        """Add the sums of more blocks.

        Parameters
        ----------
        specific : float64[blocks, kinds, count]
        common : float64[blocks, kinds]
        """
        kinds = self.kinds
        self.blocks += len(specific)
        self.total[:kinds] += specific.sum(axis=0)
        self.total[kinds:] += common.sum(axis=0)[:, None]
        self.present[:kinds] += np.count_nonzero(specific, axis=0)
        self.present[kinds:] += np.count_nonzero(common, axis=0)[:, None]
        self.products[:kinds, :kinds] += np.einsum("bkm,blm->klm", specific, specific)
        mixed = (common.T @ specific.reshape(len(specific), -1)).reshape(kinds, kinds, -1).transpose(1, 0, 2)
        self.products[:kinds, kinds:] += mixed
        self.products[kinds:, :kinds] += mixed.transpose(1, 0, 2)
        self.products[kinds:, kinds:] += (common.T @ common)[:, :, None]

    def sums(self, place: int) -> Sums:
        """Return the sums of one set: the specific ones, then those in common."""
        found = Sums(self.size)
        found.blocks, found.total, found.present = self.blocks, self.total[:, place], self.present[:, place]
        found.products = self.products[:, :, place]
        return found


def levels_of(rows: pl.LazyFrame, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return the levels that occur in each column, without null: in the order of the Enum, or sorted."""
    if not names:
        return {}
    found = rows.select(pl.col(name).unique().implode() for name in names).collect(engine="streaming")
    return {name: found[name][0].drop_nulls().sort().to_list() for name in names}


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
    seats, games = part.seats.sort("block", "game", "seat"), part.games.sort("block", "game")
    return BlockRows(part.players, seats, games, part.sides)
