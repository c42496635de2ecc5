"""The page of `rogsim tournament`: which bot is strongest, by how much, and how sure that is; and its folder."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base import __version__
from rogsim.base.files import REPORTS
from rogsim.base.progress import doing
from rogsim.base.text import listing
from rogsim.experiments.standings import Standings
from rogsim.experiments.tournament import Tournament, TournamentOutcome, play
from rogsim.report import words
from rogsim.report.document import Grid, Picture, Report, Section, TableColumn
from rogsim.report.provenance import provenance, scenario_text
from rogsim.report.render.write import check_with_page, write_into
from rogsim.report.tournament_figures import behind_best, beyond, draw_ratings
from rogsim.report.tournament_words import (
    PlayersFound,
    always_words,
    finding_of,
    found_in,
    next_steps,
    strongest_words,
)
from rogsim.results.output_folders import FolderKind, manifest_of, writing
from rogsim.results.store import describe
from rogsim.scenario.fingerprint import identity_of
from rogsim.scenario.model import Experiment
from rogsim.scenario.reconstructed import reconstructed_of

FOLDER = FolderKind("tournament", ("bots", "pairs", "ratings"))
FAMILY = (
    "The intervals of all leads on this page hold together, so at most 5% of pages call any two equally strong bots "
    "different. Other intervals hold by themselves."
)
RATED = "Plackett-Luce ratings of whole finishing orders, on the Elo scale with mean 0; bootstrap over blocks."
ANCHOR = "searches-sweeps-and-ratings"
PLAYERS, COUNT = TableColumn("players", "players", "count"), TableColumn("n", "n", "count")
BOT, OTHER = TableColumn("bot", "bot"), TableColumn("other", "other bot")
WIN_SHARE = TableColumn("win_share", "win share (95%)", "share", interval=True)
FAIR = TableColumn("fair", "fair", "share")
LEAD = TableColumn("lead_text", "lead, Elo (95%)")
AHEAD = TableColumn("ahead", "finishes ahead (95%)", "share", interval=True)
POINTS = TableColumn("points", "points (95%)", "number", interval=True)
RATING = TableColumn("rating_text", "rating, Elo (95%)")
SEAT = TableColumn("seat", "seat", "count")
NEXT = TableColumn("lead_text", "lead on the next (95%)")

check = partial(check_with_page, FOLDER)


def play_and_write(
    tournament: Tournament,
    folder: Path | None,
    jobs: int | None = None,
    chunk: int | None = None,
    store: Path | None = None,
) -> Report:
    """Play a tournament as `play` does, and write its page and tables to a folder, which appears when all is done.

    Without a folder nothing is written.
    """
    if folder is not None:
        check(folder)
    started = datetime.now(UTC)
    outcome = play(tournament, jobs, chunk, store)
    report = tournament_report(tournament, outcome, folder or REPORTS / "tournament")
    if folder is None:
        return report
    more = {"games": {str(players): count for players, count in outcome.games.items()}}
    with doing() as notify, writing(folder, check) as draft:
        manifest = manifest_of(FOLDER.name, tournament.experiments[0], started, more)
        FOLDER.write(draft, {table: getattr(outcome.standings, table) for table in FOLDER.tables}, manifest)
        write_into(report, draft, notify)
    return report


def tournament_report(tournament: Tournament, outcome: TournamentOutcome, folder: Path) -> Report:
    """Return the page. folder: where it is written, for the command that reproduces it."""
    found = found_in(outcome.standings, outcome.games)
    command, profile = _commands(tournament, folder)
    again = shlex.join([*command, f"--games={tournament.experiments[0].scenario.games}"])
    manifests = {
        experiment.scenario.players[0]: _manifest(experiment, outcome) for experiment in tournament.experiments
    }
    return Report(
        title=f"{tournament.spec.title}: tournament",
        question=f"Which of {listing(list(tournament.bots))} is the strongest?",
        answer=_answer(found),
        context=_context(tournament, outcome),
        sections=tuple(_sections(outcome, found)),
        family=FAMILY,
        provenance=tuple(
            provenance([({"players": words.players(count)}, manifest) for count, manifest in manifests.items()])
        ),
        scenarios=tuple((words.players(count), scenario_text(manifest)) for count, manifest in manifests.items()),
        command=f"# with rogsim {__version__}\n{again}",
        verdict="fact" if all(one.verdict == "fact" for one in found) else "open",
        picture=next(ratings_pictures(outcome.standings), None),
        steps=tuple(next_steps(found, command, profile)),
        reconstructed=reconstructed_of(*tournament.experiments).data(),
    )


def _answer(found: Sequence[PlayersFound]) -> str:
    """Return who is strongest; with several player counts, with each."""
    if len(found) == 1:
        return strongest_words(found[0])
    return " ".join(f"With {words.players(one.players)}: {strongest_words(one)}" for one in found)


def _context(tournament: Tournament, outcome: TournamentOutcome) -> str:
    seed = tournament.experiments[0].scenario.seed
    return f"{_games(outcome)}, seats rotated on the same deals (seed {seed}). Against other bots, ratings may differ."


def _games(outcome: TournamentOutcome) -> str:
    return listing([f"{words.games(count)} with {words.players(players)}" for players, count in outcome.games.items()])


def _commands(tournament: Tournament, folder: Path) -> tuple[list[str], list[str]]:
    """Return the words of the command of this page, without the number of games, and of the bots' profile."""
    scenarios = [experiment.scenario for experiment in tournament.experiments]
    players = ",".join(str(scenario.players[0]) for scenario in scenarios)
    asked = ["--bots", ",".join(tournament.bots), f"--players={players}"]
    more = [f"--seed={scenarios[0].seed}", *tournament.given, f"--out={words.portable_path(folder)}"]
    return ["rogsim", "tournament", *asked, *more], ["rogsim", "bots", "--profile", *asked, *tournament.given]


