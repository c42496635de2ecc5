"""Judgements, plans, and what a whole page promises; docs/statistics.md has the same with more repeats."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import scipy.stats

from rogsim.report.sentences import sentence
from rogsim.stats.balance.measure import Balance, balance, claims
from rogsim.stats.contrasts import JointTest
from rogsim.stats.effects import Contrast, Effects, Question
from rogsim.stats.estimates import Estimate
from rogsim.stats.judgement import Judgement, judge
from rogsim.stats.prospects import (
    games_for,
    games_for_fair,
    percent,
    two_figures,
)
from scripts.studies.rates import covers
from scripts.studies.statistics import at_margin, bonus, page, planned_games, power_of_test
from tests.series import FIELD, SPEC, TOPICS, joined, series

pytestmark = pytest.mark.once_uncompiled


QUESTION = Question("seats", "Seats", noun="seat", share=True, against="than a fair share")


def claim(*effects: float, error: float = 0.3, p: float = 0.5, bots: tuple[str, ...] = ("one",)) -> Effects:
    """Effects of seats in pp, all known to the same standard error, after 10,000 games."""
    contrasts = []
    for seat, effect in enumerate(effects, 1):
        wide, narrow = (
            Estimate(effect, effect - z * error, effect + z * error, 10_000, 10_000.0) for z in (1.96, 1.645)
        )
        single = 2 * scipy.stats.norm.sf(abs(effect) / error)
        contrasts.append(Contrast(f"seat {seat}", wide, narrow, float(single)))
    return Effects(QUESTION, 4, "here", tuple(contrasts), JointTest(1.0, 3, 10_000, p), 10_000, bots)


def verdict(*effects: float, error: float = 0.3, p: float = 0.5) -> Judgement:
    return judge([claim(*effects, error=error, p=p)])[0]


def test_a_level_shown_to_be_beyond_the_margin() -> None:
    """The judgement names the levels, the largest effect first."""
    found = verdict(4.0, -0.1, -3.9, error=0.3, p=1e-9)
    assert (found.kind, found.beyond, found.differing) == ("beyond", ("seat 1", "seat 3"), ("seat 1", "seat 3"))
    assert found.largest.name == "seat 1"
    assert [found.kind_of(f"seat {seat}") for seat in (1, 2, 3)] == ["beyond", "within", "beyond"]
    assert found.prospect is None


def test_a_small_effect_that_is_there_is_within_the_margin() -> None:
    """Levels may differ from 0 and all be within the margin."""
    found = verdict(1.0, -1.0, error=0.2, p=1e-6)
    assert (found.kind, found.beyond, found.differing) == ("within", (), ("seat 1", "seat 2"))
    assert found.p_within < 0.05


def test_one_wide_interval_keeps_a_question_open() -> None:
    """All levels must be within the margin; otherwise the games that would decide it are given, with the chance."""
    found = verdict(0.2, 0.8, -1.0, error=0.8, p=0.2)
    assert found.kind == "open"
    assert found.prospect is not None
    assert found.prospect.games == two_figures(found.prospect.games)
    chance = percent(found.prospect.chance)
    assert f" About {found.prospect.games:,} more games would decide it with a chance of {chance}" in sentence(found)


def test_an_effect_whose_size_is_open_is_slight() -> None:
    """It differs from 0, and is not shown to be beyond the margin."""
    found = verdict(2.5, -2.5, error=0.6, p=0.001)
    assert (found.kind, found.beyond, found.differing) == ("slight", (), ("seat 1", "seat 2"))
    assert "Not shown to be more than ±2 pp." in sentence(found)


@pytest.mark.parametrize(
    ("effect", "error", "p", "kind"),
    [(2.5, 0.6, 0.01, "slight"), (4.0, 0.75, 0.9, "beyond"), (0.5, 0.75, 0.9, "within")],
)
def test_the_questions_of_a_page_share_their_five_per_cent(effect: float, error: float, p: float, kind: str) -> None:
    """What suffices on a page with one question does not suffice among ten (Holm): for each of the three claims."""
    single = claim(effect, -effect, error=error, p=p)
    assert judge([single])[0].kind == kind
    assert judge([single, *[claim(2.0, error=1.0)] * 9])[0].kind == "open"


def test_too_few_games_give_no_judgement() -> None:
    """Without intervals nothing is known, and a missing test does not count for other questions."""
    blank = Contrast("seat 1", *[Estimate(0.1, math.nan, math.nan, 3, math.nan)] * 2, math.nan)
    empty = replace(claim(0.0), contrasts=(blank,), overall=JointTest(math.nan, 0, 1, math.nan), games=3, blocks=1)
    found = judge([empty, claim(4.0, error=0.5, p=0.03)])
    assert found[0].kind == "open"
    assert sentence(found[0]).startswith("Too few games to tell.")
    assert found[1].kind == "beyond"


def with_rare(*rare: str, n: int = 1, effects: tuple[float, ...] = (0.2, 0.1, -0.3)) -> Effects:
    """Seats that are nearly fair, and rare levels that won their few games and have no interval."""
    usual = claim(*effects, error=0.5)
    blanks = (Contrast(name, *[Estimate(75.0, math.nan, math.nan, n, math.nan)] * 2, math.nan) for name in rare)
    return replace(usual, contrasts=(*usual.contrasts, *blanks))


def test_a_level_without_an_interval_is_not_the_largest() -> None:
    """The largest effect is one that has an interval; the sentence says which levels have too few games for one."""
    (found,) = judge([with_rare("a rare one")])
    assert (found.kind, found.largest.name) == ("open", "seat 3")
    assert " A rare one has too few games." in sentence(found)
    assert " A, b, c and 1 more have too few games." in sentence(judge([with_rare("a", "b", "c", "d")])[0])
    assert "too few games" not in sentence(verdict(0.2, 0.1, -0.3, error=3.0))


def test_rare_levels_need_more_games() -> None:
    """To show that all levels are fair takes as many more games as the rarest level needs."""
    few, many = (judge([with_rare("rare", n=n, effects=(0.0, 0.0))])[0].prospect for n in (5, 50))
    assert few is not None
    assert many is not None
    assert few.games == pytest.approx(10 * many.games, rel=0.3)
    assert many.games > 10 * 10_000


def test_a_difference_between_variants_is_no_question_of_agreement() -> None:
    """Two variants may differ from the base by different amounts; only effects against a fair share are compared."""
    against = [claim(4.0, -4.0, bots=("a",)), claim(0.0, 0.0, bots=("b",))]
    assert all(found.agreement is not None for found in judge(against))
    between = [replace(each, question=replace(QUESTION, against="")) for each in against]
    assert all(found.agreement is None for found in judge(between))


@pytest.fixture(scope="module")
def small() -> Balance:
    generator = np.random.default_rng(1)
    both = joined(*(series(generator, 300, players, FIELD[:players], seats=(4,)) for players in (2, 4)))
    return balance(both, SPEC)


def test_the_claims_of_a_folder_are_seats_levels_and_draws(small: Balance) -> None:
    """Screens and bots are not claims; seats, levels and draws are, for each number of players."""
    found = claims([small], TOPICS)
    assert [(claim.players, claim.question.topic) for claim in found] == [
        (players, topic) for players in (2, 4) for topic in ("seats", "hands", "draws")
    ]
    assert [len(claim.contrasts) for claim in found] == [2, 8, 6, 4, 8, 12]
    verdicts = judge(found)
    assert [judged.kind for judged in verdicts if judged.effects.question.topic == "seats"] == ["beyond"] * 2
    assert verdicts[0].largest.name == "seat 1"
    assert "seat 1 with x, y" in {claim.name for claim in found[2].contrasts}


def test_only_what_is_asked_for_is_worked_out(small: Balance) -> None:
    """A command that needs the seats gets only the seats."""
    found = balance(series(np.random.default_rng(2), 50), SPEC, only=("seats",)).players[4]
    assert found.seats is not None
    assert not (found.levels or found.members or found.parts)
    assert (found.shape, found.model) == (None, None)
    assert set(small.players[4].counts) == {"coins"}


def test_screens_stop_when_they_know_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Screens and the regression use only the first games, claims use all of them."""
    monkeypatch.setattr("rogsim.stats.balance.measure.MOST_SCREENED", 100)
    monkeypatch.setattr("rogsim.stats.blocks.ROWS_AT_ONCE", 240)
    found = balance(series(np.random.default_rng(3), 300), SPEC).players[4]
    assert (found.games, found.screened) == (300, 120)
    assert found.model is not None
    assert found.model.frame().filter(term="seat")["n"].to_list() == [120] * 4
    assert found.counts["coins"].frame()["n"].sum() == 4 * 120
    assert found.seats is not None
    assert found.seats.levels[0].n == 300


