"""All numbers of a report on one folder of results, in one pass over its rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from rogsim.base.errors import RogsimError
from rogsim.base.validation import not_allowed
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Topic, dealt_columns
from rogsim.results.interim_looks import look_of
from rogsim.results.results import Results
from rogsim.stats.balance.association import CountSums, MemberSums, PartSums
from rogsim.stats.balance.board import SpaceSums
from rogsim.stats.balance.control_variates import Dealt, fit_dealt
from rogsim.stats.balance.design_matrix import Factor
from rogsim.stats.balance.draws import DrawSums, members_of
from rogsim.stats.balance.level_by_seat import CellSums
from rogsim.stats.balance.level_points import LevelPointSums
from rogsim.stats.balance.levels import LevelSums
from rogsim.stats.balance.measured import Balance, PlayersBalance
from rogsim.stats.balance.regression import ModelRows
from rogsim.stats.balance.shape import ShapeSums
from rogsim.stats.balance.space_income import SpaceIncomeRows
from rogsim.stats.blocks import BlockRows, levels_of, parts

ALWAYS = ("seats", "bots", "board", "shape", "why", "model")  # for every game, besides its topics
MARGIN = 2.0
MOST_SCREENED = 250_000  # games: screens and regression use only the first ones, which is precise enough
THREADS = 2  # numpy releases the interpreter lock in the slow steps
NEEDED = ("points", "win_share", "bot")


class Accumulator(Protocol):
    """Something that accumulates blocks, part by part."""

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""


Finish = Callable[[PlayersBalance], None]


@dataclass(frozen=True)
class _Work:
    """An accumulator, the columns that it reads, and where its result goes."""

    sums: Accumulator
    seats: tuple[str, ...]
    games: tuple[str, ...]
    finish: Finish
    screens: bool = False  # uses only the first MOST_SCREENED games
    adjusted: bool = False  # uses win shares without the luck of the deal


def balance(
    results: Results,
    spec: GameSpec,
    margin: float = MARGIN,
    only: Collection[str] | None = None,
    interactions: Sequence[tuple[str, str]] = (),
) -> Balance:
    """Compute everything that a report needs, in one pass over the rows of each number of players.

    Parameters
    ----------
    results
        The rows of a run, from a folder or in memory.
    spec
        The game that was played.
    margin
        Margin of equivalence, in percentage points, kept for the verdicts.
    only
        Names of the game's topics, and of what every game has: "seats", "bots", "board", "shape", "why" (where the
        points of dealt levels come from), "model". By default all of them.
    interactions
        Pairs of columns of seats that get an interaction term in the regression, such as ("bot", "seat").

    Raises
    ------
    RogsimError
        If `only` is not a list of such names.
    """
    if only is not None:
        _check_names(spec, only)
    manifest = results.manifest
    bots = tuple(dict.fromkeys(bot["name"] for bot in manifest["bots"]))
    counts = sorted(int(players) for players, games in manifest["games"].items() if games)
    found = {players: _of_players(results, spec, players, bots, only, interactions) for players in counts}
    folder = results.folder.name if isinstance(results.folder, Path) else str(manifest["name"])
    return Balance(str(manifest["name"]), folder, bots, margin, found)


def _check_names(spec: GameSpec, only: Collection[str]) -> None:
    """Refuse names that nothing has: what a misspelt one asks for would be missing without a word."""
    known = [*ALWAYS, *(topic.name for topic in spec.topics)]
    if isinstance(only, str):
        raise RogsimError(f"only: {not_allowed(only, 'must be a list of names')}")
    for name in only:
        if name not in known:
            raise RogsimError(f"only: {not_allowed(name, 'choose from ' + ', '.join(known))}")


def _of_players(
    results: Results,
    spec: GameSpec,
    players: int,
    bots: Sequence[str],
    only: Collection[str] | None,
    interactions: Sequence[tuple[str, str]],
) -> PlayersBalance:
    wanted = _Wanted(spec, players, bots, only, tuple(interactions), spec.lead.by_source if spec.lead else {})
    levels = wanted.levels(results)
    dealt = wanted.dealt(results, levels)
    works = list(wanted.works(levels, dealt is not None))
    used = () if dealt is None else dealt.columns
    seats = dict.fromkeys([*NEEDED, *used, *(name for work in works for name in work.seats)])
    games = dict.fromkeys(["turns", *(name for work in works for name in work.games)])
    found = PlayersBalance(players, 0, 0, adjusted_for=used, look=look_of(results.manifest, players))
    for part in parts(results, players, list(seats), list(games)):
        wanting = [work for work in works if not work.screens or found.games < MOST_SCREENED]
        found.screened += part.games.height if found.games < MOST_SCREENED else 0
        found.games += part.games.height
        found.blocks += len(part.starts)
        adjusted = part if dealt is None else dealt.adjusted(part)
        with ThreadPoolExecutor(THREADS) as executor:
            list(executor.map(partial(_add, part, adjusted), wanting))
    for work in works:
        work.finish(found)
    return found


def _add(part: BlockRows, adjusted: BlockRows, work: _Work) -> None:
    work.sums.add(adjusted if work.adjusted else part)


@dataclass(frozen=True)
class _Wanted:
    """What to compute for one number of players."""

    spec: GameSpec
    players: int
    bots: Sequence[str]
    only: Collection[str] | None
    interactions: tuple[tuple[str, str], ...]
    by_source: Mapping[str, tuple[str, ...]]  # columns of points over time

    def has(self, name: str) -> bool:
        return self.only is None or name in self.only

    def topics(self, *kinds: str) -> list[Topic]:
        return [topic for topic in self.spec.topics if topic.kind in kinds and self.has(topic.name)]

    def dealt(self, results: Results, levels: Mapping[str, list[Any]]) -> Dealt | None:
        """Return the worths of dealt levels; None if none were dealt, or in too few blocks."""
        columns = [name for name in self.dealt_columns(results) if len(levels[name]) > 1]
        if not columns:
            return None
        found = fit_dealt(results, columns, levels, self.players)
        return found if found.is_known else None

    def dealt_columns(self, results: Results) -> tuple[str, ...]:
        """Return the columns that were dealt, if anything to compute is adjusted for them."""
        wanted = self.has("seats") or self.topics("draw", "setup")
        return dealt_columns(self.spec.topics, results.manifest) if wanted else ()

    def levels(self, results: Results) -> dict[str, list[Any]]:
        """Return the levels of every column that is compared by level; an empty list for a column without values."""
        model = self.has("model")
        kinds = {
            kind: [topic for topic in self.spec.topics if topic.kind == kind] for kind in ("level", "draw", "setup")
        }
        kept = {kind: [t for t in kinds[kind] if self.has(t.name) or model] for kind in kinds}
        of_seats = [*self.dealt_columns(results), *(name for topic in kept["level"] for name in topic.columns)]
        of_games = [name for kind in ("draw", "setup") for topic in kept[kind] for name in topic.columns]
        selected = pl.col("players") == self.players
        return (
            levels_of(results.seats().filter(selected), ["bot", *dict.fromkeys(of_seats)])
            | levels_of(results.games().filter(selected), list(dict.fromkeys(of_games)))
            | {"seat": list(range(1, self.players + 1))}
        )

    def works(self, levels: Mapping[str, list[Any]], adjusted: bool) -> Iterable[_Work]:
        """Yield everything to accumulate.

        adjusted: whether seats and draws are adjusted for the luck of the deal.
        """
        yield from self._always(levels, adjusted)
        for topic in self.topics("level"):
            for column in topic.columns:
                if len(levels[column]) > 1:
                    yield from self._of_level(column, levels[column])
                    if topic.dealt is not None and self.has("why"):
                        yield self._level_points(column, levels[column])
        for topic in self.topics("draw", "setup"):
            for column in topic.columns:
                if levels[column]:
                    draws = DrawSums(column, levels[column], self.players, topic.kind == "draw")
                    into = _into("draws", column, draws.result)
                    yield _Work(draws, (), (column, "turns"), into, adjusted=adjusted)
        yield from self._screens()

    def _seats(self, levels: Sequence[Any], adjusted: bool) -> Iterable[_Work]:
        plain = LevelSums("seat", levels)
        yield _Work(plain, (), (), _set("seats", lambda: plain.result(self.players)))
        if adjusted:
            other = LevelSums("seat", levels)

            def finish(found: PlayersBalance) -> None:
                assert found.seats is not None
                found.seats = other.result(self.players).beside(found.seats)

            yield _Work(other, (), (), finish, adjusted=True)

    def _always(self, levels: Mapping[str, list[Any]], adjusted: bool) -> Iterable[_Work]:
        if self.has("seats"):
            yield from self._seats(levels["seat"], adjusted)
        if self.has("bots") and len(levels["bot"]) > 1:
            bots = LevelSums("bot", levels["bot"])
            yield _Work(bots, ("bot",), (), _set("bots", lambda: bots.result(self.players)))
            cells = CellSums("bot", levels["bot"], self.players)
            yield _Work(cells, ("bot",), (), _into("cells", "bot", cells.result))
        if self.has("shape"):
            lead = self.spec.lead
            shape = ShapeSums(self.players, lead)
            columns = (lead.progress, (lead.changes, lead.since, lead.behind)) if lead else ((), ())
            yield _Work(shape, columns[0], (*columns[1], "turns"), _set("shape", shape.result))
        if self.has("model"):
            yield self._model(levels)

    def _of_level(self, column: str, levels: Sequence[Any]) -> Iterable[_Work]:
        sums = LevelSums(column, levels)
        yield _Work(sums, (column,), (), _into("levels", column, lambda: sums.result(self.players)))
        cells = CellSums(column, levels, self.players)
        yield _Work(cells, (column,), (), _into("cells", column, cells.result))

    def _level_points(self, column: str, levels: Sequence[Any]) -> _Work:
        sources = [name for topic in self.spec.topics if topic.kind == "parts" for name in topic.columns]
        progress = self.spec.lead.progress if self.spec.lead else ()
        sums = LevelPointSums(column, levels, sources, progress, self.by_source)
        into = _into("level_points", column, _bound(sums.result, self.players))
        both = [name for source, names in self.by_source.items() for name in (source, *names)]
        return _Work(sums, (column, *sources, *progress, *both), (), into, screens=True)

    def _screens(self) -> Iterable[_Work]:
        members = {column.name: column.members for column in self.spec.seat_columns if column.members}
        for topic in self.topics("member"):
            for column in topic.columns:
                had = MemberSums(column, members[column] or ())
                yield _Work(had, (column,), (), _into("members", column, _bound(had.result, self.players)), True)
        for topic in self.topics("count"):
            for column in topic.columns:
                counted = CountSums(column, self.players)
                yield _Work(counted, (column,), (), _into("counts", column, counted.result), True)
        for topic in self.topics("parts"):
            sources = PartSums(topic.columns)
            yield _Work(sources, topic.columns, (), _into("parts", topic.name, _bound(sources.result, self.players)))
        for spaces in self.spec.board.spaces if self.spec.board and self.has("board") else ():
            used = SpaceSums(spaces, members.get(spaces.columns[0]) or (), self.players)
            read = (*spaces.columns, *(name for names in spaces.visits for name in names))
            yield _Work(used, read, (), _into("board", spaces.name, used.result), True)
        if self.spec.board and self.spec.board.income and self.has("board"):
            income = SpaceIncomeRows(self.spec.board, {name: found for name, found in members.items() if found})
            read = (*self.spec.board.income, *(name for spaces in self.spec.board.spaces for name in spaces.columns))
            yield _Work(income, read, (), _set("income", lambda: income.result(self.players)), True)

    def _model(self, levels: Mapping[str, list[Any]]) -> _Work:
        of_seats = [name for topic in self.spec.topics if topic.kind == "level" for name in topic.columns]
        factors = [Factor(name, tuple(levels[name])) for name in ("seat", *of_seats, "bot") if len(levels[name]) > 1]
        draws = []
        for topic in self.spec.topics:
            for name in topic.columns if topic.kind == "draw" else ():
                members, inside = members_of([str(level) for level in levels[name]])
                if len(levels[name]) > 1:
                    draws.append(Factor(name, tuple(levels[name]), tuple(members), inside.T))
        rows = ModelRows(factors, draws, self.interactions)
        seats = tuple(factor.column for factor in factors)
        games = tuple(draw.column for draw in draws)
        return _Work(rows, seats, games, _set("model", lambda: rows.result(self.players)), True)


def _set(name: str, result: Callable[[], Any]) -> Finish:
    return lambda found: setattr(found, name, result())


def _into(name: str, key: str, result: Callable[[], Any]) -> Finish:
    return lambda found: getattr(found, name).__setitem__(key, result())


def _bound(result: Callable[[int], Any], players: int) -> Callable[[], Any]:
    return lambda: result(players)
