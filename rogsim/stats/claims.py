"""Claims: the questions of a page that get a verdict, each with its effects and one joint test of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rogsim.game.topics import Topic
from rogsim.stats.balance.draws import Draws
from rogsim.stats.balance.levels import Levels
from rogsim.stats.balance.measured import Balance, PlayersBalance
from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import JointTest
from rogsim.stats.estimates import Estimate


@dataclass(frozen=True)
class Contrast:
    """One effect that is 0 in a fair game, in percentage points.

    Attributes
    ----------
    effect
        The effect with its 95% interval.
    effect90
        The effect with its 90% interval.
    p
        p-value of the effect being 0.
    fair
        For a share, its value (0 to 1) without an effect; otherwise nan.
    blocks
        Number of blocks from which the effect is estimated.
    """

    name: str
    effect: Estimate
    effect90: Estimate
    p: float
    fair: float = math.nan
    blocks: float = math.inf


@dataclass(frozen=True)
class Claim:
    """One question with one number of players and one set of bots: what a verdict is about.

    Attributes
    ----------
    against
        What an effect is compared with, in words.
    overall
        The joint test of all effects.
    gap
        Difference between the best and the worst level, in pp; nan if there is none.
    band
        The gap that 95% of fair series stay below, in pp.
    noun
        What a level is called.
    covariance : float64[contrasts, contrasts]
        Covariance of the effects, in pp squared.
    look
        Number of the look at the folder, from 1.
    adjusted
        Whether the effects are adjusted for the luck of the deal; gap and band are not.
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
    noun: str = "level"
    covariance: Floats | None = field(default=None, compare=False, repr=False)
    look: int = 1
    adjusted: bool = False


def claims(balances: Sequence[Balance], topics: Sequence[Topic] = ()) -> tuple[Claim, ...]:
    """Return the claims of a page: one on the seats, and one on each of the topics that are to be judged.

    Counts and screens are not claims. Bots are not claims either: that one plays better says nothing about the game.
    """
    found = []
    for balance in balances:
        for measured in balance.players.values():
            if measured.seats is not None:
                found.append(_of_levels(balance, measured, measured.seats))
            for topic in topics:
                found += _of_topic(balance, measured, topic)
    return tuple(found)


def claim_on_seats(levels: Levels, look: int) -> Claim:
    """Return the claim on the seats of results without a folder; look: number of the look, from 1."""
    balance = Balance("", "", (), math.nan, {})
    return _of_levels(balance, PlayersBalance(levels.players, levels.games, levels.blocks, look=look), levels)


def _of_topic(balance: Balance, measured: PlayersBalance, topic: Topic) -> list[Claim]:
    if not topic.claim:
        return []
    if topic.kind == "level":
        kept = [measured.levels[column] for column in topic.columns if column in measured.levels]
        return [_of_levels(balance, measured, levels, topic.name, topic.title, topic) for levels in kept]
    if topic.kind in ("draw", "setup"):
        kept_draws = [measured.draws[column] for column in topic.columns if column in measured.draws]
        return [_of_draws(balance, measured, draws, topic) for draws in kept_draws if len(draws.levels) > 1]
    return []


def _of_levels(
    balance: Balance,
    measured: PlayersBalance,
    levels: Levels,
    name: str = "seats",
    title: str = "Seats",
    topic: Topic | None = None,
) -> Claim:
    words = {} if topic is None else topic.labels
    blocks = levels.level_blocks or (math.inf,) * len(levels.levels)
    contrasts = tuple(
        Contrast(
            f"seat {level.level}" if topic is None else words.get(level.level, level.level),
            level.effect,
            level.effect90,
            level.p,
            1 / levels.players,
            count,
        )
        for level, count in zip(levels.levels, blocks, strict=True)
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
        noun="seat" if topic is None else topic.noun,
        covariance=levels.covariance,
        look=measured.look,
        adjusted=bool(levels.plain),
    )


def _of_draws(balance: Balance, measured: PlayersBalance, draws: Draws, topic: Topic) -> Claim:
    rows = draws.seats().to_dicts()
    blocks = draws.cell_blocks or (math.inf,) * len(rows)
    contrasts = tuple(
        Contrast(
            f"seat {row['seat']} with {topic.labels.get(row['level'], row['level'])}",
            _estimate(row),
            narrow,
            _number(row["p"]),
            blocks=count,
        )
        for row, narrow, count in zip(rows, draws.beyond90, blocks, strict=True)
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
        games=measured.games,
        covariance=draws.covariance,
        look=measured.look,
    )


def _estimate(row: Mapping[str, Any]) -> Estimate:
    value, low, high = (_number(row[f"beyond{end}"]) for end in ("", "_low", "_high"))
    return Estimate(value, low, high, row["n"], float(row["n"]))


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
