"""Properties of every game: limits, conservation, and points that add up."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rogsim.game import compiler
from rogsim.games.river_of_gold.components.names import (
    CUSTOMER_TYPES,
    CUSTOMERS,
    ERAS,
    MASTERIES,
    NOBLE,
    NONE,
    SHORE_SPACES,
    TILES_PER_ERA,
)
from rogsim.games.river_of_gold.play.rows import GAME_COLUMNS, SEAT_COLUMNS
from rogsim.games.river_of_gold.rules.actions import MENU_SIZE
from tests.games.river_of_gold.games import BOT_NAMES, batch_of, naive_facts, outcomes, setup_for, traces
from tests.games.river_of_gold.playing import deals, kinds_of_game, playing, steady
from tests.games.river_of_gold.table import Table, cards_in

pytestmark = pytest.mark.slow

# -------------------------------------------------------------------------------------------- in every game


@steady
@given(kinds_of_game, deals)
def test_limits_are_kept_and_nothing_is_lost_or_doubled(kind: tuple[str, int, str], number: int) -> None:
    """Throughout a game all quantities are within their limits, and every tile, card and marker is accounted for."""
    facts, rng = naive_facts(kind[0]), random.Random(number)
    for table, _ in playing(kind, number):
        if table.expects == "draft":
            continue
        check_limits(table, facts)
        if table.over or rng.random() < 0.15:  # the slower checks
            check_cards(table)
            check_tiles(table)
            check_markers(table)
            check_ledgers(table, facts)


def check_limits(table: Table, facts: dict[str, Any]) -> None:
    limits = facts["limits"]
    for player in table.game.players[: table.players]:
        assert 0 <= player.koku <= limits["koku"]
        assert 0 <= min(player.goods) <= max(player.goods) <= limits["good"]
        assert 0 <= player.favor <= player.favor_limit <= limits["favor_limit"]
        assert 0 <= min(player.influence) <= max(player.influence) <= limits["influence"]
        assert 0 <= min(player.ships) <= max(player.ships) < 14
        assert 1 <= player.die <= 6
        royal = player.royal != NONE or table.expects == "royal"
        assert royal or player.delivered_by_type[NOBLE] == 0


def check_cards(table: Table) -> None:
    cards = table.deck + table.discards
    for player in table.game.players[: table.players]:
        hand, delivered = cards_in(player.hand), cards_in(player.delivered)
        cards += hand + delivered
        assert player.hand_size == len(hand)
        assert sum(player.delivered_by_type) == len(delivered)
    assert sorted(cards) == sorted(CUSTOMERS)


def check_tiles(table: Table) -> None:
    """Drawn era tiles lie in the row, on the shore, or were discarded at the end of a journey."""
    game = table.game
    drawn: list[str] = []
    for era in range(len(ERAS)):
        size = int(table.tables.era_tiles[era])
        stack = [table.tile_ids[tile] for tile in game.secret.stacks[era, : TILES_PER_ERA[era]]]
        assert len(set(stack)) == len(stack)
        assert all(tile.startswith(ERAS[era]) for tile in stack)
        drawn += stack[: size - int(game.era_left[era])]
    laid = [tile for space in range(1, SHORE_SPACES + 1) if (tile := table.tile_at(space))]
    seen = table.row + [tile for tile in laid if tile.startswith("era")]
    assert len(set(seen)) == len(seen)
    assert set(seen) <= set(drawn)
    if table.expects == "turn":
        journeys = sum(int(player.ledger.journeys) for player in game.players)
        assert len(drawn) == len(seen) + journeys
        assert len(table.row) == table.tables.row_size or game.last_turns != NONE


def check_markers(table: Table) -> None:
    for space in range(1, SHORE_SPACES + 1):
        first, second = (int(seat) for seat in table.game.markers[space - 1])
        tile = table.tile_at(space)
        assert (first != NONE) == (tile is not None and tile.startswith("era"))
        assert second == NONE or first != NONE
        assert max(first, second) < table.players
    for number in range(table.players):
        counted = dict.fromkeys(["port", "market", "manor", "shrine"], 0)
        for space in range(1, SHORE_SPACES + 1):
            if number in table.owners(space):
                counted[str(table.tile_at(space)).split("-")[1]] += 1
        assert table.seat(number).owned == counted


def check_ledgers(table: Table, facts: dict[str, Any]) -> None:
    """Points by source and koku gained and spent agree with what the player has; claims agree with the cards."""
    for number, player in enumerate(table.game.players[: table.players]):
        assert sum(int(points) for points in player.ledger.points) == player.points
        start = int(facts["setup"]["koku_by_turn_order"][number])
        if table.seat(number).patron == "kaiu-shihobu":
            (patron,) = (row for row in facts["patron"] if row["id"] == "kaiu-shihobu")
            start = min(start + int(patron["bonus_koku"]), int(facts["limits"]["koku"]))
        assert start + player.ledger.koku_gained - player.ledger.koku_spent == player.koku
    for place, mastery in enumerate(MASTERIES):
        places = sorted(int(player.claimed[place]) for player in table.game.players if player.claimed[place])
        assert places == list(range(1, max(0, int(table.game.claims[place])) + 1)), mastery


@steady
@given(kinds_of_game, deals)
def test_there_is_always_a_choice_and_none_stands_twice(kind: tuple[str, int, str], number: int) -> None:
    """Every menu has at least one entry, each once, and is never full; every game ends within 150 turns."""
    for table, choices in playing(kind, number):
        assert len(set(choices)) == len(choices)
        assert 0 < len(choices) <= MENU_SIZE or table.over
        assert table.game.turn < 150
    assert table.over
    assert choices == []


@steady
@given(kinds_of_game, deals)
def test_seats_take_turns_and_as_many_as_they_should(kind: tuple[str, int, str], number: int) -> None:
    """Turns pass in order; the seat that triggered the end plays just before the others' last turns."""
    for table, _ in playing(kind, number):
        if table.expects != "draft":
            assert table.game.active == table.game.turn % table.players
    turns = int(table.game.turn) + 1
    assert int(table.game.ended_by) == (turns - table.players) % table.players
    assert len(table.recorder.turns) == turns


