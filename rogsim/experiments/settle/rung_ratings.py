"""How strong the bots of a ladder are, on the scale of tournaments: extra games in which they play each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from rogsim.experiments.design_points import DesignPoint, Resources, play_design_points
from rogsim.experiments.settle.ladder_verdicts import RungRating
from rogsim.experiments.settle.strength_ladder import SettleRequest
from rogsim.experiments.tournament.standings import build_standings
from rogsim.experiments.tournament.tournament import rank_rows
from rogsim.experiments.tournament.tournament_request import seats_of
from rogsim.scenario.arguments import ArgumentError
from rogsim.scenario.axes import MOST_GAMES
from rogsim.scenario.model import load


def rating_points(request: SettleRequest, games: int) -> tuple[DesignPoint, ...]:
    """Return the tournament of a ladder with each player count, checked and ready to be played.

    Parameters
    ----------
    games
        Games with each player count, rounded up so that every line-up has all seats equally often.
    """
    if not 1 <= games <= MOST_GAMES:
        raise ArgumentError(f"--ratings: {games} is not allowed: must be from 1 to {MOST_GAMES:,}")
    return tuple(_point(request, players, games) for players in request.experiment.scenario.players)


def rate_rungs(points: Sequence[DesignPoint], resources: Resources) -> tuple[RungRating, ...]:
    """Play the missing games of the tournaments and return the rating of each bot with each player count."""
    played = play_design_points(points, resources, show=False)
    games = {players: count for results in played for players, count in results.manifest["games"].items()}
    ratings = build_standings(pl.concat(map(rank_rows, played))).ratings
    return tuple(_ratings(ratings, games))


def _point(request: SettleRequest, players: int, games: int) -> DesignPoint:
    experiment = request.experiment
    keys = {
        **experiment.scenario.model_dump(mode="json", exclude={"sweep", "balance", "until"}),
        "players": [players],
        "games": games,
        "bots": seats_of(request.bots, players),
    }
    made = load(keys, None, "", experiment.folder, experiment.runs_programs)
    return DesignPoint("ratings", {}, replace(made, name=experiment.name, mirrored=True))


def _ratings(frame: pl.DataFrame, games: dict[str, int]) -> Iterator[RungRating]:
    for row in frame.iter_rows(named=True):
        value, low, high = (row[f"rating{end}"] for end in ("", "_low", "_high"))
        yield RungRating(row["players"], str(row["bot"]), value, low, high, games[str(row["players"])])
