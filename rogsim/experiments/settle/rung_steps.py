"""How far each bot of a ladder leads the one below it: games in which the two play each other.

Both sit in every seat equally often, on the same deals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from rogsim.experiments.design_points import DesignPoint, games_of
from rogsim.experiments.settle.ladder_verdicts import RungStep
from rogsim.experiments.settle.strength_ladder import SettleRequest
from rogsim.experiments.tournament.standings import block_scores
from rogsim.experiments.tournament.tournament import rank_rows
from rogsim.experiments.tournament.tournament_request import seats_of
from rogsim.results.results import Results
from rogsim.scenario.model import load
from rogsim.simulation.batch import plans
from rogsim.stats.blocks import Floats
from rogsim.stats.sequential import judge_steps


def matches_of(request: SettleRequest, players: int) -> tuple[DesignPoint, ...]:
    """Return one design point for each step of a ladder: the games of the two bots, one cycle of line-ups."""
    return tuple(_match(request, players, pair) for pair in pairwise(request.bots))


def rounded_down(match: DesignPoint, games: int) -> int:
    """Return the games of a match in whole cycles of line-ups, at least one."""
    cycle = games_of(match)
    return max(1, games // cycle) * cycle


def steps_of(request: SettleRequest, matches: Sequence[DesignPoint], played: Sequence[Results]) -> Iterator[RungStep]:
    """Yield how far each bot leads the one below it, from the matches of one player count and their results."""
    pairs = list(pairwise(request.bots))
    scores = [_scores(*one) for one in zip(matches, played, pairs, strict=True)]
    tests = judge_steps(scores, games_of(matches[0]), len(request.experiment.scenario.players))
    for (below, bot), results, test in zip(pairs, played, tests, strict=True):
        ((players, games),) = results.manifest["games"].items()
        low, high = (None if math.isnan(end) else end for end in (test.low, test.high))
        yield RungStep(int(players), bot, below, test.lead, low, high, test.p_stronger, test.p_weaker, games)


def _match(request: SettleRequest, players: int, pair: tuple[str, str]) -> DesignPoint:
    experiment = request.experiment
    keys = {
        **experiment.scenario.model_dump(mode="json", exclude={"sweep", "balance", "until"}),
        "players": [players],
        "games": 1,
        "bots": seats_of(pair, players),
    }
    made = load(keys, None, "", experiment.folder, experiment.runs_programs)
    label = f"{pair[1]} against {pair[0]}"
    return DesignPoint(label, {}, replace(made, name=experiment.name, mirrored=True))


def _scores(match: DesignPoint, results: Results, pair: tuple[str, str]) -> Floats:
    """Return a score for each cycle: two bots that are equally strong need not be so in every line-up."""
    below, bot = pair
    (plan,) = plans(match.experiment).values()
    return block_scores(rank_rows(results), bot, below).reshape(-1, len(plan.line_ups)).mean(axis=1)
