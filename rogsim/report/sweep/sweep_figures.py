"""Figures of a sweep: response curves, maps of two parameters, and the main effects."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from rogsim.experiments.sweep.design import Setting
from rogsim.experiments.sweep.outcome import SettingTable, SweepOutcome
from rogsim.report import words
from rogsim.report.balance.pieces import extremes
from rogsim.report.document import Picture
from rogsim.report.figures import forest_plots, trends
from rogsim.report.figures.heat_map import convention, heat_map
from rogsim.report.sweep.sweep_frames import setting_text, short_names
from rogsim.report.sweep.sweep_map import distance_map
from rogsim.scenario.axes import Axis, value_words
from rogsim.stats.estimates import Estimate

MOST_PANELS = 6
MOST_DRAWN = 15  # effects; the table has all of them
MOST_CURVES = 6  # in a sweep of one axis at a time
LEAST_VALUES = 4  # an axis with fewer values gets no curve in such a sweep


def setting_pictures(outcome: SweepOutcome) -> Iterator[Picture]:
    """Yield the response curves and maps that the design allows."""
    sample, axes = outcome.design.sweep.sample, [axis for axis in outcome.design.axes if _size(outcome, axis) > 1]
    if sample == "grid":
        yield from _maps(outcome, axes)
        numbers = [axis for axis in axes if axis.is_number]
        for axis in sorted(numbers, key=lambda axis: -_size(outcome, axis))[:2]:
            others = [other for other in axes if other.name != axis.name]
            if _panels(outcome, others) <= MOST_PANELS:
                yield _curve(outcome, axis, others)
    elif sample == "alone":
        ranked = dict.fromkeys(effect.axis.name for table in outcome.tables.values() for effect in table.effects)
        long = [axis for axis in axes if axis.is_number and len(_values(outcome, axis)) >= LEAST_VALUES]
        for axis in sorted(long, key=lambda axis: list(ranked).index(axis.name))[:MOST_CURVES]:
            yield _curve(outcome, axis, [])


def effect_pictures(outcome: SweepOutcome) -> Iterator[Picture]:
    """Yield forest plots of the effects on the seats' win shares and on the distance from fair."""
    names = short_names(outcome.design.axes)
    shares: list[dict[str, Any]] = []
    distances: list[dict[str, Any]] = []
    for table in outcome.tables.values():
        for effect in [effect for effect in table.effects if not effect.change.is_nothing][:MOST_DRAWN]:
            level = names[effect.axis.name] + (f" = {effect.value}" if effect.value else "")
            where = {"panel": _panel(table), "level": level}
            shares += [{**where, "series": f"seat {seat}", **_point(effect.change.gain(seat))} for seat in table.seats]
            distances.append({**where, "series": "", **_point(effect.change.more("distance"))})
    if not shares:
        return
    steps = "of one step up, or of a value other than the scenario's"
    yield _forest(
        "effects-seats",
        shares,
        f"Effect of each parameter on the seats' win shares: {steps}.",
        "effect on win share, pp",
        "seat",
    )
    yield _forest(
        "effects-distance",
        distances,
        f"Effect of each parameter on the distance from fair, uncorrected for noise: {steps}. Left of the line is "
        "fairer.",
        "effect on the uncorrected distance, pp",
        "parameter",
    )


def _forest(name: str, lines: Sequence[Mapping[str, Any]], caption: str, axis: str, of: str) -> Picture:
    frame = pl.DataFrame(lines)
    description = f"Effects by {of} with intervals. {extremes(frame)}"
    return Picture(name, caption, description, partial(forest_plots.forest, frame, None, axis, "no effect"))


def _curve(outcome: SweepOutcome, axis: Axis, others: Sequence[Axis]) -> Picture:
    """Return the seats' win shares along a numeric axis, with a panel for each combination of the other axes."""
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
        f"Win share of each seat against its fair share, by {axis.name} (the scenario has "
        f"{value_words(axis.current)}), with 95% intervals."
    )
    description = f"Curves of the seats' win shares by {axis.name}. {extremes(frame.with_columns(level=pl.col('x')))}"
    draw = partial(trends.trend, frame, name, "against the fair share, pp", _margin(outcome), points=True)
    return Picture(f"curve-{_slug(axis.name)}", caption, description, draw)