# ------------------------------------------------------------------------------------------- final scoring


def slow_score(trace: dict[str, Any], facts: dict[str, Any]) -> list[int]:
    """Score the final board of a trace in the plainest way (R29-R31)."""
    after, tile_type = trace["turns"][-1]["after"], {}
    for turn in trace["turns"]:
        for step in turn["steps"]:
            if step["do"] == "build":
                tile_type[str(step["space"])] = step["tile"].split("-")[1]
    region_of = {str(space["id"]): space["region"] for space in facts["shore"]}
    totals = []
    for number, seat in enumerate(after["seats"]):
        delivered = seat["delivered"]
        spaces = [space for space, owners in after["markers"].items() if number in owners]
        types = [tile_type[space] for space in spaces]
        goods = seat["silk"] + seat["rice"] + seat["porcelain"]
        total = seat["points"] + [0, 2, 5, 9, 14, 20, 27][min(6, len(delivered))]
        for customer in delivered:
            kind, region = customer.split("-")
            if kind == "merchant":
                total += seat["koku"] // 5
            elif kind == "artisan":
                total += goods // 3
            elif kind == "noble":
                named = {"1": "market", "2": "port", "3": "manor", "4": "shrine"}
                counts = {"5": len(set(types)), "6": len({region_of[space] for space in spaces})}
                total += types.count(named[region]) if region in named else counts[region]
        for region in range(1, 7):
            doubled = 2 if f"elder-{region}" in delivered else 1
            total += doubled * region_share(trace, region, number)
        totals.append(total)
    return totals


