"""The check of a training on held-out deals: its verdict, and what a file of weights says of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.validation import show
from rogsim.bots.weights import read_file
from rogsim.stats.contrasts import FEWEST_BLOCKS, holm
from rogsim.stats.estimates import ALPHA, CONFIDENCE, Estimate
from rogsim.stats.special_functions import stdtr, stdtrit

DIGITS = 8  # of a share in plain data
NOT_CLEAR = "not distinguishable"


@dataclass(frozen=True)
class TrainingCheck:
    """The held-out check for one player count: the trained bot among its rivals, or bots with the weights of the start.

    win_share: of the trained bot. gain: how far that is above fair. over_start: how far it is above the share of the
    start, with the same seats, deals and others. is_kept: whether the file has the trained weights for this player
    count; otherwise those of the start, because the trained bot was clearly weaker.
    """

    games: int
    win_share: Estimate
    gain: Estimate
    over_start: Estimate
    is_kept: bool = True

    @property
    def is_weaker(self) -> bool:
        """Return whether the trained bot is clearly weaker than the bots it met."""
        return self.gain.high < 0


def plain(check: TrainingCheck) -> dict[str, Any]:
    """Return a check as plain data."""
    return {
        "games": check.games,
        "win_share": _three(check.win_share),
        "above_fair": _three(check.gain),
        "above_start": _three(check.over_start),
        "kept": check.is_kept,
    }


def check_in(found: Mapping[str, Any]) -> TrainingCheck:
    """Return a check from plain data; ValueError, TypeError or KeyError if it is incomplete."""
    games = int(found["games"])
    share, gain, over = (_estimate(found[name], games) for name in ("win_share", "above_fair", "above_start"))
    return TrainingCheck(games, share, gain, over, found["kept"] is True)


def verdict(check: TrainingCheck) -> str:
    """Return in a few words whether the trained bot is stronger than the bots it met, by the interval of one check."""
    if check.gain.low > 0:
        return "stronger"
    if not check.is_weaker:
        return NOT_CLEAR
    return "weaker" if check.is_kept else "weaker: the start is kept"


def verdicts(checks: Mapping[int, TrainingCheck]) -> dict[int, str]:
    """Return the verdicts of all player counts, judged together by Holm's method.

    Whether the start is kept is not judged anew: the interval of the check has decided that.
    """
    adjusted = holm([p_of(check, players) for players, check in checks.items()])
    return {
        players: verdict(check) if p < ALPHA or not check.is_kept else NOT_CLEAR
        for (players, check), p in zip(checks.items(), adjusted, strict=True)
    }


def p_of(check: TrainingCheck, players: int) -> float:
    """Return the two-sided p of a check's gain being 0, by Student's t from its interval; nan with too few blocks."""
    df = check.games // players - 1
    if df + 1 < FEWEST_BLOCKS:
        return math.nan
    error = check.gain.half_width / float(stdtrit(df, (1 + CONFIDENCE) / 2))
    if not error > 0:
        return 1.0 if check.gain.value == 0 else 0.0
    return 2 * float(stdtr(df, -abs(check.gain.value) / error))


def _three(found: Estimate) -> list[float]:
    return [round(number, DIGITS) for number in (found.value, found.low, found.high)]


def _estimate(numbers: Sequence[float], games: int) -> Estimate:
    value, low, high = (float(number) for number in numbers)
    if not (math.isfinite(low) and math.isfinite(high) and low <= value <= high):
        raise ValueError("not an estimate with its interval")
    return Estimate(value, low, high, games, float(games))


@dataclass(frozen=True)
class TrainedFile:
    """How the weights in a file were trained.

    Attributes
    ----------
    generations, games
        Number of generations, and of games of each for each player count.
    checks
        The trained bot among bots with the weights of the start, by player count.
    """

    generations: int
    games: int
    checks: Mapping[int, TrainingCheck]


def read_trained(path: Path) -> TrainedFile:
    """Return what the origin in a file of weights says; RogsimError unless `rogsim train` wrote all of it."""
    origin: Any = read_file(path).get("origin")
    try:
        found: Mapping[str, Any] = origin["check"]
        checks = {int(name.removesuffix("-players")): check_in(check) for name, check in found.items()}
        return TrainedFile(int(origin["generations"]), int(origin["games_a_generation"]), checks)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as fault:
        key = show("origin")
        raise RogsimError(f"{path}: key {key}: is not that of a training; remove the file to train again") from fault
