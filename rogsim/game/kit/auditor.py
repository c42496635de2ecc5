"""Auditing a bot: how long each choice takes, and whether hidden information or anything else changes it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from time import perf_counter
from typing import Any

from rogsim.game.agents import AgentFault, in_a_line
from rogsim.game.batches import Audit, Batch
from rogsim.game.bot import Bot
from rogsim.game.compiler import records
from rogsim.game.kit.agent_bridge import AgentBridge
from rogsim.game.kit.workspace import make_view
from rogsim.game.rng import STREAM
from rogsim.game.rules import Rules

EVERY = 5  # every fifth question is asked again
WORLDS = 2  # games with hidden information dealt anew in which it is asked again
DOUBTS = 30  # times that the same question is asked before a bot is said to use hidden information


class Auditor(AgentBridge):
    """A bridge that also calls the audited bot, compiled or not, and asks some of its questions again."""

    def __init__(self, rules: Rules, workspace: Any, setup: Any, batch: Batch, beat: Callable[[], None]) -> None:
        super().__init__(rules, workspace, setup, batch)
        self.tables, self.beat = rules.tables_of(setup), beat
        self.watched = batch.line_up[0].name
        self.audit = Audit()
        self.stream, self.world = records(STREAM, 1)[0], records(rules.holder, 1)[0]

    def ask(self, seat: int, bot: Bot) -> int:
        """Return the place on the menu that a bot chooses at a seat; record the choice if the bot is audited."""
        if bot.name != self.watched:
            return super().ask(seat, bot)
        audit = self.audit
        audit.questions += 1
        again = audit.questions % EVERY == 0
        copies = self._copies(seat, bot) if again else None
        self.beat()
        begin = perf_counter()
        place = self._ask_once(seat, bot, None)
        taken = perf_counter() - begin
        self.beat()
        audit.seconds += taken
        audit.slowest = max(audit.slowest, taken)
        if copies is not None:
            self._ask_again(seat, bot, place, copies)
        return place

    def _ask_once(self, seat: int, bot: Bot, agent: Any) -> int:
        """Ask the bot of a seat about the game on the workspace; `agent`, if given, answers instead of the seat's."""
        if bot.agent is not None:
            return self.ask_in_words(*(agent or self.seated(seat, bot)))
        arguments = self.workspace.arguments[seat]
        try:
            return int(bot.choose(arguments.tables, self.view, arguments.menu, arguments.memory))
        except Warning:  # nobody's fault
            raise
        except Exception as fault:
            raise AgentFault(f"raised {in_a_line(fault)}") from fault

    def _copies(self, seat: int, bot: Bot) -> list[Any] | None:
        """Copy the bot's memory before it is asked: one for each time it will be asked again, and one to copy again."""
        memory = self.workspace.arguments[seat] if bot.agent is None else self.seated(seat, bot)
        try:
            return [_copied(memory, bot) for _ in range(1 + WORLDS + 1)]
        except Exception:  # an agent may hold something that cannot be copied
            self.audit.uncopied += 1
            return None

    def _ask_again(self, seat: int, bot: Bot, place: int, copies: list[Any]) -> None:
        """Ask about the same game, then about others that look the same; leave the workspace unchanged."""
        workspace, audit = self.workspace, self.audit
        game, arguments = workspace.game.copy(), workspace.arguments[seat].copy()
        question = (int(self.batch.deals[self.row]), int(workspace.turn) + 1)
        audit.checked += 1
        if self._choice(seat, bot, copies[0]) != place:
            audit.inconsistent.append(question)
        elif any(self._choice_elsewhere(seat, bot, game, memory) != place for memory in copies[1:-1]):
            # A bot with its own random numbers gives the same answer twice by chance.
            workspace.game = game
            same = all(self._choice(seat, bot, _copied(copies[-1], bot)) == place for _ in range(DOUBTS))
            (audit.peeking if same else audit.inconsistent).append(question)
        workspace.game = game
        workspace.arguments[seat] = arguments
        make_view(workspace, seat)

    def _choice_elsewhere(self, seat: int, bot: Bot, game: Any, memory: Any) -> int | None:
        """Return the choice of a bot in a game that looks the same, with all that is hidden from it dealt anew."""
        self.workspace.game = game
        make_view(self.workspace, seat)
        self.rules.deal_world(self.tables, self.workspace.bot_view, seat, self.stream, self.world)
        self.workspace.game = self.world.game
        return self._choice(seat, bot, memory)

    def _choice(self, seat: int, bot: Bot, memory: Any) -> int | None:
        """Return the choice of a bot with the given memory; None if it fails."""
        make_view(self.workspace, seat)
        if bot.agent is None:
            self.workspace.arguments[seat] = memory
        self.beat()
        try:
            return self._ask_once(seat, bot, memory)
        except AgentFault:
            return None
        finally:
            self.beat()


def _copied(memory: Any, bot: Bot) -> Any:
    """Return a copy of an agent, or of the arguments of a bot that is a function."""
    return memory.copy() if bot.agent is None else copy.deepcopy(memory)
