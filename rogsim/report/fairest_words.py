"""A search for fair values in words: what is changed, how far from the goals it is, how it would be typed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rogsim.axes import Axis, value_words
from rogsim.fairest import Candidate, Confirmed, Outcome
from rogsim.report import words
from rogsim.stats.deviations import Deviations, Piece, closer
from rogsim.stats.rates import Estimate

ANSWERS = {"true": "reached", "false": "not reached", "open": "not known yet"}
AS_IT_IS = "as it is"
MOST_SAID = 0.999
RAN_OUT = "The games were used up before the search was done: with more `--games` other values may do better."


def changed_words(outcome: Outcome, candidate: Candidate) -> str:
    """Return what a candidate changes: "setup.hand = 3 (was 2)"; of places of one list only the first has its name."""
    if candidate.point is None:
        return AS_IT_IS
    told: list[str] = []
    before = ""
    for axis, place in zip(outcome.request.space.axes, candidate.point, strict=True):
        if axis.values[place] == axis.own:
            continue
        table, _, last = axis.name.rpartition(".")
        name = f".{last}" if table and table == before and last.isdigit() else axis.name
        told.append(f"{name} = {value_words(axis.values[place])} (was {value_words(axis.own)})")
        before = table
    return ", ".join(told) or AS_IT_IS


def farthest(outcome: Outcome, found: Deviations) -> tuple[str, Estimate, str]:
    """Return the level that is farthest from its goal, its deviation, and the unit."""
    piece, place = found.farthest
    level = level_words(outcome, piece, place)
    if len(outcome.request.players) > 1:
        level = f"{level} with {words.players(piece.players)}"
    return level, piece.estimate(place), piece.goal.unit


def level_words(outcome: Outcome, piece: Piece, place: int) -> str:
    """Return the name of a level in the words of the game."""
    name, factor = piece.levels[place], piece.goal.factor
    if factor == "seat":
        return f"seat {name}"
    topics = (topic for topic in outcome.request.experiment.spec.topics if factor in topic.columns)
    labels = next((topic.labels for topic in topics), {})
    return words.name(name, labels)


def answer_words(outcome: Outcome, one: Confirmed) -> str:
    """Return in words how far a candidate is from the goals, and whether they are reached."""
    level, estimate, unit = farthest(outcome, one.found)
    verdict = one.found.verdict()
    off = f"{words.number(estimate.value, 2, sign=True)} {unit}".strip()
    reach = reach_words(estimate)
    more = f", about {words.count(verdict.more)} games would tell" if verdict.more else ""
    return f"{level} is farthest, {off} off ({reach}); goal {ANSWERS[verdict.kind]}{more}"


def closer_words(outcome: Outcome) -> str:
    """Return how sure it is that the answer is closer to the goals than the scenario as it is."""
    if outcome.chosen.candidate.cell.key == outcome.base.cell.key:
        return ""
    certainty = closer(outcome.chosen.found, outcome.listed[0].found)
    told = "more than 99.9%" if certainty > MOST_SAID else f"{100 * certainty:.1f}%"
    return f", closer than it is now with {told} certainty"


def reach_words(estimate: Estimate) -> str:
    """Return the interval of a deviation in words."""
    return words.interval(estimate.low, estimate.high, 1.0, 2, True) or "too few games for an interval"


def typed(axis: Axis) -> str:
    """Return an axis as it is typed: a range where it is one."""
    return f"{axis.name} = {_values(axis.values)}"


def _values(values: Sequence[Any]) -> str:
    numbers = [value for value in values if type(value) is int]
    if len(numbers) == len(values) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{{ from = {numbers[0]}, to = {numbers[-1]} }}"
    return json.dumps(list(values))
