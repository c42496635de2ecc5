"""Playing games from which an evaluation can learn, and recording what the lines of some choices are worth.

Each line is played on in the same possible worlds, as a search does. Who won a game shows little about one choice;
these values show how the lines of a choice differ, which is what a bot must know to choose. A bot that always plays
well meets few poor positions, so some turns are taken at random.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, part
from rogsim.game.kit import calls, loop
from rogsim.game.kit.evaluation import describing
from rogsim.game.kit.evaluation.contract import Evaluation
from rogsim.game.kit.learning.rivals import MOST_PAST, deal_world_that_counts, note_view, play_on_among
from rogsim.game.kit.search.comparing import list_choices
from rogsim.game.kit.search.lines import add_values
from rogsim.game.kit.workspace import make_view
from rogsim.game.rng import below, fresh_key, game_key, stream_key

KINDS = 8  # of actions, at most
OF_1000 = 1000
DESCRIBED = 4  # positions are described in every fourth world
SALT = 0x6C6561726E  # learning draws from streams of its own, whose keys no game has
RANDOM_TURNS, RANDOM_ACTIONS, COMPARED_CHOICES, WORLDS = range(4)  # what they are for

# How games are played, and the lines of which choices are compared.
SAMPLING = np.dtype(
    [
        ("random_turns", "i8"),  # of 1,000 turns, how many are taken at random
        ("compared_choices", "i8"),  # of 1,000 decisions, before how many all lines are compared, if there is a choice
        ("worlds", "i8"),  # in which they are compared
        ("turns", "i8"),  # played on in each
        ("learners", "i8"),  # how many bots of the line-up learn, from the first on: only their choices count
    ],
    align=True,
)


@cache
def line_of(evaluation: Evaluation, most_seats: int) -> np.dtype[Any]:
    """Return the dtype of a recorded line: what it led to, and its value; all numbers are means over worlds."""
    return np.dtype(
        [
            ("deal", "i8"),
            ("decision", "i8"),  # before it, of all seats, counted from 0
            ("seat", "i1"),  # whose choice it was
            ("ended", "f4"),  # in which share of the worlds it ended the game
            ("won", "f4"),  # and the win share in them, counted 0 in all others
            ("place", "f4"),  # between the moments, of the positions that it led to otherwise
            ("features", "f4", (most_seats, len(evaluation.features))),  # of these positions
            ("value", "f4"),  # the seat's chance to win
            ("undealt", "f4"),  # in which share of the worlds the game itself stood in, because none dealt counted
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
    rivals: Any,
    sampling: Any,
    memory: Any,
    scratches: Any,
    positions: Any,
    recorded: Any,
) -> int:
    """Play one game for each row, compare the lines of some choices, and record them.

    Parameters
    ----------
    tables, workspace, bots, weights, seed, deals, seating
        As in `rogsim.game.kit.loop.play_games`, whose steps this has.
    rivals
        `Rivals`, with the same bots on its table.
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
    loop.prepare_arguments(tables, rivals.table, weights)
    count = 0
    for row in range(len(deals)):
        workspace.row = row
        loop.begin(tables, workspace, seed, deals[row])
        loop.seat_bots(workspace, seating[row])
        key = game_key(seed ^ SALT, deals[row])
        memory.stream.key, memory.stream.count = stream_key(key, WORLDS), 0
        decisions, turn, is_random, noted = 0, -1, False, 0
        while not calls.is_over(game):
            bot = int(seating[row, calls.actor(game)])
            learns = bot < sampling.learners
            if calls.turn(game) != turn:
                turn = calls.turn(game)
                is_random = learns and below(stream_key(key, RANDOM_TURNS), turn, OF_1000) < sampling.random_turns
            if learns and below(stream_key(key, COMPARED_CHOICES), decisions, OF_1000) < sampling.compared_choices:
                found = compare(
                    tables,
                    workspace,
                    bots,
                    seating[row],
                    rivals,
                    noted,
                    sampling,
                    memory,
                    scratch,
                    position,
                    recorded,
                    count,
                )
                for i in range(count, count + found):
                    recorded[i].deal, recorded[i].decision = deals[row], decisions
                count += found
            if is_random:
                calls.legal(tables, game, workspace.menu)
                action = random_action(workspace.menu, key, decisions, position)
            else:
                is_noted = 0 if learns else note_view(tables, workspace, rivals, bot, noted)
                action = loop.decide(tables, workspace, bots, bot)
                if is_noted:
                    rivals.past[noted % MOST_PAST].action = action
                    noted += 1
            if action == loop.ILLEGAL:
                return loop.ILLEGAL
            calls.apply(tables, game, action)
            decisions += 1
    return count


@part
def compare(
    tables: Any,
    workspace: Any,
    bots: Any,
    seating: Any,
    rivals: Any,
    noted: int,
    sampling: Any,
    memory: Any,
    scratch: Any,
    position: Any,
    recorded: Any,
    first: int,
) -> int:
    """Compare the lines of a choice, if it is one, and record them; return their number.

    Parameters
    ----------
    seating
        The bot at each seat.
    noted
        How many choices of bots that do not learn were noted in the game so far.
    first
        The number of lines recorded before.
    """
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
        start_record(recorded[first + choice], seat)
    learners, described, undealt = int(sampling.learners), 0, 0
    for number in range(sampling.worlds):
        undealt += deal_world_that_counts(tables, workspace, rivals, bots, seating, noted, number, memory, scratch)
        key = fresh_key(memory.stream) if learners < len(seating) else np.uint64(0)
        for i in range(lines):
            choice = int(search.order[i])
            search.values[choice] = play_on_among(
                tables, workspace, rivals, bots, seating, learners, key, seat, choice, int(sampling.turns), scratch
            )
        add_values(search, lines)
        if number % DESCRIBED == 0:
            described += 1
            for choice in range(lines):
                value = play_on_among(tables, workspace, rivals, bots, seating, learners, key, seat, choice, 0, scratch)
                add_position(tables, search.line, seat, value, position, recorded[first + choice])
    for choice in range(lines):
        record = recorded[first + choice]
        record.value = search.totals[choice] / float(sampling.worlds)
        record.undealt = float(undealt) / float(sampling.worlds)
        divide(record, float(described))
    return lines


@part
def start_record(record: Any, seat: int) -> None:
    """Start the record of a line."""
    record.seat = seat
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
