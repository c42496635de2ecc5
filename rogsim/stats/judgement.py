"""Judgement: is an effect beyond the margin, are all within it, or is that not known yet?

- *beyond*: at least one level is shown to be beyond the margin.
- *within*: every level is shown to be within it.
- *slight*: the levels differ, but none is shown to be beyond the margin.
- *open*: none of these is shown yet.

All questions of a page form one family, with each number of players and each set of bots or variant. Three claims can
be made about each: that an effect is beyond the margin, that all are within it, and that any differs from 0. Each kind
of claim is a Holm family of its own, so each is wrongly made anywhere on a page in at most 5% of cases. The first is
the maximum test of the simultaneous intervals. The second needs two one-sided tests for every level (Schuirmann 1987,
Journal of Pharmacokinetics and Biopharmaceutics 15); since all levels must pass, their number needs no adjustment
(Berger 1982, "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24). The third is the joint
test of the question. It shares its family with the tests of whether several sets of bots show the same effects
(`agreement`). Which levels are named is decided by simultaneous intervals, which hold for all levels of a question.

All of these error rates are divided among the looks that the folders record (`alpha_spending`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rogsim.stats.agreement import Agreement, agreements
from rogsim.stats.alpha_spending import ALPHA, adjusted, weight
from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import FEWEST_BLOCKS, holm
from rogsim.stats.effects import Contrast, Effects, beyond
from rogsim.stats.estimates import Estimate
from rogsim.stats.prospects import Prospect, prospects

MARGIN = 2.0  # percentage points

Kind = Literal["beyond", "within", "slight", "open"]


@dataclass(frozen=True)
class Judgement:
    """The answer to one question.

    Attributes
    ----------
    intervals
        All effects with simultaneous intervals, in the order of `effects.contrasts`.
    one_sided
        All effects between the one-sided bounds that show whether each is within the margin.
    beyond
        Levels shown to be beyond the margin, the largest effect first.
    differing
        Levels shown to differ from 0, the largest effect first.
    p
        p-value of the joint test, adjusted for the looks and over the family.
    p_beyond
        p-value of no effect being beyond the margin, adjusted likewise.
    p_within
        p-value of some effect being beyond the margin, adjusted likewise.
    prospect
        What more games would show if the kind is open; None if that is not known either, or if it is decided.
    agreement
        Whether several sets of bots show the same effects; None if there is only one.
    """

    kind: Kind
    effects: Effects
    margin: float
    intervals: tuple[Estimate, ...]
    one_sided: tuple[Estimate, ...]
    beyond: tuple[str, ...]
    differing: tuple[str, ...]
    p: float
    p_beyond: float
    p_within: float
    prospect: Prospect | None = None
    agreement: Agreement | None = None

    @property
    def largest(self) -> Contrast:
        """Return the largest effect; of several levels shown to be beyond the margin, or to differ, that of these."""
        shown = self.beyond or self.differing
        return self.effects.of(shown[0]) if shown else self.effects.contrasts[self.effects.order[0]]

    def effect_of(self, name: str) -> Estimate:
        """Return the effect of a level with its simultaneous interval."""
        return self.intervals[self._place(name)]

    def tested_effect_of(self, name: str) -> Estimate:
        """Return the effect of a level between the bounds that decide whether it is within the margin."""
        return self.one_sided[self._place(name)]

    def kind_of(self, name: str) -> Kind:
        """Return what is shown about one level: beyond, within, different from 0 ("slight"), or none of these."""
        if name in self.beyond:
            return "beyond"
        tested = self.tested_effect_of(name)
        if -self.margin < tested.low and tested.high < self.margin:
            return "within"
        return "slight" if name in self.differing else "open"

    @property
    def is_clear_alone(self) -> bool:
        """Return whether the joint test would reject if it were the only one of its family."""
        return self.effects.overall.p < ALPHA * weight(self.effects.look)

    def _place(self, name: str) -> int:
        return [contrast.name for contrast in self.effects.contrasts].index(name)


def judge(family: Sequence[Effects], margin: float = MARGIN) -> tuple[Judgement, ...]:
    """Return a judgement on each question of a family, in the same order.

    Parameters
    ----------
    family
        All questions of a page; their tests share the error rates.
    margin
        The margin of questions that have none of their own, in their unit.
    """
    looks = [effects.look for effects in family]
    margins = [margin if effects.question.margin is None else effects.question.margin for effects in family]
    tests = agreements(family)
    both = adjusted(
        [*(effects.overall.p for effects in family), *(test.overall.p for test in tests)],
        [*looks, *(test.look for test in tests)],
    )
    p = holm(both)
    p_beyond, p_within = (
        adjusted([claim(effects, each) for effects, each in zip(family, margins, strict=True)], looks)
        for claim in (Effects.p_beyond, _p_within)
    )
    agreed: dict[int, Agreement] = {}
    for test, test_p in zip(tests, p[len(family) :], strict=True):
        agreed |= dict.fromkeys(test.places, test.judged(float(test_p)))
    found = [
        _judge(*parts, agreed.get(place))
        for place, parts in enumerate(zip(family, margins, p, holm(p_beyond), holm(p_within), strict=False))
    ]
    kinds = [judgement.kind == "open" for judgement in found]
    more = prospects(family, margins, kinds, both, p_within)
    return tuple(replace(judgement, prospect=prospect) for judgement, prospect in zip(found, more, strict=True))


def _p_within(effects: Effects, margin: float) -> float:
    return effects.p_within(margin) if effects.blocks >= FEWEST_BLOCKS else math.nan


def _judge(
    effects: Effects, margin: float, p: float, p_beyond: float, p_within: float, agreement: Agreement | None
) -> Judgement:
    alpha = ALPHA * weight(effects.look)
    intervals = effects.intervals(alpha)
    names = [contrast.name for contrast in effects.contrasts]
    out, differing = (
        tuple(names[place] for place in effects.order if rejects and beyond(intervals[place], limit))
        for rejects, limit in ((p_beyond < ALPHA, margin), (p < ALPHA, 0.0))
    )
    kind: Kind = "open"
    if out:
        kind = "beyond"
    elif p_within < ALPHA:
        kind = "within"
    elif p < ALPHA:
        kind = "slight"
    p_values = float(p), float(p_beyond), float(p_within)
    one_sided = effects.one_sided(alpha)
    return Judgement(kind, effects, margin, intervals, one_sided, out, differing, *p_values, agreement=agreement)


def strongest_and_weakest(judgement: Judgement) -> Mapping[str, Contrast]:
    """Return the levels with the highest and the lowest effect that have an interval, by "strongest" and "weakest"."""
    known = [judgement.effects.contrasts[place] for place in judgement.effects.known]
    if not known:
        return {}
    values: Floats = np.array([contrast.effect.value for contrast in known])
    return {"strongest": known[int(values.argmax())], "weakest": known[int(values.argmin())]}
