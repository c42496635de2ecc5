"""The page on a sweep: which setting or which number is fair, and which parameters matter."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base.version import __version__
from rogsim.experiments.sweep import RetrainedSweep, RetrainedTable, SweepOutcome
from rogsim.report import words
from rogsim.report.document import Finding, Grid, Report, Section, Step, TableColumn
from rogsim.report.effects_section import estimate_data
from rogsim.report.retrained import (
    OF_TRAINING,
    RETRAINING,
    STALE,
    found_with_stale,
    judged_checks,
    longer_training,
    training_findings,
    training_grid,
)
from rogsim.report.sentences import plural, sentence
from rogsim.report.sweep_sections import (
    curve_section,
    fairer_words,
    open_effects,
    parameters_section,
    questions_section,
    setting_text,
    settings_section,
)
from rogsim.report.verdict_titles import badge_of
from rogsim.scenario.fingerprint import engine_hash
from rogsim.scenario.reconstructed import reconstructed_of
from rogsim.stats.contrasts import columns, table
from rogsim.stats.paired.main_effects import games_to_find

FAMILY = (
    "Settings on new deals, the numbers of a curve, and the effects of parameters are three families: in each, at most "
    "5% of sweeps make any wrong claim (Holm's method). The table of all settings is a screen."
)


def build_sweep(
    outcome: SweepOutcome,
    file: Path,
    text: str,
    games: int | None,
    options: Sequence[str],
    out: Path,
    retrained: RetrainedSweep | None = None,
) -> Report:
    """Return the page of a sweep.

    Parameters
    ----------
    file
        The scenario file.
    text
        What is in it.
    games, options
        The number of games, and other command-line options that replace keys of the scenario.
    out
        The folder of the page, for the command that reproduces it.
    retrained
        The fairest settings with players trained for them; None without.
    """
    experiment, command = outcome.design.experiment, _command(file, options)
    with_games = [] if games is None else [f"--games={games}"]
    curve = [curve_section(outcome)] if outcome.design.curve else []
    parameters = parameters_section(outcome)
    found = (*curve, settings_section(outcome), parameters, questions_section(outcome))
    sections = [section for section in found if section is not None]
    first = sections[0]
    picture, *others = first.pictures
    sections[0] = replace(first, pictures=tuple(others))
    if retrained:
        sections = [*map(found_with_stale, sections), retraining_section(outcome, retrained)]
    return Report(
        title=f"{experiment.spec.title}: sweep {experiment.name}",
        question=first.question if curve else experiment.question or first.question,
        answer=first.answer,
        context=_context(outcome),
        sections=tuple(sections),
        family=FAMILY,
        provenance=(_provenance(outcome),),
        scenarios=((experiment.name, text),),
        command=(
            f"# with rogsim {__version__}\n{_command(file, [*with_games, *options])} "
            f"--out {shlex.quote(words.portable_path(out))}"
        ),
        verdict=first.verdict,
        picture=picture,
        steps=(*_steps(outcome, file, command), *map(Step, longer_training(retrained.points) if retrained else ())),
        reconstructed=reconstructed_of(experiment).data(varied=[axis.name for axis in outcome.design.axes]),
    )


def retraining_section(outcome: SweepOutcome, retrained: RetrainedSweep) -> Section:
    """Return the section: the fairest settings with stale and with retrained players."""
    checks = judged_checks(retrained.points)
    said = [_retrained_words(outcome, players, one) for players, one in retrained.tables.items()]
    findings = [_retrained_finding(players, one) for players, one in retrained.tables.items()]
    return Section(
        RETRAINING,
        "Stale and retrained players",
        "Is the fairest setting as fair with players trained for it?",
        " ".join(said),
        f"{words.games(retrained.games)} with retrained players, new deals, seed {outcome.seed}",
        (*findings, *training_findings(checks)),
        grids=(_retrained_grid(outcome, retrained), training_grid(checks)),
        method=f"{STALE} {OF_TRAINING}",
        anchor="comparisons",
        verdict=findings[0].verdict,
    )


def _retrained_words(outcome: SweepOutcome, players: int, one: RetrainedTable) -> str:
    found = outcome.tables[players]
    moved = one.change_moved() if one.place else one.moved(0)
    by = f"{words.pp(moved.value)} ({words.interval(moved.low, moved.high, sign=True)})"
    how = "Retraining changed no game" if moved.low == moved.high == 0 else f"Retraining moves the difference by {by}"
    if not one.place:
        return f"{how} with {words.players(players)}."
    name = setting_text(outcome, found, found.optimum)
    fairer = fairer_words(one.retrained, one.place)
    return f"{how} with {words.players(players)}; for {name} with retrained players, {fairer}"


def _retrained_finding(players: int, one: RetrainedTable) -> Finding:
    place, judgement = one.place, one.retrained.judged[one.place]
    data = {
        "players": players,
        "setting": dict(one.retrained.settings[place]),
        "distance": estimate_data(one.retrained.responses[place].distance()),
        "as_it_is": estimate_data(one.retrained.responses[0].distance()),
        "change": estimate_data(one.retrained.change(place)),
        "stale_change": estimate_data(one.stale.change(place)),
        "moved": estimate_data(one.change_moved() if place else one.moved(0)),
        "surely_fairer": one.retrained.is_fairer(place),
        "surely_fairer_stale": one.stale.is_fairer(place),
        "games": one.retrained.responses[place].games,
    }
    text = f"{judgement.effects.run}, {words.players(players)}, retrained players: {words.minus(sentence(judgement))}"
    return Finding(badge_of(judgement), text, data)


def _retrained_grid(outcome: SweepOutcome, retrained: RetrainedSweep) -> Grid:
    rows: list[dict[str, Any]] = []
    for players, one in retrained.tables.items():
        found = outcome.tables[players]
        for place, at in enumerate(found.again):
            for who, side in (("stale", one.stale), ("retrained", one.retrained)):
                none = dict.fromkeys(("value", "low", "high"))
                change, moved = (
                    {"_".join(filter(None, (name, end.removeprefix("value")))): cell for end, cell in none.items()}
                    for name in ("change", "moved")
                )
                rows.append(
                    {
                        "setting": setting_text(outcome, found, at),
                        "players": players,
                        "bots": who,
                        "n": side.responses[place].games,
                        **columns("distance", side.responses[place].distance()),
                        **(columns("change", side.change(place)) if place else change),
                        **(columns("moved", one.moved(place)) if who == "retrained" else moved),
                    }
                )
    heads = (
        TableColumn("setting", "setting", "long"),
        TableColumn("players", "players", "count"),
        TableColumn("bots", "bots"),
        TableColumn("n", "n", "count"),
        TableColumn("distance", "from fair, pp (95%)", "number", interval=True),
        TableColumn("change", "vs as it is, pp (95%)", "gain", interval=True),
        TableColumn("moved", "moved by retraining, pp (95%)", "gain", interval=True),
    )
    return Grid(
        RETRAINING, "The fairest setting and as it is, with stale and with retrained players", heads, table(rows)
    )


def _context(outcome: SweepOutcome) -> str:
    """Return who played how many games on which deals, and what is to be fair."""
    design, scenario = outcome.design, outcome.design.experiment.scenario
    counts = words.listed([str(players) for players in outcome.tables])
    varies = any(axis.kind == "bots" for axis in design.axes)
    who = "" if varies else f" by {words.listed(list(dict.fromkeys(scenario.bots)))}"
    nouns = words.listed([plural(noun) for noun in dict.fromkeys(found.noun for found in outcome.tables.values())])
    return (
        f"{len(design.settings):,} settings, {words.games(outcome.games)} with {counts} players{who} on the same deals "
        f"(seed {scenario.seed}) and {words.games(outcome.fresh_games)} on new ones. The {nouns} are to be fair within "
        f"±{scenario.margin:g} pp."
    )


def _steps(outcome: SweepOutcome, file: Path, command: str) -> Iterator[Step]:
    """Yield what to do next: look at the fairest setting, or play more games."""
    for players, found in outcome.tables.items():
        setting = found.settings[found.optimum]
        kinds = {axis.name: axis.kind for axis in outcome.design.axes}
        if setting and all(kinds[name] == "parameter" for name in setting):
            change = [f"--change={name} = {json.dumps(value)}" for name, value in setting.items()]
            scenario = words.portable_path(file)
            compare = shlex.join(["rogsim", "compare", scenario, f"--players={players}", *change])
            yield Step(f"See all that changes with {setting_text(outcome, found, found.optimum)}.", compare)
            break
    needed = [
        games
        for found in outcome.tables.values()
        for games in (
            *_for_settings(outcome, found.players),
            games_to_find(open_effects(found), found.responses[0].games),
        )
        if games and games > found.responses[0].games
    ]
    if needed:
        games = words.about(max(needed)).replace(",", "")
        yield Step("Play on until what is not known yet is likely to be decided.", f"{command} --games {games}")


def _for_settings(outcome: SweepOutcome, players: int) -> Iterator[int]:
    """Yield how many games of each setting would decide what is not known of the fairest one."""
    found = outcome.tables[players]
    for judgement in found.curve:
        if judgement.prospect:
            yield found.responses[0].games + judgement.prospect.games
    if fresh := found.fresh:
        place = len(fresh.settings) - 1
        for more in (fresh.judged[place].prospect, fresh.more_to_compare(place)):
            if more:
                yield fresh.responses[0].games + more.games


def _provenance(outcome: SweepOutcome) -> Grid:
    experiment = outcome.design.experiment
    spec = experiment.spec
    values = {
        "scenario": experiment.name,
        "design points": f"{len(outcome.design.design_points):,}",
        "games": f"{outcome.games:,}",
        "seed": str(experiment.scenario.seed),
        "games on new deals": f"{outcome.fresh_games:,}",
        "seed of new deals": str(outcome.seed),
        "rules": f"{spec.title}, version {spec.version}",
        "engine": engine_hash(spec.bots_package),
        "rogsim": __version__,
    }
    frame = pl.DataFrame({"what": list(values), "value": list(values.values())})
    return Grid("sweep", "What was played", (TableColumn("what", "what"), TableColumn("value", "value")), frame)


def _command(file: Path, options: Sequence[str]) -> str:
    return shlex.join(["rogsim", "sweep", words.portable_path(file), *options])
