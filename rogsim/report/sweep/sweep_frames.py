"""A sweep as frames: one row for each setting, and one row for each effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from rogsim.experiments.sweep.outcome import SettingTable, SweepOutcome
from rogsim.game.spec import GameSpec
from rogsim.report.document import TableColumn
from rogsim.scenario.axes import Axis, value_words
from rogsim.scenario.setting_labels import changed_label
from rogsim.stats.contrasts import columns, table
from rogsim.stats.paired.main_effects import Effect

STEP = "one step more"


def setting_frame(outcome: SweepOutcome) -> pl.DataFrame:
    """Return one row for each setting and player count: the scenario as it is first, then the fairest settings.

    Columns: setting, short (the setting with short names), players, n, the seats' win shares in per cent, distance
    from fair in percentage points, change (its difference from that of the scenario as it is) with p, points, turns,
    and the value of each axis in words.
    """
    return table([line for settings in outcome.tables.values() for line in _setting_rows(outcome, settings)])


def _setting_rows(outcome: SweepOutcome, settings: SettingTable) -> list[dict[str, Any]]:
    return [_setting_row(outcome, settings, place) for place in (0, *filter(None, settings.order))]


def _setting_row(outcome: SweepOutcome, settings: SettingTable, place: int) -> dict[str, Any]:
    names, setting = short_names(outcome.design.axes), settings.settings[place]
    line: dict[str, Any] = {
        "setting": setting_text(outcome, settings, place),
        "short": setting_text(outcome, settings, place, names),
    }
    values = {axis.name: value_words(outcome.design.value(setting, axis)) for axis in outcome.design.axes}
    return {**line, "players": settings.players, **_measured(settings, place), **values}


def _measured(settings: SettingTable, place: int) -> dict[str, Any]:
    """Return the estimates of a setting and their differences from the first setting."""
    response = settings.responses[place]
    line: dict[str, Any] = {"n": response.games}
    for seat in settings.seats:
        line |= columns(f"seat_{seat}", response.share(seat))
    line |= columns("distance", response.distance())
    line |= columns("change", settings.change(place)) if place else dict.fromkeys(_ends("change"))
    line["p"] = settings.p[place] if place else None
    return line | columns("points", response.more("points")) | columns("turns", response.more("turns"))


def fresh_frame(outcome: SweepOutcome) -> pl.DataFrame:
    """Return the scenario as it is and the fairest setting, both on new deals, for each player count.

    Columns: those of `setting_frame`, and the distance that the sweep itself measured (swept).
    """
    lines = []
    for settings in outcome.tables.values():
        for again, place in enumerate(dict.fromkeys([0, settings.optimum])):
            if settings.fresh:
                line = _setting_row(outcome, settings, place) | _measured(settings.fresh, again)
                lines.append(line | columns("swept", settings.responses[place].distance()))
    return table(lines)


def setting_text(
    outcome: SweepOutcome, settings: SettingTable, place: int, short: Mapping[str, str] | None = None
) -> str:
    """Return in words how a setting differs from the scenario.

    Parameters
    ----------
    settings
        The settings of one player count.
    place
        The index of the setting.
    short
        Shorter names of parameters and options.
    """
    base = outcome.design_point(settings.players, 0).with_players(settings.players).experiment
    return changed_label(
        base, outcome.design_point(settings.players, place).with_players(settings.players).experiment, short=short
    )


def effect_frame(outcome: SweepOutcome) -> pl.DataFrame:
    """Return one row for each effect and player count, the strongest effects first.

    Columns: figure (the parameter), value ("one step more" for a number), effects on win shares and on the distance
    from fair in percentage points, on points and on turns, with q.
    """
    return table(
        [_effect_line(outcome, settings, effect) for settings in outcome.tables.values() for effect in settings.effects]
    )


def _effect_line(outcome: SweepOutcome, settings: SettingTable, effect: Effect) -> dict[str, Any]:
    change = effect.change
    line: dict[str, Any] = {
        "figure": effect.axis.name,
        "value": effect.value or STEP,
        "own": value_words(effect.axis.current),
        "meaning": meaning_of(outcome.design.experiment.spec, effect.axis.name),
        "players": settings.players,
        "n": change.games,
        **columns("moves", change.move()),
        "q": 1.0 if change.is_nothing else effect.q_seats,
    }
    for seat in settings.seats:
        line |= columns(f"seat_{seat}", change.gain(seat))
    line |= columns("distance", change.more("distance")) | {"q_fair": effect.q_fair}
    return line | columns("points", change.more("points")) | columns("turns", change.more("turns"))


def meaning_of(spec: GameSpec, name: str) -> str:
    """Return what a parameter means, in the game's words; empty for an axis that is no parameter."""
    parameters = {parameter.name: parameter for parameter in spec.facts()}
    whole = parameters.get(name) or parameters.get(name.rpartition(".")[0])
    return whole.meaning if whole else ""


def setting_columns(outcome: SweepOutcome) -> tuple[TableColumn, ...]:
    """Return the columns of the table of settings on the page."""
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
    """Return the columns of the table of settings on new deals."""
    setting, players, *rest = (column for column in setting_columns(outcome) if column.key not in ("points", "turns"))
    swept = TableColumn("swept", "in the sweep, pp (95%)", "number", interval=True)
    measured = [
        replace(column, head="from fair on new deals, pp (95%)") if column.key == "distance" else column
        for column in rest
    ]
    return (setting, players, *measured, swept)


def effect_columns(outcome: SweepOutcome) -> tuple[TableColumn, ...]:
    """Return the columns of the table of effects on the page."""
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
    """Return for each axis the shortest unique ending of its name: two parts or more, not starting with a number."""
    parts = {axis.name: axis.name.split(".") for axis in axes}
    found = {}
    for name, path in parts.items():
        for count in range(min(2, len(path)), len(path) + 1):
            end = path[-count:]
            others = [other for key, other in parts.items() if key != name and other[-count:] == end]
            if not others and not end[0].isdigit():
                break
        found[name] = ".".join(end)
    return found


def _seats(outcome: SweepOutcome) -> range:
    return range(1, max(outcome.tables) + 1)


def _ends(name: str) -> tuple[str, str, str]:
    return name, f"{name}_low", f"{name}_high"
