"""Players trained for the rules of design points, and the design points with these players.

The weights lie beside the stored games, in a folder named after everything that determines them. So no command trains
for the same rules twice, and an interrupted training continues.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from rogsim.base.errors import RogsimError
from rogsim.base.progress import Notify, say
from rogsim.base.validation import not_allowed, show
from rogsim.bots.loading import BotSource, find_bot
from rogsim.bots.names import read_bot_name
from rogsim.experiments.design_points import DesignPoint, Resources
from rogsim.experiments.lessons import learners_rule, learning_parts
from rogsim.experiments.requests import check_range, check_target
from rogsim.experiments.train import (
    FEWEST_GAMES,
    MOST_GENERATIONS,
    TrainingRequest,
    check_minutes,
    identity,
    train,
)
from rogsim.experiments.training_check import TrainedFile, read_trained
from rogsim.game.kit.learning import Sampling
from rogsim.scenario.axes import AS_IT_IS, MOST_GAMES
from rogsim.scenario.fingerprint import key_of
from rogsim.scenario.model import Experiment

GAMES = 1_000  # of a generation, for each player count
HELD_OUT = 2  # times as many are played for the check of a training
FOLDER = "retrained-"  # and a hash, in the folder of the games
FILE = "retrained"  # .toml, the name of the weights in it: bots trained for different rules have the same name


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
    RogsimError
        If a number is not allowed, or if `games` is given without a limit.
    """
    name = f"{option_prefix}retrain"
    check_minutes(name, minutes)
    check_range(f"{name}-generations", generations, 1, MOST_GENERATIONS)
    check_range(f"{name}-games", games, FEWEST_GAMES, MOST_GAMES)
    if minutes is None and generations is None:
        if games is not None:
            raise RogsimError(f"{name}-games: needs {name} MINUTES or {name}-generations N")
        return None
    return Retraining(minutes, generations, GAMES if games is None else games, sampling or Sampling())


def learners_of(experiment: Experiment) -> tuple[str, ...]:
    """Return the bots of a scenario that learn, by name, without duplicates."""
    names = dict.fromkeys(experiment.scenario.bots)
    return tuple(name for name in names if learning_parts(experiment.spec, experiment.sources[name]))


def check_learners(experiments: Iterable[Experiment], option_prefix: str = "") -> None:
    """Raise RogsimError, in one line, if a scenario has no bot that learns."""
    for experiment in experiments:
        if not learners_of(experiment):
            bots = ", ".join(dict.fromkeys(experiment.scenario.bots))
            rule = f"no bot of {show(experiment.name)} learns; {learners_rule(experiment.spec)}"
            raise RogsimError(f"{option_prefix}retrain: {not_allowed(bots, rule)}")


@dataclass(frozen=True)
class RetrainedBot:
    """A bot with weights trained for some rules.

    Attributes
    ----------
    stale, retrained
        Its name with the weights as given, and with those trained for the rules.
    path
        The file of the trained weights.
    training
        How they were trained, and whether that made the bot stronger.
    is_changed
        Whether the training changed any weight.
    """

    stale: str
    retrained: str
    path: Path
    training: TrainedFile
    is_changed: bool


@dataclass(frozen=True)
class RetrainedPoint:
    """A design point with players trained for its rules: `retrained` plays the games of `stale` with them."""

    stale: DesignPoint
    retrained: DesignPoint
    bots: tuple[RetrainedBot, ...]

    @property
    def names(self) -> dict[str, str]:
        """Return the stale name of each retrained bot."""
        return {bot.retrained: bot.stale for bot in self.bots}

    @property
    def is_changed(self) -> bool:
        """Return whether any of its players plays otherwise than before."""
        return any(bot.is_changed for bot in self.bots)


