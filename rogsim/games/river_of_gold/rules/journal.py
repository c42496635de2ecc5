"""The kinds of entry in the journal of what happened automatically in the last step."""

from __future__ import annotations

RESHUFFLED, VISIT_BEGUN, END_TRIGGERED, DRAWN, ROLLED, CLAIMED, TURN_OVER = range(7)
