"""From the first page to an answer, as people go: with both games, in a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rogsim.results.results import Results
from tests.command_line import rogsim_command
from tests.workbench.client import Bench, bench_in

pytestmark = pytest.mark.once_uncompiled

GAMES = {"River of Gold": "seat-order", "The River": "the-river-seat-order"}
MOST_CHOICES = 400  # of a person in one game


@pytest.mark.parametrize("title", GAMES)
def test_a_whole_game_through_the_page(bench: Bench, title: str) -> None:
    """A person plays from the first page to the end, by what the page offers, and the game is kept."""
    page = bench.page
    page.click(f"[aria-label='Play: {title}']")
    page.click("nav[aria-label='Number of players'] >> text='2'")
    page.select_option("select[name=seat-1]", "random")
    page.fill("input[name=deal]", "5")
    page.click("button.main")
    for number in range(MOST_CHOICES):
        page.wait_for_selector("#options, table.plain:has-text('at the end')")
        if not page.query_selector("#options"):
            break
        if number in (0, 10):
            assert bench.problems() == []
        choices = page.query_selector_all("#options button[name=action]")
        with page.expect_navigation():
            choices[number % len(choices)].evaluate("choice => choice.click()")
    assert re.search(r"\b(wins?|shares?)\b", page.inner_text("h1"))
    assert bench.problems() == []
    (stored,) = (bench.folder / "reports" / "played").glob("*.jsonl")
    standing = [int(cell) for cell in page.locator("table.plain td b").all_inner_texts()]
    assert json.loads(stored.read_text(encoding="utf-8"))["final"]["points"] == standing
    page.click("text=Watch this game")
    page.wait_for_selector("[data-key=ArrowRight]")
    assert bench.problems() == []


@pytest.mark.parametrize("title", GAMES)
def test_from_the_first_page_to_watching(bench: Bench, title: str) -> None:
    """A game is watched step by step, exported, and played on from there."""
    page = bench.page
    page.click(f"[aria-label='Watch a game: {title}']")
    page.wait_for_selector("[data-key=ArrowRight]")
    for step in range(1, 4):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"output:has-text('{step} of')")
    assert bench.problems() == []
    page.click("text=Play on from here")
    page.click("button.main")
    page.wait_for_selector("#options, [href^='/table/']")
    assert bench.problems() == []


def games_stored(folder: Path) -> int:
    """The games of all results in a folder."""
    stored = [Results.open(path.parent) for path in (folder / "reports" / "games").glob("*/manifest.json")]
    return sum(one.games().collect().height for one in stored)


def played(page: Any) -> int:
    """The games with both sets of rules that a page tells of."""
    found = re.search(r"([\d,]+) games", page.inner_text("#how"))
    assert found
    return int(found[1].replace(",", ""))


def test_what_was_played_is_kept_when_the_server_stops(chromium: Any, tmp_path: Path) -> None:
    """Stopped in the middle of a run, it ends at once; started again, it shows those games before any more."""
    asked = "/change/the-river-seat-order?players=2&bots=random&games=50000"
    with bench_in(chromium, tmp_path) as bench:
        bench.go(asked)
        bench.page.click("button.main:visible")
        bench.page.wait_for_selector("#results .shares")
        seen = played(bench.page)
        assert bench.stop() == 0
    kept = games_stored(tmp_path)
    assert kept >= seen
    with bench_in(chromium, tmp_path) as bench:
        bench.go(asked)
        bench.page.wait_for_selector("#results .shares")
        assert seen <= played(bench.page) <= kept
        assert bench.problems() == []
        bench.page.click("text=Stop rogsim")
        bench.page.wait_for_selector("text=rogsim has stopped")
        assert bench.process.wait(30) == 0
    assert games_stored(tmp_path) == kept


def test_results_lead_to_a_report_and_to_games(chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A results folder is opened, its report is made, and a row leads to a game of it."""
    monkeypatch.chdir(tmp_path)
    assert (
        rogsim_command("run", "the-river-seat-order", "--players", "2", "--bots", "random", "--games", "40").code == 0
    )
    with bench_in(chromium, tmp_path, "reports/the-river-seat-order", width=390, scheme="dark") as bench:
        page = bench.page
        assert bench.problems() == []
        page.click("text=Make the report")
        page.wait_for_url("**/report/**/index.html")
        assert page.inner_text("h1") != ""
        page.go_back()
        bench.go("/results/the-river-seat-order")
        page.locator("tbody th a").first.click()
        page.wait_for_selector("text=that seat 1 won")
        assert bench.problems() == []
        page.locator("tbody td a").first.click()
        page.wait_for_selector("[data-key=ArrowRight]")
        assert bench.problems() == []
