"""Records in the notes of a bot."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, records
from rogsim.game.kit.bots import noted
from rogsim.game.kit.workspace import BOT_MEMORY

KIND = np.dtype([("turns", "i8"), ("worths", "f8", (3,))], align=True)


@kernel
def note(memories: Any, turns: int) -> float:
    """Add to what is noted, in compiled code."""
    found = noted(memories[0].notes, KIND)
    found.turns += turns
    found.worths[2] += 0.5
    return float(found.worths[2])


def test_what_is_noted_is_there_when_the_bot_is_asked_again() -> None:
    """Compiled or not, the same notes hold the record, and nothing beside it changes."""
    memories = records(BOT_MEMORY, 1)
    assert [note(memories, 3), note(memories, 4)] == [0.5, 1.0]
    found = noted(memories[0].notes, KIND)
    assert (int(found.turns), found.worths.tolist()) == (7, [0.0, 0.0, 1.0])
    assert not memories[0].notes[KIND.itemsize // 8 :].any()
    assert not memories[0].weights.any()
