"""Findings: those at the top of the page, with many games, few games and several bots, and the next steps."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rogsim
from rogsim.report.balance.build import build_report, scenario_text
from rogsim.report.balance.pieces import findings_of
from rogsim.report.balance.sources import Material, gather, labels_of
from rogsim.report.changes import changes_page
from rogsim.report.document import Report
from rogsim.report.words import MINUS, NOTHING
from rogsim.scenario.fingerprint import identity_of, key_of
from rogsim.scenario.model import load
from rogsim.stats import verdicts
from rogsim.stats.paired import difference_verdicts
from rogsim.stats.verdict_words import SMALLER
from rogsim.stats.verdicts import Verdict
from tests.report.conftest import KEYS, Play, material_for, report_on

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("race")]


def on_top(report: Report) -> list[tuple[str, str, str]]:
    return [
        (section.name, finding.verdict, finding.short) for section, findings in report.on_top for finding in findings
    ]


def test_a_favoured_seat_is_at_the_top_with_its_effect() -> None:
    """In the dice race the first seat is far ahead: imbalanced, with effect, interval and margin."""
    name, verdict, text = on_top(report_on(KEYS | {"players": [2], "games": 2_000}))[0]
    assert (name, verdict) == ("seats", "imbalanced")
    assert re.match(r"2 players, with these bots: seat 1 wins \d+\.\d pp more than a fair share \(\+", text)
    assert text.endswith("clearly beyond ±2 pp. Also imbalanced: seat 2.")


def test_the_first_named_level_leads() -> None:
    """The sentence is about the first level that clearly differs, even if another has the largest effect."""
    material = seats_of_the_race()
    verdict = material.verdicts[0]
    assert (verdict.level, verdict.named, verdict.beyond) == ("seat 1", ("seat 1", "seat 2"), True)
    (text,) = short_sentences(material, replace(verdict, named=("seat 2", "seat 1")))
    assert re.fullmatch(
        r"2 players, with these bots: seat 2 wins \d+\.\d pp less than a fair share "
        rf"\({MINUS}\d+\.\d to {MINUS}\d+\.\d\), "
        r"possibly beyond ±2 pp\. Also imbalanced: seat 1\.",
        text,
    )


def test_levels_can_differ_without_any_of_them_standing_out() -> None:
    """A joint test may reject where no single level differs clearly: no level is then called imbalanced."""
    material = seats_of_the_race()
    (text,) = short_sentences(material, replace(material.verdicts[0], named=()))
    assert re.fullmatch(
        r"2 players, with these bots: taken together, the levels differ by more than chance, but no single level "
        r"clearly stands out; "
        r"the largest effect is that of seat 1, \+\d+\.\d pp \(\+\d+\.\d to \+\d+\.\d\)\.",
        text,
    )


def seats_of_the_race() -> Material:
    return material_for(KEYS | {"players": [2], "games": 2_000})


def short_sentences(material: Material, *verdicts: Verdict) -> list[str]:
    """Return the sentences at the top of a page on these verdicts."""
    return [finding.short for finding in findings_of(replace(material, verdicts=verdicts), "seats")]


def test_an_undecided_interval_that_excludes_zero_is_explained() -> None:
    """A question on its own may show what may be chance among all questions; both kinds of finding say so."""
    material = seats_of_the_race()
    verdict = replace(material.verdicts[0], kind="unknown", named=(), prospect=None)
    (text,) = short_sentences(material, verdict)
    assert text.endswith(
        "On its own, this question would show a difference; among all questions on the page, that may be chance, and "
        "it may be beyond ±2 pp."
    )
    both = material_for(KEYS | {"players": [2], "games": 2_000}, KEYS | {"players": [2], "bots": ["moody"]})
    open_ones = [replace(one, kind="unknown", named=(), prospect=None, agreement=None) for one in both.verdicts]
    seats = [one for one in open_ones if one.claim.topic == "seats"]
    even = [replace(one, estimate=replace(one.estimate, low=-1.0)) for one in seats[1:]]
    (text,) = [text for text in short_sentences(both, seats[0], *even) if text]
    assert re.search(
        r"runner: seat 1 \S+ pp \([^)]*\), which may be chance among all questions on the page; moody", text
    )
    assert text.count("chance") == 1


def test_effects_that_are_only_just_clear_are_explained_once() -> None:
    """Only a page that names one explains that it is probably smaller."""
    material = seats_of_the_race()
    report = build_report(material, Path("reports/report"))
    assert SMALLER not in report.family
    verdict = material.verdicts[0]
    near = tuple(replace(effect, low=0.01, high=2 * effect.value) for effect in verdict.intervals)
    just = replace(material, verdicts=(replace(verdict, intervals=near), *material.verdicts[1:]))
    assert build_report(just, Path("reports/report")).family.count(SMALLER) == 1


@pytest.mark.parametrize("family", [verdicts.FAMILY, difference_verdicts.FAMILY, changes_page.FAMILY])
def test_a_page_says_that_fair_and_within_the_margin_have_error_rates_of_their_own(family: str) -> None:
    """Holm's method covers what is imbalanced or changed, and not these."""
    assert "error rate holds for each question by itself" in family


