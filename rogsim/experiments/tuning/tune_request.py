"""What to tune, checked in full before anything is played."""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rogsim.base.validation import unknown_key
from rogsim.base.version import __version__
from rogsim.bots.bot_names import read_bot_name
from rogsim.bots.loading import BotSource, find_bot
from rogsim.experiments.continued import check_range, check_target
from rogsim.experiments.tuning.evolution import TuningError
from rogsim.game import compiler
from rogsim.game.registry import RegistryError, get_game
from rogsim.game.spec import GameSpec
from rogsim.scenario.arguments import read_options, read_players
from rogsim.scenario.axes import MOST_GAMES
from rogsim.scenario.fingerprint import engine_hash
from rogsim.scenario.model import MOST_SEEDS

MOST_GENERATIONS = 100_000
FEWEST_HELD_OUT = 100  # games: fewer would show nothing


@dataclass(frozen=True)
class TuningRequest:
    """A checked tuning request. `games` and `held_out` count games per player count."""

    spec: GameSpec
    setups: Mapping[int, Any]
    options: Mapping[str, Any]
    bot: BotSource
    pool: tuple[BotSource, ...]
    free: tuple[int, ...]  # indices of the weights that may change
    games: int
    generations: int
    held_out: int
    seed: int
    out: Path

    @property
    def bot_name(self) -> str:
        """Return the name of the bot without its file of weights."""
        return read_bot_name(self.bot.name).base

    @property
    def state(self) -> Path:
        """Return the file with the state needed to continue."""
        return self.out.with_name(f"{self.out.name}.state.json")

    @property
    def names(self) -> Sequence[str]:
        """Return the names of the weights, or their numbers from 1 if they have none."""
        return names_of(self.bot)

    def seed_for(self, purpose: str) -> int:
        """Return the seed for a purpose; no two purposes share games with each other or with a run of that seed."""
        digest = hashlib.sha256(f"{purpose} {self.seed}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % MOST_SEEDS

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
    TuningError, ScenarioError
        If the tuning cannot start.
    """
    check_range("--games", games, 1, MOST_GAMES, TuningError)
    check_range("--generations", generations, 1, MOST_GENERATIONS, TuningError)
    check_range("--held-out", held_out, FEWEST_HELD_OUT, MOST_GAMES, TuningError)
    check_range("--seed", seed, 0, MOST_SEEDS - 1, TuningError)
    spec = get_game(game)
    source = find_bot(spec, bot, Path())
    if not len(source.weights):
        raise TuningError(f'bot "{bot}" has no weights to tune')
    if not against:
        raise TuningError("--against: name at least one bot")
    try:
        pool = tuple(find_bot(spec, name, Path()) for name in against)
    except RegistryError as fault:
        raise TuningError(f"--against: {fault}") from fault
    agents = [source.name for source in pool if source.agent is not None]
    if agents:
        raise TuningError(f'--against: "{agents[0]}" is a Python object, but tuning plays only compiled functions')
    repeated = [name for name in against if list(against).count(name) > 1]
    if repeated:
        raise TuningError(f'--against: "{repeated[0]}" is listed twice')
    counts = read_players(spec, players)
    options = read_options(spec, words or {})
    try:
        setups = {count: spec.set_up(options, count) for count in counts}
    except ValueError as fault:
        raise TuningError(str(fault)) from fault
    check_target(out, TuningError)
    free = _free(source, keep)
    chosen = options.model_dump(mode="json")
    return TuningRequest(spec, setups, chosen, source, pool, free, games, generations, held_out, seed, out)


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
        "rules": [request.spec.version, compiler.source_hash(), engine_hash(request.spec.bots_package)],
        "versions": {name: version(name) for name in ("cma", "numpy")} | {"rogsim": __version__},
    }


def names_of(source: BotSource) -> Sequence[str]:
    """Return the names of the weights, or their numbers from 1 if they have none."""
    return source.weight_names or [str(place) for place in range(1, len(source.weights) + 1)]


def _free(source: BotSource, keep: Sequence[str]) -> tuple[int, ...]:
    names = names_of(source)
    kept = set()
    for pattern in keep:
        found = fnmatch.filter(names, pattern)
        if not found:
            raise TuningError(f'--keep: "{pattern}" is {unknown_key(pattern, names)}')
        kept.update(found)
    free = tuple(place for place, name in enumerate(names) if name not in kept)
    if not free:
        raise TuningError("--keep: leaves no weight to tune")
    return free
