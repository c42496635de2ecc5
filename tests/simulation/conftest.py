"""Batches of tests are short, and would all be played by one worker."""

from __future__ import annotations

import pytest

from rogsim.simulation import chunks


@pytest.fixture(autouse=True)
def _no_batch_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let several workers play even the shortest batch."""
    monkeypatch.setattr(chunks, "QUICK", 0.0)
