"""What `rogsim run` prints at the end: tables for people, or one JSON object for scripts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rich.console import Console

from rogsim.experiments.adaptive import Look
from rogsim.experiments.run import Run
from rogsim.game.registry import get_game
from rogsim.report.console.tables import print_results
from rogsim.report.console.until_table import until_table
from rogsim.scenario.reconstructed import reconstructed_in
from rogsim.stats.estimates import Estimate, clusters, mean, share


def print_run(run: Run, console: Console | None = None) -> None:
    """Print the question and its answer, the balance sheet, the scenario's tables, and why an adaptive run stopped."""
    manifest = run.results.manifest
    topics = get_game(str(manifest["scenario"]["game"])).topics
    looks = [until_table(look, run.targets, manifest["scenario"]["games"], topics) for look in run.looks.values()]
    print_results(run.results, console, looks)


def run_as_data(run: Run) -> dict[str, Any]:
    """Return what was played and the table by seat, for scripts: times in seconds, shares from 0 to 1."""
    manifest, log = run.results.manifest, run.log
    games = {int(players): count for players, count in manifest["games"].items()}
    return {
        "folder": None if run.results.folder is None else str(run.results.folder),
        "name": manifest["name"],
        "key": manifest["key"],
        "games": {str(players): count for players, count in games.items()},
        "played": log.games,
        "resumed": log.found,
        "replayed": log.replayed,
        "seconds": round(log.seconds, 3),
        "games_per_second": round(log.games / log.seconds, 3),
        "backend": log.backend,
        "workers": log.workers,
        **({"reconstructed": found} if (found := _reconstructed(manifest["scenario"])) else {}),
        "seats": _seats(run),
        "until": {str(players): _look(look) for players, look in run.looks.items()},
    }


def _reconstructed(scenario: Mapping[str, Any]) -> dict[str, Any]:
    return reconstructed_in(get_game(str(scenario["game"])), [scenario]).data()


def _seats(run: Run) -> list[dict[str, Any]]:
    groups = clusters(run.results.seats(), ["win_share", "points"], ["players", "seat"])
    return [
        {
            "players": players,
            "seat": seat,
            "win_share": _estimate(share(values["win_share"])),
            "points": _estimate(mean(values["points"])),
        }
        for (players, seat), values in groups.items()
    ]


def _look(look: Look) -> dict[str, Any]:
    return {
        "games": look.games,
        "narrow_enough": look.is_done,
        "more_games": look.more_games,
        "intervals": [
            {
                "name": precision.target.factor,
                "level": precision.level,
                "asked": precision.target.text,
                **_estimate(precision.estimate),
            }
            for precision in look.precisions
        ],
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    low, high = (None if math.isnan(end) else end for end in (estimate.low, estimate.high))
    return {"value": estimate.value, "low": low, "high": high, "n": estimate.n}
