"""The rules of a game as functions of a state: enough to play it one decision at a time, and to search in it.

Whoever calls them owns all memory. States, menus and histories are records (`rogsim.game.compiler.records`), which the
functions read and fill, compiled or not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rogsim.game.compiler import records

# The standing of one seat. `rank` 1 is first; tied seats share a rank, and the winners share 1.0 equally.
STANDING = np.dtype([("points", "i8"), ("rank", "i8"), ("win_share", "f8")], align=True)


NO_ACTION = OVER = -1  # given to `Rules.step`, and returned by it


def array_of(record: Any) -> Any:
    """Return an array with a copy of one record; `record.copy()` would leave the gaps between its fields undefined."""
    fresh = records(record.dtype, 1)
    fresh[0] = record
    return fresh


def copy_of(record: Any) -> Any:
    """Return an independent copy of a record."""
    return array_of(record)[0]


@dataclass(frozen=True)
class Rules:
    """The rules of one game.

    A state holds everything that decides how a game goes on: the position, hidden cards, the key of all future chance.
    Seats, decisions and actions are whole numbers from 0. Nothing outside a state changes while a game is played, so a
    copy of a state is a copy of the game.

    Attributes
    ----------
    state, tables, menu, history, bot_memory : dtype
        `state`: one game. `tables`: the parameters of all games of a scenario with one player count, which the rules
        only read. `menu`: the legal actions of one decision, with the fields `count` and `actions` (whole numbers
        [largest menu]), of which the first `count` are in use. `history`: what the rows of a game need besides its
        last state. `bot_memory`: what a compiled bot is given at one seat for one game.
    actions : int
        The number of different actions: every action is one of 0 .. actions - 1.
    tables_of(setup) -> tables record
        The tables in what `GameSpec.prepare` returned.
    begin(tables, state, seed, deal)
        Sets a zeroed state up, to its first decision. The same seed and deal always give the same state.
    legal(tables, state, menu)
        Fills the menu with every legal action of the actor, each once: at least one until the game is over. It depends
        only on what the actor knows, so it may also be called with the view of the actor.
    apply(tables, state, action)
        Carries a legal action of the actor out, with everything up to the next decision. The caller ensures that the
        action is legal.
    is_over(state) -> bool
        Whether the game is over, so that there are no more decisions.
    actor(state) -> int
        The seat that decides; undefined once the game is over.
    turn(state) -> int
        The number of turns before this one.
    observe(state, seat, holder)
        Fills `holder.game` with the view of a seat: a copy of the state in which everything that the seat cannot know
        is zero. A holder is a record of the dtype `Rules.holder`.
    deal_world(tables, view, seat, stream, holder)
        Fills `holder.game` with a whole state that looks to the seat exactly like its view. All that is hidden is dealt
        anew with numbers from `stream`, a `rogsim.game.rng.STREAM` record.
    score(tables, state, standings)
        Fills the STANDING of every seat, records [seats or more], as if the game ended now.
    note(tables, state, history)
        Brings the history up to date. It is called with a zeroed history after `begin`, then after every `apply`.
    write_rows(tables, state, history, seat_rows, game_rows, row)
        Writes a finished game into `game_rows[row]` and `seat_rows[row * seats ...]`, records of the game's columns.
    step(tables, states, histories, menus, action) -> int
        `apply`, `note` and `legal` in one call for Python, which passes arrays to compiled code ten times faster than
        records: all arguments but the action are arrays of one record. Returns the actor, or OVER (-1) once the game
        is over. With NO_ACTION (-1), after `begin`, nothing is applied.
    action_to_dict(setup, state, action) -> dict
        The action in words, as a step of a trace; the state is the one in which it is chosen, or the actor's view.
    describe(setup, view, seat, chance) -> object
        What a Python agent at the seat is shown: the view in words; `chance` are the agent's random numbers.
    bot_key(state, seat) -> uint64
        The key of the random numbers of the bot at a seat. It does not reveal any other chance of the game.
    seat_bot(tables, state, seat, bot, memory)
        Fills the zeroed memory of a compiled `rogsim.game.bot.Bot` as the bot finds it at the start of a game.
    ask(bot, tables, view, memory) -> int
        Lets a compiled bot choose in the view of its seat, and returns its answer: a place on the menu if all is well.
    trace(setup, seed, deal, names, actions) -> dict
        A finished game as a trace: the game is set up and its actions are applied again. `names` are those of the
        bots by seat, `actions` all actions in order.
    """

    state: np.dtype[Any]
    tables: np.dtype[Any]
    menu: np.dtype[Any]
    history: np.dtype[Any]
    bot_memory: np.dtype[Any]
    actions: int
    tables_of: Callable[[Any], Any]
    # Compiled: they can be called from other compiled functions.
    begin: Callable[[Any, Any, int, int], None]
    legal: Callable[[Any, Any, Any], Any]
    apply: Callable[[Any, Any, int], None]
    is_over: Callable[[Any], bool]
    actor: Callable[[Any], int]
    turn: Callable[[Any], int]
    observe: Callable[[Any, int, Any], None]
    deal_world: Callable[[Any, Any, int, Any, Any], None]
    score: Callable[[Any, Any, Any], None]
    note: Callable[[Any, Any, Any], None]
    write_rows: Callable[[Any, Any, Any, Any, Any, int], None]
    bot_key: Callable[[Any, int], Any]
    step: Callable[[Any, Any, Any, Any, int], int]
    # Plain Python.
    action_to_dict: Callable[[Any, Any, int], dict[str, Any]]
    describe: Callable[[Any, Any, int, Any], Any]
    seat_bot: Callable[[Any, Any, int, Any, Any], None]
    ask: Callable[[Any, Any, Any, Any], int]
    trace: Callable[[Any, int, int, Sequence[str], Sequence[int]], Mapping[str, Any]]

    @cached_property
    def holder(self) -> np.dtype[Any]:
        """Return a dtype with the single field `game`, a state: compiled code copies a record by assigning a field."""
        return np.dtype([("game", self.state)], align=True)

    @property
    def largest_menu(self) -> int:
        """Return the most actions that can be legal at once."""
        return int(self.menu["actions"].shape[0])
