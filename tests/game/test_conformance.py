"""The checks that any game can run on itself find what is wrong with a game, and nothing wrong with a right one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import Field, field_validator

import tests.dice_game
from rogsim.base.errors import RogsimError
from rogsim.game import rules as contract
from rogsim.game.bot import BotInfo
from rogsim.game.compiler import part, records
from rogsim.game.kit.conformance import as_module, digest_elsewhere, game_at, problems_of, random_walk
from rogsim.game.kit.conformance.played_games import FaultyError, in_one_line
from rogsim.game.kit.vector import number
from rogsim.game.rng import STREAM
from rogsim.game.topics import Topic
from tests.dice_game import rules
from tests.dice_game.spec import GAME, RULES, Options, Recorder

once_uncompiled = pytest.mark.once_uncompiled

DICE = "tests.dice_game:GAME"


@pytest.mark.once_compiled  # then the second process need not compile
def test_the_dice_race_has_no_problems() -> None:
    """Nor do its uncompiled games, which a second process plays."""
    assert problems_of(DICE) == []


NARROW = """
from dataclasses import replace
from tests.dice_game.spec import GAME, RULES, Options, Recorder

def write_rows(tables, race, scores, history, seat_rows, game_rows, row):
    game_rows[row].track = 300

GAME = replace(GAME, rules=replace(RULES, write_rows=write_rows))
"""


@pytest.mark.once_compiled  # so that the second process need not compile
def test_the_error_of_the_second_process_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A number beyond a narrow column is an error only uncompiled; the line names it, and where it was raised."""
    (tmp_path / "narrow.py").write_text(NARROW)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(FaultyError, match=r"be played uncompiled: .*300 out of bounds.* at narrow\.py, line 6, "):
        digest_elsewhere("narrow:GAME", 1)


@pytest.mark.once_compiled
def test_a_second_process_that_says_nothing_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only its exit code is left, as after a crash."""
    (tmp_path / "crashing.py").write_text("import os\nos._exit(7)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(FaultyError, match="uncompiled: the process ended with exit code 7"):
        digest_elsewhere("crashing:GAME", 1)


@part
def apply_misspelt(tables: Any, race: Any, action: int) -> None:
    race.turnz += 1


@pytest.mark.once_compiled
def test_rules_that_do_not_compile_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows the compiler's reason, and how to find the line."""
    state = np.dtype([("misspelt", "i1"), *((name, RULES.state[name]) for name in RULES.state.names)], align=True)
    broken = replace(GAME, players=(2,), rules=replace(RULES, state=state, apply=apply_misspelt))
    monkeypatch.setattr(tests.dice_game, "BROKEN", broken, raising=False)
    found = problems_of("tests.dice_game:BROKEN", games=1, other_side=False)
    assert found
    for line in found:
        assert re.search(
            r'the rules do not compile: there is no field "turnz" at test_conformance\.py, line \d+\. ', line
        )


@part
def legal_too_much(tables: Any, race: Any, menu: Any) -> None:
    """Say that there are more actions than the menu holds."""
    rules.legal(tables, race, menu)
    menu.count = 50_000


@part
def legal_and_beyond(tables: Any, race: Any, menu: Any) -> None:
    """Write one action behind the menu without listing it."""
    menu.count = 1
    for place in range(len(menu.actions) + 1):
        menu.actions[place] = rules.ROLL


