"""The bots of a batch as arguments of the play loop, and errors that name the bot at fault."""

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
    """Return the bots and weights of a line-up as the play loop takes them.

    Parameters
    ----------
    line_up
        The bots.
    stand_in
        The function to call for agents and for the bot named `watched`.

    Returns
    -------
    bots
        MAX_SEATS compiled functions; the first bot fills the unused places.
    weights : float64[MAX_SEATS, MAX_WEIGHTS + 1]
        The weights, padded with zeros. The last column is how many of them a bot can change: all that there is memory
        for, if the bot is not part of this package.

    Raises
    ------
    ValueError
        If a bot has more than MAX_WEIGHTS weights.
    """
    padded = (*line_up, *([line_up[0]] * (MAX_SEATS - len(line_up))))
    weights = np.zeros((MAX_SEATS, MAX_WEIGHTS + 1))
    for row, bot in zip(weights, padded, strict=True):
        if len(bot.weights) > MAX_WEIGHTS:
            raise ValueError(f'bot "{bot.name}" has {len(bot.weights)} weights; the maximum is {MAX_WEIGHTS}')
        row[: len(bot.weights)] = bot.weights
        row[MAX_WEIGHTS] = len(bot.weights) if bot.choose and is_own(bot.choose) else MAX_WEIGHTS
    return tuple(stand_in if bot.agent or bot.name == watched else bot.choose for bot in padded), weights


def bot_fault(workspace: Any, batch: Batch, what: str = "") -> BotFault:
    """Return the error of the bot that chooses in the game on the workspace, by default for an invalid answer."""
    game, row = workspace.game, int(workspace.row)
    bot = batch.line_up[int(batch.seating[row, int(game.actor)])]
    what = what or misplaced(int(workspace.answer), int(workspace.menu.count))
    return BotFault(bot.name, batch.players, int(batch.deals[row]), int(game.turn) + 1, what)
