"""A sweep as frames: one row for each cell, and one row for each effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from rogsim.experiments.sweep.outcome import CellTable, SweepOutcome
from rogsim.game.spec import GameSpec
from rogsim.report.document import TableColumn
from rogsim.scenario.axes import Axis, value_words
from rogsim.scenario.setting_labels import changed_label
from rogsim.stats.contrasts import columns, table
from rogsim.stats.paired.main_effects import Effect

STEP = "one step more"


def cell_frame(outcome: SweepOutcome) -> pl.DataFrame:
    """Return one row for each cell and player count: the scenario as it is first, then the fairest cells first.

    Columns: setting, short (the setting with short names), players, n, the seats' win shares in per cent, distance from
    fair in percentage points, change (its difference from that of the scenario as it is) with p, points, turns, and
    the value of each axis in words.
    """
    return table([line for one in outcome.tables.values() for line in _cell_lines(outcome, one)])


def _cell_lines(outcome: SweepOutcome, one: CellTable) -> list[dict[str, Any]]:
    lines = [_cell_line(outcome, one, place) for place in range(len(one.settings))]
    return [lines[0], *sorted(lines[1:], key=lambda line: line["distance"])]


def _cell_line(outcome: SweepOutcome, one: CellTable, place: int) -> dict[str, Any]:
    names, setting = short_names(outcome.design.axes), one.settings[place]
    line: dict[str, Any] = {
        "setting": setting_text(outcome, one, place),
        "short": setting_text(outcome, one, place, names),
    }
    values = {axis.name: value_words(outcome.design.value(setting, axis)) for axis in outcome.design.axes}
    return {**line, "players": one.players, **_measured(one, place), **values}


def _measured(one: CellTable, place: int) -> dict[str, Any]:
    """Return the estimates of a cell and their differences from the first cell."""
    response = one.responses[place]
    line: dict[str, Any] = {"n": response.games}
    for seat in one.seats:
        line |= columns(f"seat_{seat}", response.share(seat))
    line |= columns("distance", response.distance())
    line |= columns("change", one.change(place)) if place else dict.fromkeys(_ends("change"))
    line["p"] = one.p[place] if place else None
    return line | columns("points", response.more("points")) | columns("turns", response.more("turns"))


def fresh_frame(outcome: SweepOutcome) -> pl.DataFrame:
    """Return the scenario as it is and the fairest setting, both on new deals, for each player count.

    Columns: those of `cell_frame`, and the distance that the sweep itself measured (swept).
    """
    lines = []
    for one in outcome.tables.values():
        for again, place in enumerate(dict.fromkeys([0, one.fairest])):
            if one.fresh:
                line = _cell_line(outcome, one, place) | _measured(one.fresh, again)
                lines.append(line | columns("swept", one.responses[place].distance()))
    return table(lines)


def setting_text(outcome: SweepOutcome, one: CellTable, place: int, short: Mapping[str, str] | None = None) -> str:
    """Return in words how a cell differs from the scenario. short: short names of parameters and options."""
    base = outcome.cell(one.players, 0).with_players(one.players).experiment
    return changed_label(base, outcome.cell(one.players, place).with_players(one.players).experiment, short=short)


def effect_frame(outcome: SweepOutcome) -> pl.DataFrame:
    """Return one row for each effect and player count, the strongest first.

    Columns: figure (the parameter), value ("one step more" for a number), effects on win shares and on the distance
    from fair in percentage points, on points and on turns, with q.
    """
    return table([_effect_line(outcome, one, effect) for one in outcome.tables.values() for effect in one.effects])


def _effect_line(outcome: SweepOutcome, one: CellTable, effect: Effect) -> dict[str, Any]:
    change = effect.change
    line: dict[str, Any] = {
        "figure": effect.axis.name,
        "value": effect.value or STEP,
        "own": value_words(effect.axis.own),
        "meaning": meaning_of(outcome.design.experiment.spec, effect.axis.name),
        "players": one.players,
        "n": change.games,
        **columns("moves", change.move()),
        "q": 1.0 if change.is_nothing else effect.q_seats,
    }
    for seat in one.seats:
        line |= columns(f"seat_{seat}", change.gain(seat))
    line |= columns("distance", change.more("distance")) | {"q_fair": effect.q_fair}
    return line | columns("points", change.more("points")) | columns("turns", change.more("turns"))


def meaning_of(spec: GameSpec, name: str) -> str:
    """Return what a parameter means, in the game's words; empty for anything that is not a parameter."""
    facts = {fact.name: fact for fact in spec.facts()}
    whole = facts.get(name) or facts.get(name.rpartition(".")[0])
    return whole.meaning if whole else ""


def cell_columns(outcome: SweepOutcome) -> tuple[TableColumn, ...]:
    """Return the columns of the page's table of cells."""
    return (
        TableColumn("setting", "setting", "long"),
        TableColumn("players", "players", "count"),
        TableColumn("n", "n", "count"),
        *(TableColumn(f"seat_{seat}", f"seat {seat} % (95%)", "number", interval=True) for seat in _seats(outcome)),
        TableColumn("distance", "from fair, pp (95%)", "number", interval=True),
        TableColumn("change", "vs as it is, pp (95%)", "gain", interval=True),
        TableColumn("p", "p (Holm)", "p"),
        TableColumn("points", "points (95%)", "number", interval=True),
        TableColumn("turns", "turns (95%)", "number", interval=True),
    )


def fresh_columns(outcome: SweepOutcome) -> tuple[TableColumn, ...]:
    """Return the columns of the page's table of cells on new deals."""
    setting, players, *rest = (one for one in cell_columns(outcome) if one.key not in ("points", "turns"))
    swept = TableColumn("swept", "in the sweep, pp (95%)", "number", interval=True)
    told = [replace(one, head="from fair on new deals, pp (95%)") if one.key == "distance" else one for one in rest]
    return (setting, players, *told, swept)


def effect_columns(outcome: SweepOutcome) -> tuple[TableColumn, ...]:
    """Return the columns of the page's table of effects."""
    return (
        TableColumn("figure", "parameter"),
        TableColumn("own", "as it is"),
        TableColumn("value", "change"),
        TableColumn("players", "players", "count"),
        TableColumn("n", "n", "count"),
        TableColumn("moves", "moves shares, pp (95%)", "number", interval=True, digits=2),
        TableColumn("q", "q", "p"),
        *(TableColumn(f"seat_{seat}", f"seat {seat}, pp (95%)", "gain", True, 2) for seat in _seats(outcome)),
        TableColumn("distance", "uncorrected distance, pp (95%)", "gain", interval=True, digits=2),
        TableColumn("q_fair", "q (distance)", "p"),
        TableColumn("points", "points (95%)", "gain", interval=True, digits=2),
        TableColumn("turns", "turns (95%)", "gain", interval=True, digits=2),
        TableColumn("meaning", "meaning", "long"),
    )


def short_names(axes: Sequence[Axis]) -> dict[str, str]:
    """Return the shortest unique ending of each name: two parts or more, not starting with a number."""
    parts = {axis.name: axis.name.split(".") for axis in axes}
    found = {}
    for name, own in parts.items():
        for count in range(min(2, len(own)), len(own) + 1):
            end = own[-count:]
            others = [other for key, other in parts.items() if key != name and other[-count:] == end]
            if not others and not end[0].isdigit():
                break
        found[name] = ".".join(end)
    return found


def _seats(outcome: SweepOutcome) -> range:
    return range(1, max(outcome.tables) + 1)


def _ends(name: str) -> tuple[str, str, str]:
    return name, f"{name}_low", f"{name}_high"
