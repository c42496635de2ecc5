"""What the environments for one game share: its seats as agents, with spaces, observations and rewards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rogsim.base.errors import RogsimError
from rogsim.base.numbers import as_whole
from rogsim.base.validation import not_allowed
from rogsim.environments.rewards import check_reward
from rogsim.simulation.session import Session, Standing

RENDER_MODES = ("ansi", "human")


class LegalActions(spaces.Discrete):
    """The actions of an agent, 0 to n - 1; `sample()` without a mask draws one of those that are legal now."""

    def __init__(self, environment: SessionEnv, agent: str, actions: int) -> None:
        """Take the legal actions from an environment."""
        super().__init__(actions)
        self._environment, self._agent = environment, agent

    def contains(self, x: Any) -> bool:
        """Return whether something is an action: a whole number, or an array without dimensions that holds one."""
        return as_whole(x) is not None and super().contains(x)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Return an action at random: of the mask, by the probabilities, or one that is legal now."""
        if mask is None and probability is None:
            mask = self._environment.action_mask(self._agent)
        return super().sample(mask, probability)


class SessionEnv:
    """One game in a session, with an agent for each seat: `seat_1`, `seat_2`, ...

    Attributes
    ----------
    session
        The game: for its actions in words, its state, copies of it.
    possible_agents, agents
        All agents, and those still in the game.
    """

    waits = False  # whether an agent that need not choose has an action of its own

    def __init__(self, session: Session, reward: str, render_mode: str | None) -> None:
        """Make the spaces of all agents.

        Parameters
        ----------
        session
            The first game.
        reward
            "win_share" or "points".
        render_mode
            None, "ansi" or "human".
        """
        if render_mode not in (None, *RENDER_MODES):
            raise RogsimError(f"render_mode: {not_allowed(render_mode, 'choose from ' + ', '.join(RENDER_MODES))}")
        self.session, self.reward, self.render_mode = session, check_reward(reward), render_mode
        self.metadata = {
            "name": f"{session.spec.id.replace('-', '_')}_v{session.spec.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(1, session.players + 1)]
        self.agents: list[str] = []
        self._is_fresh = True  # the session's game has not been used by a reset yet
        actions = session.spec.rules.actions + self.waits
        self._action_spaces = {agent: LegalActions(self, agent, actions) for agent in self.possible_agents}
        self._observation_spaces = {agent: self._new_observation_space(actions) for agent in self.possible_agents}

    def _new_observation_space(self, actions: int) -> spaces.Dict:
        layout = self.session.layout
        return spaces.Dict(
            {
                "observation": spaces.Box(layout.low, layout.high, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of what `observe` returns."""
        return self._observation_spaces[self._checked(agent)]

    def action_space(self, agent: str) -> LegalActions:
        """Return the space of actions; its `sample()` draws a legal one."""
        return self._action_spaces[self._checked(agent)]

    @property
    def vector_names(self) -> tuple[str, ...]:
        """Return a name for each element of the observed vector."""
        return self.session.layout.names

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent sees.

        Parameters
        ----------
        agent
            Any agent.

        Returns
        -------
        dict
            "observation": float32[elements], the view of the seat, whose elements `vector_names` names.
            "action_mask": int8[actions], 1 for each legal action; all 0 unless the agent must choose.
        """
        seat = self._seat(agent)
        return {"observation": self.session.vector(seat), "action_mask": self.action_mask(agent)}

    def describe(self, agent: str) -> dict[str, Any]:
        """Return the same as the vector of `observe` in words, as nested dicts and lists."""
        seat = self._seat(agent)
        return self.session.layout.in_words(self.session.observe(seat), seat)

    def action_mask(self, agent: str) -> NDArray[np.int8]:
        """Return the legal actions of an agent: int8[actions], all 0 unless the agent must choose."""
        seat = self._seat(agent)
        mask = np.zeros(self._action_spaces[agent].n, np.int8)
        if not self.session.is_over and self.session.actor == seat:
            mask[list(self.session.legal)] = 1
        return mask

    def render(self) -> str | None:
        """Return the standings and the choice to make as text; with `render_mode="human"`, print it instead.

        Raises
        ------
        RogsimError
            If the environment has no render mode.
        """
        if self.render_mode is None:
            raise RogsimError('render: give the environment render_mode="ansi" or render_mode="human" first')
        text = self._text()
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Do nothing: an environment holds no resources."""

    def _text(self) -> str:
        session = self.session
        state = "over" if session.is_over else f"turn {session.turn}"
        lines = [f"{session.spec.title}, seed {session.seed}, deal {session.deal}: {state}"]
        for seat, (agent, standing) in enumerate(zip(self.possible_agents, session.score(), strict=True)):
            chooses = not session.is_over and session.actor == seat
            lines.append(f"{'>' if chooses else ' '} {agent}: {standing.points} points, rank {standing.rank}")
        lines += [
            f"  {number}: {_in_a_line(words)}" for number, words in zip(session.legal, session.actions, strict=True)
        ]
        return "\n".join(lines)

    def _start(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Begin the game of a reset: one that is asked for, the session's own at first, then the next deal."""
        if not isinstance(options, Mapping | None):
            raise RogsimError(f"options: {not_allowed(options, 'must be a table')}")
        deal = options.get("deal") if options else None
        if seed is not None or deal is not None or not self._is_fresh or self.session.taken:
            self.session.restart(seed=seed, deal=deal)
        self._is_fresh = False
        self.agents = self.possible_agents[:]

    def _final_rewards(self) -> dict[str, float]:
        return dict(zip(self.possible_agents, map(self._reward_of, self.session.score()), strict=True))

    def _reward_of(self, standing: Standing) -> float:
        return float(getattr(standing, self.reward))

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(self._checked(agent))

    def _checked(self, agent: str) -> str:
        if agent not in self.possible_agents:
            raise RogsimError(f"agent: {not_allowed(agent, 'choose from ' + ', '.join(self.possible_agents))}")
        return agent


def _in_a_line(words: Mapping[str, Any]) -> str:
    return " ".join(str(value) for value in words.values())
