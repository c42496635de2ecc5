"""Traces: whole games written as JSON Lines, and readable accounts of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rogsim.base.errors import RogsimError
from rogsim.base.files import MEGABYTE, check_file, is_plain_file, naming_path, opened, parse_json, whole_file
from rogsim.base.validation import not_allowed, show
from rogsim.base.watched_data import Trail
from rogsim.bots.loading import compile_bot
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.compiler import is_own
from rogsim.game.kit.faults import place_in_game
from rogsim.game.parameters import change_lines
from rogsim.game.registry import get_game
from rogsim.game.spec import GameSpec
from rogsim.scenario.arguments import read_changes, read_options, repeated_changes
from rogsim.scenario.changes import change_notes
from rogsim.scenario.model import Scenario, load
from rogsim.simulation.play import game_seconds, playing, where_bots_play

FORMAT_END = "-trace/1"
BEGINNING = re.compile(rb'\{"format":"[^"]{1,60}-trace/1"')
MOST_BYTES = 16 * MEGABYTE  # of one trace
WRONG_VALUE = "a value in it is missing or of the wrong type"
FIRST_SEED = 1
LISTED_DEALS = 12  # deals of a file that an error message names


class TraceError(RogsimError):
    """Traces that cannot be made or read."""


@dataclass(frozen=True)
class TraceRequest:
    """A checked request for games to record: every game has the bots in the same seats."""

    spec: GameSpec
    setup: Any
    bots: tuple[Bot, ...]
    games: int
    seed: int
    notes: tuple[str, ...] = ()  # on the changes

    def traces(self, advance: Callable[[int], None] = lambda games: None) -> Iterator[Mapping[str, Any]]:
        """Play and record the games, one trace each; advance: called with the number of games just recorded."""
        players = len(self.bots)
        seating = np.arange(players, dtype=np.int8)[None]
        for game in range(self.games):
            batch = Batch(self.seed, players, np.array([game], dtype=np.int64), seating, self.bots)
            yield record(self.spec, self.setup, batch)
            advance(1)


def record(spec: GameSpec, setup: Any, batch: Batch) -> Mapping[str, Any]:
    """Play a batch of one game and return its trace; in another process if a bot is foreign."""
    trace: Mapping[str, Any] = where_bots_play(_recorded, spec, setup, batch)
    return trace


def _recorded(spec: GameSpec, setup: Any, batch: Batch) -> Mapping[str, Any]:
    """Play and record a game."""
    with playing(batch, game_seconds()):
        return next(spec.record(setup, batch))


def request_traces(
    game: str | None,
    players: int | None,
    bots: Sequence[str] | None,
    games: int,
    seed: int | None,
    words: Mapping[str, str],
    changes: Sequence[str] = (),
    components: str | None = None,
    scenario: str | None = None,
) -> TraceRequest:
    """Check a request from the command line.

    `words` are the game's options, `changes` its parameters, as typed; `components` is a file of components. What is
    not given is as in the scenario, if there is one: its first player count, its bots in turn order, its seed.
    """
    base = load(scenario, run_programs=False).scenario if scenario else None
    if base and game and get_game(base.game).id != get_game(game).id:
        raise TraceError(f"--game: {scenario} is a scenario of {get_game(base.game).id}")
    spec = get_game(base.game if base else game)
    count = players if players is not None else _given(base, "--players").players[0]
    named = list(bots or _given(base, "--bots").bots)
    seated = named
    if count in spec.players:  # otherwise `load` says so
        seated = _seated(named, count, "" if bots else f"is needed, because {scenario} has ")
    typed = read_options(spec, words).model_dump(mode="json")
    options = {**base.options, **{name: typed[name] for name in words}} if base else typed
    keys = {
        "game": spec.id,
        "players": (count,),
        "games": games,
        "seed": seed if seed is not None or base else FIRST_SEED,
        "bots": seated if bots else None,
        "options": options,
        "change": read_changes(changes) or None,
        "components": components,
    }
    experiment = load(scenario or {}, keys, option_prefix="--")
    ready = {name: compile_bot(spec, source) for name, source in experiment.sources.items()}
    notes = (*experiment.notes, *repeated_changes(changes), *change_notes(experiment))
    line_up = tuple(ready[name] for name in seated)
    return TraceRequest(spec, experiment.setups[count], line_up, games, experiment.scenario.seed, notes)


def _seated(named: list[str], players: int, missing: str) -> list[str]:
    """Return the bot of each seat; TraceError if the bots named are neither one nor as many as the players."""
    if len(named) not in (1, players):
        rule = f"name one bot, or {players} bots in turn order"
        raise TraceError(f"--bots: {missing}{len(named)} bots for {players} players: {rule}")
    return named * players if len(named) == 1 else named


def _given(base: Scenario | None, option: str) -> Scenario:
    """Return the scenario that an option was left out for; TraceError if there is none."""
    if base is None:
        raise TraceError(f"{option}: is needed, unless a scenario is named (see rogsim trace --help)")
    return base


def write_lines(traces: Iterator[Mapping[str, Any]], path: Path) -> None:
    """Write traces to a file, one per line; the file appears only when it is complete. Only traces are overwritten."""
    check_file(path)
    if path.exists() or path.is_symlink():
        _check_older(path)
    with naming_path(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            file.writelines(to_line(trace).encode() for trace in traces)


def _check_older(path: Path) -> None:
    """Refuse to overwrite a file that holds anything but traces."""
    try:
        with opened(path) as file:
            start = file.read(100) if is_plain_file(path) else b"?"
    except OSError as fault:
        raise TraceError(f"{path}: {fault.strerror}; name another file") from fault
    if start and not BEGINNING.match(start):
        raise TraceError(f"{path}: already exists and is not a file of traces; choose another name")


def to_line(trace: Mapping[str, Any]) -> str:
    """Return a trace as one line of JSON."""
    return json.dumps(trace, ensure_ascii=False, separators=(",", ":")) + "\n"


def find_trace(path: Path, deal: int) -> Mapping[str, Any]:
    """Return the trace of a deal from a file; TraceError if the file has no such deal, or no traces."""
    there: list[int] = []
    try:
        for trace in traces_in(path):
            if trace["game"] == deal:
                return trace
            there.append(trace["game"])
    except UnicodeDecodeError:
        raise TraceError(f"{path}: is not a text file in UTF-8") from None
    named = ", ".join(map(str, there[:LISTED_DEALS])) + (", …" if len(there) > LISTED_DEALS else "")
    raise TraceError(f"{path}: has no deal {deal}: choose from {named or 'none; the file is empty'}")


def traces_in(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the traces of a file; TraceError at a line that is none."""
    for number, line in enumerate(_lines(path), start=1):
        line.decode()
        if line.strip():
            yield _parse(line, path, number)


