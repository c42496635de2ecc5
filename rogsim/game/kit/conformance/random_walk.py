"""A game played at random, decision by decision: the rules keep what is asked of them at each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rogsim.game.compiler import records
from rogsim.game.kit import loop
from rogsim.game.kit.conformance.played_games import (
    SEED,
    EndlessError,
    FaultyError,
    attempt,
    check_shares,
    check_turns,
    expect,
    packed,
)
from rogsim.game.kit.vector import VectorLayout, layout_of
from rogsim.game.kit.workspace import history_of
from rogsim.game.rng import STREAM, BotRandom
from rogsim.game.rules import NO_ACTION, OVER, Rules, array_of
from rogsim.game.spec import GameSpec


class Menu:
    """A menu of a game.

    Attributes
    ----------
    array
        An array of one record of `Rules.menu`.
    """

    def __init__(self, rules: Rules) -> None:
        """Make an empty menu."""
        self.array, self._largest = records(rules.menu, 1), rules.largest_menu

    @property
    def actions(self) -> list[int]:
        """The listed actions."""
        listed: list[int] = self.array[0].actions[: int(self.array[0].count)].tolist()
        return listed

    def check(self) -> None:
        """The rules say no more actions than the menu holds; FaultyError otherwise."""
        count = int(self.array[0].count)
        if count > self._largest:
            raise FaultyError(f"legal lists {count} actions, and the menu of the rules holds only {self._largest}")


class Shown:
    """Checks what is shown of the views of one set-up."""

    def __init__(self, rules: Rules, setup: Any, players: int) -> None:
        """Lay the vector out; FaultyError if that fails."""
        self.rules, self.setup, self.layout = rules, setup, _layout(rules, setup, players)

    def check_vector(self, view: Any, seat: int) -> None:
        """Every element of a seat's vector is within its bounds."""
        layout = self.layout
        vector = layout.vector(view, seat)
        within = (layout.low <= vector) & (vector <= layout.high)
        if not within.all():
            place = int(np.argmin(within))
            low, value, high = (f"{float(numbers[place]):g}" for numbers in (layout.low, vector, layout.high))
            name = layout.names[place]
            raise FaultyError(f"vector: {name} is {value} as seat {seat} sees it, and its bounds are {low} and {high}")

    def check_description(self, view: Any, seat: int) -> None:
        """A seat's view can be described."""
        attempt(f"describe for seat {seat}", self.rules.describe, self.setup, view, seat, BotRandom(seat))

    def check_words(self, view: Any, legal: Sequence[int]) -> None:
        """Every legal action is in other words than the others, which is all that a Python bot knows of it."""
        known: dict[str, int] = {}
        for action in legal:
            words = attempt(f"action_to_dict of action {action}", self.rules.action_to_dict, self.setup, view, action)
            expect(isinstance(words, Mapping), f"action_to_dict of action {action} is not a dict: {words!r}")
            other = known.setdefault(repr(sorted(words.items(), key=repr)), action)
            expect(other == action, f"action_to_dict gives the same for the actions {other} and {action}: {words}")


def _layout(rules: Rules, setup: Any, players: int) -> VectorLayout:
    fields = attempt("vector", rules.vector, setup) if rules.vector else None
    expect(fields is None or len(fields) > 0, "vector lists no fields")
    try:
        return layout_of(rules, setup, players)
    except ValueError as fault:  # which names the field
        raise FaultyError(str(fault)) from fault


WORLDS = 8  # dealt for one view: by chance alone, they are hardly ever all the same
VIEWS = 3  # of a game, for which all worlds must be the same, and wrong, before the game is at fault


