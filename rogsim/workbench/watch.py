"""Watch a game: the board at every step, what was chosen and could have been, and the chances to win on the way.

Games come from a scenario, from a results folder, or from a file of traces.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYetError
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from rogsim.base.errors import RogsimError
from rogsim.base.files import REPORTS, is_plain_file
from rogsim.bots.names import read_bot_name
from rogsim.results.best_games import KINDS, best_games
from rogsim.results.manifest import MANIFEST
from rogsim.results.verify import stored_run
from rogsim.simulation.traces import traces_in
from rogsim.workbench.change import event
from rogsim.workbench.export import one_file
from rogsim.workbench.home import TRACES, stored
from rogsim.workbench.played import Played, play_game, replay
from rogsim.workbench.site import Desk
from rogsim.workbench.watched import HIGH, SHOWN, WIDE, Watched
from rogsim.workbench.wish import Wish

KEPT = 8  # games in memory
PATIENCE = 1.0  # seconds until a page says that the game is being played
THINKING = 0.3  # seconds between two looks at what is found by playing on
MOST_LISTED = 200  # games of a file of traces
MOST_DIGITS = 9  # of a number in an address


@dataclass(frozen=True)
class Source:
    """A game that can be watched.

    Attributes
    ----------
    path, query
        Its address, without the step.
    title
        Where it comes from.
    load
        Plays it, or reads it.
    stamp
        Changes when a file does from which it comes.
    wish
        The scenario it comes from, if it does.
    """

    path: str
    query: tuple[tuple[str, str], ...]
    title: str
    game: int
    load: Callable[[], Played] = field(compare=False)
    stamp: int = 0
    wish: Wish | None = field(default=None, compare=False)

    def at(self, step: int, page: str = "") -> str:
        """Return the address of a step, of the page itself or of one below it."""
        return f"{self.path}{page}?{urlencode([*self.query, ('step', step)])}"


class NotPlayedError(RogsimError):
    """Bots are files that nobody has asked to run."""


def number_in(asked: Mapping[str, str], name: str, most: int | None = None) -> int:
    """Return a number of an address, 0 if it is not given; HTTPException if it is none, or too large."""
    text = asked.get(name, "0")
    if not (text.isascii() and text.isdecimal()) or len(text) > MOST_DIGITS:
        raise HTTPException(400, f"{name} must be a whole number of at most {MOST_DIGITS} digits.")
    if most is not None and int(text) > most:
        raise HTTPException(400, f"{name} must be at most {most}.")
    return int(text)


def traces_of(desk: Desk) -> dict[str, Path]:
    """Return the files of traces that may be opened, by name: the one named, and those of the folder and its reports."""
    found = {desk.opened.name: desk.opened.path} if desk.opened and desk.opened.kind == "trace" else {}
    for folder in (Path(), REPORTS, REPORTS / "played"):
        for path in sorted(folder.glob(f"*{TRACES}")):
            if is_plain_file(path):
                found.setdefault(path.stem, path)
    return found


def results_of(desk: Desk) -> dict[str, Path]:
    """Return the results folders that may be opened, by name."""
    found = {one.name: one.path for one in stored() if one.kind == "results"}
    if desk.opened and desk.opened.kind == "results":
        found[desk.opened.name] = desk.opened.path
    return found


def _named(found: Mapping[str, Path], request: Request, what: str) -> tuple[str, Path]:
    name = request.path_params["name"]
    if name not in found:
        raise HTTPException(404, f"There {what} {name} here.")
    return name, found[name]


def _stamp(*paths: Path) -> int:
    """Return when the last of some files was changed."""
    return max((path.stat().st_mtime_ns for path in paths if path.exists()), default=0)


class Games:
    """The games in memory, and those that are being played."""

    def __init__(self) -> None:
        self._known: OrderedDict[Source, Future[Watched]] = OrderedDict()
        self._lock, self._alone = threading.Lock(), threading.Lock()

    def begin(self, source: Source) -> Future[Watched]:
        """Return a game that is in memory, or begin to play it."""
        with self._lock:
            future = self._known.get(source)
            if future is None or (future.done() and future.exception()):
                future = self._known[source] = Future()
                threading.Thread(target=self._play, args=(source, future), daemon=True).start()
            self._known.move_to_end(source)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
            return future

    def _play(self, source: Source, future: Future[Watched]) -> None:
        try:
            with self._alone:
                future.set_result(Watched(source.load()))
        except BaseException as fault:  # the page that waits tells it
            future.set_exception(fault)


def routes(desk: Desk) -> list[Route]:
    """Return the addresses of these pages."""
    games = Games()
    asked_for: set[Source] = set()  # games whose bot files somebody has asked to run

    def of_scenario(request: Request) -> Source:
        wish, asked = Wish.of(desk, request), request.query_params
        game, folder = number_in(asked, "game"), wish.scenario.path.parent
        query = [(name, value) for name, value in asked.multi_items() if name not in ("step", "game")]

        def load() -> Played:
            known = wish.experiment(bool(wish.change), run_programs=False)
            own = {info.name for info in known.spec.bots} | set(
                replace(wish, bots="").experiment(False, run_programs=False).scenario.bots
            )
            if strange := [name for name in known.scenario.bots if name not in own]:
                raise HTTPException(400, f"There is no bot {strange[0]} in this scenario.")
            if programs := [name for name in known.scenario.bots if read_bot_name(name).is_program]:
                if source not in asked_for:
                    raise NotPlayedError(", ".join(programs))
                known = wish.experiment(bool(wish.change))
            return play_game(known, known.scenario.players[-1], game)

        stamp = _stamp(wish.scenario.path, *folder.glob("*.toml"), *folder.glob("*.py"))
        path = f"/watch/{quote(wish.scenario.name, '')}"
        source = Source(path, (*query, ("game", str(game))), wish.scenario.name, game, load, stamp, wish)
        return source

    def of_results(request: Request) -> Source:
        (name, folder), asked = _named(results_of(desk), request, "are no results"), request.query_params
        players, game = number_in(asked, "players"), number_in(asked, "game")

        def load() -> Played:
            run = stored_run(folder, desk.bots_from)
            if players not in run.manifest.wanted:
                raise HTTPException(400, f"players must be one of {', '.join(map(str, run.manifest.wanted))}.")
            return play_game(run.experiment, players, game)

        query = (("players", str(players)), ("game", str(game)))
        path = f"/results/{quote(name, '')}/watch"
        return Source(path, query, name, game, load, _stamp(folder / MANIFEST))

    def of_traces(request: Request) -> Source:
        name, path = _named(traces_of(desk), request, "is no file of traces")
        game = number_in(request.query_params, "game")

        def load() -> Played:
            trace = next(islice(traces_in(path), max(game - 1, 0), None), None)
            if not game or trace is None:
                raise HTTPException(404, f"{name} has no game {game}: they are counted from 1.")
            return replay(trace)

        return Source(f"/trace/{quote(name, '')}", (("game", str(game)),), name, game, load, _stamp(path))

    async def found(source: Source) -> Watched | None:
        """Return a game; None if it is not there yet."""
        try:
            return await run_in_threadpool(games.begin(source).result, PATIENCE)
        except NotYetError:
            return None

    def step_of(request: Request, watched: Watched) -> int:
        return number_in(request.query_params, "step", watched.played.last)

    def shown(watched: Watched, step: int, source: Source) -> dict[str, Any]:
        return {
            "watched": watched,
            "played": watched.played,
            "step": step,
            "frame": watched.frame(step),
            "source": source,
            "Markup": Markup,
            "wide": WIDE,
            "high": HIGH,
            "shown": SHOWN,
        }

    async def show(request: Request, source: Source) -> Response:
        try:
            watched = await found(source)
        except NotPlayedError as programs:
            return desk.page(request, "watch_ask.html", source=source, programs=str(programs))
        if watched is None:
            waiting = desk.page(request, "watch_wait.html", source=source)
            waiting.headers["Refresh"] = "1"
            return waiting
        step = step_of(request, watched)
        return desk.page(request, "watch.html", **await run_in_threadpool(shown, watched, step, source))

    async def judged(request: Request, source: Source) -> Response:
        if (watched := await found(source)) is None:
            raise HTTPException(404, "This game is not here yet.")
        step = step_of(request, watched)
        return StreamingResponse(_events(watched, step, source), media_type="text/event-stream")

    async def _events(watched: Watched, step: int, source: Source) -> AsyncIterator[str]:
        """Yield what is known at each look, until all is known or the page is left."""
        template, more = desk.templates.get_template("watch_judged.html"), True
        while more:
            more = await run_in_threadpool(watched.think, step, THINKING)
            text = await run_in_threadpool(lambda: template.render(**shown(watched, step, source)))
            yield event(text)
        yield "event: over\ndata: over\n\n"

    async def export(request: Request, source: Source) -> Response:
        if (watched := await found(source)) is None:
            raise HTTPException(404, "This game is not here yet.")
        page = await run_in_threadpool(one_file, desk.templates, watched, shown, source)
        name = f"{watched.played.spec.id}-{source.game}.html"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(page, headers=headers, media_type="text/html; charset=utf-8")

    async def ask(request: Request) -> Response:
        source = of_scenario(request)
        asked_for.add(source)
        return RedirectResponse(source.at(0), 303)

    async def best(request: Request) -> Response:
        """List the games of results that are worth watching."""
        name, folder = _named(results_of(desk), request, "are no results")
        rows = await run_in_threadpool(best_games, folder, list(KINDS), desk.bots_from)
        return desk.page(request, "watch_best.html", name=name, rows=rows)

    async def listed(request: Request) -> Response:
        """List the games of a file of traces."""
        name, path = _named(traces_of(desk), request, "is no file of traces")
        rows = await run_in_threadpool(lambda: list(islice(traces_in(path), MOST_LISTED + 1)))
        return desk.page(request, "watch_traces.html", name=name, rows=rows[:MOST_LISTED], more=len(rows) > MOST_LISTED)

    def pages(path: str, source_of: Callable[[Request], Source], without: Any = None) -> list[Route]:
        """Return the addresses of the games of a kind; `without` is the page of an address that names no game."""

        def page(answer: Any) -> Any:
            async def answered(request: Request) -> Response:
                if without and "game" not in request.query_params:
                    response: Response = await without(request)
                else:
                    response = await answer(request, await run_in_threadpool(source_of, request))
                return response

            return answered

        return [
            Route(path, page(show)),
            Route(f"{path}/judged", page(judged)),
            Route(f"{path}/export", page(export)),
        ]

    return [
        *pages("/watch/{name}", of_scenario),
        Route("/watch/{name}", ask, methods=["POST"]),
        *pages("/results/{name}/watch", of_results, best),
        *pages("/trace/{name}", of_traces, listed),
    ]
