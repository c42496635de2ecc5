"""The identity of a run: everything that determines its rows. Rows of different identities are never combined."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rogsim.base.files import is_by_system
from rogsim.base.validation import show
from rogsim.game.source_files import KINDS, sources_beside, top_folder
from rogsim.scenario.model import Experiment

PACKAGE = Path(__file__).resolve().parents[1]
# What determines rows besides the game's own folder: the kit, chance, the order of games, and the columns.
SOURCES = (
    *("game/agents.py", "game/bot.py", "game/columns.py", "game/compiler.py", "game/kit", "game/plain", "game/rng.py"),
    *("game/rules.py", "game/spec.py", "simulation/rows.py"),
)
SHOWN = 10  # differences; of the rest only the number is given
HASHES = {
    "engine": "the source code of the rules and bots differs",
    "source_hash": "its file differs",
    "weights_hash": "its weights differ",
}


def identity_of(experiment: Experiment) -> dict[str, Any]:
    """Return everything that determines the rows, except the number of games."""
    scenario, spec = experiment.scenario, experiment.spec
    return {
        "game": spec.id,
        "rules": spec.version,
        "engine": engine_hash(spec.bots_package),
        "players": list(scenario.players),
        "seed": scenario.seed,
        "bots": [
            {"name": name, "source_hash": source.source_hash, "weights_hash": source.weights_hash}
            for name, source in ((name, experiment.sources[name]) for name in scenario.bots)
        ],
        "options": scenario.model_dump(mode="json")["options"],
        "change": scenario.model_dump(mode="json")["change"],
        "mirrored": experiment.mirrored,
    }


def key_of(identity: Mapping[str, Any]) -> str:
    """Return the hash of an identity, 16 hex digits, whatever the order of its keys."""
    return short_hash(json.dumps(identity, sort_keys=True, ensure_ascii=False).encode())


def scenario_hash(scenario: Mapping[str, Any]) -> str:
    """Return the hash of a resolved scenario, 16 hex digits, whatever the order of its keys."""
    return key_of(scenario)


def short_hash(content: bytes) -> str:
    """Return the first 16 hex digits of the SHA-256."""
    return hashlib.sha256(content).hexdigest()[:16]


@cache
def engine_hash(bots_package: str) -> str:
    """Hash the sources that determine rows (the game, the kit, chance and the plan of games): 16 hex digits.

    Versions of libraries are left out because they must not matter.

    Parameters
    ----------
    bots_package
        The package of the game's bots, or the module of the game. All of a game from elsewhere counts that is in the
        same outermost package.
    """
    spec = importlib.util.find_spec(bots_package)
    assert spec is not None
    folders = spec.submodule_search_locations
    module = (Path(next(iter(folders)), "__init__.py") if folders else Path(str(spec.origin))).resolve()
    game = module.parents[1] if module.is_relative_to(PACKAGE) else top_folder(module.parent)
    own = game.rglob("*") if game.is_relative_to(PACKAGE) else sources_beside(module)
    entries = [PACKAGE / name for name in SOURCES]
    files = [path for entry in entries for path in (entry.rglob("*") if entry.is_dir() else [entry])]
    package_hash = hash_of_files(PACKAGE, files)
    return short_hash(f"{package_hash} {hash_of_files(game, own)}".encode())


def hash_of_files(base: Path, paths: Iterable[Path]) -> str:
    """Hash sources and data files below a folder, with their names, whatever their order: 16 hex digits."""
    digest = hashlib.sha256()
    for path in sorted(path for path in paths if path.suffix in KINDS and not is_by_system(path)):
        digest.update(path.relative_to(base).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def differences(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> list[str]:
    """Return one line for each difference between the identity of stored rows and that of a new run."""
    lines = _differences("", theirs, ours)
    return lines if len(lines) <= SHOWN else [*lines[:SHOWN], f"and {len(lines) - SHOWN} more differences"]


def _differences(name: str, theirs: Any, ours: Any) -> list[str]:
    if theirs == ours:
        return []
    if isinstance(theirs, Mapping) and isinstance(ours, Mapping):
        keys = dict.fromkeys([*ours, *theirs])
        return [line for key in keys for line in _differences(_under(name, key), theirs.get(key), ours.get(key))]
    if name == "bots" and _names(theirs) == _names(ours) is not None:
        pairs = zip(theirs, ours, strict=True)
        return list(dict.fromkeys(line for a, b in pairs for line in _differences(f'bot "{b["name"]}"', a, b)))
    last = name.rpartition(".")[2]
    if last in HASHES:
        bot = name.rpartition(".")[0]
        return [f"{bot}: {HASHES[last]}" if bot else HASHES[last]]
    shown = (_names(theirs) or theirs, _names(ours) or ours) if name == "bots" else (theirs, ours)
    there, current = (_shown(name, value) for value in shown)
    return [f"{name} is {there} in the stored run and {current} in this one"]


def _shown(name: str, value: Any) -> str:
    return "not changed" if value is None and name.startswith("change.") else show(value)


def _under(name: str, key: str) -> str:
    return f"{name}.{key}" if name else str(key)


def _names(bots: Any) -> list[str] | None:
    if not isinstance(bots, list) or not all(isinstance(bot, Mapping) and "name" in bot for bot in bots):
        return None
    return [str(bot["name"]) for bot in bots]
