"""`game`: makes the game that a module declares, with everything that follows from its fields and functions."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any

from rogsim.game.bot import BotInfo
from rogsim.game.compiler import note_sources
from rogsim.game.fair import EQUAL, Fair, Sides, sides_of
from rogsim.game.functions import callable_by_rules, piece
from rogsim.game.kit import rows
from rogsim.game.kit.bots import choose_at_random
from rogsim.game.kit.changes import checker_of
from rogsim.game.kit.kinds import DeclarationError, Field, Seats, fields_of
from rogsim.game.kit.menus import ActionList, Family, family
from rogsim.game.kit.setup import Setup, frozen
from rogsim.game.parameters import Change
from rogsim.game.plain import hidden, results, words
from rogsim.game.plain.derived import derived
from rogsim.game.plain.fields import Key
from rogsim.game.plain.hidden import Parts
from rogsim.game.plain.numbers import Numbers
from rogsim.game.rules import Rules, menu_of
from rogsim.game.spec import GameSpec

EVERY_GAME = (
    BotInfo("random", "Takes a random legal action.", module="rogsim.game.kit.bots", choose=choose_at_random),
    BotInfo(
        "rollouts",
        "Tries every action in many games that may come, played on at random.",
        quick_games=20,
        module="rogsim.game.kit.search",
    ),
)
BUDGETS = (100, 1_000)  # rollouts of the bots of the default ladder
NEEDED = ("begin", "legal", "apply")
FUNCTIONS = {  # of a module, with what they take
    "begin": "numbers, state",
    "legal": "numbers, state, menu",
    "apply": "numbers, state, action",
    "score": "numbers, state, seat",
    "tie_break": "numbers, state, seat",
    "won": "numbers, state, seat",
    "deal": "numbers, world, seat, chance",
    "invariant": "numbers, state",
}
BOT = "numbers, view, menu, memory"
PICTURE, DRAWN = "picture", "numbers, view"  # the function that draws a game, which is never compiled


def actions(**families: Mapping[str, Any] | None) -> tuple[ActionList, tuple[int, ...]]:
    """Declare all actions of a game, and return them with the number of the first one of each family.

    Parameters
    ----------
    **families
        The word for each family of actions; what its actions name, each with its values, or how many there are. The
        last one changes fastest. If a part has the name of a pile, a row or a hand, its values are places in it.
    """
    made: list[Family] = [family(do, **(parts or {})) for do, parts in families.items()]
    found = ActionList(*made)
    return found, found.starts


def game(
    module: str,
    *,
    title: str,
    players: Sequence[int],
    actions: ActionList,
    version: str = "1",
    most_turns: int = 0,
    bots: Sequence[Callable[..., int]] = (),
    fair: Fair = EQUAL,
    **more: Any,
) -> GameSpec:
    """Return the game that a module declares, as its last line: `GAME = game(__name__, title=..., ...)`.

    The module has the classes `State` and `Player`, and `Numbers` and `Options` if the game has any; the functions
    `begin`, `legal` and `apply`; and any of `score`, `tie_break`, `won`, `deal`, `invariant` and `picture`.

    Parameters
    ----------
    module
        The name of the module.
    title
        The name of the game.
    players
        The numbers of players that it allows.
    actions
        All its actions: the first thing that `rogsim.game.plain.actions` returns.
    version
        Of the rules as played: change it when results change.
    most_turns
        The most turns of a game, if reports should say who led when; longer games are then errors.
    bots
        Its bots: functions (numbers, view, menu, memory) that return a legal action. What a bot does is its docstring.
    fair
        What fair means: every seat wins equally often ("equal"), all win or lose together ("everyone"), or by number
        of players the team of each seat ({4: "ABAB"}) or the percentage of the games that it should win ({2: (60,
        40)}). One player wins or loses alone.
    **more
        Further attributes of the `GameSpec`.

    Raises
    ------
    DeclarationError
        If something is missing or cannot be used.
    """
    source = sys.modules[module]
    if not isinstance(players, list | tuple):
        raise DeclarationError(f"{module}: players={players!r}: list the numbers of players, such as (2, 3, 4)")
    _check_parts(source, bots)
    most_seats, sides = max(players), _sides(source, fair, players)
    parts = Parts([Field("key", Key()), *_without_seats(source)], fields_of(source.Player), most_seats, _own(source))
    numbers = Numbers.of(vars(source).get("Numbers"), vars(source).get("Options"), most_seats)
    parameters, labels = numbers.parameters(), results.topics_of(parts.player, numbers.parameters())
    if all(each.is_one for each in sides):
        labels = ()  # they compare seats that win or lose together
    game_id = more.pop("id", source.__name__.rpartition(".")[2].replace("_", "-"))
    rules = _rules(source, game_id, parts, numbers, actions, most_turns, sides)
    model, narrator = numbers.model(), type("Told", (words.PlainNarrator,), {"title": title})

    def prepare(options: Any, players: int, change: Change | None = None) -> Setup:
        tables, facts = numbers.filled(options, players, change or {})
        return Setup(tables, frozen(facts), options.model_dump(exclude_defaults=True), dict(change or {}))

    return GameSpec(
        id=game_id,
        title=title,
        version=version,
        players=tuple(players),
        options=model,
        seat_columns=results.seat_columns(parts, most_turns),
        game_columns=results.game_columns(parts, most_turns),
        seat_factors=tuple(topic.columns[0] for topic in labels if topic.kind == "level"),
        game_factors=(),
        bots=(*(_bot(bot) for bot in bots), *EVERY_GAME),
        bots_package=source.__name__,
        rules=rules,
        prepare=prepare,
        draw=_drawing(source),
        narrate=lambda trace: narrator(trace).text(),
        narrator=narrator,
        ladder=more.pop("ladder", _ladder()),
        topics=(*labels, *more.pop("topics", ())),
        lead=rows.LEAD if most_turns else None,
        fair=fair,
        facts=lambda: parameters,
        has_reconstructed=lambda: False,
        check_change=checker_of(parameters),
        **more,
    )


def _check_parts(source: ModuleType, bots: Sequence[Callable[..., int]]) -> None:
    """Raise DeclarationError if a class or a function is missing, or takes other arguments."""
    for name, wanted in FUNCTIONS.items():
        found = vars(source).get(name)
        if isinstance(found, FunctionType):
            _check_arguments(source, found, wanted)
        elif name in NEEDED:
            raise DeclarationError(f'{source.__name__}: there is no function "{name}": write def {name}({wanted})')
    for bot in bots:
        _check_arguments(source, bot, BOT)
    for name in ("State", "Player"):
        if not inspect.isclass(getattr(source, name, None)):
            raise DeclarationError(f'{source.__name__}: there is no class "{name}"')
    if "points" not in (field.name for field in fields_of(source.Player)):
        raise DeclarationError(f'{source.__name__}: Player: there is no field "points", the points of a seat so far')


def _drawing(source: ModuleType) -> Callable[[Any, Any], Any] | None:
    """Return what draws a position of the game, if the module has a function that does."""
    found = vars(source).get(PICTURE)
    if not isinstance(found, FunctionType):
        return None
    _check_arguments(source, found, DRAWN)
    return lambda setup, view: found(setup.tables, view)


def _sides(source: ModuleType, fair: Fair, players: Sequence[int]) -> list[Sides]:
    """Return the sides for each number of players; DeclarationError if they, or who wins, are not declared."""
    try:
        sides = [sides_of(fair, count) for count in players]
    except (ValueError, TypeError) as fault:
        raise DeclarationError(f"{source.__name__}: {fault}") from fault
    if any(each.is_one for each in sides) and not isinstance(vars(source).get("won"), FunctionType):
        rule = f"write def won({FUNCTIONS['won']}), which returns true or false"
        who = next(each.levels[0] for each in sides if each.is_one)
        raise DeclarationError(f"{source.__name__}: nothing says when {who} wins: {rule}")
    return sides


def _check_arguments(source: ModuleType, function: Callable[..., Any], wanted: str) -> None:
    taken = inspect.signature(function).parameters
    if len(taken) != len(wanted.split(", ")):
        name, line = function.__name__, function.__code__.co_firstlineno
        raise DeclarationError(f"{source.__name__}, line {line}: {name}({', '.join(taken)}) must take ({wanted})")


def _ladder() -> tuple[str, ...]:
    """Return bots of rising strength: random, and rollouts with rising budgets."""
    return ("random", *(f"rollouts@rollouts={budget}" for budget in BUDGETS))


def _without_seats(source: ModuleType) -> list[Field]:
    """Return the fields of the state but its seats, which have records of their own."""
    return [field for field in fields_of(source.State) if not isinstance(field.kind, Seats)]


def _own(source: ModuleType) -> tuple[tuple[str, str], ...]:
    """Return the fields that the state of every game has; the first one is there because no two games share a dtype."""
    mark = f"is_{source.__name__.replace('.', '_')}"
    return (mark, "u1"), ("seats", "i8"), ("actor", "i8"), ("turn", "i8"), ("over", "i8")


def _rules(
    source: ModuleType,
    game_id: str,
    parts: Parts,
    numbers: Numbers,
    actions: ActionList,
    most_turns: int,
    sides: Sequence[Sides],
) -> Rules:
    given = {
        name: callable_by_rules(vars(source)[name])
        for name in FUNCTIONS
        if isinstance(vars(source).get(name), FunctionType)
    }
    lay_out, begin_game, list_legal, carry_out = (
        hidden.laying_out(parts),
        given["begin"],
        given["legal"],
        given["apply"],
    )

    def begin(tables: Any, state: Any, seed: int, deal: int) -> None:
        state.seats = tables.seats
        lay_out(state, seed, deal)
        begin_game(tables, state)

    def legal(tables: Any, state: Any, menu: Any) -> None:
        menu.count = 0
        if not state.over:
            list_legal(tables, state, menu)

    def apply(tables: Any, state: Any, action: int) -> None:
        carry_out(tables, state, action)

    def is_over(state: Any) -> bool:
        return state.over == 1

    begin.__module__ = source.__name__  # what the game is made of
    recorder = type("Recorder", (words.Recorder,), {"parts": parts, "actions": actions, "format": f"{game_id}-trace/1"})
    rules = Rules(
        **derived(parts, deal=given.get("deal"), invariant=vars(source).get("invariant")),
        tables=numbers.record,
        menu=menu_of(actions.count),
        scores=results.SCORES,
        actions=actions.count,
        most_seats=parts.most_seats,
        begin=piece(begin),
        legal=piece(legal),
        apply=piece(apply),
        is_over=piece(is_over),
        score=results.scoring(given.get("score"), given.get("tie_break"), given.get("won"), sides),
        write_rows=results.writing(parts, most_turns),
        action_to_dict=lambda setup, state, action: words.action_words(parts, actions, state, action),
        recorder=recorder,
        most_turns=most_turns,
    )
    note_sources(parts.record, [source.begin])
    return rules


def _bot(function: Callable[..., int]) -> BotInfo:
    """Return a bot of the game's own module."""
    plan = " ".join((inspect.getdoc(function) or "").split()) or function.__name__
    return BotInfo(function.__name__, plan, module=function.__module__, choose=choosing(function))


def choosing(function: Callable[..., int]) -> Callable[..., int]:
    """Return a bot that returns actions as one that returns places on the menu."""
    answer = callable_by_rules(function)

    def choose(numbers: Any, view: Any, menu: Any, memory: Any) -> int:
        action = answer(numbers, view, menu, memory)
        if action is None:
            raise TypeError("it returns nothing: every way through it must end with return and an action")
        for place in range(menu.count):
            if menu.actions[place] == action:
                return place
        return -1

    choose.made_of_others = True  # type: ignore[attr-defined]
    return choose
