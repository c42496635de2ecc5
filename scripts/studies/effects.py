"""How often a sweep is right about effects; small versions run in the tests.

Games are drawn: each setting gives some of the games another winner, and some effects are planted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rogsim.scenario.axes import Axis
from rogsim.stats.paired.common_random_numbers import Estimates
from rogsim.stats.paired.main_effects import MainEffect, effects, games_to_find, judged_together
from scripts.studies.rates import Rate
from scripts.studies.search import estimates, fairest

RARE = (0.0005, 0.001, 0.002, 0.005, 0.01)  # part of the games that go to seat 1
FAIR = {players: (1 / players,) * players for players in (2, 3, 4)}
UNEVEN = {2: (0.5, 0.5), 3: (0.39, 0.33, 0.28), 4: (0.31, 0.25, 0.23, 0.21)}
OF_A_SETTING = 1_000  # games


@dataclass(frozen=True)
class Planted:
    """What the first axes do, one step each: seat 1 wins so many pp more, at the cost of seat 2 or of all others."""

    axes: int = 0
    size: float = 0.0
    evenly: bool = False

    def true(self, axis: int, seat: int, players: int) -> float:
        """The effect of one step on a seat, in pp; both from 0 for axes and 1 for seats."""
        if axis >= self.axes:
            return 0.0
        losers = players - 1 if self.evenly else 1
        return self.size if seat == 1 else -self.size / losers if seat <= 1 + losers else 0.0


def shares_of(winners: np.ndarray, players: int) -> Estimates:
    """The win shares of games with these winners, from 0."""
    top = np.eye(players)[winners]
    return estimates(players, top, np.ones_like(top))


def rare(rng: np.random.Generator, games: int, touched: float) -> MainEffect:
    """The effect of a value that gives seat 1 of four the win in a part of the games."""
    base = rng.integers(0, 4, games)
    other = np.where(rng.random(games) < touched, 0, base)
    axis = Axis("a", "parameter", (1,), 0)
    (effect,) = effects([axis], [{}, {"a": 1}], [shares_of(base, 4), shares_of(other, 4)], 4)
    return effect


def rare_hits(seed: int, games: int, touched: float) -> tuple[bool, bool]:
    """Whether the interval of the effect on seat 1 holds the truth, and that of how far it moves all shares."""
    effect = rare(np.random.default_rng([11, seed, games, round(1e4 * touched)]), games, touched)
    truth = np.array([75.0, -25.0, -25.0, -25.0]) * touched
    size, gain, move = float(np.sqrt(np.mean(truth**2))), effect.contrasts[0].effect, effect.move
    return gain.low <= truth[0] <= gain.high, move.low - 1e-9 <= size <= move.high


def swept(
    rng: np.random.Generator, games: int, shares: Sequence[float], touched: Sequence[float], planted: Planted
) -> list[MainEffect]:
    """The effects of axes that are varied alone, one step down and one up; touched: part of games that each changes."""
    players, chances = len(shares), np.array(shares)
    base = rng.choice(players, size=games, p=chances)
    settings: list[dict[str, int]] = [{}]
    made = [shares_of(base, players)]
    for axis, part in enumerate(touched):
        for step in (-1, 1):
            winners = np.where(rng.random(games) < part, rng.choice(players, size=games, p=chances), base)
            if axis < planted.axes:
                winners = _moved(rng, winners, planted, step, chances)
            settings.append({f"n{axis}": step})
            made.append(shares_of(winners, players))
    axes = [Axis(f"n{axis}", "parameter", (-1, 1), 0) for axis in range(len(touched))]
    return effects(axes, settings, made, players)


def _moved(
    rng: np.random.Generator, winners: np.ndarray, planted: Planted, step: int, chances: np.ndarray
) -> np.ndarray:
    """Winners of which some are seat 1 instead of others, or for a step down the other way round."""
    losers = rng.integers(1, len(chances) if planted.evenly else 2, len(winners))
    giving = [0] if step < 0 else list(range(1, len(chances))) if planted.evenly else [1]
    moved = planted.size / 100 / chances[giving].sum()  # of the games that these seats win, so games are independent
    moving = np.isin(winners, giving) & (rng.random(len(winners)) < moved)
    return np.where(moving, 0 if step > 0 else losers, winners)


@dataclass(frozen=True)
class Said:
    """What the findings of a sweep say.

    Attributes
    ----------
    moves, nearer
        Whether any effect is said to move shares, or the distance from fair.
    named
        How many effects are said to move shares.
    missed
        How many of their intervals do not hold the truth.
    false
        How many of them have no effect.
    """

    moves: bool
    nearer: bool
    named: int
    missed: int
    false: int


def said(seed: int, shares: Sequence[Sequence[float]], touched: Sequence[float], planted: Planted) -> Said:
    """What a sweep says with several numbers of players; nothing is planted without `planted.axes`."""
    rng = np.random.default_rng(
        [12, seed, len(shares), round(1e4 * touched[0]), planted.axes, round(10 * planted.size)]
    )
    tables = judged_together([swept(rng, OF_A_SETTING, each, touched, planted) for each in shares])
    found = [(effect, len(each)) for each, table in zip(shares, tables, strict=True) for effect in table]
    named = [(effect, players) for effect, players in found if effect.moves_shares]
    missed = 0
    for effect, players in named:
        truth = planted.true(_axis(effect), effect.clearest + 1, players)
        missed += not effect.gain.low <= truth <= effect.gain.high
    return Said(
        bool(named),
        any(effect.moves_distance for effect, _ in found),
        len(named),
        missed,
        sum(_axis(effect) >= planted.axes for effect, _ in named),
    )


def _axis(effect: MainEffect) -> int:
    return int(effect.axis.name[1:])


def advice(seed: int, players: Sequence[int], touched: Sequence[float]) -> int:
    """How many games a sweep without any effect says would show one of 1 pp, from 1,000 games a setting."""
    rng = np.random.default_rng([13, seed, len(players), len(touched), round(1e4 * touched[-1])])
    tables = judged_together([swept(rng, OF_A_SETTING, FAIR[each], touched, Planted()) for each in players])
    return max(games_to_find([one for one in table if not one.moves_shares], OF_A_SETTING) or 0 for table in tables)


def is_found(seed: int, players: Sequence[int], touched: Sequence[float], games: int, evenly: bool) -> bool:
    """Whether an effect of 1 pp on seat 1, of the last axis with the last number of players, is called clear."""
    rng = np.random.default_rng([14, seed, len(players), len(touched), round(1e4 * touched[-1]), evenly])
    planted, rest = Planted(1, 1.0, evenly), Planted()
    made = [swept(rng, games, FAIR[each], touched[::-1], planted if each == players[-1] else rest) for each in players]
    return any(effect.moves_shares for effect in judged_together(made)[-1] if _axis(effect) == 0)


def sweeps(repeats: int = 1_000) -> Iterator[Rate]:
    """Settings whose distance from fair is known, and values that change a known part of the winners."""
    yield from fairest(repeats)
    yield from _on_few_games(repeats)
    yield from _claims(repeats)
    yield from _power(repeats)


def _on_few_games(repeats: int) -> Iterator[Rate]:
    """Yield how often intervals hold of effects that touch few games."""
    for touched in RARE:
        for games in (400, 1_000, 4_000):
            seat, shares = zip(*(rare_hits(seed, games, touched) for seed in range(repeats)), strict=True)
            case = f"sweep, {100 * touched:g}% of games go to seat 1: effect on"
            yield Rate.of(f"{case} seat 1", games, 95, seat)
            yield Rate.of(f"{case} all shares", games, 95, shares)


def _claims(repeats: int) -> Iterator[Rate]:
    """Yield how often what a sweep of 12 axes with two, three and four players calls clear is wrong.

    Planted effects are as large up as down from fair seats, so none of them moves the distance from fair.
    """
    cases: dict[str, tuple[dict[int, tuple[float, ...]], float, Planted]] = {
        "no effect, fair, each axis changes 30% of games": (FAIR, 0.3, Planted()),
        "no effect, uneven, 30%": (UNEVEN, 0.3, Planted()),
        "no effect, uneven, 0.5%": (UNEVEN, 0.005, Planted()),
    }
    cases |= {f"3 axes move {size:g} pp, 30%": (FAIR, 0.3, Planted(3, size)) for size in (1.0, 2.0, 4.0)}
    for name, (shares, touched, planted) in cases.items():
        found = [said(seed, list(shares.values()), [touched] * 12, planted) for seed in range(repeats)]
        wrong = [one.false > 0 or one.nearer for one in found]
        yield Rate.of(f"sweep, {name}: any effect wrongly clear", OF_A_SETTING, 5, wrong)
        missed = [one.missed > 0 for one in found]
        yield Rate.of(f"sweep, {name}: a quoted interval misses", OF_A_SETTING, 5, missed)


def _power(repeats: int) -> Iterator[Rate]:
    """Yield how often an effect of 1 pp is found with the number of games that a sweep names."""
    cases: dict[str, tuple[tuple[int, ...], list[float]]] = {
        "12 axes, 4 players, each changes 30% of games": ((4,), [0.3] * 12),
        "12 axes, 4 players, 2%": ((4,), [0.02] * 12),
        "12 axes, 4 players, 0.2%": ((4,), [0.002] * 12),
        "12 axes, 4 players, 0.1% to 30%, the effect at 30%": ((4,), [0.001, 0.003, 0.01, 0.03, 0.1, 0.3] * 2),
        "12 axes, 2 players, 30%": ((2,), [0.3] * 12),
        "12 axes, 2, 3 and 4 players, 30%": ((2, 3, 4), [0.3] * 12),
        "30 axes, 4 players, 30%": ((4,), [0.3] * 30),
    }
    for name, (players, touched) in cases.items():
        games = int(np.median([advice(seed, players, touched) for seed in range(15)]))
        for evenly, cost in ((False, "one seat"), (True, "all others")):
            found = [is_found(seed, players, touched, games, evenly) for seed in range(repeats)]
            yield Rate.of(f"sweep, {name}: 1 pp at the cost of {cost} found", games, 80, found)
