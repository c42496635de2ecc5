"""Questions in files of their own that a user names, for one report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from rogsim.base.errors import RogsimError
from rogsim.base.plain_text import safe
from rogsim.base.validation import unknown_key
from rogsim.bots.bot_files import run_file
from rogsim.game.questions import QuestionError, question_in
from rogsim.game.spec import GameSpec
from rogsim.game.topics import SEATS, Topic
from rogsim.results.results import Results
from rogsim.stats.balance.measure import ALWAYS

OPTION = "--question"


def own_questions(files: Sequence[Path], spec: GameSpec, opened: Sequence[Results]) -> Iterator[Topic]:
    """Run files and yield the question of each.

    Parameters
    ----------
    opened
        The results that are to answer them.

    Raises
    ------
    RogsimError
        If a file cannot be run or holds no question, or if the results cannot answer it.
    """
    taken = {SEATS, *ALWAYS, *(topic.name for topic in spec.topics)}
    for path in files:
        whose = f"{OPTION} {path}"
        if not path.is_file():
            raise RogsimError(f"{whose}: there is no such file")
        module = run_file(path, OPTION, path.name)
        try:
            topic = question_in(module, path.stem)
            if topic.name in taken:
                raise QuestionError(f'a question is called "{topic.name}" already: rename the file')
            _check_answers(topic, opened)
        except QuestionError as fault:
            raise QuestionError(safe(f"{whose}: {fault}")) from fault
        taken.add(topic.name)
        yield topic


def _check_answers(topic: Topic, opened: Sequence[Results]) -> None:
    """Refuse a question that rows cannot answer, and one to which all seats give the same answer."""
    tells = False
    for results in opened:
        rows = results.seats()
        columns = rows.collect_schema().names()
        for name in topic.reads:
            if name not in columns:
                raise QuestionError(f'COLUMNS: "{name}" is {unknown_key(name, columns)}')
        conditions = {words: _condition(words, text, rows) for words, text in topic.seats_that.items()}
        tells |= _tells(conditions, rows)
    if not tells:
        raise QuestionError("every condition holds for all seats or for none, so there is nothing to compare")


def _condition(words: str, text: str, rows: pl.LazyFrame) -> pl.Expr:
    """Return a condition as an expression; QuestionError if it cannot be one, or is not true or false."""
    try:
        found = pl.sql_expr(text)
        kind = rows.select(found.alias(words)).collect_schema()[words]
    except pl.exceptions.PolarsError as fault:
        raise QuestionError(f'SEATS_THAT "{words}": {_first_line(fault)}') from fault
    if kind != pl.Boolean:
        raise QuestionError(f'SEATS_THAT "{words}": {text} is {kind}, and must be true or false, like {text} > 0')
    return found


def _tells(conditions: Mapping[str, pl.Expr], rows: pl.LazyFrame) -> bool:
    """Return whether a condition holds for some seats and not for others."""
    try:
        counts = rows.select(pl.len().alias("all of them"), **{k: v.sum() for k, v in conditions.items()}).collect()
    except pl.exceptions.PolarsError as fault:
        raise QuestionError(f"SEATS_THAT: {_first_line(fault)}") from fault
    total, *held = counts.row(0)
    return any(0 < count < total for count in held)


def _first_line(fault: Exception) -> str:
    return str(fault).partition("\n")[0]
