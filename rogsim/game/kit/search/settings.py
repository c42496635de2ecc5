"""The settings of a bot that thinks ahead: its first weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rogsim.game.compiler import part
from rogsim.game.kit import calls

# How many lines are compared; in how many worlds a planner compares them; how many games a search plays on for one
# choice, over all lines; how many turns are played on, unless the game ends before; from which share of the game that
# is left a planner plays on at all, 1 for always; as how many worlds the position right after a line counts; how many
# whole rounds are played on in addition to the turns; and how clearly a line must be behind to be dropped early, in
# standard errors, 0 for never.
SETTINGS = ("choices", "worlds", "rollouts", "turns", "endgame", "trust", "rounds", "clear")
CHOICES, WORLDS, ROLLOUTS, TURNS, ENDGAME, TRUST, ROUNDS, CLEAR = range(len(SETTINGS))

FRACTIONS = ("endgame", "trust", "clear")  # need not be whole numbers
MOST = 1_000_000  # of a setting that is a whole number: far more than any bot here uses


def setting_rule(name: str, value: float, names: Sequence[str]) -> str:
    """Return the rule that a weight breaks as a setting of a bot that thinks ahead; empty if it breaks none.

    Parameters
    ----------
    names
        The names of all weights of the bot.
    """
    if tuple(names[: len(SETTINGS)]) != SETTINGS or name not in SETTINGS:
        return ""
    if name in FRACTIONS:
        return "" if value >= 0 else "must be 0 or more"
    least = 1 if name == "choices" else 0
    return "" if least <= value <= MOST and value == int(value) else f"must be a whole number from {least} to {MOST:,}"


@part
def lines_to_keep(memory: Any, search: Any) -> int:
    """Return how many lines to compare: at least one, and at most as many as there is memory for."""
    return min(max(int(memory.weights[CHOICES]), 1), len(search.lines))


@part
def turns_to_play(view: Any, memory: Any) -> int:
    """Return how many turns to play on: whole rounds, because evaluation is best when all seats had as many turns."""
    turns, seats = max(int(memory.weights[TURNS]), 0), calls.seats(view)
    rounds = max(int(memory.weights[ROUNDS]), 0)
    return rounds * seats + (turns - turns % seats if turns >= seats else turns)
