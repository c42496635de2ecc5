"""Differences on the same deals, their verdicts, and which run is fairer: on known true values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats

import rogsim
from rogsim.game import compiler
from rogsim.game.spec import GameSpec
from rogsim.game.topics import SEATS, Topic
from rogsim.results.results import Results
from rogsim.stats.contrasts import holm
from rogsim.stats.effects import Effects, Question
from rogsim.stats.judgement import judge
from rogsim.stats.paired import fairness
from rogsim.stats.paired.common_random_numbers import Estimand, Estimates, by_block, difference, measure
from rogsim.stats.paired.compared import MeasuredRun, changed_by, compared
from rogsim.stats.paired.differences import differences
from rogsim.stats.sequential import adjusted
from tests.dice_game import exact
from tests.series import results_of, series

pytestmark = pytest.mark.once_compiled

SHARES = Question(SEATS, "Win share by seat", "pp", "seat", share=True, margin=2.0)
SCREEN = replace(SHARES, margin=None)
TURNS = Question("length", "Length of a game", "turns", margin=1.0)
KEYS: dict[str, Any] = {"game": "dice-race", "players": [3], "games": 400, "seed": 5, "bots": ["runner"]}


def run_of(winner: Sequence[int] | np.ndarray, players: int) -> Estimates:
    """Win shares by seat of games with known winners; each game is a block."""
    wins = np.eye(players)[np.asarray(winner)]
    value, n = wins.mean(axis=0), len(wins)
    levels = tuple(str(seat + 1) for seat in range(players))
    return Estimates(levels, value, np.full(players, n), np.arange(n), wins - value, fair=np.array(1 / players))


def pair(
    generator: np.random.Generator, games: int, base: Sequence[float], other: Sequence[float], alike: float = 0.6
) -> tuple[Estimates, Estimates]:
    """Two runs whose seats win with known chances; in a part of the games the luck is the same, as far as possible."""
    a, b = np.array(base), np.array(other)
    left = np.maximum(b - a, 0)
    first = generator.choice(len(a), games, p=a)
    moved = generator.choice(len(a), games, p=left / left.sum() if left.sum() > 0 else b)
    second = np.where(generator.random(games) < np.minimum(b / a, 1)[first], first, moved)
    second = np.where(generator.random(games) < alike, second, generator.choice(len(a), games, p=b))
    return run_of(first, len(a)), run_of(second, len(a))


def answered(base: Estimates, other: Estimates, question: Question = SHARES, look: int = 1) -> Effects:
    found = differences(question, len(base.levels), "variant", base, other, len(base.deals), look)
    assert found is not None
    return found


def shares(base: Estimates, other: Estimates, question: Question = SHARES) -> Effects:
    return answered(base, other, question)


def page_p(pairs: Sequence[tuple[Estimates, Estimates]]) -> list[float]:
    """The p of each question of a page: as verdicts have them, but without their intervals, which take long."""
    found = [shares(*runs, SCREEN) for runs in pairs]
    return list(holm(adjusted([question.overall.p for question in found], [1] * len(found))))


def played(**keys: Any) -> Results:
    return rogsim.run(KEYS | keys, jobs=1)


def test_a_difference_is_that_of_the_plain_calculation(dice_race: GameSpec) -> None:
    """Value, error and saving are the mean, the standard error and the variances of the games' own differences."""
    base, other = played(), played(change={"head_start.2": 1})
    estimand = Estimand("win_share", "seat")
    first, second = (measure(run, 3, [estimand])[0] for run in (base, other))
    found = difference(first, second)
    a, b = (run.seats().collect()["win_share"].to_numpy().reshape(-1, 3).astype(float) for run in (base, other))
    assert found.value == pytest.approx((b - a).mean(axis=0))
    assert np.sqrt(np.diag(found.covariance)) == pytest.approx((b - a).std(axis=0, ddof=1) / math.sqrt(400))
    saving = [change.saving for change in answered(first, second).contrasts]
    assert saving == pytest.approx((a.var(axis=0) + b.var(axis=0)) / (b - a).var(axis=0))


