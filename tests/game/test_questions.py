"""Questions about what seats did: found in the files of a package, and checked."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest

import rogsim
from rogsim.game.columns import Column
from rogsim.game.questions import QuestionError, question_in, questions_of
from rogsim.game.registry import HARNESS_COLUMNS, get_game

pytestmark = pytest.mark.once_uncompiled

PACKAGE = Path(rogsim.__file__).parent
FILES = sorted(path for path in PACKAGE.glob("game*/**/questions/*.py") if path.name != "__init__.py")
PARTS = {
    "TITLE": "Stakes",
    "QUESTION": "Does a high stake win?",
    "COLUMNS": ["stake"],
    "SEATS_THAT": {"staked more than 3": "stake > 3"},
}


def module(**changed: Any) -> ModuleType:
    """A file that holds a question, with some parts changed; None is left out."""
    made = ModuleType("stakes")
    vars(made).update({name: value for name, value in (PARTS | changed).items() if value is not None})
    return made


def test_every_question_is_a_file_of_at_most_60_lines() -> None:
    """Of games and for all games."""
    assert {path.name for path in FILES} >= {"ends.py", "first_claims.py", "plans.py"}
    assert all(len(path.read_text(encoding="utf-8").splitlines()) <= 60 for path in FILES)


@pytest.mark.parametrize("game", ["river-of-gold", "the-river"])
def test_conditions_read_the_columns_that_are_named_and_no_others(game: str) -> None:
    """The names say which games can be asked."""
    asked = [topic for topic in get_game(game).topics if topic.seats_that]
    assert len(asked) >= 2
    for topic in asked:
        read = {name for said in topic.seats_that.values() for name in pl.sql_expr(said).meta.root_names()}
        assert read - {*HARNESS_COLUMNS} == {*topic.reads}


def test_a_new_file_in_a_package_is_a_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They come in the order of their names; of those for every game, only the ones that the rows answer."""
    folder = tmp_path / "fresh_questions"
    folder.mkdir()
    text = "\n".join(f"{name} = {value!r}" for name, value in PARTS.items())
    for name in ("__init__", "stakes", "all_in"):
        (folder / f"{name}.py").write_text("" if name == "__init__" else text)
    monkeypatch.syspath_prepend(tmp_path)
    stake, ended = Column("stake", "i2", "stake"), Column("ended_game", "i1", "who ended it")
    try:
        assert [topic.name for topic in questions_of("fresh_questions", [stake])] == ["all-in", "stakes"]
        found = questions_of("fresh_questions", [stake, ended])
    finally:
        for name in [name for name in sys.modules if name.startswith("fresh_questions")]:
            del sys.modules[name]
    assert [topic.name for topic in found] == ["all-in", "stakes", "ends"]
    assert (found[1].question, found[1].reads) == ("Does a high stake win?", ("stake",))


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"TITLE": None}, "TITLE must be a text"),
        ({"QUESTION": " "}, "QUESTION must be a text"),
        ({"COLUMNS": "stake"}, 'COLUMNS must be a list of names of columns, like ["builds"]'),
        ({"COLUMNS": []}, "COLUMNS must be a list"),
        ({"SEATS_THAT": {}}, 'SEATS_THAT must be a dict with conditions, like {"built": "builds > 0"}'),
        ({"SEATS_THAT": {"staked": pl.col("stake") > 3}}, "SEATS_THAT must be a dict with conditions"),
        (
            {"SEATS_THAT": {f"staked {n}": f"stake = {n}" for n in range(1_000)}},
            "SEATS_THAT has 1,000 entries, and may",
        ),
    ],
    ids=["title", "question", "columns", "no-columns", "empty", "expression", "thousand"],
)
def test_what_is_missing_in_a_file_is_said(changed: dict[str, Any], fault: str) -> None:
    """In one line."""
    with pytest.raises(QuestionError) as raised:
        question_in(module(**changed), "stakes")
    assert str(raised.value).startswith(fault)
    assert "\n" not in str(raised.value)


def test_a_question_is_called_as_its_file() -> None:
    """With a dash, as sections are; other names are refused."""
    assert question_in(module(), "high_stakes").name == "high-stakes"
    with pytest.raises(QuestionError, match="the name of the file"):
        question_in(module(), "2 stakes")
