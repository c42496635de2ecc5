"""Asks the pages of the workbench, in this process or as a browser does."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode

import anyio

from scripts.check_page import page_problems

ROOT = Path(__file__).parents[2]
HOST = "127.0.0.1:8000"
PATIENCE = 120_000  # milliseconds: rules may be compiled first


@dataclass(frozen=True)
class Answer:
    """What a page answered."""

    status_code: int
    headers: Mapping[str, str]
    text: str


@dataclass
class Client:
    """Asks an app as a server would; a stream is left after so many events."""

    app: Any
    headers: Mapping[str, str] = field(default_factory=dict)

    def get(self, path: str, events: int = 1_000, **headers: str) -> Answer:
        """Ask for a page."""
        return self.ask("GET", path, b"", events, headers)

    def post(self, path: str, form: Mapping[str, str] | None = None, **headers: str) -> Answer:
        """Send a form."""
        return self.ask("POST", path, urlencode(form or {}).encode(), 1_000, headers)

    def ask(self, method: str, path: str, body: bytes, events: int, headers: Mapping[str, str]) -> Answer:
        """Ask in any way; underscores in the names of headers stand for hyphens, and an empty header is left out."""
        place, _, query = path.partition("?")
        given = {"host": HOST, "content-length": str(len(body)), **self.headers}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(place),
            "raw_path": place.encode(errors="replace"),
            "query_string": query.encode(errors="replace"),
            "root_path": "",
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in given.items() if value],
            "client": ("127.0.0.1", 50_000),
            "server": ("127.0.0.1", 8000),
        }
        with ThreadPoolExecutor(1) as apart:  # the browser has a loop of its own in this thread
            return apart.submit(anyio.run, self._ask, scope, body, events).result()

    async def _ask(self, scope: dict[str, Any], body: bytes, events: int) -> Answer:
        left, parts, start = anyio.Event(), [], {}
        asked = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if asked:
                return asked.pop()
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                parts.append(message.get("body", b""))
                if b"".join(parts).count(b"\n\n") >= events or not message.get("more_body"):
                    left.set()

        await self.app(scope, receive, send)
        headers = {name.decode(): value.decode("latin-1") for name, value in start["headers"]}
        return Answer(start["status"], headers, b"".join(parts).decode(errors="replace"))


@dataclass
class Bench:
    """A workbench that runs, and a page of a browser that shows it.

    said: what went to the console, and requests to elsewhere.
    """

    process: subprocess.Popen[str]
    address: str
    folder: Path
    page: Any
    said: list[str]

    @property
    def origin(self) -> str:
        """The address without its path."""
        return "/".join(self.address.split("/")[:3])

    def go(self, path: str) -> None:
        """Open a page by its path."""
        self.page.goto(self.origin + path)

    def problems(self) -> list[str]:
        """What is wrong with the page as it is now: layout, headings, accessibility, console, requests."""
        return page_problems(self.page) + self.said

    def stop(self, signal_number: int = signal.SIGINT) -> int:
        """Stop the server as Ctrl-C does, and return its exit code."""
        self.process.send_signal(signal_number)
        return self.process.wait(30)


@contextmanager
def running_bench(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start `rogsim open` in a folder, with the example games: the process, and the address that it printed."""
    command = [sys.executable, "-m", "tests.workbench.with_examples", "open", *words, "--no-browser"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + (process.communicate()[1] if process.poll() is not None else "")
        yield process, found.group()
    finally:
        process.kill()
        process.communicate()


@contextmanager
def bench_in(browser: Any, folder: Path, *words: str, width: int = 1280, scheme: str = "light") -> Iterator[Bench]:
    """Start `rogsim open` in a folder and open its page."""
    with running_bench(folder, *words) as (process, address):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        bench = Bench(process, address, folder, page, [])
        page.on("console", lambda message: bench.said.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: bench.said.append(f"console: {error}"))
        page.on("request", lambda request: _note(bench, request.url))
        try:
            page.goto(address)
            yield bench
        finally:
            context.close()


def _note(bench: Bench, url: str) -> None:
    if not url.startswith((f"{bench.origin}/", "data:", "blob:")):
        bench.said.append(f"requests {url}")
