"""Errors in a game's own code, as one line that shows where they are; not those by which it refuses options."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dis import opmap
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FrameType
from typing import Any

import numba
import numpy as np
import pydantic
from pydantic import BaseModel, ValidationError

from rogsim.base.errors import RogsimError
from rogsim.game.batches import Batch
from rogsim.game.bot import LONGEST, BotFault, in_a_line, misplaced, shortened
from rogsim.game.compiler import PACKAGE, as_python
from rogsim.game.records import no_field
from rogsim.game.rules import MOST_DECISIONS, Rules

NOT_LEGAL = "returned an action that is not legal; return one of menu.actions[: menu.count]"
NUMBA = Path(numba.__file__).parent
LIBRARIES = (NUMBA, Path(np.__file__).parent, Path(pydantic.__file__).parent)
OTHERS = [folder for folder in PACKAGE.iterdir() if folder.name != "games"]  # code that an error may pass through
NO_GAMES = (*OTHERS, *LIBRARIES)
NESTED = re.compile(r"\(step: [\w ]+\)")  # numba nests an error in those of all callers, which begin with this
PLACE = re.compile(r'(?:File "|Raised from )([^"<>]+?)(?:", line |\s\()(\d+)')
UNCOMPILED = (
    "Rules can use numbers, tuples, arrays, loops and functions; rogsim game check --plain, or NUMBA_DISABLE_JIT=1 in "
    "front of the command, runs them uncompiled"
)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
CLEARER = (  # in place of some reasons of numba
    (re.compile(r"Undecided type .*"), "it is not clear of what types the items of a list or dict are"),
    (re.compile(r"The use of yield in a closure.*"), "there is a generator expression instead of a loop"),
    (re.compile(r"format spec in f-strings.*"), "a number is formatted as text"),
)


class RulesFault(RogsimError):  # noqa: N818 - the rules are at fault, not the program
    """The rules of a game raised an error, do not compile, or break what the play loop relies on."""


def fault_of(error: Exception, rules: Rules, workspace: Any, batch: Batch) -> RogsimError:
    """Return the error that says who is at fault when play raised something: the rules, or the bot that was asked."""
    if problem := compile_problem(error):
        return RulesFault(f"{_named(rules)} {problem}")
    steps = list(walk_tb(error.__traceback__))
    by_rules, by_bots = _codes_of(vars(rules).values()), _codes_of(bot.choose for bot in batch.line_up)
    known = [frame.f_code for frame, _ in steps if frame.f_code in by_rules | by_bots]
    what = f"raised {in_a_line(error)}"
    if not known or known[-1] not in by_rules:
        return bot_fault(workspace, batch, what)
    place = place_in_game(error)
    return RulesFault(f"{_named(rules)} {what}{f' at {place}' if place else ''}, {_where(workspace, batch)}")


def place_in_game(error: BaseException) -> str:
    """Return the innermost line of a game that an error passed, as `rules.py, line 5`; empty if there is none."""
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        if not _is_in(frame, NO_GAMES):
            return f"{Path(frame.f_code.co_filename).name}, line {line}"
    return ""


def is_of_library(frame: FrameType) -> bool:
    """Return whether code belongs to Python or to a library below the games, and not to a game or to rogsim."""
    return _is_in(frame, LIBRARIES)


def _is_in(frame: FrameType, folders: Iterable[Path]) -> bool:
    """Return whether code belongs to Python's own modules, or is in one of some folders."""
    module, file = str(frame.f_globals.get("__name__", "")), Path(frame.f_code.co_filename)
    return module.partition(".")[0] in sys.stdlib_module_names or any(map(file.is_relative_to, folders))


def compile_problem(error: BaseException) -> str:
    """Return in one line why rules do not compile, if an error comes from numba; otherwise an empty text."""
    places = (Path(frame.f_code.co_filename) for frame, _ in walk_tb(error.__traceback__))
    if not any(place.is_relative_to(NUMBA) for place in places):
        return ""
    return f"do not compile: {compiler_reason(error)}. {UNCOMPILED}"


