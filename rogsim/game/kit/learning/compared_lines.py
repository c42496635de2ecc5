"""Playing games from which an evaluation can learn, and recording what the lines of some turns are worth.

Each line is played on in the same possible worlds, as a search does. Who won a game shows little about one turn; these
values show how the lines of a turn differ, which is what a bot must know to choose. A bot that always plays well meets
few poor positions, so some turns are taken at random.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, part
from rogsim.game.kit import calls, loop
from rogsim.game.kit.evaluation import describing
from rogsim.game.kit.evaluation.contract import Evaluation
from rogsim.game.kit.search.comparing import list_choices, try_in_next_world
from rogsim.game.kit.search.playouts import play_on
from rogsim.game.kit.workspace import make_view
from rogsim.game.rng import below, game_key, stream_key

KINDS = 8  # of actions, at most
OF_1000 = 1000
DESCRIBED = 4  # positions are described in every fourth world
SALT = 0x6C6561726E  # learning draws from streams of its own, whose keys no game has
RANDOM_TURNS, RANDOM_ACTIONS, COMPARED_TURNS, WORLDS = range(4)  # what they are for

# How games are played, and which turns are compared.
SAMPLING = np.dtype(
    [
        ("random_turns", "i8"),  # of 1,000 turns, how many are taken at random
        ("compared_turns", "i8"),  # of 1,000 turns, before how many all lines are compared
        ("worlds", "i8"),  # in which they are compared
        ("turns", "i8"),  # played on in each
        ("learners", "i8"),  # how many bots of the line-up learn, from the first on: only their turns count
    ],
    align=True,
)


@cache
def line_of(evaluation: Evaluation, most_seats: int) -> np.dtype[Any]:
    """Return the dtype of a recorded line: what it led to, and its value; all numbers are means over worlds."""
    return np.dtype(
        [
            ("deal", "i8"),
            ("turn", "i8"),
            ("seat", "i1"),  # whose turn it was
            ("ended", "f4"),  # in which share of the worlds it ended the game
            ("won", "f4"),  # and the win share in them, counted 0 in all others
            ("place", "f4"),  # between the moments, of the positions that it led to otherwise
            ("features", "f4", (most_seats, len(evaluation.features))),  # of these positions
            ("value", "f4"),  # the seat's chance to win
        ],
        align=True,
    )


@kernel
def record_lines(
    tables: Any,
    workspace: Any,
    bots: Any,
    weights: Any,
    seed: int,
    deals: Any,
    seating: Any,
    sampling: Any,
    memory: Any,
    scratches: Any,
    positions: Any,
    recorded: Any,
) -> int:
    """Play one game for each row, compare the lines of some turns, and record them.

    Parameters
    ----------
    tables, workspace, bots, weights, seed, deals, seating
        As in `rogsim.game.kit.loop.play_games`, whose steps this has.
    sampling
        SAMPLING record.
    memory
        BOT_MEMORY record with the weights of the bot that compares lines.
    scratches
        Array of one record: the memory of its `Search`.
    positions
        Array of one record: the position of its `Evaluation`, with the weights that describing one needs.
    recorded
        Records of the dtype `line_of` to fill; once they are full, nothing more is recorded.

    Returns
    -------
    int
        The number of lines recorded, or ILLEGAL if a bot's answer is invalid.
    """
    game, scratch, position = workspace.game, scratches[0], positions[0]
    loop.prepare_arguments(tables, workspace, weights)
    count = 0
    for row in range(len(deals)):
        workspace.row = row
        loop.begin(tables, workspace, seed, deals[row])
        loop.seat_bots(workspace, seating[row])
        key = game_key(seed ^ SALT, deals[row])
        memory.stream.key, memory.stream.count = stream_key(key, WORLDS), 0
        decisions, turn, is_random = 0, -1, False
        while not calls.is_over(game):
            if calls.turn(game) != turn:
                turn = calls.turn(game)
                learns = seating[row, calls.actor(game)] < sampling.learners
                is_random = learns and below(stream_key(key, RANDOM_TURNS), turn, OF_1000) < sampling.random_turns
                if learns and below(stream_key(key, COMPARED_TURNS), turn, OF_1000) < sampling.compared_turns:
                    found = compare(tables, workspace, sampling, memory, scratch, position, recorded, count)
                    for i in range(count, count + found):
                        recorded[i].deal = deals[row]
                    count += found
            if is_random:
                calls.legal(tables, game, workspace.menu)
                action = random_action(workspace.menu, key, decisions, position)
            else:
                action = loop.decide(tables, workspace, bots, int(seating[row, calls.actor(game)]))
            if action == loop.ILLEGAL:
                return loop.ILLEGAL
            calls.apply(tables, game, action)
            decisions += 1
    return count


@part
def compare(
    tables: Any,
    workspace: Any,
    sampling: Any,
    memory: Any,
    scratch: Any,
    position: Any,
    recorded: Any,
    first: int,
) -> int:
    """Compare the lines of the turn that begins, and record them; return their number."""
    calls.legal(tables, workspace.game, workspace.menu)
    if workspace.menu.count < 2:
        return 0
    seat, search = calls.actor(workspace.game), scratch.search
    make_view(workspace, seat)
    lines = list_choices(tables, workspace.bot_view, workspace.menu, memory, scratch)
    if lines < 2 or first + lines > len(recorded):
        return 0
    for choice in range(lines):
        search.totals[choice] = 0.0
        start_record(recorded[first + choice], calls.turn(workspace.game), seat)
    described = 0
    for number in range(sampling.worlds):
        try_in_next_world(tables, workspace.bot_view, number, lines, int(sampling.turns), memory, scratch)
        if number % DESCRIBED == 0:
            described += 1
            for choice in range(lines):
                value = play_on(tables, seat, choice, 0, scratch)
                add_position(tables, search.line, seat, value, position, recorded[first + choice])
    for choice in range(lines):
        record = recorded[first + choice]
        record.value = search.totals[choice] / float(sampling.worlds)
        divide(record, float(described))
    return lines


@part
def start_record(record: Any, turn: int, seat: int) -> None:
    """Start the record of a line."""
    record.turn, record.seat = turn, seat
    record.ended, record.won, record.place = 0.0, 0.0, 0.0
    for other in range(record.features.shape[0]):
        for i in range(record.features.shape[1]):
            record.features[other, i] = 0.0


@part
def add_position(tables: Any, state: Any, seat: int, value: float, position: Any, record: Any) -> None:
    """Add a position that a line led to, as the seat sees it whose turn is over."""
    if calls.is_over(state):
        record.ended += 1.0
        record.won += value
        return
    describing.describe(tables, state, seat, position)
    record.place += describing.place(tables, state, position)
    for other in range(calls.seats(state)):
        for i in range(record.features.shape[1]):
            record.features[other, i] += position.seats[other, i]


@part
def divide(record: Any, described: float) -> None:
    """Turn the sums of a record into means."""
    others = max(described - record.ended, 1.0)
    record.ended /= described
    record.won /= described
    record.place /= others
    for other in range(record.features.shape[0]):
        for i in range(record.features.shape[1]):
            record.features[other, i] /= others


@kernel
def random_action(menu: Any, key: Any, decisions: int, position: Any) -> int:
    """Return a random legal action: first its kind is drawn, then the action."""
    stream = stream_key(key, RANDOM_ACTIONS)
    seen = np.zeros(KINDS, np.int64)
    for i in range(menu.count):
        seen[describing.kind(int(menu.actions[i]), position)] += 1
    kind = nth_set(seen, below(stream, 2 * decisions, (seen > 0).sum()))
    left = below(stream, 2 * decisions + 1, seen[kind])
    for i in range(menu.count):
        if describing.kind(int(menu.actions[i]), position) == kind:
            if left == 0:
                return int(menu.actions[i])
            left -= 1
    return loop.ILLEGAL


@part
def nth_set(counts: Any, number: int) -> int:
    """Return the place of the count above 0 that has `number` such counts before it."""
    place = 0
    while counts[place] == 0 or number > 0:
        number -= counts[place] > 0
        place += 1
    return place


@kernel
def ask_for_all(weights: Any, seats: int, positions: Any) -> None:
    """Let a position be described in full: `weights` are those of a bot, but 1 wherever the evaluation has weights."""
    describing.copy_weights(weights, seats, positions[0])
