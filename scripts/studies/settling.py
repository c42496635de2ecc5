"""Ladders with a known limit, looked at again and again: how often an effect is wrongly called settled or moving."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rogsim.stats.estimates import ALPHA as LEVEL
from rogsim.stats.settling import LOOKS, settling_tests
from scripts.studies.rates import Rate

Floats = NDArray[np.float64]

MARGIN = 2.0  # pp
SEATS = 4
FIRST = 400  # games of each rung at the first look


@dataclass(frozen=True)
class Ladder:
    """Effects of the first seat on the last three rungs, and what is to come, in pp; those of the last are mirrored."""

    name: str
    effects: tuple[float, float, float]
    to_come: float

    @property
    def shares(self) -> Floats:
        """Return the win shares, float64[rungs, seats]."""
        off = np.array(self.effects) / 100
        return 1 / SEATS + np.stack([off, 0 * off, 0 * off, -off], axis=1)

    @property
    def is_settled(self) -> bool:
        """Return whether the effect ends within the margin of its last value."""
        return abs(self.to_come) < MARGIN


def shrinking(ratio: float, to_come: float) -> Ladder:
    """Return a ladder whose changes shrink by a ratio at each step, until so much is still to come."""
    effects = tuple(5 - to_come / ratio**left for left in (2, 1, 0))
    return Ladder(f"changes shrink by {ratio:g}, {to_come:g} pp to come", effects, to_come)  # type: ignore[arg-type]


def drift(step: float) -> Ladder:
    """Return a ladder that moves by the same step for ever."""
    return Ladder(f"drifts by {step:g} pp a step for ever", (5 - 2 * step, 5 - step, 5.0), np.inf)


LADDERS = (
    Ladder("constant", (5.0, 5.0, 5.0), 0.0),
    shrinking(0.5, 0.25),
    shrinking(0.7, 0.5),
    shrinking(0.5, 2.0),
    shrinking(0.7, 2.0),
    drift(1.0),
    drift(0.5),
)


@dataclass(frozen=True)
class Found:
    """How often the first seat is called settled by each look.

    any_settled: either the first or the last seat, at any look. any_moving: any of the seats.
    """

    settled: Floats
    any_settled: float
    any_moving: float


def measure(ladder: Ladder, repeats: int, seed: int) -> Found:
    """Return how often a ladder's seats are called settled or moving."""
    generator = np.random.default_rng(seed)
    wins = np.zeros((repeats, 3, SEATS))
    settled = np.zeros((LOOKS, repeats, SEATS), dtype=bool)
    moving = np.zeros_like(settled)
    games = 0
    for look in range(LOOKS):
        more = FIRST if look == 0 else games
        wins += np.stack([generator.multinomial(more, shares, repeats) for shares in ladder.shares], axis=1)
        games += more
        share = np.moveaxis(wins / games, 1, 2)  # [repeats, seats, rungs]
        variance = 100**2 * share * (1 - share) / (games - 1)
        tests = settling_tests(100 * share, variance[..., None] * np.eye(3), games, MARGIN)
        settled[look] = _holm(tests.p_settled) < LEVEL / LOOKS
        moving[look] = (_holm(tests.p_moving) < LEVEL / LOOKS) & ~settled[look]
    settled, moving = (np.logical_or.accumulate(found) for found in (settled, moving))
    ends = [0, SEATS - 1]
    return Found(
        settled[:, :, 0].mean(axis=1),
        float(settled[-1][:, ends].any(axis=1).mean()),
        float(moving[-1].any(axis=1).mean()),
    )


def _holm(p: Floats) -> Floats:
    """Return p-values adjusted by Holm's method over the last dimension."""
    order = np.argsort(p, axis=-1)
    steps = np.take_along_axis(p, order, axis=-1) * np.arange(p.shape[-1], 0, -1)
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.maximum.accumulate(steps, axis=-1), axis=-1)
    return adjusted


def rates(repeats: int = 5_000) -> Iterator[Rate | str]:
    """Ladders with a known limit, or a drift that never ends."""
    for ladder in LADDERS:
        found = measure(ladder, repeats, seed=1)
        if ladder == drift(0.5):
            yield f"{ladder.name}: called settled at any look in {found.any_settled:.1%}"
        elif not ladder.is_settled:
            case = f"{ladder.name}: called settled at any look"
            yield Rate(case, "3200 to 51200", 5, found.any_settled * repeats, repeats)
        elif ladder.effects[0] == ladder.effects[2]:
            case = f"{ladder.name}: called moving at any look"
            yield Rate(case, "3200 to 51200", 5, found.any_moving * repeats, repeats)