def test_where_every_block_differs_by_the_same_nothing_is_saved(dice_race: GameSpec) -> None:
    """No number of games on other deals would be as precise; rounding does not make it a number."""
    (base,) = measure(played(), 3, [Estimand("points", "seat")])
    other = replace(base, value=base.value + 0.1, influence=base.influence * (1 + 4e-16))
    found = answered(base, other, TURNS).contrasts
    assert [change.effect.value for change in found] == pytest.approx([0.1] * 3)
    assert (base.errors > 0).all()
    assert all(not math.isnan(change.effect.low) and math.isnan(change.saving) for change in found)


def test_whether_there_is_any_is_a_share(dice_race: GameSpec) -> None:
    """With `whether`, a numeric column counts as 1 where it is above 0."""
    (found,) = measure(played(), 3, [Estimand("win_share", "seat", whether=True)])
    wins = played().seats().collect()["win_share"].to_numpy().reshape(-1, 3)
    assert found.value == pytest.approx((wins > 0).mean(axis=0))


@pytest.mark.skipif(not compiler.ENABLED, reason="40,000 games take too long uncompiled")
def test_intervals_hold_the_exact_difference(dice_race: GameSpec) -> None:
    """In 200 small series 95% of each seat's intervals contain the exact difference, and the same deals save games."""
    before = exact.sudden([exact.RUNNER] * 3, 10)
    truth = 100 * (np.array(exact.sudden([exact.RUNNER] * 3, 10, [0, 1])) - before)
    runs = [played(games=20_000), played(games=20_000, change={"head_start.2": 1})]
    frames = [(run.seats().collect(), run.games().collect()) for run in runs]
    held, saved = [], []
    for start in range(0, 20_000, 100):
        part = pl.col("game").is_between(start, start + 99)
        anew = [pl.col(name) - start for name in ("game", "block")]
        few = [results_of(*(rows.filter(part).with_columns(anew) for rows in frame), ["runner"]) for frame in frames]
        estimand = [Estimand("win_share", "seat")]
        found = shares(*(measure(run, 3, estimand)[0] for run in few))
        held.append(
            [
                change.effect.low <= true <= change.effect.high
                for change, true in zip(found.contrasts, truth, strict=True)
            ]
        )
        saved.append([change.saving for change in found.contrasts])
    assert np.mean(held, axis=0).min() > 0.95 - 0.02
    assert np.mean(held) < 0.99
    assert np.nanmedian(saved) > 1.3


def test_a_verdict_has_the_p_of_its_page() -> None:
    """Pages of one and of five questions have the same p with the intervals of verdicts as without them."""
    generator = np.random.default_rng(11)
    for count in (1, 5):
        pairs = [pair(generator, 400, [0.4, 0.33, 0.27], [0.36, 0.35, 0.29]) for _ in range(count)]
        verdicts = judge([shares(*runs) for runs in pairs])
        assert [verdict.p for verdict in verdicts] == page_p(pairs)
        assert min(page_p(pairs)) < 0.5


def test_nothing_is_found_where_nothing_is() -> None:
    """Of 300 pairs with the same chances about 5% at most are called changed, even where games differ a lot."""
    generator = np.random.default_rng(1)
    for chances, alike in (([0.4, 0.33, 0.27], 0.6), ([0.25] * 4, 0.0)):
        changed = [page_p([pair(generator, 400, chances, chances, alike)])[0] < 0.05 for _ in range(300)]
        assert np.mean(changed) < 0.085  # 5% and three standard errors


def test_one_change_among_many_questions_is_judged_as_one_of_them() -> None:
    """Holm's method over the page: of 100 pages with five questions each about 5% call anything changed."""
    generator = np.random.default_rng(2)
    chances = [0.4, 0.33, 0.27]
    pages = [page_p([pair(generator, 400, chances, chances) for _ in range(5)]) for _ in range(100)]
    assert np.mean([min(page) < 0.05 for page in pages]) < 0.12


def test_a_planted_change_is_found_and_named() -> None:
    """Seat 2 wins 6 pp more and seat 1 6 pp less: changed, clearly beyond the margin; seat 3 is not named."""
    generator = np.random.default_rng(3)
    (found,) = judge([shares(*pair(generator, 8_000, [0.4, 0.3, 0.3], [0.34, 0.36, 0.3]))])
    assert found.kind == "beyond"
    assert set(found.differing) == {"1", "2"}
    assert found.beyond
    assert found.prospect is None


