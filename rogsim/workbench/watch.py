"""Watch a game: the board at every step, what was chosen and could have been, and the chances to win on the way.

Games come from a scenario, from a results folder, or from a file of traces.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYetError
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from rogsim.base.errors import RogsimError
from rogsim.bots.names import read_bot_name
from rogsim.results.best_games import KINDS, BestGame, best_games
from rogsim.results.manifest import MANIFEST, read_manifest
from rogsim.results.verify import stored_run
from rogsim.simulation.traces import traces_in
from rogsim.workbench.change import event
from rogsim.workbench.export import one_file
from rogsim.workbench.home import found
from rogsim.workbench.played import Played, play_game, replay
from rogsim.workbench.site import COMPILED, Desk, number_in
from rogsim.workbench.watched import HIGH, SHOWN, WIDE, Watched
from rogsim.workbench.wish import Wish, changed

KEPT = 8  # games in memory
PATIENCE = 1.0  # seconds until a page says that the game is being played
THINKING = 0.3  # seconds between two looks at what is found by playing on
SIZES = {"wide": WIDE, "high": HIGH, "shown": SHOWN}  # of charts and lists
MOST_LISTED = 200  # games of a file of traces


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
        Plays it, or reads it; takes whether programs may run.
    stamp
        Changes when a file does from which it comes.
    wish
        The scenario it comes from, if it does.
    """

    path: str
    query: tuple[tuple[str, str], ...]
    title: str
    game: int
    load: Callable[[bool], Played] = field(compare=False)
    stamp: int = 0
    wish: Wish | None = field(default=None, compare=False)

    def at(self, step: int, page: str = "") -> str:
        """Return the address of a step, of the page itself or of one below it."""
        return f"{self.path}{page}?{urlencode([*self.query, ('step', step)])}"


class NotAskedError(RogsimError):
    """Bots are programs that nobody has asked to run: their names."""


