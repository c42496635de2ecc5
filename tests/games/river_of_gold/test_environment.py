"""Learning environments of the game, compiled."""

from __future__ import annotations

import pytest

from rogsim.game import compiler
from tests.environments.playing import GOLD, history_of
from tests.environments.test_batched_games import check_against_env
from tests.uncompiled import uncompiled

pytestmark = pytest.mark.skipif(not compiler.ENABLED, reason="tests/environments plays uncompiled games")


def test_a_batch_plays_the_games_of_the_environment() -> None:
    """Observations, masks, seats, rewards and deals are the same in every step, beyond the first games."""
    assert check_against_env(GOLD, 4, {"patrons": "alternative", "masteries": "each"}, 3, 450, "points", 2) > 3


def test_uncompiled_environments_are_the_same() -> None:
    """Without the compiler, all observations, masks, rewards and words of a game are the same."""
    game = [GOLD, 3, {"patrons": "draft"}, 12, 1]
    assert uncompiled(history_of, [game]) == [history_of(*game)]
