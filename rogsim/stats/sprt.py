"""A sequential test of two bots: play until it is clear whether one is better, then stop.

It is the generalised sequential probability ratio test with a normal approximation, as in the testing of chess engines
(there on pairs of games, "pentanomial"; here on blocks, which may be more than two games). The score of a block is the
share of meetings in which A finished ahead of B; a tie counts half. With mean m and variance v of n such scores,

    LLR = n (s1 - s0) (2 m - s0 - s1) / (2 v),   s = 1 / (1 + 10 ** (-elo / 400)).

The test accepts elo1 when the LLR reaches log((1 - beta) / alpha), and elo0 when it falls to log(beta / (1 - alpha))
(Wald 1945, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rogsim.base.validation import not_allowed

ALPHA = BETA = 0.05
FEWEST_BLOCKS = 20  # with fewer, the variance is not known well enough
LARGEST_ELO = 2_000.0
NAME = "generalised sequential probability ratio test (normal approximation) on the scores of blocks"

Decision = Literal["elo1", "elo0", "open"]


@dataclass(frozen=True)
class EloLimits:
    """The two hypotheses: A is ahead of B by elo0 Elo points, or by elo1, which is more."""

    elo0: float
    elo1: float


@dataclass(frozen=True)
class SequentialVerdict:
    """The state of the test.

    Attributes
    ----------
    decision
        The accepted hypothesis, "open" if there is none yet.
    llr
        Log-likelihood ratio.
    lower
        Bound at which elo0 is accepted.
    upper
        Bound at which elo1 is accepted.
    blocks
        Number of blocks so far.
    score
        Mean score of A, 0 to 1.
    """

    decision: Decision
    llr: float
    lower: float
    upper: float
    blocks: int
    score: float


def read_limits(text: str) -> EloLimits:
    """Parse `elo0,elo1`; ValueError says what is wrong with the text."""
    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(not_allowed(text, "write two numbers, elo0,elo1, such as 0,10")) from None
    if not all(abs(elo) <= LARGEST_ELO for elo in (elo0, elo1)):
        rule = f"both numbers must be from -{LARGEST_ELO:.0f} to {LARGEST_ELO:.0f}"
        raise ValueError(not_allowed(text, rule))
    if elo1 <= elo0:
        raise ValueError(not_allowed(text, "the second number must be larger than the first"))
    return EloLimits(elo0, elo1)


def expected_score(elo: float) -> float:
    """Return the expected score, 0 to 1, of a bot with this lead in Elo points."""
    return 1 / (1 + 10 ** (-elo / 400))


def judge_lead(scores: NDArray[np.float64], limits: EloLimits) -> SequentialVerdict:
    """Test the scores of all blocks so far.

    For the variance, one block won and one block lost are added, so that it is never 0.

    Parameters
    ----------
    scores : float64[blocks]
        Scores of A, each from 0 to 1.
    """
    lower, upper = math.log(BETA / (1 - ALPHA)), math.log((1 - BETA) / ALPHA)
    n = len(scores)
    mean = float(scores.mean()) if n else 0.5
    variance = float(np.concatenate([scores, [0.0, 1.0]]).var())
    s0, s1 = expected_score(limits.elo0), expected_score(limits.elo1)
    llr = n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    decision: Decision = "open"
    if n >= FEWEST_BLOCKS:
        decision = "elo1" if llr >= upper else "elo0" if llr <= lower else "open"
    return SequentialVerdict(decision, llr, lower, upper, n, mean)
