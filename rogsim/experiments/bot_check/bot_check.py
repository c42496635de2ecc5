"""Checking a bot: plays it in every kind of game and says what is wrong with it.

The bot plays in other processes, so that neither an endless loop nor a crash can end the check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from rogsim.base.child_process import ChildLost, start_child
from rogsim.base.errors import RogsimError
from rogsim.base.progress import progress_bar, say
from rogsim.base.validation import not_allowed
from rogsim.bots.loading import check_name
from rogsim.experiments.bot_check.check_play import (
    CRASHES,
    NOT_DETERMINISTIC,
    SLOW,
    CheckTable,
    Subject,
    TableResult,
    in_time,
    load_subject,
    play_once,
    play_table,
    table_in_words,
)
from rogsim.game import compiler
from rogsim.game.batches import Audit
from rogsim.game.registry import RegistryError, get_game, sent
from rogsim.game.spec import GameSpec
from rogsim.scenario.model import MOST_SEEDS
from rogsim.simulation.compiling import RULES, compiling_line

MOST_GAMES = 100_000  # at each table
MOST_LISTED = 3  # findings shown of one kind
TABLE_SECONDS = 3_600  # at most, for one table, or to load and compile the bot
SECOND_PROCESS_SECONDS = 120  # at most, for a game in the second process: uncompiled bots are slow

T = TypeVar("T")


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
    if not 1 <= games <= MOST_GAMES:
        raise RogsimError(f"--games: {not_allowed(games, f'must be from 1 to {MOST_GAMES:,}')}")
    if not 0 <= seed < MOST_SEEDS:
        raise RogsimError(f"--seed: {not_allowed(seed, f'must be from 0 to {MOST_SEEDS - 1:,}')}")
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
    with _SeparateProcess(subject, {"PYTHONHASHSEED": "1"}) as process, progress_bar(games * len(tables)) as advance:
        agent = process.result(load_subject, seconds=TABLE_SECONDS, doing="while it was loaded")
        for table in tables:
            doing = f"at the table of {table_in_words(spec, table, subject.bot)}"
            played = results[table] = process.result(play_table, table, seconds=TABLE_SECONDS, doing=doing)
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
    with _SeparateProcess(subject, change) as process, progress_bar(games) as advance:
        try:
            process.result(load_subject, seconds=TABLE_SECONDS, doing=f"while it was loaded {where}")
            for table, before in known:
                doing = f"{where}, {before.described}"
                table = replace(table, games=1 if uncompiled else table.games)
                played = process.result(play_once, table, seconds=SECOND_PROCESS_SECONDS, doing=doing)
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


class _SeparateProcess:
    """A separate process, in which a bot may hang or crash."""

    def __init__(self, subject: Subject, environment: Mapping[str, str]) -> None:
        self.subject, self.environment = subject, environment

    def __enter__(self) -> _SeparateProcess:
        self.child = start_child(self.environment)
        return self

    def __exit__(self, *_: Any) -> None:
        self.child.kill()

    def result(self, work: Callable[..., T], *arguments: Any, seconds: float, doing: str) -> T:
        """Return the result of `work` for the subject; _ProcessLost if its process ends or takes too long."""
        try:
            return self.child.call(in_time, seconds, doing, work, self.subject, *arguments)
        except ChildLost as loss:
            if loss.is_late:
                raise _ProcessLost(SLOW, str(loss)) from None
            what = f"its process {loss.how} {doing}; writing beyond an array or running out of memory can cause this"
            raise _ProcessLost(CRASHES, what) from None


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
