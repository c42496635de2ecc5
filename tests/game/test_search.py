"""The kit's bots in the dice race: chance, planning and search, against exact values."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game import compiler
from rogsim.game.batches import Batch
from rogsim.game.compiler import records
from rogsim.game.kit import bots
from rogsim.game.kit.search import FEWEST_WORLDS, plan_choice, plan_evenly, search_choice
from rogsim.game.kit.search.hooks import Search, carry_out, default_search, play_on, scratch_of
from rogsim.game.kit.search.lines import (
    CLEAR,
    ENDGAME,
    TRUST,
    add_values,
    drop_clearly_behind,
    search_of,
    sort_lines,
    start_totals,
)
from rogsim.game.kit.workspace import BOT_MEMORY
from tests.dice_game import GAME, exact
from tests.dice_game.rules import ROLL, WALK, WALK_SPACES
from tests.dice_game.spec import RULES
from tests.uncompiled import uncompiled

GOAL = 10
THINKING = ["planner", "search"]
POSITIONS = [(8, 6), (7, 0), (0, 0), (4, 6)]  # spaces of the actor and of the other
ROLLOUTS = 8_000 if compiler.ENABLED else 200
SIGMAS = 4.5


@compiler.part
def roll_on(setup: Any, race: Any, scratch: Any) -> None:
    carry_out(setup, race, ROLL)


@compiler.part
def only_rolling(setup: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> None:
    scratch.search.kept = 2
    scratch.search.lines[0, 0] = scratch.search.lines[1, 0] = ROLL


@compiler.part
def spaces_moved(setup: Any, race: Any, seat: int, scratch: Any) -> float:
    return race.position[seat] / race.goal


LINES = search_of(RULES.state, 8, 1)
AMONG_RUNNERS = Search(scratch_of(RULES, ("runners", "i1")), move=roll_on)
HEADLONG = Search(scratch_of(RULES, ("headlong", "i1")), list_lines=only_rolling, evaluate=spaces_moved)
DEFAULT = default_search(RULES.state)
BEGINNING = np.dtype([("search", DEFAULT.scratch["search"]), ("menu", RULES.menu)], align=True)


def setup_of(players: int = 2, **options: Any) -> Any:
    return GAME.prepare(GAME.options(**{"short": GOAL, "long": GOAL} | options), players)


class Question:
    """A race of two in which the first must choose, and the memory of the bot that is asked."""

    def __init__(self, mine: int, other: int, *settings: float) -> None:
        dtypes = (RULES.state, RULES.menu, BOT_MEMORY)
        self.view, self.menu, self.memory = (records(dtype, 1)[0] for dtype in dtypes)
        self.setup = setup_of()
        RULES.begin(self.setup, self.view, 1, 0)
        self.view.position[:2] = mine, other
        RULES.legal(self.setup, self.view, self.menu)
        RULES.hide(self.view, 0)
        self.memory.weights[ENDGAME], self.memory.weights[TRUST] = 1.0, 0.5
        self.memory.weights[: len(settings)] = settings
        self.memory.stream.key = 5

    @property
    def drawn(self) -> int:
        """How many numbers the bot took from its stream."""
        return int(self.memory.stream.count)

    def ask(self, choice: Any, search: Search) -> int:
        """The action that is chosen."""
        self.scratches = records(search.scratch, 1)
        place = choice(self.setup, self.view, self.menu, self.memory, self.scratches)
        return int(self.menu.actions[place])

    @property
    def search(self) -> Any:
        """What the last choice left in its memory."""
        return self.scratches[0].search


def value(action: int, mine: int, other: int, steps: exact.Steps) -> float:
    """The chance of the first of two to win by an action if both move by `steps` afterwards."""

    def after(spaces: int) -> float:
        place = min(mine + spaces, GOAL)
        return 1.0 if place == GOAL else 1.0 - exact.sudden([steps, steps], GOAL, [other, place])[0]

    return after(WALK_SPACES) if action == WALK else sum(map(after, range(1, 7))) / 6


def empty_rows(games: int, players: int) -> list[Any]:
    return [np.zeros(count, dtype) for count, dtype in zip((games * players, games), GAME.row_dtypes, strict=True)]


def play(names: list[str], games: int, seed: int = 3, **options: Any) -> list[Any]:
    """Seat rows and game rows of races on rotating seats."""
    players = len(names)
    seating = ((np.arange(players) + np.arange(games)[:, None]) % players).astype(np.int8)
    bots = tuple(compile_bot(GAME, find_bot(GAME, name, Path())) for name in names)
    seats, rows = (
        np.zeros(count, dtype) for count, dtype in zip((games * players, games), GAME.row_dtypes, strict=True)
    )
    GAME.play(setup_of(players, **options), Batch(seed, players, np.arange(games), seating, bots), seats, rows)
    return [seats, rows]


# ------------------------------------------------------------------------------------------------------- random


def test_chance_takes_every_place_on_the_menu_equally_often() -> None:
    """Of 6,000 choices among six each place gets a sixth, within four standard deviations."""
    memory, menu = records(BOT_MEMORY, 1)[0], records(RULES.menu, 1)[0]
    memory.stream.key, menu.count = 1, 6
    counts = np.bincount([bots.choose_at_random(None, None, menu, memory) for _ in range(6_000)], minlength=6)
    assert len(counts) == 6
    assert abs(counts - 1_000).max() < 4 * (6_000 * 5 / 36) ** 0.5


# ---------------------------------------------------------------------------------------------- values and choices


@pytest.mark.parametrize(("mine", "other"), POSITIONS)
@pytest.mark.parametrize("search", [DEFAULT, AMONG_RUNNERS])
def test_rollouts_estimate_the_exact_value_of_each_action(mine: int, other: int, search: Search) -> None:
    """The mean of the rollouts is the exact chance to win, and the better action is chosen where it is clear."""
    steps = exact.MOODY if search is DEFAULT else exact.RUNNER
    question = Question(mine, other, 2, 0, ROLLOUTS, 1_000)
    chosen, found = question.ask(search_choice, search), question.search
    worlds = ROLLOUTS // 2
    exactly = {action: value(action, mine, other, steps) for action in (ROLL, WALK)}
    spread = SIGMAS * 0.5 / worlds**0.5
    for line in range(2):
        action = int(found.lines[line, 0])
        mean = (found.totals[line] - 0.5 * found.worths[line]) / worlds
        assert abs(mean - exactly[action]) < spread, action
    if abs(exactly[ROLL] - exactly[WALK]) > 2 * spread:
        assert chosen == max(exactly, key=exactly.__getitem__)


@compiler.kernel
def plan_many(tables: Any, view: Any, menu: Any, memory: Any, scratches: Any) -> int:
    return plan_evenly(tables, view, menu, memory, scratches, ROLLOUTS // 2)


@pytest.mark.parametrize(("mine", "other"), POSITIONS)
def test_planning_evenly_tries_every_line_in_all_worlds(mine: int, other: int) -> None:
    """The mean over the worlds is the exact chance to win for both lines, and a clearly better one is taken."""
    question = Question(mine, other, 2, 3, 0, 1_000)
    chosen, found, worlds = question.ask(plan_many, AMONG_RUNNERS), question.search, ROLLOUTS // 2
    exactly = {action: value(action, mine, other, exact.RUNNER) for action in (ROLL, WALK)}
    spread = SIGMAS * 0.5 / worlds**0.5
    for line in range(2):
        mean = (found.totals[line] - 0.5 * found.worths[line]) / worlds
        assert abs(mean - exactly[int(found.lines[line, 0])]) < spread
    if abs(exactly[ROLL] - exactly[WALK]) > 2 * spread:
        assert chosen == max(exactly, key=exactly.__getitem__)


@pytest.mark.parametrize(("setting", "least", "worlds"), [(3, 6, 6), (9, 6, 9)])
def test_planning_evenly_takes_the_larger_number_of_worlds(setting: int, least: int, worlds: int) -> None:
    """Both lines are tried in each world, which takes two numbers from the bot's stream."""

    def evenly(*asked: Any) -> int:
        return plan_evenly(*asked, least)

    question, listing = Question(4, 6, 2, setting, 0, 3), Question(4, 6, 2, 0, 0, 3)
    question.ask(evenly, DEFAULT)
    listing.ask(plan_choice, DEFAULT)
    assert question.drawn - listing.drawn == 2 * worlds