def test_plans_keep_their_promise() -> None:
    """With the games that are named a test has the requested power."""
    generator = np.random.default_rng(4)
    drawn = generator.normal(1.0, 40 / math.sqrt(games_for(1.0, 40.0)), 20_000)
    assert (np.abs(drawn) > 1.96 * 40 / math.sqrt(games_for(1.0, 40.0))).mean() == pytest.approx(0.8, abs=0.015)
    for effect in (0.0, 0.5):
        error = 40 / math.sqrt(games_for_fair(2.0, 40.0, effect))
        drawn = generator.normal(effect, error, 20_000)
        assert (np.abs(drawn) + 1.645 * error < 2).mean() == pytest.approx(0.8, abs=0.015)
    assert games_for_fair(2.0, 40.0, 2.5) == math.inf


def test_the_power_of_the_test_of_all_levels_is_that_of_chi_squared() -> None:
    """With many blocks it is that of the noncentral chi-squared test, even if shares determine each other."""
    chances = np.array([0.28, 0.24, 0.24, 0.24])
    effects, covariance = chances - 0.25, np.diag(chances) - np.outer(chances, chances)
    shift = 2_000 * float((effects**2 / chances).sum())
    expected = scipy.stats.ncx2.sf(scipy.stats.chi2.isf(0.05, 3), 3, shift)
    assert power_of_test(effects, covariance, 2_000, 1e7) == pytest.approx(expected, abs=0.01)


