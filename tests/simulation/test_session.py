"""`rogsim.Session`: one game, decision by decision, on both games."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rogsim
from rogsim.base.errors import RogsimError
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game import compiler
from rogsim.game.batches import Batch
from rogsim.game.bot import BotFault
from rogsim.game.registry import get_game, register, unregister
from rogsim.game.rng import STREAM
from rogsim.game.rules import NO_ACTION
from rogsim.game.spec import GameSpec
from rogsim.simulation.play import play_batch
from rogsim.simulation.session import SessionError
from tests.dice_game import GAME as DICE_RACE
from tests.uncompiled import uncompiled

EXAMPLES = Path(rogsim.__file__).parent.parent / "docs" / "examples"
TRADER, PEDDLER = f"{EXAMPLES}/trader.py:Trader", f"{EXAMPLES}/peddler.py:choose"
GOLD = "river-of-gold"
ANY_SCENARIO = {"game": "dice-race", "players": [2], "games": 4, "seed": 9, "bots": ["moody", "walker"]}
MANY = 15 if compiler.ENABLED else 1
SOME = 3 if compiler.ENABLED else 1
EVERY = 1 if compiler.ENABLED else 10

# Game, options, the bots by seat, and how many games.
MIXTURES = [
    ("dice-race", {}, ["runner", "moody"], MANY),
    ("dice-race", {"end": "fair", "long": 25}, ["moody", "walker", "moody"], MANY),
    ("dice-race", {"handicap": [3, 0, 1, 0]}, ["runner", "moody", "walker", "moody"], MANY),
    (GOLD, {}, ["random", "balanced"], MANY),
    (GOLD, {"patrons": "draft"}, ["tuned", "random", "builder"], MANY),
    (GOLD, {"patrons": "alternative", "masteries": "each"}, ["courier", "random", "courtier", "random"], MANY),
    (GOLD, {"patrons": "dealt"}, ["adept", "sailor", "racer", "tuned"], MANY),
    (GOLD, {"patrons": "dealt"}, [TRADER, "random", PEDDLER], SOME),
    (GOLD, {"patrons": "draft"}, [TRADER, TRADER], 1),
]
THINKING = [
    (GOLD, {"patrons": "draft"}, ["planner@worlds=2+turns=4", "random"], 2),
    (GOLD, {}, ["random", "search@rollouts=16+turns=3", "random"], 1),
]


@pytest.fixture(autouse=True)
def _dice_race() -> Iterator[None]:
    register(DICE_RACE)
    yield
    unregister(DICE_RACE.id)


def setup_of(spec: GameSpec, options: Mapping[str, Any], players: int) -> Any:
    return spec.prepare(spec.options.model_validate(dict(options)), players)


def batch_of(spec: GameSpec, names: Sequence[str], games: int, seed: int) -> Batch:
    """The deals 0, 1, ... with the bots rotated from game to game."""
    players = len(names)
    bots = {name: compile_bot(spec, find_bot(spec, name, Path(), here=True)) for name in names}
    seating = np.array([[(seat + game) % players for seat in range(players)] for game in range(games)], np.int8)
    return Batch(seed, players, np.arange(games), seating, tuple(bots[name] for name in names))


def played(game: str, options: Mapping[str, Any], names: Sequence[str], deal: int, seed: int) -> rogsim.Session:
    """A finished game of a batch, played in a session."""
    bots = [names[(seat + deal) % len(names)] for seat in range(len(names))]
    session = rogsim.Session.new(game, len(names), seed=seed, deal=deal, options=options, bots=bots)
    session.play_bots()
    return session


def by_chance(game: str, players: int, options: Mapping[str, Any], seed: int = 1) -> Iterator[rogsim.Session]:
    """A session before each decision of a game of random choices, and at its end."""
    session = rogsim.Session.new(game, players, seed=seed, options=options)
    chance = np.random.default_rng(seed)
    while not session.is_over:
        yield session
        session.apply(int(chance.choice(session.legal)))
    yield session


def everything(session: rogsim.Session) -> tuple[Any, ...]:
    """All that a step could change."""
    return session.state.tobytes(), session._histories.tobytes(), session.taken, session.legal, str(session)


def check_against_batch(game: str, options: Mapping[str, Any], names: Sequence[str], games: int, seed: int) -> None:
    spec = get_game(game)
    setup, batch = setup_of(spec, options, len(names)), batch_of(spec, names, games, seed)
    seats, rows = play_batch(spec, setup, batch)
    traces = list(spec.record(setup, dataclasses.replace(batch, deals=batch.deals[:SOME])))
    for deal in range(games):
        session = played(game, options, names, deal, seed)
        seat_rows, game_rows = session.rows()
        assert seat_rows.tolist() == seats[deal * len(names) : (deal + 1) * len(names)].tolist()
        assert game_rows.tolist() == rows[deal : deal + 1].tolist()
        if deal < SOME:
            assert session.to_trace() == traces[deal]


@pytest.mark.parametrize(("game", "options", "names", "games"), MIXTURES)
def test_bots_play_the_games_of_a_batch(game: str, options: dict[str, Any], names: list[str], games: int) -> None:
    """Every mixture of bots, compiled and agents, gives the same rows and traces step by step as in a batch."""
    check_against_batch(game, options, names, games, seed=3)


@pytest.mark.skipif(not compiler.ENABLED, reason="thinking ahead in whole games takes too long uncompiled")
@pytest.mark.parametrize(("game", "options", "names", "games"), THINKING)
def test_bots_that_think_ahead_do_so_in_a_session(
    game: str, options: dict[str, Any], names: list[str], games: int
) -> None:
    """Bots with notes and many random numbers give the same rows and traces, too."""
    check_against_batch(game, options, names, games, seed=4)


def rows_of(game: str, options: dict[str, Any], names: list[str]) -> list[Any]:
    """The rows of one game as plain numbers, called in a process of its own, too."""
    register(DICE_RACE)
    return [[list(row) for row in rows.tolist()] for rows in played(game, options, names, 1, 6).rows()]


@pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled here that could be compared")
def test_uncompiled_sessions_are_the_same() -> None:
    """Without the compiler, a session gives the same rows."""
    games = [mixture[:3] for mixture in MIXTURES[:7]]
    for game, found in zip(games, uncompiled(rows_of, games), strict=True):
        assert found == rows_of(*game), game


@pytest.mark.once_uncompiled
@pytest.mark.parametrize(
    ("game", "players", "options"),
    [("dice-race", 2, {}), ("dice-race", 4, {"end": "fair"}), (GOLD, 2, {}), (GOLD, 4, {"patrons": "draft"})],
)
def test_numbers_and_words_are_the_same_actions(game: str, players: int, options: dict[str, Any]) -> None:
    """A game played by numbers, applied again in words, reaches the same state, rows and trace."""
    *_, first = by_chance(game, players, options)
    again = rogsim.Session.new(game, players, seed=1, options=options)
    for action in first.taken:
        assert len({str(words) for words in again.actions}) == len(again.legal)
        again.apply(again.actions[again.legal.index(action)], seat=again.actor)
    assert everything(again) == everything(first)
    assert [rows.tolist() for rows in again.rows()] == [rows.tolist() for rows in first.rows()]
    assert again.to_trace() == first.to_trace()
    assert set(first.to_trace().get("bots", ["by hand"])) == {"by hand"}


def misuse(session: rogsim.Session, chance: np.random.Generator) -> None:
    """Do something to a session that is not allowed."""
    count = session.spec.rules.actions  # type: ignore[union-attr]
    legal, over = session.legal, session.is_over
    right = legal[0] if legal else 0
    other = (session.actor + 1) % session.players if not over else 0
    illegal = [number for number in range(-2, count + 2) if number not in legal]
    wrong: list[Any] = [int(chance.choice(illegal)), np.int64(chance.choice(illegal))]
    wrong += [-(10**40), 10**5000, 0.0, math.nan, None, True, np.True_, "0", b"0", [right], (right,), {right}, object()]
    wrong += [np.array([right]), np.array(float(right)), np.array(True)]
    wrong += [{}, {"do": "nothing"}, {"do": [{}]}, {"do": np.arange(3)}, {0: right}, {**dict.fromkeys("ab", "c")}]
    wrong += [{**words, "more": 1} for words in session.actions[:3]]
    wrong += [dict.fromkeys(words) for words in session.actions[:3]]
    calls = [lambda action=action: session.apply(action) for action in wrong]
    calls += [lambda seat=seat: session.apply(right, seat) for seat in (other, -1, session.players, "0", 0.5, 10**30)]
    calls += [lambda seat=seat: session.observe(seat) for seat in (-1, session.players, None, "1", 1.0, True, 2**70)]
    calls += [lambda: session.describe(-1), lambda: session.play_bots(), lambda: session.play_bots(-1)]
    if over:
        calls += [lambda: session.apply(right), lambda: session.actor]
    else:
        calls += [session.rows, session.to_trace]
    calls[chance.integers(len(calls))]()


@pytest.mark.once_uncompiled
def test_a_misuse_is_a_plain_error_and_changes_nothing() -> None:
    """A thousand random misuses during and after games each raise one line and leave every bit as it was."""
    chance, done = np.random.default_rng(5), 0
    games = [("dice-race", 3, {"long": 40}), (GOLD, 3, {"patrons": "draft"}), (GOLD, 2, {})]
    for number, (game, players, options) in enumerate(games):
        for session in by_chance(game, players, options, seed=number):
            for _ in range(40 if session.is_over else 3):
                before = everything(session)
                with pytest.raises(RogsimError) as caught:
                    misuse(session, chance)
                assert str(caught.value).count("\n") == 0
                assert 10 < len(str(caught.value)) < 400
                assert everything(session) == before
                done += 1
    assert done >= 1000


@pytest.mark.once_uncompiled
def test_misuses_are_told_apart() -> None:
    """The message says what was wrong and what is allowed."""
    session = rogsim.Session.new("dice-race", 2)
    for action, message in (
        (7, "there is no action 7: they are 0 to 1"),
        ("roll", r"'roll' is not an action: give one of `legal` \(a whole number\) or one of `actions` \(a dict\)"),
        ({"do": "fly"}, r"action \{'do': 'fly'\} is not legal for seat 0 now: `legal` lists 2"),
    ):
        with pytest.raises(RogsimError, match=message):
            session.apply(action)  # type: ignore[arg-type]
    with pytest.raises(RogsimError, match="seat 1 cannot choose now: seat 0 must"):
        session.apply(0, seat=1)
    with pytest.raises(RogsimError, match="seat: 2 is not allowed: must be a whole number from 0 to 1"):
        session.observe(2)
    with pytest.raises(RogsimError, match="no seat has a bot"):
        session.play_bots()
    with pytest.raises(RogsimError, match="the game is not over: only a finished game has rows"):
        session.rows()
    while not session.is_over:
        session.apply({"do": "walk"})
    with pytest.raises(RogsimError, match="the game is over"):
        session.apply(0)
    assert session.legal == ()


@pytest.mark.once_uncompiled
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"source": "chess"}, 'no game "chess": choose from dice-race, river-of-gold'),
        ({"source": "no/such.toml"}, "no/such.toml: there is no such file"),
        ({"source": 5}, "5 is not allowed: name a game or a scenario file"),
        ({"players": 7}, "players: 7 is not allowed: choose from 2, 3, 4"),
        ({"players": "two"}, "players"),
        ({"seed": -1}, "seed: -1 is not allowed"),
        ({"deal": 2**63}, "deal: 9223372036854775808 is not allowed: must be a whole number from 0 to"),
        ({"deal": 0.5}, "deal: 0.5 is not allowed"),
        ({"options": {"length": 3}}, "options: length: unknown"),
        ({"change": {"nothing": 3}}, "change: nothing: unknown"),
        ({"bots": "jumper"}, 'no bot "jumper": choose from runner, walker, moody'),
        ({"bots": ["runner"] * 3}, "bots: 3 is not allowed: there are 2 seats"),
        ({"bots": 3}, "bots: 3 is not a bot"),
        ({"bots": [None, {}]}, r"bots: \{\} is not a bot"),
        (
            {"source": {"game": "dice-race", "players": [2, 3], "games": 1, "seed": 1, "bots": ["runner"]}},
            "one of 2, 3",
        ),
    ],
)
def test_a_session_that_cannot_begin_says_why(given: dict[str, Any], message: str) -> None:
    """Wrong games, scenarios, numbers, options, changes and bots are one plain line."""
    keys = {"source": "dice-race", "players": None if "one of" in message else 2} | given
    with pytest.raises(RogsimError, match=message) as caught:
        rogsim.Session.new(**keys)
    assert "\n" not in str(caught.value)


@pytest.mark.once_uncompiled
def test_a_scenario_gives_its_game_options_and_changes() -> None:
    """A session of a scenario is a game of its run: the same seed, options and changed parameters."""
    keys = ANY_SCENARIO | {"bots": ["moody"], "options": {"short": 20, "long": 20}, "change": {"spaces.more": 3}}
    run = rogsim.run(keys, jobs=1).seats().collect()
    for game in range(4):
        session = rogsim.Session.new(keys, deal=game, bots="moody")
        session.play_bots()
        assert session.rows()[0]["points"].tolist() == run.filter(game=game)["points"].to_list()
    other = rogsim.Session.new(keys, 3, seed=1, change={"spaces.more": 0}, options={"short": 5, "long": 5})
    assert (other.players, other.seed, int(other.state.goal)) == (3, 1, 5)


@pytest.mark.once_uncompiled
@pytest.mark.parametrize(("game", "names"), [("dice-race", ["moody"] * 2), (GOLD, ["random", TRADER, "balanced"])])
def test_a_copy_is_independent(game: str, names: list[str]) -> None:
    """Playing a copy changes neither the game nor its bots, and both go on as the game alone would have."""
    alone = rogsim.Session.new(game, len(names), seed=2, bots=names)
    alone.play_bots()
    session = rogsim.Session.new(game, len(names), seed=2, bots=names)
    while not session.is_over:
        before = everything(session)
        copied = session.copy()
        copied.play_bots(None if len(session.taken) % 40 == 0 else 3)
        assert everything(session) == before
        if copied.is_over:
            assert copied.rows()[0].tolist() == alone.rows()[0].tolist()
        assert session.play_bots(5) == min(5, len(alone.taken) - len(before[2]))
    assert everything(session) == everything(alone)


@pytest.mark.parametrize("copy_of", [copy.copy, copy.deepcopy])
def test_the_copies_of_the_module_copy_are_independent(copy_of: Callable[[rogsim.Session], rogsim.Session]) -> None:
    """`copy.copy` and `copy.deepcopy` give what `copy()` gives, also with bots in the seats."""
    session = rogsim.Session.new("dice-race", 2, seed=2, bots="moody")
    session.play_bots(3)
    before, copied = everything(session), copy_of(session)
    copied.play_bots()
    assert everything(session) == before
    session.play_bots()
    assert everything(session) == everything(copied)


def test_a_session_is_not_pickled() -> None:
    """One line says what to send to another process instead."""
    with pytest.raises(SessionError, match="a session cannot be pickled: begin it again there and apply the actions"):
        pickle.dumps(rogsim.Session.new("dice-race", 2))


@pytest.mark.once_uncompiled
@pytest.mark.parametrize(("game", "names"), [("dice-race", ["moody", "runner"]), (GOLD, [TRADER, "random"])])
def test_a_restarted_session_is_like_a_new_one(game: str, names: list[str]) -> None:
    """Whatever was played before, the state, the bots and the rows are those of a new session of that deal."""
    options = {"end": "fair"} if game == "dice-race" else {"patrons": "draft"}
    session = rogsim.Session.new(game, 2, seed=3, options=options, bots=names)
    copied, before = session.copy(), everything(session)
    session.play_bots(9)
    for given, seed, deal in (({}, 3, 1), ({"seed": 8}, 8, 0), ({"deal": 5}, 8, 5), ({"seed": 2, "deal": 3}, 2, 3)):
        session.restart(**given)
        fresh = rogsim.Session.new(game, 2, seed=seed, deal=deal, options=options, bots=names)
        assert everything(session) == everything(fresh)
        session.play_bots(6)
    fresh.play_bots()
    session.play_bots()
    assert [rows.tolist() for rows in session.rows()] == [rows.tolist() for rows in fresh.rows()]
    assert session.to_trace() == fresh.to_trace()
    assert everything(copied) == before
    now = everything(session)
    for given in ({"deal": -1}, {"seed": 2**63}, {"deal": "1"}, {"seed": True}):
        with pytest.raises(RogsimError, match="is not allowed: must be a whole number from 0 to"):
            session.restart(**given)  # type: ignore[arg-type]
    assert everything(session) == now


def in_words(session: rogsim.Session, view: Any, seat: int) -> Any:
    """The observation of a view, without its source of random numbers."""
    return session.spec.rules.describe(session._setup, view, seat, None)  # type: ignore[union-attr]


@pytest.mark.once_uncompiled
@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        ("dice-race", 3, {}),
        (GOLD, 2, {}),
        (GOLD, 3, {"patrons": "draft"}),
        (GOLD, 4, {"patrons": "alternative"}),
        (GOLD, 4, {"patrons": "dealt"}),
    ],
)
def test_observations_hide_what_is_hidden(game: str, players: int, options: dict[str, Any]) -> None:
    """With everything hidden from a seat dealt anew, it observes the same, and its legal actions are the same."""
    for session in by_chance(game, players, options):
        rules = session.spec.rules
        assert rules is not None
        dealt = len(session.taken) + 1
        if dealt % EVERY:
            continue
        for seat in range(players):
            stream, holder = compiler.records(STREAM, 1)[0], compiler.records(rules.holder, 1)[0]
            stream.key = dealt * players + seat
            view = session.observe(seat)
            rules.deal_world(session._tables[0], view, seat, stream, holder)
            assert holder.game.tobytes() != session.state.tobytes()
            other = session.copy()
            other._states[0] = holder.game
            other._step(NO_ACTION)
            assert other.observe(seat).tobytes() == view.tobytes()
            assert other.vector(seat).tobytes() == session.vector(seat).tobytes()
            assert in_words(other, other.observe(seat), seat) == in_words(session, view, seat)
            if not session.is_over:
                assert other.actor == session.actor
                if seat == session.actor:
                    assert (other.legal, other.actions) == (session.legal, session.actions)


@pytest.mark.once_uncompiled
def test_the_random_numbers_of_a_seat_do_not_tell_the_game() -> None:
    """The description of a seat draws what its agent draws, and not from the key of the game."""
    first, second = (rogsim.Session.new(GOLD, 2, seed=1, bots=[TRADER, None]) for _ in range(2))
    assert [first.describe(1)["random"].random() for _ in range(3)] == [
        second.describe(1)["random"].random() for _ in range(3)
    ]
    assert first.describe(0)["random"] is not first.describe(1)["random"]
    assert first.describe(0)["me"] == 0
    assert first.describe(1)["me"] == 1
    assert first.describe(1)["players"][0]["hand"] is None


@pytest.mark.once_uncompiled
@pytest.mark.parametrize(("game", "players"), [("dice-race", 4), (GOLD, 3)])
def test_the_score_at_the_end_is_that_of_the_rows(game: str, players: int) -> None:
    """Points, ranks and win shares of the last score are those of the rows; before it, shares add up to 1."""
    options = {"end": "fair"} if game == "dice-race" else {}
    for seed in range(SOME):
        for session in by_chance(game, players, options, seed):
            score = session.score()
            assert sum(standing.win_share for standing in score) == pytest.approx(1)
            assert min(standing.rank for standing in score) == 1
        seats, _ = session.rows()
        assert [standing.points for standing in score] == seats["points"].tolist()
        assert np.float32([standing.win_share for standing in score]).tolist() == seats["win_share"].tolist()
        if "rank" in seats.dtype.names:
            assert [standing.rank for standing in score] == seats["rank"].tolist()


class Fails:
    """Chooses the last action, and fails when it is asked for the third time."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, observation: Any, actions: list[dict[str, Any]]) -> int:
        self.asked += 1
        if self.asked == 3:
            raise ValueError("no idea")
        return len(actions) - 1


