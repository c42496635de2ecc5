"""Who may ask: the browser that has the token, from a page of this server, under its own name."""

from __future__ import annotations

import itertools
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rogsim.workbench.addresses import site_of
from rogsim.workbench.guard import MOST_BYTES, Guard
from rogsim.workbench.site import Desk
from tests.workbench.client import Answer, Client, running_bench

pytestmark = pytest.mark.once_uncompiled

OWN = {"origin": "http://127.0.0.1:8000"}


@pytest.fixture
def guard(desk: Desk) -> Guard:
    """The pages behind their guard."""
    return Guard(site_of(desk), 8000)


@pytest.fixture
def stranger(guard: Guard) -> Client:
    """Somebody without the token."""
    return Client(guard)


@pytest.fixture
def friend(guard: Guard) -> Client:
    """The browser that has it."""
    return Client(guard, {"cookie": f"{guard.cookie}={guard.token}"})


def test_the_token_becomes_a_strict_cookie_and_leaves_the_address(guard: Guard, stranger: Client) -> None:
    """No script can read it, and no other site can send it; the rest of the address stays."""
    answer = stranger.get(f"/change/seat-order?players=3&token={guard.token}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/change/seat-order?players=3")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


@pytest.mark.parametrize("path", ["/", "/change/seat-order", "/static/workbench.css", "/stop", "/?token=", "/?token=x"])
def test_without_the_token_there_is_nothing(stranger: Client, path: str) -> None:
    """Not even a style sheet."""
    assert stranger.get(path).status_code == 403
    assert stranger.post(path, **OWN).status_code == 403


def test_a_cookie_with_another_token_opens_nothing(guard: Guard) -> None:
    """Nor does the beginning of the right one, or one that is no text of ASCII."""
    for wrong in (guard.token[:-1], guard.token + "x", "", "é", "a=b; c"):
        client = Client(guard, {"cookie": f"{guard.cookie}={wrong}"})
        assert client.get("/").status_code == 403


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:80", "[::1]:8000", "127.0.0.1:8000.evil.example", ""],
)
def test_a_name_that_points_here_is_refused(friend: Client, host: str) -> None:
    """As in DNS rebinding: the page of another site asks this machine under its own name."""
    assert friend.get("/", host=host).status_code == 421
    assert friend.post("/stop", host=host, **OWN).status_code == 421


def test_this_machine_has_two_names(friend: Client) -> None:
    """Its number, and localhost."""
    assert (
        friend.get("/", host="127.0.0.1:8000").status_code == friend.get("/", host="localhost:8000").status_code == 200
    )


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://127.0.0.1:8001", "http://localhost:8000", "null", "x"]
)
def test_a_page_of_another_origin_is_refused(friend: Client, origin: str) -> None:
    """Another site, another port, and a page without an origin, even with the cookie."""
    assert friend.post("/stop", origin=origin).status_code == 403
    assert friend.get("/", origin=origin).status_code == 403


def test_a_form_must_say_where_it_comes_from(friend: Client) -> None:
    """Without an origin it is refused; with our own it is carried out."""
    assert friend.post("/stop").status_code == 403
    assert friend.post("/stop", **OWN).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_browser_tells_of_other_sites(friend: Client, site: str) -> None:
    """What the browser says itself counts, whatever else is right."""
    assert friend.get("/", sec_fetch_site=site).status_code == 403
    assert friend.get("/", sec_fetch_site="same-origin").status_code == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "get"])
def test_other_methods_are_refused(friend: Client, method: str) -> None:
    """Pages need no other."""
    assert friend.ask(method, "/", b"", 1, {}).status_code == 405


@pytest.mark.parametrize("length", [str(MOST_BYTES + 1), "9" * 40, "-1", "x"])
def test_a_long_form_is_refused(friend: Client, length: str) -> None:
    """By the length that it announces."""
    assert friend.post("/stop", **OWN, content_length=length).status_code == 413
    assert friend.post("/stop", **OWN, transfer_encoding="chunked").status_code == 413


