"""A sweep as frames: a line for each cell, and a line for what each figure does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from rogsim.axes import Axis, value_words
from rogsim.game import GameSpec
from rogsim.report.model import Column
from rogsim.setting_labels import changed_label
from rogsim.stats.contrasts import columns, table
from rogsim.stats.effects import Effect
from rogsim.sweeps import CellTable, Outcome

STEP = "one step more"


def cell_frame(outcome: Outcome) -> pl.DataFrame:
    """Return a line for each cell and number of players, the scenario's own first, then the fairest ones first.

    setting (also with short names), players, n, shares in per cent, distance from fair in percentage points and how it
    differs from the scenario's own (change), p of that, points and turns, and the value of each axis in words.
    """
    return table([line for one in outcome.tables.values() for line in _cell_lines(outcome, one)])


def _cell_lines(outcome: Outcome, one: CellTable) -> list[dict[str, Any]]:
    lines = [_cell_line(outcome, one, place) for place in range(len(one.settings))]
    return [lines[0], *sorted(lines[1:], key=lambda line: line["distance"])]


def _cell_line(outcome: Outcome, one: CellTable, place: int) -> dict[str, Any]:
    names, setting = short_names(outcome.design.axes), one.settings[place]
    line: dict[str, Any] = {
        "setting": setting_text(outcome, one, place),
        "short": setting_text(outcome, one, place, names),
    }
    values = {axis.name: value_words(outcome.design.value(setting, axis)) for axis in outcome.design.axes}
    return {**line, "players": one.players, **_measured(one, place), **values}


def _measured(one: CellTable, place: int) -> dict[str, Any]:
    """Return what a cell gave, and how that differs from the first one."""
    response = one.responses[place]
    line: dict[str, Any] = {"n": response.games}
    for seat in one.seats:
        line |= columns(f"seat_{seat}", response.share(seat))
    line |= columns("distance", response.distance())
    line |= columns("change", one.change(place)) if place else dict.fromkeys(_ends("change"))
    line["p"] = one.p[place] if place else None
    return line | columns("points", response.more("points")) | columns("turns", response.more("turns"))


def fresh_frame(outcome: Outcome) -> pl.DataFrame:
    """Return the scenario's own setting and the fairest on fresh luck, with what the sweep said, for each player "
    "count."""
    lines = []
    for one in outcome.tables.values():
        for again, place in enumerate(dict.fromkeys([0, one.fairest])):
            if one.fresh:
                line = _cell_line(outcome, one, place) | _measured(one.fresh, again)
                lines.append(line | columns("swept", one.responses[place].distance()))
    return table(lines)


def setting_text(outcome: Outcome, one: CellTable, place: int, short: Mapping[str, str] | None = None) -> str:
    """Return what a cell has other than the scenario, in words. short: shorter names of figures and options."""
    base = outcome.cell(one.players, 0).with_players(one.players).experiment
    return changed_label(base, outcome.cell(one.players, place).with_players(one.players).experiment, short=short)


def effect_frame(outcome: Outcome) -> pl.DataFrame:
    """Return a line for each effect and number of players, the strongest first.

    figure, value ("one step more" of a number), effects on shares and distance in percentage points, on points and on
    turns, with q.
    """
    return table([_effect_line(outcome, one, effect) for one in outcome.tables.values() for effect in one.effects])


def _effect_line(outcome: Outcome, one: CellTable, effect: Effect) -> dict[str, Any]:
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
    """Return what a figure means, in the game's words; empty for what is no figure."""
    facts = {fact.name: fact for fact in spec.facts()}
    whole = facts.get(name) or facts.get(name.rpartition(".")[0])
    return whole.meaning if whole else ""


def cell_columns(outcome: Outcome) -> tuple[Column, ...]:
    """Return what a page tells of cells."""
    return (
        Column("setting", "setting", "long"),
        Column("players", "players", "count"),
        Column("n", "n", "count"),
        *(Column(f"seat_{seat}", f"seat {seat} % (95%)", "number", interval=True) for seat in _seats(outcome)),
        Column("distance", "from fair, pp (95%)", "number", interval=True),
        Column("change", "against as it is, pp (95%)", "gain", interval=True),
        Column("p", "p (Holm)", "p"),
        Column("points", "points (95%)", "number", interval=True),
        Column("turns", "turns (95%)", "number", interval=True),
    )


def fresh_columns(outcome: Outcome) -> tuple[Column, ...]:
    """Return what a page tells of the cells on fresh luck."""
    setting, players, *rest = (one for one in cell_columns(outcome) if one.key not in ("points", "turns"))
    swept = Column("swept", "in the sweep, pp (95%)", "number", interval=True)
    told = [replace(one, head="from fair on fresh luck, pp (95%)") if one.key == "distance" else one for one in rest]
    return (setting, players, *told, swept)


def effect_columns(outcome: Outcome) -> tuple[Column, ...]:
    """Return what a page tells of effects."""
    return (
        Column("figure", "figure"),
        Column("own", "as it is"),
        Column("value", "change"),
        Column("players", "players", "count"),
        Column("n", "n", "count"),
        Column("moves", "moves shares, pp (95%)", "number", interval=True, digits=2),
        Column("q", "q", "p"),
        *(Column(f"seat_{seat}", f"seat {seat}, pp (95%)", "gain", True, 2) for seat in _seats(outcome)),
        Column("distance", "on the distance with noise, pp (95%)", "gain", interval=True, digits=2),
        Column("q_fair", "q of that", "p"),
        Column("points", "points (95%)", "gain", interval=True, digits=2),
        Column("turns", "turns (95%)", "gain", interval=True, digits=2),
        Column("meaning", "meaning", "long"),
    )


def short_names(axes: Sequence[Axis]) -> dict[str, str]:
    """Return the shortest end of each name that no other axis has: two parts or more, the first of them no number."""
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


def _seats(outcome: Outcome) -> range:
    return range(1, max(outcome.tables) + 1)


def _ends(name: str) -> tuple[str, str, str]:
    return name, f"{name}_low", f"{name}_high"
