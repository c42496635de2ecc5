"""How often searches, the fairest setting of a sweep, and ratings are right; small versions run in the tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from rogsim.experiments.optimize import Candidate, answer, beaten
from rogsim.scenario.goals import Goal
from rogsim.stats.paired.common_random_numbers import Estimates
from rogsim.stats.paired.deviations import Deviations, closer, deviations_of
from rogsim.stats.paired.main_effects import distance_change, distance_from_fair, effect_on_distance
from rogsim.stats.ratings import ELO, rate
from scripts.studies.rates import Rate

SEATS = Goal("win_share", "seat", None, 0.02, "seat_share equal ± 2 pp")
PATRONS = Goal("win_share", "hand", None, 0.02, "hand_share equal ± 2 pp")  # eight levels, four in each game
Uniforms = np.ndarray  # float64[blocks]: the deal of each block


def estimates(levels: int, top: np.ndarray, bottom: np.ndarray, players: int = 0) -> Estimates:
    """Estimates from sums by block and level, as `measure` makes them of rows; players: as many as levels if 0."""
    rows, blocks = bottom.sum(axis=0), len(top)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = top.sum(axis=0) / rows
        influence = (top - value * bottom) / (rows / blocks)
    names = tuple(str(level + 1) for level in range(levels))
    return Estimates(
        names, value, rows.astype(np.int64), np.arange(blocks), influence, fair=np.array(1 / (players or levels))
    )


def winners(deals: Uniforms, chances: np.ndarray) -> np.ndarray:
    """Who wins each game, float64[blocks, k] of 0 and 1; chances: float64[k] or [blocks, k]."""
    chances = np.broadcast_to(chances, (len(deals), chances.shape[-1]))
    place = (deals[:, None] >= np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1)
    return np.eye(chances.shape[1])[place]


def seats(deals: Uniforms, off: Sequence[float]) -> Deviations:
    """Games whose seats win their fair share and so many percentage points more."""
    chances = 1 / len(off) + np.array(off) / 100
    top = winners(deals, chances)
    return deviations_of([(SEATS, len(off), estimates(len(off), top, np.ones_like(top)))])


def hands(rng: np.random.Generator, deals: Uniforms, off: Sequence[float]) -> Deviations:
    """Games of four, each with one of two hands, eight in all, that win so many points more than a fair share."""
    effects = hands_effects(off) / 100
    which = 2 * np.arange(4) + rng.integers(0, 2, (len(deals), 4))
    there = effects[which]
    won = winners(deals, 0.25 + there - there.mean(axis=1, keepdims=True))
    top, bottom = np.zeros((len(deals), 8)), np.zeros((len(deals), 8))
    np.put_along_axis(top, which, won, axis=1)
    np.put_along_axis(bottom, which, 1.0, axis=1)
    return deviations_of([(PATRONS, 4, estimates(8, top, bottom, players=4))])


def hands_effects(off: Sequence[float]) -> np.ndarray:
    """What each hand must add so that its win share is off by so much, given who else may be there."""
    share = np.full((8, 8), 0.0)
    for hand in range(8):
        for other in range(8):
            share[hand, other] = (hand == other) - (0.25 if hand == other else 0.125 if hand // 2 != other // 2 else 0)
    return np.asarray(np.linalg.lstsq(share, np.array(off), rcond=None)[0])


# Percentage points off a fair share, by level.
SEAT_CASES = {
    "2 seats, fair": (0.0, 0.0),
    "2 seats, 4 pp off": (4.0, -4.0),
    "3 seats, fair": (0.0, 0.0, 0.0),
    "3 seats, one outlier": (5.0, -2.5, -2.5),
    "4 seats, fair": (0.0, 0.0, 0.0, 0.0),
    "4 seats, all tied at 2 pp": (2.0, -2.0, 2.0, -2.0),
    "4 seats, one outlier": (6.0, -2.0, -2.0, -2.0),
}
HAND_CASES = {
    "8 levels, fair": (0.0,) * 8,
    "8 levels, all tied at 2 pp": (2.0, -2.0) * 4,
    "8 levels, one outlier": (8.0, -8.0 / 7, *(-8.0 / 7,) * 6),
}
TIES = {
    "2 seats, fair": ((0.0, 0.0), (0.0, 0.0)),
    "2 seats, the same one off": ((4.0, -4.0), (4.0, -4.0)),
    "2 seats, the other one off": ((4.0, -4.0), (-4.0, 4.0)),
    "4 seats, fair": ((0.0,) * 4, (0.0,) * 4),
    "4 seats, another one off": ((6.0, -2.0, -2.0, -2.0), (-2.0, 6.0, -2.0, -2.0)),
    "4 seats, all tied": ((2.0, -2.0, 2.0, -2.0), (-2.0, 2.0, 2.0, -2.0)),
    "4 seats, an outlier against a tie": ((3.0, -1.0, -1.0, -1.0), (3.0, -3.0, 3.0, -3.0)),
}


def distance_hits(seed: int, case: str, blocks: int) -> tuple[bool, bool, bool]:
    """Whether the interval of the largest deviation holds the true one, lies above it, or lies below it."""
    rng = np.random.default_rng([1, seed, blocks])
    off = (SEAT_CASES | HAND_CASES)[case]
    deals = rng.random(blocks)
    found = seats(deals, off) if case in SEAT_CASES else hands(rng, deals, off)
    off = off if case in SEAT_CASES else share_off(off)
    low, high = found.distance_interval()
    true = max(abs(effect) for effect in off) / 2
    return low <= true + 1e-9 and true - 1e-9 <= high, low > true + 1e-9, high < true - 1e-9


def share_off(off: Sequence[float]) -> tuple[float, ...]:
    """What the shares of hands are really off, where not everything can be had."""
    effects = hands_effects(off)
    others = np.array([effects[[other for other in range(8) if other // 2 != hand // 2]].sum() for hand in range(8)])
    return tuple(effects - (effects + others / 2) / 4)


def tie(seed: int, case: str, blocks: int, common: float) -> float:
    """The confidence that one of two equally close candidates is closer; common: part of the deals they share."""
    rng = np.random.default_rng([2, seed, blocks])
    first, second = TIES[case]
    deals = rng.random(blocks)
    other = np.where(rng.random(blocks) < common, deals, rng.random(blocks))
    found = closer(seats(deals, first), seats(other, second))
    return max(found, 1 - found)


ELO_OF_BOTS = np.array([-90.0, -10.0, 20.0, 80.0])  # mean 0
GAMES_OF_A_BLOCK = 8  # rotations of four bots in both directions


def rating_hits(seed: int, blocks: int, draws: int = 200) -> tuple[list[bool], list[bool]]:
    """Whether the intervals of four ratings, and of three leads, contain the true value; games of a block are alike."""
    rng = np.random.default_rng([3, seed, blocks])
    block = np.repeat(np.arange(blocks), GAMES_OF_A_BLOCK)
    strength = ELO_OF_BOTS / ELO + rng.normal(0, 0.5, (blocks, 4))[block]  # luck that the games of a block share
    orders = np.argsort(-(strength + rng.gumbel(size=(len(block), 4))), axis=1)
    found = rate(orders, block, 4, draws)
    true = rating_truth()
    held = (found.low <= true) & (true <= found.high)
    leads = [found.lead(bot + 1, bot) for bot in range(3)]
    return held.tolist(), [low <= true[bot + 1] - true[bot] <= high for bot, (_, low, high) in enumerate(leads)]


@cache
def rating_truth() -> np.ndarray:
    """The ratings that such games have in the long run: luck that is shared brings them together a little."""
    rng = np.random.default_rng(4)
    strength = ELO_OF_BOTS / ELO + rng.normal(0, 0.5, (400_000, 4))
    orders = np.argsort(-(strength + rng.gumbel(size=strength.shape)), axis=1)
    return rate(orders, np.zeros(len(orders), np.int64), 4, 1).value


def ratings(repeats: int = 1_000) -> Iterator[Rate]:
    """Tournaments of four bots of known strength."""
    for blocks in (10, 20, 50, 200):
        held = [rating_hits(seed, blocks) for seed in range(repeats)]
        for place, name in enumerate(("ratings", "leads")):
            yield Rate.of(f"{name}, {blocks} blocks", "", 95, [float(np.mean(pair[place])) for pair in held])


# Of nine settings with four seats: percentage points off, by seat. The first is the scenario's own.
SWEEPS = {
    "all nine as far from fair": [(2.0, -2.0, 1.0, -1.0)] * 9,
    "all nine fair": [(0.0,) * 4] * 9,
    "current 3 pp off, others less": [
        (3.0, -1.0, -1.0, -1.0),
        *((1.5 + 0.1 * k, -1.0, 0.5, -1.0 - 0.1 * k) for k in range(8)),
    ],
}
OF_A_SWEEP = 1_000  # games of each setting


def settings_on(deals: Uniforms, mixed: np.ndarray, truths: Sequence[Sequence[float]]) -> list[Estimates]:
    """Win shares in settings on deals of which a part is common; mixed: what others have instead, by setting."""
    found = []
    for place, off in enumerate(truths):
        numbers = np.where(mixed[place, 0] < 0.7, deals, mixed[place, 1])
        top = winners(numbers, 1 / len(off) + np.array(off) / 100)
        found.append(estimates(len(off), top, np.ones_like(top)))
    return found


def sweep_hits(seed: int, case: str) -> tuple[float, bool, float, bool, bool, bool]:
    """The fairest of a sweep: bias and coverage of its distance in the sweep, then on new deals; of the change there.

    And whether it is falsely said to be surely fairer than the scenario's own, on new deals.
    """
    rng = np.random.default_rng([5, seed, list(SWEEPS).index(case)])
    truths = SWEEPS[case]
    swept, fresh = (settings_on(rng.random(OF_A_SWEEP), rng.random((9, 2, OF_A_SWEEP)), truths) for _ in range(2))
    best = int(np.argmin([distance_from_fair(shares).value for shares in swept]))
    true = [float(np.sqrt(np.mean(np.square(off)))) for off in truths]
    change = distance_change(fresh[0], fresh[best])
    claim = change.high < 0 and effect_on_distance([fresh[0], fresh[best]], [-1, 1]).p < 0.05
    in_sweep, again = (distance_from_fair(each[best]) for each in (swept, fresh))
    return (
        in_sweep.value - true[best],
        in_sweep.low - 1e-9 <= true[best] <= in_sweep.high,
        again.value - true[best],
        again.low - 1e-9 <= true[best] <= again.high,
        change.low - 1e-9 <= true[best] - true[0] <= change.high + 1e-9,
        claim and true[best] >= true[0],
    )


CHANGES = {
    "both far from fair": ((5.0, -3.0, -2.0, 0.0), (3.0, -2.0, -1.0, 0.0)),
    "far, then nearly fair": ((8.0, -4.0, -3.0, -1.0), (0.5, -0.5, 0.0, 0.0)),
    "nearly fair, then far": ((0.5, -0.5, 0.0, 0.0), (3.0, -2.0, -1.0, 0.0)),
    "both fair": ((0.0,) * 4, (0.0,) * 4),
    "the same": ((2.0, -2.0, 1.0, -1.0),) * 2,
    "as far, other seats": ((2.0, -2.0, 1.0, -1.0), (-2.0, 2.0, -1.0, 1.0)),
}


def change_holds(seed: int, case: str, games: int) -> bool:
    """Whether the interval of how much farther from fair one of two settings is contains the truth."""
    rng = np.random.default_rng([8, seed, list(CHANGES).index(case), games])
    truths = CHANGES[case]
    pair = settings_on(rng.random(games), rng.random((2, 2, games)), truths)
    before, after = (float(np.sqrt(np.mean(np.square(off)))) for off in truths)
    change = distance_change(*pair)
    return change.low <= after - before <= change.high


def fairest(repeats: int) -> Iterator[Rate]:
    """The fairest of nine settings, played again on new deals, and how much farther from fair one of two is."""
    for case in SWEEPS:
        held, wrong = zip(*(sweep_hits(seed, case)[3::2] for seed in range(repeats)), strict=True)
        yield Rate.of(f"sweep, {case}: distance of the fairest on new deals", OF_A_SWEEP, 95, held)
        yield Rate.of(f"sweep, {case}: wrongly fairer", OF_A_SWEEP, 5, wrong)
    for case in CHANGES:
        for games in (300, 1_000):
            found = [change_holds(seed, case, games) for seed in range(repeats)]
            yield Rate.of(f"sweep, {case}: change of the distance", games, 95, found)


# Candidates of a search as they really are: how much they change, and how far off their seats are, in pp; goal ± 2 pp.
LISTS = {
    "all as it is, 2 pp off": [(change, (2.0, -2.0, 1.0, -1.0)) for change in range(7)],
    "closer with every change": [(change, (6.0 - change, -2.0, -2.0, change - 2.0)) for change in range(7)],
    "one reaches it by far": [
        (0, (5.0, -2.0, -2.0, -1.0)),
        *((change, (2.5, -1.0, -1.0, -0.5)) for change in (1, 2, 3, 4)),
        (6, (0.3, -0.1, -0.1, -0.1)),
    ],
}


def answer_hits(seed: int, case: str, games: int = 4_000) -> tuple[bool, bool, bool]:
    """On new deals: does its interval contain the true value, does it wrongly reach the goal, is it beaten."""
    rng = np.random.default_rng([6, seed, list(LISTS).index(case)])
    deals, listed = rng.random(games), []
    for change, off in LISTS[case]:
        shared = np.where(rng.random(games) < 0.7, deals, rng.random(games))
        found = replace(seats(shared, off), tries=len(LISTS[case]))
        listed.append(Candidate(None, None, change, found, found))  # type: ignore[arg-type]
    chosen = answer(listed, unchanged_allowed=True)
    true = max(abs(effect) for effect in LISTS[case][listed.index(chosen)][1]) / 2
    low, high = chosen.found.distance_interval()
    reached = chosen.found.kind == "within"
    return low - 1e-9 <= true <= high + 1e-9, reached and true >= 1, any(beaten(chosen, other) for other in listed)


def searches(repeats: int = 1_000) -> Iterator[Rate]:
    """Candidates whose distance from fair is known."""
    for case in (*SEAT_CASES, *HAND_CASES):
        for blocks in (100, 2_000):
            found = [distance_hits(seed, case, blocks)[0] for seed in range(repeats)]
            yield Rate.of(f"largest deviation: {case}", blocks, 95, found)
    for case in TIES:
        for common in (0.0, 0.9):
            sure = np.array([tie(seed, case, 2_000, common) for seed in range(repeats)])
            name = f"equally close, {case}, {common:.0%} of deals in common: one is called closer"
            yield Rate.of(name, "", 5, sure >= 0.95)
            yield Rate.of(f"{name} (99%)", "", 1, sure >= 0.99)
    for case in LISTS:
        held, reached, _ = zip(*(answer_hits(seed, case) for seed in range(repeats)), strict=True)
        yield Rate.of(f"optimize, {case}: interval of the answer", 4_000, 95, held)
        yield Rate.of(f"optimize, {case}: goal wrongly reached", 4_000, 5, reached)
