"""The columns on the course of a game: points over time, the lead, cards, tiles and region tiles."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import rogsim
from rogsim.game import compiler
from rogsim.game.columns import Column
from rogsim.game.kit.playing import actions_of
from rogsim.game.kit.workspace import lead_of, points_at
from rogsim.games.river_of_gold.components.names import POINT_SOURCES, RIVER_SPACES
from rogsim.games.river_of_gold.play.contract import RULES
from rogsim.games.river_of_gold.play.rows import GAME_COLUMNS, SEAT_COLUMNS
from rogsim.games.river_of_gold.rules.state import MOST_TURNS
from rogsim.games.river_of_gold.spec import GAME
from tests.games.river_of_gold.games import BOT_NAMES, PATRON_MODES, batch_of, outcomes, setup_for, traces

pytestmark = pytest.mark.once_compiled  # the same rows uncompiled: test_uncompiled.py

COLUMNS = {column.name: column for column in (*SEAT_COLUMNS, *GAME_COLUMNS)}
TENTHS = range(10, 100, 10)
FIFTHS = (20, 40, 60, 80)
LEAD = GAME.lead
assert LEAD is not None

# Figures, players, patrons, and the first bot; games differ from case to case.
CASES = [
    (figures, players, mode, BOT_NAMES[(3 * place + players + len(figures)) % len(BOT_NAMES)])
    for figures in ("printed", "generous")
    for players in (2, 3, 4)
    for place, mode in enumerate(PATRON_MODES)
]
CASES = CASES if compiler.ENABLED else CASES[::7]
GAMES = 10 if compiler.ENABLED else 1

Trace = dict[str, Any]

# ------------------------------------------------------------------------------- compared with recorded games


@pytest.fixture(scope="module", params=CASES, ids=str)
def games(request: pytest.FixtureRequest) -> list[tuple[Any, Any, Trace]]:
    """Seat rows, the game row and the trace of some games."""
    figures, players, mode, name = request.param
    setup = setup_for(figures, players, mode)
    bots = [name, *BOT_NAMES[:3]][:players]
    batch = batch_of(bots, GAMES, seed=8, first=CASES.index(request.param) * GAMES)
    seat_rows, game_rows = outcomes(setup, batch)
    return list(zip(np.split(seat_rows, GAMES), game_rows, traces(setup, batch), strict=True))


def members(column: Column, value: int) -> set[str]:
    """The members of a set, by its bits."""
    assert column.members is not None
    assert value < 1 << len(column.members)
    return {name for bit, name in enumerate(column.members) if value >> bit & 1}


def points_over_time(trace: Trace) -> list[list[int]]:
    """The points of all seats before the first turn and after each."""
    return [
        [0] * trace["players"],
        *([seat["points"] for seat in turn["after"]["seats"]] for turn in trace["turns"]),
    ]


def done(trace: Trace, seat: int, kind: str) -> list[Any]:
    return [step for turn in trace["turns"] if turn["seat"] == seat for step in turn["steps"] if step["do"] == kind]


def test_cards_are_the_customers_delivered_to(games: list[tuple[Any, Any, Trace]]) -> None:
    """Each bit is a delivery of the trace, and there are as many as deliveries."""
    for seats, _, trace in games:
        for seat, row in enumerate(seats):
            steps = done(trace, seat, "deliver")
            assert members(COLUMNS["cards"], int(row["cards"])) == {step["customer"] for step in steps}
            assert int(row["cards"]).bit_count() == row["deliveries"] == len(steps)


def test_tiles_are_those_built(games: list[tuple[Any, Any, Trace]]) -> None:
    """Each bit is a tile that the seat built in the trace, and there are as many as builds."""
    for seats, _, trace in games:
        for seat, row in enumerate(seats):
            steps = done(trace, seat, "build")
            assert members(COLUMNS["tiles"], int(row["tiles"])) == {step["tile"] for step in steps}
            assert int(row["tiles"]).bit_count() == row["builds"] == len(steps)


def test_stops_are_the_ends_of_sails(games: list[tuple[Any, Any, Trace]]) -> None:
    """A river space has as many stops as sails of the trace end there, and all together are the sails."""
    for seats, _, trace in games:
        for seat, row in enumerate(seats):
            ends = [step["to"] for step in done(trace, seat, "sail")]
            stops = [int(row[f"stops_{space}"]) for space in range(1, RIVER_SPACES + 1)]
            assert stops == [ends.count(space) for space in range(1, RIVER_SPACES + 1)]
            assert sum(stops) == row["sails"]


def test_spaces_are_those_with_a_marker_of_the_seat(games: list[tuple[Any, Any, Trace]]) -> None:
    """Each bit is a shore space where the last state of the trace has a marker of the seat, a monk's included."""
    for seats, _, trace in games:
        markers = trace["turns"][-1]["after"]["markers"]
        for seat, row in enumerate(seats):
            own = {f"space-{space}" for space, of_seats in markers.items() if seat in of_seats}
            assert members(COLUMNS["spaces"], int(row["spaces"])) == own


