"""The play loop: ask the bot of the seat that chooses, apply its answer, until the game is over."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.game.bot import Bot
from rogsim.game.compiler import ENABLED, Functions, as_python, is_own, kernel, part
from rogsim.game.kit import calls
from rogsim.game.kit.bots import choose_at_random
from rogsim.game.kit.menus import at
from rogsim.game.kit.workspace import (
    ASKED,
    BY_CHANCE,
    COLUMNS,
    IN_PLACE,
    MAX_NOTES,
    MAX_WEIGHTS,
    REACH,
    WITH_COPIES,
    make_view,
    note_decision,
    note_end,
    start_history,
)
from rogsim.game.rng import advanced, fresh_key, scaled
from rogsim.game.rules import BLOCK, MOST_DECISIONS, NO_ACTION, OVER


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


ILLEGAL = -1


@part
def decide(tables: Any, workspace: Any, bots: Any, bot: int) -> int:
    """Return the action that the bot of the actor chooses, or ILLEGAL. A single legal action needs no asking."""
    seat = calls.actor(workspace.game)
    menu = workspace.arguments[at(seat)].menu
    calls.legal(tables, workspace.game, menu)
    if menu.count <= 0:
        return nothing_legal(workspace, seat)
    asked = workspace.asked[at(bot)]
    if asked == BY_CHANCE:  # sees only how many actions there are, so nothing needs hiding from it
        return menu.actions[at(choose_by_chance(workspace, seat, menu.count))]
    if menu.count == 1:
        return menu.actions[0]
    workspace.seat = seat
    workspace.turn = calls.turn(workspace.game)
    if asked == IN_PLACE:
        return ask_in_place(tables, workspace, bots, bot, seat)
    return ask_with_copies(workspace, bots, bot, seat)


@part
def nothing_legal(workspace: Any, seat: int) -> int:
    """Note that the rules leave a seat no action, and return ILLEGAL."""
    workspace.seat = seat
    workspace.menu.count = 0
    return ILLEGAL


@part
def choose_by_chance(workspace: Any, seat: int, count: int) -> int:
    """Return a random place on a menu, as `draw` does; its number is ready, and the next one is computed now.

    A single action takes no number. A processor cannot predict where there is one, so this is no branch.
    """
    number, stream = workspace.next_number[at(seat)], workspace.arguments[at(seat)].memory.stream
    workspace.next_number[at(seat)] = advanced(stream, np.uint64(count > 1))
    return scaled(number, count)


@part
def ask_in_place(tables: Any, workspace: Any, bots: Any, bot: int, seat: int) -> int:
    """Return the action of a bot that reads the game itself, of which everything that it may not see is set aside."""
    game, arguments = workspace.game, workspace.arguments[at(seat)]
    calls.set_aside(game, seat, workspace.hidden)
    choice = bots[bot](tables, game, arguments.menu, arguments.memory)
    calls.put_back(game, seat, workspace.hidden)
    return action_at(workspace, arguments.menu, choice)


@part
def ask_with_copies(workspace: Any, bots: Any, bot: int, seat: int) -> int:
    """Return the action of a bot that may overwrite what it is given, but for its tables."""
    arguments = workspace.arguments[at(seat)]
    copy_menu(workspace, arguments.menu)
    make_view(workspace, seat)
    choice = bots[bot](workspace.tables[at(bot)], workspace.bot_view, arguments.menu, arguments.memory)
    return action_at(workspace, workspace.menu, choice)


@part
def action_at(workspace: Any, menu: Any, choice: int) -> int:
    """Return the action at a place on a menu, or ILLEGAL."""
    if choice < 0 or choice >= menu.count:
        workspace.answer = choice
        workspace.menu.count = menu.count
        return ILLEGAL
    return menu.actions[at(choice)]


if ENABLED:

    @part
    def copy_menu(workspace: Any, shown: Any) -> None:
        """Copy the menu that a bot is shown, because the bot may overwrite its own; in blocks, which is faster."""
        menu = workspace.menu
        menu.count = shown.count
        copied, actions = menu.actions, shown.actions
        for first in range(0, shown.count, BLOCK):
            copy_first(actions[first:], copied[first:], BLOCK)

    @part
    def copy_first(items: Any, copied: Any, count: int) -> None:
        """Copy the first of some items."""
        for i in range(count):
            copied[i] = items[i]

else:

    def copy_menu(workspace: Any, shown: Any) -> None:
        """Do the same."""
        workspace.menu = shown

    def copy_first(items: Any, copied: Any, count: int) -> None:
        """Copy the first of some items together: a loop is slow here."""
        copied[:count] = items[:count]


@kernel
def begin(tables: Any, workspace: Any, seed: int, deal: int) -> None:
    """Set up a game in the workspace."""
    workspace.game = workspace.blank
    calls.begin(tables, workspace.game, seed, deal)
    start_history(workspace.history)


@part
def prepare_arguments(tables: Any, workspace: Any, weights: Any) -> None:
    """Prepare for each bot of the line-up what it is given at the start of every game."""
    workspace.reach = 0
    for bot in range(len(workspace.fresh)):
        workspace.tables[bot] = tables
        copy_first(weights[bot], workspace.fresh[bot].memory.weights, MAX_WEIGHTS)
        workspace.reach = max(int(workspace.reach), int(weights[bot, REACH]))
        workspace.asked[bot] = int(weights[bot, ASKED])


@part
def seat_bots(workspace: Any, seating: Any) -> None:
    """Reset what the bot of each seat is given, so that no bot can remember an earlier game."""
    for seat in range(len(seating)):
        seat_bot(workspace, seat, int(seating[seat]), calls.bot_key(workspace.game, seat))


@part
def seat_bot(workspace: Any, seat: int, bot: int, key: Any) -> None:
    """Reset what a bot is given at a seat; `key` is that of its random numbers."""
    arguments = workspace.arguments[seat]
    memory = arguments.memory
    memory.stream.count = 0
    memory.stream.key = key
    if workspace.asked[bot] == BY_CHANCE:  # the play loop draws for it: it never sees the rest
        workspace.next_number[seat] = fresh_key(memory.stream)
        return
    fresh = workspace.fresh[bot]
    if workspace.asked[bot] == WITH_COPIES:
        arguments.menu = fresh.menu
    copy_first(fresh.memory.notes, memory.notes, MAX_NOTES)
    copy_first(fresh.memory.weights, memory.weights, workspace.reach)


@kernel
def play_games(
    tables: Any,
    workspace: Any,
    bots: Any,
    weights: Any,
    seed: int,
    deals: Any,
    seating: Any,
    seat_rows: Any,
    game_rows: Any,
    log: Any,
) -> int:
    """Play one game for each row and write the outcomes.

    Parameters
    ----------
    tables
        Record of the parameters, `Rules.tables`.
    workspace
        Record of the dtype `workspace_of(rules)`.
    bots
        As many first-class functions of the signature `choose_of(rules)` as the game has seats at most.
    weights : float64[bots, COLUMNS]
        The weights of each bot, and the columns REACH and ASKED.
    seed
        The seed of the batch.
    deals : int64[n]
        The number of the deal of each game.
    seating : int8[n, players]
        The bot at each seat of each game.
    seat_rows, game_rows
        Records [n * players] and [n] to fill.
    log : int64[m]
        Receives the first m actions of the last game.

    Returns
    -------
    int
        The number of games played: fewer than n if a bot gave an answer that is not on the menu, if the rules left no
        action, or if a game did not end within MOST_DECISIONS.
    """
    game, history = workspace.game, workspace.history
    history.most_turns = 0
    watched = 0 if len(log) > 0 else MOST_DECISIONS  # from which decision on there is more to do than to play
    prepare_arguments(tables, workspace, weights)
    for row in range(len(deals)):
        workspace.row = row
        begin(tables, workspace, seed, deals[row])
        seat_bots(workspace, seating[row])
        while not calls.is_over(game):
            action = decide(tables, workspace, bots, int(seating[row, at(calls.actor(game))]))
            if action == ILLEGAL:
                return row
            if history.decisions >= watched:
                if history.decisions >= MOST_DECISIONS:
                    return row
                if history.decisions < len(log):
                    log[history.decisions] = action
            calls.apply(tables, game, action)
            note_decision(game, history)
        note_end(game, history)
        calls.score(tables, game, workspace.scores)
        calls.write_rows(tables, game, workspace.scores, history, seat_rows, game_rows, row)
    return len(deals)


@kernel
def observe(states: Any, seat: int, views: Any) -> None:
    """Make the view of a seat; both arguments are arrays of one record, as in `step`."""
    views[0] = states[0]
    calls.hide(views[0], seat)


@kernel
def step(tables: Any, states: Any, histories: Any, menus: Any, action: int) -> int:
    """Carry out one decision and list the next legal actions, in a single call from Python.

    Python passes arrays to compiled code ten times faster than records, so all arguments but the last are arrays of
    one record.

    Returns
    -------
    int
        The actor, or OVER. With NO_ACTION, after a game was set up, nothing is carried out.
    """
    state, history = states[0], histories[0]
    if action != NO_ACTION:
        calls.apply(tables[0], state, action)
        note_decision(state, history)
    if calls.is_over(state):
        note_end(state, history)
        return OVER
    calls.legal(tables[0], state, menus[0])
    return calls.actor(state)
