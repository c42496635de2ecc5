"""Without the compiler the rules play the same games."""

from __future__ import annotations

import pytest

from rogsim.game import compiler
from tests.games.river_of_gold.games import BOT_NAMES, batch_of, outcomes, setup_for
from tests.uncompiled import uncompiled

# Figures, patrons, masteries, and the bots by seat.
GAMES = [
    ("printed", "none", "random", ["random"] * 2),
    ("printed", "draft", "each", ["random"] * 3),
    ("printed", "alternative", "random", ["random"] * 4),
    ("generous", "dealt", "each", ["random"] * 2),
    ("generous", "none", "random", ["random"] * 3),
    ("generous", "draft", "each", ["random"] * 4),
]
PLANNED = [("printed", "draft", "each", [name, "balanced"]) for name in BOT_NAMES]


def rows_of(figures: str, patrons: str, masteries: str, names: list[str]) -> list[list[list[float]]]:
    """Play one game; return its seat rows and its game row as plain numbers."""
    setup = setup_for(figures, len(names), patrons, masteries)
    return [[list(row) for row in rows.tolist()] for rows in outcomes(setup, batch_of(names, 1, seed=6))]


@pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled here that could be compared")
@pytest.mark.parametrize("games", [GAMES, PLANNED], ids=["random", "planned"])
def test_uncompiled_games_have_the_same_rows(games: list[tuple[str, str, str, list[str]]]) -> None:
    """Games of every player count, with and without patrons, and games of every bot: each number is the same."""
    for game, found in zip(games, uncompiled(rows_of, games), strict=True):
        assert found == rows_of(*game), game
