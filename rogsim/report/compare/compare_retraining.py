"""What retraining adds to the page of a comparison: each verdict says who played, and how far retraining moved it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial

from rogsim.experiments.retraining.retrained_players import RetrainedPoint
from rogsim.report import words
from rogsim.report.balance.pieces import BLOCKS, estimate_data, known
from rogsim.report.compare.compare_pieces import panel, rests_on
from rogsim.report.compare.compare_words import beyond_words, effect, level_name, margin_words
from rogsim.report.document import Finding, Grid, Picture, Section, TableColumn
from rogsim.report.figures import forest_plots
from rogsim.report.retraining.training_parts import (
    FOR_THESE,
    OF_TRAINING,
    RETRAINING,
    STALE,
    judged_checks,
    training_findings,
    training_grid,
)
from rogsim.report.verdict_titles import TITLES
from rogsim.stats.contrasts import columns, table
from rogsim.stats.paired.compared import FAIRNESS, SEATS, Compared
from rogsim.stats.paired.difference_verdicts import Judged
from rogsim.stats.paired.differences import Change
from rogsim.stats.paired.moved import Moved

FAMILY_OF_THREE = (
    " Each question has three verdicts in this family: on the difference with stale players, on that with retrained "
    "players, and on how far retraining moved it."
)
SAME_PLAYERS = "Training for these rules left the players as they were"
TOLD = "The other sections show the differences with retrained players."


def with_retraining(
    sections: Sequence[Section], found: Compared, moved: Sequence[Moved], points: Sequence[RetrainedPoint]
) -> tuple[Section, ...]:
    """Return the sections of a comparison with retrained players, with what retraining moved.

    Parameters
    ----------
    sections
        The sections on the differences with retrained players.
    found
        These differences.
    moved
        How far retraining moved each of them.
    points
        The base and its variants, with their players.
    """
    by_place = {(m.question.topic, m.question.title, m.variant, m.players): m for m in moved}
    same = {point.stale.label for point in points if not point.is_changed}
    explained = [
        replace(section, findings=tuple(_with_players(finding, by_place, same) for finding in section.findings))
        for section in sections
    ]
    return (_section(found, moved, points), *explained) if moved else tuple(explained)


def _with_players(finding: Finding, by_place: dict[tuple[str, str, str, int], Moved], same: Collection[str]) -> Finding:
    """Return a verdict that says with which players it was found, and how far retraining moved it.

    same: the variants for which training changed no weights.
    """
    data = finding.data
    if "variant" not in data:
        return finding
    move = by_place.get((data["topic"], data["question"], data["variant"], data["players"]))
    is_same = data["variant"] in same
    more = {"players_trained": not is_same} | (_moved_data(move) if move else {})
    note = _note(move, SAME_PLAYERS if is_same else FOR_THESE.capitalize())
    short = f"{finding.short} {note}" if finding.short else ""
    return replace(finding, text=f"{finding.text} {note}", data={**data, **more}, short=short)


def _note(moved: Moved | None, who: str) -> str:
    """Return with which players a verdict was found, and how far retraining moved it."""
    if moved is None:
        return f"{who}."
    other = moved.stale.kind != moved.retrained.kind
    stale = f" With stale players the verdict is: {TITLES[moved.stale.kind]}." if other else ""
    if moved.move.answer.untouched:
        return f"{who}; retraining changed no game."
    change = _in_move(moved, moved.retrained.largest)
    moved_by = effect(moved.move.effect_of(change), moved.question.unit)
    by = f"; retraining moved this difference by {moved_by}" if known(change.effect.low) else ""
    return f"{who}{by}.{stale}"


def _moved_data(moved: Moved) -> dict[str, object]:
    change = _in_move(moved, moved.retrained.largest)
    return {
        "moved": estimate_data(moved.move.effect_of(change)),
        "moved_by_itself": estimate_data(change.effect),
        "moved_verdict": moved.move.kind,
        "stale_verdict": moved.stale.kind,
        "stale_effect": estimate_data(_in(moved.stale, change.level).effect),
    }


def _in_move(moved: Moved, change: Change) -> Change:
    """Return the move of the level of a change, or the largest one if stale players never had that level."""
    return next((move for move in moved.move.answer.changes if move.level == change.level), moved.move.largest)


def _in(judged: Judged, level: str) -> Change:
    return next(change for change in judged.answer.changes if change.level == level)


def _section(found: Compared, moved: Sequence[Moved], points: Sequence[RetrainedPoint]) -> Section:
    checks = judged_checks(points)
    findings = (_summary(moved), *training_findings(checks), *(_move_finding(found, move) for move in moved))
    return Section(
        RETRAINING,
        "Stale and retrained players",
        "Do the verdicts change if the players are trained for the rules they play?",
        f"{rests_on(found)}, with stale and with retrained players",
        findings,
        tuple(_pictures(found, moved)),
        (_grid(found, moved), training_grid(checks)),
        (STALE, OF_TRAINING, BLOCKS),
    )


def _summary(moved: Sequence[Moved]) -> Finding:
    clear = [move for move in moved if move.move.kind == "changed"]
    others = [move for move in moved if move.stale.kind != move.retrained.kind]
    first = f"Retraining clearly moved {len(clear)} of {_counted(len(moved), 'difference')}"
    changed = _counted(len(others), "verdict") if others else "no verdict"
    text = f"{first}, and changed {changed}. {TOLD}"
    return Finding("fact", text, {"moved": len(clear), "other_verdicts": len(others), "of": len(moved)}, short=text)


def _move_finding(found: Compared, moved: Moved) -> Finding:
    """Return how far retraining moved a difference; on top if it clearly did."""
    move, question = moved.move, moved.question
    change = move.sure[0] if move.sure else _in_move(moved, moved.retrained.largest)
    labels = next((topic.labels for topic in found.spec.topics if topic.name == question.topic), {})
    where = f"{question.title}, {moved.variant}, {words.players(moved.players)}: "
    data = {
        "question": question.title,
        "variant": moved.variant,
        "players": moved.players,
        "level": change.level,
        "stale_verdict": moved.stale.kind,
        "retrained_verdict": moved.retrained.kind,
        "moved": estimate_data(move.effect_of(change)),
        "p": move.p,
        "look": move.answer.look,
        "unit": question.unit,
    }
    if move.answer.untouched:
        return Finding(move.kind, f"{where}retraining changed no game.", data)
    if not known(change.effect.low) or not known(move.p):
        return Finding(move.kind, f"{where}too few games to say how far retraining moved it.", data)
    whose = f"that of {level_name(question, change.level, labels)}"
    what = whose if change.level and question.topic != FAIRNESS else "the difference"
    by = f"{what} by {effect(move.effect_of(change), question.unit)}"
    sides = [
        f"{effect(judged.effect_of(_in(judged, change.level)), question.unit)} with {who} players "
        f"({TITLES[judged.kind].lower()})"
        for judged, who in ((moved.stale, "stale"), (moved.retrained, "retrained"))
    ]
    said = {
        "changed": f"retraining moved {by}, {beyond_words(move)}",
        "within": f"retraining moved no difference beyond {margin_words(question)}; it moved {by}",
        "open": f"how far retraining moved it is not known yet: {by}",
    }[move.kind]
    text = f"{where}{said}. It is {words.listed(sides)}."
    return Finding(move.kind, text, data, short=text if move.kind == "changed" else "")


def _grid(found: Compared, moved: Sequence[Moved]) -> Grid:
    rows = []
    for move in moved:
        labels = next((topic.labels for topic in found.spec.topics if topic.name == move.question.topic), {})
        for change in move.move.answer.changes:
            name = "" if move.question.topic == FAIRNESS else level_name(move.question, change.level, labels)
            rows.append(
                {
                    "question": move.question.title,
                    "level": name,
                    "variant": move.variant,
                    "players": move.players,
                    "n": move.retrained.answer.games,
                    "unit": move.question.unit,
                    **columns("stale", _in(move.stale, change.level).effect),
                    "stale_verdict": TITLES[move.stale.kind],
                    **columns("retrained", _in(move.retrained, change.level).effect),
                    "verdict": TITLES[move.retrained.kind],
                    **columns("moved", change.effect),
                    "p": move.move.p,
                }
            )
    heads = (
        TableColumn("question", "question"),
        TableColumn("level", "level"),
        TableColumn("variant", "variant"),
        TableColumn("players", "players", "count"),
        TableColumn("n", "n", "count"),
        TableColumn("unit", "unit"),
        TableColumn("stale", "stale players (95%)", "gain", interval=True, digits=2),
        TableColumn("stale_verdict", "verdict"),
        TableColumn("retrained", "retrained players (95%)", "gain", interval=True, digits=2),
        TableColumn("verdict", "verdict"),
        TableColumn("moved", "moved (95%)", "gain", interval=True, digits=2),
        TableColumn("p", "p (Holm)", "p"),
    )
    caption = "Differences from the base with stale and with retrained players, and how far retraining moved them"
    return Grid(RETRAINING, caption, heads, table(rows), ("`p` is that of all moves of a question together.",))


def _pictures(found: Compared, moved: Sequence[Moved]) -> Iterator[Picture]:
    """Yield the forest plot of win shares by seat, with a series for each kind of player."""
    rows = [
        {
            "players": move.players,
            "level": f"{move.variant}, seat {change.level}" if len(found.variants) > 1 else f"Seat {change.level}",
            "series": who,
            **columns("value", change.effect),
            "n": change.variant.n,
        }
        for move in moved
        if move.question.topic == SEATS and move.question.share
        for judged, who in ((move.stale, "stale players"), (move.retrained, "retrained players"))
        for change in judged.answer.changes
    ]
    if not rows:
        return
    frame = table(rows).rename({"value_low": "low", "value_high": "high"}).sort("players", maintain_order=True)
    listed = "; ".join(
        f"{row['level']}, {words.players(row['players'])}, {row['series']}: {words.pp(row['value'])}"
        for row in frame.iter_rows(named=True)
    )
    yield Picture(
        RETRAINING,
        "Win share by seat: difference from the base, with stale and with retrained players.",
        f"Forest plot of differences. {listed}.",
        partial(
            forest_plots.forest,
            frame.with_columns(panel(found)),
            found.margin,
            "win share by seat: variant minus base, pp (95% interval)",
            "no difference",
            "pp",
        ),
    )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"
