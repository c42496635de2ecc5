"""Fixtures that several test files use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rogsim.game.contract import GameSpec
from rogsim.game.registry import register, unregister
from tests.dice_game import GAME


@pytest.fixture
def dice_race() -> Iterator[GameSpec]:
    """The dice race, known to the harness during one test."""
    yield register(GAME)
    unregister(GAME.id)
