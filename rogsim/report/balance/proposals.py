"""Commands for what is imbalanced: one tries a change on the same deals, one searches for values that make it fair."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rogsim.game.parameters import Parameter
from rogsim.game.spec import GameSpec
from rogsim.report.balance.commands import scenario_words
from rogsim.report.balance.sources import Material
from rogsim.report.document import Step
from rogsim.stats.judgement import Judgement

SEATS = "seats"
REACH = 2  # how far a search goes to either side of a parameter


def proposals(material: Material) -> Iterator[Step]:
    """Yield a step for each command for each question that is imbalanced and has a matching parameter."""
    seen: set[str] = set()
    for verdict in material.judgements:
        topic = verdict.effects.question.topic
        if verdict.kind != "beyond" or topic in seen:
            continue
        source = material.source_of(verdict)
        parameters = list(_parameters(material.spec, verdict, source.folders[0].manifest["scenario"]))
        if not parameters:
            continue
        seen.add(topic)
        start = [*scenario_words(material, source), "--players", str(verdict.effects.players)]
        named = [
            parameter
            for parameter in parameters
            if f"seat {parameter.name.rpartition('.')[2]}" == verdict.largest.name.lower()
        ]
        first = (named or parameters)[0]
        step = first.value + (-1 if verdict.largest.effect.value > 0 else 1)
        if not (first.low is None or step >= first.low) or not (first.high is None or step <= first.high):
            step = 2 * first.value - step
        compare = ["rogsim", "compare", *start, "--change", f"{first.name} = {step}"]
        over = [word for parameter in parameters for word in ("--over", _range(parameter))]
        optimize = ["rogsim", "optimize", *start, "--goal", _goal(material, verdict), *over]
        title = verdict.effects.question.title
        yield Step(f"{title}: try one change on the same deals.", shlex.join(compare))
        yield Step(f"{title}: search for values that make it fair.", shlex.join(optimize))


def _parameters(spec: GameSpec, verdict: Judgement, scenario: Mapping[str, Any]) -> Iterator[Parameter]:
    """Yield the parameters that match a question: one for each seat, or one of the level with the largest effect."""
    change = scenario["change"]
    parameters = [replace(parameter, value=change.get(parameter.name, parameter.value)) for parameter in spec.facts()]
    if verdict.effects.question.topic == SEATS:
        most = max(spec.players)
        lists = (
            parameter for parameter in parameters if len(parameter.places) == most and _whole(parameter.value, most)
        )
        for parameter in list(lists)[:1]:
            for place, value in list(zip(parameter.places, parameter.value, strict=True))[: verdict.effects.players]:
                yield replace(parameter, name=f"{parameter.name}.{place}", value=value, places=())
        return
    level = _level(spec, verdict)
    yield from [
        parameter for parameter in parameters if f".{level}." in parameter.name and type(parameter.value) is int
    ][:1]


def _whole(value: Any, count: int) -> bool:
    return isinstance(value, Sequence) and len(value) == count and all(type(number) is int for number in value)


def _level(spec: GameSpec, verdict: Judgement) -> str:
    """Return the name in the data of the level with the largest effect."""
    topics = (topic for topic in spec.topics if topic.name == verdict.effects.question.topic)
    labels = next((topic.labels for topic in topics), {})
    return next((name for name, label in labels.items() if label == verdict.largest.name), verdict.largest.name)


def _goal(material: Material, verdict: Judgement) -> str:
    if verdict.effects.question.topic == SEATS:
        return f"seat_share equal ± {material.margin:g} pp"
    column = next(topic.columns[0] for topic in material.spec.topics if topic.name == verdict.effects.question.topic)
    return f"{column}_share of {_level(material.spec, verdict)} equal ± {material.margin:g} pp"


def _range(parameter: Parameter) -> str:
    low = parameter.value - REACH if parameter.low is None else max(parameter.low, parameter.value - REACH)
    high = parameter.value + REACH if parameter.high is None else min(parameter.high, parameter.value + REACH)
    return f"{parameter.name} = {{ from = {low}, to = {high} }}"
