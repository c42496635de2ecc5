"""The bots of a batch: as the play loop takes them, and whose fault it is if one of them goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.game.agents import misplaced
from rogsim.game.bot import Bot, BotFault
from rogsim.game.compiler import compile_for, is_own
from rogsim.game.spec import Batch
from rogsim.games.river_of_gold.components.names import MAX_SEATS
from rogsim.games.river_of_gold.play.engine import CHOOSE
from rogsim.games.river_of_gold.play.workspace import MAX_WEIGHTS


def compile_bot(choose: Callable[..., Any]) -> Any:
    """Compile a bot's `choose` for the signature that the play loop calls."""
    return compile_for(CHOOSE, choose)


def line_up_arrays(
    line_up: tuple[Bot, ...], stand_in: Any = None, watched: str = ""
) -> tuple[tuple[Any, ...], NDArray[np.float64]]:
    """Return a line-up's compiled bots, padded to four, and their weights, padded to the widest.

    Behind the weights of each stands how many of them it can reach: all there is room for, if it is not of the game.
    `stand_in` takes the places of agents, and of the bot that is watched.
    """
    padded = (*line_up, *([line_up[0]] * (MAX_SEATS - len(line_up))))
    weights = np.zeros((MAX_SEATS, MAX_WEIGHTS + 1))
    for row, bot in zip(weights, padded, strict=True):
        if len(bot.weights) > MAX_WEIGHTS:
            raise ValueError(f'bot "{bot.name}" has {len(bot.weights)} weights: {MAX_WEIGHTS} are the most')
        row[: len(bot.weights)] = bot.weights
        row[MAX_WEIGHTS] = len(bot.weights) if bot.choose and is_own(bot.choose) else MAX_WEIGHTS
    return tuple(stand_in if bot.agent or bot.name == watched else bot.choose for bot in padded), weights


def bot_fault(workspace: Any, batch: Batch, what: str = "") -> BotFault:
    """Name the bot that must choose on the workspace as the one that went wrong, by default with a wrong answer."""
    game, row = workspace.game, int(workspace.row)
    bot = batch.line_up[int(batch.seating[row, int(game.actor)])]
    what = what or misplaced(int(workspace.answer), int(workspace.menu.count))
    return BotFault(bot.name, batch.players, int(batch.deals[row]), int(game.turn) + 1, what)
