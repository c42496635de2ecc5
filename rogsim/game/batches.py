"""What is played in one call, and what watching a bot while it plays shows."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rogsim.game.bot import Bot


@dataclass(frozen=True)
class Batch:
    """Games to play in one call, all with the same number of players, options and line-up of bots.

    Attributes
    ----------
    deals : int64[n]
        The number of the deal of each game: set-up, order of decks, rolls. Games with the same number share a deal.
    seating : int8[n, players]
        For each game and seat, the index of its bot in `line_up`.
    """

    seed: int
    players: int
    deals: NDArray[np.int64]
    seating: NDArray[np.int8]
    line_up: tuple[Bot, ...]  # exactly `players` bots


@dataclass
class Audit:
    """What was found by watching every choice of the first bot of a line-up, and asking some questions again.

    Asked again, the bot has the same random stream, notes and weights: first in the same game, then in games in which
    all information hidden from it is dealt anew. Choices that differ are listed as (deal, turn).
    """

    questions: int = 0
    seconds: float = 0.0  # for all of its choices
    slowest: float = 0.0  # seconds for one choice
    checked: int = 0  # questions asked again
    uncopied: int = 0  # questions not asked again because an agent cannot be copied
    inconsistent: list[tuple[int, int]] = field(default_factory=list)  # another choice in the same game
    peeking: list[tuple[int, int]] = field(default_factory=list)  # another choice where only hidden information differs
