"""Change a rule and watch what it does: the page, its address, and what streams to it while games are played."""

from __future__ import annotations

import re
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from rogsim.base.errors import RogsimError
from rogsim.experiments.design_points import DesignPoint, Resources
from rogsim.game.parameters import Parameter, allowed_words, favours_words, places_of
from rogsim.game.spec import GameSpec
from rogsim.scenario.changes import change_notes
from rogsim.scenario.model import check_options
from rogsim.simulation.batch import backend_for, make_ready, run_batch
from rogsim.workbench import keep, result
from rogsim.workbench.home import offered
from rogsim.workbench.jobs import start
from rogsim.workbench.site import STORE, Desk, Work, form_of
from rogsim.workbench.trial import Look, Trial, stored_look
from rogsim.workbench.wish import CHANGED, OPTION, Wish, is_loaded, is_number, parameter, typed

FOUND = 40  # parameters listed at once
ALONE = 10.0  # seconds without a page until a trial stops: one that is loaded again is back sooner
PATIENCE = 3.0  # seconds that a page waits for a trial to stop


@dataclass(frozen=True)
class Field:
    """What may be set, as a page shows it: a parameter that is changed, or an option of the game.

    Attributes
    ----------
    name
        Its name in an address.
    printed
        Its value in the scenario and in the game.
    words
        The values to choose from; empty for a number or a text.
    hints
        Some values of a text.
    """

    name: str
    label: str
    meaning: str
    printed: str
    allowed: str
    value: str
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()
    favours: str = ""
    source: str = ""
    is_number: bool = False
    hints: tuple[str, ...] = ()

    @classmethod
    def of(cls, fact: Parameter, value: str | None = None, now: Any = None) -> Field:
        """Describe a parameter; `value`: what it is changed to, `now`: its value in the scenario."""
        words = ("true", "false") if type(fact.value) is bool else () if fact.places else fact.words
        printed = typed(fact.value)
        scenario = "" if now is None or now == fact.value else f"{typed(now)} in this scenario, "
        return cls(
            f"{CHANGED}{fact.name}",
            fact.name,
            fact.meaning,
            f"{scenario}printed {printed}",
            allowed_words(fact),
            printed if value is None else value,
            None if fact.places else fact.low,
            None if fact.places else fact.high,
            words,
            favours_words(fact),
            fact.reconstructed,
            is_number(fact),
        )


def option_fields(wish: Wish) -> list[Field]:
    """Return the options of the game."""
    found = []
    for name, value in wish.base_options.items():
        printed = typed(value)
        wrong = check_options(wish.spec, {**wish.base_options, name: "?"})[1]
        rule = wrong[0].text.partition(": ")[2] if wrong else ""
        named = tuple(re.findall('"([^"]+)"', rule))
        words = ("true", "false") if type(value) is bool else () if " list " in rule else named
        title, given = name.replace("_", " "), wish.options.get(name, printed)
        found.append(
            Field(f"{OPTION}{name}", title, "", f"{printed} in this scenario", rule, given, words=words, hints=named)
        )
    return found


def look_up(spec: GameSpec, words: str) -> list[tuple[Parameter, list[Parameter]]]:
    """Return the parameters whose names or meanings have all of some words, each with its entries that have them."""
    wanted = [_plain(word) for word in words.split()]

    def fits(one: Parameter) -> bool:
        text = f"{one.name} {_plain(f'{one.name} {one.meaning}')}".lower()
        return all(word in text for word in wanted)

    pairs = ((fact, [one for one in places_of(fact) if fits(one)]) for fact in spec.facts())
    return [(fact, inside) for fact, inside in pairs if inside or fits(fact)]


def _plain(text: str) -> str:
    return re.sub("[._-]", " ", text.lower()).strip()


