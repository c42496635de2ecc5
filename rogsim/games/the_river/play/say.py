"""A choice in words, as a person is offered it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rogsim.base.text import listing
from rogsim.games.the_river.components.names import RESOURCES

PIONEER = "Send a pioneer"
# By what a step of a trace does: what that is, then each thing that it names.
WORDS = {
    "pass": (PIONEER, "nowhere"),
    "skip": ("Swap nothing",),
    "first": (PIONEER, "to be first player"),
    "swap": (PIONEER, "to swap tiles"),
    "food": (PIONEER, "for food"),
    "produce": (PIONEER, "to produce {resource}"),
    "take": ("Take", "1 {resource}"),
    "discard": ("Discard", "1 {resource}"),
    "claim": ("Claim", "terrain {tile}"),
    "start": ("Begin", "with terrain {tile}"),
    "reserve": ("Reserve", "building {card}"),
    "construct": ("Construct", "building {card}"),
    "exchange": ("Swap", "spots {spots[0]} and {spots[1]}"),
    "trade": ("Trade", "{paid} for food"),
    "pay": ("Pay", "{paid}"),
}


def say(setup: Any, game: Any, told: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a legal action in words: what is done, then each thing that it names.

    Parameters
    ----------
    told
        The action as a step of a trace.
    """
    paid = listing(f"{told[name]} {name}" for name in RESOURCES if told.get(name))
    return tuple(words.format_map({**told, "paid": paid or "nothing"}) for words in WORDS[told["do"]])
