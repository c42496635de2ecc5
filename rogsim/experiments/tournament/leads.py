"""How far each bot leads each other one, with intervals that hold for all pairs together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np

from rogsim.stats.alpha_spending import ALPHA, weight
from rogsim.stats.contrasts import JointTest, columns
from rogsim.stats.effects import Contrast, Effects, Question
from rogsim.stats.estimates import Estimate
from rogsim.stats.ratings import Ratings

LEADS = Question("leads", "Lead of one bot over another", "Elo")
NO_LOOKS: Mapping[int, int] = MappingProxyType({})


def pair_leads(
    rated: Mapping[int, Ratings], names: Sequence[str], looks: Mapping[int, int] = NO_LOOKS
) -> list[dict[str, Any]]:
    """Return a row for each pair of bots: players, bot, other, lead, its interval, look; the better bot comes first.

    All intervals hold together in 95% of tournaments: with each player count by the covariance of the leads, over
    player counts by an equal part of the errors each, and over looks at a growing number of games by the share of each
    look. They are nan where the games do not determine the lead.

    Parameters
    ----------
    looks
        The number of the look by player count, from 1; the first look where there is none.
    """
    rows = []
    for players, ratings in rated.items():
        look = looks.get(players, 1)
        found = _rows(players, ratings, names, ALPHA * weight(look) / len(rated))
        rows += [{**row, "look": look} for row in found]
    return rows


def _rows(players: int, ratings: Ratings, names: Sequence[str], alpha: float) -> Iterator[dict[str, Any]]:
    pairs = list(combinations(np.argsort(-ratings.value, kind="stable").tolist(), 2))
    contrasts = tuple(_contrast(ratings, *pair) for pair in pairs)
    drawn = np.stack([ratings.draws[:, bot] - ratings.draws[:, other] for bot, other in pairs], axis=1)
    covariance = np.atleast_2d(np.cov(drawn, rowvar=False)) if ratings.blocks > 1 else None
    overall = JointTest(math.nan, 0, ratings.blocks, math.nan)
    effects = Effects(LEADS, players, "", contrasts, overall, ratings.blocks, covariance=covariance)
    leads = effects.intervals(alpha)
    for (bot, other), lead in zip(pairs, leads, strict=True):
        yield {"players": players, "bot": names[bot], "other": names[other], **columns("lead", lead)}


def _contrast(ratings: Ratings, bot: int, other: int) -> Contrast:
    lead = Estimate(*ratings.lead(bot, other), n=ratings.blocks, effective=float(ratings.blocks))
    return Contrast(f"{bot}-{other}", lead, lead, math.nan, blocks=ratings.blocks)
