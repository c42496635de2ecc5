"""Fixtures that several test files use."""

from __future__ import annotations

import gc
import math
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from rogsim.__main__ import ALLOCATIONS
from rogsim.base import progress
from rogsim.game.registry import register, unregister
from rogsim.game.spec import GameSpec
from rogsim.stats.paired import fairness
from tests.command_line import Run, rogsim_command
from tests.dice_game import GAME
from tests.sketches import DRAWING, MANY, draw, outline, sketch

gc.set_threshold(ALLOCATIONS)  # as in a command: among millions of lasting objects, each search for garbage takes long


@pytest.fixture(scope="session", autouse=True)
def _disk_in_memory() -> Iterator[None]:
    """Do not wait for the disk: only a crash of the system would show it. Processes that tests start do wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_lines_on_progress() -> Iterator[None]:
    """Leave out the lines on how far a command is, which a slow machine would add to its output."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "SECONDS", 3600.0)
        yield


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw fewer normal variables for joint intervals: enough for tests that repeat many series."""
    monkeypatch.setattr(fairness, "DRAWS", 1_000)


@pytest.fixture
def dice_race() -> Iterator[GameSpec]:
    """The dice race, known to the harness during one test."""
    yield register(GAME)
    unregister(GAME.id)


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command line in an empty folder: exit code, output, error output."""
    monkeypatch.chdir(tmp_path)
    return rogsim_command


@pytest.fixture
def sketched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make no figures: for tests of the rest of a page."""
    monkeypatch.setattr(DRAWING, sketch)
    monkeypatch.setattr(MANY, math.inf)


@pytest.fixture
def outlined(sketched: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make figures without drawing them into files: for tests of pages whose figures may be special."""
    monkeypatch.setattr(DRAWING, outline)


@pytest.fixture
def drawn(sketched: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw figures after all: for single tests in a file that sketches them."""
    monkeypatch.setattr(DRAWING, draw)
