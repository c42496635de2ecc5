"""What a comparison found, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rogsim.report import words
from rogsim.report.model import Finding
from rogsim.report.pieces import estimate_data, known
from rogsim.stats.compared import FAIRNESS, LENGTH, SEAT, SEATS
from rogsim.stats.difference_verdicts import Judged
from rogsim.stats.differences import Change, Question
from rogsim.stats.rates import Estimate
from rogsim.stats.verdict_words import look_words

MOST_NAMED = 3
TOO_FEW = "too few games for a test."


def finding_of(one: Judged, labels: Mapping[str, str]) -> Finding:
    """Return a verdict as a finding. On top of a page stand fairness, seats, and all that is not within the margin."""
    answer = one.answer
    text = f"{answer.variant}, {words.players(answer.players)}: {_sentence(one, labels)}"
    if answer.question.topic not in (FAIRNESS, LENGTH):
        text = f"{answer.question.title}, {text}"
    first = answer.question.topic == FAIRNESS or (answer.question.topic == SEATS and answer.question.share)
    on_top = first or one.kind != "within"
    return Finding(one.kind, text, _data(one), short=text if on_top else "")


def level_name(question: Question, level: str, labels: Mapping[str, str]) -> str:
    """Return a level in words."""
    return f"Seat {level}" if question.one == SEAT else words.name(level, labels)


def amount(value: Any, unit: str) -> str:
    """Return a difference with its sign and unit."""
    return f"{words.number(value, _digits(unit), sign=True)} {unit}"


def effect(one: Estimate, unit: str) -> str:
    """Return a difference with its interval: "+1.4 pp (+0.8 to +1.9)"."""
    return f"{amount(one.value, unit)} ({words.interval(one.low, one.high, 1.0, _digits(unit), sign=True)})"


def margin_unit(question: Question) -> str:
    """Return the unit of the margin: one turn, two turns."""
    return question.unit.removesuffix("s") if question.margin == 1 else question.unit


def margin_words(question: Question) -> str:
    """Return the margin of a question with its unit."""
    return f"±{question.margin:g} {margin_unit(question)}"


def _sentence(one: Judged, labels: Mapping[str, str]) -> str:
    if one.answer.untouched:
        return f"every game came out the same{', but there are few of them' if one.kind == 'open' else ''}."
    if not known(one.largest.effect.low) or not known(one.p):
        return TOO_FEW
    told = _of_fairness(one) if one.answer.question.topic == FAIRNESS else _of_levels(one, labels)
    more = f" About {words.count(one.more_games)} more games would settle it." if one.more_games else ""
    return f"{told}{more}{look_words(one.answer.look)}"


def _of_fairness(one: Judged) -> str:
    change, margin = one.largest, margin_words(one.answer.question)
    way = "less fair" if change.effect.value > 0 else "fairer"
    before, after = (f"{words.number(100 * own.value)} pp" for own in (change.base, change.variant))
    told = f"the farthest seat is {after} from its fair share instead of {before}"
    told += f", {effect(one.effect_of(change), 'pp')}"
    if one.kind == "open":
        return f"not known yet which is fairer: {told}."
    if one.kind == "changed":
        return f"{way}: {told}, {_beyond(one)}."
    return f"{way}, but within {margin}: {told}." if one.sure else f"as fair, within {margin}: {told}."


def _of_levels(one: Judged, labels: Mapping[str, str]) -> str:
    margin = margin_words(one.answer.question)
    largest = _told(one, one.largest, labels)
    if one.kind == "open":
        return (
            f"not known yet; the largest difference is {largest}, which may be chance, and may be more than {margin}."
        )
    if one.kind == "within":
        small = ", small but sure" if one.largest in one.sure else ""
        return f"no change beyond {margin}; the largest difference is {largest}{small}."
    if one.largest not in one.sure:
        return f"levels differ by more than chance, but none for sure by itself; the largest difference is {largest}."
    rest = [_told(one, change, labels) for change in one.sure if change is not one.largest]
    told = rest if len(rest) <= MOST_NAMED else [*rest[: MOST_NAMED - 1], f"{len(rest) - MOST_NAMED + 1} more"]
    also = f" Also changed: {words.listed(told)}." if told else ""
    return f"{largest}, {_beyond(one)}.{also}"


def _told(one: Judged, change: Change, labels: Mapping[str, str]) -> str:
    question = one.answer.question
    told = effect(one.effect_of(change), question.unit)
    return f"{level_name(question, change.level, labels)} {told}" if change.level else told


def _beyond(one: Judged) -> str:
    margin = margin_words(one.answer.question)
    return {
        True: f"surely more than {margin}",
        False: f"but within {margin}",
        None: f"perhaps more than {margin}",
    }[one.beyond]


def _digits(unit: str) -> int:
    return 1 if unit == "pp" else 2


def _data(one: Judged) -> dict[str, Any]:
    answer = one.answer
    return {
        "topic": answer.question.topic,
        "question": answer.question.title,
        "variant": answer.variant,
        "players": answer.players,
        "games": answer.games,
        "blocks": answer.blocks,
        "unit": answer.question.unit,
        "margin": answer.question.margin,
        "level": one.largest.level,
        "effect": estimate_data(one.effect_of(one.largest)),
        "by_itself": estimate_data(one.largest.effect),
        "p": one.p,
        "look": answer.look,
        "beyond_margin": one.beyond,
        "more_games": one.more_games,
        "sure": [change.level for change in one.sure],
    }
