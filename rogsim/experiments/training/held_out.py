"""Playing held-out deals, from which nothing is learned, to see how strong a bot has become."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rogsim.base.progress import progress_bar
from rogsim.experiments.training.lessons import Learner
from rogsim.experiments.training.train_check import TrainingCheck
from rogsim.experiments.training.train_request import TrainingRequest
from rogsim.experiments.tuning.evaluations import EvaluationDeals, EvaluationSetup, clusters_of, evaluate
from rogsim.stats.estimates import mean, share
from rogsim.stats.paired.differences import mean_difference

EXACT = 6  # digits of a win share: rows hold no more (`f4`), so any after them are rounding errors

Shares = dict[int, list[NDArray[np.float64]]]  # by player count, for each scenario: of each block


class HeldOut:
    """The held-out deals of a training.

    The others are the bots that the learner is trained against, or have the weights of the start.
    """

    def __init__(self, request: TrainingRequest, learner: Learner, jobs: int | None) -> None:
        self.request, self.learner, self.jobs = request, learner, jobs
        self._start: Shares | None = None

    def check(self, weights: NDArray[np.float64]) -> dict[int, TrainingCheck]:
        """Return how strong the bot is with these weights, by player count."""
        trained = self._play(weights)
        if self.learner.rival is None:  # among others like it the start wins exactly its fair share
            return {players: check_of(shares, players) for players, shares in trained.items()}
        if self._start is None:
            self._start = self._play(self.request.bot.weights)
        return {players: check_of(shares, players, self._start[players]) for players, shares in trained.items()}

    def _play(self, weights: NDArray[np.float64]) -> Shares:
        request = self.request
        found: Shares = {}
        others = self.learner.rival or replace(self.learner.bot, weights=request.bot.weights)
        plays = [(experiment, players) for experiment in request.experiments for players in experiment.setups]
        blocks = {players: -(-request.held_out // players) for players in request.players}
        with progress_bar(sum(players * blocks[players] for _, players in plays)) as advance:
            for number, (experiment, players) in enumerate(plays):
                seed = request.seed_for(f"held-out {number}")
                setup = EvaluationSetup(request.spec, experiment.setups, self.learner.bot, (others,), seed)
                deals = EvaluationDeals(0, {players: blocks[players]})
                (result,) = evaluate(setup, [weights], deals, self.jobs, advance)
                found.setdefault(players, []).append(result[players].win_share)
        return dict(sorted(found.items()))


def check_of(
    shares: Sequence[NDArray[np.float64]], players: int, start: Sequence[NDArray[np.float64]] | None = None
) -> TrainingCheck:
    """Return the check for a player count, from the win share in each block of all its scenarios.

    Parameters
    ----------
    start
        The same for the start; by default its share is fair in each block.
    """
    every = np.concatenate(shares)
    games = len(every) * players
    gain = mean(clusters_of(np.round(every - 1.0 / players, EXACT), players))  # bots that play alike gain nothing
    over_start = gain if start is None else mean_difference(every - np.concatenate(start), games)
    if math.isnan(over_start.low):  # too few blocks: any difference is possible
        over_start = replace(over_start, low=-1.0, high=1.0)
    return TrainingCheck(games, share(clusters_of(every, players)), gain, over_start)
