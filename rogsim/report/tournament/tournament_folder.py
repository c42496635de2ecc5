"""A tournament as a folder with a page, tables, plots and a manifest, and its result in words."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from rogsim.base.progress import doing
from rogsim.experiments.tournament.tournament import TournamentOutcome, play
from rogsim.experiments.tournament.tournament_request import Tournament
from rogsim.report.render.write import check_with_page, write_into
from rogsim.report.tournament.sprt_words import sprt_lines
from rogsim.report.tournament.tournament_page import FOLDER, tournament_report
from rogsim.results.drafts import writing
from rogsim.results.output_folders import manifest_of
from rogsim.scenario.reconstructed import reconstructed_of
from rogsim.stats.sprt import ALPHA, BETA, NAME

check = partial(check_with_page, FOLDER)


def play_and_write(
    tournament: Tournament, folder: Path, jobs: int | None = None, chunk: int | None = None, store: Path | None = None
) -> TournamentOutcome:
    """Play a tournament as `play` does, and write its page and tables to a folder, which appears when all is done."""
    check(folder)
    started = datetime.now(UTC)
    outcome = play(tournament, jobs, chunk, store)
    report = tournament_report(tournament, outcome, folder)
    with doing() as notify, writing(folder, check) as draft:
        _write(draft, tournament, outcome, started)
        write_into(report, draft, notify)
    return outcome


def heading(tournament: Tournament, outcome: TournamentOutcome) -> str:
    """Return one line on what was played, and the result of the sequential test, if there is one."""
    spec, seed = tournament.spec, tournament.experiments[0].scenario.seed
    games = " and ".join(f"{count:,} with {players} players" for players, count in outcome.games.items())
    lines = [f"{spec.title}: {len(tournament.bots)} bots, games: {games}, seed {seed}"]
    if rests_on := reconstructed_of(*tournament.experiments).text():
        lines.append(rests_on)
    if outcome.verdict and tournament.limits:
        lines += ["", *sprt_lines(tournament.bots, tournament.limits, outcome)]
    return "\n".join(lines)


def _write(folder: Path, tournament: Tournament, outcome: TournamentOutcome, started: datetime) -> None:
    standings = outcome.standings
    sprt = None
    if tournament.limits and outcome.verdict:
        sprt = {"test": NAME, "alpha": ALPHA, "beta": BETA, **asdict(tournament.limits), **asdict(outcome.verdict)}
    more = {
        "games": {str(players): count for players, count in outcome.games.items()},
        "sprt": sprt,
    }
    manifest = manifest_of(FOLDER.name, tournament.experiments[0], started, more)
    FOLDER.write(folder, {table: getattr(standings, table) for table in FOLDER.tables}, manifest)
