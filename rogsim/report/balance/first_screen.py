"""The first screen: the scenario's question, its answer, who played, what to try next, and the balance sheet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rogsim.report import words
from rogsim.report.balance.commands import reached_folder, run_command, scenario_words
from rogsim.report.balance.level_sections import forest_picture
from rogsim.report.balance.proposals import first_proposals
from rogsim.report.balance.sheet import judged_topic
from rogsim.report.balance.sources import Material
from rogsim.report.balance.strength import holds_words, strength_steps
from rogsim.report.document import Picture, Section, Step
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
    titles = words.listed(list(dict.fromkeys(one.effects.question.title for one in asked)))
    chances = decides_words([one.prospect.chance for one in asked if one.prospect])
    yield Step(f"Decide what is open ({titles}): a run of {games} games {chances}.", command)
