"""Players trained for the rules of design points, and the design points with these players.

The weights lie beside the stored games, in a folder named after everything that determines them. So no command trains
for the same rules twice, and an interrupted training continues.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rogsim.base.progress import Notify, say
from rogsim.bots.bot_names import read_bot_name
from rogsim.bots.loading import BotSource, find_bot
from rogsim.experiments.continued import check_target
from rogsim.experiments.design_points import DesignPoint, Resources
from rogsim.experiments.retraining.retraining_request import Retraining, check_learners, learners_of
from rogsim.experiments.training.train import train
from rogsim.experiments.training.train_request import TrainingError, TrainingRequest, identity, learning_parts
from rogsim.experiments.training.trained_file import TrainedFile, read_trained
from rogsim.scenario.axes import AS_IT_IS
from rogsim.scenario.fingerprint import key_of
from rogsim.scenario.model import Experiment

FOLDER = "retrained-"  # and a hash, in the folder of the games
FILE = "retrained"  # .toml, the name of the weights in it: bots trained for different rules have the same name


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

    def with_seed(self, seed: int) -> RetrainedPoint:
        """Return the same players on other deals."""
        return replace(self, stale=self.stale.with_seed(seed), retrained=self.retrained.with_seed(seed))

    def with_games(self, games: int) -> RetrainedPoint:
        """Return the same players with another number of games per player count."""
        return replace(self, stale=self.stale.with_games(games), retrained=self.retrained.with_games(games))


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
    TrainingError
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
    made = []
    for name in learners_of(experiment):
        source = experiment.sources[name]
        search, evaluation = learning_parts(experiment.spec, source)
        made.append(
            TrainingRequest(
                (experiment,),
                source,
                None,
                search,
                evaluation,
                retraining.sampling,
                retraining.games,
                retraining.generations,
                retraining.minutes,
                retraining.held_out,
                seed,
                Path(),
            )
        )
    limits = asdict(retraining)
    folder = store / f"{FOLDER}{key_of({'trainings': [identity(request) for request in made], 'limits': limits})}"
    numbers = ["", *(f"-{number}" for number in range(2, len(made) + 1))]
    placed = [
        replace(request, out=folder / f"{FILE}{number}.toml") for request, number in zip(made, numbers, strict=True)
    ]
    for request in placed:
        check_target(request.out, TrainingError)
    return tuple(placed)


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