@pytest.mark.parametrize(
    ("legal", "problem"),
    [
        (legal_too_much, "legal lists 50000 actions, and the menu of the rules holds only 16"),
        (legal_and_beyond, "the game raised IndexError"),
    ],
)
def test_a_menu_that_overflows_is_found(legal: Any, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else is overwritten, compiled or not."""
    state = np.dtype([(problem[:10], "i1"), *((name, RULES.state[name]) for name in RULES.state.names)], align=True)
    broken = replace(GAME, players=(2,), rules=replace(RULES, state=state, legal=legal))
    monkeypatch.setattr(tests.dice_game, "BROKEN", broken, raising=False)
    (found,) = problems_of("tests.dice_game:BROKEN", games=1, other_side=False)
    assert found.startswith(f"2 players, {{}}, deal 0: {problem}")


FAILING = {
    "needy": ("import nothing_of_that_name\n", "ModuleNotFoundError: No module named 'nothing_of_that_name' at {}"),
    "mistyped": ("\nGAME = GMAE\n", "NameError: name 'GMAE' is not defined at {}, line 2"),
    "unknown": ("import numpy\nnumpy.dtype('int7')\n", "TypeError: data type 'int7' not understood at {}, line 2"),
    "unread": ("GAME = = 5\n", "SyntaxError: invalid syntax ({}, line 1)"),
    "ending": ("raise SystemExit(3)\n", "SystemExit: 3 at {}, line 1"),
}


@once_uncompiled
@pytest.mark.parametrize("name", FAILING)
def test_a_module_that_fails_is_one_line(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The line names the file and the line of the error, once."""
    text, why = FAILING[name]
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(RogsimError) as fault:
        game_at(f"{name}:GAME")
    error = in_one_line(fault.value)
    assert error.startswith(f"{name}:GAME: cannot be imported: {why.format(f'{name}.py')}")
    assert error.count("line") == 1
    assert "\n" not in error


Change = dict[str, Callable[..., Any]]
counter = count()


def legal_twice(tables: Any, race: Any, menu: Any) -> None:
    menu.count = 2
    menu.actions[:2] = rules.ROLL


def legal_nothing(tables: Any, race: Any, menu: Any) -> None:
    menu.count = 0


def legal_always(tables: Any, race: Any, menu: Any) -> None:
    """Also when somebody has arrived."""
    menu.count = 2
    menu.actions[:2] = rules.ROLL, rules.WALK


def legal_by_chance(tables: Any, race: Any, menu: Any) -> None:
    """Depends on the key of chance, which the actor cannot see."""
    menu.count = 1 if race.key == 0 else 2
    menu.actions[:2] = rules.ROLL, rules.WALK


def begin_otherwise(tables: Any, race: Any, seed: int, deal: int) -> None:
    RULES.begin(tables, race, seed, next(counter))


def apply_otherwise(tables: Any, race: Any, action: int) -> None:
    RULES.apply(tables, race, action)
    race.rounds += next(counter) % 2


def apply_to_tables(tables: Any, race: Any, action: int) -> None:
    RULES.apply(tables, race, action)
    tables.goals[1] += 1


def hide_nothing(view: Any, seat: int) -> None:
    """Leaves everything in sight."""


def deal_one_world(tables: Any, view: Any, seat: int, stream: Any, holder: Any) -> None:
    """Deals with a key that is always the same."""
    RULES.deal_world(tables, view, seat, records(STREAM, 1)[0], holder)


def deal_itself(tables: Any, view: Any, seat: int, stream: Any, holder: Any) -> None:
    holder.game = view


def apply_without_dice(tables: Any, race: Any, action: int) -> None:
    """Everybody moves one space."""
    race.position[race.actor] += 1
    race.turns += 1
    race.over = race.position[race.actor] == race.goal
    race.actor = (race.actor + 1) % race.players


def score_two_seconds(tables: Any, race: Any, scores: Any) -> None:
    RULES.score(tables, race, scores)
    scores["rank"][scores["rank"] == 1] = 2


def score_too_much(tables: Any, race: Any, scores: Any) -> None:
    RULES.score(tables, race, scores)
    scores["win_share"] = 1.0


def describe_beyond(setup: Any, view: Any, seat: int, chance: Any) -> int:
    """Knows of two seats only."""
    return [0, 1][seat]


def score_ties_in_full(tables: Any, race: Any, scores: Any) -> None:
    RULES.score(tables, race, scores)
    scores["win_share"] = scores["rank"] == 1


def write_no_track(tables: Any, race: Any, scores: Any, history: Any, seat_rows: Any, game_rows: Any, row: int) -> None:
    RULES.write_rows(tables, race, scores, history, seat_rows, game_rows, row)
    game_rows[row].track = 7


def write_track_sometimes(
    tables: Any, race: Any, scores: Any, history: Any, seat_rows: Any, game_rows: Any, row: int
) -> None:
    before = int(game_rows[row].track)
    RULES.write_rows(tables, race, scores, history, seat_rows, game_rows, row)
    game_rows[row].track = before


def write_no_decisions(
    tables: Any, race: Any, scores: Any, history: Any, seat_rows: Any, game_rows: Any, row: int
) -> None:
    RULES.write_rows(tables, race, scores, history, seat_rows, game_rows, row)
    game_rows[row].decisions = 0


def write_more_turns(
    tables: Any, race: Any, scores: Any, history: Any, seat_rows: Any, game_rows: Any, row: int
) -> None:
    RULES.write_rows(tables, race, scores, history, seat_rows, game_rows, row)
    game_rows[row].turns = 31


def write_otherwise(
    tables: Any, race: Any, scores: Any, history: Any, seat_rows: Any, game_rows: Any, row: int
) -> None:
    RULES.write_rows(tables, race, scores, history, seat_rows, game_rows, row)
    game_rows[row].rounds += next(counter) % 3


@once_uncompiled
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"legal": legal_twice}, "the menu lists an action twice"),
        ({"legal": legal_nothing}, "there is no legal action"),
        ({"legal": legal_by_chance}, "sees other legal actions than there are"),
        ({"begin": begin_otherwise}, "the same seed and deal give different games"),
        ({"apply": apply_otherwise}, "leads to different states from the same one"),
        ({"apply": apply_to_tables}, "changes the tables"),
        ({"hide": hide_nothing}, "changes with what it does not see"),
        ({"score": score_two_seconds}, "ranks are"),
        ({"score": score_too_much}, "win shares are"),
        ({"score": score_too_much}, "4 players, {}, deal 0, at its end: win shares are"),
        ({"write_rows": write_no_track}, "column track has values without a label"),
        ({"write_rows": write_otherwise}, "a replay of its actions gives other rows: the column rounds differs"),
        ({"write_rows": write_track_sometimes}, "write_rows does not write the column track in every row"),
        ({"write_rows": write_no_decisions}, "write_rows does not write decisions; rows.write_game of the kit does"),
        ({"seats": lambda race: 2}, "has 2 seats instead of 3"),
        ({"actor": lambda race: 5}, "the actor is seat 5"),
        ({"most_turns": 3}, "deal 0, turn 4, decision 4: turn 4 is played, but most_turns is 3"),
        ({"deal_world": deal_one_world}, "deal_world always deals the same world"),
        ({"bot_key": lambda race, seat: race.key}, "bot_key is the same for two seats"),
        ({"bot_key": lambda race, seat: seat}, "bot_key is the same in two deals"),
        (
            {"describe": describe_beyond},
            "decision 1: describe for seat 2 raised IndexError: list index out of range (test_",
        ),
        (
            {"action_to_dict": lambda setup, race, action: {"do": "move"}},
            "decision 1: action_to_dict gives the same for the actions 0 and 1: {'do': 'move'}",
        ),
        ({"action_to_dict": lambda setup, race, action: "move"}, "action_to_dict of action 0 is not a dict: 'move'"),
        ({"vector": lambda setup: [number("position[seat]", 0, 5)]}, "sees it, and its bounds are 0 and 5"),
        (
            {"vector": lambda setup: [number("turns", 0, 2)]},
            "decision 4: vector: turns is 3 as seat 1 sees it, and ",
        ),
        ({"vector": lambda setup: [number("places", 0, 1)]}, 'vector: "places": there is no field "places"'),
        ({"vector": lambda setup: [number("goal[seat]", 0, 1)]}, '"goal" has no entry for each of 2 seats'),
        ({"vector": lambda setup: [number("goal", 0, setup.longest)]}, "vector raised AttributeError: "),
        ({"vector": lambda setup: []}, "vector lists no fields"),
        ({"most_turns": 50, "scorings": lambda race: 0}, "in the history"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_fault_of_a_game_is_found(change: Change, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of these faults is put into the dice race, and named."""
    monkeypatch.setitem(contract._RULES, RULES.state, RULES)  # back in place after the test
    broken = replace(GAME, rules=replace(RULES, **change))
    monkeypatch.setattr(tests.dice_game, "BROKEN", broken, raising=False)
    found = problems_of("tests.dice_game:BROKEN", games=2, other_side=False)
    assert any(problem in line for line in found), found


@once_uncompiled
@pytest.mark.parametrize(
    "change",
    [
        {"hide": hide_nothing},
        {"deal_world": deal_one_world},
    ],
)
def test_a_game_in_which_nothing_hidden_matters_passes(change: Change, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its worlds are all the same: nothing is hidden, or only keys of chance that nothing uses."""
    monkeypatch.setitem(contract._RULES, RULES.state, RULES)
    change = {"apply": apply_without_dice, "deal_world": deal_itself, **change}
    broken = replace(GAME, rules=replace(RULES, **change))
    monkeypatch.setattr(tests.dice_game, "BROKEN", broken, raising=False)
    assert problems_of("tests.dice_game:BROKEN", games=2, other_side=False) == []


@once_uncompiled
def test_a_turn_that_only_bots_reach_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random games may be shorter than those of the first bot, whose rows have the number of turns."""
    monkeypatch.setitem(contract._RULES, RULES.state, RULES)
    endless = replace(RULES, most_turns=30, write_rows=write_more_turns)
    monkeypatch.setattr(tests.dice_game, "BROKEN", replace(GAME, players=(2,), rules=endless), raising=False)
    assert problems_of("tests.dice_game:BROKEN", games=2, other_side=False) == [
        "2 players, {}, deal 0: turn 31 is played, but most_turns is 30"
    ]


@once_uncompiled
def test_a_game_that_does_not_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check gives up after many decisions, and plays no more games."""
    monkeypatch.setitem(contract._RULES, RULES.state, RULES)
    monkeypatch.setattr(random_walk, "MOST_STEPS", 30)
    endless = replace(RULES, is_over=lambda race: False, legal=legal_always)
    monkeypatch.setattr(tests.dice_game, "BROKEN", replace(GAME, rules=endless), raising=False)
    assert problems_of("tests.dice_game:BROKEN", games=2, other_side=False) == [
        "2 players, {}, deal 0, turn 30, decision 30: after 30 decisions the game is not over: apply must end it"
    ]


@once_uncompiled
def test_win_shares_of_rare_ties_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of the games that are checked decision by decision ends in a tie, but one of the others does."""
    monkeypatch.setitem(contract._RULES, RULES.state, RULES)
    rules = replace(RULES, score=score_ties_in_full)
    broken = replace(GAME, players=(2,), rules=rules, samples=({"end": "fair", "short": 40, "long": 40},))
    monkeypatch.setattr(tests.dice_game, "BROKEN", broken, raising=False)
    (found,) = problems_of("tests.dice_game:BROKEN", games=2, other_side=False)
    assert re.fullmatch(r".*, deal \d+: win shares are \[1.0, 1.0\]: the winners must share 1 equally", found)


@once_uncompiled
def test_a_topic_about_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a topic is about must be the beginning of a parameter's name."""
    topic = Topic("tracks", "Tracks", "Does it matter?", "draw", ("track",), about=("spaces", "space"))
    monkeypatch.setattr(tests.dice_game, "BROKEN", replace(GAME, players=(2,), topics=(topic,)), raising=False)
    assert problems_of("tests.dice_game:BROKEN", games=1, other_side=False) == [
        'topic tracks is about "space", and no parameter has a name that begins so'
    ]


class WrongDefault(Options):
    short: int = Field(0, ge=1)


class NoDefault(Options):
    short: int


class MistakenCheck(Options):
    @field_validator("end")
    @classmethod
    def check(cls, end: str) -> str:
        return {"fair": end}[end]


def runner(name: str) -> tuple[BotInfo, ...]:
    return (BotInfo("runner", "rolls"), BotInfo(name, "is missing"))


@once_uncompiled
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"ladder": ("runner", "walkr@pace=2")}, 'ladder: bot "walkr" is unknown, did you mean "walker"?'),
        ({"bench_bots": ("fast",)}, 'bench_bots: bot "fast" is unknown: choose from runner, walker, moody, random, '),
        ({"options": WrongDefault}, "default options: short: 0 is not allowed: must be 1 or more"),
        ({"options": NoDefault}, 'game "dice-race": option "short" has no default: give it one in the model'),
        ({"options": MistakenCheck}, "default options: a check of its options raised KeyError: 'sudden' at test_"),
        ({"samples": ({}, {"end": "late"})}, 'samples[1]: end: "late" is not allowed: choose from sudden, fair'),
        ({"samples": ({"lng": 5},)}, 'samples[0]: lng: unknown, did you mean "long"'),
        ({"samples": ("fair",)}, 'samples[0] is "fair": it must be a table of options'),
        ({"samples": ({"short": 9, "long": 8},)}, "the long track (8) is shorter than the short one (9)"),
        ({"prepare": lambda options, players: options.wide}, "2 players, {}: prepare raised AttributeError: "),
        ({"prepare": lambda options, players: int("x")}, "2 players, {}: prepare raised ValueError: invalid literal "),
        ({"prepare": lambda options, players: None}, "2 players, {}: prepare returned None; tables_of must find a "),
        ({"samples": ()}, "samples is empty"),
        ({"game_columns": GAME.game_columns[:1]}, 'game "dice-race": its game columns lack decisions'),
        ({"players": ()}, "players is empty"),
        ({"players": (2, 5)}, "players goes up to 5, and most_seats of the rules is only 4"),
        ({"bots": ()}, "bots is empty"),
        ({"bots": runner("sleeper")}, 'bot "sleeper" raised ModuleNotFoundError: No module named '),
        ({"bots": runner("__init__")}, 'bot "__init__": its module has no function "choose"'),
    ],
)
def test_a_wrong_declaration_is_one_line(change: Any, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says which part of the spec is wrong, and what is allowed."""
    broken = replace(GAME, **{"players": (2,), **change})
    monkeypatch.setattr(tests.dice_game, "BROKEN", broken, raising=False)
    found = problems_of("tests.dice_game:BROKEN", games=1, other_side=False)
    assert len(found) <= 2
    assert problem in found[0]
    assert "\n" not in found[0]


class Untitled(Recorder):
    def head(self, seed: int, deal: int, names: Sequence[str]) -> dict[str, Any]:
        return {"game": deal}


class Unnamed(Recorder):
    def head(self, seed: int, deal: int, names: Sequence[str]) -> dict[str, Any]:
        return {"format": self.name, "game": deal}


@once_uncompiled
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"recorder": Untitled}, '2 players, {}, deal 0: the format of a trace is not "dice-race-trace/1"'),
        ({"recorder": Unnamed}, "2 players, {}, deal 0: the recorder raised AttributeError: 'Unnamed' object has no "),
    ],
)
def test_a_wrong_trace_is_found(change: Change, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trace must name its format, and be written without an error."""
    monkeypatch.setitem(contract._RULES, RULES.state, RULES)
    broken = replace(GAME, players=(2,), rules=replace(RULES, **change))
    monkeypatch.setattr(tests.dice_game, "BROKEN", broken, raising=False)
    (found,) = problems_of("tests.dice_game:BROKEN", games=1, other_side=False)
    assert found.startswith(problem)


@once_uncompiled
def test_a_fault_is_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes up with every number of players and every sample."""
    broken = replace(GAME, narrate=lambda trace: trace["title"])
    monkeypatch.setattr(tests.dice_game, "BROKEN", broken, raising=False)
    assert len(broken.players) * len(broken.samples) > 1
    assert len(problems_of("tests.dice_game:BROKEN", games=1, other_side=False)) == 1


@once_uncompiled
def test_a_narration_that_fails_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line says where it was raised."""
    broken = replace(GAME, players=(2,), narrate=lambda trace: trace["title"])
    monkeypatch.setattr(tests.dice_game, "BROKEN", broken, raising=False)
    (found,) = problems_of("tests.dice_game:BROKEN", games=1, other_side=False)
    assert found.startswith("2 players, {}, deal 0: narrate raised KeyError: 'title' (test_conformance.py, line ")


@once_uncompiled
def test_a_game_can_be_named_by_its_id() -> None:
    """The script takes the id of an installed game, as all commands do."""
    assert game_at("river-of-gold").title == "River of Gold"


@once_uncompiled
def test_a_game_can_be_named_by_its_file() -> None:
    """If it is inside a package, so is its module."""
    file = Path(tests.dice_game.__file__).with_name("spec.py")
    assert as_module(str(file)) == "tests.dice_game.spec:GAME"
    assert game_at(str(file)) is GAME


@once_uncompiled
@pytest.mark.parametrize("wrong", ["tests.nothing:GAME", "tests.dice_game:NOTHING", "os:sep", "chess", "chess.py"])
def test_a_wrong_name_is_an_error(wrong: str) -> None:
    """It is one line."""
    with pytest.raises(RogsimError, match=rf"^.*{re.escape(wrong.removesuffix(':NOTHING'))}.*$"):
        game_at(wrong)
