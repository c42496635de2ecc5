"""Standings of a tournament as frames: results of each bot, each pair of bots, ratings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rogsim.stats.contrasts import JointTest, columns
from rogsim.stats.effects import Contrast, Effects, Question
from rogsim.stats.estimates import ALPHA, Estimate, clusters, mean, share
from rogsim.stats.ratings import Ratings, finishing_orders, rate
from rogsim.stats.sequential import weight

GAME = ("players", "game")
LEADS = Question("leads", "Lead of one bot over another", "Elo")
NO_LOOKS: Mapping[int, int] = MappingProxyType({})
RATING = ("rating", "rating_low", "rating_high")
KEPT = (*GAME, "block", "seat", "bot", "points", "win_share", "rank")


@dataclass(frozen=True)
class Standings:
    """The results of a tournament, by player count.

    Each estimate is followed by the ends of its 95% interval, _low and _high (null with a single block).

    Attributes
    ----------
    bots
        Columns players, bot, n, win_share, fair, points.
    pairs
        Columns players, bot, other, n, ahead: the share of meetings in which the bot finished before the other one;
        ties count half.
    ratings
        Columns players, bot, rating, joined, the best bot first. joined: whether the games determine the rating;
        if not, there is no interval.
    leads
        Columns players, bot, other, lead, look, for every pair of bots, the better one first. These intervals hold for
        all rows together, and for all looks at a growing number of games (see `rogsim.results.results`).
    seats
        Columns players, bot, seat, n, win_share, fair.
    """

    bots: pl.DataFrame
    pairs: pl.DataFrame
    ratings: pl.DataFrame
    leads: pl.DataFrame
    seats: pl.DataFrame

    @property
    def order(self) -> Mapping[int, list[str]]:
        """Return the bots by player count, best rating first."""
        counts = self.ratings["players"].unique(maintain_order=True).to_list()
        return {players: self.ratings.filter(players=players)["bot"].cast(pl.String).to_list() for players in counts}


def finish_rows(seats: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of seat rows that standings need, with the rank at which each seat finished.

    The rank is the game's column `rank` (1 = first). Without one, seats are ranked by win share, then points.
    """
    if "rank" not in seats.columns:
        place = pl.struct("win_share", "points").rank("min", descending=True)
        seats = seats.with_columns(place.over(*GAME).alias("rank"))
    return seats.select(*(pl.col(name) for name in KEPT[:-1]), pl.col("rank").cast(pl.Int16))


def build_standings(rows: pl.DataFrame, looks: Mapping[int, int] = NO_LOOKS) -> Standings:
    """Return the standings, given the rows of `finish_rows`, and the number of the look by player count."""
    kind = rows.schema["bot"]
    assert isinstance(kind, pl.Enum)
    names = kind.categories.to_list()
    rated = _rate(rows, len(names))
    ratings = [row for players, found in rated.items() for row in _rating_rows(players, names, found)]
    return Standings(
        _estimates(rows, ("players", "bot"), ("win_share", "points")),
        _estimates(_meetings(rows), ("players", "bot", "other"), ("ahead",)),
        _frame(ratings, kind),
        _frame(pair_leads(rated, names, looks), kind),
        _estimates(rows, ("players", "bot", "seat"), ("win_share",)),
    )


def block_scores(rows: pl.DataFrame, a: str, b: str) -> NDArray[np.float64]:
    """Return for each block the share of meetings in which `a` was ahead of `b`, float64[blocks]; ties count half."""
    met = _meetings(rows).filter(pl.col("bot") == a, pl.col("other") == b)
    scores = met.group_by("players", "block").agg(pl.col("ahead").mean()).sort("players", "block")
    return scores["ahead"].to_numpy()