def test_points_over_time_are_those_after_the_turns(games: list[tuple[Any, Any, Trace]]) -> None:
    """A tenth of a game is over with the first turn that makes it a tenth or more; points never fall."""
    for seats, game, trace in games:
        history = points_over_time(trace)
        turns = int(game["turns"])
        for seat, row in enumerate(seats):
            for percent in TENTHS:
                over = next(turn for turn in range(turns + 1) if 100 * turn >= percent * turns)
                assert row[f"points_at_{percent}"] == history[over][seat]
            course = [0, *(row[name] for name in LEAD.progress), history[-1][seat], row["points"]]
            assert course == sorted(course)


def test_points_by_source_add_up_at_every_fifth(games: list[tuple[Any, Any, Trace]]) -> None:
    """The six sources are all the points so far, none of them ever falls, and each ends at most at its points."""
    for seats, _, _ in games:
        for row in seats:
            parts = [[int(row[name]) for name in names] for names in LEAD.by_source.values()]
            assert [sum(at) for at in zip(*parts, strict=True)] == [row[f"points_at_{percent}"] for percent in FIFTHS]
            for source, course in zip(LEAD.by_source, parts, strict=True):
                assert [*course, int(row[source])] == sorted([*course, int(row[source])])


def test_points_by_source_are_those_of_the_ledger_after_the_turns() -> None:
    """A game carried out decision by decision, with the ledger of every seat noted after each turn."""
    setup, players = setup_for("printed", 3), 3
    batch = batch_of(["random"] * players, 1, seed=4)
    rows, _ = outcomes(setup, batch)
    state = compiler.records(RULES.state, 1)
    RULES.begin(setup.tables, state[0], batch.seed, int(batch.deals[0]))
    after: list[list[list[int]]] = []
    for action in actions_of(RULES, setup, batch, GAME.row_dtypes):
        turn = int(state[0].turn)
        RULES.apply(setup.tables, state[0], int(action))
        ledgers = [state[0].players[seat].ledger.points.tolist() for seat in range(players)]
        if len(after) == turn:
            after.append(ledgers)
        after[turn] = ledgers
    assert len(after) == int(state[0].turn) + 1
    for percent in FIFTHS:
        over = next(turn for turn in range(1, len(after) + 1) if 100 * turn >= percent * len(after))
        for seat in range(players):
            assert [rows[seat][f"points_{name}_at_{percent}"] for name in POINT_SOURCES] == after[over - 1][seat]
    assert any(after[-1][seat][place] for seat in range(players) for place in range(len(POINT_SOURCES)))


def slow_lead(history: list[list[int]], winner: int) -> tuple[int, int, int]:
    """Changes, since, behind, in the plainest way; the history begins with the start of the game."""
    alone = [points.index(max(points)) for points in history if points.count(max(points)) == 1]
    changes = sum(leader != other for leader, other in pairwise(alone))
    behind = [max(points) - points[winner] for points in history]
    since = [turn for turn in range(len(history)) if not any(behind[turn:])]
    return changes, since[0] if since else -1, max(behind)


def test_the_lead_is_that_of_the_trace(games: list[tuple[Any, Any, Trace]]) -> None:
    """Changes of the lead, since when the winner had it, and how far behind it was."""
    for _, game, trace in games:
        found = tuple(int(game[name]) for name in (LEAD.changes, LEAD.since, LEAD.behind))
        assert found == slow_lead(points_over_time(trace), trace["final"]["winners"][0])


def test_region_tiles_are_those_of_the_set_up(games: list[tuple[Any, Any, Trace]]) -> None:
    """Each region names the tile that lay there, by the points for its places."""
    for _, game, trace in games:
        for region, tile in enumerate(trace["setup"]["region_tiles"], 1):
            column = COLUMNS[f"region_{region}"]
            assert column.labels is not None
            assert column.labels[game[column.name]] == "-".join(map(str, tile))


def test_the_games_compared_leave_nothing_out() -> None:
    """There are leads that never change, that are won in the end alone, and winners never behind."""
    if not compiler.ENABLED:
        pytest.skip("too few games")
    rows = [outcomes(setup_for("printed", 3), batch_of(["random"] * 3, 300))[1]]
    rows += [outcomes(setup_for("printed", 2), batch_of(["random"] * 2, 300))[1]]
    changes, since = (np.concatenate([row[name] for row in rows]) for name in ("lead_changes", "lead_from"))
    assert min((since == -1).sum(), (since == 0).sum(), (since > 0).sum(), (changes == 0).sum()) >= 10
    assert changes.max() >= 5
    assert sum(game["turns"].max() for game in rows) < MOST_TURNS


