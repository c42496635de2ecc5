"""Games in plain Python: what a module declares once is enough, and what follows from it is right."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import polars as pl
import pytest

import rogsim
from rogsim.game.compiler import records
from rogsim.game.kit.conformance import problems_of
from rogsim.game.plain import DeclarationError
from rogsim.game.registry import register, unregister
from rogsim.game.rng import STREAM
from rogsim.game.rules import Rules
from rogsim.game.spec import GameSpec
from rogsim.results.results import Results
from tests.example_games import NAMES, harbour, kuhn, pig

once_compiled, once_uncompiled = pytest.mark.once_compiled, pytest.mark.once_uncompiled


@pytest.fixture(autouse=True)
def _offered() -> Iterator[None]:
    for module in (pig, kuhn, harbour):
        register(module.GAME)
    yield
    for module in (pig, kuhn, harbour):
        unregister(module.GAME.id)


def played(game: str, bots: list[str], players: int, games: int, **more: Any) -> Results:
    return rogsim.run({"game": game, "players": [players], "bots": bots, "games": games, "seed": 5, **more}, jobs=1)


def shares(results: Results, by: str = "seat") -> list[float]:
    """Win shares in percent, by seat or by bot."""
    found = results.seats().group_by(by).agg(pl.col("win_share").mean()).sort(by).collect()
    return [100 * share for share in found["win_share"]]


def state_of(game: GameSpec, players: int, deal: int = 0) -> tuple[Rules, Any, Any]:
    """A game that has just begun."""
    rules, tables = game.rules, game.set_up(game.options(), players).tables
    state = records(rules.state, 1)[0]
    rules.begin(tables, state, 1, deal)
    return rules, tables, state


def view_of(rules: Rules, state: Any, seat: int) -> Any:
    view = records(rules.state, 1)
    view[0] = state
    rules.hide(view[0], seat)
    return view[0]


def worlds_of(rules: Rules, tables: Any, view: Any, seat: int, count: int) -> Iterator[Any]:
    stream, holder = records(STREAM, 1)[0], records(rules.holder, 1)[0]
    for _ in range(count):
        rules.deal_world(tables, view, seat, stream, holder)
        yield holder.game


def module_of(monkeypatch: pytest.MonkeyPatch, folder: Path, source: str, name: str = "mine") -> ModuleType:
    """A module of a designer, whose text this is."""
    (folder / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(folder)
    sys.modules.pop(name, None)
    return __import__(name)


@once_uncompiled
@pytest.mark.parametrize("name", NAMES)
def test_the_examples_keep_the_contract(name: str) -> None:
    """The checks of a game find nothing."""
    assert problems_of(name, games=1, other_side=False) == []


@once_compiled
@pytest.mark.parametrize("name", ["pig", "kuhn"])
def test_plain_games_are_the_same_compiled_and_uncompiled(name: str) -> None:
    """Without decorators, the same functions give the same games."""
    assert problems_of(f"{name}:GAME", games=1) == []


@once_compiled
@pytest.mark.parametrize(
    ("players", "expected"), [(2, [53.470, 46.530]), (3, [37.29, 33.15, 29.57]), (4, [28.95, 26.09, 23.58, 21.37])]
)
def test_pig_has_the_known_advantage_of_the_first_seat(players: int, expected: list[float]) -> None:
    """If all hold at 20, as value iteration and other programs find."""
    games = 60_000
    assert shares(played("pig", ["hold20"], players, games)) == pytest.approx(expected, abs=4 * 50 / games**0.5)


@once_compiled
def test_holding_at_20_beats_chance_as_often_as_computed() -> None:
    """It wins 91.00% of the games against random choices."""
    games = 40_000
    found = shares(played("pig", ["hold20", "random"], 2, games), "bot")
    assert found[0] == pytest.approx(91.00, abs=4 * 29 / games**0.5)


@once_compiled
def test_a_head_start_moves_the_first_seat_as_computed() -> None:
    """Six points for the second seat cost the first one 3.18 percentage points."""
    games = 60_000
    changed = played("pig", ["hold20"], 2, games, change={"head_start": [0, 6, 0, 0]})
    assert shares(changed)[0] == pytest.approx(53.470 - 3.18, abs=4 * 50 / games**0.5)


@once_compiled
def test_rollouts_win_without_a_line_of_the_game() -> None:
    """Flat search beats random choices in a card game that it knows nothing of."""
    found = played("kuhn", ["rollouts", "random"], 2, 600)
    assert shares(found, "bot")[0] > 60


def test_only_its_seat_sees_a_hand() -> None:
    """The other sees how many cards it has; nobody sees the deck."""
    rules, _, state = state_of(kuhn.GAME, 2)
    view = view_of(rules, state, 0)
    assert view.players[0].hand.cards[0] == state.players[0].hand.cards[0] >= 0
    assert view.players[1].hand.cards[0] == -1
    assert view.players[1].hand.count == 1
    assert view.deck.cards[:1].tolist() == [-1]
    assert view.key == view.deck.chance.key == 0


def test_worlds_deal_the_unseen_cards_evenly() -> None:
    """Each card that a seat does not see is as often in the other hand as in the deck, and no card is there twice."""
    rules, tables, state = state_of(kuhn.GAME, 2)
    view, found = view_of(rules, state, 0), Counter()
    mine = int(view.players[0].hand.cards[0])
    for world in worlds_of(rules, tables, view, 0, 2_000):
        dealt = [int(world.players[seat].hand.cards[0]) for seat in (0, 1)] + [int(world.deck.cards[0])]
        assert dealt[0] == mine
        assert sorted(dealt) == [0, 1, 2]
        found[dealt[1]] += 1
    assert min(found.values()) > 900


def test_sets_of_cards_are_dealt_in_the_order_of_their_fields() -> None:
    """In every process the same: their order decides which random numbers each gets, and so what bots that think do."""
    parts = harbour.GAME.rules.recorder.parts
    assert [cards.noun for cards in parts.cards()] == ["small", "large", "guild"]


def test_numbers_of_components_can_be_changed() -> None:
    """Each has a name made of the kind, the id and the field, and says whom it favours."""
    facts = {fact.name: fact for fact in harbour.GAME.facts()}
    assert len(facts) == 4 + 3 * 48 + 4 * 4
    assert facts["large.silk-1.prestige"].favours == 1
    assert facts["small.tea-2.cost"].places == harbour.GOODS
    changed, problems = harbour.GAME.check_change({"large": {"silk-1": {"prestige": 5}}})
    assert (changed, problems) == ({"large.silk-1.prestige": 5}, [])
    setup = harbour.GAME.set_up(harbour.GAME.options(), 2, changed)
    place = harbour.LARGE.names.index("silk-1")
    assert setup.tables.large[place].prestige == 5
    assert setup.facts["large"]["silk-1"]["prestige"] == 5


def test_a_trace_says_what_was_done() -> None:
    """Cards are named, and the text tells who won."""
    results = next(iter(harbour_traces()))
    assert results["format"] == "harbour-trace/1"
    steps = [step for turn in results["turns"] for step in turn["steps"]]
    bought = [step for step in steps if step["do"] == "fulfil"]
    assert {step["small_row"] for step in bought} <= set(harbour.SMALL.names)
    text = harbour.GAME.narrate(results)
    assert "Harbour: deal 0 of seed 5, 2 players" in text
    assert "wins with" in text or "share the victory" in text


def harbour_traces() -> Iterator[Any]:
    from rogsim.bots.loading import compile_bot, find_bot
    from rogsim.game.batches import Batch

    game = harbour.GAME
    bot = compile_bot(game, find_bot(game, "greedy", Path()))
    batch = Batch(5, 2, np.arange(1), np.zeros((1, 2), np.int8), (bot, bot))
    return game.record(game.set_up(game.options(), 2), batch)


COIN = """
from rogsim.game.plain import Chance, Count, Deck, Hand, Seats
from rogsim.game.plain import actions, cards, draw, game, next_turn, number, offer, pick, put

