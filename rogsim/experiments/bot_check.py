"""Checking a bot: plays it in every kind of game and says what is wrong with it.

The bot plays in other processes, so that neither an endless loop nor a crash can end the check.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rogsim.base.child_process import ChildLost, doing, faults, start_child
from rogsim.base.errors import RogsimError
from rogsim.base.progress import progress_bar, say
from rogsim.base.text import counted
from rogsim.base.validation import not_allowed
from rogsim.bots.loading import check_name, compile_bot, find_bot
from rogsim.experiments.requests import check_range, check_seed
from rogsim.game import compiler
from rogsim.game.batches import Audit, Batch
from rogsim.game.bot import Bot, BotFault, in_a_line
from rogsim.game.registry import RegistryError, get_game, received, sent
from rogsim.game.spec import GameSpec
from rogsim.simulation.preparation import RULES, compiling_line

PATIENCE, LEAST_PATIENCE = 10, 5.0  # a choice may take this multiple of the limit, and at least this many seconds

ILLEGAL, RAISES, UNMADE = "illegal choice", "raises an error", "cannot be made"
NOT_DETERMINISTIC, PEEKING = "not deterministic", "uses hidden information"
SLOW, CRASHES = "too slow", "crashes"

T = TypeVar("T")
Ask = Callable[..., Any]
_loaded: dict[tuple[str, str, str], tuple[GameSpec, Bot, Bot]] = {}
MOST_GAMES = 100_000  # at each table
MOST_LISTED = 3  # findings shown of one kind
TABLE_SECONDS = 3_600  # at most, for one table, or to load and compile the bot
SECOND_PROCESS_SECONDS = 120  # at most, for a game in the second process: uncompiled bots are slow


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


def play_table(subject: Subject, table: CheckTable, once: bool = False) -> TableResult:
    """Play a table with the bot watched, then twice without, then each game on its own in reverse order.

    once: whether to play it only once, without watching the bot.
    """
    spec, setup, batch, described = _prepared(subject, table)
    played = TableResult(described)
    try:
        if once:
            played.digests = _play(spec, setup, batch)
            return played
        rows = spec.empty_rows(table.games, table.players)
        with _watched(subject, described) as beat:
            played.audit = spec.audit(setup, batch, *rows, beat)
        begin = time.perf_counter()
        played.digests = _play(spec, setup, batch)
        played.seconds = time.perf_counter() - begin
        again = _play(spec, setup, batch)
        games = [replace(batch, deals=batch.deals[[i]], seating=batch.seating[[i]]) for i in range(table.games)]
        alone = [_play(spec, setup, game)[0] for game in reversed(games)][::-1]
        played.findings += _compared(played, batch, _digests(batch, *rows), again, alone)
    except faults() as fault:
        played.findings.append(_fault_finding(fault, described))
    return played


def table_in_words(spec: GameSpec, table: CheckTable, bot: str) -> str:
    """Return a table in words."""
    sample = spec.samples[table.sample]
    options = "".join(f", {name} {value}" for name, value in sample.items())
    return (
        f"{counted(table.players, 'player')}{options}, against {'itself' if table.itself else opponent_of(spec, bot)}"
    )


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


def _play(spec: GameSpec, setup: Any, batch: Batch) -> list[str]:
    rows = spec.empty_rows(len(batch.deals), batch.players)
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


@dataclass
class BotReport:
    """The result of a check: what is wrong, by kind; what could not be checked; what was played."""

    bot: str
    findings: list[tuple[str, str]] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    games: int = 0
    tables: int = 0
    seconds: float = 0.0  # for all games played once
    audit: Audit = field(default_factory=Audit)  # of all tables together
    in_second_process: int = 0  # games played in a second process


class _ProcessLost(Exception):  # noqa: N818 - the bot's fault
    """A process ended or had to be ended; has the kind of finding and a description."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind, self.what = kind, what


def check_bot(name: str, game: str | None = None, games: int = 4, seed: int = 1, limit: float = 1.0) -> BotReport:
    """Check a bot with all player counts and with options that reach all rules, against another bot and itself.

    Parameters
    ----------
    name
        The bot, as named in a scenario.
    games
        Games at each table.
    limit
        Seconds allowed for one choice.

    Raises
    ------
    RogsimError
        If a value is not allowed.
    """
    check_range("--games", games, 1, MOST_GAMES)
    check_seed(seed)
    if not limit > 0:
        raise RogsimError(f"--limit: {not_allowed(limit, 'must be above 0')}")
    spec = get_game(game)
    check_name(spec, name, Path())
    subject = Subject(spec.id, sent(spec.id), name, str(Path().resolve()), seed, limit)
    report = BotReport(name)
    if spec.is_cold():
        say(compiling_line(spec, [RULES]))
    try:
        agent, results = _play_all(subject, spec, games, report)
        if not report.findings:
            _play_in_second_process(subject, _covering(spec, results), agent, report)
    except RegistryError as fault:
        report.findings.append(("cannot be loaded", str(fault)))
    except _ProcessLost as loss:
        report.findings.append((loss.kind, loss.what))
    return report


