"""Batches of games: the games of `env`, one decision of each in every step."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from rogsim.base.errors import RogsimError
from rogsim.environments import BatchedGames, env
from tests.environments.playing import GOLD

pytestmark = pytest.mark.usefixtures("dice_race")
once_uncompiled = pytest.mark.once_uncompiled


def check_against_env(
    game: str, players: int, options: Mapping[str, Any], count: int, steps: int, reward: str, threads: int = 1
) -> int:
    """Compare every place of a batch with an environment that is given the same actions; return the games ended."""
    batch = BatchedGames(game, count, players, seed=5, options=options, reward=reward, threads=threads)
    chance, ended, result = np.random.default_rng(7), 0, batch.result
    environments = [env(game, players, seed=5, options=options, reward=reward) for _ in range(count)]
    for deal, environment in enumerate(environments):
        environment.reset(options={"deal": deal})
    for _ in range(steps):
        for place, environment in enumerate(environments):
            observed = environment.observe(environment.agent_selection)
            assert environment.possible_agents.index(environment.agent_selection) == result.actors[place]
            assert environment.session.deal == result.deals[place]
            assert observed["observation"].tobytes() == result.observations[place].tobytes()
            assert observed["action_mask"].tolist() == result.masks[place].tolist()
            assert result.counts[place] == result.masks[place].sum()
        actions = batch.sample(chance)
        batch.step(actions)
        for place, environment in enumerate(environments):
            environment.step(actions[place])
            assert list(environment.rewards.values()) == result.rewards[place].tolist()
            assert set(environment.terminations.values()) == {bool(result.dones[place])}
            if result.dones[place]:
                ended += 1
                environment.reset(options={"deal": environment.session.deal + count})
    return ended


@pytest.mark.parametrize(
    ("players", "options", "reward", "threads"),
    [(2, {}, "win_share", 1), (4, {"end": "fair"}, "points", 1), (3, {"handicap": [4, 0, 1]}, "win_share", 2)],
)
def test_a_batch_plays_the_games_of_the_environment(
    players: int, options: dict[str, Any], reward: str, threads: int
) -> None:
    """Observations, masks, seats, rewards and deals are the same in every step, in any number of threads."""
    assert check_against_env("dice-race", players, options, 5, 40, reward, threads) > 10


@once_uncompiled
def test_a_batch_plays_another_game() -> None:
    """The same holds for a game with hidden cards and many kinds of decisions."""
    assert check_against_env(GOLD, 2, {"patrons": "draft"}, 1, 230, "points") == 1


def test_threads_change_nothing() -> None:
    """A batch in three threads is the same, bit for bit, as in one."""
    batches = [BatchedGames("dice-race", 30, 4, seed=1, threads=threads) for threads in (1, 3)]
    chances = [np.random.default_rng(2) for _ in batches]
    for _ in range(30):
        for batch, chance in zip(batches, chances, strict=True):
            batch.step(batch.sample(chance))
        first, second = (batch.result for batch in batches)
        assert all(np.array_equal(ours, theirs) for ours, theirs in zip(first, second, strict=True))


@once_uncompiled
def test_a_reset_begins_all_games_again() -> None:
    """The same deals as at the beginning, of another seed if one is given."""
    batch = BatchedGames("dice-race", 6, 3, seed=1, options={"short": 5, "long": 90})
    first = batch.result.observations.copy()
    for _ in range(20):
        batch.step(batch.sample(np.random.default_rng(1)))
    assert batch.result.deals.tolist() != list(range(6))
    assert batch.reset().observations.tolist() == first.tolist()
    assert batch.result.deals.tolist() == list(range(6))
    assert batch.reset(seed=4).observations.tolist() != first.tolist()
    assert (batch.seed, len(batch), batch.players) == (4, 6, 3)


@once_uncompiled
def test_samples_are_legal_and_evenly_spread() -> None:
    """Each legal action is drawn equally often."""
    batch = BatchedGames("dice-race", 2000, 2)
    drawn = np.bincount(batch.sample(np.random.default_rng(3)), minlength=2)
    assert abs(drawn[0] - 1000) < 90
    gold = BatchedGames(GOLD, 2, 2, options={"patrons": "draft"})
    for _ in range(30):
        actions = gold.sample(np.random.default_rng(1))
        assert gold.result.masks[[0, 1], actions].all()
        gold.step(actions)


@once_uncompiled
def test_a_wrong_step_is_an_error_that_changes_nothing() -> None:
    """One line says which game and action, or what the array must be."""
    batch = BatchedGames(GOLD, 3, 2)
    before = [array.copy() for array in batch.result]
    right = batch.sample(np.random.default_rng(1))
    wrong = right.copy()
    wrong[1] = 0
    for actions, message in (
        (wrong, r"actions: 0 is not legal in game 1: see masks\[1\]"),
        (np.where(right == right[2], -1, right), "actions: -1 is not legal in game"),
        (right[:2], r"actions: an array \[2\] of int64 is not allowed: must be 3 whole numbers, one for each game"),
        (right.astype(float), r"actions: an array \[3\] of float64 is not allowed"),
        (np.full(3, 2**63 + 5, np.uint64), "is not legal in game 0"),
    ):
        with pytest.raises(RogsimError, match=message):
            batch.step(actions)
        assert all(np.array_equal(old, new) for old, new in zip(before, batch.result, strict=True))
    for given, message in (
        ({"count": 0}, "count and threads: must be at least 1"),
        ({"threads": -1}, "threads: -1 is not allowed"),
        ({"reward": "koku"}, 'reward: "koku" is not allowed'),
    ):
        with pytest.raises(RogsimError, match=message):
            BatchedGames("dice-race", **({"count": 2} | given))


@pytest.mark.parametrize("send", [pickle.dumps, copy.copy, copy.deepcopy])
def test_batches_are_not_copied(send: Callable[[BatchedGames], Any]) -> None:
    """The arrays of a copy would stay as they are while its games go on."""
    with pytest.raises(RogsimError, match="BatchedGames cannot be copied or pickled: make new ones"):
        send(BatchedGames("dice-race", 2, threads=1))


@pytest.mark.parametrize(("random", "named"), [(3, "3"), (None, "None")])
def test_choices_need_a_generator(random: Any, named: str) -> None:
    """Anything but numpy's random numbers is refused in one line; both kinds of them are taken."""
    batch = BatchedGames("dice-race", 2)
    with pytest.raises(RogsimError, match=f"random: {named} is not allowed: must be a generator of numpy"):
        batch.sample(random)
    batch.step(batch.sample(np.random.RandomState(1)))
