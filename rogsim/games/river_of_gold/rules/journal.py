"""The journal: what happened automatically in the last step, for traces."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined
from rogsim.games.river_of_gold.components.names import CUSTOMERS, FACES, MASTERIES, MAX_SEATS

JOURNAL_RESHUFFLE, JOURNAL_VISIT, JOURNAL_TRIGGER = range(3)
JOURNAL_DRAW = 3  # + seat * 30 + customer
JOURNAL_ROLL = JOURNAL_DRAW + MAX_SEATS * len(CUSTOMERS)  # + face - 1
JOURNAL_CLAIM = JOURNAL_ROLL + FACES  # + mastery
JOURNAL_TURN_OVER = JOURNAL_CLAIM + len(MASTERIES)


@inlined
def note(game: Any, entry: int) -> None:
    """Record one automatic event."""
    secret = game.secret
    secret.journal[secret.journal_size] = entry
    secret.journal_size += 1