def retrain(
    design_points: Sequence[DesignPoint],
    retraining: Retraining,
    resources: Resources,
    seed: int,
    notify: Notify = say,
) -> tuple[RetrainedPoint, ...]:
    """Train the learning bots of each design point for its rules, unless that was done before.

    Parameters
    ----------
    design_points
        What is played; each must have a bot that learns.
    retraining
        How long to train, and with how many games.
    resources
        The folder in which the weights are stored, and the number of workers.
    seed
        Seed of the games to learn from. No run of that seed has the same deals.
    notify
        Receives lines on what is trained.

    Returns
    -------
    tuple[RetrainedPoint, ...]
        The design points with their players, in the same order.

    Raises
    ------
    RogsimError
        If a design point has no bot that learns, or if a training cannot start or continue.
    """
    check_learners(point.experiment for point in design_points)
    requests = [_requests(point.experiment, retraining, resources.folder, seed) for point in design_points]
    labels: dict[Path, str] = {}
    for point, trainings in zip(design_points, requests, strict=True):
        for request in trainings:
            labels.setdefault(request.out, rules_words(point))
    waiting = {request.out: request for trainings in requests for request in trainings if not request.out.exists()}
    for line in plan_lines(len(labels), len(waiting), retraining):
        notify(line)
    for number, (out, request) in enumerate(waiting.items(), 1):
        notify(f"Training {request.bot.name} for {labels[out]} ({number} of {len(waiting)}).")
        train(request, resources.jobs, must_learn=False)  # players who learned nothing play as they did
    return tuple(_retrained(*pair) for pair in zip(design_points, requests, strict=True))


def plan_lines(trainings: int, waiting: int, retraining: Retraining) -> list[str]:
    """Return what will be trained, and for how long at most, as lines."""
    if not waiting:
        return [f"Nothing to train: {'1 training is' if trainings == 1 else f'{trainings} trainings are'} stored."]
    count = f"{waiting} of {trainings} trainings" if waiting < trainings else f"{trainings} trainings"
    count = "1 training" if trainings == 1 else count
    total = f", {waiting * retraining.minutes:g} minutes in total" if retraining.minutes and waiting > 1 else ""
    check = f"each generation with a check of {retraining.held_out:,} games for each number of players."
    late = " A generation that has begun is finished." if retraining.minutes else ""
    return [f"{count} to do, {retraining.limit} each{total}, {check}{late}"]


def rules_words(point: DesignPoint) -> str:
    """Return whose rules those of a design point are."""
    return f"the scenario {AS_IT_IS}" if point.label == AS_IT_IS else point.label


def _requests(experiment: Experiment, retraining: Retraining, store: Path, seed: int) -> tuple[TrainingRequest, ...]:
    """Return the trainings for the rules of a scenario, one for each bot that learns, with the files to write."""
    made = [
        TrainingRequest(
            experiments=(experiment,),
            bot=experiment.sources[name],
            sampling=retraining.sampling,
            games=retraining.games,
            generations=retraining.generations,
            minutes=retraining.minutes,
            held_out=retraining.held_out,
            seed=seed,
            out=Path(),
        )
        for name in learners_of(experiment)
    ]
    key = key_of({"trainings": [identity(request) for request in made], "limits": asdict(retraining)})
    numbers = ["", *(f"-{number}" for number in range(2, len(made) + 1))]
    files = [store / f"{FOLDER}{key}" / f"{FILE}{number}.toml" for number in numbers]
    for out in files:
        check_target(out)
    return tuple(replace(request, out=out) for request, out in zip(made, files, strict=True))


def _retrained(point: DesignPoint, trainings: Sequence[TrainingRequest]) -> RetrainedPoint:
    """Return a design point with its trained players, whose files exist."""
    experiment = point.experiment
    folder = trainings[0].out.parent
    bots, sources = [], {}
    for request in trainings:
        name = f"{read_bot_name(request.bot.name).base}@{request.out.name}"
        source = sources[request.bot.name] = find_bot(experiment.spec, name, folder)
        is_changed = source.weights_hash != request.bot.weights_hash
        bots.append(RetrainedBot(request.bot.name, name, request.out, read_trained(request.out), is_changed))
    return RetrainedPoint(point, replace(point, experiment=_with_bots(experiment, sources, folder)), tuple(bots))


def _with_bots(experiment: Experiment, sources: dict[str, BotSource], folder: Path) -> Experiment:
    """Return an experiment with some bots replaced, by their names, whose weights are in a folder."""
    names = {name: source.name for name, source in sources.items()}
    bots = tuple(names.get(name, name) for name in experiment.scenario.bots)
    kept = {names.get(name, name): sources.get(name, source) for name, source in experiment.sources.items()}
    scenario = experiment.scenario.model_copy(update={"bots": bots})
    return replace(experiment, scenario=scenario, sources=kept, folder=folder)