def _meetings(rows: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each ordered pair of seats with different bots in a game."""
    others = rows.select(*GAME, pl.col("bot").alias("other"), pl.col("rank").alias("other_rank"))
    met = rows.select(*GAME, "block", "bot", "rank").join(others, on=GAME).filter(pl.col("bot") != pl.col("other"))
    ahead = (pl.col("rank") < pl.col("other_rank")) + (pl.col("rank") == pl.col("other_rank")) * 0.5
    return met.with_columns(ahead.alias("ahead"))


def _estimates(rows: pl.DataFrame, by: Sequence[str], measures: Sequence[str]) -> pl.DataFrame:
    """Return a row for each group: its number of seats, and estimates of the measures; all but points are shares."""
    found = []
    for key, values in clusters(rows.lazy(), tuple(measures), list(by)).items():
        row = dict(zip(by, key, strict=True)) | {"n": values[measures[0]].rows}
        for measure in measures:
            row |= columns(measure, (mean if measure == "points" else share)(values[measure]))
            row |= {"fair": 1 / row["players"]} if measure == "win_share" else {}
        found.append(row)
    return _frame(found, rows.schema["bot"])


def _rate(rows: pl.DataFrame, count: int) -> dict[int, Ratings]:
    """Return the ratings of bots 0 .. count-1 for each player count."""
    found = {}
    for players in rows["players"].unique().sort().to_list():
        part = rows.filter(players=players).sort("game", "seat")
        shape = (-1, players)
        bots = part["bot"].to_physical().to_numpy().astype(np.int64).reshape(shape)
        ranks = part["rank"].to_numpy().astype(np.int64).reshape(shape)
        blocks = part["block"].to_numpy().reshape(shape)[:, 0]
        found[players] = rate(finishing_orders(bots, ranks), blocks, count)
    return found


def _rating_rows(players: int, names: Sequence[str], ratings: Ratings) -> list[dict[str, Any]]:
    found = []
    for bot in np.argsort(-ratings.value, kind="stable").tolist():
        rating = (float(each[bot]) for each in (ratings.value, ratings.low, ratings.high))
        row = {"players": players, "bot": names[bot]} | dict(zip(RATING, rating, strict=True))
        found.append(row | {"joined": bool(ratings.joined[bot])})
    return found


def pair_leads(
    rated: Mapping[int, Ratings], names: Sequence[str], looks: Mapping[int, int] = NO_LOOKS
) -> list[dict[str, Any]]:
    """Return a row for each pair of bots: players, bot, other, lead, its interval, look; the better bot comes first.

    All intervals hold together in 95% of tournaments: with each player count by the covariance of the leads, over
    player counts by an equal part of the errors each, and over looks at a growing number of games by the share of each
    look. They are nan where the games do not determine the lead.

    Parameters
    ----------
    looks
        The number of the look by player count, from 1; the first look where there is none.
    """
    rows: list[dict[str, Any]] = []
    for players, ratings in rated.items():
        look = looks.get(players, 1)
        rows += _lead_rows(players, ratings, names, ALPHA * weight(look) / len(rated), look)
    return rows


def _lead_rows(
    players: int, ratings: Ratings, names: Sequence[str], alpha: float, look: int
) -> Iterator[dict[str, Any]]:
    pairs = list(combinations(np.argsort(-ratings.value, kind="stable").tolist(), 2))
    contrasts = tuple(_contrast(ratings, *pair) for pair in pairs)
    drawn = np.stack([ratings.draws[:, bot] - ratings.draws[:, other] for bot, other in pairs], axis=1)
    covariance = np.atleast_2d(np.cov(drawn, rowvar=False)) if ratings.blocks > 1 else None
    overall = JointTest(math.nan, 0, ratings.blocks, math.nan)
    effects = Effects(LEADS, players, "", contrasts, overall, ratings.blocks, covariance=covariance)
    leads = effects.intervals(alpha)
    for (bot, other), lead in zip(pairs, leads, strict=True):
        who = {"players": players, "bot": names[bot], "other": names[other]}
        yield who | columns("lead", lead) | {"look": look}


def _contrast(ratings: Ratings, bot: int, other: int) -> Contrast:
    lead = Estimate(*ratings.lead(bot, other), n=ratings.blocks, effective=float(ratings.blocks))
    return Contrast(f"{bot}-{other}", lead, lead, math.nan, blocks=ratings.blocks)


def _frame(found: Sequence[Mapping[str, Any]], bots: pl.DataType) -> pl.DataFrame:
    """Return rows as a frame; names of bots keep their type from the results."""
    frame = pl.DataFrame(found, infer_schema_length=None)
    kinds = [pl.col(name).cast(bots) for name in ("bot", "other") if name in frame.columns]
    return frame.with_columns(pl.col("players").cast(pl.UInt8), *kinds).fill_nan(None)
