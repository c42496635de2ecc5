"""The plan of games: line-ups, rotations, blocks and the same deals."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rogsim.simulation.rows import Plan, line_ups_of, plan, rotations

pytestmark = pytest.mark.once_uncompiled


def seated(planned: Plan, start: int = 0, stop: int | None = None) -> list[tuple[str, ...]]:
    """The bots of each game, seat by seat."""
    games = planned.slice(start, planned.games if stop is None else stop)
    return [
        tuple(planned.line_ups[line_up][place] for place in seating)
        for line_up, seating in zip(games.line_up, games.seating, strict=True)
    ]


def test_one_bot_sits_everywhere_and_each_game_has_a_deal_of_its_own() -> None:
    """With one bot a block is one game, and nothing is rounded up."""
    planned = plan(["a"], players=4, games=7)
    games = planned.slice(0, 7)
    assert planned.games == 7
    assert seated(planned) == [("a",) * 4] * 7
    assert games.deals.tolist() == games.block.tolist() == games.game.tolist() == list(range(7))


def test_a_block_seats_its_bots_in_every_rotation_on_one_deal() -> None:
    """Three bots at a table of three make blocks of three games that share their deals."""
    planned = plan(["a", "b", "c"], players=3, games=6)
    assert seated(planned) == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")] * 2
    assert planned.slice(0, 6).deals.tolist() == [0, 0, 0, 1, 1, 1]


def test_equal_rotations_are_played_once() -> None:
    """A line-up of pairs has two different rotations, one with a single kind of bot has one."""
    assert rotations(("a", "b", "a", "b")).tolist() == [[0, 1, 2, 3], [1, 2, 3, 0]]
    assert rotations(("a", "a", "a")).tolist() == [[0, 1, 2]]
    assert len(rotations(("a", "a", "b"))) == 3


def test_every_combination_is_a_field_as_often_as_its_bots_are_named() -> None:
    """Line-ups are the combinations by position, in any order; a common multiplicity is divided out."""
    assert line_ups_of(["a", "b", "c"], 2) == (("a", "b"), ("a", "c"), ("b", "c"))
    assert Counter(line_ups_of(["a", "b", "a"], 2)) == {("a", "a"): 1, ("a", "b"): 2}
    assert line_ups_of(["a", "a", "a", "a"], 3) == (("a", "a", "a"),)


def test_games_are_rounded_up_to_whole_cycles() -> None:
    """A cycle of three line-ups with two rotations each has six games, so seven become twelve."""
    assert plan(["a", "b", "c"], players=2, games=7).games == 12
    assert plan(["a", "b", "c"], players=2, games=12).games == 12


def test_too_few_bots_are_refused() -> None:
    """Two bots cannot fill a table of three unless one of them takes two seats."""
    with pytest.raises(ValueError, match="2 bots are too few for 3 players"):
        plan(["a", "b"], players=3, games=1)


@given(
    bots=st.lists(st.sampled_from("abcde"), min_size=4, max_size=6),
    players=st.integers(2, 4),
    games=st.integers(1, 300),
    cuts=st.lists(st.integers(0, 300), max_size=4),
)
def test_any_ranges_of_a_plan_join_to_the_whole(bots: list[str], players: int, games: int, cuts: list[int]) -> None:
    """Computing the plan in pieces gives the same games as computing it at once."""
    planned = plan(bots, players, games)
    edges = [0, *sorted(min(cut, planned.games) for cut in cuts), planned.games]
    pieces = [planned.slice(start, stop) for start, stop in pairwise(edges)]
    whole = planned.slice(0, planned.games)
    for name in ("game", "block", "deals", "line_up", "seating"):
        joined = np.concatenate([getattr(piece, name) for piece in pieces])
        assert np.array_equal(joined, getattr(whole, name)), name


@given(
    bots=st.lists(st.sampled_from("abcd"), min_size=4, max_size=6),
    players=st.integers(2, 4),
    games=st.integers(1, 200),
)
def test_every_bot_sits_in_every_seat_equally_often(bots: list[str], players: int, games: int) -> None:
    """Over a whole plan each bot takes each seat as often as its share of the names says."""
    rows = seated(plan(bots, players, games))
    for name in set(bots):
        counts = {sum(row[seat] == name for row in rows) for seat in range(players)}
        assert len(counts) == 1


@given(bots=st.lists(st.sampled_from("abcd"), min_size=4, max_size=6), players=st.integers(2, 4))
def test_a_block_is_one_field_and_its_games_stand_together(bots: list[str], players: int) -> None:
    """Games of one block have the same bots and are consecutive; block numbers have no gaps."""
    planned = plan(bots, players, 100)
    games = planned.slice(0, planned.games)
    assert np.all(np.isin(np.diff(games.block), (0, 1)))
    assert games.block[0] == 0
    line_ups = [tuple(sorted(row)) for row in seated(planned)]
    assert len(set(zip(games.block.tolist(), line_ups, strict=True))) == games.block[-1] + 1


def test_a_range_far_into_a_huge_plan_is_cheap() -> None:
    """Three games out of a billion are computed without the others."""
    planned = plan(["a", "b"], players=2, games=1_000_000_000)
    assert planned.slice(999_999_996, 999_999_999).block.tolist() == [499_999_998, 499_999_998, 499_999_999]


@pytest.mark.parametrize("bots", ["ab", "abc", "abcd", "abcde"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_a_mirrored_plan_two_bots_change_places(bots: str, players: int) -> None:
    """For any two seats, two bots sit there as often in one order as in the other."""
    names = [bot for bot in bots for _ in range(max(1, players - len(bots) + 1))]
    counts = Counter(
        (seat, other, game[seat], game[other])
        for game in seated(plan(names, players, 1, mirrored=True))
        for seat in range(players)
        for other in range(seat)
    )
    assert len(counts) > 1
    for (seat, other, bot, other_bot), count in counts.items():
        assert counts[seat, other, other_bot, bot] == count


def test_a_mirrored_block_has_both_orders_on_one_deal() -> None:
    """Three bots make six games of one deal; with two bots both orders are the same."""
    planned = plan(["a", "b", "c"], players=3, games=1, mirrored=True)
    both = [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b"), ("a", "c", "b"), ("b", "a", "c"), ("c", "b", "a")]
    assert seated(planned) == both
    assert planned.slice(0, 6).deals.tolist() == [0] * 6
    assert plan(["a", "b"], players=2, games=1, mirrored=True).games == 2
