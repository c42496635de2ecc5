"""Small versions of `scripts.studies.search`: selected figures hold the truth about as often as they say."""

from __future__ import annotations

import numpy as np
import pytest

from rogsim.scenario.changes import changed_label
from rogsim.scenario.model import load
from scripts.studies.search import answer_hits, distance_hits, rating_hits, sweep_hits, tie

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("few_draws")]


@pytest.mark.parametrize(
    "case", ["2 seats, fair", "4 seats, all tied at 2 pp", "4 seats, one outlier", "8 levels, fair"]
)
def test_the_interval_of_the_largest_deviation_holds_the_true_one(case: str) -> None:
    """It does in 95% of series or a little more, also if several levels are tied: in at least 88 of 100."""
    assert sum(distance_hits(seed, case, 400)[0] for seed in range(100)) >= 88


@pytest.mark.parametrize(("case", "common"), [("2 seats, the same one off", 0.9), ("4 seats, another one off", 0.0)])
def test_equally_close_candidates_are_seldom_distinguished(case: str, common: float) -> None:
    """One of them is called closer with 99% confidence in 1% of cases, with 95% confidence in 5%."""
    found = np.array([tie(seed, case, 400, common) for seed in range(100)])
    assert (found >= 0.99).sum() <= 5
    assert (found >= 0.95).sum() <= 13


def test_the_answer_is_not_flattered() -> None:
    """Of candidates that are all at the edge, one is said to reach the goal in at most 5%; none beats the answer."""
    found = np.array([answer_hits(seed, "all as it is, 2 pp off", 1_000) for seed in range(40)])
    held, wrong, beaten = found.sum(axis=0)
    assert held >= 34
    assert wrong <= 6
    assert beaten == 0


def test_the_fairest_of_a_sweep_is_confirmed_without_its_luck() -> None:
    """In the sweep its distance is much too small; on new deals it is not."""
    found = np.mean([sweep_hits(seed, "all nine as far from fair") for seed in range(40)], axis=0)
    assert found[0] < -0.5
    assert abs(found[2]) < 0.4
    assert found[3] >= 0.85
    assert found[4] >= 0.85
    assert found[5] <= 0.15


def test_ratings_of_ten_blocks_have_intervals_wide_enough() -> None:
    """Percentiles would hold in 90%; widened ones in 95%: of 100 ratings at least 88."""
    assert sum(sum(rating_hits(seed, 10, 100)[0]) for seed in range(25)) >= 88


def test_a_list_is_shown_under_its_label_with_all_values_that_matter() -> None:
    """Two players have two of the four values; a single figure keeps its name."""
    keys = {"game": "river-of-gold", "players": [4], "games": 10, "seed": 1, "bots": ["random"]}
    change = {"setup.koku_by_turn_order.1": 5, "setup.koku_by_turn_order.4": 12}
    base, other = load(keys), load(keys | {"change": change | {"setup.hand": 3}})
    assert changed_label(base, other) == "Starting koku 5 / 8 / 9 / 12, setup.hand = 3"
    assert changed_label(base, other, was=True).startswith("Starting koku 5 / 8 / 9 / 12 (was 7 / 8 / 9 / 10), ")
    two = keys | {"players": [2]}
    assert changed_label(load(two), load(two | {"change": change})) == "Starting koku 5 / 8"
    assert changed_label(base, base) == "as it is"
