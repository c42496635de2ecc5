"""Watching a bot at every choice: how long it takes, and whether what it cannot see makes it choose otherwise."""

from __future__ import annotations

import copy
from collections.abc import Callable
from time import perf_counter
from typing import Any

from rogsim.game.agents import AgentFault, in_a_line
from rogsim.game.bot import Bot
from rogsim.game.compiler import records
from rogsim.game.rng import STREAM
from rogsim.game.spec import Audit, Batch
from rogsim.games.river_of_gold.play.agents import Switchboard
from rogsim.games.river_of_gold.play.determinization import WORLD, deal_world
from rogsim.games.river_of_gold.play.workspace import look

EVERY = 5  # one question of so many is asked again
WORLDS = 2  # so often in a game dealt anew


class Prober(Switchboard):
    """A switchboard that puts the watched bot through, compiled or not, and asks it again now and then."""

    def __init__(self, workspace: Any, setup: Any, batch: Batch, beat: Callable[[], None]) -> None:
        super().__init__(workspace, setup, batch)
        self.tables, self.beat = setup.tables, beat
        self.watched = batch.line_up[0].name
        self.probe = Audit()
        self.stream, self.world = records(STREAM, 1)[0], records(WORLD, 1)[0]

    def ask(self, seat: int, bot: Bot) -> int:
        """Return the place that a bot chooses at a seat, and note what there is to note about it."""
        if bot.name != self.watched:
            return super().ask(seat, bot)
        probe = self.probe
        probe.questions += 1
        again = probe.questions % EVERY == 0
        copies = self._copies(seat, bot) if again else None
        self.beat()
        begin = perf_counter()
        place = self._ask_once(seat, bot, None)
        taken = perf_counter() - begin
        self.beat()
        probe.seconds += taken
        probe.slowest = max(probe.slowest, taken)
        if copies is not None:
            self._ask_again(seat, bot, place, copies)
        return place

    def _ask_once(self, seat: int, bot: Bot, agent: Any) -> int:
        """Ask the bot of a seat about what lies on the workspace; an agent may be given that is asked in its stead."""
        if bot.agent is not None:
            return self.ask_in_words(*(agent or self.seated(seat, bot)))
        corner = self.workspace.corners[seat]
        try:
            return int(bot.choose(corner.tables, self.view, corner.menu, corner.own))
        except Exception as fault:
            raise AgentFault(f"raised {in_a_line(fault)}") from fault

    def _copies(self, seat: int, bot: Bot) -> list[Any] | None:
        """Return all that the bot has of its own before it is asked, so often as it will be asked again."""
        if bot.agent is None:
            return [self.workspace.corners[seat].copy() for _ in range(1 + WORLDS)]
        try:
            return [copy.deepcopy(self.seated(seat, bot)) for _ in range(1 + WORLDS)]
        except Exception:  # an agent may hold what cannot be copied
            self.probe.uncopied += 1
            return None

    def _ask_again(self, seat: int, bot: Bot, place: int, copies: list[Any]) -> None:
        """Ask about the same game, then about others that look the same; leave the workspace as it was."""
        workspace, probe = self.workspace, self.probe
        game, corner = workspace.game.copy(), workspace.corners[seat].copy()
        here = (int(self.batch.deals[self.row]), int(game.turn) + 1)
        probe.checked += 1
        if self._choice(seat, bot, copies[0]) != place:
            probe.moody.append(here)
        else:
            for left in copies[1:]:
                workspace.game = game
                look(workspace, seat)
                deal_world(self.tables, workspace.seen, seat, self.stream, self.world)
                workspace.game = self.world.game
                if self._choice(seat, bot, left) != place:
                    probe.peeked.append(here)
                    break
        workspace.game = game
        workspace.corners[seat] = corner
        look(workspace, seat)

    def _choice(self, seat: int, bot: Bot, left: Any) -> int | None:
        """Return the choice of a bot that is as it was left; None if it goes wrong."""
        look(self.workspace, seat)
        if bot.agent is None:
            self.workspace.corners[seat] = left
        self.beat()
        try:
            return self._ask_once(seat, bot, left)
        except AgentFault:
            return None
        finally:
            self.beat()