@pytest.mark.parametrize(("choice", "settings"), [(search_choice, (2, 0, 60, 1_000)), (plan_choice, (2, 30, 0, 0))])
def test_a_sure_win_is_taken(choice: Any, settings: tuple[float, ...]) -> None:
    """Three spaces before the goal a walk wins and a roll may not."""
    for mine in (GOAL - 3, GOAL - 2):
        assert Question(mine, 9, *settings).ask(choice, DEFAULT) == WALK


@cache
def improved_wins(mine: int, other: int, mine_next: bool) -> float:
    """The exact chance of whoever takes the better action by `value` to beat one who moves at random."""
    if mine >= GOAL or other >= GOAL:
        return float(mine >= GOAL)
    if not mine_next:
        return sum(chance * improved_wins(mine, other + spaces, True) for spaces, chance in exact.MOODY.items())
    roll, walk = (value(action, mine, other, exact.MOODY) for action in (ROLL, WALK))
    steps = exact.RUNNER if roll > walk else exact.WALKER
    return sum(chance * improved_wins(mine + spaces, other, False) for spaces, chance in steps.items())


@pytest.mark.once_compiled
def test_search_beats_chance_as_often_as_computed() -> None:
    """Against `random` it wins what the better action is worth at every choice, computed exactly; well above half."""
    games = 2_000
    seats, _ = play(["search@rollouts=400", "random"], games)
    found = seats["win_share"].reshape(games, 2)[np.arange(games), np.arange(games) % 2].mean()
    truth = (improved_wins(0, 0, True) + improved_wins(0, 0, False)) / 2
    assert truth > 0.55
    assert abs(found - truth) < SIGMAS * 0.5 / games**0.5


