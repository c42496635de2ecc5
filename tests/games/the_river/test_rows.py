"""The rows of a game of The River are what its trace tells."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from rogsim.game import compiler
from rogsim.game.kit.bits import members
from rogsim.game.kit.playing import actions_of
from rogsim.games.the_river.components.names import BOARDS, PLACES, PRODUCED, TERRAINS
from rogsim.games.the_river.play.contract import RULES
from rogsim.games.the_river.play.rows import ENDS, GAME_COLUMNS, SEAT_COLUMNS, TOKEN_VALUES
from rogsim.games.the_river.spec import GAME
from tests.games.the_river.games import COUNTS, Trace, batch_of, played, setup_for

END_OF = {
    (False, False): "neither",
    (True, False): "bonus tokens",
    (False, True): "terrain tiles",
    (True, True): "both",
}
FIFTHS = (20, 40, 60, 80)
Played = tuple[Any, Any, Trace]  # the rows of the seats and of the game, and its trace


@pytest.fixture(scope="module")
def games() -> list[Played]:
    """Games with random first players, with the printed and with other figures."""
    found: list[Played] = []
    for players in COUNTS:
        for figures in ("printed", "narrow", "wide"):
            rows = played(setup_for(players, figures, first_player="random"), 6 if compiler.ENABLED else 1)
            found += zip(*rows, strict=True)
    return found


def answers(trace: Trace, seat: int) -> Counter[str]:
    """How often a seat gave each answer, by its first word; productions by resource."""
    steps = [step for step in trace["steps"] if step.get("seat") == seat and "action" in step]
    words = [step["action"].split() for step in steps]
    return Counter(word[1] if word[0] == "produce" else word[0] for word in words)


def members_of(row: Any, column: str) -> list[str]:
    names = next(each.members for each in SEAT_COLUMNS if each.name == column)
    assert names is not None
    return members(row[column], names)


def test_points_are_the_sum_of_their_sources(games: list[Played]) -> None:
    """The five sources add up to all points, and are those of the trace."""
    for seats, _, trace in games:
        for row, parts in zip(seats, trace["final"]["breakdown"], strict=True):
            sources = [parts["buildings"], parts["tokens"], sum(parts["columns"]), parts["leftovers"]]
            sources.append(sum(parts["meadows"].values()))
            names = ("buildings", "tokens", "columns", "leftovers", "meadows")
            assert sources == [row[f"points_{name}"] for name in names]
            assert sum(sources) == row["points"]


def test_placed_pioneers_are_the_answers_given(games: list[Played]) -> None:
    """Pioneers by place, turns, trades and reserved cards are as many as in the trace."""
    for seats, game, trace in games:
        for seat, row in enumerate(seats):
            given = answers(trace, seat)
            assert [row[f"placed_{place}"] for place in PLACES] == [given[place] for place in PLACES]
            assert row["turns"] == sum(given[place] for place in PLACES) + given["pass"]
            assert (row["passes"], row["trades"], row["reserved"]) == (given["pass"], given["trade"], given["reserve"])
            assert row["buildings"] == given["construct"]
        assert game["turns"] == seats["turns"].sum()


def test_tiles_cards_and_tokens_are_those_at_the_end(games: list[Played]) -> None:
    """Members, counts by terrain, buildings, tokens, settlers and resources left agree with the last state."""
    for seats, _, trace in games:
        for seat, row in enumerate(seats):
            last = trace["steps"][-1]["state"]["seats"][seat]
            assert sorted(members_of(row, "lands") + members_of(row, "meadows")) == sorted(last["tiles"])
            assert members_of(row, "cards") == sorted(last["built"])
            assert (row["tiles"], row["buildings"]) == (len(last["tiles"]), len(last["built"]))
            assert members_of(row, "token_values") == sorted({TOKEN_VALUES[min(value, 6)] for value in last["tokens"]})
            assert (row["tokens"], row["fifth_pioneer"]) == (len(last["tokens"]), not last["fifth"])
            left = min(sum(last["resources"]), last["warehouses"])  # after the last meadow something may be given up
            assert (row["settled"], row["left"]) == (last["settled"], left)
            assert row["meadow_tiles"] == sum(tile[0] == "G" for tile in last["tiles"])
            mixed = sum(tile[0] == "X" for tile in last["tiles"])
            assert sum(row[f"{terrain}_tiles"] for terrain in TERRAINS) == row["tiles"] + mixed
            assert BOARDS[row["board"]] == trace["setup"]["boards"][seat]
            assert row["order"] == (seat - trace["setup"]["first"]) % len(seats) + 1


def test_resources_gained_are_those_spent_and_left(games: list[Played]) -> None:
    """What a seat took is what it paid, gave up, traded away or still has."""
    for seats, _, trace in games:
        given = trace["change"].get("turn.trade_give", 3)
        for row in seats:
            taken = sum(row[f"{resource}_produced"] for resource in PRODUCED) + row["food"] + row["gifts"]
            assert taken == row["paid"] + row["given_up"] + given * row["trades"] + row["left"]


def test_the_pawn_and_the_end_are_those_of_the_trace(games: list[Played]) -> None:
    """Rounds begun, changes of the pawn's holder, reshuffles, and what ended the game and by whom."""
    for seats, game, trace in games:
        states = [step["state"] for step in trace["steps"] if "state" in step]
        holders = [trace["setup"]["first"], *(state["first"] for state in states)]
        moves = [new for old, new in pairwise(holders) if old != new]
        assert game["pawn_moves"] == len(moves)
        assert [row["pawn_gained"] for row in seats] == [moves.count(seat) for seat in range(len(seats))]
        assert seats["rounds_begun"].sum() == game["rounds"] == trace["final"]["rounds"]
        assert game["reshuffles"] == sum(step.get("event") == "reshuffle" for step in trace["steps"])
        trigger = trace["final"]["trigger"]
        assert ENDS[game["ended_by"]] == END_OF[bool(trigger["tokens"]), bool(trigger["tiles"])]
        enders = [step["seat"] for step in trace["steps"] if step.get("state", {}).get("end") and "action" in step]
        expected = [int(seat == enders[0]) if enders else 0 for seat in range(len(seats))]
        assert seats["ended_game"].tolist() == expected


