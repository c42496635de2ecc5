"""A sweep as frames: a line for each cell, and a line for what each figure does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from rogsim.axes import Axis, setting_words, value_words
from rogsim.game import GameSpec
from rogsim.report.model import Column
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
    response, change, names = one.responses[place], one.changes[place], short_names(outcome.design.axes)
    setting = one.settings[place]
    short = {names[name]: value for name, value in setting.items()}
    line: dict[str, Any] = {"setting": setting_words(setting), "short": setting_words(short)}
    line |= {"players": one.players, "n": response.games}
    for seat in one.seats:
        line |= columns(f"seat_{seat}", response.share(seat))
    line |= columns("distance", response.distance())
    line |= columns("change", change.more("distance")) if place else dict.fromkeys(_ends("change"))
    line["p"] = one.p[place] if place else None
    line |= columns("points", response.more("points")) | columns("turns", response.more("turns"))
    values = {axis.name: value_words(outcome.design.value(setting, axis)) for axis in outcome.design.axes}
    return {**line, **values}


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
        Column("distance", "from fair, pp (95%)", "gain", interval=True, digits=2),
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
