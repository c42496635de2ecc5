"""What `rogsim train` and `rogsim tune` print: how strong the bot is with the new weights, and where these are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base.text import write
from rogsim.experiments.train import TrainingRequest
from rogsim.experiments.training_check import TrainingCheck, verdicts
from rogsim.experiments.tune import Check, TuningRequest
from rogsim.game.spec import GameSpec
from rogsim.report import words
from rogsim.report.console.text_table import Table, percentage, show_tables
from rogsim.scenario.reconstructed import reconstructed_in
from rogsim.stats.estimates import Estimate

LISTED = 12  # weights printed, of those that changed
TOGETHER = "The verdicts of all player counts are judged together, by Holm's method; each interval holds on its own."


def print_trained(request: TrainingRequest, checks: Mapping[int, TrainingCheck]) -> None:
    """Print what the games rest on, and how strong the trained bot is."""
    scenarios = [experiment.scenario.model_dump(mode="json") for experiment in request.experiments]
    start = f"bots with the weights of the start ({request.bot.name})"
    title = f"One trained {request.bot_name} among {request.rival.name if request.rival else start}:"
    judged = verdicts(checks)
    rows = tuple(
        (
            str(players),
            f"{check.games:,}",
            percentage(check.win_share),
            f"{1 / players:.1%}",
            _points(check.gain),
            *([_points(check.over_start)] if request.rival else []),  # otherwise that is the same
            judged[players],
        )
        for players, check in checks.items()
    )
    start_column = ["over the start pp (95%)"] if request.rival else []
    header = ("players", "games", "win share (95%)", "fair", "diff pp (95%)", *start_column, "verdict")
    notes = (TOGETHER,) if len(checks) > 1 else ()
    show_tables(_rests_on(request.spec, scenarios), [Table(title, header, rows, notes)])
    _print_place(request)


def print_tuned(request: TuningRequest, weights: NDArray[np.float64], checks: Mapping[int, Check]) -> None:
    """Print what the games rest on, the weights that changed most, and the held-out check."""
    before = request.bot.weights
    order = np.argsort(-np.abs(weights - before), kind="stable")
    moved = [int(place) for place in order if weights[place] != before[place]]
    rows = tuple((request.names[at], f"{before[at]:.4g}", f"{weights[at]:.4g}") for at in moved[:LISTED])
    more = (f"… and {len(moved) - LISTED} more, which changed less",) if len(moved) > LISTED else ()
    changed = Table("Weights that changed most:", ("weight", "before", "tuned"), rows, more)
    show_tables(_rests_on(request.spec, [{}]), [changed, *_check_tables(request, checks)])
    _print_place(request)


def _check_tables(request: TuningRequest, checks: Mapping[int, Check]) -> list[Table]:
    against = ", ".join(source.name for source in request.pool)
    tables = []
    for players, check in checks.items():
        title = f"{players} players, against {against}: {check.games:,} held-out games (fair is {1 / players:.1%})"
        rows = (
            ("before", percentage(check.before)),
            ("tuned", percentage(check.after)),
            ("difference", _points(check.difference, " pp")),
        )
        tables.append(Table(title, ("weights", "win share (95%)"), rows, _unseen_notes(check)))
    return tables


def _unseen_notes(check: Check) -> tuple[str, ...]:
    """Say what an interval means if no deal shows a difference."""
    if check.differing:
        return ()
    seen = f"On all {words.count(check.deals)} deals ({words.games(check.games)}) both have the same win share"
    return (f"{seen}; the interval shows how large the difference could still be.",)


def _points(difference: Estimate, unit: str = "") -> str:
    """Return a difference of win shares in percentage points, with its interval."""
    value, low, high = (
        words.number(100 * each, sign=True) for each in (difference.value, difference.low, difference.high)
    )
    return f"{value}{unit} ({low} to {high})"


def _rests_on(spec: GameSpec, scenarios: Sequence[Mapping[str, Any]]) -> str:
    return reconstructed_in(spec, scenarios).text()


def _print_place(request: TrainingRequest | TuningRequest) -> None:
    write(f"\nWeights: {request.out}, for use as {request.bot_name}@{request.out}")
