"""The chance that more games decide a question; docs/statistics.md has the same over more series."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from rogsim.stats.estimates import ALPHA
from rogsim.stats.judgement import judge
from rogsim.stats.prospects import CHANCE, DRAWS, Bools, Outlook, Prospect, percent, prospect
from scripts.studies.prospects import NOTHING, Page, Played, outcomes

pytestmark = pytest.mark.once_uncompiled

MARGIN = 4.0
PAGE = Page(2, 6, 300, MARGIN)
PLANTED = ((4.0,), (-8.0,), (4.0, -4.0), (8.0, -8.0))


@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize("planted", [(NOTHING,), PLANTED], ids=["null", "planted"])
def test_the_named_games_decide_as_often_as_stated(planted: tuple[tuple[float, ...], ...]) -> None:
    """Of all undecided questions of 24 pages, at least as many as stated are decided, but for chance."""
    found = [outcome for seed in range(24) for outcome in outcomes(seed, PAGE, planted[seed % len(planted)])]
    assert len(found) > 24
    stated = float(np.mean([outcome.chance for outcome in found]))
    missed = sum(outcome.kind == "open" for outcome in found)
    assert stated >= CHANCE
    assert missed <= scipy.stats.binom.isf(0.001, len(found), 1 - stated)
    if planted == (NOTHING,):
        assert np.mean([outcome.kind == outcome.likelier == "within" for outcome in found]) > 0.6


@pytest.mark.usefixtures("few_draws")
def test_later_looks_and_other_questions_need_more_games() -> None:
    """The named games suffice at the error rate of the next look, and for a page with so many questions."""
    played = Played(PAGE, np.random.default_rng(1), NOTHING)
    played.play(PAGE.games)
    seats, hands = played.claims(1)
    cases = [[seats], [replace(seats, look=4)], [seats, *[replace(hands, run="other")] * 20]]
    alone, later, among = (judge(family, MARGIN)[0].prospect for family in cases)
    assert alone is not None
    assert later is not None
    assert among is not None
    assert alone.games < later.games
    assert alone.games < among.games


def test_plausible_effects_are_smaller_than_they_look() -> None:
    """The largest of twenty estimates that are only noise is hardly believed; a clear one is."""
    noise = np.random.default_rng(2).normal(0, 2, 20)
    noise -= noise.mean()
    covariance = 4 * (np.eye(20) - 1 / 20)
    largest = int(np.abs(noise).argmax())
    believed = Outlook(noise, covariance, 2.0).after(1e9)[:, largest]
    assert abs(believed.mean()) < 0.25 * abs(noise[largest])
    clear = np.array([20.0, *[-20 / 19] * 19])
    assert Outlook(clear, covariance, 2.0).after(1e9)[:, 0].mean() == pytest.approx(20, abs=1.5)


def test_estimates_of_levels_that_determine_each_other_stay_so() -> None:
    """The effects of two seats are opposite in every draw, and so is what more games show of them."""
    outlook = Outlook(np.array([1.0, -1.0]), np.array([[1.0, -1.0], [-1.0, 1.0]]), 2.0)
    assert outlook.after(3.0).sum(axis=1) == pytest.approx(np.zeros(DRAWS), abs=1e-9)
    assert np.all(outlook.p(3.0) <= 1)


def test_an_answer_that_no_number_of_games_gives_has_no_number() -> None:
    """Effects right at the margin are never shown to be within it or beyond it; then nothing is named."""
    outlook = Outlook(np.array([2.0]), np.array([[0.0001]]), 2.0)

    def decided(growth: float) -> tuple[Bools, Bools]:
        return outlook.within(growth, 2.0, ALPHA), outlook.beyond(growth, 2.0, ALPHA)

    assert prospect(1_000, decided, 0.95, 2.0) is None
    clear = np.ones(DRAWS, dtype=bool)
    assert prospect(1_000, lambda _: (~clear, clear)) == Prospect(100, (0.0, 1.0))


def test_an_answer_is_named_only_if_it_is_far_likelier() -> None:
    """A chance is rounded down and never 100%."""
    assert Prospect(100, (0.9, 0.0578)).words("fair", "not") == "with a chance of 95%, most likely: fair"
    assert Prospect(100, (0.1, 0.89)).words("fair", "not") == "with a chance of 99%, most likely: not"
    assert Prospect(100, (0.7, 0.26)).words("fair", "not") == "with a chance of 96%"
    assert percent(1.0) == "99%"
