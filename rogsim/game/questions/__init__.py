"""Questions about what seats did, one a file: found in the package of a game, and here for every game.

A file has the texts `TITLE` and `QUESTION`; `COLUMNS`, the names of the columns of seats that it reads; and
`SEATS_THAT`: what is asked of each seat, in words that follow "seats that", with the condition on its row in SQL. The
name of the file is that of the question. Nothing else lists it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from rogsim.base.errors import RogsimError
from rogsim.game.columns import Column
from rogsim.game.registry import HARNESS_COLUMNS
from rogsim.game.topics import Topic

MOST = 64  # things that a question asks of a seat, as bits of a number


class QuestionError(RogsimError):
    """A file that does not hold a question; says what is missing."""


def questions_of(package: str, columns: Sequence[Column]) -> tuple[Topic, ...]:
    """Return the questions of a game: those of its package by name, then those of every game that its rows answer.

    Parameters
    ----------
    package
        The dotted name of the package with its files.
    columns
        The columns that the game records of a seat.
    """
    names = {*HARNESS_COLUMNS, *(column.name for column in columns)}
    return (*_questions_in(package), *(topic for topic in _questions_in(__name__) if names.issuperset(topic.reads)))


def question_in(module: ModuleType, name: str) -> Topic:
    """Return the question in a file; QuestionError if a part of it is missing, or its name cannot be that of one."""
    name = name.replace("_", "-")
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise QuestionError("the name of the file must be small letters, digits and _")
    title, question, columns, said = (getattr(module, part, None) for part in PARTS)
    for part, value in (("TITLE", title), ("QUESTION", question)):
        if not _is_text(value):
            raise QuestionError(f"{part} must be a text")
    if not isinstance(columns, tuple | list) or not columns or not all(map(_is_text, columns)):
        raise QuestionError('COLUMNS must be a list of names of columns, like ["builds"]')
    if not isinstance(said, dict) or not said or not all(_is_text(text) for entry in said.items() for text in entry):
        raise QuestionError('SEATS_THAT must be a dict with conditions, like {"built": "builds > 0"}')
    if len(said) > MOST:
        raise QuestionError(f"SEATS_THAT has {len(said):,} entries, and may have {MOST} at most")
    return Topic(
        name,
        str(title),
        str(question),
        "member",
        (f"kind {name}",),
        "kind of seat",
        {words: f"seats that {words}" for words in said},
        claim=False,
        seats_that=said,
        reads=tuple(columns),
    )


PARTS = ("TITLE", "QUESTION", "COLUMNS", "SEATS_THAT")


def _questions_in(package: str) -> list[Topic]:
    found = sorted(module.name for module in iter_modules(import_module(package).__path__))
    return [question_in(import_module(f"{package}.{name}"), name) for name in found]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
