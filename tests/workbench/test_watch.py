"""Watching a game: where games come from, what a step shows, and what is found by playing on."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import rogsim
from rogsim.base.errors import RogsimError
from rogsim.base.files import REPORTS
from rogsim.game.registry import register, unregister
from rogsim.scenario.model import load
from rogsim.simulation.traces import to_line
from rogsim.workbench.addresses import site_of
from rogsim.workbench.played import Played, play_game, replay
from rogsim.workbench.site import Desk
from rogsim.workbench.watched import HIGH, Watched
from tests.example_games import kuhn, pig
from tests.workbench.client import Answer, Bench, Client

PIG = """# Does going first help?
game = "pig"
players = [2]
bots = ["hold20"]
games = 40
seed = 3
"""
MINE = """open("ran", "w").close()

class Mine:
    def choose(self, observation, actions):
        return len(actions) - 1
"""
AT = "/watch/pig?game=3&step={}"


@pytest.fixture(autouse=True)
def _known() -> Iterator[None]:
    for spec in (pig.GAME, kuhn.GAME):
        register(spec)
    yield
    for spec in (pig.GAME, kuhn.GAME):
        unregister(spec.id)


@pytest.fixture
def folder(desk: Desk) -> Path:
    """A folder with a scenario of Pig."""
    Path("scenarios").mkdir()
    Path("scenarios/pig.toml").write_text(PIG)
    return Path()


def ready(site: Client, path: str) -> Answer:
    """The page once its game has been played."""
    for _ in range(100):
        answer = site.get(path)
        if "Getting the game ready" not in answer.text:
            return answer
        time.sleep(0.1)
    raise AssertionError("the game does not get ready")


def text_of(page: str) -> str:
    """The words of a page."""
    return " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())


def played(game: str = "pig", bot: str = "hold20", number: int = 3, players: int = 2) -> Played:
    """A game of some scenario."""
    keys = {"game": game, "players": [players], "bots": [bot], "games": 40, "seed": 3}
    return play_game(load(keys), players, number)


def trace_of(game: Played, *names: str) -> Any:
    """The trace of a game, as a file holds it."""
    session, names = game.session, names or tuple(game.names)
    actions = [choice.taken for choice in game.choices]
    trace = session.spec.rules.trace(game.setup, session.seed, session.deal, names, actions)
    return json.loads(json.dumps(trace))


def test_every_step_has_an_address(folder: Path, site: Client) -> None:
    """Each step shows who chooses, what it does and could do, the points then; the last one who won."""
    game = play_game(load(Path("scenarios/pig.toml")), 2, 3)
    for step, choice in enumerate(game.choices):
        answer = ready(site, AT.format(step))
        assert answer.status_code == 200
        text = text_of(answer.text)
        assert f"Turn {choice.turn} of {game.choices[-1].turn}: seat {choice.seat + 1} (hold20) chooses" in text
        assert ("What else it could do" in text) == (len(choice.legal) > 1)
        assert choice.told[0] in text
        points = re.findall(r'class="points"><b>(\d+)', answer.text)
        assert [int(number) for number in points] == list(game.points[step])
    end = text_of(ready(site, AT.format(game.last)).text)
    winner = next(seat for seat, one in enumerate(game.standing) if one.win_share)
    assert f"Seat {winner + 1} (hold20) wins with {game.points[-1][winner]} points" in end


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/watch/pig?step=99999", 400, "step must be at most"),
        ("/watch/pig?step=-1", 400, "step must be a whole number"),
        ("/watch/pig?game=1.5", 400, "game must be a whole number"),
        ("/watch/pig?game=12345678901234567890", 400, "game must be a whole number"),
        ("/watch/pig?players=7", 400, "players"),
        ("/watch/pig?bots=other.py:bot", 400, "not offered"),
        ("/watch/nothing", 404, "nothing"),
        ("/trace/nothing", 404, "nothing"),
        ("/results/nothing/watch", 404, "nothing"),
    ],
)
def test_wrong_addresses(folder: Path, site: Client, path: str, status: int, says: str) -> None:
    """A wrong address gives one clear page."""
    answer = ready(site, path)
    assert answer.status_code == status
    assert says in text_of(answer.text)


def test_a_page_runs_no_bot_file(folder: Path, site: Client) -> None:
    """A scenario whose bot is a program asks first; "Play" runs it, and then the game can be watched."""
    Path("scenarios/mine.py").write_text(MINE)
    Path("scenarios/mine.toml").write_text(PIG.replace('"hold20"', '"mine.py:Mine"'))
    asked = ready(site, "/watch/mine?game=1&step=2")
    assert "mine.py:Mine" in asked.text
    assert "<form" in asked.text
    assert not Path("ran").exists()
    went = site.post("/watch/mine?game=1&step=2")
    assert went.status_code == 303
    assert "seat 1 (mine.py:Mine)" in text_of(ready(site, went.headers["location"]).text)
    assert Path("ran").exists() or Path("scenarios/ran").exists()


@pytest.mark.parametrize(
    ("game", "bot", "players"),
    [("pig", "hold20", 2), ("kuhn", "honest", 2), ("river-of-gold", "balanced", 3), ("the-river", "balanced", 2)],
)
def test_a_trace_gives_the_game_again(game: str, bot: str, players: int) -> None:
    """The actions are found from what a trace tells, and all its sentences are those of the whole text, in order."""
    one = played(game, bot, 1, players)
    other = replay(trace_of(one))
    assert [choice.taken for choice in other.choices] == [choice.taken for choice in one.choices]
    assert [choice.told for choice in other.choices] == [choice.told for choice in one.choices]
    whole = " ".join(one.spec.narrate(trace_of(one)).split())
    place = 0
    for choice in one.choices:
        for sentence in choice.told:
            place = whole.index(" ".join(sentence.replace(" · ", " ").split()), place)
    assert place > len(whole) / 2


def test_a_trace_of_other_rules_is_refused() -> None:
    """What the rules do not allow cannot be watched, and what is no whole trace neither."""
    trace = trace_of(played("kuhn", "honest"))
    trace["turns"][0]["steps"][0]["do"] = "cheat"
    with pytest.raises(RogsimError, match="rules"):
        replay(trace)
    del trace["seed"]
    with pytest.raises(RogsimError, match="not complete"):
        replay(trace)


def test_a_file_of_traces_lists_its_games(folder: Path, site: Client) -> None:
    """Each game of the file is a page; names in it are text, never markup."""
    lines = [to_line(trace_of(played(number=number), "<b>bold</b>", "hold20")) for number in (4, 5)]
    Path("both.jsonl").write_text("".join(lines))
    listed = site.get("/trace/both")
    assert re.findall(r"\?game=\d+", listed.text) == ["?game=1", "?game=2"]
    page = ready(site, "/trace/both?game=2&step=1").text
    assert "&lt;b&gt;bold" in page
    assert "<b>bold" not in page
    assert ready(site, "/trace/both?game=3").status_code == 404


def test_results_lead_to_their_games(folder: Path, site: Client) -> None:
    """The games worth watching are listed, and a game is the stored one."""
    results = rogsim.run(Path("scenarios/pig.toml"), out=REPORTS / "mine")
    listed = site.get("/results/mine/watch")
    links = re.findall(r"\?players=2&amp;game=\d+", listed.text)
    assert len(links) == 2  # the rows of Pig do not tell who led
    for link in dict.fromkeys(links):
        path = "/results/mine/watch" + unescape(link)
        number = int(path.rpartition("=")[2])
        rows = results.seats().collect().filter(game=number).sort("seat")
        last = int(re.findall(r'max="(\d+)"', ready(site, f"{path}&step=0").text)[0])
        points = re.findall(r'class="points"><b>(\d+)', ready(site, f"{path}&step={last}").text)
        assert [int(number) for number in points] == rows["points"].to_list()
    assert ready(site, "/results/mine/watch?players=2&game=40").status_code == 404


def test_chances_and_choices_stream_in(folder: Path, site: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found by playing on comes as events until all is known; the same address has the same numbers."""
    monkeypatch.setattr("rogsim.workbench.watched.LOOKS", ((5, 10),))
    monkeypatch.setattr("rogsim.workbench.watched.MOST_MOMENTS", 6)
    game = play_game(load(Path("scenarios/pig.toml")), 2, 3)
    step = next(step for step, choice in enumerate(game.choices) if len(choice.legal) > 1)
    before = ready(site, AT.format(step)).text
    assert "Playing on after each choice" in text_of(before)
    stream = site.get(f"/watch/pig/judged?game=3&step={step}")
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.text.endswith("event: over\ndata: over\n\n")
    page = ready(site, AT.format(step)).text
    assert "as hold20 plays on, in 20 games from here" in text_of(page)
    assert "10 games after each choice" in text_of(page)
    again = Client(site_of(Desk(jobs=1)))
    ready(again, AT.format(step))
    again.get(f"/watch/pig/judged?game=3&step={step}")
    assert ready(again, AT.format(step)).text == page


