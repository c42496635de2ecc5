"""How a command ends: with a page, its answer and what to do next, or with one line for each error."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import typer

from rogsim.base.errors import RogsimError
from rogsim.base.files import REPORTS
from rogsim.base.signals_and_streams import begin_command, end_quietly, flush, last_line, received
from rogsim.base.text import safe, write

if TYPE_CHECKING:
    from rogsim.report.document import Report

FOUND, BAD_INPUT, INTERRUPTED = 1, 2, 130  # exit codes; the last is 128 + the signal, as in a shell
# typer bundles its own click and exports only this one of its usage errors.
USAGE_ERROR = cast("type[Exception]", typer.BadParameter.__base__)


def guarded(command: Callable[[], Any]) -> int:
    """Run the command and return its exit code; errors that the user can correct are printed, one line each."""
    begin_command()
    try:
        _check_words(sys.argv[1:])
        code = command()
        sys.stdout.flush()
    except SystemExit as stop:
        # click and rich exit with code 1 if the reader of the output has gone
        if isinstance(stop.__context__, BrokenPipeError):
            return end_quietly()
        raise
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted()
    except Exception as fault:
        if received:  # code in C that is interrupted, as while modules are loaded, may raise any other error
            return _interrupted()
        return _told(fault)
    if code == INTERRUPTED:  # what typer makes of Ctrl-C
        return _interrupted()
    return code if isinstance(code, int) else 0


def _interrupted() -> int:
    """Print the last line of an interrupted command, and return the exit code."""
    with suppress(OSError):  # nobody may read it any more
        if line := last_line():
            write(line, sys.stderr)
    return INTERRUPTED


def _told(fault: Exception) -> int:
    """Print an error that the user can correct, and return the exit code; raise any other one."""
    if isinstance(fault, RogsimError):
        return _fail(str(fault))
    if isinstance(fault, BrokenPipeError):
        return end_quietly()
    if isinstance(fault, OSError):
        flush(sys.stdout)
        return _fail(f"{fault.filename}: {fault.strerror}" if fault.filename else fault.strerror or str(fault))
    if isinstance(fault, USAGE_ERROR):
        return _fail(_usage(fault))
    raise fault


def _fail(text: str) -> int:
    with suppress(OSError):  # such as a full disk: the exit code is what is left to say it
        for line in safe(text).splitlines():
            write(f"rogsim: error: {line}", sys.stderr)
    flush(sys.stderr)
    return BAD_INPUT


def _check_words(words: list[str]) -> None:
    """Refuse words that are not UTF-8, which could be neither written to a file nor printed."""
    for word in words:
        if not word.isascii() and word != word.encode(errors="replace").decode():
            raise RogsimError(f"{word!a}: is not text in UTF-8")


def _wrong_value(fault: Any) -> str:
    """Return which option or argument has a value of the wrong kind, and what is allowed."""
    from rogsim.base.validation import not_allowed, rule_of  # loads pydantic, which help does not need

    first = fault.__cause__.errors(include_url=False)[0]
    name = max(fault.param.opts, key=len) if fault.param else fault.param_hint
    return f"{name}: {not_allowed(first['input'], rule_of(first))}"


def _usage(fault: Any) -> str:
    """Return what is wrong with the command line, and which help to read."""
    text = " ".join(fault.format_message().split())
    if not text:
        return "name a command (see rogsim --help)"
    command = fault.ctx.command_path if fault.ctx else "rogsim"
    if hasattr(fault.__cause__, "errors"):  # pydantic's, and in its words
        text = _wrong_value(fault)
    return f"{text.rstrip('.')} (see {command} --help)"


def ask(
    question: Callable[..., Report],
    /,
    *given: Any,
    out: Path,
    show: Callable[[Report, bool], None] | None = None,
    everything: bool = False,
    json: bool = False,
    **asked: Any,
) -> None:
    """Write the page of a question, and print it as text or JSON.

    Parameters
    ----------
    question
        A function of `rogsim.report.questions`, which Python users call with the same arguments.
    given, asked
        Its arguments.
    out
        The folder to write.
    show
        Prints the answer.
    everything, json
        The options --all and --json.
    """
    from inspect import unwrap

    from rogsim.report.console.page_lines import print_page
    from rogsim.report.render.data_files import as_data, to_text
    from rogsim.report.render.write import PAGE

    report: Report = unwrap(question)(*given, out=out, **asked)  # inside, errors name options
    page = out / PAGE
    if json:
        print(to_text({"page": str(page), **as_data(report)}), end="")
        return
    (show or print_page)(report, everything)
    write(f"\nPage: {page}")
    for command in [step.command for step in report.steps if step.command][:1]:
        propose_line(command)


def folder_for(kind: str, scenario: Path) -> Path:
    """Return the folder of a page on a scenario."""
    from rogsim.scenario.scenario_files import find_scenario

    return REPORTS / f"{kind}-{find_scenario(scenario).stem}"


def propose(*words: object) -> None:
    """Propose a command to go on with."""
    propose_line(shlex.join(["rogsim", *map(str, words)]))


def propose_line(command: str) -> None:
    """Print a command to go on with, if a person reads the output: a pipe gets no such line."""
    if sys.stdout.isatty():
        write(f"Next: {command}")
