"""The answer of a search with players trained for it: whether it reaches the goals with them, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rogsim.base.progress import Notify
from rogsim.experiments.design_points import DesignPoint, Resources, play_design_points
from rogsim.experiments.new_deals import fresh_seed
from rogsim.experiments.optimize.candidates import Confirmed
from rogsim.experiments.optimize.search import SearchOutcome
from rogsim.experiments.retraining.retrained_players import RetrainedPoint, retrain
from rogsim.experiments.retraining.retraining_request import Retraining
from rogsim.stats.estimates import Estimate
from rogsim.stats.paired.deviations import Deviations, deviations, farther_by

PURPOSE = "retraining"  # of the deals: neither the search nor its confirmation has used them


@dataclass(frozen=True)
class RetrainedCandidate:
    """A candidate with stale and with retrained players, both on the same deals.

    Attributes
    ----------
    players
        Its design point with both.
    stale, retrained
        The candidate with its deviations on these deals.
    """

    players: RetrainedPoint
    stale: Confirmed
    retrained: Confirmed

    @property
    def moved(self) -> Estimate:
        """Return how much farther from the goals retraining moved it, in units of the tolerance."""
        return farther_by(self.retrained.found, self.stale.found)


@dataclass(frozen=True)
class RetrainedAnswer:
    """The scenario as it is and the answer of its search, with stale and with retrained players.

    Attributes
    ----------
    base, answer
        The scenario as it is, and the answer; the same if the answer is to change nothing.
    seed, games
        Seed of the deals, and games of each with each player count.
    """

    retraining: Retraining
    base: RetrainedCandidate
    answer: RetrainedCandidate
    seed: int
    games: int

    @property
    def candidates(self) -> tuple[RetrainedCandidate, ...]:
        """Return both candidates, the answer first; one if the answer is to change nothing."""
        return (self.answer,) if self.answer is self.base else (self.answer, self.base)


def retrain_answer(
    outcome: SearchOutcome, retraining: Retraining, resources: Resources, notify: Notify = lambda _: None
) -> RetrainedAnswer:
    """Train players for the answer of a search and for the scenario as it is, and play both on deals of their own.

    Parameters
    ----------
    outcome
        The outcome of the search.
    retraining
        How long the players are trained.
    resources
        Where games and weights are stored, and which workers play.
    notify
        Receives lines on progress.

    Raises
    ------
    TrainingError
        If no bot of the scenario learns, or if a training cannot continue.
    """
    seed = outcome.request.experiment.scenario.seed
    fresh, games = fresh_seed(seed, PURPOSE), outcome.chosen.found.games
    chosen = [outcome.listed[0], *([outcome.chosen] if outcome.chosen is not outcome.listed[0] else [])]
    trained = retrain([confirmed.candidate.design_point for confirmed in chosen], retraining, resources, seed)
    found = []
    for confirmed, point in zip(chosen, trained, strict=True):
        players = point.with_seed(fresh).with_games(games)
        measured = []
        for who, design_point in (("stale", players.stale), ("retrained", players.retrained)):
            notify(f"{games:,} games with {who} players: {design_point.label}")
            result = _measured(outcome, design_point, resources, games).judged_among(len(chosen))
            measured.append(Confirmed(confirmed.candidate, result))
        found.append(RetrainedCandidate(players, *measured))
    return RetrainedAnswer(retraining, found[0], found[-1], fresh, games)


def _measured(outcome: SearchOutcome, design_point: DesignPoint, resources: Resources, games: int) -> Deviations:
    (results,) = play_design_points([design_point], resources, show=False)
    return deviations(results, outcome.request.goals, outcome.request.players, games)


def trained_points(answer: RetrainedAnswer) -> Sequence[RetrainedPoint]:
    """Return the design points with their players, the scenario as it is first."""
    return [candidate.players for candidate in reversed(answer.candidates)]
