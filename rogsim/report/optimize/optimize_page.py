"""The page of a search: what to change, how certain that is, and what less or more change would give."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import polars as pl

from rogsim.base.version import __version__
from rogsim.experiments.optimize.search import SearchOutcome
from rogsim.experiments.retraining.retrained_answer import RetrainedAnswer, trained_points
from rogsim.report import words
from rogsim.report.balance.build import scenario_text
from rogsim.report.document import Grid, Report, Section, TableColumn
from rogsim.report.optimize.optimize_retraining import retraining_section
from rogsim.report.optimize.optimize_sections import answer_section, level_section, search_section
from rogsim.report.optimize.optimize_words import RAN_OUT, SELECTED, chance_words, may_improve, typed
from rogsim.report.retraining.training_parts import found_with_stale, longer_training
from rogsim.results.memory_store import describe
from rogsim.scenario.fingerprint import identity_of
from rogsim.scenario.reconstructed import reconstructed_of

FAMILY = (
    "Candidates are judged on new deals, which neither the search nor the race used. Because one of the listed "
    "candidates is selected as the answer, they are judged together: a goal counts as reached if, for every level, two "
    "one-sided tests show that it is within the tolerance, at 5% divided by the number of candidates listed "
    "(Bonferroni). It counts as not reached if any level is clearly outside the tolerance, at the same significance "
    "level divided by the number of levels. In all other cases that is not known yet."
)


def optimize_report(outcome: SearchOutcome, out: str, retrained: RetrainedAnswer | None = None) -> Report:
    """Return the page of a search.

    Parameters
    ----------
    out
        Its folder, for the command that reproduces it.
    retrained
        The answer with players trained for it; None without.
    """
    request, spec = outcome.request, outcome.request.experiment.spec
    manifest = _manifest(outcome)
    goals = words.listed([goal.text for goal in request.goals])
    counts = words.listed([str(players) for players in request.players])
    bots = words.listed(list(dict.fromkeys(request.experiment.scenario.bots)))
    lead = (
        f"A search for values that reach {goals}, with {counts} players, played by {bots}: "
        f"{outcome.request.space.size:,} candidates, of which {len(outcome.played)} were played."
    )
    return Report(
        title=f"{spec.title}: the fairest values",
        lead=lead + (f" Question: {request.experiment.question}" if request.experiment.question else ""),
        units=f"Deviations of win shares are in percentage points (pp), with 95% intervals in brackets. {SELECTED}",
        next_steps=(*_next_steps(outcome), *(longer_training(trained_points(retrained)) if retrained else ())),
        sections=(
            *_answer_sections(outcome, retrained),
            *(level_section(outcome, goal) for goal in request.goals),
            search_section(outcome),
        ),
        family=FAMILY,
        provenance=(_played_grid(outcome, manifest, retrained),),
        scenarios=((request.experiment.name, scenario_text(manifest)),),
        command=_command(outcome, out, retrained),
        reconstructed=reconstructed_data(outcome),
    )


def _answer_sections(outcome: SearchOutcome, retrained: RetrainedAnswer | None) -> tuple[Section, ...]:
    answer = answer_section(outcome)
    return (found_with_stale(answer), retraining_section(outcome, retrained)) if retrained else (answer,)


def reconstructed_data(outcome: SearchOutcome) -> dict[str, Any]:
    """Return what must be said of reconstructed values; empty if the answer rests on none."""
    return reconstructed_of(outcome.request.experiment).data(varied=[axis.name for axis in outcome.request.space.axes])


def _next_steps(outcome: SearchOutcome) -> Iterator[str]:
    found = outcome.chosen.found
    if may_improve(outcome):
        yield RAN_OUT
    if found.prospect:
        games = found.games + found.prospect.games
        yield (
            f"About {words.count(found.prospect.games)} more games would decide whether the goals are reached "
            f"{chance_words(found.prospect)}: add `--confirm {games}`."
        )
    if found.verdict == "false" or (found.verdict == "open" and not found.prospect and found.distance >= 1):
        yield "No candidate reaches the goals: widen the ranges, search more parameters, or allow a larger tolerance."
    if len(outcome.request.experiment.sources) == 1:
        yield "Other bots may need other values: repeat the search with them before you rely on these."


def _manifest(outcome: SearchOutcome) -> dict[str, object]:
    """Return the manifest of the scenario as it is: what was played, and with which versions."""
    experiment = outcome.request.experiment
    games = dict.fromkeys(outcome.request.players, outcome.games)
    found = describe(experiment, identity_of(experiment), "complete", games, [], [])
    return found.model_dump(mode="json")


def _played_grid(outcome: SearchOutcome, manifest: dict[str, object], retrained: RetrainedAnswer | None) -> Grid:
    scenario, identity = outcome.request.experiment.scenario, manifest["identity"]
    assert isinstance(identity, dict)
    row = {
        "scenario": outcome.request.experiment.name,
        "bots": ", ".join(scenario.bots),
        "search": f"{words.count(outcome.games)} games with each player count, seed {scenario.seed}",
        "check": f"{words.count(outcome.chosen.found.games)} for each of {len(outcome.listed)}, seed {outcome.seed}",
        **(_retrained_row(retrained) if retrained else {}),
        "rules": f"{manifest['title']}, version {identity['rules']}",
        "engine": identity["engine"],
        "version": f"rogsim {__version__}",
    }
    frame = pl.DataFrame({"what": list(row), "value": [str(value) for value in row.values()]})
    return Grid("played", "What was played", (TableColumn("what", "what"), TableColumn("value", "value")), frame)


def _retrained_row(retrained: RetrainedAnswer) -> dict[str, str]:
    count = 2 * len(retrained.candidates)
    return {"retraining": f"{words.count(retrained.games)} for each of {count}, seed {retrained.seed}"}


def _command(outcome: SearchOutcome, out: str, retrained: RetrainedAnswer | None) -> str:
    request = outcome.request
    parts = ["rogsim", "optimize", f"{request.experiment.name}.toml"]
    for goal in request.goals:
        parts += ["--goal", goal.text]
    for axis in request.space.axes:
        parts += ["--over", typed(axis)]
    if request.games:
        parts += ["--games", str(request.games)]
    if request.confirm:
        parts += ["--confirm", str(request.confirm)]
    parts += retrained.retraining.words if retrained else []
    return f"# with rogsim {__version__}, and the scenario below\n{shlex.join([*parts, '--out', out])}"