def test_levels_that_are_numbers_are_named_after_their_factor() -> None:
    """The regression has seats and first rolls, both of them numbers."""
    (section,) = [section for section in report_on(KEYS).sections if section.name == "model"]
    levels = section.grids[0].frame.select("term", "level").unique().rows()
    assert {("seat", "Seat 1"), ("first roll", "First roll 6")} <= set(levels)


def test_a_wide_margin_makes_it_fair() -> None:
    """What is fair depends on the margin of the scenario."""
    report = report_on(KEYS | {"players": [2], "games": 2_000, "margin": 40.0})
    _, verdict, text = on_top(report)[0]
    assert verdict == "fair"
    assert text.startswith("2 players, with these bots: fair within ±40 pp")
    assert "A win share within ±40 percentage points" in report.lead


def test_few_games_leave_questions_undecided() -> None:
    """With too few games for a test every question is undecided, and no sentence shows nan."""
    report = report_on(KEYS | {"players": [2], "games": 4})
    assert {verdict for _, verdict, _ in on_top(report)} == {"open"}
    assert "nan" not in " ".join(text for _, _, text in on_top(report))


def write_scenario(keys: dict[str, Any], file: str = "scenario.toml") -> None:
    """Write the scenario of a run into the current folder, where commands find it."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items() if key != "options"]
    lines += ["[options]", *(f"{key} = {json.dumps(value)}" for key, value in keys.get("options", {}).items())]
    Path(file).parent.mkdir(exist_ok=True)
    Path(file).write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_undecided_questions_say_how_many_games_to_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next steps name the games and the command that plays them."""
    monkeypatch.chdir(tmp_path)
    write_scenario(KEYS)
    report = report_on(KEYS | {"players": [3], "games": 120})
    assert any(verdict == "open" for _, verdict, _ in on_top(report))
    assert any("--games" in step and "rogsim run" in step for step in report.next_steps)


def test_results_in_memory_have_no_folder_in_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run in memory left no folder: the commands that reproduce it write to the usual one, each to another."""
    monkeypatch.chdir(tmp_path)
    write_scenario(KEYS)
    report = report_on(KEYS | {"games": 40}, KEYS | {"games": 40, "bots": ["walker"]})
    assert report.command.splitlines()[1:] == [
        "rogsim run scenario.toml",
        "rogsim run scenario-2.toml",
        "rogsim report reports/scenario reports/scenario-2 --out reports/report",
    ]
    assert [file for file, _ in report.scenarios] == ["scenario.toml", "scenario-2.toml"]
    steps = [step for step in report.next_steps if "more games" in step]
    assert steps
    for step, bots in zip(steps, ("", " --bots walker"), strict=False):
        assert re.search(rf"`rogsim run scenario\.toml{bots} --games \d+` plays enough games\.$", step)


def test_commands_name_a_folder_that_is_not_the_usual_one(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --out, a run goes to reports/NAME: only another folder is named, and a step continues in its folder."""
    play("again", players=[3], games=120)
    play("reports/scenario", players=[3], games=120, seed=6)
    monkeypatch.chdir(tmp_path)
    write_scenario(KEYS | {"players": [3]})
    usual, other = Path("reports/scenario"), tmp_path / "again"
    assert build_report(gather([usual, other]), Path("reports/both")).command.splitlines()[1:] == [
        "rogsim run scenario.toml",
        "rogsim run scenario-2.toml --out again",
        "rogsim report reports/scenario again --out reports/both",
    ]
    assert build_report(gather([other, usual]), Path("reports/both")).command.splitlines()[1:] == [
        "rogsim run scenario.toml --out again",
        "rogsim run scenario-2.toml --out reports/scenario",
        "rogsim report again reports/scenario --out reports/both",
    ]
    (step,) = [step for step in build_report(gather([other]), Path("page")).next_steps if "more games" in step]
    assert re.search(r"`rogsim run scenario\.toml --games \d+ --out again` continues from the stored games\.$", step)


