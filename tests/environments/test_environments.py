"""PettingZoo environments of one game: what PettingZoo asks of them, and what it does not."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.utils import TerminateIllegalWrapper

import rogsim
from rogsim.base.errors import RogsimError
from rogsim.environments import env, parallel_env
from rogsim.game import compiler
from tests.environments.playing import GOLD, choices, history_of
from tests.uncompiled import uncompiled

pytestmark = pytest.mark.usefixtures("dice_race")

LONG = {"short": 40, "long": 60}  # nobody arrives within four turns
KINDS = [
    ("dice-race", 2, LONG),
    ("dice-race", 3, LONG),
    ("dice-race", 4, LONG | {"end": "fair"}),
    (GOLD, 2, {"patrons": "alternative"}),
    (GOLD, 3, {"patrons": "draft"}),
    (GOLD, 4, {"patrons": "dealt", "masteries": "each"}),
]
once_uncompiled = pytest.mark.once_uncompiled


# PettingZoo knows by name those of its environments that observe dicts.
@once_uncompiled
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array", "ignore:Observation space for each agent")
@pytest.mark.parametrize(("game", "players", "options"), KINDS)
def test_pettingzoo_finds_no_fault(game: str, players: int, options: dict[str, Any]) -> None:
    """PettingZoo's own tests pass for every kind of game: interface, seeds, cycles and rendering."""
    make = partial(env, game, players, options=options)
    parallel = partial(parallel_env, game, players, options=options)
    api_test(make(), num_cycles=6)
    api_test(make(max_cycles=5), num_cycles=2)
    seed_test(make, num_cycles=6)
    max_cycles_test(SimpleNamespace(env=make, parallel_env=parallel))
    render_test(make)
    parallel_api_test(parallel(), num_cycles=4)
    parallel_seed_test(parallel, num_cycles=4)


def test_every_process_sees_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes with other hash seeds, compiled or not, give the same observations, masks, rewards and words."""
    games = [["dice-race", 4, LONG | {"end": "fair"}, 12, 2]]
    if not compiler.ENABLED:  # compiled, tests/games/river_of_gold/test_environment.py compares
        games.append([GOLD, 3, {"patrons": "draft"}, 12, 1])
    here = [history_of(*game) for game in games]
    for hash_seed in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", hash_seed)
        assert uncompiled(history_of, games) == here
    assert history_of(*games[0][:3], 13, 2) != here[0]


@once_uncompiled
@pytest.mark.parametrize(("game", "players", "options"), KINDS)
def test_observations_are_within_their_bounds(game: str, players: int, options: dict[str, Any]) -> None:
    """Whatever a seat sees during a game, whether it must choose or not, is in its space; and is not always 0."""
    environment = env(game, players, options=options)
    space = environment.observation_space("seat_1")
    seen = np.zeros(len(environment.vector_names))
    environment.reset(seed=3)
    for number, observed in enumerate(choices(environment, 3)):
        assert space.contains(observed)
        if number % 10 == 0:
            for agent in environment.possible_agents:
                assert space.contains(environment.observe(agent))
        seen = np.maximum(seen, observed["observation"])
    assert space.contains(environment.observe("seat_1"))
    assert np.mean(seen > 0) > 0.1


@once_uncompiled
def test_bounds_are_those_that_any_parameters_allow() -> None:
    """Also where a changed parameter allows more than the printed one."""
    change = {"setup.koku_by_turn_order": [40, 41, 42, 43], "limits.koku": 50}
    environment = env(GOLD, 2, change=change)
    place = environment.vector_names.index("players[me+1].koku")
    environment.reset()
    assert environment.session.layout.high[place] == 100
    assert environment.observe("seat_1")["observation"][place] == 41
    assert environment.observation_space("seat_1").contains(environment.observe("seat_1"))


@once_uncompiled
@pytest.mark.parametrize("reward", ["win_share", "points"])
@pytest.mark.parametrize(("game", "players"), [("dice-race", 3), (GOLD, 2)])
def test_rewards_come_at_the_end_and_are_those_of_the_rows(game: str, players: int, reward: str) -> None:
    """Every reward before the last is 0; the last are the points or win shares of the stored rows."""
    environment = env(game, players, reward=reward, options={"end": "fair"} if game == "dice-race" else {})
    environment.reset(seed=2)
    for _ in choices(environment, 2):
        assert not any(environment.rewards.values())
    seats, _ = environment.session.rows()
    final = [environment.last()[1]]
    assert environment.rewards == dict(zip(environment.agents, seats[reward].tolist(), strict=True))
    while environment.agents:
        agent, reached = environment.agent_selection, environment.last()
        assert reached[2:4] == (True, False)
        final.append(reached[1])
        assert environment.rewards[agent] in (0, reached[1])
        environment.step(None)
    assert final[1:] == pytest.approx(seats[reward].tolist())


@once_uncompiled
def test_resets_go_through_the_deals() -> None:
    """Without a seed each reset begins the next deal; a seed begins its deal 0, unless another deal is named."""
    environment = env("dice-race", 2, seed=4, options=LONG)
    begun = []
    resets: list[dict[str, Any]] = [{}, {}, {"options": {"deal": 7}}, {}, {"seed": 6}, {}]
    for given in [*resets, {"seed": 5, "options": {"deal": 2}}, {"options": {"else": 1}}]:
        environment.reset(**given)
        begun.append((environment.session.seed, environment.session.deal))
        environment.step(0)
    assert begun == [(4, 0), (4, 1), (4, 7), (4, 8), (6, 0), (6, 1), (5, 2), (5, 3)]
    for given, message in (({"seed": -1}, "seed: -1 is"), ({"options": {"deal": "x"}}, "deal: 'x' is not allowed")):
        before = environment.session.state.tobytes()
        with pytest.raises(RogsimError, match=message):
            environment.reset(**given)
        assert environment.session.state.tobytes() == before


@once_uncompiled
def test_an_illegal_action_is_an_error_that_changes_nothing() -> None:
    """The session's error says what is wrong, and the environment is as before."""
    environment = env(GOLD, 2, options={"patrons": "draft"})
    with pytest.raises(RogsimError, match=r"no agent is in the game: call reset\(\) first"):
        environment.step(0)
    environment.reset()
    before = copy.deepcopy((environment.last(), environment.session.taken))
    for action, message in (
        (0, "action 0 is not legal for seat 1 now"),
        (-1, "there is no action -1"),
        (None, "None is not an action"),
        (0.0, "0.0 is not an action"),
    ):
        with pytest.raises(RogsimError, match=message):
            environment.step(action)
        assert repr((environment.last(), environment.session.taken)) == repr(before)
    with pytest.raises(RogsimError, match='agent: "seat_3" is not allowed: choose from seat_1, seat_2'):
        environment.observe("seat_3")
    for _ in choices(environment, 1):
        pass
    with pytest.raises(RogsimError, match="the game is over for seat_1: its only step is None"):
        environment.step(0)


