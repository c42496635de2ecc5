"""Agents: finding, creating and asking them, and playing them in processes."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from rogsim.base.errors import RogsimError
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.bot import AgentFault, BotFault, ask_agent
from rogsim.game.registry import RegistryError
from rogsim.game.rng import BotRandom, number
from rogsim.game.spec import GameSpec
from rogsim.scenario.model import load
from rogsim.simulation.batch import make_ready, run_batch

pytestmark = pytest.mark.once_uncompiled

AGENTS = '''
class Hasty:
    """Rolls, and counts how often it was asked."""

    def __init__(self):
        self.asked = 0

    def choose(self, observation, actions):
        self.asked += 1
        return {"do": "roll"} if observation["turns"] % 3 else 1


class Moody:
    def choose(self, observation, actions):
        return observation["random"].choice(actions)


class Counting:
    def __init__(self, walks):
        self.walks = walks

    def choose(self, observation, actions):
        self.walks -= 1
        return "walk" if self.walks < -1000 else int(self.walks >= 0)


twice = Counting(2)


class Needy:
    def __init__(self, name):
        self.name = name

    def choose(self, observation, actions):
        return 0


class Locked:
    def __deepcopy__(self, memo):
        raise TypeError("not to be copied")

    def choose(self, observation, actions):
        return 0


locked = Locked()


class Late:
    def choose(self, observation, actions):
        return 7 if observation["turns"] == 4 else 0


class Fragile:
    def choose(self, observation, actions):
        raise ValueError("first line\\nsecond line")


class Quitter:
    def choose(self, observation, actions):
        raise SystemExit(3)


class Deadly:
    def choose(self, observation, actions):
        import os
        os._exit(9)


class Silent:
    pass


def steady(setup, race, menu, memory):
    return 1
'''

KEYS: dict[str, Any] = {"game": "dice-race", "players": [2, 3], "games": 24, "seed": 5, "options": {"long": 20}}


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(AGENTS)
    return path


def frames(keys: dict[str, Any], folder: Path, **how: Any) -> tuple[pl.DataFrame, pl.DataFrame]:
    given = load(KEYS | keys, folder=folder)
    parts = run_batch(given, make_ready(given, print), **how)
    return pl.concat([part.seats for part in parts]), pl.concat([part.games for part in parts])


@pytest.mark.parametrize("name", ["Hasty", "Moody", "twice"])
def test_a_class_or_an_object_with_choose_is_an_agent(dice_race: GameSpec, mine: Path, name: str) -> None:
    """It has no weights and no compiled function, and every agent is a new object."""
    source = find_bot(dice_race, f"mine.py:{name}", mine.parent, here=True)
    bot = compile_bot(dice_race, source)
    assert bot.agent is not None
    assert bot.choose is None
    assert len(bot.weights) == 0
    assert bot.agent() is not bot.agent()


def test_a_plain_function_stays_a_compiled_bot(dice_race: GameSpec, mine: Path) -> None:
    """Beside agents in the same file."""
    bot = compile_bot(dice_race, find_bot(dice_race, "mine.py:steady", mine.parent, here=True))
    assert bot.agent is None
    assert bot.choose is not None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Silent", r'bot "mine.py:Silent": "Silent" in .*mine\.py is not a function and has no method "choose"'),
        ("Needy", r'bot "mine.py:Needy" could not be created: it raised TypeError: .*name'),
        ("locked", r'bot "mine.py:locked" could not be created: it raised TypeError: not to be copied'),
        ("Gone", r'has no function, class or object "Gone"'),
    ],
)
def test_an_agent_that_cannot_be_had_is_a_plain_error(dice_race: GameSpec, mine: Path, name: str, message: str) -> None:
    """If it cannot be created or copied, or has no method, the error is one line before anything is played."""
    with pytest.raises(RegistryError, match=message) as caught:
        compile_bot(dice_race, find_bot(dice_race, f"mine.py:{name}", mine.parent, here=True))
    assert "\n" not in str(caught.value)


ACTIONS = [{"do": "roll"}, {"do": "walk"}]


@pytest.mark.parametrize(("answer", "place"), [(0, 0), (np.array(1), 1), ({"do": "roll"}, 0), ({"do": "walk"}, 1)])
def test_an_answer_is_an_action_or_its_place(answer: Any, place: int) -> None:
    """An equal dict is as good as the one that was shown."""
    agent = type("Agent", (), {"choose": lambda *_: answer})()
    assert ask_agent(agent, None, ACTIONS) == place


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (2, "answered place 2 of a menu of 2"),
        (-1, "answered place -1 of a menu of 2"),
        (True, "answered True, which is neither an action nor its place"),
        (None, "answered None, which is neither an action nor its place"),
        (1.0, "answered 1.0, which is neither an action nor its place"),
        ("x" * 500, "answered 'xxx"),
        ({"do": "fly"}, "answered {'do': 'fly'}, which is not on the menu of 2"),
    ],
)
def test_any_other_answer_is_a_fault(answer: Any, message: str) -> None:
    """The error shows any answer, however odd, in one line of limited length."""
    agent = type("Agent", (), {"choose": lambda *_: answer})()
    with pytest.raises(AgentFault) as caught:
        ask_agent(agent, None, ACTIONS)
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 300


def test_an_agent_cannot_change_the_menu() -> None:
    """Changing the list and the dicts that it is shown does not change the menu."""

    def choose(self: Any, observation: Any, actions: list[dict[str, Any]]) -> Any:
        actions[0]["do"] = "win"
        return actions[0]

    with pytest.raises(AgentFault, match="not on the menu"):
        ask_agent(type("Agent", (), {"choose": choose})(), None, ACTIONS)
    assert ACTIONS[0] == {"do": "roll"}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("chunk", [None, 5])
def test_rows_with_agents_do_not_depend_on_workers_or_chunks(
    dice_race: GameSpec, mine: Path, jobs: int, chunk: int | None
) -> None:
    """Agents among compiled bots: in one process or two, in chunks of any size, the same rows."""
    keys = {"bots": ["mine.py:Hasty", "moody", "mine.py:Moody", "mine.py:twice"]}
    expected = frames(keys, mine.parent, jobs=1, chunk=1000)
    for found, table in zip(frames(keys, mine.parent, jobs=jobs, chunk=chunk), expected, strict=True):
        assert found.equals(table)
        assert found.schema == table.schema


def test_an_agent_remembers_nothing_of_older_games(dice_race: GameSpec, mine: Path) -> None:
    """Each game and seat has a new agent: it walks its first two turns in each, as class or as object."""
    seats, games = frames({"bots": ["mine.py:twice"], "players": [2], "options": {"short": 7, "long": 7}}, mine.parent)
    # Two walks are 6 spaces, and the third turn is a roll: nobody needs a fourth.
    assert games["turns"].max() <= 6
    assert games["turns"].min() >= 5
    assert len(seats) == 48


FAULTS = {
    "Late": r'^bot "mine\.py:Late" answered place 7 of a menu of 2 in deal 0 with 2 players, turn 5$',
    "Fragile": r'^bot "mine\.py:Fragile" raised ValueError: first line second line in deal 0 with 2 players',
    "Quitter": r'^bot "mine\.py:Quitter" raised SystemExit: 3 in deal 0',
}


@pytest.mark.parametrize(("name", "jobs"), [("Late", 1), ("Fragile", 1), ("Quitter", 1), ("Late", 2), ("Quitter", 2)])
def test_what_an_agent_does_wrong_ends_the_run(dice_race: GameSpec, mine: Path, jobs: int, name: str) -> None:
    """The error names bot, game and turn, from any process, and keeps its parts."""
    with pytest.raises(BotFault, match=FAULTS[name]) as caught:
        frames({"bots": [f"mine.py:{name}"], "games": 2, "players": [2]}, mine.parent, jobs=jobs)
    assert caught.value.bot == f"mine.py:{name}"
    assert caught.value.players == 2


def test_a_worker_that_dies_is_told(dice_race: GameSpec, mine: Path) -> None:
    """A bot that ends its process ends the run with a plain error."""
    with pytest.raises(
        RogsimError, match=r'^bot "mine.py:Deadly", deal .* players: its process ended with exit code 9'
    ):
        frames({"bots": ["mine.py:Deadly"]}, mine.parent, jobs=2)


def test_a_fault_survives_the_way_between_processes() -> None:
    """Pickled and read again it is the same error."""
    fault = BotFault("mine.py:Late", 3, 17, 4, "answered place 7 of a menu of 2")
    again = pickle.loads(pickle.dumps(fault))
    assert str(again) == str(fault)
    assert vars(again) == vars(fault)


def test_own_random_is_the_stream_of_chance() -> None:
    """Its 64 bits are those that a compiled bot would draw from the same key, and all of Random's methods work."""
    key = 0xFEDCBA9876543210
    random = BotRandom(key)
    assert [random.getrandbits(64) for _ in range(5)] == [int(number(key, place)) for place in range(5)]
    first, again = BotRandom(key), BotRandom(key)
    first.seed(1)
    drawn = [first.random(), first.randrange(10), first.choice("abc"), first.sample(range(50), 5), first.gauss(0, 1)]
    assert drawn == [
        again.random(), again.randrange(10), again.choice("abc"), again.sample(range(50), 5), again.gauss(0, 1)
    ]  # fmt: skip
    assert BotRandom(key + 1).random() != BotRandom(key).random()
    assert len({BotRandom(key).getrandbits(k) < 1 << k for k in range(130)}) == 1
    with pytest.raises(NotImplementedError):
        random.getstate()
