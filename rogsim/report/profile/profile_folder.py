"""A profile as a folder of its table, plot and manifest."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import polars as pl

from rogsim.base.progress import doing
from rogsim.experiments.profile.profiles import ProfileRequest, make_profile
from rogsim.report import words
from rogsim.report.profile.profile_page import FOLDER, profile_report
from rogsim.report.render.write import check_with_page, write_into
from rogsim.results.drafts import writing
from rogsim.results.output_folders import manifest_of
from rogsim.scenario.reconstructed import reconstructed_of
from rogsim.simulation.batch import check_workers

check = partial(check_with_page, FOLDER)


def write_profile(request: ProfileRequest, folder: Path, jobs: int | None = None) -> pl.DataFrame:
    """Make a profile and write it into a folder, which appears when all is done: page, table, plot and manifest."""
    check_workers("--jobs", jobs)
    check(folder)
    started = datetime.now(UTC)
    profile = make_profile(request, jobs)
    report = profile_report(request, profile, folder)
    with doing() as notify, writing(folder, check) as draft:
        played = {"players": list(request.experiment.scenario.players), "games": dict(request.games)}
        more = {"against": request.against, **played}
        FOLDER.write(draft, {"profile": profile}, manifest_of(FOLDER.name, request.experiment, started, more))
        write_into(report, draft, notify)
    return profile


def heading(request: ProfileRequest) -> str:
    """Return one line on what was played, and one on the reconstructed values that the profile rests on, if any."""
    spec, seed, count = request.experiment.spec, request.experiment.scenario.seed, len(request.bots)
    others = "among copies of itself" if request.against is None else f"in one seat, {request.against} in the others"
    played = f"{spec.title}: how {f'{count} bots play, each' if count > 1 else 'a bot plays'} {others}, seed {seed}"
    rests_on = reconstructed_of(request.experiment).text()
    return words.joined(played, rests_on)