def _sections(outcome: TournamentOutcome, found: Sequence[PlayersFound]) -> Iterator[Section]:
    standings, n = outcome.standings, _games(outcome)
    players = [PLAYERS] if len(found) > 1 else []
    findings = tuple(map(finding_of, found))
    yield Section(
        "ratings",
        "Strength",
        "Which bot is strongest, and by how much?",
        _answer(found),
        n,
        findings,
        grids=(standings_grid(standings, found),),
        more=(
            Grid("leads", "The lead of each bot over each other one", (BOT, OTHER, PLAYERS, LEAD), _leads(found)),
            Grid("bots", "Win shares and points", (BOT, PLAYERS, COUNT, WIN_SHARE, FAIR, POINTS), standings.bots),
            Grid("seats", "Win shares by seat", (BOT, PLAYERS, SEAT, COUNT, WIN_SHARE, FAIR), standings.seats),
        ),
        method=RATED,
        anchor=ANCHOR,
        verdict=findings[0].verdict,
    )
    yield Section(
        "pairs",
        "Against each other",
        "How often does each bot finish ahead of each other one?",
        " ".join(_often(one, len(found) > 1) for one in found),
        n,
        grids=(Grid("pairs", "How often a bot finishes ahead", (BOT, OTHER, *players, COUNT, AHEAD), standings.pairs),),
        method="Ties count half. A bot in two seats meets each of the others twice.",
        anchor=ANCHOR,
    )


def _often(found: PlayersFound, named: bool) -> str:
    """Return how often the best bot finishes ahead of the next one."""
    best, second = found.order[:2]
    row = found.ahead[best, second]
    reach = words.interval(row["ahead_low"], row["ahead_high"], 100) or words.TOO_FEW
    with_players = f" with {words.players(found.players)}" if named else ""
    return (
        f"{best} finishes ahead of {second} in {words.share(row['ahead'])} ({reach}) of {row['n']:,} meetings"
        f"{with_players}."
    )


def standings_grid(standings: Standings, found: Sequence[PlayersFound]) -> Grid:
    """Return the standings: win share, rating and lead over the next bot, the best bot first."""
    rows = []
    for one in found:
        won = {row["bot"]: row for row in standings.bots.filter(players=one.players).iter_rows(named=True)}
        rated = {row["bot"]: row for row in standings.ratings.filter(players=one.players).iter_rows(named=True)}
        for bot, following in zip(one.order, [*one.order[1:], ""], strict=True):
            row = rated[bot]
            alone = "" if row["joined"] else always_words(one, bot) or words.NOTHING
            texts = {"rating_text": _elo(row, "rating") or alone or words.TOO_FEW, "lead_text": words.NOTHING}
            if following:
                lead = _elo(one.leads[bot, following], "lead")  # with the interval that holds for all leads together
                texts["lead_text"] = lead or always_words(one, bot, following) or words.TOO_FEW
            rows.append({**won[bot], **row, **texts})
    shown = (BOT, *([PLAYERS] if len(found) > 1 else []), COUNT, WIN_SHARE, FAIR, RATING, NEXT)
    return Grid("ratings", "Standings, the best bot first", shown, _table(rows), first_shown=True)


def _leads(found: Sequence[PlayersFound]) -> pl.DataFrame:
    rows = [
        {**row, "lead_text": _elo(row, "lead") or always_words(one, *pair) or words.TOO_FEW}
        for one in found
        for pair, row in one.leads.items()
    ]
    return _table(rows)


def _table(rows: Sequence[Any]) -> pl.DataFrame:
    return pl.DataFrame(rows, infer_schema_length=None)


def _elo(row: Any, name: str) -> str:
    """Return a rating or a lead with its interval; empty if it has none."""
    reach = words.interval(row[f"{name}_low"], row[f"{name}_high"], digits=0, sign=True)
    return f"{words.number(row[name], 0, sign=True)} ({reach})" if reach else ""


def ratings_pictures(standings: Standings) -> Iterator[Picture]:
    """Yield the figure of how far each bot is behind the best one, if the games show that of any."""
    behind = behind_best(standings)
    if behind.height == len(standings.order):  # only the best of each player count
        return
    best = "; ".join(
        f"with {words.players(players)} {listing(list(names))}" for players, names in standings.order.items()
    )
    notes = [
        *_notes(beyond(behind), "lies beyond the axis: see the table."),
        *_notes(standings.ratings.filter(~pl.col("joined")), "is not drawn: it won or lost all of its games."),
    ]
    yield Picture(
        "ratings",
        " ".join(["How far each bot is behind the best one.", *notes]),
        f"Forest plot of ratings. From best to worst: {best}.",
        partial(draw_ratings, standings),
    )


def _notes(rows: pl.DataFrame, what: str) -> Iterator[str]:
    for (bot,), part in rows.group_by("bot", maintain_order=True):
        counts = listing([str(players) for players in part["players"].to_list()])
        yield f"With {counts} players, {bot} {what}"


def _manifest(experiment: Experiment, outcome: TournamentOutcome) -> dict[str, Any]:
    (players,) = experiment.scenario.players
    games = {players: outcome.games[players]}
    return describe(experiment, identity_of(experiment), "complete", games, [], []).model_dump(mode="json")
