"""Sections of the page of a search: the answer, every level before and after, and all candidates."""

from __future__ import annotations

from functools import partial

import polars as pl

from rogsim.experiments.optimize.search import Confirmed, SearchOutcome
from rogsim.report import words
from rogsim.report.balance.pieces import BLOCKS, estimate_data, prospect_data
from rogsim.report.document import Finding, Grid, Kind, Picture, Section, TableColumn
from rogsim.report.figures.forest_plots import forest
from rogsim.report.optimize.optimize_figures import trade
from rogsim.report.optimize.optimize_words import (
    ANSWERS,
    SELECTED,
    TOGETHER,
    answer_words,
    changed_words,
    closer_words,
    direction_words,
    farthest,
    goal_scale,
    is_too_high,
    level_words,
    mirrored,
)
from rogsim.report.verdict_titles import Badge
from rogsim.scenario.axes import AS_IT_IS
from rogsim.scenario.goals import Goal
from rogsim.stats.contrasts import columns, table
from rogsim.stats.paired.deviations import Piece

BADGES: dict[str, Badge] = {"true": "reached", "false": "missed", "open": "open"}
FOUND = "as found"
METHOD = (
    "All candidates are played with the same seed, so they share deals and rolls. The search starts with "
    "a few games of a few candidates: the scenario's own values, and each parameter alone at both ends of its range. A "
    "response surface fitted to their deviations, linear with slight curvature in each parameter, predicts which other "
    "candidates are closest to the goals for each amount of change. These are played and the surface is refitted, "
    "until it proposes nothing new. (With more than a million candidates, CMA-ES searches the surface.) Then the best "
    "candidates race, with twice the games in every round. A candidate drops out as soon as another one is closer with "
    "99% confidence, judged by the blocks that both played, unless the other one changes more and the candidate may "
    "still reach the goals.",
    "The closest candidate for each amount of change is played again on new deals. The answer is chosen from these "
    "games alone: the candidate with the least change that clearly reaches the goals. If none does, the answer is the "
    "candidate with the least change among those nearly as close as the closest one (which is not closer with 80% "
    "confidence). It is never a candidate that another one beats with no more change and a non-overlapping interval, "
    "nor one that changes no game.",
    "The amount of change is the sum of the steps for whole numbers; anything else that is changed counts as 1. "
    + SELECTED
    + " The interval is simultaneous over all levels that may be the farthest (intersection bounds). The confidence "
    "that one candidate is closer than another is that of the widest interval for the difference of their largest "
    "deviations that excludes 0.",
)


def answer_section(outcome: SearchOutcome) -> Section:
    """Return the section with the answer and the best candidate for each amount of change."""
    chosen, base = outcome.chosen, outcome.listed[0]
    changed = changed_words(outcome, chosen.candidate)
    nothing = "Change nothing" if chosen.found.verdict == "true" else "Nothing was clearly closer than no change"
    what = nothing if changed == AS_IT_IS else changed
    text = f"{what}: {answer_words(outcome, chosen)}{closer_words(outcome)}."
    before = f"As it is: {answer_words(outcome, base)}."
    findings = [Finding(BADGES[chosen.found.verdict], text, _data(outcome, chosen), short=text)]
    if chosen is not base:
        findings.append(Finding(BADGES[base.found.verdict], before, _data(outcome, base), short=before))
    if less := _less_change(outcome):
        findings.append(less)
    frame = _listed_frame(outcome)
    picture = Picture(
        "change",
        "Largest deviation from the goals for each amount of change, on new deals. Dashed: the tolerance.",
        f"Largest deviation against the amount of change. {text}",
        partial(trade, frame, _axis(outcome)),
    )
    grid = Grid(
        "listed",
        "Fairness against change: the best candidate for each amount of change",
        _listed_columns(),
        frame,
        (TOGETHER,),
    )
    return Section(
        "answer",
        "What to change",
        "Which values reach the goals with the least change?",
        f"{words.count(chosen.found.games)} games with each player count for each row, seed {outcome.seed}",
        tuple(findings),
        (picture,),
        (grid,),
        METHOD,
    )


def _less_change(outcome: SearchOutcome) -> Finding | None:
    """Return a finding on the best candidate with less change, if there is one."""
    chosen = outcome.chosen.candidate
    less = [confirmed for confirmed in outcome.listed[1:] if confirmed.candidate.change < chosen.change]
    if not less:
        return None
    closest = less[-1]
    text = f"With less change, {changed_words(outcome, closest.candidate)}: {answer_words(outcome, closest)}."
    return Finding("fact", text, _data(outcome, closest))


