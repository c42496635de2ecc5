"""What the documentation says is so: commands, keys, columns, bots, examples and links."""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import re
import shlex
import sys
from collections.abc import Iterator
from itertools import pairwise, takewhile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import typer.main

import rogsim
from rogsim.cli.app import app
from rogsim.cli.new_game import write_game
from rogsim.game import compiler, plain
from rogsim.game.kit.conformance import game_at
from rogsim.game.kit.stepping import StepResult
from rogsim.game.kit.vector import layout_of
from rogsim.game.registry import get_game
from rogsim.games.river_of_gold.components.names import MASTERIES, PATRONS
from rogsim.games.river_of_gold.rules.actions import ACTION_COUNT, MENU, words_of
from rogsim.games.river_of_gold.rules.state import GAME, PLAYER
from rogsim.scenario.arguments import read_changes
from rogsim.scenario.model import Scenario, load
from scripts.measure_patrons import PARTS as MEASURED
from scripts.update_docs import LISTS, PAGES, PART, filled, with_outputs

pytestmark = pytest.mark.once_compiled

ROOT = Path(rogsim.__file__).parent.parent
NOTEBOOKS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/notebooks/*.md"))
PAGES_OF_DOCS = sorted(f"docs/{path.name}" for path in ROOT.glob("docs/*.md"))
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", *PAGES_OF_DOCS, *NOTEBOOKS)
SPEC = get_game("river-of-gold")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
GAME_FOLDER = "rogsim/games/river_of_gold"


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def blocks(document: str, language: str) -> list[str]:
    return blocks_of(text_of(document), language)


def blocks_of(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands() -> Iterator[list[str]]:
    """Every command line in a block of the documentation, without assignments before it."""
    for document in DOCUMENTS:
        for block in blocks(document, "sh"):
            for line in block.splitlines():
                words = shlex.split(line, comments=True)
                yield [word for place, word in enumerate(words) if place or not re.match(r"[A-Z_]+=", word)]


def first_column(document: str, head: str) -> list[str]:
    """The names in the first column of the table whose first cell says `head`."""
    lines = iter(text_of(document).splitlines())
    assert any(line.startswith(f"| {head} |") for line in lines), f"{document} has no table of {head}"
    rows = takewhile(lambda line: line.startswith("|"), lines)
    return [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]


def test_the_first_commands_of_the_readme_set_up_and_test() -> None:
    """README is short, and the first that one can copy plays a scenario and runs the tests, which .ci/run does, too."""
    assert len(text_of("README.md").splitlines()) < 120
    first = blocks("README.md", r"\w*")[0].splitlines()
    assert first == ["scripts/rogsim run scenarios/seat-order.toml", "scripts/test"]
    assert {"scripts/test", "scripts/docs"} <= {line.split(" ")[0] for line in text_of(".ci/run").splitlines()}


def test_what_is_imported_in_the_documentation_is_in_the_reference() -> None:
    """Each name that a block of Python imports from rogsim is on a page of the API; what one game has is its own."""
    reference = "".join(text_of(f"docs/{name}.md") for name in ("api", "api-statistics", "api-games"))
    imports = re.compile(r"^from (rogsim(?!\.games\.)[\w.]*) import ([\w, ]+)$", re.MULTILINE)
    used = {
        (module, name.split(" as ")[0].strip())
        for document in DOCUMENTS
        for block in (*blocks(document, "python"), *blocks(document, r"\{code-cell\}"))
        for module, names in imports.findall(block)
        for name in names.split(",")
    }
    assert len(used) > 8
    for module, name in used:
        assert {f":: {module}", f":: {module}.{name}"} & set(re.findall(r":: [\w.]+", reference)), f"{module}.{name}"


def test_every_notebook_is_in_the_gallery_and_on_the_site() -> None:
    """The gallery and the list of pages name each notebook, and all have output that is described in words."""
    assert len(NOTEBOOKS) == 5
    for name in (Path(notebook).stem for notebook in NOTEBOOKS):
        assert f"(notebooks/{name}.md)" in text_of("docs/notebook.md")
        assert f"\nnotebooks/{name}\n" in text_of("docs/index.md")
        cells = blocks(f"docs/notebooks/{name}.md", r"\{code-cell\}")
        assert sum('image: {alt: "' in cell for cell in cells) == 1


def test_every_part_is_one_that_the_script_writes() -> None:
    """Pages have the parts that `scripts/update-docs` and `scripts/measure-patrons` know, each once, and no others."""
    names = [found[1] for page in PAGES for found in PART.findall(text_of(page))]
    assert sorted(name for name in names if not name.startswith("output")) == sorted([*LISTS, *MEASURED])
    assert all(text_of(page).count("<!-- end of part -->") == len(PART.findall(text_of(page))) for page in PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_lists_of_columns_and_bots_are_those_of_the_code(page: str) -> None:
    """Parts made from the code are up to date; if not, run scripts/update-docs."""
    assert filled(text_of(page), LISTS) == text_of(page)


@pytest.mark.skipif(not compiler.ENABLED, reason="these games take too long uncompiled")
@pytest.mark.parametrize("page", PAGES)
def test_printed_tables_are_what_the_commands_print(page: str) -> None:
    """Output shown in the documentation is what this version prints; if not, run scripts/update-docs."""
    assert with_outputs(text_of(page)) == text_of(page)


def test_answers_of_the_questions_are_in_what_the_commands_print() -> None:
    """Each number of a bold answer of docs/questions.md is in the output below it, as it is or rounded."""
    sections = re.split(r"^## ", text_of("docs/questions.md"), flags=re.MULTILINE)[1:]
    answers = [re.search(r"\*\*(.*?)\*\*.*?<!-- part: output", section, re.DOTALL) for section in sections]
    assert sum(found is not None for found in answers) > 8
    for found, section in zip(answers, sections, strict=True):
        if found is None:
            continue
        printed = [float(number) for number in NUMBER.findall(blocks_of(section, "text")[0])]
        for number in NUMBER.findall(found[1]):
            digits = len(number.partition(".")[2])
            assert float(number) in {round(value, digits) for value in printed}, f"{section[:30]}: {number}"


def test_commands_in_the_documentation_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command line names a script that can be run, or a command of rogsim with options that it has.

    Files are those of the project, or of the game that a reader has written by then.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    written = {path.as_posix() for path in write_game("tricks")}
    tricks = game_at("tricks/tricks.py")
    known = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    seen = set()
    for words in commands():
        assert os.access(ROOT / words[0], os.X_OK), words
        if words[0] != "scripts/rogsim":
            seen.add(words[0])
            continue
        if words[1] == "--help":
            continue
        command = known[words[1]]
        if hasattr(command, "commands"):  # a group, such as `scenario`
            command = command.commands[words[2]]
        spec = tricks if any("tricks" in word for word in words) else SPEC
        options = {option for parameter in command.params for option in parameter.opts}
        if words[1] in ("bots", "trace", "tournament", "tune"):
            options |= {f"--{name}" for name in SPEC.options.model_fields}
        used = {word.split("=")[0] for word in words[2:] if word.startswith("--")}
        assert used <= options, words
        made_by_the_reader = "--components" in words
        read = [word for option, word in pairwise(words) if option != "--out"]
        files = [word for word in read[1:] if word.endswith(".toml") and "@" not in word]  # weights are made first
        files = [word for word in files if word not in written]
        assert all((ROOT / word).is_file() for word in files[: -1 if made_by_the_reader else None]), words
        changes = [word for before, word in pairwise(words) if before == "--change"]
        assert spec.check_change(read_changes(changes))[1] == [], words
        seen.add(words[1])
    assert seen >= {"scripts/test", *known}


def test_keys_and_options_are_those_of_a_scenario() -> None:
    """The tables of keys and options list all there are, in their order."""
    assert first_column("docs/scenarios.md", "key") == list(Scenario.model_fields)
    assert first_column("docs/scenarios.md", "option") == list(SPEC.options.model_fields)


def test_the_page_on_scenarios_names_everything() -> None:
    """Every mastery, patron, factor and scenario file is named on the page."""
    text = text_of("docs/scenarios.md")
    factors = [f'"{name}"' for name in (*SPEC.seat_factors, *SPEC.game_factors)]
    files = [f"../scenarios/{path.name}" for path in ROOT.glob("scenarios/*.toml")]
    assert [name for name in (*MASTERIES, *PATRONS, *factors, *files) if name not in text] == []


@pytest.mark.parametrize("document", ["docs/start.md", "docs/scenarios.md", "docs/variants.md"])
def test_scenarios_in_the_documentation_can_be_played(document: str, tmp_path: Path) -> None:
    """Each TOML block is a scenario without a mistake, which asks something, or a file of components for one."""
    assert blocks(document, "toml")
    path = tmp_path / "x.toml"
    for block in blocks(document, "toml"):
        path.write_text(block, encoding="utf-8")
        if "players =" in block:
            experiment = load(path)
            assert experiment.question.endswith("?")
        else:
            load(experiment.scenario, {"components": str(path)})


def test_changes_in_the_documentation_are_allowed() -> None:
    """Each row of the table of changes names a figure and a value that it may have, and changes something."""
    rows = re.findall(r"^\| `([\w.-]+ = [^`]+)` \|", text_of("docs/variants.md"), re.MULTILINE)
    assert len(rows) > 10
    for row in rows:
        change, problems = SPEC.check_change(read_changes([row]))
        assert (len(change), problems) == (1, []), row
    switches = [fact.name for fact in SPEC.facts() if fact.name.startswith("rulings.")]
    assert [name for name in switches if f"| `{name}` |" not in text_of("docs/variants.md")] == []


def test_the_scenarios_of_the_examples_are_those_shown() -> None:
    """docs/bots.md shows the scenarios in docs/examples as they are."""
    shown = [text_of(f"docs/examples/{name}.toml") for name in ("trader", "peddler")]
    assert blocks("docs/bots.md", "toml") == shown


def test_what_an_agent_may_read_is_in_the_observation() -> None:
    """The tables of docs/bots.md name every field of an observation and of a player, and every kind of action."""
    seen = rogsim.Session.new("river-of-gold", 2).describe(0)
    assert set(first_column("docs/bots.md", "in `observation`")) == set(seen)
    assert set(first_column("docs/bots.md", 'in `observation["players"][seat]`')) == set(seen["players"][0])
    words = [words_of(SimpleNamespace(row=range(6)), action) for action in range(ACTION_COUNT)]
    keys = {action["do"]: [key for key in action if key != "do"] for action in words}
    lines = [line for line in text_of("docs/bots.md").splitlines() if re.match(r"\| `\w+` \|", line)]
    told = {line.split("`")[1]: re.findall(r"`(\w+)`", line.split("|")[2]) for line in lines}
    assert {kind: told.get(kind) for kind in keys} == keys


def test_what_a_bot_may_read_is_in_the_record() -> None:
    """Fields named in docs/bots.md exist; of a player's only the results' own ledger is left out."""
    seen = first_column("docs/bots.md", "in `view`")
    players = first_column("docs/bots.md", "in `view.players[seat]`")
    assert set(seen) <= set(GAME.names or ())
    assert set(players) == set(PLAYER.names or ()) - {"ledger"}
    assert set(MENU.names or ()) == {"count", "actions"}


def test_the_manifest_has_the_keys_that_are_told(tmp_path: Path) -> None:
    """The table of the manifest's keys lists all there are."""
    keys = {"players": [2], "games": 1, "seed": 1, "bots": ["random"]}
    assert sorted(first_column("docs/results.md", "key")) == sorted(rogsim.run(keys).manifest)


@pytest.mark.parametrize(("name", "bot"), [("trader", "trader.py:Trader"), ("peddler", "peddler.py:choose")])
def test_the_example_bots_beat_chance(name: str, bot: str) -> None:
    """Those of docs/bots.md play whole games, compiled or not, and score more than the random bot."""
    games = 400 if compiler.ENABLED else 8
    seats = rogsim.run(ROOT / "docs" / "examples" / f"{name}.toml", games=games).seats().collect()
    points = {bot: part["points"].mean() for (bot,), part in seats.group_by("bot")}
    assert points[bot] > points["random"] + 5


@pytest.mark.parametrize("document", ["docs/start.md", "docs/results.md"])
def test_python_in_the_documentation_runs(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each block of Python that uses results runs as it stands, on fewer games, and prints something."""
    monkeypatch.chdir(tmp_path)
    for folder in ("scenarios", "reports"):
        Path(folder).mkdir()
    scenario = text_of("scenarios/seat-order.toml").replace('"balanced"', '"random"')
    Path("scenarios/seat-order.toml").write_text(scenario, encoding="utf-8")
    few = functools.partial(rogsim.run, jobs=1)
    few("scenarios/seat-order.toml", games=3, out="reports/seat-order")
    monkeypatch.setattr(rogsim, "run", lambda file, games: few(file, games=min(games, 3)))
    ran = [block for block in blocks(document, "python") if "results" in block]
    for block in ran:
        exec(compile(block, document, "exec"), {})
    assert ran
    assert "journeys" in capsys.readouterr().out


def test_components_in_the_documentation_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file and the classes of docs/your-game.md fit together; its other blocks declare fields."""
    (tmp_path / "harbour.toml").write_text(blocks("docs/your-game.md", "toml")[0], encoding="utf-8")
    _, changing, contracts, keeping, _, winning = blocks("docs/your-game.md", "python")
    given: dict[str, Any] = {name: getattr(plain, name) for name in plain.__all__}
    given |= {"__file__": str(tmp_path / "x.py"), "GOODS": ("silk", "tea", "salt"), "POWERS": ("first", "last")}
    for block in (changing, contracts, keeping, winning):
        exec(compile(block, "docs/your-game.md", "exec", dont_inherit=True), given)
    assert given["CONTRACTS"].names == ("silk-1", "tea-1")
    assert given["CONTRACTS"].copies == (1, 2)
    assert given["__annotations__"].keys() == {"last_trick", "tricks", "power"}


def test_the_sessions_in_the_documentation_can_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    """Each block of docs/session.md runs as it stands and prints something, and its table names what a session has."""
    ran = blocks("docs/session.md", "python")
    for block in ran:
        exec(compile(block, "docs/session.md", "exec"), {})
        assert capsys.readouterr().out
    assert len(ran) == 2
    offered = {name for name in vars(rogsim.Session) if not name.startswith("_")} - {"new"}
    table = text_of("docs/session.md").split("| name |")[1].split("\n\n")[0]
    cells = " ".join(re.findall(r"^\|(.*?)\|", table, re.MULTILINE))
    assert set(re.findall(r"`(\w+)", cells)) == offered
    assert first_column("docs/session.md", "argument") == list(inspect.signature(rogsim.Session.new).parameters)


def test_the_environments_in_the_documentation_learn(capsys: pytest.CaptureFixture[str]) -> None:
    """Each block of docs/environments.md runs; with fewer games its learner still wins more than at first."""
    ran = blocks("docs/environments.md", "python")
    assert len(ran) == 3
    for block in ran:
        few = block.replace("GAMES, UPDATES, RATE = 256, 40, 0.05", "GAMES, UPDATES, RATE = 48, 11, 0.1")
        assert (few != block) == (block == ran[-1])
        exec(compile(few, "docs/environments.md", "exec"), {})
        printed = capsys.readouterr().out
        assert printed
    first, last = (int(share) for share in re.findall(r"wins (\d+)%", printed))
    assert last > first + 15


def test_the_vector_in_the_documentation_is_that_of_the_game() -> None:
    """docs/environments.md lists every field of the vector, its lengths, and the fields of a result."""
    text = text_of("docs/environments.md")
    fields, lengths = set(), []
    for players in SPEC.players:
        setup = SPEC.prepare(SPEC.options(), players)
        assert SPEC.rules.vector is not None
        fields = {field.path for field in SPEC.rules.vector(setup)}
        lengths.append(len(layout_of(SPEC.rules, setup, players)))
    listed = text.split("| fields | what they are |")[1].split("\n\n")[0]
    cells = " ".join(re.findall(r"^\|(.*?)\|", listed, re.MULTILINE))
    assert set(re.findall(r"`([^`]+)`", cells)) == fields
    two, three, four = (f"{length:,}" for length in lengths)
    assert f"{two} elements with two players, {three} with three and {four} with four" in text
    assert first_column("docs/environments.md", "in the result") == list(StepResult._fields)


def test_rows_are_read_without_rogsim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines for polars, pandas and DuckDB give all rows with all columns."""
    monkeypatch.chdir(tmp_path)
    keys = {"players": [2], "games": 9, "seed": 1, "bots": ["random"]}
    rows = rogsim.run(keys, out="reports/seat-order", chunk=4, jobs=1).seats().collect()
    (block,) = (block for block in blocks("docs/results.md", "python") if "duckdb" in block)
    libraries = {name: importlib.import_module(name) for name in ("polars", "pandas", "duckdb", "pathlib")}
    lines = block.strip().splitlines()
    assert len(lines) == 3
    for line in lines:
        scope = dict(libraries)
        exec(line, scope)
        assert tuple(scope["seats"].shape) == rows.shape
        assert list(scope["seats"].columns) == rows.columns


def test_the_shortest_bots_in_the_documentation_play(tmp_path: Path) -> None:
    """Blocks that define a whole `choose` or a class that has one are bots that play."""
    whole = [
        block
        for document in ("docs/start.md", "docs/bots.md")
        for block in blocks(document, "python")
        if re.search(r"(def|as) choose\b", block) and "..." not in block
    ]
    assert len(whole) == 4
    for block in whole:
        (tmp_path / "mine.py").write_text(block, encoding="utf-8")
        found = re.search(r"^class (\w+)", block, re.MULTILINE)
        name = found[1] if found else "choose"
        (tmp_path / "x.toml").write_text(f'players = [2]\ngames = 2\nseed = 1\nbots = ["mine.py:{name}"]\n')
        turns = rogsim.run(tmp_path / "x.toml").games().collect()["turns"]
        assert np.all(turns.to_numpy() > 10)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_to_files_that_exist(document: str) -> None:
    """Relative links in the documentation point to something in the project."""
    for target in re.findall(r"\]\(([^)#:]+)(?:#[\w-]*)?\)", text_of(document)):
        assert ((ROOT / document).parent / target).exists(), f"{document}: {target}"


def test_sections_that_pages_link_to_are_in_the_documentation() -> None:
    """Each anchor of a section of a report is one of docs/statistics.md."""
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "rogsim/report").rglob("*.py"))
    named = set(re.findall(r"""(?:anchor|ANCHOR)(?:: str)? ?= ?"([\w-]+)\"""", sources))
    text = text_of("docs/statistics.md")
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    heads = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    assert len(named) > 5
    assert named <= {*heads, *re.findall(r'<a id="([\w-]+)">', text)}


def test_no_finding_is_said_to_be_about_the_game() -> None:
    """They hold for all bots tried, at most: in code, documentation, scenarios and reports."""
    said = re.compile(r"(?:finding|other|conclusion)s?(?: (?:is|are))? about the game\b|about_(?:the_)?game\b")
    folders = {"rogsim": "py", "docs": "md", "scenarios": "toml", "scripts": "py", "reports": "md"}
    files = [path for folder, kind in folders.items() for path in (ROOT / folder).rglob(f"*.{kind}")]
    for path in (ROOT / "README.md", *files):
        text = re.sub(r"""["']?\s*\n\s*["'#]?\s*""", " ", path.read_text(encoding="utf-8"))
        assert not said.findall(text), path


def test_the_map_shows_what_is_there() -> None:
    """Each package is in the tables of CONTRIBUTING.md, and each file that a table names is in the row's package."""
    text = text_of("CONTRIBUTING.md")
    for head, root in (("package in `rogsim/`", "rogsim"), ("in `rogsim/games/river_of_gold/`", GAME_FOLDER)):
        table = text[text.index(f"| {head} |") :].split("\n\n")[0].splitlines()[2:]
        rows = [[re.findall(r"`([^`]+)`", cell) for cell in row.strip("| ").split(" | ")] for row in table]
        listed = {name.rstrip("/") for first, _ in rows for name in first}
        packages = {path.parent.relative_to(ROOT / root).as_posix() for path in (ROOT / root).rglob("*/__init__.py")}
        inside = {name for name in packages if name.endswith("commands") or name.startswith("games/")}
        assert packages - inside <= listed, f"not on the map: {packages - inside - listed}"
        for first, named in rows:
            for name in [*first, *(word for word in named if re.fullmatch(r"\w+\.py", word))]:
                assert any((ROOT / root / place / name).exists() for place in ("", *first)), f"{name} is not there"


def test_the_changelog_tells_of_this_version() -> None:
    """The version of the package has an entry."""
    assert f"## [{rogsim.__version__}]" in text_of("CHANGELOG.md")
