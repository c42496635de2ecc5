"""The page of `rogsim tournament`: which bot is strongest, by how much, and how sure that is."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base.version import __version__
from rogsim.experiments.tournament.standings import Standings
from rogsim.experiments.tournament.tournament import TournamentOutcome
from rogsim.experiments.tournament.tournament_request import Tournament
from rogsim.report import words
from rogsim.report.balance.build import scenario_text
from rogsim.report.balance.commands import shown_folder
from rogsim.report.document import Finding, Grid, Picture, Report, Section, TableColumn
from rogsim.report.figures.heat_map import BY_INTERVAL
from rogsim.report.tournament.played_grids import bots_grid, files_grid
from rogsim.report.tournament.sprt_words import sprt_lines, stopped_words
from rogsim.report.tournament.tournament_figures import behind_best, beyond, draw_pairs, draw_ratings, draw_seats
from rogsim.report.tournament.tournament_grids import pairs_grid, ratings_grids, win_grids
from rogsim.report.tournament.tournament_words import PlayersFound, findings_of, found_in, next_steps
from rogsim.results.memory_store import describe
from rogsim.results.output_folders import FolderKind
from rogsim.scenario.fingerprint import identity_of
from rogsim.scenario.model import Experiment
from rogsim.scenario.reconstructed import reconstructed_of

FOLDER = FolderKind("tournament", ("bots", "pairs", "ratings"))
UNITS = (
    "A lead of 100 Elo points means finishing ahead in 64% of the meetings. In findings, intervals of leads hold for "
    "all pairs of bots and player counts together. All others are 95% intervals of their own: among many, some "
    "miss the true value by chance."
)
FAMILY = (
    "Two bots are distinguishable if the interval of the lead excludes 0. These intervals hold together: the "
    "probability that the page calls any two equally strong bots distinguishable is at most about 5%. Ratings are "
    "about games of these bots; against other opponents they may differ."
)
RATED = (
    "Ratings use complete finishing orders, by the Plackett-Luce model, on the Elo scale with mean 0. Their intervals "
    "come from a bootstrap over blocks. Two ratings share noise, so look at the lead, not at whether intervals overlap."
)
SUMMARY = (
    "A rating gives each bot one strength for all line-ups. If A beats B, B beats C and C beats A, a rating "
    "cannot show that."
)
BLOCKS = (
    "Every line-up is played in all its seat rotations, and again in those of the reverse order, on the same deal. All "
    "games of such a block count as one observation. A victory shared by k players counts 1/k for each."
)


def tournament_report(tournament: Tournament, outcome: TournamentOutcome, folder: Path) -> Report:
    """Return the page. folder: where it is written, for the command that reproduces it."""
    found = found_in(outcome.standings, outcome.games)
    command, profile = _commands(tournament, folder)
    again = shlex.join([*command, f"--games={tournament.experiments[0].scenario.games}"])
    return Report(
        title=f"{tournament.spec.title}: tournament of {len(tournament.bots)} bots",
        lead=_lead(tournament, outcome),
        units=UNITS,
        next_steps=tuple(next_steps(found, command, profile)),
        sections=tuple(_sections(tournament, outcome, list(_findings(tournament, outcome, found)))),
        family=FAMILY,
        provenance=tuple(_provenance(tournament, outcome)),
        scenarios=tuple(_scenario(experiment, outcome) for experiment in tournament.experiments),
        command=f"# with rogsim {__version__}\n{again}",
        reconstructed=reconstructed_of(*tournament.experiments).data(),
    )


def _findings(tournament: Tournament, outcome: TournamentOutcome, found: Sequence[PlayersFound]) -> Iterator[Finding]:
    """Yield who is strongest, with the caveat of a sequential test, and which pairs are not distinguishable."""
    caveat = stopped_words(tournament.limits, outcome)
    for entry in found:
        first, *rest = findings_of(entry)
        text = f"{first.text} {caveat}".rstrip()
        yield replace(first, text=text, short=text)
        yield from rest


def _commands(tournament: Tournament, folder: Path) -> tuple[list[str], list[str]]:
    """Return the words of the command of this page, without the number of games, and of the bots' profile."""
    scenarios = [experiment.scenario for experiment in tournament.experiments]
    players = ",".join(str(scenario.players[0]) for scenario in scenarios)
    asked = ["--bots", ",".join(tournament.bots), f"--players={players}"]
    more = [f"--seed={scenarios[0].seed}", *tournament.given]
    limits = tournament.limits
    test = [f"--sprt={limits.elo0:g},{limits.elo1:g}"] if limits else []
    out = f"--out={words.portable_path(folder)}"
    return ["rogsim", "tournament", *asked, *more, *test, out], [
        "rogsim",
        "bots",
        "--profile",
        *asked,
        *tournament.given,
    ]


def _lead(tournament: Tournament, outcome: TournamentOutcome) -> str:
    bots = words.listed(list(tournament.bots))
    return f"{bots} play each other: {_games(outcome)}, with seats rotated on the same deals."


def _games(outcome: TournamentOutcome) -> str:
    return words.listed(
        [f"{words.games(count)} with {words.players(players)}" for players, count in outcome.games.items()]
    )


