"""Playing on: the looks that a folder records, and the share of the error rate that each look may use."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import scipy.stats

import rogsim
from rogsim.game.registry import register, unregister
from rogsim.report.sentences import sentence
from rogsim.results.results import Results, joint_look, look_of, pooled_look
from rogsim.stats.judgement import judge
from rogsim.stats.sequential import adjusted, cost, weight
from scripts.studies.verdict import compare_on, going_on
from tests.dice_game import GAME
from tests.stats.test_judgement import claim

pytestmark = pytest.mark.once_compiled

KEYS: dict[str, Any] = {"game": "dice-race", "players": [2, 3], "games": 20, "seed": 5, "bots": ["runner"]}


@pytest.fixture(scope="module", autouse=True)
def race() -> Iterator[None]:
    register(GAME)
    yield
    unregister(GAME.id)


def test_every_number_of_games_is_a_look(tmp_path: Path) -> None:
    """More games are a new look, and so are fewer; a number of games that was seen before is the same look as then."""
    found = []
    for games in (20, 40, 40, 30, 20, 60):
        results = rogsim.run(KEYS, games=games, out=tmp_path, jobs=1)
        found.append([look_of(results.manifest, players) for players in (2, 3)])
        assert Results.open(tmp_path).manifest["looks"] == results.manifest["looks"]
    assert [first for first, _ in found] == [1, 2, 2, 3, 1, 4]
    assert all(first == second for first, second in found)
    assert look_of(rogsim.run(KEYS, jobs=1).manifest, 2) == 1


def test_a_run_that_was_interrupted_showed_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is stopped and resumed is one look, because nothing is shown before it is complete."""
    with monkeypatch.context() as patch:

        def stop(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        patch.setattr("rogsim.results.store.Store.finish", stop)
        with pytest.raises(KeyboardInterrupt):
            rogsim.run(KEYS, out=tmp_path, jobs=1)
    assert look_of(rogsim.run(KEYS, games=40, out=tmp_path, jobs=1).manifest, 2) == 1


def test_the_rounds_of_an_adaptive_run_are_one_look(tmp_path: Path) -> None:
    """It stops by the width of intervals alone and shows nothing before that; if extended, it is a second look."""
    keys = KEYS | {"players": [2]}
    results = rogsim.run(keys, games=1_000, until="seat_share ± 0.1 pp", out=tmp_path, jobs=1)
    assert look_of(results.manifest, 2) == 1
    more = rogsim.run(keys, games=1_100, until="seat_share ± 0.1 pp", out=tmp_path, jobs=1)
    assert look_of(more.manifest, 2) == 2


def test_each_pooled_folder_is_a_look() -> None:
    """Adding folders until an effect appears is playing on; comparing folders is not, unless there is more of one."""
    assert (pooled_look([1]), pooled_look([1, 1]), pooled_look([2, 3])) == (1, 2, 5)
    assert (joint_look([1]), joint_look([1, 1]), joint_look([2, 3])) == (1, 1, 4)


def test_all_looks_together_use_the_whole_error_rate_and_no_more() -> None:
    """The shares add up to 1; the first look has the largest; a later one needs more games."""
    shares = [weight(look) for look in range(1, 100_000)]
    assert sum(shares) == pytest.approx(1.0, abs=1e-5)
    assert sum(shares) <= 1.0
    assert sorted(shares, reverse=True) == shares
    assert adjusted([0.01, 0.9, math.nan], [1, 2, 3])[:2].tolist() == pytest.approx([0.01 / 0.7, 1.0])
    norm = scipy.stats.norm
    games = (norm.isf(0.0375 / 2 / 5) + norm.ppf(0.8)) / (norm.isf(0.025) + norm.ppf(0.8))
    assert cost(2, 0.8) == pytest.approx(games**2)


def test_a_later_look_needs_clearer_results() -> None:
    """A p that names a seat at the first look does not at the third, which has wider intervals; the page says so."""
    seen = claim(4.0, -4.0, error=0.8, p=0.004)
    first, third = judge([seen])[0], judge([replace(seen, look=3)])[0]
    assert (first.kind, third.kind) == ("beyond", "open")
    (narrow, *_), (wide, *_) = first.intervals, third.intervals
    assert wide.low < narrow.low < narrow.high < wide.high
    assert "look 3" in sentence(third)
    assert "look" not in sentence(first)
    fair = claim(0.3, -0.3, error=0.8)
    assert [judge([replace(fair, look=look)])[0].kind for look in (1, 9)] == ["within", "open"]


def test_the_advice_reckons_with_the_next_look() -> None:
    """Later looks need more games, as they may use less of the error rate."""
    advice = [judge([replace(claim(0.0, 0.0, error=2.0), look=look)])[0].prospect for look in (1, 2, 5)]
    asked = [prospect.games for prospect in advice if prospect]
    assert asked == sorted(set(asked))
    assert len(asked) == 3


def test_following_the_advice_raises_few_false_alarms() -> None:
    """Of 30 users who play on as the page advises, up to five times, hardly any gets a false alarm."""
    alarms = [going_on(seed, 2, ("seats",)) for seed in range(30)]
    assert sum(alarms) <= scipy.stats.binom.isf(0.001, 30, 0.05)


@pytest.mark.usefixtures("few_draws")
def test_following_the_advice_of_a_comparison_raises_few_false_alarms() -> None:
    """The same of 15 users who compare a variant that changes nothing."""
    alarms = [compare_on(seed, 4) for seed in range(15)]
    assert sum(alarms) <= scipy.stats.binom.isf(0.001, 15, 0.05)
