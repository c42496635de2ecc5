"""The luck of the deal taken out of win shares: whether intervals and tests still hold, and what it saves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from rogsim.games.river_of_gold.components.names import PATRONS
from rogsim.results.results import Results
from rogsim.stats.balance.levels import FOLDS
from rogsim.stats.balance.measure import balance
from rogsim.stats.blocks import Floats, parts
from scripts.studies.null import play
from scripts.studies.rates import Rate, covers
from tests.series import FIELD, SPEC, TOPICS, series

DEALT = replace(SPEC, topics=(replace(TOPICS[0], dealt={}), *TOPICS[1:]))
HANDS, SEATS, SKILL = (6.0, -6.0, 4.0, -4.0), (2.0, 0.5, -0.5, -2.0), (0.0, 1.0, 2.0, 3.0)
CASES: tuple[tuple[str, int, int, Sequence[str], dict[str, Any]], ...] = (  # players, blocks, bots, effects
    ("no effect of seats, 2 players", 2, 300, ("one",), {}),
    ("no effect of seats, 4 players", 4, 300, ("one",), {}),
    ("no effect of seats, 4 players", 4, 2_000, ("one",), {}),
    ("seats matter, 4 players", 4, 300, ("one",), {"seats": SEATS}),
    ("seats matter, four bots that rotate", 4, 300, FIELD, {"seats": SEATS, "skill": SKILL, "fit": 2.0}),
)


def rates(repeats: int = 1_000) -> Iterator[Rate]:
    """Dealt hands worth up to 6 points more or less."""
    for name, players, blocks, bots, keys in CASES:
        truth = _truth(players, bots, keys)
        found: dict[str, list[float]] = defaultdict(list)
        for seed in range(repeats):
            results = series(np.random.default_rng([11, seed]), blocks, players, bots, hands=HANDS, **keys)
            measured = balance(results, DEALT, only=("seats", "draws")).players[players]
            assert measured.seats is not None
            shares = [level.share for level in measured.seats.levels]
            held = [covers(share.low, known, share.high) for share, known in zip(shares, truth, strict=True)]
            found["win share of a seat"].append(float(np.mean(held)))
            if "seats" not in keys:
                found["joint test of seats"].append(measured.seats.overall.p < 0.05)
            found["joint test of draws"].append(measured.draws["draw"].overall.p < 0.05)
        for what, hits in found.items():
            games = blocks * (players if len(bots) > 1 else 1)
            yield Rate.of(f"{name}: {what}", games, 5 if what.startswith("joint") else 95, hits)


def _truth(players: int, bots: Sequence[str], keys: Mapping[str, Any]) -> Floats:
    """Return the win shares of the seats: fair, or from very many games."""
    if "seats" not in keys:
        return np.full(players, 1 / players)
    shares = []
    for stretch in range(20):
        results = series(np.random.default_rng([12, stretch]), 50_000, players, bots, hands=HANDS, **keys)
        rows = results.seats().group_by("seat").agg(pl.col("win_share").cast(pl.Float64).mean()).sort("seat").collect()
        shares.append(rows["win_share"].to_numpy())
    return np.asarray(np.mean(shares, axis=0), dtype=np.float64)


def saved(games: int = 20_000) -> Iterator[str]:
    """By which factor fewer games of River of Gold with dealt patrons are as precise; so many are played."""
    for bots in (["balanced"], ["tuned"], ["balanced", "builder", "courier", "tuned"]):
        run = play("river-of-gold", games, [2, 3, 4], bots, patrons="dealt")
        for players in (2, 3, 4):
            won, block, patron = _rows(run, players)
            ones = np.asarray(patron[..., None] == np.arange(len(PATRONS)), dtype=np.float64)
            yield f"{', '.join(bots)}, {players} players: {factor(won, ones, block)}"


def _rows(results: Results, players: int) -> tuple[Floats, Any, Any]:
    """Return win shares, float64[games, players], blocks and codes of patrons."""
    found = list(parts(results, players, ["win_share", "patron"], []))
    patrons = [part.codes("patron", PATRONS) for part in found]
    blocks = [part.games["block"].to_numpy() for part in found]
    return np.concatenate([part.wins for part in found]), np.concatenate(blocks), np.concatenate(patrons)


def residuals(values: Floats, columns: Floats, block: Any) -> Floats:
    """Return values less what least squares on the other folds says, columns centred within games."""
    centred = columns - columns.mean(axis=1, keepdims=True)
    found, fold = np.empty_like(values), block % FOLDS
    for fold_out in range(FOLDS):
        fit = fold != fold_out
        x, y = centred[fit].reshape(-1, columns.shape[2]), values[fit] - values[fit].mean(axis=0)
        worth = np.linalg.pinv(x.T @ x, rcond=1e-9, hermitian=True) @ (x.T @ y.ravel())
        found[~fit] = values[~fit] - centred[~fit] @ worth
    return found


def factor(values: Floats, columns: Floats, block: Any) -> str:
    """Return by which factor adjusting for columns lowers the variance of the seats' means, with its 95% error."""
    return ratio(
        *(_sums(series - series.mean(axis=0), block) for series in (values, residuals(values, columns, block)))
    )


def _sums(values: Floats, block: Any) -> Floats:
    return np.asarray(np.add.reduceat(values, np.flatnonzero(np.diff(block, prepend=-1)), axis=0))


def ratio(plain: Floats, other: Floats) -> str:
    """Return the ratio of two variances from the same blocks, float64[blocks, k], with its 95% error."""
    up, down = (plain**2).sum(axis=1), (other**2).sum(axis=1)
    value = up.mean() / down.mean()
    return f"{value:.2f} (±{1.96 * (up - value * down).std() / down.mean() / np.sqrt(len(up)):.2f})"
