"""Changing a rule: what is played, what its intervals promise, and what the page says and keeps."""

from __future__ import annotations

import math
import os
import re
import shlex
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rogsim
from rogsim.experiments.design_points import DesignPoint, Resources
from rogsim.game.registry import register, unregister
from rogsim.report.words import MINUS
from rogsim.results.manifest import read_manifest
from rogsim.scenario.model import load
from rogsim.stats.estimates import Estimate, wilson
from rogsim.stats.sequential import boundary
from rogsim.workbench.change import Listed, Running, begin, look_up
from rogsim.workbench.keep import command_of
from rogsim.workbench.site import STORE, Desk
from rogsim.workbench.trial import Answer, Level, Trial, look_at, stored_look
from rogsim.workbench.verdict import change_verdict, fair_verdict, kind_of, sweep_verdict
from rogsim.workbench.wish import Wish
from tests.command_line import Run
from tests.fair_games import GAMES
from tests.workbench.client import ROOT, Client

HUNT = {"game": "hunt", "players": [2], "bots": ["hunter"], "games": 2_000, "seed": 5}
HUNT_FILE = """# Does the hunter win often enough?
game = "hunt"
players = [2]
bots = ["hunter"]
games = 1_500
seed = 5
"""


@pytest.fixture(autouse=True)
def _offered() -> Iterator[None]:
    for spec in GAMES:
        register(spec)
    yield
    for spec in GAMES:
        unregister(spec.id)


@pytest.fixture
def hunt(desk: Desk) -> Desk:
    """A folder with a scenario of a game whose chances are known: seat 1 wins 20 games in 100 for each face."""
    Path("scenarios").mkdir()
    Path("scenarios/hunt.toml").write_text(HUNT_FILE)
    return desk


def points(**changes: Any) -> list[DesignPoint]:
    """The hunt as it is and with each of some changes."""
    made = [HUNT, *({**HUNT, "change": {name: value}} for name, value in changes.items())]
    return [DesignPoint(str(place), {}, load(keys)) for place, keys in enumerate(made)]


def played(most: int, *what: DesignPoint, is_sweep: bool = False) -> Trial:
    """A trial that is over."""
    trial = Trial(what, Resources(STORE, jobs=1), most, is_sweep)
    trial.play()
    assert not trial.problem
    return trial


def wish_of(desk: Desk, **words: str) -> Wish:
    """What an address of the hunt asks for."""
    return Wish.read(desk, "hunt", [(name.replace("__", "."), value) for name, value in words.items()])


def finished(desk: Desk, wish: Wish) -> Running:
    """The trial of a wish, once it is over."""
    running = begin(desk, wish)
    assert running.ended.wait(60)
    return running


def text_of(page: str) -> str:
    """The words of a page."""
    return " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())


def test_the_same_rules_twice_differ_by_nothing(desk: Desk) -> None:
    """Every difference is exactly 0, and the page says so."""
    results = rogsim.run(HUNT, jobs=1)
    (answer,) = look_at([results, results]).answers
    assert [(level.gain.value, level.gain.low < 0 < level.gain.high) for level in answer.levels if level.gain] == [
        (0.0, True),
        (0.0, True),
    ]
    assert change_verdict(answer).text == "Every game came out the same under both sets of rules."


def test_a_planted_effect_is_found(desk: Desk) -> None:
    """A fourth face makes the hunter win 80 games in 100 instead of 60."""
    (answer,) = played(3_000, *points(faces=4)).looks[-1].answers
    hunter = answer.levels[0]
    assert hunter.gain is not None
    assert hunter.gain.low < 20 < hunter.gain.high
    assert hunter.gain.low > 10
    verdict = change_verdict(answer)
    assert verdict.kind == "clear"
    assert re.match(
        r"With the change, seat 1 wins (79|80|81)\.\d games in 100 instead of (59|60|61)\.\d ", verdict.text
    )
    assert fair_verdict(answer).kind != "clear"
    assert fair_verdict(answer, changed=True).text.startswith("Seat 1 wins ")


