"""What to test next with stronger bots: the commands for `rogsim settle`, ready to copy."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from rogsim.report.balance.commands import (
    distinct,
    reached_folder,
    report_command,
    results_folder,
    scenario_words,
    settle_command,
    settle_folder,
)
from rogsim.report.balance.sources import Material
from rogsim.report.settle.settle_words import next_steps
from rogsim.stats.settling import RUNGS

MINUTES = 30  # of the proposed ladder


def strength_steps(material: Material, out: Path) -> Iterator[str]:
    """Yield how to test whether the findings hold as the bots get stronger; out: the folder of the report."""
    several = len(material.sources) > 1
    keys = ("seed", "change", "components", *(() if several else ("players",)))
    scenario = scenario_words(material.sources[0], material.spec, *keys)
    for ladder in material.settled:
        words = scenario_words(material.sources[0], material.spec, "change", "components")
        command = shlex.join([*settle_command(ladder, words), "--minutes", str(MINUTES)]) if words else ""
        again = (f"`{command}`",) if command else ()
        yield from (f"Stronger bots: {text}" for text in next_steps(ladder, *again))
    if material.settled:
        return
    if not material.spec.ladder or not scenario:
        bots = "" if material.spec.ladder else f", with at least {RUNGS} bots of rising strength"
        yield f"Nothing here was tested with stronger bots. `rogsim settle` does that{bots}."
        return
    read = [folder for each in material.sources for folder in each.folders]
    folders = distinct(reached_folder(one.folder) if one.folder else results_folder(one) for one in read)
    report = report_command(folders, [settle_folder(Path(scenario[0]).stem)], reached_folder(out))
    players = ["--players", ",".join(map(str, material.player_counts))] if several else []
    settle = shlex.join(["rogsim", "settle", *scenario, *players, "--minutes", str(MINUTES)])
    yield f"Nothing here was tested with stronger bots. `{settle}` does that, and `{report}` shows it on this page."