def level_section(outcome: SearchOutcome, goal: Goal) -> Section:
    """Return the section with every level before and after."""
    frames = []
    for series, confirmed in ((AS_IT_IS, outcome.listed[0]), (FOUND, outcome.chosen)):
        frames += [_level_frame(outcome, piece, series) for piece in confirmed.found.pieces if piece.goal is goal]
    frame = pl.concat(frames)
    drawn = frame.rename({"deviation": "value", "deviation_low": "low", "deviation_high": "high"})
    unit = "percentage points" if goal.unit == "pp" else goal.unit or goal.value
    axis = f"deviation from the goal, {unit} (95% interval)"
    name = f"{goal.factor or 'all'}-{goal.value}".replace("_", "-")
    tolerance = goal.within * goal.scale
    of_tolerance = goal.unit.removesuffix("s") if tolerance == 1 else goal.unit
    picture = Picture(
        name,
        f"Before and after, for the goal: {goal.text}.",
        f"Forest plot of deviations by level, as it is and as found, for the goal {goal.text}.",
        partial(forest, drawn, tolerance, axis, "exactly on the goal", of_tolerance, band="tolerance"),
    )
    share = goal.value == "win_share"
    kind: Kind = "share" if share else "number"
    heads = (
        TableColumn("level", goal.factor or "column"),
        TableColumn("panel", "players"),
        TableColumn("series", "values"),
        TableColumn("n", "n", "count"),
        TableColumn("estimate", f"{'win share' if share else words.name(goal.value)} (95%)", kind, True, 2),
        TableColumn("deviation", f"off the goal{', pp' * share} (95%)", "gain", True, 2),
    )
    return Section(
        name,
        f"Before and after: {words.name(goal.factor or goal.value)}",
        f"How far is every level from the goal {goal.text}?",
        f"{words.count(outcome.chosen.found.games)} games with each player count, on new deals, seed {outcome.seed}",
        (),
        (picture,),
        (Grid(name, f"Every level, for the goal {goal.text}", heads, frame),),
        (BLOCKS,),
    )


def search_section(outcome: SearchOutcome) -> Section:
    """Return the section that lists all candidates that were played."""
    frame = table(
        {
            "setting": changed_words(outcome, candidate),
            "change": candidate.change,
            "games": candidate.found.games,
            "distance": candidate.distance,
        }
        for candidate in sorted(outcome.played, key=lambda candidate: candidate.distance)
    )
    heads = (
        TableColumn("setting", "candidate", "long"),
        TableColumn("change", "change", "number", digits=0),
        TableColumn("games", "games", "count"),
        TableColumn("distance", "largest deviation / tolerance", "number", digits=2),
    )
    notes = [
        "A ratio of 1 is just within the tolerance. Candidates that dropped out early have few games and much noise."
    ]
    if outcome.refused:
        notes.append(f"The search proposed {outcome.refused} more that the game does not allow.")
    return Section(
        "search",
        "The search",
        "What was tried?",
        f"{words.count(outcome.games)} games with each player count, on the same deals, "
        f"seed {outcome.request.experiment.scenario.seed}",
        (),
        (),
        (Grid("candidates", "All candidates, the closest first", heads, frame, tuple(notes)),),
        METHOD,
    )


def _listed_frame(outcome: SearchOutcome) -> pl.DataFrame:
    """Return one row for each confirmed candidate; with a single goal the deviation is in its unit."""
    rows = []
    scale, _ = goal_scale(outcome)
    for confirmed in outcome.listed:
        level, _, _ = farthest(outcome, confirmed.found)
        low, high = confirmed.found.distance_interval()
        rows.append(
            {
                "setting": changed_words(outcome, confirmed.candidate)
                + " (the answer)" * (confirmed is outcome.chosen),
                "change": confirmed.candidate.change,
                "n": confirmed.found.games,
                "distance": confirmed.found.distance * scale,
                "distance_low": low * scale,
                "distance_high": high * scale,
                "allowed": scale,
                "farthest": f"{level}, {direction_words(confirmed.found)}",
                "goal": ANSWERS[confirmed.found.verdict],
                "chosen": confirmed is outcome.chosen,
            }
        )
    return table(rows)


def _listed_columns() -> tuple[TableColumn, ...]:
    return (
        TableColumn("setting", "change", "long"),
        TableColumn("change", "amount", "number", digits=0),
        TableColumn("n", "games", "count"),
        TableColumn("distance", "largest deviation (95%)", "number", True, 2),
        TableColumn("allowed", "allowed", "number", digits=2),
        TableColumn("farthest", "farthest level"),
        TableColumn("goal", "goal"),
    )


def _axis(outcome: SearchOutcome) -> str:
    goals = outcome.request.goals
    unit = goals[0].unit if len(goals) == 1 else "as a multiple of the tolerance"
    return f"largest deviation{', ' if unit else ''}{unit}"


def _level_frame(outcome: SearchOutcome, piece: Piece, series: str) -> pl.DataFrame:
    rows = []
    for place in range(len(piece.levels)):
        shown = piece.estimates.estimate(place)
        deviation = piece.estimate(place)
        rows.append(
            {
                "panel": words.players(piece.players),
                "level": level_words(outcome, piece, place),
                "series": series,
                "n": shown.n,
                **columns("estimate", shown),
                **columns("deviation", deviation),
            }
        )
    return table(rows)


def _data(outcome: SearchOutcome, confirmed: Confirmed) -> dict[str, object]:
    level, estimate, unit = farthest(outcome, confirmed.found)
    low, high = confirmed.found.distance_interval()
    return {
        "setting": dict(confirmed.candidate.design_point.setting),
        "change": confirmed.candidate.change,
        "games": confirmed.found.games,
        "farthest": level,
        "deviation": estimate_data(estimate if is_too_high(confirmed.found) else mirrored(estimate)),
        "unit": unit,
        "distance": {"value": confirmed.found.distance, "low": low, "high": high},
        "goal": ANSWERS[confirmed.found.verdict],
        **prospect_data(confirmed.found.prospect),
    }