def test_intervals_hold_at_all_looks_for_all_levels() -> None:
    """In at most 5% of series does any of four intervals ever miss the true value; plain ones miss in most."""
    generator, series, most = np.random.default_rng(7), 400, 6_000
    missed = plain = 0
    at = np.arange(100, most, 10)
    for _ in range(series):
        walk = np.abs(generator.standard_normal((4, most)).cumsum(axis=1)[:, at - 1]) / np.sqrt(at)
        missed += bool((walk > [boundary(float(blocks), 4) for blocks in at]).any())
        plain += bool((walk > 1.96).any())
    assert missed <= 0.05 * series
    assert plain > 0.5 * series


def test_more_intervals_together_are_wider() -> None:
    """Each of several has its part of the error rate."""
    assert [boundary(1_000.0, count) for count in (1, 4, 30)] == sorted(
        boundary(1_000.0, count) for count in (1, 4, 30)
    )
    assert boundary(1_000.0, 20) == pytest.approx(math.sqrt(boundary(1_000.0) ** 2 + _more(20)), rel=1e-9)


def _more(count: int) -> float:
    """What Bonferroni's factor adds to c(n)^2 = 2 (v + 1) / v * log(sqrt(v + 1) * count / alpha)."""
    first, second = (boundary(1_000.0, each) ** 2 for each in (2, 1))
    return (first - second) * math.log(count) / math.log(2)


@pytest.mark.parametrize("sets", [1, 3])
def test_intervals_of_a_look_hold_together(desk: Desk, sets: int) -> None:
    """For both seats, and for all numbers of a sweep."""
    results = rogsim.run({**HUNT, "games": 500}, jobs=1)
    first = look_at([results] * sets, is_sweep=sets > 1).answers[0].levels[0].before
    low, high = wilson(first.value / 100, 500, boundary(500.0, 2 * sets))
    assert (first.low, first.high) == pytest.approx((100 * low, 100 * high), abs=0.1)


def test_it_goes_on_where_it_was(desk: Desk) -> None:
    """What is stored is looked at first, and nothing is played twice; a trial that is stopped keeps its games."""
    both = points(faces=4)
    first = Trial(both, Resources(STORE, jobs=1), 100_000)
    first._numbers = lambda stored: iter((100, 250, 400))  # type: ignore[method-assign]
    first.play()
    again = played(900, *both)
    assert again.looks[0].games == 400
    assert again.looks[-1].games == 900
    for point in both:
        manifest = read_manifest(STORE / point.key)
        assert sum(session.played["2"] for session in manifest.sessions if "2" in session.played) == 900
        assert manifest.state == "complete"


def test_a_stop_ends_it_soon(desk: Desk) -> None:
    """Stopped before it begins, it plays nothing; stopped on its way, it plays no further look."""
    trial = Trial(points(), Resources(STORE, jobs=1), 100_000)
    trial.stop()
    trial.play()
    assert trial.looks == []
    assert trial.is_over
    assert not STORE.exists()


def test_games_are_those_of_run(desk: Desk) -> None:
    """The same wins as `rogsim run` finds."""
    look = played(500, *points()).looks[-1]
    wins = rogsim.run({**HUNT, "games": 500}, jobs=1).seats().collect()
    assert look.answers[0].levels[0].before.value == pytest.approx(
        100 * wins.filter(seat=1)["win_share"].mean(), abs=1e-4
    )


def test_a_bot_that_fails_shows_one_line(desk: Desk) -> None:
    """It names the bot and what went wrong."""
    Path("bad.py").write_text("def choose(game, view, legal, memory):\n    return 99\n")
    keys = {**HUNT, "game": "dare", "players": [1], "bots": ["bad.py:choose"]}
    trial = Trial([DesignPoint("", {}, load(keys))], Resources(STORE, jobs=1), 100)
    trial.play()
    assert "bad.py" in trial.problem
    assert "99" in trial.problem
    assert len(trial.problem.splitlines()) == 1
    assert trial.is_over


def test_stored_games_are_shown_without_playing(desk: Desk) -> None:
    """Also after the server was stopped."""
    both = points(faces=4)
    assert stored_look(both, STORE) is None
    look = played(300, *both).looks[-1]
    assert stored_look(both, STORE) == look


def level(value: float, reach: float, fair: float = 25.0, name: str = "seat 1") -> Level:
    """A level with an interval on both sides of its share."""
    return Level(name, fair, Estimate(value, value - reach, value + reach, 1_000, 1_000.0))


def answer(*levels: Level) -> Answer:
    """An answer about seats."""
    return Answer("seats", "Seats", "seat", 2.0, levels)