def _sections(tournament: Tournament, outcome: TournamentOutcome, findings: Sequence[Finding]) -> Iterator[Section]:
    standings, n = outcome.standings, _games(outcome)
    if tournament.limits and outcome.verdict:
        question, test, answer, *biased = sprt_lines(tournament.bots, tournament.limits, outcome)
        answered = Finding("open" if outcome.verdict.decision == "open" else "fact", answer, short=answer)
        yield Section("sprt", "Sequential test", question, n, (answered,), (), (), (test, *biased))
    yield Section(
        "ratings",
        "Strength",
        "Which bot is strongest, and by how much?",
        n,
        tuple(findings),
        tuple(ratings_pictures(standings)),
        ratings_grids(standings),
        (RATED, BLOCKS, SUMMARY),
    )
    yield Section(
        "wins",
        "Win shares",
        "How often does each bot win, and from which seat?",
        n,
        (),
        (
            Picture(
                "seats",
                f"Win share minus fair share by seat, in percentage points. {BY_INTERVAL}",
                f"Heat map of win shares by bot and seat. {_win_words(outcome)}",
                partial(draw_seats, standings.seats, standings.order),
            ),
        ),
        win_grids(standings),
        (BLOCKS,),
    )
    yield Section(
        "pairs",
        "Against each other",
        "How often does each bot finish ahead of each other one?",
        n,
        (),
        (
            Picture(
                "pairs",
                f"How often the row's bot finishes ahead of the column's, in %. {BY_INTERVAL.replace('0', '50')}",
                f"Heat map of meetings. {_pair_words(outcome)}",
                partial(draw_pairs, standings.pairs, standings.order),
            ),
        ),
        (pairs_grid(standings),),
        ("A bot that sits in two seats of a game meets each of the others twice.", BLOCKS),
    )


def ratings_pictures(standings: Standings) -> Iterator[Picture]:
    """Yield the figure of how far each bot is behind the best one, if the games show that of any."""
    behind = behind_best(standings)
    if behind.height == len(standings.order):  # only the best of each player count
        return
    best = "; ".join(
        f"with {words.players(players)} {words.listed(list(names))}" for players, names in standings.order.items()
    )
    far = beyond(behind)
    unknown = standings.ratings.filter(~pl.col("joined"))
    notes = [
        *_notes(far, "lies beyond the axis: see the table."),
        *_notes(unknown, "is not drawn: the games do not show how far off it is."),
    ]
    caption = "How far each bot is behind the best one. If an interval does not contain 0, the two are distinguishable."
    yield Picture(
        "ratings",
        " ".join([caption, *notes]),
        f"Forest plot of ratings. From best to worst: {best}.",
        partial(draw_ratings, standings),
    )


def _notes(rows: pl.DataFrame, what: str) -> Iterator[str]:
    for (bot,), part in rows.group_by("bot", maintain_order=True):
        counts = words.listed([str(players) for players in part["players"].to_list()])
        yield f"With {counts} players {bot} {what}"


def _win_words(outcome: TournamentOutcome) -> str:
    shares = {(row["players"], row["bot"]): row["win_share"] for row in outcome.standings.bots.iter_rows(named=True)}
    parts = [
        f"with {words.players(players)} {names[0]} wins {words.share(shares[players, names[0]])}, all seats together"
        for players, names in outcome.standings.order.items()
    ]
    return f"The best-rated bot: {'; '.join(parts)}."


def _pair_words(outcome: TournamentOutcome) -> str:
    ahead = {
        (row["players"], row["bot"], row["other"]): row["ahead"]
        for row in outcome.standings.pairs.iter_rows(named=True)
    }
    parts = [
        f"with {words.players(players)} {first} is ahead of {second} in {words.share(ahead[players, first, second])}"
        for players, (first, second, *_) in outcome.standings.order.items()
    ]
    return f"{'; '.join(parts).capitalize()}."


def _provenance(tournament: Tournament, outcome: TournamentOutcome) -> Iterator[Grid]:
    first = tournament.experiments[0]
    played = pl.DataFrame(
        [
            {
                "players": players,
                "games": games,
                "seed": first.scenario.seed,
                "stored in": _folder(outcome.folders[players]),
                "rules": f"{first.spec.title}, version {first.spec.version}",
            }
            for players, games in outcome.games.items()
        ]
    )
    kinds: Mapping[str, Any] = {"players": "count", "games": "count"}
    columns = tuple(TableColumn(name, name, kinds.get(name, "text")) for name in played.columns)
    yield Grid("played", "What was played", columns, played)
    yield bots_grid(first)
    yield files_grid(FOLDER)


def _folder(folder: Path | None) -> str:
    return "in memory" if folder is None else shown_folder(folder)


def _scenario(experiment: Experiment, outcome: TournamentOutcome) -> tuple[str, str]:
    (players,) = experiment.scenario.players
    games = {players: outcome.games[players]}
    manifest = describe(experiment, identity_of(experiment), "complete", games, [], []).model_dump(mode="json")
    return words.players(players), scenario_text(manifest)
