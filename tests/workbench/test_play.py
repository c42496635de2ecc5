"""Playing at a table: whole games, taking back, what stays hidden, and what does not break it."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rogsim.games.river_of_gold.components.names import CUSTOMERS
from rogsim.simulation.session import Session, ready_bots
from rogsim.simulation.traces import traces_in
from rogsim.workbench import play
from rogsim.workbench.play import MOST_TABLES, PERSON, Table
from rogsim.workbench.site import Desk
from tests.example_games import kuhn, pig
from tests.game.test_plain_games import SEALED, module_of
from tests.workbench.client import Answer, Bench, Client

pytestmark = pytest.mark.once_uncompiled


def table_of(game: Any, *seats: Any, deal: int = 3) -> Table:
    """A table; a seat is a person, the name of a bot, or a bot."""
    spec = Session.new(game, len(seats)).spec if isinstance(game, str) else game
    setup = spec.set_up(spec.options(), len(seats))
    bots = ready_bots(spec, [None if one == PERSON else one for one in seats], len(seats), Path())
    names = tuple(one if isinstance(one, str) else "mine" for one in seats)
    session = Session(spec, setup, len(seats), 1, deal, bots)
    table = Table(None, names, session, setup, bots)  # type: ignore[arg-type]
    wait(table, table.go_on)
    return table


def wait(table: Table, what: Callable[[], None]) -> None:
    """Do something at a table, however long it takes."""
    table.do(what, "It is done")
    wait_for(table)


def wait_for(table: Table) -> None:
    while table.doing:
        time.sleep(0.01)


def choose(table: Table, action: int) -> None:
    table.choose(action, len(table.game.taken))
    wait_for(table)


@pytest.fixture(autouse=True)
def _in_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("game", ["river-of-gold", "the-river", kuhn.GAME, pig.GAME])
def test_a_whole_game(game: Any) -> None:
    """A person plays a game to its end against bots; it is stored as a trace of the same game."""
    bot = "tuned" if isinstance(game, str) else "random"
    table, chance = table_of(game, PERSON, bot), random.Random(1)
    while not table.game.is_over:
        assert table.game.actor == 0
        choose(table, chance.choice(table.game.legal))
        assert not table.problem
    (trace,) = traces_in(play.PLAYED / f"{table.saved}.jsonl")
    assert trace["bots"] == ["by hand", bot]
    assert trace["final"]["points"] == [one.points for one in table.game.score()]
    assert play.headline(table).endswith("points") or play.headline(table).endswith("point")


@pytest.mark.parametrize("game", ["river-of-gold", "the-river"])
def test_taking_back_gives_the_same_position(game: str) -> None:
    """After taking back, everything is as before the choice, and the same choice has the same answers of the bots."""
    table, chance = table_of(game, PERSON, "tuned", "random"), random.Random(2)
    for _ in range(12):
        before, taken = table.game.state.tobytes(), len(table.taken)
        action = chance.choice(table.game.legal)
        choose(table, action)
        after = table.game.state.tobytes()
        table.undo()
        assert (table.game.state.tobytes(), len(table.taken)) == (before, taken)
        choose(table, action)
        assert table.game.state.tobytes() == after != before


def test_a_choice_that_was_sent_twice_counts_once() -> None:
    """A double click, an action of an older page, and one that is not legal change nothing."""
    table = table_of("river-of-gold", PERSON, PERSON)
    step, action = len(table.game.taken), table.game.legal[0]
    table.choose(action, step)
    wait_for(table)
    after = table.game.taken
    for wrong, at in ((action, step), (table.game.legal[0], step), (60_000, step + 1)):
        table.choose(wrong, at)
        wait_for(table)
        assert table.game.taken == after


class Broken:
    """A bot that fails at its third choice."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, observation: Any, actions: Any) -> Any:
        self.asked += 1
        if self.asked > 2:
            raise RuntimeError("no idea")
        return actions[0]


def test_a_bot_that_fails_leaves_the_table() -> None:
    """The page says which bot failed and why, and the last choice can be taken back."""
    table = table_of(pig.GAME, PERSON, Broken)
    for _ in range(40):
        choose(table, table.game.legal[-1])
        if table.problem:
            break
    assert "Broken" in table.problem
    assert "no idea" in table.problem
    seen = play._seen_at(table, None)
    assert (seen["state"], seen["groups"]) == ("choice", [])
    table.undo()
    assert not table.problem
    assert table.game.actor == 0


