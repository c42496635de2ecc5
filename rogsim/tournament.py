"""Tournaments: every field of some bots, seats rotated on the same luck, and who is how strong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.api import tell_rounding
from rogsim.batch import check_positive, make_ready, plans, run_batch
from rogsim.chunks import Part
from rogsim.errors import RogsimError
from rogsim.folders import PARTIAL_ROWS, FolderKind, keep_draft, manifest_of, writing
from rogsim.plots import plot_pairs, plot_ratings
from rogsim.progress import progress_bar, say
from rogsim.schedule import Plan
from rogsim.standings import Standings, block_scores, build_standings, finish_rows
from rogsim.stats.sprt import ALPHA, BETA, NAME, Limits, Verdict, judge
from rogsim.tournament_request import Tournament

FOLDER = FolderKind("tournament", ("bots", "pairs", "ratings"), ("pairs.png", "ratings.png"))

ROUND = 20_000  # games played at a time: bounds the memory
FIRST_LOOK, LOOK_SHARE = 100, 4  # a sequential test looks after so many games, then after a fourth more each time
CHUNKS = 16  # of the games between two looks


@dataclass(frozen=True)
class Outcome:
    """What a tournament gave: the standings, games played by player count, and the sequential test, if any."""

    standings: Standings
    games: Mapping[int, int]
    verdict: Verdict | None


def hold(tournament: Tournament, folder: Path, jobs: int | None = None) -> Outcome:
    """Play a tournament and write its tables and plots into a folder, which appears when all is done."""
    check_positive("--jobs", jobs)
    started = datetime.now(UTC)
    with writing(folder, FOLDER.check) as draft:
        finished: list[pl.DataFrame] = []
        try:
            outcome = play(tournament, jobs, finished)
        except RogsimError as fault:
            if finished:
                fault.kept = _keep(draft, folder, tournament, finished, fault, started)
            raise
        _write(draft, tournament, outcome, started)
    return outcome


def play(tournament: Tournament, jobs: int | None = None, finished: list[pl.DataFrame] | None = None) -> Outcome:
    """Play a tournament: all of its games, or as many as the sequential test needs.

    `finished` takes the rows as they come, so that they are not lost when a bot goes wrong.
    """
    bots = make_ready(tournament.experiments[0], say)
    for experiment in tournament.experiments:
        tell_rounding(experiment)
    planned = [(experiment, plan) for experiment in tournament.experiments for plan in plans(experiment).values()]
    limits, verdict = tournament.limits, None
    rows: list[pl.DataFrame] = [] if finished is None else finished
    played: dict[int, int] = {}
    with progress_bar(sum(plan.games for _, plan in planned)) as advance:
        for experiment, plan in planned:
            for games in _rounds(plan, limits is not None):
                chunk = max(1, len(games) // CHUNKS) if limits else None
                done: list[Part] = []
                try:
                    parts = run_batch(experiment, bots, jobs, chunk, advance, games, done)
                except RogsimError:
                    rows += _rows_of(done)
                    raise
                rows += _rows_of(parts)
                played[plan.players] = games.stop
                if limits:
                    verdict = judge(block_scores(pl.concat(rows), *tournament.bots), limits)
                    if verdict.decision != "open":
                        break
    return Outcome(build_standings(pl.concat(rows)), played, verdict)


def _rows_of(parts: Sequence[Part]) -> list[pl.DataFrame]:
    return [finish_rows(part.seats) for part in parts if isinstance(part.seats, pl.DataFrame)]


def heading(tournament: Tournament, outcome: Outcome) -> str:
    """Return what was played, in a line, and what the sequential test says, if there is one."""
    spec, seed = tournament.spec, tournament.experiments[0].scenario.seed
    games = " and ".join(f"{count:,} with {players} players" for players, count in outcome.games.items())
    lines = [f"{spec.title}: {len(tournament.bots)} bots, games: {games}, seed {seed}"]
    if outcome.verdict and tournament.limits:
        lines += ["", *sprt_lines(tournament.bots, tournament.limits, outcome)]
    return "\n".join(lines)


def sprt_lines(bots: Sequence[str], limits: Limits, outcome: Outcome) -> list[str]:
    """Say what the sequential test asked, what it found, and on how many games."""
    verdict = outcome.verdict
    assert verdict is not None
    low, high = (f"{elo:+g}" if elo else "0" for elo in (limits.elo0, limits.elo1))
    a, b = bots
    said = {
        "elo1": f"Elo {high} is accepted, not {low}" + (f": {a} is better than {b}" if limits.elo0 >= 0 else ""),
        "elo0": f"Elo {low} is accepted, not {high}{_no_lead(bots, limits, outcome)}",
        "open": "undecided, the games are used up",
    }[verdict.decision]
    found = f"LLR {verdict.llr:+.2f}, bounds {verdict.lower:+.2f} and {verdict.upper:+.2f}"
    used = f"{sum(outcome.games.values()):,} games in {verdict.blocks:,} blocks"
    lines = [
        f"Is {a} better than {b}? Elo {high} against Elo {low}, error rates {ALPHA:.0%} and {BETA:.0%}.",
        f"Test: {NAME}.",
        f"After {used}: {found}. {said[0].upper()}{said[1:]}.",
    ]
    if verdict.decision != "open":
        lines.append("A test that stops early stops at a high or a low: the figures below lean that way.")
    return lines


def _no_lead(bots: Sequence[str], limits: Limits, outcome: Outcome) -> str:
    """Say which lead a bot does not have, and how often it finished ahead: it may well be the weaker one."""
    if limits.elo1 <= 0:
        return ""
    (ahead,) = outcome.standings.pairs.filter(bot=bots[0])["ahead"].to_list()
    met = f"it finished ahead in {100 * ahead:.1f}% of their meetings"
    return f": {bots[0]} does not lead {bots[1]} by {limits.elo1:g} Elo, {met}"


def _rounds(plan: Plan, looks: bool) -> Iterator[range]:
    """Cut a plan into ranges of games, whole cycles each, so that every look sees all seats equally often."""
    start = 0
    while start < plan.games:
        size = max(FIRST_LOOK, start // LOOK_SHARE) if looks else ROUND
        stop = min(start + -(-size // plan.cycle) * plan.cycle, plan.games)
        yield range(start, stop)
        start = stop


def _write(folder: Path, tournament: Tournament, outcome: Outcome, started: datetime) -> None:
    standings = outcome.standings
    sprt = None
    if tournament.limits and outcome.verdict:
        sprt = {"test": NAME, "alpha": ALPHA, "beta": BETA, **asdict(tournament.limits), **asdict(outcome.verdict)}
    manifest = _manifest(tournament, outcome.games, started, {"sprt": sprt})
    FOLDER.write(folder, {table: getattr(standings, table) for table in FOLDER.tables}, manifest)
    plot_pairs(standings.pairs, standings.order, folder / "pairs.png")
    plot_ratings(standings.ratings, folder / "ratings.png")


def _keep(
    draft: Path,
    folder: Path,
    tournament: Tournament,
    finished: Sequence[pl.DataFrame],
    fault: RogsimError,
    started: datetime,
) -> str:
    """Keep the places of all finished games in `<folder>.partial`, and return what there is to say about it."""
    rows = pl.concat(finished)
    rows.write_parquet(draft / PARTIAL_ROWS)
    games = rows.select("players", "game").unique().group_by("players").len().sort("players").rows()
    path = keep_draft(draft, folder, _manifest(tournament, dict(games), started), str(fault))
    return f"; {sum(count for _, count in games):,} games that were finished are kept in {path}"


def _manifest(
    tournament: Tournament, games: Mapping[int, int], started: datetime, more: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return all that is needed to know what was played; games by player count."""
    counts = {str(players): count for players, count in games.items()}
    return manifest_of(FOLDER.name, tournament.experiments[0], started, {"games": counts, **(more or {})})
