"""Fixtures of the tests of the workbench: its pages in this process, and in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rogsim.workbench.addresses import site_of
from rogsim.workbench.site import Desk
from scripts.check_page import NoBrowserError, browser
from tests.workbench.client import Bench, Client, bench_in


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Desk]:
    """What the pages work with, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    made = Desk(jobs=1)
    yield made
    made.close()


@pytest.fixture
def site(desk: Desk) -> Client:
    """The pages, without their guard."""
    return Client(site_of(desk))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser; tests that need one are skipped where there is none."""
    try:
        with browser() as started:
            yield started
    except NoBrowserError as missing:
        pytest.skip(f"the workbench is not tried in a browser: {missing}")


@pytest.fixture
def bench(chromium: Any, tmp_path: Path) -> Iterator[Bench]:
    """A workbench in an empty folder, open in a browser."""
    with bench_in(chromium, tmp_path) as running:
        yield running
