"""Checks that any game can run on itself: whether its `Rules` keep what the harness relies on.

`scripts/check-game GAME` checks a game, and lists the problems. GAME is an id, or `package.module:NAME`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import numpy as np

from rogsim.base.errors import RogsimError
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.compiler import ENABLED, records
from rogsim.game.kit import loop, playing
from rogsim.game.kit.history import history_of
from rogsim.game.records import as_records
from rogsim.game.registry import get_game
from rogsim.game.rng import STREAM
from rogsim.game.rules import NO_ACTION, OVER, array_of
from rogsim.game.spec import GameSpec

SEED = 20
EVERY = 7  # after so many decisions the views of all seats are checked


class _FaultyError(Exception):
    """What a game does wrong, in a few words."""


def problems_of(where: str, games: int = 3, other_side: bool = True) -> list[str]:
    """Check a game, and return its problems; an empty list if there are none.

    Random games are played with every player count and every entry of `GameSpec.samples`. In each of them: the same
    deal gives the same game; there is always a legal action, each is listed once, and what is legal depends only on
    what the actor sees; an action always leads to the same state; nobody's view changes when everything hidden from it
    is dealt anew; ranks and win shares fit together. Then the games are played by the play loop: a replay of their
    actions gives the same rows, the rows fit the columns, and they are the same compiled and uncompiled. And topics
    are about parameters that the game has.

    Parameters
    ----------
    where
        The id of a game, or the module and the variable that hold its `GameSpec`, as `package.module:NAME`.
    games
        Games for each player count and sample.
    other_side
        Whether to play the games uncompiled as well, or compiled if this process is uncompiled, in a second process.
    """
    spec = game_at(where)
    found = list(_lost_topics(spec))
    for players in spec.players:
        for sample in spec.samples:
            for deal in range(games):
                try:
                    check_game(spec, players, sample, deal)
                except (_FaultyError, ValueError, IndexError, ArithmeticError) as fault:
                    found.append(f"{players} players, {dict(sample)}, deal {deal}: {fault}")
    if other_side and not found and digest_elsewhere(where, games) != digest(spec, games):
        found.append("compiled and uncompiled games differ")
    return found


def _lost_topics(spec: GameSpec) -> Iterator[str]:
    """Yield the topics that are about parameters that the game does not have."""
    names = [f"{parameter.name}." for parameter in spec.facts()]
    for topic in spec.topics:
        for group in topic.about:
            if not any(name.startswith(f"{group}.") for name in names):
                yield f'topic {topic.name} is about "{group}", and no parameter has a name that begins so'


def game_at(where: str) -> GameSpec:
    """Return the game of an id, or that in a variable of a module, `package.module:NAME`; RogsimError if it fails."""
    module, colon, name = where.partition(":")
    if not colon:
        return get_game(where)
    try:
        spec = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as fault:
        raise RogsimError(f"{where}: {fault}; name a game as package.module:NAME") from fault
    if not isinstance(spec, GameSpec):
        raise RogsimError(f"{where}: is not a GameSpec")
    return spec


def digest(spec: GameSpec, games: int) -> str:
    """Return a hash of the rows of the games that `problems_of` checks."""
    hashed = hashlib.sha256()
    for players in spec.players:
        for sample in spec.samples:
            for rows in _played(spec, players, sample, range(games)):
                hashed.update(_packed(rows))
    return hashed.hexdigest()


def digest_elsewhere(where: str, games: int) -> str:
    """Return `digest` from a process that compiles if this one does not, and does not if this one does."""
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1" if ENABLED else "0"}
    command = [sys.executable, "-m", "rogsim.game.kit.conformance", where, "--digest", str(games)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr


def check_game(spec: GameSpec, players: int, sample: Mapping[str, Any], deal: int) -> None:
    """Play a game at random decision by decision, then by the play loop; _FaultyError if something is wrong."""
    setup = spec.prepare(spec.options(**sample), players)
    walk = _Walk(spec, setup, players, deal)
    walk.check_begin()
    while walk.actor != OVER:
        walk.check_decision()
        walk.choose()
    walk.check_end()
    _check_replay(spec, setup, players, sample, deal)


class _Walk:
    """One game on its way, with random choices."""

    def __init__(self, spec: GameSpec, setup: Any, players: int, deal: int) -> None:
        self.rules, self.players, self.deal = spec.rules, players, deal
        self.tables = array_of(self.rules.tables_of(setup))
        self.state, self.history, self.menu = (
            records(dtype, 1) for dtype in (self.rules.state, history_of(self.rules), self.rules.menu)
        )
        self.stream, self.holder = records(STREAM, 1)[0], records(self.rules.holder, 1)[0]
        self.chance = np.random.default_rng((SEED, players, deal))
        self.decisions = 0
        self.course: dict[int, list[int]] = {}  # by turn: the points of all seats at its end
        self.rules.begin(self.tables[0], self.state[0], SEED, deal)
        self.actor = self._step(self.state, NO_ACTION)

    def _step(self, state: Any, action: int) -> int:
        return int(loop.step(self.tables, state, self.history, self.menu, action))

    @property
    def legal(self) -> list[int]:
        """The legal actions."""
        actions: list[int] = self.menu[0].actions[: int(self.menu[0].count)].tolist()
        return actions

    def check_begin(self) -> None:
        """The same deal gives the same game; the number of seats is that asked for."""
        again = records(self.rules.state, 1)
        self.rules.begin(self.tables[0], again[0], SEED, self.deal)
        _expect(_packed(again) == _packed(self.state), "the same seed and deal give different games")
        seats = int(self.rules.seats(self.state[0]))
        _expect(seats == self.players, f"has {seats} seats instead of {self.players}")

    def check_decision(self) -> None:
        """Check the actor, its menu, and from time to time all views."""
        _expect(0 <= self.actor < self.players, f"the actor is seat {self.actor}")
        legal = self.legal
        _expect(len(legal) > 0, "there is no legal action, and the game is not over")
        _expect(len(set(legal)) == len(legal), f"the menu lists an action twice: {legal}")
        _expect(set(legal) <= set(range(self.rules.actions)), f"the menu has actions beyond {self.rules.actions - 1}")
        for seat in range(self.players) if self.decisions % EVERY == 0 else (self.actor,):
            self._check_view(seat)

    def _check_view(self, seat: int) -> None:
        """A view stays the same when everything that is hidden in it is dealt anew; so does the actor's menu."""
        view, again = self._view(self.state, seat), records(self.rules.state, 1)
        self.rules.deal_world(self.tables[0], view[0], seat, self.stream, self.holder)
        again[0] = self.holder.game
        same = _packed(self._view(again, seat)) == _packed(view)
        _expect(same, f"the view of seat {seat} changes with what it does not see, or with a world dealt for it")
        if seat == self.actor:
            menu = records(self.rules.menu, 1)
            self.rules.legal(self.tables[0], view[0], menu[0])
            shown = menu[0].actions[: int(menu[0].count)].tolist()
            _expect(shown == self.legal, f"seat {seat} sees other legal actions than there are: {shown}, {self.legal}")

    def _view(self, state: Any, seat: int) -> Any:
        view = records(self.rules.state, 1)
        loop.observe(state, seat, view)
        return view

    def choose(self) -> None:
        """Carry out a random action twice, on two copies of the game: both lead to the same state."""
        action = int(self.chance.choice(self.legal))
        other, history, turn = self.state.copy(), self.history.copy(), int(self.rules.turn(self.state[0]))
        tables = _packed(self.tables)
        self._step(other, action)
        self.history[:] = history
        self.actor = self._step(self.state, action)
        self.decisions += 1
        self._note_points(turn)
        _expect(_packed(other) == _packed(self.state), f"action {action} leads to different states from the same one")
        _expect(_packed(self.tables) == tables, f"action {action} changes the tables")
        _expect(int(self.rules.turn(self.state[0])) >= turn, "the number of the turn falls")

    def _note_points(self, before: int) -> None:
        """Note the points of all seats if a decision ended a turn."""
        turn = int(self.rules.turn(self.state[0]))
        ended = [before] * (turn > before) + [turn] * (self.actor == OVER)
        self.course |= {
            end: [int(self.rules.points(self.state[0], seat)) for seat in range(self.players)] for end in ended
        }

    def check_end(self) -> None:
        """The history has the points after every turn; ranks and win shares fit; scoring leaves the game as it is."""
        history = self.history[0]
        for turn, points in self.course.items():
            if turn < self.rules.most_turns:
                kept = history.points[int(history.place[turn])][: self.players].tolist()
                _expect(kept == points, f"the points after turn {turn + 1} are {points}, but {kept} in the history")
        before, scores = _packed(self.state), records(self.rules.scores, self.players)
        self.rules.score(self.tables[0], self.state[0], scores)
        _expect(_packed(self.state) == before, "scoring changes the game")
        ranks, shares = scores["rank"].tolist(), scores["win_share"].tolist()
        first = [rank == 1 for rank in ranks]
        _expect(all(ranks[seat] == 1 + _before(ranks, seat) for seat in range(self.players)), f"ranks are {ranks}")
        fitting = [first[seat] / sum(first) for seat in range(self.players)]
        _expect(np.allclose(shares, fitting), f"win shares are {shares} with the ranks {ranks}")


