"""River of Gold keeps what the harness relies on."""

from __future__ import annotations

import pytest

from rogsim.game.kit.conformance import digest, game_at, problems_of

pytestmark = pytest.mark.slow

WHERE = "rogsim.games.river_of_gold.spec:GAME"
DIGEST = "a41e85be4a3c49d80265709a55080baba6de5774fbcbd12a6cdfe2fd723a29f4"


@pytest.mark.once_compiled  # decision by decision, which takes long uncompiled
def test_the_game_has_no_problems() -> None:
    """One game for each player count and each of the options that together reach all rules."""
    assert problems_of(WHERE, games=1, other_side=False) == []


def test_games_are_the_same_compiled_and_uncompiled() -> None:
    """These games have one fixed hash, and the test runs on both sides."""
    assert digest(game_at(WHERE), 1) == DIGEST
