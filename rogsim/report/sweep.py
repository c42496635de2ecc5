"""The page on a sweep: which setting is fairest, and which figures matter."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

import rogsim
from rogsim.identity import engine_hash
from rogsim.report import words
from rogsim.report.model import Column, Grid, Report, Section, plain
from rogsim.report.sweep_figures import cell_pictures, effect_pictures
from rogsim.report.sweep_frames import (
    cell_columns,
    cell_frame,
    effect_columns,
    effect_frame,
    fresh_columns,
    fresh_frame,
)
from rogsim.report.sweep_words import effect_findings, fairest_finding, next_steps
from rogsim.sweeps import Outcome

UNITS = (
    "Distances from fair are the root mean square, over the seats, of win share less fair share, in percentage points "
    "(pp). 95% intervals stand in brackets."
)
FAMILY = (
    "What is said of the fairest setting rests on fresh luck, where it is compared with the scenario's own alone; "
    "whether all seats are within the margin is judged for both together. In the table of all settings each is tested "
    "against the scenario's own, with p-values adjusted by Holm's method over the cells with one number of players. "
    "Figures are a screen: `q` is the p-value after Benjamini and Hochberg's "
    "correction over all effects with one number of players, so of those below 0.05 about one in twenty is chance."
)
FRESH = (
    "The fairest of many settings is partly the luckiest, so the sweep's own distance of it is too small. It and the "
    "scenario's own setting are therefore played once more, as many games of each, on luck that has not chosen it."
)
LUCK = (
    "All cells play the same luck. What is compared is compared block by block of luck, so that luck which helps two "
    "cells alike is gone from their difference and from its interval."
)
DISTANCE = (
    "The distance from fair is freed of what noise adds to it, so a setting that cannot be told from fair may have "
    "0.0, with an interval that says how far it may be; its interval comes from the noncentral chi-square "
    "distribution. `against as it is` is the difference of two such distances; its interval comes from theirs and "
    "from the luck that both have in common (MOVER: Zou and Donner 2008, Statistics in Medicine 27). The test behind "
    "`p` takes the distances with their noise, which makes the smaller one larger and so the test careful; fairer is "
    "said where both the test and the interval show it."
)
SLOPES = (
    "Effects are per step, one unit of a figure, by least squares over all cells (of a sweep of one axis at a time: "
    "over the cells of that axis and the scenario's own). They are averages over the range that was swept; a bend in "
    "between is seen in the cells and not in the slope. Of what is no number each value is compared with the "
    "scenario's own. Shares moved is the root mean square over the seats of the effect on their win shares. Effects on "
    "the distance from fair are on the distance with its noise, which least squares need; they come out smaller than "
    "differences of the distances above, which are freed of it."
)


def build_sweep(outcome: Outcome, file: Path, given: dict[str, Any], out: Path) -> Report:
    """Return the page. given: options of the command that replace the scenario's own keys."""
    experiment = outcome.design.experiment
    command = _command(file, given)
    return Report(
        title=f"{experiment.spec.title}: sweep {experiment.name}",
        lead=_lead(outcome),
        units=UNITS,
        next_steps=tuple(next_steps(outcome, _command(file, {**given, "games": None}))),
        sections=tuple(_sections(outcome)),
        family=FAMILY,
        provenance=(_provenance(outcome),),
        scenarios=((experiment.name, file.read_text(encoding="utf-8")),),
        command=f"# with rogsim {rogsim.__version__}\n{command} --out {shlex.quote(_short(out))}",
    )


def _sections(outcome: Outcome) -> Iterator[Section]:
    rests = _rests_on(outcome)
    cells = Grid("cells", "All settings", cell_columns(outcome), cell_frame(outcome), _notes(outcome), first_told=True)
    yield Section(
        "settings",
        "Settings",
        "Which setting is fairest, and is it surely fairer than the scenario's own?",
        rests,
        tuple(fairest_finding(outcome, one) for one in outcome.tables.values()),
        tuple(cell_pictures(outcome)),
        (*_fresh_grids(outcome), cells),
        (FRESH, LUCK, DISTANCE),
    )
    frame = effect_frame(outcome)
    if frame.is_empty():
        return
    yield Section(
        "figures",
        "Which numbers matter",
        "What does each figure do to the seats' win shares, and to fairness?",
        rests,
        tuple(finding for one in outcome.tables.values() for finding in effect_findings(outcome, one)),
        tuple(effect_pictures(outcome)),
        (Grid("effects", "Effects, the strongest first", effect_columns(outcome), frame, _left_out(outcome)),),
        (SLOPES, LUCK, DISTANCE),
    )


def _fresh_grids(outcome: Outcome) -> Iterator[Grid]:
    frame = fresh_frame(outcome)
    if not frame.is_empty():
        notes = (f"Played on fresh luck, seed {outcome.seed}; `in the sweep` is what the sweep's own games said.",)
        yield Grid("fresh", "The fairest setting, played once more", fresh_columns(outcome), frame, notes)