def test_progress_is_what_buildings_and_tokens_are_worth(games: list[Played]) -> None:
    """Points during a game never fall, and end at buildings and bonus tokens."""
    for seats, _, _ in games:
        for row in seats:
            course = [row[f"points_at_{percent}"] for percent in range(10, 100, 10)]
            assert course == sorted(course)
            assert course[-1] <= row["points_buildings"] + row["points_tokens"]


def test_points_by_source_add_up_at_every_fifth(games: list[Played]) -> None:
    """Buildings and tokens are all the points so far, neither ever falls, and they end at the points of the game."""
    for seats, _, _ in games:
        for row in seats:
            parts = [[int(row[name]) for name in names] for names in GAME.lead.by_source.values()]
            assert [sum(at) for at in zip(*parts, strict=True)] == [
                row[f"points_at_{percent}"] for percent in (20, 40, 60, 80)
            ]
            for source, course in zip(GAME.lead.by_source, parts, strict=True):
                assert [*course, int(row[source])] == sorted([*course, int(row[source])])


def test_points_by_source_are_those_after_the_turns() -> None:
    """A game carried out decision by decision, with the values of all tokens added up after each turn."""
    players, setup = 3, setup_for(3)
    (seats,), _, _ = played(setup, 1)
    batch = batch_of(players, 1)
    state = compiler.records(RULES.state, 1)
    RULES.begin(setup.tables, state[0], batch.seed, int(batch.deals[0]))
    after: list[list[int]] = []
    for action in actions_of(RULES, setup, batch, GAME.row_dtypes):
        turn = int(state[0].turn)
        RULES.apply(setup.tables, state[0], int(action))
        tokens = [int(player.tokens[: player.token_count].sum()) for player in state[0].players[:players]]
        after = [*after[:turn], tokens]
    assert len(after) == int(state[0].turn)
    for percent in FIFTHS:
        over = next(turn for turn in range(1, len(after) + 1) if 100 * turn >= percent * len(after))
        assert [row[f"points_tokens_at_{percent}"] for row in seats] == after[over - 1]
    assert any(after[-1])


def test_every_topic_and_measure_has_its_columns() -> None:
    """Topics and profiles name columns that exist, factors are columns with labels, and every member has a word."""
    seat = {column.name: column for column in SEAT_COLUMNS}
    columns = {**seat, **{column.name: column for column in GAME_COLUMNS}}
    for topic in GAME.topics:
        recorded = topic.reads or topic.columns  # a question about what seats did has conditions on these
        assert set(recorded) <= set(columns), topic.name
        for name in recorded:
            assert set(columns[name].members or ()) <= set(topic.labels), topic.name
    for table in GAME.profile:
        assert {name for measure in table.measures for name in (*measure.columns, *measure.of)} <= set(seat)
    assert all(columns[name].labels for name in (*GAME.seat_factors, *GAME.game_factors))
