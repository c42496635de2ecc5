"""The page on a sweep: which setting is fairest, and which parameters matter."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base.version import __version__
from rogsim.experiments.retraining.retrained_settings import RetrainedSweep
from rogsim.experiments.sweep.outcome import SweepOutcome
from rogsim.report import words
from rogsim.report.document import Grid, Report, Section, TableColumn, plain
from rogsim.report.retraining.training_parts import found_with_stale, longer_training
from rogsim.report.sweep.sweep_figures import effect_pictures, setting_pictures
from rogsim.report.sweep.sweep_frames import (
    STEP,
    effect_columns,
    effect_frame,
    fresh_columns,
    fresh_frame,
    setting_columns,
    setting_frame,
)
from rogsim.report.sweep.sweep_retraining import retraining_data, retraining_section
from rogsim.report.sweep.sweep_words import effect_findings, left_out_words, next_steps, optimum_finding
from rogsim.scenario.fingerprint import engine_hash
from rogsim.scenario.reconstructed import reconstructed_of
from rogsim.scenario.scenario_files import find_scenario

UNITS = (
    "The distance from fair is the root mean square, over the seats, of win share minus fair share, in percentage "
    "points (pp). Brackets contain 95% intervals."
)
FROM_FAIR = "From fair: the root mean square, over the seats, of win share minus fair share, corrected for noise."
LUCKIEST = (
    "These are the games of the sweep itself, in which the fairest of many settings are partly the luckiest; how fair "
    "the first one is on new deals is stated above."
)
FAMILY = (
    "Statements about the fairest setting use games on new deals only. There, it is compared with the scenario as it "
    "is and nothing else; whether all seats are within the margin is judged for the two together. In the table of all "
    "settings, each setting is tested against the scenario as it is, with p-values adjusted by Holm's method over the "
    "settings with one player count. An effect is called clear if it is so among all effects with all numbers of "
    "players, for both questions together (does it move a share, does it move the distance from fair), by Holm's "
    "method: if nothing had an effect, at most one sweep in twenty would call any effect clear. The intervals of "
    "effects on win shares in these statements hold together for all effects and seats. The table of effects is a "
    "screen: `q` is the p-value after Benjamini and Hochberg's correction over all effects with one player count, so "
    "about one in twenty of those below 0.05 is due to chance, and each of its intervals holds for one effect alone. "
    "An effect with a small `q` may therefore not be clear."
)
FAMILY_OF_TWO = (
    " Statements with retrained players are of the same kind: one comparison of the fairest setting with the scenario "
    "as it is, for each number of players."
)
FRESH = (
    "The fairest of many settings is partly the luckiest, so the distance that the sweep measured for it is too small. "
    "The fairest setting and the scenario as it is are therefore played again, with the same number of games, on deals "
    "that played no part in the choice."
)
SHARED_DEALS = (
    "All settings are played on the same deals and compared block by block. Luck that affects two settings alike "
    "therefore cancels out in their difference and its interval."
)
DISTANCE = (
    "The distance from fair is corrected for noise. A setting that cannot be distinguished from fair may therefore "
    "have a distance of 0.0; the interval shows how large the distance may be. The interval comes from the noncentral "
    "chi-squared distribution. `vs as it is` is the setting's distance minus that of the scenario as it is; its "
    "interval combines the intervals of the two distances and allows for their shared deals (MOVER: Zou and Donner "
    "2008, Statistics in Medicine 27). The test behind `p` uses the uncorrected distances: noise enlarges the smaller "
    "one, which makes the test conservative. A setting is called fairer only if both the test and the interval show it."
)
SLOPES = (
    "Effects are main effects per step (one unit of a parameter), fitted by least squares over all settings; in a "
    "sweep of one axis at a time, over the settings of that axis and the scenario as it is. They are averages over the "
    "range of the sweep: curvature shows in the table of settings, not in the slope. For parameters that are not "
    "numbers, each value is compared with the scenario's. `moves shares` is the root mean square, over the seats, of "
    "the effect on win shares. If few games come out differently, the spread of an effect is unreliable, so intervals "
    "of effects allow for one more block that differs by one win, point or turn, and reach away from 0 at least as far "
    "as Wilson's interval. Effects on the distance from fair use the uncorrected distance, because least squares "
    "require it; they are smaller than differences between the distances above, which are corrected for noise."
)


def build_sweep(
    outcome: SweepOutcome,
    file: Path,
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
    games, options
        The number of games, and other command-line options that replace keys of the scenario.
    out
        The folder of the page, for the command that reproduces it.
    retrained
        The fairest settings with players trained for them; None without.
    """
    experiment = outcome.design.experiment
    command = _command(file, [*([] if games is None else [f"--games={games}"]), *options])
    return Report(
        title=f"{experiment.spec.title}: sweep {experiment.name}",
        lead=_lead(outcome),
        units=UNITS,
        next_steps=(
            *next_steps(outcome, _command(file, options)),
            *(longer_training(retrained.points) if retrained else ()),
        ),
        sections=tuple(_sections(outcome)) if retrained is None else tuple(_with_retrained(outcome, retrained)),
        family=FAMILY + (FAMILY_OF_TWO if retrained else ""),
        provenance=(_provenance(outcome),),
        scenarios=((experiment.name, find_scenario(file).read_text(encoding="utf-8")),),
        command=f"# with rogsim {__version__}\n{command} --out {shlex.quote(words.portable_path(out))}",
        reconstructed=reconstructed_of(experiment).data(varied=[axis.name for axis in outcome.design.axes]),
    )


