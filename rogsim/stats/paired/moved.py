"""How far retraining moved what a comparison found: the same differences with stale and with retrained players.

All four runs (base and variant, each with stale and with retrained players) play the same deals. So the move of a
difference is a difference of differences, block by block, and luck that all four share cancels. The verdicts with stale
players, those with retrained players and those on the moves form one family.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np

from rogsim.base.progress import Notify
from rogsim.game.spec import GameSpec
from rogsim.stats.effects import Effects, Question
from rogsim.stats.estimates import Estimate
from rogsim.stats.judgement import Judgement, judge
from rogsim.stats.paired.common_random_numbers import Difference, Estimates, compare, covariance, narrowed
from rogsim.stats.paired.compared import (
    FAIRNESS,
    Compared,
    Measured,
    MeasuredRun,
    measure_runs,
    win_shares,
)
from rogsim.stats.paired.differences import effects_of, intervals_of
from rogsim.stats.paired.fairness import fairer_by_retraining


@dataclass(frozen=True)
class Moved:
    """One question on a variant: the verdicts with stale and with retrained players, and how far it moved.

    Attributes
    ----------
    move
        The difference with retrained players minus that with stale players.
    """

    stale: Judgement
    retrained: Judgement
    move: Judgement


def compared_twice(
    stale: Sequence[MeasuredRun],
    retrained: Sequence[MeasuredRun],
    spec: GameSpec,
    margin: float,
    notify: Notify = lambda _: None,
) -> tuple[Compared, tuple[Moved, ...]]:
    """Compare a base with its variants, with stale and with retrained players.

    Parameters
    ----------
    stale, retrained
        The runs with stale and with retrained players, the base first, in the same order and with the same labels.
    margin
        Margin of equivalence for win shares, in percentage points.
    notify
        Receives status lines.

    Returns
    -------
    tuple[Compared, tuple[Moved, ...]]
        The comparison with retrained players, and for each of its questions how far retraining moved it.
    """
    before, after = (measure_runs(runs[0], runs[1:], spec, margin, notify) for runs in (stale, retrained))
    found = list(_answers(before, after))
    asked = {_place(new) for _, new, _ in found}
    alone = [claim for claim in after.claims if _place(claim) not in asked]  # on levels that stale players never had
    verdicts = judge([*(answer for answers in found for answer in answers), *alone])
    moved = tuple(Moved(*verdicts[place : place + 3]) for place in range(0, 3 * len(found), 3))
    new = {_place(move.retrained.effects): move.retrained for move in moved}
    new |= {_place(verdict.effects): verdict for verdict in verdicts[3 * len(found) :]}
    return after.compared([new[_place(claim)] for claim in after.claims]), moved


def _place(answer: Effects) -> tuple[Question, int, str]:
    return answer.question, answer.players, answer.run


def _answers(before: Measured, after: Measured) -> Iterator[tuple[Effects, Effects, Effects]]:
    """Yield each question's answer with stale players, that with retrained players, and that on its move."""
    stale = {_place(answer): answer for answer in before.claims}
    for new in after.claims:
        old = stale.get(_place(new))
        move = None if old is None else _move(before, after, old, new)
        if old is not None and move is not None:
            yield old, new, move


def _move(before: Measured, after: Measured, old: Effects, new: Effects) -> Effects | None:
    """Return how far retraining moved an answer; None if not all four runs have a level in common."""
    runs = [found.estimates[new.players, label] for found in (before, after) for label in (found.base, new.run)]
    look = min(old.look, new.look)
    if new.question.topic == FAIRNESS:
        shares = [estimates[win_shares(estimates)] for estimates in runs]
        return fairer_by_retraining(new.question, old, new, shares, new.games, look)
    found = difference_of_differences([estimates[new.question] for estimates in runs])
    if found is None:
        return None
    pairs, raw = found
    stale, retrained = (_effects(pair) for pair in pairs)
    most = 2 * new.question.most  # from one extreme to the other
    return effects_of(new.question, new.players, new.run, raw, stale, retrained, new.games, look, most=most)


def difference_of_differences(runs: Sequence[Estimates]) -> tuple[tuple[Difference, Difference], Difference] | None:
    """Return two differences, and the second minus the first, on the deals that all four runs played.

    Parameters
    ----------
    runs
        Two pairs of estimates; the difference of a pair is its second entry minus its first.

    Returns
    -------
    tuple[tuple[Difference, Difference], Difference] | None
        None if the runs have no level in common.
    """
    deals = reduce(partial(np.intersect1d, assume_unique=True), [run.deals for run in runs])
    levels = [level for level in runs[0].levels if all(level in run.levels for run in runs)]
    if not levels:
        return None
    base, other, new_base, new_other = (
        narrowed(run, deals).picked([run.levels.index(level) for level in levels]) for run in runs
    )
    old, new = compare(base, other), compare(new_base, new_other)
    influence = (new_other.influence - new_base.influence) - (other.influence - base.influence)
    move = Difference(
        old.levels,
        new.value - old.value,
        covariance(influence, influence),
        np.sqrt(np.diag(old.covariance) + np.diag(new.covariance)),
        np.minimum(old.n, new.n),
        len(deals),
        new.by_block - old.by_block,
        np.minimum(old.held, new.held),
    )
    return (old, new), move


def _effects(found: Difference) -> dict[str, Estimate]:
    return dict(zip(found.levels, intervals_of(found), strict=True))