def unfinished(rules: Rules, workspace: Any, batch: Batch) -> RogsimError:
    """Return the error for a game that the play loop gave up: by the fault of the rules, or of the bot last asked."""
    if workspace.history.decisions >= MOST_DECISIONS:
        return RulesFault(f"{_named(rules)} do not end after {MOST_DECISIONS:,} decisions, {_where(workspace, batch)}")
    if workspace.menu.count == 0:
        seat = int(workspace.seat)
        return RulesFault(f"{_named(rules)} leave seat {seat} no legal action, {_where(workspace, batch)}")
    return bot_fault(workspace, batch)


def impossible_rows(rules: Rules, what: str, players: int) -> RulesFault:
    """Return the error for rows that no game can have; `what` says where and why."""
    return RulesFault(f"{_named(rules)} give rows with {players} players that no game can have: {what}")


def check_turns(rules: Rules, workspace: Any) -> None:
    """Raise RulesFault if a game had more turns than the history has room for; the points after them are unknown."""
    turns = int(workspace.history.most_turns)
    if 0 < rules.most_turns < turns:
        raise RulesFault(f"{_named(rules)} gave a game of {turns} turns, but its most_turns is {rules.most_turns}")


def compiler_reason(error: BaseException) -> str:
    """Return in one line why numba cannot compile something: the innermost error, and its place."""
    text = in_a_line(error)
    if isinstance(error, KeyError):
        text = no_field(str(error.args[0]))
    elif len(parts := NESTED.split(COLOUR.sub("", str(error)))) > 1:
        lines = [line.strip() for line in parts[-1].splitlines() if line.strip()]
        text = " ".join(lines[: 2 if lines[0].endswith(":") else 1])
    text = PLACE.sub("", text).rstrip(" .")[:LONGEST]
    for pattern, clearer in CLEARER:
        text = pattern.sub(clearer, text)
    place = _compiler_place(error)
    return text + (f" at {place}" if place else "")


def _compiler_place(error: BaseException) -> str:
    """Return where the compiler failed in code of a game or a bot, as `mine.py, line 5`; empty if unknown."""
    found = [(Path(file), int(line)) for file, line in PLACE.findall(str(error))]
    for frame, _ in reversed(list(walk_tb(error.__traceback__))):  # those of numba know its position in the source
        for name in ("inst", "expr", "loc"):
            value = frame.f_locals.get(name)
            loc: Any = getattr(value, "loc", value)
            if isinstance(getattr(loc, "line", None), int) and isinstance(getattr(loc, "filename", None), str):
                found.append((Path(loc.filename), loc.line))
    return next((f"{file.name}, line {line}" for file, line in found if not _is_own(file)), "")


def _is_own(file: Path) -> bool:
    return file.resolve().is_relative_to(PACKAGE)


def _named(rules: Rules) -> str:
    return f"the rules in {as_python(rules.begin).__module__}"


def _where(workspace: Any, batch: Batch) -> str:
    deal, turn = int(batch.deals[int(workspace.row)]), int(workspace.history.turn) + 1
    return f"in deal {deal} with {batch.players} players, turn {turn}"


def _codes_of(functions: Iterable[Any]) -> set[CodeType]:
    return {code for function in functions if (code := getattr(as_python(function), "__code__", None))}


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


def bot_fault(workspace: Any, batch: Batch, what: str = "") -> BotFault:
    """Return the error of the bot that was last asked on the workspace, by default for an invalid answer."""
    row = int(workspace.row)
    bot = batch.line_up[int(batch.seating[row, int(workspace.seat)])]
    if getattr(as_python(bot.choose), "made_of_others", False):  # it returns actions, and its wrapper their places
        what = what or NOT_LEGAL
    what = what or misplaced(int(workspace.answer), int(workspace.menu.count))
    return BotFault(bot.name, batch.players, int(batch.deals[row]), int(workspace.turn) + 1, what)