def test_every_answer_keeps_other_sites_out(guard: Guard, friend: Client, stranger: Client) -> None:
    """No frame around it, nothing loaded from elsewhere, no script of its own, nothing kept."""
    for answer in (friend.get("/"), friend.get("/nothing"), stranger.get("/"), friend.get("/static/workbench.js")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"


TRAVERSALS = [
    "/static/../site.py",
    "/static/..%2fsite.py",
    "/static/%2e%2e/site.py",
    "/static//etc/passwd",
    "/static/....//site.py",
    "/change/..%2f..%2fsecret",
    "/change/%2e%2e%2fsecret",
    "/change//etc/passwd",
    "/results/../secret",
    "/results/..%2fsecret",
    "/results/%2e%2e",
    "/results/..",
    "/report/made/../../secret.html",
    "/report/made/..%2f..%2fsecret.html",
    "/report/made/%2e%2e/%2e%2e/secret.html",
    "/report/made//secret.html",
    "/report/made/figures/../../../secret.html",
    "/report/made/..\\secret.html",
    "/report/made/link.html",
    "/report/made/linked/secret.html",
    "/report/made/C:secret.html",
    "/report/made/\x00.html",
    "/report/../secret.html",
    "/trace/..%2fsecret",
    "/trace/secret",
    "/work/../secret",
    "/table/..%2fsecret",
    "/watch/..%2fsecret",
    "/play/..%2fsecret",
]


@pytest.fixture
def secret(desk: Desk, tmp_path: Path) -> str:
    """A file outside a report, to which links in the report lead."""
    (tmp_path / "secret.html").write_text("the secret", encoding="utf-8")
    (tmp_path / "secret.toml").write_text("the = 'secret'", encoding="utf-8")
    made = tmp_path / "reports" / "made"
    made.mkdir(parents=True)
    (made / "report.json").write_text('{"title": "Made"}', encoding="utf-8")
    (made / "index.html").write_text("a report", encoding="utf-8")
    (made / "link.html").symlink_to(tmp_path / "secret.html")
    (made / "linked").symlink_to(tmp_path)
    return "the secret"


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_leads_out_of_a_folder(friend: Client, secret: str, path: str) -> None:
    """With dots, coded or not, with links, and with another system's separators."""
    answer = friend.get(path)
    assert answer.status_code in (400, 404, 405)
    assert secret not in answer.text
    assert "Traceback" not in answer.text


def test_a_report_is_served_without_its_scripts(friend: Client, secret: str) -> None:
    """Only the script that rogsim itself writes may run; the files beside the page are there."""
    answer = friend.get("/report/made/index.html")
    assert (answer.status_code, answer.text) == (200, "a report")
    policy = answer.headers["content-security-policy"]
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/]{43}='; ", policy)
    assert "connect-src" not in policy


WORDS = [
    "..",
    "%2e",
    "%00",
    "\x00",
    "é",
    "<script>alert(1)</script>",
    "'\"",
    "{{7*7}}",
    "%s" * 9,
    "9" * 400,
    "-1",
    "nan",
]
PLACES = ["/{}", "/change/{}", "/play/{}", "/table/{}", "/work/{}", "/results/{}", "/trace/{}", "/report/{}"]
PLACES += ["/change/seat-order?" + part for part in ("players={}", "bots={}", "c.{}=1", "c.setup.start_koku={}")]
PLACES += [
    "/watch/seat-order?game={}",
    "/watch/seat-order?step={}",
    "/report/{}/index.html",
    "/results/{}/games?sort={}",
]
PLACES += ["/change/seat-order/parameters?words={}"]
ODD = [place.replace("{}", word) for place, word in itertools.product(PLACES, WORDS)]


@pytest.mark.parametrize("path", ODD, ids=range(len(ODD)))
def test_odd_requests_get_a_page(friend: Client, path: str) -> None:
    """Each gets an answer without an error of the server, and nothing of it is markup there."""
    answer = friend.get(path)
    assert answer.status_code in (200, 303, 400, 404, 405)
    assert_harmless(answer)


def assert_harmless(answer: Answer) -> None:
    """No error of the server, no script and no template that was filled."""
    assert answer.status_code < 500
    assert "<script>alert" not in answer.text
    assert "Traceback" not in answer.text


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40), st.binary(max_size=200))
def test_any_form_and_any_name(text: str, body: bytes) -> None:
    """Whatever is sent, the server answers."""
    client = Client(site_of(Desk(jobs=1)))
    path = "".join(f"%{byte:02x}" for byte in text.encode("utf-8", "surrogatepass"))
    for place in (f"/change/{path}", f"/table/{path}", f"/results/{path}/games", f"/report/{path}/{path}"):
        assert_harmless(client.get(place))
    assert_harmless(client.ask("POST", "/play/nothing", body, 1, {}))
    assert_harmless(client.ask("POST", f"/table/{path}/choose", body, 1, {}))


RAW = [
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"\r\n" * 50,
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n",
]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server that runs."""
    with running_bench(tmp_path_factory.mktemp("served")) as (_, address):
        yield int(address.split(":")[2].split("/")[0])


@pytest.mark.parametrize("sent", RAW, ids=range(len(RAW)))
def test_the_server_outlives_what_is_no_request(port: int, sent: bytes) -> None:
    """It refuses it, and answers the next one."""
    for request in (sent, b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % port):
        with socket.create_connection(("127.0.0.1", port), 10) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: connection.recv(65_536), b""))
            assert b" 200 " not in answer[:20]
    assert answer.startswith(b"HTTP/1.1 403 ")


def test_the_server_is_only_on_this_machine(port: int) -> None:
    """Other addresses of the machine do not lead to it."""
    names = {found[4][0] for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    for name in names:
        with pytest.raises(OSError, match=r"refused|timed out|unreachable"):
            socket.create_connection((name, port), 2).close()
