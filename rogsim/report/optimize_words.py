"""A search in words: what a candidate changes, how far from the goals it is, and what was found."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rogsim.experiments.optimize import Candidate, SearchOutcome
from rogsim.game.fair import side_name
from rogsim.game.topics import SEATS, Topic
from rogsim.report import words
from rogsim.report.curve import curve_answer
from rogsim.report.document import Badge
from rogsim.scenario.axes import AS_IT_IS, Axis
from rogsim.scenario.changes import changed_label
from rogsim.scenario.goals import Goal
from rogsim.stats.estimates import Estimate
from rogsim.stats.judgement import Kind
from rogsim.stats.paired.deviations import Deviations, farther_by

BADGES: Mapping[Kind, Badge] = {"within": "reached", "beyond": "missed", "open": "open"}
GOAL_WORDS: Mapping[Kind, str] = {"within": "reached", "beyond": "not reached", "open": "not known yet"}


def may_improve(outcome: SearchOutcome) -> bool:
    """Return whether a search with more games may find a better answer: not if no change at all is needed."""
    return outcome.ran_out and not (outcome.chosen.change == 0 and outcome.chosen.found.kind == "within")


def changed_words(outcome: SearchOutcome, candidate: Candidate) -> str:
    """Return what a candidate changes, such as "setup.hand = 3 (was 2)"; a list appears under its label, in full."""
    if candidate.point is None:
        return AS_IT_IS
    return changed_label(outcome.base.design_point.experiment, candidate.design_point.experiment, was=True)


def found_words(outcome: SearchOutcome) -> str:
    """Return what a search found, in one sentence with its number: the title of its page."""
    between = between_words(outcome)
    if between:
        return between
    chosen = outcome.chosen
    changed = changed_words(outcome, chosen)
    by = AS_IT_IS if changed == AS_IT_IS else f"with {changed}"
    off = farthest_words(outcome, chosen.found)
    fair = all(goal.is_fair_share for goal in outcome.request.goals)
    if chosen.found.kind == "within":
        return f"{'Fair' if fair else 'Goal reached'} {by}: {off}."
    if chosen.found.kind == "open":
        return f"Not known yet, but closest {by}: {off}."
    return f"Not reached: closest is {changed}, where {off}." if changed != AS_IT_IS else f"Not reached {by}: {off}."


def between_words(outcome: SearchOutcome) -> str:
    """Return that a level wins too rarely with one number and too often with the next; empty if it is not so."""
    if outcome.chosen.found.kind == "within":
        return ""
    return next((curve_answer(curve) for curve in outcome.curves if curve.crossing is not None), "")


def farthest_words(outcome: SearchOutcome, found: Deviations) -> str:
    """Return how far a candidate is from the goals: "the farthest seat is 0.9 pp off (0.0 to 2.5)"."""
    place = found.farthest
    goal, players = found.goals[place], found.players[place]
    several = len(found.places(goal, players)) > 1
    if len(outcome.request.goals) == 1 and several:
        who = f"the farthest {noun(outcome, goal)} is"
    else:
        who = f"{level_words(outcome, found, place)} is"
    with_players = f" with {words.players(players)}" if len(outcome.request.players) > 1 else ""
    way = "above the goal" if found.value[place] > 0 else "below the goal"
    if several or found.kind == "within":  # what is within the tolerance is not below the goal
        way = "off"
    amount = off_words(found.farthest_estimate, goal.unit)
    return f"{who} {amount} {way}{with_players}{_reach(found.farthest_estimate)}"


def off_words(estimate: Estimate, unit: str) -> str:
    """Return the size of a deviation with its unit, if it has one."""
    return f"{words.number(estimate.value)} {unit}".strip()


def level_words(outcome: SearchOutcome, found: Deviations, place: int) -> str:
    """Return the name of a level in the words of the game."""
    name, factor = found.levels[place], found.goals[place].factor
    if factor == "seat":
        return side_name(name)
    if not factor:
        return f"the mean of {name}"
    topic = topic_of(outcome, found.goals[place])
    return words.name(name, topic.labels if topic else {})


def topic_of(outcome: SearchOutcome, goal: Goal) -> Topic | None:
    """Return the topic of a goal; None for the seats and for columns that no topic has."""
    return next((topic for topic in outcome.request.experiment.spec.topics if goal.factor in topic.columns), None)


def noun(outcome: SearchOutcome, goal: Goal) -> str:
    """Return the word for one level of a goal."""
    topic = topic_of(outcome, goal)
    return (topic.noun or topic.title.lower()) if topic else words.name(goal.factor or goal.value)


def topic_name(outcome: SearchOutcome, goal: Goal) -> str:
    """Return the name of the topic of a goal, SEATS for the seats."""
    topic = topic_of(outcome, goal)
    return topic.name if topic else SEATS


def direction_words(outcome: SearchOutcome, found: Deviations) -> str:
    """Return which level is farthest from its goal, and to which side: "seat 1, too high"."""
    place = found.farthest
    with_players = f" with {words.players(found.players[place])}" if len(outcome.request.players) > 1 else ""
    return f"{level_words(outcome, found, place)}{with_players}, too {'high' if found.value[place] > 0 else 'low'}"


def closer_words(outcome: SearchOutcome, base: Candidate, found: Candidate) -> str:
    """Return in a sentence how much closer to the goals a candidate is than the scenario as it is."""
    by = farther_by(base.found, found.found, found.found.confidence)
    return f"That is {amount_words(outcome, by, 'closer', 'farther')} than as it is."


def amount_words(outcome: SearchOutcome, by: Estimate, up: str, down: str) -> str:
    """Return a difference of distances in words: "1.2 pp (0.4 to 2.0) closer"."""
    scale, unit = goal_scale(outcome)
    sign = -1.0 if by.value < 0 else 1.0
    low, high = sorted((sign * scale * by.low, sign * scale * by.high))
    shown = Estimate(abs(scale * by.value), low, high, by.n, by.effective)
    return f"{off_words(shown, unit)}{_reach(shown)} {down if by.value < 0 else up}"


def goal_scale(outcome: SearchOutcome) -> tuple[float, str]:
    """Return the factor and the unit to show distances with: the goal's own if there is one goal."""
    goals = outcome.request.goals
    return (goals[0].within * goals[0].scale, goals[0].unit) if len(goals) == 1 else (1.0, "times the tolerance")


def typed(axis: Axis) -> str:
    """Return an axis as it is typed on the command line: as a range where possible."""
    return f"{axis.name} = {_values(axis.values)}"


def _values(values: Sequence[Any]) -> str:
    numbers = [value for value in values if type(value) is int]
    if len(numbers) == len(values) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{{ from = {numbers[0]}, to = {numbers[-1]} }}"
    return json.dumps(list(values))


def _reach(estimate: Estimate) -> str:
    """Return the interval of a deviation in brackets."""
    return f" ({words.interval(estimate.low, estimate.high) or 'too few games for an interval'})"
