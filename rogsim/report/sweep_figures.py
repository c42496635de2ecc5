"""Figures of a sweep: response curves, maps of two figures, and what each figure does."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from rogsim.axes import Axis, value_words
from rogsim.designs import Setting
from rogsim.report import figures, words
from rogsim.report.heat_map import convention, heat_map
from rogsim.report.model import Picture
from rogsim.report.pieces import extremes
from rogsim.report.sweep_frames import setting_text, short_names
from rogsim.report.sweep_map import distance_map
from rogsim.stats.rates import Estimate
from rogsim.sweeps import CellTable, Outcome

MOST_PANELS = 6
MOST_DRAWN = 15  # effects; all of them are in the table
MOST_CURVES = 6  # figures, of a sweep of one axis at a time
LEAST_VALUES = 4  # of an axis that gets a curve of its own there


def cell_pictures(outcome: Outcome) -> Iterator[Picture]:
    """Yield curves and maps of the cells, as far as the design has them."""
    sample, axes = outcome.design.sweep.sample, [axis for axis in outcome.design.axes if _size(outcome, axis) > 1]
    if sample == "grid":
        yield from _maps(outcome, axes)
        numbers = [axis for axis in axes if axis.is_number]
        for axis in sorted(numbers, key=lambda one: -_size(outcome, one))[:2]:
            others = [one for one in axes if one.name != axis.name]
            if _panels(outcome, others) <= MOST_PANELS:
                yield _curve(outcome, axis, others)
    elif sample == "alone":
        ranked = dict.fromkeys(effect.axis.name for table in outcome.tables.values() for effect in table.effects)
        long = [axis for axis in axes if axis.is_number and len(_values(outcome, axis)) >= LEAST_VALUES]
        for axis in sorted(long, key=lambda one: list(ranked).index(one.name))[:MOST_CURVES]:
            yield _curve(outcome, axis, [])


def effect_pictures(outcome: Outcome) -> Iterator[Picture]:
    """Yield what each figure does to the seats' shares, and to the distance from fair."""
    names = short_names(outcome.design.axes)
    shares: list[dict[str, Any]] = []
    distances: list[dict[str, Any]] = []
    for table in outcome.tables.values():
        for effect in [one for one in table.effects if not one.change.is_nothing][:MOST_DRAWN]:
            level = names[effect.axis.name] + (f" = {effect.value}" if effect.value else "")
            where = {"panel": _panel(table), "level": level}
            shares += [{**where, "series": f"seat {seat}", **_point(effect.change.gain(seat))} for seat in table.seats]
            distances.append({**where, "series": "", **_point(effect.change.more("distance"))})
    if not shares:
        return
    steps = "one step more, or another value than the scenario's own"
    yield _forest(
        "effects-seats",
        shares,
        f"What each figure does to the seats' win shares: {steps}.",
        "effect on win share, pp",
        "seat",
    )
    yield _forest(
        "effects-distance",
        distances,
        f"What each figure does to the distance from fair with its noise: {steps}. Left of the line is fairer.",
        "effect on the distance with noise, pp",
        "figure",
    )


def _forest(name: str, lines: Sequence[Mapping[str, Any]], caption: str, axis: str, of: str) -> Picture:
    frame = pl.DataFrame(lines)
    told = f"Effects by {of} with intervals. {extremes(frame)}"
    return Picture(name, caption, told, partial(figures.forest, frame, None, axis, "no effect"))


def _curve(outcome: Outcome, axis: Axis, others: Sequence[Axis]) -> Picture:
    """Return the seats' shares along the values of a number: a panel for each of everything else."""
    lines = []
    for table, rest, panel in _each_panel(outcome, others):
        for place, setting in enumerate(table.settings):
            value = outcome.design.value(setting, axis)
            if _is_at(outcome, setting, rest, others) and _only(setting, [axis, *others], outcome):
                for seat in table.seats:
                    share = table.responses[place].share(seat).minus(100 / table.players)
                    lines.append({"panel": panel, "series": f"seat {seat}", "x": value, **_point(share)})
    frame = pl.DataFrame(lines)
    name = short_names(outcome.design.axes)[axis.name]
    caption = (
        f"Win share of each seat against its fair share, by {axis.name} (as it is: {value_words(axis.own)}), with 95% "
        "intervals."
    )
    told = f"Curves of the seats' shares by {axis.name}. {extremes(frame.with_columns(level=pl.col('x')))}"
    draw = partial(figures.trend, frame, name, "against the fair share, pp", _margin(outcome), points=True)
    return Picture(f"curve-{_slug(axis.name)}", caption, told, draw)


