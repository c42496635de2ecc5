"""What an address asks for: a scenario, who plays it, and the changed rules, as they are typed."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request

from rogsim.base.errors import RogsimError
from rogsim.game.parameters import Parameter, ParameterError, find_parameters, leaves
from rogsim.game.spec import GameSpec
from rogsim.scenario.axes import RANGE_KEYS
from rogsim.scenario.model import Experiment, check_options, load
from rogsim.workbench.home import Offered, offered
from rogsim.workbench.site import Desk

CHANGED, OPTION = "c.", "o."  # begin the names of changed parameters and of options in an address
LONGEST, MOST_WORDS = 200, 150  # characters of a word, words of an address
MOST_GAMES = 1_000_000
MOST_VALUES = 7  # of a sweep, and the printed one
MOST_KEPT = 32  # wishes in memory
NEAR = 3  # numbers on both sides of the printed one, at first


@dataclass(frozen=True)
class Wish:
    """What an address asks for, as it is typed; what is left out is as in the scenario.

    Attributes
    ----------
    base
        The scenario as its file has it.
    written
        A number that is another one when the file has changed, or one beside it, which it may use.
    players
        One number of players: the largest of the scenario if it is left out.
    games
        The most games.
    sweep, low, high
        A parameter, and between which numbers it is tried.
    """

    scenario: Offered
    base: Experiment
    written: int
    players: str = ""
    bots: str = ""
    games: str = ""
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    change: Mapping[str, str] = field(default_factory=dict, hash=False)
    sweep: str = ""
    low: str = ""
    high: str = ""
    _made: dict[str, Experiment] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, desk: Desk, request: Request) -> Wish:
        """Read an address; HTTPException if it names no scenario, or is too long."""
        return cls.read(desk, request.path_params["name"], request.query_params.multi_items())

    @classmethod
    def read(cls, desk: Desk, name: str, words: Sequence[tuple[str, str]]) -> Wish:
        """Read the words of an address or a form; HTTPException if they name no scenario, or are too long."""
        known = offered(desk)
        if name not in known:
            raise HTTPException(404, f"There is no scenario {name[:LONGEST]} here.")
        if len(words) > MOST_WORDS or any(len(word) > LONGEST for pair in words for word in pair):
            raise HTTPException(400, "This address is too long.")
        path = known[name].path
        written = changed(path, *path.parent.glob("*.toml"), *path.parent.glob("*.py"))
        return cls._kept(known[name], written, tuple(words))

    @classmethod
    @lru_cache(maxsize=MOST_KEPT)
    def _kept(cls, scenario: Offered, written: int, words: tuple[tuple[str, str], ...]) -> Wish:
        """Read the words once, which takes a twentieth of a second, as long as no file changes."""
        given = {key: value.strip() for key, value in words if value.strip()}
        return cls(
            scenario,
            load(scenario.path, run_programs=False),
            written,
            given.get("players", ""),
            ", ".join(split(given.get("lineup") or given.get("bots", ""))),
            given.get("games", ""),
            _named(given, OPTION),
            _named(given, CHANGED),
            given.get("sweep", ""),
            given.get("from", ""),
            given.get("to", ""),
        )._as_short()

    def _as_short(self) -> Wish:
        """Return the same wish without what is as in the scenario."""
        kept = {name: value for name, value in self.options.items() if value != typed(self.base_options.get(name))}
        change = dict(self.change)
        if self.sweep not in change and (fact := parameter(self.spec, self.sweep)):
            change[self.sweep] = typed(self.now(fact))
        return replace(
            self,
            change=change,
            players="" if self.players == self.usual_players else self.players,
            bots="" if self.bots == self.usual_bots else self.bots,
            games="" if self.games == self.usual_games else self.games,
            options=kept,
            low=self.low if self.sweep else "",
            high=self.high if self.sweep else "",
        )

    @property
    def spec(self) -> GameSpec:
        """Return the game."""
        return self.base.spec

    @property
    def base_options(self) -> Mapping[str, Any]:
        """Return the options of the scenario."""
        return self.base.scenario.options

    @property
    def usual_players(self) -> str:
        """Return the number of players if none is asked for."""
        return str(max(self.base.scenario.players))

    @property
    def usual_bots(self) -> str:
        """Return the bots of the scenario."""
        return ", ".join(self.base.scenario.bots)

    @property
    def usual_games(self) -> str:
        """Return the most games if no number is asked for."""
        return str(min(self.base.scenario.games, MOST_GAMES))

    @property
    def query(self) -> str:
        """Return the address of this wish behind its question mark."""
        return urlencode(self.pairs)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Return the words of its address."""
        pairs = [("players", self.players), ("bots", self.bots), ("games", self.games)]
        pairs += [(f"{OPTION}{name}", value) for name, value in self.options.items()]
        pairs += [(f"{CHANGED}{name}", value) for name, value in self.change.items()]
        pairs += [("sweep", self.sweep), ("from", self.low), ("to", self.high)]
        return [(name, value) for name, value in pairs if value]

    @property
    def number(self) -> str:
        """Return a name of what is played."""
        content = f"{self.scenario.path.resolve()} {replace(self, games='').query}".encode()
        return hashlib.sha256(content + self.scenario.path.read_bytes()).hexdigest()[:16]

    def with_change(self, name: str, value: str | None) -> Wish:
        """Return the same wish with a parameter changed to a value, or not changed for None."""
        change = {key: was for key, was in self.change.items() if key != name}
        kept = self.with_sweep("") if value is None and self.sweep == name else self
        return replace(kept, change=change | ({} if value is None else {name: value}))

    def now(self, fact: Parameter) -> Any:
        """Return the value of a parameter, or of an entry of a list, in the scenario."""
        change, (table, _, place) = self.base.scenario.change, fact.name.rpartition(".")
        if fact.name in change or table not in change:
            return change.get(fact.name, fact.value)
        places = parameter(self.spec, table)
        at = places.places.index(place) if places is not None else 0
        return change[table][at] if at < len(change[table]) else fact.value

    @property
    def suggested(self) -> list[str]:
        """Return the numbers that the scenario itself varies."""
        scenario = self.base.scenario
        over = [name for one in (scenario.sweep, scenario.balance) if one is not None for name in _names(one.over)]
        return [name for name in dict.fromkeys(over) if (fact := parameter(self.spec, name)) and is_number(fact)]

    @property
    def changes(self) -> dict[str, Any]:
        """Return the changed parameters that stay the same in all that is played."""
        return {name: read_value(text) for name, text in self.change.items() if name != self.sweep}

    @property
    def most(self) -> int:
        """Return the most games."""
        return int(self.games if _is_whole(self.games, 1, MOST_GAMES) else self.usual_games)

    @property
    def values(self) -> list[int]:
        """Return the numbers of the sweep, the printed one among them if it is between the ends."""
        low, high = int(self.low), int(self.high)
        count = min(MOST_VALUES, high - low + 1)
        spread = {low + round((high - low) * place / (count - 1)) for place in range(count)}
        printed = parameter(self.spec, self.sweep)
        own = {printed.value} if printed and low <= printed.value <= high else set()
        return sorted(spread | own)

    def experiment(
        self, changed: bool, run_programs: bool = False, more: Mapping[str, Any] | None = None
    ) -> Experiment:
        """Return the scenario as it asks for it, with the changes or without; ScenarioError if it cannot be played.

        Parameters
        ----------
        run_programs
            Whether bots that are files may be run.
        more
            Parameters that are changed as well, by name.
        """
        keys: dict[str, Any] = {
            "players": (int(self.players or self.usual_players),),
            "bots": tuple(split(self.bots)) if self.bots else None,
            "options": {**self.base_options, **self._own_options} if self.options else None,
            "change": ({**self.changes, **(more or {})} or None) if changed else None,
        }
        asked = f"{run_programs} {keys}"
        if run_programs and is_loaded(found := self.experiment(changed, False, more)):
            return found
        if asked not in self._made:  # each takes a tenth of a second
            self._made[asked] = load(self.scenario.path, keys, "", self.scenario.path.parent, run_programs)
        return self._made[asked]

    def checked(self, run_programs: bool = False) -> Experiment:
        """Return the scenario with its changes, as `experiment` does; RogsimError names all that cannot be played."""
        if self.problems:
            raise RogsimError("\n".join(f"{where}: {what}".lstrip(": ") for where, what in self.problems.items()))
        return self.experiment(bool(self.change), run_programs)

    @property
    def _own_options(self) -> dict[str, Any]:
        return {name: read_value(text) for name, text in self.options.items()}

    @cached_property
    def problems(self) -> Mapping[str, str]:
        """Return what cannot be played, by the name of its field; "" is all together."""
        found = dict(self._wrong_fields())
        if not found:
            try:
                for more in [{self.sweep: value} for value in self.values] if self.sweep else [{}]:
                    self.experiment(True, more=more)
            except RogsimError as fault:
                found[""] = str(fault)
        return found

    def _wrong_fields(self) -> Iterator[tuple[str, str]]:
        spec = self.spec
        if self.players and self.players not in map(str, spec.players):
            yield "players", f"choose from {', '.join(map(str, spec.players))}"
        offer = [*self.base.scenario.bots, *(bot.name for bot in spec.bots)]
        if wrong := [name for name in split(self.bots) if name not in offer]:
            yield "bots", f"{wrong[0]} is not offered: choose from {', '.join(dict.fromkeys(offer))}"
        if self.games and not _is_whole(self.games, 1, MOST_GAMES):
            yield "games", f"a whole number from 1 to {MOST_GAMES:,}"
        for problem in check_options(spec, {**self.base_options, **self._own_options})[1]:
            yield f"{OPTION}{problem.key[0] if problem.key else ''}", problem.text
        for problem in spec.check_change({**self.base.scenario.change, **self.changes})[1]:
            known = problem.name in self.change
            yield (f"{CHANGED}{problem.name}", problem.text) if known else ("", f"{problem.name}: {problem.text}")
        if self.sweep:
            yield from self._wrong_sweep()

    def _wrong_sweep(self) -> Iterator[tuple[str, str]]:
        swept = parameter(self.spec, self.sweep)
        if swept is None or not is_number(swept):
            yield "", f"{self.sweep}: is not a single number that can be swept"
        elif not (_is_whole(self.low, swept.low, swept.high) and _is_whole(self.high, swept.low, swept.high)):
            yield "sweep", f"both ends must be whole numbers from {swept.low} to {swept.high}"
        elif int(self.low) >= int(self.high):
            yield "sweep", "the second end must be larger than the first"

    def with_sweep(self, name: str) -> Wish:
        """Return the same wish with a parameter swept around its printed number."""
        found = parameter(self.spec, name)
        if found is None or not is_number(found):
            return replace(self, sweep="", low="", high="")
        now = self.now(found)
        low, high = max(found.low or 0, now - NEAR), min(found.high or 0, now + NEAR)
        change = {name: typed(now), **self.change}
        return replace(self, change=change, sweep=name, low=self.low or str(low), high=self.high or str(high))


