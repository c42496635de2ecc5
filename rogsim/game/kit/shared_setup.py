"""What all games of a scenario and a player count share, as `GameSpec.prepare` returns it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rogsim.game.parameters import Change


@dataclass(frozen=True)
class Setup:
    """What all games of a scenario and a player count share; a game may add to it."""

    tables: Any  # the record that the rules read
    facts: Mapping[str, Any]  # the components in words, for agents
    options: Mapping[str, Any] = field(default_factory=dict)  # those that differ from the default
    change: Change = field(default_factory=dict)  # the parameters that differ from those in the files
