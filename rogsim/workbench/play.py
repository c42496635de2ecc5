"""Play a game: some seats for people, the others for bots, with the rules of a scenario and its changes."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rogsim.base.files import REPORTS
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.simulation.session import Session
from rogsim.simulation.traces import write_lines
from rogsim.workbench.position import drawn, phrase
from rogsim.workbench.site import Desk, form_of
from rogsim.workbench.wish import Wish

PERSON = "person"
FOLDER = REPORTS / "played"
MOST_DEAL = 2**31


@dataclass
class Table:
    """A game at which people play: its session, which seats they have, and what has been said since their last choice.

    Attributes
    ----------
    wish
        The scenario with its changes.
    seats
        What plays at each seat: `PERSON`, or the name of a bot.
    told
        What others did since the last choice of a person: pairs of a seat and what it did.
    """

    wish: Wish
    session: Session
    seats: tuple[str, ...]
    told: list[tuple[int, str]] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)  # how many actions there were before each choice of a person
    saved: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def people(self) -> list[int]:
        """Return the seats of people."""
        return [seat for seat, name in enumerate(self.seats) if name == PERSON]

    def go_on(self) -> None:
        """Let the bots choose until a person must, or the game is over."""
        session = self.session
        while not session.is_over and self.seats[session.actor] != PERSON:
            state, seat = session.state, session.actor
            session.play_bots(1)
            words = session.spec.rules.action_to_dict(session._setup, state, session.taken[-1])
            self.told.append((seat, phrase(words)))
        if session.is_over and not self.saved:
            FOLDER.mkdir(parents=True, exist_ok=True)
            path = FOLDER / f"{session.spec.id}-deal-{session.deal}-{secrets.token_hex(3)}.jsonl"
            write_lines(iter([session.to_trace()]), path)
            self.saved = path.as_posix()

    def choose(self, action: int, step: int) -> None:
        """Carry out a choice of a person; one that was sent twice, or for another position, changes nothing."""
        with self.lock:
            if step == len(self.session.taken) and not self.session.is_over and action in self.session.legal:
                self.marks.append(step)
                self.told = []
                self.session.apply(action)
                self.go_on()

    def undo(self) -> None:
        """Take back the last choice of a person, and all that followed."""
        with self.lock:
            if self.marks and not self.session.is_over:
                kept = self.session.taken[: self.marks.pop()]
                self.session.restart(seed=self.session.seed, deal=self.session.deal)
                for action in kept:
                    self.session.apply(action)
                self.told = []

    def stop(self) -> None:
        """Do nothing: a table waits for people."""


def routes(desk: Desk) -> list[Route]:
    """Return the addresses of these pages."""

    async def offer(request: Request) -> Response:
        wish = Wish.of(desk, request)
        experiment = await run_in_threadpool(wish.experiment, bool(wish.change))
        players = experiment.scenario.players[-1]
        bots = [bot.name for bot in experiment.spec.bots]
        return desk.page(request, "offer.html", wish=wish, spec=experiment.spec, players=players, bots=bots)

    async def begin(request: Request) -> Response:
        wish = Wish.of(desk, request)
        table = await run_in_threadpool(_table_of, wish, await form_of(request))
        number = secrets.token_hex(8)
        with desk.lock:
            desk.work[number] = table
        return RedirectResponse(f"/table/{number}", 303)

    def table_of(request: Request) -> Table:
        found = desk.work.get(request.path_params["number"])
        if not isinstance(found, Table):
            raise HTTPException(404, "That game is not here any more.")
        return found

    async def show(request: Request) -> Response:
        table = table_of(request)
        session = table.session
        seat = table.people[0] if session.is_over and table.people else 0 if session.is_over else session.actor
        hidden = len(table.people) > 1 and not session.is_over and "show" not in request.query_params
        view = session.state if session.is_over else session.observe(seat)
        rules, setup = session.spec.rules, session._setup
        choices = (
            []
            if session.is_over or hidden
            else [(action, phrase(rules.action_to_dict(setup, view, action))) for action in session.legal]
        )
        picture = None if hidden else await run_in_threadpool(drawn, session.spec, setup, view)
        points = [int(rules.points(session.state, one)) for one in range(session.players)]
        return desk.page(
            request,
            "table.html",
            table=table,
            session=session,
            seat=seat,
            hidden=hidden,
            choices=choices,
            picture=picture,
            points=points,
            step=len(session.taken),
            number=request.path_params["number"],
            Markup=Markup,
        )

    async def choose(request: Request) -> Response:
        table, form = table_of(request), await form_of(request)
        action, step = form.get("action", ""), form.get("step", "")
        if action.isdecimal() and step.isdecimal() and len(action) < 9 and len(step) < 9:
            await run_in_threadpool(table.choose, int(action), int(step))
        shown = "?show=1" if len(table.people) == 1 else ""
        return RedirectResponse(f"/table/{request.path_params['number']}{shown}", 303)

    async def undo(request: Request) -> Response:
        await run_in_threadpool(table_of(request).undo)
        return RedirectResponse(f"/table/{request.path_params['number']}?show=1", 303)

    return [
        Route("/play/{name}", offer, name="play"),
        Route("/play/{name}", begin, methods=["POST"], name="begin"),
        Route("/table/{number}", show, name="table"),
        Route("/table/{number}/choose", choose, methods=["POST"], name="choose"),
        Route("/table/{number}/undo", undo, methods=["POST"], name="undo"),
    ]


def _table_of(wish: Wish, form: Mapping[str, str]) -> Table:
    """Return a new table; ScenarioError if the game cannot be played so."""
    experiment = wish.experiment(bool(wish.change))
    spec, players = experiment.spec, experiment.scenario.players[-1]
    known = {bot.name for bot in spec.bots}
    seats = tuple(form.get(f"seat-{seat}", PERSON) for seat in range(players))
    if wrong := [name for name in seats if name != PERSON and name not in known]:
        raise HTTPException(400, f"There is no bot {wrong[0]}.")
    ready = {name: compile_bot(spec, find_bot(spec, name, experiment.folder)) for name in set(seats) - {PERSON}}
    deal = form.get("deal", "")
    number = int(deal) if deal.isdecimal() and len(deal) < 10 else secrets.randbelow(MOST_DEAL)
    bots = [ready.get(name) for name in seats]
    session = Session(spec, experiment.setups[players], players, experiment.scenario.seed, number, bots)
    table = Table(wish, session, seats)
    table.go_on()
    return table
