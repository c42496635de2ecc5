"""The bots of The River play whole games, are stronger than chance, and each follows its plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game import compiler
from rogsim.game.batches import Batch
from rogsim.game.columns import row_dtype
from rogsim.game.compiler import records
from rogsim.game.functions import callable_by_rules
from rogsim.games.the_river.bots.policy import action_worth, weigh_moment
from rogsim.games.the_river.bots.weights import MOMENT, NAMES, WEIGHTS, weights_with
from rogsim.games.the_river.components.names import PLACES
from rogsim.games.the_river.rules.actions import FOOD, TAKE
from rogsim.games.the_river.spec import GAME, Options
from tests.games.the_river.table import Table
from tests.uncompiled import uncompiled

action_worth, weigh_moment = map(callable_by_rules, (action_worth, weigh_moment))

pytestmark = pytest.mark.slow

PERSONAS = ("balanced", "builder", "producer", "explorer")
GREEDY = (*PERSONAS, "tuned")
QUICK = {
    "learned": "learned@choices=3+turns=2",
    "planner": "planner@choices=3+worlds=2+turns=2",
    "search": "search@rollouts=8+choices=3+turns=4",
}
ALL = ("random", *GREEDY, *QUICK.values())
compiled = pytest.mark.skipif(not compiler.ENABLED, reason="hundreds of games take too long uncompiled")


def played(names: list[str], games: int, seed: int = 1) -> Any:
    """The seat rows and game rows of games with these bots by seat; an illegal answer would raise BotFault."""
    players = len(names)
    line_up = tuple(compile_bot(GAME, find_bot(GAME, name, Path())) for name in names)
    seating = np.tile(np.arange(players, dtype=np.int8), (games, 1))
    batch = Batch(seed, players, np.arange(games), seating, line_up)
    rows = np.zeros(games * players, row_dtype(GAME.seat_columns)), np.zeros(games, row_dtype(GAME.game_columns))
    GAME.play(GAME.prepare(Options(), players), batch, *rows)
    return rows


def rotated(bot: str, others: str, players: int, games: int) -> float:
    """The win share of one bot among others, with the bot in every seat for so many games."""
    shares = []
    for seat in range(players):
        names = [others] * players
        names[seat] = bot
        shares.append(played(names, games)[0]["win_share"][seat::players].mean())
    return float(np.mean(shares))


def rows_of(names: list[str], seed: int) -> list[list[float]]:
    """One game as plain numbers."""
    return [list(row) for rows in played(names, 1, seed) for row in rows.tolist()]


@pytest.mark.once_compiled  # uncompiled, the next test plays the same games
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_bot_plays_whole_games_and_the_same_ones_again(players: int) -> None:
    """Each bot finishes games with itself and with others, with legal answers, and chance is only that of the seed."""
    bots = ALL if compiler.ENABLED else GREEDY  # those that think ahead take long uncompiled
    for place, name in enumerate(bots):
        names = [name, *(bots[(place + seat) % len(bots)] for seat in range(1, players))]
        first, again, other = (rows_of(names, seed) for seed in (1, 1, 2))
        assert first == again, names
        assert first != other, names


@pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled here that could be compared")
def test_bots_play_the_same_games_uncompiled() -> None:
    """Every bot, once with each player count among them: each number of the rows is the same."""
    games = [([name, "balanced", "explorer", "producer"][: 2 + place % 3], place) for place, name in enumerate(ALL)]
    for game, found in zip(games, uncompiled(rows_of, games), strict=True):
        assert found == rows_of(*game), game


@compiled
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_ladder_is_in_order(players: int) -> None:
    """A persona wins far more than its fair share among bots that choose at random, and `tuned` among `balanced`."""
    for name in PERSONAS:
        assert rotated(name, "random", players, 100) > 0.85, name
    assert rotated("tuned", "balanced", players, 300) > 1.2 / players


@compiled
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_are_like_published_ones(players: int) -> None:
    """Points, buildings, tiles, rounds and the usual end are near the figures that reviews of the game report."""
    for name in ("balanced", "tuned"):
        seats, games = played([name] * players, 400)
        assert 35 < seats["points"].mean() < 55
        assert 2.5 < seats["buildings"].mean() < 5.5
        assert 6 < seats["tiles"].mean() < 11
        assert 4 < games["rounds"].mean() < 7.5


@compiled
@pytest.mark.parametrize(
    ("most", "columns"),
    [
        ("builder", ["placed_construct", "placed_reserve"]),
        ("producer", ["placed_wood", "placed_stone", "placed_clay", "placed_food"]),
        ("explorer", ["placed_claim"]),
    ],
)
def test_each_plan_shows_in_where_pioneers_go(most: str, columns: list[str]) -> None:
    """Each persona places a larger share of its pioneers on the places of its plan than the others do."""
    shares = {}
    for name in PERSONAS:
        rows = played([name] * 4, 200)[0]
        placed = {place: rows[f"placed_{place}"].sum() for place in PLACES}
        shares[name] = sum(rows[column].sum() for column in columns) / sum(placed.values())
    assert max(shares, key=lambda name: shares[name]) == most, shares


@compiled
@pytest.mark.parametrize("name", GREEDY)
def test_bots_use_every_place(name: str) -> None:
    """Over many games each bot places pioneers everywhere, and trades."""
    rows = played([name] * 4, 200)[0]
    for column in (*(f"placed_{place}" for place in PLACES), "trades"):
        assert rows[column].sum() > 0, column


def worths_without_food(amount: int) -> list[float]:
    """What the food place, and then wood, are worth to `balanced` if the island is empty and gives so much instead."""
    table = Table(food_action=amount).supply(food=0)
    player = table.game.players[int(table.game.actor)]
    weights, moment = weights_with(), records(MOMENT, 1)[0]
    weigh_moment(table.tables, table.game, weights, moment)
    place = action_worth(table.tables, table.game, player, FOOD, moment)
    table.take("food")
    weigh_moment(table.tables, table.game, weights, moment)
    return [place, action_worth(table.tables, table.game, player, TAKE, moment)]


@pytest.mark.once_uncompiled
def test_the_amount_of_the_food_island_counts_for_what_is_taken_instead() -> None:
    """If the figure of the food island is changed, bots count on as many other resources as the rules then give."""
    assert all(more > one > 0 for one, more in zip(worths_without_food(1), worths_without_food(3), strict=True))


def test_weights_are_changed_by_name() -> None:
    """A changed weight counts for all player counts, and one that does not exist is an error that names it."""
    values = dict(zip(NAMES, weights_with(symbol=9.0), strict=True))
    for players in ("2", "3", "4"):
        assert values[f"{players}-symbol"] == 9.0
        assert values[f"{players}-food"] == WEIGHTS["food"]
    with pytest.raises(KeyError, match="symbl"):
        weights_with(symbl=1.0)


def test_bots_of_one_function_share_its_machine_code() -> None:
    """The personas differ only in their weights, so they are compiled once."""
    bots = [compile_bot(GAME, find_bot(GAME, name, Path())) for name in GREEDY]
    assert len({id(bot.choose) for bot in bots}) == 1
    assert len({bot.weights.tobytes() for bot in bots}) == len(bots)
