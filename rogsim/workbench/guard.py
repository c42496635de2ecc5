"""Who may ask: only pages that this server has sent to the browser that has its token.

A page of another site can send requests to this machine, too. So a request must name this server as its host, which
stops names that another site lets point here (DNS rebinding); it must not come from another site; and it needs the
token, which is in the address that `rogsim open` prints. The first page puts it in a cookie and out of the address.
"""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response

HOST = "127.0.0.1"
TOKEN = "token"
SAME = ("same-origin", "none")  # a request of our pages, or of the person at the browser
UNSAFE = ("POST",)
ALLOWED = ("GET", "HEAD", *UNSAFE)
MOST_BYTES = 100_000  # of what a form sends
OWN_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # without a referrer, the origin of a form would be null
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Refuses every request that does not come from a page of this server."""

    def __init__(self, app: Any, port: int) -> None:
        """Make a new token for the app that listens on a port of this machine."""
        self.app, self.token = app, secrets.token_urlsafe(32)
        self.hosts = (f"{HOST}:{port}", f"localhost:{port}")
        self.cookie = f"rogsim-{port}"  # cookies are shared by all ports of a host

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        answer = self.refusal(scope) or self.welcome(scope) or self.app
        await answer(scope, receive, _with_headers(send))

    def refusal(self, scope: Any) -> Response | None:
        """Return the answer to a request that comes from elsewhere."""
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self.hosts or len(headers.getlist("host")) != 1:
            return _no("This server answers only under the address that it printed.", 421)
        if scope["method"] not in ALLOWED:
            return _no("This method is not allowed.", 405)
        if origin is None and scope["method"] in UNSAFE:
            return _no("A form must be sent by a page of this server.", 403)
        if origin not in (None, f"http://{host}") or headers.get("sec-fetch-site", "none") not in SAME:
            return _no("Pages of other sites may not ask here.", 403)
        size = headers.get("content-length", "0")
        if not size.isdecimal() or len(size) > 9 or int(size) > MOST_BYTES or "transfer-encoding" in headers:
            return _no("This is too much.", 413)
        return None

    def welcome(self, scope: Any) -> Response | None:
        """Return the answer to a request with the token in its address, or without any; None with a cookie."""
        words = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True, max_num_fields=None)
        given = [value for name, value in words if name == TOKEN]
        if given and self._is_token(given[0]):
            rest = urlencode([(name, value) for name, value in words if name != TOKEN])
            answer = RedirectResponse(_same_place(scope["path"]) + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
            return answer
        if not self._is_token(self._cookie_of(scope)):
            return _no("This page needs the address that rogsim open printed, with its token.", 403)
        return None

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self.token.encode())

    def _cookie_of(self, scope: Any) -> str:
        try:
            found = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(self.cookie)
        except CookieError:
            return ""
        return found.value if found else ""


def _same_place(path: str) -> str:
    """Return a path that leads to no other host, as //elsewhere would."""
    return "/" + path.lstrip("/\\")


def _no(text: str, status: int) -> Response:
    return PlainTextResponse(f"{text}\n", status)


def _with_headers(send: Any) -> Any:
    """Return `send` for an app whose answers get the headers that keep other sites out."""

    async def with_headers(message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("Content-Security-Policy", OWN_POLICY)
        await send(message)

    return with_headers
