"""Questions about what seats did, one a file: found in the package of a game, and here for every game.

A file has the texts `TITLE` and `QUESTION`, and `SEATS_THAT`: what is asked of each seat, in words that follow "seats
that", with a Polars expression of the columns of its row that is true or false. The name of the file is that of the
question. Nothing else lists it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from rogsim.base.errors import RogsimError
from rogsim.game.columns import Column
from rogsim.game.registry import HARNESS_COLUMNS
from rogsim.game.topics import Topic

if TYPE_CHECKING:
    from types import ModuleType

MOST = 64  # of the seats that a question tells apart, as bits of a number


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
    return (*_questions_in(package), *(topic for topic in _questions_in(__name__) if names.issuperset(topic.read)))


def question_in(module: ModuleType, name: str) -> Topic:
    """Return the question in a file.

    Raises
    ------
    QuestionError
        If the file lacks a part of a question, or its name cannot be that of one.
    """
    name = name.replace("_", "-")
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise QuestionError(f'"{name}" cannot be the name of a question: use small letters, digits and _')
    title, question = (_text(module, part) for part in ("TITLE", "QUESTION"))
    said = getattr(module, "SEATS_THAT", None)
    if not isinstance(said, dict) or not said or not all(map(_is_said, said.items())):
        raise QuestionError('SEATS_THAT must be a dict like {"built": pl.col("builds") > 0}')
    if len(said) > MOST:
        raise QuestionError(f"SEATS_THAT has {len(said):,} entries: at most {MOST} are allowed")
    labels = {words: words for words in said}
    return Topic(
        name, title, question, "member", (f"seats that {name}",), "seats that", labels, claim=False, seats_that=said
    )


def _questions_in(package: str) -> list[Topic]:
    found = sorted(module.name for module in iter_modules(import_module(package).__path__))
    return [question_in(import_module(f"{package}.{name}"), name) for name in found]


def _text(module: ModuleType, part: str) -> str:
    text = getattr(module, part, None)
    if not isinstance(text, str) or not text.strip():
        raise QuestionError(f"{part} must be a text")
    return text


def _is_said(entry: tuple[Any, Any]) -> bool:
    import polars as pl

    return isinstance(entry[0], str) and bool(entry[0].strip()) and isinstance(entry[1], pl.Expr)