@pytest.mark.parametrize(
    ("levels", "kind", "text"),
    [
        ([level(28, 4), level(22, 4, name="seat 2")], "open", "No seat differs clearly from a fair share yet."),
        ([level(25.5, 1), level(24.5, 1)], "within", "Every seat is within ±2 games in 100 of a fair share."),
        ([level(31, 2), level(24, 5)], "clear", "Seat 1 wins 31.0 games in 100 instead of 25 (+6.0, +4.0 to +8.0)."),
        ([level(40, math.nan), level(24, math.nan)], "few", "Too few games to tell yet."),
        # The farthest level is not clear, another one is: that is named.
        (
            [level(33, 9), level(21, 3, name="seat 2")],
            "clear",
            "Seat 2 wins 21.0 games in 100 instead of 25 (-4.0, -7.0 to -1.0).",
        ),
    ],
    ids=["open", "within", "clear", "few", "clear-not-farthest"],
)
def test_only_what_is_shown_is_called_clear(levels: list[Level], kind: str, text: str) -> None:
    """The sentence names a level only if its interval excludes a fair share."""
    found = fair_verdict(answer(*levels))
    assert (found.kind, found.text.replace(MINUS, "-")) == (kind, text)


def test_what_is_small_enough_is_said_before_what_differs() -> None:
    """All within the margin: that is the answer, although a level differs from fair."""
    found = fair_verdict(answer(level(26, 0.5), level(24, 0.5, name="seat 2")))
    assert found.kind == "within"
    assert found.more == "The largest: seat 1 wins 26.0 games in 100 instead of 25 (+1.0, +0.5 to +1.5)."


def test_a_sweep_says_which_numbers_are_fair(desk: Desk) -> None:
    """Three faces are fair to the hunt, all others far from it."""
    made = [
        DesignPoint(str(faces), {}, load({**HUNT, "margin": 8.0, "change": {"faces": faces}})) for faces in (2, 3, 4)
    ]
    look = played(1_800, *made, is_sweep=True).looks[-1]
    assert [kind_of(one) for one in look.answers] == ["not fair", "fair", "not fair"]
    for faces, one in enumerate(look.answers, 2):
        assert one.levels[0].before.low < 20 * faces < one.levels[0].before.high
    verdict = sweep_verdict([2, 3, 4], look.answers)
    assert verdict.text == "With 3, every seat is within ±8 games in 100 of a fair share."


@pytest.mark.parametrize(
    ("game", "players", "text"),
    [
        ("flood", 2, r"Everyone wins \d\d\.\d games in 100 \(\d\d\.\d to \d\d\.\d\)\."),
        ("dare", 1, r"The player wins \d\d\.\d games in 100 \(\d\d\.\d to \d\d\.\d\)\."),
        ("relay", 4, r"Team A wins \d\d\.\d games in 100 instead of 50 "),
        ("hunt", 2, r"No seat differs clearly from a fair share yet\.|Every seat is within ±2"),
    ],
)
def test_fair_is_what_the_game_says(desk: Desk, game: str, players: int, text: str) -> None:
    """For teams, for unequal shares, and if all win or lose together."""
    bot = next(spec for spec in GAMES if spec.id == game).bots[0].name
    results = rogsim.run({"game": game, "players": [players], "bots": [bot], "games": 1_500, "seed": 5}, jobs=1)
    assert re.match(text, fair_verdict(look_at([results]).answers[0]).text)


def test_the_question_of_the_scenario_comes_first() -> None:
    """Of a scenario about patrons they come before the seats, with the names that readers know."""
    results = rogsim.run("patrons", players=4, bots="random", games=12, jobs=1)
    look = look_at([results])
    assert [one.topic for one in look.answers] == ["patrons", "seats"]
    assert "Shosuro Hyobu" in {one.name for one in look.answers[0].levels}
    assert {one.fair for one in look.answers[0].levels} == {25.0}


def test_a_sweep_looks_at_what_its_number_belongs_to() -> None:
    """Of a scenario about patrons, a number of one of them is swept for this patron alone."""
    keys = {"players": [2], "bots": ["random"], "games": 12}
    runs = [rogsim.run("patrons", **keys, change={"patron.shosuro-hyobu.points": value}, jobs=1) for value in (1, 4)]
    look = look_at(runs, is_sweep=True)
    assert [[level.name for level in one.levels] for one in look.answers] == [["Shosuro Hyobu"], ["Shosuro Hyobu"]]


