"""Fitting an evaluation to the values of lines, against planted weights and slow counting."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from rogsim.experiments.fitting import STEPS, Lines, best_step, chances, explained, fit, moment_shares

MOMENTS, FEATURES, SEATS = 3, 5, 4


def planted(turns: int, weights: np.ndarray, noise: float = 0.0, seed: int = 1) -> Lines:
    """Lines whose values are what the weights say, and a little luck; some of them end the game."""
    random = np.random.default_rng(seed)
    counts = random.integers(2, 9, turns)
    turn = np.repeat(np.arange(turns), counts)
    count = len(turn)
    features = random.normal(0.0, 1.0, (count, SEATS, weights.shape[1])).astype(np.float32)
    place = random.uniform(0.0, MOMENTS - 1, turns)[turn].astype(np.float32)
    seat = random.integers(0, SEATS, turns)[turn]
    ended = np.where(random.random(count) < 0.1, random.random(count), 0.0)
    won = ended * random.random(count)
    odds = chances(features, moment_shares(place, MOMENTS), weights)
    value = won + (1 - ended) * odds[np.arange(count), seat] + random.normal(0.0, noise, count)
    return Lines(features, place, seat, ended, won, value, turn, turn // 3, np.zeros(count))


def some_weights(seed: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.0, 0.7, (MOMENTS, FEATURES))


def test_planted_weights_are_found() -> None:
    """From weights that know nothing, and from values that are blurred a little."""
    wanted = some_weights()
    found = fit(planted(3_000, wanted, noise=0.02), np.zeros_like(wanted))
    assert np.abs(found - wanted).max() < 0.05


def test_a_better_fit_explains_more() -> None:
    """Of lines that were not fitted to."""
    wanted = some_weights()
    seen, held_out = planted(2_000, wanted, noise=0.02).split()
    nothing = np.zeros_like(wanted)
    before, after, exact = (explained(held_out, weights) for weights in (nothing, fit(seen, nothing), wanted))
    assert before < 0.3
    assert 0.9 < after <= 1.0
    assert exact >= after - 0.01


def test_the_weights_do_not_depend_on_threads() -> None:
    """Several threads of linear algebra would add up in another order."""
    wanted = np.random.default_rng(2).normal(0.0, 0.1, (MOMENTS, 120))  # fewer are left to a single thread anyway
    lines, nothing, found = planted(1_000, wanted, noise=0.02), np.zeros_like(wanted), []
    for threads in (1, 2):
        with threadpool_limits(limits=threads, user_api="blas"):
            found.append(fit(lines, nothing))
    assert (found[0] == found[1]).all()


def test_weights_of_features_that_never_vary_stay_as_they_are() -> None:
    """The lines show nothing about them."""
    wanted = some_weights()
    lines = planted(500, wanted)
    lines.features[:, :, 2] = 0.0
    start = some_weights(9)
    found = fit(lines, start)
    assert found[:, 2] == pytest.approx(start[:, 2])
    assert np.abs(found[:, 0] - start[:, 0]).max() > 0.05


def test_a_step_goes_as_far_as_held_out_lines_say() -> None:
    """All the way to the truth, none of the way from it, and a part of the way beyond it."""
    wanted, nothing = some_weights(), np.zeros((MOMENTS, FEATURES))
    held_out = planted(300, wanted, noise=0.02)
    assert best_step(held_out, nothing, wanted) == 1.0
    assert best_step(held_out, wanted, some_weights(9)) == 0.0
    assert best_step(held_out, nothing, 2.0 * wanted) == 0.5
    assert STEPS[0] == 0.0


def test_what_is_explained_is_what_slow_counting_gives() -> None:
    """Choice by choice: the variance of the values that is left beside what the weights say."""
    lines, weights = planted(60, some_weights(), noise=0.1), some_weights(5)
    odds = chances(lines.features, moment_shares(lines.place, MOMENTS), weights)
    missed, all_squares = 0.0, 0.0
    for choice in range(lines.choices):
        at = np.flatnonzero(lines.choice == choice)
        given = [lines.won[i] + (1 - lines.ended[i]) * odds[i, lines.seat[i]] for i in at]
        given, values = np.array(given), lines.value[at]
        missed += float((((given - given.mean()) - (values - values.mean())) ** 2).sum())
        all_squares += float(((values - values.mean()) ** 2).sum())
    assert lines.choices == 60
    assert explained(lines, weights) == pytest.approx(1 - missed / all_squares)


def test_deals_are_held_out_as_a_whole() -> None:
    """No deal is on both sides, every line is on one, and choices are numbered anew."""
    lines = planted(400, some_weights())
    seen, held_out = lines.split()
    assert not set(seen.deal) & set(held_out.deal)
    assert len(seen.seat) + len(held_out.seat) == len(lines.seat)
    for part in (seen, held_out):
        assert sorted(set(part.choice)) == list(range(part.choices))
    assert 0.05 < held_out.choices / lines.choices < 0.2


def test_moments_are_mixed_between_neighbours() -> None:
    """Halfway between two moments each counts one half."""
    shares = moment_shares(np.array([0.0, 0.5, 1.25, 2.0]), MOMENTS)
    assert shares.tolist() == [[1, 0, 0], [0.5, 0.5, 0], [0, 0.75, 0.25], [0, 0, 1]]
