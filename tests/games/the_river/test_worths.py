"""What the policy notes once for a decision is what plain loops over the rules find, at every turn of some games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from rogsim.bots.loading import find_bot
from rogsim.game.compiler import records
from rogsim.game.kit.bots import BYTES
from rogsim.game.kit.workspace import MAX_NOTES
from rogsim.game.rng import below
from rogsim.games.the_river.bots import weights as w
from rogsim.games.the_river.bots.holdings import best_hope, best_hope_with, card_gain, of_one
from rogsim.games.the_river.bots.policy import weigh_moment
from rogsim.games.the_river.bots.terrain import (
    lead_of,
    note_needs,
    swap_gain,
    swap_worth,
    tile_worth,
)
from rogsim.games.the_river.components.names import (
    COLUMN_SPOTS,
    FOOD,
    NO_EFFECT,
    NONE,
    PRODUCED,
    RESOURCES,
    SPOTS,
    TERRAINS,
)
from rogsim.games.the_river.rules.actions import MENU
from rogsim.games.the_river.rules.apply import apply
from rogsim.games.the_river.rules.legal import legal
from rogsim.games.the_river.rules.scoring import SCORE, column_points, score_game
from rogsim.games.the_river.rules.setup import set_up
from rogsim.games.the_river.rules.state import GAME, OVER, TURN
from rogsim.games.the_river.rules.tiles import NO_KIND, kinds_of
from rogsim.games.the_river.spec import GAME as SPEC
from tests.games.the_river.games import setup_for
from tests.games.the_river.meadows import meadow_points

# Compiled, only these tests would need the functions as machine code of their own.
pytestmark = [pytest.mark.slow, pytest.mark.once_uncompiled]

WEIGHTS = find_bot(SPEC, "tuned", Path()).weights
Turn = tuple[Any, Any, Any, Any]


def turns(figures: str, games: int = 3) -> Iterator[Turn]:
    """Every turn of some random games: tables, game, player and what is noted, in memory that is used again."""
    for deal in range(games):
        tables = setup_for(2 + deal % 3, figures).tables
        game, menu, moment = records(GAME, 1)[0], records(MENU, 1)[0], records(w.MOMENT, 1)[0]
        set_up(tables, game, 1, deal)
        drawn = 0
        while game.phase != OVER:
            if game.phase == TURN:
                weigh_moment(tables, game, WEIGHTS, moment)
                yield tables, game, game.players[int(game.actor)], moment
            legal(tables, game, menu)
            apply(tables, game, int(menu.actions[below(deal, drawn, int(menu.count))]))
            drawn += 1


def plain_hope(tables: Any, game: Any, player: Any, moment: Any, without: int) -> float:
    """What the most promising card brings: less with each resource that is missing, food and discount used up."""
    best, open_share, safe_share = 0.0, moment.weights[w.OPEN], moment.weights[w.SAFE]
    cards = [(card, open_share, 0) for card in game.cards[: int(tables.cards_up)] if card != NONE]
    discount = int(tables.reserved_discount)
    cards += [(card, safe_share, discount) for card in player.reserved[: int(player.reserved_count)]]
    for card, share, off in cards:
        needs = zip(tables.cards[card].cost.tolist(), player.resources.tolist(), strict=False)
        lacking = sum(max(cost - held, 0) for cost, held in needs) - int(player.resources[FOOD]) - off
        worth = share * card_gain(tables, int(card), moment)
        for _ in range(lacking):
            worth *= moment.weights[w.FAR]
        best = max(best, worth if card != without else 0.0)
    return best


def test_a_moment_fits_into_the_notes_of_a_bot() -> None:
    """The policy keeps there what it compares actions by."""
    assert w.MOMENT.itemsize % BYTES == 0
    assert w.MOMENT.itemsize <= BYTES * MAX_NOTES


@pytest.mark.parametrize("figures", ["printed", "narrow", "wide"])
def test_hopes_are_those_of_the_resources_that_would_be_left(figures: str) -> None:
    """With one resource less or some more, noted cards give what all cards give when the resources really change."""
    for number, (tables, game, player, moment) in enumerate(turns(figures)):
        assert moment.hope == plain_hope(tables, game, player, moment, NONE)
        for resource in range(len(RESOURCES)):
            for spent in (1, -2) if player.resources[resource] > 0 else (-2,):
                without = int(game.cards[number % int(tables.cards_up)]) if spent > 0 else NONE
                found = best_hope(without, of_one(resource, spent), moment)
                player.resources[resource] -= spent
                assert found == plain_hope(tables, game, player, moment, without)
                player.resources[resource] += spent
            for more in range(4):
                player.resources[resource] += more
                assert best_hope_with(resource, more, moment) == plain_hope(tables, game, player, moment, NONE)
                player.resources[resource] -= more


def test_the_kinds_of_a_tile_are_those_of_its_mask() -> None:
    """One or two kinds, in order; the rest is no kind, which is worth nothing."""
    for kinds in [(), *combinations(range(len(TERRAINS)), 1), *combinations(range(len(TERRAINS)), 2)]:
        mask = sum(1 << kind for kind in kinds)
        assert list(kinds_of(mask)) == [*kinds, NO_KIND, NO_KIND][:2]
    for _, _, _, moment in turns("wide", 1):
        assert moment.kinds[NO_KIND] == 0.0


@pytest.mark.parametrize("figures", ["printed", "wide"])
def test_swaps_are_worth_what_columns_gain(figures: str) -> None:
    """For each pair of spots the gain is that of columns scored before and after, and the best one is found."""
    for tables, game, player, moment in turns(figures):
        columns = [column_points(tables, player, column) for column in range(4)]
        best = 0
        note_needs(tables, moment)
        assert [[moment.now[spot] for spot in spots] for spots in COLUMN_SPOTS] == [[points] * 3 for points in columns]
        for second in range(int(player.tile_count)):
            for first in range(second):
                player.tiles[[first, second]] = player.tiles[[second, first]]
                gain = sum(column_points(tables, player, column) for column in range(4)) - sum(columns)
                player.tiles[[first, second]] = player.tiles[[second, first]]
                assert swap_gain(tables, first, second, moment) == gain
                best = max(best, gain)
        assert swap_worth(tables, game, player, moment) == moment.weights[w.SWAPPED] * best


def test_another_tile_or_symbol_is_worth_what_meadows_and_tiles_of_its_kind_add() -> None:
    """The worth of a kind and of a symbol is the sum over the tiles of the board, each with its weight."""
    for tables, _, player, moment in turns("printed"):
        weights, tiles = moment.weights, [tables.tiles[tile] for tile in player.tiles[: int(player.tile_count)]]
        for kind in range(len(TERRAINS)):
            own = sum(int(tile.terrain) >> kind & 1 for tile in tiles)
            counting = sum(int(tile.counted) >> kind & 1 for tile in tiles)
            assert moment.kinds[kind] == weights[w.MEADOW] * counting + weights[w.KIN] * own
        for resource in range(len(PRODUCED)):
            before = [meadow_points(tables, player, tile) for tile in tiles]
            player.production[resource] += 1
            more = sum(meadow_points(tables, player, tile) for tile in tiles) - sum(before)
            player.production[resource] -= 1
            each = weights[w.SYMBOL] + weights[w.REPEAT] * float(player.production[resource])
            assert moment.symbols[resource] == each * moment.left + weights[w.MEADOW] * more


@pytest.mark.parametrize("figures", ["printed", "wide"])
def test_a_tile_is_worth_what_it_shows_less_what_it_covers(figures: str) -> None:
    """Symbols and warehouses less those printed on the next spot, pioneers that settle there, its kinds and a match."""
    symbols_covered, stores_covered = 0, 0
    for tables, game, player, moment in turns(figures):
        spot, weights = int(player.tile_count), moment.weights
        if spot == SPOTS or spot + 1 == tables.end_tiles:
            continue
        printed, covers = int(tables.printed_production[player.board, spot]), int(tables.printed_store[spot])
        symbols_covered += printed != NONE
        stores_covered += covers > 0
        empty = int(player.warehouses) - sum(player.resources.tolist())
        for number in game.display[: int(game.display_count)].tolist():
            tile = tables.tiles[number]
            if tile.effect != NO_EFFECT:
                continue
            symbols = tile.production.astype(int) - [resource == printed for resource in range(len(PRODUCED))]
            stores = int(tile.store) - covers
            worth = weights[w.CLAIMED] + float(symbols @ moment.symbols)
            worth += stores * (weights[w.WAREHOUSE] + weights[w.SPARE] * empty) * moment.left
            worth += weights[w.RESOURCE] * min(empty + stores, 0)
            worth -= weights[w.SETTLER] * moment.left * int(tables.settlement[spot])
            worth += sum(moment.kinds[kind] for kind in range(len(TERRAINS)) if int(tile.terrain) >> kind & 1)
            worth += moment.match if int(tile.terrain) & int(moment.matching) else 0.0
            assert tile_worth(tables, game, player, number, moment) == pytest.approx(worth)
    assert symbols_covered > 0
    assert stores_covered > 0


def test_the_lead_is_that_of_the_scores() -> None:
    """How far a player is ahead is what scoring the game as it stands says, asked once or twice."""
    scores = records(SCORE, 4)
    for tables, game, _, moment in turns("wide"):
        score_game(tables, game, scores)
        points = scores["points"][: int(game.seats)].astype(float).tolist()
        mine = points.pop(int(game.actor))
        assert [lead_of(tables, game, moment) for _ in range(2)] == [mine - max(points)] * 2
