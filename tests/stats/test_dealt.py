"""Win shares adjusted for the luck of the deal: what is removed, that it is unbiased, and what it saves."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest

from rogsim.game.spec import GameSpec
from rogsim.game.topics import dealt_columns
from rogsim.games.river_of_gold.topics import TOPICS as RIVER_TOPICS
from rogsim.results.results import Results
from rogsim.stats.balance.levels import FOLDS, Levels, fit_dealt
from rogsim.stats.balance.measure import balance
from rogsim.stats.blocks import BlockRows, Floats, parts
from tests.series import FIELD, HANDS, SPEC, TOPICS, series

pytestmark = pytest.mark.once_compiled

WORTHS = (6.0, -6.0, 4.0, -4.0)  # points of the first hands


def declared(options: dict[str, object] | None) -> GameSpec:
    """The simulated game whose hands are dealt with these options; None: never."""
    return replace(SPEC, topics=(replace(TOPICS[0], dealt=options), *TOPICS[1:]))


def seats_of(results: Results, spec: GameSpec, players: int = 4) -> Levels:
    found = balance(results, spec, only=("seats",)).players[players].seats
    assert found is not None
    return found


def adjusted(results: Results, players: int = 4) -> tuple[BlockRows, Floats]:
    """All games of a short series as they were played, and their win shares without the worth of hands."""
    (part,) = parts(results, players, ["win_share", "hand"], [])
    return part, fit_dealt(results, ("hand",), {"hand": HANDS}, players).adjusted(part).wins


@pytest.mark.parametrize("bots", [("one",), FIELD])
def test_each_fold_is_adjusted_by_a_regression_on_the_others(bots: tuple[str, ...]) -> None:
    """What is subtracted from a win share is a least-squares prediction fitted without its block."""
    part, found = adjusted(series(np.random.default_rng(1), 300, 4, bots, hands=WORTHS, seats=(2,)))
    hands = (part.codes("hand", HANDS)[:, :, None] == np.arange(len(HANDS))).astype(float)
    columns = hands - hands.mean(axis=1, keepdims=True)
    fold = part.games["block"].to_numpy() % FOLDS
    for kept in range(FOLDS):
        others = fold != kept
        centred = part.wins[others] - part.wins[others].mean(axis=0)
        worth = np.linalg.lstsq(columns[others].reshape(-1, len(HANDS)), centred.ravel(), rcond=None)[0]
        assert found[~others] == pytest.approx(part.wins[~others] - columns[~others] @ worth)


def test_the_win_shares_of_a_game_still_add_up_to_one() -> None:
    """What is subtracted from one seat is added to the others, so seats stay fair on average."""
    _, found = adjusted(series(np.random.default_rng(2), 300, 3, hands=WORTHS), 3)
    assert found.sum(axis=1) == pytest.approx(np.ones(300))


@cache
def repeats() -> tuple[Floats, Floats, Floats]:
    """100 series of 300 games without an effect of seats: shares adjusted and as played, and coverage."""
    free, played, held = [], [], []
    for seed in range(100):
        found = seats_of(series(np.random.default_rng([3, seed]), 300, hands=WORTHS), declared({}))
        free.append([level.share.value for level in found.levels])
        played.append([level.value for level in found.plain])
        held.append([level.share.low <= 0.25 <= level.share.high for level in found.levels])
    return np.array(free), np.array(played), np.array(held, dtype=float)


def test_adjusted_shares_are_unbiased_and_closer_to_the_truth() -> None:
    """Over many short series their mean is the true value, and they vary less than the unadjusted shares."""
    free, played, _ = repeats()
    error = free.std(axis=0) / np.sqrt(len(free))
    assert np.all(np.abs(free.mean(axis=0) - 0.25) < 3.5 * error)
    assert played.var(axis=0).sum() / free.var(axis=0).sum() > 1.0


def test_narrower_intervals_still_hold_the_truth() -> None:
    """Intervals of adjusted shares contain it in 95% of cases, within chance; docs/statistics.md has 1,000 repeats."""
    _, _, held = repeats()
    assert 0.92 < held.mean() < 0.98


def test_only_what_was_dealt_adjusts_anything() -> None:
    """With levels that bots choose, or with too few games, shares are not adjusted."""
    results = series(np.random.default_rng(4), 400, hands=WORTHS)
    plain = seats_of(results, declared(None))
    assert plain.plain == ()
    assert "plain" not in plain.frame().columns
    free = seats_of(results, declared({}))
    assert free.frame()["plain"].to_list() == plain.frame()["share"].to_list()
    assert free.frame()["share"].to_list() != plain.frame()["share"].to_list()
    assert seats_of(results, declared({"hands": "dealt"})).plain == ()
    assert seats_of(series(np.random.default_rng(4), 159, hands=WORTHS), declared({})).plain == ()
    assert seats_of(series(np.random.default_rng(4), 160, hands=WORTHS), declared({})).plain != ()


def test_draws_are_adjusted_too() -> None:
    """The shares of a seat with a draw are means of the adjusted win shares; screens of hands are as played."""
    results = series(np.random.default_rng(5), 400, hands=WORTHS)
    part, found = adjusted(results)
    free, plain = (balance(results, declared(options), only=("draws", "hands")).players[4] for options in ({}, None))
    wins = pl.Series(found[:, 1]).filter(part.games["game"].is_in(with_draw(results, "x, y")))
    row = free.draws["draw"].seats().row(by_predicate=(pl.col("level") == "x, y") & (pl.col("seat") == 2), named=True)
    assert row["share"] == pytest.approx(wins.mean())
    assert free.levels["hand"] == plain.levels["hand"]


def with_draw(results: Results, draw: str) -> list[int]:
    return results.games().filter(pl.col("draw") == draw).select("game").collect()["game"].to_list()


@pytest.mark.parametrize(("mode", "found"), [("dealt", ("patron",)), ("draft", ()), ("alternative", ()), ("none", ())])
def test_patrons_count_as_dealt_only_where_nobody_chose_them(mode: str, found: tuple[str, ...]) -> None:
    """A drafted patron depends on who chose it, so it cannot be used."""
    assert dealt_columns(RIVER_TOPICS, {"scenario": {"options": {"patrons": mode}}}) == found