@pytest.mark.once_compiled
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", THINKING)
def test_thinking_beats_chance(name: str, players: int) -> None:
    """In races to the end of the round, too, a bot that thinks wins more than its share against `random`."""
    games = 1_500
    seats, _ = play([name, *["random"] * (players - 1)], games, end="fair")
    mine = (np.arange(players) + np.arange(games)[:, None]) % players == 0
    assert seats["win_share"].reshape(games, players)[mine].mean() > 1.1 / players


# ------------------------------------------------------------------------------------------------------ fairness


@pytest.mark.parametrize("name", ["random", *THINKING])
def test_no_bot_uses_hidden_information(name: str) -> None:
    """The audit deals the hidden part anew, and every choice stays the same."""
    bot = compile_bot(GAME, find_bot(GAME, name if name != "search" else "search@rollouts=20", Path()))
    games = 4
    batch = Batch(1, 2, np.arange(games), np.zeros((games, 2), np.int8), (bot,))
    rows = empty_rows(games, 2)
    audit = GAME.audit(setup_of(), batch, *rows, lambda: None)
    assert audit.checked > 2
    assert (audit.inconsistent, audit.peeking) == ([], [])


@pytest.mark.parametrize("search", [DEFAULT, AMONG_RUNNERS])
def test_all_lines_meet_the_same_chance(search: Search) -> None:
    """A world stays as it was dealt, and the same line in it has the same value again."""
    question = Question(2, 3, 2, 0, 4, 1_000)
    question.ask(search_choice, search)
    before = question.search.world.tobytes()
    values = [[play_on(question.setup, 0, line, 1_000, question.scratches[0]) for line in (0, 1)] for _ in range(3)]
    assert values[0] == values[1] == values[2]
    assert question.search.world.tobytes() == before


def test_a_search_changes_only_its_memory() -> None:
    """View, menu and set-up are the same afterwards; asked again with the same stream, it chooses the same."""
    question = Question(4, 6, 2, 0, 16, 9)
    shown = (question.view, question.menu, question.setup)
    before = [record.tobytes() for record in shown]
    first = question.ask(search_choice, DEFAULT)
    assert [record.tobytes() for record in shown] == before
    assert first == Question(4, 6, 2, 0, 16, 9).ask(search_choice, DEFAULT)


def races(name: str) -> list[list[Any]]:
    """Some races of a bot against `random`."""
    return [rows.tolist() for rows in play([name, "random", name], 6)]


@pytest.mark.once_compiled
def test_uncompiled_races_are_the_same() -> None:
    """Races of all three bots have the same rows uncompiled as compiled, and again."""
    names = [["random"], ["planner"], ["search@rollouts=12"]]
    found = uncompiled(races, names)
    for rows, name in zip(found, names, strict=True):
        played = [[list(row) for row in table] for table in races(*name)]
        assert rows == played == [[list(row) for row in table] for table in races(*name)]