@once_uncompiled
@pytest.mark.parametrize("given", [np.array, np.int16], ids=str)
def test_whatever_the_action_space_contains_is_an_action(given: Callable[[int], Any]) -> None:
    """Learners give their choices as arrays without dimensions; an action in any form has the same effect."""
    game, together = env(GOLD, 2, seed=1), parallel_env(GOLD, 2, seed=1)
    game.reset()
    together.reset()
    number, actor = game.session.legal[-1], game.agent_selection
    assert game.action_space(actor).contains(given(number))
    game.step(given(number))
    together.step({agent: given(number if agent == actor else together.wait) for agent in together.agents})
    assert game.session.taken == together.session.taken == (number,)


@once_uncompiled
def test_no_other_value_is_an_action() -> None:
    """The action space and the step agree on what is none: fractions, truth values, arrays with dimensions."""
    game, together = env(GOLD, 2), parallel_env(GOLD, 2)
    game.reset()
    together.reset()
    for wrong in (True, np.True_, 0.0, np.array(0.0), np.array([0]), np.array([0, 0]), "0", None):
        assert not game.action_space(game.agent_selection).contains(wrong)
        with pytest.raises(RogsimError, match="is not an action"):
            game.step(wrong)
        with pytest.raises(RogsimError, match="need not choose"):
            together.step(dict.fromkeys(together.agents, wrong))


@once_uncompiled
def test_an_illegal_action_can_lose_the_game_instead() -> None:
    """With PettingZoo's wrapper, whoever chooses an illegal action loses at once."""
    environment = TerminateIllegalWrapper(env(GOLD, 2, options={"patrons": "draft"}), illegal_reward=-1)
    environment.reset()
    agent = environment.agent_selection
    environment.observe(agent)
    environment.step(0)
    assert all(environment.terminations.values())
    assert environment.rewards == {"seat_1": 0.0, "seat_2": 0.0} | {agent: -1.0}


@once_uncompiled
def test_samples_are_legal_actions() -> None:
    """A space of actions draws from those that are legal now, unless it is given a mask or probabilities."""
    environment = env(GOLD, 3)
    environment.reset(seed=1)
    space = environment.action_space(environment.agent_selection)
    space.seed(1)
    for _ in range(60):
        environment.step(environment.action_space(environment.agent_selection).sample())
    first = np.zeros(space.n, np.int8)
    first[5] = 1
    assert space.sample(first) == 5
    assert space.sample(probability=first.astype(float)) == 5


