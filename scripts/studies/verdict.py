"""How honest verdicts are, over many simulated pages: of known truth, with several folders, played on, compared."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from rogsim.game.topics import SEATS, Topic
from rogsim.results.results import Results
from rogsim.stats.balance.measure import balance, claims
from rogsim.stats.effects import Effects
from rogsim.stats.estimates import ALPHA
from rogsim.stats.judgement import Agreement, Judgement, judge
from rogsim.stats.paired import fairness
from rogsim.stats.paired.compared import FAIRNESS, MeasuredRun, compared
from rogsim.stats.sequential import cost, weight
from scripts.studies.rates import Rate
from tests.dice_game import GAME
from tests.series import SPEC, names, results_of, series

MARGIN = 2.0
ROUNDS, FIRST_GAMES, MOST_GAMES = 5, 1_000, 40_000
PATRONS = tuple(f"patron {letter}" for letter in "abcdefgh")
TOPIC = Topic("patrons", "Patrons", "Is any patron too strong?", "level", ("patron",), "patron")
PATRON_SPEC = replace(GAME, topics=(TOPIC,))
WANTED = ("seats", "patrons")


def page(chances: np.ndarray, who: np.ndarray, generator: np.random.Generator) -> Results:
    """Games whose winners are drawn: chances float64[games, players], who int64[games, players]: the patrons."""
    games, players = chances.shape
    winner = (generator.random((games, 1)) > np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1)
    shares = np.eye(players)[winner]
    return rows_of(shares, shares, np.full(games, 50), who)


def rows_of(shares: np.ndarray, points: np.ndarray, turns: np.ndarray, who: np.ndarray) -> Results:
    """Games as results, each a block of its own."""
    games, players = shares.shape
    key = {"players": np.full(games, players, dtype=np.uint8), "game": np.arange(games), "block": np.arange(games)}
    seats = pl.DataFrame(
        {name: np.repeat(column, players) for name, column in key.items()}
        | {"seat": np.tile(np.arange(1, players + 1), games), "bot": names(np.zeros_like(who), ("one",))}
        | {"patron": names(who, PATRONS), "points": points.ravel(), "win_share": shares.ravel().astype(np.float32)}
    )
    return results_of(seats, pl.DataFrame(key | {"turns": turns}), ("one",))


def dealt(generator: np.random.Generator, games: int, players: int, effects: Sequence[float] = ()) -> Results:
    """Games with patrons dealt at random; effects: what each patron wins more than a fair share, in pp, on average."""
    who = np.argsort(generator.random((games, len(PATRONS))), axis=1)[:, :players]
    strength = np.zeros(len(PATRONS))
    strength[: len(effects)] = effects
    # Adding c (s_i - mean of the others' s) shifts the average by c s_i (1 + 1 / (patrons - 1)), if they sum to 0.
    gain = strength[who] / 100 / (1 + 1 / (len(PATRONS) - 1))
    others = (gain.sum(axis=1, keepdims=True) - gain) / (players - 1)
    return page(1 / players + gain - others, who, generator)


def claims_of(results: Results, only: Sequence[str] = WANTED) -> tuple[Effects, ...]:
    """The claims of one folder with seats and patrons."""
    return claims([balance(results, PATRON_SPEC, only=only)], PATRON_SPEC.topics)


# Single pages --------------------------------------------------------------------------------------------------------


def judged_once(seed: int, players: int, games: int, effect: float = 0.0) -> tuple[bool, bool, bool]:
    """Whether a page on seats and patrons says out of balance, slight, fair of any question.

    effect: how far each patron is from fair, in pp, half of them up and half down.
    """
    generator = np.random.default_rng([30, seed, players, games])
    verdicts = judge(claims_of(dealt(generator, games, players, [effect, -effect] * (len(PATRONS) // 2))), MARGIN)
    if effect:
        verdicts = tuple(verdict for verdict in verdicts if verdict.effects.question.topic == TOPIC.name)
    kinds = {verdict.kind for verdict in verdicts}
    return "beyond" in kinds, "slight" in kinds, "within" in kinds


def judgements(repeats: int = 400) -> Iterator[Rate]:
    """Dealt patrons without any effect, or all exactly on the margin."""
    for players in (2, 4):
        for games in (300, 1_000, 4_000, 8_000):
            beyond, slight, _ = zip(*(judged_once(seed, players, games) for seed in range(repeats)), strict=True)
            yield Rate.of(f"{players} players, no effect: a page says out of balance", games, 5, beyond)
            yield Rate.of(f"{players} players, no effect: a page says slight", games, 5, slight)
        for games in (300, 1_000, 8_000, 20_000):
            pages = (judged_once(seed, players, games, MARGIN) for seed in range(repeats))
            beyond, _, fair = zip(*pages, strict=True)
            case = f"{players} players, every effect on the margin: wrongly"
            yield Rate.of(f"{case} out of balance", games, 5, beyond)
            yield Rate.of(f"{case} fair", games, 5, fair)


# Several folders -----------------------------------------------------------------------------------------------------


def same_bots(seed: int, sizes: Sequence[int] = (1_000, 20_000), players: int = 4) -> bool:
    """Whether a page with folders of the same bot, of these sizes, says that something depends on the bots."""
    generator = np.random.default_rng([21, seed, players, *sizes])
    effects = (3.0, 1.0, 0, 0, 0, 0, -1.0, -3.0)
    family = [claim for size in sizes for claim in claims_of(dealt(generator, size, players, effects))]
    return any(test.depends for test in together(judge(family)))


def same_series(seed: int, sizes: Sequence[int] = (1_000, 4_000)) -> bool:
    """As same_bots with the series of the other tests: seats, hands and draws."""
    generator = np.random.default_rng([22, seed, *sizes])
    folders = [
        balance(series(generator, size, 4, seats=(1.0,)), SPEC, only=("seats", "hands", "draws")) for size in sizes
    ]
    return any(test.depends for test in together(judge(claims(folders, SPEC.topics))))


def other_bots(seed: int, difference: float, sizes: Sequence[int] = (4_000, 20_000)) -> tuple[bool, bool]:
    """Whether a patron whose effect differs by so many pp between two bots is found, and whether just it is named."""
    generator = np.random.default_rng([23, seed, *sizes])
    family: list[Effects] = []
    for size, effect in zip(sizes, (0.0, difference), strict=True):
        family += claims_of(dealt(generator, size, 4, (effect, *[-effect / 7] * 7)))
    verdicts = judge(family)
    found = next(each.agreement for each in verdicts if each.effects.question.topic == "patrons")
    assert found is not None
    return found.depends, found.depends and found.differing[:1] == (PATRONS[0],)


def together(verdicts: Sequence[Judgement]) -> list[Agreement]:
    """The tests of whether folders agree, question by question."""
    return list({id(each.agreement): each.agreement for each in verdicts if each.agreement}.values())


# Selected levels -----------------------------------------------------------------------------------------------------


def on_the_margin(seed: int, games: int = 20_000) -> tuple[bool, bool, bool]:
    """Eight patrons on the margin: is beyond said; do intervals of the largest, and of all named, contain the truth."""
    effects = np.array([MARGIN, -MARGIN] * 4)
    found = claims_of(dealt(np.random.default_rng([24, seed]), games, 4, effects), ("patrons",))
    return selected(judge(found, MARGIN)[0], effects)


def apart(seed: int, games: int = 4_000) -> tuple[bool, bool, bool]:
    """The same with one patron far out and others near each other."""
    effects = np.array([4.0, 3.5, 1.0, 0, 0, -2.0, -3.0, -3.5])
    found = claims_of(dealt(np.random.default_rng([25, seed]), games, 4, effects), ("patrons",))
    return selected(judge(found, MARGIN)[0], effects)


def selected(verdict: Judgement, effects: np.ndarray) -> tuple[bool, bool, bool]:
    """Whether beyond is said, and whether intervals hold: of the true maximum, and of all named levels."""
    truth = dict(zip(PATRONS, effects.tolist(), strict=True))
    most = float(np.abs(effects).max())
    shown = verdict.effect_of(verdict.largest.name)
    sign = 1.0 if shown.value >= 0 else -1.0
    low, high = sorted((sign * shown.low, sign * shown.high))
    named = [(verdict.effect_of(name), truth[name]) for name in verdict.differing]
    return (
        bool(verdict.beyond),
        low <= most <= high,
        all(interval.low <= known <= interval.high for interval, known in named),
    )


# Going on ------------------------------------------------------------------------------------------------------------


def false_alarm(judged: Callable[[int, int], Sequence[Judgement]], most: int) -> bool:
    """Whether somebody who follows the advice is told of an effect where none is.

    judged: gives the verdicts, from the number of games and which look it is.
    """
    games = FIRST_GAMES
    for look in range(1, ROUNDS + 1):
        verdicts = judged(games, look)
        if any(verdict.kind in ("beyond", "slight") or verdict.differing for verdict in verdicts):
            return True
        more = max((verdict.prospect.games for verdict in verdicts if verdict.prospect), default=0)
        if not more or games >= most:
            break
        games = min(games + more, most)
    return False


def going_on(seed: int, players: int, only: Sequence[str]) -> bool:
    """Whether somebody who plays on gets a false alarm."""
    everything = dealt(np.random.default_rng([26, seed, players, len(only)]), MOST_GAMES, players)

    def judged(games: int, look: int) -> Sequence[Judgement]:
        return judge([replace(claim, look=look) for claim in claims_of(first(everything, games), only)], MARGIN)

    return false_alarm(judged, MOST_GAMES)


def first(results: Results, games: int) -> Results:
    """The first games of a series."""
    few = [
        (chunk, a.filter(pl.col("game") < games), b.filter(pl.col("game") < games)) for chunk, a, b in results.pieces
    ]
    return Results(results.manifest | {"games": dict.fromkeys(results.manifest["games"], games)}, None, few)


def fair_in_the_end(seed: int, players: int, most: int = MOST_GAMES) -> bool:
    """Whether seats at the margin are called fair at some look, following the advice.

    Seats are drawn from counts alone, as two of 2, or of 4 players one, are just at the margin.
    """
    generator = np.random.default_rng([27, seed, players])
    chances = np.full((most, players), 1 / players)
    chances[:, 0] += MARGIN / 100
    chances[:, 1:] -= MARGIN / 100 / (players - 1)
    everything = page(chances, np.tile(np.arange(players), (most, 1)), generator)
    games = FIRST_GAMES
    for look in range(1, ROUNDS + 1):
        (found,) = judge(
            [replace(claim, look=look) for claim in claims_of(first(everything, games), ("seats",))], MARGIN
        )
        if found.kind == "within":
            return True
        games = min(games + (found.prospect.games if found.prospect else 2 * games), most)
    return False


def looking_again(repeats: int = 600) -> Iterator[Rate | str]:
    """Users who play on as the page advises, several folders, and the largest of many effects."""
    for players in (2, 4):
        for only in (WANTED, WANTED[:1]):
            case = f"{' and '.join(only)}, {players} players, five looks: any false alarm"
            yield Rate.of(case, "1000 and more", 5, [going_on(seed, players, only) for seed in range(repeats)])
        case = f"one seat at +2 pp, {players} players, five looks: called fair at any look"
        yield Rate.of(case, "1000 and more", 5, [fair_in_the_end(seed, players) for seed in range(repeats)])
    for sizes, players in (((1_000, 20_000), 4), ((1_000, 20_000), 2), ((300, 700, 4_000), 4), ((2_000, 2_000), 4)):
        case = f"one bot in {'two' if len(sizes) == 2 else 'three'} folders, {players} players: called different"
        found = [same_bots(seed, sizes, players) for seed in range(repeats)]
        yield Rate.of(case, " and ".join(map(str, sizes)), 5, found)
    case = "one bot in two folders, 4 players, seats, hands and draws: called different"
    yield Rate.of(case, "1000 and 4000", 5, [same_series(seed) for seed in range(repeats)])
    for name, games, pages in (
        ("8 patrons on the margin", 20_000, on_the_margin),
        ("8 patrons from -3.5 to +4 pp", 4_000, apart),
    ):
        _, largest, named = zip(*(pages(seed) for seed in range(repeats)), strict=True)
        yield Rate.of(f"{name}: interval of the largest effect", games, 96.5, largest)
        yield Rate.of(f"{name}: intervals of all named patrons", games, 96.5, named)
    for look in (1, 2, 3, 5, 10):
        yield f"look {look}: {weight(look):.1%} of the error rate, {cost(look, 0.8):.2f} times the games for 80% power"


# Comparisons ---------------------------------------------------------------------------------------------------------


def pair(
    generator: np.random.Generator, games: int, players: int, alike: float = 0.6, effect: float = 0.0
) -> tuple[Results, Results]:
    """A base and a variant on the same deals, each game a block: seats, patrons, points and turns.

    alike: in which part of the games luck decides alike. effect: what the variant's seat 1 wins more, in pp, at the
    cost of the last seat; it also gets so many points more for each 10 pp.
    """
    who = np.argsort(generator.random((games, len(PATRONS))), axis=1)[:, :players]
    shared, deals = generator.random(games) < alike, generator.random(games)
    noise, turns = generator.normal(0, 8, (games, players)), generator.normal(50, 4, games)
    made = []
    for more in (0.0, effect):
        chances = np.full(players, 1 / players)
        chances[[0, -1]] += more / 100 * np.array([1, -1])
        drawn = np.where(shared, deals, generator.random(games))
        shares = np.eye(players)[np.searchsorted(np.cumsum(chances)[:-1], drawn, side="right")]
        luck = np.where(shared[:, None], noise, generator.normal(0, 8, (games, players)))
        length = np.round(np.where(shared, turns, generator.normal(50, 4, games)))
        points = np.round(60 + luck + generator.normal(0, 1, luck.shape) * ~shared[:, None])
        points[:, 0] += more / 10
        made.append(rows_of(shares, points, length, who))
    return made[0], made[1]


def comparison(base: Results, variant: Results, look: int = 1) -> tuple[Judgement, ...]:
    """The verdicts of a page that compares two runs; look: which one it is, as their folders would say."""
    both = [replace(run, manifest=run.manifest | {"looks": looks_before(run, look)}) for run in (base, variant)]
    runs = [MeasuredRun(name, run, ("one",)) for name, run in zip(("base", "variant"), both, strict=True)]
    return compared(runs[0], runs[1:], PATRON_SPEC, MARGIN).judged


def looks_before(results: Results, look: int) -> list[dict[str, int]]:
    """As many looks at a folder, the last of them at these results; older ones had a few games less."""
    (players,), (games,) = zip(*results.manifest["games"].items(), strict=True)
    return [{players: games - look + number} for number in range(1, look + 1)]


def compared_once(
    seed: int, games: int, players: int, alike: float = 0.6, effect: float = 0.0
) -> Iterator[tuple[str, float, float]]:
    """Yield what is right or wrong on one page, what is promised, and in what share of the page's intervals.

    Of what changes, by the effect on the first seat, only intervals are asked.
    """
    family = comparison(*pair(np.random.default_rng([28, seed, games, players]), games, players, alike, effect))
    if not effect:
        yield "something is said to change", 3.5, any(judged.kind in ("beyond", "slight") for judged in family)
        yield "names a level", 3.5, any(judged.differing for judged in family)
    for judged in family:
        question = judged.effects.question
        if question.topic == FAIRNESS:
            continue
        truth = [0.0] * len(judged.effects.contrasts)
        if question.topic == SEATS:
            truth = [effect if question.share else effect / 10, *[0.0] * (players - 1)]
            truth[-1] -= effect if question.share else 0.0
        name = question.title.lower().replace("win share", "win shares").replace("length of a game", "the length")
        if not any(truth):
            yield f"test of {name}", 5, judged.effects.overall.p < ALPHA
        plain = [change.effect for change in judged.effects.contrasts]
        held = [
            [mine.low <= true <= mine.high for mine, true in zip(ends, truth, strict=True) if not math.isnan(mine.low)]
            for ends in (plain, judged.intervals)
        ]
        if held[0]:
            yield f"{name}: by itself", 95, float(np.mean(held[0]))
            yield f"{name}: together", 96.5, all(held[1])


def compare_on(seed: int, players: int, most: int = 20_000) -> bool:
    """Whether somebody who plays on with base and variant gets a false alarm."""
    both = pair(np.random.default_rng([29, seed, players]), most, players)
    return false_alarm(lambda games, look: comparison(*(first(run, games) for run in both), look=look), most)


def comparisons(repeats: int = 1_000) -> Iterator[Rate]:
    """Base and variant share part of their luck; nothing changes, or seat 1 gains 6 pp."""
    fairness.DRAWS = 1_000  # a page draws 20,000; it only makes these runs shorter
    for players, alike, effect in ((4, 0.6, 0.0), (2, 0.6, 0.0), (4, 0.97, 0.0), (4, 0.6, 6.0)):
        more = ", seat 1 +6 pp" if effect else ", 97% common" if alike > 0.9 else ""
        for games in (10, 20, 50, 200, 1_000):
            found: dict[tuple[str, float], list[float]] = defaultdict(list)
            for seed in range(repeats):
                for name, nominal, share in compared_once(seed, games, players, alike, effect):
                    found[name, nominal].append(share)
            for (name, nominal), shares in found.items():
                yield Rate.of(f"{players} players{more}: {name}", games, nominal, shares)
    for players in (2, 4):
        case = f"{players} players, playing on as advised, five looks: any false alarm"
        yield Rate.of(case, "1000 and more", 5, [compare_on(seed, players) for seed in range(repeats)])
