"""The rules of a game as functions of a state: all that playing it needs, in batches or one decision at a time.

Whoever calls them owns all memory. States, menus and scores are records (`rogsim.game.compiler.records`), which the
functions read and fill, compiled or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from rogsim.game.compiler import note_sources, records
from rogsim.game.functions import callable_by_rules
from rogsim.game.kit import state_fields
from rogsim.game.records import record

if TYPE_CHECKING:
    from rogsim.game.kit.recording import Recorder
    from rogsim.game.kit.vector import VectorField

NO_ACTION = OVER = -1  # in place of an action, and of the actor
MOST_DECISIONS = 1_000_000  # of one game: one that goes on for longer never ends
BLOCK = 16  # a menu is copied in blocks of this many actions
COMPILED = (  # functions of `Rules`
    *("begin", "legal", "apply", "is_over", "actor", "turn", "seats", "points", "scorings", "keep_sources", "hide"),
    *("set_aside", "put_back", "deal_world", "score", "write_rows", "bot_key"),
)
NOTHING = np.dtype([("nothing", "u1")])  # for games that set nothing aside


def menu_of(most: int) -> np.dtype[Any]:
    """Return the dtype of a menu for up to `most` actions: `count`, and `actions`, of which the first are in use."""
    return record([("count", "i4"), ("actions", "i2", (-(-most // BLOCK) * BLOCK,))])


def array_of(record: Any) -> Any:
    """Return an array with a copy of one record; `record.copy()` would leave the gaps between its fields undefined."""
    fresh = records(record.dtype, 1)
    fresh[0] = record
    return fresh


def copy_of(record: Any) -> Any:
    """Return an independent copy of a record."""
    return array_of(record)[0]


@dataclass(frozen=True, eq=False, kw_only=True)
class Rules:
    """The rules of one game.

    A state holds everything that decides how a game goes on: the position, hidden cards, the key of all future chance.
    Seats, decisions and actions are whole numbers from 0. Nothing outside a state changes while a game is played, so a
    copy of a state is a copy of the game.

    The functions up to `bot_key` are plain ones, which are compiled (`rogsim.game.functions`). By default,
    `actor`, `turn` and `seats` return the fields of the state with these names, `points` returns
    `players[seat].points`, and `tables_of` returns the attribute `tables` of the set-up.

    Attributes
    ----------
    state, tables, menu, scores : dtype
        `state`: one game; no two games share a dtype. `tables`: the parameters of all games of a scenario with one
        player count, which the rules only read. `menu`: the legal actions of one decision, as `menu_of` returns it.
        `scores`: the final scoring of one seat, with the fields `points`, `rank` (1 = first, ties share it) and
        `win_share` (1.0 for a winner, shared equally by several), and others as the game likes.
    actions, most_seats : int
        The number of different actions: every action is one of 0 .. actions - 1. The most seats of a game.
    hidden : dtype
        What `set_aside` keeps; by default no bot reads the game itself.
    most_turns : int
        The most turns for which the points after each turn are kept; 0 for a game that does not want them.
    sources : int
        The number of sources of points during play that are kept, too; 0 for a game that does not want them.
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
    seats(state) -> int
        The number of seats.
    points(state, seat) -> int
        The points of a seat so far, before any final scoring; 0 for a seat that is empty.
    scorings(state) -> int
        How often the points of seats have changed so far. A game that does not count that keeps the default, and all
        points are compared after every turn.
    keep_sources(state, seat, kept)
        Writes these points by source into `kept`, int16[sources - 1], without the first source: the rest is its own.
    hide(view, seat)
        Turns a copy of a state into the view of a seat: everything that the seat cannot know becomes zero.
    set_aside(state, seat, hidden), put_back(state, seat, hidden)
        The first turns a state itself into the view of a seat, and keeps what `hide` would hide in a record of the
        dtype `hidden`; the second reverses that. Games of this package give them, so that their own bots, which only
        read, are spared a copy.
    deal_world(tables, view, seat, stream, holder)
        Fills `holder.game` with a whole state that looks to the seat exactly like its view. All that is hidden is dealt
        anew with numbers from `stream`, a `rogsim.game.rng.STREAM` record. A holder is a record of the dtype `holder`.
    score(tables, state, scores)
        Fills the scores of all seats, records [seats or more], as if the game ended now.
    write_rows(tables, state, scores, history, seat_rows, game_rows, row)
        Writes a finished game into `game_rows[row]` and `seat_rows[row * seats ...]`, records of the game's columns.
        `history` has the number of `decisions`, and the `points` after each turn [turn, seat], also by source
        (`sources`, [turn, seat, source], without the first one).
    bot_key(state, seat) -> uint64
        The key of the random numbers of the bot at a seat. It does not reveal any other chance of the game.
    tables_of(setup) -> tables record
        The tables in what `GameSpec.prepare` returned.
    action_to_dict(setup, state, action) -> dict
        The action in words, as a step of a trace; the state is the one in which it is chosen, or the actor's view.
    describe(setup, view, seat, chance) -> object
        What a Python agent at the seat is shown: the view in words; `chance` are the agent's random numbers.
    recorder(rules, setup) -> rogsim.game.kit.recording.Recorder
        What records games as traces.
    faults(tables, state) -> iterable of str
        What cannot be true of a state, in words, for the checks of a game.
    vector(setup) -> sequence of rogsim.game.kit.vector.VectorField
        Which fields of a view a learner is given, and their bounds; without it, all numbers in a view.
    """

    state: np.dtype[Any]
    tables: np.dtype[Any]
    menu: np.dtype[Any]
    scores: np.dtype[Any]
    actions: int
    most_seats: int
    # Compiled.
    begin: Callable[[Any, Any, int, int], None]
    legal: Callable[[Any, Any, Any], None]
    apply: Callable[[Any, Any, int], None]
    is_over: Callable[[Any], bool]
    actor: Callable[[Any], int] = state_fields.actor
    turn: Callable[[Any], int] = state_fields.turn
    seats: Callable[[Any], int] = state_fields.seats
    points: Callable[[Any, int], int] = state_fields.points
    scorings: Callable[[Any], int] = state_fields.scorings
    keep_sources: Callable[[Any, int, Any], None] = state_fields.keep_sources
    hide: Callable[[Any, int], None]
    set_aside: Callable[[Any, int, Any], None] = state_fields.set_aside
    put_back: Callable[[Any, int, Any], None] = state_fields.put_back
    deal_world: Callable[[Any, Any, int, Any, Any], None]
    score: Callable[[Any, Any, Any], None]
    write_rows: Callable[[Any, Any, Any, Any, Any, Any, int], None]
    bot_key: Callable[[Any, int], Any]
    # Plain Python.
    tables_of: Callable[[Any], Any] = attrgetter("tables")
    action_to_dict: Callable[[Any, Any, int], dict[str, Any]]
    describe: Callable[[Any, Any, int, Any], Any]
    recorder: Callable[[Rules, Any], Recorder]
    faults: Callable[[Any, Any], Iterable[str]] = lambda tables, state: ()
    vector: Callable[[Any], Sequence[VectorField]] | None = None
    hidden: np.dtype[Any] = NOTHING
    most_turns: int = 0
    sources: int = 0

    def __post_init__(self) -> None:
        """Let the kit find these rules by the dtype of a state, and Python call their compiled functions."""
        for name in COMPILED:
            object.__setattr__(self, name, callable_by_rules(getattr(self, name)))
        _RULES[self.state] = self
        _KNOWN.clear()
        note_sources(self.state, vars(self).values())

    @cached_property
    def holder(self) -> np.dtype[Any]:
        """Return a dtype with the single field `game`, a state: compiled code copies a record by assigning a field."""
        return np.dtype([("game", self.state)], align=True)

    def trace(self, setup: Any, seed: int, deal: int, names: Sequence[str], actions: Sequence[int]) -> dict[str, Any]:
        """Return a finished game as a trace, given all its actions in order; `names` are those of the bots by seat."""
        return self.recorder(self, setup).trace(seed, deal, names, actions)

    @property
    def largest_menu(self) -> int:
        """Return the most actions that can be legal at once."""
        return int(self.menu["actions"].shape[0])


_RULES: dict[np.dtype[Any], Rules] = {}
_KNOWN: dict[int, tuple[np.dtype[Any], Rules]] = {}  # by identity: to compare large dtypes takes long


def rules_of(state: np.dtype[Any]) -> Rules:
    """Return the rules of the game that has this dtype of states."""
    try:
        return _KNOWN[id(state)][1]
    except KeyError:
        _KNOWN[id(state)] = state, _RULES[state]  # while the dtype is kept, nothing else has its identity
        return _RULES[state]
