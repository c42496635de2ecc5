"""The rulings that a scenario may switch off: what each switch does, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from rogsim.game import compiler
from rogsim.games.river_of_gold.components.load import BOOK
from tests.games.river_of_gold.changes import changed_naive_facts, changed_setup
from tests.games.river_of_gold.games import BOT_NAMES, PATRON_MODES, batch_of, outcomes, traces
from tests.games.river_of_gold.table import Table
from tests.naive.river_of_gold import replay

pytestmark = pytest.mark.slow

SWITCHES = tuple(BOOK.printed()["rulings"])


def off(*rulings: str) -> dict[str, Any]:
    return {f"rulings.{ruling}": False for ruling in rulings}


def table_without(ruling: str, players: int = 3, **options: Any) -> Table:
    return Table(players, setup=changed_setup(off(ruling), players), **options)


def do(table: Table) -> list[str]:
    return [step["do"] for step in table.steps]


def ending(table: Table) -> Table:
    """The next refill takes the last era 2 tile."""
    table.leave(0, 1)
    return table.lay_row("era2-shrine-1", "era2-shrine-2", "era2-shrine-3", "era2-shrine-4")


def test_ruling_end_trigger_bonus_can_be_switched_off() -> None:
    """Triggering the end scores nothing then; the last turns are played as usual."""
    table = ending(table_without("end_trigger_bonus")).build(14)
    assert do(table) == ["build", "end_trigger"]
    assert (table.seat(0).points, table.over, table.active) == (0, False, 1)
    assert ending(Table()).build(14).seat(0).points == 5


def test_ruling_last_turns_can_be_switched_off() -> None:
    """The game ends with the turn that triggers the end, and its player scores 5 points as usual."""
    table = ending(table_without("last_turns")).build(14)
    assert (table.over, table.seat(0).points) == (True, 5)
    assert not ending(Table()).build(14).over


def test_ruling_last_turns_switched_off_leaves_seats_with_fewer_turns() -> None:
    """Seats after the one that triggered the end have one turn fewer."""
    batch = batch_of(["balanced", "tuned", "racer"], 20) if compiler.ENABLED else batch_of(["random"] * 3, 2)
    seats, games = outcomes(changed_setup(off("last_turns"), 3), batch)
    for turns, ended_by in zip(seats["turns"].reshape(-1, 3), games["ended_by"], strict=True):
        assert turns.tolist() == [turns[0] if seat < ended_by else turns[0] - 1 for seat in range(3)]


def test_ruling_emperors_visit_can_be_switched_off() -> None:
    """The last era 1 tile triggers nothing, and era 2 begins as usual."""

    def last_era_1_tile(table: Table) -> Table:
        table.leave(1, 9).place(12, "era1-port-5", 1).place(13, "era1-shrine-6", 0, 2).give(1, koku=0)
        return table.lay_row("era1-manor-2").build(27)

    table = last_era_1_tile(table_without("emperors_visit"))
    assert do(table) == ["build", "roll"]
    assert [table.seat(seat).points for seat in range(3)] == [0, 0, 0]
    assert table.game.era_left.tolist() == [0, 9]
    assert "visit" in do(last_era_1_tile(Table()))


@pytest.mark.parametrize(("influence", "points"), [([10, 4], [5, 2]), ([18, 1], [5, 2]), ([3, 0], [5, 0])])
def test_ruling_two_player_distance_can_be_switched_off(influence: list[int], points: list[int]) -> None:
    """The second of two players scores however far behind, if it has any influence."""

    def scores(table: Table) -> list[int]:
        table.region_tile(1, [5, 2])
        for seat, reached in enumerate(influence):
            table.give(seat, influence={1: reached})
        return [row.points for row in table.final()]

    assert scores(table_without("two_player_distance", 2)) == points
    assert scores(Table(2)) == ([5, 0] if influence[0] > 5 else points)


def test_ruling_favor_breaks_ties_can_be_switched_off() -> None:
    """Equal points share the win whatever favor is left, and the following place is skipped."""

    def final(table: Table) -> list[tuple[int, float]]:
        for seat, (points, favor) in enumerate([(5, 1), (5, 3), (4, 6)]):
            table.give(seat, points=points, favor=favor)
        return [(row.rank, row.win_share) for row in table.final()]

    assert final(table_without("favor_breaks_ties")) == [(1, 0.5), (1, 0.5), (3, 0)]
    assert final(Table()) == [(2, 0), (1, 1), (3, 0)]


def test_there_is_a_test_for_each_switch() -> None:
    """Every ruling in the components has a test named after it."""
    assert len(SWITCHES) == 5
    assert [name for name in SWITCHES if f"test_ruling_{name}_can_be_switched_off" not in globals()] == []


def bots_for(players: int, deals: int) -> list[str]:
    names = BOT_NAMES
    return ["random"] * players if deals % 2 == 0 else [names[(deals + seat) % len(names)] for seat in range(players)]


@pytest.mark.parametrize("rulings", [*((name,) for name in SWITCHES), SWITCHES], ids="+".join)
def test_whole_games_without_a_ruling_replay_in_the_slow_rules(rulings: tuple[str, ...]) -> None:
    """Games of every player count and patron mode without it, and without all, are those of the slow rules."""
    facts = changed_naive_facts(off(*rulings))
    for players in (2, 3, 4):
        for mode in PATRON_MODES if compiler.ENABLED else PATRON_MODES[players - 2 : players - 1]:
            setup = changed_setup(off(*rulings), players, mode)
            for deals in range(4 if compiler.ENABLED else 1):
                (trace,) = traces(setup, batch_of(bots_for(players, deals), 1, first=deals))
                assert trace["change"] == off(*rulings)
                replay(trace, facts)


def test_switches_differ_only_where_the_ruling_matters() -> None:
    """With four players the two players' distance changes no game; every other switch changes some."""
    batch = batch_of(["balanced", "tuned", "courier", "racer"], 40) if compiler.ENABLED else batch_of(["random"] * 4, 1)
    printed, _ = outcomes(changed_setup({}, 4), batch)
    same = {name: bool((outcomes(changed_setup(off(name), 4), batch)[0] == printed).all()) for name in SWITCHES}
    assert same["two_player_distance"]
    assert not any(same[name] for name in ("end_trigger_bonus", "last_turns", "emperors_visit"))
