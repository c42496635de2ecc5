"""The answer to the question of a scenario, and the balance sheet: what `run` prints and every report begins with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from rogsim.base.text import capital
from rogsim.game.parameters import changes_of
from rogsim.game.spec import GameSpec
from rogsim.game.topics import SEATS, dealt_columns, question_topic
from rogsim.report import words
from rogsim.report.balance.sources import Material, labelled, of_last
from rogsim.report.document import AGAINST_FAIR, Badge, Section, Sheet, SheetCell, SheetRow
from rogsim.report.sentences import answer_words, headline
from rogsim.scenario.axes import value_words
from rogsim.scenario.own_components import asked_changes
from rogsim.stats.balance.measure import PlayersBalance
from rogsim.stats.balance.shape import CLOSE_GAME, COMEBACKS, LEADER_WINS
from rogsim.stats.estimates import Estimate
from rogsim.stats.judgement import Judgement, strongest_and_weakest

MARGIN, TURNS = "points between first and second", "turns"
YES_OR_NO = re.compile(r"(Is|Are|Does|Do) any\b")
START = {"beyond": "Yes. ", "within": "No: ", "slight": "Slightly: ", "open": "Not known yet: "}


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


def sheet_of(material: Material) -> Sheet:
    """Return the balance sheet, of the last set of bots."""
    players = sorted(material.last.balance.players)
    columns = tuple(words.players(count) if place == 0 else str(count) for place, count in enumerate(players))
    found = [*_seat_rows(material, players), *_topic_rows(material, players), *_course_rows(material, players)]
    return Sheet(columns, tuple(row for row in found if any(row.cells)))


def measure_of(material: Material, name: str) -> pl.DataFrame:
    """Return one mean of `Shape.figures` for each number of players, of the last set of bots: value, low and high."""
    frame = figures_of(material)
    if frame.is_empty():
        return frame
    return of_last(material, frame).filter(pl.col("name") == name)


def figures_of(material: Material) -> pl.DataFrame:
    """Return the means of `Shape.figures` of each set of bots: value and its interval."""
    frame = material.stacked(lambda balance: balance.shape.figures() if balance.shape else None)
    return frame if frame.is_empty() else frame.rename({"low": "value_low", "high": "value_high"})


def _seat_rows(material: Material, players: Sequence[int]) -> Iterator[SheetRow]:
    together = material.stacked(lambda balance: balance.seats.frame() if balance.seats else None)
    together = of_last(material, together.filter(pl.col("level").str.len_chars() > 1)) if len(together) else together
    yield _row("Games won", _means(together.rename(lambda name: name.replace("share", "value")), True), players, SEATS)
    judged = {judgement.effects.players: judgement for judgement in material.judged(SEATS, material.last)}
    noun = " or ".join(dict.fromkeys(judgement.effects.question.noun for judgement in judged.values()))
    first: dict[int, SheetCell] = {}
    other: dict[int, SheetCell] = {}
    for count, judgement in judged.items():
        names = [contrast.name for contrast in judgement.effects.contrasts]
        first[count] = _cell(judgement, names[0], "" if names[0].startswith("seat") else capital(names[0]))
        places = [place for place in judgement.effects.order if place != 0]
        if places:
            name = names[places[0]]
            other[count] = _cell(judgement, name, capital(name))
    yield _row(f"First {noun}, pp", first, players, SEATS)
    yield _row(f"Farthest other {noun}, pp", other, players, SEATS)


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


def main_sources(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the source with the largest share of the winners' lead, for each number of players."""
    known = frame.filter(pl.col("difference_low").is_not_null() & pl.col("of_gap").is_not_null())
    return known.sort("of_gap", descending=True).unique("players", keep="first").sort("players")


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