def parameter(spec: GameSpec, name: str) -> Parameter | None:
    """Return the parameter or the entry of a list that has a name; None if there is none."""
    try:
        found = find_parameters(spec, name)
    except ParameterError:
        return None
    return found[0] if len(found) == 1 and found[0].name == name else None


def is_loaded(experiment: Experiment) -> bool:
    """Return whether all bots can play; those that are files and were not run cannot."""
    return all(source.function or source.agent for source in experiment.sources.values())


def _names(over: Mapping[str, Any]) -> list[str]:
    """Return the names of axes, without the parts of their ranges."""
    paths = [path for path, _ in leaves(over)]
    return [".".join(path[:-1] if path[-1] in RANGE_KEYS else path) for path in paths]


def is_number(fact: Parameter) -> bool:
    """Return whether a parameter is a single number."""
    return type(fact.value) is int and not fact.places and fact.low is not None and fact.high is not None


def split(bots: str) -> list[str]:
    """Return the names of bots that are typed with commas."""
    return [name.strip() for name in bots.split(",") if name.strip()]


def read_value(text: str) -> Any:
    """Return the value of a parameter as TOML has it; a word needs no quotes."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, KeyError, RecursionError):
        return text


def typed(value: Any) -> str:
    """Return a value as it is typed: a word alone needs no quotes."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _named(words: Mapping[str, str], start: str) -> dict[str, str]:
    return {key.removeprefix(start): value for key, value in words.items() if key.startswith(start)}


def changed(*paths: Path) -> int:
    """Return a number that is another one when one of some files has changed."""
    found = [(path.name, path.stat()) for path in paths if path.exists()]
    return hash(tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in found))


def _is_whole(text: str, low: int | None, high: int | None) -> bool:
    number = read_value(text)
    return type(number) is int and text.lstrip("-").isdecimal() and (low or 0) <= number <= (high or 0)
