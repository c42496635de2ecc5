"""The page of `rogsim settle`: does each effect stay where it is as the bots get stronger?"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from rogsim.base.version import __version__
from rogsim.experiments.settle.ladder_verdicts import ClaimFamily, LadderVerdicts
from rogsim.experiments.settle.rounds import LadderOutcome
from rogsim.experiments.settle.settle_record import KEY, record_of
from rogsim.report import words
from rogsim.report.balance.build import scenario_text
from rogsim.report.document import Finding, Report, Section
from rogsim.report.settle.settle_pieces import (
    ASSUMPTION,
    FAMILY,
    GAMES,
    SETTLED,
    STRONGER,
    each_words,
    games_words,
    grid_of,
    pictures_of,
    rungs_grid,
    steps_grid,
)
from rogsim.report.settle.settle_words import FEW_LEVELS, counted, finding_of, next_steps, rising_words
from rogsim.results.memory_store import describe
from rogsim.scenario.fingerprint import identity_of
from rogsim.scenario.reconstructed import reconstructed_of

UNITS = (
    "Effects are win share minus fair share, in percentage points (pp), with 95% intervals in brackets. Each interval "
    "holds on its own."
)


def settle_report(outcome: LadderOutcome, command: Sequence[str]) -> Report:
    """Return the page.

    Parameters
    ----------
    outcome
        The verdicts.
    command
        The words of the command that reproduces the page.
    """
    request = outcome.request
    experiment = request.experiment
    return Report(
        title=f"{experiment.spec.title}: does it hold with stronger bots?",
        lead=_lead(outcome),
        units=UNITS,
        next_steps=tuple(next_steps(outcome)),
        sections=tuple(_section(outcome, family) for family in request.families),
        family=FAMILY,
        provenance=(steps_grid(outcome, "steps"), rungs_grid(outcome, "played", "What was played")),
        scenarios=((experiment.name, scenario_text(_manifest(outcome))),),
        command=f"# with rogsim {__version__}\n{shlex.join(command)}",
        reconstructed=reconstructed_of(experiment).data(experiment.spec.topics),
        more={KEY: record_of(outcome)},
    )


def _lead(outcome: LadderOutcome) -> str:
    request = outcome.request
    counts = words.listed([str(players) for players in request.experiment.scenario.players])
    lead = (
        f"Games with {counts} players by {words.listed(list(request.bots))}. {rising_words(outcome)} "
        f"{each_words(outcome)} An effect that changes by less than {request.margin:g} pp counts as unchanged."
    )
    question = request.experiment.question
    return lead + (f" Question: {question}" if question else "")


def _section(ladder: LadderVerdicts, family: ClaimFamily) -> Section:
    return Section(
        family.name,
        family.title,
        f"Does the effect of each {family.noun} hold as the bots get stronger?",
        games_words(ladder),
        tuple(_findings(ladder, family)),
        tuple(pictures_of(ladder, family)),
        (grid_of(ladder, family),),
        (SETTLED, STRONGER, ASSUMPTION, GAMES),
    )


def _findings(ladder: LadderVerdicts, family: ClaimFamily) -> Iterator[Finding]:
    for players in dict.fromkeys(claim.players for claim in ladder.of(family.name)):
        group = ladder.of(family.name, players)
        if len(group) > FEW_LEVELS:
            yield counted(group)
        yield from (finding_of(claim, ladder, len(group) <= FEW_LEVELS) for claim in group)


def _manifest(outcome: LadderOutcome) -> dict[str, object]:
    """Return the manifest of the scenario with its strongest bot."""
    experiment = outcome.request.rungs[-1].experiment
    games = {players: counts[-1] for players, counts in outcome.games.items()}
    return describe(experiment, identity_of(experiment), "complete", games, [], []).model_dump(mode="json")