def test_a_hidden_choice_of_another_seat_is_not_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A sealed bid of a bot looks to the other seat just like other bids: only that there was one is told."""
    spec = module_of(monkeypatch, tmp_path, SEALED).GAME
    table = table_of(spec, "random", PERSON)
    assert table.told(1) == [(0, "Chooses something hidden, one of 4")]
    while not table.game.is_over:
        choose(table, table.game.legal[0])
    assert all(said.startswith("Bid ") for _, said in table.told(0))


def test_what_others_did_is_told() -> None:
    """What all seats see is told in words, from the last choice of the seat on."""
    table, chance, heard = table_of("river-of-gold", PERSON, "tuned", "tuned"), random.Random(4), 0
    while not table.game.is_over:
        told = table.told(0)
        heard += len(told)
        assert all(seat in (1, 2) and not said.startswith("Chooses") for seat, said in told)
        choose(table, chance.choice(table.game.legal))
    assert heard > 40


# Pages.


def begun(site: Client, **form: str) -> str:
    """Sit down at a table, and return its address."""
    answer = site.post("/play/seat-order?players=3", {f"seat-{seat}": "tuned" for seat in range(3)} | form)
    assert answer.status_code == 303
    return answer.headers["location"]


def page_of(site: Client, place: str) -> Answer:
    while 'role="status"' in (page := site.get(place)).text:
        time.sleep(0.02)
    return page


def table_at(desk: Desk, place: str) -> Table:
    found = desk.work[place.split("/")[2]]
    assert isinstance(found, Table)
    return found


def hand_of(table: Table, seat: int) -> list[str]:
    cards = int(table.game.state.players[seat].hand)
    return [CUSTOMERS[card] for card in range(len(CUSTOMERS)) if cards >> card & 1]


def test_the_offer_has_seats_and_bots(site: Client) -> None:
    """The page offers each number of players, and people and bots for each seat."""
    page = site.get("/play/seat-order?players=3")
    assert page.status_code == 200
    assert page.text.count("<select") == 3
    assert page.text.count("a person</option>") == 3
    assert "players=4" in page.text
    assert "seat-3" in site.get("/play/seat-order").text


def test_a_page_shows_a_seat_what_it_may_see(site: Client, desk: Desk) -> None:
    """The page has all choices and the own hand, and no card of another hand."""
    place = begun(site, **{"seat-0": PERSON})
    for _ in range(8):
        page, table = page_of(site, place), table_at(desk, place)
        public = {CUSTOMERS[card] for card in range(len(CUSTOMERS)) if int(table.game.state.discards) >> card & 1}
        public |= {name for _, said in table.told(0) for name in re.findall(r"\w+-\d", said)}
        for seat in (1, 2):
            delivered = int(table.game.state.players[seat].delivered)
            public |= {CUSTOMERS[card] for card in range(len(CUSTOMERS)) if delivered >> card & 1}
        assert all(name in page.text for name in hand_of(table, 0))
        assert not [
            name for seat in (1, 2) for name in hand_of(table, seat) if name in page.text and name not in public
        ]
        actions = re.findall(r'name="action" value="(\d+)"', page.text)
        assert sorted(map(int, actions)) == sorted(table.game.legal)
        step = str(len(table.game.taken))
        assert site.post(f"{place}/choose", {"action": actions[-1], "step": step, "seat": "0"}).status_code == 303


def test_a_curtain_between_two_people(site: Client, desk: Desk) -> None:
    """Until the seat asks for it, its page shows no board, no choice and no hand; nor does the page of another seat."""
    place = begun(site, **{"seat-0": PERSON, "seat-1": PERSON})
    page_of(site, place)
    table = table_at(desk, place)
    while table.game.actor == 0:
        answer = site.post(
            f"{place}/choose",
            {"action": str(table.game.legal[-1]), "step": str(len(table.game.taken)), "seat": "0"},
        )
        wait_for(table)
    assert "show" not in answer.headers["location"]
    for query in ("", "?show=0", "?show=2"):
        page = site.get(place + query).text
        assert "Seat 2, it is your turn" in page
        assert "<svg" not in page
        assert "action" not in re.findall(r'name="(\w+)"', page)
        assert not [name for seat in (0, 1, 2) for name in hand_of(table, seat) if name in page]
    page = site.get(f"{place}?show=1").text
    assert all(name in page for name in hand_of(table, 1))


def test_the_end_says_who_won_and_leads_to_the_game(site: Client, desk: Desk) -> None:
    """A game of bots is played at once: its page has the standing, the final scoring and a link to watch it."""
    place = begun(site)
    page, table = page_of(site, place), table_at(desk, place)
    best = max(one.points for one in table.game.score())
    assert re.search(rf"<h1>.*wins? with {best} points</h1>", page.text)
    assert f'/trace/{table.saved}?game=1"' in page.text
    assert site.get(f"/trace/{table.saved}?game=1").status_code == 200


def test_play_on_from_a_game(site: Client, desk: Desk) -> None:
    """A table begins at a step of a game of the scenario: what was chosen before is the same."""
    form = {f"seat-{seat}": PERSON for seat in range(3)} | {"game": "5", "step": "20"}
    place = site.post("/play/seat-order?players=3", form).headers["location"]
    page_of(site, place)
    table = table_at(desk, place)
    assert len(table.game.taken) == 20
    assert not table.taken
    offer = site.get("/play/seat-order?players=3&game=5&step=20&seat=1").text
    assert "from step 20 of game 5" in offer
    assert 'name="step" value="20"' in offer


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/play/seat-order", {"deal": "many"}),
        ("/play/seat-order", {"deal": "1234567890"}),
        ("/play/seat-order", {"seat-0": "nobody"}),
        ("/play/seat-order", {"seat-0": "../bot.py:Bot"}),
        ("/play/seat-order", {"game": "-1"}),
        ("/play/seat-order?players=9", {}),
        ("/play/seat-order?bots=mine.py:Bot", {"seat-0": "mine.py:Bot"}),
        ("/play/seat-order?bots=mine.py:Bot", {"game": "1", "step": "1"}),
        ("/play/nothing", {}),
        ("/table/0000/choose", {"action": "1", "step": "0"}),
    ],
)
def test_wrong_forms_are_refused(site: Client, desk: Desk, path: str, form: dict[str, str]) -> None:
    """A clear page with status 400 or 404, and no table; a file that the browser names is not run."""
    Path("mine.py").write_text("open('run', 'w')\nclass Bot: pass\n")
    answer = site.post(path, form)
    assert answer.status_code in (400, 404)
    assert "Traceback" not in answer.text
    assert not desk.work
    assert not Path("run").exists()


def test_wrong_numbers_of_a_choice(site: Client, desk: Desk) -> None:
    """Numbers that are none are refused; unknown changes of a table do nothing."""
    place = begun(site, **{"seat-0": PERSON})
    page_of(site, place)
    taken = table_at(desk, place).game.taken
    assert site.post(f"{place}/choose", {"action": "x", "step": "0"}).status_code == 400
    assert site.post(f"{place}/choose", {"action": "9" * 30, "step": "0"}).status_code == 400
    assert site.post(f"{place}/choose", {}).status_code == 303
    assert site.get(f"{place}?show=x").status_code == 400
    assert site.get("/table/0000").status_code == 404
    assert table_at(desk, place).game.taken == taken


def test_only_the_last_tables_are_kept(site: Client, desk: Desk) -> None:
    """Of many tables the oldest finished one goes first, then the oldest."""
    unfinished = begun(site, **{"seat-0": PERSON})
    page_of(site, unfinished)
    finished = begun(site)
    page_of(site, finished)
    for number in range(MOST_TABLES - 2):
        desk.work[f"other-{number}"] = Table(None, ())  # type: ignore[arg-type]
    play._make_room(desk.work)
    assert site.get(finished).status_code == 404
    assert site.get(unfinished).status_code == 200
    assert len(desk.work) == MOST_TABLES - 1


def test_what_choices_are_worth(site: Client, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """On request each choice has the games that it wins in 100, and the best one is marked."""
    monkeypatch.setattr(play, "HINT_WORLDS", 1)
    monkeypatch.setattr(play, "MOST_HINT_WORLDS", 2)
    place = begun(site, **{"seat-0": PERSON})
    page_of(site, place)
    table = table_at(desk, place)
    while len(table.game.legal) < 2:
        choose(table, table.game.legal[0])
    site.post(f"{place}/judge", {"seat": "0"})
    page = page_of(site, place).text
    assert not table.problem
    assert page.count("<small>") == len(table.game.legal)
    assert page.count('class="best"') == 1
    assert "games for each choice" in page
    choose(table, table.game.legal[0])
    assert not table.hints


def test_play_in_a_browser(bench: Bench) -> None:
    """A person plays with the mouse and the keyboard; no page has a problem."""
    page = bench.page
    bench.go("/play/seat-order?players=2")
    assert bench.problems() == []
    page.select_option("select[name=seat-1]", "tuned")
    page.fill("input[name=deal]", "11")
    page.click("button.main")
    page.wait_for_selector("#options")
    assert bench.problems() == []
    for _ in range(30):
        if page.locator(".board .can").count():
            break
        page.locator("#options button[name=action]").last.focus()
        with page.expect_navigation():
            page.keyboard.press("Enter")
        page.wait_for_selector("#options")
    part = page.locator(".board .can").first
    names = set((part.get_attribute("data-names") or "").split())
    part.click()
    left = [
        set((one.get_attribute("data-names") or "").split())
        for one in page.query_selector_all("#options button[name=action]:visible")
    ]
    assert left
    assert all(names & one for one in left)
    assert bench.problems() == []
    page.click("#all-choices")
    with page.expect_navigation():
        page.locator("#options button[name=action]:visible").first.click()
    page.wait_for_selector("#options")
    with page.expect_navigation():
        page.click("text=Take my last choice back")
    page.wait_for_selector("#options")
    assert bench.problems() == []
    bench.go("/play/seat-order?players=2")
    page.select_option("select[name=seat-1]", "person")
    page.click("button.main")
    page.click("text=Show my seat")
    page.wait_for_selector("#options")
    assert bench.problems() == []
