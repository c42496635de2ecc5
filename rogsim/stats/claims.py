"""Claims: the questions of a page that get a verdict, each with its effects and its test of all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rogsim.game import Topic
from rogsim.stats.balance import Balance, PlayersBalance
from rogsim.stats.contrasts import JointTest
from rogsim.stats.draws import Draws
from rogsim.stats.levels import Levels
from rogsim.stats.rates import Estimate


@dataclass(frozen=True)
class Contrast:
    """One effect that should be 0, in pp, with its 95% and 90% intervals, and the p of its being 0."""

    name: str
    effect: Estimate
    effect90: Estimate
    p: float


@dataclass(frozen=True)
class Claim:
    """One question with one number of players and one set of bots: what a verdict is about.

    against: what an effect is measured against, in words. gap, band: of best and worst, nan where there is none.
    """

    topic: str
    title: str
    players: int
    folder: str
    bots: tuple[str, ...]
    against: str
    overall: JointTest
    contrasts: tuple[Contrast, ...]
    games: int
    gap: float = math.nan
    band: float = math.nan


def claims(balances: Sequence[Balance], topics: Sequence[Topic] = ()) -> tuple[Claim, ...]:
    """Return the claims of a page: the seats, and every topic that is one of few levels or draws and claims something.

    What seats had, and screens, are not claims. Bots are none either: that one plays better says nothing of the game.
    """
    found = []
    for balance in balances:
        for one in balance.players.values():
            if one.seats is not None:
                found.append(_of_levels(balance, one.seats, "seats", "Seats", None))
            for topic in topics:
                found += _of_topic(balance, one, topic)
    return tuple(found)


def _of_topic(balance: Balance, one: PlayersBalance, topic: Topic) -> list[Claim]:
    if not topic.claim:
        return []
    if topic.kind == "level":
        kept = [one.levels[column] for column in topic.columns if column in one.levels]
        return [_of_levels(balance, levels, topic.name, topic.title, topic) for levels in kept]
    if topic.kind in ("draw", "setup"):
        kept_draws = [one.draws[column] for column in topic.columns if column in one.draws]
        return [_of_draws(balance, one, draws, topic) for draws in kept_draws if len(draws.levels) > 1]
    return []


def _of_levels(balance: Balance, levels: Levels, name: str, title: str, topic: Topic | None) -> Claim:
    words = {} if topic is None else topic.labels
    contrasts = tuple(
        Contrast(
            f"seat {one.level}" if topic is None else words.get(one.level, one.level), one.effect, one.effect90, one.p
        )
        for one in levels.levels
    )
    return Claim(
        topic=name,
        title=title,
        players=levels.players,
        folder=balance.folder,
        bots=balance.bots,
        against="than a fair share",
        overall=levels.overall,
        contrasts=contrasts,
        games=levels.games,
        gap=levels.gap,
        band=levels.band,
    )


def _of_draws(balance: Balance, one: PlayersBalance, draws: Draws, topic: Topic) -> Claim:
    rows = draws.seats().to_dicts()
    contrasts = tuple(
        Contrast(
            f"seat {row['seat']} with {topic.labels.get(row['level'], row['level'])}",
            _estimate(row),
            narrow,
            _number(row["p"]),
        )
        for row, narrow in zip(rows, draws.beyond90, strict=True)
    )
    return Claim(
        topic=topic.name,
        title=topic.title if len(topic.columns) == 1 else topic.labels.get(draws.column, draws.column),
        players=draws.players,
        folder=balance.folder,
        bots=balance.bots,
        against="than that seat does over all games",
        overall=draws.overall,
        contrasts=contrasts,
        games=one.games,
    )


def _estimate(row: Mapping[str, Any]) -> Estimate:
    value, low, high = (_number(row[f"beyond{end}"]) for end in ("", "_low", "_high"))
    return Estimate(value, low, high, row["n"], float(row["n"]))


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
