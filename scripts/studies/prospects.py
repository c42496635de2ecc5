"""How often a question is decided after the games that its page names, against the chance that the page states.

A series plays the first games of
a page, notes for each open question how many more games would decide it and with what chance, plays them, and judges
the page again. Games are drawn: seats and hands have known effects. Everything that judges is rogsim's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from rogsim.game.topics import Topic
from rogsim.stats.balance.levels import LevelSums
from rogsim.stats.balance.measure import Balance, PlayersBalance, claims
from rogsim.stats.blocks import BlockRows
from rogsim.stats.effects import Effects, Question
from rogsim.stats.judgement import Judgement, judge
from rogsim.stats.paired.differences import differences
from scripts.studies.rates import Rate
from scripts.studies.search import estimates, winners
from tests.series import names

HANDS = tuple(f"hand {letter}" for letter in "abcdefghijklmnopq")
TOPIC = Topic("hands", "Hands", "Is any hand too strong?", "level", ("hand",), "hand")
AT_ONCE = 20_000  # games drawn at once
NOTHING: tuple[float, ...] = ()
PLANTED = [tuple(sign * size for sign in signs) for size in (1.0, 2.0, 4.0) for signs in ((1,), (-1,), (1, -1))]  # pp


@dataclass(frozen=True)
class Page:
    """A page on seats and hands: players, number of hands, games at the first look, margin in pp."""

    players: int
    hands: int
    games: int
    margin: float


PAGES = (Page(2, 8, 300, 2), Page(4, 8, 1_000, 2), Page(2, 6, 3_000, 1.5), Page(4, 17, 8_000, 2))  # two topics each
RUNS = (Page(2, 0, 300, 2), Page(4, 0, 1_000, 2), Page(4, 0, 4_000, 1))  # that are compared


@dataclass(frozen=True)
class Outcome:
    """What became of an undecided question: the stated chance, the likelier answer, and the verdict after the games."""

    topic: str
    games: int
    chance: float
    likelier: str
    kind: str


class Played:
    """The games of a page so far: drawn as needed, and summed up.

    effects: what the first seats, and the first hands, win more than a fair share, in pp; the others pay for it.
    """

    def __init__(self, page: Page, generator: np.random.Generator, effects: Sequence[float]) -> None:
        self.page, self.generator = page, generator
        self.seats = _effects(page.players, effects)
        # Adding c (s_i - mean of the others' s) shifts the average by c s_i (1 + 1 / (hands - 1)), if they sum to 0.
        self.hands = _effects(page.hands, effects) / (1 + 1 / (page.hands - 1))
        self.sums = [
            LevelSums("seat", range(1, page.players + 1), page.players),
            LevelSums("hand", HANDS[: page.hands], page.players),
        ]

    def play(self, games: int) -> None:
        """Play on to that many games."""
        while (missing := games - self.sums[0].games) > 0:
            part = self._part(min(missing, AT_ONCE))
            for sums in self.sums:
                sums.add(part)

    def _part(self, games: int) -> BlockRows:
        page, players = self.page, self.page.players
        who = np.argsort(self.generator.random((games, page.hands)), axis=1)[:, :players]
        gain = self.hands[who]
        chances = 1 / players + self.seats + gain - (gain.sum(axis=1, keepdims=True) - gain) / (players - 1)
        winner = (self.generator.random((games, 1)) > np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1)
        won = np.eye(players)[winner].ravel()
        seat = np.tile(np.arange(1, players + 1, dtype=np.uint8), games)
        columns = {"seat": seat, "hand": names(who, HANDS), "points": won, "win_share": won}
        return BlockRows(players, pl.DataFrame(columns), pl.DataFrame({"block": np.arange(games)}))

    def claims(self, look: int) -> tuple[Effects, ...]:
        """The claims of the page so far."""
        seats, hands = (sums.result() for sums in self.sums)
        measured = PlayersBalance(seats.players, seats.games, seats.blocks, seats=seats, look=look)
        measured.levels["hand"] = hands
        return claims([Balance("", "", ("one",), 0.0, {seats.players: measured})], [TOPIC])


def outcomes(seed: int, page: Page, effects: Sequence[float]) -> list[Outcome]:
    """What becomes of the undecided questions of a page."""
    key = [31, seed, page.players, page.hands, page.games, *[round(10 * effect) % 997 for effect in effects]]  # not < 0
    played = Played(page, np.random.default_rng(key), effects)
    played.play(page.games)
    first = judge(played.claims(1), page.margin)
    found = []
    for place, verdict in sorted(enumerate(first), key=lambda each: each[1].prospect.games if each[1].prospect else 0):
        if verdict.prospect is None:
            continue
        played.play(page.games + verdict.prospect.games)
        kind = judge(played.claims(2), page.margin)[place].kind
        within, other = verdict.prospect.ends
        likelier = "within" if within >= other else "not within"
        topic, more = verdict.effects.question.topic, verdict.prospect
        found.append(Outcome(topic, more.games, more.chance, likelier, kind))
    return found


def compared(seed: int, page: Page, effects: Sequence[float]) -> list[Outcome]:
    """The same for the win shares by seat of a base and a variant, which changes them by the effects.

    60% of luck is common to both.
    """
    generator = np.random.default_rng(
        [32, seed, page.players, page.games, *[round(10 * each) % 997 for each in effects]]
    )
    chances = [1 / page.players + change for change in (np.zeros(page.players), _effects(page.players, effects))]
    luck: np.ndarray = np.zeros((3, 0))

    def judged(games: int, look: int) -> Judgement:
        nonlocal luck
        luck = np.concatenate([luck, generator.random((3, games - luck.shape[1]))], axis=1)
        won = [
            winners(deals, share)
            for deals, share in zip((luck[0], np.where(luck[2] < 0.6, *luck[:2])), chances, strict=True)
        ]
        runs = [estimates(page.players, each, np.ones_like(each)) for each in won]
        question = Question("seats", "Win share by seat", "pp", "seat", True, page.margin)
        found = differences(question, page.players, "variant", runs[0], runs[1], games, look)
        assert found is not None
        return judge([found])[0]

    more = judged(page.games, 1).prospect
    if more is None:
        return []
    kind = judged(page.games + more.games, 2).kind
    likelier = "within" if more.ends[0] >= more.ends[1] else "not within"
    return [Outcome("comparison", more.games, more.chance, likelier, kind)]


def _effects(levels: int, effects: Sequence[float]) -> np.ndarray:
    """What each level wins more than a fair share: as given for the first ones, and the others share the rest."""
    given = np.array(effects[: levels - 1]) / 100
    return np.concatenate([given, np.full(levels - len(given), -given.sum() / (levels - len(given)))])


def rates(repeats: int = 75) -> Iterator[Rate | str]:
    """Effects are planted, and the page's advice is followed."""
    for name, planted in (("none", [NOTHING]), ("planted", PLANTED)):
        everything: list[Outcome] = []
        for page in RUNS:
            found = [each for seed in range(repeats) for each in compared(seed, page, planted[seed % len(planted)])]
            everything += found
            yield from _decided(page, "difference of two runs", name, found)
        for page in PAGES:
            found = [each for seed in range(repeats) for each in outcomes(seed, page, planted[seed % len(planted)])]
            everything += found
            for topic, count in (("seats", page.players), ("hands", page.hands)):
                of_topic = [each for each in found if each.topic == topic]
                yield from _decided(page, f"{count} {topic}", name, of_topic)
        decided = np.mean([each.kind != "open" for each in everything])
        stated = np.mean([each.chance for each in everything])
        yield f"effects: {name}: {decided:.1%} of {len(everything)} questions decided (stated: {stated:.1%})"


def _decided(page: Page, what: str, name: str, found: Sequence[Outcome]) -> Iterator[Rate]:
    """Yield how often undecided questions were decided after the games named, against the mean of what was stated."""
    if found:
        case = f"{page.players} players, ±{page.margin:g} pp, {what}, effects: {name}: decided after the games named"
        stated = 100 * float(np.mean([each.chance for each in found]))
        yield Rate.of(case, page.games, stated, [each.kind != "open" for each in found])
