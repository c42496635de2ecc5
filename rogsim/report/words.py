"""Numbers and names formatted for reading: one format for each kind, shared by every page, table and figure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rogsim.base.text import counted

MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"
LONGEST_LABEL = 24  # characters of a bot's name on an axis
TOO_FEW = "too few"  # instead of a result from too few rows for an interval


def number(value: Any, digits: int = 1, sign: bool = False) -> str:
    """Return a number with thousands separators and a true minus sign; a dash if it is missing."""
    if value is None or math.isnan(value):
        return NOTHING
    text = f"{value:{'+' if sign else ''},.{digits}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("+-")  # no "-0.0"
    return text.replace("-", MINUS)


def minus(text: str) -> str:
    """Return a sentence with true minus signs before its numbers, and no sign before zero."""
    return re.sub(r"(?<!\w)-(?=\d)", MINUS, re.sub(r"(?<!\w)[-+]0\.0(?!\d)", "0.0", text))


def count(value: Any) -> str:
    """Return a whole number with thousands separators."""
    return number(value, 0)


def about(games: float) -> str:
    """Return a number of games rounded up to two significant digits, all that an estimate of it supports."""
    if games < 100:
        return count(math.ceil(games / 10) * 10)
    step = 10 ** (math.floor(math.log10(games)) - 1)
    return count(math.ceil(games / step) * step)


def share(value: Any, digits: int = 1) -> str:
    """Return a share from 0 to 1 as a percentage."""
    return NOTHING if value is None or math.isnan(value) else f"{number(100 * value, digits)}%"


def pp(value: Any, digits: int = 1) -> str:
    """Return a number of percentage points with its sign."""
    return NOTHING if value is None or math.isnan(value) else f"{number(value, digits, sign=True)} pp"


def probability(value: Any) -> str:
    """Return a p-value; below a thousandth as "< 0.001"."""
    if value is None or math.isnan(value):
        return NOTHING
    return "< 0.001" if value < 0.001 else number(value, 3)


def chance(value: Any) -> str:
    """Return a probability in whole per cent, never as 0% or 100%."""
    if value is None or math.isnan(value):
        return TOO_FEW
    if value < 0.01:
        return "<1%"
    return ">99%" if value > 0.99 else f"{value:.0%}"


def interval(low: Any, high: Any, scale: float = 1.0, digits: int = 1, sign: bool = False) -> str:
    """Return the ends of an interval, "1.2 to 3.4"; empty if there is none."""
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return ""
    return f"{number(scale * low, digits, sign)} to {number(scale * high, digits, sign)}"


def give_or_take(value: float, low: Any, high: Any, scale: float = 1.0, digits: int = 1, sign: bool = False) -> str:
    """Return a number with its interval in short, "1.2 ±0.3"; the ends of a lopsided interval, as of a share near 0."""
    text = number(value * scale, digits, sign)
    ends = interval(low, high, scale, digits, sign)
    if not ends:
        return text
    shorter, longer = sorted((value - low, high - value))
    return f"{text} ({ends})" if shorter < longer / 2 else f"{text} ±{number(longer * scale, digits)}"


def name(text: Any, labels: Mapping[str, str] | None = None) -> str:
    """Return the game's label for a name in the data, or the name without underscores if it has none."""
    if text is None:
        return "none"
    known = (labels or {}).get(str(text))
    return known if known is not None else str(text).replace("_", " ")


def players(count: int) -> str:
    """Return a number of players with its noun."""
    return counted(count, "player")


def games(count: int) -> str:
    """Return a number of games with its noun."""
    return counted(count, "game")


def undecided(count: int, total: int) -> str:
    """Return how many of all questions are undecided."""
    if count == total:
        every = {1: "the only question is", 2: "both questions are"}.get(total, f"all {total} questions are")
        return f"{every} undecided"
    return f"{count} of {total} questions {'is' if count == 1 else 'are'} undecided"


def joined(*lines: str) -> str:
    """Return the lines that are not empty as one text."""
    return "\n".join(line for line in lines if line)


def portable_path(path: Path) -> str:
    """Return a relative path unchanged, and of an absolute path only the last part: the rest is of no use elsewhere."""
    return path.name if path.is_absolute() else path.as_posix()


def bot_label(name: str) -> str:
    """Return a bot's name without its folders, for a figure; of a long name only the end."""
    last = name.rsplit("/", 1)[-1]
    return last if len(last) <= LONGEST_LABEL else "…" + last[1 - LONGEST_LABEL :]
