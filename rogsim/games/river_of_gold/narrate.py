"""One trace as text for a person, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def narrate(trace: Mapping[str, Any]) -> str:
    raise NotImplementedError
