"""How large chunks are: as many games as take about two seconds, each game once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from rogsim.simulation import chunks
from rogsim.simulation.chunks import FIRST, GROWTH, MOST, Chunk, ChunkSize

pytestmark = pytest.mark.once_uncompiled


def cut(size: ChunkSize, todo: Mapping[int, Sequence[range]], seconds_each: Mapping[int, float]) -> list[Chunk]:
    """Cut all games, and record the time of each chunk before the next one is cut."""
    chunks = []
    for chunk in size.cut(todo):
        chunks.append(chunk)
        size.learn(chunk, chunk.games * seconds_each[chunk.players])
    return chunks


@pytest.mark.parametrize("size", [None, 1, 7, 10**6])
def test_every_game_is_in_one_chunk(size: int | None) -> None:
    """Chunks cover the given ranges, in order, and nothing else."""
    todo = {4: [range(5, 600), range(700, 701)], 2: [range(1000)]}
    chunks = cut(ChunkSize(2, size), todo, {4: 0.001, 2: 0.1})
    games = [(chunk.players, game) for chunk in chunks for game in range(chunk.start, chunk.stop)]
    assert games == [(players, game) for players, ranges in todo.items() for games in ranges for game in games]
    assert all(chunk.games <= (size or MOST) for chunk in chunks)


def test_a_size_that_is_given_is_kept() -> None:
    """Only the last chunk of a range is smaller."""
    assert [chunk.games for chunk in cut(ChunkSize(2, 40), {3: [range(100)]}, {3: 5.0})] == [40, 40, 20]


@pytest.mark.parametrize("each", [0.00003, 0.001, 4.0])
def test_chunks_take_about_two_seconds(each: float) -> None:
    """Many fast games or few slow ones, once their speed is known and while many are left."""
    sizes = [chunk.games for chunk in cut(ChunkSize(2), {4: [range(int(1_000 / each))]}, {4: each})]
    assert sizes[0] == FIRST
    assert sizes[10] == min(max(1, round(2 / each)), MOST)


def test_towards_the_end_chunks_become_smaller() -> None:
    """So that no worker waits long for another."""
    sizes = [chunk.games for chunk in cut(ChunkSize(2), {4: [range(20_000)]}, {4: 0.001})]
    assert max(sizes) == 2_000
    assert 0 < sizes[-2] <= 120


def test_a_single_worker_waits_for_no_other() -> None:
    """Once the speed is known it plays all games of a short run at once."""
    sizes = [chunk.games for chunk in cut(ChunkSize(1), {4: [range(2_000)]}, {4: 0.0005})]
    assert sizes == [FIRST, FIRST * GROWTH, 2_000 - FIRST - FIRST * GROWTH]


def test_the_speed_with_one_player_count_helps_with_the_next() -> None:
    """The first chunk with another player count uses the speed measured so far."""
    chunks = cut(ChunkSize(1), {2: [range(5_000)], 4: [range(20_000)]}, {2: 0.001, 4: 0.002})
    first = next(chunk for chunk in chunks if chunk.players == 4)
    assert first.games == 2_000


def test_known_speeds_are_used_from_the_first_chunk_on() -> None:
    """And what is measured is there for the next run."""
    known: dict[int, float] = {}
    cut(ChunkSize(1, seconds_each=known), {4: [range(5_000)]}, {4: 0.001})
    assert known == {4: 0.001}
    chunks = cut(ChunkSize(1, seconds_each=known), {4: [range(3_000)]}, {4: 0.001})
    assert [chunk.games for chunk in chunks] == [2_000, 1_000]


def test_a_batch_is_quick_if_all_its_games_are_known_to_take_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of player counts of which no game was played yet may take any time; counts without games take none."""
    monkeypatch.setattr(chunks, "QUICK", 0.02)
    size = ChunkSize(2, seconds_each={2: 0.0001, 4: 0.001})
    assert size.is_quick({2: [range(50), range(50, 99)], 4: [range(10)], 3: []})
    assert not size.is_quick({2: [range(50), range(50, 110)], 4: [range(10)]})
    assert not size.is_quick({2: [range(9)], 3: [range(1)]})


def test_the_time_to_prepare_a_small_chunk_is_not_taken_for_that_of_its_games() -> None:
    """20 ms besides 0.1 ms for each game: the large chunk shows the speed, not those around it."""
    known: dict[int, float] = {}
    size = ChunkSize(2, seconds_each=known)
    for games in (16, 2_000, 16):
        size.learn(Chunk(2, 0, games), 0.02 + 0.0001 * games)
    assert known == {2: pytest.approx(0.00011)}


def test_a_chunk_that_takes_too_long_makes_the_next_ones_smaller() -> None:
    """Whatever was known before: a changed rule can make games longer."""
    chunks = cut(ChunkSize(1, seconds_each={4: 0.0001}), {4: [range(40_000)]}, {4: 0.001})
    assert [chunk.games for chunk in chunks[:3]] == [20_000, 2_000, 2_000]
