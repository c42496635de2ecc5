"""The findings of a comparison as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rogsim.report import words
from rogsim.report.balance.pieces import estimate_data, known, prospect_data
from rogsim.report.document import Finding
from rogsim.stats.estimates import Estimate
from rogsim.stats.paired.compared import FAIRNESS, LENGTH, SEAT, SEATS
from rogsim.stats.paired.difference_verdicts import Judged
from rogsim.stats.paired.differences import Change, Question
from rogsim.stats.simultaneous import beyond
from rogsim.stats.verdict_words import doubt_words, look_words

MOST_NAMED = 3
TOO_FEW = "too few games for a test."
WITHIN = (
    "Within margin rests on the 90% interval of every level (two one-sided tests at 5%), so a 95% interval may reach "
    "beyond the margin."
)


def finding_of(verdict: Judged, labels: Mapping[str, str]) -> Finding:
    """Return a verdict as a finding. Fairness, seats and everything that is not within the margin go to the top."""
    answer = verdict.answer
    text = f"{answer.variant}, {words.players(answer.players)}: {_sentence(verdict, labels)}"
    if answer.question.topic not in (FAIRNESS, LENGTH):
        text = f"{answer.question.title}, {text}"
    first = answer.question.topic == FAIRNESS or (answer.question.topic == SEATS and answer.question.share)
    on_top = first or verdict.kind != "within"
    return Finding(verdict.kind, text, _data(verdict, labels), short=text if on_top else "")


def level_name(question: Question, level: str, labels: Mapping[str, str]) -> str:
    """Return the label of a level."""
    return f"Seat {level}" if question.noun == SEAT else words.name(level, labels)


def amount(value: Any, unit: str) -> str:
    """Return a difference with its sign and unit."""
    return f"{words.number(value, _digits(unit), sign=True)} {unit}"


def effect(estimate: Estimate, unit: str, confidence: str = "") -> str:
    """Return a difference with its interval: "+1.4 pp (+0.8 to +1.9)", or "(90%: +0.9 to +1.8)"."""
    ends = words.interval(estimate.low, estimate.high, 1.0, _digits(unit), sign=True)
    return f"{amount(estimate.value, unit)} ({f'{confidence}: ' * bool(confidence)}{ends})"


def margin_unit(question: Question) -> str:
    """Return the unit of the margin: turn or turns."""
    return question.unit.removesuffix("s") if question.margin == 1 else question.unit


def margin_words(question: Question) -> str:
    """Return the margin of a question with its unit."""
    return f"±{question.margin:g} {margin_unit(question)}"


def beyond_words(verdict: Judged) -> str:
    """Return whether the largest difference of a clear verdict is beyond the margin."""
    margin = margin_words(verdict.answer.question)
    return {
        True: f"clearly beyond {margin}",
        False: f"but within {margin}",
        None: f"possibly beyond {margin}",
    }[verdict.beyond]


def levels_sentence(verdict: Judged, labels: Mapping[str, str]) -> str:
    """Return which levels differ, by how much, and whether beyond the margin."""
    margin = margin_words(verdict.answer.question)
    largest = _level_difference(verdict, verdict.largest, labels)
    if verdict.kind == "open":
        return f"not known yet; the largest difference is {largest}. {_doubt(verdict)}, and it may be beyond {margin}."
    if verdict.kind == "within":
        small = ", which is small but clear" if verdict.largest in verdict.sure else ""
        return f"no change beyond {margin}; the largest difference is {largest}{small}."
    if verdict.largest not in verdict.sure:
        return (
            f"the levels differ by more than chance, but no single level clearly stands out; the largest difference is "
            f"{largest}."
        )
    rest = [_level_difference(verdict, change, labels) for change in verdict.sure if change is not verdict.largest]
    named = rest if len(rest) <= MOST_NAMED else [*rest[: MOST_NAMED - 1], f"{len(rest) - MOST_NAMED + 1} more"]
    also = f" Also changed: {words.listed(named)}." if named else ""
    return f"{largest}, {beyond_words(verdict)}.{also}"


def _sentence(verdict: Judged, labels: Mapping[str, str]) -> str:
    if verdict.answer.untouched:
        return (
            f"every game came out the same{', but there are too few for a verdict' if verdict.kind == 'open' else ''}."
        )
    if not known(verdict.largest.effect.low) or not known(verdict.p):
        return TOO_FEW
    sentence = _of_fairness(verdict) if verdict.answer.question.topic == FAIRNESS else levels_sentence(verdict, labels)
    more = ""
    if verdict.prospect:
        games, chance = words.count(verdict.prospect.games), verdict.prospect.words("within the margin", "changed")
        more = f" About {games} more games would decide it {chance}."
    return f"{sentence}{more}{look_words(verdict.answer.look)}"


def _of_fairness(verdict: Judged) -> str:
    change, margin = verdict.largest, margin_words(verdict.answer.question)
    direction = "less fair" if change.effect.value > 0 else "fairer"
    before, after = (f"{words.number(100 * estimate.value)} pp" for estimate in (change.base, change.variant))
    sentence = f"the largest deviation of a seat from its fair share is {after} instead of {before}"
    sentence += f", {effect(verdict.effect_of(change), 'pp')}"
    if verdict.kind == "open":
        clear = beyond(verdict.effect_of(change), 0.0)
        return f"not known yet which is fairer: {sentence}.{f' {_doubt(verdict)}.' * clear}"
    if verdict.kind == "changed":
        return f"{direction}: {sentence}, {beyond_words(verdict)}."
    kind = f"{direction}, but" if verdict.sure else "as fair,"
    return f"{kind} within {margin}: {sentence}."


def _doubt(verdict: Judged) -> str:
    """Return that the largest difference of an undecided verdict may be chance, and why if its interval excludes 0."""
    return doubt_words(verdict.effect_of(verdict.largest), verdict.answer.overall.p, verdict.answer.look)


def _level_difference(verdict: Judged, change: Change, labels: Mapping[str, str]) -> str:
    question = verdict.answer.question
    difference = effect(verdict.effect_of(change), question.unit)
    return f"{level_name(question, change.level, labels)} {difference}" if change.level else difference


def _digits(unit: str) -> int:
    return 1 if unit == "pp" else 2


def _data(verdict: Judged, labels: Mapping[str, str]) -> dict[str, Any]:
    answer = verdict.answer
    level = verdict.largest.level
    return {
        "topic": answer.question.topic,
        "question": answer.question.title,
        "variant": answer.variant,
        "players": answer.players,
        "games": answer.games,
        "blocks": answer.blocks,
        "unit": answer.question.unit,
        "margin": answer.question.margin,
        "level": level,
        "level_name": level_name(answer.question, level, labels) if level else "",
        "effect": estimate_data(verdict.effect_of(verdict.largest)),
        "by_itself": estimate_data(verdict.largest.effect),
        "margin_test": estimate_data(verdict.tested_effect_of(verdict.largest)),
        "p": verdict.p,
        "look": answer.look,
        "beyond_margin": verdict.beyond,
        **prospect_data(verdict.prospect),
        "sure": [change.level for change in verdict.sure],
    }
