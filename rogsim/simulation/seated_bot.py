"""A bot at one seat of one game that is played decision by decision, with its memory and its random numbers."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.game.bot import AgentFault, Bot, ask_agent, in_a_line, make_agent, misplaced
from rogsim.game.compiler import records
from rogsim.game.kit.loop import padded_weights
from rogsim.game.kit.workspace import arguments_of
from rogsim.game.rng import BotRandom
from rogsim.game.rules import Rules, copy_of


class SeatedBot:
    """A bot at a seat, compiled or an agent. It is given the same as in a batch, so it chooses the same."""

    def __init__(self, rules: Rules, setup: Any, state: Any, seat: int, bot: Bot, chance: BotRandom) -> None:
        """Seat a bot in a game that was just set up; ValueError if the game cannot take it."""
        self.bot, self._rules, self._setup, self._seat = bot, rules, setup, seat
        self._chance = chance
        self._agent: Any = None  # created when it is first asked
        self._memory: Any = None
        if bot.agent is None:
            self._memory, self._tables = records(arguments_of(rules), 1)[0], copy_of(rules.tables_of(setup))
            self._memory.memory.weights[:] = padded_weights(bot)
            self._memory.memory.stream.key = rules.bot_key(state, seat)

    def choose(self, view: Any, legal: Sequence[int]) -> int:
        """Return the place on the menu that the bot chooses.

        Parameters
        ----------
        view
            The view of the bot's seat; the bot may overwrite it.
        legal
            The legal actions.

        Raises
        ------
        AgentFault
            If the bot raises an error, or its answer is not on the menu.
        """
        return self._ask_agent(view, legal) if self._memory is None else self._ask_compiled(view, len(legal))

    def _ask_compiled(self, view: Any, count: int) -> int:
        given = self._memory
        try:
            self._rules.legal(self._rules.tables_of(self._setup), view, given.menu)
            place = int(self.bot.choose(self._tables, view, given.menu, given.memory))
        except Warning:  # nobody's fault
            raise
        except Exception as fault:  # a user's bot may fail in any way
            raise AgentFault(f"raised {in_a_line(fault)}") from fault
        if not 0 <= place < count:
            raise AgentFault(misplaced(place, count))
        return place

    def _ask_agent(self, view: Any, legal: Sequence[int]) -> int:
        rules = self._rules
        if self._agent is None:
            assert self.bot.agent is not None
            self._agent = make_agent(self.bot.agent)
        actions = [rules.action_to_dict(self._setup, view, action) for action in legal]
        return ask_agent(self._agent, rules.describe(self._setup, view, self._seat, self._chance), actions)

    def copy(self, chance: BotRandom) -> SeatedBot:
        """Return an independent copy that draws from `chance`; RogsimError for an agent that cannot be copied."""
        other = copy.copy(self)
        other._chance = chance
        if self._memory is not None:
            other._memory, other._tables = copy_of(self._memory), copy_of(self._tables)
        try:
            # An agent may have kept its source of random numbers: its copy must draw from the new one.
            other._agent = copy.deepcopy(self._agent, {id(self._chance): chance})
        except Warning:  # nobody's fault
            raise
        except Exception as fault:  # an agent may hold anything
            raise RogsimError(f'bot "{self.bot.name}" cannot be copied: {in_a_line(fault)}') from fault
        return other


def agent_maker(agent: Any) -> Callable[[], Any]:
    """Return a function that creates an agent from a class, or copies an object."""
    return agent if isinstance(agent, type) else lambda: copy.deepcopy(agent)
