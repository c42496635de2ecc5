"""The results of an adaptive run as a table, and why it stopped."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rogsim.experiments.adaptive import LevelPrecision, Look
from rogsim.game.topics import Topic
from rogsim.report.console.tables import level_labels
from rogsim.report.console.text_table import MANY_INTERVALS, Table, number, percentage
from rogsim.scenario.precision import Target
from rogsim.stats.estimates import ALPHA
from rogsim.stats.prospects import two_figures

PROMISE = "Each single interval holds at all looks with 95% probability, so stopping early does not invalidate it."


def until_table(look: Look, targets: Sequence[Target], cap: int, topics: Sequence[Topic] = ()) -> Table:
    """Return a table of the width of each interval, with notes on why the run stopped.

    Parameters
    ----------
    cap
        The most games allowed.
    topics
        Those of the game, which have the words for levels.
    """
    rows = tuple(_row(precision, topics) for precision in look.precisions)
    title = f"{look.players} players: until {' and '.join(target.text for target in targets)}"
    notes = (_stop_note(look, targets, cap, topics), PROMISE, *_many_note(len(look.precisions)))
    return Table(title, ("level", "n", "value (95% at any time)", "half width", "requested"), rows, notes)


def _row(precision: LevelPrecision, topics: Sequence[Topic]) -> tuple[str, ...]:
    target, estimate = precision.target, precision.estimate
    show = percentage if target.value == "win_share" else number
    value = show(estimate, _digits(target))
    return (
        _name(precision, topics),
        f"{estimate.n:,}",
        value,
        _half_width(precision),
        _width(target, target.half_width),
    )


def _stop_note(look: Look, targets: Sequence[Target], cap: int, topics: Sequence[Topic]) -> str:
    if look.is_done:
        return f"Stopped after {look.games:,} games: {' and '.join(_known(target) for target in targets)}."
    so_far = f"The cap of {cap:,} games is reached" if look.games >= cap else f"{look.games:,} games are played"
    widest, more = look.widest, f"about {two_figures(look.more_games):,} more games would"
    name = f"{_name(widest, topics)} ({_value(widest.target)})"
    if math.isnan(widest.estimate.half_width):
        return f"{so_far}: {name} is in only {widest.blocks} blocks, too few for an interval; {more} give one."
    asked = _width(widest.target, widest.target.half_width)
    return f"{so_far}: the widest interval, {name}, is ±{_half_width(widest)} instead of ±{asked}; {more} be enough."


def _many_note(count: int) -> tuple[str, ...]:
    if count < MANY_INTERVALS:
        return ()
    return (
        f"Of {count} such intervals up to {count * ALPHA:.1f} may miss the true value at some look by chance alone.",
    )


def _known(target: Target) -> str:
    return f"every {_factor(target)}'s {_value(target)} is known to ±{_width(target, target.half_width)}"


def _name(precision: LevelPrecision, topics: Sequence[Topic]) -> str:
    level = "none" if precision.level is None else str(precision.level)
    return f"{_factor(precision.target)} {level_labels(topics, precision.target.factor).get(level, level)}"


def _factor(target: Target) -> str:
    return target.factor.replace("_", " ")


def _value(target: Target) -> str:
    return "win share" if target.value == "win_share" else "mean of points"


def _half_width(precision: LevelPrecision) -> str:
    """Return a half width with its unit, rounded up so that it never looks narrower than it is."""
    half_width = precision.estimate.half_width
    if math.isnan(half_width):
        return "-"
    target = precision.target
    digits = _digits(target) + 1
    upward = math.ceil(half_width * _scale(target) * 10**digits - 1e-6) / 10**digits
    return f"{upward:.{digits}f} {_unit(target)}"


def _width(target: Target, width: float) -> str:
    text = f"{width * _scale(target):.12g} {_unit(target)}"
    return text.removesuffix("s") if text == "1 points" else text


def _scale(target: Target) -> int:
    return 100 if target.value == "win_share" else 1


def _unit(target: Target) -> str:
    return "pp" if target.value == "win_share" else "points"


def _digits(target: Target) -> int:
    """Return how many decimal places show the first significant digit of the target's width; at least 1."""
    return max(1, -math.floor(math.log10(target.half_width * _scale(target))))
