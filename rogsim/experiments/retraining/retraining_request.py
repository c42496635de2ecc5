"""Which players are trained for changed rules, and for how long, checked before anything is played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rogsim.base.validation import not_allowed, show
from rogsim.experiments.continued import check_range
from rogsim.experiments.training.train_request import (
    FEWEST_GAMES,
    MOST_GENERATIONS,
    TrainingError,
    check_minutes,
    learners_rule,
    learns,
)
from rogsim.game.kit.learning.sampling import Sampling
from rogsim.scenario.axes import MOST_GAMES
from rogsim.scenario.model import Experiment

GAMES = 1_000  # of a generation, for each player count
HELD_OUT = 2  # times as many are played for the check of a training


@dataclass(frozen=True)
class Retraining:
    """How long players are trained for each set of rules.

    Attributes
    ----------
    minutes
        No generation begins after these; None for no limit.
    generations
        At most so many; None for no limit. At least one of the two is a limit.
    games
        Games of a generation for each player count.
    """

    minutes: float | None = None
    generations: int | None = None
    games: int = GAMES
    sampling: Sampling = field(default_factory=Sampling)

    @property
    def held_out(self) -> int:
        """Return the games of the check against the start, for each player count."""
        return min(HELD_OUT * self.games, MOST_GAMES)

    @property
    def limit(self) -> str:
        """Return how long one training is, in words."""
        minutes = "" if self.minutes is None else f"{self.minutes:g} {'minute' if self.minutes == 1 else 'minutes'}"
        count = self.generations
        generations = "" if count is None else f"{count} {'generation' if count == 1 else 'generations'}"
        return f"up to {' or '.join(filter(None, (minutes, generations)))}"

    @property
    def words(self) -> list[str]:
        """Return the options of the command line that ask for it."""
        found = [] if self.minutes is None else ["--retrain", f"{self.minutes:g}"]
        found += [] if self.generations is None else ["--retrain-generations", str(self.generations)]
        return found + ([] if self.games == GAMES else ["--retrain-games", str(self.games)])


def request_retraining(
    minutes: float | None = None,
    generations: int | None = None,
    games: int | None = None,
    option_prefix: str = "",
    sampling: Sampling | None = None,
) -> Retraining | None:
    """Return how players are trained for changed rules, None if that is not asked for.

    Parameters
    ----------
    minutes, generations
        Limits of each training; with neither of them no player is trained.
    games
        Games of a generation for each player count, by default 1,000.
    option_prefix
        Precedes the names of options in messages.
    sampling
        Which turns are compared, and how; by default as `rogsim train` does.

    Raises
    ------
    TrainingError
        If a number is not allowed, or if `games` is given without a limit.
    """
    name = f"{option_prefix}retrain"
    check_minutes(name, minutes)
    if generations is not None:
        check_range(f"{name}-generations", generations, 1, MOST_GENERATIONS, TrainingError)
    if games is not None:
        check_range(f"{name}-games", games, FEWEST_GAMES, MOST_GAMES, TrainingError)
    if minutes is None and generations is None:
        if games is not None:
            raise TrainingError(f"{name}-games: needs {name} MINUTES or {name}-generations N")
        return None
    return Retraining(minutes, generations, GAMES if games is None else games, sampling or Sampling())


def learners_of(experiment: Experiment) -> tuple[str, ...]:
    """Return the bots of a scenario that learn, by name, without duplicates."""
    names = dict.fromkeys(experiment.scenario.bots)
    return tuple(name for name in names if learns(experiment.spec, experiment.sources[name]))


def check_learners(experiments: Iterable[Experiment], option_prefix: str = "") -> None:
    """Raise TrainingError, in one line, if a scenario has no bot that learns."""
    for experiment in experiments:
        if not learners_of(experiment):
            bots = ", ".join(dict.fromkeys(experiment.scenario.bots))
            rule = f"no bot of {show(experiment.name)} learns; {learners_rule(experiment.spec)}"
            raise TrainingError(f"{option_prefix}retrain: {not_allowed(bots, rule)}")