def share_of(hits: list[bool]) -> float:
    return sum(hits) / len(hits)


@pytest.mark.usefixtures("few_draws")
def test_a_page_without_effects_stays_silent() -> None:
    """Of 20 pages with 18 claims and no effect, hardly any calls anything imbalanced."""
    found = [page(seed, 100)[0] for seed in range(20)]
    assert sum(found) <= scipy.stats.binom.isf(0.001, 20, 0.05)


@pytest.mark.usefixtures("few_draws")
def test_a_planted_point_is_found_as_often_as_planned() -> None:
    """One point for seat 1 is found as often as planned, with the games for a power of 0.8."""
    games = planned_games(0.8)
    assert 0.68 < share_of([bonus(seed, games) for seed in range(120)]) < 0.92


@pytest.mark.usefixtures("few_draws")
def test_fair_is_rarely_said_at_the_margin() -> None:
    """Seats that differ by exactly the margin are called fair in at most five percent of series."""
    hits = list(map(partial(at_margin, chances=(0.52, 0.48), games=4_000), range(150)))
    assert sum(hits) <= scipy.stats.binom.isf(0.001, 150, 0.05)
    assert share_of([at_margin(seed, (0.5, 0.5), 8_000) for seed in range(40)]) > 0.7


def test_coverage_counts_missing_intervals_as_wrong() -> None:
    """A missing interval does not contain the true value."""
    assert covers(0.1, 0.2, 0.3)
    assert not covers(None, 0.2, 0.3)