class Worlds:
    """The worlds that are dealt during one game, until two for the same view differ.

    A game may hide what can be only one thing, or what no longer matters. So worlds that are all the same count only
    if the game goes on differently in them.
    """

    def __init__(self, rules: Rules, tables: Any, stream: Any) -> None:
        """Prepare to deal worlds with random numbers from a stream."""
        self.rules, self.tables, self.stream = rules, tables, stream
        self.differ, self.wrong = False, 0

    def compare(self, state: Any, seat: int, action: int) -> None:
        """Deal worlds for the view of the actor, and compare how they go on; the state is not changed."""
        view = self._view(state, seat)
        if self.differ or packed(view) == packed(state):
            return
        first = self._deal(view, seat)
        self.differ = any(packed(self._deal(view, seat)) != packed(first) for _ in range(WORLDS - 1))
        if not self.differ:
            self.wrong += self._after(first, seat, action) != self._after(state, seat, action)

    def check(self) -> None:
        """Worlds differ, or what is hidden does not matter; FaultyError otherwise."""
        always = "deal_world always deals the same world, and what is hidden decides how the game goes on"
        expect(self.differ or self.wrong < VIEWS, always)

    def _deal(self, view: Any, seat: int) -> Any:
        copy, holder, world = view.copy(), records(self.rules.holder, 1)[0], records(self.rules.state, 1)
        self.rules.deal_world(self.tables[0], copy[0], seat, self.stream, holder)
        world[0] = holder.game
        return world

    def _after(self, state: Any, seat: int, action: int) -> bytes:
        """Return what a seat sees after an action."""
        other = state.copy()
        self.rules.apply(self.tables[0], other[0], action)
        return packed(self._view(other, seat))

    def _view(self, state: Any, seat: int) -> Any:
        view = records(self.rules.state, 1)
        loop.observe(state, seat, view)
        return view


EVERY = 7  # decisions after which the views of all seats are checked
THOROUGH, SELDOM = 2_000, 100  # decisions that are all checked, and how many pass between two checks after them
NOTHING_LEGAL = "there is no legal action, and the game is not over"
MOST_STEPS = 20_000  # a game that goes on after these will not end