def test_few_games_leave_it_open_and_tell_how_many_more() -> None:
    """With 200 games nothing is settled; with the advised number of further games it usually is."""
    generator = np.random.default_rng(4)
    chances = [0.4, 0.33, 0.27]
    before = [judge([shares(*pair(generator, 200, chances, chances))])[0] for _ in range(40)]
    more = [verdict.prospect.games for verdict in before if verdict.prospect]
    assert len(more) >= 36
    games = 200 + int(np.mean(more))
    after = [judge([shares(*pair(generator, games, chances, chances))])[0] for _ in range(40)]
    assert sum(verdict.kind == "within" for verdict in after) >= 35
    assert all(verdict.prospect is None for verdict in after if verdict.kind != "open")


def test_games_that_never_differ_prove_only_so_much() -> None:
    """40 identical games do not rule out a change of 2 pp, 4,000 do, and no saving is computed."""
    few, many = (run_of(np.arange(games) % 3, 3) for games in (40, 4_000))
    assert judge([shares(few, few)])[0].kind == "open"
    (found,) = judge([shares(many, many)])
    assert found.kind == "within"
    assert found.effects.untouched
    assert found.p == 1
    assert all(math.isnan(change.saving) for change in found.effects.contrasts)


def test_the_same_games_are_untouched_also_in_a_longer_base() -> None:
    """What only rounding changes, where a base has more games than the variant, is exactly 0."""
    winners = np.random.default_rng(1).integers(0, 4, 1_000)
    found = shares(run_of(winners, 4), run_of(winners[:700], 4))
    assert found.untouched
    assert [change.effect.value for change in found.contrasts] == [0.0] * 4


def test_what_always_differs_by_the_same_is_found() -> None:
    """Every game takes two turns more: the spread is 0, and the change is sure."""
    turns = np.arange(100.0)[:, None]
    base = Estimates(("",), turns.mean(axis=0), np.array([100]), np.arange(100), turns - turns.mean())
    other = Estimates(("",), base.value + 2, base.n, base.deals, base.influence)
    (found,) = judge([shares(base, other, TURNS)])
    assert found.kind == "beyond"
    assert found.largest.effect.value == 2
    assert found.beyond


def test_a_single_game_that_differs_is_no_finding() -> None:
    """If one of 1,000 games came out differently, nothing is called clear."""
    first = np.arange(1_000) % 4
    second = np.where(np.arange(1_000) == 7, 0, first)
    (found,) = judge([shares(run_of(first, 4), run_of(second, 4))])
    assert found.kind == "within"
    assert not found.differing


def test_intervals_of_findings_hold_for_all_levels_together() -> None:
    """In 95% of 150 pairs with a planted change the wider intervals contain the differences of all seats."""
    generator = np.random.default_rng(7)
    base, other = np.array([0.25] * 4), np.array([0.3, 0.26, 0.24, 0.2])
    found = [shares(*pair(generator, 400, base, other)) for _ in range(150)]
    truth = 100 * (other - base)
    held = [
        all(mine.low <= true <= mine.high for mine, true in zip(effects.intervals(0.05), truth, strict=True))
        for effects in found
    ]
    assert np.mean(held) > 0.91
    assert all(
        effect.half_width > change.effect.half_width
        for effects in found
        for effect, change in zip(effects.intervals(0.05), effects.contrasts, strict=True)
    )


def test_a_later_look_uses_less_of_the_error_rate() -> None:
    """If the games were looked at before, p is larger, intervals are wider, and more games are advised."""
    runs = pair(np.random.default_rng(8), 800, [0.4, 0.33, 0.27], [0.42, 0.32, 0.26])
    first, fifth = (judge([answered(*runs, look=look)])[0] for look in (1, 5))
    raw = first.effects.overall.p
    assert first.kind == fifth.kind == "open"
    assert first.p == pytest.approx(min(1.0, raw / 0.7))
    assert fifth.p == pytest.approx(min(1.0, raw / 0.015))
    assert fifth.effect_of(fifth.largest.name).half_width > 1.3 * first.effect_of(first.largest.name).half_width
    assert first.largest.effect == fifth.largest.effect
    assert fifth.prospect is not None
    assert first.prospect is not None
    assert fifth.prospect.games > 1.3 * first.prospect.games
    fair = [fairness.fairer(SHARES, 3, "variant", *runs, 800, look) for look in (1, 5)]
    wide, usual = judge([fair[1]])[0].intervals[0], judge([fair[0]])[0].intervals[0]
    assert wide.half_width > 1.2 * usual.half_width
    assert 0 < fair[0].p_beyond(2.0) == fair[1].p_beyond(2.0)


