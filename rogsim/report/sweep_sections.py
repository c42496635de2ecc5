"""What a page shows of a sweep: the settings, the fairest one on new deals, and how much each parameter matters.

Settings are compared by the levels that the question is about, and those of the seats are always shown too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import polars as pl

from rogsim.base.text import capital, listing
from rogsim.experiments.sweep import SettingTable, SweepOutcome
from rogsim.report import words
from rogsim.report.balance.sources import extremes
from rogsim.report.curve import WORST, curve_section
from rogsim.report.document import Finding, Grid, Picture, Section, TableColumn, badge_of
from rogsim.report.effects_section import PAIRED, estimate_data, finding_of, forest_of, others_section
from rogsim.report.figures import charts, forest_plots, heat_map
from rogsim.report.sentences import MOST_NAMED
from rogsim.scenario.axes import Axis, value_words
from rogsim.scenario.changes import changed_label
from rogsim.stats.contrasts import columns, table
from rogsim.stats.estimates import Estimate, by_size
from rogsim.stats.judgement import Judgement
from rogsim.stats.paired.main_effects import (
    SMALL_EFFECT,
    MainEffect,
    distance_from_fair,
    games_to_find,
    is_enough,
    share,
)

MOST_COLUMNS = 4  # levels with a column each; of more, the page shows the one farthest from fair
MOST_DRAWN = 15  # effects in a figure; the table has all of them
STEP = "one step more"
ON_NEW_DEALS = (
    "From fair: root mean square of win share minus fair share, corrected for noise; the fairest setting is judged on "
    "new deals, because the best of many is partly the luckiest."
)
SLOPES = (
    "Least squares over all settings on the same deals, block by block; clear effects hold together for the whole "
    "sweep (Holm's method)."
)


def number_section(outcome: SweepOutcome) -> Section:
    """Return the section on the only number that is varied."""
    (axis,) = outcome.design.axes
    return curve_section(
        [found.curve for found in outcome.tables.values() if found.curve],
        axis,
        f"Which value of {axis.name} is fair?",
        games_words(outcome),
        "All values are played on the same deals, and each is tested against fair (Holm's method).",
    )


def questions_section(outcome: SweepOutcome) -> Section | None:
    """Return the section on what seats did: how settings change who wins; None if the game asks nothing about it."""
    section = others_section(outcome.screens, games_words(outcome), PAIRED, "comparisons", "setting")
    if section is None or not outcome.design.curve:
        return section
    (axis,) = outcome.design.axes
    values = {outcome.design.design_points[place].label: value for value, place in outcome.design.curve.items()}
    rows = [
        {
            "panel": words.players(effects.players),
            "series": contrast.name.removeprefix("win share of "),
            "x": values[effects.run],
            **columns("value", contrast.effect),
        }
        for effects in outcome.screens
        for contrast in effects.contrasts
    ]
    drawn = table(rows).rename({"value_low": "low", "value_high": "high"})
    own = drawn.unique(["panel", "series"], maintain_order=True)
    own = own.with_columns(pl.lit(axis.current).cast(drawn["x"].dtype).alias("x"), value=0.0, low=0.0, high=0.0)
    drawn = pl.concat([drawn, own])
    caption = f"Win shares by {axis.name}, against the scenario as it is, percentage points."
    text = f"Line chart. {extremes(drawn.with_columns(pl.col('series').alias('level'), pl.lit('').alias('series')))}"
    draw = partial(charts.trend, drawn, axis.name, "win share, pp", points=True, fair="as it is")
    return replace(section, pictures=(Picture(section.name, caption, text, draw),))


def settings_section(outcome: SweepOutcome) -> Section:
    """Return the section on the settings: which is fairest, and how fair it is on new deals."""
    findings = [finding for found in outcome.tables.values() for finding in _settings_findings(outcome, found)]
    chosen = [_fairest(found) for found in outcome.tables.values()]
    return Section(
        "settings",
        "Settings",
        "Which setting is fairest, and is it fairer than the scenario as it is?",
        settings_answer(outcome),
        games_words(outcome),
        tuple(findings),
        tuple(setting_pictures(outcome)),
        (settings_grid(outcome),),
        ON_NEW_DEALS,
        "searches-sweeps-and-ratings",
        min(map(badge_of, chosen), key=WORST.index),
    )


def settings_answer(outcome: SweepOutcome) -> str:
    """Return which setting came out fairest with each number of players, and how far from fair it is on new deals."""
    return " ".join(_settings_answer(outcome, found) for found in outcome.tables.values())


def _settings_answer(outcome: SweepOutcome, found: SettingTable) -> str:
    fresh, count = found.fresh or found, f"{len(found.settings):,} settings"
    best, unchanged = (_from_fair(fresh.distances[place]) for place in (-1 if found.fresh else found.optimum, 0))
    where = f"with {words.players(found.players)}"
    if not found.optimum:
        return f"None of {count} is fairer than the scenario as it is {where}: {best} on new deals."
    name = setting_text(outcome, found, found.optimum)
    return f"{name} is the fairest of {count} {where}: {best} on new deals; as it is: {unchanged}."


def _fairest(found: SettingTable) -> Judgement:
    """Return the judgement of the fairest setting on new deals, on the levels that the question is about."""
    fresh = found.fresh or found
    return fresh.judged[len(fresh.settings) - 1]


def _settings_findings(outcome: SweepOutcome, found: SettingTable) -> Iterator[Finding]:
    """Yield whether the fairest setting is fairer than the scenario as it is, then how each of them is judged."""
    fresh, place = found.fresh or found, found.optimum
    again = len(fresh.settings) - 1
    change, best = fresh.change(again), fresh.distances[again]
    text = f"{words.players(found.players)}: {fairer_words(fresh, again)}" if place else ""
    rest = found.may_be_as_fair
    others = f"{rest:,} other setting{'s' * (rest != 1)} may be as fair." if rest else ""
    ends = listing([axis.name for axis in outcome.design.edges(found.settings[place])])
    end = f"It is at the end of the range of {ends}; a fairer setting may lie beyond." if ends else ""
    swept = f"In the sweep itself it seemed {_from_fair(found.distances[place])}."
    data = {
        "players": found.players,
        "fairest": dict(found.settings[place]),
        "distance": estimate_data(best),
        "distance_in_sweep": estimate_data(found.distances[place]),
        "as_it_is": estimate_data(fresh.distances[0]),
        "change": estimate_data(change),
        "p": fresh.p[again],
        "fresh_games": fresh.shares[again].games,
        "seed": outcome.seed,
        "surely_fairer": fresh.is_fairer(again),
        "may_be_as_fair": rest,
        "at_the_end_of": [axis.name for axis in outcome.design.edges(found.settings[place])],
    }
    start = text or f"{words.players(found.players)}: the scenario as it is came out fairest."
    yield Finding("fact", " ".join(filter(None, (start, swept, others, end))), data)
    for judgement in fresh.judged:
        title = judgement.effects.question.title
        yield finding_of(judgement, f"{judgement.effects.run}, {title.lower()}, {words.players(found.players)}")


def fairer_words(fresh: SettingTable, place: int) -> str:
    """Return whether a setting is fairer than the scenario as it is, in a sentence."""
    change = fresh.change(place)
    side = "closer to" if change.value <= 0 else "farther from"
    ends = words.interval(change.low, change.high, sign=True)
    size = f"{words.number(abs(change.value))} pp {side} fair than as it is ({ends})"
    if fresh.is_fairer(place) or fresh.is_less_fair(place):
        return f"it is {size}."
    more = fresh.more_to_compare(place)
    would = (
        f" About {words.count(more.games)} more games of each would decide it {more.words('fairer', 'less fair')}."
        if more
        else ""
    )
    return f"it is {size}, which may be chance.{would}"


def setting_pictures(outcome: SweepOutcome) -> Iterator[Picture]:
    """Yield the map of two axes for each number of players, and the levels of the fairest setting and as it is."""
    axes = [axis for axis in outcome.design.axes if len(axis.values) > 1]
    if outcome.design.sweep.sample == "grid" and len(axes) == 2:
        yield _map(outcome, *sorted(axes, key=lambda axis: (not axis.is_number, axis.kind == "bots")))
    judged = [each for found in outcome.tables.values() if found.fresh for each in found.fresh.judged]
    topics = dict.fromkeys(judgement.effects.question.topic for judgement in judged)
    for topic in topics:
        kept = [judgement for judgement in judged if judgement.effects.question.topic == topic]
        noun = kept[0].effects.question.noun
        caption = f"Win share of each {noun} against a fair share on new deals: the fairest setting and as it is."
        games = {each.effects.players: words.games(each.effects.games) for each in kept}
        yield forest_of(kept, f"fairest-{topic}", caption, "win share minus fair, pp (95%)", games)


def _map(outcome: SweepOutcome, across: Axis, down: Axis) -> Picture:
    """Return the map of the distance from fair over two axes."""
    order = {axis.name: _values(axis) for axis in (across, down)}
    fields: list[dict[str, Any]] = [
        {
            "panel": words.players(players),
            "row": value_words(outcome.design.value(setting, down)),
            "column": value_words(outcome.design.value(setting, across)),
            "text": f"{words.number(found.distances[place].value)}{'' if place else '*'}",
            **_point(found.distances[place]),
        }
        for players, found in outcome.tables.items()
        for place, setting in enumerate(found.settings)
        if all(outcome.design.value(setting, axis) in axis.values for axis in (across, down))
    ]
    frame = pl.DataFrame(fields).with_columns(
        pl.col(name).cast(pl.Enum(list(map(value_words, order[axis.name]))))
        for name, axis in (("row", down), ("column", across))
    )
    frame = frame.sort("panel", "row", "column", maintain_order=True)
    best = min(fields, key=lambda field: field["value"])
    corner = f"{down.name} (down), {across.name} (across)"
    return Picture(
        "map-distance",
        f"Distance from fair in the sweep, pp: {corner}. * as it is. Pale: not distinguishable from 0.",
        f"Map of the distance from fair. Smallest: {best['value']:.1f} pp with {best['row']} and {best['column']}.",
        partial(heat_map.heat_map, frame, "distance from fair, pp", down.name),
    )


def settings_grid(outcome: SweepOutcome) -> Grid:
    """Return the table of all settings: the scenario as it is, then the fairest ones."""
    rows = [
        _setting_row(outcome, found, place)
        for found in outcome.tables.values()
        for place in (0, *filter(None, found.order))
    ]
    left_out = sum(found.left_out for found in outcome.tables.values())
    notes = [
        "In the sweep's own games: the scenario as it is, then the fairest settings. Below 0 in `vs as it is`: fairer.",
        *(
            [f"{words.games(left_out)} left out: not all settings share their deals, because line-ups differ."]
            * bool(left_out)
        ),
        *outcome.design.notes,
    ]
    return Grid("cells", "All settings", _setting_columns(outcome), table(rows), tuple(notes), first_shown=True)


def _setting_row(outcome: SweepOutcome, found: SettingTable, place: int) -> dict[str, Any]:
    shares, far = found.shares[place], found.farthest[place]
    row: dict[str, Any] = {
        "setting": setting_text(outcome, found, place),
        "players": found.players,
        "n": shares.games,
        **columns("distance", found.distances[place]),
        **(columns("change", found.change(place)) if place else dict.fromkeys(("change", "change_low", "change_high"))),
        "p": found.p[place] if place else None,
        "farthest": capital(found.names[far]),
        **columns("off", share(shares, far).minus(100 * float(shares.fair[far]))),
    }
    for number, level in enumerate(shares.levels):
        row |= columns(f"{found.noun}_{level}", share(shares, number))
    if found.topic is not None:
        seats = found.seats[place]
        row |= columns("seats", distance_from_fair(seats))
        for number, seat in enumerate(seats.levels):
            row |= columns(f"seat_{seat}", share(seats, number))
    return row | {
        axis.name: value_words(outcome.design.value(found.settings[place], axis)) for axis in outcome.design.axes
    }


def _setting_columns(outcome: SweepOutcome) -> tuple[TableColumn, ...]:
    first = max(outcome.tables.values(), key=lambda found: len(found.names))
    levels = first.shares[0].levels if len(first.names) <= MOST_COLUMNS else ()
    far = first.topic is not None and not levels
    return (
        TableColumn("setting", "setting", "long"),
        *([TableColumn("players", "players", "count")] if len(outcome.tables) > 1 else []),
        TableColumn("n", "n", "count"),
        TableColumn("distance", "from fair, pp (95%)", "number", interval=True),
        TableColumn("change", "vs as it is, pp (95%)", "gain", interval=True),
        *(
            [TableColumn("farthest", f"farthest {first.noun}"), TableColumn("off", "pp", "gain", interval=True)]
            if far
            else []
        ),
        *(
            TableColumn(f"{first.noun}_{level}", f"{capital(name)} %", "number", interval=True, narrow=True)
            for level, name in zip(levels, first.names, strict=False)
        ),
        *([TableColumn("seats", "seats from fair, pp (95%)", "number", interval=True)] if first.topic else []),
    )


def parameters_section(outcome: SweepOutcome) -> Section | None:
    """Return the section on how much each parameter matters; None if the settings cannot show it."""
    effects = [(found, effect) for found in outcome.tables.values() for effect in found.effects]
    if not effects:
        return None
    separated = {effect.axis.name for _, effect in effects}
    missing = [axis.name for axis in outcome.design.axes if axis.name not in separated]
    notes = [f"The sweep cannot separate these effects from others: {listing(missing)}."] if missing else []
    return Section(
        "figures",
        "Which parameters matter",
        f"How does each parameter affect win shares, by {listing(_nouns(outcome))}, and fairness?",
        parameters_answer(outcome),
        games_words(outcome),
        tuple(finding for found in outcome.tables.values() for finding in effect_findings(found)),
        tuple(_effects_picture(effects)),
        (_effects_grid(outcome, effects, notes),),
        SLOPES,
        "searches-sweeps-and-ratings",
    )


def parameters_answer(outcome: SweepOutcome) -> str:
    """Return how many effects are clear, and the largest of them, in one sentence."""
    all_effects = [(found, effect) for found in outcome.tables.values() for effect in found.effects]
    clear = [(found, effect) for found, effect in all_effects if effect.moves_shares]
    of = f"{len(all_effects):,} effect{'s' * (len(all_effects) != 1)}"
    if not clear:
        return f"None of {of} on win shares is clear: the largest may be {_reach(all_effects)} pp."
    found, effect = max(clear, key=lambda pair: by_size(pair[1].gain.value))
    are, most = "is" if len(clear) == 1 else "are", moved_words(found, effect)
    return f"{len(clear):,} of {of} {are} clear; the largest: {most}."


def effect_findings(found: SettingTable) -> Iterator[Finding]:
    """Yield which parameters clearly change win shares or fairness, which change no game, and what is not known."""
    who = words.players(found.players)
    sure = [effect for effect in found.effects if effect.moves_shares]
    if sure:
        listed = _shortened([moved_words(found, effect) for effect in sure])
        data = {"players": found.players, "matter": [_title(effect) for effect in sure]}
        yield Finding("fact", f"{who}: {listed}. These intervals hold together for the whole sweep.", data)
    for more, direction in ((False, "closer to"), (True, "farther from")):
        moving = [
            effect for effect in found.effects if effect.moves_distance and (effect.distance.effect.value > 0) == more
        ]
        if moving:
            sizes = [f"{effect.run} ({_pp(effect.distance.effect)})" for effect in moving]
            data = {
                "players": found.players,
                "closer": not more,
                "effects": [effect.run for effect in moving],
            }
            yield Finding("fact", f"{who}, {direction} fair, uncorrected for noise: {_shortened(sizes)}.", data)
    if nothing := [_title(effect) for effect in found.effects if effect.untouched]:
        yield Finding("fact", f"{who}: these changed no game: {listing(nothing)}.", {"nothing": nothing})
    if unsure := open_effects(found):
        games = found.shares[0].games
        text = f"{who}: {len(unsure)} effect{'s' * (len(unsure) != 1)} may be chance"
        text += (
            f", or up to {_reach([(found, effect) for effect in unsure])} pp." if is_enough(found.shares[0]) else "."
        )
        needed = games_to_find(unsure, games)
        if needed and needed > games:
            sweeps = f"8 of 10 sweeps with {words.count(needed)} games of each setting"
            text += f" An effect of {SMALL_EFFECT:g} pp would be clear in {sweeps}."
        data = {"players": found.players, "games_a_cell": needed}
        yield Finding("open", text, data)


def open_effects(found: SettingTable) -> list[MainEffect]:
    """Return the effects of which it is not known whether they change any win share."""
    return [
        effect for effect in found.effects if not (effect.moves_shares or effect.moves_distance or effect.untouched)
    ]


def moved_words(found: SettingTable, effect: MainEffect) -> str:
    """Return an effect on the level for which it is clearest: "hand.1 + 1 gives seat 1 +2.4 pp (+1.1 to +3.6)"."""
    return f"{effect.run} gives {found.names[effect.clearest]} {_pp(effect.gain)}"


def _effects_picture(effects: Sequence[tuple[SettingTable, MainEffect]]) -> Iterator[Picture]:
    """Yield the forest plot of the effects, each on the level for which it is clearest."""
    rows: list[dict[str, Any]] = []
    for table_of in dict.fromkeys(found.players for found, _ in effects):
        shown = [pair for pair in effects if pair[0].players == table_of and not pair[1].untouched][:MOST_DRAWN]
        rows += [
            {
                "panel": words.players(found.players),
                "level": f"{effect.run}: {found.names[effect.clearest]}",
                "series": "",
                **_point(effect.gain),
            }
            for found, effect in shown
        ]
    if rows:
        most = max(rows, key=lambda row: by_size(row["value"]))
        yield Picture(
            "effects",
            "Effect of each parameter on the win share for which it is clearest. The intervals hold together.",
            f"Forest plot of effects. Largest: {most['level']}, {words.pp(most['value'], 2)}.",
            partial(forest_plots.forest, pl.DataFrame(rows), None, "effect on win share, pp", "no effect"),
        )


def _effects_grid(
    outcome: SweepOutcome, effects: Sequence[tuple[SettingTable, MainEffect]], notes: Sequence[str]
) -> Grid:
    rows = [_effect_row(outcome, found, effect) for found, effect in effects]
    heads = (
        TableColumn("figure", "parameter"),
        TableColumn("own", "as it is"),
        TableColumn("value", "change"),
        *([TableColumn("players", "players", "count")] if len(outcome.tables) > 1 else []),
        TableColumn("n", "n", "count"),
        TableColumn("moves", "moves shares, pp (95%)", "number", interval=True, digits=2),
        TableColumn("p", "p (Holm)", "p"),
        TableColumn("level", "clearest for"),
        TableColumn("gain", "pp (95%)", "gain", interval=True, digits=2),
        TableColumn("distance", "uncorrected distance, pp (95%)", "gain", interval=True, digits=2),
        TableColumn("p_fair", "p (distance)", "p"),
        TableColumn("meaning", "meaning", "long"),
    )
    return Grid("effects", "Effects, the strongest first", heads, table(rows), tuple(notes))


def _effect_row(outcome: SweepOutcome, found: SettingTable, effect: MainEffect) -> dict[str, Any]:
    facts = {fact.name: fact.meaning for fact in outcome.design.experiment.spec.facts()}
    name = effect.axis.name
    row: dict[str, Any] = {
        "figure": name,
        "value": effect.value or STEP,
        "own": value_words(effect.axis.current),
        "meaning": facts.get(name) or facts.get(name.rpartition(".")[0], ""),
        "players": found.players,
        "n": effect.games,
        **columns("moves", effect.move),
        "p": effect.p,
        "level": capital(found.names[effect.clearest]),
        **columns("gain", effect.contrasts[effect.clearest].effect),
    }
    for contrast in effect.contrasts:
        row |= columns(f"{found.noun}_{contrast.name}", contrast.effect)
    return row | columns("distance", effect.distance.effect) | {"p_fair": effect.p_distance}


def setting_text(outcome: SweepOutcome, found: SettingTable, place: int) -> str:
    """Return in words how a setting differs from the scenario."""
    base, other = (outcome.design_point(found.players, at).with_players(found.players).experiment for at in (0, place))
    return changed_label(base, other)


def games_words(outcome: SweepOutcome) -> str:
    """Return how many settings of how many games a page is based on."""
    return listing(
        [
            f"{len(found.settings):,} settings of {words.games(found.shares[0].games)} with {words.players(players)}"
            for players, found in outcome.tables.items()
        ]
    )


def _nouns(outcome: SweepOutcome) -> list[str]:
    return list(dict.fromkeys(found.noun for found in outcome.tables.values()))


def _values(axis: Axis) -> list[Any]:
    return sorted(axis.values) if axis.is_number else list(axis.values)


def _point(estimate: Estimate) -> dict[str, float]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _from_fair(distance: Estimate) -> str:
    """Return how far from fair a setting is: "1.2 pp from fair (0.0 to 2.1)"."""
    ends = words.interval(distance.low, distance.high)
    return f"{words.number(distance.value)} pp from fair{f' ({ends})' if ends else ''}"


def _title(effect: MainEffect) -> str:
    return effect.run if effect.value else effect.axis.name


def _pp(estimate: Estimate) -> str:
    """Return an effect in percentage points with its interval."""
    return f"{words.pp(estimate.value, 2)} ({words.interval(estimate.low, estimate.high, digits=2, sign=True)})"


def _reach(effects: Sequence[tuple[SettingTable, MainEffect]]) -> str:
    """Return how far the intervals of effects on win shares reach (root mean square over the levels)."""
    return words.number(max(effect.move.high for _, effect in effects))


def _shortened(texts: Sequence[str]) -> str:
    rest = len(texts) - MOST_NAMED
    return "; ".join([*texts[:MOST_NAMED], *([f"and {rest} more"] if rest > 0 else [])])
