"""Evaluating candidates: one bot with different weights against a pool of opponents, all on the same deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.experiments.continued import play_parts
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.spec import GameSpec
from rogsim.simulation.play import play_batch
from rogsim.stats.estimates import Clusters

BLOCKS_AT_ONCE = 500  # for one worker
MARGIN = 0.1  # of a win: the value of a lead of one standard deviation of the points


@dataclass(frozen=True)
class EvaluationSetup:
    """What all candidates share: the game set up for each player count, the bot to tune, and its opponents."""

    spec: GameSpec
    setups: Mapping[int, Any]  # by player count
    bot: Bot
    pool: tuple[Bot, ...]
    seed: int  # of all deals


@dataclass(frozen=True)
class CandidateResult:
    """The results of one candidate with one player count.

    win_share: float64[blocks], the mean over the bot's seats. margin: float64[blocks], likewise: the bot's points minus
    the mean of its opponents'. points, squares: sums of the points and of their squares over all seats, of which there
    are `seats`; they give the standard deviation.
    """

    win_share: NDArray[np.float64]
    margin: NDArray[np.float64]
    points: float
    squares: float
    seats: int


def evaluate(
    setup: EvaluationSetup,
    candidates: Sequence[NDArray[np.float64]],
    blocks: Mapping[int, int],
    jobs: int | None,
    advance: Callable[[int], None] = lambda games: None,
    start: int = 0,
) -> list[dict[int, CandidateResult]]:
    """Play each candidate's games, all on the same deals, and return its results by player count.

    In each block the bot sits in every seat once, against opponents that are drawn from the pool for that block.

    Parameters
    ----------
    candidates
        Sets of weights, each float64[weights].
    blocks
        Number of blocks by player count.
    jobs
        Number of workers; None for one per processor. No result depends on it.
    advance
        Called with the number of games that were just played.
    start
        Number of the first deal.
    """
    work = [
        (number, players, first, min(first + BLOCKS_AT_ONCE, count))
        for number in range(len(candidates))
        for players, count in blocks.items()
        for first in range(0, count, BLOCKS_AT_ONCE)
    ]
    opponents = {players: draw_opponents(setup, players, start, count) for players, count in blocks.items()}

    def play(part: tuple[int, int, int, int]) -> CandidateResult:
        number, players, first, last = part
        return _play(setup, candidates[number], opponents[players][first:last], start + first)

    results = play_parts(work, play, lambda part: (part[3] - part[2]) * part[1], jobs, advance)
    found: list[dict[int, list[CandidateResult]]] = [{players: [] for players in blocks} for _ in candidates]
    for (number, players, *_), result in zip(work, results, strict=True):
        found[number][players].append(result)
    return [{players: _joined(pieces) for players, pieces in by_players.items()} for by_players in found]


def draw_opponents(setup: EvaluationSetup, players: int, start: int, blocks: int) -> NDArray[np.int64]:
    """Draw the bot's opponents: int64[blocks, players - 1], indices into the pool, each equally likely."""
    # RandomState and not default_rng: its numbers stay the same in every version of numpy.
    key = [word for number in (setup.seed, start, players) for word in (number & 0xFFFFFFFF, number >> 32)]
    generator = np.random.RandomState(key)
    return generator.randint(len(setup.pool), size=(blocks, players - 1), dtype=np.int64)


def scores_of(evaluations: Sequence[Mapping[int, CandidateResult]]) -> list[float]:
    """Return the score of each candidate: its win share plus a small bonus for the lead in points.

    The lead is measured in standard deviations of the points of all seats in this generation, so that it means
    the same in every game. Each player count has equal weight.
    """
    total = np.zeros(len(evaluations))
    for players in evaluations[0]:
        results = [by_players[players] for by_players in evaluations]
        seats = sum(result.seats for result in results)
        middle = sum(result.points for result in results) / seats
        spread = max(sum(result.squares for result in results) / seats - middle**2, 0.0) ** 0.5
        lead = [float(result.margin.mean()) / spread if spread > 0 else 0.0 for result in results]
        total += [float(result.win_share.mean()) + MARGIN * ahead for result, ahead in zip(results, lead, strict=True)]
    return [float(score) for score in total / len(evaluations[0])]


def clusters_of(values: NDArray[np.float64], players: int) -> Clusters:
    """Return means over the seats of each block as clusters; a block has one row for each seat."""
    sums = values * players
    return Clusters(
        blocks=len(values),
        rows=len(values) * players,
        total=float(sums.sum()),
        squares=float((sums**2).sum()),
        cross=float(sums.sum()) * players,
        sizes=float(len(values) * players**2),
    )


def _play(
    setup: EvaluationSetup, weights: NDArray[np.float64], opponents: NDArray[np.int64], start: int
) -> CandidateResult:
    """Play some blocks; `start` is the number of the first deal."""
    spec, players = setup.spec, opponents.shape[1] + 1
    candidate = replace(setup.bot, weights=weights)
    order = np.arange(players)
    seating = ((order[:, None] + order) % players).astype(np.int8)  # [rotation, seat]: place in the line-up
    seat_of = ((order - order[:, None]) % players)[None]  # [1, rotation, place]: seat
    share = np.zeros((len(opponents), players, players))  # [block, rotation, place]
    points = np.zeros_like(share)
    for line_up in np.unique(opponents, axis=0):
        at = np.flatnonzero((opponents == line_up).all(axis=1))
        batch = Batch(
            seed=setup.seed,
            players=players,
            deals=np.repeat(start + at, players).astype(np.int64),
            seating=np.tile(seating, (len(at), 1)),
            line_up=(candidate, *(setup.pool[place] for place in line_up)),
        )
        rows, _ = play_batch(spec, setup.setups[players], batch)
        by_seat = rows.reshape(len(at), players, players)  # [block, rotation, seat]
        share[at] = np.take_along_axis(by_seat["win_share"], seat_of, axis=2)
        points[at] = np.take_along_axis(by_seat["points"], seat_of, axis=2)
    margin = points[:, :, 0] - points[:, :, 1:].mean(axis=2)
    return CandidateResult(
        win_share=share[:, :, 0].mean(axis=1),
        margin=margin.mean(axis=1),
        points=float(points.sum()),
        squares=float((points**2).sum()),
        seats=points.size,
    )


def _joined(parts: Sequence[CandidateResult]) -> CandidateResult:
    return CandidateResult(
        win_share=np.concatenate([part.win_share for part in parts]),
        margin=np.concatenate([part.margin for part in parts]),
        points=sum(part.points for part in parts),
        squares=sum(part.squares for part in parts),
        seats=sum(part.seats for part in parts),
    )
