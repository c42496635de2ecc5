"""The harness stays generic, imports point one way, and help comes at once."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import rogsim
from rogsim import environments

pytestmark = pytest.mark.once_uncompiled

PACKAGE = Path(rogsim.__file__).parent
GAME_PACKAGES = PACKAGE / "games"
HARNESS = sorted(path for path in PACKAGE.rglob("*.py") if not path.is_relative_to(GAME_PACKAGES))

# From the top to the bottom: a module imports only from its own package and those below it.
ORDER = (
    "__init__",
    "__main__",
    "cli",
    "workbench",
    "report",
    "experiments",
    "stats",
    "results",
    "environments",
    "simulation",
)
ORDER += ("scenario", "bots", "games", "game", "base")


# Libraries that take long to import.
HEAVY = {"numpy", "numba", "polars", "pydantic", "scipy", "joblib", "choix", "matplotlib", "seaborn"}
HEAVY |= {"distributed", "ray", "filelock", "gymnasium", "pettingzoo", "xlsxwriter", "starlette", "uvicorn", "anyio"}

# Words of the one game that the harness must not know.
GAME_WORDS = """
    koku silk rice porcelain favor influence patron patrons clan clans mastery masteries customer
    customers merchant merchants monk monks artisan artisans noble nobles elder elders shore river sail
    sailor builder courier courtier balanced journey emperor royal ship ships era kudaka gold
"""


def package_of(module: str) -> str:
    """The part of a dotted name that ORDER lists."""
    return [*module.split("."), "__init__"][1]


def imports_of(path: Path) -> set[str]:
    """The modules of this package that a file imports, at any depth; those imported only for types do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    blocks = [node for node in nodes if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    for_types = {inner for block in blocks for inner in ast.walk(block)}
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node not in for_types and node.level == 0:
            parts = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {part if part in MODULES else str(node.module) for part in parts}
        elif isinstance(node, ast.Import) and node not in for_types:
            found |= {alias.name for alias in node.names}
    return found & set(MODULES)


MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}