def _maps(outcome: Outcome, axes: Sequence[Axis]) -> Iterator[Picture]:
    """Yield maps of two axes, if two stay when the others make few enough panels; numbers before others."""
    ordered = sorted(axes, key=lambda axis: (not axis.is_number, axis.kind == "bots", -_size(outcome, axis)))
    if len(ordered) < 2:
        return
    (across, down), others = ordered[:2], ordered[2:]
    if _panels(outcome, others) > MOST_PANELS:
        return
    names = short_names(outcome.design.axes)
    fields, signed = [], []
    for table, rest, panel in _each_panel(outcome, others):
        best = table.responses[table.fairest].more("distance")
        for place, setting in enumerate(table.settings):
            if not _is_at(outcome, setting, rest, others) or not _only(setting, axes, outcome):
                continue
            at = {axis.name: value_words(outcome.design.value(setting, axis)) for axis in (across, down)}
            found, where = table.responses[place], {"panel": panel, "row": at[down.name], "column": at[across.name]}
            told = {"series": "", "level": setting_text(outcome, table, place)}
            same = found.more("distance").value <= best.value
            fields.append({**where, **told, **_point(found.distance()), "own": not place, "best": same})
            signed.append({**where, **told, **_point(found.share(1).minus(100 / table.players))})
    corner = f"{names[down.name]} (down), {names[across.name]} (across)"
    frame, first = (_ordered(lines, outcome, across, down) for lines in (fields, signed))
    yield Picture(
        "map-distance",
        f"Distance from fair in percentage points: {corner}. Framed: as it is. Bold: the fairest, which is partly "
        f"the luckiest.",
        f"Map of the distance from fair. {extremes(frame)}",
        partial(distance_map, frame, names[across.name], names[down.name]),
    )
    yield Picture(
        "map-seat-1",
        f"Win share of seat 1 against its fair share, in percentage points: {corner}. {convention(first)}",
        f"Map of the win share of seat 1. {extremes(first)}",
        partial(heat_map, first, "seat 1 against the fair share, pp", names[down.name]),
    )


def _each_panel(outcome: Outcome, others: Sequence[Axis]) -> Iterator[tuple[CellTable, Setting, str]]:
    """Yield each number of players with each setting of other axes, and the title of its panel."""
    values = [_values(outcome, axis) for axis in others]
    names = short_names(outcome.design.axes)
    for table in outcome.tables.values():
        for rest in itertools.product(*values):
            setting = dict(zip([axis.name for axis in others], rest, strict=True))
            told = [f"{names[name]} = {value_words(value)}" for name, value in setting.items()]
            yield table, setting, "\n".join([_panel(table), *told])


def _panels(outcome: Outcome, others: Sequence[Axis]) -> int:
    return len(outcome.tables) * int(np.prod([len(_values(outcome, axis)) for axis in others], dtype=np.int64))


def _values(outcome: Outcome, axis: Axis) -> list[Any]:
    """Return the values that an axis takes: in a grid those of the sweep, else also the scenario's own; in order."""
    grid = outcome.design.sweep.sample == "grid"
    values = list(axis.values) if grid or axis.own in axis.values else [axis.own, *axis.values]
    return sorted(values) if axis.is_number else values


def _size(outcome: Outcome, axis: Axis) -> int:
    return len(_values(outcome, axis))


def _is_at(outcome: Outcome, setting: Setting, rest: Setting, others: Sequence[Axis]) -> bool:
    return all(outcome.design.value(setting, axis) == rest[axis.name] for axis in others)


def _only(setting: Setting, axes: Sequence[Axis], outcome: Outcome) -> bool:
    """Say whether nothing but these axes differs, and all have a value of the sweep."""
    names = {axis.name for axis in axes}
    inside = all(outcome.design.value(setting, axis) in _values(outcome, axis) for axis in axes)
    return inside and set(setting) <= names


def _ordered(lines: Sequence[Mapping[str, Any]], outcome: Outcome, across: Axis, down: Axis) -> pl.DataFrame:
    """Put rows and columns of a map in the order of their values."""
    kinds: dict[Any, Any] = {
        name: pl.Enum([value_words(value) for value in _values(outcome, axis)])
        for name, axis in (("row", down), ("column", across))
    }
    frame = pl.DataFrame(lines).cast(kinds)
    order = {panel: place for place, panel in enumerate(frame["panel"].unique(maintain_order=True))}
    place = pl.col("panel").replace_strict(order, return_dtype=pl.Int64)
    return frame.sort(place, "row", "column").with_columns(pl.col("row", "column").cast(pl.String))


def _panel(table: CellTable) -> str:
    return words.players(table.players)


def _point(estimate: Estimate) -> dict[str, float]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _margin(outcome: Outcome) -> float:
    return outcome.design.experiment.scenario.margin


def _slug(name: str) -> str:
    return "".join(sign if sign.isalnum() else "-" for sign in name)