# ------------------------------------------------------------------------------------------------------ settings


@compiler.part
def half_left(setup: Any, view: Any, scratch: Any) -> float:
    return 0.5


HALF_OVER = Search(scratch_of(RULES, ("half_over", "i1")), time_left=half_left)


@pytest.mark.parametrize(("endgame", "worlds"), [(1.0, 7), (0.5, 7), (0.4, 0), (-1.0, 0)])
def test_a_planner_plays_on_only_in_its_endgame(endgame: float, worlds: int) -> None:
    """With half of the game left, worlds are dealt if the endgame is half of the game or more."""
    question = Question(4, 6, 2, 7, 0, 3, endgame)
    question.ask(plan_choice, HALF_OVER)
    listing = Question(4, 6, 2, 0, 0, 3)
    listing.ask(plan_choice, HALF_OVER)
    assert question.drawn - listing.drawn == 2 * worlds


@pytest.mark.parametrize("trust", [0.0, 0.5, 40.0])
def test_the_position_right_after_a_line_counts_as_so_many_worlds(trust: float) -> None:
    """Totals start at the worth at first sight times the trust; with enough of it, worlds change nothing."""
    question = Question(8, 6, 2, 3, 0, 1_000, 1.0, trust)
    question.ask(plan_choice, DEFAULT)
    without = Question(8, 6, 2, 3, 0, 1_000, 1.0, 0.0)
    without.ask(plan_choice, DEFAULT)
    gained = question.search.totals[:2] - without.search.totals[:2]
    assert gained == pytest.approx(trust * question.search.worths[:2])


def test_more_rollouts_deal_more_worlds() -> None:
    """Both lines are tried in each world, which takes two numbers from the bot's stream."""
    questions = [Question(4, 6, 2, 0, rollouts, 9) for rollouts in (10, 20, 40)]
    for question in questions:
        question.ask(search_choice, DEFAULT)
    assert np.diff([question.drawn for question in questions]).tolist() == [2 * 5, 2 * 10]


@pytest.mark.parametrize(("turns", "played"), [(-2, 0), (0, 0), (1, 1), (2, 2), (3, 2)])
def test_turns_end_a_rollout(turns: int, played: int) -> None:
    """After the line and these turns, whole rounds from a round on, the position is evaluated."""
    question = Question(0, 0, 2, 0, 2, turns)
    question.ask(search_choice, HEADLONG)
    found = question.search
    assert found.line.turns == 1 + played
    last = found.totals[1] - 0.5 * found.worths[1]  # the second line was played last
    assert last == pytest.approx(found.line.position[0] / GOAL)
    assert last > 0


@pytest.mark.parametrize(("turns", "rounds", "played"), [(0, 1, 2), (0, 2, 4), (1, 1, 3), (3, 1, 4), (2, -1, 2)])
def test_rounds_are_played_on_in_addition(turns: int, rounds: int, played: int) -> None:
    """A round of two is two turns."""
    question = Question(0, 0, 2, 0, 2, turns, 1, 0.5, rounds)
    question.ask(search_choice, HEADLONG)
    assert question.search.line.turns == 1 + played


def records_of_lines(values: NDArray[np.float64], clear: float, trust: float = 0.0) -> tuple[Any, Any]:
    """The memory of a search after worlds in which the lines, in columns, had these values; and that of the bot."""
    search, memory = records(LINES, 1)[0], records(BOT_MEMORY, 1)[0]
    memory.weights[CLEAR], memory.weights[TRUST] = clear, trust
    search.kept = values.shape[1]
    start_totals(search, trust)
    for world in values:
        search.values[: len(world)] = world
        add_values(search, len(world))
    sort_lines(search, int(search.kept))
    return search, memory


def test_squares_of_two_lines_are_those_of_their_differences() -> None:
    """They add up exactly, whichever of the two is in front in a world."""
    search, _ = records_of_lines(np.zeros((0, 2)), 0.0)
    worlds = np.random.RandomState(2).normal(size=(30, 2))
    for world in worlds:
        search.values[:2] = world
        add_values(search, 2)
        sort_lines(search, 2)
    assert search.squares[0] + search.squares[1] == pytest.approx(((worlds[:, 0] - worlds[:, 1]) ** 2).sum())
    assert search.squares[:2].min() > 0  # each was in front at times


