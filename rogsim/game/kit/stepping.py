"""Many games of one kind, advanced together by one decision each: arrays in, arrays out, for any game."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rogsim.game.compiler import kernel, part, records
from rogsim.game.kit import calls
from rogsim.game.kit.vector import VectorLayout, fill_vector
from rogsim.game.rules import NO_ACTION, Rules


class SteppedGames(NamedTuple):
    """Games that are played side by side, and the memory that this takes.

    Attributes
    ----------
    states
        The games: records [n].
    tables, menus, views, blank
        Arrays of one record; a view has the dtype of a state, and `blank` is a zeroed state.
    view_bytes : uint8[bytes]
        The memory of `views`.
    scores
        Records, one for each seat.
    programs : int64[players, values, 5]
    starts : int64[6]
        Those of a `rogsim.game.kit.vector.VectorLayout`.
    """

    states: Any
    tables: Any
    menus: Any
    views: Any
    view_bytes: Any
    blank: Any
    scores: Any
    programs: Any
    starts: Any


class StepResult(NamedTuple):
    """What is known about n games after a step, in arrays that the next step overwrites.

    Attributes
    ----------
    observations : float32[n, elements]
        What the seat that must choose sees.
    masks : bool[n, actions]
        Its legal actions.
    counts : int64[n]
        How many they are.
    rewards : float64[n, players]
        The rewards of all seats: zero, unless the step ended the game.
    actors : int64[n]
        The seat that must choose.
    dones : bool[n]
        Whether the step ended the game. All but rewards then belong to the next one, which has begun.
    deals : int64[n]
        The deal that is played.
    """

    observations: Any
    masks: Any
    counts: Any
    rewards: Any
    actors: Any
    dones: Any
    deals: Any


@kernel
def step_games(games: Any, result: Any, seed: int, stride: int, by_points: bool, actions: Any) -> None:
    """Carry out one decision in each game; those that end begin again. Only this kernel calls the rules.

    Parameters
    ----------
    games
        SteppedGames.
    result
        StepResult, of which everything is written.
    seed
        The seed of the games.
    stride
        The deal that follows deal d in the same place is d + stride.
    by_points
        Whether to reward points rather than shares of the win.
    actions : int64[n]
        A legal action of each game, or NO_ACTION to begin the deal that `result.deals` names.
    """
    tables = games.tables[0]
    for i in range(len(actions)):
        state, begins = games.states[i], actions[i] == NO_ACTION
        result.rewards[i, :] = 0
        result.dones[i] = False
        if not begins:
            calls.apply(tables, state, actions[i])
            if calls.is_over(state):
                result.dones[i] = begins = True
                reward(games, result, i, by_points)
                result.deals[i] += stride
        if begins:
            games.states[i] = games.blank[0]
            calls.begin(tables, state, seed, result.deals[i])
        show_game(games, result, i)


@part
def reward(games: Any, result: Any, i: int, by_points: bool) -> None:
    """Write the rewards of a game that is over."""
    calls.score(games.tables[0], games.states[i], games.scores)
    for seat in range(len(games.programs)):
        score = games.scores[seat]
        result.rewards[i, seat] = score.points if by_points else score.win_share


@part
def show_game(games: Any, result: Any, i: int) -> None:
    """Write who must choose, the legal actions, and what that seat sees."""
    state, menu = games.states[i], games.menus[0]
    calls.legal(games.tables[0], state, menu)
    result.counts[i] = menu.count
    result.masks[i, :] = False
    for place in range(menu.count):
        result.masks[i, menu.actions[place]] = True
    seat = calls.actor(state)
    result.actors[i] = seat
    games.views[0] = state
    calls.hide(games.views[0], seat)
    program, players = games.programs[seat], len(games.programs)
    fill_vector(games.view_bytes, program, games.starts, seat, players, result.observations[i])


@kernel
def first_illegal(masks: Any, actions: Any) -> int:
    """Return the first game whose action is not legal, or -1."""
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] >= masks.shape[1] or not masks[i, actions[i]]:
            return i
    return -1


@kernel
def choose_legal(result: Any, numbers: Any, actions: Any) -> None:
    """Choose a legal action for each game.

    Parameters
    ----------
    result
        StepResult.
    numbers : float64[n]
        From 0 up to, but excluding, 1: which of the legal actions to take.
    actions : int64[n]
        Receives the choices.
    """
    for i in range(len(actions)):
        left = int(numbers[i] * result.counts[i])
        for action in range(result.masks.shape[1]):
            if result.masks[i, action]:
                if left == 0:
                    actions[i] = action
                    break
                left -= 1


def stepped_games(rules: Rules, tables: Any, layout: VectorLayout, count: int) -> SteppedGames:
    """Return the memory for some games, not begun yet.

    Parameters
    ----------
    rules
        The rules of the game.
    tables
        Its parameters: an array of one record.
    layout
        The elements of its vector.
    count
        The number of games.
    """
    views = records(rules.state, 1)
    return SteppedGames(
        states=records(rules.state, count),
        tables=tables,
        menus=records(rules.menu, 1),
        views=views,
        view_bytes=np.asarray(views).view(np.uint8),
        blank=records(rules.state, 1),
        scores=records(rules.scores, rules.most_seats),
        programs=layout.programs,
        starts=layout.starts,
    )


def step_result(layout: VectorLayout, actions: int, count: int) -> StepResult:
    """Return zeroed arrays for the results of `count` games with `actions` different actions."""
    return StepResult(
        observations=np.zeros((count, len(layout)), np.float32),
        masks=np.zeros((count, actions), np.bool_),
        counts=np.zeros(count, np.int64),
        rewards=np.zeros((count, layout.players)),
        actors=np.zeros(count, np.int64),
        dones=np.zeros(count, np.bool_),
        deals=np.zeros(count, np.int64),
    )
