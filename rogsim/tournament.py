"""Tournaments: every field of some bots, seats rotated on the same luck, and who is how strong."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

import rogsim
from rogsim import jit
from rogsim.api import tell_rounding
from rogsim.batch import Part, check_positive, make_ready, plans, run_batch
from rogsim.errors import RogsimError
from rogsim.game import GameSpec
from rogsim.plots import plot_pairs, plot_ratings
from rogsim.problems import not_allowed
from rogsim.progress import progress_bar, say
from rogsim.registry import RegistryError, get_game
from rogsim.results import ResultsError, keep_draft, writing
from rogsim.scenario import Experiment, load
from rogsim.schedule import Plan
from rogsim.standings import Standings, block_scores, build_standings, finish_rows
from rogsim.stats.sprt import ALPHA, BETA, NAME, Limits, Verdict, judge, read_limits
from rogsim.traces import options_from_words

FORMAT = "rogsim-tournament/1"
MANIFEST = "tournament.json"
TABLES = ("bots", "pairs", "ratings")
PLOTS = ("pairs.png", "ratings.png")
FILES = (MANIFEST, *(f"{table}.{kind}" for table in TABLES for kind in ("csv", "parquet")), *PLOTS)

ROUND = 20_000  # games played at a time: bounds the memory
FIRST_LOOK, LOOK_SHARE = 100, 4  # a sequential test looks after so many games, then after a fourth more each time
CHUNKS = 16  # of the games between two looks


class TournamentError(RogsimError):
    """A tournament that cannot be held as asked."""


@dataclass(frozen=True)
class Tournament:
    """A tournament, checked: the scenario of each player count, and the limits of a sequential test, if any."""

    bots: tuple[str, ...]
    experiments: tuple[Experiment, ...]
    limits: Limits | None

    @property
    def spec(self) -> GameSpec:
        """Return the game that is played."""
        return self.experiments[0].spec


@dataclass(frozen=True)
class Outcome:
    """What a tournament gave: the standings, games played by player count, and the sequential test, if any."""

    standings: Standings
    games: Mapping[int, int]
    verdict: Verdict | None


def arrange(
    bots: str,
    *,
    games: int,
    players: str | None = None,
    seed: int = 1,
    game: str | None = None,
    words: Mapping[str, str] | None = None,
    sprt: str | None = None,
) -> Tournament:
    """Check what the command line asks for: bots `a,b,c`, player counts `2,3,4`, limits `elo0,elo1`.

    words: the game's own options as typed. players: by default as many as the game allows. TournamentError and
    ScenarioError say what is wrong.
    """
    names = tuple(name.strip() for name in bots.split(","))
    doubled = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if doubled:
        raise TournamentError(f'--bots: "{doubled[0]}" stands there twice')
    if len(names) < 2:
        raise TournamentError(f"--bots: {not_allowed(bots, 'name two or more, a,b,c')}")
    try:
        spec = get_game(game)
    except RegistryError as fault:
        raise TournamentError(f"--game: {fault}") from fault
    counts = _read_players(players, spec)
    limits = _read_limits(sprt, names, counts)
    options = options_from_words(spec, words or {})
    experiments = []
    for count in counts:
        try:
            spec.prepare(options, count)
        except ValueError as fault:
            raise TournamentError(f"{count} players: {fault}") from fault
        keys = {
            "game": spec.id,
            "players": [count],
            "games": games,
            "seed": seed,
            "bots": seats_of(names, count),
            "options": options.model_dump(mode="json"),
        }
        experiments.append(replace(load({}, keys, option_prefix="--"), mirrored=True))
    return Tournament(names, tuple(experiments), limits)


def seats_of(bots: Sequence[str], players: int) -> list[str]:
    """Return the bots from which fields are combined: each once, or with too few so often that a field is filled.

    Of two bots at a table of four each is there three times: fields are abbb, aabb and aaab.
    """
    return [bot for bot in bots for _ in range(max(1, players - len(bots) + 1))]


def hold(tournament: Tournament, folder: Path, jobs: int | None = None) -> Outcome:
    """Play a tournament and write its tables and plots into a folder, which appears when all is done."""
    check_positive("--jobs", jobs)
    started = datetime.now(UTC)
    with writing(folder, _check_folder) as draft:
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
                    parts = run_batch(experiment, bots, None, jobs, chunk, advance, games, done)
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
        "elo0": f"Elo {low} is accepted, not {high}" + (f": {a} is not that much better" if limits.elo1 > 0 else ""),
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


def _read_players(text: str | None, spec: GameSpec) -> list[int]:
    if text is None:
        return [max(spec.players)]
    try:
        counts = [int(part) for part in text.split(",")]
    except ValueError:
        raise TournamentError(f"--players: {not_allowed(text, 'write a number, or several: 2,3')}") from None
    for count in counts:
        if count not in spec.players:
            rule = "choose from " + ", ".join(map(str, spec.players))
            raise TournamentError(f"--players: {not_allowed(count, rule)}")
        if counts.count(count) > 1:
            raise TournamentError(f"--players: {count} stands there twice")
    return counts


def _read_limits(text: str | None, bots: Sequence[str], counts: Sequence[int]) -> Limits | None:
    if text is None:
        return None
    try:
        limits = read_limits(text)
    except ValueError as fault:
        raise TournamentError(f"--sprt: {fault}") from None
    if len(bots) != 2:
        raise TournamentError(f"--sprt: compares two bots, and there are {len(bots)}")
    if len(counts) != 1:
        raise TournamentError(f"--sprt: needs one number of players, and there are {len(counts)}")
    return limits


def _rounds(plan: Plan, looks: bool) -> Iterator[range]:
    """Cut a plan into ranges of games, whole cycles each, so that every look sees all seats equally often."""
    start = 0
    while start < plan.games:
        size = max(FIRST_LOOK, start // LOOK_SHARE) if looks else ROUND
        stop = min(start + -(-size // plan.cycle) * plan.cycle, plan.games)
        yield range(start, stop)
        start = stop


def _check_folder(folder: Path) -> None:
    """Refuse a place that holds something else: only an older tournament may be replaced."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ResultsError(f"{folder}: is a file, and a tournament needs a folder")
    inside = sorted(entry.name for entry in folder.iterdir())
    foreign = [name for name in inside if name not in FILES]
    if foreign:
        raise ResultsError(f'{folder}: holds "{foreign[0]}", which is no part of a tournament; name another folder')
    if inside and MANIFEST not in inside:
        raise ResultsError(f"{folder}: holds no whole tournament, there is no {MANIFEST}; name another folder")