# ----------------------------------------------------------------------------------------- histories by hand


def packed(history: list[list[int]]) -> Any:
    """Points by change and seat; beyond them are those of other games."""
    return np.array([*history, [999] * len(history[0])], np.int32)


def lead_in(history: list[list[int]], winner: int) -> tuple[int, int, int]:
    """What `lead_of` says when it is given the turns in which points change."""
    turns = [turn for turn in range(len(history)) if turn == 0 or history[turn] != history[turn - 1]]
    changed = np.array([*turns, len(history)], np.int32)
    points = packed([history[turn] for turn in turns])
    return tuple(lead_of(points, changed, len(turns) + 1, len(history), len(history[0]), winner))


@pytest.mark.parametrize(
    ("history", "winner", "expected"),
    [
        ([[0, 0], [0, 0]], 0, (0, 0, 0)),  # nobody ever leads
        ([[1, 0], [1, 0]], 0, (0, 0, 0)),  # the first to lead is no change
        ([[1, 0], [1, 2]], 1, (1, 2, 1)),
        ([[1, 0], [1, 1], [2, 1]], 0, (0, 0, 0)),  # caught up with, not overtaken
        ([[1, 0], [1, 1], [1, 2]], 1, (1, 2, 1)),  # level is not behind
        ([[1, 0], [1, 2], [3, 2], [3, 4]], 1, (3, 4, 1)),
        ([[5, 0], [5, 3], [5, 3]], 1, (0, -1, 5)),  # final scoring made up for it
        ([[0, 4], [4, 4], [4, 4]], 0, (0, 2, 4)),
        ([[2, 2, 0], [2, 2, 3], [2, 4, 3], [9, 4, 3]], 0, (2, 4, 2)),  # two lead together: no one's lead
        ([[0, 1, 0, 0], [2, 1, 0, 2], [2, 1, 0, 3], [2, 3, 3, 3]], 2, (1, 4, 3)),
    ],
)
def test_the_lead_of_a_small_history(history: list[list[int]], winner: int, expected: tuple[int, int, int]) -> None:
    """By hand: how often the lead changed, since when the winner was not behind, and how far it had been."""
    assert lead_in(history, winner) == expected
    assert slow_lead([[0] * len(history[0]), *history], winner) == expected


def test_the_lead_of_chance_histories() -> None:
    """Compared with the plainest way, over histories in which ties are frequent."""
    chance = np.random.default_rng(3)
    for number in range(300 if compiler.ENABLED else 60):
        seats, turns = 2 + number % 3, 1 + number % 9
        history = chance.integers(0, 2, (turns, seats)).cumsum(axis=0).tolist()
        for winner in range(seats):
            expected = slow_lead([[0] * seats, *history], winner)
            assert lead_in(history, winner) == expected


def test_shares_of_short_and_long_games() -> None:
    """Of ten turns a tenth is one; of 11, 10% are over with the second; of one turn all are over at once."""
    history = compiler.records(np.dtype([("points", "i4", (100, 4)), ("place", "i4", (100,))]), 1)[0]
    history.points[:] = [[0, turn, 30_000, 30_000] for turn in range(1, 101)]
    history.place[:] = range(100)
    assert [points_at(history, 10, 1, percent) for percent in TENTHS] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert [points_at(history, 11, 1, percent) for percent in (10, 50, 90)] == [2, 6, 10]
    assert [points_at(history, 1, 1, percent) for percent in (10, 90)] == [1, 1]
    assert [points_at(history, 100, 1, percent) for percent in TENTHS] == list(TENTHS)
    history.place[50:] = 20  # nothing changed after turn 21
    assert [points_at(history, 100, 1, percent) for percent in TENTHS] == [10, 20, 30, 40, 50, *[21] * 4]


# --------------------------------------------------------------------------------------------- as they are kept


def test_sets_are_written_as_numbers_and_region_tiles_as_names() -> None:
    """In frames a set is an unsigned number; the two sides of the region tiles share the names that they share."""
    results = rogsim.run({"players": [2, 4], "games": 12, "seed": 3, "bots": ["random"]}, jobs=1)
    seats, games = results.seats().collect(), results.games().collect()
    assert (str(seats.schema["cards"]), str(seats.schema["tiles"])) == ("UInt32", "UInt64")
    assert (seats["tiles"].bitwise_count_ones() == seats["builds"]).all()
    names = {
        players: set(part.select(f"region_{region}" for region in range(1, 7)).row(0))
        for (players,), part in games.group_by("players")
    }
    assert names[2] == {"3", "5-2", "4-2", "8-4", "6-3", "7-3"}
    assert names[4] == {"7-3", "9-5", "8-4", "12-8-4", "10-6-2", "11-7-3"}
