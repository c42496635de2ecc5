"""What `rogsim sweep` prints: the fairest settings in a sentence, and the first of them; with --all more."""

from __future__ import annotations

from rogsim.experiments.sweep.outcome import SettingTable, SweepOutcome
from rogsim.report import words
from rogsim.report.console.answers import print_grids
from rogsim.report.console.text_table import write
from rogsim.report.document import Report
from rogsim.report.sweep.sweep_frames import setting_text
from rogsim.report.sweep.sweep_page import compact_grids
from rogsim.report.sweep.sweep_words import as_fair_words, compared_words, distance_words, margin_words

FEW_SETTINGS = 5  # for each number of players
ITSELF = "The scenario itself"
MORE = "With --all: each finding, more settings, and how much each parameter matters."


def print_sweep(outcome: SweepOutcome, report: Report, everything: bool = True) -> None:
    """Print the answer, which parameters matter and the fairest settings, or all findings and tables."""
    question = words.joined(outcome.design.experiment.question, report.rests_on, answer_line(outcome))
    findings = [finding for _, shown in report.on_top for finding in shown]
    if everything:
        print_grids(question, findings, compact_grids(outcome))
        return
    matter = [finding for finding in findings if "matter" in finding.data]
    print_grids(question, matter, [grid for grid in compact_grids(outcome, FEW_SETTINGS) if grid.name == "cells"])
    write(MORE)


def answer_line(outcome: SweepOutcome) -> str:
    """Return which setting came out fairest with each number of players, and what new deals show of it."""
    said = " ".join(_fairest(outcome, table) for table in outcome.tables.values())
    if any(axis.kind == "bots" for axis in outcome.design.axes):
        return said
    said = f"the{said[3:]}" if said.startswith(ITSELF) else said
    return f"{words.with_bots(outcome.design.experiment.scenario.bots)}{said}"


def _fairest(outcome: SweepOutcome, table: SettingTable) -> str:
    fresh = table.fresh or table
    place = min(table.optimum, 1) if table.fresh else table.optimum  # its place among the settings on new deals
    best, as_it_is = (distance_words(fresh.responses[which].distance()) for which in (place, 0))
    count, players = len(table.settings), words.players(table.players)
    fairest = f"came out fairest of {count:,} settings" if count > 1 else "is the only setting"
    deals = f"on {words.games(fresh.responses[place].games)} with {'new' if table.fresh else 'the same'} deals"
    within = margin_words(fresh, place)[1] + as_fair_words(table)
    if not table.optimum:
        return f"{ITSELF} {fairest} with {players}: {best} from fair {deals}. {within}"
    name = setting_text(outcome, table, table.optimum)
    text = f"{name} {fairest} with {players}: {best} from fair {deals}, against {as_it_is} as it is."
    return f"{text} {compared_words(fresh, place)} {within}"
