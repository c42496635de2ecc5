"""A game as one file."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from rogsim.simulation.traces import to_line
from tests.workbench.client import Answer, Bench, Client
from tests.workbench.test_watch import _known, folder, played, ready, trace_of  # noqa: F401 - fixtures

EVIL = "</script><img src=x onerror=alert(1)>"


@pytest.fixture
def exported(folder: Path, site: Client, monkeypatch: pytest.MonkeyPatch) -> Answer:  # noqa: F811
    """A game in which a bot has a name that is markup, as a file."""
    monkeypatch.setattr("rogsim.workbench.watched.LOOKS", ((5, 10), (5, 10)))
    Path("one.jsonl").write_text(to_line(trace_of(played(), EVIL, "hold20")))
    ready(site, "/trace/one?game=1&step=0")
    return site.get("/trace/one/export?game=1&step=0")


def steps_of(page: str) -> Any:
    """What the script of the file shows."""
    (data,) = re.findall(r'<script id="steps" type="text/plain">([^<]*)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(data)))


def test_it_has_every_step(exported: Answer) -> None:
    """Every step is in the file, with its heading, what was done, and the chances."""
    game = played()
    steps = steps_of(exported.text)
    assert len(steps["frames"]) == len(steps["headings"]) == game.last + 1
    assert steps["turns"] == [*game.turns, game.last]
    for choice, frame in zip(game.choices, steps["frames"], strict=False):
        assert choice.told[0] in frame
        assert "to win" in frame
    assert "wins with" in steps["headings"][-1]


def test_it_is_a_download_that_needs_nothing(exported: Answer) -> None:
    """It is sent as a file, is small, and names nothing outside itself."""
    assert exported.headers["content-disposition"] == 'attachment; filename="pig-game-1.html"'
    assert len(exported.text) < 1_000_000
    for text in (exported.text, *steps_of(exported.text)["frames"]):
        assert not re.findall(r'(?:src|href)="(?!data:)|url\(|@import|https?://', text)


def test_a_name_stays_a_name(exported: Answer) -> None:
    """The name of a bot cannot end a script or become an element."""
    for text in (exported.text, *steps_of(exported.text)["frames"]):
        assert "<img" not in text
    assert exported.text.count("</script>") == 2
    assert "&lt;/script&gt;&lt;img" in exported.text


def test_the_player_in_a_browser(exported: Answer, bench: Bench, tmp_path: Path) -> None:
    """From a file, keys and the slider show the steps, and the page has no problem."""
    path = tmp_path / "game.html"
    path.write_text(exported.text)
    page = bench.page
    page.goto(path.as_uri())
    page.wait_for_function("document.querySelector('.watch')")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("output").startswith("2 of")
    assert page.inner_text("h1") == steps_of(exported.text)["headings"][2]
    page.keyboard.press("End")
    assert "wins" in page.inner_text("h1")
    page.focus("#step")
    page.keyboard.press("Home")
    assert page.inner_text("output").startswith("0 of")
    assert [problem for problem in bench.problems() if not problem.startswith("requests file")] == []
