"""What to try for a level that wins too often or too rarely: a step towards fair, or else a curve."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.game.parameters import Parameter, places_of
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Topic, question_topic
from rogsim.report.balance.commands import scenario_words
from rogsim.report.balance.sources import Material, Source
from rogsim.report.document import Step
from rogsim.scenario.changes import idle_parameters
from rogsim.scenario.model import load

SEATS = "seats"
REACH = 2  # how far a curve goes to either side of a value
ROOM = 5  # steps: more room than this is no advantage
KEYS = ("seed", "bots", "games", "components")  # of a scenario, that both commands can replace


@dataclass(frozen=True)
class OutOfBalance:
    """A level that wins too often or too rarely with one number of players.

    Attributes
    ----------
    topic
        The name of its question; "seats" for a seat.
    level
        The level as the page calls it.
    effect
        How much more often than a fair share it wins, in pp.
    source
        The set of bots that shows it.
    """

    topic: str
    level: str
    players: int
    effect: float
    source: Source


@dataclass(frozen=True)
class Proposal:
    """A command that may bring a level closer to fair, with a sentence that says what it tries."""

    about: OutOfBalance
    sentence: str
    command: str


def first_proposals(material: Material) -> Iterator[Step]:
    """Yield a proposal for each question, and a search for fair values if the way to fair is known.

    They are for the level that is most clearly out of balance, of those for which there is a proposal.
    """
    done: set[str] = set()
    for level in out_of_balance(material):
        found = [] if level.topic in done else list(proposals(material.spec, [level]))
        if found:
            done.add(level.topic)
            searched = search(material.spec, level, material.margin)
            yield from (Step(one.sentence, one.command) for one in (*found, *searched))


def out_of_balance(material: Material) -> list[OutOfBalance]:
    """Return each level that is out of balance, once, with the number of players where that is clearest.

    What the question is about comes first, then the clearest. Of several sets of bots the last one that shows it
    counts: it is the strongest.
    """
    about = question_topic(material.spec.topics, material.sources[-1].manifest)
    found = []
    for judgement in material.judgements:
        effects, source = judgement.effects, material.source_of(judgement)
        for level in judgement.beyond:
            effect = judgement.effect_of(level)
            beyond = max(effect.low, -effect.high) - judgement.margin
            one = OutOfBalance(effects.question.topic, level, effects.players, effect.value, source)
            found.append((one.topic == about, material.sources.index(source), beyond, one))
    clearest = dict[tuple[str, str], OutOfBalance]()
    for *_, one in sorted(found, key=lambda entry: entry[:3], reverse=True):
        clearest.setdefault((one.topic, one.level), one)
    return list(clearest.values())


def proposals(spec: GameSpec, levels: Iterable[OutOfBalance]) -> Iterator[Proposal]:
    """Yield a proposal for each level for which there is one, in their order."""
    for level in levels:
        proposal = _proposal(spec, level)
        if proposal:
            yield proposal


def _proposal(spec: GameSpec, level: OutOfBalance) -> Proposal | None:
    """Return a step towards fair; a curve where the way is unknown, or where no comparison has the run as its base."""
    parameters = _parameters_of(spec, level)
    scenario = scenario_words(level.source, spec, *KEYS, "change") if parameters else []
    if not scenario:
        return None
    steps = steps_to_fair(spec, parameters, level.effect)
    allowed = next(((found, value) for found, value in steps if _is_allowed(level, scenario, found, value)), None)
    base = scenario_words(level.source, spec, *KEYS) if allowed else []
    if allowed and base:
        parameter, value = allowed
        words = ["rogsim", "compare", *base, *_players(level), "--change", f"{parameter.name} = {value}"]
        return Proposal(level, _step_sentence(level, parameter, value), shlex.join(words))
    for parameter in [allowed[0]] if allowed else [found for found in parameters if not found.favours]:
        ends = _curve(level, scenario, parameter)
        if ends:
            words = ["rogsim", "sweep", *scenario, *_players(level), "--over", _axis(parameter, ends)]
            asked = f"{_meaning(parameter)}, from {ends[0]} to {ends[1]}"
            return Proposal(level, f"See what this is worth to {level.level}: {asked}.", shlex.join(words))
    return None


def search(spec: GameSpec, level: OutOfBalance, margin: float) -> Iterator[Proposal]:
    """Yield a search for values that make a level fair, or all seats; nothing if the way to fair is not known."""
    scenario = scenario_words(level.source, spec, *(key for key in KEYS if key != "games"), "change")
    steps = steps_to_fair(spec, _parameters_of(spec, level), level.effect) if scenario else iter(())
    first = next((found for found, value in steps if _is_allowed(level, scenario, found, value)), None)
    if first is None:
        return
    if level.topic == SEATS:
        seats = (replace(level, level=f"seat {seat}") for seat in range(1, level.players + 1))
        listed = first.name.rpartition(".")[0]
        varied = [one for seat in seats for one in _parameters_of(spec, seat) if one.name.startswith(f"{listed}.")]
        share = "seat_share"
    else:
        topic = next(topic for topic in spec.topics if topic.name == level.topic)
        varied, share = [first], f"{topic.columns[0]}_share of {_key(topic, level.level)}"
    goal = ["--goal", f"{share} equal ± {margin:g} pp"]
    axes = [(parameter, _curve(level, scenario, parameter)) for parameter in varied]
    over = [word for parameter, ends in axes if ends for word in ("--over", _axis(parameter, ends))]
    words = ["rogsim", "optimize", *scenario, *_players(level), *goal, *over]
    what = "the seats" if level.topic == SEATS else level.level
    yield Proposal(level, f"Search for values that make {what} fair.", shlex.join(words))


def steps_to_fair(spec: GameSpec, parameters: Iterable[Parameter], effect: float) -> Iterator[tuple[Parameter, int]]:
    """Yield those of a level's parameters that can move it towards fair, each with the value one step further.

    Parameters that the level makes use of come first, and of these the ones with most room. effect: how far it is
    above its fair share, in pp.
    """
    found = []
    for parameter in parameters:
        step = parameter.favours * (-1 if effect > 0 else 1)
        end = parameter.high if step > 0 else parameter.low
        room = ROOM if end is None else min(step * (end - parameter.value), ROOM)
        if step and room > 0:
            found.append((_is_used(spec, parameter), room, parameter, parameter.value + step))
    found.sort(key=lambda entry: entry[:2], reverse=True)
    yield from ((parameter, value) for _, _, parameter, value in found)


def _is_used(spec: GameSpec, parameter: Parameter) -> bool:
    """Return whether a value is not 0, or was not before the scenario changed it: 0 often stands for no such effect."""
    usual = {entry.name: entry.value for fact in spec.facts() for entry in (fact, *places_of(fact))}
    return parameter.value != 0 or usual.get(parameter.name, 0) != 0


def _parameters_of(spec: GameSpec, level: OutOfBalance) -> list[Parameter]:
    """Return the whole numbers that belong to a level and can matter, with their values in the run."""
    return parameters_of(spec, level.topic, level.level, level.players, level.source.folders[0].manifest["scenario"])


def parameters_of(spec: GameSpec, about: str, level: str, players: int, scenario: Mapping[str, Any]) -> list[Parameter]:
    """Return the same for a level of any topic (`about`) in a scenario."""
    most, found = max(spec.players), list[Parameter]()
    topic = next((topic for topic in spec.topics if topic.name == about), None)
    key = _key(topic, level) if topic else ""
    for fact in spec.facts():
        current = replace(fact, value=scenario["change"].get(fact.name, fact.value))
        if about == SEATS:
            by_seat = len(fact.places) == most and len(fact.value) == most
            found += places_of(current)[int(level.split()[-1]) - 1 :][:1] if by_seat else []
        elif key in fact.name.split(".")[1:] and _is_about(fact, key, topic.about if topic else ()):
            found += places_of(current) if fact.places else [current]
    numbers = [parameter for parameter in found if type(parameter.value) is int]
    options = spec.read_options(scenario["options"])
    names = [parameter.name for parameter in numbers]
    idle = idle_parameters(spec, options, [players], scenario["change"], names)
    return [parameter for parameter in numbers if parameter.name not in idle]


def _key(topic: Topic, level: str) -> str:
    """Return the name of a level in the data and in the names of parameters."""
    return next((name for name, label in topic.labels.items() if label == level), level)


def _is_about(fact: Parameter, key: str, about: Sequence[str]) -> bool:
    """Return whether a parameter that names a level is about it: a number may be that of something else."""
    return any(fact.name.startswith(f"{start}.") for start in about) if about else not key.isdigit()


def _is_allowed(level: OutOfBalance, scenario: Sequence[str], parameter: Parameter, value: int) -> bool:
    """Return whether the game takes a value of a parameter, besides what the run changed."""
    played: Mapping[str, Any] = level.source.folders[0].manifest["scenario"]
    change = {**played["change"], parameter.name: value}
    given = {"bots": played["bots"], "players": [level.players], "change": change}
    try:
        load(Path(scenario[0]), given, run_programs=False)
    except RogsimError:
        return False
    return True


def _curve(level: OutOfBalance, scenario: Sequence[str], parameter: Parameter) -> tuple[int, int] | None:
    """Return the ends of a curve around the value of a parameter; None if no other value is allowed."""
    ends = []
    for sign in (-1, 1):
        end = parameter.value
        while abs(end - parameter.value) < REACH and _is_allowed(level, scenario, parameter, end + sign):
            end += sign
        ends.append(end)
    return (ends[0], ends[1]) if ends[0] < ends[1] else None


def _axis(parameter: Parameter, ends: tuple[int, int]) -> str:
    return f"{parameter.name} = {{ from = {ends[0]}, to = {ends[1]} }}"


def _players(level: OutOfBalance) -> list[str]:
    return ["--players", str(level.players)]


def _step_sentence(level: OutOfBalance, parameter: Parameter, value: int) -> str:
    more = value > parameter.value
    if parameter.favours < 0:
        how = "more expensive" if more else "cheaper"
    else:
        how = "stronger" if more else "weaker"
    return f"Make {level.level} {how}: {_meaning(parameter)} {parameter.value} → {value}."


def _meaning(parameter: Parameter) -> str:
    """Return what a parameter means: "for the owner: coins" as "coins for the owner"."""
    start, colon, end = parameter.meaning.partition(": ")
    return (f"{end} {start}" if colon else start) or parameter.name