def _maps(outcome: SweepOutcome, axes: Sequence[Axis]) -> Iterator[Picture]:
    """Yield maps of two axes, numeric ones first, unless the other axes would make too many panels."""
    ordered = sorted(axes, key=lambda axis: (not axis.is_number, axis.kind == "bots", -_size(outcome, axis)))
    if len(ordered) < 2:
        return
    (across, down), others = ordered[:2], ordered[2:]
    if _panels(outcome, others) > MOST_PANELS:
        return
    names = short_names(outcome.design.axes)
    fields, signed = [], []
    for table, rest, panel in _each_panel(outcome, others):
        best = table.responses[table.optimum].more("distance")
        for place, setting in enumerate(table.settings):
            if not _is_at(outcome, setting, rest, others) or not _only(setting, axes, outcome):
                continue
            at = {axis.name: value_words(outcome.design.value(setting, axis)) for axis in (across, down)}
            found, where = table.responses[place], {"panel": panel, "row": at[down.name], "column": at[across.name]}
            labels = {"series": "", "level": setting_text(outcome, table, place)}
            same = found.more("distance").value <= best.value
            fields.append({**where, **labels, **_point(found.distance()), "as_it_is": not place, "best": same})
            signed.append({**where, **labels, **_point(found.share(1).minus(100 / table.players))})
    corner = f"{names[down.name]} (down), {names[across.name]} (across)"
    frame, first = (_ordered(lines, outcome, across, down) for lines in (fields, signed))
    yield Picture(
        "map-distance",
        f"Distance from fair in percentage points: {corner}. Framed: the scenario as it is. Bold: the fairest setting, "
        f"which is partly the luckiest.",
        f"Map of the distance from fair. {extremes(frame)}",
        partial(distance_map, frame, names[across.name], names[down.name]),
    )
    yield Picture(
        "map-seat-1",
        f"Win share of seat 1 against its fair share, in percentage points: {corner}. {convention(first)}",
        f"Map of the win share of seat 1. {extremes(first)}",
        partial(heat_map, first, "seat 1 against the fair share, pp", names[down.name]),
    )


def _each_panel(outcome: SweepOutcome, others: Sequence[Axis]) -> Iterator[tuple[SettingTable, Setting, str]]:
    """Yield each player count with each combination of the other axes' values, and the title of its panel."""
    values = [_values(outcome, axis) for axis in others]
    names = short_names(outcome.design.axes)
    for table in outcome.tables.values():
        for rest in itertools.product(*values):
            setting = dict(zip([axis.name for axis in others], rest, strict=True))
            titles = [f"{names[name]} = {value_words(value)}" for name, value in setting.items()]
            yield table, setting, "\n".join([_panel(table), *titles])


def _panels(outcome: SweepOutcome, others: Sequence[Axis]) -> int:
    return len(outcome.tables) * int(np.prod([len(_values(outcome, axis)) for axis in others], dtype=np.int64))


def _values(outcome: SweepOutcome, axis: Axis) -> list[Any]:
    """Return an axis's values in order: those of the sweep and, except in a grid, the scenario's value."""
    grid = outcome.design.sweep.sample == "grid"
    values = list(axis.values) if grid or axis.current in axis.values else [axis.current, *axis.values]
    return sorted(values) if axis.is_number else values


def _size(outcome: SweepOutcome, axis: Axis) -> int:
    return len(_values(outcome, axis))


def _is_at(outcome: SweepOutcome, setting: Setting, rest: Setting, others: Sequence[Axis]) -> bool:
    return all(outcome.design.value(setting, axis) == rest[axis.name] for axis in others)


def _only(setting: Setting, axes: Sequence[Axis], outcome: SweepOutcome) -> bool:
    """Return whether the setting changes only these axes, and whether all of them have a value of the sweep."""
    names = {axis.name for axis in axes}
    inside = all(outcome.design.value(setting, axis) in _values(outcome, axis) for axis in axes)
    return inside and set(setting) <= names


def _ordered(lines: Sequence[Mapping[str, Any]], outcome: SweepOutcome, across: Axis, down: Axis) -> pl.DataFrame:
    """Sort the rows and columns of a map by value."""
    kinds: dict[Any, Any] = {
        name: pl.Enum([value_words(value) for value in _values(outcome, axis)])
        for name, axis in (("row", down), ("column", across))
    }
    frame = pl.DataFrame(lines).cast(kinds)
    order = {panel: place for place, panel in enumerate(frame["panel"].unique(maintain_order=True))}
    place = pl.col("panel").replace_strict(order, return_dtype=pl.Int64)
    return frame.sort(place, "row", "column").with_columns(pl.col("row", "column").cast(pl.String))


def _panel(table: SettingTable) -> str:
    return words.players(table.players)


def _point(estimate: Estimate) -> dict[str, float]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _margin(outcome: SweepOutcome) -> float:
    return outcome.design.experiment.scenario.margin


def _slug(name: str) -> str:
    return "".join(sign if sign.isalnum() else "-" for sign in name)
