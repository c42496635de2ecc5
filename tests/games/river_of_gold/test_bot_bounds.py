"""Bots only see and choose: what is hidden from them, and what they cannot change."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from rogsim.base.errors import RogsimError
from rogsim.game import compiler
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot, BotFault
from rogsim.game.kit.workspace import make_view, workspace_of
from rogsim.game.rng import draw
from rogsim.games.river_of_gold import spec
from rogsim.games.river_of_gold.components.names import CUSTOMERS, ERAS, TILES_PER_ERA
from rogsim.games.river_of_gold.rules import actions as act
from tests.games.river_of_gold.games import batch_of, outcomes, setup_for
from tests.games.river_of_gold.playing import deals, kinds_of_game, playing, steady
from tests.games.river_of_gold.table import Table

pytestmark = pytest.mark.slow

# --------------------------------------------------------------------------------------------- what bots see


def hide(game: Any, blank: Any, seat: int) -> None:
    """Set everything to zero, in place, that a seat may not know."""
    game.secret = blank.secret
    for other in range(int(game.seats)):
        if other != seat:
            game.players[other].hand = 0


def stir(table: Table, seat: int, rng: random.Random) -> None:
    """Change everything that a seat cannot know, unnoticeably for it."""
    game = table.game
    secret = game.secret
    others = [other for other in range(table.players) if other != seat]
    first = int(secret.deck_size) - int(game.deck_left)
    unknown = [CUSTOMERS[card] for card in secret.deck[first : int(secret.deck_size)]]
    for other in others:
        unknown += table.seat(other).hand
    rng.shuffle(unknown)
    for other in others:
        hand = [unknown.pop() for _ in range(int(game.players[other].hand_size))]
        game.players[other].hand = sum(1 << CUSTOMERS.index(card) for card in hand)
    secret.deck[first : int(secret.deck_size)] = [CUSTOMERS.index(card) for card in unknown]
    for era in range(len(ERAS)):
        gone = int(table.tables.era_tiles[era]) - int(game.era_left[era])
        rest = secret.stacks[era, gone : TILES_PER_ERA[era]].tolist()
        rng.shuffle(rest)
        secret.stacks[era, gone : TILES_PER_ERA[era]] = rest
    secret.key = np.uint64(rng.getrandbits(64))
    secret.journal_size = rng.randrange(16)


@steady
@given(kinds_of_game, deals)
def test_a_view_is_the_game_without_hidden_things(kind: tuple[str, int, str], number: int) -> None:
    """Other hands, deck, stacks and chance leave no trace in the view; everything else is in it."""
    rng = random.Random(number)
    copy = compiler.records(workspace_of(spec.GAME.rules), 1)[0]
    for table, _ in playing(kind, number):
        if rng.random() < 0.9 and table.expects != "draft":
            continue
        seat = rng.randrange(table.players)
        copy.game = table.game
        make_view(table.workspace, seat)
        seen = table.workspace.bot_view.tobytes()
        hide(copy.game, copy.blank, seat)
        assert seen == copy.game.tobytes()
        copy.game = table.game
        if table.expects != "draft":
            stir(table, seat, rng)
        make_view(table.workspace, seat)
        assert table.workspace.bot_view.tobytes() == seen
        table.workspace.game = copy.game


def peeping(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Answer badly as soon as the memory of a menu, also beyond its end, has a customer that this seat never held."""
    held = int(memory.notes[0]) | int(view.players[view.actor].hand)
    memory.notes[0] = held
    for i in range(len(menu.actions)):
        action = int(menu.actions[i])
        if act.DELIVER <= action < act.TAKE_GOOD and (held >> (action - act.DELIVER)) & 1 == 0:
            return -1
        if act.DISCARD_CUSTOMER <= action < act.SET_FACE and (held >> (action - act.DISCARD_CUSTOMER)) & 1 == 0:
            return -1
    return draw(memory.stream, menu.count)


def test_a_menu_tells_nothing_of_other_seats_menus() -> None:
    """The menu of a bot contains no card of another hand, not even beyond its last entry."""
    bots = tuple(Bot(name, spec.GAME.compile_bot(peeping), np.zeros(0)) for name in ("one", "other", "third"))
    batch = Batch(1, 3, np.arange(6), np.array([[0, 1, 2], [1, 2, 0]] * 3, np.int8), bots)
    seat_rows, _ = outcomes(setup_for("printed", 3), batch)
    assert (seat_rows["deliveries"] > 0).any()
    assert (seat_rows["turns"] > 0).all()


