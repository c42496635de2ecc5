"""A game as a PettingZoo environment in which agents act one after the other (AEC): `env`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.conversions import parallel_to_aec

from rogsim.base.errors import RogsimError
from rogsim.environments.parallel_game_env import parallel_env
from rogsim.environments.session_env import SessionEnv
from rogsim.scenario.model import Scenario
from rogsim.simulation.session import Session


def env(
    source: str | Path | Mapping[str, Any] | Scenario | None = None,
    players: int | None = None,
    *,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    change: Mapping[str, Any] | None = None,
    reward: str = "win_share",
    render_mode: str | None = None,
    max_cycles: int | None = None,
) -> AECEnv:
    """Return an environment in which the seat that must choose is the agent that acts.

    Parameters
    ----------
    source, players, seed, options, change
        The game, as for `rogsim.Session.new`.
    reward
        What an agent gets at the end of the game: its "win_share" (1 shared among the winners) or its "points".
    render_mode
        "ansi": `render` returns text. "human": `render` prints it, and so does every step.
    max_cycles
        Ask all agents in cycles instead, and stop after so many: see `parallel_env`, to which this is equivalent.

    Raises
    ------
    RogsimError
        If there is no such game or scenario, or if its parts do not fit together.
    """
    if max_cycles is not None:
        return parallel_to_aec(
            parallel_env(
                source,
                players,
                seed=seed,
                options=options,
                change=change,
                reward=reward,
                render_mode=render_mode,
                max_cycles=max_cycles,
            )
        )
    session = Session.new(source, players, seed=seed, options=options, change=change)
    return GameEnv(session, reward, render_mode)


class GameEnv(SessionEnv, AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """A game as a PettingZoo AEC environment.

    All rewards before the end of the game are 0. An action that is not legal raises an error and changes nothing.
    """

    def __init__(self, session: Session, reward: str = "win_share", render_mode: str | None = None) -> None:
        """Make an environment of a session; `env` takes the name of a game instead."""
        super().__init__(session, reward, render_mode)
        self.agent_selection = self.possible_agents[0]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game.

        Parameters
        ----------
        seed
            The seed of the game; with it, the deal is 0 unless `options` has one.
        options
            `{"deal": 5}` asks for a deal; other keys have no effect. Without both, the first game is that of the
            session, and each reset begins the next deal.
        """
        self._start(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._next_agent()

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return what the agent that must act sees, its reward since it last acted, and whether its game is over.

        Parameters
        ----------
        observe
            Whether to return the observation; otherwise it is None.

        Returns
        -------
        tuple
            The observation (see `observe`), the reward, whether the game has ended, False (a game is never truncated)
            and an empty dict.

        Raises
        ------
        RogsimError
            If no agent is in the game: before the first `reset`, and after the last step of the last agent.
        """
        self._check_begun("last")
        return super().last(observe)

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Return an iterator over the agents that must act, one for each `step`.

        Parameters
        ----------
        max_iter
            The most agents to return.

        Raises
        ------
        RogsimError
            If no agent is in the game: call `reset` first.
        """
        self._check_begun("agent_iter")
        return super().agent_iter(max_iter)

    def step(self, action: Any) -> None:
        """Carry out an action of the agent that must act; after the end of the game, None for each agent.

        Parameters
        ----------
        action
            A number, or in words as in `session.actions`.

        Raises
        ------
        RogsimError
            If the action is not legal; the game is as before.
        """
        self._check_begun("step")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise RogsimError(f"step: the game is over for {agent}: its only step is None")
            self._was_dead_step(action)
            return
        self.session.apply(action)
        self._cumulative_rewards[agent] = 0.0
        if self.session.is_over:
            self.rewards = self._final_rewards()
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        self._next_agent()

    def _check_begun(self, method: str) -> None:
        if not self.agents:
            raise RogsimError(f"{method}: no agent is in the game: call reset() first")

    def _next_agent(self) -> None:
        self.agent_selection = self.agents[0 if self.session.is_over else self.session.actor]
        if self.render_mode == "human":
            self.render()
