"""Errors in a game's own code before anything is played, which are not taken for options that the game refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dis import opmap
from typing import Any

from pydantic import BaseModel, ValidationError

from rogsim.base.errors import RogsimError
from rogsim.game.agents import in_a_line, shortened
from rogsim.game.kit.rules_faults import is_of_library, place_in_game
from rogsim.game.rules import Rules

RAISE = opmap["RAISE_VARARGS"]  # what Python compiles `raise` to


class GameFault(RogsimError):  # noqa: N818 - the game is at fault, not the program
    """Code of a game raised an error, or returned something else than it must.

    Attributes
    ----------
    what
        What is wrong, without the game and the number of players.
    """

    def __init__(self, message: str, what: str = "") -> None:
        """Begin with the whole message."""
        super().__init__(message)
        self.what = what or message


def is_refusal(error: BaseException) -> bool:
    """Return whether an error is deliberate: a ValueError that a game's code, or rogsim's, raises itself.

    A ValueError from elsewhere, such as that of `int("x")`, is a mistake in the code.
    """
    if not isinstance(error, ValueError):
        return False
    last = error.__traceback__
    if last is None:
        return True
    while last.tb_next:
        last = last.tb_next
    return last.tb_frame.f_code.co_code[last.tb_lasti] == RAISE and not is_of_library(last.tb_frame)


def read_options(game: str, model: type[BaseModel], data: Mapping[str, Any]) -> BaseModel:
    """Return the options of a game with that id; ValidationError if it refuses them, GameFault if its checks fail."""
    try:
        return model.model_validate(dict(data))
    except (RogsimError, Warning):  # the first says whose fault it is, and the second is nobody's
        raise
    except ValidationError as refused:
        errors = [finding.get("ctx", {}).get("error") for finding in refused.errors(include_url=False)]
        mistakes = [error for error in errors if isinstance(error, ValueError) and not is_refusal(error)]
        if mistakes:
            raise _fault(game, "a check of its options", mistakes[0]) from mistakes[0]
        raise
    except Exception as error:  # pydantic passes on all others
        raise _fault(game, "a check of its options", error) from error


def set_up(game: str, rules: Rules, prepare: Callable[..., Any], players: int, *given: Any) -> Any:
    """Return what `GameSpec.prepare` returns.

    Parameters
    ----------
    game
        The id of the game.
    rules, prepare
        Its rules and its `prepare`.
    players
        The number of players.
    given
        The options, and the changes if there are any.

    Raises
    ------
    ValueError
        If the game refuses the options.
    GameFault
        If `prepare` raises any other error, or what it returns does not hold the tables.
    """
    try:
        setup = prepare(given[0], players, *given[1:])
    except (RogsimError, Warning):  # the first says whose fault it is, and the second is nobody's
        raise
    except Exception as error:
        if is_refusal(error):
            raise
        raise _fault(game, "prepare", error, players) from error
    _check_tables(game, rules, setup, players)
    return setup


def _check_tables(game: str, rules: Rules, setup: Any, players: int) -> None:
    """Refuse what `prepare` returned if the tables are not in it."""
    tables, cause = None, None
    try:
        tables = rules.tables_of(setup)
    except Warning:
        raise
    except Exception as error:  # a game may return anything
        cause = error
    if getattr(tables, "dtype", None) != rules.tables:
        rule = "tables_of must find a record of Rules.tables in what it returns"
        what = f"prepare returned {shortened(setup)}; {rule}"
        raise GameFault(f'game "{game}": with {players} players, {what}', what) from cause


def _fault(game: str, code: str, error: BaseException, players: int = 0) -> GameFault:
    """Return the error for code that failed; players: with how many, if it depends on that."""
    place = place_in_game(error)
    what = f"{code} raised {in_a_line(error)}{f' at {place}' if place else ''}"
    return GameFault(f'game "{game}": {f"with {players} players, " if players else ""}{what}', what)