class Games:
    """The games in memory, and those that are being played."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.asked_for: set[Source] = set()  # whose programs somebody has asked to run
        self._known: OrderedDict[Source, Future[Watched]] = OrderedDict()
        self._lock, self._alone = threading.Lock(), threading.Lock()

    async def get(self, source: Source) -> Watched | None:
        """Return a game; None if it is not there yet. What went wrong when it was played is raised."""
        try:
            return await run_in_threadpool(self._begun(source).result, PATIENCE)
        except NotYetError:
            return None

    def _begun(self, source: Source) -> Future[Watched]:
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
                future.set_result(Watched(source.load(source in self.asked_for)))
        except BaseException as fault:  # the page that waits tells it
            future.set_exception(fault)


def of_scenario(games: Games, request: Request) -> Source:
    """Return a game of a scenario, by its number in the plan."""
    name, asked = request.path_params["name"], request.query_params
    game = number_in(asked, "game") or 0
    wish = Wish.read(games.desk, name, [pair for pair in asked.multi_items() if pair[0] not in ("step", "game")])
    path, query = f"/watch/{quote(name, '')}", (*wish.pairs, ("game", str(game)))

    def load(may_run: bool) -> Played:
        experiment = wish.checked(run_programs=may_run)
        programs = [name for name in experiment.scenario.bots if read_bot_name(name).is_program]
        if programs and not may_run:
            raise NotAskedError(", ".join(programs))
        return play_game(experiment, experiment.scenario.players[-1], game)

    return Source(path, query, name, game, load, wish.written, wish)


def of_results(games: Games, request: Request) -> Source:
    """Return a game of stored results."""
    name, asked = request.path_params["name"], request.query_params
    folder = found(games.desk, "results", name)
    players, game = number_in(asked, "players") or 0, number_in(asked, "game") or 0

    def load(may_run: bool) -> Played:
        run = stored_run(folder, games.desk.bots_from)
        if not 0 <= game < run.manifest.wanted.get(players, 0):
            raise HTTPException(404, f"These results have no game {game} with {players} players.")
        return play_game(run.experiment, players, game)

    query = (("players", str(players)), ("game", str(game)))
    return Source(f"/results/{quote(name, '')}/watch", query, name, game, load, changed(folder / MANIFEST))


def of_traces(games: Games, request: Request) -> Source:
    """Return a game of a file of traces, counted from 1."""
    name = request.path_params["name"]
    path = found(games.desk, "trace", name)
    game = number_in(request.query_params, "game") or 0

    def load(may_run: bool) -> Played:
        trace = next(islice(traces_in(path), max(game - 1, 0), None), None)
        if not game or trace is None:
            raise HTTPException(404, f"{name} has no game {game}: they are counted from 1.")
        return replay(trace)

    return Source(f"/trace/{quote(name, '')}", (("game", str(game)),), name, game, load, changed(path))


@dataclass(frozen=True)
class Pages:
    """The pages of the games of one kind."""

    games: Games

    @property
    def desk(self) -> Desk:
        """Return what all pages work with."""
        return self.games.desk

    async def show(self, request: Request, source: Source) -> Response:
        """Show a step."""
        try:
            watched = await self.games.get(source)
        except NotAskedError as programs:
            return self.desk.page(request, "watch_ask.html", source=source, programs=str(programs))
        if watched is None:
            return self.desk.waiting(request, "Getting the game ready", COMPILED)
        step = step_of(request, watched)
        return self.desk.page(request, "watch.html", **await run_in_threadpool(shown, watched, step, source))

    async def judged(self, request: Request, source: Source) -> Response:
        """Stream what is found by playing on."""
        watched = await self._watched(source)
        events = self._events(watched, step_of(request, watched), source)
        return StreamingResponse(events, media_type="text/event-stream")

    async def _events(self, watched: Watched, step: int, source: Source) -> AsyncIterator[str]:
        """Yield what is known at each look, until all is known or the page is left."""
        template, more = self.desk.templates.get_template("watch_judged.html"), True
        while more and not self.desk.is_closing:
            more = await run_in_threadpool(watched.think, step, THINKING)
            yield event(await run_in_threadpool(lambda: template.render(**shown(watched, step, source))))
        yield "event: over\ndata: over\n\n"

    async def export(self, request: Request, source: Source) -> Response:
        """Send the game as one file; a browser shows at once that it comes, though playing on takes some time."""
        watched = await self._watched(source)

        async def content() -> AsyncIterator[str]:
            yield await run_in_threadpool(one_file, self.desk.templates, watched, shown, source)

        name = f"{watched.played.spec.id}-game-{source.game}.html"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingResponse(content(), headers=headers, media_type="text/html; charset=utf-8")

    async def _watched(self, source: Source) -> Watched:
        if (watched := await self.games.get(source)) is None:
            raise HTTPException(404, "This game is not here yet.")
        return watched

    async def ask(self, request: Request, source: Source) -> Response:
        """Let the programs of a game run."""
        self.games.asked_for.add(source)
        return RedirectResponse(source.at(0), 303)

    async def best(self, request: Request) -> Response:
        """List the games of results that are worth watching."""
        called = request.path_params["name"]
        folder = await run_in_threadpool(found, self.desk, "results", called)
        rows = await run_in_threadpool(_best, folder, self.desk.bots_from)
        return self.desk.page(request, "watch_best.html", called=called, rows=rows)

    async def listed(self, request: Request) -> Response:
        """List the games of a file of traces."""
        called = request.path_params["name"]
        path = await run_in_threadpool(found, self.desk, "trace", called)
        rows = await run_in_threadpool(lambda: list(islice(traces_in(path), MOST_LISTED + 1)))
        more = len(rows) > MOST_LISTED
        return self.desk.page(request, "watch_traces.html", called=called, rows=rows[:MOST_LISTED], more=more)


def _best(folder: Path, bots_from: Path | None) -> list[BestGame]:
    """Return the games of results that are worth watching, as far as their rows tell."""
    there = {name for table, name, *_ in read_manifest(folder).columns if table == "games"}
    return best_games(folder, [kind for kind, what in KINDS.items() if what.column.name in there], bots_from)


def step_of(request: Request, watched: Watched) -> int:
    """Return the step that an address names."""
    return number_in(request.query_params, "step", watched.played.last) or 0


def shown(watched: Watched, step: int, source: Source) -> dict[str, Any]:
    """Return what the templates of a step take."""
    return {
        "watched": watched,
        "played": watched.played,
        "step": step,
        "frame": watched.frame(step),
        "source": source,
        **SIZES,
    }


def routes(desk: Desk) -> list[Route]:
    """Return the addresses of these pages."""
    games = Games(desk)
    pages = Pages(games)
    sources = {
        "/watch/{name}": (of_scenario, None),
        "/results/{name}/watch": (of_results, pages.best),
        "/trace/{name}": (of_traces, pages.listed),
    }

    def page(answer: Any, path: str) -> Any:
        source_of, without = sources[path]

        async def answered(request: Request) -> Response:
            if without and "game" not in request.query_params:
                response: Response = await without(request)
            else:
                response = await answer(request, await run_in_threadpool(source_of, games, request))
            return response

        return answered

    return [
        Route("/watch/{name}", page(pages.ask, "/watch/{name}"), methods=["POST"]),
        *(Route(path, page(pages.show, path)) for path in sources),
        *(Route(f"{path}/judged", page(pages.judged, path)) for path in sources),
        *(Route(f"{path}/export", page(pages.export, path)) for path in sources),
    ]
