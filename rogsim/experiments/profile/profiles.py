"""Profiles: what each bot does when it plays, to show how bots differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base.errors import RogsimError
from rogsim.base.progress import progress_bar, say
from rogsim.base.validation import not_allowed
from rogsim.bots.bot_names import read_bot_name
from rogsim.bots.loading import find_bot
from rogsim.game.bot import Bot
from rogsim.game.registry import RegistryError, get_game
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Measure
from rogsim.scenario.arguments import given_words, read_options, read_players
from rogsim.scenario.model import Experiment, load
from rogsim.simulation.batch import check_workers, make_ready, plans, run_batch
from rogsim.simulation.chunks import PlayedChunk
from rogsim.stats.contrasts import columns
from rogsim.stats.estimates import Clusters, Estimate, clusters, mean, share

GAMES = 1_000  # for each bot and player count, unless the bot is slow
MOST_GAMES = 200_000  # the rows of a bot's games are kept in memory
CHUNKS = 16  # for each bot, so that a slow one keeps all workers busy

RESULT = "result"  # the table that every game has
WON = Measure("won", ("win_share",))
POINTS = Measure("points", ("points",))
TURNS = "turns of the game"


class ProfileError(RogsimError):
    """A profile that cannot be made as requested."""


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
    ProfileError, ScenarioError
        If the profile cannot be made.
    """
    try:
        spec = get_game(game)
    except RegistryError as fault:
        raise ProfileError(f"--game: {fault}") from fault
    names = [bot.name for bot in spec.bots] if bots is None else [name.strip() for name in bots.split(",")]
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated:
        raise ProfileError(f'--bots: "{repeated[0]}" is listed twice')
    if games is not None and not 1 <= games <= MOST_GAMES:
        raise ProfileError(f"--games: {not_allowed(games, f'must be from 1 to {MOST_GAMES:,}')}")
    if against is not None:
        _check_bot("--against", spec, against)
    counts = read_players(spec, players)
    options = read_options(spec, words or {})
    seated = list(dict.fromkeys([*names, *([against] if against else [])]))
    keys = {
        "game": spec.id,
        "players": counts,
        "games": games or GAMES,
        "seed": 1 if seed is None else seed,
        "bots": seated + seated[:1] * max(counts),  # a scenario wants a bot for each seat
        "options": options.model_dump(mode="json"),
    }
    experiment = load({}, keys, option_prefix="--")
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


def _check_bot(option: str, spec: GameSpec, name: str) -> None:
    try:
        find_bot(spec, name, Path())
    except RegistryError as fault:
        raise ProfileError(f"{option}: {fault}") from fault


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
