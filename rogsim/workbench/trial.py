"""A trial: sets of rules that are played on the same deals for as long as somebody watches.

Its intervals hold at all looks at once (`rogsim.stats.sequential`), and together for all levels that one sentence
chooses from. So it may be stopped whenever one likes what it shows, and the largest effect may be named. The games are
those of `rogsim run`, `compare` and `sweep`, in the same folders: nothing is played twice.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace

import numpy as np

from rogsim.base.errors import RogsimError
from rogsim.experiments.design_points import DesignPoint, Resources, play_on
from rogsim.game.bot import in_a_line
from rogsim.game.fair import Sides, noun_of, side_name
from rogsim.game.registry import get_game
from rogsim.game.topics import SEATS, computed_columns, dealt_columns, question_topic
from rogsim.results.results import Results
from rogsim.stats.contrasts import Means, scaled
from rogsim.stats.effects import Effects, Question, interval, possible
from rogsim.stats.estimates import Estimate
from rogsim.stats.paired.common_random_numbers import Estimand, Estimates, measure, on_same_deals, with_common_levels
from rogsim.stats.paired.compared import Changed, changed_by
from rogsim.stats.paired.differences import differences
from rogsim.stats.sequential import ANYTIME_BLOCKS, boundary

FIRST = 20  # games at the first look, which must come soon with slow bots, too
PAUSE = 1.0  # seconds from one look to the next, while that is a step of a tenth to a half of all games
LEAST, LARGEST = 0.1, 0.5
ANYHOW = 200  # games that a step may always have


@dataclass(frozen=True)
class Level:
    """One level of a question, in games of 100: what it wins, and should win; changed, and the difference if any."""

    name: str
    fair: float  # nan if nothing says it
    before: Estimate
    after: Estimate | None = None
    gain: Estimate | None = None


@dataclass(frozen=True)
class Answer:
    """What is known of the levels of one question.

    Attributes
    ----------
    noun
        What a level is called; empty if all win or lose together.
    margin
        How far from fair still counts as fair, in games of 100.
    untouched
        Whether every game came out the same under both sets of rules.
    """

    topic: str
    title: str
    noun: str
    margin: float
    levels: tuple[Level, ...]
    untouched: bool = False


@dataclass(frozen=True)
class Look:
    """What is known after some games of each set of rules.

    Attributes
    ----------
    answers
        The question of the scenario first, then the seats; of a sweep only the first, for each of its numbers.
    """

    games: int
    players: int
    answers: tuple[Answer, ...]


@dataclass
class Trial:
    """Design points that are played on, more games each time.

    Attributes
    ----------
    points
        The rules as they are, and as they are changed if they are; or those of a sweep.
    resources
        Where the games are stored, and who plays.
    most
        The most games of each.
    is_sweep
        Whether each set of rules is looked at by itself.
    """

    points: Sequence[DesignPoint]
    resources: Resources
    most: int
    is_sweep: bool = False
    looks: list[Look] = field(default_factory=list)
    problem: str = ""
    ended: threading.Event = field(default_factory=threading.Event)
    _stopped: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        """Play no more games after those that are being played."""
        self._stopped.set()

    @property
    def is_over(self) -> bool:
        """Return whether it plays no more games."""
        return self.ended.is_set()

    @property
    def is_stopped(self) -> bool:
        """Return whether somebody stopped it."""
        return self._stopped.is_set()

    def play(self) -> None:
        """Play until it is stopped or has the most games, and note what is known on the way."""
        try:
            if not self.is_stopped:
                with closing(play_on(self.points, self.resources, self._numbers, self._stopped.is_set)) as found:
                    for results in found:
                        self.looks.append(look_at(results, self.is_sweep))
        except RogsimError as fault:
            self.problem = str(fault)
        except Exception as fault:  # whatever it is, the page must say it
            self.problem = in_a_line(fault)
        finally:
            self.ended.set()

    def _numbers(self, stored: int) -> Iterator[int]:
        """Yield the numbers of games at which to look: so that about as much time passes between any two."""
        games, began = min(max(stored, FIRST), self.most), time.monotonic()
        played = games - stored
        while True:
            yield games
            if games >= self.most:
                return
            speed = played / (time.monotonic() - began) if played > 0 else 0.0
            began = time.monotonic()
            played = int(min(max(PAUSE * speed, LEAST * games, 1), max(LARGEST * games, ANYHOW)))
            games = min(games + played, self.most)


def stored_look(points: Sequence[DesignPoint], folder: object, is_sweep: bool = False) -> Look | None:
    """Return what is known from the games that all design points have in their folders; None if one has none."""
    found = []
    for point in points:
        with suppress(RogsimError):
            found.append(Results.open(f"{folder}/{point.key}"))
    if len(found) < len(points):
        return None
    players = points[0].experiment.scenario.players[0]
    games = min(int(one.manifest["games"].get(str(players), 0)) for one in found)
    same = [each for one in found if (each := one.first_games(players, games)) is not None]
    return look_at(same, is_sweep) if games and len(same) == len(points) else None


def look_at(results: Sequence[Results], is_sweep: bool = False) -> Look:
    """Return what is known from the results of one or two sets of rules, or of each setting of a sweep."""
    manifest = results[0].manifest
    ((players, games),) = ((int(count), int(number)) for count, number in manifest["games"].items())
    if not is_sweep:
        return Look(games, players, tuple(_answers(results, players)))
    spec = get_game(manifest["scenario"]["game"])
    changed = changed_by(spec, manifest, [one.manifest for one in results[1:]])
    each = [next(iter(_answers([one], players, len(results), changed))) for one in results]
    return Look(games, players, tuple(each))


def _answers(
    results: Sequence[Results], players: int, sets: int = 1, changed: Changed | None = None
) -> Iterator[Answer]:
    """Yield the answer to each question.

    Parameters
    ----------
    sets
        The number of sets of rules for which the intervals hold together.
    changed
        By topic, the levels to look at; by default all.
    """
    manifest = results[0].manifest
    spec, margin = get_game(manifest["scenario"]["game"]), float(manifest["scenario"].get("margin", 2.0))
    sides = spec.sides(players)
    asked = {Question(SEATS, "Seats", "pp", noun_of(sides.levels), True, margin): Estimand("win_share", "seat")}
    about = next((topic for topic in spec.topics if topic.name == question_topic(spec.topics, manifest)), None)
    labels: Mapping[str, str] = {} if about is None else about.labels
    if about is not None and about.kind in ("level", "member") and not sides.is_one:
        recorded = next((column.members for column in spec.seat_columns if column.name == about.columns[0]), ())
        members = tuple((name, bit) for bit, name in enumerate(about.seats_that or recorded or ()))
        question = Question(about.name, about.title, "pp", about.noun or about.title.lower(), True, margin)
        estimand = Estimand("win_share", about.columns[0], members=members if about.kind == "member" else ())
        asked = {question: estimand, **asked}
    dealt = {"seat", *dealt_columns(spec.topics, manifest)}
    runs = [measure(one, players, list(asked.values()), computed_columns(spec.topics)) for one in results]
    for (question, estimand), found in zip(asked.items(), zip(*runs, strict=True), strict=True):
        wanted = (changed or {}).get(question.topic)
        kept = [run.picked([at for at, name in enumerate(run.levels) if not wanted or name in wanted]) for run in found]
        named = [_named(run, sides, labels if question.topic != SEATS else {}) for run in kept]
        if estimand.factor not in dealt:
            named = [replace(run, fair=np.array(math.nan)) for run in named]
        if all(run.levels for run in named):
            yield _answer(question, named, players, sets)


def _named(run: Estimates, sides: Sides, labels: Mapping[str, str]) -> Estimates:
    """Return estimates of levels as readers know them."""
    names = (side_name(name) if name in sides.levels else labels.get(name, name) for name in run.levels)
    return replace(run, levels=tuple(names))


def _answer(question: Question, runs: Sequence[Estimates], players: int, sets: int) -> Answer:
    """Return what is known of the levels that occur under all rules."""
    runs = on_same_deals(with_common_levels(runs))
    together = sets * len(runs[0].levels)
    shares = [_shares(run, together) for run in runs]
    levels = [
        Level(name, 100 * float(fair), *known)
        for name, fair, known in zip(runs[0].levels, runs[0].fair, zip(*shares, strict=True), strict=True)
    ]
    effects = None
    if len(runs) > 1:
        effects = differences(question, players, "changed", runs[0], runs[1], runs[0].games)
    if effects is not None:
        levels = [replace(level, gain=gain) for level, gain in zip(levels, _gains(effects, together), strict=True)]
    untouched = effects is not None and effects.untouched
    return Answer(question.topic, question.title, question.noun, question.margin or 0.0, tuple(levels), untouched)


def _shares(run: Estimates, together: int) -> list[Estimate]:
    means = Means(run.value, run.covariance, run.n.astype(float), run.held.astype(float))
    return [scaled(means.share(place, _reach(blocks, together)), 100) for place, blocks in enumerate(run.held.tolist())]


def _gains(effects: Effects, together: int) -> list[Estimate]:
    reaches = [_reach(contrast.blocks, together) for contrast in effects.contrasts]
    wide = [interval(each, reach) for each, reach in zip(effects.contrasts, reaches, strict=True)]
    return [
        replace(found, low=math.nan, high=math.nan) if math.isnan(reach) else possible(found, effects.most)
        for found, reach in zip(wide, reaches, strict=True)
    ]


def _reach(blocks: float, together: int) -> float:
    """Return how many standard errors an interval reaches; nan if there are too few blocks for one."""
    return boundary(blocks, together) if blocks >= ANYTIME_BLOCKS else math.nan
