"""The first page: the games, and the scenarios, results, reports and traces of the current folder."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
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
PLAYED = REPORTS / "played"  # the games that people played
NEEDED = {"players", "games", "seed", "bots"}  # keys that every scenario has
FIRST = "seat-order"  # ends the name of the scenario with which a game is opened


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
    """Something of the current folder: its kind, which begins its address, when it was written, and what it says."""

    kind: str
    name: str
    path: Path
    written: datetime
    question: str = ""
    answer: str = ""
    games: int = 0
    game: str = ""
    state: str = ""


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
    shipped = shipped_scenarios()
    named = [desk.opened.path] if desk.opened is not None and desk.opened.kind == "change" else []
    for path in [*named, *sorted(FOLDER.glob(f"*{SUFFIX}")), *sorted(Path().glob(f"*{SUFFIX}"))]:
        is_shipped = any(path.resolve() == one.path.resolve() for one in shipped)
        if path.stem not in found and not is_shipped and (one := _own(path)) is not None:
            found[path.stem] = one
    for known in shipped:
        found.setdefault(known.name, Offered(known.name, known.path, known.game, known.question, False))
    return found


def _own(path: Path) -> Offered | None:
    """Describe a scenario of the folder; None for another file."""
    if not is_plain_file(path):
        return None
    try:
        text = read_text(path, MOST_BYTES)
        keys = tomllib.loads(text)
    except (OSError, ValueError):
        return None
    is_scenario = keys.keys() >= NEEDED
    return Offered(path.stem, path, str(keys.get("game", "")), question_of(text), True) if is_scenario else None


def stored() -> list[Stored]:
    """Return the results, reports and traces of the current folder, the latest first."""
    return sorted((one for path in _there() for one in _read(path)), key=lambda one: one.written, reverse=True)


def found(desk: Desk, kind: str, name: str) -> Path:
    """Return where something is that was named on the command line or is in the folder; HTTPException if nothing is."""
    if desk.opened is not None and (desk.opened.kind, desk.opened.name) == (kind, name):
        return desk.opened.path
    for path in _there():
        if name in (path.name, path.stem) and any((one.kind, one.name) == (kind, name) for one in _read(path)):
            return path
    raise HTTPException(404, f"Nothing here is called {name}, neither in {REPORTS} nor on the command line.")


def _there() -> Iterator[Path]:
    """Yield what may be results, a report or traces."""
    for folder in (Path(), REPORTS, PLAYED):
        if is_plain_folder(folder) or folder == Path():
            yield from sorted(folder.glob(f"*{TRACES}"))
    yield from sorted(REPORTS.iterdir()) if is_plain_folder(REPORTS) else ()


def _read(path: Path) -> Iterator[Stored]:
    if path.suffix == TRACES:
        if is_plain_file(path):
            yield Stored("trace", path.stem, path, _time(path))
    elif not is_plain_folder(path):
        return
    elif is_plain_file(path / MANIFEST):
        try:
            found = read_manifest(path)
        except RogsimError:
            return
        games = sum(chunk.stop - chunk.start for chunk in found.chunks)
        game = str(found.scenario["game"])
        yield Stored("results", path.name, path, _time(path / MANIFEST), found.question, "", games, game, found.state)
    elif is_plain_file(path / DATA):
        try:
            data = parse_json(read_bytes(path / DATA, MOST_BYTES))
            title, answer = str(data.get("question") or data.get("title", "")), str(data.get("answer", ""))
        except (OSError, ValueError, AttributeError):
            return
        yield Stored("report", path.name, path, _time(path / DATA), title, answer)


def _time(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).astimezone()


def _is_later(one: Offered) -> bool:
    return not one.name.endswith(FIRST)


def routes(desk: Desk) -> list[Route]:
    """Return the addresses of this page."""

    async def home(request: Request) -> Response:
        scenarios, there = await run_in_threadpool(lambda: (offered(desk), stored()[:MOST_LISTED]))
        return desk.page(
            request,
            "home.html",
            own=[one for one in scenarios.values() if one.is_own],
            shipped=[one for one in sorted(scenarios.values(), key=_is_later) if not one.is_own],
            kinds={
                "Results": [one for one in there if one.kind == "results"],
                "Reports": [one for one in there if one.kind == "report"],
                "Single games": [one for one in there if one.kind == "trace"],
            },
        )

    return [Route("/", home, name="home")]