def test_choices_say_what_is_clear() -> None:
    """Of two choices that surely win and surely lose, the other one is called better or worse."""
    game = played()
    watched = Watched(game)
    last = game.last - 1
    assert len(game.choices[last].legal) == 2  # to hold wins at once
    while watched.think(last, 60.0):
        pass
    frame = watched.frame(last)
    assert frame.value is not None
    assert frame.value.value == 1.0
    (other,) = frame.choices
    assert other.gain is not None
    assert other.gain.value <= 0.0
    assert sum(known.value for known in watched.known(last) or ()) == pytest.approx(1)


def test_the_end_is_the_result_and_bands_fill_the_chart() -> None:
    """At the end chances are the result; the bands of all seats fill the whole height."""
    game = played()
    watched = Watched(game)
    known = watched.known(game.last)
    assert known is not None
    assert [tuple(chance) for chance in known] == [(standing.win_share, 0.0) for standing in game.standing]
    assert watched.known(0) is None
    first, last = watched.bands
    places = [[tuple(map(float, pair.split(","))) for pair in band.points.split()] for band in (first, last)]
    assert min(y for _, y in places[0]) == 0
    assert max(y for _, y in places[1]) == HIGH


def test_watching_in_a_browser(bench: Bench) -> None:
    """Arrow keys step and keep the address, what is found appears by itself, and the page has no problem."""
    page = bench.page
    bench.go("/watch/seat-order?players=2&game=1&step=6")
    page.wait_for_selector("[data-key=ArrowRight]")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("output:has-text('7 of')")
    assert page.url.endswith("step=7")
    page.wait_for_selector("#chances polygon")
    page.wait_for_selector(".seat .chance b")
    page.keyboard.press("End")
    page.wait_for_selector("h1:has-text('wins')")
    assert bench.problems() == []
