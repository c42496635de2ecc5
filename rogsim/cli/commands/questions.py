"""The commands that answer a question with a page; Python has a function of the same name for each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rogsim.base.output_paths import REPORTS
from rogsim.cli import completion
from rogsim.cli.options import WORKERS, Option, ScenarioArgument, game_options, options
from rogsim.cli.pages import ask, folder_for

KEYS = "games seed players bots change components"


@options(
    "against settled out everything",
    out="reports/report, or reports/changes",
    everything=Option(bool, None, "Print every finding, not only the answers.", False, flag="--all"),
)
def report(
    folders: Annotated[
        list[Path],
        typer.Argument(help="Results folders, all of the same game, or two runs to compare.", metavar="FOLDER"),
    ],
    against: Annotated[
        list[Path] | None,
        typer.Option(help="Say what changed since this results folder. Repeatable.", metavar="FOLDER"),
    ] = None,
    settled: Annotated[
        list[Path] | None,
        typer.Option(help="Folder that `rogsim settle` wrote for the same game. Repeatable.", metavar="FOLDER"),
    ] = None,
    **asked: Any,
) -> None:
    """Write a report: what is out of balance, and how sure that is.

    Given the results of several sets of bots, it also says whether an answer depends on the bots. With --settled,
    each finding says whether it holds with stronger bots. The folder contains one HTML page, the same report as
    Markdown, JSON, workbook and tables, and every figure as PNG and SVG.

    Given two runs under different rules or in different versions, it says what changed from the first to the second.
    With --against, it says what changed since that run, however the two differ.
    """
    from rogsim.report import questions
    from rogsim.report.changes_page import two_sides
    from rogsim.report.console.answers import print_report

    changes = two_sides(folders, against or (), settled or ()) is not None
    asked["out"] = asked["out"] or REPORTS / ("changes" if changes else "report")
    show = None if changes else print_report
    ask(questions.report, *folders, against=against or (), settled=settled or (), show=show, **asked)


@options(
    "change components games seed players bots retrain retrain_generations retrain_games "
    f"{WORKERS} out everything json",
    out=REPORTS / "compare",
)
def compare(
    base: Annotated[
        Path,
        typer.Argument(
            help="Base: a scenario file (TOML), or a name that rogsim scenario list shows.",
            metavar="BASE",
            autocompletion=completion.scenarios,
        ),
    ],
    variants: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Scenarios to compare with the base.", metavar="VARIANT", autocompletion=completion.scenarios
        ),
    ] = None,
    **asked: Any,
) -> None:
    """Compare a scenario with its variants on the same deals.

    The page shows what a change does to the question of the scenario. All --change options together make one more
    variant. Games that are already stored are not played again. With --retrain, it also shows every difference with
    players that were trained for the changed rules.
    """
    from rogsim.report import questions

    ask(questions.compare, base, *variants or (), **asked)


@options(
    f"goal over change components games confirm seed players bots {WORKERS} out everything json",
    games=Option(int, "NUMBER", "Maximum number of games of the search, per player count.", "what the goals need"),
    out="reports/balance-<scenario>",
)
def optimize(
    scenario: ScenarioArgument,
    goal: Annotated[
        list[str] | None,
        typer.Option(
            help='For example "seat_share equal ± 2 pp". Repeatable.  [default: that of the scenario, or fair]',
            metavar="GOAL",
        ),
    ] = None,
    confirm: Annotated[
        int | None,
        typer.Option(
            help="Games to confirm the answer on new deals.  [default: what the goals need]", metavar="NUMBER"
        ),
    ] = None,
    **asked: Any,
) -> None:
    """Find the smallest change that reaches a goal.

    Goals and values to try come from the scenario's [balance] or from the options. The answer is confirmed on new
    deals. Games that are already stored are not played again.
    """
    from rogsim.report import questions

    asked["out"] = asked["out"] or folder_for("balance", scenario)
    ask(questions.optimize, scenario, goal=goal or (), confirm=confirm, **asked)


@options(f"over {KEYS} {WORKERS} out everything json", out="reports/sweep-<scenario>")
def sweep(scenario: ScenarioArgument, **asked: Any) -> None:
    """Play every setting of a [sweep] and show which is fairest.

    All settings are played on the same deals. The page also shows which parameters matter. --over plays other values:
    of a single number, the page shows which ones are fair. Games that are already stored are not played again: an
    interrupted sweep continues.
    """
    from rogsim.report import questions

    asked["out"] = asked["out"] or folder_for("sweep", scenario)
    ask(questions.sweep, scenario, **asked)


@options(
    f"bots claims margin first_look games minutes seed players change components {WORKERS} out everything json",
    bots=Option(str, "BOTS", "Bots, the weakest first: a,b,c.", "the game's ladder", completion.bots),
    games=Option(
        int,
        "NUMBER",
        "Maximum number of games per player count, all bots together, without those against each other.",
        "no limit",
    ),
    out="reports/settle-<scenario>",
)
def settle(
    scenario: ScenarioArgument,
    claims: Annotated[
        str | None,
        typer.Option(
            help="What to judge, such as seats.  [default: seats, and all that is dealt to them]", metavar="NAMES"
        ),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(help="Largest change that does not matter, in pp.  [default: the scenario's]", metavar="NUMBER"),
    ] = None,
    first_look: Annotated[
        int, typer.Option(help="Games of each bot and player count before the first verdict.", metavar="NUMBER")
    ] = 400,
    **asked: Any,
) -> None:
    """Show whether effects hold as the bots get stronger.

    Each bot of a ladder plays all seats, and some games against the one before. An effect is settled if the last two
    steps of the ladder lead to stronger bots and change it by less than the margin. Games that are already stored are
    not played again.
    """
    from rogsim.report import questions

    asked["out"] = asked["out"] or folder_for("settle", scenario)
    ask(questions.settle, scenario, claims=claims, margin=margin, first_look=first_look, **asked)


@options(
    "bots games players seed jobs chunk store out everything game",
    games=2_000,
    players="the largest",
    seed=1,
    out=REPORTS / "tournament",
)
def tournament(
    context: typer.Context,
    bots: Annotated[
        str,
        typer.Option(
            help="Two or more bots: a,b,c. Two bots with four players play abbb, aabb and aaab.",
            metavar="BOTS",
            autocompletion=completion.bots,
        ),
    ],
    **asked: Any,
) -> None:
    """Play bots against each other and rate them.

    The page shows which bot is strongest, by how much, and which are not distinguishable. Games that are already stored
    are not played again: an interrupted tournament continues. Any other --name VALUE is an option of the game.
    """
    from rogsim.report import questions

    ask(questions.tournament, bots=bots, options=game_options(context.args), **asked)
