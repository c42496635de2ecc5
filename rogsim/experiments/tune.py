"""Tunes the weights of a bot: CMA-ES on training deals, a check on held-out deals, a file of weights.

The state of the library could only be pickled. So an interrupted search restarts from the same seed and gets the stored
scores again. This is exact, because its candidates depend on nothing but the seed and the scores.
"""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import cma
import numpy as np
from numpy.typing import NDArray

from rogsim.base import __version__
from rogsim.base.errors import RogsimError
from rogsim.base.progress import progress_bar, say
from rogsim.base.validation import unknown_key
from rogsim.bots.loading import BotSource, compile_bot, find_bot
from rogsim.experiments.continued import WeightsRequest, load_state, rules_of, save_state, today, versions_of
from rogsim.experiments.evaluations import EvaluationSetup, clusters_of, evaluate, scores_of
from rogsim.experiments.requests import check_distinct, check_range, check_rivals, check_seed, check_target, named_bot
from rogsim.game.registry import get_game
from rogsim.game.spec import GameSpec
from rogsim.scenario.arguments import read_options, read_players
from rogsim.scenario.axes import MOST_GAMES
from rogsim.simulation.preparation import announce_compiler
from rogsim.stats.estimates import Estimate, share
from rogsim.stats.paired.differences import SAME, mean_difference

FORMAT = "rogsim-tuning/1"
FIRST_STEP = 0.3  # of a weight's scale: the standard deviation of the first candidates around the start
MOST_GENERATIONS = 100_000
FEWEST_HELD_OUT = 100  # games: fewer would show nothing


