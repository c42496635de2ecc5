"""What a game shows of a view: the observation and the words of actions for Python bots, the vector for learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rogsim.game.kit.conformance.faults import FaultyError, attempt, expect
from rogsim.game.kit.vector import VectorLayout, layout_of
from rogsim.game.rng import BotRandom
from rogsim.game.rules import Rules


class Shown:
    """Checks what is shown of the views of one set-up."""

    def __init__(self, rules: Rules, setup: Any, players: int) -> None:
        """Lay the vector out; FaultyError if that fails."""
        self.rules, self.setup, self.layout = rules, setup, _layout(rules, setup, players)

    def check_vector(self, view: Any, seat: int) -> None:
        """Every element of a seat's vector is within its bounds."""
        layout = self.layout
        vector = layout.vector(view, seat)
        within = (layout.low <= vector) & (vector <= layout.high)
        if not within.all():
            place = int(np.argmin(within))
            low, value, high = (f"{float(numbers[place]):g}" for numbers in (layout.low, vector, layout.high))
            name = layout.names[place]
            raise FaultyError(f"vector: {name} is {value} as seat {seat} sees it, and its bounds are {low} and {high}")

    def check_description(self, view: Any, seat: int) -> None:
        """A seat's view can be described."""
        attempt(f"describe for seat {seat}", self.rules.describe, self.setup, view, seat, BotRandom(seat))

    def check_words(self, view: Any, legal: Sequence[int]) -> None:
        """Every legal action is in other words than the others, which is all that a Python bot knows of it."""
        known: dict[str, int] = {}
        for action in legal:
            words = attempt(f"action_to_dict of action {action}", self.rules.action_to_dict, self.setup, view, action)
            expect(isinstance(words, Mapping), f"action_to_dict of action {action} is not a dict: {words!r}")
            other = known.setdefault(repr(sorted(words.items(), key=repr)), action)
            expect(other == action, f"action_to_dict gives the same for the actions {other} and {action}: {words}")


def _layout(rules: Rules, setup: Any, players: int) -> VectorLayout:
    fields = attempt("vector", rules.vector, setup) if rules.vector else None
    expect(fields is None or len(fields) > 0, "vector lists no fields")
    try:
        return layout_of(rules, setup, players)
    except ValueError as fault:  # which names the field
        raise FaultyError(str(fault)) from fault