@pytest.mark.parametrize("trust", [0.0, 5.0])
@pytest.mark.parametrize("clear", [0.0, 1.0, 2.0, 3.0])
def test_lines_that_are_clearly_behind_are_dropped(clear: float, trust: float) -> None:
    """They are those whose predicted lead of the best exceeds its standard error so many times, computed plainly."""
    done, planned, lines = 6, 12, 7
    for seed in range(20):
        random_values = np.random.RandomState(seed)
        values = random_values.normal(size=(done, lines)) + random_values.normal(size=lines)
        search, memory = records_of_lines(values, clear, trust)
        order, totals = search.order[:lines].tolist(), values.sum(axis=0)
        squares = ((values - values[:, :1]) ** 2).sum(axis=0)  # the first line was in front
        kept = []
        for line in order:
            lead = totals[order[0]] - totals[line]
            per_world = lead / (done + trust)
            predicted = lead + per_world * (planned - done)
            variance = (squares[order[0]] + squares[line]) / done
            error = (variance * (planned - done) * (1 + (planned - done) / (done + trust))) ** 0.5
            if line == order[0] or clear == 0.0 or predicted <= clear * error:
                kept.append(line)
        left = drop_clearly_behind(search, lines, done, planned, memory)
        assert search.order[:left].tolist() == kept
    assert drop_clearly_behind(search, lines, planned, planned, memory) == lines  # no worlds are to come


def test_a_choice_that_is_clear_takes_fewer_worlds() -> None:
    """A win in sight is found in fewer worlds, and none are saved without the setting; the choice is the same."""
    questions = [Question(7, 9, 2, 200, 0, 1_000, 1, 0, 0, clear) for clear in (0.0, 2.0)]
    assert [question.ask(plan_choice, AMONG_RUNNERS) for question in questions] == [WALK, WALK]
    listing = Question(7, 9, 2, 0, 0, 1_000)
    listing.ask(plan_choice, AMONG_RUNNERS)
    worlds = [(question.drawn - listing.drawn) / 2 for question in questions]
    assert worlds[0] == 200
    assert FEWEST_WORLDS <= worlds[1] < 100


@pytest.mark.once_compiled
@pytest.mark.parametrize(("clear", "most"), [(2.0, 0.04), (3.0, 0.01)])
def test_a_clear_choice_is_seldom_another_one(clear: float, most: float) -> None:
    """Even where a roll is worth nearly as much as a walk, few choices differ from those after all 60 worlds."""

    def chosen(key: int, clear: float) -> int:
        question = Question(0, 0, 2, 60, 0, 1_000, 1, 0, 0, clear)
        question.memory.stream.key = key
        return question.ask(plan_choice, AMONG_RUNNERS)

    keys = range(2_000)
    differ = sum(chosen(key, 0.0) != chosen(key, clear) for key in keys)
    assert differ < most * len(keys)


@pytest.mark.parametrize("settings", list(product((0, -7, 99), (0, 3), (-5, 3), (-3, 1e6))))
def test_settings_out_of_their_range_are_brought_into_it(settings: tuple[float, ...]) -> None:
    """At least one line is tried, and no more than there are; the choice is on the menu."""
    for choice in (search_choice, plan_choice):
        question = Question(3, 3, *settings)
        assert question.ask(choice, DEFAULT) in (ROLL, WALK)
        assert question.search.kept == (2 if settings[0] == 99 else 1)


def test_one_choice_is_the_best_at_first_sight() -> None:
    """With `choices = 1` an action that wins in the one world that is dealt is taken without a rollout."""
    question = Question(7, 9, 1, 0, 80, 9)
    question.ask(search_choice, DEFAULT)
    assert (question.search.kept, question.search.worths[0], question.drawn) == (1, 1.0, 1)


# --------------------------------------------------------------------------------------------- what a game supplies


def test_a_game_lists_the_lines() -> None:
    """A search that knows only rolling rolls, even where walking wins."""
    assert Question(7, 9, 2, 0, 20, 9).ask(search_choice, HEADLONG) == ROLL


@pytest.mark.parametrize("memory", [scratch_of(RULES, ("runners", "i1")), BEGINNING], ids=["the same", "the beginning"])
def test_two_searches_cannot_share_a_memory(memory: np.dtype[Any]) -> None:
    """Compiled code could not tell them apart."""
    with pytest.raises(ValueError, match="another search has the same memory"):
        Search(memory)
