"""Pig and Kuhn poker: they keep what every game must, and their exact figures are those that are known."""

from __future__ import annotations

import numpy as np
import pytest

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game import compiler
from rogsim.game.batches import Batch
from rogsim.game.kit.conformance import problems_of
from rogsim.simulation.play import play_batch
from tests import pig
from tests.kuhn import exact as cards
from tests.pig import exact as dice


@pytest.mark.once_uncompiled
@pytest.mark.parametrize("name", ["pig", "kuhn"])
def test_the_solved_games_keep_the_contract(name: str) -> None:
    """The checks of a game find nothing."""
    assert problems_of(f"tests.{name}:GAME", games=1, other_side=False) == []


@pytest.mark.once_uncompiled
def test_the_exact_figures_of_pig_are_known_ones() -> None:
    """With the best play the first seat wins 53.06%; holding at 20 is beaten by it, and more by the best response."""
    best, held = dice.solve(None, None), dice.solve(dice.HOLD20, dice.HOLD20)
    assert [best[0][0, 0], held[0][0, 0]] == pytest.approx([0.53059, 0.53470], abs=1e-5)
    assert dice.share(dice.best_plan(), dice.HOLD20) == pytest.approx(0.53992, abs=1e-5)
    assert dice.share(None, dice.HOLD20) == pytest.approx(0.55487, abs=1e-5)


@pytest.mark.once_uncompiled
def test_the_exact_figures_of_the_match() -> None:
    """A player who never bluffs loses a tenth of all matches to the best response, and one at random a quarter."""
    assert cards.best_share(cards.honest) == pytest.approx(0.60012, abs=1e-5)
    assert cards.best_share(cards.random) == pytest.approx(0.74002, abs=1e-5)


@pytest.mark.once_compiled
@pytest.mark.skipif(not compiler.ENABLED, reason="thousands of games take too long uncompiled")
@pytest.mark.parametrize(("bot", "share"), [("hold20", 0.53470), ("optimum", 0.53059)])
def test_bots_of_pig_win_what_is_computed(bot: str, share: float) -> None:
    """The share of the first seat, over 40,000 games."""
    game = pig.GAME
    ready, games = compile_bot(game, find_bot(game, bot, compiler.PACKAGE)), 40_000
    batch = Batch(3, 2, np.arange(games), np.zeros((games, 2), np.int8), (ready, ready))
    rows, _ = play_batch(game, game.prepare(game.options(), 2), batch)
    assert rows["win_share"][::2].mean() == pytest.approx(share, abs=4 * 0.5 / games**0.5)