def narrated(trace: Mapping[str, Any], path: Path) -> str:
    """Return a trace as text, written by its game; TraceError if it is not complete, or not one of this game."""
    spec = get_game(str(trace["format"]).removesuffix(FORMAT_END))
    where, players = f"{path}: deal {trace['game']}", trace.get("players", spec.players[0])
    if type(players) is not int or players not in spec.players:
        allowed = ", ".join(map(str, spec.players))
        raise TraceError(f"{where}: {not_allowed(players, f'players must be one of {allowed}')}")
    change = _checked_change(spec, trace.get("change", {}), where)
    trail = Trail()
    try:
        changed = change_lines(spec, change)
        above = ["Changed for this game:", *(f"  {line}" for line in changed), "", ""] if changed else []
        return "\n".join(above) + spec.narrate(trail.watch(trace))
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, MemoryError) as fault:
        what = WRONG_VALUE
        if isinstance(fault, KeyError) and fault.args:
            what = f"{show(fault.args[0])} is missing or unknown"
        near = f", at or after {show(str(trail))}" if trail.path else ""
        raise TraceError(f"{where} is not a complete trace: {what}{near}{_line_of(spec, fault)}") from fault


def _line_of(spec: GameSpec, fault: BaseException) -> str:
    """Return the line of a game from elsewhere that an error passed: its author may be the one who reads this."""
    place = "" if is_own(spec.rules.begin) else place_in_game(fault)
    return f" ({place})" if place else ""


def _checked_change(spec: GameSpec, change: Any, where: str) -> dict[str, Any]:
    """Return the changed parameters of a trace; TraceError if one is unknown, or its value is not allowed."""
    if not isinstance(change, dict):
        raise TraceError(f'{where}: key "change": {not_allowed(change, "must be a table")}')
    _, problems = spec.check_change(change)
    if problems:
        key = ".".join(["change", *problems[0].key])
        raise TraceError(f'{where}: key "{key}": {problems[0].text}')
    return change


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a regular file; TraceError if one is longer than a trace may be."""
    try:
        with opened(path) as file:
            while line := file.readline(MOST_BYTES + 1):
                if len(line) > MOST_BYTES:
                    raise TraceError(f"{path}: has a line longer than {MOST_BYTES // MEGABYTE} MB")
                yield line
    except FileNotFoundError:
        raise
    except OSError as fault:
        raise TraceError(f"{path}: cannot be read: {fault.strerror}") from fault


def _parse(line: bytes, path: Path, number: int) -> Mapping[str, Any]:
    try:
        trace = parse_json(line)
    except ValueError as fault:
        raise TraceError(f"{path}: line {number} is not JSON: {' '.join(str(fault).split())}") from fault
    form = trace.get("format") if isinstance(trace, dict) else None
    if not isinstance(form, str) or not form.endswith(FORMAT_END) or not isinstance(trace.get("game"), int):
        raise TraceError(f'{path}: line {number} is not a trace: "format" must be "<game>{FORMAT_END}"')
    return trace