def _write(folder: Path, tournament: Tournament, outcome: Outcome, started: datetime) -> None:
    for table in TABLES:
        frame: pl.DataFrame = getattr(outcome.standings, table)
        frame.write_csv(folder / f"{table}.csv", float_precision=6)
        frame.write_parquet(folder / f"{table}.parquet")
    plot_pairs(outcome.standings.pairs, outcome.standings.order, folder / "pairs.png")
    plot_ratings(outcome.standings.ratings, folder / "ratings.png")
    text = json.dumps(_manifest(tournament, outcome, started), indent=1, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")


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
    rows.write_parquet(draft / "finishes.parquet")
    games = rows.select("players", "game").unique().group_by("players").len().sort("players").rows()
    path = keep_draft(draft, folder, _facts(tournament, dict(games), started), str(fault))
    return f"; {sum(count for _, count in games):,} games that were finished are kept in {path}"


def _manifest(tournament: Tournament, outcome: Outcome, started: datetime) -> dict[str, Any]:
    """Return all that is needed to know what was played, and what the sequential test says."""
    sprt = None
    if tournament.limits and outcome.verdict:
        sprt = {"test": NAME, "alpha": ALPHA, "beta": BETA, **asdict(tournament.limits), **asdict(outcome.verdict)}
    return {**_facts(tournament, outcome.games, started), "sprt": sprt}


def _facts(tournament: Tournament, games: Mapping[int, int], started: datetime) -> dict[str, Any]:
    """Return all that is needed to know what was played; games by player count."""
    spec, experiment = tournament.spec, tournament.experiments[0]
    return {
        "format": FORMAT,
        "rogsim": rogsim.__version__,
        "game": {"id": spec.id, "title": spec.title, "version": spec.version},
        "source_hash": jit.source_hash(),
        "bots": [
            {"name": bot.name, "source_hash": bot.source_hash, "weights_hash": bot.weights_hash}
            for bot in experiment.sources.values()
        ],
        "seed": experiment.scenario.seed,
        "options": experiment.scenario.options,
        "games": {str(players): count for players, count in games.items()},
        "started": started.isoformat(timespec="seconds"),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
    }
