"""How narrow intervals must be before a run may stop: statements such as `seat_share ± 0.5 pp`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rogsim.base.numbers import read_number
from rogsim.base.validation import show, unknown_key

if TYPE_CHECKING:
    from rogsim.game.columns import Column

FORM = "write NAME ± NUMBER, such as seat_share ± 0.5 pp or seat_points ± 1"
STATEMENT = re.compile(
    r"\s*(?P<name>[^\s±+]+)\s*(?:±|\+-|\+/-)\s*(?P<number>[-+.,\d][-+.,\w]*?)\s*(?P<unit>[^\W\d_]+|%|)\s*"
)
NARROWEST_SHARE, WIDEST_SHARE = 0.01, 25.0  # percentage points; a billion games are enough for the first

Value = Literal["win_share", "points"]
ENDINGS: dict[str, Value] = {"_share": "win_share", "_points": "points"}


@dataclass(frozen=True)
class Target:
    """A precision target for every level of a factor: how narrow the interval of its win share or points must be.

    Attributes
    ----------
    factor, value
        Columns of seats.
    half_width
        For a share from 0 to 1, for points in points.
    text
        The target as a user would type it.
    """

    factor: str
    value: Value
    half_width: float
    text: str


def read_targets(
    texts: Sequence[str], seat_factors: Sequence[str], bots: Sequence[str]
) -> tuple[tuple[Target, ...], list[str]]:
    """Read statements: return the targets, and one line for each statement that cannot be used.

    Parameters
    ----------
    texts
        Statements as typed.
    seat_factors
        The seat factors of the game.
    bots
        The bots that play; the win share of a single bot is always the fair share, so it cannot be a target.
    """
    targets: dict[str, Target] = {}
    problems: list[str] = []
    for text in texts:
        try:
            target = _read(text, seat_factors, bots)
            name = target.text.split()[0]
            if name in targets:
                raise ValueError(f'"{name}" is listed twice')
            targets[name] = target
        except ValueError as fault:
            problems.append(str(fault))
    return tuple(targets.values()), problems


def absent_targets(
    targets: Sequence[Target],
    columns: Sequence[Column],
    absent: Callable[[int, str], Mapping[str, str]],
    players: Sequence[int],
) -> Iterator[str]:
    """Yield a line for each target on what is not in play: such a share is always the fair one.

    Parameters
    ----------
    columns
        The seat columns of the game.
    absent
        Returns the levels of a column that cannot occur with a player count, with the reasons.
    """
    for target in targets:
        levels = next((column.labels for column in columns if column.name == target.factor), None) or ()
        reasons: dict[str, str] = {}
        for count in players:
            reasons |= absent(count, target.factor)
        if levels and all(level in reasons for level in levels):
            why = " and ".join(dict.fromkeys(reasons[level] for level in levels))
            yield f"{show(target.text)} is not allowed: {why}"


def names_of(seat_factors: Sequence[str]) -> list[str]:
    """Return the names with which a statement may begin."""
    factors = dict.fromkeys(["seat", "bot", *seat_factors])
    return [factor + ending for factor in factors for ending in ENDINGS]


def _read(text: str, seat_factors: Sequence[str], bots: Sequence[str]) -> Target:
    found = STATEMENT.fullmatch(text)
    if not found:
        raise ValueError(f"{show(text)} is not allowed: {FORM}")
    name, number, unit = found["name"], _number(found["number"], text), found["unit"]
    known = names_of(seat_factors)
    if name not in known:
        raise ValueError(f"{show(text)}: {show(name)} is {unknown_key(name, known)}")
    factor, _, ending = name.rpartition("_")
    value = ENDINGS["_" + ending]
    if value == "points":
        return Target(factor, value, _points(number, unit, text), f"{name} ± {number:.12g}")
    if factor == "bot" and len(set(bots)) == 1:
        raise ValueError(f"{show(text)} is not allowed: a single bot wins its fair share in any number of games")
    return Target(factor, value, _share(number, unit, text) / 100, f"{name} ± {number:.12g} pp")


def _number(written: str, text: str) -> float:
    try:
        number = read_number(written)
    except ValueError:
        raise ValueError(f"{show(text)} is not allowed: {show(written)} is not a number; {FORM}") from None
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"{show(text)} is not allowed: the number must be more than 0 and finite")
    return number


def _share(number: float, unit: str, text: str) -> float:
    if unit != "pp":
        raise ValueError(f"{show(text)} is not allowed: the unit of a share is pp, percentage points")
    if not NARROWEST_SHARE <= number <= WIDEST_SHARE:
        limits = f"from {NARROWEST_SHARE:g} to {WIDEST_SHARE:g} pp"
        raise ValueError(f"{show(text)} is not allowed: it must be {limits}")
    return number


def _points(number: float, unit: str, text: str) -> float:
    if unit not in ("", "points"):
        raise ValueError(f"{show(text)} is not allowed: write points without a unit, or with the unit points")
    return number