def _with_retrained(outcome: SweepOutcome, retrained: RetrainedSweep) -> Iterator[Section]:
    """Yield the sections, whose verdicts are those with stale players, and after the first that on retrained ones."""
    settings, *rest = (found_with_stale(section) for section in _sections(outcome))
    yield from (settings, retraining_section(outcome, retrained), *rest)


def _sections(outcome: SweepOutcome) -> Iterator[Section]:
    rests = _rests_on(outcome)
    settings = Grid(
        "cells", "All settings", setting_columns(outcome), setting_frame(outcome), _notes(outcome), first_shown=True
    )
    yield Section(
        "settings",
        "Settings",
        "Which setting is fairest, and is it clearly fairer than the scenario as it is?",
        rests,
        tuple(optimum_finding(outcome, table) for table in outcome.tables.values()),
        tuple(setting_pictures(outcome)),
        (*_fresh_grids(outcome), settings),
        (FRESH, SHARED_DEALS, DISTANCE),
    )
    frame = effect_frame(outcome)
    if frame.is_empty():
        return
    yield Section(
        "figures",
        "Which parameters matter",
        "How does each parameter affect the seats' win shares and fairness?",
        rests,
        tuple(finding for table in outcome.tables.values() for finding in effect_findings(outcome, table)),
        tuple(effect_pictures(outcome)),
        (Grid("effects", "Effects, the strongest first", effect_columns(outcome), frame, _effect_notes(outcome)),),
        (SLOPES, SHARED_DEALS, DISTANCE),
    )


def _fresh_grids(outcome: SweepOutcome) -> Iterator[Grid]:
    frame = fresh_frame(outcome)
    if not frame.is_empty():
        notes = (f"Played on new deals, seed {outcome.seed}. `in the sweep` is the distance in the sweep's own games.",)
        yield Grid("fresh", "The fairest setting, played again", fresh_columns(outcome), frame, notes)


def compact_grids(outcome: SweepOutcome, most: int = 30) -> list[Grid]:
    """Return the tables for the terminal: for each player count the first rows of settings and of effects."""
    settings, effects = setting_frame(outcome), effect_frame(outcome)
    grids = []
    for players, table in outcome.tables.items():
        seats, who = table.seats, words.players(players)
        chosen = (FROM_FAIR, *([LUCKIEST] if len(table.settings) > 1 else []), *left_out_words(table.left_out))
        caption = f"{who}: as it is, then the fairest settings (95%)"
        grids.append(_first(Grid("cells", caption, _cells(seats), settings, chosen), players, most))
        if not effects.is_empty():
            found = effects.filter(pl.col("players") == players)
            by_step = bool((found["value"] == STEP).all())
            caption = f"{who}: which parameters matter"
            notes = (f"Each effect is that of {STEP}.",) if by_step else ()
            grids.append(_first(Grid("effects", caption, _ranks(seats, by_step), found, notes), players, most))
    return grids


def _cells(seats: range) -> tuple[TableColumn, ...]:
    return (
        TableColumn("short", "setting"),
        TableColumn("n", "n", "count"),
        *(TableColumn(f"seat_{seat}", f"seat {seat} %", "number", interval=True, narrow=True) for seat in seats),
        TableColumn("distance", "from fair, pp", "number", interval=True),
        TableColumn("change", "vs as it is, pp", "gain", interval=True),
    )


def _ranks(seats: range, by_step: bool) -> tuple[TableColumn, ...]:
    """Return the columns of the table of effects in the terminal; by_step: whether all are of one step more."""
    return (
        TableColumn("figure", "parameter"),
        *([] if by_step else [TableColumn("value", "change")]),
        TableColumn("n", "n", "count"),
        TableColumn("moves", "moves shares, pp (95%)", "number", interval=True, digits=2),
        TableColumn("q", "q", "p"),
        *(TableColumn(f"seat_{seat}", f"seat {seat}, pp", "gain", interval=True, narrow=True) for seat in seats),
        TableColumn("distance", "uncorrected distance", "gain", interval=True, digits=2, narrow=True),
        TableColumn("q_fair", "q (distance)", "p"),
    )


