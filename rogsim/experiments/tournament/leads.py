"""How far each bot leads each other one, with intervals that hold for all pairs together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from rogsim.stats.blocks import Floats
from rogsim.stats.claims import Contrast
from rogsim.stats.contrasts import columns
from rogsim.stats.estimates import CONFIDENCE, Estimate
from rogsim.stats.ratings import Ratings
from rogsim.stats.simultaneous import SimultaneousIntervals


@dataclass(frozen=True)
class _Leads:
    """The leads with one player count, and their covariance."""

    contrasts: tuple[Contrast, ...]
    covariance: Floats | None


def pair_leads(rated: Mapping[int, Ratings], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row for each pair of bots: players, bot, other, lead, and its interval; the better bot comes first.

    All intervals hold together in 95% of tournaments: with each player count by the covariance of the leads, and over
    player counts by an equal part of the errors each. They are nan where the games do not determine the lead.
    """
    alpha = (1 - CONFIDENCE) / len(rated)
    return [row for players, ratings in rated.items() for row in _rows(players, ratings, names, alpha)]


def _rows(players: int, ratings: Ratings, names: Sequence[str], alpha: float) -> Iterator[dict[str, Any]]:
    pairs = list(combinations(np.argsort(-ratings.value, kind="stable").tolist(), 2))
    contrasts = tuple(_contrast(ratings, *pair) for pair in pairs)
    drawn = np.stack([ratings.draws[:, bot] - ratings.draws[:, other] for bot, other in pairs], axis=1)
    covariance = np.atleast_2d(np.cov(drawn, rowvar=False)) if ratings.blocks > 1 else None
    leads = SimultaneousIntervals(_Leads(contrasts, covariance)).intervals(alpha)
    for (bot, other), lead in zip(pairs, leads, strict=True):
        yield {"players": players, "bot": names[bot], "other": names[other], **columns("lead", lead)}


def _contrast(ratings: Ratings, bot: int, other: int) -> Contrast:
    lead = Estimate(*ratings.lead(bot, other), n=ratings.blocks, effective=float(ratings.blocks))
    return Contrast(f"{bot}-{other}", lead, lead, math.nan, blocks=ratings.blocks)