def test_next_steps_reach_a_folder_elsewhere(play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They need its games, so they say where it is; commands for other readers do not."""
    play("my runs/a", players=[3], games=120)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    write_scenario(KEYS | {"players": [3]})
    page = build_report(gather([tmp_path / "my runs" / "a"]), tmp_path / "pages" / "x")
    (more,) = [step for step in page.next_steps if "more games" in step]
    assert more.endswith(" --out '../my runs/a'` continues from the stored games.")
    assert page.command.splitlines()[1:] == ["rogsim run scenario.toml --out a", "rogsim report a --out x"]


def test_a_page_says_why_pooled_folders_are_a_later_look(play: Play, tmp_path: Path) -> None:
    """Nobody knows whether they were viewed one after the other; a folder that was extended certainly was."""
    play("one", players=[3], games=120)
    play("two", players=[3], games=120, seed=6)
    pooled = build_report(gather([tmp_path / "one", tmp_path / "two"]), tmp_path / "page").lead
    assert "Each pooled folder counts as a look" in pooled
    assert "interim look 2 for 3 players" in pooled
    rogsim.run(KEYS | {"players": [3], "games": 240}, out=tmp_path / "one", jobs=1)
    extended = build_report(gather([tmp_path / "one"]), tmp_path / "page").lead
    assert "These results were viewed before, at other numbers of games. This is interim look 2" in extended


def test_a_step_names_a_file_only_if_it_has_the_scenario(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the run replaced is among the options; with other rules in the file, no command names it."""
    play("again", players=[3], games=120, seed=6)
    monkeypatch.chdir(tmp_path)
    for seed, bots, long, words in (
        (6, "runner", 20, ""),
        (5, "runner", 20, " --seed 6"),
        (6, "walker", 20, " --bots runner"),
        (6, "runner", 19, None),
    ):
        keys = {"game": "dice-race", "players": [3], "games": 10, "seed": seed, "bots": [bots]}
        write_scenario(keys | {"options": {"long": long}}, "scenarios/scenario.toml")
        (step,) = [
            step for step in build_report(gather([Path("again")]), Path("page")).next_steps if "more games" in step
        ]
        if words is None:
            assert "`rogsim" not in step
        else:
            assert re.search(rf"`rogsim run scenarios/scenario\.toml{words} --games \d+ --out again`", step)


def test_folders_with_one_name_have_their_own_steps() -> None:
    """Two folders of one scenario name: each step lists only what is undecided in its folder."""
    material = material_for(KEYS | {"games": 40}, KEYS | {"games": 40, "bots": ["moody"]})
    steps = [step for step in build_report(material, Path("page")).next_steps if "more games" in step]
    undecided = [verdict for verdict in material.verdicts if verdict.prospect]
    assert {verdict.claim.folder for verdict in undecided} == {"scenario"}
    assert [step.partition(":")[0] for step in steps] == ["runner", "moody"]
    assert sum(step.count(" players") for step in steps) == len(undecided)
    for step in steps:
        one = step.count(" players") == 1
        said = (
            f"with about this many more games, {'it is' if one else 'each question by itself is'} decided with a chance"
        )
        assert f" {said} of at least 9" in step


def test_several_folders_are_compared() -> None:
    """One finding at the top for all of them, one each below; tables and labels name the bots."""
    report = report_on(
        KEYS, KEYS | {"seed": 6, "bots": ["moody"]}, KEYS | {"seed": 7, "bots": ["runner", "moody", "moody"]}
    )
    seats = report.sections[0]
    assert [finding.folded for finding in seats.findings] == [False] * 2 + [True] * 6
    assert all("sets of bots" in text or "depends on the bots" in text for _, _, text in on_top(report)[:2])
    assert seats.grids[0].frame["bots"].unique().sort().to_list() == ["runner", "moody", "runner, moody"]
    assert [picture.name for picture in seats.pictures] == ["seats", "seats-by-players", "seats-by-bots"]


def test_one_player_count_needs_no_figure_over_player_counts() -> None:
    """The heat map of seat by player count is drawn only if there are several."""
    report = report_on(KEYS | {"players": [4]})
    assert [picture.name for picture in report.sections[0].pictures] == ["seats"]


def test_several_bots_in_one_folder_have_a_section() -> None:
    """Bots that played each other are compared, and named if they are few."""
    report = report_on(KEYS | {"bots": ["runner", "walker", "moody"]})
    assert "bots" in [section.name for section in report.sections]
    assert "runner, walker, moody" in report.lead


def test_folders_get_distinct_labels() -> None:
    """A folder is labelled by its bots; folders with the same bots also by the scenario, and by a number if needed."""
    one = {"name": "x", "scenario": {"bots": ["a"]}}
    many = {"name": "y", "scenario": {"bots": ["a", "b", "c", "d"]}}
    assert labels_of([one, many]) == ["a", "y"]
    assert labels_of([one, many | {"scenario": one["scenario"]}]) == ["a (x)", "a (y)"]
    assert labels_of([one, one]) == ["a (x) #1", "a (x) #2"]


def test_the_scenario_in_a_report_is_the_one_played(tmp_path: object) -> None:
    """The text at the end of a report can be played, and is the same scenario."""
    keys = KEYS | {"options": {"long": 20, "handicap": [0, 1]}, "players": [2]}
    report = report_on(keys)
    (name, text) = report.scenarios[0]
    path = tmp_path / "again.toml"  # type: ignore[operator]
    path.write_text(text, encoding="utf-8")
    assert name == "scenario.toml"
    assert load(path).scenario == load(keys).scenario
    assert scenario_text({"question": 'Is "it" so?', "scenario": {"seed": 1, "options": {}}}).startswith(
        '# Is "it" so?\n'
    )


CHANGES = {"spaces.more": 3, "head_start": [0, 2, 0, 0], "played_out": True}


def test_changed_parameters_are_listed(tmp_path: Path) -> None:
    """The lead and the provenance list them with their usual values; the page's scenario gives the same games."""
    report = report_on(KEYS | {"change": CHANGES})
    changed = "head_start = 0, 2, 0, 0 (0, 0, 0, 0), spaces.more = 3 (0), played_out = true (false)"
    assert f"Changed: {changed}." in report.lead
    assert report.provenance[0].frame["changed"].to_list() == [changed]
    (_, text) = report.scenarios[0]
    (tmp_path / "x.toml").write_text(text)
    again = load(tmp_path / "x.toml")
    assert dict(again.scenario.change) == CHANGES
    assert key_of(identity_of(again)) == key_of(identity_of(load(KEYS | {"change": CHANGES})))


def test_folders_with_different_parameters_are_distinguished() -> None:
    """The changes are listed for each folder; without changes nothing is said."""
    report = report_on(KEYS, KEYS | {"change": {"spaces": {"more": 2}}})
    assert f"Changed: runner (scenario) #1: {NOTHING}; runner (scenario) #2: spaces.more = 2 (0)." in report.lead
    assert report.provenance[0].frame["changed"].to_list() == [NOTHING, "spaces.more = 2 (0)"]
    assert "Changed" not in report_on(KEYS).lead
