"""Whether the answer holds for stronger players: by a ladder that was played, or by several sets of bots."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rogsim.base.text import capital, listing
from rogsim.experiments.ladder import SEATS, LadderVerdicts, SettledClaim
from rogsim.game.fair import side_name
from rogsim.game.topics import question_topic
from rogsim.report import settle_page, words
from rogsim.report.balance.commands import (
    distinct,
    reached_folder,
    report_command,
    results_folder,
    scenario_words,
    settle_command,
    settle_folder,
)
from rogsim.report.balance.level_sections import forest_picture
from rogsim.report.balance.sources import Material, with_source
from rogsim.report.document import STRENGTH, TITLES, Grid, Section, Step, TableColumn, badge_of
from rogsim.report.sentences import NUMBERS, effect_words, headline
from rogsim.stats.contrasts import columns, table
from rogsim.stats.judgement import Judgement
from rogsim.stats.settling import RUNGS

MINUTES = 30  # of the proposed ladder


def holds_words(material: Material, top: Judgement) -> str:
    """Return whether stronger or other bots show the same, in one sentence; top: the judgement that is the answer."""
    claims = _claims(material, top)
    if claims:
        return _settled_words(claims, top)
    others = _others(material, top)
    if others:
        return _agreed_words(material, top, others)
    return "Other bots may show something else: none were tried."


def _claims(material: Material, top: Judgement) -> list[SettledClaim]:
    """Return the claims of ladders on the question of a judgement."""
    question = top.effects.question.topic
    return [claim for ladder in material.settled for claim in ladder.of(question, top.effects.players)]


def _settled_words(claims: list[SettledClaim], top: Judgement) -> str:
    """Return what a ladder of stronger bots says about the level with the largest effect, or about all levels."""
    named = {name: claim for claim in claims for name in _names(claim)}
    shown = top.beyond or top.differing
    if shown and (claim := named.get(shown[0])):
        sign = -1 if claim.family.name == SEATS and _names(claim).index(shown[0]) else 1
        last = claim.found.series.estimate(-1)
        effect = last if sign > 0 else replace(last, value=-last.value, low=-last.high, high=-last.low)
        state = {
            "settled": "has stopped moving as the bots get stronger",
            "still moving": "still moves as the bots get stronger",
            "not known yet": "may still move as the bots get stronger",
        }[claim.found.verdict]
        return f"The effect on {shown[0]} {state}: {effect_words(effect)} with the strongest."
    settled = sum(claim.found.verdict == "settled" for claim in claims)
    return f"{settled} of {len(claims)} effects have stopped moving as the bots get stronger."


def _names(claim: SettledClaim) -> list[str]:
    """Return the names that judgements give a level; with two players also the other seat, which mirrors it."""
    level = claim.found.series.name
    if claim.family.name != SEATS:
        return [claim.family.label(level)]
    mirrored = claim.players == 2
    return [side_name(level), *([f"seat {2 if level == '1' else 1}"] if mirrored else [])]


def _others(material: Material, top: Judgement) -> list[Judgement]:
    """Return the judgements of the other sets of bots on the same question with the same number of players."""
    question, players = top.effects.question, top.effects.players
    same = [one for one in material.judged(question.topic) if one.effects.players == players and one is not top]
    return [one for one in same if one.effects.question.title == question.title]


def _agreed_words(material: Material, top: Judgement, others: list[Judgement]) -> str:
    """Return whether other sets of bots show the same as the last one."""
    name = top.largest.name
    found = [one for one in others if name in (contrast.name for contrast in one.effects.contrasts)]
    listed = listing([f"{effect_words(one.effect_of(name))} with {material.source_of(one).label}" for one in found])
    if not top.beyond:
        kinds = {one.kind for one in others}
        same = kinds == {top.kind}
        also = f"{'The other bots show' if len(others) > 1 else 'The other bot shows'} the same"
        return (
            f"{also}."
            if same
            else f"{'Others show' if len(others) > 1 else 'The other shows'} something else: {listed}."
        )
    side = top.effect_of(name).value > 0
    shared = [one for one in found if name in one.beyond and (one.effect_of(name).value > 0) == side]
    differs = top.agreement is not None and name in top.agreement.differing
    if len(shared) == len(others):
        more = f", though not by the same amount: {listed}" if differs else f": {listed}"
        return f"Every other set of bots shows {name} out of balance in the same direction{more}."
    return f"Not every set of bots shows this: for {name} the effect is {listed}."


def strength_section(material: Material) -> Section | None:
    """Return the section; None if neither a ladder nor several sets of bots were given."""
    about = question_topic(material.spec.topics, material.last.manifest)
    judged = material.judged(about, material.last)
    if not judged:
        return None
    top = headline(judged)
    if material.settled:
        return _of_ladder(material, top)
    others = _others(material, top)
    return _of_sets(material, top, others) if others else None


def _of_ladder(material: Material, top: Judgement) -> Section | None:
    """Return what ladders say about the question of the report, or about the turn order if they left it out."""
    topics = (top.effects.question.topic, SEATS)
    found = [(topic, ladder) for topic in topics for ladder in material.settled if ladder.of(topic)]
    if not found:
        return None
    topic, ladder = found[0]
    ladder = _of_report(ladder, material)
    family = next(family for family in ladder.families if family.name == topic)
    claims = ladder.of(topic)
    if not claims:
        return None
    players = top.effects.players if ladder.of(topic, top.effects.players) else claims[0].players
    settled = sum(claim.found.verdict == "settled" for claim in claims)
    answer = (
        f"{settled} of {len(claims)} effects on {family.title.lower()} have stopped moving as the bots get stronger."
    )
    asked = [claim for claim in claims if claim.players == top.effects.players and topic == top.effects.question.topic]
    shown = replace(ladder, games={players: ladder.games[players]})
    return _section(
        f"{answer} {_settled_words(asked, top)}" if asked and (top.beyond or top.differing) else answer,
        settle_page.games_words(ladder),
        pictures=(replace(settle_page.picture_of(shown, family), name=STRENGTH),),
        grids=(replace(settle_page.grid_of(ladder, family), name=STRENGTH),),
        method="Settled: the last two steps of the ladder change the effect by less than the margin.",
        anchor="settling",
        verdict="settled" if settled == len(claims) else "open",
    )


def _of_sets(material: Material, top: Judgement, others: list[Judgement]) -> Section:
    judged = sorted([*others, top], key=lambda one: material.sources.index(material.source_of(one)))
    count = NUMBERS.get(top.effects.players, top.effects.players)
    rows = [
        {
            "level": capital(name),
            "players": top.effects.players,
            "bots": material.source_of(one).label,
            "n": one.effects.games,
            **columns("effect", one.effect_of(name)),
            "verdict": TITLES[badge_of(one)],
        }
        for name in [top.effects.contrasts[place].name for place in top.effects.order]
        for one in judged
        if name in (contrast.name for contrast in one.effects.contrasts)
    ]
    heads = (
        TableColumn("n", "games", "count"),
        TableColumn("effect", "effect, pp (95%)", "gain", interval=True),
        TableColumn("verdict", "verdict on all"),
    )
    noun = top.effects.question.noun
    caption = f"{top.effects.question.title} with {count} players, with each set of bots"
    return _section(
        _agreed_words(material, top, others),
        "; ".join(f"{words.games(one.effects.games)} by {material.source_of(one).label}" for one in judged),
        pictures=(forest_picture(material, judged, STRENGTH, f"{caption}."),),
        grids=(
            Grid(
                STRENGTH,
                caption,
                with_source(material, TableColumn("level", noun), *heads),
                table(rows),
                first_shown=True,
            ),
        ),
        method="One test of equal effects for each number of players. The bots need not be of rising strength.",
        anchor="several-folders",
    )


def _section(answer: str, n: str, **more: object) -> Section:
    question = "Does the answer stay the same as the bots get stronger?"
    return Section(STRENGTH, "Does it hold for stronger players?", question, answer, n, **more)  # type: ignore[arg-type]


def _of_report(ladder: LadderVerdicts, material: Material) -> LadderVerdicts:
    """Return a ladder without the player counts that the report does not have."""
    counts = material.player_counts
    return replace(
        ladder,
        claims=tuple(claim for claim in ladder.claims if claim.players in counts),
        games={players: games for players, games in ladder.games.items() if players in counts},
        steps=tuple(step for step in ladder.steps if step.players in counts),
    )


def strength_steps(material: Material, out: Path) -> Iterator[Step]:
    """Yield how to test whether the answer holds as the bots get stronger; out: the folder of the report."""
    several = len(material.sources) > 1
    keys = ("seed", "change", "components", *(() if several else ("players",)))
    scenario = scenario_words(material.sources[0], material.spec, *keys)
    for ladder in material.settled:
        again = scenario_words(material.sources[0], material.spec, "change", "components")
        command = shlex.join([*settle_command(ladder, again), "--minutes", str(MINUTES)]) if again else ""
        yield from settle_page.steps(ladder, command)
    if material.settled or not scenario:
        return
    players = ["--players", ",".join(map(str, material.player_counts))] if len(material.sources) > 1 else []
    settle = ["rogsim", "settle", *scenario, *players]
    if not material.spec.ladder:
        asked = f"{shlex.join(settle)} --bots with at least {RUNGS} bots of rising strength"
        yield Step(f"See whether it holds for stronger players: {asked}.")
        return
    read = [folder for each in material.sources for folder in each.folders]
    folders = distinct(reached_folder(one.folder) if one.folder else results_folder(one) for one in read)
    report = report_command(folders, [settle_folder(Path(scenario[0]).stem)], material.asked, reached_folder(out))
    yield Step(
        "See whether it holds for stronger players, and add that to this page.",
        f"{shlex.join([*settle, '--minutes', str(MINUTES)])} && {report}",
    )
