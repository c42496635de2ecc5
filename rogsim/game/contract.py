"""The contract between a game and everything around it.

A game is one folder in `rogsim/games/` whose `spec.py` holds a `GAME` of this type. The harness (scenarios, batches,
results, tables, command line) knows a game only through it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from rogsim.base.errors import RogsimError
from rogsim.base.validation import Problem

MOST_TOLD = 200  # characters shown of what a bot answered


@dataclass(frozen=True)
class Column:
    """One column that a game adds to the results.

    `labels` turns integers into names when the results are written: code i is `labels[i]`, a negative code means
    "none" and becomes null; several codes may share a name. `members` describes a set: bit i of the unsigned number
    stands for `members[i]`, and the number is written as it is.
    """

    name: str
    dtype: str  # numpy's name for it: "i2", "f4", ...
    meaning: str
    unit: str = ""
    labels: tuple[str, ...] | None = None
    members: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Bot:
    """A player: a compiled `choose` with its weights, or an agent.

    agent: creates, for each game and seat, a Python object whose method `choose(observation, actions)` decides.
    """

    name: str
    choose: Any  # compiled for the game's signature; None for an agent
    weights: NDArray[np.float64]
    agent: Callable[[], Any] | None = None
    foreign: bool = False  # from a user's file, or from another package


@dataclass(frozen=True)
class BotInfo:
    """A bot that comes with a game: its name and what it tries to do, in one sentence."""

    name: str
    plan: str
    quick_games: int | None = None  # of a slow bot: the most games for a quick check of it


@dataclass(frozen=True)
class Figure:
    """A number that shows how a bot plays: the sum of some seat columns, or its share of the sum of others (`of`)."""

    name: str
    columns: tuple[str, ...]
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProfileTable:
    """Numbers that belong together in a profile of bots."""

    title: str
    figures: tuple[Figure, ...]


TopicKind = Literal["level", "draw", "member", "count", "setup", "parts"]


@dataclass(frozen=True)
class Topic:
    """One question that a report answers, and the columns that answer it.

    kind: the kind of the columns.
      level: a seat column whose levels are compared.
      draw: a game column with a name for each draw that lists its members, "a, b, c" or "a+b+c".
      member: a seat column that is a bit set (`Column.members`): which seat has which member.
      count: seat columns with numbers: win share by value, and for each additional unit.
      setup: game columns whose levels may change the game.
      parts: seat columns that add up to the points.
    """

    name: str  # one word: also the name of its command, if it has one
    title: str
    question: str
    kind: TopicKind
    columns: tuple[str, ...]  # of seats, or of games for a draw and a set-up
    one: str = ""  # what one level is called; by default the title
    labels: Mapping[str, str] = field(default_factory=dict)  # the words for levels, members and columns
    whether: bool = False  # of a count: only whether there are any matters, not how many
    claim: bool = True  # few levels, each judged; False: a screen of many, where some stand out by chance
    # Of a level: the options under which chance deals the levels before any choice is made, each equally often to
    # every seat. Empty: always; None: never.
    dealt: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Lead:
    """Columns that show who led during games, without final scoring.

    progress: seat columns with the points so far, at equal steps between the start and the end of a game.
    changes, since, behind: game columns with the number of times the lead changed seats, the turn after which the
    winner was never behind again (0 = from the start, -1 = behind when play ended), and the winner's largest deficit.
    """

    progress: tuple[str, ...]
    changes: str
    since: str
    behind: str


@dataclass(frozen=True)
class Fact:
    """One parameter of the components or the set-up that a scenario may change.

    name: dotted, as written under [change]. value: the default: a number, a word, true or false, or a list; each entry
    of a list has its own name, `name.place`. allowed: the allowed values in words. low, high: the range of integers,
    also of those in a list. words: the words to choose from. label: what a list is called where its values are shown
    in a row.
    """

    name: str
    value: Any
    allowed: str
    meaning: str = ""
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    label: str = ""


Change = Mapping[str, Any]  # parameters by name, nested as in TOML or with dots


def leaves(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each value of nested tables with its name, split at the dots; an empty table counts as a value."""
    for key, value in table.items():
        here = (*path, *str(key).split("."))
        if isinstance(value, Mapping) and value:
            yield from leaves(value, here)
        else:
            yield here, value


