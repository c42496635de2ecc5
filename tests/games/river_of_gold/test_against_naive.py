"""The compiled rules against the slow ones: recorded games replay, and both offer the same actions at every choice."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from rogsim.game import compiler
from rogsim.games.river_of_gold.components.names import CUSTOMERS, MASTERIES, PATRONS
from rogsim.games.river_of_gold.rules.state import OVER, PHASES, TURN
from tests.games.river_of_gold.games import BOT_NAMES, PATRON_MODES, batch_of, naive_facts, setup_for, traces
from tests.games.river_of_gold.table import Step, Table
from tests.naive.river_of_gold import PASS, NaiveGame, replay

pytestmark = pytest.mark.slow

KINDS = (
    *("exchange", "favor", "build", "sail", "deliver", "good", "journey", "sell", "draw", "reshuffle"),
    *("discard", "royal", "marker", "claim", "set_die", "roll", "visit", "end_trigger"),
)


def all_steps(trace: dict[str, Any]) -> Iterator[Step]:
    for turn in trace["turns"]:
        yield from turn["steps"]


def draws_without_discard(trace: dict[str, Any]) -> int:
    """Count the draws that found too few cards (R16)."""
    short = 0
    for turn in trace["turns"]:
        steps = [step["do"] for step in turn["steps"] if step["do"] != "exchange"]
        after = zip(steps, [*steps[1:], "nothing"], strict=True)
        short += sum(step == "draw" and next_step not in ("discard", "reshuffle") for step, next_step in after)
    return short


# ------------------------------------------------------------------------------------------ recorded games


FIGURES, PLAYERS = ("printed", "generous"), (2, 3, 4)
EACH = 4 if compiler.ENABLED else 1  # games of each line-up


def recorded(figures: str, players: int, each: int = EACH) -> list[dict[str, Any]]:
    """Games of every patron mode and bot."""
    games = []
    for place, mode in enumerate(PATRON_MODES):
        setup = setup_for(figures, players, mode)
        line_ups = [[name] * players for name in BOT_NAMES]
        line_ups.append([*BOT_NAMES[1:], "random"][:players])  # a mixed table
        if not compiler.ENABLED:
            line_ups = [["random"] * players, ["courier"] * players] if (place + players) % 4 == 0 else []
        for bots in line_ups:
            count = 2 * each if compiler.ENABLED and bots[0] == "random" else each
            games += traces(setup, batch_of(bots, games=count, seed=players))
    return games


@pytest.fixture(scope="module")
def games() -> list[tuple[str, dict[str, Any]]]:
    return [(figures, trace) for figures in FIGURES for players in PLAYERS for trace in recorded(figures, players, 1)]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("figures", FIGURES)
def test_recorded_games_replay_in_the_slow_rules(figures: str, players: int) -> None:
    """The slow rules play every recorded game step by step, with the same points: a thousand games if compiled."""
    games = recorded(figures, players)
    for trace in games:
        replay(trace, naive_facts(figures))
    assert len(games) >= (1000 / 6 if compiler.ENABLED else 2)


def test_the_recorded_games_leave_nothing_out(games: list[tuple[str, dict[str, Any]]]) -> None:
    """The replayed games contain each kind of step, choices on other seats' turns, and every card."""
    kinds: Counter[str] = Counter()
    met: set[str] = set()
    for _, trace in games:
        met |= set(trace["setup"]["patrons"] or ())
        for step in all_steps(trace):
            kinds[step["do"]] += 1
            kinds[f"{step['do']} on another's turn"] += "seat" in step
            met |= {step[key] for key in ("customer", "mastery") if key in step and step["do"] != "discard"}
        kinds["cards gave out"] += draws_without_discard(trace)
    if compiler.ENABLED:
        assert met == {*CUSTOMERS, *PATRONS, *MASTERIES}
        assert min(kinds[kind] for kind in [*KINDS, "good on another's turn"]) >= 20
        assert kinds["cards gave out"] >= 5
    assert set(kinds) >= {"build", "sail", "deliver", "visit", "end_trigger", "reshuffle"}


# ---------------------------------------------------------------------------------------------- every menu


def as_set(steps: list[Step]) -> set[tuple[Any, ...]]:
    found = {tuple(sorted(step.items())) for step in steps}
    assert len(found) == len(steps), f"some of {steps} are on the menu twice"
    return found


