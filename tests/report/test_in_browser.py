"""Every kind of page, opened in headless Chromium: layout, console, requests, sorting, accessibility."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rogsim.game.registry import register, unregister
from rogsim.game.topics import Measure, ProfileTable
from rogsim.report.render.write import write_report
from scripts.check_page import SCHEMES, WIDTHS, NoBrowserError, browser, problems
from tests.command_line import rogsim_command
from tests.dice_game import GAME
from tests.report.conftest import TOPICS
from tests.report.hand_made import hand_made

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


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a report made by hand."""
    folder = tmp_path_factory.mktemp("made") / "page"
    write_report(hand_made(), folder)
    return folder / "index.html"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_a_page_made_by_hand_has_no_problem(started: Any, made: Path, width: int, scheme: str) -> None:
    """At the width of a phone and of a desktop, light and dark; everything that a report can have is there."""
    assert problems(started, made, width, scheme, sorting=scheme == LIGHT) == []


def test_the_first_screen_has_two_columns_or_one(started: Any, made: Path) -> None:
    """Steps are beside the figure or below it, and the drawing for that width is shown; a link opens its section."""
    for width, beside in ((1280, True), (390, False)):
        context = started.new_context(viewport={"width": width, "height": 900})
        page = context.new_page()
        page.goto(made.resolve().as_uri())
        figure, steps = (page.locator(name).bounding_box() for name in ("#figure", "#next"))
        assert (steps["x"] > figure["x"] + 100) is beside
        assert (steps["y"] > figure["y"] + 100) is not beside
        drawn = page.locator("#figure svg").evaluate_all("all => all.map(one => one.getBoundingClientRect().width > 0)")
        assert drawn == [beside, not beside]
        page.get_by_role("link", name="How sure is this?").focus()
        page.keyboard.press("Enter")
        page.wait_for_function("document.getElementById('sure').open")
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
