"""What an address asks for: a scenario, the players, the bots and the changed rules, as they are typed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request

from rogsim.scenario.model import Experiment, load
from rogsim.workbench.home import Offered, offered
from rogsim.workbench.site import Desk

CHANGED = "c."  # begins the names of changed parameters in an address


@dataclass(frozen=True)
class Wish:
    """What an address asks for: a scenario, the players, the bots, and changed parameters as they are typed."""

    scenario: Offered
    players: str = ""
    bots: str = ""
    change: Mapping[str, str] = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, desk: Desk, request: Request) -> Wish:
        """Read an address; HTTPException if it names no scenario."""
        name = request.path_params["name"]
        known = offered(desk)
        if name not in known:
            raise HTTPException(404, f"There is no scenario {name} here.")
        asked = request.query_params
        change = {key.removeprefix(CHANGED): value for key, value in asked.items() if key.startswith(CHANGED)}
        return cls(known[name], asked.get("players", ""), asked.get("bots", ""), change)

    @property
    def query(self) -> str:
        """Return the address of this wish behind its question mark."""
        pairs = [("players", self.players), ("bots", self.bots)]
        pairs += [(f"{CHANGED}{name}", value) for name, value in self.change.items()]
        return urlencode([(name, value) for name, value in pairs if value])

    def with_change(self, name: str, value: str | None) -> Wish:
        """Return the same wish with a parameter changed to a value, or with its printed value for None."""
        change = {key: was for key, was in self.change.items() if key != name}
        return replace(self, change=change | ({} if value is None else {name: value}))

    def experiment(self, changed: bool, run_programs: bool = True) -> Experiment:
        """Return the scenario as it asks for it, with the changes or without; ScenarioError if it cannot be played.

        Without `run_programs` no bot file is run: what comes back can be inspected, but not played.
        """
        keys: dict[str, Any] = {
            "players": (int(self.players),) if self.players.isdecimal() else None,
            "bots": tuple(self.bots.split(",")) if self.bots else None,
        }
        if changed:
            keys["change"] = {name: read_value(text) for name, text in self.change.items()}
        return load(self.scenario.path, keys, run_programs=run_programs)


def read_value(text: str) -> Any:
    """Return the value of a parameter as TOML has it; a word needs no quotes."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        return text


def typed(value: Any) -> str:
    """Return a value as it is typed."""
    if isinstance(value, bool):
        return str(value).lower()
    return "[" + ", ".join(map(typed, value)) + "]" if isinstance(value, list | tuple) else str(value)
