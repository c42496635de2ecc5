"""Names of bots as figures show them."""

from __future__ import annotations

LONGEST_LABEL = 24  # characters of a bot's name on an axis


def bot_label(name: str) -> str:
    """Return a bot's name without its folders; of a long name only the end."""
    last = name.rsplit("/", 1)[-1]
    return last if len(last) <= LONGEST_LABEL else "…" + last[1 - LONGEST_LABEL :]
