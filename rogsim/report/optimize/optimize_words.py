"""A search in words: what a candidate changes, how far from the goals it is, how an axis is typed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rogsim.experiments.optimize.search import Candidate, Confirmed, SearchOutcome
from rogsim.report import words
from rogsim.scenario.axes import AS_IT_IS, Axis
from rogsim.scenario.setting_labels import changed_label
from rogsim.stats.estimates import Estimate
from rogsim.stats.paired.deviations import Deviations, Piece, farther_by
from rogsim.stats.prospects import Prospect

ANSWERS = {"true": "reached", "false": "not reached", "open": "not known yet"}
TOLERANCE = {
    "true": ", but within the tolerance",
    "false": ", outside the tolerance",
    "open": "; whether that is within the tolerance is not known yet",
}
SELECTED = (
    "The 95% interval of the largest deviation allows for selection: the level that is farthest in these games may "
    "not really be the farthest. The intervals of all rows hold together, because the answer is chosen from them."
)
TOGETHER = (
    "Whether a goal is reached is judged at 5% divided by the number of rows, too. That needs one side only, so the "
    "interval of a goal that is reached may end slightly beyond it."
)
RAN_OUT = "The search ran out of games before it was finished: with more `--games`, other values may do better."


def may_improve(outcome: SearchOutcome) -> bool:
    """Return whether a search with more games may find a better answer: not if no change at all is needed."""
    return outcome.ran_out and not (outcome.chosen.change == 0 and outcome.chosen.found.verdict == "true")


def changed_words(outcome: SearchOutcome, candidate: Candidate) -> str:
    """Return what a candidate changes, such as "setup.hand = 3 (was 2)"; a list appears under its label, in full."""
    if candidate.point is None:
        return AS_IT_IS
    return changed_label(outcome.base.design_point.experiment, candidate.design_point.experiment, was=True)


def farthest(outcome: SearchOutcome, found: Deviations) -> tuple[str, Estimate, str]:
    """Return the level that is farthest from its goal, the largest deviation with its interval, and the unit."""
    piece, place = found.farthest
    level = level_words(outcome, piece, place)
    if len(outcome.request.players) > 1:
        level = f"{level} with {words.players(piece.players)}"
    return level, found.farthest_estimate, piece.goal.unit


def with_unit(deviation: float, unit: str) -> str:
    """Return a deviation with its unit, if it has one."""
    return f"{words.number(deviation, 2)} {unit}".strip()


def is_too_high(found: Deviations) -> bool:
    """Return whether the value of the farthest level is above its goal."""
    piece, place = found.farthest
    return bool(piece.value[place] > 0)


def direction_words(found: Deviations) -> str:
    """Return in words whether the value of the farthest level is above or below its goal."""
    return "too high" if is_too_high(found) else "too low"


def mirrored(estimate: Estimate) -> Estimate:
    """Return an estimate with its sign reversed."""
    return Estimate(-estimate.value, -estimate.high, -estimate.low, estimate.n, estimate.effective)


def level_words(outcome: SearchOutcome, piece: Piece, place: int) -> str:
    """Return the name of a level in the words of the game."""
    name, factor = piece.levels[place], piece.goal.factor
    if factor == "seat":
        return f"seat {name}"
    if not factor:
        return f"the mean of {name}"
    topics = (topic for topic in outcome.request.experiment.spec.topics if factor in topic.columns)
    labels = next((topic.labels for topic in topics), {})
    return words.name(name, labels)


def answer_words(outcome: SearchOutcome, confirmed: Confirmed) -> str:
    """Return in words which level is farthest from its goal with a candidate, and whether the tolerance allows that."""
    level, estimate, unit = farthest(outcome, confirmed.found)
    off = with_unit(estimate.value, unit)
    found = confirmed.found
    more = ""
    if found.prospect:
        more = f" (about {words.count(found.prospect.games)} more games would decide it {chance_words(found.prospect)})"
    farthest_off = f"{level} is farthest off, {off} ({reach_words(estimate)}) {direction_words(found)}"
    return f"{farthest_off}{TOLERANCE[found.verdict]}{more}"


def chance_words(prospect: Prospect) -> str:
    """Return the chance that more games decide whether the goals are reached, and the answer if one is far likelier."""
    return prospect.words("reached", "not reached")


def closer_words(outcome: SearchOutcome) -> str:
    """Return in a sentence how much closer to the goals the answer is than the scenario as it is, on new deals."""
    base = outcome.listed[0]
    if outcome.chosen is base:
        return ""
    closer_by = farther_by(base.found, outcome.chosen.found, outcome.chosen.found.confidence)
    scale, unit = goal_scale(outcome)
    relation = "closer to" if closer_by.value >= 0 else "farther from"
    closer_by = mirrored(closer_by) if closer_by.value < 0 else closer_by
    off = with_unit(scale * closer_by.value, unit)
    reach = words.interval(scale * closer_by.low, scale * closer_by.high, 1.0, 2)
    return f". That is {off}{f' ({reach})' if reach else ''} {relation} the goal than as it is"


def goal_scale(outcome: SearchOutcome) -> tuple[float, str]:
    """Return the factor and the unit to show distances with: the goal's own if there is one goal."""
    goals = outcome.request.goals
    return (goals[0].within * goals[0].scale, goals[0].unit) if len(goals) == 1 else (1.0, "times the tolerance")


def reach_words(estimate: Estimate) -> str:
    """Return the interval of a deviation in words."""
    return words.interval(estimate.low, estimate.high, 1.0, 2) or "too few games for an interval"


def typed(axis: Axis) -> str:
    """Return an axis as it is typed on the command line: as a range where possible."""
    return f"{axis.name} = {_values(axis.values)}"


def _values(values: Sequence[Any]) -> str:
    numbers = [value for value in values if type(value) is int]
    if len(numbers) == len(values) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{{ from = {numbers[0]}, to = {numbers[-1]} }}"
    return json.dumps(list(values))