def compact_grids(outcome: Outcome, most: int = 30) -> list[Grid]:
    """Return what a terminal shows: for each number of players the cells and the ranking, the first lines of each."""
    cells, effects = cell_frame(outcome), effect_frame(outcome)
    grids = []
    for players, one in outcome.tables.items():
        who = words.players(players)
        seats = [Column(f"seat_{seat}", f"seat {seat} %", "number") for seat in one.seats]
        told = [Column("short", "setting"), Column("n", "n", "count"), *seats]
        told += [
            Column("distance", "from fair, pp (95%)", "number", interval=True),
            Column("change", "against as it is (95%)", "gain", interval=True),
            Column("turns", "turns", "number"),
        ]
        grids.append(_first("cells", f"{who}: settings, the fairest first", told, cells, players, most))
        gains = [replace(seat, head=f"seat {place}, pp", kind="gain") for place, seat in enumerate(seats, 1)]
        ranks = [Column("figure", "figure"), Column("value", "change")]
        ranks += [Column("moves", "moves shares, pp (95%)", "number", True, 2), Column("q", "q", "p"), *gains]
        ranks += [
            Column("distance", "on the distance with noise, pp (95%)", "gain", True, 2),
            Column("q_fair", "q of that", "p"),
        ]
        if not effects.is_empty():
            grids.append(_first("effects", f"{who}: which numbers matter", ranks, effects, players, most))
    return grids


def _first(name: str, caption: str, told: list[Column], frame: pl.DataFrame, players: int, most: int) -> Grid:
    own = frame.filter(pl.col("players") == players)
    notes = (f"{own.height - most:,} more lines are in the page.",) if own.height > most else ()
    return Grid(name, caption, tuple(told), own.head(most), notes)


def sweep_as_data(outcome: Outcome, report: Report, page: Path) -> dict[str, Any]:
    """Return a sweep as one object for scripts: shares in per cent, differences in percentage points."""
    data: dict[str, Any] = plain(
        {
            "name": outcome.design.experiment.name,
            "page": page.as_posix(),
            "games": outcome.games,
            "notes": list(outcome.design.notes),
            "findings": [
                {"verdict": finding.verdict, "text": finding.text, **finding.data}
                for section in report.sections
                for finding in section.findings
            ],
            "fresh_games": outcome.fresh_games,
            "fresh_seed": outcome.seed,
            "fresh": fresh_frame(outcome).to_dicts(),
            "cells": cell_frame(outcome).to_dicts(),
            "effects": effect_frame(outcome).to_dicts(),
        }
    )
    return data


def _lead(outcome: Outcome) -> str:
    experiment, design = outcome.design.experiment, outcome.design
    scenario = experiment.scenario
    counts = words.listed([str(players) for players in outcome.tables])
    what = {
        "grid": "every combination of",
        "alone": "one at a time of",
        "sobol": "Sobol' points over",
        "latin-hypercube": "a Latin hypercube over",
    }[design.sweep.sample]
    varied = f"{len(design.axes):,} {'axes' if len(design.axes) != 1 else 'axis'}"
    asked = f" Asked: {experiment.question}" if experiment.question else ""
    return (
        f"{len(design.settings):,} settings, {what} {varied}, {words.games(outcome.games)} with {counts} players, seed "
        f"{scenario.seed}, on common luck, and {words.games(outcome.fresh_games)} on fresh luck. Within "
        f"±{scenario.margin:g} percentage points of a fair share counts as fair.{asked}"
    )


def _rests_on(outcome: Outcome) -> str:
    told = [
        f"{words.count(len(one.settings))} cells of {words.count(one.responses[0].games)} games with "
        f"{words.players(players)}"
        for players, one in outcome.tables.items()
    ]
    return words.listed(told)


def _notes(outcome: Outcome) -> tuple[str, ...]:
    chance = "The scenario's own setting comes first, then the fairest ones. Less than 0 against as it is means fairer."
    left_out = sum(one.left_out for one in outcome.tables.values())
    luck = f"{words.games(left_out)} on luck that not all cells have in common are left out: other fields, other luck."
    return (chance, *([luck] if left_out else []), *outcome.design.notes)


def _left_out(outcome: Outcome) -> tuple[str, ...]:
    """Tell of axes that the cells do not tell apart."""
    told = {effect.axis.name for one in outcome.tables.values() for effect in one.effects}
    missing = [axis.name for axis in outcome.design.axes if axis.name not in told]
    if not missing:
        return ()
    return (f"The cells do not tell these apart from others, it takes more points: {words.listed(missing)}.",)


def _provenance(outcome: Outcome) -> Grid:
    experiment = outcome.design.experiment
    spec, scenario = experiment.spec, experiment.scenario
    frame = pl.DataFrame(
        {
            "what": [
                "scenario",
                "cells",
                "games",
                "seed",
                "games on fresh luck",
                "seed of fresh luck",
                "rules",
                "engine",
                "rogsim",
            ],
            "value": [
                experiment.name,
                f"{len(outcome.design.cells):,}",
                f"{outcome.games:,}",
                str(scenario.seed),
                f"{outcome.fresh_games:,}",
                str(outcome.seed),
                f"{spec.title}, version {spec.version}",
                engine_hash(spec.bots_package),
                rogsim.__version__,
            ],
        }
    )
    return Grid("sweep", "What was played", (Column("what", "what"), Column("value", "value")), frame)


def _command(file: Path, given: dict[str, Any]) -> str:
    options = [f"--{name}={value}" for name, value in given.items() if value is not None]
    return shlex.join(["rogsim", "sweep", _short(file), *options])


def _short(path: Path) -> str:
    """Return a path as it was given; of one from the root only its end, which is all that others can use."""
    return path.name if path.is_absolute() else path.as_posix()
