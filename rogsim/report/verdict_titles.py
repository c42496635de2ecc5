"""The verdicts of findings and their titles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Badge = Literal[
    "imbalanced", "depends", "open", "fair", "fact", "changed", "within", "reached", "missed", "settled", "moving"
]
TITLES: Mapping[Badge, str] = {
    "imbalanced": "Imbalanced",
    "depends": "Depends",
    "open": "Undecided",
    "fair": "Fair",
    "fact": "As measured",
    "changed": "Changed",
    "within": "Within margin",
    "reached": "Goal reached",
    "missed": "Goal missed",
    "settled": "Settled",
    "moving": "Still moving",
}
