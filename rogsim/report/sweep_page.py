"""The page on a sweep: which setting or which number is fair, and which parameters matter."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rogsim.base import __version__
from rogsim.base.text import listing
from rogsim.experiments.sweep import SweepOutcome
from rogsim.report import words
from rogsim.report.document import Grid, Report, Step
from rogsim.report.provenance import facts_grid
from rogsim.report.sentences import plural
from rogsim.report.sweep_sections import (
    number_section,
    open_effects,
    parameters_section,
    questions_section,
    setting_text,
    settings_section,
)
from rogsim.scenario.fingerprint import engine_hash
from rogsim.scenario.reconstructed import reconstructed_of
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
    """
    experiment, command = outcome.design.experiment, _command(file, options)
    with_games = [] if games is None else [f"--games={games}"]
    curve = [number_section(outcome)] if outcome.design.curve else []
    parameters = parameters_section(outcome)
    found = (*curve, settings_section(outcome), parameters, questions_section(outcome))
    sections = [section for section in found if section is not None]
    first = sections[0]
    picture, *others = first.pictures
    sections[0] = replace(first, pictures=tuple(others))
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
        steps=tuple(_steps(outcome, file, command)),
        reconstructed=reconstructed_of(experiment).data(varied=[axis.name for axis in outcome.design.axes]),
    )


def _context(outcome: SweepOutcome) -> str:
    """Return who played how many games on which deals, and what is to be fair."""
    design, scenario = outcome.design, outcome.design.experiment.scenario
    counts = listing([str(players) for players in outcome.tables])
    varies = any(axis.kind == "bots" for axis in design.axes)
    who = "" if varies else f" by {listing(list(dict.fromkeys(scenario.bots)))}"
    nouns = listing([plural(noun) for noun in dict.fromkeys(found.noun for found in outcome.tables.values())])
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
            games_to_find(open_effects(found), found.shares[0].games),
        )
        if games and games > found.shares[0].games
    ]
    if needed:
        games = words.about(max(needed)).replace(",", "")
        yield Step("Play on until what is not known yet is likely to be decided.", f"{command} --games {games}")


def _for_settings(outcome: SweepOutcome, players: int) -> Iterator[int]:
    """Yield how many games of each setting would decide what is not known of the fairest one."""
    found = outcome.tables[players]
    for judgement in found.curve.judged if found.curve else ():
        if judgement.prospect:
            yield found.shares[0].games + judgement.prospect.games
    if fresh := found.fresh:
        place = len(fresh.settings) - 1
        for more in (fresh.judged[place].prospect, fresh.more_to_compare(place)):
            if more:
                yield fresh.shares[0].games + more.games


def _provenance(outcome: SweepOutcome) -> Grid:
    experiment = outcome.design.experiment
    spec = experiment.spec
    facts = {
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
    return facts_grid("sweep", facts)


def _command(file: Path, options: Sequence[str]) -> str:
    return shlex.join(["rogsim", "sweep", words.portable_path(file), *options])