@cache
def imports() -> dict[str, set[str]]:
    """What each module imports of this package."""
    return {module: imports_of(path) - {module} for module, path in MODULES.items()}


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_one_way(module: str) -> None:
    """A module imports only from its own package and from packages below it, lazily or not."""
    for imported in imports()[module]:
        assert ORDER.index(package_of(imported)) >= ORDER.index(package_of(module)), f"{module} imports {imported}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    """The modules can be put into an order in which each imports only those before it."""
    assert len(list(TopologicalSorter(imports()).static_order())) == len(MODULES)


def test_the_top_level_has_an_order() -> None:
    """Each package and module of the top level is on the list above, and nothing else is."""
    entries = {entry.name.removesuffix(".py") for entry in PACKAGE.iterdir() if entry.name != "__pycache__"}
    assert entries - {"py.typed"} == set(ORDER)


def test_games_know_nothing_of_the_harness_above_them() -> None:
    """A game imports of this package only the contract and what lies below it, and of other games nothing."""
    for module in MODULES:
        if module.startswith("rogsim.games."):
            own = ".".join(module.split(".")[:3])
            others = [name for name in imports()[module] if package_of(name) == "games" and not name.startswith(own)]
            assert others == [], module


@pytest.mark.parametrize("path", HARNESS, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_harness_names_nothing_of_a_game(path: Path) -> None:
    """No word of a particular game is in the code of the harness, comments included.

    The influence values of an estimate are a term of statistics.
    """
    words = set(re.findall(r"[a-z]+", path.read_text(encoding="utf-8").lower()))
    if path.is_relative_to(PACKAGE / "stats") or path.is_relative_to(PACKAGE / "experiments"):
        words.discard("influence")
    assert words.isdisjoint(GAME_WORDS.split())


def test_the_package_has_every_name_that_it_offers() -> None:
    """Whatever is imported only when it is used is there, for Tab as well, and so is the error that pages name."""
    for package in (rogsim, environments):
        assert all(hasattr(package, name) for name in package.__all__)
        assert set(package.__all__) <= set(dir(package))
    assert issubclass(rogsim.RogsimError, Exception)


def test_help_imports_nothing_heavy() -> None:
    """`rogsim --help` loads none of the libraries that take long."""
    code = (
        "import sys; sys.argv = ['rogsim', '--help']\n"
        "from rogsim.cli.app import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        f"print(sorted({HEAVY} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PACKAGE.parent)
    assert done.returncode == 0, done.stderr
    assert "Usage: rogsim" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("words", [("seat-order", "--change", "setup.hand = 99"), ("x.toml",)])
def test_a_wrong_change_is_refused_before_anything_heavy_is_imported(words: tuple[str, ...], tmp_path: Path) -> None:
    """On the command line or in a file: only the parameters of the game are read."""
    scenario = "players = [2]\ngames = 20\nseed = 1\nbots = ['random']\nchange = { setup.hand = 99 }\n"
    (tmp_path / "x.toml").write_text(f"# Is any seat favoured?\n{scenario}")
    code = (
        f"import sys; sys.argv = ['rogsim', 'run', *{words}]\n"
        "from rogsim.cli.app import main\n"
        "try: main()\n"
        "except SystemExit as end: print(end.code)\n"
        f"print(sorted({HEAVY - {'pydantic'}} & set(sys.modules)))\n"  # pydantic reads scenarios
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert "setup.hand" in done.stderr
    assert "99 is not allowed: must be a whole number from 0 to 6" in done.stderr
    assert done.stdout.splitlines() == ["2", "[]"]


def test_run_starts_without_what_only_reports_need() -> None:
    """`rogsim run` needs a few functions of scipy.special; the rest of it and joblib would add a fifth to its start."""
    code = (
        "import sys, rogsim.experiments.run, rogsim.report.console.run_results\n"
        "names = ('scipy.special._ufuncs', 'scipy.special._basic', 'scipy.stats', 'scipy.optimize', 'joblib')\n"
        "print(*(name in sys.modules for name in names))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PACKAGE.parent)
    assert (done.returncode, done.stdout) == (0, "True False False False False\n"), done.stderr


def test_checking_a_scenario_loads_no_plots_and_no_searches() -> None:
    """`rogsim scenario check` loads neither matplotlib nor scipy.stats, which took most of its time."""
    code = (
        "import sys, rogsim.experiments.preview\n"
        "print(*(name in sys.modules for name in ('matplotlib', 'cma', 'scipy.stats')))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PACKAGE.parent)
    assert (done.returncode, done.stdout) == (0, "False False False\n"), done.stderr


@pytest.mark.parametrize("threads", [None, "2"])
def test_a_command_starts_no_threads_for_linear_algebra(threads: str | None) -> None:
    """Nor does it search for plugins; a setting of the user counts."""
    code = (
        "import os, sys; from rogsim.__main__ import command; sys.argv = ['rogsim', 'games']\n"
        "try: command()\n"
        "except SystemExit as end: assert not end.code\n"
        "import numpy\n"
        "tasks = os.listdir('/proc/self/task') if os.path.isdir('/proc/self/task') else [0]\n"
        "print(os.environ['OPENBLAS_NUM_THREADS'], os.environ['PYDANTIC_DISABLE_PLUGINS'], len(tasks))\n"
    )
    clean = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    clean |= {"OPENBLAS_NUM_THREADS": threads} if threads else {}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PACKAGE.parent, env=clean)
    assert done.returncode == 0, done.stderr
    found, plugins, started = done.stdout.splitlines()[-1].split()
    assert (found, plugins) == (threads or "1", "__all__")
    if threads is None:
        assert started == "1"


def test_the_version_is_the_projects() -> None:
    """The version in the package and in the project file are the same."""
    text = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{rogsim.__version__}"\n' in text


def test_polars_is_given_no_paths() -> None:
    """It takes some characters of a path for a pattern: only one module reads Parquet files, and none writes them."""
    takes_paths = re.compile(r"\b(pl|polars)\.(read|scan)_|\.(sink_\w+|write_(excel|ipc|ndjson|avro))\(")
    found = [path for path in PACKAGE.rglob("*.py") if takes_paths.search(path.read_text(encoding="utf-8"))]
    assert found == [PACKAGE / "simulation" / "chunks.py"]
