"""Bots as the harness passes them to games, and the error of a bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base.errors import RogsimError


@dataclass(frozen=True)
class Bot:
    """A bot that is ready to play: a compiled `choose` with its weights, or an agent.

    Attributes
    ----------
    agent
        Creates for each game and seat a Python object whose method `choose(observation, actions)` chooses.
    foreign
        Whether it comes from a user's file or another package. Such a bot plays in another process: in this one,
        `choose` and `agent` only say what it is.
    place
        Its name, the folder to which its path is relative, and the hash of its source: how other processes find it.
    """

    name: str
    choose: Any  # compiled for the game's signature; None for an agent
    weights: NDArray[np.float64]
    agent: Callable[[], Any] | None = None
    foreign: bool = False
    place: tuple[str, str, str] | None = None


@dataclass(frozen=True)
class BotInfo:
    """A bot that comes with a game.

    Attributes
    ----------
    plan
        What it tries to do, in one sentence.
    quick_games
        For a slow bot, the most games for a quick check.
    module
        The module with its `choose`, and its weights if it has any; by default that of its name in the package of the
        game's bots.
    choose
        Its function, if the module does not have it under that name.
    """

    name: str
    plan: str
    quick_games: int | None = None
    module: str = ""
    choose: Callable[..., Any] | None = None


def bots_of(package: str, names: Sequence[str], slow: Mapping[str, int]) -> tuple[BotInfo, ...]:
    """Return the bots of a game; the plan of each is the `PLAN` of its module.

    Parameters
    ----------
    package
        The package of their modules.
    names
        The names of the fast bots.
    slow
        The names of the slow bots, each with the most games for a quick check.
    """
    plans = {name: str(import_module(f"{package}.{name}").PLAN) for name in (*names, *slow)}
    return tuple(BotInfo(name, plan, slow.get(name)) for name, plan in plans.items())


class BotFault(RogsimError):  # noqa: N818 - the bot is at fault, not the program
    """A bot raised an error or gave an answer that is not on the menu; names the bot, the deal and the turn."""

    def __init__(self, bot: str, players: int, deal: int, turn: int, what: str) -> None:
        super().__init__(f'bot "{bot}" {what} in deal {deal} with {players} players, turn {turn}')
        self.bot, self.players, self.deal, self.turn, self.what = bot, players, deal, turn, what

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments, so that the error can travel between processes."""
        return type(self), (self.bot, self.players, self.deal, self.turn, self.what)
