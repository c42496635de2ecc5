"""How often intervals of rare levels contain the true value, and how often tests of them reject without any effect."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from rogsim.results.results import Results
from rogsim.stats.balance.association import slopes
from rogsim.stats.balance.measure import PlayersBalance, balance
from scripts.studies.rates import Rate, covers, each_kind
from tests.series import FIELD, HANDS, SPEC, names, results_of, series

RARE = 0.015  # how often a seat has the rare hand, the rare tool, coins
LAST = len(HANDS) - 1
ONLY = ("hands", "tools", "coins", "model")

Found = Iterator[tuple[str, bool]]


def rare(generator: np.random.Generator, games: int, players: int, bots: tuple[str, ...]) -> Results:
    """Games without effects, in which one hand is rare, one tool is rare, one nearly always had, and coins are rare."""
    rotations = players if len(bots) > 1 else 1
    plain = series(generator, games // rotations, players, bots)
    _, seats, played = plain.pieces[0]
    assert isinstance(seats, pl.DataFrame)
    assert isinstance(played, pl.DataFrame)
    count = seats.height
    hand = np.where(generator.random(count) < RARE, LAST, generator.integers(0, LAST, count))
    tools = (generator.random((count, 3)) < (RARE, 1 - RARE, 0.5)) @ np.array([1, 2, 4])
    coins = np.where(generator.random(count) < RARE, generator.integers(1, 4, count), 0)
    changed = seats.with_columns(
        names(hand, HANDS).alias("hand"),
        pl.Series("tools", tools.astype(np.uint8)),
        pl.Series("coins", coins.astype(np.int8)),
    )
    return results_of(changed, played, bots)


def thin(seed: int, games: int, players: int, bots: tuple[str, ...]) -> list[tuple[str, bool]]:
    """Return for each kind of estimate in one series whether its interval contains the true value (no effect)."""
    results = rare(np.random.default_rng([11, seed, len(bots)]), games, players, bots)
    return list(_told(balance(results, SPEC, only=ONLY).players[players]))


def _told(found: PlayersBalance) -> Found:
    levels = found.levels["hand"]
    yield "test of all hands, one of them rare: rejects", levels.overall.p < 0.05
    yield "any hand marked", any(level.p_holm < 0.05 for level in levels.levels)
    fair = 1 / found.players
    for row in levels.frame().iter_rows(named=True):
        kind = "rare" if row["level"] == HANDS[LAST] else "usual"
        yield f"win share of a {kind} hand", covers(row["share_low"], fair, row["share_high"])
        yield f"points ahead of a {kind} hand", covers(row["ahead_low"], 0, row["ahead_high"])
    yield "screen of tools: marks any", bool((found.members["tools"].frame()["q"].fill_null(1) < 0.05).any())
    for row in found.members["tools"].frame().iter_rows(named=True):
        kind = {"hammer": "a rare tool", "saw": "a tool that nearly all have"}.get(row["member"], "a tool")
        for value, label in (("difference", "win share"), ("points", "points")):
            if row[f"{value}_low"] is not None:
                yield f"{label} with {kind} minus without", covers(row[f"{value}_low"], 0, row[f"{value}_high"])
    row = slopes([found.counts["coins"]]).row(0, named=True)
    if row["p"] is not None:
        yield "slope of a rare number: p below 5%", row["p"] < 0.05
    for value, label in (
        ("share", "win share for one more"),
        ("points", "points for one more"),
        ("difference", "win share of having some"),
        ("points_difference", "points of having some"),
    ):
        if row[f"{value}_low"] is not None:
            yield f"{label}, rare", covers(row[f"{value}_low"], 0, row[f"{value}_high"])
    assert found.model is not None
    for row in found.model.frame().filter(term="hand").iter_rows(named=True):
        kind = "rare" if row["level"] == HANDS[LAST] else "usual"
        for value in ("share", "points"):
            if row[f"{value}_low"] is not None:
                yield f"regression, {value} of a {kind} hand", covers(row[f"{value}_low"], 0, row[f"{value}_high"])


def rates(repeats: int = 1_000) -> Iterator[Rate]:
    """Hands, tools and coins in 1.5% of cases."""
    for bots, name in ((("one",), "one bot"), (FIELD, "four bots that rotate")):
        answers = [thin(seed, 1_000, 4, bots) for seed in range(repeats)]
        yield from each_kind(f"{name}: ", 1_000, answers, ("test of", "any hand", "screen of", "slope of"))
