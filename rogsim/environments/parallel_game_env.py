"""A game as a PettingZoo environment in which all agents act at once, most of them by waiting: `parallel_env`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from rogsim.base.errors import RogsimError
from rogsim.base.numbers import as_whole
from rogsim.base.validation import not_allowed
from rogsim.environments.session_env import SessionEnv
from rogsim.scenario.model import Scenario
from rogsim.simulation.session import Session, check_whole

MOST_CYCLES = 2**63


def parallel_env(
    source: str | Path | Mapping[str, Any] | Scenario | None = None,
    players: int | None = None,
    *,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    change: Mapping[str, Any] | None = None,
    reward: str = "win_share",
    render_mode: str | None = None,
    max_cycles: int | None = None,
) -> ParallelGameEnv:
    """Return an environment in which every agent acts in every cycle, for libraries that need that.

    A cycle is one decision of the game. An agent that need not choose has only one legal action, to wait: the number
    after those of the game.

    Parameters
    ----------
    source, players, seed, options, change
        The game, as for `rogsim.Session.new`.
    reward, render_mode
        As for `env`.
    max_cycles
        Truncate the game after so many cycles, without rewards. By default it is played to its end.

    Raises
    ------
    RogsimError
        If there is no such game or scenario, or if its parts do not fit together.
    """
    session = Session.new(source, players, seed=seed, options=options, change=change)
    return ParallelGameEnv(session, reward, render_mode, max_cycles)


class ParallelGameEnv(SessionEnv, ParallelEnv):  # type: ignore[misc] # PettingZoo has no types
    """A game as a PettingZoo parallel environment.

    Attributes
    ----------
    wait
        The action of every agent that need not choose.
    """

    waits = True

    def __init__(
        self,
        session: Session,
        reward: str = "win_share",
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        """Make an environment of a session; `parallel_env` takes the name of a game instead."""
        if max_cycles is not None and check_whole("max_cycles", max_cycles, MOST_CYCLES) == 0:
            raise RogsimError("max_cycles: 0 is not allowed: must be at least 1")
        super().__init__(session, reward, render_mode)
        self.max_cycles = max_cycles
        self.wait = int(self._action_spaces[self.possible_agents[0]].n) - 1

    def action_mask(self, agent: str) -> NDArray[np.int8]:
        """Return the legal actions of an agent, int8[actions]: only to wait, unless the agent must choose."""
        mask = super().action_mask(agent)
        mask[self.wait] = not mask.any()
        return mask

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game.

        Parameters
        ----------
        seed, options
            As for `GameEnv.reset`.

        Returns
        -------
        tuple of dicts
            What each agent sees, as `observe` returns it, and an empty dict for each agent.
        """
        self._start(seed, options)
        self._show()
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Carry out one decision.

        Parameters
        ----------
        actions
            The action of every agent.

        Returns
        -------
        tuple of dicts
            Observations, rewards, terminations, truncations and infos by agent.

        Raises
        ------
        RogsimError
            If an agent is missing or chooses an action that is not legal for it; the game is as before.
        """
        if not self.agents:
            raise RogsimError("step: no agent is in the game: call reset() first")
        if not isinstance(actions, Mapping):
            raise RogsimError(f"step: {not_allowed(actions, 'give a table of the action of every agent')}")
        actor = self.agents[self.session.actor]
        for agent in self.agents:
            if agent not in actions:
                raise RogsimError(f"step: there is no action of {agent}: every agent must act")
            if agent != actor and as_whole(actions[agent]) != self.wait:
                raise RogsimError(f"step: {agent} need not choose: its only action is to wait, {self.wait}")
        self.session.apply(actions[actor])
        agents, over = self.agents, self.session.is_over
        stopped = not over and len(self.session.taken) == self.max_cycles
        rewards = self._final_rewards() if over else dict.fromkeys(agents, 0.0)
        observations = self._observations()
        if over or stopped:
            self.agents = []
        self._show()
        return (
            observations,
            rewards,
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, stopped),
            {agent: {} for agent in agents},
        )

    def _observations(self) -> dict[str, Any]:
        return {agent: self.observe(agent) for agent in self.agents}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
