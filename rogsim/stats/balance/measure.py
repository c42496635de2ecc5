"""All numbers of a report on one folder of results, in one pass over its rows, and the questions that they answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from rogsim.base.errors import RogsimError
from rogsim.base.validation import not_allowed
from rogsim.game.fair import Sides, noun_of, side_name
from rogsim.game.spec import GameSpec
from rogsim.game.topics import BoardMap, Topic, computed_columns, dealt_columns
from rogsim.results.results import Results, look_of
from rogsim.stats.balance.association import (
    Counts,
    CountSums,
    LevelPoints,
    LevelPointSums,
    Members,
    MemberSums,
    Parts,
    PartSums,
)
from rogsim.stats.balance.level_by_seat import Cells, CellSums, Draws, DrawSums, members_of
from rogsim.stats.balance.levels import Dealt, Levels, LevelSums, fit_dealt
from rogsim.stats.balance.regression import Factor, Model, ModelRows, SpaceIncome, SpaceIncomeRows, SpaceSums, SpaceUse
from rogsim.stats.balance.shape import Shape, ShapeSums
from rogsim.stats.blocks import BlockRows, levels_of, parts
from rogsim.stats.contrasts import EQUIVALENCE
from rogsim.stats.effects import Contrast, Effects, Question

ALWAYS = ("seats", "bots", "board", "shape", "why", "model")  # for every game, besides its topics
MARGIN = 2.0
MOST_SCREENED = 50_000  # games: screens and regression use only the first ones, which is precise enough
THREADS = 2  # numpy releases the interpreter lock in the slow steps
NEEDED = ("points", "win_share", "bot")


@dataclass
class PlayersBalance:
    """All results for one number of players; what was not requested, or does not exist, is None or empty.

    Attributes
    ----------
    screened
        Number of games, from the first one on, behind level points, members, counts, board and model.
    levels
        Levels by column.
    cells
        Each level in each seat, by column.
    level_points
        Points by source and over time of each level, by column of the levels.
    draws
        Draws by column.
    members
        Members by column.
    counts
        Counts by column.
    board
        The board's spaces by name of their kind.
    income
        How income changes with the uses of the board's spaces.
    parts
        Sources of points by name of the topic.
    look
        Number of this look at the folder, from 1.
    """

    players: int
    games: int
    blocks: int
    screened: int = 0
    seats: Levels | None = None
    bots: Levels | None = None
    levels: dict[str, Levels] = field(default_factory=dict)
    cells: dict[str, Cells] = field(default_factory=dict)
    level_points: dict[str, LevelPoints] = field(default_factory=dict)
    draws: dict[str, Draws] = field(default_factory=dict)
    members: dict[str, Members] = field(default_factory=dict)
    counts: dict[str, Counts] = field(default_factory=dict)
    parts: dict[str, Parts] = field(default_factory=dict)
    board: dict[str, SpaceUse] = field(default_factory=dict)
    income: SpaceIncome | None = None
    shape: Shape | None = None
    model: Model | None = None
    look: int = 1


@dataclass(frozen=True)
class Balance:
    """All results for one folder.

    Attributes
    ----------
    name
        Name of the run.
    folder
        Name of the folder, or of the run if it is in memory.
    margin
        Margin of equivalence, in percentage points.
    players
        Results by player count.
    """

    name: str
    folder: str
    bots: tuple[str, ...]
    margin: float
    players: Mapping[int, PlayersBalance]


class Accumulator(Protocol):
    """Something that accumulates blocks, part by part."""

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""

    def result(self) -> Any:
        """Return what follows from all blocks so far."""


@dataclass(frozen=True)
class _Work:
    """An accumulator, where its result goes in `PlayersBalance`, and the columns that it reads.

    key: the place in that attribute, if it holds several results.
    """

    name: str
    key: str
    sums: Accumulator
    seats: Sequence[str] = ()
    games: Sequence[str] = ()
    screens: bool = False  # uses only the first MOST_SCREENED games
    adjusted: bool = False  # uses win shares without the luck of the deal

    def finish(self, found: PlayersBalance) -> None:
        result = self.sums.result()
        if self.key:
            getattr(found, self.name)[self.key] = result
        elif self.name == "seats" and found.seats:
            found.seats = replace(result, plain=tuple(level.share for level in found.seats.levels))
        else:
            setattr(found, self.name, result)


def balance(results: Results, spec: GameSpec, margin: float = MARGIN, only: Collection[str] | None = None) -> Balance:
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
    found = {players: _of_players(results, spec, players, only) for players in counts}
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


def _of_players(results: Results, spec: GameSpec, players: int, only: Collection[str] | None) -> PlayersBalance:
    wanted = _Wanted(spec, players, only)
    levels = wanted.levels(results)
    dealt = wanted.dealt(results, levels)
    works = list(wanted.works(levels, dealt is not None))
    used = () if dealt is None else dealt.columns
    seats = dict.fromkeys([*NEEDED, *used, *(name for work in works for name in work.seats)])
    games = dict.fromkeys(["turns", *(name for work in works for name in work.games)])
    found = PlayersBalance(players, 0, 0, look=look_of(results.manifest, players))
    for part in parts(results, players, list(seats), list(games), computed_columns(spec.topics)):
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
    only: Collection[str] | None

    @property
    def sides(self) -> Sides:
        return self.spec.sides(self.players)

    def has(self, name: str) -> bool:
        """Return whether something is wanted that there is: seats that win or lose together cannot be compared."""
        return (self.only is None or name in self.only) and (not self.sides.is_one or name in ("seats", "shape"))

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
        wanted = self.sides.are_seats and (self.has("seats") or self.topics("draw", "setup"))
        return dealt_columns(self.spec.topics, results.manifest) if wanted else ()

    def levels(self, results: Results) -> dict[str, list[Any]]:
        """Return the levels of every column that is compared by level; an empty list for a column without values."""
        topics = [topic for topic in self.spec.topics if self.has(topic.name) or self.has("model")]
        of_seats = [*self.dealt_columns(results), *_columns(topics, "level")]
        of_games = _columns(topics, "draw", "setup")
        selected = pl.col("players") == self.players
        return (
            levels_of(results.seats().filter(selected), ["bot", *dict.fromkeys(of_seats)])
            | levels_of(results.games().filter(selected), list(dict.fromkeys(of_games)))
            | {"seat": list(range(1, self.sides.count + 1))}
        )

    def works(self, levels: Mapping[str, list[Any]], adjusted: bool) -> Iterator[_Work]:
        """Yield everything to accumulate.

        adjusted: whether seats and draws are adjusted for the luck of the deal.
        """
        players, lead = self.players, self.spec.lead if self.sides.are_seats and self.players > 1 else None
        if self.has("seats"):
            for is_adjusted in (False, True) if adjusted else (False,):
                yield _Work("seats", "", LevelSums("seat", levels["seat"], players), adjusted=is_adjusted)
        if self.has("bots") and len(levels["bot"]) > 1:
            yield _Work("bots", "", LevelSums("bot", levels["bot"], players), ("bot",))
        if self.has("shape"):
            read = (lead.progress, (lead.changes, lead.since, lead.behind)) if lead else ((), ())
            yield _Work("shape", "", ShapeSums(players, lead), *read)
        if self.has("model") and self.sides.are_seats:
            yield self._model(levels)
        for topic in self.topics("level"):
            for column in topic.columns:
                if len(levels[column]) > 1:
                    yield from self._of_level(column, levels[column], topic.dealt is not None and self.has("why"))
        for topic in self.topics("draw", "setup"):
            for column in topic.columns:
                if levels[column]:
                    draws = DrawSums(column, levels[column], players, topic.kind == "draw")
                    yield _Work("draws", column, draws, (), (column,), adjusted=adjusted)
        yield from self._screens()
        if self.spec.board and self.has("board"):
            yield from self._board(self.spec.board)

    def _of_level(self, column: str, levels: Sequence[Any], why: bool) -> Iterator[_Work]:
        yield _Work("levels", column, LevelSums(column, levels, self.players), (column,))
        yield _Work("cells", column, CellSums(column, levels, self.players), (column,))
        if not why:
            return
        sources, lead = _columns(self.spec.topics, "parts"), self.spec.lead
        progress, by_source = (lead.progress, lead.by_source) if lead else ((), {})
        sums = LevelPointSums(column, levels, sources, progress, by_source)
        both = [name for source, names in by_source.items() for name in (source, *names)]
        yield _Work("level_points", column, sums, (column, *sources, *progress, *both), screens=True)

    @property
    def _members(self) -> Mapping[str, Sequence[str]]:
        """Return the members of each column that is a set."""
        computed = {topic.columns[0]: tuple(topic.seats_that) for topic in self.spec.topics if topic.seats_that}
        return {column.name: column.members for column in self.spec.seat_columns if column.members} | computed

    def _screens(self) -> Iterator[_Work]:
        for column in _columns(self.topics("member"), "member"):
            sums = MemberSums(column, self._members[column], self.players)
            yield _Work("members", column, sums, (column,), screens=True)
        for column in _columns(self.topics("count"), "count"):
            yield _Work("counts", column, CountSums(column, self.players), (column,), screens=True)
        for topic in self.topics("parts"):
            yield _Work("parts", topic.name, PartSums(topic.columns), topic.columns)

    def _board(self, board: BoardMap) -> Iterator[_Work]:
        for spaces in board.spaces:
            used = SpaceSums(spaces, self._members.get(spaces.columns[0], ()), self.players)
            read = (*spaces.columns, *(name for names in spaces.visits for name in names))
            yield _Work("board", spaces.name, used, read, screens=True)
        if board.income:
            read = (*board.income, *(name for spaces in board.spaces for name in spaces.columns))
            yield _Work("income", "", SpaceIncomeRows(board, self._members), read, screens=True)

    def _model(self, levels: Mapping[str, list[Any]]) -> _Work:
        of_seats = _columns(self.spec.topics, "level")
        factors = [Factor(name, tuple(levels[name])) for name in ("seat", *of_seats, "bot") if len(levels[name]) > 1]
        draws = []
        for name in _columns(self.spec.topics, "draw"):
            members, inside = members_of([str(level) for level in levels[name]])
            if len(levels[name]) > 1:
                draws.append(Factor(name, tuple(levels[name]), tuple(members), inside.T))
        read = [factor.column for factor in factors], [draw.column for draw in draws]
        return _Work("model", "", ModelRows(factors, draws), *read, screens=True)


def _columns(topics: Iterable[Topic], *kinds: str) -> list[str]:
    return [name for topic in topics if topic.kind in kinds for name in topic.columns]


def claims(balances: Sequence[Balance], topics: Sequence[Topic] = ()) -> tuple[Effects, ...]:
    """Return the claims of a page: one on the seats, and one on each of the topics that are to be judged.

    Counts and screens are not claims. Bots are not claims either: that one plays better says nothing about the game.
    """
    found = []
    for balance in balances:
        for measured in balance.players.values():
            if measured.seats is not None and len(measured.seats.levels) > 1:
                found.append(_of_levels(measured.seats, None, balance.folder, balance.bots, measured.look))
            for topic in topics:
                found += _of_topic(balance, measured, topic)
    return tuple(found)


def claim_on_levels(levels: Levels, topic: Topic | None = None, run: str = "", look: int = 1) -> Effects:
    """Return the claim on the levels of a topic, or on the seats, of results without a folder.

    Parameters
    ----------
    levels
        The levels.
    topic
        Their topic; None for the seats.
    run
        What the results are called.
    look
        Number of the look, from 1.
    """
    return _of_levels(levels, topic, run, look=look)


def _of_topic(balance: Balance, measured: PlayersBalance, topic: Topic) -> list[Effects]:
    if not topic.claim or topic.kind not in ("level", "draw", "setup"):
        return []
    run = balance.folder, balance.bots, measured.look
    if topic.kind == "level":
        return [_of_levels(measured.levels[name], topic, *run) for name in topic.columns if name in measured.levels]
    draws = [measured.draws[name] for name in topic.columns if name in measured.draws]
    return [_of_draws(each, topic, measured.games, *run) for each in draws if len(each.levels) > 1]


def _of_levels(
    levels: Levels, topic: Topic | None, run: str = "", bots: tuple[str, ...] = (), look: int = 1
) -> Effects:
    noun = noun_of([level.level for level in levels.levels])
    question = Question(
        *((topic.name, topic.title) if topic else ("seats", f"{noun.capitalize()}s")),
        noun=topic.noun if topic else noun,
        share=True,
        against="than a fair share",
    )
    contrasts = tuple(
        Contrast(
            topic.labels.get(level.level, level.level) if topic else side_name(level.level),
            level.effect,
            level.effect90,
            level.p,
            level.fair,
            blocks,
        )
        for level, blocks in zip(levels.levels, levels.level_blocks, strict=True)
    )
    return Effects(
        question,
        levels.players,
        run,
        contrasts,
        levels.overall,
        levels.games,
        bots,
        covariance=levels.covariance,
        look=look,
    )


def _of_draws(draws: Draws, topic: Topic, games: int, run: str, bots: tuple[str, ...], look: int) -> Effects:
    grid, p = draws.grid, draws.grid.p_values()
    title = topic.title if len(topic.columns) == 1 else topic.labels.get(draws.column, draws.column)
    question = Question(topic.name, title, noun="level", share=True, against="than that seat does over all games")
    contrasts = tuple(
        Contrast(
            f"seat {seat + 1} with {topic.labels.get(level, level)}",
            replace(grid.beyond_in_pp(place), effective=float(int(grid.each.rows[place]))),
            grid.beyond_in_pp(place, EQUIVALENCE),
            float(p[place]),
            blocks=float(grid.beyond.blocks[place]),
        )
        for place, (level, seat) in enumerate(product(draws.levels, range(grid.players)))
    )
    return Effects(
        question,
        grid.players,
        run,
        contrasts,
        draws.overall,
        games,
        bots,
        covariance=100**2 * grid.beyond.covariance,
        look=look,
    )
