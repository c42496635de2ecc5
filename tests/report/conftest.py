"""Reports on the dice race, with its own topics, and on a few games of River of Gold."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rogsim
from rogsim.game import compiler
from rogsim.game.registry import get_game, register, unregister
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Topic
from rogsim.report.balance.build import build_report
from rogsim.report.balance.sources import Material, material_of
from rogsim.report.document import Report
from rogsim.results.results import Results
from rogsim.scenario.fingerprint import short_hash
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
    "players": [2, 3] if compiler.ENABLED else [2],
    "games": 120 if compiler.ENABLED else 6,
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


@pytest.fixture(scope="session")
def shared_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs that several tests share."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture
def play(race: GameSpec, shared_runs: Path, tmp_path: Path) -> Play:
    """Play the dice race into a folder, or copy an earlier run; takes the folder's name and the keys that differ."""

    def run(name: str, **keys: Any) -> Path:
        run_folder = shared_runs / short_hash(json.dumps(keys).encode())
        if not run_folder.exists():
            rogsim.run(KEYS | keys, out=run_folder, jobs=1)
        shutil.copytree(run_folder, tmp_path / name)
        return tmp_path / name

    return run


def report_on(*runs: dict[str, Any], out: str = "reports/report") -> Report:
    """Return the report on some scenarios that are played in memory."""
    return build_report(material_for(*runs), Path(out))


def material_for(*runs: dict[str, Any]) -> Material:
    """Return the material of a report on some scenarios that are played in memory."""
    return material_of([_played(json.dumps(keys), repr(get_game(keys["game"]).topics)) for keys in runs])


@cache
def _played(keys: str, _topics: str) -> Results:
    return rogsim.run(json.loads(keys))
