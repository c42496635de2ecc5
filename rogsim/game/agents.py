"""Creating and asking agents: bots that are Python objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rogsim.base.child_process import faults
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
