"""Asking a bot about a table: for tests of how it chooses."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import records
from rogsim.game.functions import callable_by_rules
from rogsim.game.kit.workspace import BOT_MEMORY, make_view
from rogsim.games.river_of_gold.bots.plan import SCRATCH
from rogsim.games.river_of_gold.rules.actions import MENU
from rogsim.games.river_of_gold.rules.legal import legal
from tests.games.river_of_gold.games import bot
from tests.games.river_of_gold.table import Step, Table

legal = callable_by_rules(legal)


class Mind:
    """A bot's memory, and its answers at a table."""

    def __init__(self, name: str, number: int = 1) -> None:
        self.bot = bot(name)
        self.memory = records(BOT_MEMORY, 1)[0]
        self.memory.weights[: len(self.bot.weights)] = self.bot.weights
        self.memory.stream.key = number
        self.menu = records(MENU, 1)[0]

    @property
    def drawn(self) -> int:
        """How many numbers it took from its stream."""
        return int(self.memory.stream.count)

    def see(self, table: Table) -> Any:
        """List what is on offer, and return the view of who must choose."""
        legal(table.tables, table.game, self.menu)
        make_view(table.workspace, table.chooser)
        return table.workspace.bot_view

    def choose(self, table: Table) -> int:
        """The action that the bot chooses for whoever must choose."""
        view = self.see(table)
        place = self.bot.choose(table.tables, view, self.menu, self.memory)
        assert 0 <= place < self.menu.count
        return int(self.menu.actions[place])

    def play(self, table: Table) -> list[Step]:
        """Choose until the next turn; return the steps of the one that was played."""
        turn, steps = int(table.game.turn), []
        while not table.over and table.game.turn == turn:
            action = self.choose(table)
            steps.append(table.menu()[action])
            table.recorder.take(action)
        return steps


def scratch() -> Any:
    """Memory for the bots that plan."""
    return records(SCRATCH, 1)