@dataclass(frozen=True)
class Listed:
    """Parameters as a page lists them: some of them, and the parts of a name that have many.

    Attributes
    ----------
    inside
        The beginning that all their names have.
    facts
        Parameters, each with its entries if it is a list.
    groups
        Longer beginnings, each with the number of its parameters and an example.
    more
        How many are not listed.
    """

    inside: str
    words: str
    facts: list[tuple[Field, list[Field]]]
    groups: list[tuple[str, int, str]]
    more: int = 0

    @property
    def path(self) -> list[str]:
        """Return the beginnings that lead here."""
        parts = self.inside.split(".")
        return [".".join(parts[: place + 1]) for place in range(len(parts))]

    @classmethod
    def of(cls, spec: GameSpec, words: str, inside: str) -> Listed:
        """List what has some words; without words, what begins with `inside`."""
        if words.strip():
            found = look_up(spec, words)
            return cls("", words, [_with_places(*one) for one in found[:FOUND]], [], max(0, len(found) - FOUND))
        depth = inside.count(".") + 1 if inside else 0
        facts = [fact for fact in spec.facts() if not inside or f"{fact.name}.".startswith(f"{inside}.")]
        if not facts and inside:
            return cls.of(spec, "", "")
        if inside and len(facts) <= FOUND:
            return cls(inside, "", [_with_places(fact, places_of(fact)) for fact in facts], [])
        parts: dict[str, list[Parameter]] = {}
        for fact in facts:
            parts.setdefault(".".join(fact.name.split(".")[: depth + 1]), []).append(fact)
        groups = [(name, len(held), held[0].meaning) for name, held in parts.items()]
        return cls(inside, "", [], groups)


def _with_places(fact: Parameter, places: list[Parameter]) -> tuple[Field, list[Field]]:
    return Field.of(fact), [Field.of(one) for one in places]


def points_of(wish: Wish, run_programs: bool = False) -> list[DesignPoint]:
    """Return what is played: the rules as they are, and as they are changed; or those of a sweep."""
    if wish.sweep:
        made = [(value, wish.experiment(True, run_programs, {wish.sweep: value})) for value in wish.values]
        points = [DesignPoint(str(value), {wish.sweep: value}, experiment) for value, experiment in made]
    else:
        points = [DesignPoint("as it is", {}, wish.experiment(False, run_programs))]
        changed = DesignPoint("changed", wish.changes, wish.experiment(True, run_programs))
        points += [changed] if changed.key != points[0].key else []
    return [point.with_games(wish.most) for point in points]


class Running(Trial, Work):
    """A trial on the workbench: it is played in a thread while pages watch it."""

    watchers = 0
    waits = True  # until something else is finished

    def start(self, alone: threading.Lock) -> None:
        """Begin to play, once the trial before has stopped."""

        def play() -> None:
            with alone:
                self.waits = False
                self.play()

        threading.Thread(target=play, daemon=True).start()
        self.leave()

    def leave(self) -> None:
        """Stop soon, unless a page watches by then."""

        def stop() -> None:
            if not self.watchers:
                self.stop()

        timer = threading.Timer(ALONE, stop)
        timer.daemon = True
        timer.start()

    def wait(self, seconds: float) -> None:
        """Wait at most so long until its games are stored."""
        self.ended.wait(seconds)


def begin(desk: Desk, wish: Wish) -> Running:
    """Return the trial of a wish, which plays; all others stop. Bots that are files are run."""
    with desk.lock:
        running = desk.work.get(wish.number)
        if isinstance(running, Running) and not running.is_over and not running.is_stopped:
            running.most = max(running.most, wish.most)
            return running
    points = points_of(wish, run_programs=True)
    with desk.lock:
        known = desk.work.get(wish.number)
        if known is not running and isinstance(known, Running):
            return known  # another click was quicker
        for other in desk.work.values():
            if isinstance(other, Running):
                other.stop()
        shown = running.looks[-1:] if isinstance(running, Running) else []
        resources = Resources(STORE, jobs=desk.jobs)
        running = desk.work[wish.number] = Running(points, resources, wish.most, bool(wish.sweep), shown)
        running.start(desk.playing)
    return running


