"""What differs from evaluation to evaluation, as functions that compiled code can call for any of them.

`rogsim.game.kit.evaluation.contract` describes them. Compiled code finds the version by the type of the position.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.calls import found_by
from rogsim.game.kit.evaluation.contract import evaluation_of

of_the_evaluation = found_by(evaluation_of, "position", inline=False)


@of_the_evaluation
def first_weight(seats: int, position: Any) -> int:
    """Return the place of the first weight for a number of seats."""
    raise NotImplementedError


@of_the_evaluation
def copy_weights(weights: Any, seats: int, position: Any) -> None:
    """Copy the weights that describing a position needs."""


@of_the_evaluation
def describe(tables: Any, state: Any, viewer: int, position: Any) -> None:
    """Fill in the features of all seats."""


@of_the_evaluation
def place(tables: Any, state: Any, position: Any) -> float:
    """Return where a position is between the moments."""
    raise NotImplementedError


@of_the_evaluation
def kind(action: int, position: Any) -> int:
    """Return the kind of an action."""
    raise NotImplementedError
