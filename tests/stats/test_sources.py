"""Intervals of what is mostly 0: points by source, rare counts, rare visits, rare shares."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import polars as pl
import pytest

from rogsim.game.topics import Spaces
from rogsim.stats.balance.association import CountSums, LevelPointSums
from rogsim.stats.balance.regression import SpaceSums
from rogsim.stats.balance.shape import ShapeSums
from rogsim.stats.blocks import BlockRows
from rogsim.stats.effects import Question
from rogsim.stats.estimates import clusters, mean
from rogsim.stats.paired.differences import differences
from scripts.studies.search import estimates
from scripts.studies.sources import simulated

pytestmark = pytest.mark.once_uncompiled
GAMES, SEATS = 1_000, 2


def rare(scoring: int) -> BlockRows:
    """Games of two seats in which seat 1 scores in the first ones, and seat 2 in all; both visit a space as often."""
    score = np.zeros((GAMES, SEATS))
    score[:scoring, 0] = score[:, 1] = 3
    seats = {"level": np.tile(["a", "b"], GAMES), "win_share": np.tile([0.0, 1.0], GAMES), "score": score.ravel()}
    seats |= {"points": score.ravel(), "visits": np.repeat(np.arange(GAMES) < scoring, SEATS)}
    games = pl.DataFrame({"game": np.arange(GAMES), "block": np.arange(GAMES), "turns": np.full(GAMES, 9)})
    return BlockRows(SEATS, pl.DataFrame(seats), games)


def test_intervals_of_points_by_source_contain_the_true_value() -> None:
    """93.5 to 96.5% of those shown do so, of levels as of winners and others, also if games share a deal."""
    held: dict[str, list[bool]] = defaultdict(list)
    for seed in range(100):
        for kind, _, hit in (*simulated(seed, 300), *simulated(seed, 300, rotations=4)):
            held[kind if kind.startswith("points") else "winners and others"].append(hit)
    shares = {kind: sum(hits) / len(hits) for kind, hits in held.items()}
    assert len(shares) == 3
    assert all(0.935 <= share <= 0.965 for share in shares.values()), shares


def test_points_that_few_blocks_have_get_no_interval() -> None:
    """From 30 blocks on with points from a source its mean and its difference have an interval and a q."""
    for scoring in (0, 1, 29, 30):
        sums = LevelPointSums("level", ["a", "b"], ["score"], [])
        sums.add(rare(scoring))
        row = sums.result().by_source().row(2, named=True)
        assert (row["level"], row["part"], row["n"], row["scored"]) == ("a", "score", GAMES, scoring)
        assert row["mean"] == pytest.approx(3 * scoring / GAMES)
        assert (row["mean_low"] is not None) == (scoring >= 30)


def test_a_level_that_never_scores_differs_for_certain() -> None:
    """If others score often enough, its difference from all has an interval, though its mean has none."""
    sums = LevelPointSums("level", ["a", "b"], ["score"], [])
    part = rare(0)
    scores = np.where(np.arange(2 * GAMES) % 4 == 1, 3, 0)  # seat 2, in every other game
    sums.add(BlockRows(SEATS, part.seats.with_columns(score=scores), part.games))
    row = sums.result().by_source().row(2, named=True)
    assert row["mean_low"] is None
    assert row["difference"] == pytest.approx(-0.75)
    assert -0.9 < row["difference_low"] < -0.75 < row["difference_high"] < -0.6


def test_other_means_of_what_is_rare_get_no_interval_either() -> None:
    """How often a space is visited, a seat's mean number, and a mean on a page of `compare` follow the same rule."""
    board = Spaces("s", "S", "space", {"visits": "S"}, ("visits",), "", "", ((0, 0),), visits=(("visits",),))
    for visiting, known in ((5, False), (50, True)):
        part = rare(visiting)
        counts, spaces = CountSums("visits", SEATS), SpaceSums(board, (), SEATS)
        for sums in (counts, spaces):
            sums.add(part)
        assert (counts.result().by_seat()["mean_low"][0] is not None) == known
        assert (spaces.result().frame()["visits_low"][0] is not None) == known
        visits = part.of_seats("visits")
        run = estimates(SEATS, visits, np.ones_like(visits))
        found = differences(Question("visits", "Visits", "for each seat", "seat"), SEATS, "variant", run, run, GAMES)
        assert found is not None
        assert np.isfinite(found.contrasts[0].before.low) == known


def test_a_rare_share_of_games_has_wilsons_interval() -> None:
    """Where no game of 1,000 ended in a tie, the share of such games may still be more than 0."""
    sums = ShapeSums(SEATS, None)
    sums.add(rare(5))
    row = sums.result().figures().row(by_predicate=pl.col("name") == "games with a shared win", named=True)
    assert row["value"] == row["low"] == 0
    assert 0.003 < row["high"] < 0.005


def test_a_profile_has_no_interval_for_what_hardly_ever_happens() -> None:
    """A mean that is 0 in most blocks needs 30 in which it is not; one that is hardly ever 0 needs two blocks."""
    for blocks, scoring, known in ((GAMES, 29, False), (GAMES, 30, True), (20, 10, True), (20, 9, False), (2, 2, True)):
        rows = rare(scoring).seats.filter(level="a").head(blocks)
        rows = rows.with_columns(pl.int_range(pl.len()).alias("block"), players=pl.lit(SEATS))
        ((group,),) = (found.values() for found in clusters(rows.lazy(), ["score"], ["players"]).values())
        assert np.isfinite(mean(group).low) == known