def test_a_change_starts_from_the_scenario(desk: Desk, site: Client) -> None:
    """Not from the printed number: koku-8888 gives 8 koku to all; and what a scenario varies is offered for a sweep."""
    added = site.get("/change/koku-8888?add=setup.koku_by_turn_order.4").headers["location"]
    assert added.startswith("/change/koku-8888?c.setup.koku_by_turn_order.4=8#")
    assert "8 in this scenario, printed 10; 0 to 100" in text_of(site.get(added.partition("#")[0]).text)
    assert Wish.read(desk, "mend-patron", []).suggested == ["patron.shosuro-hyobu.points"]
    swept = site.get("/change/mend-patron?sweep=patron.shosuro-hyobu.points").headers["location"]
    assert "&from=0&to=6#" in swept


def test_options_of_the_game_can_be_set(desk: Desk, site: Client) -> None:
    """They apply to all that is played; a wrong one is said beside its field."""
    wish = Wish.read(desk, "seat-order", [("o.masteries", '["air", "fire", "void"]'), ("c.setup.hand", "3")])
    assert wish.problems == {}
    assert [wish.experiment(changed).scenario.options["masteries"] for changed in (False, True)] == [
        ["air", "fire", "void"]
    ] * 2
    page = site.get("/change/seat-order?o.masteries=all")
    assert page.status_code == 200
    assert re.search(r'aria-invalid="true" aria-describedby="wrong-o.masteries"', page.text)
    assert site.get("/change/seat-order?o.masteries=random").text.count("aria-invalid") == 0


def test_parameters_are_found_by_words_and_by_name() -> None:
    """All words must occur, in the name or in the meaning; entries of lists belong to their list."""
    spec = load("seat-order").spec
    found = {fact.name: [one.name for one in inside] for fact, inside in look_up(spec, "koku turn order")}
    assert found["setup.koku_by_turn_order"][3] == "setup.koku_by_turn_order.4"
    assert look_up(spec, "nothing like it") == []
    assert [fact.name for fact, _ in look_up(spec, "setup.hand")] == ["setup.hand"]


def test_parameters_are_listed_without_a_word() -> None:
    """Each group with its number; together they have all parameters."""
    spec = load("seat-order").spec
    listed = Listed.of(spec, "", "")
    assert sum(count for _, count, _ in listed.groups) == len(spec.facts())
    assert [one.label for one, _ in Listed.of(spec, "", "exchange").facts] == [
        fact.name for fact in spec.facts() if fact.name.startswith("exchange.")
    ]
    inside = Listed.of(spec, "", "tile")
    assert inside.path == ["tile"]
    assert all(name.startswith("tile.") for name, _, _ in inside.groups)


def test_a_page_plays_nothing(hunt: Desk, site: Client) -> None:
    """Opening it, its list and its stream plays no game."""
    for place in ("", "?c.faces=4", "/parameters?words=face", "?c.faces=3&sweep=faces&from=1&to=4"):
        assert site.get(f"/change/hunt{place}").status_code == 200
    assert site.get("/change/hunt/stream").status_code == 404
    assert not Path("reports").exists()
    assert hunt.work == {}


def test_play_streams_until_it_is_over(hunt: Desk, site: Client) -> None:
    """A form starts a trial; its page is an address that shows the same when it is loaded again."""
    to = site.post("/change/hunt/play", {"c.faces": "4", "players": "2", "bots": "hunter", "games": "1500"})
    assert to.status_code == 303
    place = to.headers["location"].partition("#")[0]
    assert place == "/change/hunt?c.faces=4"  # without what is as in the scenario
    stream = site.get(place.replace("hunt?", "hunt/stream?"))
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.text.endswith("event: over\ndata: over\n\n")
    last = text_of(stream.text.split("\n\n")[-3].replace("data: ", ""))
    assert re.search(r"With the change, seat 1 wins \d\d\.\d games in 100 instead of \d\d\.\d", last)
    assert "1,500 games with both sets of rules, on the same deals; 2 players, hunter in every seat." in last
    page = site.get(place)
    assert re.search(r"<h1>With the change, seat 1 wins", page.text)
    hunt.work.clear()  # as after a new start of the server
    assert re.search(r"<h1>With the change, seat 1 wins", site.get(place).text)


