"""The page of `rogsim settle`: does each effect stay where it is as the bots get stronger?"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import polars as pl

from rogsim.base.version import __version__
from rogsim.experiments.settle.rounds import LadderOutcome, SettledClaim
from rogsim.experiments.settle.strength_ladder import ClaimFamily
from rogsim.report import words
from rogsim.report.balance.build import scenario_text
from rogsim.report.document import Finding, Grid, Picture, Report, Section, TableColumn
from rogsim.report.settle.settle_figures import against_strength
from rogsim.report.settle.settle_words import FEW_LEVELS, counted, finding_of, next_steps, short_name
from rogsim.results.memory_store import describe
from rogsim.scenario.fingerprint import identity_of
from rogsim.scenario.reconstructed import reconstructed_of
from rogsim.stats.contrasts import columns, table
from rogsim.stats.settling import LOOKS, RUNGS, SHRINKING

UNITS = (
    "Effects are win share minus fair share, in percentage points (pp), with 95% intervals in brackets. Each interval "
    "holds on its own."
)
FAMILY = (
    "With each number of players, the claims of a section share their error rates (Holm's method): the probability "
    "that any of them is called settled although a change is not within the margin is at most 5%, and so is the "
    "probability that any is called still moving although its effect does not move. Both rates are divided equally "
    f"among {LOOKS} planned looks at the games, so they hold for all looks together."
)
SETTLED = (
    "Settled means that two changes are within the margin: over the last step of the ladder, and over the last two "
    "steps. Each is shown by two one-sided tests. Still moving means that it is not settled, and that a test of "
    f"equal effects on the last {RUNGS} rungs rejects. Everything else is not known yet."
)
ASSUMPTION = (
    "Settled rests on an assumption that no finite ladder can prove: that the changes go in one direction and keep "
    f"shrinking, each to at most about {SHRINKING:g} times the one before. Then less is still to come than the change "
    "over the last two steps. An effect that drifts on and on by less than half the margin a step would be called "
    "settled, too."
)
GAMES = (
    "In every game one bot sits in all seats. All bots play the same deals. After the first look only the last "
    f"{RUNGS} bots play on, and the next games go to the one where they make the undecided verdicts most "
    "precise. A verdict stays once it is found, unless more games show that a moving effect is settled; the "
    "estimates are always those of all games."
)
MIRRORED = "With 2 players seat 2 has the same effect with the opposite sign."


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
        provenance=(_played_grid(outcome),),
        scenarios=((experiment.name, scenario_text(_manifest(outcome))),),
        command=f"# with rogsim {__version__}\n{shlex.join(command)}",
        reconstructed=reconstructed_of(experiment).data(experiment.spec.topics),
    )


def frame_of(outcome: LadderOutcome, family: ClaimFamily) -> pl.DataFrame:
    """Return one row for each claim of a family: the effect on each rung, the changes and the verdict."""
    return table(_row(outcome, claim) for claim in outcome.claims if claim.family == family)


def _lead(outcome: LadderOutcome) -> str:
    request = outcome.request
    counts = words.listed([str(players) for players in request.experiment.scenario.players])
    lead = (
        f"Games with {counts} players by bots of rising strength: {words.listed(list(request.bots))}. A change of the "
        f"effect by less than {request.margin:g} pp does not matter."
    )
    return f"{lead} {request.experiment.question}".strip()


def _section(outcome: LadderOutcome, family: ClaimFamily) -> Section:
    claims = [claim for claim in outcome.claims if claim.family == family]
    notes = (MIRRORED,) if family.column == "seat" and any(claim.players == 2 for claim in claims) else ()
    return Section(
        family.name,
        family.title,
        f"Does the effect of each {family.noun} hold as the bots get stronger?",
        _games_words(outcome),
        tuple(_findings(outcome, claims)),
        tuple(_pictures(outcome, family, claims)),
        (
            Grid(
                family.name, "Effect with each bot", tuple(_columns(outcome, family)), frame_of(outcome, family), notes
            ),
        ),
        (SETTLED, ASSUMPTION, GAMES),
    )


def _findings(outcome: LadderOutcome, claims: Sequence[SettledClaim]) -> Iterator[Finding]:
    for players in dict.fromkeys(claim.players for claim in claims):
        group = [claim for claim in claims if claim.players == players]
        if len(group) > FEW_LEVELS:
            yield counted(group)
        yield from (finding_of(claim, outcome, len(group) <= FEW_LEVELS) for claim in group)


def _pictures(outcome: LadderOutcome, family: ClaimFamily, claims: Sequence[SettledClaim]) -> Iterator[Picture]:
    bots = [short_name(bot) for bot in outcome.request.bots]
    for players in dict.fromkeys(claim.players for claim in claims):
        group = [claim for claim in claims if claim.players == players]
        panels = [(family.label(claim.found.series.name), claim.found) for claim in group]
        listed = "; ".join(
            f"{title}: {words.pp(float(found.series.values[-1]))} with the strongest bot, {found.verdict}"
            for title, found in panels
        )
        yield Picture(
            f"{family.name}-{players}",
            f"{family.title} with {words.players(players)}: the effect with bots of rising strength, the strongest on "
            "the right. The band is the margin around the last value.",
            f"Line chart of effects against strength. {listed}.",
            partial(against_strength, panels, bots, outcome.request.margin),
        )


def _columns(outcome: LadderOutcome, family: ClaimFamily) -> Iterator[TableColumn]:
    yield TableColumn("label", family.noun)
    yield TableColumn("players", "players", "count")
    for place, bot in enumerate(outcome.request.bots):
        yield TableColumn(f"rung_{place + 1}", short_name(bot), "gain", interval=True)
    yield TableColumn("verdict", "verdict")
    yield TableColumn("more_games", "more games", "count")


def _row(outcome: LadderOutcome, claim: SettledClaim) -> dict[str, Any]:
    found, series = claim.found, claim.found.series
    row: dict[str, Any] = {
        "claim": claim.family.name,
        "level": series.name,
        "label": claim.family.label(series.name),
        "players": claim.players,
    }
    for place, bot in enumerate(outcome.request.bots):
        row |= columns(f"rung_{place + 1}", series.estimate(place))
        row |= {f"rung_{place + 1}_bot": bot, f"rung_{place + 1}_games": claim.games[place]}
    row |= {"verdict": found.verdict, "more_games": claim.more_games, "look": found.look}
    row |= columns("last_step", found.last_step) | columns("last_two_steps", found.last_two)
    return row | {"p_settled": found.p_settled, "p_moving": found.p_moving}


def _games_words(outcome: LadderOutcome) -> str:
    parts = []
    for players, games in outcome.games.items():
        top = words.listed([words.count(count) for count in games[-RUNGS:]])
        parts.append(f"{words.players(players)}: {words.count(sum(games))} games, {top} with the last {RUNGS} bots")
    return "; ".join(parts)


def _manifest(outcome: LadderOutcome) -> dict[str, object]:
    """Return the manifest of the scenario with its strongest bot."""
    experiment = outcome.request.rungs[-1].experiment
    games = {players: counts[-1] for players, counts in outcome.games.items()}
    return describe(experiment, identity_of(experiment), "complete", games, [], []).model_dump(mode="json")


def _played_grid(outcome: LadderOutcome) -> Grid:
    request = outcome.request
    sources = [next(iter(rung.experiment.sources.values())) for rung in request.rungs]
    frame = pl.DataFrame(
        [
            {
                "bot": rung.label,
                **{f"{players} players": games[place] for players, games in outcome.games.items()},
                "seed": rung.experiment.scenario.seed,
                "source": source.source_hash,
                "weights": source.weights_hash,
            }
            for place, (rung, source) in enumerate(zip(request.rungs, sources, strict=True))
        ]
    )
    kinds: dict[str, Any] = {f"{players} players": "count" for players in outcome.games}
    heads = {"source": "hash of its source", "weights": "hash of its weights"}
    shown = tuple(TableColumn(name, heads.get(name, name), kinds.get(name, "text")) for name in frame.columns)
    return Grid("played", "What was played", shown, frame)
