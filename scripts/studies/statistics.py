"""How honest the statistics of a report are: many simulated series with a known truth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import polars as pl
from scipy.stats import f, ncf

from rogsim.stats.balance.levels import Levels
from rogsim.stats.balance.measure import Balance, PlayersBalance, balance, claims
from rogsim.stats.blocks import Floats
from rogsim.stats.estimates import ALPHA
from rogsim.stats.judgement import judge
from scripts.studies.rates import Rate, covers, each_kind
from tests.series import FIELD, HANDS, SPEC, TOPICS, joined, of_chances, series

MARGIN = 2.0
SEATS, HAND_POINTS, SKILL = (2.0, 0.5, -0.5, -2.0), (2.0, -2.0), (0.0, 1.0, 2.0, 3.0)
SPREAD = {"shared": 4.0, "own": 5.0, "course": 3.0, "fit": 2.0, "noise": 6.0}
TRUTH_BLOCKS = 200_000

Truth = dict[str, dict[str, float]]


@cache
def truth() -> Truth:
    """Shares of seats and hands in the planted series, from very many games; the rest is exact."""
    found = []
    for stretch in range(8):
        generator = np.random.default_rng([2, stretch])
        results = planted(generator, TRUTH_BLOCKS // 8)
        found.append(balance(results, SPEC, only=("seats", "hands", "bots", "draws")).players[4])
    return {
        "seat": _mean_shares([part.seats for part in found]),
        "hand": _mean_shares([part.levels["hand"] for part in found]),
        "bot": _mean_shares([part.bots for part in found]),
    }


def _mean_shares(found: list[Levels | None]) -> dict[str, float]:
    frames = [levels.frame() for levels in found if levels is not None]
    return dict(pl.concat(frames).group_by("level").agg(pl.col("share").mean()).iter_rows())


def planted(generator: np.random.Generator, blocks: int) -> Any:
    """Four bots of different strength that rotate, with seats and hands that matter."""
    return series(generator, blocks, 4, FIELD, seats=SEATS, hands=HAND_POINTS, skill=SKILL, **SPREAD)


def cover_planted(seed: int, known: Truth, blocks: int = 300) -> Iterator[tuple[str, bool]]:
    """Which intervals of one planted series contain the true value."""
    found = balance(planted(np.random.default_rng([3, seed]), blocks), SPEC).players[4]
    for name, levels in (("seat", found.seats), ("hand", found.levels["hand"]), ("bot", found.bots)):
        assert levels is not None
        for row in levels.frame().iter_rows(named=True):
            yield f"win share of a {name}", covers(row["share_low"], known[name][row["level"]], row["share_high"])
    assert found.seats is not None
    for row, points in zip(found.seats.frame().iter_rows(named=True), SEATS, strict=True):
        yield "points of a seat against the others", covers(row["ahead_low"], points * 4 / 3, row["ahead_high"])
    yield from _cover_rest(found)


def _cover_rest(found: PlayersBalance) -> Iterator[tuple[str, bool]]:
    """Screens and regression, of which the truth is exact."""
    for row in found.draws["draw"].seats().iter_rows(named=True):
        yield "seat with a draw, beyond the seat", covers(row["beyond_low"], 0.0, row["beyond_high"])
    for row in found.members["tools"].frame().iter_rows(named=True):
        yield "win share with a member minus without", covers(row["difference_low"], 0.0, row["difference_high"])
    slope = found.counts["coins"].slope
    yield "win share for one more", covers(slope["share_low"], 0.0, slope["share_high"])
    assert found.model is not None
    rows = found.model.frame()
    adjusted = _adjusted()
    for row in rows.iter_rows(named=True):
        if row["term"] in adjusted:
            known = adjusted[row["term"]][row["level"]]
            yield f"points of a {row['term']}, by regression", covers(row["points_low"], known, row["points_high"])


@cache
def _adjusted() -> dict[str, dict[str, float]]:
    """What the regression should say of points: a level against the others, as often as they are there."""
    hands = np.array([*HAND_POINTS, *[0.0] * (len(HANDS) - len(HAND_POINTS))])

    def against(points: Any) -> list[float]:
        points = np.asarray(points)
        others = (points.sum() - points) / (len(points) - 1)
        return [float(value) for value in (points - others) * 3 / 4]

    return {
        "seat": dict(zip("1234", against(SEATS), strict=True)),
        "hand": dict(zip(HANDS, against(hands), strict=True)),
        "bot": dict(zip(FIELD, against(SKILL), strict=True)),
    }


def cover_null(seed: int, blocks: int = 300) -> Iterator[tuple[str, bool]]:
    """Which intervals of one series without any effect contain the true value, for two players and one bot."""
    results = series(np.random.default_rng([4, seed]), blocks, 2)
    found = balance(results, SPEC, only=("seats", "hands")).players[2]
    for name, levels in (("seat", found.seats), ("hand", found.levels["hand"])):
        assert levels is not None
        for row in levels.frame().iter_rows(named=True):
            yield f"no effect, two players: win share of a {name}", covers(row["share_low"], 0.5, row["share_high"])


def page(seed: int, blocks: int = 400) -> tuple[bool, bool]:
    """Whether a page of two folders and three player counts finds anything where nothing is, and names a level."""
    generator = np.random.default_rng([6, seed])
    folders: list[Balance] = []
    for bots in (("one",), FIELD):
        results = joined(*(series(generator, blocks, players, bots[: max(1, players)]) for players in (2, 3, 4)))
        folders.append(balance(results, SPEC, only=("seats", "hands", "draws")))
    verdicts = judge(claims(folders, TOPICS))
    return any(verdict.kind in ("beyond", "slight") for verdict in verdicts), any(
        verdict.differing for verdict in verdicts
    )


@cache
def bonus_plan(players: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """What one point for seat 1 does to the win shares, and their covariance in one game, from a large pilot."""
    results = series(np.random.default_rng(7), 300_000, players, seats=(1.0,))
    found = balance(results, SPEC, only=("seats",)).players[players]
    assert found.seats is not None
    shares = np.array([level.share.value for level in found.seats.levels])
    return shares - 1 / players, np.diag(shares) - np.outer(shares, shares)


def bonus(seed: int, games: int) -> bool:
    """Whether a bonus of one point for seat 1 is found after so many games."""
    results = series(np.random.default_rng([8, seed]), games, 4, seats=(1.0,))
    verdicts = judge(claims([balance(results, SPEC, only=("seats",))], TOPICS), 0.1)
    return verdicts[0].kind in ("beyond", "slight")


def power_of_test(effects: Floats, covariance: Floats, games: float, blocks: float, alpha: float = ALPHA) -> float:
    """Return the power of the joint test of all levels, by the noncentral F distribution.

    Parameters
    ----------
    effects : float64[k]
        The true effects.
    covariance : float64[k, k]
        Covariance of the estimates times the number of games they are from.
    games
        Number of games to be played.
    blocks
        Number of blocks in these games.
    """
    precision = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
    df = int(np.linalg.matrix_rank(covariance, tol=1e-9 * float(np.abs(covariance).max()), hermitian=True))
    shift = games * float(effects @ precision @ effects)
    return float(ncf.sf(f.isf(alpha, df, blocks - df), df, blocks - df, shift))


def planned_games(power: float) -> int:
    """After how many games the plan promises to find the bonus with that power."""
    effects, covariance = bonus_plan()
    sizes = np.arange(200, 40_000, 25)
    powers = [power_of_test(effects, covariance, games, games) for games in sizes.tolist()]
    return int(sizes[int(np.searchsorted(powers, power))])


def at_margin(seed: int, chances: tuple[float, ...], games: int = 20_000) -> bool:
    """Whether seats that differ by just the margin are called fair."""
    key = [round(1000 * chance) for chance in chances]  # no two cases share their deals
    results = of_chances(np.random.default_rng([9, seed, *key]), games, chances)
    verdicts = judge(claims([balance(results, SPEC, only=("seats",))], TOPICS), MARGIN)
    return verdicts[0].kind == "within"


MARGINS = {
    "4 players: one seat at +2 pp": (0.27, 0.73 / 3, 0.73 / 3, 0.73 / 3),
    "4 players: one seat at -2 pp": (0.23, 0.77 / 3, 0.77 / 3, 0.77 / 3),
    "4 players: one at +2, one at -2 pp": (0.27, 0.25, 0.25, 0.23),
    "2 players: +2 and -2 pp": (0.52, 0.48),
}


def rates(repeats: int = 1_000) -> Iterator[Rate]:
    """Planted effects of seats, hands and bots, which rotate."""
    known, seeds = truth(), range(repeats)
    yield from each_kind("", 1_200, (cover_planted(seed, known) for seed in seeds))
    yield from each_kind("", 600, (cover_null(seed) for seed in seeds))
    differs, names = zip(*(page(seed) for seed in seeds), strict=True)
    yield Rate.of("no effect: a page says that something differs", "", 5, differs)
    yield Rate.of("no effect: a page names a level", "", 5, names)
    for name, chances in MARGINS.items():
        yield Rate.of(f"{name}: called fair", 20_000, 5, [at_margin(seed, chances) for seed in seeds])
