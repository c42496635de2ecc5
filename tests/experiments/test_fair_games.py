"""Games in which fair means something else: one player, everyone together, teams, and declared shares."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from rich.console import Console

import rogsim
from rogsim.base.errors import RogsimError
from rogsim.game.fair import sides_of
from rogsim.game.kit.conformance import problems_of
from rogsim.game.plain import DeclarationError, game
from rogsim.game.registry import register, unregister
from rogsim.report.balance.build import build_report
from rogsim.report.balance.sources import gather
from rogsim.report.console.run_results import print_results
from rogsim.report.document import Report
from rogsim.results.results import Results
from rogsim.stats.balance.levels import LevelSums, levels_in
from rogsim.stats.blocks import BlockRows
from tests.fair_games import GAMES, flood, hunt, relay

pytestmark = pytest.mark.once_uncompiled
NAMES = [spec.id for spec in GAMES]
PLAYED = 1_000
# By game and number of players, what each side wins: computed from the faces of the dice.
TRUTH = {
    ("dare", 1): [0.590406],
    ("flood", 1): [0.5],
    ("flood", 2): [0.583333],
    ("flood", 4): [0.556327],
    ("relay", 2): [0.631944, 0.368056],
    ("relay", 4): [0.596740, 0.403260],
    ("hunt", 2): [0.6, 0.4],
}


@pytest.fixture(autouse=True)
def _offered() -> Iterator[None]:
    for spec in GAMES:
        register(spec)
    yield
    for spec in GAMES:
        unregister(spec.id)


def scenario(name: str, **more: Any) -> dict[str, Any]:
    spec = next(spec for spec in GAMES if spec.id == name)
    return {
        "game": name,
        "players": list(spec.players),
        "bots": [spec.bots[0].name],
        "games": PLAYED,
        "seed": 5,
        **more,
    }


@cache
def played(name: str) -> Results:
    return rogsim.run(scenario(name), jobs=1)


def printed(results: Results) -> str:
    """What `run` prints, as one line."""
    console = Console(file=io.StringIO(), width=100)
    print_results(results, console)
    return " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]


def page(name: str) -> Report:
    return build_report(gather([played(name)]), Path("page"))


@pytest.mark.parametrize("name", NAMES)
def test_they_keep_the_contract(name: str) -> None:
    """The checks of a game find nothing."""
    assert problems_of(name, games=1, other_side=False) == []


@pytest.mark.parametrize(("name", "players"), TRUTH)
def test_sides_win_as_often_as_computed(name: str, players: int) -> None:
    """Each game counts once for a side, however many seats it has, in its number and in its interval."""
    levels = levels_in(played(name), players, "seat").levels
    assert [level.n for level in levels] == [PLAYED] * len(levels)
    for level, true in zip(levels, TRUTH[name, players], strict=True):
        error = math.sqrt(true * (1 - true) / PLAYED)
        assert level.share.value == pytest.approx(true, abs=4 * error)
        assert level.share.high - level.share.low == pytest.approx(2 * 1.96 * error, rel=0.15)


def test_one_player_has_no_seat_question() -> None:
    """The answer is how often it wins, with its interval, and how many points it makes."""
    text = printed(played("dare"))
    assert "How often is the game won? The player wins 5" in text
    assert "1,000 games with 1 player, by careful." in text
    assert "seat" not in text
    found = page("dare")
    assert [section.name for section in found.sections] == ["seats", "points", "length"]
    assert found.sections[0].grids[0].frame["n"].to_list() == [PLAYED]


def test_everyone_wins_or_loses_together() -> None:
    """No seat is compared with another one, and nothing that seats have is a question, with a line that says so."""
    text = printed(played("flood"))
    assert "Everyone wins 5" in text
    assert "instead of" not in text
    found = page("flood")
    assert [section.name for section in found.sections] == ["seats", "points", "length"]
    assert "Nobody plays against anybody" in found.sections[0].method
    winners = played("flood").games().filter(players=4).collect()["winners"]
    assert set(winners) == {0, 4}


def test_teams_are_compared() -> None:
    """With two players seats are; what seats have is compared with the share of a team."""
    text = printed(played("relay"))
    assert "4 players: by team" in text
    assert "A 1,000 " in text
    assert "Team A +" in text
    found = page("relay")
    shoes = next(section for section in found.sections if section.name == "shoes").grids[0].frame
    (good,) = shoes.filter(players=4, level="good").iter_rows(named=True)
    assert good["effect"] == pytest.approx(100 * (good["share"] - 0.5))
    assert good["effect"] == pytest.approx(9.6, abs=4)


def test_declared_shares_are_what_is_compared_with() -> None:
    """The first seat wins three games in five, and should."""
    (first, second) = levels_in(played("hunt"), 2, "seat").levels
    assert (first.fair, second.fair) == (0.6, 0.4)
    assert abs(first.effect.value) < 6
    assert first.p > 0.001
    seats = page("hunt").sections[0]
    assert "Declared as fair: seat 1 60.0% and seat 2 40.0%." in seats.method
    changed = rogsim.run(scenario("hunt", change={"faces": 4}), jobs=1)
    assert levels_in(changed, 2, "seat").levels[0].p < 1e-6


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        ("dare", "target = 8", "he player wins"),
        ("flood", "help = 1", "veryone wins"),
        ("relay", "head_start = 4", "eam A wins"),
        ("hunt", "faces = 4", "eat 1 wins"),
    ],
)
def test_a_change_is_told_in_the_same_words(name: str, change: str, expected: str) -> None:
    """`compare` compares the sides, or how often all win."""
    players = max(scenario(name)["players"])
    parameter, value = change.split(" = ")
    found = rogsim.compare(scenario(name, games=300, players=[players]), change={parameter: int(value)})
    assert expected in found.answer


@pytest.mark.parametrize("name", ["dare", "flood"])
def test_what_compares_sides_is_refused_in_one_line(name: str) -> None:
    """A ladder, a sweep and a search for equal shares have nothing to compare if all win or lose together."""
    bots = ["random", "rollouts", "rollouts@rollouts=50"]
    with pytest.raises(RogsimError, match=r"^settle: with 1 player there is nobody to play against, so nothing"):
        rogsim.settle(scenario(name), bots=bots)
    with pytest.raises(RogsimError, match=r"^tournament: with \d players? .*, so nothing is compared"):
        rogsim.tournament(game=name, bots=bots[:2])


def test_a_sweep_compares_teams() -> None:
    """A side has its name; whether bots of a team are stronger cannot be told."""
    with pytest.raises(RogsimError, match="with 4 players seats win in teams, so bots cannot be told apart"):
        rogsim.tournament(game="relay", bots=["runner", "random"], players=[4])
    found = rogsim.sweep(scenario("relay", players=[4], games=300), over={"head_start": [0, 4]})
    assert "team A" in found.answer


def test_seats_of_a_team_are_exchanged_together() -> None:
    """If team-mates have the same level and it has no effect, a test at 5% says otherwise in about 5% of runs."""
    generator, games, sides, wrong = np.random.default_rng(3), 200, sides_of({4: "ABAB"}, 4), 0
    for _ in range(400):
        won, level = (generator.integers(0, 2, games) for _ in range(2))
        of_seats = [np.stack([value, 1 - value] * 2, axis=1).ravel() for value in (won, level)]
        game_of = np.repeat(np.arange(games), 4)
        seats = {"game": game_of, "block": game_of, "seat": np.tile(np.arange(1, 5), games), "points": of_seats[0]}
        rows = pl.DataFrame(seats | {"win_share": of_seats[0].astype(float), "level": of_seats[1]})
        sums = LevelSums("level", [0, 1], 4)
        sums.add(BlockRows(4, rows, pl.DataFrame({"game": np.arange(games), "block": np.arange(games)}), sides))
        wrong += sums.result().overall.p < 0.05
    assert 6 <= wrong <= 36


@pytest.mark.parametrize(
    ("fair", "players", "message"),
    [
        ("everyone", (2,), "nothing says when everyone wins: write def won"),
        ("equal", (1, 2), "nothing says when the player wins: write def won"),
        ({2: (50, 60)}, (2,), "must be more than 0 and add up to 100"),
        ({2: "ABA"}, (2,), "an entry for each of 2 seats"),
        ("fairly", (2,), r'write "equal", "everyone", teams such as'),
    ],
)
def test_what_is_not_declared_is_told(fair: Any, players: tuple[int, ...], message: str) -> None:
    """One line says what to write."""
    with pytest.raises(DeclarationError, match=message):
        game(hunt.__name__, title="Hunt", players=players, actions=hunt.ACTIONS, fair=fair)


def test_the_modules_are_what_is_documented() -> None:
    """The declarations of the examples are those of docs/your-game.md."""
    text = (Path(__file__).parents[2] / "docs" / "your-game.md").read_text(encoding="utf-8")
    for spec in (flood.GAME, relay.GAME, hunt.GAME):
        assert f"fair={spec.fair!r}".replace("'", '"') in text