CARD = cards("card", ["a", "b", "c", "d"])
ACTIONS, (GO,) = actions(go=None)

class Player:
    points: Count[0, 3]
    hand: Hand[CARD, 2]

class State:
    players: Seats[Player]
    deck: Deck[CARD]
    coin: Chance

def begin(numbers, state):
    {begin}

def legal(numbers, state, menu):
    offer(menu, GO)

def apply(numbers, state, action):
    state.players[state.actor].points += {more}
    if state.turn >= 3:
        state.over = True
    else:
        next_turn(state)

{rest}
GAME = game(__name__, title="Coin", players=(2,), actions=ACTIONS)
"""


def coin(begin: str = "pass", more: str = "pick(state.coin, 2)", rest: str = "") -> str:
    return COIN.format(begin=begin, more=more, rest=rest)


@once_uncompiled
@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (coin(), ""),
        (coin(more="9"), "Player.points is 9, and must be from 0 to 3"),
        (coin(begin="put(state.players[0].hand, 1)"), "there are 2 of the card b instead of 1"),
        (coin(rest="def invariant(numbers, state):\n    return 'never true'\n"), "never true"),
    ],
)
def test_what_cannot_be_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str, problem: str) -> None:
    """A number out of its range, a card in two places, and what the game itself says cannot be."""
    module_of(monkeypatch, tmp_path, source)
    found = problems_of("mine:GAME", games=1, other_side=False)
    assert problem in "\n".join(found)
    assert bool(found) == bool(problem)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            lambda text: text.replace("def legal(", "def lawful("),
            'mine: there is no function "legal": write def legal(numbers, state, menu)',
        ),
        (
            lambda text: text.replace("legal(numbers, state, menu)", "legal(state, menu)"),
            "mine, line 20: legal(state, menu) must take (numbers, state, menu)",
        ),
        (
            lambda text: text.replace("players=(2,)", "players=2"),
            "mine: players=2: list the numbers of players, such as (2, 3, 4)",
        ),
        (
            lambda text: (
                text + "\nclass Numbers:\n    a: Count[2, 5] = number(9, 'a')\n" + text[text.index("GAME =") :]
            ),
            "Numbers.a: 9 is not allowed: must be a whole number from 2 to 5",
        ),
        (
            lambda text: text.replace("class Player", "class Person").replace("Seats[Player]", "Seats[Person]"),
            'mine: there is no class "Player"',
        ),
        (
            lambda text: text.replace("coin: Chance", "coin: int"),
            "State.coin: int is no kind of field; write Count[0, 10]",
        ),
        (lambda text: text.replace("Count[0, 3]", "Count[0]"), "Count[0]: write Count[low, high]"),
        (lambda text: text.replace("points:", "score:"), 'Player: there is no field "points"'),
    ],
)
def test_a_wrong_declaration_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, change: Callable[[str], str], problem: str
) -> None:
    """In one line, with the name of what is wrong."""
    with pytest.raises(DeclarationError, match=re.escape(problem)) as told:
        module_of(monkeypatch, tmp_path, change(coin()))
    assert "\n" not in str(told.value)


SEALED = """
from rogsim.game.plain import NONE, Chance, Count, Flag, OneOf, Seat, Seats, Secret
from rogsim.game.plain import actions, game, kept, next_seat, offer, pick