def _play_all(
    subject: Subject, spec: GameSpec, games: int, report: BotReport
) -> tuple[bool, dict[CheckTable, TableResult]]:
    """Play all tables in a separate process; return whether the bot is an agent, and the result of each table."""
    tables = [
        CheckTable(players, sample, itself, games)
        for players in spec.players
        for sample in range(len(spec.samples))
        for itself in (False, True)
    ]
    results: dict[CheckTable, TableResult] = {}
    with _separate_process(subject, {"PYTHONHASHSEED": "1"}) as ask, progress_bar(games * len(tables)) as advance:
        agent = ask(TABLE_SECONDS, "while it was loaded", load_subject)
        for table in tables:
            doing = f"at the table of {table_in_words(spec, table, subject.bot)}"
            played = results[table] = ask(TABLE_SECONDS, doing, play_table, table)
            advance(games)
            report.findings += played.findings
            report.tables += 1
            report.games += games
            report.seconds += played.seconds
            _add(report.audit, played.audit)
            if report.audit.slowest > subject.limit:
                break  # too slow to use, so too slow to check
    audit = report.audit
    if audit.slowest > subject.limit:
        what = f"one choice took {audit.slowest:.2g} s; the limit is {subject.limit:g} s"
        report.findings.append((SLOW, what))
    if audit.uncopied:
        asked = f"{audit.uncopied:,} of {audit.uncopied + audit.checked:,} times"
        what = f"whether it uses hidden information, {asked}"
        report.unchecked.append(f"{what}: it cannot be copied during a game (copy.deepcopy fails)")
    return agent, results


def _covering(spec: GameSpec, results: Mapping[CheckTable, TableResult]) -> list[tuple[CheckTable, TableResult]]:
    """Return tables that cover every option and every player count, all against another bot."""
    counts, samples = len(spec.players), len(spec.samples)
    wanted = {(spec.players[i % counts], i % samples) for i in range(max(counts, samples))}
    return [(t, played) for t, played in results.items() if not t.itself and (t.players, t.sample) in wanted]


def _play_in_second_process(
    subject: Subject, known: Sequence[tuple[CheckTable, TableResult]], agent: bool, report: BotReport
) -> None:
    """Play some tables in a different process: the first game uncompiled, or all games with another set order."""
    uncompiled = not agent and compiler.ENABLED
    where = "uncompiled" if uncompiled else "in another process"
    hint = "does it read or write beyond an array?" if uncompiled else "does it depend on the order of a set?"
    games = sum(1 if uncompiled else table.games for table, _ in known)
    change = {"NUMBA_DISABLE_JIT": "1"} if uncompiled else {"PYTHONHASHSEED": "2"}
    with _separate_process(subject, change) as ask, progress_bar(games) as advance:
        try:
            ask(TABLE_SECONDS, f"while it was loaded {where}", load_subject)
            for table, before in known:
                doing = f"{where}, {before.described}"
                table = replace(table, games=1 if uncompiled else table.games)
                played = ask(SECOND_PROCESS_SECONDS, doing, play_table, table, True)
                advance(table.games)
                if played.findings:
                    kind, what = played.findings[0]
                    report.findings.append((f"{kind}, {where}", what))
                    continue
                differing = [i for i, digest in enumerate(played.digests) if digest != before.digests[i]]
                if differing:
                    what = f"deal {differing[0]} comes out differently {where}: {hint} ({before.described})"
                    report.findings.append((NOT_DETERMINISTIC, what))
                report.in_second_process += table.games
        except _ProcessLost as loss:
            if loss.kind != SLOW or not uncompiled:
                raise
            report.unchecked.append(f"whether games come out the same {where}: that takes too long")


@contextmanager
def _separate_process(subject: Subject, environment: Mapping[str, str]) -> Iterator[Ask]:
    """Start a process in which a bot may hang or crash, and yield the function that asks it to do work.

    It takes the seconds allowed, what is done in words, the work, and its arguments after the subject; _ProcessLost if
    the process ends or takes too long.
    """
    child = start_child(environment)

    def ask(seconds: float, doing: str, work: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return child.call(in_time, seconds, doing, work, subject, *arguments)
        except ChildLost as loss:
            if loss.is_late:
                raise _ProcessLost(SLOW, str(loss)) from None
            what = f"its process {loss.how} {doing}; writing beyond an array or running out of memory can cause this"
            raise _ProcessLost(CRASHES, what) from None

    try:
        yield ask
    finally:
        child.kill()


def _add(total: Audit, audit: Audit) -> None:
    total.questions += audit.questions
    total.seconds += audit.seconds
    total.slowest = max(total.slowest, audit.slowest)
    total.checked += audit.checked
    total.uncopied += audit.uncopied


def report_lines(report: BotReport) -> list[str]:
    """Return a report as lines of text: what is wrong, or what was played if nothing is."""
    notes = [f"Not checked: {text}." for text in report.unchecked]
    if report.findings:
        kinds = list(dict.fromkeys(kind for kind, _ in report.findings))
        lines = [f"{report.bot}: found problems."]
        for kind in kinds:
            texts = [text for finding_kind, text in report.findings if finding_kind == kind]
            more = len(texts) - MOST_LISTED
            lines += [f"- {kind}: {text}" for text in texts[:MOST_LISTED]]
            lines += [f"- {kind}: {more} more of this kind"] if more > 0 else []
        return [*lines, *notes]
    audit = report.audit
    lines = [
        f"{report.bot}: nothing wrong found.",
        f"Played: {report.games:,} games at {report.tables} tables, with all player counts and kinds of game, against "
        "another bot and against itself; each game was repeated twice, once on its own.",
        f"In another process: {report.in_second_process:,} of these games came out the same.",
    ]
    if audit.questions:
        lines += [
            f"Choices: {audit.questions:,}, {audit.checked:,} of them repeated with hidden information dealt anew.",
            f"Its slowest choice took {audit.slowest * 1000:,.1f} ms.",
        ]
    lines.append(f"Speed: {report.games / max(report.seconds, 1e-9):,.0f} games per second in one process.")
    return lines + notes
