"""The questions of a report on one or several folders: the effects of the seats and of what was dealt."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rogsim.game.topics import Topic
from rogsim.stats.balance.draws import Draws
from rogsim.stats.balance.levels import Levels
from rogsim.stats.balance.measured import Balance, PlayersBalance
from rogsim.stats.effects import Contrast, Effects, Question
from rogsim.stats.estimates import Estimate


def claims(balances: Sequence[Balance], topics: Sequence[Topic] = ()) -> tuple[Effects, ...]:
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


def claim_on_seats(levels: Levels, look: int) -> Effects:
    """Return the claim on the seats of results without a folder; look: number of the look, from 1."""
    return claim_on_levels(levels, look=look)


def claim_on_levels(levels: Levels, topic: Topic | None = None, run: str = "", look: int = 1) -> Effects:
    """Return the claim on the levels of a topic, or on the seats, of results without a folder.

    Parameters
    ----------
    levels
        The levels.
    topic
        Their topic; None for the seats.
    run
        What the results are called.
    look
        Number of the look, from 1.
    """
    balance = Balance("", run, (), math.nan, {})
    measured = PlayersBalance(levels.players, levels.games, levels.blocks, look=look)
    named = () if topic is None else (topic.name, topic.title, topic)
    return _of_levels(balance, measured, levels, *named)


def _of_topic(balance: Balance, measured: PlayersBalance, topic: Topic) -> list[Effects]:
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
) -> Effects:
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
    return Effects(
        Question(name, title, noun="seat" if topic is None else topic.noun, share=True, against="than a fair share"),
        players=levels.players,
        run=balance.folder,
        bots=balance.bots,
        overall=levels.overall,
        contrasts=contrasts,
        games=levels.games,
        gap=levels.gap,
        band=levels.band,
        covariance=levels.covariance,
        look=measured.look,
        adjusted=bool(levels.plain),
    )


def _of_draws(balance: Balance, measured: PlayersBalance, draws: Draws, topic: Topic) -> Effects:
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
    title = topic.title if len(topic.columns) == 1 else topic.labels.get(draws.column, draws.column)
    return Effects(
        Question(topic.name, title, noun="level", share=True, against="than that seat does over all games"),
        players=draws.players,
        run=balance.folder,
        bots=balance.bots,
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
