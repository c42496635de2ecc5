"""What a check does in its processes: plays a bot at a table several times and compares the games."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rogsim.base.child_process import doing, faults
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.agents import in_a_line
from rogsim.game.batches import Audit, Batch
from rogsim.game.bot import Bot, BotFault
from rogsim.game.columns import row_dtype
from rogsim.game.registry import received
from rogsim.game.spec import GameSpec

PATIENCE, LEAST_PATIENCE = 10, 5.0  # a choice may take this multiple of the limit, and at least this many seconds

ILLEGAL, RAISES, UNMADE = "illegal choice", "raises an error", "cannot be made"
NOT_DETERMINISTIC, PEEKING = "not deterministic", "uses hidden information"
SLOW, CRASHES = "too slow", "crashes"

T = TypeVar("T")


@dataclass(frozen=True)
class Subject:
    """What is checked: a bot of a game, both by name. Paths of files are relative to `folder`."""

    game: str
    data: bytes | None  # the game, if other processes cannot find it by name
    bot: str
    folder: str
    seed: int
    limit: float  # seconds for one choice


@dataclass(frozen=True)
class CheckTable:
    """Games of one kind: player count, index of the sample options, and whether the opponents are the same bot."""

    players: int
    sample: int
    itself: bool
    games: int


_loaded: dict[tuple[str, str, str], tuple[GameSpec, Bot, Bot]] = {}


@dataclass
class TableResult:
    """The result of a table: findings with their kinds, a digest of each game's rows, and the audit of the choices."""

    described: str  # the table in words
    findings: list[tuple[str, str]] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    audit: Audit = field(default_factory=Audit)
    seconds: float = 0.0  # for its games in normal play


def load_subject(subject: Subject) -> bool:
    """Load and compile the bot once in this process, and return whether it is an agent; RegistryError on failure."""
    spec, bot, _ = _ready(subject)
    spec.warm()
    return bot.agent is not None


def play_table(subject: Subject, table: CheckTable) -> TableResult:
    """Play a table with the bot watched, then twice without, then each game on its own in reverse order."""
    spec, setup, batch, described = _prepared(subject, table)
    played = TableResult(described)
    try:
        rows = _empty_rows(spec, batch)
        with _watched(subject, described) as beat:
            played.audit = spec.audit(setup, batch, *rows, beat)
        begin = time.perf_counter()
        played.digests = _play(spec, setup, batch)
        played.seconds = time.perf_counter() - begin
        again = _play(spec, setup, batch)
        games = [replace(batch, deals=batch.deals[[i]], seating=batch.seating[[i]]) for i in range(table.games)]
        alone = [_play(spec, setup, game)[0] for game in reversed(games)][::-1]
    except faults() as fault:
        played.findings.append(_fault_finding(fault, described))
        return played
    played.findings += _compared(played, batch, _digests(batch, *rows), again, alone)
    return played


def play_once(subject: Subject, table: CheckTable) -> TableResult:
    """Play a table once, without watching the bot."""
    spec, setup, batch, described = _prepared(subject, table)
    played = TableResult(described)
    try:
        played.digests = _play(spec, setup, batch)
    except faults() as fault:
        played.findings.append(_fault_finding(fault, described))
    return played


def table_in_words(spec: GameSpec, table: CheckTable, bot: str) -> str:
    """Return a table in words."""
    sample = spec.samples[table.sample]
    options = "".join(f", {name} {value}" for name, value in sample.items())
    return f"{table.players} players{options}, against {'itself' if table.itself else opponent_of(spec, bot)}"


def opponent_of(spec: GameSpec, bot: str) -> str:
    """Return the opponent's name: the first bot of the benchmark, or the next one if the first is being checked."""
    others = [name for name in (*spec.bench_bots, *(info.name for info in spec.bots)) if name != bot]
    known = [name for name in others if name in {info.name for info in spec.bots}]
    return known[0] if known else bot


def _ready(subject: Subject) -> tuple[GameSpec, Bot, Bot]:
    """Return the game, the bot and its opponent, loaded once in this process."""
    key = (subject.game, subject.bot, subject.folder)
    if key not in _loaded:
        spec = received(subject.game, subject.data)
        names, folder = (subject.bot, opponent_of(spec, subject.bot)), Path(subject.folder)
        bot, other = (compile_bot(spec, find_bot(spec, name, folder, here=True)) for name in names)
        _loaded[key] = spec, bot, other
    return _loaded[key]


