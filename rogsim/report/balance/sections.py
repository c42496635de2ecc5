"""Which sections a report has, in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rogsim.game.topics import Topic, TopicKind, question_topic
from rogsim.report.balance.board_section import board_section
from rogsim.report.balance.causes import luck_section, model_section, precision_section
from rogsim.report.balance.course import lead_section, length_section, points_section
from rogsim.report.balance.draw_sections import draw_section, setup_section
from rogsim.report.balance.level_sections import bot_section, level_section, seat_section
from rogsim.report.balance.screens import count_section, member_section, parts_section
from rogsim.report.balance.sources import Material
from rogsim.report.balance.strength_section import strength_section
from rogsim.report.document import Section

BUILDERS: Mapping[TopicKind, Callable[[Material, Topic], Section | None]] = {
    "level": level_section,
    "draw": draw_section,
    "member": member_section,
    "count": count_section,
    "setup": setup_section,
    "parts": parts_section,
}
OF_EVERY_GAME: Sequence[Callable[[Material], Section | None]] = (
    *(
        board_section,
        bot_section,
        points_section,
        lead_section,
        length_section,
        luck_section,
        model_section,
        precision_section,
    ),
)


def all_sections(material: Material) -> tuple[Section, ...]:
    """Return the sections of a whole report: what the question is about, the turn order, the game's other topics,
    whether all this holds with stronger bots, then what every game has."""
    judged = [seats(material), *(topic_section(material, topic) for topic in material.spec.topics)]
    about = question_topic(material.spec.topics, material.sources[0].manifest)
    found = sorted((section for section in judged if section is not None), key=lambda section: section.name != about)
    others = [_resting(material, build(material)) for build in OF_EVERY_GAME]
    strength = _resting(material, strength_section(material, found))
    return tuple(section for section in (*found, strength, *others) if section is not None)


def seats(material: Material) -> Section:
    """Return the section on the turn order."""
    return replace(seat_section(material), rests_on=material.reconstructed.text_on(None))


def topic_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of one topic of the game; None if it did not come up in the games."""
    return _resting(material, BUILDERS[topic.kind](material, topic), topic)


def _resting(material: Material, section: Section | None, topic: Topic | None = None) -> Section | None:
    """Return a section that says which reconstructed values its claims rest on."""
    return None if section is None else replace(section, rests_on=material.reconstructed.text_on(topic))
