"""What the pages of the workbench work with, and how they are shown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from rogsim.base.files import REPORTS
from rogsim.base.text import safe
from rogsim.report.words import interval, number

COMPILED = "After a change of rogsim or its games, the rules are compiled first: that takes one or two minutes, once."
MOST_DIGITS = 9  # of a number that is sent
STORE = REPORTS / "games"
PATIENCE = 10.0  # seconds that the end waits for games that are being played


@dataclass(frozen=True)
class Opened:
    """What was named on the command line: its kind, which begins its address, and where it is."""

    kind: str
    path: Path

    @property
    def name(self) -> str:
        """Return what it is called on pages."""
        return self.path.stem if self.path.suffix else self.path.resolve().name


class Work:
    """Something that goes on while pages are shown."""

    def stop(self) -> None:
        """Let it end soon."""

    def wait(self, seconds: float) -> None:
        """Wait at most so long until what it has is stored."""


@dataclass
class Desk:
    """What the pages work with: the current folder, and what was named on the command line.

    Attributes
    ----------
    opened
        What was named on the command line, which may be outside the folder.
    jobs
        The number of workers; by default one per processor.
    bots_from
        The folder that the paths of bots are relative to; without it no bot file is run.
    """

    opened: Opened | None = None
    jobs: int | None = None
    bots_from: Path | None = None
    stop_server: Callable[[], None] = lambda: None
    is_closing: bool = False  # so streams end
    work: dict[str, Work] = field(default_factory=dict)  # what runs, by its address
    ready: set[Any] = field(default_factory=set)  # games and bots that are loaded, or will soon be
    lock: threading.Lock = field(default_factory=threading.Lock)  # of `work`
    playing: threading.Lock = field(default_factory=threading.Lock)  # held while games are played

    @cached_property
    def templates(self) -> Environment:
        """Return the templates; all that they show is escaped."""
        found = Environment(
            loader=PackageLoader("rogsim.workbench"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        found.filters["safe_text"] = safe
        found.globals |= {"number": number, "interval": interval}
        return found

    def waiting(self, request: Request, title: str, note: str, stop: str = "") -> Response:
        """Return a page that asks again until there is another one.

        stop: the address that ends what it waits for, if there is one.
        """
        return self.page(request, "wait.html", title=title, note=note, stop=stop)

    def page(self, request: Request, template_name: str, /, **shown: Any) -> Response:
        """Return a page."""
        template = self.templates.get_template(template_name)
        return HTMLResponse(template.render(request=request, desk=self, **shown))

    def close(self) -> None:
        """Stop all that runs; signals call this, so it waits for nothing."""
        self.is_closing = True
        for each in list(self.work.values()):
            each.stop()

    def end(self) -> None:
        """Stop all that runs, and wait until it is stored."""
        self.close()
        for each in list(self.work.values()):
            each.wait(PATIENCE)


def number_in(given: Mapping[str, str], name: str, most: int | None = None) -> int | None:
    """Return a whole number that was sent, None if there is none; HTTPException for anything else, or a larger one."""
    text = given.get(name, "")
    if text and not (text.isdecimal() and text.isascii() and len(text) <= MOST_DIGITS):
        raise HTTPException(400, f"{name} must be a whole number of at most {MOST_DIGITS} digits.")
    if text and most is not None and int(text) > most:
        raise HTTPException(400, f"{name} must be at most {most}.")
    return int(text) if text else None


async def form_of(request: Request) -> dict[str, str]:
    """Return what a form sends."""
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True))
