"""The page of a search for fair values: what to change, how sure that is, and what less or more change would give."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import polars as pl

import rogsim
from rogsim.fairest import Outcome
from rogsim.identity import identity_of
from rogsim.report import words
from rogsim.report.build import scenario_text
from rogsim.report.fairest_sections import answer_section, level_section, search_section
from rogsim.report.fairest_words import RAN_OUT, SELECTED, typed
from rogsim.report.model import Column, Grid, Report
from rogsim.shelf import describe

FAMILY = (
    "What was found is judged on fresh luck, which neither the search nor the race has seen. All candidates that are "
    "listed are judged together, as one of them is taken: a goal is *reached* if for every level two one-sided tests "
    "say that it is within the tolerance, at 5% divided by the number of candidates listed (Bonferroni). It is *not "
    "reached* if any level is beyond for sure, at the same level divided by the number of levels. Everything else is "
    "not known yet."
)


def build_fairest(outcome: Outcome, out: str) -> Report:
    """Return the report of a search. out: the folder, for the command that makes it again."""
    request, spec = outcome.request, outcome.request.experiment.spec
    manifest = _manifest(outcome)
    goals = words.listed([goal.text for goal in request.goals])
    counts = words.listed([str(players) for players in request.players])
    bots = words.listed(list(dict.fromkeys(request.experiment.scenario.bots)))
    lead = (
        f"Searched: values that make true {goals}, with {counts} players, played by {bots}; "
        f"{outcome.request.space.size:,} candidates, {len(outcome.played)} of them played."
    )
    return Report(
        title=f"{spec.title}: the fairest values",
        lead=f"{lead} {request.experiment.question}".strip(),
        units=f"Deviations of win shares are in percentage points (pp), with 95% intervals in brackets. {SELECTED}",
        next_steps=tuple(_next_steps(outcome)),
        sections=(
            answer_section(outcome),
            *(level_section(outcome, goal) for goal in request.goals),
            search_section(outcome),
        ),
        family=FAMILY,
        provenance=(_played_grid(outcome, manifest),),
        scenarios=((request.experiment.name, scenario_text(manifest)),),
        command=_command(outcome, out),
    )


def _next_steps(outcome: Outcome) -> Iterator[str]:
    verdict = outcome.chosen.found.verdict()
    if outcome.ran_out:
        yield RAN_OUT
    if verdict.more:
        more = words.count(verdict.more)
        yield f"About {more} games would settle whether the goals are reached: add `--confirm {verdict.more}`."
    if verdict.kind == "false" or (verdict.kind == "open" and not verdict.more):
        yield "None of the values reaches the goals: widen their ranges, let more figures change, or allow more."
    if len(outcome.request.experiment.sources) == 1:
        yield "Other bots may ask for other values: play the same search with them before believing it of the game."


def _manifest(outcome: Outcome) -> dict[str, object]:
    """Return the manifest of the scenario as it is, for what was played with which versions."""
    experiment = outcome.request.experiment
    games = dict.fromkeys(outcome.request.players, outcome.games)
    found = describe(experiment, identity_of(experiment), "complete", games, [], [])
    return found.model_dump(mode="json")


def _played_grid(outcome: Outcome, manifest: dict[str, object]) -> Grid:
    scenario, identity = outcome.request.experiment.scenario, manifest["identity"]
    assert isinstance(identity, dict)
    row = {
        "scenario": outcome.request.experiment.name,
        "bots": ", ".join(scenario.bots),
        "search": f"{words.count(outcome.games)} games with each player count, seed {scenario.seed}",
        "check": f"{words.count(outcome.chosen.found.games)} for each of {len(outcome.listed)}, seed {outcome.seed}",
        "rules": f"{manifest['title']}, version {identity['rules']}",
        "engine": identity["engine"],
        "version": f"rogsim {rogsim.__version__}",
    }
    return Grid("played", "What was played", tuple(Column(key, key, "long") for key in row), pl.DataFrame([row]))


def _command(outcome: Outcome, out: str) -> str:
    request = outcome.request
    parts = ["rogsim", "balance", f"{request.experiment.name}.toml"]
    for goal in request.goals:
        parts += ["--goal", goal.text]
    for axis in request.space.axes:
        parts += ["--over", typed(axis)]
    if request.games:
        parts += ["--games", str(request.games)]
    if request.confirm:
        parts += ["--confirm", str(request.confirm)]
    return f"# with rogsim {rogsim.__version__}, and the scenario below\n{shlex.join([*parts, '--out', out])}"
