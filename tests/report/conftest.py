"""Reports on the dice race, with topics of its own, and on a few games of River of Gold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rogsim
from rogsim import jit
from rogsim.game import GameSpec, Topic
from rogsim.registry import register, unregister
from rogsim.report.build import build_report
from rogsim.report.model import Report
from rogsim.report.sources import material_of
from tests.dice_game import GAME

KEYS: dict[str, Any] = {
    "game": "dice-race",
    "players": [2, 3],
    "games": 300,
    "seed": 5,
    "bots": ["runner"],
    "options": {"long": 20},
}
RIVER: dict[str, Any] = {
    "game": "river-of-gold",
    "players": [2, 3] if jit.ENABLED else [2],
    "games": 120 if jit.ENABLED else 6,
    "seed": 1,
    "bots": ["random"],
    "options": {"patrons": "dealt"},
}
TOPICS = (
    Topic("rolls", "First rolls", "Does the first roll decide?", "level", ("first_roll",), "first roll"),
    Topic("tracks", "Tracks", "Does the seat matter more on one track?", "draw", ("track",), "track"),
    Topic("steps", "Spaces moved", "Do spaces go with winning?", "count", ("points",), "spaces", {"points": "Spaces"}),
    Topic("parts", "Points by source", "Where do points come from?", "parts", ("points",), "source"),
)

Play = Callable[..., Path]


@pytest.fixture(scope="module")
def race() -> Iterator[GameSpec]:
    """The dice race with topics, known to the harness during the tests of one file."""
    yield register(replace(GAME, topics=TOPICS))
    unregister(GAME.id)


@pytest.fixture
def play(race: GameSpec, tmp_path: Path) -> Play:
    """Play a scenario of the dice race into a folder: give its name, and keys that differ."""

    def run(name: str, **keys: Any) -> Path:
        rogsim.run(KEYS | keys, out=tmp_path / name, jobs=1)
        return tmp_path / name

    return run


def report_on(*runs: dict[str, Any], out: str = "reports/report") -> Report:
    """Return the report on some scenarios that are played in memory."""
    return build_report(material_of([rogsim.run(keys) for keys in runs]), Path(out))
