"""Streams of chance: which keys can be recovered from them, and which streams differ."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rogsim.game.rng import PURPOSE_STEP, below, game_key, mix, one_way, shuffle, stream_key
from tests.chance import MASK, unmixed

numbers = st.integers(0, MASK)


@settings(deadline=None)  # the first example waits for the compiler
@given(numbers)
def test_the_mixer_can_be_undone(key: int) -> None:
    """So a stream's key gives the game's key away."""
    assert unmixed(int(mix(np.uint64(key)))) == key
    assert unmixed(int(stream_key(np.uint64(key), 5))) ^ (6 * int(PURPOSE_STEP) & MASK) == key


@settings(deadline=None)
@given(numbers, st.integers(0, (1 << 32) - 1))
def test_one_way_forgets_half_of_a_key(key: int, low: int) -> None:
    """All keys with the same upper half give the same, so no way back can tell them apart."""
    other = key >> 32 << 32 | low
    forgotten = int(one_way(np.uint64(key)))
    assert forgotten == int(one_way(np.uint64(other)))
    assert unmixed(forgotten) == key >> 32


def test_streams_of_bots_differ_by_seat_and_game() -> None:
    """Of two thousand games with four seats each no two have the same, and each bit is set in about half of them."""
    keys = [np.uint64(game_key(1, game)) for game in range(2_000)]
    found = [int(one_way(np.uint64(stream_key(key, seat)))) for key in keys for seat in range(4)]
    assert len(set(found)) == len(found)
    for bit in range(64):
        assert 0.45 < sum(key >> bit & 1 for key in found) / len(found) < 0.55


@settings(deadline=None)
@given(numbers, st.integers(0, 70))
def test_shuffle_takes_the_numbers_of_its_stream_in_order(key: int, size: int) -> None:
    """The quick loop against Fisher and Yates's, number by number; what follows the items stays where it is."""
    items = np.arange(size + 3, dtype=np.int8)
    shuffle(np.uint64(key), items, size)
    plain = list(range(size + 3))
    for place, last in enumerate(range(size - 1, 0, -1)):
        other = int(below(np.uint64(key), place, last + 1))
        plain[last], plain[other] = plain[other], plain[last]
    assert items.tolist() == plain
