"""Data that notes what was read from it last."""

from __future__ import annotations

from typing import Any

import pytest

from rogsim.base.watched_data import Trail

pytestmark = pytest.mark.once_uncompiled

DATA: dict[str, Any] = {"turns": [{"seat": 1}, {"seat": 0, "cards": [4, 5]}], "final": {}}


def test_watched_data_are_equal() -> None:
    """What reads it sees tables and lists."""
    found = Trail().watch(DATA)
    assert found == DATA
    assert isinstance(found, dict)
    assert [turn["seat"] for turn in found["turns"]] == [1, 0]
    assert found.get("none", 3) == 3


def test_the_place_read_last_is_noted() -> None:
    """By name, by place, in a loop, and where a name is missing."""
    trail = Trail()
    found = trail.watch(DATA)
    assert (found["turns"][1]["cards"][0], str(trail)) == (4, "turns.1.cards.0")
    assert ([str(trail) for _ in found["turns"]]) == ["turns.0", "turns.1"]
    assert (found["turns"][0].get("cards"), str(trail)) == (None, "turns.0")