class Refuses:
    """Answers with a place that is not on the menu."""

    def choose(self, observation: Any, actions: list[dict[str, Any]]) -> int:
        return len(actions)


@pytest.mark.once_uncompiled
@pytest.mark.parametrize("game", ["dice-race", GOLD])
def test_a_bot_that_fails_leaves_the_game_as_it_was(game: str) -> None:
    """The error names the bot and what it did; the decisions before it are kept, and play can go on by hand."""
    options = {"long": 50, "short": 50} if game == "dice-race" else {}
    session = rogsim.Session.new(game, 2, options=options, bots=[Fails, None])
    before = everything(session)
    with pytest.raises(BotFault, match='bot "Fails" raised ValueError: no idea in deal 0 with 2 players, turn '):
        while not session.is_over:
            if session.play_bots(1) == 0:
                session.apply(session.legal[0])
            before = everything(session)
    assert not session.is_over
    assert everything(session) == before
    session.apply(session.legal[0])
    with pytest.raises(BotFault, match=r'bot "Refuses" answered place (\d+) of a menu of \1 in deal 0'):
        rogsim.Session.new(game, 2, bots=Refuses()).play_bots()


@pytest.mark.once_uncompiled
def test_people_and_bots_take_turns() -> None:
    """Bots play until a seat without one must choose."""
    session = rogsim.Session.new("dice-race", 3, bots=["walker", None, "walker"])
    while not session.is_over:
        session.play_bots()
        if not session.is_over:
            assert session.actor == 1
            session.apply({"do": "roll"})
    assert session.to_trace()["turns"][0] == {"seat": 0, "do": "walk", "to": 3}
    assert "over" in repr(session)
