"""Which sections a report has, in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rogsim.game.topics import Topic, TopicKind
from rogsim.report.balance.causes import luck_section, model_section, precision_section
from rogsim.report.balance.course import lead_section, length_section, points_section
from rogsim.report.balance.draw_sections import draw_section, setup_section
from rogsim.report.balance.level_sections import bot_section, level_section, seat_section
from rogsim.report.balance.screens import count_section, member_section, parts_section
from rogsim.report.balance.sources import Material
from rogsim.report.document import Section

BUILDERS: Mapping[TopicKind, Callable[[Material, Topic], Section | None]] = {
    "level": level_section,
    "draw": draw_section,
    "member": member_section,
    "count": count_section,
    "setup": setup_section,
    "parts": parts_section,
}


def all_sections(material: Material) -> tuple[Section, ...]:
    """Return the sections of a whole report: the turn order, the game's own topics, then what every game has."""
    sections = [
        seat_section(material),
        *(topic_section(material, topic) for topic in material.spec.topics),
        bot_section(material),
        points_section(material),
        lead_section(material),
        length_section(material),
        luck_section(material),
        model_section(material),
        precision_section(material),
    ]
    return tuple(section for section in sections if section is not None)


def topic_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of one topic of the game; None if it did not come up in the games."""
    return BUILDERS[topic.kind](material, topic)
