"""The manifest of a results folder: what was played, how, when, with which versions, and the checksum of every file.

A manifest read from a file is untrusted, so it is checked in full.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from rogsim.base.errors import ResultsError
from rogsim.base.files import MEGABYTE, REPORTS, parse_json, read_bytes, write_whole
from rogsim.base.text import name_fault, safe
from rogsim.base.validation import explain, format_fault, not_allowed, show
from rogsim.scenario.fingerprint import key_of, scenario_hash
from rogsim.scenario.model import BotText, Scenario
from rogsim.simulation.chunks import TABLES, Chunk, ChunkName, without_overlap

NAMES = "name"  # the type of a column of names
NUMBERS = {
    text
    for kind in ("b1", *(f"{letter}{size}" for letter in "iu" for size in (1, 2, 4, 8)), "f2", "f4", "f8")
    for text in (kind, np.dtype(kind).name, np.dtype(kind).str)
}
NEEDED = {
    "seats": ("players", "game", "block", "seat", "bot", "points", "win_share"),
    "games": ("players", "game", "block", "turns", "decisions"),
}
# The table of the columns in each list of `factors`.
FACTORS: Mapping[Literal["seat", "game"], str] = {"seat": "seats", "game": "games"}


def checked_column(row: list[str]) -> list[str]:
    """Return an entry of `columns`; ValueError if its table or its type is unknown."""
    if row[0] not in TABLES:
        raise ValueError(not_allowed(row[0], f"a column is of {' or '.join(TABLES)}"))
    if row[2] != NAMES and row[2] not in NUMBERS:
        rule = f'the type of a column is "{NAMES}" or one of numpy\'s numbers, such as "i2" or "f4"'
        raise ValueError(f"{show(row[1])}: {not_allowed(row[2], rule)}")
    return row


def check_columns(columns: Sequence[Sequence[str]], factors: Mapping[Literal["seat", "game"], Sequence[str]]) -> None:
    """Check that columns are listed once, that none is missing, and that factors are columns; ValueError if not."""
    listed = Counter((table, name) for table, name, *_ in columns)
    if twice := [name for (_, name), count in listed.items() if count > 1]:
        raise ValueError(f'key "columns": {show(twice[0])} is listed twice')
    for table, needed in NEEDED.items():
        if missing := [name for name in needed if (table, name) not in listed]:
            raise ValueError(f'key "columns": {show(missing[0])} of {table} is missing')
    for key, names in factors.items():
        if unknown := [name for name in names if (FACTORS[key], name) not in listed]:
            rule = f"must be a column of {FACTORS[key]}"
            raise ValueError(f'key "factors.{key}": {not_allowed(unknown[0], rule)}')


FORMAT: Literal["rogsim-results/2"] = "rogsim-results/2"
MANIFEST = "manifest.json"
MOST_BYTES = 256 * MEGABYTE  # of a manifest: half a million chunks

Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
Sum = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0, lt=10**10)]  # as many digits as fit into the name of a chunk
Players = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,2}$")]
SafeText = Annotated[str, AfterValidator(safe)]  # free text, used only for display
Seconds = Annotated[float, Field(ge=0, lt=10**10)]
ColumnRow = Annotated[list[SafeText], Field(min_length=5, max_length=5), AfterValidator(checked_column)]


class _Model(BaseModel):
    # Unknown keys are refused: a newer rogsim that adds a key changes the format.
    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False, extra="forbid")


class StoredFile(_Model):
    """One Parquet file: its name within the folder of its table, its SHA-256, and its size in bytes."""

    file: str
    sha256: Sum
    bytes: Count


class StoredChunk(_Model):
    """The games start..stop-1 with one player count, as a file of seats and a file of games."""

    players: Annotated[int, Field(ge=1)]
    start: Count
    stop: Count
    seats: StoredFile
    games: StoredFile

    @property
    def chunk(self) -> Chunk:
        """Return the games as a chunk."""
        return Chunk(self.players, self.start, self.stop)

    @model_validator(mode="after")
    def _named_alike(self) -> StoredChunk:
        for stored in (self.seats, self.games):
            name = ChunkName.read(stored.file)
            if name is None or name.chunk != self.chunk or not stored.sha256.startswith(name.content):
                raise ValueError(f'"{stored.file}" is not the name of this chunk')
        return self


class BotIdentity(_Model):
    """A bot that played: its name, and hashes of its source and its weights."""

    name: BotText
    source_hash: Hash
    weights_hash: Hash


class BotRecord(BotIdentity):
    """The same with the weights by name."""

    weights: dict[SafeText, float]


class _Identity(_Model):
    """What determines the rows of a run (see `identity_of`)."""

    game: str
    rules: str
    engine: Hash
    players: Annotated[list[int], Field(min_length=1)]
    seed: int
    bots: Annotated[list[BotIdentity], Field(min_length=1)]
    options: dict[str, Any]
    change: dict[str, Any]
    mirrored: bool


class PlaySession(_Model):
    """One session of play into the folder. Times are UTC; `seconds` are measured by a monotonic clock.

    Attributes
    ----------
    played
        Games by player count.
    replayed
        Games played again because their files were broken.
    """

    started: SafeText
    ended: SafeText | None
    seconds: Seconds
    played: dict[Players, Count]
    replayed: Count
    backend: SafeText
    workers: Count
    stopped_by: SafeText | None
    rogsim: SafeText
    python: SafeText
    platform: SafeText
    libraries: dict[SafeText, SafeText]
    compiled: bool


class Manifest(_Model):
    """Everything needed to know how the rows in a folder were made.

    Attributes
    ----------
    key
        Hash of `identity`.
    identity
        Everything that determines the rows.
    games
        Games requested last, by player count.
    looks
        All numbers of games at which results were shown so far, in order (see `interim_looks`).
    """

    format: Literal["rogsim-results/2"]
    state: Literal["running", "stopped", "complete"]
    name: str
    question: SafeText
    title: SafeText
    key: Hash
    identity: dict[str, Any]
    scenario: dict[str, Any]
    scenario_hash: Hash
    scenario_folder: str | None
    bots: Annotated[list[BotRecord], Field(min_length=1)]
    games: Annotated[dict[Players, Count], Field(min_length=1)]
    factors: dict[Literal["seat", "game"], list[SafeText]]
    columns: list[ColumnRow]
    chunks: list[StoredChunk]
    sessions: list[PlaySession]
    looks: list[dict[Players, Count]]

    @model_validator(mode="after")
    def _hangs_together(self) -> Manifest:
        if key_of(self.identity) != self.key:
            raise ValueError('"key" is not the hash of "identity"')
        if wrong := [chunk for chunk in self.chunks if f"-{self.key}-" not in chunk.seats.file]:
            raise ValueError(f'"{wrong[0].seats.file}" belongs to another run')
        if len(without_overlap([chunk.chunk for chunk in self.chunks])) < len(self.chunks):
            raise ValueError('"chunks" lists games twice')
        if scenario_hash(self.scenario) != self.scenario_hash:
            raise ValueError('"scenario_hash" is not the hash of "scenario"')
        try:
            players = Scenario.model_validate(self.scenario).players
            _Identity.model_validate(self.identity)
        except ValidationError as fault:
            part, data = ("scenario", self.scenario) if fault.title == "Scenario" else ("identity", self.identity)
            model = Scenario if part == "scenario" else _Identity
            problem = explain(fault, data, model)[0]
            key = ".".join([part, *map(str, problem.key)])
            raise ValueError(f'key "{key}": {problem.text}') from fault
        looks = {int(count) for look in self.looks for count in look}
        if unknown := {*self.wanted, *looks, *(chunk.players for chunk in self.chunks)} - set(players):
            raise ValueError(f'"scenario" has no games with {min(unknown)} players')
        return self

    @property
    def wanted(self) -> dict[int, int]:
        """Return the requested games by player count."""
        return {int(players): games for players, games in self.games.items()}


def read_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a results folder; ResultsError says what is wrong with it."""
    if wrong := name_fault(folder.absolute().name):
        raise ResultsError(f"{folder}: {wrong}")
    path = folder / MANIFEST
    try:
        data = parse_json(read_bytes(path, MOST_BYTES))
        if why := format_fault(data, FORMAT, "play it again"):
            raise ResultsError(f"{folder}: {MANIFEST} {why}")
        manifest = Manifest.model_validate(data)
        check_as_read(manifest)
    except (FileNotFoundError, NotADirectoryError):
        meant = REPORTS / folder.stem  # for the name of a scenario, or its file
        hint = f"; did you mean {meant}?" if (meant / MANIFEST).is_file() else ""
        raise ResultsError(f"{folder}: {_no_manifest(folder)}{hint}") from None
    except OSError as fault:
        raise ResultsError(f"{folder}: {MANIFEST} cannot be read: {fault.strerror}") from fault
    except ValidationError as fault:
        problem = explain(fault, data, Manifest)[0]
        where = f'key "{".".join(problem.key)}": ' if problem.key else ""
        raise ResultsError(f"{folder}: {MANIFEST} is broken: {where}{_in_a_line(problem.text)}") from fault
    except ValueError as fault:
        raise ResultsError(f"{folder}: {MANIFEST} is broken: {_in_a_line(fault)}") from fault
    return manifest


