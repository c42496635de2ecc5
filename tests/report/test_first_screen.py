"""The first screen of a report: the question, its answer, who played, what to try next, and the balance sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from rogsim.game.registry import register
from rogsim.game.topics import Lead
from rogsim.report import words
from rogsim.report.balance.build import build_report
from rogsim.report.balance.sheet import answer_of, question_of, topic_of
from rogsim.report.document import MOST_SHOWN
from rogsim.report.sentences import answer_words, headline
from rogsim.stats.balance.shape import COMEBACKS, LEADER_WINS, ShapeSums
from rogsim.stats.blocks import BlockRows
from tests.dice_game import GAME
from tests.report.conftest import KEYS, RIVER, TOPICS, material_for, report_on

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("race")]

TWO = KEYS | {"players": [2], "games": 2_000}  # seat 1 wins 15.6 pp more than a fair share
EVEN = KEYS | {"bots": ["random"], "players": [2], "games": 20}


def test_the_answer_is_one_sentence_with_its_number() -> None:
    """The level with the largest effect, how often it wins, and how often it would if the game were fair."""
    material = material_for(TWO)
    (judgement,) = material.judged("seats")
    won = words.number(50 + judgement.effect_of("seat 1").value, 0)
    answer, verdict = answer_of(material, None)
    assert answer == f"With two players, seat 1 wins {won} games in 100 instead of 50."
    assert verdict == "out"


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Is any seat favoured?", "Yes. With two players, seat 1 wins"),
        ("Is the game fair?", "With two players, seat 1 wins"),
        ("How strong is seat 1?", "With two players, seat 1 wins"),
    ],
)
def test_yes_only_where_it_answers_the_question(question: str, start: str) -> None:
    """A question that "yes" would answer the wrong way round, or not at all, gets the plain sentence."""
    material = material_for(TWO)
    source = material.last
    asked = replace(source, manifest={**source.manifest, "question": f"{question} And more."})
    told = replace(material, sources=(asked,))
    assert question_of(told, None) == question
    assert answer_of(told, None)[0].startswith(start)


def test_too_few_games_are_not_an_answer() -> None:
    """Nothing is claimed from a few games."""
    report = report_on(EVEN)
    assert report.verdict == "open"
    assert report.answer.startswith("Not known yet: ")


@pytest.fixture
def dealt() -> Iterator[None]:
    """The dice race with first rolls that chance deals on a long track."""
    register(replace(GAME, topics=(replace(TOPICS[0], dealt={"long": 20}), *TOPICS[1:])))
    yield
    register(replace(GAME, topics=TOPICS))  # as the other tests of this file have it


def test_the_report_is_about_what_is_dealt(dealt: None) -> None:
    """What the options deal to the seats comes first, before the turn order."""
    material = material_for(TWO)
    assert topic_of(material) == "rolls"
    report = build_report(material, Path("page"))
    assert [section.name for section in report.sections][:2] == ["rolls", "seats"]
    assert report.picture is not None
    assert report.picture.draw().axes


def test_the_answer_is_about_the_number_of_players_with_the_largest_effect() -> None:
    """Of several numbers of players the worst one is told, with its figure."""
    material = material_for(KEYS | {"games": 2_000})
    judged = material.judged("seats", material.last)
    top = headline(judged)
    largest = max(judged, key=lambda one: (one.kind == "beyond", abs(one.largest.effect.value)))
    assert top is largest
    assert f"With {'two' if top.effects.players == 2 else 'three'} players" in answer_words(judged)


def test_the_sheet_has_a_cell_for_each_number_of_players() -> None:
    """Each number has an interval, the colour of its verdict, and the section that shows more."""
    report = report_on(KEYS)
    assert report.sheet is not None
    assert report.sheet.columns == ("2 players", "3")
    names = {section.name for section in report.sections}
    for row in report.sheet.rows:
        assert len(row.cells) == 2
        assert row.section in names
        assert all(cell is None or cell.reach for cell in row.cells)
    first = report.sheet.rows[0].cells[0]
    assert first is not None
    assert first.verdict == "out"


def test_every_section_begins_with_its_answer() -> None:
    """A section without an answer does not appear, and no table is longer than a page shows."""
    report = report_on(RIVER)
    for section in report.sections:
        assert section.answer.endswith(".")
        assert section.method.count(". ") <= 1
        assert all(len(grid.rows()) <= MOST_SHOWN or "q" not in grid.frame for grid in section.grids)


def test_leaders_and_comebacks_are_shares_of_games() -> None:
    """Of four games the leader wins one, loses one, half of a tied one, and half of a shared victory."""
    half = [5, 1, 5, 1, 3, 3, 4, 2]
    wins = [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.5, 0.5]
    game = np.repeat(np.arange(4), 2)
    seats = pl.DataFrame(
        {"game": game, "block": game, "win_share": wins, "points": np.multiply(wins, 9.0), "half": half}
    )
    numbers = np.arange(4)
    games = pl.DataFrame({"game": numbers, "block": numbers, "turns": [9] * 4, **dict.fromkeys("csb", [0] * 4)})
    sums = ShapeSums(2, Lead(("half",), "c", "s", "b"))
    sums.add(BlockRows(2, seats, games))
    means = {row["name"]: row["value"] for row in sums.result().rows}
    assert means[LEADER_WINS] == pytest.approx((1 + 0 + 0.5 + 0.5) / 4)
    assert means[COMEBACKS] == pytest.approx(1 / 4)
