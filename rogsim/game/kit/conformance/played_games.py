"""Games of the play loop: their rows fit the columns, and a replay of their actions gives them again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from rogsim.base.errors import RogsimError
from rogsim.game.batches import Batch
from rogsim.game.bot import BotInfo, in_a_line
from rogsim.game.compiler import records
from rogsim.game.fair import Sides
from rogsim.game.kit import loop, playing
from rogsim.game.kit.faults import compile_problem, place_in_game
from rogsim.game.kit.workspace import history_of
from rogsim.game.records import as_records
from rogsim.game.rules import NO_ACTION, OVER, Rules, array_of
from rogsim.game.spec import GameSpec

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


def packed(array: Any) -> bytes:
    """Return the values of a structured array as bytes, without the gaps between fields."""
    return np.asarray(array).astype(_without_gaps(array.dtype)).tobytes()


def _without_gaps(dtype: np.dtype[Any]) -> np.dtype[Any]:
    if dtype.subdtype is not None:
        return np.dtype((_without_gaps(dtype.subdtype[0]), dtype.subdtype[1]))
    if dtype.names is None or dtype.fields is None:
        return dtype
    return np.dtype([(name, _without_gaps(dtype.fields[name][0])) for name in dtype.names])


SEED = 20
UNWRITTEN = 0x55  # fills rows before they are written


def check_turns(rules: Rules, turns: int) -> None:
    """The history has room for the points after `turns` turns, if it keeps them."""
    most = rules.most_turns
    expect(most == 0 or turns <= most, f"turn {turns} is played, but most_turns is {most}")


def check_replay(spec: GameSpec, setup: Any, players: int, sample: Mapping[str, Any], deal: int) -> None:
    """The actions of a game of the play loop give its rows again, and the rows fit their columns."""
    seat_rows, game_rows = played(spec, players, sample, [deal])
    _check_rows(spec, seat_rows, game_rows)
    rules, batch = spec.rules, _batch(spec, players, [deal])
    actions = playing.actions_of(rules, setup, batch, spec.row_dtypes).tolist()
    tables, state = array_of(rules.tables_of(setup)), records(rules.state, 1)
    history, menu = records(history_of(rules), 1), records(rules.menu, 1)
    rules.begin(tables[0], state[0], SEED, deal)
    for action in (NO_ACTION, *actions):
        over = loop.step(tables, state, history, menu, action) == OVER
    expect(over, "the actions of a game do not end it again")
    scores = records(rules.scores, players)
    rules.score(tables[0], state[0], scores)
    again = [as_records(np.full(rows.nbytes, UNWRITTEN, np.uint8).view(rows.dtype)) for rows in (seat_rows, game_rows)]
    rules.write_rows(tables[0], state[0], scores, history[0], again[0], again[1], 0)
    for found, rows in zip(again, (seat_rows, game_rows), strict=True):
        _check_written(found, rows)
    trace = attempt("the recorder", lambda: next(iter(spec.record(setup, batch))))
    expect(trace.get("format") == f"{spec.id}-trace/1", f'the format of a trace is not "{spec.id}-trace/1"')
    expect(bool(attempt("narrate", spec.narrate, trace)), "a trace has no narration")


def _check_written(found: Any, rows: Any) -> None:
    """Rows written over other content are those of the play loop, so every column is written in every row."""
    for name in rows.dtype.names:
        mine, others = (np.ascontiguousarray(one[name]).view(np.uint8).reshape(len(rows), -1) for one in (found, rows))
        differ, left = (mine != others).any(axis=1), (mine == UNWRITTEN).all(axis=1)
        expect(not (differ & left).any(), f"write_rows does not write the column {name} in every row")
        expect(not differ.any(), f"a replay of its actions gives other rows: the column {name} differs")


def check_many(spec: GameSpec, players: int, sample: Mapping[str, Any], games: int) -> None:
    """The rows of many games fit their columns; rare events come up in them, such as a tie for the win."""
    seat_rows, game_rows = played(spec, players, sample, range(games))
    for deal in range(games):
        try:
            _check_rows(spec, seat_rows[deal * players : (deal + 1) * players], game_rows[deal : deal + 1])
        except FaultyError as fault:
            fault.place = f", deal {deal}"
            raise


def _check_rows(spec: GameSpec, seat_rows: Any, game_rows: Any) -> None:
    """The rows of a game have values with labels and members that are listed; turns, ranks and win shares fit."""
    check_turns(spec.rules, int(game_rows["turns"][0]))
    for name in ("turns", "decisions"):
        expect(bool((game_rows[name] > 0).all()), f"write_rows does not write {name}; rows.write_game of the kit does")
    for columns, rows in ((spec.seat_columns, seat_rows), (spec.game_columns, game_rows)):
        for column in columns:
            values = rows[column.name]
            if column.labels is not None and not ((values >= -1) & (values < len(column.labels))).all():
                raise FaultyError(f"column {column.name} has values without a label: {values.tolist()}")
            if column.members is not None and any(int(value) >> len(column.members) for value in values):
                raise FaultyError(f"column {column.name} has members that it does not list: {values.tolist()}")
    shares = seat_rows["win_share"].tolist()
    if "rank" in seat_rows.dtype.names:
        check_shares(spec.sides(len(shares)), seat_rows["rank"].tolist(), shares)
    first = np.array(shares)[:, None]
    fits = spec.sides(len(shares)).fit(first > 0, first).all()
    expect(bool(fits), f"win shares are {shares}: the winners must share 1 equally")


def check_bot(spec: GameSpec, info: BotInfo, players: int, games: int) -> None:
    """A bot plays at all seats; BotFault if it gives an answer that is not legal, or raises an error."""
    rows = spec.empty_rows(games, players)
    spec.play(spec.set_up(spec.options(), players), _batch(spec, players, range(games), info), *rows)


def speed_of(spec: GameSpec, players: int, games: int, seconds: float) -> tuple[str, int, float, Any]:
    """Return the bot that plays at random, or else the first one, and how fast it plays at all seats.

    Parameters
    ----------
    players, games, seconds
        How many seats, the most games, and the time after which no more begin.

    Returns
    -------
    bot
        Its name.
    count, rate
        How many games were played, and how many in a second.
    rows
        Those of the games.
    """
    info = next((one for one in spec.bots if one.name == "random"), spec.bots[0])
    setup, (seats, rows) = spec.set_up(spec.options(), players), spec.empty_rows(games, players)
    spec.play(
        setup, _batch(spec, players, range(1), info), seats[:players], rows[:1]
    )  # what is first used takes longer
    begin, count, rate = perf_counter(), 0, 0.0
    while count < games and perf_counter() < begin + seconds:
        batch = _batch(spec, players, range(count, count + 1), info)
        spec.play(setup, batch, seats[count * players : (count + 1) * players], rows[count : count + 1])
        count += 1
        rate = count / (perf_counter() - begin)
    return info.name, count, rate, rows[:count]


def told(spec: GameSpec, players: int) -> str:
    """Return one game of the first bot as text for a person."""
    setup = spec.set_up(spec.options(), players)
    return spec.narrate(next(iter(spec.record(setup, _batch(spec, players, [0])))))


def check_shares(sides: Sides, ranks: list[int], shares: list[float]) -> None:
    """Ranks count the seats before a seat, and the sides of rank 1 share the win; everyone may also lose together."""
    expect(ranks == [1 + sum(other < rank for other in ranks) for rank in ranks], f"ranks are {ranks}")
    fits = sides.fit(np.array(ranks)[:, None] == 1, np.array(shares)[:, None])
    expect(bool(fits.all()), f"win shares are {shares} with the ranks {ranks}")


def played(spec: GameSpec, players: int, sample: Mapping[str, Any], deals: Any) -> tuple[Any, Any]:
    """Return the rows of games that the first bot of the game plays."""
    rows = spec.empty_rows(len(deals), players)
    spec.play(spec.set_up(spec.options(**sample), players), _batch(spec, players, deals), *rows)
    return rows


def _batch(spec: GameSpec, players: int, deals: Any, info: BotInfo | None = None) -> Batch:
    """Return a batch of games of one bot, by default the first one of the game."""
    bot = spec.ready_bot(info or spec.bots[0])
    seating = np.tile(np.arange(players, dtype=np.int8), (len(deals), 1))
    return Batch(SEED, players, np.array(deals, np.int64), seating, (bot,) * players)
