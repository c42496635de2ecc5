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

MOST_TOLD = 200  # characters of what a bot said


@dataclass(frozen=True)
class Column:
    """One column that a game adds to the results.

    `labels` turns whole numbers into names when the results are written: code i is `labels[i]`, a negative
    code means "none" and becomes null; several codes may have one name. `members` says what a set is made of: bit i of
    the unsigned number stands for `members[i]`, and the number is written as it is.
    """

    name: str
    dtype: str  # numpy's name for it: "i2", "f4", ...
    meaning: str
    unit: str = ""
    labels: tuple[str, ...] | None = None
    members: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Bot:
    """One who decides: a compiled `choose` and the numbers that it weighs things with, or an agent.

    agent: makes a Python object whose method `choose(observation, actions)` decides, anew for each game and seat.
    """

    name: str
    choose: Any  # compiled for the game's signature; None for an agent
    weights: NDArray[np.float64]
    agent: Callable[[], Any] | None = None
    foreign: bool = False  # from a file of the user's, or from another package


@dataclass(frozen=True)
class BotInfo:
    """A bot that comes with a game: its name and what it tries to do, in one sentence."""

    name: str
    plan: str
    quick_games: int | None = None  # of a slow bot: as many as a quick look at it may play


@dataclass(frozen=True)
class Figure:
    """A figure that tells how a bot plays: the sum of some seat columns, or its share of the sum of others (`of`)."""

    name: str
    columns: tuple[str, ...]
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProfileTable:
    """Figures that belong together in a profile of bots."""

    title: str
    figures: tuple[Figure, ...]


TopicKind = Literal["level", "draw", "member", "count", "setup", "parts"]


@dataclass(frozen=True)
class Topic:
    """One question that a report answers, and what to look at for it.

    kind: what the columns are.
      level: a seat column whose levels are compared.
      draw: a game column with a name for each draw that lists its members, "a, b, c" or "a+b+c".
      member: a seat column that is a bit set (`Column.members`): who has which member.
      count: seat columns with numbers: win share by value, and for each more.
      setup: game columns whose levels may change the game.
      parts: seat columns that add up to the points.
    """

    name: str  # one word: also the name of its command, if it has one
    title: str
    question: str
    kind: TopicKind
    columns: tuple[str, ...]  # of seats, or of games for a draw and a set-up
    one: str = ""  # what one level is called; the title, if that does
    labels: Mapping[str, str] = field(default_factory=dict)  # the words for levels, members and columns
    whether: bool = False  # of a count: only whether there is any tells something, not how many
    claim: bool = True  # few levels, each judged; False: a screen of many, where some stand out by chance
    # Of a level: the options under which chance deals the levels before anybody chooses, each equally often to every
    # seat. Empty: always; None: never.
    dealt: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Lead:
    """Columns that tell who led while games went on; final scoring is left out.

    progress: seat columns with the points so far, at equal steps between the start and the end of a game.
    changes, since, behind: game columns with how often the lead passed to another seat, the turn after which the winner
    was never behind again (0 = from the start, -1 = behind when play ended), and the most that the winner was behind.
    """

    progress: tuple[str, ...]
    changes: str
    since: str
    behind: str


@dataclass(frozen=True)
class Fact:
    """One figure of the components or the set-up that a scenario may change.

    name: dotted, as it stands under [change]. value: as the game comes: a number, a word, true or false, or a list;
    each place of a list has a name of its own, `name.place`. allowed: what it may be, in words. low, high: the range
    of whole numbers, also of those in a list. words: those to choose from. label: what a list is called where its
    values are told one after the other.
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


Change = Mapping[str, Any]  # figures by name, nested as in TOML or with dots


def leaves(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each value of nested tables with its name, taken apart at the dots; an empty table counts as a value."""
    for key, value in table.items():
        here = (*path, *str(key).split("."))
        if isinstance(value, Mapping) and value:
            yield from leaves(value, here)
        else:
            yield here, value


def no_change(change: Change) -> tuple[dict[str, Any], list[Problem]]:
    """Refuse every change: for a game whose figures are fixed."""
    text = "cannot be changed: this game has no figures that can be"
    return {}, [Problem(path, text) for path, _ in leaves(change)]


def all_matter(options: Any, players: int, change: Change, names: Sequence[str]) -> dict[str, str]:
    """Know of no figure that cannot matter: for a game that does not say."""
    return {}


def all_come_up(options: Any, players: int, column: str) -> dict[str, str]:
    """Know of no level that cannot come up: for a game that does not say."""
    return {}


@dataclass(frozen=True)
class Batch:
    """Games to play in one call, all with the same players, options and field of bots.

    luck: int64[n], which game of chance each row plays; rows with the same number see the same luck.
    seating: int8[n, players], for each row and seat the place of its bot in `field`.
    """

    seed: int
    players: int
    luck: NDArray[np.int64]
    seating: NDArray[np.int8]
    field: tuple[Bot, ...]  # exactly `players` bots


class AgentFault(Exception):  # noqa: N818 - the agent is at fault, not the program
    """What an agent did wrong when it was made or asked, in a few words."""


class BotFault(RogsimError):  # noqa: N818 - the bot is at fault, not the program
    """A bot raised or answered something that is not on the menu: names the bot, the game and the turn."""

    def __init__(self, bot: str, players: int, luck: int, turn: int, what: str) -> None:
        super().__init__(f'bot "{bot}" {what} in game {luck} with {players} players, turn {turn}')
        self.bot, self.players, self.luck, self.turn, self.what = bot, players, luck, turn, what

    def __reduce__(self) -> tuple[Any, ...]:
        """Let it travel from one process to another as what it was made of."""
        return type(self), (self.bot, self.players, self.luck, self.turn, self.what)


