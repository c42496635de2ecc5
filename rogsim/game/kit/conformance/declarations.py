"""Checks of what a game declares, before anything is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from rogsim.base.validation import explain, show, unknown_key
from rogsim.game.kit.conformance.faults import FaultyError, attempt, expect
from rogsim.game.kit.game_faults import GameFault
from rogsim.game.registry import RegistryError, check_spec
from rogsim.game.spec import GameSpec


def what_prevents_play(spec: GameSpec) -> Iterator[str]:
    """Yield what must be right before any game can be played: player counts, columns, options, samples, bots."""
    if not spec.players:
        yield "players is empty: it must list the player counts"
    elif max(spec.players) > spec.rules.most_seats:
        yield f"players goes up to {max(spec.players)}, and most_seats of the rules is only {spec.rules.most_seats}"
    try:
        check_spec(spec)
    except RegistryError as fault:
        yield str(fault)
    else:  # otherwise every sample may lack an option that has no default
        yield from _wrong_options(spec)
    if not spec.bots:
        yield "bots is empty: the play loop needs one to play with"
    for bot in spec.bots:
        try:
            module = attempt(f'bot "{bot.name}"', spec.module_of, bot)
            found = callable(bot.choose or getattr(module, "choose", None))
            expect(found, f'bot "{bot.name}": its module has no function "choose"')
        except FaultyError as fault:
            yield str(fault)


def lost_names(spec: GameSpec) -> Iterator[str]:
    """Yield the bots that the game does not have, and the topics about parameters that it does not have."""
    bots = [bot.name for bot in spec.bots]
    for listed, names in (("ladder", spec.ladder), ("bench_bots", spec.bench_bots)):
        for name in names:
            base = name.partition("@")[0]  # the rest are weights
            if base not in bots:
                yield f'{listed}: bot "{base}" is {unknown_key(base, bots)}'
    parameters = [f"{parameter.name}." for parameter in spec.facts()]
    for topic in spec.topics:
        for group in topic.about:
            if not any(name.startswith(f"{group}.") for name in parameters):
                yield f'topic {topic.name} is about "{group}", and no parameter has a name that begins so'


def _wrong_options(spec: GameSpec) -> Iterator[str]:
    """Yield the options that the game refuses, of its own defaults and its samples."""
    missing = list(_refused(spec, "default options", {}))
    yield from missing
    if not missing:  # pydantic does not validate defaults, until a scenario names them
        yield from _refused(spec, "default options", spec.options().model_dump(by_alias=True))
    if not spec.samples:
        yield "samples is empty: it must list options, or {} for the default ones"
    for place, sample in enumerate(spec.samples):
        if isinstance(sample, Mapping):
            yield from _refused(spec, f"samples[{place}]", sample)
        else:
            yield f"samples[{place}] is {show(sample)}: it must be a table of options"


def _refused(spec: GameSpec, name: str, options: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the game refuses about some options."""
    try:
        spec.read_options(options)
    except GameFault as fault:
        yield f"{name}: {fault.what}"
    except ValidationError as fault:
        for problem in explain(fault, dict(options), spec.options):
            yield ": ".join([name, *filter(None, [problem.name]), problem.text])
