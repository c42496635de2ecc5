"""What `rogsim settle` prints: the answers in sentences, then a table for each family of claims."""

from __future__ import annotations

from dataclasses import replace

from rogsim.base.prose import write
from rogsim.experiments.settle.rounds import LadderOutcome
from rogsim.report import words
from rogsim.report.console.text_table import show_tables, table_of
from rogsim.report.document import Grid, Report, Section, TableColumn
from rogsim.report.settle.settle_pieces import steps_grid
from rogsim.report.settle.settle_words import rising_words
from rogsim.stats.estimates import by_size

REASONS = {
    "decided": "More games are not expected to change any verdict.",
    "games": "No further look is planned at this number of games.",
    "time": "The time is used up; the same command continues.",
}


VERDICTS = ("settled", "still moving", "not known yet")
FEW_KEYS = ("label", "players", "verdict", "last_two_steps", "more_games")
EACH_ALONE = "Each interval holds by itself; the largest of many effects is probably somewhat smaller."
MORE = ("the effect with each bot", "each verdict in words", "the strength of the bots")


def print_settled(outcome: LadderOutcome, report: Report, everything: bool = True) -> None:
    """Print the answer and the verdicts, or all of them in words with all tables; then why play stopped."""
    write(words.joined(report.rests_on, answer_line(outcome)))
    write(rising_words(outcome))
    if everything:
        for _, findings in report.on_top:
            for finding in findings:
                write(finding.short)
        write(report.units)
        grids = [*(grid for section in report.sections for grid in section.grids), steps_grid(outcome, "steps")]
    else:
        grids = [_short(outcome, section, grid) for section in report.sections for grid in section.grids]
    show_tables("", [table_of(grid) for grid in grids])
    print()
    with_all = [] if everything else [f"With --all: {words.listed([*MORE])}."]
    for line in (*with_all, REASONS[outcome.stopped_by], *report.next_steps):
        write(line)


def answer_line(outcome: LadderOutcome) -> str:
    """Return how many effects have settled, and the largest one with the last bot, in a sentence."""
    found = [claim.found.verdict for claim in outcome.claims]
    said = words.listed([f"{found.count(verdict)} {verdict}" for verdict in VERDICTS if verdict in found])
    most = max(outcome.claims, key=lambda claim: by_size(claim.found.series.estimate(-1).value))
    effect = most.found.series.estimate(-1)
    reach = words.interval(effect.low, effect.high, sign=True)
    return (
        f"Of {len(found)} effect{'s' * (len(found) != 1)} with {', '.join(outcome.bots)}: {said}. The largest with "
        f"{outcome.bots[-1]}, the last bot, is {most.family.label(most.found.series.name)} with "
        f"{words.players(most.players)}: {words.pp(effect.value)}{f' ({reach})' if reach else ''}, "
        f"{most.found.verdict}."
    )


def _short(outcome: LadderOutcome, section: Section, grid: Grid) -> Grid:
    """Return the table of a family with only the effect of the last bot."""
    last = f"rung_{len(outcome.bots)}"
    heads = {column.key: column.head for column in grid.columns}
    heads |= {last: f"with {heads[last]} (95%)", "last_two_steps": "over the last two steps (95%)"}
    columns = [replace(column, head=heads[column.key]) for column in grid.columns if column.key in (*FEW_KEYS, last)]
    columns.insert(2, TableColumn(f"{last}_games", "games", "count"))
    caption = f"{section.title}: effect with the last bot, in pp"
    notes = (*grid.notes[1:], EACH_ALONE)  # the first are the games of all bots
    return replace(grid, caption=caption, columns=tuple(columns), notes=notes)
