"""What a session is asked to play: the game or scenario, and the bots at the seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rogsim.base.errors import RogsimError
from rogsim.base.validation import not_allowed
from rogsim.base.whole_numbers import as_whole
from rogsim.bots.loading import FUNCTION, compile_bot, find_bot, must_compile
from rogsim.game.agents import shortened
from rogsim.game.bot import Bot
from rogsim.game.compiler import compiling_alone
from rogsim.game.registry import game_names, get_game
from rogsim.game.spec import GameSpec
from rogsim.scenario.model import Experiment, Scenario, load
from rogsim.simulation.seated_bot import agent_maker


class SessionError(RogsimError, ValueError):
    """Something that a session does not allow: a game that cannot begin, an action that is not legal."""


def check_whole(name: str, value: Any, bound: int) -> int:
    """Return a whole number in 0..bound-1; SessionError for anything else."""
    whole = as_whole(value)
    if whole is None or not 0 <= whole < bound:
        raise SessionError(f"{name}: {shortened(value)} is not allowed: must be a whole number from 0 to {bound - 1:,}")
    return whole


def read_game(
    source: str | Path | Mapping[str, Any] | Scenario | None,
    players: int | None,
    seed: int | None,
    options: Mapping[str, Any] | None,
    change: Mapping[str, Any] | None,
) -> tuple[Experiment, int]:
    """Read and check a game or a scenario, and return it with the number of players."""
    keys: dict[str, Any] = {"seed": _plain(seed), "options": options, "change": change}
    if players is not None:
        keys["players"] = (_plain(players),)
    if source is None or (isinstance(source, str) and not _is_path(source)):
        spec = get_game(source)
        count = max(spec.players)
        known = {"game": spec.id, "games": 1, "players": (count,), "seed": 0, "bots": (spec.bots[0].name,)}
        experiment = load({}, known | {key: value for key, value in keys.items() if value is not None})
    elif isinstance(source, str | Path | Mapping | Scenario):
        experiment = load(source, keys, run_programs=False)
    else:
        rule = "name a game or a scenario file, or give the keys of a scenario"
        raise SessionError(f"{shortened(source)} is not allowed: {rule}")
    counts = experiment.scenario.players
    if len(counts) > 1:
        rule = "choose one of " + ", ".join(map(str, counts))
        raise SessionError(f"players: the scenario has {len(counts)} player counts: {rule}")
    return experiment, counts[0]


def _is_path(source: str) -> bool:
    """Return whether a text is the path of a scenario rather than the id of a game."""
    return source not in game_names() and (source.endswith(".toml") or "/" in source)


def _plain(value: Any) -> Any:
    """Return whole numbers of other libraries as Python's."""
    whole = as_whole(value)
    return value if whole is None else whole


def ready_bots(spec: GameSpec, bots: Any, players: int, folder: Path) -> list[Bot | None]:
    """Return the bot of each seat, ready to play.

    Parameters
    ----------
    bots
        As `Session.new` takes them.
    folder
        Where the paths of bots start.
    """
    if bots is None or isinstance(bots, str | Bot) or not isinstance(bots, Sequence):
        bots = [bots] * players
    if len(bots) != players:
        rule = "name one bot for all seats, or one for each seat (None to play it by hand)"
        raise SessionError(f"bots: {not_allowed(len(bots), f'there are {players} seats; {rule}')}")
    names = dict.fromkeys(bot for bot in bots if isinstance(bot, str))
    sources = {name: find_bot(spec, name, folder, here=True) for name in names}
    with compiling_alone(lambda: any(must_compile(spec, source) for source in sources.values())):
        ready = {name: compile_bot(spec, source) for name, source in sources.items()}
    return [ready[bot] if isinstance(bot, str) else _as_bot(bot) for bot in bots]


def _as_bot(bot: Any) -> Bot | None:
    if bot is None or isinstance(bot, Bot):
        return bot
    if not callable(getattr(bot, FUNCTION, None)):
        rule = f"give a name, a Bot, an object with a method `{FUNCTION}`, or None"
        raise SessionError(f"bots: {shortened(bot)} is not a bot: {rule}")
    named = bot if isinstance(bot, type) else type(bot)
    return Bot(named.__name__, None, np.zeros(0), agent_maker(bot), foreign=True)
