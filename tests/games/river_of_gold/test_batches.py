"""Chance: a deal is the same whoever plays it, and in whatever batch."""

from __future__ import annotations

import numpy as np
import pytest

from rogsim.game.batches import Batch
from tests.games.river_of_gold.games import batch_of, outcomes, setup_for, traces

pytestmark = pytest.mark.once_compiled  # the same rows uncompiled: test_uncompiled.py


def test_a_game_does_not_depend_on_the_batch_it_is_played_in() -> None:
    """Games have the same rows one by one, in another order, or among others."""
    setup, names = setup_for("printed", 3, "draft"), ["balanced", "random", "courier"]
    together, _ = outcomes(setup, batch_of(names, 4, seed=5))
    alone = [outcomes(setup, batch_of(names, 1, seed=5, first=game))[0] for game in range(4)]
    assert np.concatenate(alone).tolist() == together.tolist()
    batch = batch_of(names, 4, seed=5)
    backwards, _ = outcomes(setup, Batch(5, 3, batch.deals[::-1].copy(), batch.seating, batch.line_up))
    assert np.concatenate(np.split(backwards, 4)[::-1]).tolist() == together.tolist()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_deal_is_the_same_whoever_plays(players: int) -> None:
    """Other bots on the same game number meet the same deal, and the same roll in the same turn of a seat."""
    setup = setup_for("printed", players)
    first, second = (traces(setup, batch_of([name] * players, 1, first=3))[0] for name in ("random", "builder"))
    assert first["setup"] == second["setup"]
    rolls = []
    for trace in (first, second):
        by_seat: list[list[int]] = [[] for _ in range(players)]
        for turn in trace["turns"]:
            by_seat[turn["seat"]] += [step["die"] for step in turn["steps"] if step["do"] == "roll"]
        rolls.append(by_seat)
    for first, second in zip(*rolls, strict=True):
        both = min(len(first), len(second))
        assert both >= 5
        assert first[:both] == second[:both]


def test_other_seeds_and_game_numbers_are_other_games() -> None:
    """Chance depends on both the seed and the game number."""
    setup = setup_for("printed", 2)
    decks = {
        tuple(traces(setup, batch_of(["random"] * 2, 1, seed=seed, first=first))[0]["setup"]["deck"])
        for seed in range(3)
        for first in range(3)
    }
    assert len(decks) == 9
