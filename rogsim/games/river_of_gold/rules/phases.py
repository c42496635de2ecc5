"""The phases of play: what a seat is asked to choose."""

from __future__ import annotations

PHASES = (
    "automatic",  # nothing: the agenda continues
    "draft",  # a patron, before the game
    "turn",  # favor, exchanges, and one action
    "good",  # a good of choice
    "journey",  # 3 koku or a good for a completed journey
    "sell",  # merchant 4: a good to sell, or stop
    "marker",  # a monk's second marker
    "royal",  # the ship that becomes royal
    "discard",  # a customer from the hand
    "set_die",  # Kakita Ryoku: a face, or roll
    "pause",  # the active player may exchange before play continues
    "over",
)
AUTOMATIC, DRAFT, TURN, GOOD, JOURNEY, SELL, MARKER, ROYAL, DISCARD, SET_DIE, PAUSE, OVER = range(12)
