"""Whole games with changed parameters: compiled against slow rules, and properties of every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rogsim.game import compiler
from rogsim.game.functions import callable_by_rules
from rogsim.games.river_of_gold.components.load import BOOK
from rogsim.games.river_of_gold.play.narrate import narrate
from rogsim.games.river_of_gold.rules.actions import MENU_SIZE
from rogsim.games.river_of_gold.rules.legal import legal
from tests.games.river_of_gold.changes import changed_naive_facts, changed_setup, changes, checked
from tests.games.river_of_gold.games import BOT_NAMES, PATRON_MODES, batch_of, outcomes, traces
from tests.games.river_of_gold.playing import deals, steady
from tests.games.river_of_gold.table import Table
from tests.games.river_of_gold.test_properties import (
    check_cards,
    check_ledgers,
    check_limits,
    check_markers,
    check_tiles,
)
from tests.naive.river_of_gold import replay

legal = callable_by_rules(legal)

pytestmark = pytest.mark.slow

MOST_TURNS = 400  # of printed figures games have fewer than 150; where building is dear there are more

Change = dict[str, Any]
tables = st.tuples(changes(), st.sampled_from([2, 3, 4]), st.sampled_from(PATRON_MODES))


def bots_for(players: int, number: int) -> list[str]:
    """Some bots by seat: all random, or planning ones."""
    names = BOT_NAMES
    return ["random"] * players if number % 3 == 0 else [names[(number + i) % len(names)] for i in range(players)]


def ends(pattern: str, top: bool) -> Change:
    """All whole numbers whose names hold a word, at one end of their range."""
    return {
        name: fact.high if top else fact.low
        for name, fact in BOOK.parameters().items()
        if pattern in name and not fact.places and fact.low is not None
    }


# Figures at their ends, as far as they go together.
WIDE: Change = {"limits.koku": 100, "limits.good": 20, "limits.favor_limit": 20, "limits.influence": 30}
EXTREMES: dict[str, Change] = {
    "dear spaces": ends("shore.", True),
    "free spaces": ends("shore.", False),
    "dear orders": WIDE | ends(".order.", True),
    "free orders": ends(".order.", False) | {"setup.hand": 5},
    "long tracks": WIDE | ends(".build", True) | ends("delivery.", True),
    "small stacks": {**{f"setup.era_tiles.{players}": [2, 1] for players in (2, 3, 4)}, "setup.building_row": 1},
    "large stacks": {**{f"setup.era_tiles.{players}": [24, 16] for players in (2, 3, 4)}, "setup.building_row": 6},
    "no favor": {"setup.favor": 0, "setup.favor_limit": 0, "limits.favor_limit": 0, "delivery.monk.favor_limit": 0},
    "no hand": {"setup.hand": 0, "patron.yoritomo.bonus_customers": 0},
    "ships at the end": {"setup.ship_spaces": [14, 14]},
    "any face": {"customer.noble-5.amount": 3},
    "monks with influence": ends("delivery.monk.influence", True),
    "no points for regions": {f"region_tiles.two_players.{tile}": [0, 0] for tile in range(1, 7)},
}


# --------------------------------------------------------------------------------------------- the slow rules


@steady
@given(tables, st.integers(0, 10**6))
def test_changed_games_replay_in_the_slow_rules(table: tuple[Change, int, str], number: int) -> None:
    """Whatever is changed, the slow rules play a recorded game with the same change."""
    change, players, mode = table
    (trace,) = traces(changed_setup(change, players, mode), batch_of(bots_for(players, number), 1, first=number))
    assert trace.get("change", {}) == checked(change)
    replay(trace, changed_naive_facts(change))


@pytest.mark.parametrize("name", EXTREMES)
def test_games_at_the_ends_of_figures_replay_in_the_slow_rules(name: str) -> None:
    """Games of every player count with the smallest and the largest parameters."""
    change = EXTREMES[name]
    for players in (2, 3, 4) if compiler.ENABLED else (2,):
        setup = changed_setup(change, players, "dealt")
        for number in (0, 1) if compiler.ENABLED else (0,):
            (trace,) = traces(setup, batch_of(bots_for(players, number), 1, first=number))
            replay(trace, changed_naive_facts(change))
            assert len(trace["turns"]) < MOST_TURNS


@pytest.mark.once_compiled  # plays and records many games
@steady
@given(tables, st.integers(0, 10**6))
def test_changed_games_are_told_with_their_figures(table: tuple[Change, int, str], number: int) -> None:
    """Every trace of a changed game can be narrated, and its score is that of the outcome."""
    change, players, mode = table
    setup, batch = changed_setup(change, players, mode), batch_of(bots_for(players, number), 1, first=number)
    (trace,) = traces(setup, batch)
    assert narrate(trace)
    seat_rows, game_rows = outcomes(setup, batch)
    assert trace["final"]["points"] == seat_rows["points"].tolist()
    assert len(trace["turns"]) == game_rows["turns"][0]


# ---------------------------------------------------------------------------------------- in every changed game


def playing(table: tuple[Change, int, str], number: int) -> Iterator[tuple[Table, list[int]]]:
    """Play a changed game at random; yield the table and the menu before every choice, and at the end with none."""
    change, players, mode = table
    rng = random.Random(number)
    played = Table(bare=False, setup=changed_setup(change, players, mode), deals=number)
    menu = played.workspace.menu
    while not played.over:
        legal(played.tables, played.game, menu)
        choices = menu.actions[: int(menu.count)].tolist()
        yield played, choices
        played.recorder.take(rng.choice(choices))
    yield played, []


@steady
@given(tables, deals)
def test_limits_are_kept_and_nothing_is_lost_or_doubled(table: tuple[Change, int, str], number: int) -> None:
    """In a changed game quantities stay within its limits, and every tile, card, marker and koku is accounted for."""
    facts, rng = changed_naive_facts(table[0]), random.Random(number)
    for played, choices in playing(table, number):
        assert len(set(choices)) == len(choices)
        assert 0 < len(choices) <= MENU_SIZE or played.over
        assert played.game.turn < MOST_TURNS
        if played.expects == "draft":
            continue
        check_limits(played, facts)
        if played.over or rng.random() < 0.1:  # the slower checks
            check_cards(played)
            check_tiles(played)
            check_markers(played)
            check_ledgers(played, facts)


@steady
@given(tables, st.integers(0, 10**6))
def test_shares_points_and_ranks_fit_together(table: tuple[Change, int, str], number: int) -> None:
    """In changed games, too, win shares sum to 1, points by source add up, and the best have rank 1."""
    change, players, mode = table
    seats, _ = outcomes(changed_setup(change, players, mode), batch_of(bots_for(players, number), 1, first=number))
    assert sum(seats["win_share"]) == pytest.approx(1)
    sources = [name for name in seats.dtype.names if name.startswith("points_") and "_at_" not in name]
    assert (sum(seats[name] for name in sources) == seats["points"]).all()
    assert seats["points"][seats["rank"] == 1].min() == seats["points"].max()
    assert ((seats["rank"] == 1) == (seats["win_share"] > 0)).all()
