"""Play a game: some seats for people, the others for bots, with the rules of a scenario and its changes."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rogsim.base.errors import RogsimError
from rogsim.game.bot import in_a_line
from rogsim.game.compiler import records
from rogsim.game.rules import copy_of
from rogsim.scenario.model import Experiment
from rogsim.simulation.session import Session, ready_bots
from rogsim.simulation.traces import write_lines
from rogsim.workbench.home import PLAYED, TRACES
from rogsim.workbench.judge import Judge
from rogsim.workbench.played import play_game
from rogsim.workbench.position import choice_of, grouped, outcome, shown
from rogsim.workbench.site import COMPILED, Desk, Work, form_of, number_in
from rogsim.workbench.wish import Wish

PERSON = "person"
MOST_TABLES = 16
MOST_DEAL = 2**31
PATIENCE = 2.0  # seconds that an answer waits for bots; after that, the page says what it waits for
HINT_WORLDS, MOST_HINT_WORLDS, HINT_SECONDS = 32, 2048, 2.0  # at once and at most; after that, no more begin


class Taken(NamedTuple):
    """A choice that was made: the position before it, the seat, what was legal, and what it took."""

    state: Any
    seat: int
    legal: tuple[int, ...]
    action: int


@dataclass
class Table(Work):
    """A game at which people play.

    Attributes
    ----------
    wish
        The scenario with its changes.
    seats
        What plays at each seat: `PERSON`, or the name of a bot.
    session, setup, bots
        The game, what `prepare` returned, and the bot of each seat (None: a person), once they are ready.
    taken
        What was chosen, from the beginning of play here.
    before
        The game before each choice of a person, with how many choices had been made: to take it back.
    doing
        What the page waits for, in words.
    problem
        Why the game cannot go on.
    saved
        The name of the trace of the finished game.
    """

    wish: Wish
    seats: tuple[str, ...]
    session: Session | None = None
    setup: Any = None
    bots: Sequence[Any] = ()
    taken: list[Taken] = field(default_factory=list)
    before: list[tuple[Session, int]] = field(default_factory=list)
    doing: str = ""
    problem: str = ""
    saved: str = ""
    hints: Mapping[int, Any] = field(default_factory=dict)  # of the present choice: what each action is worth
    hints_said: str = ""
    best: int = -1
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def people(self) -> list[int]:
        """Return the seats of people."""
        return [seat for seat, name in enumerate(self.seats) if name == PERSON]

    @property
    def game(self) -> Session:
        """Return the game; HTTPException while it is not ready."""
        if self.session is None:
            raise HTTPException(409, self.problem or "The rules are not ready yet.")
        return self.session

    @property
    def is_over(self) -> bool:
        """Return whether there is nothing more to play."""
        return bool(self.saved) or (self.session is None and bool(self.problem))

    def do(self, what: Callable[[], None], words: str) -> None:
        """Do something that may take long, and wait a little for it; nothing while something else is done."""
        with self.lock:
            if self.doing:
                return
            self.doing, self.problem = words, ""
        worker = threading.Thread(target=self._work, args=(what,), daemon=True)
        worker.start()
        worker.join(PATIENCE)

    def _work(self, what: Callable[[], None]) -> None:
        try:
            what()
        except RogsimError as fault:
            self.problem = str(fault)
        except Exception as fault:  # a stranger's game or bot may fail in any way
            self.problem = in_a_line(fault)
        finally:
            self.doing = ""

    def begin(self, experiment: Experiment, deal: int, start: tuple[int, int] | None) -> None:
        """Set a game up and let the bots choose; `start`: the number of a game of the scenario, and a step of it."""
        players, actions = len(self.seats), []
        if start is not None:
            played = play_game(experiment, players, start[0])
            deal, actions = played.session.deal, [choice.taken for choice in played.choices[: start[1]]]
        names = [None if name == PERSON else name for name in self.seats]
        self.bots = ready_bots(experiment.spec, names, players, experiment.folder)
        self.setup = experiment.setups[players]
        session = Session(experiment.spec, self.setup, players, experiment.scenario.seed, deal, self.bots)
        for action in actions:
            session.apply(action)
        self.session = session
        self.go_on()

    def go_on(self) -> None:
        """Let the bots choose until a person must, or the game is over; then store it."""
        session = self.game
        while not session.is_over and self.seats[session.actor] != PERSON:
            before = session.state, session.actor, session.legal
            session.play_bots(1)
            self.taken.append(Taken(*before, session.taken[-1]))
        if session.is_over and not self.saved:
            PLAYED.mkdir(parents=True, exist_ok=True)
            name = f"{session.spec.id}-deal-{session.deal}-{secrets.token_hex(3)}"
            write_lines(iter([session.to_trace()]), PLAYED / f"{name}{TRACES}")
            self.saved = name

    def choose(self, action: int, step: int) -> None:
        """Carry out a choice of a person; one that was sent twice, or for another position, changes nothing."""
        session = self.game

        def carry_out() -> None:
            if step == len(session.taken) and action in session.legal and self.seats[session.actor] == PERSON:
                self._keep(session)
                self.taken.append(Taken(session.state, session.actor, session.legal, action))
                session.apply(action)
                self.hints = {}
                self.go_on()

        if not session.is_over:
            self.do(carry_out, "The others choose")

    def _keep(self, session: Session) -> None:
        try:
            self.before.append((session.copy(), len(self.taken)))
        except RogsimError:  # a bot that cannot be copied: nothing before it can be taken back
            self.before.clear()

    def undo(self) -> None:
        """Take back the last choice of a person, and all that followed."""
        with self.lock:
            if self.before and not self.doing and not self.saved:
                self.session, kept = self.before.pop()
                del self.taken[kept:]
                self.hints, self.problem = {}, ""

    def judge(self) -> None:
        """Find out what each choice of the actor is worth, as far as it can know."""
        session = self.game
        judge = Judge(session.spec, self.setup, session.players, self.bots)
        sample = judge.choices(session.state, session.actor, session.legal, session.seed, len(session.taken))
        judge.play(sample, HINT_WORLDS)  # which may be compiled first
        enough = monotonic() + HINT_SECONDS
        while sample.n < MOST_HINT_WORLDS and monotonic() < enough:
            judge.play(sample, HINT_WORLDS)
        self.hints = {action: (sample.value(action), sample.gain(action, sample.best)) for action in session.legal}
        self.best = sample.best
        self.hints_said = f"{judge.words}, {sample.n:,} games for each choice"

    def told(self, viewer: int) -> list[tuple[int, str]]:
        """Return what others did since a seat last chose: pairs of a seat and what it did, as far as it was seen."""
        last = max((at for at, one in enumerate(self.taken) if one.seat == viewer), default=-1)
        return [(one.seat, self._seen(one, viewer)) for one in self.taken[last + 1 :]]

    def _seen(self, one: Taken, viewer: int) -> str:
        """Return a choice in words, unless it looks to another seat just like other choices."""
        session = self.game
        said = choice_of(session.spec, self.setup, one.state, one.action).said
        seen = self._view_after(one, one.action, viewer)
        alike = [action for action in one.legal if self._view_after(one, action, viewer) == seen]
        return said if session.is_over or len(alike) == 1 else f"Chooses something hidden, one of {len(alike)}"

    def _view_after(self, one: Taken, action: int, viewer: int) -> bytes:
        rules, after = self.game.spec.rules, records(self.game.spec.rules.state, 1)
        after[0] = copy_of(one.state)
        rules.apply(rules.tables_of(self.setup), after[0], action)
        rules.hide(after[0], viewer)
        return bytes(after.tobytes())

    def name(self, seat: int) -> str:
        """Return what a seat is called."""
        if self.seats[seat] != PERSON:
            return f"{self.seats[seat]} on seat {seat + 1}"
        return "you" if len(self.people) == 1 else f"seat {seat + 1}"

    @property
    def can_judge(self) -> bool:
        """Return whether a person has more than one choice now."""
        session = self.session
        return session is not None and len(session.legal) > 1 and self.seats[session.actor] == PERSON

    @property
    def folder(self) -> str:
        """Return where finished games are stored."""
        return PLAYED.as_posix()


def headline(table: Table) -> str:
    """Return what a page about a table says first."""
    session = table.game
    if not session.is_over:
        who = table.name(session.actor)
        return f"Turn {session.turn}: {'your choice' if who == 'you' else f'{who} chooses'}"
    return outcome(session.score(), [table.name(seat) for seat in range(session.players)])


def routes(desk: Desk) -> list[Route]:
    """Return the addresses of these pages."""

    async def offer(request: Request) -> Response:
        wish = Wish.of(desk, request)
        experiment = await run_in_threadpool(wish.checked)
        players, start = experiment.scenario.players[-1], _start(request.query_params)
        counts = [(count, replace(wish, players=str(count)).query) for count in experiment.spec.players]
        bots = _bots_of(wish)
        mine, counts = number_in(request.query_params, "seat") or 0, [] if start else counts
        return desk.page(
            request, "offer.html", wish=wish, players=players, counts=counts, bots=bots, mine=mine, start=start
        )

    async def begin(request: Request) -> Response:
        wish, form = Wish.of(desk, request), await form_of(request)
        table, ready = await run_in_threadpool(_table_of, wish, form)
        number = secrets.token_hex(8)
        with desk.lock:
            _make_room(desk.work)
            desk.work[number] = table
        await run_in_threadpool(table.do, ready, "The rules and the bots are made ready")
        return RedirectResponse(f"/table/{number}", 303)

    def table_of(request: Request) -> Table:
        found = desk.work.get(request.path_params["number"])
        if not isinstance(found, Table):
            raise HTTPException(404, "That game is not here any more: rogsim keeps the last games until it stops.")
        return found

    async def show(request: Request) -> Response:
        table, asked = table_of(request), number_in(request.query_params, "show")
        if table.doing:
            return desk.waiting(request, table.doing, COMPILED)
        number = request.path_params["number"]
        seen = await run_in_threadpool(_seen_at, table, asked)
        return desk.page(request, "table.html", table=table, number=number, **seen)

    async def change(request: Request) -> Response:
        table, form, what = table_of(request), await form_of(request), request.path_params["what"]
        action, step, seat = (number_in(form, name) for name in ("action", "step", "seat"))
        if what == "choose" and action is not None and step is not None:
            await run_in_threadpool(table.choose, action, step)
        elif what == "undo":
            await run_in_threadpool(table.undo)
        elif what == "judge" and table.can_judge:
            await run_in_threadpool(table.do, table.judge, "Games are played on after each choice")
        elif what == "go" and table.session is not None:
            await run_in_threadpool(table.do, table.go_on, "The others choose")
        at = table.session.actor if table.session is not None and not table.session.is_over else None
        kept = f"?show={seat}" if seat is not None and seat == at and what != "undo" and len(table.people) > 1 else ""
        return RedirectResponse(f"/table/{request.path_params['number']}{kept}", 303)

    return [
        Route("/play/{name}", offer, name="play"),
        Route("/play/{name}", begin, methods=["POST"], name="begin"),
        Route("/table/{number}", show, name="table"),
        Route("/table/{number}/{what:str}", change, methods=["POST"], name="change-table"),
    ]


def _start(given: Mapping[str, str]) -> tuple[int, int] | None:
    game, step = number_in(given, "game"), number_in(given, "step")
    return (game, step or 0) if game is not None else None


def _bots_of(wish: Wish) -> list[str]:
    """Return the bots that may sit at a table: those of the scenario file and of the game."""
    return list(dict.fromkeys([*wish.base.scenario.bots, *(bot.name for bot in wish.spec.bots)]))


def _table_of(wish: Wish, form: Mapping[str, str]) -> tuple[Table, Callable[[], None]]:
    """Return a new table, and what makes it ready; RogsimError or HTTPException if the game cannot be played so."""
    given, start = number_in(form, "deal"), _start(form)
    experiment = wish.checked(run_programs=start is not None)  # then the bots of the scenario play first
    players, offer = experiment.scenario.players[-1], _bots_of(wish)
    seats = tuple(form.get(f"seat-{seat}", PERSON) for seat in range(players))
    if wrong := [name for name in seats if name != PERSON and name not in offer]:
        raise HTTPException(400, f"There is no bot {wrong[0][:80]} here.")
    deal = secrets.randbelow(MOST_DEAL) if given is None else given
    table = Table(wish, seats)
    return table, lambda: table.begin(experiment, deal, start)


def _make_room(work: dict[str, Work]) -> None:
    """Keep only so many tables: the oldest go first, finished ones before others."""
    tables = [(not one.is_over, number) for number, one in work.items() if isinstance(one, Table)]
    for _, number in sorted(tables, key=lambda pair: pair[0])[: max(0, len(tables) - MOST_TABLES + 1)]:
        del work[number]


def _seen_at(table: Table, asked: int | None) -> dict[str, Any]:
    """Return what the page of a table shows."""
    with table.lock:
        session, people = table.game, table.people
        rules, over = session.spec.rules, session.is_over
        mine = not over and table.seats[session.actor] == PERSON
        seat = session.actor if mine else (people[0] if people else 0)
        if len(people) > 1 and not over and asked != seat:
            return {"state": "curtain", "seat": seat}
        view = session.state if over else session.observe(seat)
        legal = session.legal if mine else ()
        standing = session.score() if over else ()
        return {
            "state": "over" if over else "choice",
            "headline": headline(table),
            "session": session,
            "seat": seat,
            "shown": shown(session.spec, table.setup, view, seat),
            "groups": grouped(choice_of(session.spec, table.setup, view, action) for action in legal),
            "told": table.told(seat) if people else [],
            "standing": standing,
            "so_far": [int(rules.points(session.state, one)) for one in range(session.players)],
            "step": len(session.taken),
            "story": session.spec.narrate(session.to_trace()) if over else "",
        }
