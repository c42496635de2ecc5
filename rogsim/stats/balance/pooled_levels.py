"""Partially pooled estimates for a page: levels, and draws by seat, over player counts and folders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rogsim.stats.balance.draws import Draws
from rogsim.stats.balance.levels import Levels
from rogsim.stats.balance.measured import Balance
from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import FEWEST_BLOCKS, table
from rogsim.stats.estimates import CONFIDENCE
from rogsim.stats.partial_pooling import Context, Pooled, pool
from rogsim.stats.special_functions import ndtri

FEWEST_ROWS = 30  # a level with fewer rows is not pooled: its noise is too far from normal
BORROWED = 200.0  # blocks: with this many, the level's design effect counts as much as that of all levels
TOWARD = 4.0  # games at the fair share that are added before a variance is computed: a share of 0 has noise, too
POOLED_COLUMNS = ("pooled", "pooled_low", "pooled_high", "chance")
BOUND = 1e-6  # pp: effects whose weighted sum is smaller are constrained to add up to 0

Item = tuple[Any, ...]


@dataclass(frozen=True)
class PooledTable:
    """Partially pooled effects.

    Attributes
    ----------
    margin
        Margin of equivalence, in percentage points.
    each
        One row for each context and item: folder (its index), players, level, for draws also seat, then `pooled`
        (pp, with `pooled_low` and `pooled_high`) and `chance`, the probability that the effect is outside the
        margin, 0 to 1; null where there are too few rows.
    overall
        One row for each item, over all contexts, with the same columns and `plain` (pp, with its 95% interval), the
        mean of the plain estimates; empty with a single context.
    """

    margin: float
    each: pl.DataFrame
    overall: pl.DataFrame


@dataclass(frozen=True)
class _Context:
    """The plain estimates of one player count in one folder.

    effect: float64[items], in pp. variance: float64[items], in pp squared. n: float64[items], rows. free: the share of
    an estimate that is free to vary (see `partial_pooling.pool`).
    """

    folder: int
    players: int
    items: Sequence[Item]
    effect: Floats
    variance: Floats
    n: Floats
    free: float


def pooled_levels(balances: Sequence[Balance], column: str, margin: float) -> PooledTable:
    """Return the effects of a column's levels, partially pooled over levels, player counts and folders.

    Parameters
    ----------
    margin
        Margin of equivalence, in percentage points.
    """
    contexts = [
        _of_levels(folder, measured.levels[column])
        for folder, balance in enumerate(balances)
        for measured in balance.players.values()
        if column in measured.levels
    ]
    return _pooled(contexts, ("level",), margin)


def pooled_draws(balances: Sequence[Balance], column: str, margin: float) -> PooledTable:
    """Return what each seat wins with a draw beyond its share over all games, pooled over draws, seats and folders.

    Each player count is pooled separately: a seat's position is not the same with more players.

    Parameters
    ----------
    margin
        Margin of equivalence, in percentage points.
    """
    found: dict[int, list[_Context]] = {}
    for folder, balance in enumerate(balances):
        for players, measured in balance.players.items():
            if column in measured.draws and len(measured.draws[column].levels) > 1:
                found.setdefault(players, []).append(_of_draws(folder, measured.draws[column]))
    pooled = [_pooled(contexts, ("level", "seat"), margin) for _, contexts in sorted(found.items())]
    return PooledTable(margin, _together([part.each for part in pooled]), _together([part.overall for part in pooled]))


def _together(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    kept = [frame for frame in frames if frame.height]
    return pl.concat(kept, how="diagonal_relaxed") if kept else pl.DataFrame()


def _of_levels(folder: int, levels: Levels) -> _Context:
    n = np.array([level.n for level in levels.levels], dtype=np.float64)
    share = np.array([level.share.value for level in levels.levels])
    fair = np.full(len(n), 1 / levels.players)
    effect = 100 * (share - fair)
    variance = _variances(share, fair, n, levels.covariance, levels.level_blocks)
    bound = abs(float(np.nansum(n * effect))) < BOUND * n.sum()
    free = (len(n) - 1) / len(n) if bound else 1.0
    return _Context(folder, levels.players, [(level.level,) for level in levels.levels], effect, variance, n, free)


def _of_draws(folder: int, draws: Draws) -> _Context:
    rows = draws.seats().select("level", "seat", "n", "share", "beyond")
    n, share, beyond = (rows[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in ("n", "share", "beyond"))
    of_all = 1 - n / (n.sum() / draws.players)  # a draw is part of what it is compared with
    variance = _variances(share, share - beyond / 100, n / of_all, draws.covariance, draws.cell_blocks)
    count = len(draws.levels)
    free = (count - 1) * (draws.players - 1) / (count * draws.players)
    items = [(row["level"], row["seat"]) for row in rows.iter_rows(named=True)]
    return _Context(folder, draws.players, items, beyond, np.where(n > 0, variance, np.nan), n, free)


def _variances(share: Floats, toward: Floats, n: Floats, covariance: Floats | None, blocks: Sequence[float]) -> Floats:
    """Return variances of shares in pp squared; nan where there are too few rows or blocks.

    A variance is that of independent games times the design effect: how much more or less noise blocks have. A share is
    first moved slightly toward `toward`, so that a share of 0 has noise, too. A level in few blocks borrows the design
    effect of the others.
    """
    if covariance is None:
        raise ValueError("pooling needs the covariance of the estimates")
    measured, held = np.diag(covariance), np.asarray(blocks, dtype=np.float64)
    kept = (n >= FEWEST_ROWS) & (held >= FEWEST_BLOCKS) & np.isfinite(measured)
    spread = 1e4 * share * (1 - share)
    usable = kept & (spread > 0)
    design = float((n * measured)[usable].sum() / spread[usable].sum()) if usable.any() else 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        separate = np.where(usable, n * measured / spread, design)
        mixed = (held * separate + BORROWED * design) / (held + BORROWED)
        games = n / np.maximum(mixed, 1e-3)
        near = (games * share + TOWARD * toward) / (games + TOWARD)
        return np.where(kept, 1e4 * near * (1 - near) / games, np.nan)


def _pooled(contexts: Sequence[_Context], names: Sequence[str], margin: float) -> PooledTable:
    items = list(dict.fromkeys(item for context in contexts for item in context.items))
    if len(items) < 2:
        return PooledTable(margin, pl.DataFrame(), pl.DataFrame())
    place = {item: row for row, item in enumerate(items)}
    effects, variances, n = (np.full((len(items), len(contexts)), np.nan) for _ in range(3))
    free = np.zeros((len(items), len(contexts)))
    for column, context in enumerate(contexts):
        rows = [place[item] for item in context.items]
        effects[rows, column], variances[rows, column] = context.effect, context.variance
        n[rows, column], free[rows, column] = context.n, context.free
    keys: list[Context] = [(context.players, context.folder) for context in contexts]
    found = pool(effects, variances, keys, margin, free.max(axis=1))
    return PooledTable(
        margin,
        _table(_each_rows(contexts, place, found, np.isfinite(variances), names)),
        _table(_overall_rows(contexts, items, found, effects, variances, n, names)),
    )


def _table(rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    frame = table(rows)
    return frame.cast(dict.fromkeys(POOLED_COLUMNS, pl.Float64)) if frame.height else frame


def _each_rows(
    contexts: Sequence[_Context], place: dict[Item, int], found: Pooled, known: Any, names: Sequence[str]
) -> list[dict[str, Any]]:
    return [
        {"folder": context.folder, "players": context.players}
        | dict(zip(names, item, strict=True))
        | _columns(found, place[item], column, bool(known[place[item], column]))
        for column, context in enumerate(contexts)
        for item in context.items
    ]


def _overall_rows(
    contexts: Sequence[_Context],
    items: Sequence[Item],
    found: Pooled,
    effects: Floats,
    variances: Floats,
    n: Floats,
    names: Sequence[str],
) -> list[dict[str, Any]]:
    """Return means over the contexts; null for an item with too few rows in one of them."""
    if len(contexts) < 2:
        return []
    value = effects.mean(axis=1)
    reach = float(ndtri((1 + CONFIDENCE) / 2)) * np.sqrt(variances.mean(axis=1) / len(contexts))
    players = sorted({context.players for context in contexts})
    return [
        ({"players": players[0]} if len(players) == 1 else {})
        | dict(zip(names, item, strict=True))
        | {"n": int(np.nansum(n[row]))}
        | {"plain": value[row], "plain_low": value[row] - reach[row], "plain_high": value[row] + reach[row]}
        | _columns(found, row, len(contexts), bool(np.isfinite(variances[row]).all()))
        for row, item in enumerate(items)
    ]


def _columns(found: Pooled, row: int, column: int, known: bool) -> dict[str, float | None]:
    if not known:
        return dict.fromkeys(POOLED_COLUMNS)
    kinds = (found.value, found.low, found.high, found.chance)
    return {name: float(values[row, column]) for name, values in zip(POOLED_COLUMNS, kinds, strict=True)}
