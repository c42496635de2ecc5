"""The games of a results folder that are worth reading, found by the common columns of their rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rogsim.base.errors import ResultsError
from rogsim.base.text import counted
from rogsim.base.validation import not_allowed
from rogsim.game.batches import Batch
from rogsim.game.columns import Column
from rogsim.game.kit import rows
from rogsim.results.verify import StoredRun, stored_run
from rogsim.simulation.batch import plans
from rogsim.simulation.traces import narrated, record


@dataclass(frozen=True)
class _Exciting:
    """What makes a game worth reading: the column to look at, whether most or least of it, and how to say it."""

    column: Column
    most: bool
    words: Callable[[int], str]


def _won_by(margin: int) -> str:
    return f"won by {counted(margin, 'point')}" if margin else "first and second have equally many points"


KINDS = {
    "closest": _Exciting(rows.MARGIN, False, _won_by),
    "comeback": _Exciting(rows.COMEBACK, True, lambda points: f"the winner was {counted(points, 'point')} behind"),
    "lead-changes": _Exciting(rows.LEAD_CHANGES, True, lambda times: f"the lead changed {counted(times, 'time')}"),
    "longest": _Exciting(rows.TURNS, True, lambda turns: f"it took {counted(turns, 'turn')}"),
}


@dataclass(frozen=True)
class BestGame:
    """A stored game that is worth reading.

    Attributes
    ----------
    kind
        "closest", "comeback", "lead-changes" or "longest".
    players, game
        Which game it is, as in the rows.
    line
        Which game of how many it is, and why.
    trace
        The game, played again.
    text
        The game in words, as `rogsim show` prints it.
    """

    kind: str
    players: int
    game: int
    line: str
    trace: Mapping[str, Any]
    text: str


def best_games(folder: str | Path, kinds: Sequence[str], bots_from: str | Path | None = None) -> list[BestGame]:
    """Find games of a results folder that are worth reading, and play them again.

    Parameters
    ----------
    folder
        The results folder.
    kinds
        What to find: "closest" (fewest points between first and second), "comeback" (the winner was farthest behind
        after a turn), "lead-changes" (the sole lead changed most often), "longest" (most turns of all seats). Of games
        that are equal in this, the first in the rows is taken.
    bots_from
        Folder to which the paths of bots are relative; without it, no program that the results name is run.

    Returns
    -------
    list of BestGame
        One for each kind, in their order.

    Raises
    ------
    ResultsError
        If a kind is unknown, the folder is not complete, its rows lack a column, its bots are not available, or a game
        comes out differently than it was stored.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise ResultsError(f"--best: {not_allowed(kind, 'choose from ' + ', '.join(KINDS))}")
    run = stored_run(Path(folder), None if bots_from is None else Path(bots_from))
    there = {name for table, name, *_ in run.results.manifest["columns"] if table == "games"}
    for kind in kinds:
        if (name := KINDS[kind].column.name) not in there:
            raise ResultsError(f'{folder}: "{kind}" needs the column "{name}", which the rows of its games do not have')
    needed = list(dict.fromkeys(KINDS[kind].column.name for kind in kinds))
    stored = run.results.games().select("players", "game", *needed).collect()
    return [_best(run, stored, kind) for kind in dict.fromkeys(kinds)]


def _best(run: StoredRun, stored: pl.DataFrame, name: str) -> BestGame:
    kind = KINDS[name]
    values = stored[kind.column.name]
    value: Any = values.max() if kind.most else values.min()
    equal = stored.filter(values == value)
    players, game = int(equal["players"][0]), int(equal["game"][0])
    several = f" with {players} players," if len(run.manifest.wanted) > 1 else ""
    others = f", the first of {len(equal):,} such games" if len(equal) > 1 else ""
    line = f"Game {game}{several} of {len(stored):,}: {kind.words(int(value))}{others}."
    if run.differing(players, np.array([game])):
        why = f" ({run.sources[0]})" if run.sources else ""
        raise ResultsError(f"{run.folder}: game {game} with {players} players comes out differently now{why}")
    trace = _trace_of(run, players, game)
    return BestGame(name, players, game, line, trace, narrated(trace, run.folder))


def _trace_of(run: StoredRun, players: int, game: int) -> Mapping[str, Any]:
    """Play a game of the plan again, with the bots in its seats, and return its trace."""
    plan = plans(run.experiment)[players]
    (line_up,), seating, deals = (
        getattr(plan.pick(np.array([game])), name) for name in ("line_up", "seating", "deals")
    )
    bots = tuple(run.bots[name] for name in plan.line_ups[line_up])
    batch = Batch(run.experiment.scenario.seed, players, deals, np.ascontiguousarray(seating), bots)
    return record(run.experiment.spec, run.experiment.setups[players], batch)