def no_change(change: Change) -> tuple[dict[str, Any], list[Problem]]:
    """Refuse every change: for a game without parameters that can be changed."""
    text = "cannot be changed: this game has no parameters that can be changed"
    return {}, [Problem(path, text) for path, _ in leaves(change)]


def all_matter(options: Any, players: int, change: Change, names: Sequence[str]) -> dict[str, str]:
    """Report no parameter as unable to matter: for a game that does not say."""
    return {}


def all_come_up(options: Any, players: int, column: str) -> dict[str, str]:
    """Report no level as unable to occur: for a game that does not say."""
    return {}


@dataclass(frozen=True)
class Batch:
    """Games to play in one call, all with the same players, options and line-up of bots.

    deals: int64[n], number of the deal of each row: set-up, order of decks, rolls. Rows of one number share it.
    seating: int8[n, players], for each row and seat the index of its bot in `line_up`.
    """

    seed: int
    players: int
    deals: NDArray[np.int64]
    seating: NDArray[np.int8]
    line_up: tuple[Bot, ...]  # exactly `players` bots

    @property
    def luck(self) -> NDArray[np.int64]:
        """Return `deals`, by its former name."""
        return self.deals

    @property
    def field(self) -> tuple[Bot, ...]:
        """Return `line_up`, by its former name."""
        return self.line_up


class AgentFault(Exception):  # noqa: N818 - the agent is at fault, not the program
    """What an agent did wrong when it was created or asked, in a few words."""


