"""Scenarios are found by path or name, and those that come with rogsim are found wherever it is installed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from rogsim.scenario import scenario_files
from rogsim.scenario.model import ScenarioError, load
from rogsim.scenario.scenario_files import find_scenario, shipped_folder, shipped_scenarios
from tests.command_line import rogsim_command

pytestmark = pytest.mark.once_uncompiled

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in ROOT.glob("scenarios/*.toml"))


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def own(path: str, question: str) -> None:
    """Write seat-order with another question."""
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_text(f"# {question}\n" + (ROOT / "scenarios/seat-order.toml").read_text(encoding="utf-8"))


def test_every_scenario_that_comes_with_rogsim_is_found_by_name() -> None:
    """Each has a question and plays the game that its file names."""
    assert [scenario.name for scenario in shipped_scenarios()] == NAMES
    for scenario in shipped_scenarios():
        assert find_scenario(Path(scenario.name)) == scenario.path
        assert scenario.question.endswith("?")
        assert scenario.game == tomllib.loads(scenario.path.read_text(encoding="utf-8"))["game"]


def test_the_name_gives_the_same_scenario_as_the_path() -> None:
    by_name, by_path = load("seat-order"), load(ROOT / "scenarios/seat-order.toml")
    assert (by_name.name, by_name.question) == (by_path.name, by_path.question)
    assert by_name.scenario == by_path.scenario
    assert by_name.folder == by_path.folder


def test_a_path_goes_first_then_the_folder_here_then_what_comes_with_rogsim() -> None:
    """A folder of the same name is not in the way."""
    Path("seat-order").mkdir()
    assert load("seat-order").question.startswith("Is any seat favoured")
    own("scenarios/seat-order.toml", "Is this the one in the folder?")
    assert load("seat-order").question == "Is this the one in the folder?"
    Path("seat-order").rmdir()
    own("seat-order", "Is this the file itself?")
    assert load("seat-order").question == "Is this the file itself?"


def test_an_unknown_name_is_one_line_with_the_names_there_are() -> None:
    """Those that resemble it, or all. A path has the line that it always had."""
    own("scenarios/mine.toml", "Mine?")
    listed = ", ".join(sorted(["mine", *NAMES]))
    for name, hint in (("fairness-of-it", f": choose from {listed}"), ("seat-ordr", ', did you mean "seat-order"')):
        code, out, err = rogsim_command("run", name)
        assert (code, out) == (2, "")
        assert err.startswith(f"rogsim: error: {name}: there is no such file and no scenario of that name{hint}")
        assert err.count("\n") == 1
    for path in ("seat-ordr.toml", "scenarios/seat-order.toml", "./x/seat-order"):
        with pytest.raises(ScenarioError, match=r": there is no such file$"):
            load(path)


def test_an_installed_package_has_the_scenarios_inside(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside it may be anything."""
    package = empty_folder / "rogsim"
    monkeypatch.setattr(scenario_files, "PACKAGE", package)
    (empty_folder / "scenarios").mkdir()
    assert shipped_folder() == empty_folder / "scenarios"
    (package / "scenarios").mkdir(parents=True)
    assert shipped_folder() == package / "scenarios"
    assert 'force-include]\n"scenarios" = "rogsim/scenarios"' in (ROOT / "pyproject.toml").read_text()


def test_the_list_has_each_scenario_with_its_question_by_game() -> None:
    code, out, err = rogsim_command("scenario", "list")
    assert (code, err) == (0, "")
    parts = dict(part.split("\n", 1) for part in out.split("\n\n"))
    assert list(parts) == ["river-of-gold", "the-river"]
    for scenario in shipped_scenarios():
        (line,) = [line for line in parts[scenario.game].splitlines() if line.split()[0] == scenario.name]
        assert line.split(maxsplit=1)[1] == scenario.question
    only = rogsim_command("scenario", "list", "--game", "the-river").out
    assert only.splitlines()[0] == "the-river"
    assert "river-of-gold" not in only
    assert rogsim_command("scenario", "list", "--game", "chess").code == 2