def test_two_clicks_start_one_trial(hunt: Desk) -> None:
    """A second one gets the same; one that is over goes on."""
    wish = wish_of(hunt, c__faces="4", games="100000")
    running = begin(hunt, wish)
    assert begin(hunt, wish) is running
    assert begin(hunt, wish_of(hunt, games="100000", c__faces="4")) is running
    other = begin(hunt, wish_of(hunt, c__faces="2", games="200"))
    assert running.is_stopped
    assert running.ended.wait(60)
    assert other.ended.wait(60)
    assert not other.problem


def test_a_trial_that_nobody_watches_stops(hunt: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its page was closed."""
    monkeypatch.setattr("rogsim.workbench.change.ALONE", 0.05)
    running = begin(hunt, wish_of(hunt, games="1000000"))
    assert running.ended.wait(60)
    assert running.is_stopped
    assert not running.problem


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"c.faces": "9"}, "must be a whole number from 0 to 5"),
        ({"c.faces": "many"}, "must be a whole number from 0 to 5"),
        ({"c.nothing": "1"}, "nothing"),
        ({"players": "7"}, "choose from 2"),
        ({"bots": "nobody"}, "nobody is not offered: choose from hunter"),
        ({"games": "0"}, "a whole number from 1 to 1,000,000"),
        ({"games": "9" * 150}, "a whole number from 1 to 1,000,000"),
        ({"c.faces": "3", "sweep": "faces", "from": "1", "to": "x"}, "both ends must be whole numbers from 0 to 5"),
        ({"c.faces": "3", "sweep": "faces", "from": "4", "to": "2"}, "the second end must be larger than the first"),
        ({"sweep": "*", "from": "1", "to": "2"}, "is not a single number that can be swept"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_on_the_page(hunt: Desk, site: Client, words: dict[str, str], text: str) -> None:
    """The page can still be used, and nothing is played."""
    to = site.post("/change/hunt/play", words)
    assert to.status_code == 303
    page = site.get(to.headers["location"].partition("#")[0])
    assert page.status_code == 200
    assert text in unescape(page.text)
    assert hunt.work == {}
    assert not Path("reports").exists()


def test_an_address_that_is_too_long_is_refused(hunt: Desk, site: Client) -> None:
    """With a page and status 400."""
    assert site.get(f"/change/hunt?c.faces={'1' * 300}").status_code == 400
    assert site.get("/change/hunt?" + "&".join(f"c.x{place}=1" for place in range(300))).status_code == 400


def test_bots_that_are_files_run_only_when_something_is_played(hunt: Desk, site: Client) -> None:
    """Opening a page does not run them, and a page cannot name others than its scenario has."""
    code = (
        "import pathlib\npathlib.Path({!r}).touch()\n\n\ndef choose(game, view, legal, memory):\n    return legal[0]\n"
    )
    Path("scenarios/own.py").write_text(code.format(str(Path("ran").resolve())))
    Path("scenarios/other.py").write_text(code.format(str(Path("other").resolve())))
    Path("scenarios/own.toml").write_text(HUNT_FILE.replace('"hunter"', '"own.py:choose"'))
    page = site.get("/change/own")
    assert "own.py:choose" in page.text
    site.get("/change/own?bots=own.py%3Achoose")
    site.get("/change/own/stream")
    assert not Path("ran").exists()
    site.post("/change/own/play", {"bots": "other.py:choose", "games": "20"})
    assert not Path("other").exists()
    assert not Path("ran").exists()
    running = begin(hunt, Wish.read(hunt, "own", [("games", "20")]))
    assert running.ended.wait(60)
    assert not running.problem
    assert Path("ran").exists()


def test_a_scenario_that_changes_is_read_again(hunt: Desk, site: Client) -> None:
    """Even if the new file is older than others beside it."""
    path = Path("scenarios/hunt.toml")
    path.with_name("later.toml").write_text("")
    assert "Something else?" not in site.get("/change/hunt").text
    path.write_text(f"# Something else?\n\n{HUNT_FILE.partition(chr(10))[2]}")
    os.utime(path, (1, 1))
    assert "Something else?" in site.get("/change/hunt").text


def test_buttons_keep_what_is_typed(hunt: Desk, site: Client) -> None:
    """Adding, sweeping and removing a parameter lead to an address with all other values."""
    added = site.get("/change/hunt?games=300&add=faces")
    assert added.headers["location"] == "/change/hunt?games=300&c.faces=3#at-faces"
    swept = site.get("/change/hunt?games=300&c.faces=4&sweep=faces")
    assert swept.headers["location"] == "/change/hunt?games=300&c.faces=4&sweep=faces&from=0&to=5#at-faces"
    removed = site.get("/change/hunt?games=300&c.faces=4&sweep=faces&from=0&to=5&remove=faces")
    assert removed.headers["location"] == "/change/hunt?games=300#changed"


def test_a_saved_scenario_can_be_played(hunt: Desk, site: Client) -> None:
    """It asks about the change, has it, and overwrites nothing."""
    saved = site.post("/change/hunt/save?c.faces=4&games=700", {"name": "four faces"})
    assert saved.status_code == 303
    made = load("four faces")
    assert made.question == "What does faces = 4 change?"
    assert dict(made.scenario.change) == {"faces": 4}
    assert (made.scenario.games, made.scenario.players, made.scenario.seed) == (700, (2,), 5)
    before = Path("scenarios/four faces.toml").read_bytes()
    again = site.post("/change/hunt/save?c.faces=2", {"name": "four faces"})
    assert again.status_code == 400
    assert "already exists" in again.text
    assert Path("scenarios/four faces.toml").read_bytes() == before


@pytest.mark.parametrize(
    "name", ["", "..", "../x", "a/b", "/tmp/x", "x\\y", " ", "x\u202e", "x.toml", ".", "-x", "<b>"]
)
def test_a_name_must_be_a_word(hunt: Desk, site: Client, name: str) -> None:
    """Nothing is written for any other."""
    assert site.post("/change/hunt/save?c.faces=4", {"name": name}).status_code == 400
    assert [path.name for path in Path().rglob("*") if path.is_file()] == ["hunt.toml"]


def test_a_saved_sweep_can_be_played(hunt: Desk, site: Client) -> None:
    """With its numbers."""
    site.post("/change/hunt/save?c.faces=3&sweep=faces&from=1&to=4", {"name": "sweep"})
    sweep = load("sweep").scenario.sweep
    assert sweep is not None
    assert dict(sweep.over) == {"faces": [1, 2, 3, 4]}


@pytest.mark.parametrize("words", [{}, {"c__faces": "4"}, {"c__faces": "3", "sweep": "faces", "from": "2", "to": "4"}])
def test_the_command_plays_the_same_games(
    hunt: Desk, site: Client, command: Run, sketched: None, words: dict[str, str]
) -> None:
    """As it is printed, it finds all games stored: its rows are the same."""
    wish = wish_of(hunt, games="300", **words)
    finished(hunt, wish)
    page = site.get(f"/change/hunt?{wish.query}")
    printed = unescape(re.findall('<pre id="command">(.*?)</pre>', page.text)[0])
    first, *typed = shlex.split(printed)
    assert first == "rogsim"
    stored = {path.name: path.read_bytes() for path in STORE.rglob("*.parquet")}
    code, _, fault = command(*typed)
    assert (code, fault if code else "") == (0, "")
    again = {path.name: path.read_bytes() for path in Path("reports").rglob("*.parquet")}
    kept = {name: content for name, content in again.items() if name in stored}
    assert kept == stored


def test_the_command_names_a_scenario_of_rogsim(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, in the folder of the project too."""
    for folder in (Path(), ROOT):
        monkeypatch.chdir(folder)
        assert command_of(Wish.read(desk, "seat-order", []), 24).startswith("rogsim run seat-order --players 4")


def test_the_report_is_written_from_stored_games(hunt: Desk, site: Client, sketched: None) -> None:
    """It leads to the page of the report."""
    wish = wish_of(hunt, c__faces="4", games="300")
    finished(hunt, wish)
    assert site.post("/change/hunt/report?c.faces=2").status_code == 400
    work = site.post("/change/hunt/report?c.faces=4&games=300").headers["location"]
    end = time.monotonic() + 60
    while (answer := site.get(work)).status_code != 303 and time.monotonic() < end:
        time.sleep(0.05)
    assert re.match("/report/compare-hunt-", answer.headers["location"])
    assert list(Path("reports").glob("compare-hunt-*/index.html"))
