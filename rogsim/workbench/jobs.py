"""Work that takes longer than a page: it goes on in a thread, and its page leads to what it made."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rogsim.base.errors import RogsimError
from rogsim.base.progress import Advance
from rogsim.workbench.site import Desk, Work


class StoppedError(RogsimError):
    """Somebody stopped games that were being played."""


@dataclass
class Job(Work):
    """Something that is being made; only one is made at a time, and written in whole or not at all.

    Attributes
    ----------
    title
        What is being made: "Making the report".
    work
        Makes it, and returns the address of its page.
    said
        How many games are played, if games are played: then it can be stopped.
    """

    title: str
    work: Callable[[Job], str]
    place: str = ""
    problem: str = ""
    said: str = ""
    begun: float = field(default_factory=time.monotonic)
    over: threading.Event = field(default_factory=threading.Event)
    _stopped: threading.Event = field(default_factory=threading.Event)

    def run(self, alone: threading.Lock) -> None:
        """Make it."""
        try:
            with alone:
                self.place = self.work(self)
        except RogsimError as fault:
            self.problem = str(fault)
        except Exception:
            self.problem = "This could not be made: the terminal says why."
            raise
        finally:
            self.over.set()

    @contextmanager
    def bar(self, games: int, done: int = 0, workers: int | None = None) -> Iterator[Advance]:
        """Tell how many games are played, in place of `rogsim.base.progress.progress_bar`."""
        self.said = f"Playing {games:,} games."

        def advance(count: int) -> None:
            nonlocal done
            done += count
            self.said = f"{done:,} of {games:,} games are played."
            if self._stopped.is_set():
                raise StoppedError("stopped on its page")

        yield advance

    def stop(self) -> None:
        """Play no more games."""
        self._stopped.set()

    def wait(self, seconds: float) -> None:
        """Wait at most so long until its games are stored."""
        self.over.wait(seconds if self.said else 0)


def start(desk: Desk, title: str, work: Callable[[Job], str]) -> Response:
    """Begin some work, and lead to its page."""
    job, number = Job(title, work), secrets.token_hex(8)
    with desk.lock:
        desk.work[number] = job
    threading.Thread(target=job.run, args=(desk.playing,), daemon=True).start()
    return RedirectResponse(f"/work/{number}", 303)


def routes(desk: Desk) -> list[Route]:
    """Return the address of this page."""

    async def show(request: Request) -> Response:
        job = desk.work.get(request.path_params["number"])
        if not isinstance(job, Job):
            raise HTTPException(404, "That is not being made any more.")
        if request.method == "POST":
            job.stop()
            return RedirectResponse(request.url.path, 303)
        if job.problem:
            raise RogsimError(job.problem)
        if job.place:
            return RedirectResponse(job.place, 303)
        note = job.said or f"{int(time.monotonic() - job.begun)} seconds so far."
        return desk.waiting(request, job.title, note, stop=request.url.path if job.said else "")

    return [Route("/work/{number}", show, methods=["GET", "POST"], name="work")]
