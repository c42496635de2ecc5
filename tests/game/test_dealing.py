"""Hidden components dealt anew, on a made-up deck; compiled and uncompiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game import compiler
from rogsim.game.kit.views import deal_unseen, note, note_members


@compiler.kernel
def deal(shown: Any, mask: int, key: Any, pile: Any) -> None:
    seen = np.zeros(8, np.int8)
    note(shown, 3, seen)
    note_members(mask, seen)
    deal_unseen(seen, key, pile, 1, 3)


def dealt(key: int) -> list[int]:
    """The places of a pile: 1 to 3 are dealt, with 0 and 7 on the table and 2 and 3 in hands."""
    pile = np.full(5, -1, np.int8)
    deal(np.array([7, -1, 0, 5], np.int8), 0b1100, np.uint64(key), pile)
    return [int(place) for place in pile]


def test_only_what_nobody_sees_is_dealt() -> None:
    """Three different components of the four that are hidden, in the places asked for; the key decides which."""
    for key in range(20):
        before, *found, after = dealt(key)
        assert (before, after, len(set(found))) == (-1, -1, 3)
        assert set(found) <= {1, 4, 5, 6}
    assert dealt(3) == dealt(3)
    assert len({tuple(dealt(key)) for key in range(40)}) > 10
