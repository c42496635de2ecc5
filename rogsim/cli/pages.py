"""Commands that answer a question with a page: they write it, print its answer, and propose what to do next."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rogsim.base.output_paths import REPORTS
from rogsim.base.prose import write

if TYPE_CHECKING:
    from rogsim.report.document import Report


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
    from rogsim.report.render.json_data import as_data, to_text
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
