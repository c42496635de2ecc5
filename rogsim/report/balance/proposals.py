"""What to try for a level that wins too often or too rarely: a step towards fair, or else a curve."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.game.fair import side_name
from rogsim.game.parameters import Parameter, places_of
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Topic, question_topic
from rogsim.report.balance.commands import scenario_words
from rogsim.report.balance.sources import Material, Source
from rogsim.report.document import Step
from rogsim.scenario.axes import change_words
from rogsim.scenario.changes import idle_parameters
from rogsim.scenario.model import load

SEATS = "seats"
REACH = 2  # steps of a curve to either side of a value
PART = 0.25  # of a value: a smaller step would hardly show
ROOM = 5  # more room than this is no advantage
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
    """A command that may bring a level closer to fair, with a sentence that says what it tries.

    is_step: whether it tries a value that is closer to fair; otherwise it shows what several values are worth.
    """

    about: OutOfBalance
    sentence: str
    command: str
    is_step: bool = False


def first_proposals(material: Material) -> Iterator[Step]:
    """Yield a proposal for each question, and a search for fair values if the way to fair is known.

    They are for the level that is most clearly out of balance, of those that a value can bring closer to fair.
    """
    by_topic: dict[str, list[OutOfBalance]] = {}
    for level in out_of_balance(material):
        by_topic.setdefault(level.topic, []).append(level)
    for levels in by_topic.values():
        first = None
        for one in proposals(material.spec, levels):
            first = one if first is None or one.is_step else first
            if first.is_step:
                break  # to look at more levels takes long
        if first:
            searched = search(material.spec, first.about, material.margin)
            yield from (Step(one.sentence, one.command) for one in (first, *searched))


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
    """Return a step towards fair; a curve where there is none, or where no comparison has the run as its base."""
    scenario = scenario_words(level.source, spec, *KEYS, "change")
    if not scenario:
        return None
    first = _first_step(spec, level, scenario)
    base = scenario_words(level.source, spec, *KEYS) if first else []
    if first and base:
        about, parameter, value = first
        change = change_words({parameter.name: value})
        words = ["rogsim", "compare", *base, *_players(level), "--change", change]
        return Proposal(level, _step_sentence(about, parameter, value), shlex.join(words), is_step=True)
    # Of a number that can only go the wrong way, a curve says least.
    parameters = sorted(_parameters_of(spec, level), key=lambda one: one.favours != 0 and not one.words)
    for about, parameter in [first[:2]] if first else [(level, parameter) for parameter in parameters]:
        if values := _curve(spec, about, scenario, parameter):
            words = ["rogsim", "sweep", *scenario, *_players(level), "--over", _axis(parameter, values)]
            asked = f"{_meaning(parameter)}{_values_words(values)}"
            return Proposal(level, f"See what this is worth to {about.level}: {asked}.", shlex.join(words))
    return None


def _first_step(
    spec: GameSpec, level: OutOfBalance, scenario: Sequence[str]
) -> tuple[OutOfBalance, Parameter, Any] | None:
    """Return a parameter and a value that bring a level closer to fair, and the level whose parameter it is.

    A seat that has none itself gains if the strongest of the others becomes weaker, and loses if the weakest becomes
    stronger.
    """
    for about in (level, *_counterpart(level)):
        for parameter, value in steps_to_fair(
            spec, _parameters_of(spec, about), about.effect, 100 * spec.sides(about.players).fair
        ):
            if _is_allowed(level, scenario, parameter, value):
                return about, parameter, value
    return None


def _counterpart(level: OutOfBalance) -> Iterator[OutOfBalance]:
    """Yield the seat that is farthest off the other way."""
    found = level.source.balance.players.get(level.players) if level.topic == SEATS else None
    seats = found.seats.levels if found and found.seats else ()
    sign = 1 if level.effect > 0 else -1
    other = min(seats, key=lambda seat: sign * seat.effect.value, default=None)
    if other and sign * other.effect.value < 0:
        yield replace(level, level=side_name(other.level), effect=other.effect.value)


def search(spec: GameSpec, level: OutOfBalance, margin: float) -> Iterator[Proposal]:
    """Yield a search for values that make a level fair, or all seats; nothing if the way to fair is not known."""
    scenario = scenario_words(level.source, spec, *(key for key in KEYS if key != "games"), "change")
    first = _first_step(spec, level, scenario) if scenario else None
    if first is None:
        return
    if level.topic == SEATS:
        seats = (replace(level, level=f"seat {seat}") for seat in range(1, level.players + 1))
        listed = first[1].name.rpartition(".")[0]
        varied = [one for seat in seats for one in _parameters_of(spec, seat) if one.name.startswith(f"{listed}.")]
        share = "seat_share"
    else:
        topic = next(topic for topic in spec.topics if topic.name == level.topic)
        varied, share = [first[1]], f"{topic.columns[0]}_share of {_key(topic, level.level)}"
    goal = ["--goal", f"{share} equal ± {margin:g} pp"]
    axes = [(parameter, _curve(spec, level, scenario, parameter)) for parameter in varied]
    over = [word for parameter, values in axes if values for word in ("--over", _axis(parameter, values, every=True))]
    words = ["rogsim", "optimize", *scenario, *_players(level), *goal, *over]
    what = "the seats" if level.topic == SEATS else level.level
    yield Proposal(level, f"Search for values that make {what} fair.", shlex.join(words))


def steps_to_fair(
    spec: GameSpec, parameters: Iterable[Parameter], effect: float, fair: float = math.inf
) -> Iterator[tuple[Parameter, Any]]:
    """Yield those of a level's parameters that can move it towards fair, each with values, the best one first.

    Parameters that the run changed and that it can change back come first, then those that the level makes use of, and
    of these the ones with most room.

    Parameters
    ----------
    effect
        How far the level is above its fair share.
    fair
        That share, in the same unit.
    """
    printed, found = _printed(spec), []
    for parameter in parameters:
        usual = printed.get(parameter.name, parameter.value)
        values = _steps(parameter, usual, effect, fair)
        if values:
            back = usual in values if parameter.words else (usual - parameter.value) * (values[0] - parameter.value) > 0
            room = 0 if parameter.words else min(_room(parameter, values[0] > parameter.value), ROOM)
            found.append((back, parameter.value != 0 or usual != 0, room, parameter, values))
    found.sort(key=lambda entry: entry[:3], reverse=True)
    yield from ((parameter, value) for *_, parameter, values in found for value in values)


def _steps(parameter: Parameter, usual: Any, effect: float, fair: float) -> list[Any]:
    """Return the values that bring a level closer to fair, the best one first; none if the way to fair is not known.

    Of words the first stands for nothing: only from and to this one the way is known.
    """
    more = parameter.favours * effect < 0
    if not parameter.favours:
        return []
    if parameter.words:
        nothing, *others = parameter.words
        if more:
            return sorted(others, key=lambda word: word != usual) if parameter.value == nothing else []
        return [nothing] if parameter.value != nothing else []
    size, values = min(_size(parameter, usual, effect, fair), _room(parameter, more)), []
    while size > 0:
        values.append(parameter.value + (size if more else -size))
        size //= 2
    return values


def _room(parameter: Parameter, more: bool) -> float:
    """Return how far a number can go up or down."""
    end = parameter.high if more else parameter.low
    return math.inf if end is None else abs(end - parameter.value)


def _size(parameter: Parameter, usual: int, effect: float, fair: float) -> int:
    """Return how far a number should go: a part of its value, and more if one share is more than twice the other.

    usual: its value in the game as printed, for a number that is 0 or small in the run.
    """
    share = max(min(fair, fair + effect), 1e-9)
    parts = min(max(abs(effect) / share, 1), 1 / PART)
    return max(1, round(parts * PART * max(parameter.value, usual)))


def _printed(spec: GameSpec) -> dict[str, Any]:
    """Return all parameters and entries of lists as they are before a scenario changes them."""
    return {entry.name: entry.value for fact in spec.facts() for entry in (fact, *places_of(fact))}


def _parameters_of(spec: GameSpec, level: OutOfBalance) -> list[Parameter]:
    """Return the numbers and words that belong to a level and can matter, with their values in the run."""
    return parameters_of(spec, level.topic, level.level, level.players, level.source.folders[0].manifest["scenario"])


def parameters_of(spec: GameSpec, about: str, level: str, players: int, scenario: Mapping[str, Any]) -> list[Parameter]:
    """Return the same for a level of any topic (`about`) in a scenario."""
    most, found = max(spec.players), list[Parameter]()
    topic = next((topic for topic in spec.topics if topic.name == about), None)
    key = _key(topic, level) if topic else ""
    for fact in spec.facts():
        current = replace(fact, value=scenario["change"].get(fact.name, fact.value))
        if about == SEATS:
            seat = level.removeprefix("seat ")
            by_seat = seat.isdigit() and len(fact.places) == most and len(fact.value) == most
            found += places_of(current)[int(seat) - 1 :][:1] if by_seat else []
        elif key in fact.name.split(".")[1:] and _is_about(fact, key, topic.about if topic else ()):
            found += places_of(current) if fact.places else [current]
    single = [parameter for parameter in found if parameter.words or type(parameter.value) is int]
    options = spec.read_options(scenario["options"])
    names = [parameter.name for parameter in single]
    idle = idle_parameters(spec, options, [players], scenario["change"], names)
    return [parameter for parameter in single if parameter.name not in idle]


def _key(topic: Topic, level: str) -> str:
    """Return the name of a level in the data and in the names of parameters."""
    return next((name for name, label in topic.labels.items() if label == level), level)


def _is_about(fact: Parameter, key: str, about: Sequence[str]) -> bool:
    """Return whether a parameter that names a level is about it: a number may be that of something else."""
    return any(fact.name.startswith(f"{start}.") for start in about) if about else not key.isdigit()


def _is_allowed(level: OutOfBalance, scenario: Sequence[str], parameter: Parameter, value: Any) -> bool:
    """Return whether the game takes a value of a parameter, besides what the run changed."""
    played: Mapping[str, Any] = level.source.folders[0].manifest["scenario"]
    change = {**played["change"], parameter.name: value}
    given = {"bots": played["bots"], "players": [level.players], "change": change}
    try:
        load(Path(scenario[0]), given, run_programs=False)
    except RogsimError:
        return False
    return True


def _curve(spec: GameSpec, level: OutOfBalance, scenario: Sequence[str], parameter: Parameter) -> Sequence[Any]:
    """Return the values of a curve, in order: numbers on both sides of the one in the run, or words; empty if only
    that one is allowed.
    """
    if parameter.words:
        values = [word for word in parameter.words if _is_allowed(level, scenario, parameter, word)]
        return values if len(values) > 1 else []
    size = _size(
        parameter,
        _printed(spec).get(parameter.name, parameter.value),
        level.effect,
        100 * spec.sides(level.players).fair,
    )
    step, ends = -(-size // REACH), []  # so that the curve reaches as far as a step would
    for sign in (-1, 1):
        end = parameter.value
        while abs(end - parameter.value) < REACH * step and _is_allowed(level, scenario, parameter, end + sign * step):
            end += sign * step
        ends.append(end)
    return range(ends[0], ends[1] + 1, step) if ends[0] < ends[1] else []


def _axis(parameter: Parameter, values: Sequence[Any], every: bool = False) -> str:
    """Return the values of a parameter as they are typed; `every`: also the numbers between them."""
    if isinstance(values, range):
        step = "" if every or values.step == 1 else f", step = {values.step}"
        return f"{parameter.name} = {{ from = {values[0]}, to = {values[-1]}{step} }}"
    return change_words({parameter.name: list(values)})


def _values_words(values: Sequence[Any]) -> str:
    return f", from {values[0]} to {values[-1]}" if isinstance(values, range) else f" ({', '.join(values)})"


def _players(level: OutOfBalance) -> list[str]:
    return ["--players", str(level.players)]


def _step_sentence(level: OutOfBalance, parameter: Parameter, value: Any) -> str:
    ways = ("more expensive", "cheaper") if parameter.favours < 0 else ("weaker", "stronger")
    how = ways[level.effect < 0]
    return f"Make {level.level} {how}: {_meaning(parameter)} {parameter.value} → {value}."


def _meaning(parameter: Parameter) -> str:
    """Return what a parameter means: "for the owner: coins" as "coins for the owner"."""
    start, colon, end = parameter.meaning.partition(": ")
    return (f"{end} {start}" if colon else start) or parameter.name