def _no_manifest(folder: Path) -> str:
    """Return why a folder has no manifest."""
    if folder.is_dir():
        return f"not a results folder: it has no {MANIFEST}"
    return "is a file; results need a folder" if folder.exists() else "there is no such folder"


def check_as_read(manifest: Manifest) -> None:
    """Check what must be true of a manifest in a file, but not of one under construction; ValueError if it is not."""
    if wrong := name_fault(manifest.name):
        raise ValueError(f'key "name": {wrong}')
    for key in ("identity", "scenario"):
        if hidden := next((text for text in _texts(getattr(manifest, key)) if safe(text) != text), None):
            raise ValueError(f'key "{key}": {not_allowed(hidden, "it contains invisible characters")}')
    if none := [players for players, games in manifest.games.items() if not games]:
        raise ValueError(f'key "games.{none[0]}": {not_allowed(0, "must be 1 or more")}')
    if manifest.state == "complete" and set(manifest.wanted) != set(manifest.scenario["players"]):
        raise ValueError('"games" does not name the player counts of "scenario"')
    if isinstance(manifest.scenario.get("components"), str):  # a scenario that was played does not depend on a file
        raise ValueError('key "scenario.components": must be a table')
    names = [bot["name"] for bot in manifest.identity["bots"]]
    if names != list(manifest.scenario["bots"]) or {bot.name for bot in manifest.bots} != set(names):
        raise ValueError('"scenario", "identity" and "bots" do not name the same bots')
    for key in ("game", "players", "seed", "options", "change"):
        in_identity, in_scenario = (part.get(key, {}) for part in (manifest.identity, manifest.scenario))
        if key_of({key: in_identity}) != key_of({key: in_scenario}):
            raise ValueError(
                f'key "scenario.{key}": {show(in_scenario)} is not that in "identity", {show(in_identity)}'
            )
    if 1 < len(names) < (most := max(manifest.scenario["players"])):
        raise ValueError(f'key "scenario.bots": {len(names)} are too few for {most} players')
    check_columns(manifest.columns, manifest.factors)


def _texts(data: Any) -> Iterator[str]:
    """Yield all strings and keys in nested data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield key
            yield from _texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value)


def full_hash(content: bytes) -> str:
    """Return the SHA-256 as 64 hex digits."""
    return hashlib.sha256(content).hexdigest()


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest into a folder; the older manifest stays until the new one is complete."""
    text = manifest.model_dump_json(indent=1) + "\n"
    write_whole(folder / MANIFEST, text.encode())


def _in_a_line(text: object) -> str:
    return " ".join(str(text).split())[:200]
