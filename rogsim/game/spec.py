"""The contract between a game and everything around it.

A game is a folder in `rogsim/games/` whose `spec.py` defines `GAME`, a `GameSpec`. The harness (scenarios, batches,
results, tables, command line) uses a game only through it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from rogsim.base.validation import Problem
from rogsim.game.batches import Audit, Batch
from rogsim.game.bot import Bot, BotInfo
from rogsim.game.columns import Column, row_dtype
from rogsim.game.compiler import compile_for, is_cold, is_own, mark_compiled
from rogsim.game.fair import EQUAL, Fair, Sides, sides_of
from rogsim.game.functions import callable_by_rules
from rogsim.game.kit import faults, playing
from rogsim.game.kit.loop import play_games
from rogsim.game.kit.workspace import choose_of
from rogsim.game.parameters import Change, Parameter, leaves
from rogsim.game.rules import Rules
from rogsim.game.topics import BoardMap, Lead, ProfileTable, Topic

if TYPE_CHECKING:
    from rogsim.game.kit.drawing import Drawing
    from rogsim.game.kit.narration import Narrator


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
class GameSpec:
    """A game offered to the harness.

    Attributes
    ----------
    seat_columns, game_columns
        Seats must have `points` and `win_share` (1 shared among the winning sides; each seat has the share of its
        side), games `turns` and `decisions`. If win share and points do not give the finishing order, a seat column
        `rank` does (1 = first, ties share a place).
    fair
        What fair means: all seats win equally often ("equal"), all win or lose together ("everyone"), or by number of
        players the team of each seat ({4: "ABAB"}) or the percentage that it should win ({2: (60, 40)}). One player
        wins or loses alone.
    bots, bots_package
        The bots, each a module of the package with `choose` and optionally `WEIGHTS`, unless its `BotInfo` says where
        it is. The first one should be fast.
    prepare
        Checks options against a player count (ValueError with a plain message) and returns what the other functions
        take as `setup`. In a game with parameters it also takes changes as `check_change` returns them: only parameters
        that differ, each `Parameter.name` with its new value.
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
    bots: tuple[BotInfo, ...]
    bots_package: str  # importable
    rules: Rules
    prepare: Callable[..., Any]  # (options, players), and (options, players, change) in a game with parameters
    narrate: Callable[[Mapping[str, Any]], str]  # one trace as text for a person
    # A narrator of one trace, whose `sentences` tell each step.
    narrator: Callable[[Mapping[str, Any]], Narrator] | None = None
    draw: Callable[[Any, Any], Drawing] | None = None  # (setup, state): a position, or the view of a seat, as a drawing
    # (setup, state, told): a legal action, `told` as a step of a trace, in words for a person: what is done, then each
    # thing that it names.
    say: Callable[[Any, Any, Mapping[str, Any]], Sequence[str]] | None = None
    fair: Fair = EQUAL
    bench_bots: tuple[str, ...] = ("random",)  # whose speed the benchmark measures
    ladder: tuple[str, ...] = ()  # bots of rising strength, the weakest first, as scenarios name them
    samples: tuple[Mapping[str, Any], ...] = ({},)  # options that together reach all of the rules, for the signature
    profile: tuple[ProfileTable, ...] = ()  # what distinguishes one bot's play from another's
    topics: tuple[Topic, ...] = ()  # what a report covers in addition to what every game has
    lead: Lead | None = None  # who led during games
    board: BoardMap | None = None  # the board as a map, if it has spaces that seats use
    facts: Callable[[], Sequence[Parameter]] = tuple  # every parameter that a scenario may change
    # Whether any of them is reconstructed, which may be known without listing them all.
    has_reconstructed: Callable[[], bool] = lambda: True
    # The components in the layout of their files, if it has any; the scenario key `components` is checked against them.
    components: Callable[[], Mapping[str, Any]] = dict
    check_change: Callable[[Change], tuple[dict[str, Any], list[Problem]]] = no_change
    # (options, players, change, names): which of these parameters (`name.place` for entries) cannot matter, and why.
    without_effect: Callable[[Any, int, Change, Sequence[str]], Mapping[str, str]] = all_matter
    # (options, players, column): which levels of a seat column cannot occur, and why.
    absent_levels: Callable[[Any, int, str], Mapping[str, str]] = all_come_up

    @property
    def state_bytes(self) -> int:
        """Return the size of one game in memory."""
        return self.rules.state.itemsize

    @property
    def row_dtypes(self) -> tuple[np.dtype[Any], np.dtype[Any]]:
        """Return the dtypes of the rows of seats and of games."""
        return row_dtype(self.seat_columns), row_dtype(self.game_columns)

    def empty_rows(self, games: int, players: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return rows for `play` to fill: [games * players] of seats, and [games]."""
        seats, rows = self.row_dtypes
        return np.zeros(games * players, seats), np.zeros(games, rows)

    def sides(self, players: int) -> Sides:
        """Return who wins together, and how often each side should win."""
        return sides_of(self.fair, players)

    def read_options(self, data: Mapping[str, Any]) -> BaseModel:
        """Return checked options; ValidationError if the game refuses them, GameFault if its own checks fail."""
        return faults.read_options(self.id, self.options, data)

    def set_up(self, options: BaseModel, players: int, *change: Change) -> Any:
        """Return what `prepare` returns; ValueError if the game refuses the options, GameFault if it fails itself."""
        return faults.set_up(self.id, self.rules, self.prepare, players, options, *change)

    def compile_bot(self, choose: Callable[..., Any]) -> Any:
        """Compile a bot's `choose` for the signature that the play loop calls."""
        compiled = compile_for(choose_of(self.rules), callable_by_rules(choose))
        if is_own(choose):
            mark_compiled(choose, self.id, self.rules.state)
        return compiled

    def must_compile(self, choose: Callable[..., Any]) -> bool:
        """Return whether `compile_bot` has to compile a bot of this package, not just load it."""
        return is_own(choose) and is_cold(choose, self.id, self.rules.state)

    def play(self, setup: Any, batch: Batch, seat_rows: NDArray[Any], game_rows: NDArray[Any]) -> None:
        """Play a batch and fill its rows, arrays of `row_dtypes`: [n * players], game by game, and [n].

        Raises
        ------
        BotFault
            If a bot raises an error, or gives an answer that is not on the menu.
        """
        playing.play(self.rules, setup, batch, seat_rows, game_rows)

    def record(self, setup: Any, batch: Batch) -> Iterator[Mapping[str, Any]]:
        """Play a batch and yield each game as a trace; BotFault as in `play`."""
        return playing.record(self.rules, setup, batch, self.row_dtypes)

    def audit(
        self, setup: Any, batch: Batch, seat_rows: NDArray[Any], game_rows: NDArray[Any], beat: Callable[[], None]
    ) -> Audit:
        """Play a batch as `play` does, and audit the first bot of its line-up; `beat` is called around each choice."""
        return playing.audit(self.rules, setup, batch, seat_rows, game_rows, beat)

    def module_of(self, info: BotInfo) -> ModuleType:
        """Import the module of one of the game's own bots."""
        return import_module(info.module or f"{self.bots_package}.{info.name}")

    def ready_bot(self, info: BotInfo) -> Bot:
        """Return one of the game's own bots, ready to play, without its weights."""
        return Bot(info.name, self.compile_bot(info.choose or self.module_of(info).choose), np.zeros(0))

    def is_cold(self) -> bool:
        """Return whether `warm` has to compile, not just load."""
        return is_cold(play_games, self.id, self.rules.state)

    def warm(self) -> None:
        """Compile or load the play loop, once, before threads start, by playing a batch of no games."""
        bot, players = self.ready_bot(self.bots[0]), self.players[0]
        batch = Batch(0, players, np.empty(0, np.int64), np.empty((0, players), np.int8), (bot,) * players)
        self.play(self.set_up(self.options(), players), batch, *self.empty_rows(0, players))
        mark_compiled(play_games, self.id, self.rules.state)
