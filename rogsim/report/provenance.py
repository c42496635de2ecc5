"""What was played for a page, by whom and with which versions: tables, and the scenarios as text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from rogsim.report import words
from rogsim.report.document import Grid, TableColumn

LONG = ("differs", "changed", "versions")  # columns of text that may wrap
HEADS = {
    "differs": "what differs from the base",
    "source": "hash of its source",
    "weights": "hash of its weights",
}


def provenance(
    played: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]], notes: Sequence[str] = ()
) -> Iterator[Grid]:
    """Yield the table of what was played, and that of who played.

    Parameters
    ----------
    played
        For each run its first columns, of which one names it, and its manifest.
    notes
        Lines below the first table.
    """
    rows = [{**first, **played_row(manifest)} for first, manifest in played]
    yield _grid("played", "What was played", rows, notes)
    bots = [
        {
            "bot": bot["name"],
            "run": next(iter(first.values())),
            "source": bot["source_hash"],
            "weights": bot["weights_hash"],
        }
        for first, manifest in played
        for bot in manifest["bots"]
    ]
    yield _grid("bots-used", "Who played", bots)


def played_row(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return how many games a run has, with which seed, rules and versions."""
    identity, sessions = manifest["identity"], manifest["sessions"]
    versions = dict.fromkeys(f"rogsim {session['rogsim']}, Python {session['python']}" for session in sessions)
    libraries = dict.fromkeys(
        f"{name} {version}" for session in sessions for name, version in session["libraries"].items()
    )
    return {
        "games": "; ".join(
            f"{int(games):,} with {words.players(int(players))}" for players, games in manifest["games"].items()
        ),
        "seed": str(identity["seed"]),
        "rules": f"{manifest['title']}, version {identity['rules']}",
        "engine": str(identity["engine"]),
        "versions": ", ".join([*versions, *libraries]),
    }


def scenario_text(manifest: Mapping[str, Any]) -> str:
    """Return the text of a scenario file for what was played, including the number of games."""
    scenario = {key: value for key, value in manifest["scenario"].items() if key not in ("sweep", "balance")}
    options, change = scenario.pop("options"), scenario.pop("change", {})
    lines = [f"# {manifest['question']}"] if manifest["question"] else []
    lines += [f"{key} = {toml(value)}" for key, value in scenario.items() if value not in ([], {}, None)]
    lines += ["", "[options]", *(f"{key} = {toml(value)}" for key, value in options.items() if value is not None)]
    if change:
        lines += ["", "[change]", *(f"{key} = {toml(value)}" for key, value in change.items())]
    return "\n".join(lines) + "\n"


def toml(value: Any) -> str:
    """Return a value as TOML: a string, a number, a list of these, or an inline table."""
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(str(key))} = {toml(entry)}" for key, entry in value.items() if entry is not None)
        return f"{{ {inside} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def facts_grid(name: str, facts: Mapping[str, object]) -> Grid:
    """Return what was played as a table with a row for each fact."""
    frame = pl.DataFrame({"what": list(facts), "value": list(map(str, facts.values()))})
    return Grid(name, "What was played", (TableColumn("what", "what"), TableColumn("value", "value")), frame)


def _key(name: str) -> str:
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _grid(name: str, caption: str, rows: Sequence[Mapping[str, Any]], notes: Sequence[str] = ()) -> Grid:
    frame = pl.DataFrame(list(rows), infer_schema_length=None)
    columns = tuple(TableColumn(key, HEADS.get(key, key), "long" if key in LONG else "text") for key in frame.columns)
    return Grid(name, caption, columns, frame, tuple(notes))
