"""The harness stays generic, imports point one way, and help comes at once."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rogsim

pytestmark = pytest.mark.once_uncompiled

PACKAGE = Path(rogsim.__file__).parent
GAME_PACKAGES = PACKAGE / "games"
HARNESS = sorted(path for path in PACKAGE.rglob("*.py") if not path.is_relative_to(GAME_PACKAGES))

# From the top to the bottom: a module may import only from levels below its own.
LEVELS = (
    ("__main__",),
    ("cli",),
    ("commands",),
    ("report",),
    ("bench", "tune", "tournament", "profiles", "check", "run_report", "verify", "comparison", "sweeps"),
    ("profile_plot", "check_play"),
    ("tune_report", "standings", "profile_figures"),
    ("tune_request", "tournament_request"),
    ("scenario_tools",),
    ("fairest", "designs"),
    ("fairest_request", "candidates"),
    ("fairest_plan",),
    ("cells",),
    ("api", "traces", "trials", "signature", "folders", "plots"),
    ("drafts",),
    ("until",),
    ("tables",),
    ("stats",),
    ("store", "pooled"),
    ("shelf", "row_check"),
    ("results", "inventory", "places"),
    ("manifest", "looks"),
    ("batch", "evolution"),
    ("pace", "workers"),
    ("chunks", "identity"),
    ("frames", "arguments", "allowed_values", "setting_labels"),
    ("schedule", "no_effect", "fresh_luck"),
    ("scenario",),
    ("goals",),
    ("bots", "targets", "backends", "axes", "figures"),
    ("dask_workers", "ray_workers"),
    ("progress",),
    ("pool",),
    ("foreign",),
    ("lifeline",),
    ("weights", "bot_names", "speech"),
    ("registry",),
    ("games",),
    ("game",),
    ("chance",),
    ("jit",),
    ("files",),
    ("problems", "errors", "plain_text", "code_folder"),
    ("",),  # the package itself: its version
)
LEVEL = {module: level for level, modules in enumerate(LEVELS) for module in modules}

# Libraries that take long to import.
HEAVY = {"numpy", "numba", "polars", "pydantic", "scipy", "joblib", "choix", "matplotlib", "seaborn"}
HEAVY |= {"distributed", "ray", "filelock"}

# Words of the one game that the harness must not know.
GAME_WORDS = """
    koku silk rice porcelain favor influence patron patrons clan clans mastery masteries customer
    customers merchant merchants monk monks artisan artisans noble nobles elder elders shore river sail
    sailor builder courier courtier balanced journey emperor royal ship ships era kudaka gold
"""


def module_of(path: Path) -> str:
    """The first part of a module's name below the package; stats is one level."""
    first = path.relative_to(PACKAGE).with_suffix("").parts[0]
    return "" if first == "__init__" else first


def imports_of(path: Path) -> set[str]:
    """The modules of this package that a file imports, at any depth; only for types does not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == "rogsim":
            modules = [alias.name for alias in node.names]
            names = [f"rogsim.{name}" if name in LEVEL else "rogsim" for name in modules]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        else:
            names = []
        for name in names:
            top, _, rest = name.partition(".")
            if top == "rogsim":
                found.add(rest.split(".")[0])
    return found


@pytest.mark.parametrize("path", HARNESS, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_point_one_way(path: Path) -> None:
    """A module of the harness imports only from levels below its own (its package's version excepted)."""
    module = module_of(path)
    for imported in imports_of(path) - {module}:
        assert LEVEL[imported] > LEVEL[module], f"{module} imports {imported}"


def test_games_know_nothing_of_the_harness_above_them() -> None:
    """A game imports of this package only the contract, chance, the compiler's settings, and errors."""
    allowed = {"game", "games", "chance", "jit", "errors", "problems"}
    for path in GAME_PACKAGES.rglob("*.py"):
        assert imports_of(path) <= allowed, path


def test_games_do_not_import_each_other() -> None:
    """What one game imports from the folder of games lies in its own folder."""
    for path in GAME_PACKAGES.glob("*/**/*.py"):
        own = path.relative_to(GAME_PACKAGES).parts[0]
        text = path.read_text(encoding="utf-8")
        assert set(re.findall(r"rogsim\.games\.(\w+)", text)) <= {own}, path


@pytest.mark.parametrize("path", HARNESS, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_harness_names_nothing_of_a_game(path: Path) -> None:
    """No word of a particular game stands in the code of the harness, comments included."""
    words = set(re.findall(r"[a-z]+", path.read_text(encoding="utf-8").lower()))
    assert words.isdisjoint(GAME_WORDS.split())


def test_help_imports_nothing_heavy() -> None:
    """`rogsim --help` loads none of the libraries that take long."""
    code = (
        "import sys; sys.argv = ['rogsim', '--help']\n"
        "from rogsim.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        f"print(sorted({HEAVY} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PACKAGE.parent)
    assert done.returncode == 0, done.stderr
    assert "Usage: rogsim" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_run_starts_without_what_only_reports_need() -> None:
    """`rogsim run` takes its distributions from scipy.special: scipy.stats would add a fifth to its start."""
    code = (
        "import sys, rogsim.api, rogsim.run_report; print('scipy.special' in sys.modules, 'scipy.stats' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PACKAGE.parent)
    assert (done.returncode, done.stdout) == (0, "True False\n"), done.stderr


def test_the_version_is_the_projects() -> None:
    """The version in the package and in the project file are the same."""
    text = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{rogsim.__version__}"\n' in text
