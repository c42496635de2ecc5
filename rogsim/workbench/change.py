"""Change a rule and watch what it does: the page, its address, and what streams to it while games are played."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from rogsim.base.errors import RogsimError
from rogsim.base.text import counted
from rogsim.experiments.design_points import DesignPoint, Resources
from rogsim.game.parameters import (
    Parameter,
    ParameterError,
    allowed_words,
    favours_words,
    find_parameters,
    places_of,
)
from rogsim.game.spec import GameSpec
from rogsim.workbench.site import STORE, Desk
from rogsim.workbench.trial import Answer, Level, Trial
from rogsim.workbench.wish import Wish, typed

FOUND = 40  # parameters listed for a word
LINES = 90_000  # of an event


@dataclass(frozen=True)
class Shown:
    """A parameter as a page shows it."""

    name: str
    meaning: str
    printed: str
    allowed: str
    favours: str
    low: int | None
    high: int | None
    words: tuple[str, ...]
    value: str

    @classmethod
    def of(cls, fact: Parameter, value: str | None = None) -> Shown:
        """Describe a parameter, with its value if it is changed."""
        low, high = (fact.low, fact.high) if not fact.places and not fact.words else (None, None)
        words = fact.words if not fact.places else ()
        if type(fact.value) is bool:
            words = ("true", "false")
        printed = typed(fact.value)
        return cls(
            fact.name,
            fact.meaning,
            printed,
            allowed_words(fact),
            favours_words(fact),
            low,
            high,
            words,
            printed if value is None else value,
        )


def look_up(spec: GameSpec, words: str) -> list[Parameter]:
    """Return the parameters whose names or meanings have all of some words."""
    wanted = words.lower().split()
    if not wanted:
        return []
    found = []
    for fact in spec.facts():
        for one in places_of(fact) or [fact]:
            text = f"{one.name} {one.meaning}".replace("_", " ").replace(".", " ").lower()
            if all(word.replace("_", " ").replace(".", " ") in f"{text} {one.name}" for word in wanted):
                found.append(one)
    return found


def _parameter(spec: GameSpec, name: str) -> Parameter | None:
    try:
        found = find_parameters(spec, name)
    except ParameterError:
        return None
    return found[0] if len(found) == 1 else None


def points_of(wish: Wish) -> list[DesignPoint]:
    """Return what is played: the rules as they are, and as they are changed."""
    base = wish.experiment(changed=False)
    points = [DesignPoint("as it is", {}, base)]
    if wish.change:
        points.append(DesignPoint("changed", dict(wish.change), wish.experiment(changed=True)))
    return points


def number_of(points: list[DesignPoint]) -> str:
    """Return the address of a trial: the same games have the same."""
    return hashlib.sha256("-".join(point.key for point in points).encode()).hexdigest()[:16]


class Running(Trial):
    """A trial on the workbench: it is played in a thread while pages watch it."""

    watchers = 0

    def start(self, alone: threading.Lock) -> None:
        """Begin to play, once the trial before has stopped."""

        def play() -> None:
            with alone:
                self.play()

        threading.Thread(target=play, daemon=True).start()


def begin(desk: Desk, wish: Wish) -> Running:
    """Return the trial of a wish, which plays; all others stop."""
    points = points_of(wish)
    number = number_of(points)
    with desk.lock:
        running = desk.work.get(number)
        if running is None or running.is_over:
            for other in desk.work.values():
                other.stop()
            running = desk.work[number] = Running(points, Resources(STORE, jobs=desk.jobs))
            running.start(desk.playing)
    return running


def answer_line(answer: Answer, changed: bool) -> str:
    """Return what a trial says so far in one sentence."""
    if not answer.levels:
        return ""
    far = max(answer.levels, key=lambda level: _size(level, changed))
    if _size(far, changed) < 0:
        return f"{counted(answer.games, 'game')}: too few for an interval."
    noun = "seat" if far.name.isdigit() else ""
    name = f"{noun} {far.name}".strip()
    if changed and far.gain is not None:
        points = 100 * far.gain.value
        more = "more" if points > 0 else "fewer"
        return f"{name.capitalize()} wins {abs(points):.1f} games in 100 {more} (±{100 * far.gain.reach:.1f})."
    return f"{name.capitalize()} wins {100 * far.before.value:.1f} games in 100 (±{100 * far.before.reach:.1f}), fair are {100 * far.fair:.1f}."


def _size(level: Level, changed: bool) -> float:
    known = level.gain if changed and level.gain is not None else level.before
    if not known.reach == known.reach:
        return -1.0
    return abs(known.value) if changed else abs(known.value - level.fair)


def routes(desk: Desk) -> list[Route]:
    """Return the addresses of this page."""

    async def change(request: Request) -> Response:
        wish = Wish.of(desk, request)
        experiment = await run_in_threadpool(wish.experiment, False)
        spec = experiment.spec
        added = request.query_params.get("add", "")
        if fact := _parameter(spec, added) if added else None:
            wish = wish.with_change(fact.name, typed(fact.value))
            return RedirectResponse(f"{request.url.path}?{wish.query}", 303)
        changes = [
            Shown.of(fact, value) if (fact := _parameter(spec, name)) else None for name, value in wish.change.items()
        ]
        problem = ""
        try:
            await run_in_threadpool(wish.experiment, True)
        except RogsimError as fault:
            problem = str(fault)
        return desk.page(
            request,
            "change.html",
            wish=wish,
            experiment=experiment,
            spec=spec,
            changes=[one for one in changes if one],
            bots=list(dict.fromkeys([*experiment.scenario.bots, *(bot.name for bot in spec.bots)])),
            problem=problem,
            playing="play" in request.query_params and not problem,
        )

    async def parameters(request: Request) -> Response:
        wish = Wish.of(desk, request)
        experiment = await run_in_threadpool(wish.experiment, False)
        words = request.query_params.get("words", "")
        found = look_up(experiment.spec, words)
        shown = [(Shown.of(fact), wish.with_change(fact.name, typed(fact.value)).query) for fact in found[:FOUND]]
        return desk.page(
            request, "parameters.html", wish=wish, shown=shown, more=max(0, len(found) - FOUND), words=words
        )

    async def stream(request: Request) -> Response:
        wish = Wish.of(desk, request)
        running = await run_in_threadpool(begin, desk, wish)
        return StreamingResponse(_events(desk, running, bool(wish.change)), media_type="text/event-stream")

    async def stop(request: Request) -> Response:
        with desk.lock:
            for one in desk.work.values():
                one.stop()
        return HTMLResponse("")

    return [
        Route("/change/{name}", change, name="change"),
        Route("/change/{name}/parameters", parameters, name="parameters"),
        Route("/change/{name}/stream", stream, name="stream"),
        Route("/halt", stop, methods=["POST"], name="halt"),
    ]


async def _events(desk: Desk, running: Running, changed: bool) -> AsyncIterator[str]:
    """Yield what is known at each look, until the trial is over or the page is closed."""
    template = desk.templates.get_template("results.html")
    running.watchers += 1
    seen, told_over = -1, False
    try:
        while not told_over:
            looks, told_over = len(running.looks), running.is_over
            if looks > seen or told_over:
                seen = looks
                look = running.looks[-1] if looks else None
                text = template.render(
                    look=look, running=running, changed=changed, over=told_over, line=answer_line, scale=scale_of
                )
                yield event(text)
            await anyio.sleep(0.1)
        yield "event: over\ndata: over\n\n"
    finally:
        running.watchers -= 1
        if running.watchers == 0:
            running.stop()


def event(text: str) -> str:
    """Return an event with a text of several lines."""
    return "".join(f"data: {line}\n" for line in text.splitlines()) + "\n"


@dataclass(frozen=True)
class Scale:
    """Places on an axis of shares, from 0 to `most`, over a width."""

    most: float
    width: float

    def __call__(self, share: float) -> float:
        """Return the place of a share."""
        return round(self.width * min(max(share, 0.0), self.most) / self.most, 1)

    @property
    def ticks(self) -> list[float]:
        """Return the shares that the axis names."""
        step = 0.1 if self.most > 0.3 else 0.05
        return [step * place for place in range(int(self.most / step + 1.5))]


def scale_of(answer: Answer, width: float) -> Scale:
    """Return the axis for the levels of an answer."""
    ends = [0.1]
    for level in answer.levels:
        for known in (level.before, level.after):
            if known is not None and known.value == known.value:
                ends.append(known.value + (known.reach if known.reach == known.reach else 0.0))
    step = 0.1 if max(ends) > 0.3 else 0.05
    return Scale(min(1.0, step * (int(max(ends) / step) + 1)), width)