class Comparison:
    """Plays one game on the compiled rules and follows it with the slow ones, comparing every menu."""

    def __init__(self, figures: str, players: int, patrons: str, deals: int) -> None:
        self.rng = random.Random(deals)
        self.fast = Table(bare=False, setup=setup_for(figures, players, patrons), deals=deals)
        while self.fast.expects == "draft":
            self.fast.take(**self.rng.choice(self.fast.options("patron")))
        self.slow = NaiveGame(naive_facts(figures), self.fast.recorder.opening, players)
        self.kinds: Counter[str] = Counter()
        self.asked = False  # whether the active player was just offered to exchange and did not
        self.followed = 0

    def play(self) -> Counter[str]:
        while not self.fast.over:
            menu = self.fast.menu()
            self.compare(list(menu.values()))
            self.choose(menu)
        assert self.slow.over
        return self.kinds

    def compare(self, steps: list[Step]) -> None:
        fast, slow = self.fast, self.slow
        self.kinds[fast.expects] += 1
        where = f"turn {slow.turn_number}, {fast.expects} of seat {fast.chooser}"
        assert fast.active == slow.active, where
        self.compare_state(where)
        if fast.expects == "pause":
            assert slow.chooser != slow.active or slow.expects == "turn_end", where
            assert as_set(steps) == as_set([PASS, *slow.exchanges()]), where
            assert slow.exchanges() or self.fast.steps[-1]["do"] == "exchange", f"{where}: nothing to pause for"
            return
        assert fast.chooser == slow.chooser, where
        assert as_set(steps) == as_set(slow.legal()), where
        if fast.chooser != fast.active:
            self.expect_asked()

    def compare_state(self, where: str) -> None:
        """Compare what everybody has; between turns, also points and the row."""
        fast, slow = self.fast, self.slow
        state = slow.state()
        settled = fast.expects == "turn"
        assert fast.row == state["row"] or not settled, where
        markers = {str(space): fast.owners(space) for space in range(1, 31) if fast.owners(space)}
        assert markers == state["markers"], where
        for seat, wanted in enumerate(state["seats"]):
            player = vars(fast.seat(seat))
            found = {name: player[name] for name in wanted}
            found["royal"] = None if player["royal"] < 0 else player["royal"]
            found["points"] = player["points"] if settled else wanted["points"]
            assert found == wanted | {"delivered": sorted(wanted["delivered"])}, where

    def choose(self, menu: dict[int, Step]) -> None:
        fast, slow = self.fast, self.slow
        phase, turn = fast.expects, int(fast.game.turn)
        step = self.liked(list(menu.values()))
        fast.recorder.take(next(action for action, option in menu.items() if option == step))
        if step == PASS and phase in ("sell", "set_die"):
            slow.take(PASS)
        self.asked = phase == "pause" and step == PASS
        self.follow()
        if fast.over or fast.game.turn > turn:
            assert slow.expects == "turn_end", f"turn {turn}: the slow rules wait for {slow.expects}"
            self.expect_asked()
            slow.take(PASS)

    def follow(self) -> None:
        """Take the steps that the compiled game has recorded since the last call."""
        steps = self.fast.steps
        for step in steps[self.followed :]:
            if step["do"] == "roll" and self.slow.expects == "set_die":
                self.slow.take(PASS)  # Kakita Ryoku cannot pay: the compiled rules do not ask
            if step["do"] == "visit":
                self.expect_asked()
            self.slow.take(step)
            self.asked = False
        self.followed = len(steps)

    def expect_asked(self) -> None:
        """Check that the active player could exchange just before, if an exchange was possible."""
        where = f"turn {self.slow.turn_number}, before {self.slow.expects} of seat {self.slow.chooser}"
        assert self.asked or not self.slow.exchanges(), f"{where}: nobody asked for exchanges"

    def liked(self, steps: list[Step]) -> Step:
        """Choose a kind of step first, so that deliveries and rare choices are frequent."""
        kinds = sorted({step["do"] for step in steps})
        if "deliver" in kinds and self.rng.random() < 0.8:
            kinds = ["deliver"]
        if len(kinds) > 1 and "exchange" in kinds and self.rng.random() < 0.8:
            kinds.remove("exchange")
        kind = self.rng.choice(kinds)
        return self.rng.choice([step for step in steps if step["do"] == kind])


CASES = [
    (figures, players, mode) for figures in ("printed", "generous") for players in (2, 3, 4) for mode in PATRON_MODES
]


def test_every_menu_holds_the_legal_steps_of_the_slow_rules() -> None:
    """At every choice both versions ask the same seat and offer the same steps, each once."""
    kinds: Counter[str] = Counter()
    for figures, players, mode in CASES if compiler.ENABLED else CASES[1::5]:
        for deals in range(2 if compiler.ENABLED else 1):
            kinds += Comparison(figures, players, mode, deals).play()
    if compiler.ENABLED:
        assert min(kinds[phase] for phase in PHASES[TURN:OVER]) >= 20, kinds
