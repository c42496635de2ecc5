"""What a game does wrong, in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from rogsim.base.errors import RogsimError
from rogsim.game.agents import in_a_line
from rogsim.game.kit.rules_faults import compile_problem, place_in_game

T = TypeVar("T")


class FaultyError(Exception):
    """What a game does wrong, in a few words; `place` says where in the game, as `, turn 3, decision 12`."""

    place = ""


class EndlessError(FaultyError):
    """A game that does not end: nothing else can be played."""


def expect(holds: bool, otherwise: str) -> None:
    """Raise FaultyError with a text unless something holds."""
    if not holds:
        raise FaultyError(otherwise)


def attempt(name: str, call: Callable[..., T], *arguments: Any) -> T:
    """Return what a function of a game returns; FaultyError names the function if it raises an error."""
    try:
        return call(*arguments)
    except (FaultyError, Warning):  # a warning is nobody's fault
        raise
    except RogsimError as fault:
        raise FaultyError(in_one_line(fault)) from fault
    except Exception as fault:  # a game may raise anything
        if problem := compile_problem(fault):
            raise FaultyError(f"the rules {problem}") from fault
        text = f"{name} raised {in_a_line(fault)}"
        raise FaultyError(text + _line_of(fault, text)) from fault


def in_one_line(fault: RogsimError) -> str:
    """Return an error in one line, with the line of the game that caused it if that is known."""
    text, cause = " ".join(str(fault).split()), fault.__cause__ or fault
    return text if isinstance(cause, SyntaxError) else text + _line_of(cause, text)  # a SyntaxError says where it is


def _line_of(fault: BaseException, text: str) -> str:
    """Return the innermost line of the game that an error passed, ` (rules.py, line 5)`, unless a text has it."""
    place = place_in_game(fault)
    return f" ({place})" if place and place not in text else ""
