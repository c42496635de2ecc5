"""What to train, checked in full before anything is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.validation import not_allowed
from rogsim.base.version import __version__
from rogsim.bots.bot_names import read_bot_name
from rogsim.bots.loading import BotSource, find_bot
from rogsim.experiments.continued import WeightsRequest, rules_of, versions_of
from rogsim.experiments.requests import check_range, check_seed, check_target
from rogsim.game.kit.evaluation.contract import Evaluation
from rogsim.game.kit.learning.sampling import Sampling
from rogsim.game.kit.search.search import Search
from rogsim.game.spec import GameSpec
from rogsim.scenario.axes import MOST_GAMES
from rogsim.scenario.model import Experiment, load

MOST_GENERATIONS, MOST_MINUTES = 1_000, 10_000
FEWEST_GAMES = 20  # of a generation: fewer show nothing
LEARNED = "learned"


@dataclass(frozen=True, kw_only=True)
class TrainingRequest(WeightsRequest):
    """A checked training request. `games` and `held_out` count games for each scenario and player count.

    Attributes
    ----------
    rival
        The bot in all other seats; None if the bot plays against itself.
    generations, minutes
        At most so many generations, and none begins after these minutes; None for no limit.
    """

    experiments: tuple[Experiment, ...]
    rival: BotSource | None = None
    sampling: Sampling
    generations: int | None
    minutes: float | None

    @property
    def search(self) -> Search:
        """Return how the bot searches."""
        return learning_parts(self.spec, self.bot)[0]

    @property
    def evaluation(self) -> Evaluation:
        """Return how the bot evaluates positions."""
        return learning_parts(self.spec, self.bot)[1]

    @property
    def spec(self) -> GameSpec:
        """Return the game."""
        return self.experiments[0].spec

    @property
    def players(self) -> list[int]:
        """Return the player counts of all scenarios."""
        return sorted({players for experiment in self.experiments for players in experiment.setups})


def request_training(
    scenarios: Sequence[str],
    *,
    bot: str = LEARNED,
    against: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    games: int = 1_000,
    generations: int = 4,
    minutes: float | None = None,
    held_out: int = 2_000,
    seed: int = 1,
    out: Path,
    sampling: Sampling | None = None,
) -> TrainingRequest:
    """Check a training as given on the command line.

    Parameters
    ----------
    scenarios
        Scenario files or names, all of one game. Their bots do not matter.
    bot
        The bot to train, with the weights to start from.
    against
        A bot for all other seats, which stays as it is; by default the bot plays against itself.
    overrides
        Keys of the scenarios to replace.
    games, held_out
        Games of a generation, and held-out games after it, for each scenario and player count.
    minutes
        No generation begins after these; None for no limit.
    out
        The file of weights to write.

    Raises
    ------
    RogsimError
        If the training cannot start.
    """
    check_range("--games", games, FEWEST_GAMES, MOST_GAMES)
    check_range("--generations", generations, 1, MOST_GENERATIONS)
    check_range("--held-out", held_out, FEWEST_GAMES, MOST_GAMES)
    check_seed(seed)
    check_minutes("--minutes", minutes)
    if not scenarios:
        raise RogsimError("name at least one scenario")
    experiments = tuple(load(name, overrides, "--", run_programs=False) for name in scenarios)
    games_named = list(dict.fromkeys(experiment.spec.id for experiment in experiments))
    if len(games_named) > 1:
        raise RogsimError(f"all scenarios must be of one game, and these are of {' and '.join(games_named)}")
    spec = experiments[0].spec
    source = find_bot(spec, bot, Path())
    learning_parts(spec, source)
    rival = _rival(spec, against)
    check_target(out)
    return TrainingRequest(
        experiments=experiments,
        bot=source,
        rival=rival,
        sampling=sampling or Sampling(),
        games=games,
        generations=generations,
        minutes=minutes,
        held_out=held_out,
        seed=seed,
        out=out,
    )


def check_minutes(name: str, minutes: float | None) -> None:
    """Raise RogsimError unless a limit in minutes is allowed; None is no limit."""
    if minutes is not None and not 0 < minutes <= MOST_MINUTES:
        raise RogsimError(f"{name}: {not_allowed(minutes, f'must be above 0 and at most {MOST_MINUTES:,}')}")


def learning_parts(spec: GameSpec, source: BotSource) -> tuple[Search, Evaluation]:
    """Return how a bot of a game searches and evaluates; RogsimError if it does not learn."""
    parts = _parts_of(spec, source)
    if parts is None:
        raise RogsimError(f"--bot: {not_allowed(source.name, learners_rule(spec))}")
    return parts


def _parts_of(spec: GameSpec, source: BotSource) -> tuple[Search, Evaluation] | None:
    """Return what `learning_parts` does; a bot that shares the weights of another one learns as that does."""
    name, own = read_bot_name(source.name).base, [info.name for info in spec.bots]
    teacher = source.origin.shared if source.origin and source.origin.shared else name
    if not {name, teacher} <= set(own):
        return None
    module = import_module(f"{spec.bots_package}.{teacher}")
    search, evaluation = getattr(module, "SEARCH", None), getattr(module, "EVALUATION", None)
    return None if search is None or evaluation is None else (search, evaluation)


def learns(spec: GameSpec, source: BotSource) -> bool:
    """Return whether a bot of a game can be trained."""
    return _parts_of(spec, source) is not None


def learning_bots(spec: GameSpec) -> list[str]:
    """Return the names of a game's bots that learn: those that say how they search and evaluate, or share weights."""
    return [info.name for info in spec.bots if learns(spec, find_bot(spec, info.name, Path()))]


def learners_rule(spec: GameSpec) -> str:
    """Return which bots of a game can be trained, for a message."""
    learners = learning_bots(spec)
    return f"choose from {', '.join(learners)}" if learners else f"{spec.title} has no bot that learns"


def _rival(spec: GameSpec, against: str | None) -> BotSource | None:
    """Find the bot to train against; RogsimError if it is a Python object, which cannot be asked in these games."""
    source = None if against is None else find_bot(spec, against, Path())
    if source is not None and source.function is None:
        raise RogsimError(f"--against: {not_allowed(against, 'must be a bot that rogsim compiles')}")
    return source


def identity(request: TrainingRequest) -> dict[str, Any]:
    """Return everything that determines the outcome. A stored state belongs to the command with the same identity."""
    return {
        "bot": request.bot.name,
        "against": None if request.rival is None else [request.rival.name, *request.rival.weights.tolist()],
        "scenarios": [scenario_of(experiment) for experiment in request.experiments],
        "games": request.games,
        "sampling": vars(request.sampling),
        "seed": request.seed,
        "start": request.bot.weights.tolist(),
        "rules": rules_of(request.spec),
        "versions": versions_of("numpy", "scipy") | {"rogsim": __version__},
    }


def scenario_of(experiment: Experiment) -> dict[str, Any]:
    """Return what a scenario says of the games to learn from."""
    chosen = experiment.scenario.model_dump(mode="json")
    return {key: chosen[key] for key in ("game", "players", "options", "change")}
