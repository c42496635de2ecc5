"""Python does what the command line does: the same answers, the same arguments, the same errors."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from matplotlib.figure import Figure

import rogsim
from rogsim.report.document import Report
from rogsim.report.render.data_files import as_json
from tests.command_line import Run

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race", "sketched", "few_draws")]

SCENARIO = """# Is any seat favoured?
game = "dice-race"
players = [2]
games = 60
seed = 5
bots = ["runner"]
"""
HEADS = "head_start.2"
ONE = {HEADS: 1}
GOAL = "seat_share equal ± 20 pp"
LADDER = ["walker", "moody", "runner"]

Ask = Callable[[], Report]
CASES: dict[str, tuple[list[str], Ask]] = {
    "report": (["report", "x"], lambda: rogsim.report(rogsim.run("x.toml", jobs=1))),
    "report on changes": (
        ["report", "changed", "--against", "x"],
        lambda: rogsim.report("changed", against=["x"]),
    ),
    "compare": (
        ["compare", "x.toml", "--change", f"{HEADS} = 1", "--games", "40", "--seed", "7"],
        lambda: rogsim.compare("x.toml", change=ONE, games=40, seed=7),
    ),
    "compare files": (
        ["compare", "x.toml", "y.toml", "--bots", "runner,walker"],
        lambda: rogsim.compare("x.toml", "y.toml", bots=["runner", "walker"]),
    ),
    "optimize": (
        ["optimize", "x.toml", "--over", f"{HEADS} = [0, 1, 2]", "--goal", GOAL, "--confirm", "100", "--games", "1000"],
        lambda: rogsim.optimize("x.toml", over={HEADS: [0, 1, 2]}, goal=GOAL, confirm=100, games=1000),
    ),
    "sweep": (
        ["sweep", "x.toml", "--over", f"{HEADS} = [0, 1, 2]", "--players", "2,3"],
        lambda: rogsim.sweep("x.toml", over={HEADS: [0, 1, 2]}, players=[2, 3]),
    ),
    "settle": (
        ["settle", "x.toml", "--bots", ",".join(LADDER), "--first-look", "40", "--games", "200"],
        lambda: rogsim.settle("x.toml", bots=LADDER, first_look=40, games=200),
    ),
    "tournament": (
        ["tournament", "--game", "dice-race", "--bots", "runner,walker", "--players", "2", "--games", "40"],
        lambda: rogsim.tournament(game="dice-race", bots=["runner", "walker"], players=2, games=40),
    ),
}


@pytest.fixture
def command(command: Run) -> Run:
    """Run a command line in a folder with scenarios and results."""
    Path("x.toml").write_text(SCENARIO)
    Path("y.toml").write_text(f'{SCENARIO}change = {{ "{HEADS}" = 1 }}\n')
    return command


@pytest.fixture
def compared(command: Run) -> Report:
    """A comparison in Python."""
    return rogsim.compare("x.toml", change=ONE, games=40, jobs=1)


@pytest.mark.parametrize("name", CASES)
def test_python_gives_the_page_of_the_command(command: Run, name: str) -> None:
    """Every sentence and number, and the command that it names; without a folder Python writes nothing."""
    words, ask = CASES[name]
    if words[0] == "report":
        rogsim.run("x.toml", out="x", jobs=1)
        rogsim.run("y.toml", out="changed", jobs=1)
    ended = command(*words, "--out", "page")
    assert ended.code == 0, ended
    written = json.loads(Path("page/report.json").read_text(encoding="utf-8"))
    before = set(Path().rglob("*"))
    made = json.loads(as_json(ask()))
    assert set(Path().rglob("*")) == before
    for part in ("title", "question", "answer", "verdict", "context", "sections", "balance_sheet"):
        assert made[part] == written[part], part


def test_a_scenario_may_be_keys_or_an_object(compared: Report) -> None:
    """The answers are those of the file; the command names a file that could hold the keys."""
    keys = {"game": "dice-race", "players": [2], "games": 60, "seed": 5, "bots": ["runner"]}
    for given in (keys, rogsim.Scenario.model_validate(keys)):
        found = rogsim.compare(given, change=ONE, games=40, jobs=1)
        assert (found.answer, found.frames["seats"].equals(compared.frames["seats"])) == (compared.answer, True)
        assert "rogsim compare scenario.toml --change" in found.command
    swept = rogsim.sweep(keys, over={HEADS: {"from": 0, "to": 1}}, jobs=1)
    assert f"{HEADS} = {{ from = 0, to = 1 }}" in swept.command
    assert swept.scenarios[0][1].startswith('game = "dice-race"\nplayers = [2]\n')


def test_games_are_kept_in_a_store(command: Run) -> None:
    """It is the same as that of the command, which then plays nothing."""
    rogsim.compare("x.toml", change=ONE, games=40, jobs=1, store="games", out="page")
    assert Path("page/index.html").is_file()
    stored = {path: path.stat().st_mtime_ns for path in Path("games").rglob("*.parquet")}
    assert stored
    assert command("compare", "x.toml", "--change", f"{HEADS} = 1", "--games", "40", "--store", "games").code == 0
    assert {path: path.stat().st_mtime_ns for path in Path("games").rglob("*.parquet")} == stored


@pytest.mark.parametrize(
    ("words", "ask"),
    [
        (["settle", "x.toml", "--bots", "walker"], lambda: rogsim.settle("x.toml", bots="walker")),
        (
            ["settle", "x.toml", "--bots", ",".join(LADDER), "--first-look", "1"],
            lambda: rogsim.settle("x.toml", bots=LADDER, first_look=1),
        ),
        (["settle", "x.toml", "--minutes", "-1"], lambda: rogsim.settle("x.toml", minutes=-1.0)),
        (["compare", "x.toml"], lambda: rogsim.compare("x.toml")),
        (["compare", "x.toml", "y.toml", "--games", "0"], lambda: rogsim.compare("x.toml", "y.toml", games=0)),
        (["compare", "x.toml", "y.toml", "--jobs", "0"], lambda: rogsim.compare("x.toml", "y.toml", jobs=0)),
        (["compare", "x.toml", "y.toml", "--backend", "x"], lambda: rogsim.compare("x.toml", "y.toml", backend="x")),
        (
            ["compare", "x.toml", "y.toml", "--retrain-games", "20"],
            lambda: rogsim.compare("x.toml", "y.toml", retrain_games=20),
        ),
        (["sweep", "x.toml"], lambda: rogsim.sweep("x.toml")),
        (["sweep", "x.toml", "--over", "hills = [1]"], lambda: rogsim.sweep("x.toml", over={"hills": [1]})),
        (["optimize", "x.toml", "--confirm", "0"], lambda: rogsim.optimize("x.toml", over=f"{HEADS} = [1]", confirm=0)),
        (["tournament", "--bots", "walker"], lambda: rogsim.tournament(bots=["walker"])),
        (["report", "nowhere"], lambda: rogsim.report("nowhere")),
        (
            ["report", "x", "y", "--settled", "z", "--against", "y"],
            lambda: rogsim.report("x", settled="z", against="y"),
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_errors_are_those_of_the_command(command: Run, words: list[str], ask: Ask) -> None:
    """An argument has the name that it has in Python: `first_look` for --first-look."""
    if words[:2] == ["optimize", "x.toml"]:
        words = [*words, "--over", f"{HEADS} = [1]"]
    code, _, err = command(*words)
    assert code == 2
    in_python = re.sub(r"--([a-z-]+)", lambda option: option[1].replace("-", "_"), err)
    with pytest.raises(rogsim.RogsimError) as fault:
        ask()
    assert in_python == "".join(f"rogsim: error: {line}\n" for line in str(fault.value).splitlines())
    assert not Path("reports").exists()


@pytest.mark.parametrize(
    ("ask", "line"),
    [
        (
            lambda: rogsim.compare(3, change=ONE),
            "scenario: 3 is not allowed: name a scenario file, or give the keys of a scenario",
        ),
        (lambda: rogsim.compare("x.toml", bots=[3]), "bots: [3] is not allowed: must be a list of names"),
        (lambda: rogsim.settle("x.toml", games="9"), 'games: "9" is not allowed: must be a whole number'),
        (lambda: rogsim.report(), "results: name results or their folder"),
        (lambda: rogsim.report("x", out=""), "out: must not be empty"),
    ],
)
def test_values_of_a_wrong_type_are_named(command: Run, ask: Ask, line: str) -> None:
    """As everywhere, in one line."""
    with pytest.raises(rogsim.RogsimError, match=f"^{re.escape(line)}$"):
        ask()


def test_a_notebook_shows_the_first_screen(compared: Report) -> None:
    """Question, answer, context, figure and table, without scripts and without anything to load."""
    shown = compared._repr_html_()
    for text in (compared.question, compared.answer, compared.context):
        assert text.replace(">", "&gt;") in shown
    assert "<table>" in shown
    assert "<script" not in shown
    assert "http" not in shown
    assert re.findall(r'(?:src|href)="([^,"]*)', shown) == ["data:image/png;base64"]


def test_a_terminal_shows_the_answer_and_what_there_is(compared: Report) -> None:
    """Not all the data."""
    lines = repr(compared).splitlines()
    assert lines[:3] == [compared.question, compared.answer, compared.context]
    assert lines[3:] == [
        f"figures: {', '.join(each.name for each in compared.pictures)}",
        f"tables: {', '.join(compared.frames)}",
    ]


def test_figures_and_tables_have_names(compared: Report) -> None:
    """The first figure is that of the first screen; a wrong name lists those that exist."""
    assert isinstance(compared.plot(), Figure)
    assert isinstance(compared.plot("seats"), Figure)
    assert compared.table("seats").frame.equals(compared.frames["seats"])
    with pytest.raises(rogsim.RogsimError, match=r'^table "seat": unknown, did you mean "seats"'):
        compared.table("seat")
    with pytest.raises(rogsim.RogsimError, match=r'^figure "x": unknown: choose from seats'):
        compared.plot("x")


def test_a_report_can_be_written_later(compared: Report) -> None:
    """Each frame has the name of its CSV file."""
    assert compared.write("page") == Path("page/index.html")
    assert {path.stem for path in Path("page/tables").iterdir()} == set(compared.frames)


def test_dir_lists_what_users_use() -> None:
    """Also after modules of the packages were imported, and a report can be asked for all the same."""
    code = (
        "import rogsim, rogsim.report.words, rogsim.stats.effects\n"
        "print(*dir(rogsim))\n"
        "try: rogsim.report()\n"
        "except rogsim.RogsimError as fault: print(fault)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    names = (
        "Report Results RogsimError Scenario Session __version__ compare optimize report run settle sweep tournament"
    )
    assert done.stdout.splitlines() == [names, "results: name results or their folder"], done.stderr
