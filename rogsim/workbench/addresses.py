"""All pages of the workbench, by address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from rogsim.base.errors import RogsimError
from rogsim.workbench import change, home, jobs, play, stored, watch
from rogsim.workbench.site import Desk


def site_of(desk: Desk) -> Starlette:
    """Return the site."""
    routes = [route for part in (home, change, watch, play, stored, jobs) for route in part.routes(desk)]
    routes += [
        Route("/stop", _stopping(desk), methods=["POST"], name="stop"),
        Mount("/static", StaticFiles(packages=[("rogsim.workbench", "static")]), name="static"),
    ]

    def show_fault(request: Request, fault: Exception) -> Response:
        status = fault.status_code if isinstance(fault, HTTPException) else 400
        text = fault.detail if isinstance(fault, HTTPException) else str(fault)
        answer = desk.page(request, "problem.html", lines=text.splitlines(), status=status)
        answer.status_code = status
        return answer

    return Starlette(routes=routes, exception_handlers={RogsimError: show_fault, HTTPException: show_fault})


def _stopping(desk: Desk) -> Callable[[Request], Any]:
    async def stop(request: Request) -> Response:
        answer = desk.page(request, "stopped.html")
        desk.stop_server()
        return answer

    return stop