def make_agent(make: Callable[[], Any]) -> Any:
    """Make an agent for one seat of one game; AgentFault if that fails."""
    try:
        return make()
    except (Exception, SystemExit) as fault:
        raise AgentFault(f"could not be made, it raised {in_a_line(fault)}") from fault


def ask_agent(agent: Any, observation: Any, actions: Sequence[Mapping[str, Any]]) -> int:
    """Let an agent choose and return the place of its choice; AgentFault if it raises or chooses what is not there."""
    try:
        answer = agent.choose(observation, [dict(action) for action in actions])
    except (Exception, SystemExit) as fault:
        raise AgentFault(f"raised {in_a_line(fault)}") from fault
    if isinstance(answer, Mapping):
        if answer not in actions:
            raise AgentFault(f"answered {shortened(answer)}, which is not on the menu of {len(actions)}")
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
    """Return an error with its kind, as one line that is not too long."""
    text = " ".join(str(fault).split())
    return f"{type(fault).__name__}: {text[:MOST_TOLD]}" if text else type(fault).__name__


def shortened(answer: Any) -> str:
    """Return an answer of a bot as text in one line that is not too long."""
    try:
        text = " ".join(repr(answer).split())
    except Exception:  # it may be an object of the bot's own
        text = f"a {type(answer).__name__}"
    return text if len(text) <= MOST_TOLD else f"{text[:MOST_TOLD]}…"


@dataclass
class Probe:
    """What came out when the first bot of a field was watched at every choice, and asked again at some.

    Asked again it has the same stream, notes and weights, and once the same game, then games in which all that it
    cannot see is dealt anew. Choices that differ are told as (luck, turn).
    """

    questions: int = 0
    seconds: float = 0.0  # that it took for all of its choices
    slowest: float = 0.0  # seconds for one choice
    checked: int = 0  # questions asked again
    uncopied: int = 0  # questions not asked again because an agent cannot be copied
    moody: list[tuple[int, int]] = field(default_factory=list)  # another choice in the same game
    peeked: list[tuple[int, int]] = field(default_factory=list)  # another choice where only the unseen was different


@dataclass(frozen=True)
class GameSpec:
    """A game offered to the harness.

    `seat_columns` must include `points` and `win_share` (1 shared among the winners), `game_columns` must include
    `turns` and `decisions`. A seat column `rank` (1 = first, ties share a place) tells the finishing order where it is
    not that of win share and points. `prepare` checks options against a player count (ValueError with a plain message)
    and returns what the other functions take as `setup`; games with facts also take changes as `check_change` gives
    them: flat, only what differs, each `Fact.name` with its new value. `play` fills structured arrays made by
    `row_dtype`: `seat_rows` [n * players], game by game and seat by seat, and `game_rows` [n].
    """

    id: str
    title: str
    version: str  # of the rules as played: changes when results change, not when speed does
    players: tuple[int, ...]
    options: type[BaseModel]  # the [options] table of a scenario
    seat_columns: tuple[Column, ...]
    game_columns: tuple[Column, ...]
    seat_factors: tuple[str, ...]  # seat columns worth a table of their own
    game_factors: tuple[str, ...]  # game columns worth a table of their own
    bots: tuple[BotInfo, ...]  # each a module of `bots_package` with `choose` and perhaps `WEIGHTS`
    bots_package: str  # the importable package that holds those modules
    is_cold: Callable[[], bool]  # whether `warm` will have to compile, and not just load
    warm: Callable[[], None]  # make the play loop ready, once, before any thread needs it
    prepare: Callable[..., Any]  # (options, players), and (options, players, change) of a game with facts
    compile_bot: Callable[[Callable[..., Any]], Any]
    play: Callable[[Any, Batch, NDArray[Any], NDArray[Any]], None]
    record: Callable[[Any, Batch], Iterator[Mapping[str, Any]]]  # the same games, each as a trace
    narrate: Callable[[Mapping[str, Any]], str]  # one trace as text for a person
    plays_agents: bool = False  # whether `play` and `record` take bots that are agents
    # As `play`, and watch the first bot of the field; `beat` is called whenever it is asked and has answered.
    probe: Callable[[Any, Batch, NDArray[Any], NDArray[Any], Callable[[], None]], Probe] | None = None
    bench_bots: tuple[str, ...] = ("random",)  # whose speed the benchmark measures
    samples: tuple[Mapping[str, Any], ...] = ({},)  # options that together reach all of the rules, for the signature
    state_bytes: int = 0  # of one game in memory
    profile: tuple[ProfileTable, ...] = ()  # what tells one bot's play from another's
    topics: tuple[Topic, ...] = ()  # what a report looks at, besides what every game has
    lead: Lead | None = None  # who led while games went on
    facts: Callable[[], Sequence[Fact]] = tuple  # every figure that a scenario may change
    check_change: Callable[[Change], tuple[dict[str, Any], list[Problem]]] = no_change
    # (options, players, change, names): which of these figures, or `name.place` of a list, cannot matter, and why.
    without_effect: Callable[[Any, int, Change, Sequence[str]], Mapping[str, str]] = all_matter
    # (options, players, column): which levels of a seat column cannot come up, and why.
    absent_levels: Callable[[Any, int, str], Mapping[str, str]] = all_come_up


def row_dtype(columns: Sequence[Column]) -> np.dtype[Any]:
    """Return the structured dtype of one row of these columns."""
    return np.dtype([(column.name, column.dtype) for column in columns], align=True)
