"""The signature of the games changes only when behaviour does."""

from __future__ import annotations

import pytest

from rogsim.game import compiler
from rogsim.games.river_of_gold.spec import GAME
from rogsim.simulation.benchmark import GAMES, signature

pytestmark = pytest.mark.slow

# After a change that is meant to change games: the new value, and RULES_VERSION one higher if rules changed.
ALL, FIRST_TWELVE = "f102a830cfbf8b88", "0977d5dc288aae86"


@pytest.mark.skipif(not compiler.ENABLED, reason="a thousand games take too long uncompiled")
def test_the_signature_of_a_thousand_games() -> None:
    """All player counts, bots and patron modes play exactly the same games as before."""
    assert GAMES == 1_000
    assert signature(GAME) == ALL


def test_the_signature_of_the_first_games() -> None:
    """The first twelve games have their signature, compiled and uncompiled."""
    assert signature(GAME, 12) == FIRST_TWELVE


def test_the_signature_notices_a_difference_in_one_game() -> None:
    """One game more or fewer gives another signature."""
    assert signature(GAME, 2) != signature(GAME, 3)
