"""Agents play the same game, see only what their seat may see, and choose in words."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rogsim
from rogsim.game import compiler
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot, BotFault
from rogsim.game.kit.workspace import make_view
from rogsim.game.rng import GOLDEN, PURPOSE_STEP, BotRandom, game_key, one_way, stream_key
from rogsim.games.river_of_gold import spec
from rogsim.games.river_of_gold.components.names import CUSTOMERS, GOODS, MASTERIES, NONE, PATRONS
from rogsim.games.river_of_gold.play.contract import RULES
from rogsim.games.river_of_gold.rules.actions import ACTION_COUNT, words_of
from rogsim.games.river_of_gold.rules.state import BOT, PHASES
from tests.chance import MASK, unmixed
from tests.games.river_of_gold.games import PATRON_MODES, bot, outcomes, setup_for, traces
from tests.games.river_of_gold.table import Table

pytestmark = pytest.mark.once_compiled  # agents are Python either way

GAMES = 30 if compiler.ENABLED else 1

Observation = dict[str, Any]


class Chancer:
    """Draws as the compiled bot `random` does."""

    def choose(self, observation: Observation, actions: list[dict[str, Any]]) -> int:
        return self.draw(observation, actions)

    def draw(self, observation: Observation, actions: list[dict[str, Any]]) -> int:
        return (observation["random"].getrandbits(64) >> 32) * len(actions) >> 32


class Watcher(Chancer):
    """Draws in the same way, answers in words, and records what it saw."""

    seen: list[tuple[Observation, list[dict[str, Any]]]]

    def choose(self, observation: Observation, actions: list[dict[str, Any]]) -> Any:
        self.seen.append((observation, actions))
        return dict(actions[self.draw(observation, actions)])


def agent(make: Callable[[], Any]) -> Bot:
    return Bot("agent", None, np.zeros(0), make)


def watcher() -> tuple[Bot, list[tuple[Observation, list[dict[str, Any]]]]]:
    """A bot, and the list of what it sees."""
    seen: list[tuple[Observation, list[dict[str, Any]]]] = []
    return agent(type("Noting", (Watcher,), {"seen": seen})), seen


def table_of(field: list[Bot], games: int = GAMES) -> Batch:
    seating = np.tile(np.arange(len(field), dtype=np.int8), (games, 1))
    return Batch(3, len(field), np.arange(games, dtype=np.int64), seating, tuple(field))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("mode", PATRON_MODES)
@pytest.mark.parametrize("make", [Chancer, lambda: watcher()[0].agent()], ids=["place", "words"])
def test_an_agent_that_draws_like_a_compiled_bot_plays_its_games(
    players: int, mode: str, make: Callable[[], Any]
) -> None:
    """With agents in some seats the rows are those of `random`: same menus, chance and forced choices."""
    setup, random = setup_for("generous", players, mode), bot("random")
    games = GAMES if make is Chancer else 1
    expected = outcomes(setup, table_of([random] * players, games))
    mixed = [random, agent(make)] * 2
    for field in ([agent(make)] * players, mixed[:players]):
        for found, rows in zip(outcomes(setup, table_of(field, games)), expected, strict=True):
            assert found.tobytes() == rows.tobytes()


def test_traces_with_agents_are_those_of_the_same_games() -> None:
    """Traces of agents are those of `random`, except for the name."""
    setup = setup_for("printed", 3, "draft")
    expected = traces(setup, table_of([bot("random")] * 3, 2))
    found = traces(setup, table_of([bot("random"), agent(Chancer), bot("random")], 2))
    assert [trace.pop("bots") for trace in found] == [["random", "agent", "random"]] * 2
    assert [trace.pop("bots") for trace in expected] == [["random"] * 3] * 2
    assert found == expected


def test_an_agent_is_made_for_each_game_and_seat() -> None:
    """A new agent is created for each seat that is asked, and each is asked in one game only."""
    made: list[list[tuple[int, int]]] = []

    class Marked(Chancer):
        def __init__(self) -> None:
            made.append([])
            self.asked = made[-1]

        def choose(self, observation: Observation, actions: list[dict[str, Any]]) -> int:
            self.asked.append((observation["me"], observation["turn"]))
            return super().choose(observation, actions)

    outcomes(setup_for("printed", 2), table_of([agent(Marked), bot("random")], 3))
    assert len(made) == 3
    assert all({seat for seat, _ in asked} == {0} for asked in made)
    assert all(turns == sorted(turns) for turns in ([turn for _, turn in asked] for asked in made))


def test_a_bots_chance_does_not_lead_back_to_the_games() -> None:
    """Inverting every step from a number that a bot drew gives the key of its stream, but no game's key."""
    drawn: list[tuple[int, int]] = []

    class Thief(Chancer):
        def __init__(self) -> None:
            self.new = True

        def draw(self, observation: Observation, actions: list[dict[str, Any]]) -> int:
            if self.new:
                drawn.append((observation["me"], copy.copy(observation["random"]).getrandbits(64)))
            self.new = False
            return super().draw(observation, actions)

    players, games = 3, 8
    seed = table_of([agent(Thief)] * players, games).seed
    outcomes(setup_for("printed", players), table_of([agent(Thief)] * players, games))
    keys = [np.uint64(game_key(seed, deals)) for deals in range(games)]
    keys_held = [(seat, unmixed(number) - int(GOLDEN) & MASK) for seat, number in drawn]
    for place, (seat, key) in enumerate(keys_held):
        assert key == int(one_way(np.uint64(stream_key(keys[place // players], BOT + seat))))
    assert sorted(seat for seat, _ in keys_held) == sorted([*range(players)] * games)
    assert len({key for _, key in keys_held}) == players * games
    for seat, key in keys_held:
        purpose = (BOT + seat + 1) * int(PURPOSE_STEP) & MASK
        guesses = {unmixed(key) ^ purpose, unmixed(unmixed(key) << 32) ^ purpose}
        assert guesses.isdisjoint(map(int, keys))


@pytest.fixture(scope="module")
def seen() -> list[tuple[Observation, list[dict[str, Any]]]]:
    """Everything that agents saw in games of all kinds."""
    noting, everything = watcher()
    for players in (2, 3, 4):
        for mode in ("draft", "none"):
            outcomes(setup_for("generous", players, mode), table_of([noting] * players, 2))
    return everything


def test_menus_are_never_of_one_choice_and_have_no_doubles(
    seen: list[tuple[Observation, list[dict[str, Any]]]],
) -> None:
    """A forced choice is not shown, and no two choices have the same words."""
    for _, actions in seen:
        assert len(actions) > 1
        assert len({json.dumps(action) for action in actions}) == len(actions)


def test_an_observation_shows_the_own_hand_and_only_the_size_of_others(
    seen: list[tuple[Observation, list[dict[str, Any]]]],
) -> None:
    """Others' hands are None; the seat's hand has as many customers as its size says."""
    for observation, _ in seen:
        for seat, player in enumerate(observation["players"]):
            if seat == observation["me"]:
                assert len(player["hand"]) == player["hand_size"]
                assert set(player["hand"]) <= set(CUSTOMERS)
            else:
                assert player["hand"] is None


def test_an_observation_is_plain_python_and_the_components_cannot_be_written_to(
    seen: list[tuple[Observation, list[dict[str, Any]]]],
) -> None:
    """Every value is a word, a whole number, true or false, None, or a list or dict of these."""
    for observation, actions in seen[::25]:
        check_plain({name: value for name, value in observation.items() if name not in ("numbers", "random")})
        check_plain(actions)
        with pytest.raises(TypeError):
            observation["numbers"]["limits"]["koku"] = 99


def check_plain(value: Any) -> None:
    assert type(value) in (dict, list, tuple, str, int, bool, type(None)), f"{value!r} is {type(value)}"
    if isinstance(value, dict):
        assert all(type(key) in (str, int) for key in value)
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            check_plain(part)


def test_every_question_is_put_in_words(seen: list[tuple[Observation, list[dict[str, Any]]]]) -> None:
    """Phases have names, including the draft of patrons."""
    questions = {observation["phase"] for observation, _ in seen}
    assert questions <= set(PHASES) - {"automatic", "over"}
    assert questions >= {"draft", "turn", "discard", "good"}
    drafts = [actions for observation, actions in seen if observation["phase"] == "draft"]
    assert all(set(action) == {"do", "patron"} and action["patron"] in PATRONS for menu in drafts for action in menu)


def test_every_action_has_words_of_its_own() -> None:
    """With a full row, all actions have different words."""
    table = Table(players=4)
    table.game.row[:] = range(6)
    words = [json.dumps(words_of(table.game, action)) for action in range(ACTION_COUNT)]
    assert len(set(words)) == ACTION_COUNT
    assert words[0] == json.dumps({"do": "pass"})


def test_an_observation_is_what_lies_on_the_table() -> None:
    """Numbers, names and places are those of the game, printed from 1."""
    table = Table(players=3, patrons=["kudaka", "kaiu-shihobu", "kakita-ryoku"], masteries=["air", "void"])
    hand = ["artisan-2", "noble-6"]
    table.give(0, koku=7, silk=2, favor=1, hand=hand, die=4, ships=(3, 14), influence={2: 5}, royal=1)
    observed = observe(table)
    player = observed["players"][0]
    assert [observed[key] for key in ("me", "active", "actor", "phase", "turn")] == [0, 0, 0, "turn", 1]
    assert [player[key] for key in ("koku", "favor", "die", "ships", "royal")] == [7, 1, 4, [3, 14], 1]
    assert player["goods"] == {"silk": 2}
    assert player["influence"] == {"2": 5}
    assert player["hand"] == hand
    assert [player["patron"] for player in observed["players"]] == ["kudaka", "kaiu-shihobu", "kakita-ryoku"]
    assert observed["row"] == table.row[::-1]
    assert observed["claims"] == {name: 0 if name in ("air", "void") else NONE for name in MASTERIES}
    assert observed["shore"] == [table.tile_at(space) for space in range(1, 31)]
    assert observed["markers"] == [[None, None]] * 30
    assert observed["deck_left"] == len(table.deck)
    assert observed["era_left"] == {"era1": int(table.game.era_left[0]), "era2": int(table.game.era_left[1])}
    assert observed["last_turns"] == NONE
    assert observed["numbers"]["customer"]["artisan-2"]["type"] == "artisan"
    assert list(observed["numbers"]["customer"]) == list(CUSTOMERS)
    assert set(observed["numbers"]["shore"]) == set(range(1, 31))
    assert {tile for tile in observed["shore"] if tile} <= set(observed["numbers"]["tile"])
    assert copy.deepcopy(observed)["numbers"] is observed["numbers"]


def observe(table: Table) -> Observation:
    look_at(table)
    seen: Observation = RULES.describe(table.setup, table.workspace.bot_view, table.chooser, BotRandom(1))
    return seen


def look_at(table: Table) -> None:
    make_view(table.workspace, table.chooser)


def test_what_is_hidden_does_not_change_an_observation() -> None:
    """With other hands, deck, stacks and key of chance, the observation is the same."""
    table = Table(players=3, bare=False)
    before = observe(table)
    secret = table.game.secret
    secret.key, secret.deck[:], secret.stacks[:] = 5, secret.deck[::-1].copy(), secret.stacks[:, ::-1].copy()
    table.game.players[1].hand, table.game.players[2].hand = table.game.players[2].hand, table.game.players[1].hand
    after = observe(table)
    assert {**after, "random": None} == {**before, "random": None}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("actions[999]", "raised IndexError: list index out of range in deal"),
        ("{'do': 'cheat'}", "answered {'do': 'cheat'}, which is not on the menu of "),
        ("999", "answered place 999 of a menu of "),
    ],
)
def test_what_an_agent_does_wrong_is_told_with_game_and_turn(answer: str, message: str) -> None:
    """An error in the middle of the compiled loop is raised with all its parts."""
    names: dict[str, Any] = {}
    code = f"def choose(self, observation, actions):\n    return {answer} if observation['turn'] > 3 else 0\n"
    exec(code, names)
    wrong = agent(type("Wrong", (), {"choose": names["choose"]}))
    with pytest.raises(BotFault) as caught:
        outcomes(setup_for("printed", 2), table_of([bot("random"), wrong], 2))
    assert str(caught.value).startswith(f'bot "agent" {message}')
    assert str(caught.value).endswith("in deal 0 with 2 players, turn 4")
    assert caught.value.__cause__ is not None


def test_an_interrupt_amid_a_choice_comes_through() -> None:
    """Ctrl-C during an agent's choice is not swallowed by the loop."""

    def choose(*_: Any) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        outcomes(setup_for("printed", 2), table_of([agent(type("Slow", (), {"choose": choose}))] * 2, 1))


def test_a_compiled_bot_beside_agents_is_named_for_its_own_faults() -> None:
    """The error for an invalid answer of a compiled bot gives the place that it answered."""

    def choose(tables: Any, view: Any, menu: Any, memory: Any) -> int:
        return menu.count + 4

    wrong = Bot("wrong", spec.GAME.compile_bot(choose), np.zeros(0))
    for field in ([wrong, agent(Chancer)], [wrong, bot("random")]):
        with pytest.raises(BotFault, match=r'^bot "wrong" answered place (\d+) of a menu of (\d+) in deal 0') as caught:
            outcomes(setup_for("printed", 2), table_of(field, 1))
        place, count = (int(word) for word in caught.value.what.split() if word.isdigit())
        assert place == count + 4


def test_a_scenario_with_an_agent_plays_in_processes(tmp_path: Path) -> None:
    """`file.py:Class` in a scenario: one and two workers give the same rows, and the agent sees goods as words."""
    (tmp_path / "mine.py").write_text(
        "class Mine:\n"
        "    def choose(self, observation, actions):\n"
        f"        assert set(observation['players'][observation['me']]['goods']) <= {{*{GOODS!r}}}\n"
        "        return observation['random'].choice(actions)\n"
    )
    (tmp_path / "x.toml").write_text('players = [2]\ngames = 4\nseed = 1\nbots = ["mine.py:Mine", "random"]\n')
    alone, together = (rogsim.run(tmp_path / "x.toml", jobs=jobs, chunk=2).seats().collect() for jobs in (1, 2))
    assert alone.equals(together)
    assert set(alone["bot"].to_list()) == {"mine.py:Mine", "random"}


ALONE = """
import numpy as np
from pathlib import Path
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.games.river_of_gold.spec import GAME

class First:
    def choose(self, observation, actions):
        return 0

bots = (Bot("first", None, np.zeros(0), First), compile_bot(GAME, find_bot(GAME, "random", Path())))
rows = [np.zeros(count, dtype) for count, dtype in zip((2, 1), GAME.row_dtypes)]
GAME.play(GAME.prepare(GAME.options(), 2), Batch(1, 2, np.arange(1), np.array([[0, 1]], np.int8), bots), *rows)
print(rows[1]["decisions"][0])
"""


def test_an_agent_can_be_the_first_to_play_in_a_process() -> None:
    """Also where all machine code is in the cache, so that nothing is compiled before it."""
    found = [subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True) for _ in range(2)]
    assert [done.stderr for done in found] == ["", ""]
    assert found[0].stdout == found[1].stdout
