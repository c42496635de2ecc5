"""Builds a report: its sections, the findings at the top, what to test next, and the provenance."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.game.parameter_names import changes_of
from rogsim.game.spec import GameSpec
from rogsim.report import words
from rogsim.report.balance.commands import (
    commands_to_reproduce,
    page_files,
    reached_folder,
    run_command,
    scenario_words,
    shown_folder,
)
from rogsim.report.balance.pieces import by, changes_with_the_bots
from rogsim.report.balance.proposals import first_proposals
from rogsim.report.balance.sections import all_sections
from rogsim.report.balance.sources import Material, Source
from rogsim.report.balance.strength_steps import strength_steps
from rogsim.report.balance.top_answers import answered
from rogsim.report.document import Grid, Report, Section, TableColumn
from rogsim.scenario.axes import value_words
from rogsim.scenario.own_components import asked_changes
from rogsim.stats.alpha_spending import weight
from rogsim.stats.prospects import percent
from rogsim.stats.verdict_words import SMALLER, is_just_clear
from rogsim.stats.verdicts import FAMILY

REPLACED = ("seed", "bots", "players", "change", "components", "until")  # keys that `rogsim run` can replace
MOST_CHANGES = 6  # named in the lead; the table of what was played lists all of them
UNITS = (
    "Effects are differences in win share, in percentage points (pp). Brackets hold simultaneous 95% intervals: they "
    "hold for all levels of a question together, and so also for the largest effect."
)

ABOUT_BOTS = (
    "Every finding is about games between these bots. The word beside it says whether it holds as the bots get "
    "stronger."
)
NOT_TESTED_YET = (
    "Every finding is about games between these bots: whether it holds as the bots get stronger was not tested."
)


def build_report(material: Material, out: Path) -> Report:
    """Return the report. out: the folder it is written to, for the command that reproduces it."""
    sections = tuple(answered(material, section) for section in all_sections(material))
    folders = [folder for source in material.sources for folder in source.folders]
    files = page_files(material)
    return Report(
        title=f"{material.spec.title}: balance report",
        lead=_lead(material),
        units=f"{UNITS} {_about_bots(material, sections)}",
        next_steps=tuple(_next_steps(material, out)),
        sections=sections,
        family=f"{FAMILY} {SMALLER}" if any(map(is_just_clear, material.verdicts)) else FAMILY,
        provenance=tuple(provenance(material)),
        scenarios=tuple((file, scenario_text(folder.manifest)) for file, folder in zip(files, folders, strict=True)),
        command="\n".join(commands_to_reproduce(folders, files, out, material.settled)),
        reconstructed=material.reconstructed.data(material.spec.topics),
    )


def _lead(material: Material) -> str:
    games = sum(balance.games for _, balance in material.each())
    counts = words.listed([str(players) for players in material.player_counts])
    who = words.listed([source.label for source in material.sources])
    questions = {str(source.manifest["question"]) for source in material.sources}
    question = questions.pop() if len(questions) == 1 else ""  # several would fill the first screen
    asked = f" Question: {question}" if question else ""
    return (
        f"{words.games(games)} with {counts} players, played by {who}. A win share within ±{material.margin:g} "
        f"percentage points of a fair share counts as fair.{_changed(material)}{asked}{_pooled(material)}"
        f"{_looks(material)}"
    )


def _about_bots(material: Material, sections: Sequence[Section]) -> str:
    """Say that findings are about these bots, and which questions have effects that change with the bots."""
    differing = [section.title for section in sections if any(map(changes_with_the_bots, section.findings))]
    about = ABOUT_BOTS if material.settled else NOT_TESTED_YET
    return f"{about} {words.listed(differing)}: the effects change with the bots." if differing else about


def _pooled(material: Material) -> str:
    """Say which folders are pooled because they hold the same bots and settings."""
    pooled = [
        f" {words.listed([_folder(folder) for folder in source.folders])} hold the same bots and settings with "
        "different seeds, and are pooled."
        for source in material.sources
        if len(source.folders) > 1
    ]
    return "".join(pooled)


def _looks(material: Material) -> str:
    """Say which interim look this is, for folders that were extended after their results could be viewed, or pooled."""
    viewed = [(source, balance) for source, balance in material.each() if balance.look > 1]
    if not viewed:
        return ""
    looks = [
        f"interim look {balance.look} for {words.players(balance.players)}{by(material, source.label)}, with "
        f"{100 * weight(balance.look):.2g}% of the error rate"
        for source, balance in viewed
    ]
    why = "These results were viewed before, at other numbers of games"
    if any(len(source.folders) > 1 for source, _ in viewed):
        why = "Each pooled folder counts as a look, because results may have been viewed before it was added"
    return f" {why}. This is {words.listed(looks)}."


def _changed(material: Material) -> str:
    """List the changed parameters with their usual values, folder by folder if the folders differ."""
    changes = [
        (source.label, changed_words(material.spec, source.manifest, MOST_CHANGES)) for source in material.sources
    ]
    if material.single or len({change for _, change in changes}) == 1:
        return f" Changed: {changes[0][1]}." if changes[0][1] else ""
    return f" Changed: {'; '.join(f'{label}: {change or words.NOTHING}' for label, change in changes)}."


def changed_words(spec: GameSpec, manifest: Mapping[str, Any], most: int | None = None) -> str:
    """Return the changed parameters of a run, each with its usual value: "setup.hand = 3 (2)"; empty if there are none.

    most: how many to name; of the rest, only the number is given.
    """
    scenario = manifest["scenario"]
    changes = changes_of(spec, asked_changes(scenario))
    named = [f"{change['name']} = {value_words(change['is'])} ({value_words(change['was'])})" for change in changes]
    if own := scenario.get("components"):
        named.append(f"components of {own['file']}")
    return ", ".join([*named[:most], *([f"and {len(named[most:])} more"] if most and len(named) > most else [])])


def _next_steps(material: Material, out: Path) -> Iterator[str]:
    """Yield what to test next: stronger bots, changes to what is imbalanced, more games for what is undecided."""
    yield from strength_steps(material, out)
    imbalanced = dict.fromkeys(verdict.claim.title for verdict in material.verdicts if verdict.kind == "imbalanced")
    if imbalanced:
        yield (
            f"Imbalanced: {words.listed(list(imbalanced))}. `rogsim compare` shows the effect of a rule change, and "
            "`rogsim optimize` searches for values that make the game fair."
        )
        yield from (f"{found.sentence} `{found.command}`" for found in first_proposals(material))
    for source in material.sources:
        yield from _more_games(material, source)


def _more_games(material: Material, source: Source) -> Iterator[str]:
    """Yield how many games would decide each question that is undecided with one set of bots."""
    first = source.folders[0]  # of pooled folders this one gets more games
    needed = 0
    by_title: dict[str, list[str]] = {}
    chances = []
    for verdict in material.verdicts:
        more, claim = verdict.prospect, verdict.claim
        if more is None or material.source_of(verdict) is not source:
            continue
        needed = max(needed, first.manifest["games"].get(str(claim.players), 0) + more.games)
        by_title.setdefault(claim.title, []).append(f"{words.count(more.games)} with {words.players(claim.players)}")
        chances.append(more.chance)
    if not needed:
        return
    questions = "; ".join(f"{title}: {words.listed(more)}" for title, more in by_title.items())
    scenario = scenario_words(source, material.spec, *REPLACED)
    command = ""
    if scenario:
        options = ["--games", words.about(needed).replace(",", "")]
        folder = reached_folder(first.folder) if first.folder else ""
        effect = "plays enough games" if first.folder is None else "continues from the stored games"
        command = f" `{run_command(first, *scenario, *options, folder=folder)}` {effect}."
    each = "it is" if len(chances) == 1 else "each question by itself is"
    yield (
        f"{source.label}: with about this many more games, {each} decided with a chance of at least "
        f"{percent(min(chances))}. {questions}.{command}"
    )


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
        "games": "; ".join(f"{int(games):,} with {players} players" for players, games in manifest["games"].items()),
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


def scenario_text(manifest: Mapping[str, Any]) -> str:
    """Return the text of a scenario file for what was played, including the number of games."""
    scenario = {key: value for key, value in manifest["scenario"].items() if key not in ("sweep", "balance")}
    options, change = scenario.pop("options"), scenario.pop("change", {})
    lines = [f"# {manifest['question']}"] if manifest["question"] else []
    lines += [f"{key} = {_toml(value)}" for key, value in scenario.items() if value not in ([], {}, None)]
    lines += ["", "[options]", *(f"{key} = {_toml(value)}" for key, value in options.items() if value is not None)]
    if change:
        lines += ["", "[change]", *(f"{key} = {_toml(value)}" for key, value in change.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """Return a value as TOML: a string, a number, a list of these, or an inline table."""
    if isinstance(value, Mapping):
        inside = ", ".join(
            f"{json.dumps(str(key))} = {_toml(entry)}" for key, entry in value.items() if entry is not None
        )
        return f"{{ {inside} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
