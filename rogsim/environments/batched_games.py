"""Thousands of games that compiled code advances together, for learners that need many: `BatchedGames`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import joblib
import numpy as np
from numpy.typing import NDArray

from rogsim.base.errors import RogsimError
from rogsim.environments.rewards import check_reward
from rogsim.game.bot import shortened
from rogsim.game.kit.stepping import (
    StepResult,
    choose_legal,
    first_illegal,
    step_games,
    step_result,
    stepped_games,
)
from rogsim.game.kit.vector import layout_of
from rogsim.game.rules import NO_ACTION, array_of
from rogsim.scenario.model import MOST_SEEDS, Scenario
from rogsim.simulation.session import check_whole, read_game

MOST_GAMES = 2**31
GAMES_PER_THREAD = 256  # with fewer, waking the threads takes longer than they save


class BatchedGames:
    """Games side by side, each of which makes one decision in every step.

    Place i plays deal i; when its game ends, the next deal there is i + n, and so on. These are the same games as
    those of `env` and `rogsim.Session` with the same seed and deal.

    Attributes
    ----------
    result
        What is known after the last step: a `rogsim.game.kit.stepping.StepResult`. The next step overwrites its arrays.
    vector_names
        A name for each element of an observation.
    low, high : float32[elements]
        Their bounds, both included.
    """

    def __init__(
        self,
        source: str | Path | Mapping[str, Any] | Scenario | None = None,
        count: int = 1024,
        players: int | None = None,
        *,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
        change: Mapping[str, Any] | None = None,
        reward: str = "win_share",
        threads: int | None = None,
    ) -> None:
        """Begin the games.

        Parameters
        ----------
        source, players, seed, options, change
            The game, as for `rogsim.Session.new`.
        count
            How many games to play side by side.
        reward
            What a seat gets at the end of a game: its "win_share" (1 shared among the winners) or its "points".
        threads
            How many threads share the games; this changes nothing but the speed. By default one for each core, as long
            as each has 256 games.

        Raises
        ------
        RogsimError
            If there is no such game or scenario, or if its parts do not fit together.
        """
        self._by_points = check_reward(reward) == "points"
        count = check_whole("count", count, MOST_GAMES)
        if threads is None:
            threads = max(min(joblib.cpu_count(), count // GAMES_PER_THREAD), 1)
        if count == 0 or check_whole("threads", threads, MOST_GAMES) == 0:
            raise RogsimError("count and threads: must be at least 1")
        experiment, self.players = read_game(source, players, seed, options, change)
        rules, setup = experiment.spec.rules, experiment.setups[self.players]
        layout = layout_of(rules, setup, self.players)
        self.seed = experiment.scenario.seed
        self.vector_names, self.low, self.high = layout.names, layout.low, layout.high
        self.result = step_result(layout, rules.actions, count)
        bounds = np.linspace(0, count, min(threads, count) + 1).astype(int)
        tables = array_of(rules.tables_of(setup))
        self._slices = [slice(*pair) for pair in pairwise(bounds)]
        self._games = [stepped_games(rules, tables, layout, part.stop - part.start) for part in self._slices]
        self._results = [StepResult(*(array[part] for array in self.result)) for part in self._slices]
        self._process = 0  # the one that has the threads: a fork does not copy them
        self.reset()

    def __len__(self) -> int:
        """Return the number of games side by side."""
        return len(self.result.deals)

    def __reduce__(self) -> NoReturn:
        """Refuse to be copied and pickled: the arrays of a copy would no longer be those that its steps write to."""
        raise RogsimError("BatchedGames cannot be copied or pickled: make new ones with the same seed")

    def reset(self, seed: int | None = None) -> StepResult:
        """Begin deals 0 to n - 1, and return what is known about them.

        Parameters
        ----------
        seed
            Another seed for all games from now on.

        Raises
        ------
        RogsimError
            If the seed is not a whole number from 0 to 2**63 - 1.
        """
        if seed is not None:
            self.seed = check_whole("seed", seed, MOST_SEEDS)
        self.result.deals[:] = np.arange(len(self))
        self._carry_out(np.full(len(self), NO_ACTION))
        return self.result

    def step(self, actions: NDArray[np.integer[Any]]) -> StepResult:
        """Carry out one decision in each game.

        Parameters
        ----------
        actions : whole numbers [n]
            A legal action of each game.

        Returns
        -------
        StepResult
            In the same arrays as after the last step.

        Raises
        ------
        RogsimError
            If an action is not legal; all games are as before.
        """
        given = np.asarray(actions)
        if given.shape != (len(self),) or given.dtype.kind not in "iu":
            raise RogsimError(
                f"actions: an array {list(given.shape)} of {given.dtype} is not allowed: "
                f"must be {len(self)} whole numbers, one for each game"
            )
        chosen = given.astype(np.int64)
        illegal = first_illegal(self.result.masks, chosen)
        if illegal >= 0:
            raise RogsimError(f"actions: {given[illegal]} is not legal in game {illegal}: see masks[{illegal}]")
        self._carry_out(chosen)
        return self.result

    def sample(self, random: np.random.Generator) -> NDArray[np.int64]:
        """Return a legal action of each game, each equally likely.

        Parameters
        ----------
        random
            Where the choices come from: `numpy.random.default_rng(1)`, for example.

        Returns
        -------
        int64[n]

        Raises
        ------
        RogsimError
            If `random` is anything else.
        """
        if not isinstance(random, np.random.Generator | np.random.RandomState):
            rule = "must be a generator of numpy, such as numpy.random.default_rng(1)"
            raise RogsimError(f"random: {shortened(random)} is not allowed: {rule}")
        actions = np.zeros(len(self), np.int64)
        choose_legal(self.result, random.random(len(self)), actions)
        return actions

    def _carry_out(self, actions: NDArray[np.int64]) -> None:
        """Carry out an action of each game, in all threads."""
        jobs = [
            (games, result, self.seed, len(self), self._by_points, actions[part])
            for games, result, part in zip(self._games, self._results, self._slices, strict=True)
        ]
        if len(jobs) == 1:
            step_games(*jobs[0])
        else:
            if self._process != os.getpid():
                self._pool, self._process = ThreadPoolExecutor(len(jobs)), os.getpid()
            list(self._pool.map(lambda job: step_games(*job), jobs))
