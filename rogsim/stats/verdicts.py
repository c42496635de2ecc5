"""Verdicts: is the answer to a question "imbalanced", "fair within a margin", or undecided?

All claims on a page form one family. Each claim has one joint test of all its levels, and each question that several
folders answer has one test of whether their effects agree. The p-values of all these tests are adjusted by Holm's
method, so if nothing at all has an effect, a page finds something in at most 5% of cases. Within a significant claim,
simultaneous intervals decide which levels are named, and only such intervals are quoted: they hold for whichever level
turns out to be the largest. That an effect is beyond the margin is a separate claim, with its own Holm family.

Fair is also a claim: two one-sided tests at 5% for each level (Schuirmann 1987, Journal of Pharmacokinetics and
Biopharmaceutics 15), which is equivalent to its 90% interval lying within the margin. All levels must pass, so no
adjustment for their number is needed (Berger 1982, "Multiparameter hypothesis testing and acceptance sampling",
Technometrics 24).

All of these error rates are divided among the looks that a folder records (`alpha_spending`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rogsim.stats.agreement import Agreement, agreements
from rogsim.stats.alpha_spending import adjusted, weight
from rogsim.stats.claims import Claim, Contrast, claims
from rogsim.stats.combined import Combined, combine
from rogsim.stats.contrasts import holm
from rogsim.stats.estimates import Estimate, by_size
from rogsim.stats.prospects import PageQuestion, Prospect, prospects
from rogsim.stats.sample_size import ALPHA
from rogsim.stats.simultaneous import SimultaneousIntervals, beyond, within
from rogsim.stats.verdict_words import FAMILY, sentence_of

__all__ = ["FAMILY", "MARGIN", "Claim", "Combined", "Contrast", "Verdict", "claims", "combine", "judge"]

Kind = Literal["imbalanced", "fair", "unknown"]

MARGIN = 2.0  # percentage points


@dataclass(frozen=True)
class Verdict:
    """The answer to a claim.

    Attributes
    ----------
    estimate
        The largest effect, in pp, with its simultaneous interval.
    level
        The level that has it.
    p
        p-value of the joint test, adjusted for the looks and by Holm's method over the family.
    margin
        Margin of equivalence, in percentage points.
    prospect
        What more games would show if the kind is unknown; None if that is not known either, or if it is decided.
    named
        Levels that clearly differ, the largest effect first.
    beyond
        Whether the largest effect is clearly more than the margin; None if that is undecided.
    intervals
        All effects with simultaneous intervals, in the order of the claim's contrasts.
    plain
        The largest effect with its individual interval.
    agreement
        Agreement of several folders on the same question; None if there is only one folder.
    bounds
        The lowest and the highest end of the intervals by which fairness is judged, in pp; nan without intervals.
    """

    kind: Kind
    claim: Claim
    sentence: str
    estimate: Estimate
    level: str
    p: float
    margin: float
    prospect: Prospect | None
    named: tuple[str, ...]
    beyond: bool | None
    intervals: tuple[Estimate, ...] = ()
    plain: Estimate | None = None
    agreement: Agreement | None = None
    bounds: tuple[float, float] = (math.nan, math.nan)

    @property
    def look(self) -> int:
        """Return the number of this look at the folder, counted from 1."""
        return self.claim.look

    def effect_of(self, name: str) -> Estimate:
        """Return the effect of a level with its simultaneous interval, in pp."""
        names = [contrast.name for contrast in self.claim.contrasts]
        return self.intervals[names.index(name)]


@dataclass(frozen=True)
class _Judged:
    """The p-values of a claim after all adjustments, and the test of agreement that it takes part in."""

    p: float
    p_beyond: float
    agreement: Agreement | None


def judge(family: Sequence[Claim], margin: float = MARGIN) -> tuple[Verdict, ...]:
    """Return a verdict for each claim of a family, in the same order.

    Parameters
    ----------
    family
        All claims of a page; their tests share one error rate.
    margin
        Margin of equivalence, in percentage points.
    """
    looks = [claim.look for claim in family]
    effects = [SimultaneousIntervals(claim) for claim in family]
    tests = agreements(family)
    both = adjusted(
        [*(claim.overall.p for claim in family), *(test.overall.p for test in tests)],
        [*looks, *(test.look for test in tests)],
    )
    p = holm(both)
    p_beyond = holm(adjusted([each.p_beyond(margin) for each in effects], looks))
    agreed: dict[int, Agreement] = {}
    for test, test_p in zip(tests, p[len(family) :], strict=True):
        agreed |= dict.fromkeys(test.claims, test.judged(float(test_p)))
    judged = [_Judged(float(p[i]), float(p_beyond[i]), agreed.get(i)) for i in range(len(family))]
    verdicts = [_judge(*parts, margin) for parts in zip(family, effects, judged, strict=True)]
    questions = [
        PageQuestion(
            effects=claim.contrasts,
            correlation=each.correlation,
            margin=margin,
            free=claim.overall.df,
            games=claim.games,
            blocks=math.inf,
            look=claim.look,
            is_open=verdict.kind == "unknown",
            run=claim.folder,
        )
        for claim, each, verdict in zip(family, effects, verdicts, strict=True)
    ]
    more = zip(verdicts, prospects(questions, both), strict=True)
    found = [replace(verdict, prospect=prospect) for verdict, prospect in more]
    return tuple(replace(verdict, sentence=sentence_of(verdict)) for verdict in found)


def _judge(claim: Claim, effects: SimultaneousIntervals, judged: _Judged, margin: float) -> Verdict:
    share = weight(claim.look)
    rejects = judged.p < ALPHA
    intervals = effects.intervals(ALPHA * share)
    by_size = sorted(range(len(intervals)), key=lambda place: _by_size(intervals[place]), reverse=True)
    largest = by_size[0]
    named = [place for place in by_size if rejects and beyond(intervals[place], 0.0)]
    tested = effects.one_sided(ALPHA * share)
    is_fair = all(within(interval, margin) for interval in tested)
    kind: Kind = "fair" if is_fair else "imbalanced" if rejects else "unknown"
    return Verdict(
        kind,
        claim,
        "",
        intervals[largest],
        claim.contrasts[largest].name,
        judged.p,
        margin,
        None,
        tuple(claim.contrasts[place].name for place in named),
        {"fair": False, "imbalanced": True if judged.p_beyond < ALPHA else None, "unknown": None}[kind],
        intervals,
        claim.contrasts[largest].effect,
        judged.agreement,
        (min(interval.low for interval in tested), max(interval.high for interval in tested)),
    )


def _by_size(effect: Estimate) -> tuple[float, float]:
    """Order by the size of the effect, without an interval last; in a tie the favoured level comes first."""
    return by_size(math.nan if math.isnan(effect.low) else effect.value)
