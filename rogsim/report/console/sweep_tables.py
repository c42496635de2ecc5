"""What `rogsim sweep` prints: the fairest settings in a sentence, and the first of them; with --all more."""

from __future__ import annotations

from rogsim.experiments.sweep.outcome import SettingTable, SweepOutcome
from rogsim.report import words
from rogsim.report.console.answers import print_grids
from rogsim.report.console.text_table import write
from rogsim.report.document import Report
from rogsim.report.sweep.sweep_frames import setting_text
from rogsim.report.sweep.sweep_page import compact_grids
from rogsim.report.sweep.sweep_words import distance_words
from rogsim.report.verdict_titles import TITLES

FEW_SETTINGS = 5  # for each number of players
MORE = "With --all: each finding, more settings, and which parameters matter."


def print_sweep(outcome: SweepOutcome, report: Report, everything: bool = True) -> None:
    """Print the answer and the fairest settings, or all findings and tables."""
    question = words.joined(outcome.design.experiment.question, report.rests_on, answer_line(outcome, report))
    if everything:
        findings = [finding for _, shown in report.on_top for finding in shown]
        print_grids(question, findings, compact_grids(outcome))
        return
    print_grids(question, (), [grid for grid in compact_grids(outcome, FEW_SETTINGS) if grid.name == "cells"])
    write(MORE)


def answer_line(outcome: SweepOutcome, report: Report) -> str:
    """Return which setting is the fairest with each number of players, and how far from fair it is on new deals."""
    said = [_fairest(outcome, table) for table in outcome.tables.values()]
    found = [finding.verdict for _, shown in report.on_top for finding in shown if "fairest" in finding.data]
    head = f"{TITLES[found[0]]}: " if len(set(found)) == 1 else ""
    return f"{head}{words.with_bots(outcome.design.experiment.scenario.bots)}{'; '.join(said)}."


def _fairest(outcome: SweepOutcome, table: SettingTable) -> str:
    fresh = table.fresh or table
    place = min(table.optimum, 1) if table.fresh else table.optimum  # its place among the settings on new deals
    best, as_it_is = (distance_words(fresh.responses[which].distance()) for which in (place, 0))
    fairest = f"the fairest of {len(table.settings):,} settings with {words.players(table.players)}"
    deals = "on new deals" if table.fresh else "on the deals of the sweep"
    if not table.optimum:
        return f"the scenario itself is {fairest}, {best} from fair {deals}"
    name = setting_text(outcome, table, table.optimum)
    return f"{name} is {fairest}, {best} from fair {deals}, against {as_it_is} as it is"