ACTIONS, (BID,) = actions(bid={"coins": 4})
MOODS = ("calm", "bold")

class Player:
    points: Count[0, 30]
    coins: Count[0, 9]
    bid: Secret[0, 3]
    mood: OneOf[MOODS] = kept("its mood", "Is any mood too strong?", dealt={})
    has_bid: Flag = kept("whether it bid last")

class State:
    players: Seats[Player]
    first: Seat
    chance: Chance

def begin(numbers, state):
    state.first = NONE
    for seat in range(state.seats):
        state.players[seat].coins = 9
        state.players[seat].mood = pick(state.chance, 2)

def legal(numbers, state, menu):
    for coins in range(min(3, state.players[state.actor].coins) + 1):
        offer(menu, BID + coins)

def apply(numbers, state, action):
    state.players[state.actor].bid = action - BID
    state.players[state.actor].has_bid = True
    state.actor = next_seat(state, state.actor)
    if state.actor > 0:
        return
    best = 0
    for seat in range(state.seats):
        if state.players[seat].bid > state.players[best].bid:
            best = seat
    state.first = best
    state.players[best].points += 3 + state.players[best].mood
    for seat in range(state.seats):
        state.players[seat].coins -= state.players[seat].bid
        state.players[seat].bid = NONE
        state.players[seat].has_bid = False
    state.turn += 1
    state.over = state.turn == 5

def deal(numbers, world, seat, chance):
    for other in range(world.seats):
        if world.players[other].bid > world.players[other].coins:
            world.players[other].bid = world.players[other].coins

GAME = game(__name__, title="Sealed bids", players=(2, 3), actions=ACTIONS)
"""


@once_uncompiled
def test_sealed_bids_are_dealt_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The others see that a seat has bid, not what; in worlds it is any bid that the game allows."""
    module = module_of(monkeypatch, tmp_path, SEALED, "sealed")
    assert problems_of("sealed:GAME", games=2, other_side=False) == []
    rules, tables, state = state_of(module.GAME, 2)
    rules.apply(tables, state, 2)
    view = view_of(rules, state, 1)
    assert (view.players[0].bid, view.players[1].bid) == (-2, -1)
    assert {int(world.players[0].bid) for world in worlds_of(rules, tables, view, 1, 100)} == {0, 1, 2, 3}
    shown = rules.describe(module.GAME.set_up(module.GAME.options(), 2), view, 1, None)
    assert [player["bid"] for player in shown["players"]] == ["unseen", None]
