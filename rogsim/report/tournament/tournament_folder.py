"""A tournament as a folder of tables, plots and a manifest, and its result in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from rogsim.base.output_paths import check_writable
from rogsim.experiments.tournament.tournament import TournamentOutcome, play
from rogsim.experiments.tournament.tournament_request import Tournament
from rogsim.report import words
from rogsim.report.render.workbook import workbook
from rogsim.report.tournament.tournament_plots import plot_pairs, plot_ratings
from rogsim.report.tournament.tournament_sheets import as_report
from rogsim.results.drafts import writing
from rogsim.results.output_folders import FolderKind, manifest_of
from rogsim.scenario.reconstructed import reconstructed_of
from rogsim.stats.sprt import ALPHA, BETA, NAME, EloLimits

FOLDER = FolderKind("tournament", ("bots", "pairs", "ratings"), ("pairs.png", "ratings.png"), "tournament.xlsx")


def play_and_write(
    tournament: Tournament, folder: Path, jobs: int | None = None, chunk: int | None = None, store: Path | None = None
) -> TournamentOutcome:
    """Play a tournament as `play` does, and write its tables and plots to a folder, which appears when all is done."""
    FOLDER.check(folder)
    check_writable(folder)
    started = datetime.now(UTC)
    outcome = play(tournament, jobs, chunk, store)
    with writing(folder, FOLDER.check) as draft:
        _write(draft, tournament, outcome, started)
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


def sprt_lines(bots: Sequence[str], limits: EloLimits, outcome: TournamentOutcome) -> list[str]:
    """Return what the sequential test asked, what it found, and from how many games."""
    verdict = outcome.verdict
    assert verdict is not None
    low, high = (words.minus(f"{elo:+g}") if elo else "0" for elo in (limits.elo0, limits.elo1))
    a, b = bots
    answer = {
        "elo1": f"Elo {high} is accepted, not {low}" + (f": {a} is better than {b}" if limits.elo0 >= 0 else ""),
        "elo0": f"Elo {low} is accepted, not {high}{_no_lead(bots, limits, outcome)}",
        "open": "undecided, although all games are played",
    }[verdict.decision]
    llr, lower, upper = (words.number(value, 2, sign=True) for value in (verdict.llr, verdict.lower, verdict.upper))
    found = f"LLR {llr}, bounds {lower} and {upper}"
    used = f"{sum(outcome.games.values()):,} games in {verdict.blocks:,} blocks"
    lines = [
        f"Is {a} better than {b}? Elo {high} against Elo {low}, error rates {ALPHA:.0%} and {BETA:.0%}.",
        f"Test: {NAME}.",
        f"After {used}: {found}. {answer[0].upper()}{answer[1:]}.",
    ]
    if verdict.decision != "open":
        lines.append(
            "A test that stops early tends to stop at an extreme, so the estimates below are biased in that direction."
        )
    return lines


def _no_lead(bots: Sequence[str], limits: EloLimits, outcome: TournamentOutcome) -> str:
    """Return which lead a bot does not have, and how often it finished ahead, as it may well be the weaker bot."""
    if limits.elo1 <= 0:
        return ""
    (ahead,) = outcome.standings.pairs.filter(bot=bots[0])["ahead"].to_list()
    met = f"it finished ahead in {100 * ahead:.1f}% of their meetings"
    return f": {bots[0]} does not lead {bots[1]} by {limits.elo1:g} Elo, {met}"


def _write(folder: Path, tournament: Tournament, outcome: TournamentOutcome, started: datetime) -> None:
    standings = outcome.standings
    sprt = None
    if tournament.limits and outcome.verdict:
        sprt = {"test": NAME, "alpha": ALPHA, "beta": BETA, **asdict(tournament.limits), **asdict(outcome.verdict)}
    more = {
        "games": {str(players): count for players, count in outcome.games.items()},
        "sprt": sprt,
        "workbook": FOLDER.workbook,
    }
    manifest = manifest_of(FOLDER.name, tournament.experiments[0], started, more)
    FOLDER.write(folder, {table: getattr(standings, table) for table in FOLDER.tables}, manifest)
    report = as_report(standings, heading(tournament, outcome), len(tournament.bots))
    (folder / FOLDER.workbook).write_bytes(workbook(report))
    plot_pairs(standings.pairs, standings.order, folder / "pairs.png")
    plot_ratings(standings.ratings, folder / "ratings.png")
