"""The first page: the scenarios, results and reports of the current folder, with their questions and answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rogsim.base.errors import RogsimError
from rogsim.base.files import REPORTS, is_plain_file, is_plain_folder, parse_json, read_bytes, read_text
from rogsim.report.render.data_files import DATA, MOST_BYTES
from rogsim.results.manifest import MANIFEST, read_manifest
from rogsim.scenario.model import load
from rogsim.scenario.scenario_files import FOLDER, SUFFIX, find_scenario, question_of, shipped_scenarios
from rogsim.workbench.site import Desk, Opened

MOST_LISTED = 200
TRACES = ".jsonl"  # ends the names of files of traces


@dataclass(frozen=True)
class Offered:
    """A scenario that may be opened: what it is called, its file, its game and its question."""

    name: str
    path: Path
    game: str
    question: str
    is_own: bool


@dataclass(frozen=True)
class Stored:
    """A results folder or a report of the current folder: its name, when it was written, and what it says."""

    name: str
    path: Path
    kind: str
    written: datetime
    question: str
    answer: str
    games: int = 0


def opened(path: Path) -> Opened:
    """Return what a path or the name of a scenario stands for; RogsimError if there is nothing that can be opened."""
    if is_plain_file(path / MANIFEST):
        return Opened("results", path)
    if is_plain_file(path / DATA):
        return Opened("report", path)
    if path.suffix == TRACES:
        if not is_plain_file(path):
            raise RogsimError(f"{path}: there is no such file")
        return Opened("trace", path)
    if path.is_dir():
        raise RogsimError(f"{path}: is neither a results folder nor a report")
    found = find_scenario(path)
    load(found, run_programs=False)
    return Opened("change", found)


def offered(desk: Desk) -> dict[str, Offered]:
    """Return the scenarios that pages may open, by name: those named, those of the folder, those of rogsim."""
    found: dict[str, Offered] = {}
    if desk.opened is not None and desk.opened.kind == "change":
        found[desk.opened.name] = _own(desk.opened.name, desk.opened.path)
    for path in sorted(FOLDER.glob(f"*{SUFFIX}")):
        if is_plain_file(path) and path.stem not in found:
            found[path.stem] = _own(path.stem, path)
    for one in shipped_scenarios():
        found.setdefault(one.name, Offered(one.name, one.path, one.game, one.question, False))
    return found


def _own(name: str, path: Path) -> Offered:
    try:
        text = read_text(path, MOST_BYTES)
    except (OSError, ValueError):
        return Offered(name, path, "", "cannot be read", True)
    return Offered(name, path, "", question_of(text), True)


def stored(folder: Path = REPORTS) -> list[Stored]:
    """Return the results and reports of the current folder, the latest first."""
    found = [one for path in _folders(folder) for one in _read(path)]
    return sorted(found, key=lambda one: one.written, reverse=True)[:MOST_LISTED]


def _folders(folder: Path) -> Iterator[Path]:
    if is_plain_folder(folder):
        yield from (path for path in sorted(folder.iterdir()) if is_plain_folder(path))


def _read(path: Path) -> Iterator[Stored]:
    if is_plain_file(path / MANIFEST):
        try:
            found = read_manifest(path)
        except RogsimError:
            return
        games = sum(chunk.stop - chunk.start for chunk in found.chunks)
        yield Stored(path.name, path, "results", _time(path / MANIFEST), found.question, "", games)
    elif is_plain_file(path / DATA):
        try:
            data = parse_json(read_bytes(path / DATA, MOST_BYTES))
            title, answer = str(data.get("question") or data.get("title", "")), str(data.get("answer", ""))
        except (OSError, ValueError, AttributeError):
            return
        yield Stored(path.name, path, "report", _time(path / DATA), title, answer)


def _time(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def routes(desk: Desk) -> list[Route]:
    """Return the addresses of this page."""

    async def home(request: Request) -> Response:
        scenarios, results = await run_in_threadpool(lambda: (offered(desk), stored()))
        own = [one for one in scenarios.values() if one.is_own]
        shipped = [one for one in scenarios.values() if not one.is_own]
        games = {one.game for one in shipped}
        by_game = {game: [one for one in shipped if one.game == game] for game in sorted(games)}
        return desk.page(request, "home.html", own=own, by_game=by_game, results=results)

    return [Route("/", home, name="home")]
