"""From the first page to an answer, as people go: with both games and the examples, in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rogsim.results.results import Results
from tests.command_line import rogsim_command
from tests.workbench.client import Bench, bench_in

pytestmark = pytest.mark.once_uncompiled

MOST_CHOICES = 600  # of a person in one game


@dataclass(frozen=True)
class Tried:
    """A game that people try: its scenario, the door to it on the first page, and a rule that they change.

    file: the scenario, if rogsim has none for this game.
    """

    scenario: str
    door: str
    rule: str
    value: str
    file: str = ""


def example(name: str, rule: str, value: str) -> Tried:
    """An example game, for which somebody wrote a scenario."""
    keys = f'game = "{name}"\nplayers = [2]\ngames = 2000\nseed = 1\nbots = ["random"]\n'
    return Tried(name, name, rule, value, f"# Is {name} fair?\n\n{keys}")


GAMES = {
    "River of Gold": Tried("seat-order", "River of Gold", "setup.koku_by_turn_order.2", "14"),
    "The River": Tried("the-river-seat-order", "The River", "score.column_three", "12"),
    "Pig": example("pig", "target", "40"),
    "Kuhn poker": example("kuhn", "bet", "2"),
    "Harbour": example("harbour", "target", "6"),
}


@pytest.fixture(params=list(GAMES))
def tried(request: pytest.FixtureRequest, tmp_path: Path) -> Tried:
    """A game, with its scenario in the folder."""
    game = GAMES[request.param]
    if game.file:
        (tmp_path / f"{game.scenario}.toml").write_text(game.file, encoding="utf-8")
    return game


@pytest.fixture
def opened(tried: Tried, chromium: Any, tmp_path: Path) -> Iterator[Bench]:
    """A workbench in that folder, with its first page."""
    with bench_in(chromium, tmp_path) as bench:
        yield bench


def test_changing_a_rule(tried: Tried, opened: Bench) -> None:
    """A rule is looked for and changed; what it does is shown, kept as a scenario, and written as a report."""
    page = opened.page
    page.click(f"[aria-label='Change a rule: {tried.door}']")
    page.select_option("select[name=players]", "2")
    page.select_option("select[name=bots]", "random")
    page.fill("[name=games]", "60")
    page.fill("#words", tried.rule.removesuffix(".2").replace("_", " "))
    page.click(f"#found button[value='{tried.rule}']")
    page.fill("#c-1", tried.value)
    assert opened.problems() == []
    page.click("#settings .main")
    page.wait_for_selector("text=Keep this")
    assert "60 games with both sets of rules" in page.inner_text("#how")
    assert f"--change '{tried.rule} = {tried.value}'" in page.inner_text("#command")
    assert opened.problems() == []
    page.fill("#name", "my-change")
    page.click("text=Save")
    page.wait_for_selector("text=Saved as scenarios/my-change.toml")
    assert tried.rule in (opened.folder / "scenarios" / "my-change.toml").read_text(encoding="utf-8")
    page.click("text=Write the report")
    page.wait_for_url("**/report/**/index.html")
    assert page.inner_text("h1") != ""
    assert opened.said == []


def test_watching_a_game(tried: Tried, opened: Bench, tmp_path: Path) -> None:
    """A game is watched by step, by turn and from its chart, sent as one file, and played on from there."""
    page = opened.page
    door = page.get_attribute(f"[aria-label='Watch a game: {tried.door}']", "href")
    opened.go(f"{door}?players=2&bots=random")
    page.wait_for_selector("[data-key=ArrowRight]")
    for step in range(1, 4):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"output:has-text('{step} of')")
    page.wait_for_selector("#seats b:has-text('%')")
    assert opened.problems() == []
    page.keyboard.press("End")
    page.wait_for_selector("[data-key=End][aria-disabled]")
    assert re.search(r"\b(wins?|shares?)\b", page.inner_text("h1"))
    page.click("#chances .chart", position={"x": 3, "y": 20})
    page.wait_for_selector("[data-key=End]:not([aria-disabled])")
    with page.expect_download() as sent:
        page.click("text=Export as one file")
    sent.value.save_as(tmp_path / "sent.html")
    page.click("text=Play on from here")
    page.click("button.main")
    page.wait_for_selector("#options, [href^='/table/']")
    assert opened.problems() == []
    page.goto((tmp_path / "sent.html").as_uri())
    page.wait_for_selector(".watch")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("output").startswith("1 of")
    page.keyboard.press("End")
    assert re.search(r"\b(wins?|shares?)\b", page.inner_text("h1"))
    assert [problem for problem in opened.problems() if not problem.startswith("requests file")] == []


def test_a_whole_game_through_the_page(tried: Tried, opened: Bench) -> None:
    """A person plays from the first page to the end, by what the page offers, and the game is kept."""
    page = opened.page
    page.click(f"[aria-label='Play: {tried.door}']")
    if page.query_selector("nav[aria-label='Number of players']"):
        page.click("nav[aria-label='Number of players'] >> text='2'")
    page.select_option("select[name=seat-1]", "random")
    page.fill("input[name=deal]", "5")
    page.click("button.main")
    for number in range(MOST_CHOICES):
        page.wait_for_selector("#options, table.plain:has-text('at the end')")
        if not page.query_selector("#options"):
            break
        if number in (0, 10):
            assert opened.problems() == []
        choices = page.query_selector_all("#options button[name=action]")
        with page.expect_navigation():
            choices[number % len(choices)].evaluate("choice => choice.click()")
    assert re.search(r"\b(wins?|shares?)\b", page.inner_text("h1"))
    assert opened.problems() == []
    (stored,) = (opened.folder / "reports" / "played").glob("*.jsonl")
    standing = [int(cell) for cell in page.locator("table.plain td b").all_inner_texts()]
    assert json.loads(stored.read_text(encoding="utf-8"))["final"]["points"] == standing
    page.click("text=Watch this game")
    page.wait_for_selector("[data-key=ArrowRight]")
    assert opened.problems() == []


def games_stored(folder: Path) -> int:
    """The games of all results in a folder."""
    stored = [Results.open(path.parent) for path in (folder / "reports" / "games").glob("*/manifest.json")]
    return sum(one.games().collect().height for one in stored)


def played(page: Any) -> int:
    """The games that a page tells of."""
    found = re.search(r"([\d,]+) games", page.inner_text("#how"))
    assert found
    return int(found[1].replace(",", ""))


def test_what_was_played_is_kept_when_the_server_stops(tried: Tried, chromium: Any, tmp_path: Path) -> None:
    """Stopped in the middle of a run, it ends at once; started again, it shows those games before any more."""
    asked = f"/change/{tried.scenario}?players=2&bots=random&games=50000"
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