def _first(grid: Grid, players: int, most: int) -> Grid:
    """Return the first rows of a table with one number of players."""
    rows = grid.frame.filter(pl.col("players") == players)
    more = rows.height - most
    notes = (f"The page has {more:,} more row{'s' * (more > 1)}.",) if more > 0 else ()
    return replace(grid, frame=rows.head(most), notes=(*grid.notes, *notes))


def sweep_as_data(
    outcome: SweepOutcome, report: Report, page: Path, retrained: RetrainedSweep | None = None
) -> dict[str, Any]:
    """Return a sweep as one object for scripts: shares in per cent, differences in percentage points."""
    data: dict[str, Any] = plain(
        {
            "name": outcome.design.experiment.name,
            "page": page.as_posix(),
            "games": outcome.games,
            **({"reconstructed": report.reconstructed} if report.reconstructed else {}),
            "notes": list(outcome.design.notes),
            "findings": [
                {"verdict": finding.verdict, "text": finding.text, **finding.data}
                for section in report.sections
                for finding in section.findings
            ],
            "fresh_games": outcome.fresh_games,
            "fresh_seed": outcome.seed,
            "fresh": fresh_frame(outcome).to_dicts(),
            **({"retraining": retraining_data(outcome, retrained)} if retrained else {}),
            "cells": setting_frame(outcome).to_dicts(),
            "effects": effect_frame(outcome).to_dicts(),
        }
    )
    return data


def _lead(outcome: SweepOutcome) -> str:
    experiment, design = outcome.design.experiment, outcome.design
    scenario = experiment.scenario
    counts = words.listed([str(players) for players in outcome.tables])
    what = {
        "grid": "every combination of" if len(design.axes) > 1 else "all values of",
        "alone": "one axis at a time of",
        "sobol": "Sobol' points over",
        "latin-hypercube": "a Latin hypercube over",
    }[design.sweep.sample]
    varied = f"{len(design.axes):,} {'axes' if len(design.axes) != 1 else 'axis'}"
    asked = f" Question: {experiment.question}" if experiment.question else ""
    varies = any(axis.kind == "bots" for axis in design.axes)
    who = "" if varies else f", played by {words.listed(list(dict.fromkeys(scenario.bots)))}"
    return (
        f"{len(design.settings):,} settings, {what} {varied}, {words.games(outcome.games)} with {counts} players, seed "
        f"{scenario.seed}, on the same deals, and {words.games(outcome.fresh_games)} on new deals{who}. "
        f"A share within ±{scenario.margin:g} percentage points of the fair share counts as fair.{asked}"
    )


def _rests_on(outcome: SweepOutcome) -> str:
    counts = [
        f"{words.count(len(table.settings))} settings of {words.count(table.responses[0].games)} games with "
        f"{words.players(players)}"
        for players, table in outcome.tables.items()
    ]
    return words.listed(counts)


def _notes(outcome: SweepOutcome) -> tuple[str, ...]:
    chance = (
        "The scenario as it is comes first, then the fairest settings. A negative value in `vs as it is` means fairer."
    )
    left_out = sum(table.left_out for table in outcome.tables.values())
    return (chance, *left_out_words(left_out), *outcome.design.notes)


def _effect_notes(outcome: SweepOutcome) -> tuple[str, ...]:
    """Return notes on the table of effects: that it is a screen, and the axes whose effects cannot be separated."""
    screen = "`q` below 0.05 marks an effect; what is clear among all effects of the sweep is stated above."
    separated = {effect.axis.name for table in outcome.tables.values() for effect in table.effects}
    missing = [axis.name for axis in outcome.design.axes if axis.name not in separated]
    if not missing:
        return (screen,)
    unseparated = words.listed(missing)
    return (screen, f"The sweep cannot separate these effects from others; it needs more settings: {unseparated}.")


def _provenance(outcome: SweepOutcome) -> Grid:
    experiment = outcome.design.experiment
    spec, scenario = experiment.spec, experiment.scenario
    frame = pl.DataFrame(
        {
            "what": [
                "scenario",
                "design points",
                "games",
                "seed",
                "games on new deals",
                "seed of new deals",
                "rules",
                "engine",
                "rogsim",
            ],
            "value": [
                experiment.name,
                f"{len(outcome.design.design_points):,}",
                f"{outcome.games:,}",
                str(scenario.seed),
                f"{outcome.fresh_games:,}",
                str(outcome.seed),
                f"{spec.title}, version {spec.version}",
                engine_hash(spec.bots_package),
                __version__,
            ],
        }
    )
    return Grid("sweep", "What was played", (TableColumn("what", "what"), TableColumn("value", "value")), frame)


def _command(file: Path, options: Sequence[str]) -> str:
    return shlex.join(["rogsim", "sweep", words.portable_path(file), *options])
