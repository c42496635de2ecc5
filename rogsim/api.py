"""The main job in one call: check a scenario, play it, and give the results."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rogsim.batch import Part, check_positive, make_ready, plans, run_batch
from rogsim.errors import RogsimError
from rogsim.progress import progress_bar, say
from rogsim.results import Results, build_manifest, keep_partial, write_manifest, writing
from rogsim.scenario import Experiment, Scenario, load


def run(
    scenario: str | Path | Mapping[str, Any] | Scenario,
    *,
    games: int | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    out: str | Path | None = None,
) -> Results:
    """Play a scenario and return the results.

    scenario: a path to a TOML file, or the same keys as a mapping. games (for each player count) and seed
    replace the scenario's own. jobs: workers, by default one a processor. chunk: games a worker plays at a
    time; neither changes a row. out: a folder to write to, replacing older results there; without one the
    rows stay in memory. Raises ScenarioError for a scenario that cannot be played, ResultsError for a folder
    that is not for results, and BotFault for a bot that goes wrong; games finished before that are kept in
    `<out>.partial`.
    """
    experiment = load(scenario, {"games": games, "seed": seed})
    return play(experiment, jobs=jobs, chunk=chunk, out=out)


def play(
    experiment: Experiment,
    *,
    jobs: int | None = None,
    chunk: int | None = None,
    out: str | Path | None = None,
) -> Results:
    """Play a checked scenario and return the results; as `run`."""
    check_positive("jobs", jobs)
    check_positive("chunk", chunk)
    if out is None:
        return _play_into(experiment, None, jobs, chunk)
    folder = Path(out)
    with writing(folder) as draft:
        started, finished = datetime.now(UTC), list[Part]()
        try:
            _play_into(experiment, draft, jobs, chunk, finished)
        except RogsimError as fault:
            if finished:
                manifest = build_manifest(experiment, finished, started)
                path = keep_partial(draft, folder, manifest, str(fault))
                games = sum(part.chunk.stop - part.chunk.start for part in finished)
                fault.kept = f"; {games:,} games that were finished are kept in {path}"
            raise
    return Results.open(folder)


def _play_into(
    experiment: Experiment, folder: Path | None, jobs: int | None, chunk: int | None, finished: list[Part] | None = None
) -> Results:
    started = datetime.now(UTC)
    bots = make_ready(experiment, say)
    tell_rounding(experiment)
    with progress_bar(sum(plan.games for plan in plans(experiment).values())) as advance:
        parts = run_batch(experiment, bots, folder, jobs, chunk, advance, finished=finished)
    manifest = build_manifest(experiment, parts, started)
    if folder is not None:
        write_manifest(folder, manifest)
    return Results(manifest, folder, [part.seats for part in parts], [part.games for part in parts])


def tell_rounding(experiment: Experiment) -> None:
    """Say where more games are played than asked for, so that every bot sits everywhere equally often."""
    asked = experiment.scenario.games
    for players, plan in plans(experiment).items():
        if plan.games != asked:
            games = f"{plan.games:,} games instead of {asked:,}"
            say(f"{players} players: {games}, for whole cycles of {plan.cycle:,}.")
