"""Work that takes longer than a page: it goes on in a thread, and its page leads to what it made."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rogsim.base.errors import RogsimError
from rogsim.workbench.site import Desk, Work


@dataclass
class Job(Work):
    """Something that is being made; only one is made at a time, and written in whole or not at all.

    Attributes
    ----------
    title
        What is being made: "the report".
    work
        Makes it, and returns the address of its page.
    """

    title: str
    work: Callable[[], str]
    place: str = ""
    problem: str = ""
    begun: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> int:
        """Return for how long it has been made."""
        return int(time.monotonic() - self.begun)

    def run(self, alone: threading.Lock) -> None:
        """Make it."""
        try:
            with alone:
                self.place = self.work()
        except RogsimError as fault:
            self.problem = str(fault)
        except Exception:
            self.problem = "This could not be made: the terminal says why."
            raise


def start(desk: Desk, title: str, work: Callable[[], str]) -> Response:
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
        if job.place:
            if "hx-request" in request.headers:
                return Response(headers={"HX-Redirect": job.place})
            return RedirectResponse(job.place, 303)
        return desk.page(request, "job.html", job=job)

    return [Route("/work/{number}", show, name="work")]