def test_swapping_the_two_runs_flips_what_every_block_adds() -> None:
    """Swapping the runs changes only the sign, even for levels that do not occur in every block."""
    generator = np.random.default_rng(9)
    runs = [series(generator, 60, 3) for _ in range(2)]
    first, second = (measure(run, 3, [Estimand("win_share", "hand")])[0] for run in runs)
    assert first.weights is not None
    assert by_block(first, second) == pytest.approx(-by_block(second, first))
    assert by_block(first, first) == pytest.approx(0)
    # Where both have as many rows of a level, the blocks add up to the difference.
    more = replace(first, value=first.value + 0.01)
    assert by_block(first, more).mean(axis=0) == pytest.approx(0.01)
    assert (difference(first, more).held < 60).all()


def test_a_level_has_the_degrees_of_freedom_of_its_blocks() -> None:
    """Of 300 blocks 12 have the rare hand: its interval is Student's with 11 degrees of freedom, and it has no p."""
    generator = np.random.default_rng(10)
    held = (np.arange(300) < 12).astype(float)
    influence = [generator.standard_normal(300) * held * 25 for _ in range(2)]
    first, second = (
        Estimates(
            ("rare",),
            np.array([0.5]),
            np.array([12]),
            np.arange(300),
            values[:, None],
            w[:, None],
        )
        for values, w in zip(influence, (held * 25, held * 25), strict=True)
    )
    (change,) = shares(first, second, replace(TURNS, noun="hand")).contrasts
    error = math.sqrt(
        np.sum((influence[1] - influence[0] - np.mean(influence[1] - influence[0])) ** 2) / (300 * 299) + 1 / 144
    )
    assert change.effect.half_width == pytest.approx(scipy.stats.t.ppf(0.975, 11) * error, rel=0.01)
    assert math.isnan(change.p)


def test_levels_that_only_one_run_has_are_left_out() -> None:
    """Of two runs with different levels the common ones are compared; without any there is no answer."""
    base = run_of(np.arange(90) % 3, 3)
    other = Estimates(("2", "3", "x"), base.value, base.n, base.deals, base.influence)
    assert [change.name for change in shares(base, other).contrasts] == ["2", "3"]
    alone = Estimates(("x", "y", "z"), base.value, base.n, base.deals, base.influence)
    assert differences(SHARES, 3, "variant", base, alone, 90) is None


@pytest.mark.parametrize(
    ("base", "other"),
    [
        ([0.25] * 4, [0.25] * 4),  # all are as far from fair: not at all
        ([0.4, 1 / 3, 0.8 / 3], [0.4, 1 / 3, 0.8 / 3]),  # two seats are as far, and both runs alike
        ([0.42, 0.31, 0.27], [0.36, 0.33, 0.31]),  # fairer
        ([0.45, 0.55], [0.55, 0.45]),  # as far, on the other side
        ([0.25] * 4, [0.28, 0.25, 0.24, 0.23]),  # from fair to unfair
    ],
)
def test_intervals_of_the_distance_from_fair_hold(base: list[float], other: list[float], few_draws: None) -> None:
    """In at least 95% of 200 pairs the intervals of both distances and of their difference contain the true values."""
    generator = np.random.default_rng(5)
    ends = [100 * fairness.distance(np.array(values), 1 / len(values)) for values in (base, other)]
    held = []
    for _ in range(200):
        runs = pair(generator, 2_000, base, other)
        change = fairness.fairer(SHARES, len(base), "variant", *runs, 2_000).contrasts[0]
        contained = [
            estimate is not None and estimate.low <= end <= estimate.high
            for estimate, end in zip((change.before, change.after), ends, strict=True)
        ]
        held.append([*contained, change.effect.low <= ends[1] - ends[0] <= change.effect.high])
    assert np.mean(held, axis=0).min() > 0.91  # 95% less two and a half standard errors


def test_a_fairer_variant_is_found() -> None:
    """From 9 pp to 3 pp from fair the interval excludes 0 and p is small; for two equal runs neither is the case."""
    generator = np.random.default_rng(6)
    runs = pair(generator, 6_000, [0.42, 0.31, 0.27], [0.36, 0.33, 0.31])
    (change,) = fairness.fairer(SHARES, 3, "variant", *runs, 6_000).contrasts
    assert change.effect.high < -3
    assert change.p < 1e-4
    (same,) = fairness.fairer(SHARES, 3, "variant", runs[0], runs[0], 6_000).contrasts
    assert same.effect.value == 0
    assert same.p > 0.5