def region_share(trace: dict[str, Any], region: int, number: int) -> int:
    reached = [seat["influence"][region - 1] for seat in trace["turns"][-1]["after"]["seats"]]
    influence = reached[number]
    far_behind = len(reached) == 2 and max(reached) - influence > 5
    if influence == 0 or far_behind:
        return 0
    places = [*trace["setup"]["region_tiles"][region - 1], 0, 0, 0, 0]
    first = sum(other > influence for other in reached)
    tied = reached.count(influence)
    return sum(places[first : first + tied]) // tied


def bots_for(players: int, number: int) -> list[str]:
    """Some bots by seat: all random, or planning ones that deliver more."""
    names = BOT_NAMES
    return ["random"] * players if number % 3 == 0 else [names[(number + i) % len(names)] for i in range(players)]


@steady
@given(kinds_of_game, st.integers(0, 10**6))
def test_the_score_recomputed_from_the_final_board_is_the_score(kind: tuple[str, int, str], number: int) -> None:
    """Slow, obvious code finds the same totals, the same winners, and shares of the win that sum to 1."""
    figures, players, patrons = kind
    setup, batch = setup_for(figures, players, patrons), batch_of(bots_for(players, number), 1, first=number)
    (trace,) = traces(setup, batch)
    totals = slow_score(trace, naive_facts(figures))
    assert totals == trace["final"]["points"]
    favor = [seat["favor"] for seat in trace["turns"][-1]["after"]["seats"]]
    best = max(zip(totals, favor, strict=True))
    winners = [seat for seat in range(players) if (totals[seat], favor[seat]) == best]
    seat_rows, _ = outcomes(setup, batch)
    assert seat_rows["points"].tolist() == totals
    shares = [1 / len(winners) if seat in winners else 0 for seat in range(players)]
    assert seat_rows["win_share"].tolist() == pytest.approx(shares)


POINT_COLUMNS = [
    column.name for column in SEAT_COLUMNS if column.name.startswith("points_") and "_at_" not in column.name
]
MASTERIES_IN_PLAY = next(column.labels for column in GAME_COLUMNS if column.name == "masteries") or ()


@steady
@given(kinds_of_game, st.integers(0, 10**6))
@example(("generous", 2, "none"), 20308)  # a seat delivers to more customers than the table of points has entries
def test_the_columns_of_an_outcome_agree_with_each_other(kind: tuple[str, int, str], number: int) -> None:
    """Points by source add up, shares sum to 1, ranks, turns, margins and customers fit together."""
    figures, players, patrons = kind
    games = 5 if compiler.ENABLED else 1
    batch = batch_of(bots_for(players, number), games, seed=2, first=number)
    seat_rows, game_rows = outcomes(setup_for(figures, players, patrons), batch)
    assert len(POINT_COLUMNS) == 12
    assert (sum(seat_rows[name] for name in POINT_COLUMNS) == seat_rows["points"]).all()
    for game, seats in zip(game_rows, np.split(seat_rows, games), strict=True):
        order = sorted(seats, key=lambda row: (-row["points"], -row["favor"]))
        assert sum(seats["win_share"]) == pytest.approx(1)
        assert sorted(seats["rank"]) == [row["rank"] for row in order]
        assert [row["rank"] == 1 for row in seats] == [row["win_share"] > 0 for row in seats]
        assert game["winners"] == (seats["rank"] == 1).sum()
        assert game["winning_points"] == order[0]["points"]
        assert game["margin"] == order[0]["points"] - order[1]["points"]
        assert game["turns"] == seats["turns"].sum()
        assert seats["turns"].max() - seats["turns"].min() <= 1
        assert game["decisions"] >= game["turns"]
        assert seats["ended_game"].tolist() == [seat + 1 == game["ended_by"] for seat in range(players)]
        actions = seats["builds"] + seats["sails"] + seats["deliveries"]
        assert (actions == seats["turns"]).all()
        assert (sum(seats[f"{kind}s"] for kind in CUSTOMER_TYPES) == seats["deliveries"]).all()
        in_play = MASTERIES_IN_PLAY[game["masteries"]].split("+")
        assert len(in_play) == 3
        claimed = {name for name in MASTERIES if seats[f"mastery_{name}"].any()}
        assert claimed <= set(in_play)
