"""Bots as the harness passes them to games, compiled or as Python objects (agents), and what they do wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base.child_process import faults
from rogsim.base.errors import RogsimError
from rogsim.base.numbers import as_whole

LONGEST = 200  # characters of an answer or an error that are shown


class AgentFault(Exception):  # noqa: N818 - the agent is at fault, not the program
    """What an agent did wrong when it was created or asked, in a few words."""


def make_agent(make: Callable[[], Any]) -> Any:
    """Create an agent for one seat of one game; AgentFault if that fails."""
    try:
        return make()
    except Warning:  # nobody's fault
        raise
    except faults() as fault:
        raise AgentFault(f"could not be created: it raised {in_a_line(fault)}") from fault


def ask_agent(agent: Any, observation: Any, actions: Sequence[Mapping[str, Any]]) -> int:
    """Let an agent choose, and return the place of its choice on the menu.

    Parameters
    ----------
    observation, actions
        What the agent is shown; it receives copies of the actions.

    Raises
    ------
    AgentFault
        If the agent raises an error, or its answer is neither one of the actions nor the place of one.
    """
    try:
        answer = agent.choose(observation, [dict(action) for action in actions])
    except Warning:  # nobody's fault
        raise
    except faults() as fault:
        raise AgentFault(f"raised {in_a_line(fault)}") from fault
    if isinstance(answer, Mapping):
        if answer not in actions:
            raise AgentFault(f"answered {shortened(answer)}, which is not on the menu of {len(actions)} actions")
        return actions.index(answer)
    place = as_whole(answer)
    if place is None:
        raise AgentFault(f"answered {shortened(answer)}, which is neither an action nor its place")
    if not 0 <= place < len(actions):
        raise AgentFault(misplaced(place, len(actions)))
    return place


def misplaced(place: int, count: int) -> str:
    """Return a description of an answer whose place is not on the menu."""
    return f"answered place {place} of a menu of {count}"


def in_a_line(fault: BaseException) -> str:
    """Return an error with its type, as one line of limited length."""
    text = " ".join(str(fault).split())
    return f"{type(fault).__name__}: {text[:LONGEST]}" if text else type(fault).__name__


def shortened(answer: Any) -> str:
    """Return an answer of a bot as one line of limited length."""
    try:
        text = " ".join(repr(answer).split())
    except Exception:  # the answer may be any object
        text = f"a {type(answer).__name__}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


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


class BotFault(RogsimError):  # noqa: N818 - the bot is at fault, not the program
    """A bot raised an error or gave an answer that is not on the menu; names the bot, the deal and the turn."""

    def __init__(self, bot: str, players: int, deal: int, turn: int, what: str) -> None:
        super().__init__(f'bot "{bot}" {what} in deal {deal} with {players} players, turn {turn}')
        self.bot, self.players, self.deal, self.turn, self.what = bot, players, deal, turn, what

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments, so that the error can travel between processes."""
        return type(self), (self.bot, self.players, self.deal, self.turn, self.what)
