"""Topics of reports as games usually have them; `rogsim.game.topics.Topic` describes what they say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rogsim.game.topics import Topic

Labels = Mapping[str, str]


def levels(
    name: str, title: str, column: str, noun: str, labels: Labels, *about: str, dealt: Mapping[str, Any] | None = None
) -> Topic:
    """Return a topic about the levels of a seat column, which should be equally strong."""
    question = f"Is any {noun} too strong or too weak?"
    return Topic(name, title, question, "level", (column,), noun, labels, dealt=dealt, about=about)


def counts(
    name: str, title: str, question: str, noun: str, labels: Labels, *about: str, whether: bool = False
) -> Topic:
    """Return a topic about numbers; the labels are those of its columns."""
    return Topic(name, title, question, "count", tuple(labels), noun, labels, whether, about=about)


def members(name: str, column: str, noun: str, labels: Labels, *about: str, title: str = "") -> Topic:
    """Return a topic about what a seat has or has not, of which some stand out by chance."""
    title, question = title or f"{noun.capitalize()}s", f"Does any single {noun} go with winning?"
    return Topic(name, title, question, "member", (column,), noun, labels, claim=False, about=about)


def sources(labels: Labels) -> Topic:
    """Return the topic about the sources of points; the labels are those of their columns."""
    question = "Where do the winners' points come from?"
    return Topic("sources", "Points by source", question, "parts", tuple(labels), "source", labels)


# For a game with the seat column `ended_game`.
ENDS = counts(
    "ends",
    "End of the game",
    "Does it pay to trigger the end of the game?",
    "triggered the end",
    {"ended_game": "Triggered the end"},
    whether=True,
)
