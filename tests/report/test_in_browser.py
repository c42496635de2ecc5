"""Every kind of page, opened in headless Chromium: layout, console, requests, sorting, accessibility."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rogsim.game.registry import register, unregister
from rogsim.game.topics import Measure, ProfileTable
from scripts.check_page import SCHEMES, WIDTHS, NoBrowserError, browser, problems
from tests.command_line import rogsim_command
from tests.dice_game import GAME
from tests.report.conftest import TOPICS

pytestmark = pytest.mark.once_compiled

LIGHT, DARK = SCHEMES
SCENARIO = """# Is any seat favoured?
game = "dice-race"
players = [2, 3]
games = 200
seed = 1
bots = ["runner"]
"""
CHANGED = '[change]\n"head_start" = [0, 1, 1, 0]\n'
SWEEP = '[sweep]\nsample = "grid"\n[sweep.over]\n"head_start.1" = { from = 0, to = 3 }\n"head_start.2" = [0, 1, 2, 3]\n'
GOAL = '[balance]\ngoal = "seat_share equal ± 5 pp"\n[balance.over]\n"head_start.2" = { from = 0, to = 5 }\n'
BROKEN = """<!doctype html><html><head><title>x</title></head><body><h2>no h1</h2>
<p>dark</p><p style="color: #ccc">pale</p><p style="color: #ccc">as pale</p>
<div style="width: 3000px">wide</div><img src="https://example.org/a.png"><script>nothing.at.all</script></body></html>
"""
COMMANDS = {
    "report": ("report", "run", "other"),
    "changes": ("report", "other", "--against", "run"),
    "compare": ("compare", "base.toml", "changed.toml"),
    "sweep": ("sweep", "sweep.toml"),
    "optimize": ("optimize", "goal.toml"),
    "tournament": (
        *("tournament", "--game", "dice-race", "--bots", "walker,moody,runner"),
        *("--games", "60", "--players", "2,3"),
    ),
    "profile": (
        *("bots", "--profile", "--game", "dice-race", "--bots", "walker,runner"),
        *("--games", "60", "--players", "2,3"),
    ),
    "settle": ("settle", "base.toml", "--bots", "walker,moody,runner", "--games", "200", "--first-look", "60"),
}


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    """A browser."""
    try:
        with browser() as found:
            yield found
    except NoBrowserError as missing:
        pytest.skip(f"pages are not opened in a browser: {missing}")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a page of each kind, of the dice race with topics."""
    folder = tmp_path_factory.mktemp("pages")
    texts = {
        "base": SCENARIO,
        "changed": SCENARIO + CHANGED,
        "sweep": SCENARIO + SWEEP,
        "goal": SCENARIO.replace("[2, 3]", "[2]") + GOAL,
    }
    for name, text in texts.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    moves = ProfileTable("moves", (Measure("spaces", ("points",)),))
    register(replace(GAME, topics=TOPICS, profile=(moves,)))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, bot in (("run", "runner"), ("other", "walker")):
            assert rogsim_command("run", "base.toml", "--bots", bot, "--out", name).code == 0
        for name, words in COMMANDS.items():
            assert rogsim_command(*words, "--out", f"pages/{name}").code == 0
        yield folder / "pages"
    unregister(GAME.id)


@pytest.mark.parametrize(("width", "scheme"), [*((width, LIGHT) for width in WIDTHS), (WIDTHS[-1], DARK)])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_has_no_problem(started: Any, pages: Path, name: str, width: int, scheme: str) -> None:
    """Nothing overflows, is requested, sorts wrongly or goes to the console, and axe-core finds nothing.

    How tables sort does not depend on the window, and axe-core looks at the narrowest and the widest one. In the dark
    only colours differ.
    """
    page, outer = pages / name / "index.html", width != WIDTHS[1]
    assert problems(started, page, width, scheme, sorting=not outer, accessibility=outer) == []


def test_a_reader_switches_bots_and_intervals(started: Any, pages: Path) -> None:
    """At first the last set of bots answers, with intervals; one click each shows another set, and hides them."""
    context = started.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    page.goto((pages / "report" / "index.html").resolve().as_uri())
    answer = page.locator(".answers li").first
    first = answer.inner_text()
    assert "With walker" in first
    assert " to " in first
    page.get_by_role("radio", name="runner").check()
    page.get_by_role("checkbox", name="95% intervals").uncheck()
    assert "With runner" in answer.inner_text()
    assert "With walker" not in answer.inner_text()
    assert " to " not in answer.inner_text()
    assert page.locator("#figure svg:visible").first.bounding_box()["y"] < 900
    context.close()


def test_a_figure_is_never_cut_off(started: Any, pages: Path) -> None:
    """Of the two drawings of a figure the one for this width is shown, and it fits."""
    for width, shown in ((380, [False, True]), (1400, [True, False])):
        context = started.new_context(viewport={"width": width, "height": 900})
        page = context.new_page()
        page.goto((pages / "report" / "index.html").resolve().as_uri())
        boxes = (
            page.locator("section > figure")
            .first.locator("svg")
            .evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
        )
        assert [box > 0 for box in boxes] == shown
        assert max(boxes) <= width
        context.close()


def test_problems_are_found(started: Any, tmp_path: Path) -> None:
    """A page with one of each: too wide, no first heading, a figure without a text, a request, an error, axe."""
    page = tmp_path / "broken.html"
    page.write_text(BROKEN, encoding="utf-8")
    found = " | ".join(problems(started, page, 800, "light"))
    for part in (
        "px too wide",
        "headings out of order: [2]",
        "1 figures without a text",
        "requests https://example.org/a.png",
        "nothing is not defined",
        "axe: image-alt",
        "axe: html-has-lang",
        "axe: color-contrast, 1 time,",
    ):
        assert part in found
