"""Checks of what a game declares, before anything is played."""

from __future__ import annotations

from collections.abc import Iterator

from rogsim.game.spec import GameSpec


def lost_topics(spec: GameSpec) -> Iterator[str]:
    """Yield the topics that are about parameters that the game does not have."""
    names = [f"{parameter.name}." for parameter in spec.facts()]
    for topic in spec.topics:
        for group in topic.about:
            if not any(name.startswith(f"{group}.") for name in names):
                yield f'topic {topic.name} is about "{group}", and no parameter has a name that begins so'
