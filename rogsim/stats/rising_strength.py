"""Is a bot stronger than another one? A test of their scores that holds for any number of games and of looks.

A score is the share of meetings in which the bot finished ahead of the other one, from 0 to 1. A bettor starts with a
wealth of 1 and stakes a fraction l of it on each score, which multiplies it by 1 + l (score - 1/2). If the true mean is
at most 1/2, the probability that the wealth ever reaches 1 / p is at most p, however many scores there are (Ville's
inequality). So one over the largest wealth so far is a p-value. The wealth is first divided equally among several
fractions, because the best one depends on the lead (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random
variables by betting", JRSS Series B 86(1)).

The steps of a ladder share their error rate by Holm's method, with an equal part of it for each number of players.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import holm
from rogsim.stats.estimates import Clusters, share

FRACTIONS = np.geomspace(0.03, 1.9, 12)  # from leads of a few Elo points to one of two bots that always wins


@dataclass(frozen=True)
class StrengthTest:
    """How far one bot leads another, in Elo points; low and high are nan where the games do not determine them.

    Attributes
    ----------
    low, high
        The 95% interval at one look.
    p_stronger, p_weaker
        p-values of the claims that it is stronger and that it is weaker, adjusted for the other steps and all looks.
    """

    lead: float
    low: float
    high: float
    p_stronger: float
    p_weaker: float


def judge_steps(steps: Sequence[Floats], games: int, tables: int) -> tuple[StrengthTest, ...]:
    """Test each step of a ladder with one number of players.

    Parameters
    ----------
    steps : float64[scores] each
        Scores of the stronger bot of each step; those of one step are independent.
    games
        Games behind each score.
    tables
        How many numbers of players the ladder has.
    """
    stronger, weaker = (
        np.minimum(tables * holm([p_above_half(side * (scores - 0.5) + 0.5) for scores in steps]), 1.0)
        for side in (1, -1)
    )
    return tuple(
        StrengthTest(*lead_of(scores, games), float(p_stronger), float(p_weaker))
        for scores, p_stronger, p_weaker in zip(steps, stronger, weaker, strict=True)
    )


def p_above_half(scores: Floats) -> float:
    """Return a p-value of the claim that the mean of scores is above 1/2, valid at every look.

    Parameters
    ----------
    scores : float64[scores]
        Each from 0 to 1, in the order in which they were played.
    """
    wealth = np.cumsum(np.log1p(np.outer(scores - 0.5, FRACTIONS)), axis=0)
    most = wealth.max(axis=1, initial=-math.inf)
    total = most + np.log(np.exp(wealth - most[:, None]).mean(axis=1))
    return math.exp(-float(total.max(initial=0.0)))


def lead_of(scores: Floats, games: int) -> tuple[float, float, float]:
    """Return the lead that a mean score means, with both ends of its 95% interval, in Elo points.

    One game won and one game lost are added for the lead, so that it is finite.
    """
    count, won = len(scores), games * scores
    total, rows = float(won.sum()), games * count
    found = share(Clusters(count, rows, total, float(won @ won), games * total, float(games * rows)))
    known = 0 < found.low <= found.high < 1
    low, high = (_elo(end) if known else math.nan for end in (found.low, found.high))
    return _elo((total + 1) / (rows + 2)), low, high


def _elo(score: float) -> float:
    return 400 * math.log10(score / (1 - score))
