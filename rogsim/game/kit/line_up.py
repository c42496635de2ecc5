"""The bots of a batch as arguments of the play loop, and errors that name the bot at fault."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.game.agents import misplaced
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot, BotFault
from rogsim.game.compiler import Functions, as_python, is_own
from rogsim.game.kit.search.random import choose as choose_at_random
from rogsim.game.kit.workspace import ASKED, BY_CHANCE, COLUMNS, IN_PLACE, MAX_WEIGHTS, REACH

NO_ACTION = "returned an action that is not legal; return one of menu.actions[: menu.count]"


def line_up_arrays(
    line_up: tuple[Bot, ...], most_seats: int, stand_in: Any = None, watched: str = "", in_place: bool = False
) -> tuple[Functions, NDArray[np.float64]]:
    """Return the bots and weights of a line-up as the play loop takes them.

    Parameters
    ----------
    line_up
        The bots.
    most_seats
        The most seats that the game has.
    stand_in
        The function to call for agents and for the bot named `watched`.
    in_place
        Whether bots of this package read the game itself, which they do not change, not a copy.

    Returns
    -------
    bots
        `most_seats` compiled functions; the first bot fills the unused places.
    weights : float64[most_seats, COLUMNS]
        The weights, padded with zeros. REACH is how many of them a bot can change: all that there is memory for, if the
        bot is not part of this package. ASKED says whether it gets copies, reads the game itself or chooses at random.

    Raises
    ------
    ValueError
        If a bot has more than MAX_WEIGHTS weights.
    """
    padded = (*line_up, *([line_up[0]] * (most_seats - len(line_up))))
    weights = np.zeros((most_seats, COLUMNS))
    bots = Functions(stand_in if bot.agent or bot.name == watched else bot.choose for bot in padded)
    for row, bot, function in zip(weights, padded, bots, strict=True):
        own = bool(bot.choose) and is_own(bot.choose)
        row[:MAX_WEIGHTS] = padded_weights(bot)
        row[REACH] = len(bot.weights) if own else MAX_WEIGHTS
        if in_place and own and function is bot.choose:
            row[ASKED] = BY_CHANCE if as_python(function) is choose_at_random else IN_PLACE
    return bots, weights


def padded_weights(bot: Bot) -> NDArray[np.float64]:
    """Return the weights of a bot, padded with zeros to MAX_WEIGHTS; ValueError if it has more."""
    count = len(bot.weights)
    if count > MAX_WEIGHTS:
        raise ValueError(f'bot "{bot.name}" has {count} weights; the maximum is {MAX_WEIGHTS}')
    padded = np.zeros(MAX_WEIGHTS)
    padded[:count] = bot.weights
    return padded


def bot_fault(workspace: Any, batch: Batch, what: str = "") -> BotFault:
    """Return the error of the bot that was last asked on the workspace, by default for an invalid answer."""
    row = int(workspace.row)
    bot = batch.line_up[int(batch.seating[row, int(workspace.seat)])]
    if getattr(as_python(bot.choose), "made_of_others", False):  # it returns actions, and its wrapper their places
        what = what or NO_ACTION
    what = what or misplaced(int(workspace.answer), int(workspace.menu.count))
    return BotFault(bot.name, batch.players, int(batch.deals[row]), int(workspace.turn) + 1, what)
