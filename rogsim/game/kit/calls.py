"""The rules of whichever game a state belongs to, as functions that compiled code can call for any game.

Each function calls the version that the game offers in its `rogsim.game.rules.Rules`, which describes it. Compiled code
finds the version by the type of the state, so code of the kit is compiled for each game, as if it were the game's own,
and stays in the cache of machine code.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, TypeVar, cast

import numba.extending

from rogsim.game.compiler import callee
from rogsim.game.functions import callable_by_rules
from rogsim.game.kit.state_fields import NOT_COUNTED
from rogsim.game.rules import rules_of

F = TypeVar("F", bound=Callable[..., Any])


def found_by(find: Callable[[Any], Any], *records: str, inline: bool = True) -> Callable[[F], F]:
    """Return a decorator for functions that call a version of themselves.

    The version is the attribute of the same name of what `find` returns for the dtype of a record: the first argument
    that has one of the names in `records`. With `inline`, kernels that the version calls may be compiled into it, too.
    """

    def calling(function: F) -> F:
        name, parameters = function.__name__, list(signature(function).parameters)
        passing_on = "lambda {0}: {1}({0})".format(", ".join(parameters), "{}")  # numba cannot inline *arguments
        place = next(i for i, parameter in enumerate(parameters) if parameter in records)
        called = wraps(function)(eval(passing_on.format(f"find({parameters[place]}.dtype).{name}"), {"find": find}))

        def compiled(*kinds: Any) -> Callable[..., Any]:
            version = callable_by_rules(getattr(find(kinds[place].dtype), name))
            return cast(Callable[..., Any], eval(passing_on.format("version"), {"version": version}))

        options = {"error_model": "numpy", "forceinline": inline, **callee()}
        numba.extending.overload(called, strict=False, jit_options=options)(compiled)
        return cast(F, called)

    return calling


of_the_game = found_by(rules_of, "state", "view")


@of_the_game
def begin(tables: Any, state: Any, seed: int, deal: int) -> None:
    """Set a zeroed state up, to its first decision."""


@of_the_game
def legal(tables: Any, state: Any, menu: Any) -> None:
    """Fill the menu with every legal action of the actor."""


@of_the_game
def apply(tables: Any, state: Any, action: int) -> None:
    """Carry out a legal action of the actor, with everything up to the next decision."""


@of_the_game
def is_over(state: Any) -> bool:
    """Return whether the game is over."""
    raise NotImplementedError


@of_the_game
def actor(state: Any) -> int:
    """Return the seat that decides."""
    raise NotImplementedError


@of_the_game
def turn(state: Any) -> int:
    """Return the number of turns before this one."""
    raise NotImplementedError


@of_the_game
def seats(state: Any) -> int:
    """Return the number of seats."""
    raise NotImplementedError


@of_the_game
def points(state: Any, seat: int) -> int:
    """Return the points that a seat has now, before any final scoring."""
    raise NotImplementedError


@of_the_game
def scorings(state: Any) -> int:
    """Return how often points have changed, or NOT_COUNTED."""
    return NOT_COUNTED


@of_the_game
def keep_sources(state: Any, seat: int, sources: Any) -> None:
    """Write the points of a seat so far, by source, into an array, without the first source."""


@of_the_game
def hide(view: Any, seat: int) -> None:
    """Turn a copy of a state into the view of a seat."""


@of_the_game
def set_aside(state: Any, seat: int, hidden: Any) -> None:
    """Turn a state itself into the view of a seat, and keep in `hidden` what that hides."""


@of_the_game
def put_back(state: Any, seat: int, hidden: Any) -> None:
    """Turn a view that `set_aside` made back into the state."""


@of_the_game
def deal_world(tables: Any, view: Any, seat: int, stream: Any, holder: Any) -> None:
    """Fill `holder.game` with a whole state that looks to the seat exactly like its view."""


@of_the_game
def score(tables: Any, state: Any, scores: Any) -> None:
    """Fill the score of every seat, as if the game ended now."""


@of_the_game
def write_rows(tables: Any, state: Any, scores: Any, history: Any, seat_rows: Any, game_rows: Any, row: int) -> None:
    """Write a finished game into its row and into the rows of its seats."""


@of_the_game
def bot_key(state: Any, seat: int) -> Any:
    """Return the key of the random numbers of the bot at a seat."""
