"""What happens next in a game: a decision of the actor, or an event that follows by itself."""

from __future__ import annotations

DECISIONS = ("start", "turn", "discard", "take", "pay", "exchange", "exchange")  # the names of decisions in a trace
# SWAPS are the exchanges of a swap meadow, which may be declined.
START, TURN, DISCARD, TAKE, PAY, EXCHANGE, SWAPS = range(7)
# Events. STORE is no event: what an action gave is stored at once.
DISPLAY, ROUND, CLEANUP, MEADOW, STORE = range(7, 12)
OVER = 12
