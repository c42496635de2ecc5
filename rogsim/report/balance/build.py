"""Builds a report: the first screen, the sections, and the provenance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base.text import listing
from rogsim.game.spec import GameSpec
from rogsim.game.topics import SEATS, Topic, TopicKind
from rogsim.report import words
from rogsim.report.balance.commands import (
    commands_to_reproduce,
    page_files,
    reached_folder,
    run_command,
    scenario_words,
    shown_folder,
)
from rogsim.report.balance.course_sections import lead_section, length_section, points_section
from rogsim.report.balance.level_sections import (
    bot_section,
    draw_section,
    forest_picture,
    level_section,
    seat_section,
    setup_section,
)
from rogsim.report.balance.proposals import first_proposals
from rogsim.report.balance.sheet import answer_of, changed_words, judged_topic, question_of, sheet_of, topic_of
from rogsim.report.balance.sources import Material, Source
from rogsim.report.balance.strength import holds_words, strength_section, strength_steps
from rogsim.report.balance.use_sections import board_section, count_section, member_section, parts_section
from rogsim.report.document import Grid, Picture, Report, Section, Step, TableColumn
from rogsim.report.provenance import scenario_text
from rogsim.report.sentences import NUMBERS, decides_words, headline

MOST_STEPS = 6
REPLACED = ("seed", "bots", "players", "change", "components", "until")  # keys that `rogsim run` can replace


def context_of(material: Material) -> str:
    """Return who played how many games, and whether other bots show the same, in two sentences."""
    judged = judged_topic(material)
    games = {players: balance.games for players, balance in material.last.balance.players.items()}
    if judged:
        players = headline(judged).effects.players
        count, others = f"{words.games(games[players])} with {NUMBERS.get(players, players)} players", len(games) > 1
    else:
        count, others = words.games(sum(games.values())), False
    more = f", of {sum(games.values()):,} in all," if others else ""
    sets = (
        ""
        if material.single
        else f", the last of {NUMBERS.get(len(material.sources), len(material.sources))} sets of bots"
    )
    who = f"{count}{more} played by {material.last.label}{sets}."
    return " ".join(filter(None, (who, holds_words(material, headline(judged)) if judged else "", _looks(material))))


def _looks(material: Material) -> str:
    """Say that results were looked at before, which makes the limits of all verdicts stricter."""
    most = max(balance.look for _, balance in material.each())
    return f"This is look {most} at these games, so the verdicts need clearer results." if most > 1 else ""


def picture_of(material: Material, section: Section | None) -> Picture | None:
    """Return the figure that shows the answer: the question with the number of players that the answer is about."""
    judged = judged_topic(material)
    if not judged:
        return section.pictures[0] if section and section.pictures else None
    top = headline(judged)
    caption = f"{top.effects.question.title} with {NUMBERS.get(top.effects.players, top.effects.players)} players."
    return forest_picture(material, [top], "answer", caption)


def steps_of(material: Material, out: Path) -> Iterator[Step]:
    """Yield what to try next: changes to what is out of balance, stronger bots, more games for what is open."""
    yield from first_proposals(material)
    yield from strength_steps(material, out)
    yield from _more_games(material)


def _more_games(material: Material) -> Iterator[Step]:
    """Yield how many games would decide what is open with the last set of bots."""
    asked = [one for one in material.judgements if one.prospect and material.source_of(one) is material.last]
    if not asked:
        return
    first = material.last.folders[0]  # of pooled folders this one gets more games
    stored = first.manifest["games"]
    needed = max(stored.get(str(one.effects.players), 0) + one.prospect.games for one in asked if one.prospect)
    folder = reached_folder(first.folder) if first.folder else ""
    games = words.about(needed)
    scenario = scenario_words(material.last, material.spec, *REPLACED)
    options = "--games", games.replace(",", "")
    command = run_command(first, *scenario, *options, folder=folder) if scenario else ""
    titles = listing(list(dict.fromkeys(one.effects.question.title for one in asked)))
    chances = decides_words([one.prospect.chance for one in asked if one.prospect])
    yield Step(f"Decide what is open ({titles}): a run of {games} games {chances}.", command)


FAMILY = (
    "All judgements of this page form one family: each kind of claim (beyond the margin, within it, different at all) "
    "is wrong anywhere on the page in at most 5% of cases. Brackets hold 95% intervals; those of judged effects hold "
    "for all levels of a question together."
)
BUILDERS: Mapping[TopicKind, Callable[[Material, Topic], Section | None]] = {
    "level": level_section,
    "draw": draw_section,
    "member": member_section,
    "count": count_section,
    "setup": setup_section,
    "parts": parts_section,
}
OF_EVERY_GAME: Sequence[Callable[[Material], Section | None]] = (
    board_section,
    bot_section,
    points_section,
    lead_section,
    length_section,
)


def build_report(material: Material, out: Path) -> Report:
    """Return the report. out: the folder it is written to, for the command that reproduces it."""
    sections = all_sections(material)
    about = next((section for section in sections if section.name == topic_of(material)), None)
    folders = [folder for source in material.sources for folder in source.folders]
    files = page_files(material)
    answer, verdict = answer_of(material, about)
    return Report(
        title=material.spec.title,
        question=question_of(material, about),
        answer=answer,
        context=f"{context_of(material)}{_changed(material)}",
        sections=sections,
        family=FAMILY,
        provenance=tuple(provenance(material)),
        scenarios=tuple((file, scenario_text(folder.manifest)) for file, folder in zip(files, folders, strict=True)),
        command="\n".join(commands_to_reproduce(material, files, out)),
        verdict=verdict,
        picture=picture_of(material, about),
        steps=tuple(steps_of(material, out)),
        sheet=sheet_of(material),
        reconstructed=material.reconstructed.data(material.spec.topics),
    )


def all_sections(material: Material) -> tuple[Section, ...]:
    """Return the sections of a whole report: the one that it is about comes first."""
    about = topic_of(material)
    judged = [topic_section(material, topic) for topic in material.spec.topics]
    judged.insert(len(material.asked), seats(material))
    judged.sort(key=lambda section: section is None or section.name != about)
    strength = _resting(material, strength_section(material))
    others = [_resting(material, build(material)) for build in OF_EVERY_GAME]
    found = [*judged[:1], strength, *judged[1:], *others]
    return tuple(section for section in found if section is not None and section.answer)


def seats(material: Material) -> Section:
    """Return the section on the turn order."""
    return replace(seat_section(material), rests_on=material.reconstructed.text_on(None))


def topic_section(material: Material, topic: Topic) -> Section | None:
    """Return the section of one topic of the game; None if it did not come up in the games."""
    return _resting(material, BUILDERS[topic.kind](material, topic), topic)


def section_named(material: Material, name: str) -> Section | None:
    """Return the section on the seats, or on a topic of the game; None if no game has data on it."""
    if name == SEATS:
        return seats(material)
    return topic_section(material, next(topic for topic in material.spec.topics if topic.name == name))


def _resting(material: Material, section: Section | None, topic: Topic | None = None) -> Section | None:
    """Return a section that says which reconstructed values its claims rest on."""
    return None if section is None else replace(section, rests_on=material.reconstructed.text_on(topic))


def _changed(material: Material) -> str:
    """List the changed parameters with their usual values, folder by folder if the folders differ."""
    changes = [(source.label, changed_words(material.spec, source.manifest, 6)) for source in material.sources]
    if len({change for _, change in changes}) == 1:
        return f" Changed: {changes[0][1]}." if changes[0][1] else ""
    return f" Changed: {'; '.join(f'{label}: {change or words.NOTHING}' for label, change in changes)}."


def provenance(material: Material) -> Iterator[Grid]:
    """Yield the tables of the folders that were read, and of the bots that played."""
    folders = [folder for source in material.sources for folder in source.folders]
    rows = [_folder_row(folder, material.spec) for folder in folders]
    columns = ("name", "folder", "games", "seed", "changed", "margin", "rules", "engine", "versions", "played")
    frame = pl.DataFrame(rows)
    yield Grid("folders", "What was played", tuple(TableColumn(name, name) for name in columns), frame)
    bots = [
        {
            "bot": bot["name"],
            "folder": source.manifest["name"],
            "source": bot["source_hash"],
            "weights": bot["weights_hash"],
        }
        for source in folders
        for bot in source.manifest["bots"]
    ]
    heads = {"source": "hash of its source", "weights": "hash of its weights"}
    frame = pl.DataFrame(bots, infer_schema_length=None)
    yield Grid(
        "bots-used", "Who played", tuple(TableColumn(name, heads.get(name, name)) for name in frame.columns), frame
    )


def _folder_row(source: Source, spec: GameSpec) -> dict[str, Any]:
    manifest = source.manifest
    identity, sessions = manifest["identity"], manifest["sessions"]
    versions = dict.fromkeys(f"rogsim {session['rogsim']}, Python {session['python']}" for session in sessions)
    libraries = dict.fromkeys(
        f"{name} {version}" for session in sessions for name, version in session["libraries"].items()
    )
    return {
        "name": manifest["name"],
        "folder": _folder(source),
        "games": "; ".join(
            f"{int(games):,} with {words.players(int(players))}" for players, games in manifest["games"].items()
        ),
        "seed": str(identity["seed"]),
        "changed": changed_words(spec, manifest) or words.NOTHING,
        "margin": f"±{manifest['scenario']['margin']:g} pp",
        "rules": f"{manifest['title']}, version {identity['rules']}",
        "engine": identity["engine"],
        "versions": ", ".join([*versions, *libraries]),
        "played": "; ".join(session["started"] for session in sessions),
    }


def _folder(source: Source) -> str:
    return "in memory" if source.folder is None else shown_folder(source.folder)