def test_fairness_of_few_games_is_not_told() -> None:
    """With fewer than 30 blocks there is neither an interval nor a p."""
    run = run_of(np.arange(20) % 2, 2)
    (change,) = fairness.fairer(SHARES, 2, "variant", run, run, 20).contrasts
    assert math.isnan(change.effect.low)
    assert math.isnan(change.p)


@pytest.mark.parametrize("question", [SHARES, TURNS])
def test_fewer_than_ten_blocks_give_no_interval(question: Question) -> None:
    """There is no test below 10 blocks, so there is no interval either; from 10 on there are both."""
    for blocks, is_known in ((2, False), (9, False), (10, True)):
        runs = [run_of((np.arange(blocks) + start) % 3 % 2, 2) for start in (0, 1)]
        found = differences(question, 2, "variant", *runs, blocks)
        assert found is not None
        assert math.isfinite(found.overall.p) is is_known
        for estimate in (
            *(change.effect for change in found.contrasts),
            *found.intervals(0.05),
            *found.one_sided(0.05),
        ):
            assert math.isfinite(estimate.low) is math.isfinite(estimate.high) is is_known
            assert math.isfinite(estimate.value)


def test_no_interval_of_a_win_share_goes_beyond_what_is_possible() -> None:
    """Seat 1 wins 9 of 10 games more: both ends of the intervals stay within 100 points, those of turns do not."""
    runs = [run_of(winner, 2) for winner in ([1] * 10, [0] * 9 + [1])]
    shares, turns = (differences(question, 2, "variant", *runs, 10) for question in (SHARES, TURNS))
    assert shares is not None and turns is not None
    together = shares.intervals(0.05)
    found = (shares.contrasts[0].effect, together[0], shares.contrasts[1].effect, together[1])
    assert [estimate.high for estimate in found[:2]] == [100.0] * 2
    assert [estimate.low for estimate in found[2:]] == [-100.0] * 2
    assert 0 < found[0].low < found[0].value == pytest.approx(90.0)
    assert turns.contrasts[0].effect.high > 1.0


def test_bots_are_compared_where_they_played_in_both(dice_race: GameSpec) -> None:
    """Bots that are in both sets are compared; if one bot takes every seat there is no answer about bots."""
    sets = (["runner", "walker", "moody"], ["runner", "walker", "walker"], ["runner"])
    mixed, other, alone = (MeasuredRun(",".join(bots), played(bots=bots, games=60), tuple(bots)) for bots in sets)
    found = compared(mixed, [other, alone], dice_race, 2.0)
    bots = [
        verdict.effects
        for verdict in found.judged
        if verdict.effects.question.topic == "bots" and verdict.effects.question.share
    ]
    assert [(effects.run, [change.name for change in effects.contrasts]) for effects in bots] == [
        (other.label, ["runner", "walker"])
    ]
    seats = [verdict.effects for verdict in found.judged if verdict.effects.question == SHARES]
    assert [(effects.run, effects.blocks) for effects in seats] == [(other.label, 20), (alone.label, 20)]


def test_what_a_change_is_about_is_found_by_its_name(dice_race: GameSpec) -> None:
    """A part of a parameter's name is that of a level or member; numbers are not, and equal values change nothing."""
    topics = (
        Topic("hands", "Hands", "?", "level", ("hand",), labels={"ann": "Ann", "2": "Two"}),
        Topic("cards", "Cards", "?", "member", ("cards",), labels={"ann": "Card of Ann"}, about=("card",)),
    )
    spec = replace(dice_race, topics=topics)

    def manifest(**change: Any) -> dict[str, Any]:
        return {"scenario": {"change": change}}

    base = manifest(**{"hand.bob.cost": 1, "start.2": 3})
    found = changed_by(spec, base, [manifest(**{"hand": {"ann": {"cost": 2}}, "start.2": 4})])
    assert found == {"hands": {"ann"}}
    assert changed_by(spec, base, [base]) == {}
    assert changed_by(spec, manifest(), [manifest(**{"card.ann.points": 2})])["cards"] == {"ann"}