class RandomWalk:
    """One game on its way, with random choices."""

    def __init__(self, spec: GameSpec, setup: Any, players: int, deal: int) -> None:
        self.rules, self.sides, self.players, self.deal = spec.rules, spec.sides(players), players, deal
        self.tables = array_of(self.rules.tables_of(setup))
        self.state, self.history = (records(dtype, 1) for dtype in (self.rules.state, history_of(self.rules)))
        self.menu = Menu(self.rules)
        self.stream, self.holder = records(STREAM, 1)[0], records(self.rules.holder, 1)[0]
        self.chance = np.random.default_rng((SEED, players, deal))
        self.decisions = 0
        self.place = ""  # where the game is, counted from 1
        self.course: dict[int, list[int]] = {}  # by turn: the points of all seats at its end
        self.actor = NO_ACTION
        self.shown = Shown(self.rules, setup, players)
        self.worlds = Worlds(self.rules, self.tables, self.stream)

    def play(self) -> None:
        """Play the whole game; FaultyError if something is wrong, with its place."""
        try:
            attempt("the game", self._play)
        except FaultyError as fault:
            fault.place = self.place
            raise

    def _play(self) -> None:
        self.rules.begin(self.tables[0], self.state[0], SEED, self.deal)
        self.actor = self._step(self.state, NO_ACTION)
        self._check_begin()
        while self.actor != OVER:
            if self.decisions == MOST_STEPS:
                raise EndlessError(f"after {MOST_STEPS:,} decisions the game is not over: apply must end it")
            self.place = f", turn {int(self.rules.turn(self.state[0])) + 1}, decision {self.decisions + 1}"
            if self.decisions < THOROUGH or self.decisions % SELDOM == 0:
                self._check_decision()
                self._choose()
            else:
                self._hurry()
        self.place = ", at its end"
        self._check_end()

    def _step(self, state: Any, action: int) -> int:
        actor = int(loop.step(self.tables, state, self.history, self.menu.array, action))
        self.menu.check()
        return actor

    def _check_state(self, state: Any, what: str = "") -> None:
        """What the game says cannot be, is not."""
        for fault in self.rules.faults(self.tables[0], state):
            raise FaultyError(f"{what}{fault}")

    def _check_begin(self) -> None:
        """The same deal gives the same game; the number of seats is that asked for; bots have keys of their own."""
        again = records(self.rules.state, 1)
        self.rules.begin(self.tables[0], again[0], SEED, self.deal)
        expect(packed(again) == packed(self.state), "the same seed and deal give different games")
        seats = int(self.rules.seats(self.state[0]))
        expect(seats == self.players, f"has {seats} seats instead of {self.players}")
        keys, others = self._bot_keys(self.deal), self._bot_keys(self.deal + 1)
        expect(len(set(keys)) == self.players, "bot_key is the same for two seats")
        expect(not set(keys) & set(others), "bot_key is the same in two deals")

    def _bot_keys(self, deal: int) -> list[int]:
        """Return the keys of the bots of all seats at the beginning of a deal."""
        state = records(self.rules.state, 1)[0]
        self.rules.begin(self.tables[0], state, SEED, deal)
        return [int(self.rules.bot_key(state, seat)) for seat in range(self.players)]

    def _check_decision(self) -> None:
        """Check the turn, the actor, its menu, and from time to time all views."""
        check_turns(self.rules, int(self.rules.turn(self.state[0])) + 1)
        expect(0 <= self.actor < self.players, f"the actor is seat {self.actor}")
        legal = self.menu.actions
        self._check_state(self.state[0])
        expect(len(legal) > 0, NOTHING_LEGAL)
        expect(len(set(legal)) == len(legal), f"the menu lists an action twice: {legal}")
        expect(set(legal) <= set(range(self.rules.actions)), f"the menu has actions beyond {self.rules.actions - 1}")
        everyone = self.decisions % EVERY == 0
        for seat in range(self.players) if everyone else (self.actor,):
            self._check_view(seat)
            self._check_shown(seat, everyone)

    def _check_view(self, seat: int) -> None:
        """A view stays the same when everything that is hidden in it is dealt anew; so does the actor's menu."""
        view, again = self._view(self.state, seat), records(self.rules.state, 1)
        self.rules.deal_world(self.tables[0], view[0], seat, self.stream, self.holder)
        again[0] = self.holder.game
        self._check_state(again[0], f"in a world dealt for seat {seat}, ")
        same = packed(self._view(again, seat)) == packed(view)
        expect(same, f"the view of seat {seat} changes with what it does not see, or with a world dealt for it")
        if seat == self.actor:
            menu = Menu(self.rules)
            self.rules.legal(self.tables[0], view[0], menu.array[0])
            menu.check()
            shown, legal = menu.actions, self.menu.actions
            expect(shown == legal, f"seat {seat} sees other legal actions than there are: {shown}, {legal}")

    def _check_shown(self, seat: int, in_words: bool) -> None:
        """The view of a seat is shown as a vector, and in words if asked for, and the actor's menu always."""
        view = self._view(self.state, seat)[0]
        self.shown.check_vector(view, seat)
        if in_words:
            self.shown.check_description(view, seat)
        if seat == self.actor:
            self.shown.check_words(view, self.menu.actions)

    def _view(self, state: Any, seat: int) -> Any:
        view = records(self.rules.state, 1)
        loop.observe(state, seat, view)
        return view

    def _choose(self) -> None:
        """Carry out a random action twice, on two copies of the game: both lead to the same state."""
        action = int(self.chance.choice(self.menu.actions))
        self.worlds.compare(self.state, self.actor, action)
        other, history, turn = self.state.copy(), self.history.copy(), int(self.rules.turn(self.state[0]))
        tables = packed(self.tables)
        self._step(other, action)
        self.history[:] = history
        self.actor = self._step(self.state, action)
        self.decisions += 1
        self._note_points(turn)
        expect(packed(other) == packed(self.state), f"action {action} leads to different states from the same one")
        expect(packed(self.tables) == tables, f"action {action} changes the tables")
        expect(int(self.rules.turn(self.state[0])) >= turn, "the number of the turn falls")

    def _hurry(self) -> None:
        """Carry out a random action, without any check."""
        turn, legal = int(self.rules.turn(self.state[0])), self.menu.actions
        expect(len(legal) > 0, NOTHING_LEGAL)
        self.actor = self._step(self.state, int(self.chance.choice(legal)))
        self.decisions += 1
        self._note_points(turn)

    def _note_points(self, before: int) -> None:
        """Note the points of all seats if a decision ended a turn."""
        turn = int(self.rules.turn(self.state[0]))
        ended = [before] * (turn > before) + [turn] * (self.actor == OVER)
        self.course |= {
            end: [int(self.rules.points(self.state[0], seat)) for seat in range(self.players)] for end in ended
        }

    def _check_end(self) -> None:
        """The history has the points after every turn; ranks and win shares fit; scoring leaves the game as it is."""
        for seat in range(self.players):
            self.shown.check_vector(self._view(self.state, seat)[0], seat)
        self._check_state(self.state[0])
        self.worlds.check()
        history = self.history[0]
        for turn, points in self.course.items():
            if turn < self.rules.most_turns:
                kept = history.points[int(history.place[turn])][: self.players].tolist()
                expect(kept == points, f"the points after turn {turn + 1} are {points}, but {kept} in the history")
        before, scores = packed(self.state), records(self.rules.scores, self.players)
        self.rules.score(self.tables[0], self.state[0], scores)
        expect(packed(self.state) == before, "scoring changes the game")
        check_shares(self.sides, scores["rank"].tolist(), scores["win_share"].tolist())