@once_uncompiled
def test_agents_that_need_not_choose_wait() -> None:
    """In a parallel environment anything but waiting is an error for them; a step is one decision of the game."""
    environment = parallel_env("dice-race", 3, options=LONG)
    environment.reset()
    wait = environment.wait
    for actions, message in (
        ({"seat_1": 0, "seat_2": 0, "seat_3": wait}, "seat_2 need not choose: its only action is to wait, 2"),
        ({"seat_1": 0, "seat_2": wait}, "there is no action of seat_3: every agent must act"),
        ({"seat_1": wait, "seat_2": wait, "seat_3": wait}, "there is no action 2"),
        (3, "step: 3 is not allowed: give a table of the action of every agent"),
    ):
        with pytest.raises(RogsimError, match=message):
            environment.step(actions)
        assert environment.session.taken == ()
    observations, rewards, *_ = environment.step({"seat_1": 1, "seat_2": wait, "seat_3": wait})
    assert [observed["action_mask"].tolist() for observed in observations.values()] == [[0, 0, 1], [1, 1, 0], [0, 0, 1]]
    assert rewards == dict.fromkeys(environment.agents, 0.0)
    while environment.agents:
        *_, rewards, over, stopped, _ = environment.step(
            {agent: environment.action_space(agent).sample() for agent in environment.agents}
        )
    assert sum(rewards.values()) == 1
    assert (set(over.values()), set(stopped.values())) == ({True}, {False})


@once_uncompiled
def test_the_game_is_that_of_a_session() -> None:
    """The same seed, deal and actions give the vectors, words and legal actions of `rogsim.Session`."""
    environment = env("dice-race", 3, options=LONG)
    environment.reset(seed=9, options={"deal": 4})
    session = rogsim.Session.new("dice-race", 3, seed=9, deal=4, options=LONG)
    for observed in choices(environment, 5):
        if len(environment.session.taken) > len(session.taken):
            session.apply(environment.session.taken[-1])
        assert observed["observation"].tolist() == session.vector(session.actor).tolist()
        assert np.flatnonzero(observed["action_mask"]).tolist() == list(session.legal)
    environment.reset()
    environment.step({"do": "walk"})
    assert environment.describe("seat_2")["position"] == [0, 0, 3]
    assert (environment.session.seed, environment.session.deal) == (9, 5)


@once_uncompiled
def test_rendering_shows_standings_and_choices(capsys: pytest.CaptureFixture[str]) -> None:
    """As text, printed after every step, or not at all."""
    environment = env("dice-race", 2, options=LONG, render_mode="ansi")
    environment.reset(seed=1)
    environment.step(1)
    lines = [
        "Dice race, seed 1, deal 0: turn 2",
        "  seat_1: 3 points, rank 1",
        "> seat_2: 0 points, rank 2",
        "  0: roll",
        "  1: walk",
    ]
    assert environment.render() == "\n".join(lines)
    assert capsys.readouterr().out == ""
    printing = env("dice-race", 2, options=LONG, render_mode="human")
    printing.reset(seed=1)
    printing.step(1)
    assert capsys.readouterr().out.splitlines()[-5:] == lines
    silent = env("dice-race", 2)
    silent.reset()
    with pytest.raises(RogsimError, match="render: give the environment render_mode"):
        silent.render()


@once_uncompiled
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"source": "chess"}, 'no game "chess"'),
        ({"players": 9}, "players: 9 is not allowed"),
        ({"reward": "rank"}, 'reward: "rank" is not allowed: choose from win_share, points'),
        ({"render_mode": "rgb_array"}, 'render_mode: "rgb_array" is not allowed: choose from ansi, human'),
        ({"max_cycles": 0}, "max_cycles: 0 is not allowed"),
        ({"max_cycles": 1.5}, "max_cycles: 1.5 is not allowed"),
    ],
)
def test_a_wrong_environment_is_one_line(given: dict[str, Any], message: str) -> None:
    """Wrong games, rewards and modes are plain errors."""
    with pytest.raises(RogsimError, match=message) as caught:
        env(**({"source": "dice-race"} | given))
    assert "\n" not in str(caught.value)


@once_uncompiled
def test_without_the_extra_one_line_names_it() -> None:
    """Without PettingZoo, batches work, and environments say what to install."""
    code = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "from rogsim.environments import BatchedGames\n"
        "from rogsim.base.errors import RogsimError\n"
        "try: from rogsim.environments import env\n"
        "except RogsimError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(rogsim.__file__).parents[1], check=False
    )
    wanted = 'rogsim.environments.env: needs the extra rogsim[rl]: pip install "rogsim[rl]"\n'
    assert (done.returncode, done.stdout) == (0, wanted), done.stderr


@pytest.fixture(autouse=True)
def _quiet(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    """PettingZoo's tests print."""
    yield
    capsys.readouterr()


@pytest.mark.parametrize("method", ["last", "agent_iter"])
def test_nothing_happens_before_a_reset(method: str) -> None:
    """Whoever forgets `reset` is told so, before the first game and after the last step of one."""
    environment = env("dice-race", 2)
    with pytest.raises(RogsimError, match=rf"{method}: no agent is in the game: call reset\(\) first"):
        getattr(environment, method)()
    environment.reset()
    for agent in environment.agent_iter():
        environment.step(None if environment.last()[2] else environment.action_space(agent).sample())
    with pytest.raises(RogsimError, match=rf"{method}: no agent is in the game"):
        getattr(environment, method)()


def test_the_options_of_a_reset_are_a_table() -> None:
    """Anything else is refused in one line."""
    with pytest.raises(RogsimError, match="options: 3 is not allowed: must be a table"):
        env("dice-race", 2).reset(options=3)
