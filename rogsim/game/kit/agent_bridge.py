"""Agents, bots that are Python objects: the compiled play loop calls back when one of them chooses."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Any

from rogsim.base.signals_and_streams import interrupt
from rogsim.game.agents import AgentFault, ask_agent, make_agent
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.compiler import callback_for
from rogsim.game.kit.line_up import bot_fault
from rogsim.game.kit.loop import ILLEGAL
from rogsim.game.kit.workspace import choose_of
from rogsim.game.rng import BotRandom
from rogsim.game.rules import Rules


class AgentBridge:
    """Connects the agents of a batch to the play loop, which calls `choose` as it does any compiled bot."""

    watched = ""  # the name of a compiled bot that is called through the bridge, too

    def __init__(self, rules: Rules, workspace: Any, setup: Any, batch: Batch) -> None:
        self.rules, self.workspace, self.setup, self.batch = rules, workspace, setup, batch
        self.view, self.menu = workspace.bot_view, workspace.menu
        self.row = -1
        self.agents: dict[int, tuple[Any, BotRandom]] = {}  # of the game on the workspace, by seat
        self.fault: BaseException | None = None
        self.asking = self.interrupted = False
        self.choose = callback_for(choose_of(rules), self._choose)

    def _choose(self, *_: Any) -> int:
        """Return the answer of the agent that is asked, or ILLEGAL: nothing can be raised through compiled code."""
        try:
            self.asking = True
            if self.interrupted:
                raise KeyboardInterrupt
            answer = self._answer()
            self.asking = False
            return answer
        except AgentFault as fault:
            self.fault = bot_fault(self.workspace, self.batch, str(fault))
            self.fault.__cause__ = fault
        except BaseException as fault:  # such as an interrupt; `open` raises it
            self.fault = fault
        self.asking = False
        return ILLEGAL

    def _answer(self) -> int:
        seat = int(self.workspace.seat)
        if self.row != self.workspace.row:
            self.row, self.agents = int(self.workspace.row), {}
        return self.ask(seat, self.batch.line_up[int(self.batch.seating[self.row, seat])])

    def ask(self, seat: int, bot: Bot) -> int:
        """Return the place on the menu that a bot chooses at a seat; AgentFault if it fails."""
        return self.ask_in_words(*self.seated(seat, bot))

    def seated(self, seat: int, bot: Bot) -> tuple[Any, BotRandom]:
        """Return the agent of a seat in this game and its random numbers; both are created at its first choice."""
        if seat not in self.agents:
            assert bot.agent is not None
            self.agents[seat] = make_agent(bot.agent), BotRandom(self.workspace.arguments[seat].memory.stream.key)
        return self.agents[seat]

    def ask_in_words(self, agent: Any, chance: BotRandom) -> int:
        """Show an agent its observation and actions, and return the place of its answer."""
        legal = self.menu.actions[: int(self.menu.count)].tolist()
        actions = [self.rules.action_to_dict(self.setup, self.view, action) for action in legal]
        observation = self.rules.describe(self.setup, self.view, int(self.workspace.seat), chance)
        return ask_agent(agent, observation, actions)

    @contextmanager
    def open(self) -> Iterator[None]:
        """Accept calls while games are played; afterwards raise the error of an agent, if there was one.

        A Ctrl-C during compiled code would be raised on the way to an agent, where nothing can catch it. So it waits
        until an agent is asked, or until play is over.
        """
        before = signal.getsignal(signal.SIGINT)
        mine = before in (signal.default_int_handler, interrupt) and current_thread() is main_thread()
        if mine:
            signal.signal(signal.SIGINT, self._interrupt)
        try:
            yield
        finally:
            if mine:
                signal.signal(signal.SIGINT, before)
        if self.fault is not None:
            raise self.fault
        if self.interrupted:
            raise KeyboardInterrupt

    def _interrupt(self, *_: Any) -> None:
        self.interrupted = True
        if self.asking:
            raise KeyboardInterrupt
