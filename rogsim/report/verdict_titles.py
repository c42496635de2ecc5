"""The verdicts of findings and their titles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from rogsim.stats.judgement import Judgement, Kind

Badge = Literal[
    "out",
    "slight",
    "fair",
    "changed",
    "shifted",
    "same",
    "open",
    "fact",
    "reached",
    "missed",
    "settled",
    "moving",
]
TITLES: Mapping[Badge, str] = {
    "out": "Out of balance",
    "slight": "Slight",
    "fair": "Fair",
    "changed": "Changed",
    "shifted": "Slight change",
    "same": "No change that matters",
    "open": "Not known yet",
    "fact": "As measured",
    "reached": "Goal reached",
    "missed": "Goal missed",
    "settled": "Settled",
    "moving": "Still moving",
}
AGAINST_FAIR: Mapping[Kind, Badge] = {"beyond": "out", "slight": "slight", "within": "fair", "open": "open"}
OF_DIFFERENCES: Mapping[Kind, Badge] = {"beyond": "changed", "slight": "shifted", "within": "same", "open": "open"}


def badge_of(judgement: Judgement) -> Badge:
    """Return the badge of a judgement: on fairness, or on the difference between two runs."""
    return (AGAINST_FAIR if judgement.effects.question.against else OF_DIFFERENCES)[judgement.kind]
