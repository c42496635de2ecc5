"""Learning from play: what the lines that a seat could play are worth, by playing them on in possible worlds.

Each line is played on in the same worlds, as a search does. Who won a game shows little about one choice; these values
show how the lines of a choice differ, which is what a bot must know to choose. A bot that always plays well meets few
poor positions, so some turns are taken at random.

Bots that do not learn, the rivals, choose for their seats as they do in the game. A world that is dealt counts only if
each of them would have chosen in it what it chose. It is asked again about its choices, with the notes and the random
numbers that it had. What it saw then is known but for what has been hidden from the learner all the time: that comes
from the world.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rogsim.game.batches import Batch
from rogsim.game.compiler import as_python, kernel, part, records
from rogsim.game.kit import calls, loop
from rogsim.game.kit import evaluation as describing
from rogsim.game.kit.evaluation import Evaluation
from rogsim.game.kit.faults import bot_fault
from rogsim.game.kit.loop import line_up_arrays
from rogsim.game.kit.playing import new_workspace
from rogsim.game.kit.search import hooks, list_choices
from rogsim.game.kit.search.hooks import Search, carry_out, start_line
from rogsim.game.kit.search.lines import add_values
from rogsim.game.kit.workspace import BOT_MEMORY, BY_CHANCE, MAX_NOTES, make_view
from rogsim.game.rng import STREAM, below, fresh_key, game_key, stream_key
from rogsim.game.rules import Rules

MOST_PAST = 64  # choices that they are asked about again, the latest ones
NOW, DEALT, THEN = range(MOST_PAST, MOST_PAST + 3)  # places of views, behind those of the choices
MOST_TRIES = 10  # worlds that are dealt for one that counts

# A choice of a bot: who, what, and the bot's memory before it.
PAST = np.dtype([("seat", "i8"), ("action", "i8"), ("stream", STREAM), ("notes", "f8", (MAX_NOTES,))], align=True)


class Rivals(NamedTuple):
    """The memory for asking the bots that do not learn.

    table: the workspace on which they are asked. past: PAST records, written in turn. views: what each saw then, and
    three more. bytes: the same memory, uint8[views, size]. numbers: int64[n, 2], where each number of a view is, and
    its size. differing: int64[n], the numbers in which two views differ.
    """

    table: Any
    past: Any
    views: Any
    bytes: NDArray[np.uint8]
    numbers: NDArray[np.int64]
    differing: NDArray[np.int64]


def rivals_of(rules: Rules) -> Rivals:
    """Return new memory for asking the bots that do not learn."""
    views = records(rules.state, MOST_PAST + 3)
    bytes_of_views = np.asarray(views).view(np.uint8).reshape(len(views), -1)
    numbers = np.array(numbers_in(rules.state), np.int64)
    return Rivals(
        new_workspace(rules),
        records(PAST, MOST_PAST),
        views,
        bytes_of_views,
        numbers,
        np.zeros(len(numbers), np.int64),
    )


def numbers_in(kind: np.dtype[Any], first: int = 0) -> list[tuple[int, int]]:
    """Return the place and the size in bytes of each number in a record."""
    if kind.subdtype is not None:
        inner, count = kind.base, int(np.prod(kind.shape))
        return [found for i in range(count) for found in numbers_in(inner, first + i * inner.itemsize)]
    if kind.fields is None:
        return [(first, kind.itemsize)]
    return [found for field in kind.fields.values() for found in numbers_in(field[0], first + field[1])]


@part
def note_view(tables: Any, workspace: Any, rivals: Any, bot: int, noted: int) -> int:
    """Note what a bot sees that is about to choose, and its memory; return 1, or 0 if there is nothing to tell from."""
    seat = calls.actor(workspace.game)
    calls.legal(tables, workspace.game, workspace.menu)
    if workspace.menu.count < 2 or workspace.asked[bot] == BY_CHANCE:
        return 0
    place = noted % MOST_PAST
    past, memory = rivals.past[place], workspace.arguments[seat].memory
    past.seat, past.stream.key, past.stream.count = seat, memory.stream.key, memory.stream.count
    for i in range(MAX_NOTES):
        past.notes[i] = memory.notes[i]
    rivals.views[place] = workspace.game
    calls.hide(rivals.views[place], seat)
    return 1


@part
def deal_world_that_counts(
    tables: Any,
    workspace: Any,
    rivals: Any,
    bots: Any,
    seating: Any,
    noted: int,
    number: int,
    memory: Any,
    scratch: Any,
) -> int:
    """Deal the next world, again until it counts; return 0, or 1 if none does: then the game itself is the world.

    It explains what the bots did, and looks to the learner as it does.
    """
    for _ in range(MOST_TRIES):
        hooks.deal_next_world(tables, workspace.bot_view, number, memory, scratch)
        if noted == 0 or counts(tables, workspace, scratch.search.world.game, rivals, bots, seating, noted):
            return 0
    scratch.search.world.game = workspace.game
    return 1


@part
def counts(tables: Any, workspace: Any, world: Any, rivals: Any, bots: Any, seating: Any, noted: int) -> bool:
    """Return whether all bots that do not learn would have chosen in a world what they chose."""
    differing, known = 0, -1  # of whose view
    for number in range(noted - 1, max(noted - MOST_PAST, 0) - 1, -1):
        place = number % MOST_PAST
        seat = int(rivals.past[place].seat)
        if seat != known:
            differing, known = compare_views(workspace.game, world, seat, rivals), seat
        if look_back(place, differing, rivals) and not repeats(tables, rivals, bots, int(seating[seat]), place):
            return False
    return True


@part
def compare_views(game: Any, world: Any, seat: int, rivals: Any) -> int:
    """Note the numbers in which a seat sees something else in a world than in the game, and return how many."""
    rivals.views[NOW] = game
    rivals.views[DEALT] = world
    calls.hide(rivals.views[NOW], seat)
    calls.hide(rivals.views[DEALT], seat)
    count = 0
    for i in range(len(rivals.numbers)):
        if not is_same(rivals, i, NOW, DEALT):
            rivals.differing[count] = i
            count += 1
    return count


@part
def look_back(place: int, differing: int, rivals: Any) -> bool:
    """Write what a bot would have seen then, if the world were true, to THEN; return whether that is something else.

    What has changed since then was not hidden all the time, so the world says nothing about it.
    """
    is_changed = False
    rivals.views[THEN] = rivals.views[place]
    for i in range(differing):
        number = rivals.differing[i]
        if is_same(rivals, number, place, NOW):
            is_changed = True
            first, size = rivals.numbers[number]
            for at in range(first, first + size):
                rivals.bytes[THEN, at] = rivals.bytes[DEALT, at]
    return is_changed


@part
def is_same(rivals: Any, number: int, one: int, other: int) -> bool:
    """Return whether a number is the same in two views."""
    first, size = rivals.numbers[number]
    for at in range(first, first + size):
        if rivals.bytes[one, at] != rivals.bytes[other, at]:
            return False
    return True


@part
def repeats(tables: Any, rivals: Any, bots: Any, bot: int, place: int) -> bool:
    """Return whether a bot that sees THEN chooses again what it chose."""
    past, table = rivals.past[place], rivals.table
    seat = int(past.seat)
    loop.seat_bot(table, seat, bot, past.stream.key)
    memory = table.arguments[seat].memory
    memory.stream.count = past.stream.count
    for i in range(MAX_NOTES):
        memory.notes[i] = past.notes[i]
    table.game = rivals.views[THEN]
    return loop.decide(tables, table, bots, bot) == past.action


@part
def play_on_among(
    tables: Any,
    workspace: Any,
    rivals: Any,
    bots: Any,
    seating: Any,
    learners: int,
    key: Any,
    seat: int,
    choice: int,
    turns: int,
    scratch: Any,
) -> float:
    """Do what `play_on` does, but bots that do not learn choose for their seats.

    Each begins with the notes that it has in the game, and with random numbers by the key, so that all lines in a world
    meet the same ones.
    """
    search = scratch.search
    start_line(tables, choice, scratch)
    for other in range(calls.seats(search.line)):
        if seating[other] >= learners:
            loop.seat_bot(rivals.table, other, int(seating[other]), stream_key(key, other))
            notes, own = rivals.table.arguments[other].memory.notes, workspace.arguments[other].memory.notes
            for i in range(MAX_NOTES):
                notes[i] = own[i]
    last = calls.turn(search.world.game) + turns
    while not calls.is_over(search.line) and calls.turn(search.line) <= last:
        bot = int(seating[calls.actor(search.line)])
        if bot < learners:
            hooks.move(tables, search.line, scratch)
        else:
            rivals.table.game = search.line
            carry_out(tables, search.line, action_of(tables, rivals.table, bots, bot))
    return hooks.evaluate(tables, search.line, seat, scratch)


@part
def action_of(tables: Any, table: Any, bots: Any, bot: int) -> int:
    """Return the action of a bot; the first one if its notes, which are not of this world, mislead it off the menu."""
    action = loop.decide(tables, table, bots, bot)
    if action == loop.ILLEGAL:
        calls.legal(tables, table.game, table.menu)
        action = int(table.menu.actions[0])
    return action


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


MOST_LINES = 400  # of a game, averaged over a batch: more than are ever recorded


@dataclass(frozen=True)
class Sampling:
    """How games to learn from are played.

    random_turns: of 1,000 turns of the bots that learn, how many are taken at random. compared_choices: before how many
    of 1,000 of their decisions all lines are compared, if there is a choice. worlds, turns: in how many possible
    worlds, and how many turns are played on in each.
    """

    random_turns: int = 60
    compared_choices: int = 60
    worlds: int = 48
    turns: int = 8


def play_and_compare(
    rules: Rules,
    setup: Any,
    batch: Batch,
    search: Search,
    evaluation: Evaluation,
    teacher: NDArray[np.float64],
    sampling: Sampling,
    learners: int,
) -> NDArray[np.void]:
    """Play a batch, and return the lines of the choices that were compared.

    Parameters
    ----------
    teacher : float64[weights]
        The weights of the bot that compares lines, by `search`.
    learners
        How many bots of the line-up learn, from the first on.

    Returns
    -------
    records of the dtype `line_of`
        The lines, choice by choice.

    Raises
    ------
    BotFault
        If a bot gives an answer that is not on the menu.
    """
    workspace = new_workspace(rules)
    bots, weights = line_up_arrays(batch.line_up, rules.most_seats, in_place=True)
    how, memory = records(SAMPLING, 1)[0], records(BOT_MEMORY, 1)[0]
    for name in SAMPLING.names or ():
        setattr(how, name, learners if name == "learners" else getattr(sampling, name))
    memory.weights[: len(teacher)] = teacher
    positions, recorded = (
        records(evaluation.position, 1),
        records(line_of(evaluation, rules.most_seats), len(batch.deals) * MOST_LINES),
    )
    ask_for_all(all_asked(evaluation, teacher), batch.players, positions)
    found = record_lines(
        rules.tables_of(setup),
        workspace,
        bots,
        weights,
        batch.seed,
        batch.deals,
        batch.seating,
        rivals_of(rules),
        how,
        memory,
        records(search.scratch, 1),
        positions,
        recorded,
    )
    if found == loop.ILLEGAL:
        raise bot_fault(workspace, batch)
    return np.array(recorded[:found])


def all_asked(evaluation: Evaluation, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights of a bot, but 1 for every feature of the evaluation, so that all of them are computed."""
    asked = weights.copy()
    for players in evaluation.player_counts:
        first = place_of(evaluation, players)
        asked[first : first + evaluation.set_size] = 1.0
    return asked


def place_of(evaluation: Evaluation, players: int) -> int:
    """Return the place of the first weight for a number of players."""
    return int(as_python(evaluation.first_weight)(players, records(evaluation.position, 1)[0]))


def weights_of(evaluation: Evaluation, weights: NDArray[np.float64], players: int) -> NDArray[np.float64]:
    """Return the weights of the evaluation for a number of players, float64[moments, features], a view."""
    first = place_of(evaluation, players)
    return weights[first : first + evaluation.set_size].reshape(len(evaluation.moments), len(evaluation.features))
