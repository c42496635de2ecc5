"""The results of a game: final scoring, columns and rows, from what the fields of a game say of themselves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rogsim.game.columns import Column
from rogsim.game.fair import Sides
from rogsim.game.functions import piece
from rogsim.game.kit import rows
from rogsim.game.kit.kinds import MOST_SEATS, Count, Counts, DeclarationError, Field, Flag, OneOf
from rogsim.game.parameters import Parameter
from rogsim.game.plain.fields import Kept, Pile
from rogsim.game.plain.hidden import Parts, _nothing_2, chain
from rogsim.game.topics import Topic

SCORES = np.dtype(
    [
        ("points", "i4"),
        ("tie_break", "i4"),
        ("won", "i1"),
        ("of_side", "i8"),  # points of all seats of the side
        ("tie_break_of_side", "i8"),
        ("rank", "i1"),
        ("win_share", "f8"),
    ],
    align=True,
)
MOST_MEMBERS = 64  # of a set that is a column: it has a bit for each
Of = Callable[[Any, Any, int], int]  # a number of a seat: (numbers, state, seat)


def scoring(final: Of | None, tie_break: Of | None, won: Of | None, sides: Sequence[Sides]) -> Any:
    """Return `Rules.score`: whoever has won; by default the side with the most points, then with the tie break.

    Sides that are still level share the win, and so do all if nobody has won; everyone together may also lose.

    Parameters
    ----------
    sides
        For each number of players.
    """
    final = final or piece(lambda numbers, state, seat: state.players[seat].points)
    tie_break = tie_break or piece(lambda numbers, state, seat: 0)
    says, won = won is not None, won or piece(lambda numbers, state, seat: 0)
    alone = all(each.are_seats for each in sides)
    of = np.zeros((MOST_SEATS + 1, MOST_SEATS), np.int64)  # the side of each seat, by number of players
    is_one = np.zeros(MOST_SEATS + 1, np.bool_)
    for each in sides:
        count = len(each.of_seats)
        of[count, :count], is_one[count] = each.of_seats, each.is_one

    def score(numbers: Any, state: Any, scores: Any) -> None:
        seats, winners = int(state.seats), 0  # as bits, by side
        for seat in range(seats):
            scores[seat].points = scores[seat].of_side = final(numbers, state, seat)
            scores[seat].tie_break = scores[seat].tie_break_of_side = tie_break(numbers, state, seat)
            if says and won(numbers, state, seat):
                winners |= 1 << of[seats, seat]
        if not alone:
            add_up(scores, of[seats], seats)
        draw, together = says and winners == 0, is_one[seats]
        for seat in range(seats):
            scores[seat].won = winners >> of[seats, seat] & 1
        for seat in range(seats):
            ahead = 0
            for other in range(seats):
                ahead += not draw and is_ahead(scores[other], scores[seat])
            scores[seat].rank = ahead + 1
            if ahead == 0 and not together:
                winners |= 1 << of[seats, seat]
        count = 0
        for side in range(seats):
            count += winners >> side & 1
        for seat in range(seats):
            scores[seat].win_share = 1.0 / count if winners >> of[seats, seat] & 1 else 0.0

    return piece(score)


@piece
def add_up(scores: Any, of: Any, seats: int) -> None:
    """Add up the points and the tie breaks of the seats of each side."""
    for seat in range(seats):
        scores[seat].of_side = scores[seat].tie_break_of_side = 0
        for other in range(seats):
            if of[other] == of[seat]:
                scores[seat].of_side += scores[other].points
                scores[seat].tie_break_of_side += scores[other].tie_break


@piece
def is_ahead(one: Any, other: Any) -> bool:
    """Return whether the side of a seat finishes before that of another one; winners are level."""
    if one.won or other.won:
        return one.won > other.won
    if one.of_side == other.of_side:
        return one.tie_break_of_side > other.tie_break_of_side
    return one.of_side > other.of_side


def columns_of(fields: Sequence[Field]) -> tuple[Column, ...]:
    """Return the columns of the fields that are kept."""
    return tuple(column for field in fields if isinstance(field.more, Kept) for column in _columns(field))


def _columns(field: Field) -> Iterator[Column]:
    kind, meaning = field.kind, field.more.meaning
    if isinstance(kind, Counts):
        for name in kind.names:
            yield Column(f"{field.name}_{name}", "i4", f"{meaning}: {name}")
    elif isinstance(kind, Flag):
        yield Column(field.name, "i1", meaning, labels=("no", "yes"))
    elif isinstance(kind, OneOf):
        yield Column(field.name, "i2", meaning, labels=kind.names)
    elif isinstance(kind, Count):
        yield Column(field.name, "i4", meaning)
    elif isinstance(kind, Pile) and len(kind.cards.names) <= MOST_MEMBERS:
        yield Column(field.name, "u8", meaning, members=kind.cards.names)
    else:
        rule = f"only numbers, words, flags, and cards of up to {MOST_MEMBERS} kinds can be kept"
        raise DeclarationError(f"{field.name}: {rule}")


def topics_of(fields: Sequence[Field], parameters: Sequence[Parameter]) -> tuple[Topic, ...]:
    """Return the topics of the fields of a seat that a report asks about; what is about components names these."""
    groups = {parameter.name.split(".")[0] for parameter in parameters if "." in parameter.name}
    return tuple(_topic(field, groups) for field in fields if isinstance(field.more, Kept) and field.more.question)


def _topic(field: Field, groups: Collection[str]) -> Topic:
    name, title = field.name.replace("_", "-"), field.name.replace("_", " ").capitalize()
    kind, question = field.kind, field.more.question
    columns = tuple(column.name for column in _columns(field))
    noun = kind.cards.noun if isinstance(kind, Pile) else getattr(kind, "noun", "") or title.lower()
    about = (noun,) if noun in groups else ()
    if isinstance(kind, Pile):
        names = {name: name for name in kind.cards.names}
        return Topic(name, title, question, "member", columns, noun, names, claim=False, about=about)
    if isinstance(kind, OneOf | Flag):
        return Topic(name, title, question, "level", columns, noun, dealt=field.more.dealt, about=about)
    labels = {column.name: column.meaning for column in _columns(field)}
    return Topic(name, title, question, "count", columns, noun, labels)


def writing(parts: Parts, most_turns: int) -> Any:
    """Return `Rules.write_rows`."""
    of_state = chain(_copies(parts.state), _nothing_2)
    of_player = chain(_copies(parts.player), _nothing_2)
    course, progress = (rows.write_game, rows.write_progress) if most_turns else (_write_short, _write_no_progress)

    def write(numbers: Any, state: Any, scores: Any, history: Any, seat_rows: Any, game_rows: Any, row: int) -> None:
        turns, seats = int(state.turn) + 1, int(state.seats)
        course(scores, history, turns, seats, game_rows[row])
        of_state(state, game_rows[row])
        if scores[0].rank == 1 and scores[0].win_share == 0.0:
            game_rows[row].winners = 0  # all are level, and have lost together
        for seat in range(seats):
            out = seat_rows[row * seats + seat]
            out.points = scores[seat].points
            out.rank = scores[seat].rank
            out.win_share = scores[seat].win_share
            progress(history, turns, seat, out)
            of_player(state.players[seat], out)

    return piece(write)


@piece
def _write_short(scores: Any, history: Any, turns: int, seats: int, row: Any) -> None:
    row.turns = turns
    row.decisions = history.decisions
    rows.write_result(scores, seats, row)


@piece
def _write_no_progress(history: Any, turns: int, seat: int, row: Any) -> None:
    pass


def _copies(fields: Sequence[Field]) -> Iterator[Any]:
    for field in fields:
        if isinstance(field.more, Kept):
            for place, column in enumerate(_columns(field)):
                if isinstance(field.kind, Counts):
                    yield _copy_item(field.name, place, column.name)
                else:
                    yield _copy_cards(field.name) if isinstance(field.kind, Pile) else _copy(field.name)


def _copy(name: str) -> Any:
    def copy(record: Any, row: Any) -> None:
        row[name] = record[name]

    return piece(copy)


def _copy_item(name: str, place: int, column: str) -> Any:
    def copy(record: Any, row: Any) -> None:
        row[column] = record[name][place]

    return piece(copy)


def _copy_cards(name: str) -> Any:
    def copy(record: Any, row: Any) -> None:
        found, pile = np.uint64(0), record[name]
        for i in range(len(pile.cards)):
            if pile.cards[i] >= 0:
                found |= np.uint64(1) << np.uint64(pile.cards[i])
        row[name] = found

    return piece(copy)


def seat_columns(parts: Parts, most_turns: int) -> tuple[Column, ...]:
    """Return all columns of seats, the game's own first: so no row begins as that of another game does.

    Compiled code takes a record with further fields at the end for one without them.
    """
    wide = [replace(column, dtype="i4") for column in rows.PROGRESS] if most_turns else []
    points = replace(rows.POINTS, dtype="i4")
    return (*columns_of(parts.player), *wide, points, rows.RANK, rows.WIN_SHARE)


def game_columns(parts: Parts, most_turns: int) -> tuple[Column, ...]:
    """Return all columns of games, the game's own first."""
    course = rows.COURSE if most_turns else ()
    return (*columns_of(parts.state), *course, *rows.RESULT, *rows.LENGTH)
