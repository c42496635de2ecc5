"""Sections of the page on what changed: all questions in one table, then the levels of each question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl

from rogsim.report import words
from rogsim.report.balance.pieces import BLOCKS, known
from rogsim.report.changes.changes_words import finding_of, most_first, on_top, summary
from rogsim.report.changes.sides import SEATS
from rogsim.report.changes.what_changed import ChangedFinding, WhatChanged, differing
from rogsim.report.document import Grid, Picture, Section, TableColumn
from rogsim.report.figures import forest_plots
from rogsim.report.verdict_titles import TITLES
from rogsim.stats.contrasts import columns, table

ALL = "changes"  # name of the first section
SEPARATE = (
    "The two sides count as independent runs. The variance of a difference is the sum of both variances, and its "
    "interval joins the two intervals (Zou and Donner 2008, Statistics in Medicine 27)."
)
TESTED = (
    "First, one test asks whether any effect of a question differs (Johansen 1980, Biometrika 67). Where a side is "
    "read from a page, it is the smallest p-value of a level, adjusted by Holm's method. `p (Holm)` in the first table "
    "is this test, corrected for all questions on the page and for earlier looks; in the other tables it is a single "
    "level, corrected for the number of levels."
)
LARGEST_SHOWN = 12  # levels of a question in its figure; the table has all


def all_sections(found: WhatChanged) -> tuple[Section, ...]:
    """Return the sections: what changed over all, what differs between the sides, then question by question."""
    return (_overview(found), *(_question(found, title) for title in found.titles))


def overview_grid(found: WhatChanged) -> Grid:
    """Return the table of all questions: both verdicts, the largest difference, and whether it is clear."""
    rows = []
    for finding in found.findings:
        judged, change = finding.judged, finding.judged.largest
        rows.append(
            {
                "question": finding.after.title,
                "players": finding.after.claim.players,
                "bots": finding.after.bots,
                "answer": TITLES[judged.kind],
                "level": words.name(change.level),
                **columns("before", change.base),
                **columns("after", change.variant),
                **columns("difference", judged.effect_of(change)),
                "p": judged.p,
                "verdict_before": TITLES[finding.before.verdict],
                "verdict_after": TITLES[finding.after.verdict],
            }
        )
    bots = (TableColumn("bots", "bots"),) if found.several_bots else ()
    heads = (
        TableColumn("question", "question"),
        TableColumn("players", "players", "count"),
        *bots,
        TableColumn("answer", "change"),
        TableColumn("level", "largest for"),
        TableColumn("difference", "difference, pp (95%)", "gain", interval=True),
        TableColumn("verdict_before", "verdict before"),
        TableColumn("verdict_after", "verdict after"),
        TableColumn("before", "before, pp (95%)", "gain", interval=True),
        TableColumn("after", "after, pp (95%)", "gain", interval=True),
        TableColumn("p", "p (Holm)", "p"),
    )
    notes = (
        "Intervals of differences hold for all levels of a question together. What changed is corrected for all "
        "questions, too, so a question may be undecided although an interval excludes 0.",
        "Where something changed, the largest difference is that of the levels that clearly differ.",
        *found.only,
    )
    return Grid(ALL, "All questions, each with its largest difference", heads, table(rows), notes)


def differing_grid(found: WhatChanged) -> Grid:
    """Return the table of what differs between the games of the two sides."""
    rows = [{"what": what, "before": one, "after": other} for what, one, other in differing(found.before, found.after)]
    frame = pl.DataFrame(rows, schema={"what": pl.String, "before": pl.String, "after": pl.String})
    heads = (
        TableColumn("what", "what"),
        TableColumn("before", f"before: {found.before.place}", "long"),
        TableColumn("after", f"after: {found.after.place}", "long"),
    )
    return Grid("differing", "What differs between the games", heads, frame)


def _overview(found: WhatChanged) -> Section:
    return Section(
        ALL,
        "What changed",
        "Which findings changed by more than chance?",
        _games(found, found.findings),
        (summary(found),),
        (_largest_differences(found),),
        (overview_grid(found), differing_grid(found)),
        (SEPARATE, TESTED),
        tables_shown=True,
    )


def _question(found: WhatChanged, title: str) -> Section:
    findings = found.on(title)
    top = on_top(found)
    claim = findings[0].after.claim
    name = claim.topic if len({finding.after.title for finding in _same_topic(found, claim.topic)}) == 1 else title
    return Section(
        name.lower().replace(" ", "-"),
        title,
        f"Which {claim.noun} wins more than before, and which less?",
        _games(found, findings),
        tuple(finding_of(found, finding, finding in top) for finding in findings),
        (_forest(found, findings, name),),
        (_levels(found, findings, name),),
        (BLOCKS, SEPARATE, TESTED),
    )


def _same_topic(found: WhatChanged, topic: str) -> list[ChangedFinding]:
    return [finding for finding in found.findings if finding.after.claim.topic == topic]


def _games(found: WhatChanged, findings: Sequence[ChangedFinding]) -> str:
    counts = [
        f"{finding.before.claim.games:,} and {finding.after.claim.games:,} games with "
        f"{words.players(finding.after.claim.players)}" + (f" ({finding.after.bots})" if found.several_bots else "")
        for finding in findings
    ]
    return f"{words.listed(list(dict.fromkeys(counts)))}, before and after"


def _largest_differences(found: WhatChanged) -> Picture:
    """Return the figure of the largest difference of each question."""
    rows = [
        {
            "panel": words.players(finding.after.claim.players),
            "level": finding.after.title,
            "series": finding.after.bots if found.several_bots else "",
            **_ends(finding, finding.judged.answer.changes.index(finding.judged.largest)),
        }
        for finding in found.findings
    ]
    said = "; ".join(f"{row['level']}, {row['panel']}: {words.pp(row['value'])}" for row in rows)
    return _picture(
        found,
        rows,
        ALL,
        f"The largest difference of each question, with its simultaneous interval. The band is ±{found.margin:g} pp.",
        f"Forest plot of the largest difference of each question. {said}.",
    )


def _forest(found: WhatChanged, findings: Sequence[ChangedFinding], name: str) -> Picture:
    rows = []
    kept = _kept(findings)
    for finding in findings:
        answer = finding.judged.answer
        rows += [
            {
                "panel": words.players(finding.after.claim.players),
                "level": words.name(change.level),
                "series": finding.after.bots if found.several_bots else "",
                **_ends(finding, place),
            }
            for place, change in enumerate(answer.changes)
            if change.level in kept
        ]
    left_out = len({change.level for finding in findings for change in finding.judged.answer.changes}) - len(kept)
    cut = f" {left_out} smaller ones are only in the table." if left_out else ""
    first = most_first(findings)[0].judged.largest
    return _picture(
        found,
        rows,
        name.lower().replace(" ", "-"),
        f"{findings[0].after.title}: after minus before, with simultaneous intervals. The band is "
        f"±{found.margin:g} pp.{cut}",
        f"Forest plot of differences. Largest: {words.name(first.level)} {words.pp(first.effect.value)}.",
    )


def _kept(findings: Sequence[ChangedFinding]) -> set[str]:
    """Return the levels that a figure shows: those with the largest differences if there are many."""
    sizes: dict[str, float] = {}
    for finding in findings:
        for change in finding.judged.answer.changes:
            value = abs(change.effect.value) if known(change.effect.value) else 0.0
            sizes[change.level] = max(sizes.get(change.level, 0.0), value)
    return set(sorted(sizes, key=lambda level: -sizes[level])[:LARGEST_SHOWN])


def _ends(finding: ChangedFinding, place: int) -> dict[str, float]:
    effect = finding.judged.answer.together[place]
    return {"value": effect.value, "low": effect.low, "high": effect.high}


def _picture(found: WhatChanged, rows: list[dict[str, object]], name: str, caption: str, alt: str) -> Picture:
    frame = table(rows)
    panels = pl.Enum(list(dict.fromkeys(frame["panel"].to_list())))
    frame = frame.with_columns(pl.col("panel").cast(panels))
    axis = "win share: after minus before, pp (95% interval)"
    return Picture(name, caption, alt, partial(forest_plots.forest, frame, found.margin, axis, "no change"))


def _levels(found: WhatChanged, findings: Sequence[ChangedFinding], name: str) -> Grid:
    rows = [
        {
            "level": words.name(change.level),
            "players": finding.after.claim.players,
            "bots": finding.after.bots,
            "n_before": change.base.n,
            "n_after": change.variant.n,
            **columns("before", change.base),
            **columns("after", change.variant),
            **columns("difference", change.effect),
            "p_holm": p,
        }
        for finding in findings
        for change, p in zip(finding.judged.answer.changes, finding.judged.by_level, strict=True)
    ]
    noun = "seat" if findings[0].after.claim.topic == SEATS else findings[0].after.claim.noun
    heads = (
        TableColumn("level", noun),
        TableColumn("players", "players", "count"),
        *((TableColumn("bots", "bots"),) if found.several_bots else ()),
        TableColumn("n_before", "n before", "count"),
        TableColumn("n_after", "n after", "count"),
        TableColumn("before", "before, pp (95%)", "gain", interval=True),
        TableColumn("after", "after, pp (95%)", "gain", interval=True),
        TableColumn("difference", "difference, pp (95%)", "gain", interval=True),
        TableColumn("p_holm", "p (Holm)", "p"),
    )
    caption = f"{findings[0].after.title}: effects before and after, against a fair share, each with its own interval"
    return Grid(name.lower().replace(" ", "-"), caption, heads, table(rows))
