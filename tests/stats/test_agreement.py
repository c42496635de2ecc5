"""Several folders on one question: whether their effects are equal, and what a page says if they are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from rogsim.results.results import Results
from rogsim.stats.balance.measure import Balance, balance, claims
from rogsim.stats.effects import Question, exceedance, interval, quantile
from rogsim.stats.judgement import equal_means, judge
from scripts.studies.verdict import claims_of, dealt, on_the_margin, other_bots, same_bots
from tests.series import SPEC, of_chances
from tests.stats.test_judgement import claim

pytestmark = pytest.mark.once_uncompiled


def test_equal_means_of_one_level_is_welchs_test() -> None:
    """With two folders and one level it is Welch's t test, except for terms of the second order."""
    generator = np.random.default_rng(1)
    a, b = generator.normal(0, 1, 60), generator.normal(0.4, 3, 400)
    effects = np.array([[a.mean()], [b.mean()]])
    spreads = np.array([[[a.var(ddof=1) / len(a)]], [[b.var(ddof=1) / len(b)]]])
    found = equal_means(effects, spreads, np.array([60.0, 400.0]), 1)
    assert found.p == pytest.approx(scipy.stats.ttest_ind(a, b, equal_var=False).pvalue, rel=0.01)


def test_equal_means_of_many_levels_is_wrong_in_five_per_cent() -> None:
    """With vectors that sum to 0 and three folders of very unequal size, p is uniform."""
    generator = np.random.default_rng(2)
    p = []
    for _ in range(300):
        values, spreads, sizes = [], [], np.array([80, 300, 2_000])
        for size in sizes:
            rows = generator.normal(0, [1, 2, 1, 3], (size, 4))
            rows -= rows.mean(axis=1, keepdims=True)
            values.append(rows.mean(axis=0))
            spreads.append(np.cov(rows.T) / size)
        p.append(equal_means(np.array(values), np.array(spreads), sizes.astype(float), 3).p)
    assert scipy.stats.kstest(p, "uniform").pvalue > 0.01


def test_few_blocks_give_no_test_of_equal_effects() -> None:
    """Below 30 blocks, and two for each degree of freedom, a covariance is not known well enough."""
    effects, spreads = np.zeros((2, 3)), np.array([np.eye(3)] * 2)
    assert np.isnan(equal_means(effects, spreads, np.array([35.0, 1e6]), 3).p)
    assert equal_means(effects, spreads, np.array([36.0, 1e6]), 3).p == pytest.approx(1.0)


def test_folders_of_the_same_bot_rarely_depend_on_the_bots() -> None:
    """With 500 and 3,000 games of one bot, pages say "depends" as rarely as they should."""
    found = [same_bots(seed, (500, 3_000)) for seed in range(15)]
    assert sum(found) <= scipy.stats.binom.isf(0.001, 15, 0.05)


def test_a_real_difference_is_found_and_quoted() -> None:
    """A patron that is 8 pp stronger with one of two bots: the sentence quotes it, with both effects."""
    assert all(changes and first for changes, first in (other_bots(seed, 8.0, (3_000, 6_000)) for seed in range(5)))
    generator = np.random.default_rng(3)
    folders = [
        claims_of(dealt(generator, 4_000, 4, effects), ("patrons",))[0] for effects in ((8.0, *[-8 / 7] * 7), ())
    ]
    first, second = (replace(found, bots=(name,)) for found, name in zip(folders, "ab", strict=True))
    found = judge([first, second])[0].agreement
    assert found is not None
    assert (found.depends, found.differing[0]) == (True, "patron a")
    assert found.p < 0.05


def test_agreement_is_part_of_the_pages_family() -> None:
    """A p that suffices for a page with one question does not suffice among many."""
    pair = [claim(1.8, error=0.45, bots=("a",)), claim(0.0, error=0.45, bots=("b",))]
    others = [
        replace(claim(0.0, error=1.0), question=Question(f"topic {place}", "", share=True)) for place in range(12)
    ]
    alone, among = judge(pair)[0].agreement, judge([*pair, *others])[0].agreement
    assert alone is not None
    assert among is not None
    assert alone.p < 0.05 < among.p


def test_the_largest_of_several_figures_exceeds_its_quantile_as_often_as_wanted() -> None:
    """It agrees with plain simulation, and with closed forms for opposite and for independent variables."""
    opposite = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert quantile(opposite, 0.05) == pytest.approx(1.96, abs=0.01)
    assert exceedance(np.eye(8), 4.5) == pytest.approx(-np.expm1(8 * np.log1p(-2 * scipy.stats.norm.sf(4.5))), rel=0.02)
    bound = (np.eye(4) - 0.25) / 0.75
    drawn = np.random.default_rng(4).multivariate_normal(np.zeros(4), bound, 200_000, method="eigh")
    assert quantile(bound, 0.035) == pytest.approx(np.quantile(np.abs(drawn).max(axis=1), 0.965), rel=0.01)


def test_intervals_of_another_reach_agree_with_the_given_ones() -> None:
    """With the width of a 95% interval it is that interval; for a seat without a win it stays within 0 to 1."""
    results = of_chances(np.random.default_rng(5), 400, (0.0, 0.3, 0.3, 0.4))
    (seats,) = claims([_balance(results)], ())
    for contrast in seats.contrasts[1:]:
        again = interval(contrast, 1.959964)
        assert (again.low, again.high) == pytest.approx((contrast.effect.low, contrast.effect.high), abs=0.05)
    never = interval(seats.contrasts[0], 3.0)
    assert never.low == -25.0
    assert -25 < never.high < -22


def test_beyond_is_what_the_intervals_show() -> None:
    """The p-value of the margin is 0.05 exactly where a simultaneous 95% interval touches it."""
    seats = claim(4.0, -1.0, -3.0, error=0.5)
    low = seats.intervals(0.05)[0].low
    assert seats.p_beyond(low) == pytest.approx(0.05, abs=0.002)
    assert seats.p_beyond(4.5) == 1.0
    assert seats.p_beyond(0.0) < 1e-10


def test_the_largest_level_is_rarely_called_beyond_a_margin_on_which_it_lies() -> None:
    """With eight patrons at ±2 pp hardly any page says more, and intervals contain the true maximum."""
    found = np.array([on_the_margin(seed, 4_000) for seed in range(40)])
    assert found[:, 0].sum() <= scipy.stats.binom.isf(0.001, 40, 0.05)
    assert (~found[:, 1]).sum() <= scipy.stats.binom.isf(0.001, 40, 0.05)


def _balance(results: Results) -> Balance:
    return balance(results, SPEC, only=("seats",))
