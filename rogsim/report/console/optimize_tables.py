"""What `rogsim optimize` prints: the answer in a sentence, and the table of fairness by amount of change."""

from __future__ import annotations

from collections.abc import Mapping

from rogsim.experiments.optimize.search import SearchOutcome
from rogsim.experiments.retraining.retrained_answer import RetrainedAnswer, trained_points
from rogsim.report import words
from rogsim.report.console.text_table import Table, show_tables
from rogsim.report.optimize.optimize_page import reconstructed_data
from rogsim.report.optimize.optimize_retraining import candidate_findings
from rogsim.report.optimize.optimize_words import (
    ANSWERS,
    RAN_OUT,
    SELECTED,
    TOGETHER,
    answer_words,
    changed_words,
    closer_words,
    direction_words,
    farthest,
    may_improve,
    reach_words,
    with_unit,
)
from rogsim.report.retraining.training_parts import judged_checks, training_findings
from rogsim.report.verdict_titles import TITLES, Badge
from rogsim.scenario.axes import AS_IT_IS

BADGES: Mapping[str, Badge] = {"true": "reached", "false": "missed", "open": "open"}
HEADER = ("change", "amount", "games", "farthest", "largest deviation (95%)", "goal")


def print_outcome(outcome: SearchOutcome, retrained: RetrainedAnswer | None = None) -> None:
    """Print what to change, how certain that is, what other amounts of change would achieve, and with which players."""
    rows = []
    for confirmed in outcome.listed:
        level, estimate, unit = farthest(outcome, confirmed.found)
        reach = reach_words(estimate)
        rows.append(
            (
                changed_words(outcome, confirmed.candidate) + " *" * (confirmed is outcome.chosen),
                f"{confirmed.candidate.change:g}",
                words.count(confirmed.found.games),
                f"{level}, {direction_words(confirmed.found)}",
                f"{with_unit(estimate.value, unit)} ({reach})",
                ANSWERS[confirmed.found.verdict],
            )
        )
    goals = words.listed([goal.text for goal in outcome.request.goals])
    changed = changed_words(outcome, outcome.chosen.candidate)
    kind = outcome.chosen.found.verdict
    leave = "to leave it as it is" if kind == "true" else "to leave it as it is, because nothing was clearly closer"
    answer_is = leave if changed == AS_IT_IS else changed
    played = words.games(outcome.chosen.found.games)
    answer = (
        f"{TITLES[BADGES[kind]]}: {words.with_bots(outcome.request.experiment.scenario.bots)}the answer is "
        f"{answer_is}. In {played} with new deals {answer_words(outcome, outcome.chosen)}{closer_words(outcome)}."
    )
    notes = (
        "* the answer.",
        SELECTED,
        TOGETHER,
        f"The search and the race played {words.count(outcome.games)} games with each player count; the rows above "
        f"were played on new deals, seed {outcome.seed}.",
        *([RAN_OUT] if may_improve(outcome) else []),
        *_with_retrained(outcome, retrained),
    )
    table = Table(f"Goal: {goals}", HEADER, tuple(rows), notes)
    rests_on = str(reconstructed_data(outcome).get("text", ""))
    show_tables(words.joined(outcome.request.experiment.question, rests_on, answer), [table])


def _with_retrained(outcome: SearchOutcome, retrained: RetrainedAnswer | None) -> list[str]:
    """Return what is found with retrained players, as lines."""
    if retrained is None:
        return []
    findings = [*candidate_findings(outcome, retrained), *training_findings(judged_checks(trained_points(retrained)))]
    seed = f"on other new deals, seed {retrained.seed}"
    head = f"All of the above was found with stale players. Stale and retrained players, {seed}:"
    return ["", head, *(finding.text for finding in findings)]
