"""The fairest settings of a sweep with players trained for them: whether they are as fair with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rogsim.experiments.design_points import Resources, play_design_points
from rogsim.experiments.retraining.retrained_players import RetrainedPoint, retrain
from rogsim.experiments.retraining.retraining_request import Retraining
from rogsim.experiments.sweep.outcome import SettingTable, SweepOutcome, tables_of
from rogsim.stats.estimates import Estimate
from rogsim.stats.paired.main_effects import Response, distance_change, move_of_distance_change, respond


@dataclass(frozen=True)
class RetrainedTable:
    """The scenario as it is and the fairest setting with one player count, both on new deals.

    Attributes
    ----------
    players
        Both with their players.
    stale, retrained
        The tables with stale and with retrained players.
    stale_responses, retrained_responses
        Their responses on the deals that all of them played.
    """

    players: tuple[RetrainedPoint, ...]
    stale: SettingTable
    retrained: SettingTable
    stale_responses: tuple[Response, ...]
    retrained_responses: tuple[Response, ...]

    @property
    def place(self) -> int:
        """Return the index of the fairest setting."""
        return len(self.players) - 1

    def moved(self, place: int) -> Estimate:
        """Return how far retraining moved the distance of a setting from fair, in pp."""
        return distance_change(self.stale_responses[place], self.retrained_responses[place])

    def change_moved(self) -> Estimate:
        """Return how far retraining moved the difference of the fairest setting from the scenario as it is, in pp."""
        stale, retrained = self.stale_responses, self.retrained_responses
        return move_of_distance_change((stale[0], stale[-1]), (retrained[0], retrained[-1]))


@dataclass(frozen=True)
class RetrainedSweep:
    """The fairest settings of a sweep, by player count, with stale and with retrained players."""

    retraining: Retraining
    tables: Mapping[int, RetrainedTable]

    @property
    def points(self) -> list[RetrainedPoint]:
        """Return all design points with their players."""
        return [point for table in self.tables.values() for point in table.players]

    @property
    def games(self) -> int:
        """Return how many games were played with retrained players."""
        return sum(response.games for table in self.tables.values() for response in table.retrained.responses)


def retrain_fairest(outcome: SweepOutcome, retraining: Retraining, resources: Resources) -> RetrainedSweep:
    """Train players for the scenario as it is and for the fairest settings, and play these with them on the new deals.

    Parameters
    ----------
    outcome
        The outcome of the sweep. The new deals are those on which its fairest settings were played again.
    retraining
        How long the players are trained.
    resources
        Where games and weights are stored, and which workers play.

    Raises
    ------
    TrainingError
        If a setting has no bot that learns, or if a training cannot continue.
    """
    points = {players: outcome.fresh_points(players) for players in outcome.tables}
    seed = outcome.design.experiment.scenario.seed
    trained = iter(retrain([point for some in points.values() for point in some], retraining, resources, seed))
    mine = {players: tuple(next(trained) for _ in some) for players, some in points.items()}
    stale, retrained = (
        {
            players: play_design_points([getattr(point, kind) for point in some], resources)
            for players, some in mine.items()
        }
        for kind in ("stale", "retrained")
    )
    before, after = tables_of(outcome, stale), tables_of(outcome, retrained)
    tables = {}
    for players, table in outcome.tables.items():
        factor = "seat" if table.topic is None else table.topic.columns[0]
        responses, count = respond([*stale[players], *retrained[players]], players, factor), len(mine[players])
        sides = tuple(responses[:count]), tuple(responses[count:])
        tables[players] = RetrainedTable(mine[players], before[players], after[players], *sides)
    return RetrainedSweep(retraining, tables)
