"""The manifest of a results folder: what was played, how, when and with which versions, and every file's checksum.

A manifest is data from outside when it is read again, so it is checked in full.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rogsim.chunks import Chunk, ChunkName, without_overlap
from rogsim.errors import RogsimError
from rogsim.identity import key_of, scenario_hash
from rogsim.problems import explain
from rogsim.scenario import Scenario

FORMAT: Literal["rogsim-results/2"] = "rogsim-results/2"
MANIFEST = "manifest.json"
DRAFT = ".tmp"  # ending of files that are not whole yet

Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
Sum = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0, lt=10**10)]  # as many digits as fit into the name of a chunk
Players = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,2}$")]


class ResultsError(RogsimError):
    """A results folder that cannot be read, or a place where none may be written."""


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False)


class StoredFile(_Model):
    """One Parquet file: its name within the folder of its table, its SHA-256, and its size in bytes."""

    file: str
    sha256: Sum
    bytes: Count


class StoredChunk(_Model):
    """The games start..stop-1 of one player count, as a file of seats and a file of games."""

    players: Annotated[int, Field(ge=1)]
    start: Count
    stop: Count
    seats: StoredFile
    games: StoredFile

    @property
    def chunk(self) -> Chunk:
        """Return which games these are."""
        return Chunk(self.players, self.start, self.stop)

    @model_validator(mode="after")
    def _named_alike(self) -> StoredChunk:
        for stored in (self.seats, self.games):
            name = ChunkName.read(stored.file)
            if name is None or name.chunk != self.chunk or not stored.sha256.startswith(name.content):
                raise ValueError(f'"{stored.file}" is not the name of this chunk')
        return self


class Session(_Model):
    """One time that somebody played into the folder. Times are UTC; `seconds` come from a clock that cannot jump."""

    started: str
    ended: str | None
    seconds: float
    played: dict[Players, Count]  # games by player count
    mended: Count  # games played again because their files were broken
    backend: str
    workers: Count
    stopped_by: str | None
    rogsim: str
    python: str
    platform: str
    libraries: dict[str, str]
    compiled: bool


class Manifest(_Model):
    """All that is needed to know how the rows in a folder came about; `games` are those that were asked for last.

    looks: all numbers of games that results were shown with so far, in order (see `looks`); an older rogsim noted none.
    """

    format: Literal["rogsim-results/2"]
    state: Literal["running", "stopped", "complete"]
    name: str
    question: str
    title: str
    key: Hash
    identity: dict[str, Any]
    scenario: dict[str, Any]
    scenario_hash: Hash
    scenario_folder: str | None
    bots: list[dict[str, Any]]
    games: dict[Players, Count]
    factors: dict[str, list[str]]
    columns: list[Annotated[list[str], Field(min_length=5, max_length=5)]]
    chunks: list[StoredChunk]
    sessions: list[Session]
    looks: list[dict[Players, Count]] = []

    @model_validator(mode="after")
    def _hangs_together(self) -> Manifest:
        if key_of(self.identity) != self.key:
            raise ValueError('"key" is not the hash of "identity"')
        if wrong := [chunk for chunk in self.chunks if f"-{self.key}-" not in chunk.seats.file]:
            raise ValueError(f'"{wrong[0].seats.file}" belongs to another run')
        if len(without_overlap([chunk.chunk for chunk in self.chunks])) < len(self.chunks):
            raise ValueError('"chunks" holds games twice')
        if scenario_hash(self.scenario) != self.scenario_hash:
            raise ValueError('"scenario_hash" is not the hash of "scenario"')
        try:
            players = Scenario.model_validate(self.scenario).players
        except ValidationError as fault:
            raise ValueError(f'"scenario" is none: {explain(fault, self.scenario, Scenario)[0].text}') from fault
        if unknown := {*self.wanted, *(chunk.players for chunk in self.chunks)} - set(players):
            raise ValueError(f'"scenario" has no games with {min(unknown)} players')
        return self

    @property
    def wanted(self) -> dict[int, int]:
        """Return the games asked for by player count."""
        return {int(players): games for players, games in self.games.items()}


def read_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a results folder; ResultsError tells what is wrong with it."""
    path = folder / MANIFEST
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise ResultsError(f"{folder}: holds no results, there is no {MANIFEST}") from None
    except OSError as fault:
        raise ResultsError(f"{folder}: {MANIFEST} cannot be read: {fault.strerror}") from fault
    except (ValueError, RecursionError) as fault:
        raise ResultsError(f"{folder}: {MANIFEST} cannot be read: {_in_a_line(fault)}") from fault
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ResultsError(f'{folder}: {MANIFEST} is not of the format "{FORMAT}"{_older(data)}')
    try:
        return Manifest.model_validate(data)
    except ValidationError as fault:
        problem = explain(fault, data, Manifest)[0]
        where = f'key "{".".join(problem.key)}": ' if problem.key else ""
        raise ResultsError(f"{folder}: {MANIFEST} is broken: {where}{_in_a_line(problem.text)}") from fault
    except RecursionError:
        raise ResultsError(f"{folder}: {MANIFEST} is broken: nested too deeply") from None


def full_hash(content: bytes) -> str:
    """Return the SHA-256 as 64 hex digits."""
    return hashlib.sha256(content).hexdigest()


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest into a folder; the older one stays until the new one is whole."""
    text = manifest.model_dump_json(indent=1) + "\n"
    write_whole(folder / MANIFEST, text.encode())


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there in full or not at all, even if the power fails."""
    draft = path.with_name(f"{path.name[:40]}.{secrets.token_hex(4)}{DRAFT}")
    try:
        with draft.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make sure that names in a folder outlast a power failure, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def _older(data: Any) -> str:
    older = isinstance(data, Mapping) and str(data.get("format")).startswith("rogsim-")
    return ", an older or newer rogsim wrote it" if older else ""


def _in_a_line(text: object) -> str:
    return " ".join(str(text).split())[:200]
