"""The goals of a search for fair values: statements such as `seat_share equal ± 2 pp` or `turns = 60 ± 3`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from rogsim.base.numbers import read_number
from rogsim.base.validation import show, unknown_key
from rogsim.game.spec import GameSpec
from rogsim.scenario.precision import ENDINGS, names_of

FORM = (
    "write NAME equal ± NUMBER, such as seat_share equal ± 2 pp, or for one level seat_share of 1 equal ± 2 pp, "
    "or COLUMN = NUMBER ± NUMBER, such as turns = 60 ± 3"
)
NUMBER = r"[-+]?[\d.,]+(?:e[-+]?\d+)?"
EQUAL = re.compile(
    rf"\s*(?P<name>[\w-]+)(?:\s+of\s+(?P<level>[\w-]+))?\s+equal\s*(?:±|\+-|\+/-)\s*(?P<within>{NUMBER})"
    r"\s*(?P<unit>[^\W\d_]+|%|)\s*"
)
EXACT = re.compile(
    rf"\s*(?P<name>[\w-]+)\s*=\s*(?P<aim>{NUMBER})\s*(?:±|\+-|\+/-)\s*(?P<within>{NUMBER})\s*(?P<unit>[^\W\d_]*)\s*"
)
MOST_PLANNED = 100_000_000  # games per candidate
NARROWEST_SHARE, WIDEST_SHARE = 0.02, 50.0  # percentage points; MOST_PLANNED games are enough for the first
NARROWEST = 1e-6  # of points and columns; a first look shows how many games are needed
LARGEST = 1e9  # mean that can be a goal
SMALLEST_WORDS = (
    f"the smallest tolerance that can be tested is {NARROWEST_SHARE:g} pp, with {MOST_PLANNED:,} games for each"
    " candidate; with 1,000,000 games it is about 0.2 pp, with 20,000 about 1.5 pp"
)


@dataclass(frozen=True)
class Goal:
    """A goal: all levels of a factor are equal, or a column of games has a given mean, within a tolerance.

    Attributes
    ----------
    value
        A column of seats, or of games if there is no factor.
    factor
        "" for a column of games.
    aim
        The required mean; None if all levels should be equal.
    within
        The tolerance: for a share from 0 to 1, otherwise in the column's unit.
    text
        The goal as a user would type it.
    level
        The only level of the goal; "" for all.
    """

    value: str
    factor: str
    aim: float | None
    within: float
    text: str
    level: str = ""

    @property
    def scale(self) -> float:
        """Return the factor that converts deviations for display: 100 for shares, shown in percentage points."""
        return 100.0 if self.value == "win_share" else 1.0

    @property
    def is_fair_share(self) -> bool:
        """Return whether levels are to win their fair share."""
        return self.value == "win_share" and self.aim is None

    @property
    def unit(self) -> str:
        """Return the unit in which deviations are shown, "" for a column of the game that has none."""
        return {"win_share": "pp", "points": "points", "turns": "turns"}.get(self.value, "")


def read_goals(texts: Sequence[str], spec: GameSpec, players: Sequence[int] = ()) -> tuple[tuple[Goal, ...], list[str]]:
    """Read statements: return the goals, and one line for each statement that cannot be used.

    Parameters
    ----------
    texts
        Statements as typed.
    players
        The player counts; a named level must exist with each of them.
    """
    goals: dict[tuple[str, str, str], Goal] = {}
    problems: list[str] = []
    for text in texts:
        try:
            goal = _read(text, spec)
            asked = goal.value, goal.factor, goal.level
            if asked in goals:
                raise ValueError(f"{show(text)}: this goal is listed twice")
            if goal.factor and any(spec.sides(count).is_one for count in players):
                rule = "all seats win or lose together; winners = 1 ± 0.1 is how many win on average"
                raise ValueError(f"{show(text)} is not allowed: {rule}")
            fewest = min(players, default=max(spec.players))
            if goal.factor == "seat" and int(goal.level or 1) > fewest:
                raise ValueError(f"{show(text)} is not allowed: there is no seat {goal.level} with {fewest} players")
            goals[asked] = goal
        except ValueError as fault:
            problems.append(str(fault))
    return tuple(goals.values()), problems


def _read(text: str, spec: GameSpec) -> Goal:
    if found := EQUAL.fullmatch(text):
        return _equal(found, text, spec)
    if found := EXACT.fullmatch(text):
        return _exact(found, text, spec)
    raise ValueError(f"{show(text)} is not allowed: {FORM}")


def _equal(found: re.Match[str], text: str, spec: GameSpec) -> Goal:
    name, within, unit = found["name"], _number(found["within"], text), found["unit"]
    known = [known for known in names_of(spec.seat_factors) if not known.startswith("bot_")]
    if name not in known:
        raise ValueError(f"{show(text)}: {show(name)} is {unknown_key(name, known)}")
    factor, _, ending = name.rpartition("_")
    value, level = ENDINGS[f"_{ending}"], _level(found["level"], factor, text, spec)
    name = f"{name} of {level}" if level else name
    if value == "points":
        if unit not in ("", "points"):
            raise ValueError(f"{show(text)} is not allowed: write points without a unit, or with the unit points")
        _check_tolerance(within, text)
        return Goal(value, factor, None, within, f"{name} equal ± {within:.12g}", level)
    if unit != "pp" or within > WIDEST_SHARE:
        raise ValueError(f"{show(text)} is not allowed: write shares in pp, up to {WIDEST_SHARE:g} pp")
    if within < NARROWEST_SHARE:
        more = "the tolerance must be more than 0; " if within <= 0 else ""
        raise ValueError(f"{show(text)} is not allowed: {more}{SMALLEST_WORDS}")
    return Goal(value, factor, None, within / 100, f"{name} equal ± {within:.12g} pp", level)


def _level(level: str | None, factor: str, text: str, spec: GameSpec) -> str:
    """Return the only level of a goal, "" for all levels."""
    if level is None:
        return ""
    columns = {column.name: column.labels or () for column in spec.seat_columns}
    known = [str(seat) for seat in range(1, max(spec.players) + 1)] if factor == "seat" else list(columns[factor])
    if level not in known:
        raise ValueError(f"{show(text)}: {show(level)} is {unknown_key(level, known)}")
    return level


def _exact(found: re.Match[str], text: str, spec: GameSpec) -> Goal:
    name, aim, within = found["name"], _number(found["aim"], text), _number(found["within"], text)
    known = [column.name for column in spec.game_columns if not column.labels and not column.members]
    if name not in known:
        raise ValueError(f"{show(text)}: {show(name)} is {unknown_key(name, known)}")
    _check_tolerance(within, text)
    if abs(aim) > LARGEST:
        raise ValueError(f"{show(text)} is not allowed: the mean must be from -{LARGEST:,.0f} to {LARGEST:,.0f}")
    if found["unit"] not in ("", name):
        raise ValueError(f"{show(text)} is not allowed: write {name} without a unit")
    return Goal(name, "", aim, within, f"{name} = {aim:.12g} ± {within:.12g}")


def _check_tolerance(within: float, text: str) -> None:
    if within < NARROWEST:
        more = "; after a first look at how much games vary, the search says how small it can be"
        rule = f"the tolerance must be more than 0, and at least {NARROWEST:f}{more}"
        raise ValueError(f"{show(text)} is not allowed: {rule}")


def _number(written: str, text: str) -> float:
    try:
        number = read_number(written)
    except ValueError:
        raise ValueError(f"{show(text)} is not allowed: {show(written)} is not a number; {FORM}") from None
    if not math.isfinite(number):
        raise ValueError(f"{show(text)} is not allowed: {show(written)} is too large")
    return number
