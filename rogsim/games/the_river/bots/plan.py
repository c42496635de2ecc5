"""How `planner` and `search` think ahead: which actions they compare, how all seats play on, how positions are valued.

The kit compares the actions in possible worlds (`rogsim.game.kit.search`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import part, records
from rogsim.game.kit.search.lines import keep_line, search_of
from rogsim.game.kit.search.planning import plan_choice
from rogsim.game.kit.search.playouts import carry_out, list_legal
from rogsim.game.kit.search.rollouts import search_choice
from rogsim.game.kit.search.search import Search
from rogsim.game.kit.search.settings import SETTINGS, lines_to_keep
from rogsim.games.the_river.bots import evaluation
from rogsim.games.the_river.bots import weights as w
from rogsim.games.the_river.bots.evaluation import chance_to_win
from rogsim.games.the_river.bots.policy import action_worth, best_place, weigh_moment
from rogsim.games.the_river.rules.actions import MENU
from rogsim.games.the_river.rules.phases import START, TURN
from rogsim.games.the_river.rules.state import GAME

# The weights of such a bot, in order: its settings, how much the policy's worths count, the evaluation's, the policy's.
LIKING = len(SETTINGS)
EVALUATION = LIKING + 1
POLICY = EVALUATION + len(evaluation.NAMES)
NAMES = (*SETTINGS, "liking", *(f"value-{name}" for name in evaluation.NAMES), *(f"play-{name}" for name in w.NAMES))

MOST_LINES = 16

# Memory for one choice.
SCRATCH = np.dtype(
    [
        ("evaluation", "f8", (len(evaluation.NAMES),)),  # the weights of the evaluation
        ("policy", "f8", (len(w.NAMES),)),  # and of the policy
        ("moment", w.MOMENT),
        ("menu", MENU),
        ("sheet", "f8", (2, evaluation.FEATURE_COUNT)),
        ("search", search_of(GAME, MOST_LINES, 1)),
    ],
    align=True,
)


def choose_by_rollouts(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the action with the best rollouts; within a turn the policy answers."""
    scratches = records(SCRATCH, 1)
    if view.phase == TURN or view.phase == START:
        return search_choice(tables, view, menu, memory, scratches)
    return best_place(tables, view, menu, memory.weights[POLICY:], scratches[0].moment)


def choose_by_plan(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the action that leads to the best positions; within a turn the policy answers."""
    scratches = records(SCRATCH, 1)
    if view.phase == TURN or view.phase == START:
        return plan_choice(tables, view, menu, memory, scratches)
    return best_place(tables, view, menu, memory.weights[POLICY:], scratches[0].moment)


@part
def list_lines(tables: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> None:
    """List the actions that the policy values most; how much it does counts a little in the comparison."""
    search = scratch.search
    scratch.evaluation[:] = memory.weights[EVALUATION:POLICY]
    scratch.policy[:] = memory.weights[POLICY : len(NAMES)]
    weigh_moment(tables, view, scratch.policy, scratch.moment)
    search.wanted = lines_to_keep(memory, search)
    search.kept = 0
    for i in range(menu.count):
        search.steps[0] = menu.actions[i]
        keep_line(search, memory.weights[LIKING] * action_worth(tables, view, int(menu.actions[i]), scratch.moment))


@part
def play_by_policy(tables: Any, game: Any, scratch: Any) -> None:
    """Let the actor take the action that the policy values most."""
    menu = scratch.menu
    list_legal(tables, game, menu)
    place = best_place(tables, game, menu, scratch.policy, scratch.moment) if menu.count > 1 else 0
    carry_out(tables, game, int(menu.actions[place]))


@part
def evaluate(tables: Any, game: Any, seat: int, scratch: Any) -> float:
    """Return a seat's chance to win."""
    return chance_to_win(tables, game, seat, scratch.evaluation, scratch.policy, scratch.moment, scratch.sheet)


SEARCH = Search(SCRATCH, list_lines, move=play_by_policy, evaluate=evaluate)
