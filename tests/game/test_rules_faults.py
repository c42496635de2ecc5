"""Errors of a game's own rules name the rules and the place, and no bot."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rogsim
from rogsim.game import compiler
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot, BotFault
from rogsim.game.kit import faults, loop, playing
from rogsim.game.kit.bots import choose_at_random
from rogsim.game.kit.faults import RulesFault
from tests.dice_game import rules
from tests.dice_game.spec import GAME, RULES

Play = Callable[..., None]
counter = count()
SOON = 200  # decisions after which a game counts as one that never ends


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Play two games of the dice race, or none, with some of its rules replaced, by a bot that chooses."""
    for module in (loop, faults):
        monkeypatch.setattr(module, "MOST_DECISIONS", SOON)

    def played(bot: Any = choose_at_random, games: int = 2, agent: Any = None, **change: Any) -> None:
        # Compiled code finds rules by the dtype of a state, and keeps them: so broken rules have one of their own.
        fields = [(name, RULES.state[name]) for name in RULES.state.names or ()]
        state = np.dtype([(f"own{next(counter)}", "i1"), *fields], align=True)
        broken, players = replace(RULES, state=state, **change), 2
        spec = replace(GAME, rules=broken)
        choose = None if agent else spec.compile_bot(bot)
        line_up = (Bot("hasty", choose, np.zeros(0), agent),) * players
        seating = np.tile(np.arange(players, dtype=np.int8), (games, 1))
        batch = Batch(3, players, np.arange(games), seating, line_up)
        rows = [np.zeros(games * count, dtype) for count, dtype in zip((players, 1), spec.row_dtypes, strict=True)]
        playing.play(broken, spec.prepare(spec.options(), players), batch, *rows)

    return played


@compiler.part
def apply_misspelt(tables: Any, race: Any, action: int) -> None:
    race.turnz += 1


@compiler.part
def apply_in_words(tables: Any, race: Any, action: int) -> None:
    race.turns = race.turns + "one"


def never_over(race: Any) -> bool:
    return False


def always_both(tables: Any, race: Any, menu: Any) -> None:
    menu.count = 2
    menu.actions[:2] = rules.ROLL, rules.WALK


def nothing_legal(tables: Any, race: Any, menu: Any) -> None:
    menu.count = 0


def divide_by_zero(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    return 1 // (int(menu.count) - 2)


def apply_in_thought(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    apply_misspelt(tables, view, 0)
    return 0


def reshape_wrongly(race: Any) -> bool:
    return bool(np.reshape(race.over, 2).any())


def describe_wrongly(setup: Any, view: Any, seat: int, chance: Any) -> Any:
    return {}["nothing"]


def warn(*_: Any) -> int:
    warnings.warn("soon otherwise", DeprecationWarning, stacklevel=1)
    return 0


class Agent:
    """Takes the first action."""

    def choose(self, observation: Any, actions: Any) -> Any:
        return actions[0]


class WarningAgent:
    """Gives a warning, which the settings of Python may turn into an error."""

    def choose(self, observation: Any, actions: Any) -> Any:
        return warn()


FILE = Path(__file__).name
MISSPELT = compiler.as_python(apply_misspelt).__code__.co_firstlineno + 2


def test_playing_gives_no_warning() -> None:
    """Games are played also where every warning is an error, whatever was played or imported before."""
    keys = {"game": "river-of-gold", "players": [2], "games": 1, "seed": 1, "bots": ["random"]}
    for _ in range(2):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert rogsim.run(keys, jobs=1).seats().collect().height == 2


@pytest.mark.once_uncompiled
@pytest.mark.parametrize(
    "change", [{"bot": warn}, {"agent": WarningAgent}, {"apply": warn}], ids=lambda change: next(iter(change))
)
def test_a_warning_is_nobodys_fault(play: Play, change: dict[str, Any]) -> None:
    """A warning that Python's settings turn into an error is raised as it is, and not as a fault of a bot or rules."""
    with pytest.raises(DeprecationWarning, match="soon otherwise"):
        play(**change)


@pytest.mark.once_uncompiled
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"apply": apply_misspelt}, f'there is no field "turnz", did you mean "turns"? at {FILE}, line '),
        (
            {"apply": apply_misspelt, "bot": apply_in_thought},
            f'there is no field "turnz", did you mean "turns"? at {FILE}, line ',
        ),
        (
            {"is_over": reshape_wrongly},
            f"size 1 into shape (2,) at {FILE}, line ",
        ),
        ({"describe": describe_wrongly, "agent": Agent}, f"raised KeyError: 'nothing' at {FILE}, line "),
        ({"legal": nothing_legal}, "leave seat 0 no legal action, in deal 0 with 2 players, turn 1"),
        (
            {"is_over": never_over, "legal": always_both},
            f"do not end after {SOON} decisions, in deal 0 with 2 players, turn ",
        ),
        ({"most_turns": 3}, "turns, but its most_turns is 3"),
    ],
    ids=["apply", "apply in a bot", "a library", "describe", "legal", "is_over", "most_turns"],
)
def test_the_rules_are_named(play: Play, change: dict[str, Any], problem: str) -> None:
    """The error says what the rules did, and where."""
    with pytest.raises(RulesFault) as caught:
        play(**change)
    text = str(caught.value)
    assert text.startswith("the rules in tests.")
    assert problem in text


@pytest.mark.once_uncompiled
def test_a_bot_is_still_to_blame_for_its_own_errors(play: Play) -> None:
    """An error in the bot itself names the bot."""
    with pytest.raises(BotFault, match=r'^bot "hasty" raised ZeroDivisionError'):
        play(divide_by_zero)


@pytest.mark.once_compiled
def test_rules_that_do_not_compile_give_one_line(play: Play) -> None:
    """It shows the innermost error and how to find the line, whether or not any game is played."""
    for games, apply, problem in (
        (0, apply_misspelt, f'do not compile: there is no field "turnz" at {FILE}, line {MISSPELT}. Rules can use'),
        (2, apply_misspelt, f'do not compile: there is no field "turnz" at {FILE}, line {MISSPELT}. Rules can use'),
        (2, apply_in_words, f"add(int64, Literal[str](one)) at {FILE}, line "),
    ):
        with pytest.raises(RulesFault) as caught:
            play(games=games, apply=apply)
        text = str(caught.value)
        assert problem in text
        assert "NUMBA_DISABLE_JIT=1" in text
        assert "\n" not in text


@pytest.mark.once_compiled
def test_a_longer_game_than_announced_reads_nothing_beyond(play: Play) -> None:
    """The points after a percentage of the turns are read only where there is room for them."""
    with pytest.raises(RulesFault, match="its most_turns is 3"):
        play(most_turns=3)
