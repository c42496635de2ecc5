"""Results folders as a stranger might send them: whole, with checksums that fit, and a manifest that says anything."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rogsim.results.manifest import MANIFEST
from rogsim.scenario.fingerprint import key_of
from tests.command_line import Ended

KEYS: dict[str, Any] = {"game": "dice-race", "players": [2], "games": 6, "seed": 3, "bots": ["runner"]}
EVIL = "open({canary!r}, 'w').close()\ndef f(setup, race, menu, memory):\n    return 0\nchoose = f\n"

Change = Callable[[dict[str, Any]], Any]


def is_refused(ended: Ended) -> bool:
    """Exit code 2, and nothing but lines that say what is wrong."""
    lines = ended.err.removesuffix("\n").split("\n")
    return ended.code == 2 and all(line.startswith("rogsim: error: ") for line in lines)


def rewrite(folder: Path, change: Change) -> None:
    """Change a manifest, and bring its hashes in line with what it says now."""
    data = json.loads((folder / MANIFEST).read_text())
    change(data)
    if isinstance(data.get("identity"), dict):
        old, data["key"] = data["key"], key_of(data["identity"])
        rename_chunks(folder, data, old)
    if isinstance(data.get("scenario"), dict):
        data["scenario_hash"] = key_of(data["scenario"])
    (folder / MANIFEST).write_text(json.dumps(data))


def rename_chunks(folder: Path, data: dict[str, Any], old: str) -> None:
    """Give files the names of the run that the manifest now says they are of."""
    for chunk in data["chunks"]:
        for table in ("seats", "games"):
            name = chunk[table]["file"]
            chunk[table]["file"] = name.replace(f"-{old}-", f"-{data['key']}-")
            (folder / table / name).rename(folder / table / chunk[table]["file"])


def named(bot: str) -> Change:
    """A manifest whose games were played by a bot of that name, wherever it names bots."""

    def change(data: dict[str, Any]) -> None:
        data["scenario"]["bots"] = [bot]
        for record in (*data["identity"]["bots"], *data["bots"]):
            record["name"] = bot

    return change
