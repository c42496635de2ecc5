"""What a seat sees: the base of a game's observation, and dealing anew what it does not see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from rogsim.game.compiler import part
from rogsim.game.kit.bits import has
from rogsim.game.rng import shuffle


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a seat can see when it chooses. Everything is a copy, except `facts`, which cannot be changed."""

    me: int  # the seat that sees this: in play, the one that chooses
    active: int  # the seat whose turn it is
    question: str  # what must be chosen
    turn: int  # from 1
    facts: Mapping[str, Any] = field(repr=False)  # the components
    random: Random = field(repr=False)  # the seat's random numbers


@part
def note(components: Any, count: int, seen: Any) -> None:
    """Note that the first `count` of some components are not hidden; those below 0 are none.

    Parameters
    ----------
    components : int[count or more]
        Their numbers.
    seen : int8[components]
        1 for each component that is not hidden, else 0.
    """
    for i in range(count):
        if components[i] >= 0:
            seen[components[i]] = 1


@part
def note_members(mask: Any, seen: Any) -> None:
    """Note that the components in a mask are not hidden; `seen` as for `note`."""
    for component in range(len(seen)):
        if has(mask, component):
            seen[component] = 1


@part
def deal_unseen(seen: Any, key: Any, pile: Any, first: int, left: int) -> None:
    """Shuffle the components that are hidden, and put `left` of them into a pile, from its place `first` on.

    Parameters
    ----------
    seen
        As for `note`.
    key
        The key of the shuffle.
    """
    unseen = np.empty(len(seen), np.int16)
    count = 0
    for component in range(len(seen)):
        if seen[component] == 0:
            unseen[count] = component
            count += 1
    shuffle(key, unseen, count)
    for i in range(left):
        pile[first + i] = unseen[i]
