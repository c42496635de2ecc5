"""The first screen: the scenario's question, its answer, who played, what to try next, and the balance sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import polars as pl

from rogsim.game.kit.text_layout import capital
from rogsim.game.topics import SEATS, dealt_columns, question_topic
from rogsim.report import words
from rogsim.report.balance.commands import reached_folder, run_command, scenario_words
from rogsim.report.balance.course_sections import MARGIN, TURNS, measure_of
from rogsim.report.balance.level_sections import forest_picture
from rogsim.report.balance.pieces import labelled, of_last
from rogsim.report.balance.proposals import first_proposals
from rogsim.report.balance.sources import Material
from rogsim.report.balance.strength import holds_words, strength_steps
from rogsim.report.balance.use_sections import main_sources
from rogsim.report.document import Picture, Section, Sheet, SheetCell, SheetRow, Step
from rogsim.report.sentences import NUMBERS, answer_words, decides_words, headline
from rogsim.report.verdict_titles import AGAINST_FAIR, Badge
from rogsim.stats.balance.measure import PlayersBalance
from rogsim.stats.balance.shape import CLOSE_GAME, COMEBACKS, LEADER_WINS
from rogsim.stats.estimates import Estimate
from rogsim.stats.judgement import Judgement, strongest_and_weakest

YES_OR_NO = re.compile(r"(Is|Are|Does|Do) any\b")
START = {"beyond": "Yes. ", "within": "No: ", "slight": "Slightly: ", "open": "Not known yet: "}
MOST_STEPS = 6
REPLACED = ("seed", "bots", "players", "change", "components", "until")  # keys that `rogsim run` can replace


def topic_of(material: Material) -> str:
    """Return the name of the topic that the report is about."""
    return question_topic(material.spec.topics, material.last.manifest)


def question_of(material: Material, section: Section | None) -> str:
    """Return what the scenario asks, up to its question mark; else what the section asks that the report is about."""
    asked = str(material.last.manifest["question"])
    first, mark, _ = asked.partition("?")
    return first + mark or (section.question if section else "Is the game fair?")


def judged_topic(material: Material) -> list[Judgement]:
    """Return the judgements on the question for each number of players, with the last bots; empty if none are made."""
    return material.judged(topic_of(material), material.last)


def answer_of(material: Material, section: Section | None) -> tuple[str, Badge]:
    """Return the answer to the question of the report in one sentence, and its verdict."""
    judged = judged_topic(material)
    if not judged:
        return (section.answer, section.verdict) if section else ("", "fact")
    top = headline(judged)
    text = answer_words(judged, reach=False)
    if YES_OR_NO.match(question_of(material, section)):
        start = START[top.kind]
        text = start + (text if start.endswith(". ") else text[:1].lower() + text[1:])
    elif top.kind == "open":
        text = f"Not known yet: {text[:1].lower()}{text[1:]}"
    return text, AGAINST_FAIR[top.kind]


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


def sheet_of(material: Material) -> Sheet:
    """Return the balance sheet, of the last set of bots."""
    players = sorted(material.last.balance.players)
    columns = tuple(words.players(count) if place == 0 else str(count) for place, count in enumerate(players))
    found = [*_seat_rows(material, players), *_topic_rows(material, players), *_course_rows(material, players)]
    return Sheet(columns, tuple(row for row in found if any(row.cells)))


def _seat_rows(material: Material, players: Sequence[int]) -> Iterator[SheetRow]:
    judged = {judgement.effects.players: judgement for judgement in material.judged(SEATS, material.last)}
    first: dict[int, SheetCell] = {}
    other: dict[int, SheetCell] = {}
    for count, judgement in judged.items():
        names = [contrast.name for contrast in judgement.effects.contrasts]
        first[count] = _cell(judgement, names[0])
        places = [place for place in judgement.effects.order if place != 0]
        if places:
            name = names[places[0]]
            other[count] = _cell(judgement, name, capital(name))
    yield _row("First seat, pp", first, players, SEATS)
    yield _row("Farthest other seat, pp", other, players, SEATS)


def _topic_rows(material: Material, players: Sequence[int]) -> Iterator[SheetRow]:
    dealt = dealt_columns(material.spec.topics, material.last.manifest)
    about = topic_of(material)
    for topic in material.spec.topics:
        judged = {judgement.effects.players: judgement for judgement in material.judged(topic.name, material.last)}
        if not judged:
            continue
        if topic.kind == "level" and (set(topic.columns) & set(dealt) or topic.name == about):
            ends = {count: strongest_and_weakest(judgement) for count, judgement in judged.items()}
            for end in ("strongest", "weakest"):
                cells = {
                    count: _cell(judged[count], ends[count][end].name, ends[count][end].name)
                    for count in judged
                    if end in ends[count]
                }
                yield _row(f"{capital(end)} {topic.noun}, pp", cells, players, topic.name)
        elif topic.kind == "draw":
            cells = {count: _cell(judgement, judgement.largest.name) for count, judgement in judged.items()}
            yield _row(f"{topic.title} and seats, largest effect, pp", cells, players, topic.name)


def _course_rows(material: Material, players: Sequence[int]) -> Iterator[SheetRow]:
    yield _row("Length, turns", _means(measure_of(material, TURNS)), players, "length")
    yield _row("Winner ahead of second, points", _means(measure_of(material, MARGIN)), players, "points")
    close = material.stacked(lambda balance: balance.shape.close if balance.shape else None)
    if not close.is_empty():
        close = of_last(material, close).filter(pl.col("within") == CLOSE_GAME)
        close = close.rename({"share": "value", "low": "value_low", "high": "value_high"})
        yield _row(f"Decided by at most {CLOSE_GAME} points", _means(close, True), players, "points")
    yield _row("Leader at half-time wins", _means(measure_of(material, LEADER_WINS), True), players, "lead")
    yield _row("Won from behind at half-time", _means(measure_of(material, COMEBACKS), True), players, "lead")
    for topic in material.spec.topics:
        if topic.kind != "parts":
            continue
        parts = material.stacked(partial(_parts, name=topic.name))
        if parts.is_empty():
            continue
        found = main_sources(of_last(material, labelled(parts, "part", topic.labels)))
        cells = {
            row["players"]: SheetCell(
                f"{row['part']} {words.number(row['difference'], 1, sign=True)}",
                words.interval(row["difference_low"], row["difference_high"], sign=True),
            )
            for row in found.iter_rows(named=True)
        }
        yield _row("Largest part of the winners' lead, points", cells, players, topic.name)


def _parts(balance: PlayersBalance, name: str) -> pl.DataFrame | None:
    return balance.parts[name].frame() if name in balance.parts else None


def _row(measure: str, cells: dict[int, SheetCell], players: Sequence[int], section: str) -> SheetRow:
    return SheetRow(measure, tuple(cells.get(count) for count in players), section=section)


def _cell(judgement: Judgement, name: str, shown: str = "") -> SheetCell:
    """Return one effect; shown: the name before it."""
    effect = judgement.effect_of(name)
    return SheetCell(
        f"{shown} {words.number(effect.value, 1, sign=True)}".strip(),
        _reach(effect),
        AGAINST_FAIR[judgement.kind_of(name)],
    )


def _reach(effect: Estimate) -> str:
    return words.interval(effect.low, effect.high, sign=True) or words.TOO_FEW


def _means(frame: pl.DataFrame, is_share: bool = False) -> dict[int, SheetCell]:
    """Return a cell for each row with players, value and its interval."""
    scale, unit = (100.0, "%") if is_share else (1.0, "")
    return {
        row["players"]: SheetCell(
            f"{words.number(scale * row['value'])}{unit}",
            words.interval(row["value_low"], row["value_high"], scale) or words.TOO_FEW,
        )
        for row in frame.iter_rows(named=True)
    }
