"""Many games of one kind, advanced together by one decision each: arrays in, arrays out, for any game."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rogsim.game.compiler import kernel, part, records
from rogsim.game.kit import calls
from rogsim.game.kit.vector import VectorLayout, fill_vector
from rogsim.game.rules import Rules


class SteppedGames(NamedTuple):
    """Games that are played side by side, and the memory that this takes.

    Attributes
    ----------
    tables, shown, menu, scores, blank
        Arrays of one record (of one for each seat: `scores`), of the dtypes in `Rules`; `blank` is a zeroed state.
    states
        The games: records [n].
    shown_bytes : uint8[bytes]
        The memory of `shown`.
    programs : int64[players, values, 5]
    starts : int64[6]
        Those of a `rogsim.game.kit.vector.VectorLayout`.
    """

    tables: Any
    states: Any
    blank: Any
    shown: Any
    shown_bytes: Any
    menu: Any
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
def begin_games(games: Any, result: Any, seed: int) -> None:
    """Begin the deals that `result.deals` names."""
    for i in range(len(games.states)):
        result.dones[i] = False
        result.rewards[i, :] = 0
        begin_game(games, i, seed, result.deals[i])
        show_game(games, result, i)


@kernel
def step_games(games: Any, result: Any, seed: int, stride: int, by_points: bool, actions: Any) -> None:
    """Carry out one decision in each game; those that end begin again.

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
        A legal action of each game.
    """
    tables, scores = games.tables[0], games.scores
    for i in range(len(games.states)):
        state = games.states[i]
        calls.apply(tables, state, actions[i])
        result.rewards[i, :] = 0
        result.dones[i] = calls.is_over(state)
        if result.dones[i]:
            calls.score(tables, state, scores)
            for seat in range(len(games.programs)):
                result.rewards[i, seat] = scores[seat].points if by_points else scores[seat].win_share
            result.deals[i] += stride
            begin_game(games, i, seed, result.deals[i])
        show_game(games, result, i)


@part
def begin_game(games: Any, i: int, seed: int, deal: int) -> None:
    """Set a game up in place i."""
    games.states[i] = games.blank[0]
    calls.begin(games.tables[0], games.states[i], seed, deal)


@part
def show_game(games: Any, result: Any, i: int) -> None:
    """Write who must choose, the legal actions, and what that seat sees."""
    state, menu = games.states[i], games.menu[0]
    calls.legal(games.tables[0], state, menu)
    result.counts[i] = menu.count
    result.masks[i, :] = False
    for place in range(menu.count):
        result.masks[i, menu.actions[place]] = True
    seat = calls.actor(state)
    result.actors[i] = seat
    games.shown[0] = state
    calls.hide(games.shown[0], seat)
    program, players = games.programs[seat], len(games.programs)
    fill_vector(games.shown_bytes, program, games.starts, seat, players, result.observations[i])


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
    shown = records(rules.state, 1)
    return SteppedGames(
        tables=tables,
        states=records(rules.state, count),
        blank=records(rules.state, 1),
        shown=shown,
        shown_bytes=np.asarray(shown).view(np.uint8),
        menu=records(rules.menu, 1),
        scores=records(rules.scores, rules.most_seats),
        programs=layout.programs,
        starts=layout.starts,
    )


def step_result(layout: VectorLayout, actions: int, count: int) -> StepResult:
    """Return zeroed arrays for the results of `count` games with so many different actions."""
    return StepResult(
        observations=np.zeros((count, len(layout)), np.float32),
        masks=np.zeros((count, actions), np.bool_),
        counts=np.zeros(count, np.int64),
        rewards=np.zeros((count, layout.players)),
        actors=np.zeros(count, np.int64),
        dones=np.zeros(count, np.bool_),
        deals=np.zeros(count, np.int64),
    )
