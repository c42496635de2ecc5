"""Verdicts, plans, and what a whole page promises; docs/statistics.md has the same with 1,000 repeats."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import scipy.stats

from rogsim.stats.balance.measure import Balance, balance
from rogsim.stats.contrasts import JointTest
from rogsim.stats.estimates import Estimate
from rogsim.stats.prospects import percent
from rogsim.stats.sample_size import (
    games_for,
    games_for_fair,
    games_for_width,
    plan,
    power_for,
    power_of_test,
    spread_of,
    two_figures,
)
from rogsim.stats.verdict_words import is_just_clear
from rogsim.stats.verdicts import Claim, Contrast, Verdict, claims, combine, judge
from scripts.studies.statistics import at_margin, bonus, covers, page, planned_games
from tests.series import FIELD, SPEC, TOPICS, joined, of_chances, series

pytestmark = pytest.mark.once_uncompiled


def claim(*effects: float, error: float = 0.3, p: float = 0.5, bots: tuple[str, ...] = ("one",)) -> Claim:
    """A claim about seats with these effects in pp, all known to the same standard error, after 10,000 games."""
    contrasts = []
    for seat, effect in enumerate(effects, 1):
        wide, narrow = (
            Estimate(effect, effect - z * error, effect + z * error, 10_000, 10_000.0) for z in (1.96, 1.645)
        )
        single = 2 * scipy.stats.norm.sf(abs(effect) / error)
        contrasts.append(Contrast(f"seat {seat}", wide, narrow, float(single)))
    test = JointTest(1.0, 3, 10_000, p)
    return Claim("seats", "Seats", 4, "here", bots, "than a fair share", test, tuple(contrasts), 10_000, 5.0, 1.5)


def verdict(*effects: float, error: float = 0.3, p: float = 0.5, bots: tuple[str, ...] = ("one",)) -> Verdict:
    return judge([claim(*effects, error=error, p=p, bots=bots)])[0]


def test_an_effect_beyond_the_margin_is_imbalanced() -> None:
    """The verdict names the levels that clearly differ, with numbers, and says that the effect exceeds the margin."""
    found = verdict(4.0, -0.1, -3.9, error=0.5, p=1e-9)
    assert (found.kind, found.named, found.beyond) == ("imbalanced", ("seat 1", "seat 3"), True)
    assert found.sentence == (
        "Seat 1 wins 4.0 pp more than a fair share (simultaneous 95% interval +2.7 to +5.3); seat 3 wins 3.9 pp less "
        "than a fair share (-5.2 to -2.6). The best and worst levels differ by 5.0 pp. In a fair game of this size "
        "they would differ by less than 1.5 pp in 95% of runs. The largest effect is clearly more than the margin of "
        "2 pp."
    )
    assert found.prospect is None


def test_a_small_effect_that_is_there_is_fair_though_not_equal() -> None:
    """If every 90% interval lies within the margin the verdict is fair, but it says that there are differences."""
    found = verdict(1.0, -1.0, error=0.2, p=1e-6)
    assert (found.kind, found.beyond) == ("fair", False)
    assert found.sentence.startswith("Fair within ±2 pp: the intervals that show it lie between -1.3")
    assert -2 < found.bounds[0] < -1 < 1 < found.bounds[1] < 2
    assert "Not exactly equal" in found.sentence
    assert "Not exactly equal" not in verdict(0.1, -0.1, error=0.2).sentence


def test_one_wide_interval_keeps_a_question_open() -> None:
    """All levels must be within the margin; otherwise the games that would decide it are given, with the chance."""
    found = verdict(0.2, 0.8, -1.0, error=0.8, p=0.2)
    assert found.kind == "unknown"
    assert found.prospect is not None
    assert found.prospect.games == two_figures(found.prospect.games)
    assert (
        f" About {found.prospect.games:,} more games would decide it with a chance of {percent(found.prospect.chance)}"
    ) in found.sentence


def test_an_effect_whose_size_is_open_is_imbalanced_all_the_same() -> None:
    """It differs from fair; whether by more than the margin is a separate question, which the sentence leaves open."""
    found = verdict(2.5, -2.5, error=0.6, p=0.001)
    assert (found.kind, found.beyond) == ("imbalanced", None)
    assert "The largest effect may be more or less than the margin of 2 pp." in found.sentence


def test_claims_of_a_page_share_their_five_per_cent() -> None:
    """A p that suffices for a page with one claim does not suffice for a page with ten."""
    single = claim(2.5, -2.5, error=0.6, p=0.01)
    assert judge([single])[0].kind == "imbalanced"
    assert judge([single, *[claim(0.1, error=1.0)] * 9])[0].kind == "unknown"


def test_too_few_games_give_no_verdict() -> None:
    """Without intervals the verdict is not known, and a missing test does not count for other claims."""
    blank = Contrast("seat 1", *[Estimate(0.1, math.nan, math.nan, 3, math.nan)] * 2, math.nan)
    empty = Claim("seats", "Seats", 4, "here", ("one",), "", JointTest(math.nan, 0, 1, math.nan), (blank,), 3)
    found = judge([empty, claim(4.0, error=0.5, p=0.03)])
    assert (found[0].kind, found[0].sentence) == ("unknown", "Too few games for a test.")
    assert found[1].kind == "imbalanced"


def with_rare(*rare: str, n: int = 1, effects: tuple[float, ...] = (0.2, 0.1, -0.3)) -> Claim:
    """A claim on seats that are nearly fair, and on rare levels that won their few games and have no interval."""
    usual = claim(*effects, error=0.5)
    blanks = (Contrast(name, *[Estimate(75.0, math.nan, math.nan, n, math.nan)] * 2, math.nan) for name in rare)
    return replace(usual, contrasts=(*usual.contrasts, *blanks))


def test_a_level_without_an_interval_is_not_the_largest() -> None:
    """The verdict quotes the largest effect that has an interval, and says which levels have too few games for one."""
    (found,) = judge([with_rare("a rare one")])
    assert (found.kind, found.level) == ("unknown", "seat 3")
    assert "The largest effect is that seat 3 wins 0.3 pp less" in found.sentence
    assert " A rare one has too few games for an interval. About " in found.sentence
    (found,) = judge([with_rare("a", "b", "c", "d")])
    assert " A, b, c and 1 more have too few games for an interval. " in found.sentence
    assert "too few games" not in verdict(0.2, 0.1, -0.3, error=3.0).sentence


def test_rare_levels_need_more_games() -> None:
    """To show that all levels are fair takes as many more games as the rarest level needs."""
    few, many = (judge([with_rare("rare", n=n, effects=(0.0, 0.0))])[0].prospect for n in (5, 50))
    assert few is not None
    assert many is not None
    assert few.games == pytest.approx(10 * many.games, rel=0.3)
    assert many.games > 10 * 10_000


def test_a_question_that_cannot_be_tested_says_how_many_games_would_do() -> None:
    """Without a test of all levels there is advice, if there are intervals."""
    untested = replace(claim(0.5, -0.5, error=3.0), overall=JointTest(math.nan, 0, 1, math.nan))
    found = judge([untested])[0]
    assert found.prospect is not None
    assert found.sentence.startswith(f"Too few games for a test. About {found.prospect.games:,} more games would")


def test_the_gap_says_which_levels_it_is_between() -> None:
    """Levels with too few rows or blocks take no part in it."""
    usual = claim(4.0, -4.0, 0.1, error=0.5, p=1e-9)
    *others, last = usual.contrasts
    rare = replace(last, effect=replace(last.effect, n=29))
    clumped = replace(last, blocks=9.0)
    cases = {last: "levels differ", rare: "levels with 30 games or more differ"}
    cases |= {clumped: "levels with 10 blocks or more differ"}
    for contrast, words in cases.items():
        (found,) = judge([replace(usual, contrasts=(*others, contrast))])
        assert f"The best and worst {words} by 5.0 pp." in found.sentence


def test_an_undecided_effect_whose_interval_excludes_zero_is_explained() -> None:
    """It is clear on its own but not among all questions; or only the level is clear, and not all levels together."""
    others = [claim(0.1, error=1.0)] * 9
    alone = judge([claim(2.5, -2.5, error=0.6, p=0.01), *others])[0]
    assert alone.kind == "unknown"
    assert (
        ". On its own, this question would show a difference; among all questions on the page, that may be chance, but "
        "an effect of more than the margin of 2 pp is not ruled out."
    ) in alone.sentence
    together = verdict(2.5, -2.5, error=0.6, p=0.06)
    assert (
        ". Its interval excludes 0, but the test of all levels together shows no difference, so that may be chance, but"
    ) in together.sentence
    assert ". That may be chance, but" in verdict(2.5, -2.5, error=3.0, p=0.01 * 50).sentence


def test_only_effects_that_are_just_clear_are_probably_too_large() -> None:
    """An interval that nearly contains 0 is one whose nearer end is less than a tenth of the effect."""
    cases = {4.0: False, 1.8: False, 1.3: True}
    for effect, just in cases.items():
        (found,) = judge([claim(effect, error=0.6, p=1e-6)], margin=0.1)
        assert found.named == ("seat 1",)
        assert is_just_clear(found) is just


def test_verdicts_that_change_with_the_bots_say_so() -> None:
    """Several sets of bots may agree, be partly open, or contradict each other, even in direction."""
    strong = verdict(4.0, error=0.5, p=1e-9, bots=("a",))
    weak = verdict(-4.0, error=0.5, p=1e-9, bots=("b",))
    fair, unknown = verdict(0.1, bots=("c",)), verdict(0.1, error=3.0, bots=("d",))
    cases = [
        ((strong, strong), "imbalanced", False),
        ((strong, fair), "depends", True),
        ((strong, weak), "depends", True),
        ((strong, unknown), "imbalanced", False),
        ((fair, unknown), "unknown", False),
        ((fair,), "fair", False),
    ]
    for verdicts, kind, changes in cases:
        found = combine(verdicts)
        assert (found.kind, found.changes) == (kind, changes)
    assert (
        "seat 1 is favoured with some sets of bots and at a disadvantage with others"
        in combine((strong, weak)).sentence
    )
    effects = "It depends on the bots. Seat 1: +4.0 pp (+2.9 to +5.1) with a, +0.1 pp (-0.5 to +0.7) with c"
    assert combine((strong, fair)).sentence == f"{effects} (simultaneous 95% intervals)."
    with pytest.raises(ValueError, match="no verdicts"):
        combine([])


@pytest.fixture(scope="module")
def small() -> Balance:
    generator = np.random.default_rng(1)
    both = joined(*(series(generator, 300, players, FIELD[:players], seats=(4,)) for players in (2, 4)))
    return balance(both, SPEC)


def test_the_claims_of_a_folder_are_seats_levels_and_draws(small: Balance) -> None:
    """Screens and bots are not claims; seats, levels and draws are, for each number of players."""
    found = claims([small], TOPICS)
    assert [(claim.players, claim.topic) for claim in found] == [
        (players, topic) for players in (2, 4) for topic in ("seats", "hands", "draws")
    ]
    assert [len(claim.contrasts) for claim in found] == [2, 8, 6, 4, 8, 12]
    verdicts = judge(found)
    assert [judged.kind for judged in verdicts if judged.claim.topic == "seats"] == ["imbalanced"] * 2
    assert verdicts[0].level == "seat 1"
    assert "seat 1 with x, y" in {claim.name for claim in found[2].contrasts}


def test_only_what_is_asked_for_is_worked_out(small: Balance) -> None:
    """A command that needs the seats gets only the seats."""
    found = balance(series(np.random.default_rng(2), 50), SPEC, only=("seats",)).players[4]
    assert found.seats is not None
    assert not (found.levels or found.members or found.parts or found.luck)
    assert (found.shape, found.model, found.convergence.height) == (None, None, 0)
    assert set(small.players[4].counts) == {"coins"}
    assert small.players[4].convergence.group_by("seat").len()["len"].unique().to_list() == [40]


def test_screens_stop_when_they_know_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Screens, luck and the regression use only the first games, claims use all of them."""
    monkeypatch.setattr("rogsim.stats.balance.measure.MOST_SCREENED", 100)
    monkeypatch.setattr("rogsim.stats.blocks.ROWS_AT_ONCE", 240)
    found = balance(series(np.random.default_rng(3), 300), SPEC).players[4]
    assert (found.games, found.screened) == (300, 120)
    assert found.model is not None
    assert (found.model.games, found.luck[0].games) == (120, 120)
    assert found.seats is not None
    assert found.seats.levels[0].n == 300


def test_plans_keep_their_promise() -> None:
    """With the games that a plan names, a test has the requested power and an interval the requested width."""
    games = games_for(1.0, 40.0)
    assert power_for(1.0, 40.0, games) == pytest.approx(0.8, abs=0.001)
    assert 1.96 * 40 / math.sqrt(games_for_width(0.5, 40.0)) == pytest.approx(0.5, rel=0.001)
    generator = np.random.default_rng(4)
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


def test_a_plan_tells_games_for_each_question() -> None:
    """The games for a half width are those that independent games need, and smaller questions need more."""
    seats = balance(of_chances(np.random.default_rng(5), 4_000, (0.25,) * 4), SPEC, only=("seats",)).players[4].seats
    assert seats is not None
    assert spread_of(seats) == pytest.approx(100 * math.sqrt(0.25 * 0.75), rel=0.03)
    asked = plan(seats, 2.0)["games"].to_list()
    assert asked[2] == pytest.approx(28_800, rel=0.06)
    assert asked[0] < asked[1] < asked[2]
    assert asked[3] * 3.5 < asked[4]


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
