"""Simulated series of games with a known truth, as results: what the statistics of a report are checked on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from rogsim.game.columns import Column
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Lead, Topic
from rogsim.results.results import Results
from rogsim.simulation.chunks import Chunk
from tests.dice_game import GAME

HANDS = tuple(f"hand {letter}" for letter in "abcdefgh")
FIELD = ("a", "b", "c", "d")
BOTS = ("one", *FIELD)
DRAWS = ("x, y", "x, z", "y, z")
STEPS = ("points_at_25", "points_at_50", "points_at_75")

TOPICS = (
    Topic("hands", "Hands", "Is any hand too strong?", "level", ("hand",), "hand"),
    Topic("draws", "Draws", "Does the seat matter more with some draws?", "draw", ("draw",), "draw"),
    Topic("tools", "Tools", "Does any tool go with winning?", "member", ("tools",), claim=False),
    Topic("coins", "Coins", "Do coins go with winning?", "count", ("coins",), claim=False),
    Topic("sources", "Sources", "Where do points come from?", "parts", ("points_first", "points_rest")),
)
SPEC: GameSpec = replace(
    GAME,
    seat_columns=(*GAME.seat_columns, Column("tools", "u1", "tools had", members=("hammer", "saw", "axe"))),
    topics=TOPICS,
    lead=Lead(STEPS, "lead_changes", "lead_from", "comeback"),
)


def results_of(seats: pl.DataFrame, games: pl.DataFrame, bots: Sequence[str], name: str = "series") -> Results:
    """Frames of rows as results in memory; the manifest has only what the statistics read."""
    counts = {str(row["players"]): row["len"] for row in games.group_by("players").len().to_dicts()}
    last = games["game"].max()
    pieces = [
        (Chunk(int(players), 0, int(last) + 1), seats.filter(players=int(players)), games.filter(players=int(players)))
        for players in sorted(counts)
    ]
    manifest: Mapping[str, Any] = {"name": name, "games": counts, "bots": [{"name": bot} for bot in bots]}
    return Results(manifest, None, pieces)


def joined(*parts: Results) -> Results:
    """Results of several player counts as one."""
    games = {key: value for part in parts for key, value in part.manifest["games"].items()}
    return Results(parts[0].manifest | {"games": games}, None, [piece for part in parts for piece in part.pieces])


def series(
    generator: np.random.Generator,
    blocks: int,
    players: int = 4,
    bots: Sequence[str] = ("one",),
    *,
    seats: Sequence[float] = (),
    hands: Sequence[float] = (),
    skill: Sequence[float] = (),
    shared: float = 4.0,
    own: float = 5.0,
    course: float = 3.0,
    fit: float = 0.0,
    noise: float = 6.0,
) -> Results:
    """Games whose points are sums of known parts, whole numbers of them; several bots rotate over the seats.

    seats, hands, skill: points that a seat, a hand or a bot adds. shared, own, course, fit, noise: standard
    deviations of what a block gives to all, to each seat, a game to all, a block to each bot, and of the rest.
    """
    rotations = players if len(bots) > 1 else 1
    count = blocks * rotations
    block = np.repeat(np.arange(blocks), rotations)
    turn = np.tile(np.arange(rotations), blocks)[:, None]
    bot = (turn + np.arange(players)) % players if rotations > 1 else np.zeros((count, players), dtype=np.int64)
    hand = np.argsort(generator.random((count, len(HANDS))), axis=1)[:, :players]
    draw = np.repeat(generator.integers(0, len(DRAWS), blocks), rotations)
    fits = np.repeat(generator.normal(0, fit, (blocks, max(len(bots), players))), rotations, axis=0)
    exact = (
        60.0
        + np.array([*seats, *[0.0] * (players - len(seats))])
        + np.array([*hands, *[0.0] * (len(HANDS) - len(hands))])[hand]
        + np.array([*skill, *[0.0] * (len(bots) - len(skill))])[bot]
        + np.repeat(generator.normal(0, shared, (blocks, 1)), rotations, axis=0)
        + np.repeat(generator.normal(0, own, (blocks, players)), rotations, axis=0)
        + generator.normal(0, course, (count, 1))
        + np.take_along_axis(fits, bot, axis=1)
        + generator.normal(0, noise, (count, players))
    )
    return of_points(generator, np.rint(exact), block, bot, bots, hand, draw)


def of_points(
    generator: np.random.Generator,
    points: np.ndarray,
    block: np.ndarray,
    bot: np.ndarray,
    bots: Sequence[str],
    hand: np.ndarray,
    draw: np.ndarray,
) -> Results:
    """Results of games whose points are known, float64[games, players]; the most points win, ties share."""
    count, players = points.shape
    best = points == points.max(axis=1, keepdims=True)
    shares = best / best.sum(axis=1, keepdims=True)
    first = np.rint(points / 3)
    tools = generator.integers(0, 8, points.shape)
    key = {"players": np.full(count, players, dtype=np.uint8), "game": np.arange(count), "block": block}
    seats = pl.DataFrame(
        {name: np.repeat(column, players) for name, column in key.items()}
        | {"seat": np.tile(np.arange(1, players + 1), count)}
        | {"bot": names(np.array([BOTS.index(name) for name in bots])[bot], BOTS), "hand": names(hand, HANDS)}
        | {"points": points.ravel().astype(np.int16), "win_share": shares.ravel().astype(np.float32)}
        | {"tools": tools.ravel().astype(np.uint8), "coins": generator.poisson(2, points.size).astype(np.int8)}
        | {"points_first": first.ravel(), "points_rest": (points - first).ravel()}
        | {step: np.rint(points * (place + 1) / 4).ravel() for place, step in enumerate(STEPS)}
    )
    games = pl.DataFrame(
        key
        | {"turns": generator.integers(40, 60, count), "draw": names(draw, DRAWS)}
        | {"lead_changes": generator.integers(0, 5, count), "lead_from": generator.integers(-1, 40, count)}
        | {"comeback": generator.integers(0, 9, count)}
    )
    return results_of(seats, games, bots)


def names(codes: np.ndarray, labels: Sequence[str]) -> pl.Series:
    dictionary = pl.Series(labels, dtype=pl.Enum(list(labels)))
    return dictionary.gather(pl.Series(codes.ravel().astype(np.int32)))


def of_chances(generator: np.random.Generator, games: int, chances: Sequence[float]) -> Results:
    """Games that each seat wins with a chance of its own; points say no more than who won."""
    players = len(chances)
    winner = generator.choice(players, size=games, p=chances)
    points = np.eye(players)[winner]
    hand = np.argsort(generator.random((games, len(HANDS))), axis=1)[:, :players]
    nobody = np.zeros((games, players), dtype=np.int64)
    return of_points(generator, points, np.arange(games), nobody, ("one",), hand, np.zeros(games, dtype=np.int64))