def _prepared(subject: Subject, table: CheckTable) -> tuple[GameSpec, Any, Batch, str]:
    """Return everything needed to play a table; in each game the bot sits one seat further on."""
    spec, bot, other = _ready(subject)
    players, games = table.players, table.games
    setup = spec.set_up(spec.options.model_validate(dict(spec.samples[table.sample])), players)
    seats = (np.arange(players) + np.arange(games)[:, None]) % players
    line_up = (bot, *([bot if table.itself else other] * (players - 1)))
    batch = Batch(subject.seed, players, np.arange(games, dtype=np.int64), seats.astype(np.int8), line_up)
    return spec, setup, batch, table_in_words(spec, table, subject.bot)


def _empty_rows(spec: GameSpec, batch: Batch) -> tuple[NDArray[Any], NDArray[Any]]:
    games = len(batch.deals)
    return (
        np.zeros(games * batch.players, row_dtype(spec.seat_columns)),
        np.zeros(games, row_dtype(spec.game_columns)),
    )


def _play(spec: GameSpec, setup: Any, batch: Batch) -> list[str]:
    rows = _empty_rows(spec, batch)
    spec.play(setup, batch, *rows)
    return _digests(batch, *rows)


def _digests(batch: Batch, seat_rows: NDArray[Any], game_rows: NDArray[Any]) -> list[str]:
    """Return a digest for each game, column by column, because the padding between columns is arbitrary."""
    digests = []
    for i, game in enumerate(game_rows):
        parts = (seat_rows[i * batch.players : (i + 1) * batch.players], game)
        data = b"".join(part[name].tobytes() for part in parts for name in part.dtype.names or ())
        digests.append(hashlib.sha256(data).hexdigest()[:16])
    return digests


def _fault_finding(fault: BaseException, described: str) -> tuple[str, str]:
    if not isinstance(fault, BotFault):  # not every game wraps errors in BotFault
        return RAISES, f"it raised {in_a_line(fault)} ({described})"
    kinds = {"answered": ILLEGAL, "raised": RAISES}
    kind = kinds.get(fault.what.split()[0], UNMADE)
    return kind, f"it {fault.what} in deal {fault.deal}, turn {fault.turn} ({described})"


def _compared(
    played: TableResult, batch: Batch, watched: list[str], again: list[str], alone: list[str]
) -> list[tuple[str, str]]:
    """Return the most informative difference between choices or games that should be the same, if any."""
    audit, described = played.audit, played.described
    for kind, places, what in (
        (NOT_DETERMINISTIC, audit.inconsistent, "it was asked the same question twice and chose differently"),
        (PEEKING, audit.peeking, "its choice changed when only what it cannot see was dealt anew"),
    ):
        if places:
            deal, turn = places[0]
            return [(kind, f"in deal {deal}, turn {turn} {what} ({described})")]
    for found, what in (
        (
            again,
            "goes differently when played again: does it use its own random numbers, or remember earlier games?",
        ),
        (alone, "goes differently on its own than after other games: does it remember them?"),
        (watched, "goes differently when its choices are watched"),
    ):
        differing = [deal for deal, *pair in zip(batch.deals, found, played.digests, strict=True) if pair[0] != pair[1]]
        if differing:
            return [(NOT_DETERMINISTIC, f"deal {differing[0]} {what} ({described})")]
    return []


def in_time(seconds: float, words: str, work: Callable[..., T], *arguments: Any) -> T:
    """Do some work in so many seconds, by the clock of the process that called this one."""
    with doing(words, seconds, f"the check gave up after {seconds:,.0f} s {words}"):
        return work(*arguments)


@contextmanager
def _watched(subject: Subject, described: str) -> Iterator[Callable[[], None]]:
    """Yield the function to call before and after each choice; a choice that takes far too long ends this process."""
    patience = max(PATIENCE * subject.limit, LEAST_PATIENCE)
    late = f"the check gave up after {patience:g} s on one choice: is this an endless loop? ({described})"
    with ExitStack() as choices:
        asked = False

        def beat() -> None:
            nonlocal asked
            asked = not asked
            if asked:
                choices.enter_context(doing(described, patience, late))
            else:
                choices.close()

        yield beat
