"""A game as one file."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from rogsim.workbench.export import one_file
from rogsim.workbench.played import replay
from rogsim.workbench.site import Desk
from rogsim.workbench.watch import Source, shown
from rogsim.workbench.watched import Watched
from tests.workbench.client import Bench, Client
from tests.workbench.test_watch import _known, folder, played, ready, trace_of  # noqa: F401 - fixtures

EVIL = "</script><img src=x onerror=alert(1)>"


@pytest.fixture
def exported(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game in which a bot has a name that is markup, as a file."""
    monkeypatch.setattr("rogsim.workbench.watched.LOOKS", ((5, 10), (5, 10)))
    trace = trace_of(played(), EVIL, "hold20")
    source = Source("/trace/one", (("game", "1"),), "one", 1, lambda may_run: replay(trace))
    return one_file(desk.templates, Watched(replay(trace)), shown, source)


def steps_of(page: str) -> Any:
    """What the script of the file shows."""
    (data,) = re.findall(r'<script id="steps" type="text/plain">([^<]*)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(data)))


def test_it_has_every_step(exported: str) -> None:
    """Every step is in the file, with its heading, what was done, and the chances."""
    game = played()
    steps = steps_of(exported)
    assert len(steps["frames"]) == len(steps["headings"]) == game.last + 1
    assert steps["turns"] == [*game.turns, game.last]
    for choice, frame in zip(game.choices, steps["frames"], strict=False):
        assert choice.told[0] in frame
        assert "to win" in frame
    assert "wins with" in steps["headings"][-1]


def test_it_needs_nothing(exported: str) -> None:
    """It is small, and names nothing outside itself."""
    assert len(exported) < 1_000_000
    for text in (exported, *steps_of(exported)["frames"]):
        assert not re.findall(r'(?:src|href)="(?!data:)|url\(|@import|https?://', text)


def test_it_is_a_download(folder: Path, site: Client, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """A page sends it as a file with the name of its game."""
    monkeypatch.setattr("rogsim.workbench.watched.LOOKS", ((2, 2), (2, 2)))
    ready(site, "/watch/pig?game=3&step=0")
    sent = site.get("/watch/pig/export?game=3&step=0")
    assert sent.headers["content-disposition"] == 'attachment; filename="pig-game-3.html"'
    assert len(steps_of(sent.text)["frames"]) == played().last + 1


def test_a_name_stays_a_name(exported: str) -> None:
    """The name of a bot cannot end a script or become an element."""
    for text in (exported, *steps_of(exported)["frames"]):
        assert "<img" not in text
    assert exported.count("</script>") == 2
    assert "&lt;/script&gt;&lt;img" in exported


def test_the_player_in_a_browser(exported: str, bench: Bench, tmp_path: Path) -> None:
    """From a file, keys and the slider show the steps, and the page has no problem."""
    path = tmp_path / "game.html"
    path.write_text(exported)
    page = bench.page
    page.goto(path.as_uri())
    page.wait_for_selector(".watch")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("output").startswith("2 of")
    assert page.inner_text("h1") == steps_of(exported)["headings"][2]
    page.keyboard.press("End")
    assert "wins" in page.inner_text("h1")
    page.focus("#step")
    page.keyboard.press("Home")
    assert page.inner_text("output").startswith("0 of")
    assert [problem for problem in bench.problems() if not problem.startswith("requests file")] == []