@dataclass(frozen=True, kw_only=True)
class TuningRequest(WeightsRequest):
    """A checked tuning request.

    Attributes
    ----------
    setups
        The game set up for each player count.
    pool
        The opponents.
    free
        Indices of the weights that may change.
    """

    spec: GameSpec
    setups: Mapping[int, Any]
    options: Mapping[str, Any]
    pool: tuple[BotSource, ...]
    free: tuple[int, ...]
    generations: int

    @property
    def names(self) -> Sequence[str]:
        """Return the names of the weights, or their numbers from 1 if they have none."""
        return weight_names(self.bot)

    def blocks(self, games: int) -> dict[int, int]:
        """Return how many blocks make at least this many games, by player count."""
        return {players: -(-games // players) for players in self.setups}


def request_tuning(
    bot: str,
    against: Sequence[str],
    *,
    game: str | None = None,
    players: str | None = None,
    words: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    games: int = 400,
    generations: int = 50,
    held_out: int = 4_000,
    seed: int = 1,
    out: Path,
) -> TuningRequest:
    """Check a tuning as given on the command line.

    Parameters
    ----------
    bot
        The bot to tune.
    against
        The pool of opponents.
    players
        Player counts such as "2,4".
    words
        The game's own options, as typed.
    keep
        Names of weights that do not change; may be patterns.
    games
        Games of a candidate in a generation, for each player count.
    held_out
        Games of the final check, for each player count.
    out
        The file of weights to write.

    Raises
    ------
    RogsimError
        If the tuning cannot start.
    """
    check_range("--games", games, 1, MOST_GAMES)
    check_range("--generations", generations, 1, MOST_GENERATIONS)
    check_range("--held-out", held_out, FEWEST_HELD_OUT, MOST_GAMES)
    check_seed(seed)
    spec = get_game(game)
    source = find_bot(spec, bot, Path())
    if not len(source.weights):
        raise RogsimError(f'bot "{bot}" has no weights to tune')
    if not against:
        raise RogsimError("--against: name at least one bot")
    pool = tuple(named_bot("--against", spec, name) for name in against)
    agents = [source.name for source in pool if source.agent is not None]
    if agents:
        raise RogsimError(f'--against: "{agents[0]}" is a Python object, but tuning plays only compiled functions')
    check_distinct("--against", against)
    counts = read_players(spec, players)
    check_rivals(spec, counts, "tune", bots=True)
    options = read_options(spec, words or {})
    try:
        setups = {count: spec.set_up(options, count) for count in counts}
    except ValueError as fault:
        raise RogsimError(str(fault)) from fault
    check_target(out)
    return TuningRequest(
        spec=spec,
        setups=setups,
        options=options.model_dump(mode="json"),
        bot=source,
        pool=pool,
        free=_free(source, keep),
        games=games,
        generations=generations,
        held_out=held_out,
        seed=seed,
        out=out,
    )


def identity(request: TuningRequest) -> dict[str, Any]:
    """Return everything that determines the outcome. A stored state belongs to the command with the same identity."""
    return {
        "bot": request.bot.name,
        "against": [source.name for source in request.pool],
        "game": request.spec.id,
        "players": list(request.setups),
        "options": dict(request.options),
        "games": request.games,
        "generations": request.generations,
        "held_out": request.held_out,
        "seed": request.seed,
        "tuned_weights": list(request.free),
        "start": request.bot.weights.tolist(),
        "bots": [[source.source_hash, source.weights_hash] for source in (request.bot, *request.pool)],
        "rules": rules_of(request.spec),
        "versions": versions_of("cma", "numpy") | {"rogsim": __version__},
    }


def weight_names(source: BotSource) -> Sequence[str]:
    """Return the names of the weights, or their numbers from 1 if they have none."""
    return source.weight_names or [str(place) for place in range(1, len(source.weights) + 1)]


def _free(source: BotSource, keep: Sequence[str]) -> tuple[int, ...]:
    names = weight_names(source)
    kept = set()
    for pattern in keep:
        found = fnmatch.filter(names, pattern)
        if not found:
            raise RogsimError(f'--keep: "{pattern}" is {unknown_key(pattern, names)}')
        kept.update(found)
    free = tuple(place for place, name in enumerate(names) if name not in kept)
    if not free:
        raise RogsimError("--keep: leaves no weight to tune")
    return free


@dataclass(frozen=True)
class Check:
    """The held-out check for one player count: win shares before and after, and the paired difference.

    deals: number of deals. differing: of these, the deals on which the two win shares differ.
    """

    games: int
    before: Estimate
    after: Estimate
    difference: Estimate
    deals: int
    differing: int


def tune(request: TuningRequest, jobs: int | None) -> tuple[NDArray[np.float64], dict[int, Check]]:
    """Tune a bot, check the result on held-out deals, and write the file of weights.

    The state is stored after each generation; the same request continues from there.

    Returns
    -------
    float64[weights]
        The tuned weights.
    dict
        The check by player count.
    """
    with request.alone(jobs):
        command = identity(request)
        done = load_state(request.state, FORMAT, command, lambda kept: _generation(**kept))
        search = Evolution(request.bot.weights, request.free, request.seed_for("tuning"))
        search.replay(done, request.state)
        _save(request, command, done)  # so that a file that cannot be written fails before anything is played
        if done:
            say(f"Continuing after generation {len(done)} of {request.generations} ({request.state}).")
        setup = _evaluation_setup(request)
        with request.keeping():
            _evolve(request, search, setup, done, command, jobs)
            weights = search.favorite()
            checks = _check(request, setup, weights, jobs)
        request.write(weights, origin(request, search.size, checks))
        return weights, checks


def _evolve(
    request: TuningRequest,
    search: Evolution,
    setup: EvaluationSetup,
    done: list[Generation],
    command: Mapping[str, Any],
    jobs: int | None,
) -> None:
    blocks = request.blocks(request.games)
    games = sum(players * count for players, count in blocks.items())
    for number in range(len(done), request.generations):
        start = number * max(blocks.values())
        candidates = search.ask()
        with progress_bar(games * search.size) as advance:
            evaluations = evaluate(setup, candidates, blocks, jobs, advance, start)
        scores = scores_of(evaluations)
        shares = [float(np.mean([result.win_share.mean() for result in found.values()])) for found in evaluations]
        search.tell(scores)
        done.append(Generation(fingerprint(candidates), scores, shares))
        _save(request, command, done)
        best, middle = shares[int(np.argmax(scores))], float(np.mean(shares))
        say(f"generation {number + 1} of {request.generations}: best win share {best:.1%}, mean {middle:.1%}")


def _check(
    request: TuningRequest, setup: EvaluationSetup, weights: NDArray[np.float64], jobs: int | None
) -> dict[int, Check]:
    """Play the weights before and after on the same deals, which the search has not used."""
    blocks = request.blocks(request.held_out)
    held_out = replace(setup, seed=request.seed_for("held-out"))
    with progress_bar(2 * sum(players * count for players, count in blocks.items())) as advance:
        before, after = evaluate(held_out, [request.bot.weights, weights], blocks, jobs, advance)
    checks = {}
    for players, count in blocks.items():
        shares = [found[players].win_share for found in (before, after)]
        differences = shares[1] - shares[0]
        checks[players] = Check(
            games=count * players,
            before=share(clusters_of(shares[0], players)),
            after=share(clusters_of(shares[1], players)),
            difference=mean_difference(differences, count * players),
            deals=count,
            differing=int((np.abs(differences) > SAME).sum()),
        )
    return checks


def _evaluation_setup(request: TuningRequest) -> EvaluationSetup:
    announce_compiler(request.spec, (request.bot, *request.pool), say)
    bot = compile_bot(request.spec, request.bot)
    pool = tuple(compile_bot(request.spec, source) for source in request.pool)
    request.spec.warm()
    return EvaluationSetup(request.spec, request.setups, bot, pool, request.seed_for("training"))


def _save(request: TuningRequest, command: Mapping[str, Any], done: Sequence[Generation]) -> None:
    save_state(request.state, FORMAT, command, [vars(generation) for generation in done])


def _generation(asked: str, scores: list[float], win_shares: list[float]) -> Generation:
    """Return one stored generation; ValueError or TypeError unless all scores are numbers."""
    if not np.isfinite(np.array(scores, dtype=np.float64)).all():
        raise ValueError("a score is not finite")
    return Generation(asked, scores, win_shares)


@dataclass(frozen=True)
class Generation:
    """One generation: a hash of its candidates, and the score and win share of each."""

    asked: str
    scores: list[float]
    win_shares: list[float]


class Evolution:
    """The search: `ask` for candidates, `tell` their scores (more is better), and take `favorite` at the end."""

    def __init__(self, start: NDArray[np.float64], free: Sequence[int], seed: int) -> None:
        """Start the search at `start`, float64[n]; only the weights at the indices `free` change."""
        self.start, self.free = start, list(free)
        # A separate generator, because cma would seed that of the whole process. Verbosity below -9 also reads no file.
        generator = np.random.RandomState([seed & 0xFFFFFFFF, seed >> 32])
        settings = {"seed": np.nan, "randn": generator.randn, "verbose": -10, "verb_log": 0, "verb_disp": 0}
        settings["CMA_stds"] = scales(start)[self.free]
        self._search = cma.CMAEvolutionStrategy(start[self.free], FIRST_STEP, settings)
        self._asked: list[NDArray[np.float64]] = []

    @property
    def size(self) -> int:
        """Return how many candidates a generation has."""
        return int(self._search.popsize)

    def ask(self) -> list[NDArray[np.float64]]:
        """Return the candidates of the next generation, each a complete set of weights, float64[n]."""
        self._asked = self._search.ask()
        return [self._whole(values) for values in self._asked]

    def tell(self, scores: Sequence[float]) -> None:
        """Take the scores of the last candidates that `ask` returned."""
        self._search.tell(self._asked, [-score for score in scores])

    def replay(self, generations: Sequence[Generation], path: Path) -> None:
        """Repeat the generations stored in the file `path`; RogsimError if they do not match."""
        for number, generation in enumerate(generations, start=1):
            if fingerprint(self.ask()) != generation.asked or len(generation.scores) != self.size:
                raise RogsimError(f"{path}: generation {number} cannot be reproduced here; remove the file")
            self.tell(generation.scores)

    def favorite(self) -> NDArray[np.float64]:
        """Return the centre of the search, to six digits. Luck affects it less than the best candidate."""
        middle = self._whole(self._search.result.xfavorite)
        middle[self.free] = [float(f"{value:.6g}") for value in middle[self.free]]
        return middle

    def _whole(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        weights = self.start.copy()
        weights[self.free] = values
        return weights


def scales(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scale of each weight: its absolute value, and for a zero the median of the others (or 1)."""
    sizes = np.abs(weights)
    usual = float(np.median(sizes[sizes > 0])) if (sizes > 0).any() else 1.0
    return np.where(sizes > 0, sizes, usual)


def fingerprint(candidates: Sequence[NDArray[np.float64]]) -> str:
    """Hash candidates: 16 hex digits."""
    return hashlib.sha256(b"".join(candidate.tobytes() for candidate in candidates)).hexdigest()[:16]


def origin(request: TuningRequest, candidates: int, checks: Mapping[int, Check]) -> dict[str, Any]:
    """Return how the weights were made, for their file."""
    return {
        "made_by": f"rogsim {__version__}, CMA-ES by cma {version('cma')}",
        "date": today(),
        "started_from": request.bot.name,
        "kept": [name for place, name in enumerate(request.names) if place not in request.free],
        **identity(request),
        "candidates": candidates,
        "held_out": {
            f"{players}-players": {
                "games": check.games,
                "win_share": _plain(check.after),
                "win_share_before": _plain(check.before),
                "difference": _plain(check.difference),
            }
            for players, check in checks.items()
        },
    }


def _plain(estimate: Estimate) -> list[float]:
    """Return value, low and high, rounded to a hundredth of a percentage point."""
    return [round(value, 4) for value in (estimate.value, estimate.low, estimate.high)]