def _before(ranks: list[int], seat: int) -> int:
    return sum(rank < ranks[seat] for rank in ranks)


def _check_replay(spec: GameSpec, setup: Any, players: int, sample: Mapping[str, Any], deal: int) -> None:
    """The actions of a game of the play loop give its rows again, and the rows fit their columns."""
    seat_rows, game_rows = _played(spec, players, sample, [deal])
    rules, batch = spec.rules, _batch(spec, players, [deal])
    actions = playing.actions_of(rules, setup, batch, spec.row_dtypes).tolist()
    tables, state = array_of(rules.tables_of(setup)), records(rules.state, 1)
    history, menu = records(history_of(rules), 1), records(rules.menu, 1)
    rules.begin(tables[0], state[0], SEED, deal)
    for action in (NO_ACTION, *actions):
        over = loop.step(tables, state, history, menu, action) == OVER
    _expect(over, "the actions of a game do not end it again")
    scores = records(rules.scores, players)
    rules.score(tables[0], state[0], scores)
    again = [as_records(np.zeros(len(rows), rows.dtype)) for rows in (seat_rows, game_rows)]
    rules.write_rows(tables[0], state[0], scores, history[0], again[0], again[1], 0)
    same = _packed(again[0]) == _packed(seat_rows) and _packed(again[1]) == _packed(game_rows)
    _expect(same, "a replay of its actions gives other rows")
    trace = next(iter(spec.record(setup, batch)))
    _expect(trace.get("format") == f"{spec.id}-trace/1", f'the format of a trace is not "{spec.id}-trace/1"')
    _expect(bool(spec.narrate(trace)), "a trace has no narration")
    for text in _misfits(spec, seat_rows, game_rows):
        raise _FaultyError(text)


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


