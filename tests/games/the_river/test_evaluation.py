"""What the bots of The River look at when they evaluate a position, against slow counting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rogsim.bots.loading import find_bot
from rogsim.game.compiler import records
from rogsim.game.kit.evaluation import chance_to_win, take_weights
from rogsim.games.the_river.bots.evaluation import FEATURES, NAMES, SHEET
from rogsim.games.the_river.components.names import FOOD
from rogsim.games.the_river.play.contract import RULES
from rogsim.games.the_river.spec import GAME, Options

pytestmark = pytest.mark.once_uncompiled  # compiled, only these tests would need it as machine code of its own

LEARNED = find_bot(GAME, "learned", Path()).weights


def positions(players: int, deal: int) -> Iterator[tuple[Any, Any]]:
    """The tables and the states between the turns of a random game, the finished game last."""
    tables = GAME.prepare(Options(), players).tables
    state, menu = records(RULES.state, 1)[0], records(RULES.menu, 1)[0]
    random, turn = np.random.default_rng(deal), -1
    RULES.begin(tables, state, 3, deal)
    while not RULES.is_over(state):
        if RULES.turn(state) != turn:
            turn = RULES.turn(state)
            yield tables, state
        RULES.legal(tables, state, menu)
        RULES.apply(tables, state, int(menu.actions[random.integers(menu.count)]))
    yield tables, state


def sheet_for(players: int) -> Any:
    sheet = records(SHEET, 1)[0]
    take_weights(LEARNED, players, sheet)
    return sheet


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chances_add_up_to_one_and_end_as_win_shares(players: int) -> None:
    """Nothing hidden counts, so all seats see the same; a finished game is worth its win share."""
    sheet, scores = sheet_for(players), records(RULES.scores, 4)
    for tables, state in positions(players, players):
        found = [float(chance_to_win(tables, state, seat, sheet)) for seat in range(players)]
        assert sum(found) == pytest.approx(1.0)
        if RULES.is_over(state):
            RULES.score(tables, state, scores)
            assert found == [float(scores[seat].win_share) for seat in range(players)]


def test_what_a_seat_has_is_counted() -> None:
    """Points as if the game ended now, pioneers, tokens, tiles, cards, food and the pawn."""
    sheet, scores = sheet_for(3), records(RULES.scores, 4)
    for tables, state in positions(3, 8):
        if RULES.is_over(state):
            break
        chance_to_win(tables, state, 0, sheet)
        RULES.score(tables, state, scores)
        for seat in range(3):
            player = state.players[seat]
            found = dict(zip(FEATURES, sheet.position.seats[seat].tolist(), strict=True))
            assert found["points"] == scores[seat].points
            assert found["pioneer"] == player.boat + player.placed - player.framed
            assert (found["token"], found["tile"], found["reserved"]) == (
                player.token_count,
                player.tile_count,
                player.reserved_count,
            )
            assert found["food"] == player.resources[FOOD]
            assert found["pawn"] == (state.pawn == seat)


def test_the_names_of_the_weights_are_different() -> None:
    """One for each weight of the shipped file."""
    assert len(set(NAMES)) == len(NAMES) == len(LEARNED)
