"""The section of a search on players that were trained for its answer."""

from __future__ import annotations

from collections.abc import Iterator

from rogsim.experiments.optimize.candidates import Confirmed
from rogsim.experiments.optimize.search import SearchOutcome
from rogsim.experiments.retraining.retrained_answer import RetrainedAnswer, RetrainedCandidate, trained_points
from rogsim.report import words
from rogsim.report.balance.pieces import BLOCKS, estimate_data, prospect_data
from rogsim.report.document import Finding, Grid, Section, TableColumn
from rogsim.report.optimize.optimize_words import (
    ANSWERS,
    answer_words,
    changed_words,
    direction_words,
    farthest,
    goal_scale,
    mirrored,
    with_unit,
)
from rogsim.report.retraining.training_parts import (
    OF_TRAINING,
    RETRAINING,
    STALE,
    judged_checks,
    training_findings,
    training_grid,
    who_plays,
)
from rogsim.report.verdict_titles import Badge
from rogsim.scenario.axes import AS_IT_IS
from rogsim.stats.contrasts import columns, scaled, table
from rogsim.stats.estimates import Estimate
from rogsim.stats.paired.deviations import farther_by

BADGES: dict[str, Badge] = {"true": "reached", "false": "missed", "open": "open"}
OWN_DEALS = (
    "The answer was found with stale players. It and the scenario as it is are played again with stale and with "
    "retrained players, on deals that neither the search nor its confirmation has used, so these games played no part "
    "in the choice. A goal is judged as in the confirmation, at 5% divided by the number of candidates played here. "
    "The search itself is not repeated with retrained players: other values may suit them better."
)


def retraining_section(outcome: SearchOutcome, answer: RetrainedAnswer) -> Section:
    """Return the section: the answer and the scenario as it is, with stale and with retrained players."""
    checks = judged_checks(trained_points(answer))
    return Section(
        RETRAINING,
        "Stale and retrained players",
        "Does the answer reach the goals with players trained for it?",
        f"{words.count(answer.games)} games with each player count for each row, seed {answer.seed}",
        (*candidate_findings(outcome, answer), *training_findings(checks)),
        (),
        (_grid(outcome, answer), training_grid(checks)),
        (STALE, OWN_DEALS, OF_TRAINING, BLOCKS),
    )


def candidate_findings(outcome: SearchOutcome, answer: RetrainedAnswer) -> Iterator[Finding]:
    """Yield how far the answer and the scenario as it is are from the goals, with stale and with retrained players."""
    for candidate in answer.candidates:
        name = _name(outcome, candidate)
        closer = _closer(outcome, answer) if candidate is not answer.base else ""
        new, old = (answer_words(outcome, side) for side in (candidate.retrained, candidate.stale))
        text = f"{name}, {who_plays(candidate.players)}: {new}{closer}. With stale players on the same deals {old}. "
        text += _moved(outcome, candidate)
        data = {
            "setting": dict(candidate.stale.candidate.design_point.setting),
            "games": answer.games,
            "seed": answer.seed,
            "stale": _data(candidate.stale),
            "retrained": _data(candidate.retrained),
            "moved": estimate_data(candidate.moved),
        }
        yield Finding(BADGES[candidate.retrained.found.verdict], text, data, short=text)


def _name(outcome: SearchOutcome, candidate: RetrainedCandidate) -> str:
    return changed_words(outcome, candidate.stale.candidate).replace(AS_IT_IS, AS_IT_IS.capitalize())


def _closer(outcome: SearchOutcome, answer: RetrainedAnswer) -> str:
    """Return in a sentence how much closer to the goals the answer is than the scenario as it is, both retrained."""
    gap = farther_by(answer.base.retrained.found, answer.answer.retrained.found)
    return f". That is {_amount(outcome, gap, 'closer to', 'farther from')} the goal than as it is"


def _moved(outcome: SearchOutcome, candidate: RetrainedCandidate) -> str:
    moved = candidate.moved
    if moved.low == moved.high == 0:
        return "Retraining changed no game."
    return f"Retraining moved it {_amount(outcome, moved, 'away from', 'toward')} the goal."


def _amount(outcome: SearchOutcome, found: Estimate, up: str, down: str) -> str:
    """Return a difference of distances in words: "1.20 pp (0.40 to 2.00) closer to"."""
    scale, unit = goal_scale(outcome)
    shown = mirrored(found) if found.value < 0 else found
    reach = words.interval(scale * shown.low, scale * shown.high, 1.0, 2)
    off = with_unit(scale * shown.value, unit)
    return f"{off}{f' ({reach})' if reach else ''} {down if found.value < 0 else up}"


def _grid(outcome: SearchOutcome, answer: RetrainedAnswer) -> Grid:
    scale, _ = goal_scale(outcome)
    rows = []
    for candidate in answer.candidates:
        for who, confirmed in (("stale", candidate.stale), ("retrained", candidate.retrained)):
            level, _, _ = farthest(outcome, confirmed.found)
            low, high = confirmed.found.distance_interval()
            moved = candidate.moved if who == "retrained" else None
            unknown = dict.fromkeys(("moved", "moved_low", "moved_high"))
            rows.append(
                {
                    "setting": _name(outcome, candidate),
                    "players": who,
                    "n": answer.games,
                    "distance": confirmed.found.distance * scale,
                    "distance_low": low * scale,
                    "distance_high": high * scale,
                    "farthest": f"{level}, {direction_words(confirmed.found)}",
                    "goal": ANSWERS[confirmed.found.verdict],
                    **(columns("moved", scaled(moved, scale)) if moved else unknown),
                }
            )
    heads = (
        TableColumn("setting", "values", "long"),
        TableColumn("players", "players"),
        TableColumn("n", "games", "count"),
        TableColumn("distance", "largest deviation (95%)", "number", True, 2),
        TableColumn("farthest", "farthest level"),
        TableColumn("goal", "goal"),
        TableColumn("moved", "moved (95%)", "gain", True, 2),
    )
    caption = "The answer and the scenario as it is, with stale and with retrained players"
    notes = ("A positive move leads away from the goal.",)
    return Grid(RETRAINING, caption, heads, table(rows), notes)


def _data(confirmed: Confirmed) -> dict[str, object]:
    low, high = confirmed.found.distance_interval()
    return {
        "distance": {"value": confirmed.found.distance, "low": low, "high": high},
        "goal": ANSWERS[confirmed.found.verdict],
        **prospect_data(confirmed.found.prospect),
    }
