"""Bots of this package read the game itself: they see what others see in a copy, and change nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game import compiler
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.columns import row_dtype
from rogsim.game.compiler import records
from rogsim.game.kit import calls, loop, playing
from rogsim.game.kit.loop import choose_by_chance, line_up_arrays, padded_weights
from rogsim.game.kit.workspace import (
    ASKED,
    BOT_MEMORY,
    BY_CHANCE,
    IN_PLACE,
    MAX_WEIGHTS,
    WITH_COPIES,
    make_view,
    workspace_of,
)
from rogsim.game.rng import STREAM, draw, fresh_key
from rogsim.game.spec import GameSpec
from rogsim.games.river_of_gold.spec import GAME as RIVER_OF_GOLD
from rogsim.games.the_river.spec import GAME as THE_RIVER
from tests.dice_game import GAME as DICE_RACE

BOTH = pytest.mark.parametrize("spec", [RIVER_OF_GOLD, THE_RIVER], ids=lambda spec: str(spec.id))
QUICK = {
    "learned": "learned@choices=3+turns=2",
    "planner": "planner@choices=3+worlds=2+turns=2",
    "search": "search@rollouts=8+choices=3+turns=2",
}
EVERY = 7  # the bots are asked about one decision in so many


def load(spec: GameSpec, name: str) -> Bot:
    return compile_bot(spec, find_bot(spec, QUICK.get(name, name), Path()))


def question(spec: GameSpec, players: int, deal: int) -> tuple[Any, Any, Any]:
    """A game that has just begun, and what its bots are given besides."""
    setup = spec.prepare(spec.options(), players)
    tables, workspace = spec.rules.tables_of(setup), playing.new_workspace(spec.rules)
    loop.begin(tables, workspace, 3, deal)
    return tables, workspace, compiler.records(spec.rules.menu, 1)[0]


@pytest.mark.once_uncompiled  # compiled, only this test would need these steps as machine code of their own
@BOTH
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_becomes_the_view_and_itself_again(spec: GameSpec, players: int) -> None:
    """At each decision of games, for each seat: what `set_aside` leaves is the view; `put_back` restores the game."""
    chance = np.random.default_rng(players)
    for deal in range(2):
        tables, workspace, menu = question(spec, players, deal)
        game, aside = workspace.game, 0
        while not calls.is_over(game):
            before = game.tobytes()
            for seat in range(players):
                make_view(workspace, seat)
                calls.set_aside(game, seat, workspace.hidden)
                assert game.tobytes() == workspace.bot_view.tobytes()
                aside += game.tobytes() != before
                calls.put_back(game, seat, workspace.hidden)
                assert game.tobytes() == before
            calls.legal(tables, game, menu)
            calls.apply(tables, game, int(menu.actions[chance.integers(menu.count)]))
        assert aside > 100


@BOTH
def test_bots_of_the_game_change_nothing(spec: GameSpec) -> None:
    """Asked about the game itself, each gives the answer that it gives about a copy, and only its memory changes."""
    bots = [load(spec, info.name) for info in spec.bots if compiler.ENABLED or info.name not in QUICK]
    chance, memory = np.random.default_rng(1), compiler.records(BOT_MEMORY, 2)
    tables, workspace, menu = question(spec, 3, 5)
    game, asked = workspace.game, 0
    while not calls.is_over(game):
        calls.legal(tables, game, menu)
        seat = calls.actor(game)
        if chance.integers(EVERY) == 0 and menu.count > 1:
            make_view(workspace, seat)
            calls.set_aside(game, seat, workspace.hidden)
            before = [game.tobytes(), tables.tobytes(), menu.tobytes()]
            for bot in bots:
                assert bot.choose is not None
                memory["notes"], memory["weights"] = 0.0, padded_weights(bot)
                memory["stream"]["count"], memory["stream"]["key"] = 0, asked + 1
                in_place = bot.choose(tables, game, menu, memory[0])
                assert [game.tobytes(), tables.tobytes(), menu.tobytes()] == before, bot.name
                assert bot.choose(tables, workspace.bot_view, menu, memory[1]) == in_place, bot.name
            calls.put_back(game, seat, workspace.hidden)
            asked += 1
        calls.apply(tables, game, int(menu.actions[chance.integers(menu.count)]))
    assert asked > 10


def stranger(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Choose at random, and spoil what it was given."""
    choice = draw(memory.stream, menu.count)
    view.players[0].points = 1000
    menu.count = 0
    return choice


@pytest.mark.skipif(not compiler.ENABLED, reason="dozens of games take too long uncompiled")
@BOTH
def test_rows_are_those_of_bots_with_copies(spec: GameSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bot among others, one of them from elsewhere: all rows are the same."""
    names = [info.name for info in spec.bots]
    for place, name in enumerate(names):
        players = 2 + place % 3
        others = (names[(place + seat) % len(names)] for seat in range(1, players - 1))
        own = [load(spec, bot) for bot in (name, *others)]
        line_up = (*own, Bot("stranger", spec.compile_bot(stranger), np.zeros(0)))
        seating = np.array([np.roll(np.arange(players), seat) for seat in range(players)], np.int8)
        batch = Batch(5, players, np.arange(players), seating, line_up)
        found = []
        for in_place in (True, False):
            monkeypatch.setattr(
                playing, "line_up_arrays", lambda *given, use=in_place: line_up_arrays(*given[:-1], use and given[-1])
            )
            seats = np.zeros(players * players, row_dtype(spec.seat_columns))
            games = np.zeros(players, row_dtype(spec.game_columns))
            spec.play(spec.prepare(spec.options(), players), batch, seats, games)
            found.append((seats.tobytes(), games.tobytes()))
        assert found[0] == found[1], name


def test_choices_by_chance_are_those_that_random_draws() -> None:
    """The numbers made in advance are the next ones of the seat's stream; other seats have their own."""
    workspace, drawn = records(workspace_of(DICE_RACE.rules), 1)[0], records(STREAM, 2)
    for seat in (0, 1):
        stream = workspace.arguments[seat].memory.stream
        stream.key = drawn[seat].key = 70 + seat
        workspace.next_number[seat] = fresh_key(stream)
    for count in (2, 3, 7, 50, 1_000):
        for seat in (0, 1):
            assert choose_by_chance(workspace, seat, count) == draw(drawn[seat], count)


def test_only_bots_of_this_package_read_the_game_itself() -> None:
    """Not those from elsewhere, agents and watched bots; in a game from elsewhere, none. `random` reads nothing."""
    own, chance = load(RIVER_OF_GOLD, "balanced"), load(RIVER_OF_GOLD, "random")
    foreign = Bot("stranger", RIVER_OF_GOLD.compile_bot(stranger), np.zeros(0))
    watched = Bot("watched", own.choose, np.zeros(0))
    _, weights = line_up_arrays((own, foreign, watched, chance), 5, stranger, "watched", in_place=True)
    assert weights[:, ASKED].tolist() == [IN_PLACE, WITH_COPIES, WITH_COPIES, BY_CHANCE, IN_PLACE]
    assert line_up_arrays((own, chance), 2)[1][:, ASKED].tolist() == [WITH_COPIES, WITH_COPIES]
    assert weights.shape == (5, MAX_WEIGHTS + 2)
    assert DICE_RACE.rules.hidden.names == ("nothing",)
