"""What a seat sees: the base of a game's observation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a seat can see when it chooses. Everything is a copy, except `facts`, which cannot be changed."""

    me: int  # the seat that sees this: in play, the one that chooses
    active: int  # the seat whose turn it is
    question: str  # what must be chosen
    turn: int  # from 1
    facts: Mapping[str, Any] = field(repr=False)  # the components
    random: Random = field(repr=False)  # the seat's random numbers