def _played(spec: GameSpec, players: int, sample: Mapping[str, Any], deals: Any) -> tuple[Any, Any]:
    """Return the rows of games that the first bot of the game plays."""
    rows = [np.zeros(len(deals) * count, dtype) for count, dtype in zip((players, 1), spec.row_dtypes, strict=True)]
    spec.play(spec.prepare(spec.options(**sample), players), _batch(spec, players, deals), *rows)
    return rows[0], rows[1]


def _batch(spec: GameSpec, players: int, deals: Any) -> Batch:
    name = spec.bots[0].name
    choose = spec.compile_bot(import_module(f"{spec.bots_package}.{name}").choose)
    seating = np.tile(np.arange(players, dtype=np.int8), (len(deals), 1))
    return Batch(SEED, players, np.array(deals, np.int64), seating, (Bot(name, choose, np.zeros(0)),) * players)


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise _FaultyError(otherwise)


def _packed(array: Any) -> bytes:
    """Return the values of a structured array as bytes, without the gaps between fields."""
    return np.asarray(array).astype(_without_gaps(array.dtype)).tobytes()


def _without_gaps(dtype: np.dtype[Any]) -> np.dtype[Any]:
    if dtype.subdtype is not None:
        return np.dtype((_without_gaps(dtype.subdtype[0]), dtype.subdtype[1]))
    if dtype.names is None or dtype.fields is None:
        return dtype
    return np.dtype([(name, _without_gaps(dtype.fields[name][0])) for name in dtype.names])


def main(arguments: list[str]) -> int:
    """Print the problems of a game, or the hash of its games; return the exit code."""
    try:
        match arguments:
            case [where, "--digest", games]:
                print(digest(game_at(where), int(games)))
            case [where] if not where.startswith("-"):
                problems = problems_of(where)
                print("\n".join(problems) or f"{where}: no problems found")
                return bool(problems)
            case _:
                raise RogsimError("name one game, by its id or as package.module:NAME")
    except RogsimError as fault:
        print(f"rogsim: error: {fault}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
