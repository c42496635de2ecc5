"""The answer to each question in one sentence: which level is out of line, how often it wins, and with which bots."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from rogsim.report.balance.top_answers import answered
from rogsim.report.document import Report, Section, TopAnswer
from tests.report.conftest import KEYS, material_for, report_on

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("race")]

SHARE = r"\d+\.\d% \(\d+\.\d to \d+\.\d\) instead of"
MANY = {"games": 2_000}


def answer(report: Report, name: str = "seats") -> TopAnswer:
    """The answer of a section."""
    found = next(section.answer for section in report.sections if section.name == name)
    assert found is not None
    return found


def test_the_level_farthest_out_of_line_is_named_with_its_shares() -> None:
    """In the dice race the first seat is ahead with each number of players; the other seat of two only mirrors it."""
    found = answer(report_on(KEYS | MANY))
    assert found.verdict == "imbalanced"
    assert re.fullmatch(
        rf"With these bots, seat 1 wins too often: {SHARE} 50\.0% with 2 players and {SHARE} 33\.3% with 3"
        r" \(2,000 games each\)\. Also too rarely: seat [23] \(3 players\) and seat [23] \(3\)\.",
        found.text,
    )


def test_the_share_and_its_interval_are_those_of_the_finding() -> None:
    """The effect with its simultaneous interval, added to the fair share."""
    material = material_for(KEYS | MANY | {"players": [2]})
    report = report_on(KEYS | MANY | {"players": [2]})
    effect = material.verdicts[0].effect_of("seat 1")
    share, low, high = (50.0 + number for number in (effect.value, effect.low, effect.high))
    shown = f"{share:.1f}% ({low:.1f} to {high:.1f})"
    assert f": {shown} instead of 50.0% with 2 players (2,000 games)." in answer(report).text


def test_of_several_sets_of_bots_the_last_one_answers() -> None:
    """The sentence names it; a question on which the bots differ says so."""
    first, last = KEYS | MANY, KEYS | MANY | {"bots": ["walker"], "seed": 6}
    alone, both = answer(report_on(last)), answer(report_on(first, last))
    assert both.text.startswith("With walker, ")
    assert both.text.removeprefix("With walker, ").startswith(alone.text.removeprefix("With these bots, ").rstrip("."))
    assert both.text.endswith("epends on the bots.")


def test_what_matters_most_is_what_adds_up_over_the_numbers_of_players() -> None:
    """Not the single largest effect: seat 1 is ahead with two numbers of players, seat 3 farther behind with one."""
    material = material_for(KEYS | MANY)
    two, three = (verdict for verdict in material.verdicts if verdict.claim.topic == "seats")
    far = tuple(replace(effect, value=-1.5 * three.intervals[0].value) for effect in three.intervals)
    behind = replace(three, named=("seat 3", "seat 1"), intervals=(three.intervals[0], *far[1:]))
    section = next(section for section in report_on(KEYS | MANY).sections if section.name == "seats")
    found = answered(replace(material, verdicts=(two, behind)), section).answer
    assert found is not None
    assert found.text.startswith("With these bots, seat 1 wins too often: ")
    assert found.text.endswith(" Also too rarely: seat 3 (3 players).")


def test_of_more_than_two_levels_none_is_a_mirror() -> None:
    """All that are out of line are listed; with one number of players it is not repeated."""
    found = answer(report_on(KEYS | MANY | {"players": [3]}))
    assert re.search(r" with 3 players \(2,000 games\)\. Also too rarely: seat [23] and seat [23]\.$", found.text)


@pytest.mark.parametrize(("other", "shown"), [({}, True), ({"named": ()}, False), ({"kind": "fair"}, False)])
def test_a_level_that_is_out_of_line_with_all_bots_does_not_depend_on_them(other: dict[str, Any], shown: bool) -> None:
    """Even if another one does: then the answer says so. A difference that is fair with other bots is not that."""
    keys = (KEYS | MANY | {"players": [3]}, KEYS | MANY | {"players": [3], "bots": ["walker"], "seed": 6})
    material = material_for(*keys)
    section = next(section for section in report_on(*keys).sections if section.name == "seats")
    section = replace(section, findings=tuple(replace(finding, verdict="depends") for finding in section.findings))
    first, last = (verdict for verdict in material.verdicts if verdict.claim.topic == "seats")
    first = replace(first, **other)
    found = answered(replace(material, verdicts=(first, last)), section).answer
    assert found is not None
    assert ": seat 1 wins too often: " in f": {found.text.partition(', ')[2]}"
    if shown:
        assert found.verdict == "imbalanced"
        assert found.text.endswith(" This holds with both sets of bots; what else is out of line depends on the bots.")
    else:
        assert (found.verdict, found.text.endswith(" It depends on the bots.")) == ("depends", True)


def seats_section(*runs: dict[str, Any]) -> Section:
    """The section on the seats of some runs."""
    return next(section for section in report_on(*runs).sections if section.name == "seats")


def test_bots_that_did_not_play_a_number_of_players_show_nothing_about_it() -> None:
    """What only one set of bots played does not hold with both: the answer says which did not play."""
    keys = (KEYS | MANY | {"players": [2], "bots": ["walker"], "seed": 6}, KEYS | MANY)
    section = seats_section(*keys)
    findings = tuple(
        replace(finding, verdict="depends") if finding.data["players"] == 2 else finding for finding in section.findings
    )
    found = answered(material_for(*keys), replace(section, findings=findings)).answer
    assert found is not None
    assert found.text.startswith("With runner, seat 1 wins too often: ")
    assert found.verdict == "depends"
    assert found.text.endswith(" With 3 players, walker did not play; with 2 players, it depends on the bots.")


def test_of_two_mirrored_seats_the_favoured_one_is_named() -> None:
    """Rounding does not decide which one it is."""
    keys = KEYS | MANY | {"players": [2]}
    material = material_for(keys)
    (verdict,) = (verdict for verdict in material.verdicts if verdict.claim.topic == "seats")
    ahead, behind = verdict.intervals
    rounded = replace(verdict, intervals=(ahead, replace(behind, value=-ahead.value - 1e-9)))
    found = answered(replace(material, verdicts=(rounded,)), seats_section(keys)).answer
    assert found is not None
    assert found.text.startswith("With these bots, seat 1 wins too often: ")
    assert "seat 2" not in found.text


def test_a_favoured_seat_is_not_dropped_as_a_mirror() -> None:
    """If the seat that is behind matters most, the one that is ahead of it with two players is listed all the same."""
    material = material_for(KEYS | MANY)
    two, three = (verdict for verdict in material.verdicts if verdict.claim.topic == "seats")
    behind = replace(three, named=("seat 2",), intervals=tuple(replace(one, value=-5.0) for one in three.intervals))
    found = answered(replace(material, verdicts=(two, behind)), seats_section(KEYS | MANY)).answer
    assert found is not None
    assert found.text.startswith("With these bots, seat 2 wins too rarely: ")
    assert found.text.endswith(" Also too often: seat 1 (2 players).")


def test_a_verdict_that_other_bots_show_comes_with_their_answer() -> None:
    """The last set of bots played few games: its answer comes second, after that of the set that shows the verdict."""
    keys = (KEYS | MANY, KEYS | {"games": 20, "bots": ["moody"], "seed": 6})
    found = answer(report_on(*keys))
    assert found.verdict == "imbalanced"
    assert found.text.startswith("With runner, seat 1 wins too often: ")
    assert found.text.endswith(". With moody, too few games to decide with 2 and 3 players (20 games each).")
    assert (found.bots, [label for label, _ in found.others]) == ("moody", ["runner"])


def test_a_fair_last_set_does_not_answer_what_is_undecided() -> None:
    """The badge is that of the undecided set, and so is the first sentence."""
    keys = (KEYS | {"games": 40}, KEYS | MANY | {"bots": ["moody"], "seed": 6})
    material, section = material_for(*keys), seats_section(*keys)
    findings = tuple(replace(finding, verdict="open", data={"topic": "seats"}) for finding in section.findings)
    fair = tuple(
        replace(verdict, kind="fair", named=()) if material.source_of(verdict).label == "moody" else verdict
        for verdict in material.verdicts
    )
    found = answered(replace(material, verdicts=fair), replace(section, findings=findings)).answer
    assert found is not None
    assert found.text == (
        "With runner, too few games to decide with 2 and 3 players (40 games each). With moody, fair within ±2 pp "
        "with 2 and 3 players (2,000 games each)."
    )


def test_questions_that_the_same_rows_answer_say_so() -> None:
    """As where each seat always has the same patron: what one wins, the other one wins."""
    material = material_for(KEYS | MANY)
    seats = [verdict for verdict in material.verdicts if verdict.claim.topic == "seats"]
    patrons = [replace(verdict, claim=replace(verdict.claim, topic="patrons", noun="patron")) for verdict in seats]
    section = next(section for section in report_on(KEYS | MANY).sections if section.name == "seats")
    found = answered(replace(material, verdicts=(*seats, *patrons)), section).answer
    assert found is not None
    assert found.text.endswith(" Each seat always has the same patron, so they cannot be distinguished.")
    with_one_count = answered(replace(material, verdicts=(*seats, patrons[0])), section).answer
    assert with_one_count is not None
    assert "always has the same" not in with_one_count.text


def test_too_few_games_are_said() -> None:
    """With a few games nothing stands out: undecided, and no level is named."""
    found = answer(report_on(KEYS | {"games": 40}))
    text = "With these bots, too few games to decide with 2 and 3 players (40 games each)."
    assert found == TopAnswer("open", text, "not tested")


def test_levels_that_only_differ_together_are_not_named() -> None:
    """A joint test may reject where no single level differs clearly."""
    material = material_for(KEYS | MANY | {"players": [2]})
    verdicts = tuple(replace(verdict, named=()) for verdict in material.verdicts)
    section = next(section for section in report_on(KEYS | MANY | {"players": [2]}).sections if section.name == "seats")
    found = answered(replace(material, verdicts=verdicts), section).answer
    assert found is not None
    assert found.text == (
        "With these bots, the levels differ by more than chance with 2 players (2,000 games), but no single level "
        "clearly stands out."
    )


def test_a_section_without_findings_at_the_top_has_no_answer() -> None:
    """Its findings are not verdicts, so there is nothing to sum up."""
    material = material_for(KEYS)
    section = Section("steps", "Spaces moved", "Do they matter?", "60 games", (), (), (), ())
    assert answered(material, section) == section


def test_what_is_fair_is_said_beside_what_is_undecided() -> None:
    """With a wide margin for two players only, they are fair, and three are undecided."""
    material = material_for(KEYS | MANY)
    two, three = (verdict for verdict in material.verdicts if verdict.claim.topic == "seats")
    verdicts = (replace(two, kind="fair", named=(), margin=40.0), replace(three, kind="unknown", named=(), margin=40.0))
    section = next(section for section in report_on(KEYS | MANY).sections if section.name == "seats")
    found = answered(replace(material, verdicts=verdicts), section).answer
    assert found is not None
    assert found.text == (
        "With these bots, too few games to decide with 3 players (2,000 games); fair within ±40 pp with 2 players "
        "(2,000 games)."
    )
