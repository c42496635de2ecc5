"""Measure how many rollouts per second `search` plays on one core, over the positions of whole games."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rogsim.bots.loading import find_bot
from rogsim.game.compiler import kernel, records
from rogsim.game.kit import loop
from rogsim.game.kit.evaluation import take_weights
from rogsim.game.kit.playing import new_workspace
from rogsim.game.kit.search import lines
from rogsim.game.kit.search.hooks import carry_out, list_legal, play_on
from rogsim.game.kit.search.lines import NO_STEP
from rogsim.game.kit.workspace import BOT_MEMORY, make_view
from rogsim.game.rng import STREAM
from rogsim.games.river_of_gold.bots import plan
from rogsim.games.river_of_gold.options import Options
from rogsim.games.river_of_gold.play.determinization import deal_world
from rogsim.games.river_of_gold.rules.actions import MENU
from rogsim.games.river_of_gold.rules.state import OVER, TURN
from rogsim.games.river_of_gold.spec import GAME, prepare

PLAYERS, GAMES, BATCH = 4, 4, 20  # a batch of rollouts at each turn of these games
PASSES = 10  # how often each of many short runs is timed


def fastest(passes: Iterable[Sequence[float]]) -> float:
    """Return the seconds of a series of short runs, each at its fastest in any pass through all of them.

    Other work on the machine makes a run slower, never faster, and comes and goes within minutes.
    """
    return sum(min(times) for times in zip(*passes, strict=True))


@kernel
def roll_out(tables: Any, view: Any, seat: int, count: int, length: int, stream: Any, scratch: Any) -> None:
    """Play the given number of rollouts of the turns that were found, each in a separate world."""
    for number in range(count):
        deal_world(tables, view, seat, stream, scratch.search.world)
        play_on(tables, seat, number % int(scratch.search.kept), length, scratch)


@kernel
def copy_weights(view: Any, memory: Any, scratch: Any) -> None:
    """Copy the bot's weights for the number of seats of a view."""
    take_weights(memory.weights, int(view.seats), scratch.search.sheet)


@kernel
def look_at(workspace: Any, seat: int) -> None:
    """Make the view of a seat."""
    make_view(workspace, seat)


def rollouts_per_second(bot: str = "search") -> tuple[float, int]:
    """Return rollouts per second, including dealing worlds and evaluating the end, and how many rollouts were timed."""
    passes = [list(batches(bot)) for _ in range(PASSES)]
    count = len(passes[0]) * BATCH
    return count / fastest(passes), count


def batches(bot: str) -> Iterator[float]:
    """Play some games and yield the seconds of a batch of rollouts at each turn; each call plays the same ones."""
    source = find_bot(GAME, bot, Path())
    tables, workspace = prepare(Options(), PLAYERS).tables, new_workspace(GAME.rules)
    scratch, memory, stream = records(plan.SCRATCH, 1)[0], records(BOT_MEMORY, 1)[0], records(STREAM, 1)[0]
    menu = records(MENU, 1)[0]
    memory.weights[: len(source.weights)] = source.weights
    length, choices = int(source.weights[lines.TURNS]), int(source.weights[lines.CHOICES])
    for deal in range(GAMES):
        loop.begin(tables, workspace, 1, deal)
        copy_weights(workspace.game, memory, scratch)
        while workspace.game.phase != OVER:
            seat = int(workspace.game.actor)
            if workspace.game.phase != TURN:
                list_legal(tables, workspace.game, menu)
                carry_out(tables, workspace.game, int(menu.actions[0]))
                continue
            look_at(workspace, seat)
            deal_world(tables, workspace.bot_view, seat, stream, scratch.search.world)
            plan.find_turns(tables, seat, choices, scratch.search)
            roll_out(tables, workspace.bot_view, seat, 1, length, stream, scratch)  # compiles, warms up
            begin = time.thread_time()
            roll_out(tables, workspace.bot_view, seat, BATCH, length, stream, scratch)
            yield time.thread_time() - begin
            for step in scratch.search.lines[0]:
                if step != NO_STEP:
                    carry_out(tables, workspace.game, int(step))
