"""Profiles: what each bot does when it plays, and in which measures bots clearly differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import median
from typing import Any, Literal

import polars as pl
from scipy.special import stdtrit

from rogsim.base.progress import progress_bar, say
from rogsim.bots.names import read_bot_name
from rogsim.experiments.requests import check_distinct, check_range, described, named_bot, named_game
from rogsim.game.bot import Bot
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Measure
from rogsim.scenario.arguments import given_words, read_options, read_players
from rogsim.scenario.model import Experiment
from rogsim.simulation.batch import check_workers, make_ready, plans, run_batch
from rogsim.simulation.chunks import PlayedChunk
from rogsim.stats.contrasts import columns
from rogsim.stats.estimates import CONFIDENCE, Clusters, Estimate, clusters, mean, share

GAMES = 1_000  # for each bot and player count, unless the bot is slow
MOST_GAMES = 200_000  # the rows of a bot's games are kept in memory
CHUNKS = 16  # for each bot, so that a slow one keeps all workers busy

RESULT = "result"  # the table that every game has
WON = Measure("won", ("win_share",))
POINTS = Measure("points", ("points",))
TURNS = "turns of the game"
ATTRIBUTES = {"measure": "figure", "is_share": "share", "low": "joint_low", "high": "joint_high"}
FARTHEST = 10.0  # logarithm of a ratio: where a value or the others' median is 0


@dataclass(frozen=True)
class ProfileRequest:
    """A checked request for a profile.

    Attributes
    ----------
    experiment
        The scenario with all bots.
    bots
        The bots to profile.
    games
        Games of each bot, for each player count.
    against
        The bot in all other seats; None for copies of the bot itself.
    given
        The options of the command line that name the game and its options, for commands on a page.
    """

    experiment: Experiment
    bots: tuple[str, ...]
    games: Mapping[str, int]
    against: str | None
    given: tuple[str, ...] = ()

    def part(self, bot: str, players: int) -> Experiment:
        """Return the games of one bot with one player count as a separate experiment."""
        alone = self.against in (None, bot)
        line_up = (bot,) if alone else (bot, *[str(self.against)] * (players - 1))
        keys = {"bots": line_up, "players": (players,), "games": self.games[bot]}
        sources = {name: self.experiment.sources[name] for name in line_up}
        return replace(self.experiment, scenario=self.experiment.scenario.model_copy(update=keys), sources=sources)


def request_profile(
    bots: str | None = None,
    *,
    games: int | None = None,
    players: str | None = None,
    seed: int | None = None,
    against: str | None = None,
    game: str | None = None,
    words: Mapping[str, str] | None = None,
) -> ProfileRequest:
    """Check a profile as given on the command line.

    Parameters
    ----------
    bots
        Names such as "a,b,c"; by default all that come with the game.
    games
        Games of each bot, by default 1,000, or fewer for a bot that declares itself slow.
    players
        Player counts such as "2,3".
    against
        The bot in all other seats; None for copies of the bot itself.
    words
        The game's own options, as typed.

    Raises
    ------
    RogsimError
        If the profile cannot be made.
    """
    spec = named_game(game)
    names = [bot.name for bot in spec.bots] if bots is None else [name.strip() for name in bots.split(",")]
    check_distinct("--bots", names)
    check_range("--games", games, 1, MOST_GAMES)
    if against is not None:
        named_bot("--against", spec, against)
    counts = read_players(spec, players)
    options = read_options(spec, words or {})
    seated = list(dict.fromkeys([*names, *([against] if against else [])]))
    bots_of_all_seats = seated + seated[:1] * max(counts)  # a scenario wants a bot for each seat
    experiment = described(spec, counts, bots_of_all_seats, games or GAMES, 1 if seed is None else seed, options)
    number = {name: games or min(_default_games(spec, name), _default_games(spec, against or name)) for name in names}
    return ProfileRequest(experiment, tuple(names), number, against, tuple(given_words(game, words)))


def make_profile(request: ProfileRequest, jobs: int | None = None) -> pl.DataFrame:
    """Play all bots and return their measures, one row each (see `profile_frame`)."""
    check_workers("--jobs", jobs)
    experiment = request.experiment
    bots = make_ready(experiment, say)
    parts = [(bot, request.part(bot, count)) for count in experiment.scenario.players for bot in request.bots]
    found = []
    with progress_bar(sum(plan.games for _, part in parts for plan in plans(part).values())) as advance:
        for bot, part in parts:
            seats, games = _rows(part, bots, jobs, advance)
            found.append(measures_of(experiment.spec, bot, seats, games, request.against))
    return profile_frame(found)


def _rows(
    part: Experiment, bots: Mapping[str, Bot], jobs: int | None, advance: Callable[[int], None]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Play one bot's games and return the rows of seats and of games."""
    (planned,) = plans(part).values()
    chunk = max(1, planned.games // CHUNKS)
    seated = {name: bots[name] for name in part.sources}
    played: list[PlayedChunk] = run_batch(part, seated, jobs, chunk, advance)
    seats = pl.concat([piece.seats for piece in played if isinstance(piece.seats, pl.DataFrame)])
    games = pl.concat([piece.games for piece in played if isinstance(piece.games, pl.DataFrame)])
    return seats, games


def _default_games(spec: GameSpec, name: str) -> int:
    """Return how many games of a bot to play by default. Other weights do not change its speed."""
    limits = {bot.name: bot.quick_games for bot in spec.bots}
    return limits.get(read_bot_name(name).base) or GAMES


def measures_of(
    spec: GameSpec, bot: str, seats: pl.DataFrame, games: pl.DataFrame, against: str | None = None
) -> list[dict[str, Any]]:
    """Return all measures of one bot as rows (see `profile_frame`).

    Parameters
    ----------
    seats, games
        The rows of its games with one player count. Only the seats of this bot count.
    against
        The bot in the other seats. If it is the same bot, the win share is left out: it is always the fair share.
    """
    players, bot_seats = games["players"][0], seats.filter(pl.col("bot") == bot)
    alone = against in (None, bot)
    result = (POINTS,) if alone else (WON, POINTS)
    wanted = [(RESULT, measure) for measure in result]
    wanted += [(table.title, measure) for table in spec.profile for measure in table.measures]
    base = {"players": players, "bot": bot, "n": len(games)}
    found = [base | _measured(title, measure.name, *_estimate(bot_seats, measure)) for title, measure in wanted]
    ((turns,),) = (group.values() for group in clusters(games.lazy(), ("turns",), ("players",)).values())
    found.insert(len(result), base | _measured(RESULT, TURNS, False, mean(turns)))
    return found


def profile_frame(found: Sequence[Sequence[Mapping[str, Any]]]) -> pl.DataFrame:
    """Return the measures of all bots as a frame.

    Columns: players, bot, n (games), table and figure (names), share (true for a share from 0 to 1, false for a mean
    per game and seat), value and the ends of its 95% interval, value_low and value_high (null with a single block).
    """
    order = ("players", "bot", "n", "table", "figure", "share", "value", "value_low", "value_high")
    rows = [row for measures in found for row in measures]
    frame = pl.DataFrame(rows, infer_schema_length=None).select(order)
    return frame.with_columns(pl.col("players").cast(pl.UInt8)).fill_nan(None)


def _estimate(bot_seats: pl.DataFrame, measure: Measure) -> tuple[bool, Estimate]:
    """Return whether a measure is a share, and its estimate."""
    summed = bot_seats.lazy().select(
        "players", "block", value=_sum(measure.columns), size=_sum(measure.of or measure.columns)
    )
    groups = clusters(summed, ("value",), ("players",), "size" if measure.of else None)
    ((group,),) = (values.values() for values in groups.values())
    if measure is WON:
        return True, share(group)
    if not measure.of:
        return False, mean(group)
    return True, share(group) if group.rows else _none(group)


def _sum(names: Sequence[str]) -> pl.Expr:
    return pl.sum_horizontal(pl.col(name).cast(pl.Float64) for name in names)


def _none(group: Clusters) -> Estimate:
    """Return the estimate of a share with an empty denominator."""
    return Estimate(math.nan, math.nan, math.nan, group.rows, math.nan)


def _measured(table: str, measure: str, is_share: bool, estimate: Estimate) -> dict[str, Any]:
    return {"table": table, "figure": measure, "share": is_share, **columns("value", estimate)}


ATTRIBUTES |= {name: name for name in ("players", "bot", "table", "value")}  # of an extreme, and their columns


@dataclass(frozen=True)
class Extreme:
    """A measure in which one bot is clearly above or below all others.

    Attributes
    ----------
    table, measure
        Names of the table and of the measure in it.
    is_share
        Whether it is a share from 0 to 1.
    end
        Whether the bot is above or below the others.
    value, low, high
        The bot's value; these intervals hold for all measures and bots of the profile together.
    others
        The smallest and the largest value of the others.
    distance
        Logarithm of its ratio to the others' median.
    """

    players: int
    bot: str
    table: str
    measure: str
    is_share: bool
    end: Literal["highest", "lowest"]
    value: float
    low: float
    high: float
    others: tuple[float, float]
    distance: float


def with_joint_intervals(profile: pl.DataFrame) -> pl.DataFrame:
    """Return a profile with the columns joint_low and joint_high: intervals that hold for all its rows together.

    The ends are farther from the value by the ratio of Student's quantiles at the error rate divided by the number of
    rows (Bonferroni), and at the whole rate. They are null where there is no interval.
    """
    count = profile["value_low"].count()
    played = profile.select("n", "players").unique().rows()
    rates = {(games, players): _ratio(games, players, count) for games, players in played}
    ratios = pl.Series([rates[row] for row in profile.select("n", "players").rows()], dtype=pl.Float64)
    value, low, high = pl.col("value"), pl.col("value_low"), pl.col("value_high")
    least, most = pl.lit(0.0), pl.when("share").then(1.0)
    return profile.with_columns(
        joint_low=pl.when(low.is_not_null()).then(pl.max_horizontal(value - (value - low) * ratios, least)),
        joint_high=pl.when(high.is_not_null()).then(pl.min_horizontal(value + (high - value) * ratios, most)),
    )


def extremes(profile: pl.DataFrame) -> list[Extreme]:
    """Return the measures in which a bot is clearly above or below all others, each bot's farthest first.

    profile: with joint intervals. Bots differ if these do not overlap.
    """
    found = []
    for rows in profile.partition_by("players", "table", "figure", maintain_order=True):
        known = rows.drop_nulls(["joint_low", "joint_high"]).to_dicts()
        if len(known) < 2 or len(known) < rows["value"].count():
            continue
        for row in known:
            others = [other for other in known if other is not row]
            above = row["joint_low"] > max(other["joint_high"] for other in others)
            if above or row["joint_high"] < min(other["joint_low"] for other in others):
                values = sorted(other["value"] for other in others)
                of_row: dict[str, Any] = {name: row[column] for name, column in ATTRIBUTES.items()}
                end: Literal["highest", "lowest"] = "highest" if above else "lowest"
                distance = _distance(row["value"], median(values))
                found.append(Extreme(end=end, others=(values[0], values[-1]), distance=distance, **of_row))
    return sorted(found, key=lambda extreme: -extreme.distance)


def alike(profile: pl.DataFrame, players: int, bots: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of bots that no measure distinguishes with one player count. profile: with joint intervals."""
    rows = profile.filter(players=players).drop_nulls(["joint_low", "joint_high"])
    ends = {
        (row["bot"], row["table"], row["figure"]): (row["joint_low"], row["joint_high"])
        for row in rows.iter_rows(named=True)
    }
    measures = rows.select("table", "figure").unique(maintain_order=True).rows()

    def differ(bot: str, other: str) -> bool:
        pairs = [(ends.get((bot, *measure)), ends.get((other, *measure))) for measure in measures]
        return any(a and b and (a[0] > b[1] or b[0] > a[1]) for a, b in pairs)

    return [pair for pair in combinations(bots, 2) if not differ(*pair)]


def _distance(value: float, middle: float) -> float:
    return abs(math.log(value / middle)) if value > 0 and middle > 0 else FARTHEST


def _ratio(games: int, players: int, rows: int) -> float:
    degrees = max(1, games // players - 1)  # a block has at most one game for each seat
    single, joint = (stdtrit(degrees, 1 - (1 - CONFIDENCE) / 2 / count) for count in (1, max(1, rows)))
    return float(joint / single)
