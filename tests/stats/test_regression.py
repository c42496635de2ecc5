"""What the regression tells about the members of a draw, which the seats of a game share."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import polars as pl
import pytest

from rogsim.stats.balance.regression import Factor, ModelRows
from rogsim.stats.blocks import Floats

pytestmark = pytest.mark.once_uncompiled

NAMES = ("a", "b", "c", "d")
TWO_OF_FOUR = [tuple(place in pair for place in range(4)) for pair in combinations(range(4), 2)]
ONE_OF_EACH_PAIR = [(a, not a, b, not b) for a, b in product((True, False), repeat=2)]
ANY = list(product((True, False), repeat=4))
TIED = [(a, a, b, False) for a, b in product((True, False), repeat=2)]  # a only with b, never d
WORTH = np.array([6.0, 0.0, -2.0, 0.0])  # points of the first of two seats more with each member


def effects_of(levels: list[tuple[bool, ...]]) -> pl.DataFrame:
    """Fit 600 games of two seats with such draws, and return the effects of members by seat."""
    rng = np.random.default_rng(1)
    inside: Floats = np.array(levels, dtype=np.float64)
    rows = ModelRows([Factor("seat", (1, 2))], [Factor("hand", tuple(range(len(levels))), NAMES, inside)])
    drawn = rng.integers(len(levels), size=600)
    points = rng.normal(0, 0.01, (600, 2))
    points[:, 0] += inside[drawn] @ WORTH
    rows.codes = {"seat": [np.tile(np.arange(2), (600, 1))], "hand": [drawn]}
    rows.values, rows.sizes = [np.stack([points, points], axis=2)], [np.ones(600, np.int64)]
    model = rows.result()
    assert model is not None
    return model.frame().filter(pl.col("term") != "seat")


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        (ANY, dict(zip(NAMES, WORTH, strict=True))),
        (TWO_OF_FOUR, dict(zip(NAMES, WORTH - WORTH.mean(), strict=True))),
        (ONE_OF_EACH_PAIR, {"a": 3.0, "b": -3.0, "c": -1.0, "d": 1.0}),
        (TIED, {"c": -2.0}),
    ],
    ids=["any", "two of four", "one of each pair", "tied"],
)
def test_a_member_is_compared_with_what_the_games_can_show(
    levels: list[tuple[bool, ...]], expected: dict[str, float]
) -> None:
    """Alone if it may come alone, otherwise with the mean of those it replaces; there is no row without a number."""
    found = effects_of(levels)
    half = {name: worth / 2 for name, worth in expected.items()}  # of the difference between the seats
    first = found.filter(pl.col("level") == "seat 1")
    assert dict(zip(first["term"].str.head(1), first["points"], strict=True)) == pytest.approx(half, abs=0.01)
    assert found["level"].to_list() == ["seat 1", "seat 2"] * len(expected)
    assert found["share"].null_count() == 0
