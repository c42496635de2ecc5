"""The contract between a game and everything around it.

A game is one folder in `rogsim/games/` whose `spec.py` holds a `GAME` of this type. The harness (scenarios, batches,
results, tables, command line) knows a game only through it.
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
from rogsim.game.topics import Lead, ProfileTable, Topic


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

    `seat_columns` must include `points` and `win_share` (1 shared among the winners), `game_columns` must include
    `turns` and `decisions`. A seat column `rank` (1 = first, ties share a place) is the finishing order where that
    differs from win share and points. `prepare` checks options against a player count (ValueError with a plain message)
    and returns what the other functions take as `setup`; games with facts also take changes as `check_change` returns
    them: flat, only what differs, each `Parameter.name` with its new value. `play` fills structured arrays made by
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
    # Like `play`, but audit the first bot of the line-up; `beat` is called before and after each of its choices.
    audit: Callable[[Any, Batch, NDArray[Any], NDArray[Any], Callable[[], None]], Audit] | None = None
    bench_bots: tuple[str, ...] = ("random",)  # whose speed the benchmark measures
    samples: tuple[Mapping[str, Any], ...] = ({},)  # options that together reach all of the rules, for the signature
    state_bytes: int = 0  # of one game in memory
    profile: tuple[ProfileTable, ...] = ()  # what distinguishes one bot's play from another's
    topics: tuple[Topic, ...] = ()  # what a report covers besides what every game has
    lead: Lead | None = None  # who led during games
    facts: Callable[[], Sequence[Parameter]] = tuple  # every parameter that a scenario may change
    check_change: Callable[[Change], tuple[dict[str, Any], list[Problem]]] = no_change
    # (options, players, change, names): which of these parameters, or `name.place` of a list, cannot matter, and why.
    without_effect: Callable[[Any, int, Change, Sequence[str]], Mapping[str, str]] = all_matter
    # (options, players, column): which levels of a seat column cannot occur, and why.
    absent_levels: Callable[[Any, int, str], Mapping[str, str]] = all_come_up
