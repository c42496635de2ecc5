"""Playing games to learn from, in one call from Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.game.batches import Batch
from rogsim.game.compiler import as_python, records
from rogsim.game.kit import loop
from rogsim.game.kit.evaluation.contract import Evaluation
from rogsim.game.kit.learning.compared_lines import SAMPLING, ask_for_all, line_of, record_lines
from rogsim.game.kit.learning.rivals import rivals_of
from rogsim.game.kit.line_up import bot_fault, line_up_arrays
from rogsim.game.kit.playing import new_workspace
from rogsim.game.kit.search.search import Search
from rogsim.game.kit.workspace import BOT_MEMORY
from rogsim.game.rules import Rules

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
