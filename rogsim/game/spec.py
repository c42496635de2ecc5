"""The contract between a game and everything around it.

A game is a folder in `rogsim/games/` whose `spec.py` defines `GAME`, a `GameSpec`. The harness (scenarios, batches,
results, tables, command line) uses a game only through it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from rogsim.base.validation import Problem
from rogsim.game.bot import Bot, BotInfo
from rogsim.game.columns import Column
from rogsim.game.parameters import Change, Parameter, leaves
from rogsim.game.rules import Rules
from rogsim.game.topics import Lead, ProfileTable, Topic


def no_change(change: Change) -> tuple[dict[str, Any], list[Problem]]:
    """Refuse every change: the default, for a game without parameters that can be changed."""
    text = "cannot be changed: this game has no parameters that can be changed"
    return {}, [Problem(path, text) for path, _ in leaves(change)]


def all_matter(options: Any, players: int, change: Change, names: Sequence[str]) -> dict[str, str]:
    """Report no parameter as without effect: the default."""
    return {}


def all_come_up(options: Any, players: int, column: str) -> dict[str, str]:
    """Report no level as absent: the default."""
    return {}


@dataclass(frozen=True)
class Batch:
    """Games to play in one call, all with the same number of players, options and line-up of bots.

    Attributes
    ----------
    deals : int64[n]
        The number of the deal of each game: set-up, order of decks, rolls. Games with the same number share a deal.
    seating : int8[n, players]
        For each game and seat, the index of its bot in `line_up`.
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


@dataclass
class Audit:
    """What was found by watching every choice of the first bot of a line-up, and asking some questions again.

    Asked again, the bot has the same random stream, notes and weights: first in the same game, then in games in which
    all information hidden from it is dealt anew. Choices that differ are listed as (deal, turn).
    """

    questions: int = 0
    seconds: float = 0.0  # for all of its choices
    slowest: float = 0.0  # seconds for one choice
    checked: int = 0  # questions asked again
    uncopied: int = 0  # questions not asked again because an agent cannot be copied
    inconsistent: list[tuple[int, int]] = field(default_factory=list)  # another choice in the same game
    peeking: list[tuple[int, int]] = field(default_factory=list)  # another choice where only hidden information differs


@dataclass(frozen=True)
class GameSpec:
    """A game offered to the harness.

    Attributes
    ----------
    seat_columns, game_columns
        Seats must have `points` and `win_share` (1 shared among the winners), games `turns` and `decisions`. If win
        share and points do not give the finishing order, a seat column `rank` does (1 = first, ties share a place).
    prepare
        Checks options against a player count (ValueError with a plain message) and returns what the other functions
        take as `setup`. In a game with parameters it also takes changes as `check_change` returns them: only parameters
        that differ, each `Parameter.name` with its new value.
    play
        Fills structured arrays made by `row_dtype`: `seat_rows` [n * players], game by game and seat by seat, and
        `game_rows` [n].
    """

    id: str
    title: str
    version: str  # of the rules as played: it changes when results do, not when only the speed does
    players: tuple[int, ...]
    options: type[BaseModel]  # the [options] table of a scenario
    seat_columns: tuple[Column, ...]
    game_columns: tuple[Column, ...]
    seat_factors: tuple[str, ...]  # seat columns with their own table
    game_factors: tuple[str, ...]  # game columns with their own table
    bots: tuple[BotInfo, ...]  # each a module of `bots_package` with `choose` and optionally `WEIGHTS`
    bots_package: str  # the importable package of those modules
    is_cold: Callable[[], bool]  # whether `warm` has to compile, not just load
    warm: Callable[[], None]  # compile or load the play loop, once, before threads start
    prepare: Callable[..., Any]  # (options, players), and (options, players, change) in a game with parameters
    compile_bot: Callable[[Callable[..., Any]], Any]
    play: Callable[[Any, Batch, NDArray[Any], NDArray[Any]], None]
    record: Callable[[Any, Batch], Iterator[Mapping[str, Any]]]  # the same games, each as a trace
    narrate: Callable[[Mapping[str, Any]], str]  # one trace as text for a person
    plays_agents: bool = False  # whether `play` and `record` take bots that are agents
    # Like `play`, but audit the first bot of the line-up; `beat` is called before and after each of its choices.
    audit: Callable[[Any, Batch, NDArray[Any], NDArray[Any], Callable[[], None]], Audit] | None = None
    bench_bots: tuple[str, ...] = ("random",)  # whose speed the benchmark measures
    samples: tuple[Mapping[str, Any], ...] = ({},)  # options that together reach all of the rules, for the signature
    state_bytes: int = 0  # of one game
    profile: tuple[ProfileTable, ...] = ()  # what distinguishes one bot's play from another's
    topics: tuple[Topic, ...] = ()  # what a report covers in addition to what every game has
    lead: Lead | None = None  # who led during games
    facts: Callable[[], Sequence[Parameter]] = tuple  # every parameter that a scenario may change
    check_change: Callable[[Change], tuple[dict[str, Any], list[Problem]]] = no_change
    # (options, players, change, names): which of these parameters (`name.place` for entries) cannot matter, and why.
    without_effect: Callable[[Any, int, Change, Sequence[str]], Mapping[str, str]] = all_matter
    # (options, players, column): which levels of a seat column cannot occur, and why.
    absent_levels: Callable[[Any, int, str], Mapping[str, str]] = all_come_up
    rules: Rules | None = None  # to play games decision by decision, as `rogsim.Session` does