class BotFault(RogsimError):  # noqa: N818 - the bot is at fault, not the program
    """A bot raised an error or gave an answer that is not on the menu; names the bot, the game and the turn."""

    def __init__(self, bot: str, players: int, deal: int, turn: int, what: str) -> None:
        super().__init__(f'bot "{bot}" {what} in game {deal} with {players} players, turn {turn}')
        self.bot, self.players, self.deal, self.turn, self.what = bot, players, deal, turn, what

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments, so that the error can travel between processes."""
        return type(self), (self.bot, self.players, self.deal, self.turn, self.what)


def make_agent(make: Callable[[], Any]) -> Any:
    """Create an agent for one seat of one game; AgentFault if that fails."""
    try:
        return make()
    except (Exception, SystemExit) as fault:
        raise AgentFault(f"could not be created: it raised {in_a_line(fault)}") from fault


def ask_agent(agent: Any, observation: Any, actions: Sequence[Mapping[str, Any]]) -> int:
    """Let an agent choose, and return the place of its choice; AgentFault if it raises or makes another choice."""
    try:
        answer = agent.choose(observation, [dict(action) for action in actions])
    except (Exception, SystemExit) as fault:
        raise AgentFault(f"raised {in_a_line(fault)}") from fault
    if isinstance(answer, Mapping):
        if answer not in actions:
            raise AgentFault(f"answered {shortened(answer)}, which is not on the menu of {len(actions)} actions")
        return actions.index(answer)
    if isinstance(answer, bool) or not isinstance(answer, int | np.integer):
        raise AgentFault(f"answered {shortened(answer)}, which is neither an action nor its place")
    if not 0 <= answer < len(actions):
        raise AgentFault(misplaced(int(answer), len(actions)))
    return int(answer)


def misplaced(place: int, count: int) -> str:
    """Return what is wrong with a place that is not on the menu."""
    return f"answered place {place} of a menu of {count}"


def in_a_line(fault: BaseException) -> str:
    """Return an error with its type, as one line of limited length."""
    text = " ".join(str(fault).split())
    return f"{type(fault).__name__}: {text[:MOST_TOLD]}" if text else type(fault).__name__


def shortened(answer: Any) -> str:
    """Return an answer of a bot as one line of limited length."""
    try:
        text = " ".join(repr(answer).split())
    except Exception:  # it may be any object of the bot
        text = f"a {type(answer).__name__}"
    return text if len(text) <= MOST_TOLD else f"{text[:MOST_TOLD]}…"


@dataclass
class Probe:
    """The result of watching the first bot of a line-up at every choice, and asking it again at some.

    When asked again, the bot has the same stream, notes and weights: once in the same game, then in games in which
    everything hidden from it is dealt anew. Choices that differ are listed as (deal, turn).
    """

    questions: int = 0
    seconds: float = 0.0  # for all of its choices
    slowest: float = 0.0  # seconds for one choice
    checked: int = 0  # questions asked again
    uncopied: int = 0  # questions not asked again because an agent cannot be copied
    moody: list[tuple[int, int]] = field(default_factory=list)  # another choice in the same game
    peeked: list[tuple[int, int]] = field(default_factory=list)  # another choice where only hidden information differed


@dataclass(frozen=True)
class GameSpec:
    """A game offered to the harness.

    `seat_columns` must include `points` and `win_share` (1 shared among the winners), `game_columns` must include
    `turns` and `decisions`. A seat column `rank` (1 = first, ties share a place) is the finishing order where that
    differs from win share and points. `prepare` checks options against a player count (ValueError with a plain message)
    and returns what the other functions take as `setup`; games with facts also take changes as `check_change` returns
    them: flat, only what differs, each `Fact.name` with its new value. `play` fills structured arrays made by
    `row_dtype`: `seat_rows` [n * players], game by game and seat by seat, and `game_rows` [n].
    """

    id: str
    title: str
    version: str  # of the rules as played: changes when results change, not when the speed does
    players: tuple[int, ...]
    options: type[BaseModel]  # the [options] table of a scenario
    seat_columns: tuple[Column, ...]
    game_columns: tuple[Column, ...]
    seat_factors: tuple[str, ...]  # seat columns with their own table
    game_factors: tuple[str, ...]  # game columns with their own table
    bots: tuple[BotInfo, ...]  # each a module of `bots_package` with `choose` and optionally `WEIGHTS`
    bots_package: str  # the importable package of those modules
    is_cold: Callable[[], bool]  # whether `warm` has to compile, not just load
    warm: Callable[[], None]  # make the play loop ready, once, before any thread needs it
    prepare: Callable[..., Any]  # (options, players), and (options, players, change) of a game with facts
    compile_bot: Callable[[Callable[..., Any]], Any]
    play: Callable[[Any, Batch, NDArray[Any], NDArray[Any]], None]
    record: Callable[[Any, Batch], Iterator[Mapping[str, Any]]]  # the same games, each as a trace
    narrate: Callable[[Mapping[str, Any]], str]  # one trace as text for a person
    plays_agents: bool = False  # whether `play` and `record` take bots that are agents
    # Like `play`, but watch the first bot of the line-up; `beat` is called before and after each of its choices.
    probe: Callable[[Any, Batch, NDArray[Any], NDArray[Any], Callable[[], None]], Probe] | None = None
    bench_bots: tuple[str, ...] = ("random",)  # whose speed the benchmark measures
    samples: tuple[Mapping[str, Any], ...] = ({},)  # options that together reach all of the rules, for the signature
    state_bytes: int = 0  # of one game in memory
    profile: tuple[ProfileTable, ...] = ()  # what distinguishes one bot's play from another's
    topics: tuple[Topic, ...] = ()  # what a report covers besides what every game has
    lead: Lead | None = None  # who led during games
    facts: Callable[[], Sequence[Fact]] = tuple  # every parameter that a scenario may change
    check_change: Callable[[Change], tuple[dict[str, Any], list[Problem]]] = no_change
    # (options, players, change, names): which of these parameters, or `name.place` of a list, cannot matter, and why.
    without_effect: Callable[[Any, int, Change, Sequence[str]], Mapping[str, str]] = all_matter
    # (options, players, column): which levels of a seat column cannot occur, and why.
    absent_levels: Callable[[Any, int, str], Mapping[str, str]] = all_come_up


def row_dtype(columns: Sequence[Column]) -> np.dtype[Any]:
    """Return the structured dtype of one row of these columns."""
    return np.dtype([(column.name, column.dtype) for column in columns], align=True)
