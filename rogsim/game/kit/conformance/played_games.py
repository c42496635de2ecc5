"""Games of the play loop: their rows fit the columns, and a replay of their actions gives them again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import numpy as np

from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.compiler import records
from rogsim.game.kit import loop, playing
from rogsim.game.kit.conformance.faults import FaultyError, attempt, expect
from rogsim.game.kit.conformance.packing import packed
from rogsim.game.kit.history import history_of
from rogsim.game.records import as_records
from rogsim.game.rules import NO_ACTION, OVER, Rules, array_of
from rogsim.game.spec import GameSpec

SEED = 20


def check_turns(rules: Rules, turns: int) -> None:
    """The history has room for the points after so many turns, if it keeps them."""
    most = rules.most_turns
    expect(most == 0 or turns <= most, f"turn {turns} is played, but most_turns is {most}")


def check_replay(spec: GameSpec, setup: Any, players: int, sample: Mapping[str, Any], deal: int) -> None:
    """The actions of a game of the play loop give its rows again, and the rows fit their columns."""
    seat_rows, game_rows = played(spec, players, sample, [deal])
    check_turns(spec.rules, int(game_rows["turns"][0]))
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
    again = [as_records(np.zeros(len(rows), rows.dtype)) for rows in (seat_rows, game_rows)]
    rules.write_rows(tables[0], state[0], scores, history[0], again[0], again[1], 0)
    same = packed(again[0]) == packed(seat_rows) and packed(again[1]) == packed(game_rows)
    expect(same, "a replay of its actions gives other rows")
    trace = attempt("the recorder", lambda: next(iter(spec.record(setup, batch))))
    expect(trace.get("format") == f"{spec.id}-trace/1", f'the format of a trace is not "{spec.id}-trace/1"')
    expect(bool(attempt("narrate", spec.narrate, trace)), "a trace has no narration")
    for text in _misfits(spec, seat_rows, game_rows):
        raise FaultyError(text)


def _misfits(spec: GameSpec, seat_rows: Any, game_rows: Any) -> Iterator[str]:
    """Yield the columns whose values are beyond their labels or members, and shares that do not add up."""
    for columns, rows in ((spec.seat_columns, seat_rows), (spec.game_columns, game_rows)):
        for column in columns:
            values = rows[column.name]
            if column.labels is not None and not ((values >= -1) & (values < len(column.labels))).all():
                yield f"column {column.name} has values without a label: {values.tolist()}"
            if column.members is not None and any(int(value) >> len(column.members) for value in values):
                yield f"column {column.name} has members that it does not list"
    if not np.isclose(seat_rows["win_share"].sum(), len(game_rows)):
        yield "win shares do not add up to 1"


def played(spec: GameSpec, players: int, sample: Mapping[str, Any], deals: Any) -> tuple[Any, Any]:
    """Return the rows of games that the first bot of the game plays."""
    rows = [np.zeros(len(deals) * count, dtype) for count, dtype in zip((players, 1), spec.row_dtypes, strict=True)]
    spec.play(spec.prepare(spec.options(**sample), players), _batch(spec, players, deals), *rows)
    return rows[0], rows[1]


def _batch(spec: GameSpec, players: int, deals: Any) -> Batch:
    name = spec.bots[0].name
    choose = spec.compile_bot(import_module(f"{spec.bots_package}.{name}").choose)
    seating = np.tile(np.arange(players, dtype=np.int8), (len(deals), 1))
    return Batch(SEED, players, np.array(deals, np.int64), seating, (Bot(name, choose, np.zeros(0)),) * players)
