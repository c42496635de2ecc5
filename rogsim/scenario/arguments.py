"""Arguments that several commands share: player counts such as 2,3 and the game's own options."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from rogsim.base.errors import RogsimError
from rogsim.base.numbers import read_whole_number
from rogsim.base.validation import not_allowed, show, unknown_key
from rogsim.scenario.model import check_options, contradictions

if TYPE_CHECKING:
    from rogsim.game.spec import GameSpec


class ArgumentError(RogsimError):
    """A command-line argument that is not allowed."""


def read_players(spec: GameSpec, text: str | None) -> list[int]:
    """Read player counts such as 2,4; the default is the game's largest count."""
    if text is None:
        return [max(spec.players)]
    try:
        counts = [read_whole_number(part) for part in text.split(",")]
    except ValueError:
        raise ArgumentError(f"--players: {not_allowed(text, 'write a number, or several: 2,3')}") from None
    for count in counts:
        if count not in spec.players:
            rule = "choose from " + ", ".join(map(str, spec.players))
            raise ArgumentError(f"--players: {not_allowed(count, rule)}")
        if counts.count(count) > 1:
            raise ArgumentError(f"--players: {count} is listed twice")
    return counts


def read_numbers(text: str | None, option: str) -> list[int] | None:
    """Read whole numbers such as 2,3; None if none are given."""
    if text is None:
        return None
    try:
        return [read_whole_number(part) for part in text.split(",")]
    except ValueError:
        raise ArgumentError(f"{option}: {not_allowed(text, 'write a number, or several: 2,3')}") from None


def read_names(text: str | None) -> list[str] | None:
    """Read names such as a,b,c; None if none are given."""
    return None if text is None else [name.strip() for name in text.split(",")]


def read_options(spec: GameSpec, words: Mapping[str, str]) -> BaseModel:
    """Turn typed options into the game's. A word is read as text, as a TOML value, or as a list separated by commas."""
    known = list(spec.options.model_fields)
    for name in words:
        if name not in known:
            raise ArgumentError(f"{_as_typed(name)}: {unknown_key(_as_typed(name), [*map(_as_typed, known)])}")
    values = {name: _first_fit(spec.options, name, word) for name, word in words.items()}
    options, problems = check_options(spec, values)
    if options is None:
        lines = (f"{_as_typed(problem.name or 'options')}: {problem.text}" for problem in problems)
        raise ArgumentError("\n".join(lines))
    return options


def _as_typed(option: str) -> str:
    """Return the name of an option of a game as it is typed on the command line."""
    return f"--{option.replace('_', '-')}"


def read_changes(words: Sequence[str], option: str = "--change") -> dict[str, Any]:
    """Turn typed changes such as "setup.hand = 3" into values by name; ArgumentError if two contradict each other.

    The same change may be given twice (see `repeated_changes`).
    """
    changes: dict[str, Any] = {}
    for word in words:
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals or not name or not value or not name.isprintable():
            raise ArgumentError(f"{option}: {not_allowed(word, 'write NAME = VALUE')}")
        try:
            read = tomllib.loads(f"value = {value}")
        except (ValueError, RecursionError):
            read = {}
        given = read["value"] if list(read) == ["value"] else value
        if name in changes and show(changes[name]) != show(given):
            raise ArgumentError(f"{option}: {name} is given twice, as {show(changes[name])} and as {show(given)}")
        changes[name] = given
    for problem in contradictions(changes):
        raise ArgumentError(f"{option}: {problem.name} {problem.text}")
    return changes


def repeated_changes(words: Sequence[str], option: str = "--change") -> list[str]:
    """Return a line for each typed change that is given more than once."""
    plain = ["=".join(part.strip() for part in word.partition("=")[::2]) for word in words]
    return [
        f"{option}: {word.replace('=', ' = ', 1)} is given twice; once is enough."
        for word in dict.fromkeys(plain)
        if plain.count(word) > 1
    ]


def _first_fit(model: type[BaseModel], name: str, word: str) -> Any:
    """Return the first reading of a typed word that the option takes; the word itself if none fits."""
    parts = [part.strip() for part in word.split(",")]
    for reading in (word, _toml(word), parts, [_toml(part) for part in parts]):
        try:
            model.model_validate({name: reading})
        except ValidationError as fault:
            if any(finding["loc"][:1] == (name,) for finding in fault.errors()):
                continue
        return reading
    # None fits: the list makes the better message where the option wants one.
    return parts if len(parts) > 1 else word


def _toml(word: str) -> Any:
    """Return what a word would be in a scenario file: a number, true, a list …; the word itself otherwise."""
    try:
        return tomllib.loads(f"value = {word}")["value"]
    except (ValueError, RecursionError, KeyError):
        return word


def given_words(game: str | None, options: Mapping[str, str] | None) -> list[str]:
    """Return the words of a command line that name a game and its options, as they were given."""
    named = [] if game is None else [f"--game={game}"]
    return [*named, *(f"{_as_typed(name)}={value}" for name, value in (options or {}).items())]
