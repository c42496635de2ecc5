"""What the kit's search needs of The River: actions to compare, how all play on, and what positions are worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import records
from rogsim.game.kit.evaluation import chance_to_win, take_weights
from rogsim.game.kit.search import plan_choice, search_choice
from rogsim.game.kit.search.hooks import Search, carry_out, deal_any_world, list_legal, play_on
from rogsim.game.kit.search.lines import keep_line, lines_to_keep, search_of
from rogsim.games.the_river.bots.evaluation import JUDGING, LIKING, POLICY, SHEET
from rogsim.games.the_river.bots.policy import action_worth, best_place, time_left, weigh_moment
from rogsim.games.the_river.rules.actions import MENU
from rogsim.games.the_river.rules.state import GAME, START, TURN

MOST_LINES = 16

# Memory for one choice.
SCRATCH = np.dtype([("menu", MENU), ("search", search_of(GAME, MOST_LINES, 1, ("sheet", SHEET)))], align=True)


def choose_by_rollouts(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the action with the best rollouts; within a turn the policy answers."""
    scratches = records(SCRATCH, 1)
    if view.phase == TURN or view.phase == START:
        return search_choice(tables, view, menu, memory, scratches)
    return best_place(tables, view, menu, memory.weights[POLICY:], scratches[0].search.sheet.position.moment)


def choose_by_plan(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the action that leads to the best positions; within a turn the policy answers."""
    scratches = records(SCRATCH, 1)
    if view.phase == TURN or view.phase == START:
        return plan_choice(tables, view, menu, memory, scratches)
    return best_place(tables, view, menu, memory.weights[POLICY:], scratches[0].search.sheet.position.moment)


def list_lines(tables: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> None:
    """List the actions that the policy values most; how much it does counts a little in the comparison."""
    search = scratch.search
    take_weights(memory.weights, view.seats, search.sheet)
    position = search.sheet.position
    weigh_moment(tables, view, position.policy, position.moment)
    search.wanted, search.kept = lines_to_keep(memory, search), 0
    for i in range(menu.count):
        search.steps[0] = menu.actions[i]
        worth = action_worth(tables, view, view.players[view.actor], menu.actions[i], position.moment)
        keep_line(search, memory.weights[LIKING] * worth)
    if memory.weights[JUDGING] != 0.0:
        judge_lines(tables, view, memory, scratch)


def judge_lines(tables: Any, view: Any, memory: Any, scratch: Any) -> None:
    """Add to the worth of each line that of the position at the end of the turn."""
    search = scratch.search
    deal_any_world(tables, view, 0, memory, scratch)
    for choice in range(search.kept):
        search.worths[choice] += memory.weights[JUDGING] * play_on(tables, view.actor, choice, 0, scratch)


def play_by_policy(tables: Any, game: Any, scratch: Any) -> None:
    """Let the actor take the action that the policy values most."""
    menu, position = scratch.menu, scratch.search.sheet.position
    list_legal(tables, game, menu)
    place = best_place(tables, game, menu, position.policy, position.moment) if menu.count > 1 else 0
    carry_out(tables, game, menu.actions[place])


def evaluate(tables: Any, game: Any, seat: int, scratch: Any) -> float:
    """Return a seat's chance to win."""
    return chance_to_win(tables, game, seat, scratch.search.sheet)


def left_of(tables: Any, game: Any, scratch: Any) -> float:
    """Return the share of the game that is left."""
    return time_left(tables, game)


SEARCH = Search(SCRATCH, list_lines, move=play_by_policy, evaluate=evaluate, time_left=left_of)