# -------------------------------------------------------------------------------------------- what bots can do


def vandal(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Choose like the random bot, then overwrite everything within reach but the tables."""
    choice = draw(memory.stream, menu.count)
    for seat in range(4):
        view.players[seat].koku = 25
        view.players[seat].points = 1000
        view.players[seat].hand = 3
        view.players[seat].influence[0] = 18
    view.phase = 11
    view.turn = 999
    view.actor = 0
    view.row[0] = 0
    view.shore[0] = 1
    view.agenda[0] = 0
    view.agenda_size = 0
    view.secret.key = 1
    view.secret.deck[0] = 0
    menu.count = 1
    for i in range(len(menu.actions)):
        menu.actions[i] = 0
    for i in range(len(memory.weights)):
        memory.weights[i] = -1.0
    for i in range(len(memory.notes)):
        memory.notes[i] = -1.0
    return choice


def forger(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Choose like the random bot, after it has made everything free in its tables."""
    for space in range(30):
        tables.shore_cost[space] = 0
    return draw(memory.stream, menu.count)


def remembering(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Choose by counters that it keeps in its weights and in its notes."""
    memory.weights[0] += 1.0
    memory.notes[0] += 1.0
    return (int(memory.weights[0]) + int(memory.notes[0])) % menu.count


def own_bot(name: str, function: Any) -> Bot:
    return Bot(name, spec.GAME.compile_bot(function), np.array([0.5, 2.0]))


def field_batch(*bots: Bot, games: int = 2, first: int = 0) -> Batch:
    seating = np.tile(np.arange(len(bots), dtype=np.int8), (games, 1))
    return Batch(3, len(bots), np.arange(first, first + games), seating, bots)


def test_a_bot_that_scribbles_over_everything_changes_nothing_but_its_choices() -> None:
    """A bot that overwrites view, menu and its memory plays the games of the random bot."""
    setup = setup_for("printed", 3, "draft")
    plain = batch_of(["random"] * 3, 2, seed=3)
    scribbled = field_batch(*[own_bot("vandal", vandal)] * 3)
    before = setup.tables.tobytes()
    for rows, other in zip(outcomes(setup, plain), outcomes(setup, scribbled), strict=True):
        assert rows.tolist() == other.tolist()
    assert setup.tables.tobytes() == before


def test_a_bot_cannot_change_what_another_bot_reads() -> None:
    """A planning bot plays the same beside a bot that overwrites everything as beside the random bot."""
    setup, balanced = setup_for("printed", 2), batch_of(["random", "balanced"], 2, seed=3)
    scribbled = field_batch(own_bot("vandal", vandal), balanced.line_up[1])
    assert outcomes(setup, balanced)[0].tolist() == outcomes(setup, scribbled)[0].tolist()


def test_a_bot_that_changes_the_numbers_of_the_game_is_named() -> None:
    """Only its own copy, so that nobody else plays by these numbers; its games do not count."""
    setup = setup_for("printed", 2)
    before, batch = setup.tables.tobytes(), field_batch(own_bot("vandal", vandal), own_bot("forger", forger))
    with pytest.raises(RogsimError, match=r'^bot "forger" changes the numbers of the game, which a bot may only read$'):
        outcomes(setup, batch)
    assert setup.tables.tobytes() == before


def test_a_bot_remembers_nothing_from_one_game_to_the_next() -> None:
    """What a bot writes into its weights or notes is gone in the next game of the batch."""
    setup, bot = setup_for("printed", 2), own_bot("remembering", remembering)
    together, _ = outcomes(setup, field_batch(bot, bot, games=2))
    alone = [outcomes(setup, field_batch(bot, bot, games=1, first=game))[0] for game in range(2)]
    assert np.concatenate(alone).tolist() == together.tolist()


def outside(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Answer with a place beyond the end of the menu in the fifth turn."""
    return menu.count if view.turn >= 4 else 0


def test_a_bot_that_answers_outside_the_menu_is_named() -> None:
    """The error names the bot, the game and the turn."""
    batch = field_batch(own_bot("outside", outside), own_bot("outside", outside), first=7)
    with pytest.raises(BotFault, match=r'bot "outside" .* in deal 7 with 2 players, turn 5'):
        outcomes(setup_for("printed", 2), batch)