def get_ready(desk: Desk, wish: Wish) -> None:
    """Begin to load the rules and the bots of a wish: the first games then come seconds sooner.

    Bots from elsewhere play only when somebody asks for it.
    """
    experiment = wish.experiment(False)
    kind = experiment.spec.id, experiment.scenario.players, experiment.scenario.bots
    if kind in desk.ready or not is_loaded(experiment):
        return
    desk.ready.add(kind)

    def play() -> None:
        with desk.playing, suppress(Exception):  # which a trial tells
            bots = make_ready(experiment, lambda line: None)
            if backend_for(bots).name == "threads":
                run_batch(experiment, bots, jobs=1, games=range(1))

    threading.Thread(target=play, daemon=True).start()


def _seen(desk: Desk, wish: Wish) -> tuple[Running | None, Look | None]:
    """Return the trial of a wish if there was one, and what is known from its games, which may be stored."""
    running = desk.work.get(wish.number)
    if isinstance(running, Running):
        return running, running.looks[-1] if running.looks else None
    return None, None if wish.problems else stored_look(points_of(wish), STORE, bool(wish.sweep))


class _Pages:
    """What is answered at each address of this page."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def change(self, request: Request) -> Response:
        wish = await run_in_threadpool(Wish.of, self.desk, request)
        asked = request.query_params
        new, to = _pressed(wish, asked)
        if new is not None:
            return RedirectResponse(f"{_place(new)}{to}", 303)
        return self.desk.page(request, "change.html", **await run_in_threadpool(self._shown, wish, asked))

    def _shown(self, wish: Wish, asked: Mapping[str, str]) -> dict[str, Any]:
        running, look = _seen(self.desk, wish)
        if not wish.problems:
            get_ready(self.desk, wish)
        changes = [
            Field.of(fact, value, wish.now(fact))
            for name, value in wish.change.items()
            if (fact := parameter(wish.spec, name))
        ]
        options = option_fields(wish)
        shown = {"players", "bots", "games", "sweep", *(one.name for one in (*changes, *options))}
        return {
            "wish": wish,
            "result": result.Result(wish, look, running),
            "changes": changes,
            "options": options,
            "bots": _bots(wish),
            "problems": wish.problems,
            "others": [text for name, text in wish.problems.items() if name not in shown],
            "notes": [] if wish.problems or wish.sweep else change_notes(wish.experiment(True)),
            "listed": Listed.of(wish.spec, asked.get("words", ""), asked.get("in", "")),
            "saved": asked.get("saved", "") if asked.get("saved") in offered(self.desk) else "",
        }

    async def parameters(self, request: Request) -> Response:
        wish = await run_in_threadpool(Wish.of, self.desk, request)
        words, inside = (request.query_params.get(name, "") for name in ("words", "in"))
        listed = await run_in_threadpool(Listed.of, wish.spec, words, inside)
        return self.desk.page(request, "parameters.html", wish=wish, listed=listed)

    async def _wished(self, request: Request) -> Wish:
        """Return the wish of an address and a form, which goes first."""
        words = [*request.query_params.multi_items(), *(await form_of(request)).items()]
        return await run_in_threadpool(Wish.read, self.desk, request.path_params["name"], words)

    async def play(self, request: Request) -> Response:
        wish = await self._wished(request)
        if not await run_in_threadpool(lambda: wish.problems):
            await run_in_threadpool(begin, self.desk, wish)
        return RedirectResponse(f"{_place(wish)}#main", 303)

    async def stop(self, request: Request) -> Response:
        wish = await self._wished(request)
        if isinstance(running := self.desk.work.get(wish.number), Running):
            running.stop()
            await run_in_threadpool(running.wait, PATIENCE)
        return RedirectResponse(f"{_place(wish)}#main", 303)

    async def stream(self, request: Request) -> Response:
        wish = await run_in_threadpool(Wish.of, self.desk, request)
        running = self.desk.work.get(wish.number)
        if not isinstance(running, Running):
            raise HTTPException(404, "Nothing is played here.")
        return StreamingResponse(_events(self.desk, wish, running), media_type="text/event-stream")

    async def save(self, request: Request) -> Response:
        wish, name = await self._wished(request), (await form_of(request)).get("name", "").strip()
        await run_in_threadpool(wish.checked)
        await run_in_threadpool(keep.save_scenario, wish, name)
        return RedirectResponse(f"{_place(wish)}{'&' if wish.query else '?'}saved={quote(name)}#kept", 303)

    async def report(self, request: Request) -> Response:
        wish = await self._wished(request)
        running, look = await run_in_threadpool(_seen, self.desk, wish)
        if look is None:
            raise RogsimError("No games are stored for a report: play some first.")
        if running is not None:
            running.stop()
        games = look.games
        return start(
            self.desk, "Writing the report", lambda job: keep.write_page(self.desk, wish, points_of(wish)[0], games)
        )


def routes(desk: Desk) -> list[Route]:
    """Return the addresses of this page."""
    pages, post = _Pages(desk), ["POST"]
    return [
        Route("/change/{name}", pages.change, name="change"),
        Route("/change/{name}/parameters", pages.parameters, name="parameters"),
        Route("/change/{name}/stream", pages.stream, name="stream"),
        Route("/change/{name}/play", pages.play, methods=post, name="play-on"),
        Route("/change/{name}/stop", pages.stop, methods=post, name="halt"),
        Route("/change/{name}/save", pages.save, methods=post, name="save"),
        Route("/change/{name}/report", pages.report, methods=post, name="write"),
    ]


def _place(wish: Wish) -> str:
    return f"/change/{quote(wish.scenario.name)}{wish.query and '?'}{wish.query}"


def _pressed(wish: Wish, asked: Mapping[str, str]) -> tuple[Wish | None, str]:
    """Return the wish after a button that adds, removes or sweeps a parameter, and where it is on the page."""
    if fact := parameter(wish.spec, asked.get("add", "")[:200]):
        return wish.with_change(fact.name, wish.change.get(fact.name, typed(wish.now(fact)))), f"#at-{fact.name}"
    if name := asked.get("remove"):
        return wish.with_change(name, None), "#changed"
    if name := asked.get("one"):
        return wish.with_sweep(""), f"#at-{name}"
    if wish.sweep and not wish.low:
        return wish.with_sweep(wish.sweep), f"#at-{wish.sweep}"
    return None, ""


def _bots(wish: Wish) -> list[str]:
    """Return what may take the seats: as in the scenario, each bot of the game, and a line-up that was typed."""
    offer = [wish.usual_bots, *(bot.name for bot in wish.spec.bots), *wish.base.scenario.bots]
    return list(dict.fromkeys([*offer, wish.bots] if wish.bots and "bots" not in wish.problems else offer))


async def _events(desk: Desk, wish: Wish, running: Running) -> AsyncIterator[str]:
    """Yield what is known at each look, until the trial is over or the page is closed."""
    template = desk.templates.get_template("results.html")
    running.watchers += 1
    seen, is_over = -1, False
    try:
        while not (is_over or desk.is_closing):
            looks, is_over = len(running.looks), running.is_over
            if looks > seen or is_over:
                seen = looks
                shown = result.Result(wish, running.looks[-1] if looks else None, running)
                yield event(await run_in_threadpool(lambda: template.render(wish=wish, result=shown)))  # noqa: B023
            await anyio.sleep(0.1)
        yield "event: over\ndata: over\n\n"
    finally:
        running.watchers -= 1
        running.leave()


def event(text: str) -> str:
    """Return an event with a text of several lines."""
    return "".join(f"data: {line}\n" for line in text.splitlines()) + "\n"
